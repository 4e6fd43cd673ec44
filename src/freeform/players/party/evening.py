"""Rounds one after another, with game nights: a night ends when told or after so many rounds, and
is consolidated."""

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager

from freeform.players.model import Party, RoundRecord, Waiting
from freeform.players.party.party import end_session
from freeform.players.round.play_round import PartyGame, play_round

Opening = Callable[[Party], AbstractAsyncContextManager[PartyGame]]


async def play_on(
    opening: Opening,
    party: Party,
    rounds: int,
    *,
    until_session_end: bool = False,
    past_the_end: bool = False,
) -> AsyncIterator[RoundRecord | Waiting]:
    """Plays so many rounds, across game nights; stops early at a question for a person, at the
    night's end, or when the story is over (`past_the_end`: not for that, to measure long runs)."""
    left = rounds
    while left > 0 or until_session_end:
        async with opening(party) as game:
            ended = False
            if not past_the_end and await is_over(game):
                return
            while (left > 0 or until_session_end) and not ended:
                came = await play_round(game)
                yield came
                if isinstance(came, Waiting):
                    return
                if came.over and not past_the_end:
                    return
                left -= 1
                ended = await is_full(game)
            if ended:
                party = await close_night(game)
                if until_session_end:
                    return


async def is_over(game: PartyGame) -> bool:
    """Whether the story has ended."""
    party, store = game.playing.party, game.playing.store
    last = await store.count(party.id)
    return any([record.over for record in await store.rounds(party.id, last, last)])


async def is_full(game: PartyGame) -> bool:
    """Whether the night has had its rounds."""
    party, store = game.playing.party, game.playing.store
    if not party.session_rounds:
        return False
    first = await store.count(party.id) - party.session_rounds + 1
    if first < 1:
        return False
    # Nights follow one another, so what was played so many rounds ago tells of all that came since.
    return [record.session for record in await store.rounds(party.id, first, first)] == [
        party.session
    ]


async def close_night(game: PartyGame) -> Party:
    """Ends the night: its gist becomes a memory of everyone, and the next one starts a week
    later."""
    playing = game.playing
    last = await playing.store.count(playing.party.id)
    tail = await playing.store.rounds(playing.party.id, last, last)
    if tail:
        await playing.minds.consolidate(playing.party, playing.party.session, tail[0].day)
    return await end_session(playing.party, playing.store)
