"""The suite `textworld`: what the rules of a game allow is accepted and done, everything else is refused."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from freeform.core.chance import Chance
from freeform.engine.campaign.begin import Answers, begin, first_state
from freeform.engine.log import Begun
from freeform.engine.rules.change import apply
from freeform.engine.rules.resolve import resolve
from freeform.engine.rules.validate import validate
from freeform.engine.table import Rules, Table
from freeform.engine.turn import Say, take_turn
from freeform.engine.world.model import InterpreterOutput, PlannerOutput
from freeform.engine.world.state import GameState
from freeform.evals.metrics import share
from freeform.evals.report import SuiteReport, find_data, mean
from freeform.evals.suites.textworld.game import BoundName, TextWorldGame, read_game, step
from freeform.evals.suites.textworld.logic import Atom
from freeform.evals.suites.textworld.staging import TextWorldStage, facts_of, propose, set_up

TYPING_SEED = 4


async def type_walkthrough(game: TextWorldGame, new_table: Callable[[], Table]) -> list[bool]:
    """For each command, whether the facts after its turn are what the game's rules imply."""
    stage, table = set_up(game), new_table()
    await begin(stage.scenario, "game", TYPING_SEED, Answers(), table, system=stage.system)
    gold, right = game.facts, []
    for command in game.walkthrough:
        deed = next((d for d in game.bound if d.command == command and d.needs <= gold), None)
        if deed is None:
            right.append(False)
            continue
        await take_turn(Say(campaign="game", text=command), table)
        gold = step(gold, deed)
        right.append(facts_of(await table.store.get_state("game"), stage) == gold)
    return right


SEED = 4
LEGAL, ILLEGAL = 12, 40
"""Commands tried in each state beside the walkthrough's: some the rules allow, some they do not."""
STRAY = 25
"""Steps of a stroll off the walkthrough, for states no author thought of."""


@dataclass
class TextWorldTally:
    """What was counted in one game."""

    walked: int = 0
    accepted: int = 0
    blocked_right: int = 0
    blocked_wrong: int = 0
    let_through: int = 0
    allowed_right: int = 0
    agreement: list[float] = field(default_factory=list)
    by_predicate: Counter[str] = field(default_factory=Counter)
    wrong_by_predicate: Counter[str] = field(default_factory=Counter)
    quest_facts: list[bool] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)

    def note(self, text: str) -> None:
        """Remembers what went wrong, as far as anyone would read it."""
        if len(self.failures) < 20:
            self.failures.append(text)


async def run_textworld(data: Path | None, new_table: Callable[[], Table]) -> SuiteReport:
    """Every game of the folder."""
    cases, tallies = list[dict[str, Any]](), list[TextWorldTally]()
    for path in find_data(data, "textworld", "*.json", "TextWorld games"):
        game = read_game(path)
        tally, reached = play_game(game)
        typed = await type_walkthrough(game, new_table)
        tallies.append(tally)
        told = {
            "goal_reached": reached,
            "typed_state_accuracy": mean(map(float, typed)),
            "failures": tally.failures,
        }
        cases.append({"game": path.name, **figures([tally]), **told})
    return SuiteReport(
        suite="textworld",
        n=len(cases),
        metrics={
            **figures(tallies),
            "goal_reached": mean(float(case["goal_reached"]) for case in cases),
            "typed_state_accuracy": mean(case["typed_state_accuracy"] for case in cases),
        },
        cases=cases,
        notes=[f"{sum(t.walked for t in tallies)} walkthrough commands, seed {SEED}"],
    )


def figures(tallies: list[TextWorldTally]) -> dict[str, Any]:
    """The suite's numbers over some games."""

    def total(name: str) -> int:
        return sum(getattr(tally, name) for tally in tallies)

    facts: Counter[str] = sum((tally.by_predicate for tally in tallies), Counter())
    wrong: Counter[str] = sum((tally.wrong_by_predicate for tally in tallies), Counter())
    right = total("blocked_right")
    return {
        "acceptance": share(total("accepted"), total("walked")),
        "refusal_precision": share(right, right + total("blocked_wrong")),
        "refusal_recall": share(right, right + total("let_through")),
        "state_accuracy": mean(value for tally in tallies for value in tally.agreement),
        "state_accuracy_by_fact": {
            name: share(n - wrong[name], n) for name, n in sorted(facts.items())
        },
        "quest_facts": mean(float(so) for tally in tallies for so in tally.quest_facts),
        "commands_tried": sum(
            map(total, ("walked", "blocked_right", "blocked_wrong", "let_through", "allowed_right"))
        ),
    }


