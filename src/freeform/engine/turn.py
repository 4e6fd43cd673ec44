"""READ THIS FIRST. One turn of play: hear, judge, roll, write down, tell.

    text ─> interpret ─> validate ─> plan ─> resolve ─> COMMIT facts ─> narrate ─> COMMIT prose
            (pass)       (pure)      (pass)  (dice)     Resolved        (pass)     Narrated

Facts are written down before prose is made: a crash can lose words, never the world. Send the same
turn id again and the turn goes on where it stopped.
"""

import logging
from dataclasses import dataclass, replace
from typing import Any

from freeform.core.chance import Chance
from freeform.core.errors import Conflict
from freeform.core.llm.gateway import PassAnswer
from freeform.core.log import tell
from freeform.core.text import MAX_INPUT
from freeform.engine.campaign.apart import apart_in, heroes_here, towards_heroes
from freeform.engine.campaign.sessions import end_session, is_full
from freeform.engine.campaign.spotlight import step_into
from freeform.engine.campaign.timeline import rewind_last
from freeform.engine.context import Moment
from freeform.engine.id_repair import with_ids
from freeform.engine.knowledge.background import Background
from freeform.engine.log import LogPosition, Narrated, Resolved, narrated_in, resolved_in
from freeform.engine.passes import NARRATOR, InterpreterInput, PlannerInput
from freeform.engine.ports import TurnText, as_corrected
from freeform.engine.prose import fit_to_ask, tell_in_prose
from freeform.engine.rehearsal import SuggestionTrial, as_read
from freeform.engine.rules.aftermath import pressed_on
from freeform.engine.rules.beyond import TurnGround, step_beyond
from freeform.engine.rules.change import apply
from freeform.engine.rules.effects import CAMPAIGN
from freeform.engine.rules.offers import offers
from freeform.engine.rules.resolve import TurnResolution, is_free, resolve
from freeform.engine.rules.validate import validate
from freeform.engine.rules.wishes.among_foes import among_foes
from freeform.engine.rules.wishes.feats import beyond_anyone
from freeform.engine.shelf.rule_pages import find_rules
from freeform.engine.shelf.scene_lore import SceneLookup
from freeform.engine.signals import Facts, Prose, Show, TurnDone, quiet
from freeform.engine.story.asked import call_of, look_up, telling_asked
from freeform.engine.story.question import as_referee
from freeform.engine.story.refereeing import OneReferee, ThreePasses, TurnJudge, moves_told
from freeform.engine.story.seen import as_played, seen_by, written
from freeform.engine.story.together import settle_together
from freeform.engine.table import Rules, Table
from freeform.engine.turn_result import result_of
from freeform.engine.two_calls import TELLER, RefereeInput
from freeform.engine.typed import Say as Say
from freeform.engine.typed import by_number, hear
from freeform.engine.world.by_hand import direction_of
from freeform.engine.world.model import (
    ContextPacket,
    InterpreterOutput,
    PlannerOutput,
    Reading,
    StateDiff,
    TurnResult,
    ValidatorOutput,
)
from freeform.engine.world.state import PLAYER, GameState

_LOG = logging.getLogger("freeform.turn")
SLOW_S = 30.0
"""A turn that took longer is worth an operator's eye."""
REMEMBERED = 40
"""Turns of prose a narrator sees, so as not to repeat itself."""


@dataclass(frozen=True)
class _Heard:
    """What was made of the words that were typed."""

    say: Say
    turn_no: int
    packet: ContextPacket
    answer: PassAnswer[InterpreterOutput]
    wished: InterpreterOutput
    actor: str


@dataclass(frozen=True)
class _Settled:
    """A turn whose facts stand: what the log has of it, the turns lately, where the log ends."""

    resolved: Resolved
    narrated: Narrated | None
    recent: list[TurnText]
    head: LogPosition


