"""The suite `state-transitions`: fights people really played; the state after each command against
the record.

A triple holds the fight before, the command with what the table's dice bot reported, and the fight
after. The report becomes an affordance's effects; the engine's validator and resolver carry it out;
HP, condition, effects and turn order of every combatant are compared.
"""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from freeform.core.chance import Chance
from freeform.core.errors import BadFile
from freeform.core.text import slug
from freeform.engine.authored.scenario import (
    Affordance,
    Hero,
    Outcome,
    Scenario,
    Start,
)
from freeform.engine.authored.script import Effect, SetFact
from freeform.engine.authored.system import ActionType, System
from freeform.engine.campaign.begin import first_state
from freeform.engine.log import Begun
from freeform.engine.rules.change import apply
from freeform.engine.rules.resolve import resolve
from freeform.engine.rules.validate import validate
from freeform.engine.table import Rules
from freeform.engine.world.model import InterpreterOutput, PlannerOutput, ProposedAction
from freeform.engine.world.state import (
    Entity,
    Fact,
    GameState,
    fact_id,
)
from freeform.evals.metrics import share
from freeform.evals.report import SuiteReport, find_data

SEED = 4
_HP = re.compile(r"<(-?\d+)/(-?\d+) HP; (\w+)>")
_DAMAGE = re.compile(r"^(.+?) took (\d+) damage")
_HEALED = re.compile(r"^(.+?) (?:healed|regained)(?: for)? (\d+)")
_TEMP = re.compile(r"^(.+?) gained (\d+) temp HP")
_GAINED = re.compile(r"^(.+?) gained (.+?)\.?$")
_LOST = re.compile(r"^(.+?) (?:lost|is no longer affected by|no longer has) (.+?)\.?$")
FIELDS = ("hp", "condition", "effects")


class Combatant(NamedTuple):
    """Someone in the fight as the record shows them. HP may be unknown."""

    name: str
    hp: int | None
    most: int | None
    condition: str
    effects: list[str]
    is_character: bool = False


class Triple(NamedTuple):
    """Before, what was done, after."""

    number: int
    before: list[Combatant]
    command: str
    report: list[str]
    targets: list[str]
    after: list[Combatant]


def run_state_transitions(data: Path | None) -> SuiteReport:
    """Every triple of the file."""
    (path, *_) = find_data(
        data, "fireball", "filtered_triples.jsonl", "FIREBALL triples (filtered_triples.jsonl)"
    )
    cases = [play_triple(triple) for triple in read_triples(path)]

    def total(name: str) -> int:
        return sum(case[name] for case in cases)

    return SuiteReport(
        suite="state-transitions",
        n=len(cases),
        metrics={
            "state_accuracy": share(total("right"), total("fields")),
            "changed_accuracy": share(total("changed_right"), total("changed")),
            "untouched_baseline": share(
                total("fields") - total("changed_in_record"), total("fields")
            ),
            "turn_order": share(total("order_kept"), len(cases)),
            "target_accuracy": share(total("targets_right"), total("targets")),
        },
        cases=cases,
        notes=[f"{total('changed')} of {total('fields')} fields changed in the record or with us"],
    )


def read_triples(path: Path) -> list[Triple]:
    """The file's lines; BadFile names the line that does not read."""
    triples = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        try:
            row = json.loads(line)
            triples.append(
                Triple(
                    number=number,
                    before=[_combatant(c) for c in row["combat_state_before"]],
                    command=str(row["commands_norm"][0]),
                    report=[
                        said for text in row["automation_results"] for said in text.splitlines()
                    ],
                    targets=[
                        t["name"] if isinstance(t, dict) else str(t) for t in row["targets_after"]
                    ],
                    after=[_combatant(c) for c in row["combat_state_after"]],
                )
            )
        except (ValueError, KeyError, TypeError, IndexError) as wrong:
            raise BadFile(
                path.name, f"is no FIREBALL triple ({wrong!r}); get the file again", number
            ) from None
    return triples


def play_triple(triple: Triple) -> dict[str, Any]:
    """One command carried out by the engine, and the fields that came out right."""
    rules, state = _fight(triple)
    names = [c.name for c in triple.before]
    wanted = targets_of(triple.command, names)
    act = ProposedAction(
        action="command", target_id=slug(wanted[0]) if wanted else "", details=triple.command
    )
    judged = validate(InterpreterOutput(proposed_actions=[act]), state, rules)
    came = resolve(state, judged, PlannerOutput(), rules, Chance(SEED, triple.number))
    after = apply(state, came.state_diff)
    then = {c.name: _fields(c) for c in triple.before}
    gold = {c.name: _fields(c) for c in triple.after}
    ours = {name: {field: after.value(slug(name), field) for field in FIELDS} for name in gold}
    places = [(name, field) for name in gold for field in FIELDS]
    in_record = {p for p in places if then.get(p[0], {}).get(p[1]) != gold[p[0]][p[1]]}
    moved = {p for p in places if then.get(p[0], {}).get(p[1]) != ours[p[0]][p[1]]} | in_record
    right = {(name, field) for name, field in places if gold[name][field] == ours[name][field]}
    return {
        "line": triple.number,
        "command": triple.command[:80],
        "accepted": bool(judged.allowed_actions),
        "fields": len(places),
        "right": len(right),
        "changed": len(moved),
        "changed_right": len(moved & right),
        "changed_in_record": len(in_record),
        "order_kept": int(after.value("campaign", "order") == [c.name for c in triple.after]),
        "targets": len(triple.targets),
        "targets_right": len(set(triple.targets) & set(wanted)),
        "wrong": [
            {"who": name, "field": field, "ours": ours[name][field], "record": gold[name][field]}
            for name, field in places
            if (name, field) not in right
        ],
    }


