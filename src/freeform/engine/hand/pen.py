"""The narrator's pen in a person's hand: a turn that reads otherwise from now on, the last one told
in other words, and a passage of one's own that is a turn of the story."""

from collections.abc import Sequence
from typing import Any

from pydantic import Field

from freeform.core.errors import NotFound, UserError
from freeform.core.record import Record
from freeform.core.text import MAX_INPUT, shorten, visible
from freeform.engine.campaign.apart import TableHero
from freeform.engine.campaign.spotlight import Actor, step_into
from freeform.engine.context import Moment
from freeform.engine.hand.correct import Corrected, corrected, heard_as
from freeform.engine.hand.say import meant
from freeform.engine.log import Changed, Narrated, PlayedPart, Resolved
from freeform.engine.prose import tell_in_prose
from freeform.engine.rehearsal import SuggestionTrial, as_read
from freeform.engine.rules.change import apply
from freeform.engine.rules.effects import perform
from freeform.engine.rules.ledger import Ledger
from freeform.engine.rules.offers import openings
from freeform.engine.rules.safety import SafetyLimits
from freeform.engine.signals import quiet
from freeform.engine.story.asked import telling_asked
from freeform.engine.story.drafted import on_scratch
from freeform.engine.story.seen import seen_by
from freeform.engine.story.together import listed
from freeform.engine.table import Table
from freeform.engine.turn import finish, told_lately
from freeform.engine.typed import TurnPart
from freeform.engine.world.by_hand import BY_PEN, CAMPAIGN, GAME_MASTER, RETOLD, retold_by_hand
from freeform.engine.world.model import (
    InterpreterOutput,
    NarratorOutput,
    PlannerOutput,
    ValidatorOutput,
)
from freeform.language.sentences import sentences

MOST_CORRECTED = 200
ANEW = "Tell this turn once more in other words, with the same facts. It read before: "


async def reword(campaign: str, text: str, turn_no: int, table: Table) -> Corrected:
    """Another text for a turn that was told (0: the last). What happened in it stays as it is."""
    told, state = read_words(text), await table.store.get_state(campaign)
    turn = turn_no or state.turn_no
    if not 1 <= turn <= state.turn_no:
        raise NotFound(f"no turn {turn} here; choose one from 1 to {state.turn_no}")
    rules = table.rules(await table.store.begun(campaign), state)
    check_words(told, rules.limits(state))
    return await _reads_now(campaign, turn, told, table)


async def retell(campaign: str, table: Table) -> Corrected:
    """The last turn in other words: the same facts and dice, told once more."""
    await finish(campaign, table)
    logged = await table.store.tail(campaign, 1)
    facts = [row.entry for row in logged if isinstance(row.entry, Resolved)]
    if not facts:
        raise UserError("nothing has been told yet; take a turn first")
    turn, recent = facts[-1], await told_lately(campaign, table)
    if turn.interpreter.intent == BY_PEN:
        raise UserError("these are your own words; edit them instead")
    asked = await telling_asked(campaign, turn, recent[:-1], table)
    old = recent[-1].final_text
    whispers = [*asked.wanted.direction.get("whispers", []), ANEW + shorten(old, 3000)]
    direction = {**asked.wanted.direction, "whispers": whispers}
    wanted = asked.wanted.model_copy(update={"direction": direction})
    seed = f"{asked.call.seed}/anew/{(await table.store.head(campaign)).entry}"
    call = asked.call.model_copy(update={"seed": seed})
    told = await tell_in_prose(wanted, call, asked.guard, table.gateway, quiet)
    if told.final_text.strip() == old.strip():
        raise UserError("there are no other words for this turn; edit it, or retry the turn")
    return await _reads_now(campaign, turn.turn_no, told.final_text, table)


class PenWish(Record):
    """Where a passage is told, and what it tells of: what players have written. `heroes` are all
    who are played at the table; none where one plays alone."""

    heroes: list[TableHero] = Field(default_factory=list)
    actor: Actor | None = None
    """Whose scene it is told in; else that of whoever acts first, or the one in the light."""
    deeds: list[TurnPart] = Field(default_factory=list)
    """What players' characters do, in their own words."""
    turn_id: str = ""


