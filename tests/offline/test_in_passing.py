"""Gestures beside what was meant are colour; deeds are not, nor is a gesture alone."""

import pytest

from freeform.engine.world.model import ProposedAction
from freeform.language.meaning.outcome import OutcomeEar
from freeform.offline.rulings.amiss import without_gestures
from freeform.wiring.ear import ear

GOING = ProposedAction(action="move", target_id="library", family="move")


def _free(words: str, target: str = "") -> ProposedAction:
    return ProposedAction(action="improvise", details=words, target_id=target, family="use")


def _kept(*acts: ProposedAction) -> list[ProposedAction]:
    reader = ear()
    assert isinstance(reader, OutcomeEar)
    return without_gestures(list(acts), reader)


@pytest.mark.parametrize(
    "gesture",
    ["I pulled my hood up", "I stepped into the way with my palms up", "I slid into the red booth"],
)
def test_a_gesture_beside_a_going_is_colour(gesture: str) -> None:
    assert _kept(_free(gesture), GOING) == [GOING]


@pytest.mark.parametrize("deed", ["tear out the page", "press the button of the elevator"])
def test_what_changes_something_is_done(deed: str) -> None:
    assert _kept(_free(deed), GOING) == [_free(deed), GOING]


def test_what_is_done_to_something_here_is_done() -> None:
    slung = _free("I sling it across my back", "sword")
    assert _kept(slung, GOING) == [slung, GOING]


def test_a_gesture_alone_is_what_was_meant() -> None:
    alone = _free("I pulled my hood up")
    assert _kept(alone) == [alone]