def targets_of(command: str, names: list[str]) -> list[str]:
    """Whom `-t moz` means: the name that begins so, else one that holds it."""
    said = [
        first or second for first, second in re.findall(r"-t\s+(?:\"([^\"]+)\"|(\S+))", command)
    ]
    found = []
    for part in said:
        plain = part.casefold()
        starts = [n for n in names if n.casefold().startswith(plain)]
        holds = [n for n in names if plain in n.casefold()]
        found += (starts or holds)[:1]
    return found


@dataclass
class FightBody:
    """A combatant while the report is read."""

    record: Combatant
    hp: int | None
    effects: list[str]
    temp: int = 0
    touched: bool = False

    def hurt(self, loss: int) -> None:
        """Temporary points go first. A character stops at 0, as the bot has it; a monster may fall
        below."""
        spared = min(self.temp, loss)
        self.temp, self.touched = self.temp - spared, True
        if self.hp is not None:
            left = self.hp - (loss - spared)
            self.hp = max(0, left) if self.record.is_character else left

    def heal(self, gain: int) -> None:
        self.touched = True
        if self.hp is not None and self.record.most is not None:
            self.hp = min(self.record.most, max(0, self.hp) + gain)

    def gain(self, effect: str) -> None:
        self.effects = [*(e for e in self.effects if e != effect), effect]

    def lose(self, effect: str) -> None:
        self.effects = [e for e in self.effects if e != effect]


def effects_of(report: list[str], fighters: dict[str, Combatant]) -> list[Effect]:
    """What the dice bot reported, as effects on facts."""
    bodies = {name: FightBody(c, c.hp, list(c.effects)) for name, c in fighters.items()}
    for line in report:
        for pattern, read in _READ:
            if (found := pattern.match(line)) and found[1] in bodies:
                read(bodies[found[1]], found[2])
                break
    effects = []
    for name, body in bodies.items():
        if body.touched:
            effects += [
                _set(name, "hp", body.hp),
                _set(name, "condition", condition_of(body.hp, body.record.most)),
            ]
        if body.effects != body.record.effects:
            effects.append(_set(name, "effects", body.effects))
    return effects


def _temp(body: FightBody, points: int) -> None:
    body.temp = max(body.temp, points)


_READ: tuple[tuple[re.Pattern[str], Callable[[FightBody, str], None]], ...] = (
    (_DAMAGE, lambda body, n: body.hurt(int(n))),
    (_HEALED, lambda body, n: body.heal(int(n))),
    (_TEMP, lambda body, n: _temp(body, int(n))),
    (_GAINED, lambda body, effect: body.gain(effect)),
    (_LOST, lambda body, effect: body.lose(effect)),
)


def condition_of(hp: int | None, most: int | None) -> str:
    """How hurt someone looks."""
    if hp is None or not most:
        return "Healthy"
    if hp <= 0:
        return "Dead"
    for least, word in ((1.0, "Healthy"), (0.5, "Injured"), (0.15, "Bloodied")):
        if hp >= most * least if least == 1.0 else hp > most * least:
            return word
    return "Critical"


def _set(who: str, field: str, value: Any) -> Effect:
    return Effect(set=SetFact(subject=slug(who), predicate=field, value=value))


def _fight(triple: Triple) -> tuple[Rules, GameState]:
    fighters = {c.name: c for c in triple.before}
    facts = [
        Fact(
            id=fact_id(slug(c.name), field),
            subject_id=slug(c.name),
            predicate=field,
            object={"value": value},
        )
        for c in triple.before
        for field, value in _fields(c).items()
    ]
    order = Fact(
        id="campaign#order",
        subject_id="campaign",
        predicate="order",
        object={"value": [c.name for c in triple.before]},
    )
    people = [
        Entity(id=slug(c.name), type="npc", name=c.name, attrs={"location": "field"})
        for c in triple.before
    ]
    command = Affordance(id="command", action="command", outcomes={
        "success": Outcome(effects=effects_of(triple.report, fighters))})  # fmt: skip
    scenario = Scenario(
        id="fight",
        name="A fight",
        genre="fantasy",
        description="One moment of a fight.",
        system="d20",
        opening="Roll.",
        start=Start(location="field"),
        heroes=[Hero(id="dm", name="The table", concept="everyone")],
        entities=[Entity(id="field", type="location", name="The field"), *people],
        facts=[*facts, order],
        affordances=[command],
    )
    system = System(
        id="fight", name="Fight", action_types={"command": ActionType(roll="never", minutes=0)}
    )
    diff = first_state(scenario, scenario.heroes[0])
    begun = Begun(
        scenario=scenario,
        name="A fight",
        seed=SEED,
        system=system,
        calibration=scenario.calibration,
        opening="Roll.",
        state_diff=diff,
    )
    return Rules.of(begun), apply(GameState(campaign_id="fight"), diff).at_turn(1)


def _combatant(row: dict[str, Any]) -> Combatant:
    found = _HP.search(row["hp"] or "")
    hp, most, condition = (int(found[1]), int(found[2]), found[3]) if found else (None, None, "")
    effects = [effect.strip() for effect in (row["effects"] or "").split(",") if effect.strip()]
    return Combatant(str(row["name"]), hp, most, condition, effects, bool(row.get("class")))


def _fields(combatant: Combatant) -> dict[str, Any]:
    return {"hp": combatant.hp, "condition": combatant.condition, "effects": combatant.effects}
