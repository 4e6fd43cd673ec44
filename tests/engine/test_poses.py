"""How one holds oneself ends where one goes elsewhere; being out of sight, where one speaks."""

from freeform.engine.authored.ruling import DeedRuling
from freeform.engine.authored.script import Become
from freeform.engine.rules.ledger import Ledger
from freeform.engine.rulings.check import check_ruling
from freeform.engine.rulings.lasting import become, leave_hiding, leave_spot
from freeform.engine.world.state import PLAYER
from tests.engine.cellar import table

STATE, RULES = table()


def _posed(*conditions: str) -> Ledger:
    page = Ledger(STATE)
    for condition in conditions:
        become(Become(subject=PLAYER, condition=condition), page)
    return page


def test_who_goes_kneels_no_longer_and_stays_wet() -> None:
    page = _posed("kneeling", "hidden", "wet", "by the hearth")
    leave_spot(page)
    held = {name: page.state.value(PLAYER, name) for name in ("kneeling", "hidden", "wet")}
    assert held == {"kneeling": False, "hidden": False, "wet": True}


def test_who_speaks_is_seen_and_may_go_on_kneeling() -> None:
    page = _posed("kneeling", "hidden")
    leave_hiding(page)
    assert page.state.value(PLAYER, "kneeling") is True
    assert page.state.value(PLAYER, "hidden") is False


def test_nobody_who_is_held_fast_is_carried() -> None:
    page = Ledger(STATE)
    become(Become(subject="t:orla", condition="bound", text="Orla is bound."), page)
    carried = {"become": {"subject": "t:orla", "condition": "carried"}}
    ruling = DeedRuling.model_validate(
        {"reading": "carry Orla", "on": {"success": {"effects": [carried], "line": "You do."}}}
    )
    assert check_ruling(ruling, page.state, RULES).problem == "Orla is bound."


def test_scenery_may_be_broken_and_a_thing_of_the_author_may_not() -> None:
    def ruled(*effects: dict[str, object]) -> str:
        on = {"success": {"effects": list(effects), "line": "It breaks."}}
        ruling = DeedRuling.model_validate({"reading": "smash it", "on": on})
        return check_ruling(ruling, STATE, RULES).problem

    hearth = "t:taproom/hearth"
    shown: dict[str, object] = {"appear": {"id": hearth, "name": "hearth"}}
    assert ruled(shown, {"become": {"subject": hearth, "condition": "broken"}}) == ""
    assert ruled({"become": {"subject": "t:door", "condition": "broken"}})
