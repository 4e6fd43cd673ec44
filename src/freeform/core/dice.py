"""Dice as people write them, `4d6kh3 + 2`: the `d20` library's grammar on our own seeded chance."""

from contextvars import ContextVar
from typing import Any

import d20
from d20 import expression

from freeform.core.chance import Chance
from freeform.core.errors import UserError
from freeform.core.record import Record

MOST_DICE = 1000
MOST_SIDES = 1_000_000
LONGEST = 200
EXAMPLES = "`2d6+1`, `4d6kh3`, `1d20+5`"

_chance: ContextVar[Chance] = ContextVar("chance")


class Thrown(Record):
    """A roll: its total, how the table sees it, each die as it fell, and those that count."""

    expr: str
    total: int
    text: str
    dice: list[int]
    kept: list[int]


class _Bound:
    """Stands where the library keeps Python's own `random`, and draws from the roll's chance."""

    def randrange(self, start: int, stop: int | None = None, step: int = 1) -> int:
        low, high = (0, start) if stop is None else (start, stop)
        return low + (_chance.get().die((high - low) // step) - 1) * step


expression.random = _Bound()


class _Text(d20.SimpleStringifier):  # type: ignore[misc]
    """`2d6 (4,5) + 1 = 10`; a die that does not count is written ~1~."""

    def _str_dice(self, node: Any) -> str:
        fell = (
            self._stringify(die) if die.kept else f"~{self._stringify(die)}~" for die in node.values
        )
        return f"{node.num}d{node.size}{self._str_ops(node.operations)} ({','.join(fell)})"


def throw(expr: str, chance: Chance) -> Thrown:
    """Rolls an expression. UserError when it does not read, or asks for too much."""
    expr = expr.strip()
    if len(expr) > LONGEST:
        raise UserError(f"a roll is at most {LONGEST} characters long; roll it in parts")
    token = _chance.set(chance)
    try:
        roller = d20.Roller(d20.RollContext(MOST_DICE))
        tree = roller.parse(expr)
        _check_sides(tree)
        rolled = roller.roll(tree, stringifier=_Text())
        total = rolled.total
        dice = [
            die
            for node in _nodes(rolled.expr)
            if isinstance(node, expression.Dice)
            for die in node.values
        ]
        text = rolled.result
    except d20.RollSyntaxError as wrong:
        where = f" at '{expr[wrong.col - 1 :][:12]}'" if expr and wrong.col > 0 else ""
        raise UserError(
            f"'{expr}' does not read as dice{where}; write for example {EXAMPLES}"
        ) from None
    except d20.TooManyRolls:
        raise UserError(f"'{expr}' asks for more than {MOST_DICE} dice; roll fewer") from None
    except (d20.RollError, ArithmeticError, ValueError, RecursionError) as wrong:
        raise UserError(f"'{expr}' cannot be rolled: {str(wrong).rstrip('.').lower()}") from None
    finally:
        _chance.reset(token)
    return Thrown(
        expr=expr,
        total=total,
        text=text,
        dice=[int(die.values[-1].number) for die in dice],
        kept=[int(die.values[-1].number) for die in dice if die.kept],
    )


def _nodes(node: Any) -> list[Any]:
    """A rolled expression and everything in it, left to right."""
    return [node, *(inner for child in node.children for inner in _nodes(child))]


def _check_sides(node: Any) -> None:
    sides = getattr(node, "size", 0)
    if isinstance(sides, int) and sides > MOST_SIDES:
        raise UserError(f"a die has at most {MOST_SIDES} sides; this one has {sides}")
    for child in node.children:
        _check_sides(child)
