"""Whose turn it is: every mode, whoever submits at once, whoever goes meanwhile."""

import random

import pytest

from freeform.core.errors import Conflict, Forbidden
from freeform.engine.campaign.spotlight import Actor
from freeform.players.people import order
from freeform.players.people.model import (
    SharedTable,
    TablePerson,
    TableSeat,
    TurnMode,
)

NAMES = ("Anna", "Ben", "Cleo")


def table(mode: TurnMode = "free", **more: object) -> SharedTable:
    people = [
        TablePerson(id=f"p{n}", name=name, role="player", owner=n == 1)
        for n, name in enumerate(NAMES, start=1)
    ]
    people.append(TablePerson(id="p4", name="Wim", role="spectator"))
    people.append(TablePerson(id="p5", name="Gil", role="gm"))
    seats = [
        TableSeat(id=f"s{n}", actor=Actor(id=f"s{n}", name=f"Hero {n}"), person=f"p{n}")
        for n in (1, 2, 3)
    ]
    made = SharedTable(campaign="a", host="p1", people=people, seats=seats, mode=mode)
    return made.model_copy(update=more)


def says(now: SharedTable, person: str, id: str, text: str = "I wait") -> SharedTable:
    return order.begun(order.submitted(now, now.person(person), text, id))


def due(now: SharedTable) -> str:
    return " ".join(each.turn_id for each in order.due(now))


def waited_for(now: SharedTable) -> list[str]:
    return [seat.id for seat in order.turn_of(now)]


def test_free_turns_are_played_as_they_came_and_one_sent_again_is_one() -> None:
    now = says(says(says(table(), "p2", "t1"), "p1", "t2"), "p2", "t1")
    assert [each.turn_id for each in now.waiting] == ["t1", "t2"] and due(now) == "t1"
    with pytest.raises(Conflict, match="already played: what Hero 2 does is waiting"):
        says(now, "p2", "t3")
    now = order.played(now, ["t1"])
    assert due(now) == "t2" and says(now, "p2", "t1") == now
    assert due(says(now, "p2", "t3")) == "t2"


def test_in_rounds_each_acts_once_and_the_last_one_ends_the_round() -> None:
    now = table("rounds")
    for number, person in enumerate(("p3", "p1"), start=1):
        now = order.played(says(now, person, f"t{number}"), [f"t{number}"])
    assert (now.round, waited_for(now)) == (1, ["s2"])
    with pytest.raises(
        Conflict, match="already played: Hero 1 has acted this round; waiting for Hero 2"
    ):
        says(now, "p1", "t9")
    now = order.played(says(now, "p2", "t3"), ["t3"])
    assert (now.round, waited_for(now)) == (2, ["s1", "s2", "s3"])


def test_the_host_ends_a_round_and_who_leaves_is_not_waited_for() -> None:
    now = order.played(says(table("rounds"), "p1", "t1"), ["t1"])
    assert order.go_on(now).round == 2
    now = order.played(says(now, "p2", "t2"), ["t2"])
    assert order.without_waiting(now, "p3").round == 2


def test_together_nothing_is_played_until_all_have_written_then_all_of_it_by_seat() -> None:
    now = says(says(table("together"), "p3", "t1"), "p2", "t2")
    assert due(now) == "" and waited_for(now) == ["s1"]
    now = says(now, "p2", "t3", "I think again")
    assert [each.turn_id for each in now.waiting] == ["t1", "t3"]
    now = says(now, "p1", "t4")
    assert due(now) == "t4 t3 t1"
    with pytest.raises(Conflict, match="already played: what all have written is being told"):
        says(now, "p1", "t5")
    now = order.played(now, ["t4", "t3", "t1"])
    assert (now.round, now.telling, due(now)) == (2, False, "")


def test_together_the_host_waits_no_longer_and_who_leaves_is_not_waited_for() -> None:
    now = says(table("together"), "p2", "t1")
    assert due(order.go_on(now)) == "t1"
    alone = order.begun(order.without_waiting(order.without_waiting(now, "p1"), "p3"))
    assert due(alone) == "t1"


def test_only_whoever_is_called_acts() -> None:
    now = table("called")
    with pytest.raises(Conflict, match="called nobody yet"):
        says(now, "p1", "t1")
    now = now.model_copy(update={"called": "s2"})
    with pytest.raises(Conflict, match="called Hero 2; wait to be called"):
        says(now, "p1", "t1")
    now = order.played(says(now, "p2", "t1"), ["t1"])
    assert now.called == "" and waited_for(now) == []


@pytest.mark.parametrize("mode", ["free", "rounds", "together", "called"])
def test_who_watches_or_has_no_seat_never_acts(mode: TurnMode) -> None:
    with pytest.raises(Forbidden, match="you are watching"):
        says(table(mode), "p4", "t1")
    with pytest.raises(Forbidden, match="you have no seat"):
        says(table(mode), "p5", "t1")


@pytest.mark.parametrize("mode", ["free", "rounds", "together", "called"])
def test_whatever_people_do_no_turn_is_lost_or_doubled_and_no_seat_acts_for_another(
    mode: TurnMode,
) -> None:
    chance = random.Random(19)
    for _ in range(40):
        now, given, told = table(mode), set[str](), list[str]()
        for step in range(40):
            who = chance.choice(("p1", "p2", "p3"))
            match chance.randrange(4):
                case 0 if due(now):
                    told += due(now).split()
                    now = order.played(now, due(now).split())
                case 1 if mode == "called":
                    now = now.model_copy(update={"called": chance.choice(("s1", "s2", "s3"))})
                case 2 if chance.random() < 0.1:
                    now = order.go_on(now)
                case _:
                    try:
                        now = says(now, who, f"{who}.{step}")
                    except Conflict:
                        continue
                    given.add(f"{who}.{step}")
            assert all(each.person[1] == each.seat[1] for each in now.waiting)
        while order.due(order.go_on(now) if mode == "together" else now):
            now = order.go_on(now) if mode == "together" and not now.telling else now
            told += due(now).split()
            now = order.played(now, due(now).split())
        assert len(told) == len(set(told)) and set(told) <= given
        if mode != "together":  # there, who thinks again takes their first words back
            assert set(told) == given