async def take_turn(say: Say, table: Table, show: Show = quiet) -> TurnResult:
    """Plays one turn to its end; a turn before it whose words were lost is told first."""
    text = hear(say.text)
    start = table.clock.ticks()
    turn_id = say.turn_id or table.ids.new("turn")
    logged = await table.store.find_turn(say.campaign, turn_id) if say.turn_id else []
    recent = await told_lately(say.campaign, table)
    if logged:
        resolved, head = resolved_in(logged), await table.store.head(say.campaign)
    else:
        if _pending(recent):
            await finish(say.campaign, table, show)
        say = say.model_copy(update={"text": text, "turn_id": turn_id})
        resolved, head = await _settle_new(say, table)
    own = await as_played(say.campaign, resolved, table)
    recent = await told_lately(say.campaign, own)
    settled = _Settled(resolved, narrated_in(logged), recent, head)
    result = await _tell(say.campaign, settled, own, show)
    if table.session_turns and is_full(
        await table.store.get_state(say.campaign), table.session_turns
    ):
        await end_session(say.campaign, table)
    seconds = round(table.clock.ticks() - start, 1)
    if seconds > SLOW_S:
        campaign, turn_no = say.campaign, result.turn_no
        tell(
            _LOG, logging.WARNING, "slow_turn", seconds=seconds, campaign=campaign, turn_no=turn_no
        )
    return result


async def _settle_new(say: Say, table: Table) -> tuple[Resolved, LogPosition]:
    """Settles a turn that nobody has played yet, or that takes back the one before it."""
    actor = say.parts[0].actor if say.parts else say.actor
    if actor and (not say.parts or apart_in(await table.store.get_state(say.campaign))):
        await step_into(say.campaign, actor, table)
    table = seen_by(actor, say.heroes, table) if actor else table
    recent = await told_lately(say.campaign, table)
    if say.parts:
        return await settle_together(say, recent, table, _settle)
    say = say.model_copy(update={"text": await by_number(say.text, say.campaign, table)})
    try:
        return await _settle_facts(say, recent, table)
    except _TakenBack:
        say = await _instead(say, table)
        return await _settle_facts(say, await told_lately(say.campaign, table), table)


async def told_lately(campaign: str, table: Table) -> list[TurnText]:
    """The last turns as they read now, a game master's corrections among them."""
    recent = await table.store.recent(campaign, REMEMBERED)
    return as_corrected(recent, await table.store.get_state(campaign)) if recent else recent


class _TakenBack(Exception):
    """The player means the turn before otherwise."""


def _may_take_back(say: Say) -> bool:
    """Once, and not what somebody else did."""
    return say.alone and say.take == 1 and len(say.text) < MAX_INPUT // 2


async def _instead(say: Say, table: Table) -> Say:
    """Takes the last turn back; what was typed then, and now, is one turn. The old one is kept."""
    back = await rewind_last(say.campaign, table.store)
    text = f"{back.player_input.rstrip(' .,;!?')}. No wait, {say.text}"
    return say.model_copy(update={"text": text, "take": back.take})


async def finish(campaign: str, table: Table, show: Show = quiet) -> TurnResult | None:
    """Tells the last turn whose facts stand but whose words were lost; None when there is none."""
    if not _pending(await told_lately(campaign, table)):
        return None
    head, logged = await table.store.head(campaign), await table.store.tail(campaign, 1)
    own = await as_played(campaign, resolved_in(logged), table)
    recent = await told_lately(campaign, own)
    settled = _Settled(resolved_in(logged), narrated_in(logged), recent, head)
    return await _tell(campaign, settled, own, show)


async def retry(campaign: str, table: Table, show: Show = quiet) -> TurnResult:
    """Another take on the last turn: the same words, other dice. The old take is kept."""
    back = await rewind_last(campaign, table.store)
    return await take_turn(
        Say(campaign=campaign, text=back.player_input, take=back.take), table, show
    )


async def _settle_facts(
    say: Say, recent: list[TurnText], table: Table
) -> tuple[Resolved, LogPosition]:
    """Settles and commits: everything but the words. And where that leaves the log."""
    head, before = await table.store.head(say.campaign), await table.store.get_state(say.campaign)
    resolved = await _settle(say, recent, table, before.at_turn(head.turn_no + 1))
    return await written(say.campaign, resolved, head, table)


