"""A game master directs without touching the world: whispers, a note that stays, style, pins."""

from typing import Any, Literal

from freeform.core.errors import NotFound, UserError
from freeform.core.record import Record
from freeform.core.text import visible
from freeform.engine.hand.correct import Corrected, corrected
from freeform.engine.log import Changed
from freeform.engine.rules.aftermath import QUIET_LIMIT, open_moves
from freeform.engine.rules.ledger import Ledger
from freeform.engine.table import Table
from freeform.engine.world.by_hand import (
    CAMPAIGN,
    GAME_MASTER,
    NOTE,
    PINNED,
    STYLE,
    WHISPERS,
    pinned_by_hand,
)

LONGEST_WORDS, MOST_TURNS, MOST_PINS = 1000, 50, 40


class Style(Record):
    """How prose is told; None leaves a part as it is, '' makes it the narrator's choice again."""

    length: Literal["", "short", "medium", "long"] | None = None
    person: Literal["", "first", "second", "third"] | None = None
    tense: Literal["", "present", "past"] | None = None
    manner: str | None = None
    """In one's own words: `dry, no similes`."""


async def whisper(campaign: str, text: str, turns: int, table: Table) -> Corrected:
    """Tells the model what to do in the next turn, or the next few; no player reads it. The id of
    one of the scenario's moves makes that move come."""
    said = _words(text, "a direction such as 'make Chen reveal the badge'")
    if not 1 <= turns <= MOST_TURNS:
        raise UserError(f"a whisper holds for 1 to {MOST_TURNS} turns")
    state = await table.store.get_state(campaign)
    page = Ledger(state)
    lasting = [r for r in state.value(CAMPAIGN, WHISPERS) or [] if int(r["until"]) > state.turn_no]
    row = {"text": said, "until": state.turn_no + turns}
    page.note(CAMPAIGN, WHISPERS, [*lasting, row])
    rules = table.rules(await table.store.begun(campaign), state)
    if any(move.id in said.split() for move in open_moves(state, rules)):
        page.note(CAMPAIGN, "quiet", QUIET_LIMIT)
    return await _logged(campaign, page, {"whisper": said, "turns": turns}, table)


async def note(campaign: str, text: str, table: Table) -> Corrected:
    """An author's note: told with every turn from now on; '' takes it away."""
    said = _words(text, "a note") if text.strip() else ""
    page = Ledger(await table.store.get_state(campaign))
    page.note(CAMPAIGN, NOTE, said)
    return await _logged(campaign, page, {"note": said}, table)


async def set_style(campaign: str, style: Style, table: Table) -> Corrected:
    """How prose is told from now on; what is not named stays."""
    state = await table.store.get_state(campaign)
    page = Ledger(state)
    wished = {name: part for name, part in style.model_dump().items() if part is not None}
    wished = {name: visible(part)[:LONGEST_WORDS] for name, part in wished.items()}
    whole = {**(state.value(CAMPAIGN, STYLE) or {}), **wished}
    page.note(CAMPAIGN, STYLE, {name: part for name, part in whole.items() if part})
    return await _logged(campaign, page, {"style": wished}, table)


async def pin_fact(campaign: str, fact_id: str, table: Table, *, pinned: bool = True) -> Corrected:
    """A fact that is told every turn, whatever else is left out; or no longer."""
    state = await table.store.get_state(campaign)
    if fact_id not in state.facts:
        raise NotFound(f"no fact '{visible(fact_id)[:60]}'; `state` lists them")
    others = [id for id in pinned_by_hand(state) if id != fact_id]
    if pinned and len(others) >= MOST_PINS:
        raise UserError(f"{MOST_PINS} facts are pinned; unpin one first with `gm unpin`")
    page = Ledger(state)
    page.note(CAMPAIGN, PINNED, [*others, fact_id] if pinned else others)
    return await _logged(campaign, page, {"pin" if pinned else "unpin": fact_id}, table)


def _words(text: str, wanted: str) -> str:
    said = visible(text)
    if not said:
        raise UserError(f"there are no words in that; give {wanted}")
    if len(said) > LONGEST_WORDS:
        raise UserError(f"that is {len(said):,} letters long; say it in up to {LONGEST_WORDS:,}")
    return said


async def _logged(campaign: str, page: Ledger, details: dict[str, Any], table: Table) -> Corrected:
    head = await table.store.head(campaign)
    entry = Changed(why=GAME_MASTER, details=details, state_diff=page.diff)
    stands = await table.store.append(campaign, [entry], after=head)
    heard = [f"{name}: {value}" for name, value in details.items()]
    return corrected(stands, page, heard)
