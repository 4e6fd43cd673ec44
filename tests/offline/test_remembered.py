"""What suggestions mean is remembered while the scene is the same, and heard anew when it is not."""

from freeform.engine.authored.scenario import Offer
from freeform.engine.passes import InterpreterInput
from freeform.engine.world.model import (
    ContextPacket,
    InterpreterOutput,
    ProposedAction,
    Reading,
)
from freeform.offline.interpreter.names import cast_of
from freeform.offline.remembered import MOST, RememberingEar


class Counting:
    """An ear that says how often it was asked."""

    def __init__(self) -> None:
        self.times = 0

    def __call__(self, input: InterpreterInput) -> InterpreterOutput:
        self.times += 1
        return InterpreterOutput(intent=f"{input.player_input} {self.times}")


def said(text: str, *present: str, offers: tuple[str, ...] = ()) -> InterpreterInput:
    packet = ContextPacket(
        scene={"location_id": "bar", "exits": [{"to": "street"}]},
        present_entities=["player", *present],
        entities=[{"id": id, "name": id.title()} for id in present],
    )
    offered = [Offer(id=id, action="use") for id in offers]
    return InterpreterInput(
        context_packet=packet, player_input=text, action_types={}, offers=offered
    )


def test_the_same_words_in_the_same_scene_are_heard_once() -> None:
    ear = RememberingEar(hear := Counting())
    assert ear(said("Talk to Mara", "mara")) == ear(said("Talk to Mara", "mara"))
    assert hear.times == 1


def test_other_words_other_people_and_other_deeds_are_heard_anew() -> None:
    ear = RememberingEar(hear := Counting())
    ear(said("Talk to Mara", "mara"))
    ear(said("Talk to Mara"))
    ear(said("Talk to Mara", "mara", "joss"))
    ear(said("Ask Mara about rum", "mara"))
    ear(said("Talk to Mara", "mara", offers=("a_toast",)))
    assert hear.times == 5


def test_what_points_back_and_what_answers_a_question_is_heard_each_time() -> None:
    ear = RememberingEar(hear := Counting())
    for _ in range(2):
        ear(said("Ask him about it", "joss"))
    answer = said("Talk to Joss", "joss")
    reading = Reading(text="Talk to Joss", action=ProposedAction(action="talk"))
    for _ in range(2):
        ear(answer.model_copy(update={"readings": [reading]}))
    assert hear.times == 4


def test_the_oldest_is_forgotten_first() -> None:
    ear = RememberingEar(hear := Counting())
    for number in range(MOST + 1):
        ear(said(f"Look at machine {number}"))
    ear(said(f"Look at machine {MOST}"))
    assert hear.times == MOST + 1
    ear(said("Look at machine 0"))
    assert hear.times == MOST + 2


def test_who_is_there_goes_by_the_packet_whichever_was_asked_of_before() -> None:
    one, other = (said("Talk to Mara", who).context_packet for who in ("mara", "joss"))
    for packet, who in ((one, "Mara"), (one, "Mara"), (other, "Joss"), (one, "Mara")):
        assert [named.name for named in cast_of(packet).named if named.id != "street"] == [who]
