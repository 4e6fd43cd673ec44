"""Rulings of a game master: what may stand, what falls and why, what becomes so, and that it lasts."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pydantic_ai.profiles.openai import OpenAIJsonSchemaTransformer

from freeform.core.record import canonical
from freeform.engine.authored.ruling import DeedRuling, read_ruling
from freeform.engine.campaign.timeline import redo, undo
from freeform.engine.campaign.why import why
from freeform.engine.context import Moment
from freeform.engine.rules.effects import perform
from freeform.engine.rules.ledger import Ledger
from freeform.engine.rulings.check import check_ruling
from freeform.engine.turn import Say, take_turn
from freeform.engine.two_calls import REFEREE
from freeform.engine.world.state import PLAYER
from tests.engine.cellar import after, table
from tests.engine.tables import answers, started

HEARTH = {"appear": {"id": "t:taproom/hearth", "name": "hearth"}}
WET = {"become": {"subject": "t:taproom/hearth", "condition": "wet", "text": "The hearth is wet."}}


def ruling(*effects: dict[str, Any], **more: Any) -> DeedRuling:
    """A ruling whose success brings these effects."""
    success = {"effects": list(effects), "line": "It is done."}
    return DeedRuling.model_validate({"reading": "a deed", "on": {"success": success}, **more})


def improvise(*effects: dict[str, Any], **more: Any) -> dict[str, Any]:
    """The same with an action, as a listener gives it."""
    given = ruling(*effects, **more).model_dump(mode="json")
    return {"action": "improvise", "details": "a deed", "ruling": given}


def say(text: str = "I douse the hearth") -> Say:
    return Say(campaign="c", text=text)


HOSTILE = {
    "'t:finn' is not here": {"become": {"subject": "t:finn", "condition": "marked"}},
    "'t:throne' is not here": {"become": {"subject": "t:throne", "condition": "covered"}},
    "'t:well' is not here": {"become": {"subject": "t:well", "condition": "wet"}},
    "'t:ledger' is not here": {"become": {"subject": "t:ledger", "condition": "wet"}},
    "nothing becomes dead by a ruling": {"become": {"subject": "t:orla", "condition": "dead"}},
    "nothing becomes unlocked by a ruling": {
        "become": {"subject": "t:door", "condition": "unlocked"}
    },
    "'state' of cellar door is the author's": {
        "become": {"subject": "t:door", "condition": "state"}
    },
    "that is no condition": {"become": {"subject": "t:orla", "condition": "w" * 25}},
    "it is not wet": {"cease": ["t:door", "wet"]},
    "'thread' is the author's": {"thread": ["missing_brandy", "resolved"]},
    "'set' is the author's": {"set": {"subject": PLAYER, "predicate": "king", "value": True}},
    "'bring' is the author's": {"bring": "t:finn"},
    "nothing comes from nowhere": {"hand": {"item": "t:key", "source": "nowhere", "to": "player"}},
    "they would not part with it": {"hand": {"item": "t:key", "source": "t:orla", "to": "player"}},
    "someone else has it": {"put": {"item": "t:key", "spot": "on the bar"}},
    "t:cellar does not have it": {
        "hand": {"item": "t:ledger", "source": "t:cellar", "to": "player"}
    },
    "nobody like that is here": {"hand": {"item": "t:lamp", "source": "player", "to": "t:finn"}},
    "The cellar door is locked.": {"go": "t:cellar"},
    "there is no such place": {"go": "t:orla"},
    "that is not theirs to learn here": {"reveal": "f_smuggling"},
    "there is no ledger here": {"appear": {"id": "t:taproom/ledger", "name": "ledger"}},
    "that clock is the author's": {"clock": {"id": "storm", "delta": 1}},
    "no way leads there": {"leave": {"who": "t:orla", "to": "t:well"}},
}
"""By the reason that is given."""


@pytest.mark.parametrize("why", HOSTILE)
def test_what_no_ruling_may_do(why: str) -> None:
    state, rules = table()
    assert check_ruling(ruling(HOSTILE[why]), state, rules).problem == why


def clock(delta: int) -> DeedRuling:
    return ruling({"clock": {"id": "heat", "delta": delta}})


def warmed(delta: int, **more: Any) -> DeedRuling:
    return ruling({"trust": {"who": "t:orla", "delta": delta}}, **more)


def handed(qty: int) -> DeedRuling:
    return ruling({"hand": {"item": "t:lamp", "source": "player", "to": "t:orla", "qty": qty}})


def promised(minutes: int) -> DeedRuling:
    new = {"id": "p", "to": "t:orla", "text": "I will come.", "meet_in": minutes}
    return ruling({"promise": new})


WEEK = 7 * 24 * 60
LIMITS: dict[str, tuple[Callable[[int], DeedRuling], tuple[int, ...], tuple[int, ...]]] = {
    "a ruling moves a clock by one, onward": (clock, (1,), (-3, 0)),
    "a ruling hurts by one at most": (
        lambda n: ruling({"harm": n}, needs_roll=True),
        (0, 1),
        (-1, 2),
    ),
    "that takes too long": (lambda n: ruling({"minutes": n}), (0, 120), (-1, 121)),
    "nobody's mind changes so far at once": (warmed, (-1, 1), (-2, 2, 5)),
    "it does too much at once": (lambda n: ruling(*[{"minutes": 1}] * n), (6,), (7,)),
    "that is too far off": (promised, (0, WEEK), (-1, WEEK + 1)),
    "there are not so many": (handed, (1,), (0, 2)),
    "it is too wordy": (lambda n: ruling({"minutes": 1}, stakes="x" * n), (320,), (321,)),
}
"""By what is said of too much: the ruling by its number, what may be and what may not."""


@pytest.mark.parametrize("why", LIMITS)
def test_each_limit_lies_where_it_is_said_to(why: str) -> None:
    state, rules = table()
    made, within, beyond = LIMITS[why]
    assert [check_ruling(made(number), state, rules).problem for number in within] == [
        "" for _ in within
    ]
    assert [check_ruling(made(number), state, rules).problem for number in beyond] == [
        why for _ in beyond
    ]


def test_dice_move_a_mind_twice_as_far() -> None:
    state, rules = table()
    assert not check_ruling(warmed(2, needs_roll=True), state, rules).problem
    assert check_ruling(warmed(3, needs_roll=True), state, rules).problem


SAFE: dict[str, dict[str, Any]] = {
    "time": {"minutes": 1},
    "put down": {"put": {"item": "t:lamp", "spot": "on the bar"}},
    "a thing at hand": {"become": {"subject": "t:mug", "condition": "wet"}},
    "the place": {"become": {"subject": "t:taproom", "condition": "smoky"}},
    "a way out": {"become": {"subject": "t:yard", "condition": "lit"}},
    "parted from": {"part": "t:orla"},
    "won over": {"join": "t:orla"},
    "sent on an errand": {"leave": {"who": "t:orla"}},
    "challenged": {"become": {"subject": "t:orla", "condition": "challenged"}},
}


@pytest.mark.parametrize("name", SAFE)
def test_what_a_game_master_says_needs_no_dice_is_not_rolled(name: str) -> None:
    state, rules = table()
    stood = check_ruling(ruling(SAFE[name]), state, rules)
    assert (stood.problem, stood.needs_roll, stood.difficulty) == ("", False, 0)


AGAINST: dict[str, tuple[dict[str, Any], int]] = {
    "hurt": ({"harm": 1}, 5),
    "bound": ({"become": {"subject": "t:orla", "condition": "bound"}}, 1),
    "won over": ({"join": "t:orla"}, -1),
    "sent away": ({"leave": {"who": "t:orla"}}, -1),
    "challenged": ({"become": {"subject": "t:orla", "condition": "challenged"}}, -1),
}
"""By name: an effect, and the trust with which it is not simply let happen."""


@pytest.mark.parametrize("name", AGAINST)
def test_what_nobody_lets_happen_falls_without_dice(name: str) -> None:
    state, rules = table()
    effect, trust = AGAINST[name]
    friend = {"a_id": "t:orla", "b_id": PLAYER, "rel_type": "trust", "delta": trust}
    known = after(state, relationships_update=[friend])
    assert "needs a roll" in check_ruling(ruling(effect), known, rules).problem
    rolled = check_ruling(ruling(effect, needs_roll=True), known, rules)
    assert (rolled.problem, rolled.needs_roll, rolled.difficulty) == ("", True, 1)
    failing = {"success": {"effects": [effect]}, "failure": {"line": "It fails."}}
    assert check_ruling(ruling(effect, on=failing), known, rules).needs_roll


def test_trust_lets_it_be_done_without_dice() -> None:
    state, rules = table()
    friend = {"a_id": "t:orla", "b_id": PLAYER, "rel_type": "trust", "delta": 2}
    trusted = after(state, relationships_update=[friend])
    bound = ruling({"become": {"subject": "t:orla", "condition": "bound"}})
    assert not check_ruling(bound, trusted, rules).problem


def test_what_an_attempt_costs_and_how_hard_it_is_has_bounds() -> None:
    state, rules = table()

    def stood(**more: Any) -> DeedRuling:
        return check_ruling(ruling({"minutes": 1}, **more), state, rules)

    assert [stood(difficulty=hard).difficulty for hard in (-1, 1, 2, 3)] == [0, 1, 2, 2]
    reason = "high ground"
    assert [stood(advantage=of, why=reason).advantage for of in (-3, 0, 3)] == [-1, 0, 1]
    assert [stood(minutes=long).minutes for long in (-5, 120, 121)] == [0, 120, 120]
    costs = stood(costs={"harm": 3, "heat": 1, "rep": -2}).costs
    assert (costs.harm, costs.heat, costs.rep) == (1, 1, 0)


def test_a_ruling_stands_and_is_sized_by_code() -> None:
    state, rules = table()
    given = ruling(
        {"become": {"subject": "t:orla", "condition": "bound"}},
        stat="glory",
        needs_roll=True,
        difficulty=-4,
        advantage=9,
        minutes=5_000,
    )
    stood = check_ruling(given, state, rules)
    assert not stood.problem
    assert (stood.difficulty, stood.advantage, stood.minutes, stood.stat) == (1, 0, 120, "nerve")


def test_what_pleases_someone_needs_no_dice_and_pleases_once() -> None:
    state, rules = table()
    wary = {"a_id": "t:orla", "b_id": PLAYER, "rel_type": "trust", "delta": -1}
    state = after(state, relationships_update=[wary])
    liked = {"trust": {"who": "t:orla", "delta": 1}}
    crowned = {"become": {"subject": "t:orla", "condition": "crowned"}}
    bound = {"become": {"subject": "t:orla", "condition": "bound"}}
    assert check_ruling(ruling(crowned), state, rules).problem
    assert not check_ruling(ruling(crowned, liked), state, rules).problem
    assert check_ruling(ruling(bound, liked), state, rules).problem, "nobody likes to be bound"
    fact = {"id": "f_c", "subject_id": "t:orla", "predicate": "crowned", "object": {"value": True}}
    crowned_before = after(state, facts_add=[{**fact, "visibility": "known"}])
    assert check_ruling(ruling(crowned, liked), crowned_before, rules).problem


def test_what_a_model_says_in_its_own_form_is_mended() -> None:
    state, rules = table()
    wet = {"become": {"subject": "t:orla", "condition": "Very_Wet from head to foot and cold"}}
    hurried = {"clock": {"id": "heat", "delta": 3}}
    stood = check_ruling(ruling(wet, hurried), state, rules)
    assert not stood.problem
    became, clock_moved = stood.on["success"].effects
    assert became.become and became.become.condition == "very wet from head to"
    assert clock_moved.clock and clock_moved.clock.delta == 1


def test_one_s_own_scarf_changes_hands_whatever_id_it_was_given() -> None:
    state, rules = table()
    scarf = {"appear": {"id": "my_scarf", "name": "Ida's scarf"}}
    given = {"hand": {"item": "my_scarf", "source": "player", "to": "t:orla"}}
    warm = {"become": {"subject": "my_scarf", "condition": "warm"}}
    stood = check_ruling(ruling(scarf, given, warm), state, rules)
    assert not stood.problem
    page = Ledger(state)
    perform(stood.on["success"].effects, page, rules, "ruling")
    assert ("t:orla", "t:taproom/my_scarf") in page.state.inventory
    assert page.state.value("t:taproom/my_scarf", "warm") is True
    throne = {"appear": {"id": "throne", "name": "golden throne"}}
    assert check_ruling(ruling(throne), state, rules).problem


def test_a_secret_is_told_where_dice_or_its_author_allow() -> None:
    state, rules = table()
    won = ruling({"reveal": "f_smuggling"}, needs_roll=True)
    assert not check_ruling(won, state, rules).problem, "Orla keeps it back, and may be won over"
    held = after(state, inventory_add=[{"owner_id": PLAYER, "item_id": "t:ledger"}])
    assert not check_ruling(ruling({"reveal": "f_smuggling"}), held, rules).problem
    assert check_ruling(ruling({"reveal": "f_ledger"}, needs_roll=True), state, rules).problem


def test_lines_hold_for_what_a_ruling_says() -> None:
    state, rules = table(calibration={"lines": ["spiders"]})
    given = ruling({"minutes": 1}, stakes="whether the spiders wake")
    assert "out of play" in check_ruling(given, state, rules).problem


def test_what_does_not_read_is_kept_as_a_ruling_that_cannot_stand() -> None:
    wrong = read_ruling({"on": {"success": {"effects": [{"smite": "orla"}]}}})
    assert wrong.problem
    assert read_ruling({}) is None
    line = read_ruling({"on": {"success": {"effects": ["minutes: 3"]}}})
    assert line.on["success"].effects[0].minutes == 3


async def test_what_a_model_rules_becomes_so_and_lasts(tmp_path: Path) -> None:
    at = await started(tmp_path, answers(improvise(HEARTH, WET)))
    before = canonical((await at.store.get_state("c")).document())
    result = await take_turn(say(), at)
    assert [row.outcome for row in result.rulings] == ["success"]
    assert result.rulings[0].effects[1] == {"become": {**WET["become"], "turns": 0}}
    state = await at.store.get_state("c")
    assert state.value("t:taproom/hearth", "wet") is True
    begun = await at.store.begun("c")
    packet = Moment(state, "", table()[1]).packet()
    assert "The hearth is wet." in [fact["object"].get("text") for fact in packet.facts]
    assert begun.scenario.scripted
    chain = (await why("c", "t:taproom/hearth#wet", at))["chain"]
    assert (chain[0]["what"], chain[0]["turn_no"], chain[0]["by"]) == ("made", 1, "the rules")
    now = canonical(state.document())
    await undo("c", 1, at.store)
    assert canonical((await at.store.get_state("c")).document()) == before
    await redo("c", at.store)
    assert canonical((await at.store.get_state("c")).document()) == now


async def test_a_ruling_that_falls_costs_the_turn_nothing(tmp_path: Path) -> None:
    at = await started(tmp_path, answers(improvise({"thread": ["missing_brandy", "resolved"]})))
    result = await take_turn(say("I dance on the table"), at)
    assert result.validator.allowed_actions
    assert result.rulings[0].outcome == ""
    assert "author" in result.rulings[0].why
    (fell,) = [event for event in result.engine_events if event.type == "unruled"]
    assert "author" in fell.details["why"], "whoever tells the turn is told why"
    state = await at.store.get_state("c")
    assert state.threads["missing_brandy"].status == "active"


async def test_an_authored_deed_comes_before_a_ruling(tmp_path: Path) -> None:
    opens = improvise({"minutes": 1}) | {"action": "unlock", "target_id": "t:door"}
    at = await started(tmp_path, answers(opens))
    result = await take_turn(say("I pick the lock"), at)
    assert [blocked.reason for blocked in result.validator.blocked_actions] == [
        "You would need the key."
    ]


async def test_failure_has_the_price_its_ruling_names_and_no_other(tmp_path: Path) -> None:
    bad = {"effects": [{"trust": {"who": "t:orla", "delta": -1}}], "line": "She pulls free."}
    bound = {"effects": [{"become": {"subject": "t:orla", "condition": "bound"}}], "line": "Bound."}
    given = improvise(needs_roll=True) | {"ruling": {"on": {"success": bound, "failure": bad}}}
    for seed in range(12):
        home = tmp_path / str(seed)
        at = await started(home, answers(given), seed=seed)
        result = await take_turn(say("I tie Orla up"), at)
        assert result.rolls
        state = await at.store.get_state("c")
        if result.rulings[0].outcome in ("failure", "botch"):
            assert state.relationships["t:orla", PLAYER, "trust"].intensity == -1
            assert state.clocks["heat"].value == 0, "the price is the ruling's own"
            return
        assert state.value("t:orla", "bound") is True
    pytest.fail("no seed of twelve failed")


async def test_company_comes_along_and_a_broken_word_is_held_against_one(tmp_path: Path) -> None:
    word = {"promise": {"id": "p", "to": "t:orla", "text": "You promised Orla.", "meet_in": 12}}
    trusting = [{"a_id": "t:orla", "b_id": "player", "rel_type": "trust", "intensity": 3}]
    authored = table(relationships=trusting)[1].scenario
    script = answers(improvise(word), {"action": "move", "target_id": "t:yard"})
    at = await started(tmp_path / "word", script, authored)
    first = await take_turn(say(), at)
    assert "promised" in [event.type for event in first.engine_events]
    second = await take_turn(say(), at)
    told = [event.type for event in (*first.engine_events, *second.engine_events)]
    assert "promise_broken" in told
    assert (await at.store.get_state("c")).relationships["t:orla", PLAYER, "trust"].intensity == 2
    script = answers(improvise({"join": "t:orla"}), {"action": "move", "target_id": "t:yard"})
    at = await started(tmp_path / "company", script, authored)
    await take_turn(say(), at)
    scene = (await at.store.get_state("c")).scene
    assert (scene.location_id, "t:orla" in scene.present_entity_ids) == ("t:yard", True)


def test_what_cannot_be_so_too_is_so_no_longer() -> None:
    state, rules = table()
    page = Ledger(state)

    def become(subject: str, condition: str) -> None:
        new = {"become": {"subject": subject, "condition": condition}}
        perform(ruling(new).on["success"].effects, page, rules, "play")

    for condition in ("lit", "dark"):
        become("t:lamp", condition)
    for condition in ("on the table", "merry", "under the table"):
        become(PLAYER, condition)
    assert page.state.value("t:lamp", "lit") is False and page.state.value("t:lamp", "dark")
    so = {
        name
        for name in ("on the table", "merry", "under the table")
        if page.state.value(PLAYER, name)
    }
    assert so == {"merry", "under the table"}


async def test_an_appointment_is_kept_by_coming_back_in_time(tmp_path: Path) -> None:
    word = {"promise": {"id": "p", "to": "t:orla", "text": "You promised Orla.", "meet_in": 240}}
    away, back = ({"action": "move", "target_id": place} for place in ("t:yard", "t:taproom"))
    left = [improvise(word), away, back, away]

    def script(pass_id: str, input: Any) -> dict[str, Any]:
        if pass_id == "engine/interpreter":
            return {"proposed_actions": [left.pop(0)]}
        return answers()(pass_id, input)

    at = await started(tmp_path, script)
    events: list[str] = []
    while left:
        result = await take_turn(say("I go on"), at)
        events += [event.type for event in result.engine_events]
    assert "promise_kept" in events and "promise_broken" not in events
    assert (await at.store.get_state("c")).value("campaign", "promises_due") == {}


async def test_what_is_only_for_a_while_passes(tmp_path: Path) -> None:
    brief = {"become": {"subject": "t:orla", "condition": "comforted", "turns": 1}}
    at = await started(tmp_path, answers(improvise(brief)))
    await take_turn(say(), at)
    assert (await at.store.get_state("c")).value("t:orla", "comforted") is True
    waits = await started(tmp_path / "again", answers(improvise(brief), {"action": "wait"}))
    await take_turn(say(), waits)
    state = await waits.store.get_state("c")
    assert state.value("campaign", "fading") == {"t:orla#comforted": state.played + 1}


def test_a_model_held_to_the_schema_can_rule() -> None:
    shown = REFEREE.schema()["$defs"]["ProposedAction"]["properties"]["ruling"]["anyOf"][0]
    sent = OpenAIJsonSchemaTransformer(REFEREE.schema(), strict=False).walk()
    over_the_wire = sent["$defs"]["ProposedAction"]["properties"]["ruling"]["anyOf"][0]
    for schema in (shown, over_the_wire):
        assert schema["additionalProperties"] is True
        assert schema["properties"]["on"]["additionalProperties"] is True
