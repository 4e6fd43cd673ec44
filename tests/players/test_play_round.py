"""A round from its first word to its last memory, and everything that can go wrong on the way."""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

from freeform.core.chance import Chance
from freeform.core.clock import HandClock
from freeform.core.errors import Conflict, Unavailable
from freeform.engine.log import Changed, Resolved
from freeform.offline.players.act import respond_act
from freeform.offline.players.talk import respond_talk
from freeform.players.model import Channel, Memory, Option, RoundRecord, TableView, Waiting
from freeform.players.party.evening import play_on
from freeform.players.passes import ActReply, CharacterInput, HeardFact, PersonaInput, TalkReply
from freeform.players.round.brief import BUDGET, persona_input, tokens
from freeform.players.round.channels import character_of, persona_of
from freeform.players.round.play_round import answer, open_game, play_round
from freeform.wiring.players import PartyRoom
from tests.players.conftest import a_party

Opens = Callable[..., AbstractAsyncContextManager[PartyRoom]]
PHASES = ["dm_narration", "memory_query", "ooc_discussion", "directives", "character_action", "validation",
          "dm_adjudication", "character_reaction", "memory_storage"]  # fmt: skip


async def rounds(room: PartyRoom, number: int, **more: Any) -> list[RoundRecord]:
    who = await a_party(room, **more)
    return [came async for came in play_on(room.game, who, number) if isinstance(came, RoundRecord)]


async def test_a_round_goes_through_every_phase_and_keeps_what_happened(parlour: Opens) -> None:
    async with parlour() as room:
        (record,) = await rounds(room, 1)
        phases = [phase for phase in dict.fromkeys(record.phases) if phase != "vote"]
        assert phases == PHASES
        assert record.consensus.decided and len(record.consensus.positions) == 4
        assert set(record.directives) == set(record.actions) == {"alex", "bea", "cato", "dee"}
        assert all(check.valid for check in record.validation.values())
        assert record.rulings and record.narration and record.stored["facts"] >= 1
        assert record.scene.startswith("Thursday, half past nine")


async def test_every_action_is_a_turn_of_the_campaign_played_by_the_one_who_acts(
    parlour: Opens,
) -> None:
    async with parlour() as room:
        (record,) = await rounds(room, 1)
        log = await room.table.store.read("dead_drop_party", 1)
        turns = [row.entry for row in log if isinstance(row.entry, Resolved)]
        lights = [
            row.entry
            for row in log
            if isinstance(row.entry, Changed) and row.entry.why == "spotlight"
        ]
        acted = [agent for agent in record.order if agent in record.rulings]
        assert [turn.turn_id for turn in turns] == [f"r1.{agent}" for agent in acted]
        assert [turn.player_input for turn in turns] == [
            record.actions[agent].intent for agent in acted
        ]
        party = await room.store.get("dead_drop_party")
        heroes = [party.seat(agent).character.id for agent in acted]
        in_light = [party.seats[0].character.id, *heroes]
        wanted = [who for before, who in pairwise(in_light) if who != before]
        assert [light.details for light in lights] == [{"character": who} for who in wanted], (
            "the first seat stands in the light from the start"
        )


async def test_the_same_seed_gives_the_same_rounds_and_another_gives_others(parlour: Opens) -> None:
    async with parlour() as room:
        first = await rounds(room, 3)
        again = await rounds(room, 3)
        other = await rounds(room, 3, seed=8)
        assert [r.model_dump_json() for r in first] == [r.model_dump_json() for r in again]
        assert first != other


async def test_players_get_somewhere_in_twelve_rounds(parlour: Opens) -> None:
    async with parlour() as room:
        played = await rounds(room, 12)
        events = [event for r in played for ruling in r.rulings.values() for event in ruling.events]
        gained = [
            event
            for event in events
            if event["type"] in ("fact_learned", "discovered", "item_gained")
        ]
        assert len({r.place for r in played}) >= 3 and len(gained) >= 10
        asked = [
            r.actions[a].intent
            for r in played
            for a in r.order
            if a in r.rulings and "go to" not in r.actions[a].intent
        ]
        assert len(set(asked)) / len(asked) > 0.9, "nobody does the same thing again and again"
        said = [row["content"] for r in played for row in r.ooc]
        assert len(set(said)) / len(said) > 0.8


