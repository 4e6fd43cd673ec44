"""How a question stands, with every edge case decided."""

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from freeform.players.model import ConsensusState, Position, Proposal, Stance
from freeform.players.round.consensus import (
    MAX_ROUNDS,
    TIMEOUT_SECONDS,
    count,
    override,
    settle,
    vote,
)
from freeform.players.words.positions import agreement, follow, stances
from freeform.players.words.stances import Read

Y, N, E, S = Stance.AGREE, Stance.DISAGREE, Stance.NEUTRAL, Stance.SILENT
PLAN = Proposal(by="a", option="Go to Kettle Row", kind="go")


def positions(*all: Stance) -> list[Position]:
    return [Position(agent_id=f"p{n}", stance=stance) for n, stance in enumerate(all)]


def stance_of(words: list[str], proposal: str) -> Read:
    """Where one player stands who said these things."""
    return stances([("p", text) for text in words], ["p"], proposal)["p"]


@pytest.mark.parametrize(
    ("stances", "state"),
    [
        ((Y, Y, Y, Y), "unanimous"), ((Y, Y, Y, E), "majority"), ((Y, Y, Y, S), "majority"), ((Y, Y, Y, N), "conflicted"),
        ((Y, Y, N, N), "conflicted"), ((Y, Y, S, S), "conflicted"), ((E, E, E, E), "conflicted"), ((S, S), "conflicted"),
        ((Y,), "unanimous"), ((Y, Y, E), "majority"), ((), "conflicted"),
    ],
)  # fmt: skip
def test_stances_make_a_state(stances: tuple[Stance, ...], state: str) -> None:
    assert count(positions(*stances)).value == state


def test_time_is_up_after_five_rounds_or_two_minutes_whichever_is_first() -> None:
    split = positions(Y, Y, N, N)
    assert settle("?", PLAN, split, MAX_ROUNDS - 1, 0).state is ConsensusState.CONFLICTED
    assert settle("?", PLAN, split, MAX_ROUNDS, 0).state is ConsensusState.TIMEOUT
    assert settle("?", PLAN, split, 1, TIMEOUT_SECONDS).state is ConsensusState.TIMEOUT
    agreed = settle("?", PLAN, positions(Y, Y, Y, Y), MAX_ROUNDS, TIMEOUT_SECONDS)
    assert agreed.state is ConsensusState.UNANIMOUS and agreed.decided, (
        "agreement in the last round still counts"
    )


@pytest.mark.parametrize(
    ("stances", "carried"),
    [
        ((Y, Y, Y, N), True),
        ((Y, Y, N, N), False),
        ((Y, N, N, N), False),
        ((Y, S, S, E), True),
        ((S, S, E, E), True),
    ],
)
def test_a_vote_needs_more_yes_than_no_and_a_tie_is_not_carried(
    stances: tuple[Stance, ...], carried: bool
) -> None:
    voted = vote(settle("?", PLAN, positions(*stances), MAX_ROUNDS, 0))
    assert voted.decided is carried and "vote:" in voted.how


def test_the_game_master_may_overrule_a_vote() -> None:
    lost = vote(settle("?", PLAN, positions(Y, Y, N, N), MAX_ROUNDS, 0))
    ruled = override(lost, "Stay where you are")
    assert (
        ruled.decided
        and ruled.proposal.option == "Stay where you are"
        and ruled.how == "the game master decided"
    )


@hypothesis_settings(deadline=None)
@given(st.lists(st.sampled_from(list(Stance)), min_size=1, max_size=8))
def test_who_speaks_in_which_order_changes_nothing(stances: list[Stance]) -> None:
    assert count(positions(*stances)) == count(positions(*reversed(stances)))


@pytest.mark.parametrize(
    ("words", "stance"),
    [
        ("Yes, let's do that.", Y), ("I'm in.", Y), ("Fine by me, it closes a gap.", Y), ("Sounds good to me.", Y),
        ("No. Boring.", N), ("I don't think we should, not yet.", N), ("Absolutely not. I do not agree.", N),
        ("I do not agree.", N), ("I can't agree to that.", N), ("That does not sound good.", N), ("Bad idea. Sorry.", N), ("I'd rather not.", N),
        ("I could argue either way.", E), ("I don't know.", E), ("What does the rest say?", E), ("Hm. Either.", E),
        ("Yes, as long as we can leave.", Y), ("No objections.", Y), ("Whatever, just pick.", E),
    ],
)  # fmt: skip
def test_words_are_read_as_stances(words: str, stance: Stance) -> None:
    assert stance_of([words], "Go to Kettle Row").stance == stance


def test_the_last_clear_word_counts_and_a_condition_is_noted() -> None:
    assert stance_of(["No way.", "Hm.", "All right, yes."], "x").stance == Y
    assert stance_of([], "x").stance == S and stance_of(["  "], "x").stance == S
    held = stance_of(["Yes, if someone keeps the way back open."], "x")
    assert held.stance == Y and held.confidence < 0.9 and "way back" in held.condition


def test_a_discussion_is_followed_to_who_holds_what() -> None:
    cards = {"A7": "A7", "A2": "A2"}
    chat = [
        ("cat", "A7"),
        ("dog", "A2"),
        ("emu", "hm"),
        ("cat", "because 7 can break it"),
        ("dog", "ok, agreed"),
        ("emu", "no"),
    ]
    held = follow(chat, lambda text: (cards.get(text, ""), 1))
    assert {who: one.choice for who, one in held.items()} == {"cat": "A7", "dog": "A2", "emu": ""}
    assert agreement({"a": "x", "b": "x", "c": "y"}) is ConsensusState.MAJORITY
    assert agreement({"a": "x", "b": "y"}) is ConsensusState.CONFLICTED