async def write_turn(
    campaign: str, text: str, table: Table, wish: PenWish | None = None
) -> Corrected:
    """A passage of one's own as the next turn: told as it stands, and what it states plainly of
    people and things is so. Who is elsewhere does not read it."""
    told, store, wish = read_words(text), table.store, wish or PenWish()
    now = await store.get_state(campaign)
    check_words(told, table.rules(await store.begun(campaign), now).limits(now))
    await finish(campaign, table)
    actor = wish.deeds[0].actor if wish.deeds else wish.actor
    if actor:
        await step_into(campaign, actor, table)
    head, before = await store.head(campaign), await store.get_state(campaign)
    state = before.at_turn(head.turn_no + 1)
    rules = table.rules(await store.begun(campaign), state)
    effects = [effect for sentence in sentences(told) for effect in meant(sentence, state)]
    page, recent = Ledger(state), await told_lately(campaign, table)
    perform(effects, page, rules, GAME_MASTER)
    turn_id = wish.turn_id or table.ids.new("turn")
    facts = Resolved(
        turn_id=turn_id,
        turn_no=state.turn_no,
        **_played(wish.deeds),
        context_packet=Moment(state, told, rules, recent, table.packet_tokens).packet("player", {}),
        interpreter=InterpreterOutput(intent=BY_PEN),
        validator=ValidatorOutput(),
        planner=PlannerOutput(),
        engine_events=page.events,
        state_diff=page.diff,
    )
    after, read = apply(state, page.diff), [*recent, as_read(facts, told)]
    trial = SuggestionTrial(table.ear, after, rules, read, {})
    ideas = trial.next_ideas(ValidatorOutput(), [], openings(after, rules, read))
    words = NarratorOutput(final_text=told, suggested_actions=rules.limits(state).allow_each(ideas))
    prose = Narrated(turn_id=turn_id, turn_no=state.turn_no, narrator=words, final_text=told)
    desk, scratch = on_scratch(table)  # both halves are written at once, whoever sees them
    own = seen_by(actor, wish.heroes, desk) if actor else desk
    await own.store.append(campaign, [facts, prose], after=head)
    stands = await store.append(campaign, [row.entry for row in scratch.drafted], after=head)
    return corrected(stands, page, [heard_as(effect, state) for effect in effects])


def _played(deeds: Sequence[TurnPart]) -> dict[str, Any]:
    """What players' characters did in a turn that a person tells, as the log has it."""
    if len(deeds) < 2:
        return {
            "player_input": deeds[0].text if deeds else "",
            "actor": deeds[0].actor.name if deeds else "",
        }
    return {
        "player_input": "\n".join(f"{each.actor.name}: {each.text}" for each in deeds),
        "actor": listed([each.actor.name for each in deeds]),
        "parts": [
            PlayedPart(turn_id=each.turn_id, actor=each.actor.name, text=each.text)
            for each in deeds
        ],
    }


async def _reads_now(campaign: str, turn: int, text: str, table: Table) -> Corrected:
    store = table.store
    head, state = await store.head(campaign), await store.get_state(campaign)
    texts = {**retold_by_hand(state), turn: text}
    if len(texts) > MOST_CORRECTED:
        raise UserError(f"{MOST_CORRECTED} turns of this story are corrected; that is all it keeps")
    page = Ledger(state)
    page.note(CAMPAIGN, RETOLD, {str(number): texts[number] for number in sorted(texts)})
    details = {"turn": turn, "retold": text}
    entry = Changed(why=GAME_MASTER, details=details, state_diff=page.diff)
    stands = await store.append(campaign, [entry], after=head)
    return corrected(stands, page, [f"turn {turn} reads now: {shorten(text, 200)}"])


def read_words(text: str) -> str:
    """What a person wrote, as it is to be read; UserError where there are no words."""
    paragraphs = [visible(line) for line in text.splitlines()]
    told = "\n\n".join(line for line in paragraphs if line)
    if not told:
        raise UserError("there are no words in that; write what is to be read")
    if len(told) > MAX_INPUT:
        raise UserError(f"that is {len(told):,} letters long; write up to {MAX_INPUT:,}")
    return told


def check_words(told: str, limits: SafetyLimits) -> None:
    """Whoever holds the pen keeps the table's lines, too; what is veiled stays off the page."""
    every = sentences(told)
    fit = limits.allow_each(every)
    crossed = next((one for one in every if one not in fit), "")
    if crossed:
        said = shorten(crossed, 80)
        raise UserError(f"'{said}' crosses a line or veil of this table; leave it out")
