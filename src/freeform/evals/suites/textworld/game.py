"""A TextWorld game: entities, facts, and its rules bound to entities; a plain simulator of those
rules is the gold."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from freeform.core.errors import BadFile, UserError
from freeform.evals.suites.textworld.logic import Atom, Logic, LogicRule, read_logic

PLAYER, BAG = "P", "I"
MOST_BOUND = 60_000
"""Bound rules of one game; a larger world would need rules bound as play comes to them."""


class BoundName(NamedTuple):
    """A rule with entities for its variables: one thing one can do, and the words for it."""

    rule: str
    command: str
    verb: str
    things: tuple[str, ...]
    """The entities the command names, in its order."""
    needs: frozenset[Atom]
    ends: frozenset[Atom]
    begins: frozenset[Atom]


@dataclass(frozen=True)
class TextWorldGame:
    """One game file."""

    name: str
    logic: Logic
    types: dict[str, str]
    names: dict[str, str]
    facts: frozenset[Atom]
    bound: list[BoundName]
    walkthrough: list[str]
    quest_actions: list[tuple[str, frozenset[Atom], frozenset[Atom]]]
    """Commands of the quests, with the facts the file itself says are so before and after."""
    goals: list[frozenset[Atom]]
    """What must be so for each quest to be done."""


def read_game(path: Path) -> TextWorldGame:
    """A game from its file; BadFile names what is missing."""
    try:
        raw = json.loads(path.read_text(encoding="utf-8"))
        logic = read_logic(raw["KB"]["logic"])
        infos = dict(raw["infos"])
        types = {id: str(info["type"]) for id, info in infos.items()}
        facts = frozenset(_atom(row) for row in raw["world"])
        for row in raw["world"]:
            types.update({arg["name"]: arg["type"] for arg in row["arguments"]})
        names = {id: str(info.get("name") or "") for id, info in infos.items()}
        walkthrough = [str(command) for command in raw["metadata"]["walkthrough"]]
        events = [event for quest in raw["quests"] for event in quest["win_events"]]
        quest_actions = [
            (
                command,
                *(
                    frozenset(map(_atom, action[side]))
                    for side in ("preconditions", "postconditions")
                ),
            )
            for event in events
            for command, action in zip(event["commands"], event["actions"], strict=False)
        ]
        goals = [frozenset(map(_atom, event["condition"]["preconditions"])) for event in events]
    except (OSError, UnicodeDecodeError, json.JSONDecodeError) as wrong:
        raise BadFile(
            path.name, f"does not read as a TextWorld game ({wrong}); get the file again"
        ) from None
    except (KeyError, TypeError, ValueError) as missing:
        raise BadFile(
            path.name, f"lacks {missing} of a TextWorld game; get the file again"
        ) from None
    except UserError as wrong:
        raise BadFile(path.name, str(wrong)) from None
    facts = both_ways(facts, logic)
    bound = list(bind(logic, types, names, facts))
    return TextWorldGame(
        path.stem, logic, types, names, facts, bound, walkthrough, quest_actions, goals
    )


def step(facts: frozenset[Atom], deed: BoundName) -> frozenset[Atom]:
    """The facts after a deed, by the game's own rule."""
    return (facts - deed.ends) | deed.begins


def both_ways(facts: frozenset[Atom], logic: Logic) -> frozenset[Atom]:
    """The facts with every `south_of(a, b) = north_of(b, a)` said both ways."""
    found = set(facts)
    for left, right in logic.same_as:
        for fact in facts:
            for said, meant in ((left, right), (right, left)):
                if fact.name == said.name and len(fact.args) == len(said.args):
                    places = dict(zip(said.args, fact.args, strict=True))
                    found.add(Atom(meant.name, tuple(places[arg] for arg in meant.args)))
    return frozenset(found)