def play_game(game: TextWorldGame) -> tuple[TextWorldTally, bool]:
    """The walkthrough, then a stroll; gives the tally and whether the walkthrough reached every goal."""
    tally, stage = TextWorldTally(), set_up(game)
    chance = Chance(SEED, "textworld", game.name)
    by_command: dict[str, list[BoundName]] = {}
    for deed in game.bound:
        by_command.setdefault(deed.command, []).append(deed)
    rules, state = _begin(stage)
    gold, done = game.facts, set[int]()
    for number, command in enumerate(game.walkthrough):
        tally.walked += 1
        _try_others(game, stage, rules, state, gold, tally, chance.at("others", number))
        meant = next((deed for deed in by_command.get(command, []) if deed.needs <= gold), None)
        if meant is None:
            tally.note(f"no rule of the game fits '{command}' in that state")
            continue
        accepted, state = _do(meant, state, rules, chance.at(number))
        tally.accepted += accepted
        if not accepted:
            tally.note(f"'{command}' was refused")
        _hold_against_quest(game, command, gold, facts_of(state, stage), tally)
        gold = step(gold, meant)
        _compare(facts_of(state, stage), gold, tally, command)
        done |= {n for n, goal in enumerate(game.goals) if goal <= facts_of(state, stage)}
    _stroll(game, stage, rules, state, gold, tally, chance.at("stroll"))
    return tally, len(done) == len(game.goals)


def _stroll(
    game: TextWorldGame,
    stage: TextWorldStage,
    rules: Rules,
    state: GameState,
    gold: frozenset[Atom],
    tally: TextWorldTally,
    chance: Chance,
) -> None:
    """Legal commands at random: containers emptied, doors shut behind one, food eaten."""
    for number in range(STRAY):
        legal = [deed for deed in game.bound if deed.needs <= gold and (deed.ends or deed.begins)]
        if not legal:
            return
        deed = chance.at(number).choose(legal)
        accepted, state = _do(deed, state, rules, chance.at("dice", number))
        if accepted:
            tally.allowed_right += 1
        else:
            tally.blocked_wrong += 1
            tally.note(f"'{deed.command}' was refused on a stroll")
        gold = step(gold, deed)
        _compare(facts_of(state, stage), gold, tally, deed.command)
        _try_others(game, stage, rules, state, gold, tally, chance.at("others", number))


def _begin(stage: TextWorldStage) -> tuple[Rules, GameState]:
    scenario = stage.scenario
    diff = first_state(scenario, scenario.heroes[0])
    begun = Begun(
        scenario=scenario,
        name=scenario.name,
        seed=SEED,
        system=stage.system,
        calibration=scenario.calibration,
        opening=scenario.opening,
        state_diff=diff,
    )
    return Rules.of(begun), apply(GameState(campaign_id=stage.game.name), diff)


def _do(deed: BoundName, state: GameState, rules: Rules, chance: Chance) -> tuple[bool, GameState]:
    """One turn's facts, by the engine's own validator and resolver."""
    now = state.at_turn(state.turn_no + 1)
    judged = validate(InterpreterOutput(proposed_actions=[propose(deed)]), now, rules, deed.command)
    came = resolve(now, judged, PlannerOutput(), rules, chance)
    return bool(judged.allowed_actions), apply(now, came.state_diff)


def _try_others(
    game: TextWorldGame,
    stage: TextWorldStage,
    rules: Rules,
    state: GameState,
    gold: frozenset[Atom],
    tally: TextWorldTally,
    chance: Chance,
) -> None:
    """Commands the rules allow now must be accepted, those they do not must be refused. Nothing is done."""
    legal = {deed.command: deed for deed in game.bound if deed.needs <= gold}
    illegal = {deed.command: deed for deed in game.bound if deed.command not in legal}
    for deed in chance.at("legal").shuffled(list(legal.values()))[:LEGAL]:
        if _accepts(deed, state, rules):
            tally.allowed_right += 1
        else:
            tally.blocked_wrong += 1
            tally.note(f"'{deed.command}' was refused though the rules allow it")
    for deed in chance.at("illegal").shuffled(list(illegal.values()))[:ILLEGAL]:
        if _accepts(deed, state, rules):
            tally.let_through += 1
            tally.note(f"'{deed.command}' was accepted though the rules forbid it")
        else:
            tally.blocked_right += 1


def _accepts(deed: BoundName, state: GameState, rules: Rules) -> bool:
    judged = validate(
        InterpreterOutput(proposed_actions=[propose(deed)]), state, rules, deed.command
    )
    return bool(judged.allowed_actions)


def _compare(
    ours: frozenset[Atom], gold: frozenset[Atom], tally: TextWorldTally, command: str
) -> None:
    both = ours | gold
    tally.agreement.append(len(ours & gold) / len(both) if both else 1.0)
    tally.by_predicate.update(atom.name for atom in both)
    tally.wrong_by_predicate.update(atom.name for atom in ours ^ gold)
    if ours != gold:
        tally.note(
            f"after '{command}': {', '.join(f'{a.name}{a.args}' for a in sorted(ours ^ gold)[:3])}"
        )


def _hold_against_quest(
    game: TextWorldGame,
    command: str,
    gold: frozenset[Atom],
    ours: frozenset[Atom],
    tally: TextWorldTally,
) -> None:
    """The file's own word for it: what a quest says is so after its command, and what no longer is."""
    for said, before, after in game.quest_actions:
        if said == command and before <= gold:
            tally.quest_facts += [atom in ours for atom in sorted(after)]
            tally.quest_facts += [atom not in ours for atom in sorted(before - after)]
            return
