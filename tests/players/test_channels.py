"""Who hears what. Whatever is said where an agent may not listen never reaches it, down to the words of its prompt."""

import asyncio

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from freeform.adapters.memory.party import MemoryChannels
from freeform.core.clock import HandClock
from freeform.core.errors import Forbidden, FreeformError
from freeform.core.llm.prompts import bundled
from freeform.engine.authored.library import load_scenario, load_system
from freeform.players.model import Channel, Layer, Listener, Message, Party, TableView
from freeform.players.party.persona import choose_personas, seat_all
from freeform.players.passes import ACT, TALK
from freeform.players.round import brief
from freeform.players.round.channels import (
    GAME_MASTER,
    ChannelRouter,
    character_of,
    hears,
    list_for,
    may_hear,
    persona_of,
    summarize,
)

STORY = load_scenario("dead_drop")
PARTY = Party(
    id="p", campaign="p", scenario="dead_drop", seed=7,
    seats=seat_all(choose_personas("4"), STORY, load_system(STORY.system), []),
)  # fmt: skip
ALEX, WREN, INES = (
    persona_of(PARTY, "alex"),
    character_of(PARTY, "alex"),
    character_of(PARTY, "bea"),
)


def router() -> ChannelRouter:
    return ChannelRouter("p", MemoryChannels(HandClock()), HandClock())


def message(speaker: Listener, channel: Channel, text: str, n: int = 1) -> Message:
    to = [speaker.partner] if channel is Channel.P2C else []
    return Message(id=f"{n}/{speaker.id}/{channel.value}", channel=channel, from_agent=speaker.id, to_agents=to,
                   content=text, round=n)  # fmt: skip


@pytest.mark.parametrize(
    ("listener", "channel", "allowed"),
    [
        (WREN, Channel.IC, True), (WREN, Channel.OOC, False), (WREN, Channel.P2C, True),
        (ALEX, Channel.IC, True), (ALEX, Channel.OOC, True), (ALEX, Channel.P2C, False),
        (GAME_MASTER, Channel.IC, True), (GAME_MASTER, Channel.OOC, False), (GAME_MASTER, Channel.P2C, False),
        (Listener(layer=Layer.CHARACTER, id=""), Channel.P2C, False),
    ],
)  # fmt: skip
async def test_the_matrix_is_kept_and_what_it_does_not_allow_is_refused(
    listener: Listener, channel: Channel, allowed: bool
) -> None:
    if allowed:
        assert await router().read(listener, channel) == []
        return
    with pytest.raises(PermissionError) as refused:
        await router().read(listener, channel)
    assert isinstance(refused.value, FreeformError) and isinstance(refused.value, Forbidden)


async def test_a_directive_reaches_its_own_character_and_nobody_else() -> None:
    door = router()
    await door.send(ALEX, message(ALEX, Channel.P2C, "Ask Dutch. Softly."))
    assert [m.content for m in await door.heard(WREN)] == ["Ask Dutch. Softly."]
    assert (
        await door.heard(INES) == []
        and await door.heard(ALEX) == []
        and await door.heard(GAME_MASTER) == []
    )
    for other in (INES, ALEX, persona_of(PARTY, "bea")):
        assert not may_hear(other, message(ALEX, Channel.P2C, "Ask Dutch."))


@pytest.mark.parametrize(
    ("speaker", "channel"),
    [(WREN, Channel.OOC), (WREN, Channel.P2C), (ALEX, Channel.IC), (GAME_MASTER, Channel.OOC)],
)
async def test_nobody_speaks_where_it_does_not_belong(speaker: Listener, channel: Channel) -> None:
    with pytest.raises(PermissionError):
        await router().send(speaker, message(speaker, channel, "x"))


async def test_nobody_speaks_under_another_name_or_directs_anothers_character() -> None:
    forged = message(ALEX, Channel.OOC, "I am Bea").model_copy(update={"from_agent": "bea"})
    foreign = message(ALEX, Channel.P2C, "Jump").model_copy(update={"to_agents": [INES.id]})
    for wrong in (forged, foreign):
        with pytest.raises(PermissionError):
            await router().send(ALEX, wrong)