async def _settle(say: Say, recent: list[TurnText], table: Table, state: GameState) -> Resolved:
    """Interprets, validates, plans and resolves on a state; nothing is written yet."""
    rules = table.rules(await table.store.begun(say.campaign), state)
    if say.actor and say.heroes:
        rules = replace(rules, heroes=heroes_here(say.heroes, state), acts=say.actor.id)
    state = pressed_on(state) if say.goes_on else state
    call = call_of(say, state, rules)
    start = table.clock.ticks()

    looked = await look_up(say.campaign, state, rules, table)
    moment = Moment(state, say.text, rules, recent, table.packet_tokens)
    packet = moment.packet("player", looked.notes.for_player())
    question = InterpreterInput(
        context_packet=packet,
        player_input=say.text,
        action_types=rules.system.verbs,
        offers=offers(state, rules),
        readings=await _readings(say.campaign, recent, table),
    )
    judge: TurnJudge = ThreePasses(table.gateway, call)
    if table.passes == "two":
        judge = OneReferee(table.gateway, call)
        question = await as_referee(question, say.campaign, state, looked.notes.for_gm(), table)
    answer = await judge.hear(question)
    if answer.output.takes_back and recent and _may_take_back(say):
        raise _TakenBack

    wished = towards_heroes(with_ids(answer.output, state, rules), state, say.heroes)
    wished = among_foes(wished, state, rules, say.text)
    ground = TurnGround(state, rules, wished, _judged(wished, state, rules, say.text))
    ground = step_beyond(say.text, ground, table.grower)
    state, rules, judged = ground.state, ground.rules, ground.judged
    heard = _Heard(say, state.turn_no, packet, answer, ground.wished, state.name(PLAYER))
    wanted = PlannerInput(
        context_packet=moment.packet("gm", looked.notes.for_gm()),
        player_input=say.text,
        validator_output=judged,
        moves=moves_told(state, rules),
        quiet_turns=int(state.value(CAMPAIGN, "quiet") or 0),
        direction=direction_of(state),
    )
    planned = await judge.plan(wanted)
    unclear = planned.output.clarification_question and not is_free(judged, rules)
    if unclear and judged.allowed_actions and not _asked_last(recent):
        judged = ValidatorOutput(
            clarification_needed=True,
            clarification_question=planned.output.clarification_question,
        )
    judged = fit_to_ask(judged, rules.limits(state))
    chance = Chance(rules.begun.seed, "turn", state.turn_no, say.take)
    chance = chance.at("part", say.part) if say.part else chance
    asked = [action.details for action in judged.allowed_actions if action.action == "ooc"]
    pages = await find_rules(asked, rules.begun.packs, table.lore)
    background = Background(looked.notes, recent, pages)
    came = resolve(state, judged, planned.output, rules, chance, background)
    came = came.after(ground.events, ground.diff)
    resolved = _resolved(heard, judged, planned, came, looked)
    told: dict[str, Any] = {"prompt_versions": judge.prompts(), "model": judge.models()}
    if isinstance(question, RefereeInput):
        rows = [piece.model_dump(mode="json") for piece in question.recalled]
        told["lore"] = {**resolved.lore, "recalled": rows}
    spent = (table.clock.ticks() - start) * 1000 - answer.ms - planned.ms
    timings = {"interpreter": answer.ms, "planner": planned.ms, "engine": round(spent, 3)}
    resolved = resolved.model_copy(
        update={**told, "timings_ms": timings, "packet_tokens": table.packet_tokens}
    )
    return resolved


def _judged(
    wished: InterpreterOutput, state: GameState, rules: Rules, text: str
) -> ValidatorOutput:
    """What may be tried; nothing, where the listener has a question first."""
    if wished.question:
        return ValidatorOutput(
            clarification_needed=True,
            clarification_question=wished.question,
            readings=wished.readings,
        )
    judged = validate(wished, state, rules, text)
    return beyond_anyone(judged, wished, state, rules, text)


