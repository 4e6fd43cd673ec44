"""A turn that a game master has asked for and not told yet: played in full, and written nowhere.

    say ─> the whole turn on a store that only remembers ─> TurnDraft ─> (edited) ─> the log

What the engine would rule, roll and say stands in the draft; it becomes so when somebody tells it.
"""

from pydantic import Field

from freeform.core.errors import Conflict, UserError
from freeform.core.record import Record
from freeform.engine.hand.pen import check_words, read_words
from freeform.engine.hand.say import meant
from freeform.engine.log import Entry, LogPosition, Narrated, Resolved
from freeform.engine.rules.effects import perform
from freeform.engine.rules.ledger import Ledger
from freeform.engine.story.drafted import on_scratch
from freeform.engine.story.seen import as_played
from freeform.engine.table import Table
from freeform.engine.turn import Say, finish, take_turn
from freeform.engine.world.by_hand import GAME_MASTER
from freeform.language.sentences import sentences


class TurnDraft(Record):
    """What would be written, and after which entry of which branch."""

    branch: str
    after: int
    entries: list[Entry]
    turns: list[str] = Field(default_factory=list)
    """What was handed in that it answers; nothing where it is of the game master's own words."""
    by: str = ""
    """Who asked for it."""
    id: str = ""
    """What it is called by whoever tells it; the next one has another."""

    @property
    def facts(self) -> Resolved:
        """What would happen."""
        return next(each for each in reversed(self.entries) if isinstance(each, Resolved))

    @property
    def words(self) -> Narrated:
        """How it would be told."""
        return next(each for each in reversed(self.entries) if isinstance(each, Narrated))


async def draft_turn(say: Say, table: Table) -> TurnDraft:
    """Plays a turn to its end and writes nothing; what was told last and lost is told first."""
    await finish(say.campaign, table)
    stands = await table.store.head(say.campaign)
    desk, store = on_scratch(table)
    await take_turn(say.model_copy(update={"alone": False}), desk)
    entries = [row.entry for row in store.drafted]
    return TurnDraft(branch=stands.branch, after=stands.entry, entries=entries)


async def keep_draft(campaign: str, draft: TurnDraft, text: str, table: Table) -> LogPosition:
    """Writes a draft down, told in these words; '' tells it in its own. Conflict where the story
    has moved on since."""
    stands = await table.store.head(campaign)
    if (stands.branch, stands.entry) != (draft.branch, draft.after):
        raise Conflict("the story has moved on since that was proposed; ask for it again")
    told = read_words(text) if text.strip() else draft.words.final_text
    entries = draft.entries
    if told.strip() != draft.words.final_text.strip():
        entries = await _retold(campaign, draft, told, table)
    return await table.store.append(campaign, entries, after=stands)


async def _retold(campaign: str, draft: TurnDraft, told: str, table: Table) -> list[Entry]:
    """The same facts in a person's words; what those state plainly beside them is so."""
    desk, store = on_scratch(table)
    facts = [each for each in draft.entries if not isinstance(each, Narrated)]
    await store.append(campaign, facts, after=await store.head(campaign))
    state = await store.get_state(campaign)
    rules = table.rules(await table.store.begun(campaign), state)
    check_words(told, rules.limits(state))
    page, before = Ledger(state), set(sentences(draft.words.final_text))
    new = [sentence for sentence in sentences(told) if sentence not in before]
    perform([effect for one in new for effect in meant(one, state)], page, rules, GAME_MASTER)
    words = Narrated(
        turn_id=draft.facts.turn_id,
        turn_no=draft.facts.turn_no,
        narrator=draft.words.narrator.model_copy(update={"final_text": told}),
        final_text=told,
        state_diff=page.diff,
        model={"narrator": GAME_MASTER},
    )
    own = await as_played(campaign, draft.facts, desk)
    await own.store.append(campaign, [words], after=await store.head(campaign))
    return [row.entry for row in store.drafted]


def drafted_deed(draft: TurnDraft | None) -> TurnDraft:
    """The draft that is there; UserError where nothing was asked for."""
    if draft is None:
        raise UserError("nothing was proposed; write the words yourself, or ask for a proposal")
    return draft