async def test_a_character_hears_no_talk_of_players_and_a_player_no_directive(
    parlour: Opens,
) -> None:
    async with parlour() as room:
        await rounds(room, 2)
        who = await room.store.get("dead_drop_party")
        wren = await room.router(who.id).heard(character_of(who, "alex"))
        alex = await room.router(who.id).heard(persona_of(who, "alex"))
        assert {m.channel for m in wren} == {Channel.IC, Channel.P2C}
        assert {tuple(m.to_agents) for m in wren if m.channel is Channel.P2C} == {("wren_calder",)}
        assert {m.channel for m in alex} == {Channel.IC, Channel.OOC}


def boasting(times: int) -> Callable[[Any, Chance], Any]:
    """An actor that tells an outcome in its first attempts."""

    def respond(input: CharacterInput, chance: Chance) -> ActReply:
        if input.attempt <= times and input.character.id == "wren_calder":
            assert input.attempt == 1 or input.previous_violation
            return ActReply(action="I ask Dutch about Jin, and he tells me everything.")
        return respond_act(input, chance)

    return respond


@pytest.mark.parametrize(
    ("times", "attempts", "warning"), [(0, 1, False), (1, 2, False), (2, 3, False), (3, 3, True)]
)
async def test_overreach_is_sent_back_twice_and_then_cut(
    parlour: Opens, times: int, attempts: int, warning: bool
) -> None:
    async with parlour(act=boasting(times)) as room:
        (record,) = await rounds(room, 1)
        check = record.validation["alex"]
        assert (check.attempts, check.warning, check.valid) == (attempts, warning, not warning)
        if warning:
            assert record.actions["alex"].intent == "I ask Dutch about Jin."
            assert "tells me everything" in check.repaired_from and "repair" in record.phases


async def test_a_model_that_answers_as_another_character_is_sent_back_and_cut(
    parlour: Opens,
) -> None:
    def respond(input: CharacterInput, chance: Chance) -> ActReply:
        if input.character.id == "wren_calder":
            return ActReply(action="Ines walks up to Dutch. Dutch says he saw it all.", dialogue="")
        return respond_act(input, chance)

    async with parlour(act=respond) as room:
        (record,) = await rounds(room, 1)
        check = record.validation["alex"]
        assert check.warning and any("acts for Ines" in why for why in check.violations)
        assert record.actions["alex"].intent.startswith("I "), (
            "the directive's own option stands in"
        )


async def test_a_monologue_of_ten_thousand_words_is_cut_noted_and_never_told_whole(
    parlour: Opens,
) -> None:
    def talk(input: PersonaInput, chance: Chance) -> TalkReply:
        said = respond_talk(input, chance)
        return (
            said.model_copy(update={"content": said.content + " and another thing" * 3_400})
            if input.persona.id == "bea"
            else said
        )

    def act(input: CharacterInput, chance: Chance) -> ActReply:
        return ActReply(
            action="I look at the bar. " * 2_500, dialogue="And then I said to him. " * 2_000
        )

    async with parlour(talk=talk, act=act) as room:
        first, second = await rounds(room, 2)
        assert all(len(row["content"]) <= 2_000 for row in first.ooc)
        assert all(
            len(action.intent) <= 600 and len(action.dialogue) <= 600
            for action in first.actions.values()
        )
        assert any("were cut" in note for note in first.notes) and second.rulings


async def test_a_player_whose_model_fails_is_silent_and_the_round_goes_on(parlour: Opens) -> None:
    def broken(input: PersonaInput, chance: Chance) -> TalkReply:
        if input.persona.id == "dee":
            raise Unavailable("the line is dead", passing=False)
        return respond_talk(input, chance)

    async with parlour(talk=broken) as room:
        (record,) = await rounds(room, 1)
        assert any("dee: the line is dead" in note for note in record.notes)
        stances = {p.agent_id: p.stance.value for p in record.consensus.positions}
        assert (
            stances["dee"] == "silent"
            and "dee" not in {row["agent"] for row in record.ooc}
            and record.rulings
        )