async def _tell(campaign: str, settled: _Settled, table: Table, show: Show) -> TurnResult:
    """The second half of a turn: narrates what was resolved, unless that was done already."""
    show(Facts(settled.resolved))
    narrated = settled.narrated
    if narrated:
        show(Prose(narrated.final_text))
    else:
        narrated = await _narrate(campaign, settled, table, show)
    result = result_of(campaign, settled.head.branch, settled.resolved, narrated)
    show(TurnDone(result))
    return result


async def _narrate(campaign: str, settled: _Settled, table: Table, show: Show) -> Narrated:
    resolved, store = settled.resolved, table.store
    recent = [turn for turn in settled.recent if turn.turn_no < resolved.turn_no]
    start = table.clock.ticks()
    asked = await telling_asked(campaign, resolved, recent, table)
    wanted, guard = asked.wanted, asked.guard
    state, rules, limits = guard.state, guard.rules, guard.limits
    told = await tell_in_prose(wanted, asked.call, guard, table.gateway, show)
    answer, telling = told.answer, limits.beside(told.answer.output)
    diff = StateDiff() if resolved.validator.clarification_needed else told.accepted.diff
    trial = SuggestionTrial(
        table.ear,
        apply(state, diff),
        rules,
        [*recent, as_read(resolved, told.final_text)],
        asked.lore,
    )
    ideas = trial.next_ideas(resolved.validator, telling.suggested_actions, wanted.openings)
    telling = telling.model_copy(update={"suggested_actions": limits.allow_each(ideas)})
    spent = (table.clock.ticks() - start) * 1000 - answer.ms
    narrated = Narrated(
        turn_id=resolved.turn_id,
        turn_no=resolved.turn_no,
        narrator=telling,
        final_text=told.final_text,
        rejected=told.accepted.rejected,
        state_diff=diff,
        prompt_versions={(TELLER if table.passes == "two" else NARRATOR).id: answer.prompt},
        model={"narrator": answer.model},
        usage=answer.usage,
        timings_ms={"narrator": answer.ms, "engine_telling": round(spent, 3)},
        degraded=[answer.degraded] if answer.degraded else [],
    )
    try:
        await store.append(campaign, [narrated], after=settled.head)
    except Conflict:
        before = narrated_in(await store.find_turn(campaign, resolved.turn_id))
        if before is None:
            raise
        return before
    return narrated


def _resolved(
    heard: _Heard,
    judged: ValidatorOutput,
    planned: PassAnswer[PlannerOutput],
    came: TurnResolution,
    looked: SceneLookup,
) -> Resolved:
    say, answer = heard.say, heard.answer
    return Resolved(
        turn_id=say.turn_id,
        turn_no=heard.turn_no,
        take=say.take,
        player_input=say.text,
        actor=heard.actor,
        context_packet=heard.packet,
        interpreter=heard.wished,
        validator=judged,
        planner=planned.output,
        rolls=came.rolls,
        rulings=came.rulings,
        engine_events=came.engine_events,
        state_diff=came.state_diff,
        lore={"hit": looked.hit, "scene": looked.notes.scene_id, "sources": looked.notes.sources},
        usage=answer.usage + planned.usage,
        degraded=[why for why in (answer.degraded, planned.degraded, looked.problem) if why],
    )


def _pending(recent: list[TurnText]) -> bool:
    """The last turn's facts stand, its words are missing."""
    return bool(recent) and not recent[-1].final_text


async def _readings(campaign: str, recent: list[TurnText], table: Table) -> list[Reading]:
    """What the player was asked to choose from in the turn before this one."""
    if not _asked_last(recent):
        return []
    return resolved_in(await table.store.tail(campaign, 1)).validator.readings


def _asked_last(recent: list[TurnText]) -> bool:
    """One question at a time: the turn before this one was a question of ours."""
    return bool(recent) and recent[-1].asked