async def test_players_hear_play_only_as_a_summary_without_what_was_said_aloud() -> None:
    door = router()
    said = message(
        WREN,
        Channel.IC,
        "I ask Dutch about Jin. “Talk, or I tell Viktor about the ledger.” I smile. I wait. I sit.",
    )
    await door.send(WREN, said)
    assert [m.content for m in await door.heard(INES)] == [said.content]
    (short,) = await door.heard(ALEX)
    assert short.content == summarize(said) == "I ask Dutch about Jin. I smile."


async def test_what_is_sent_again_stands_as_it_was_first_said() -> None:
    door = router()
    first = await door.send(ALEX, message(ALEX, Channel.OOC, "Yes."))
    again = await door.send(ALEX, message(ALEX, Channel.OOC, "No!"))
    assert again.content == first.content == "Yes." and len(await door.heard(ALEX)) == 1


async def test_a_message_runs_out_and_a_clock_set_back_keeps_it() -> None:
    clock = HandClock()
    door = ChannelRouter("p", MemoryChannels(clock, hours=24), clock)
    await door.send(ALEX, message(ALEX, Channel.OOC, "Yes."))
    clock.advance(-3600 * 48)
    assert len(await door.heard(ALEX)) == 1
    clock.advance(3600 * (48 + 23))
    assert len(await door.heard(ALEX)) == 1
    clock.advance(3601)
    assert await door.heard(ALEX) == []


SPEAKERS = [
    *(persona_of(PARTY, s.agent) for s in PARTY.seats),
    *(character_of(PARTY, s.agent) for s in PARTY.seats),
]
SAYING = st.tuples(
    st.sampled_from(SPEAKERS), st.sampled_from(list(Channel)), st.text(min_size=1, max_size=30)
)


def _legal(speaker: Listener, channel: Channel) -> bool:
    return (speaker.layer is Layer.CHARACTER) == (channel is Channel.IC)


def _in_reach(listener: Listener, speaker: Listener, channel: Channel) -> bool:
    if channel is Channel.P2C:
        return speaker.partner == listener.id
    return channel in hears(listener)


async def _prompts(
    sayings: list[tuple[Listener, Channel, str]], listener: Listener, agent: str
) -> str:
    """Everything that listener would be asked, word for word, after all that was said."""
    door = router()
    for n, (speaker, channel, text) in enumerate(sayings):
        await door.send(speaker, message(speaker, channel, text, n))
    table = TableView(place="the bar")
    if listener.layer is Layer.PERSONA:
        heard = await brief.persona_heard(PARTY, agent, door, 10_000)
        told = brief.persona_input(PARTY, agent, table, [], heard)
        return bundled().get(TALK.id).render(told.fields())
    heard = await brief.character_heard(PARTY, agent, door, 50)
    told_character = brief.character_input(PARTY, agent, "", table, "", heard)
    return bundled().get(ACT.id).render(told_character.fields())


@hypothesis_settings(deadline=None, max_examples=60)
@given(sayings=st.lists(SAYING, max_size=14), other=st.lists(st.text(min_size=1, max_size=30), min_size=14, max_size=14),
       seat=st.sampled_from(PARTY.seats), as_persona=st.booleans(), drop=st.booleans())  # fmt: skip
def test_what_one_may_not_hear_changes_no_word_of_what_one_is_asked(
    sayings, other, seat, as_persona, drop
) -> None:  # type: ignore[no-untyped-def]
    legal = [(s, c, t) for s, c, t in sayings if _legal(s, c)]
    listener = persona_of(PARTY, seat.agent) if as_persona else character_of(PARTY, seat.agent)
    changed = [
        (s, c, t if _in_reach(listener, s, c) else other[n])
        for n, (s, c, t) in enumerate(legal)
        if _in_reach(listener, s, c) or not drop
    ]
    assert asyncio.run(_prompts(legal, listener, seat.agent)) == asyncio.run(
        _prompts(changed, listener, seat.agent)
    )


def test_a_list_for_every_pair_that_may_hear_and_none_for_the_rest() -> None:
    for listener in (*SPEAKERS, GAME_MASTER):
        for channel in Channel:
            if channel in hears(listener):
                assert list_for(listener, channel)
            else:
                with pytest.raises(PermissionError):
                    list_for(listener, channel)