def bind(
    logic: Logic, types: dict[str, str], names: dict[str, str], facts: frozenset[Atom]
) -> Iterator[BoundName]:
    """Every rule with every fitting choice of entities. What no rule ever changes must be so from
    the start."""
    by_type = {
        kind: [id for id, own in types.items() if logic.is_a(own, kind)] for kind in logic.parents
    }
    count = 0
    for name, rule in logic.rules.items():
        if name not in logic.commands:
            continue
        fixed = [atom for atom in rule.needs if not _changes(atom, rule, logic)]
        for choice in _choices(rule, fixed, by_type, facts):
            count += 1
            if count > MOST_BOUND:
                raise UserError(
                    f"more than {MOST_BOUND:,} things can be done in this game; choose a smaller one"
                )
            yield _bound(rule, logic.commands[name], choice, names)


def _changes(atom: Atom, rule: LogicRule, logic: Logic) -> bool:
    """Whether any rule ends or begins such a fact."""
    mine = [rule.types[arg] for arg in atom.args]
    for other in logic.rules.values():
        for effect in (*other.ends, *other.begins):
            theirs = [other.types[arg] for arg in effect.args]
            if effect.name == atom.name and len(mine) == len(theirs):
                pairs = zip(mine, theirs, strict=True)
                if all(logic.is_a(a, b) or logic.is_a(b, a) for a, b in pairs):
                    return True
    return False


def _choices(
    rule: LogicRule, fixed: list[Atom], by_type: dict[str, list[str]], facts: frozenset[Atom]
) -> Iterator[dict[str, str]]:
    choices: list[dict[str, str]] = [{}]
    for atom in fixed:
        rows = [
            fact for fact in facts if fact.name == atom.name and len(fact.args) == len(atom.args)
        ]
        choices = [
            joined
            for choice in choices
            for row in rows
            if (joined := _join(choice, atom, row, rule, by_type))
        ]
    free = [var for var in rule.types if not any(var in atom.args for atom in fixed)]
    for choice in choices:
        yield from _fill(choice, free, rule, by_type)


def _join(
    choice: dict[str, str], atom: Atom, row: Atom, rule: LogicRule, by_type: dict[str, list[str]]
) -> dict[str, str] | None:
    joined = dict(choice)
    for variable, entity in zip(atom.args, row.args, strict=True):
        if joined.setdefault(variable, entity) != entity or entity not in by_type.get(
            rule.types[variable], []
        ):
            return None
    return joined


def _fill(
    choice: dict[str, str], free: list[str], rule: LogicRule, by_type: dict[str, list[str]]
) -> Iterator[dict[str, str]]:
    if not free:
        # Two variables of a rule are two things, as in the game itself.
        if len(set(choice.values())) == len(choice):
            yield choice
        return
    for entity in by_type.get(rule.types[free[0]], []):
        yield from _fill({**choice, free[0]: entity}, free[1:], rule, by_type)


def _bound(
    rule: LogicRule, template: str, choice: dict[str, str], names: dict[str, str]
) -> BoundName:
    command, verb, things = template, "", list[tuple[int, str]]()
    for variable, entity in choice.items():
        if (at := template.find("{" + variable + "}")) >= 0:
            things.append((at, entity))
            command = command.replace("{" + variable + "}", names[entity] or entity)
    verb = template[: min((at for at, _ in things), default=len(template))].strip()
    return BoundName(
        rule=rule.name,
        command=command,
        verb=verb,
        things=tuple(entity for _, entity in sorted(things)),
        needs=_with(rule.needs, choice),
        ends=_with(rule.ends, choice),
        begins=_with(rule.begins, choice),
    )


def _with(atoms: Iterable[Atom], choice: dict[str, str]) -> frozenset[Atom]:
    return frozenset(Atom(atom.name, tuple(choice[arg] for arg in atom.args)) for atom in atoms)


def _atom(row: dict[str, Any]) -> Atom:
    return Atom(str(row["name"]), tuple(str(arg["name"]) for arg in row["arguments"]))
