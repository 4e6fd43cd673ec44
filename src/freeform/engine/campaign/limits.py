"""Lines and veils changed in play: what is drawn holds at once and after an undo, too; what is
loosened is taken back with the turn it followed."""

from collections.abc import Iterable, Sequence
from typing import Literal

from pydantic import Field

from freeform.core.errors import UserError
from freeform.core.record import Record
from freeform.core.text import visible
from freeform.engine.authored.scenario import Calibration
from freeform.engine.campaign.timeline import SAFETY
from freeform.engine.log import Changed, LogPosition
from freeform.engine.rules.effects import CAMPAIGN
from freeform.engine.rules.ledger import Ledger
from freeform.engine.rules.safety import LIMIT, limit_key, limits_now
from freeform.engine.table import Table
from freeform.engine.world.state import GameState
from freeform.language.words import words

LOOSENED = "limits"
"""Why an entry is in the log that takes a limit away or makes a veil of a line."""
LONGEST_TOPIC, MOST_LIMITS = 120, 60
Kind = Literal["line", "veil", "none"]
_STRENGTH: dict[Kind, int] = {"none": 0, "veil": 1, "line": 2}


class LimitChange(Record):
    """Topics that are lines from now on, veils from now on, or neither."""

    lines: list[str] = Field(default_factory=list)
    veils: list[str] = Field(default_factory=list)
    remove: list[str] = Field(default_factory=list)


class LimitsHeld(Record):
    """The lines and the veils that hold now, an X-card's among them."""

    lines: list[str]
    veils: list[str]


async def read_limits(campaign: str, table: Table) -> LimitsHeld:
    """What holds now."""
    begun = await table.store.begun(campaign)
    return _held(begun.calibration, await table.store.get_state(campaign))


async def change_limits(campaign: str, change: LimitChange, table: Table) -> LogPosition:
    """Writes the change down; UserError for a topic that cannot be one, or is not there to
    remove."""
    store = table.store
    calibration = (await store.begun(campaign)).calibration
    head, state = await store.head(campaign), await store.get_state(campaign)
    held = _kinds(_held(calibration, state))
    wished = _wished(change, held)
    looser = {key: to for key, to in wished.items() if _is_looser(to, held.get(key))}
    stricter = {key: to for key, to in wished.items() if to != held.get(key) and key not in looser}
    if len(held | stricter) > MOST_LIMITS:
        raise UserError(f"a table keeps at most {MOST_LIMITS} lines and veils; remove some first")
    for why, part in ((LOOSENED, looser), (SAFETY, stricter)):
        if part:
            head = await store.append(campaign, [_entry(why, part, state)], after=head)
            state = await store.get_state(campaign)
    return head


def _held(calibration: Calibration, state: GameState) -> LimitsHeld:
    lines, veils = limits_now(calibration, state)
    return LimitsHeld(lines=lines, veils=veils)


def _kinds(held: LimitsHeld) -> dict[str, tuple[Kind, str]]:
    """Each limit by its key: what it is, and as the table wrote it."""
    kinds: dict[str, tuple[Kind, str]] = {}
    for veil in held.veils:
        kinds[limit_key(veil)] = ("veil", veil)
    for line in held.lines:
        kinds[limit_key(line)] = ("line", line)
    return kinds


def _wished(change: LimitChange, held: dict[str, tuple[Kind, str]]) -> dict[str, tuple[Kind, str]]:
    """What each topic that is named is to be."""
    wished: dict[str, tuple[Kind, str]] = {}
    named: tuple[tuple[Kind, Sequence[str]], ...] = (
        ("line", change.lines),
        ("veil", change.veils),
        ("none", change.remove),
    )
    for kind, topics in named:
        for topic in map(_checked, topics):
            key = limit_key(topic)
            if kind == "none" and key not in held:
                raise UserError(f"'{topic}' is no line and no veil here; {_there(held.values())}")
            if key in wished and wished[key][0] != kind:
                raise UserError(f"'{topic}' is named twice; say once what it is to be")
            wished[key] = (kind, topic)
    return wished


def _checked(topic: str) -> str:
    """A topic as a person wrote it, when it can be one."""
    named = " ".join(visible(topic).split())
    if not words(named):
        raise UserError("a line or a veil needs a word or a few, such as 'spiders'")
    if len(named) > LONGEST_TOPIC:
        raise UserError(
            f"'{named[:30]}…' is {len(named):,} letters long; "
            f"say it in up to {LONGEST_TOPIC}, and draw several lines for several things"
        )
    return named


def _there(held: Iterable[tuple[Kind, str]]) -> str:
    names = ", ".join(topic for _, topic in held)
    return f"there are: {names}" if names else "there are none"


def _is_looser(to: tuple[Kind, str], now: tuple[Kind, str] | None) -> bool:
    return now is not None and _STRENGTH[to[0]] < _STRENGTH[now[0]]


def _entry(why: str, part: dict[str, tuple[Kind, str]], state: GameState) -> Changed:
    """One entry of the log; each topic is a fact of its own, so that entries do not undo each
    other."""
    page = Ledger(state)
    for key, (kind, topic) in part.items():
        page.note(CAMPAIGN, f"{LIMIT}{key}", {"topic": topic, "kind": kind})
    details = {"limits": [{"topic": topic, "is": kind} for kind, topic in part.values()]}
    return Changed(why=why, details=details, state_diff=page.diff)
