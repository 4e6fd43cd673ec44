"""What is typed in a fight is heard by its meaning; heard by the ear that comes with the program."""

from pathlib import Path

from freeform.engine.turn import Say, take_turn
from freeform.engine.world.model import TurnResult
from tests.content.test_heard_at_the_table import heard, table_of

MEANT = {
    "ok ok you win, i'm done fighting": "surrender",
    "I scramble out of the water and get away from them": "flee",
    "Surrender now and I'll let you live": "call_on",
    "Here, have everything in my sack, just let me live": "give",
    "I attack Snikk again": "attack",
    "I look at Rag's dagger": "look",
}


async def test_a_fight_ends_by_what_the_words_come_to_and_not_by_a_verb(tmp_path: Path) -> None:
    table = await table_of("tithe_door", tmp_path, "I attack Snikk with my sword")
    spot = await table.store.head("a")
    for text, action in MEANT.items():
        head = await table.store.head("a")
        await table.store.move("a", spot.entry, after=head)
        came = await take_turn(Say(campaign="a", text=text), table)
        assert [one for one, _ in heard(came)] == [action], text
        assert _is_over(came) == (action in ("surrender", "give") or "broke_off" in _told(came))


def _told(came: TurnResult) -> set[str]:
    return {event.type for event in came.engine_events}


def _is_over(came: TurnResult) -> bool:
    return "fight_ended" in _told(came)