async def test_a_clock_that_jumps_ahead_ends_the_talk_with_a_vote_and_one_that_jumps_back_does_nothing(
    parlour: Opens,
) -> None:
    def stubborn(input: PersonaInput, chance: Chance) -> TalkReply:
        clock.advance(jumps[0])
        mine = input.table.options[["alex", "bea", "cato", "dee"].index(input.persona.id)].text
        return TalkReply(content=f"No. I'd rather {mine}.", proposes=mine)

    jumps = [0.0]
    for jumps[0], talks in ((200.0, 1), (-500.0, 2)):  # the second round brings nothing new
        clock = HandClock()
        async with parlour(talk=stubborn) as room:
            who = await a_party(room)
            playing = replace(room.playing(who), clock=clock)
            async with room.checkpoints.opened(who.id) as saver:
                record = await play_round(open_game(playing, saver, room.checkpoints))
        assert isinstance(record, RoundRecord)
        assert record.consensus.state.value == "timeout" and record.consensus.rounds == talks
        assert "vote" in record.phases and "vote:" in record.consensus.how


async def test_a_person_rules_and_a_person_plays_beside_them(parlour: Opens) -> None:
    async with parlour() as room:
        who = await a_party(room, people=["bea"])
        asked = []
        async with room.game(who, "human") as game:
            with pytest.raises(Conflict, match="nobody is asked"):
                await answer(game, "hello")
            came = await play_round(game)
            while isinstance(came, Waiting):
                asked.append((came.phase.split("/")[0], came.who))
                assert await play_round(game) == came, "unanswered, it waits for the same"
                said = {"dm_narration": "Rain. The bar is shut.", "ooc_discussion": "Yes, let's.", "vote": "",
                        "character_action": "I knock on the shutter.", "dm_adjudication": "Nobody opens."}  # fmt: skip
                await answer(game, said[came.phase.split("/")[0]])
                came = await play_round(game)
        assert (
            ("dm_narration", "dm") in asked
            and ("character_action", "bea") in asked
            and ("dm_adjudication", "dm") in asked
        )
        assert ("ooc_discussion", "bea") in asked
        assert came.scene == "Rain. The bar is shut." and came.narration == "Nobody opens."
        assert (
            came.actions["bea"].intent == "I knock on the shutter."
            and came.validation["bea"].attempts == 0
        )
        assert "bea" not in came.directives and any(
            row["content"] == "Yes, let's." for row in came.ooc
        )


async def test_a_game_night_ends_by_count_and_the_next_one_remembers_it(parlour: Opens) -> None:
    async with parlour() as room:
        played = await rounds(room, 5, session_rounds=2)
        assert [r.session for r in played] == [1, 1, 2, 2, 3]
        who = await room.store.get("dead_drop_party")
        facts = await room.minds(who.id).store.in_sessions(["campaign_main"], 1, 1, most=100)
        assert any(fact.source == "summary" for fact in facts)
        later = [
            m.day for r in played if r.session == 3 for rows in r.memories.values() for m in rows
        ]
        assert later and max(later) > 7, "a week lies between two nights"


async def test_with_perfect_memory_nobody_tells_anything_wrong(parlour: Opens) -> None:
    async with parlour() as room:
        played = await rounds(room, 6, strength=0.0, session_rounds=2)
        assert (
            sum(r.stored["told"] for r in played) > 0
            and sum(r.stored["told_wrong"] for r in played) == 0
        )


def test_what_a_player_is_told_fits_the_budget_whatever_there_is_to_tell() -> None:
    from tests.players.test_channels import PARTY

    endless = "word " * 3_000
    table = TableView(
        place="x",
        options=[Option(text=f"Look at {n} {endless[:400]}", kind="look") for n in range(40)],
    )
    memories = [Memory(fact_id=str(n), believed=endless[:2_000]) for n in range(30)]
    heard = [HeardFact(who="Bea", said=endless[:700]) for _ in range(60)]
    made = persona_input(PARTY, "alex", table, memories, heard, heard[:20], "?")
    assert tokens(made) <= BUDGET and made.memories
