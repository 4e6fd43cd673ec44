"""Foundry's formulas as numbers: `max(1, @abilities.cha.mod)`, `5 * @classes.paladin.levels`,
`@scale.monk.speed`."""

import ast
import math
import operator
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from freeform.assistant.sheet.foundry.effects import system_of
from freeform.assistant.sheet.given import mapping, number, rows, text, whole
from freeform.assistant.sheet.model import ABILITIES
from freeform.assistant.sheet.numbers.tables import modifier, proficiency

_REF = re.compile(r"@([a-z][\w.-]*)", re.I)
_LOOKUP = re.compile(r"\blookup (?=@)", re.I)
_OPS: Mapping[type, Callable[[float, float], float]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
}  # fmt: skip
_CALLS: Mapping[str, Callable[..., float]] = {
    "max": max, "min": min, "floor": math.floor, "ceil": math.ceil, "round": round, "abs": abs,
}  # fmt: skip


def references(actor: dict[str, Any]) -> dict[str, float]:
    """What formulas of an actor may refer to, by name."""
    system, known = system_of(actor), dict[str, float]()
    for ability in ABILITIES:
        score = whole(mapping(system, "abilities", ability).get("value"), 10)
        known[f"abilities.{ability}.mod"], known[f"abilities.{ability}.value"] = (
            modifier(score),
            score,
        )
    level = 0
    for item in rows(actor.get("items")):
        told = system_of(item)
        if item.get("type") == "class":
            name = text(told.get("identifier")) or text(item.get("name")).lower()
            known[f"classes.{name}.levels"] = whole(told.get("levels"))
            level += whole(told.get("levels"))
    known["details.level"], known["prof"], known["attributes.prof"] = (
        level,
        proficiency(level),
        proficiency(level),
    )
    for item in rows(actor.get("items")):
        if item.get("type") in ("class", "subclass", "race"):
            _scales(item, known, level)
    return known


def _scales(item: dict[str, Any], known: dict[str, float], level: int) -> None:
    for name, row in _reached(item, known, level):
        for tail in ("", ".value"):
            known[f"{name}{tail}"] = number(row.get("value"))


def _reached(
    item: dict[str, Any], known: Mapping[str, float], level: int
) -> Iterator[tuple[str, dict[str, Any]]]:
    """What an item scales by, each with its row at the level reached."""
    told = system_of(item)
    name = text(told.get("identifier")) or text(item.get("name")).lower()
    own = known.get(f"classes.{text(told.get('classIdentifier')) or name}.levels", level)
    for step in rows(told.get("advancement")):
        settings = mapping(step, "configuration")
        if step.get("type") != "ScaleValue":
            continue
        reached = [
            (whole(at), mapping(row))
            for at, row in mapping(settings, "scale").items()
            if whole(at) <= own
        ]
        if reached:
            row = max(reached, key=lambda pair: pair[0])[1]
            yield f"scale.{name}.{text(settings.get('identifier'))}", row


def scale_dice(actor: dict[str, Any], known: Mapping[str, float]) -> dict[str, str]:
    """The dice that classes scale by, at the level reached: `scale.rogue.sneak-attack` is 4d6."""
    found: dict[str, str] = {}
    for item in rows(actor.get("items")):
        for name, row in _reached(item, known, int(known.get("details.level", 0))):
            sides = whole(row.get("faces") or row.get("die"))
            if sides:
                found[name] = f"{whole(row.get('number') or row.get('n'), 1)}d{sides}"
    return found


def spelled_out(said: str, known: Mapping[str, float], dice: Mapping[str, str]) -> str:
    """A text with the references in it as what they come to; one that is not known is left out."""

    def value(hit: re.Match[str]) -> str:
        name = hit[1].rstrip(".")
        end = hit[1][len(name) :]
        if name in dice:
            return f"{dice[name]}{end}"
        return f"{known[name]:g}{end}" if known.get(name) else end

    return _REF.sub(value, _LOOKUP.sub("", said))


def reckon(formula: Any, known: Mapping[str, float]) -> int | None:
    """The number a formula comes to; None for dice, unknown references and anything else."""
    said = text(formula, 200)
    if not said:
        return None
    missing = [name for name in _REF.findall(said) if name not in known]
    if missing:
        return None
    try:
        tree = ast.parse(_REF.sub(lambda m: f"({known[m[1]]})", said), mode="eval")
        return math.floor(_value(tree.body))
    except (
        SyntaxError,
        ValueError,
        ZeroDivisionError,
        OverflowError,
        TypeError,
        RecursionError,
        MemoryError,
    ):
        return None


def _value(node: ast.expr) -> float:
    match node:
        case ast.Constant(value=int() | float() as value) if not isinstance(value, bool):
            return value
        case ast.UnaryOp(op=ast.USub(), operand=inner):
            return -_value(inner)
        case ast.UnaryOp(op=ast.UAdd(), operand=inner):
            return _value(inner)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPS:
            return _OPS[type(op)](_value(left), _value(right))
        case ast.Call(func=ast.Name(id=name), args=args) if name in _CALLS and args:
            return float(_CALLS[name](*map(_value, args)))
        case _:
            raise ValueError("not a number")
