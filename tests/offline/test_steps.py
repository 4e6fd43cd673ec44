"""Deeds offline: the whole sentence is carried out, the result lasts, and it is told once."""

from copy import deepcopy

from freeform.engine.authored.scenario import Scenario
from freeform.engine.campaign.begin import Answers, begin
from freeform.engine.turn import Say, take_turn
from freeform.engine.world.state import PLAYER, GameState
from tests.engine.cellar import CELLAR
from tests.evals.played import memory_table

WRITTEN = "Meet me at the well."


def _with_writing() -> Scenario:
    """The inn, with something written on the mug."""
    authored = deepcopy(CELLAR)
    mug = next(row for row in authored["entities"] if row["id"] == "t:mug")
    mug["attrs"] |= {"description": "Dented, and scratched all over.", "writing": WRITTEN}
    return Scenario.model_validate(authored)


async def played(*texts: str) -> tuple[list[str], GameState]:
    """The prose of these turns, and the state after them."""
    at = memory_table()
    await begin(_with_writing(), "c", 7, Answers(), at)
    told = [(await take_turn(Say(campaign="c", text=text), at)).final_text for text in texts]
    return told, await at.store.get_state("c")


async def test_what_is_written_is_read() -> None:
    (told,), _ = await played("read the mug")
    assert "Dented, and scratched all over." in told
    assert f'"{WRITTEN}"' in told


async def test_it_is_read_again_though_the_thing_was_seen() -> None:
    (_, again), _ = await played("look at the mug", "read the mug")
    assert f'"{WRITTEN}"' in again
    assert "Dented" not in again


async def test_who_opens_what_is_written_reads() -> None:
    (told,), _ = await played("open the mug")
    assert f'"{WRITTEN}"' in told


async def test_part_of_what_was_just_handled_is_looked_at() -> None:
    (told,), _ = await played("I take the mug and look at the back of it")
    assert f'"{WRITTEN}"' in told
    assert "low room" not in told  # the place is not described in its stead


async def test_what_was_broken_stays_so_and_is_seen() -> None:
    (told, seen), state = await played("I smash the hearth", "I look at the hearth")
    assert state.value("t:taproom/hearth", "broken") is True
    assert "Orla" in told  # who is there has heard it
    assert "The hearth is broken." in seen


async def test_no_way_is_broken_open_by_saying_so() -> None:
    _, state = await played("I smash the cellar door")
    assert state.value("t:door", "state") == "locked"


async def test_one_goes_up_to_whom_one_looks_for() -> None:
    (told,), _ = await played("go to the yard and find Finn")
    assert told.count("Finn") >= 2
    assert "search" not in told.lower()


async def test_a_hug_is_no_gift() -> None:
    (told,), _ = await played("I take off my coat and give Orla a hug")
    assert "hug" in told and "nothing" not in told.lower()


async def test_a_curse_before_the_deed_is_no_deed() -> None:
    (told,), state = await played("screw it, smash the hearth")
    assert "screw" not in told
    assert state.value("t:taproom/hearth", "broken") is True


async def test_hiding_has_its_place_and_ends_when_one_speaks() -> None:
    for seed in range(12):
        at = memory_table()
        await begin(_with_writing(), f"c{seed}", seed, Answers(), at)
        await take_turn(Say(campaign=f"c{seed}", text="I hide behind the hearth"), at)
        state = await at.store.get_state(f"c{seed}")
        fact = state.fact("campaign", "situation:hidden")
        if fact is None:
            continue  # the dice fell badly
        assert fact.object["text"] == "You are out of sight behind the hearth."
        await take_turn(Say(campaign=f"c{seed}", text="Orla, good evening"), at)
        state = await at.store.get_state(f"c{seed}")
        assert state.value("campaign", "situation:hidden") == "over"
        return
    raise AssertionError("nobody could hide")


async def test_the_end_of_hiding_is_not_told_as_its_beginning() -> None:
    texts = ("I hide behind the hearth", "I go to the yard")
    (_, told), state = await played(*texts)
    assert "out of sight" not in told
    assert not state.value(PLAYER, "hidden")
