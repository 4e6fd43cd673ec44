"""What was agreed is done: the player's part is seen, or paid on the word, and they do theirs."""

from collections.abc import Mapping
from typing import Any

from freeform.core.chance import Chance
from freeform.engine.authored.conditions import check, trust
from freeform.engine.authored.script import Hand, Promise
from freeform.engine.knowledge.background import NO_BACKGROUND, Background
from freeform.engine.minds.mind import AskedMind, SpokenAnswer
from freeform.engine.minds.question import AskedOfSomeone
from freeform.engine.rules.dealing import bonds
from freeform.engine.rules.dealing.bargain import BARGAIN, HANDS, how_it_is, terms_said
from freeform.engine.rules.deeds.attempt import Attempt, present_people
from freeform.engine.rules.deeds.knowledge import tell
from freeform.engine.rules.deeds.speaking import say_it
from freeform.engine.rules.effects import hand
from freeform.engine.rules.fight.foes import standing
from freeform.engine.rules.fight.health import is_up
from freeform.engine.rules.fight.resources import amount, change
from freeform.engine.rules.ledger import Ledger
from freeform.engine.rulings.lasting import promise
from freeform.engine.table import Rules
from freeform.engine.world.model import AllowedAction
from freeform.engine.world.state import PLAYER, GameState

AGREED, KEPT, VOID = "agreed", "kept", "void"
_OVER = {KEPT: "had", VOID: "void"}
"""What is said of a bargain that is over."""
_TOLD = "void_told"
"""And where they have told it for nothing meanwhile."""
OWED = "owed"
"""So a friend who begins takes it as paid: nothing was handed over."""


def stands_with(who: str, state: GameState) -> Mapping[str, Any]:
    """What stands between someone and the player's character; {} where nothing does."""
    found = state.value(who, BARGAIN)
    return found if isinstance(found, dict) else {}


def shake_on_it(attempt: Attempt, mind: AskedMind) -> None:
    """`Deal`: what can be paid is paid, and they do their part; what must be done first is
    waited for."""
    page, deal = attempt.page, dict(stands_with(mind.who, mind.state))
    if _is_over(deal, attempt, mind):
        return
    deal["is"] = AGREED
    text = f"{mind.state.name(mind.who)} and you have a bargain: {deal['mine']}."
    page.settle(mind.who, BARGAIN, deal, text=text, tags=(BARGAIN,))
    if not _pay(deal, attempt):
        _say(attempt, mind, "waits", deal)


def _pay(deal: Mapping[str, Any], attempt: Attempt) -> bool:
    """Hands over what was agreed, once; False where that is a deed, or one has not got it."""
    page, who = attempt.page, attempt.action.target_id
    if deal.get("paid"):
        return True
    if deal.get("thing") and (PLAYER, deal["thing"]) in page.state.inventory:
        hand(Hand(item=deal["thing"], source=PLAYER, to=who), page)
        return True
    if deal.get("sum") and amount(deal["of"], page.state, attempt.rules) >= deal["sum"]:
        change(deal["of"], -deal["sum"], page, attempt.rules)
        page.settle(who, BARGAIN, {**deal, "paid": True}, tags=(BARGAIN,))
        return True
    return False


def hold_to_it(attempt: Attempt, mind: AskedMind) -> None:
    """`You first`: a friend begins; of others it stands as it was said."""
    deal = stands_with(mind.who, mind.state)
    if _is_over(deal, attempt, mind):
        return
    if mind.stance == "warm":
        owed = Promise(id=f"bargain_{mind.who}", to=mind.who, text=f"You owe: {deal['mine']}.")
        promise(owed, attempt.page)
        attempt.page.settle(mind.who, BARGAIN, {**deal, "is": AGREED, "paid": OWED})
    else:
        _say(attempt, mind, "stands", deal)


def claim_it(attempt: Attempt, mind: AskedMind) -> None:
    """`I did my part`: so it is, or it is not yet."""
    deal = stands_with(mind.who, mind.state)
    if _is_over(deal, attempt, mind):
        return
    done = is_done(mind.who, attempt.page.state)
    if not done and not (deal["is"] == AGREED and _pay(deal, attempt)):
        _say(attempt, mind, "owed", deal)
    elif deal["is"] != AGREED:
        now = dict(stands_with(mind.who, attempt.page.state))
        attempt.page.settle(mind.who, BARGAIN, {**now, "is": AGREED}, tags=(BARGAIN,))


def is_done(who: str, state: GameState) -> bool:
    """Whether the player's part of what was agreed is done."""
    deal = stands_with(who, state)
    if deal.get("paid"):
        return True
    if "thing" in deal:
        return (who, deal["thing"]) in state.inventory
    if "sum" in deal:
        return False
    if "trust" in deal:
        return trust(who, state) >= int(deal["trust"])
    if "deed" in deal:
        now = {id: how_it_is(id, was[0], state) for id, was in deal["deed"].items()}
        return any(now[id] and now[id] != was[1:] for id, was in deal["deed"].items())
    return bool(deal)


def keep_bargains(
    page: Ledger, rules: Rules, chance: Chance, background: Background = NO_BACKGROUND
) -> None:
    """Whoever is here, is able, fights nobody here and has what they asked for does what they
    agreed to, this turn; where it can be done no more they say so, and give back what they got."""
    foes = standing(page.state)
    for who in present_people(page):
        deal = stands_with(who, page.state)
        if who in foes or not is_up(who, page.state):
            continue
        if deal.get("is") != AGREED or not (
            _yields(deal, who, page, rules) or is_done(who, page.state)
        ):
            continue
        action = AllowedAction(action="talk", target_id=who)
        attempt = Attempt(action, page, rules, chance.at(f"bargain:{who}"), background)
        if can_be_done(deal, who, page.state):
            _do_theirs(deal, attempt)
        else:
            _call_off(deal, attempt, AskedOfSomeone("", who, page.state, rules))


def _yields(deal: Mapping[str, Any], who: str, page: Ledger, rules: Rules) -> bool:
    """Whether what an author lets it be had for is so."""
    kept = (k for k in rules.person(who).withholds if k.id == deal["id"])
    return "yields" in deal and any(check(k.yields_when, page.state).holds for k in kept)


def can_be_done(deal: Mapping[str, Any], who: str, state: GameState) -> bool:
    """Whether their side is still to be had: they hold the thing, or have not told it yet."""
    if deal["does"] == HANDS:
        return (who, deal["id"]) in state.inventory
    return not state.value(who, f"told:{deal['id']}")


def _is_over(deal: Mapping[str, Any], attempt: Attempt, mind: AskedMind) -> bool:
    """Whether nothing is left to be done of it, and that is said."""
    if deal["is"] in _OVER:
        say_it(attempt, mind.asked, SpokenAnswer("offer", _how_over(deal)))
    elif not can_be_done(deal, mind.who, attempt.page.state):
        _call_off(deal, attempt, mind.asked)
    else:
        return False
    return True


def _how_over(deal: Mapping[str, Any]) -> str:
    is_told = deal["is"] == VOID and deal["does"] != HANDS
    return _TOLD if is_told else _OVER[deal["is"]]


def _call_off(deal: Mapping[str, Any], attempt: Attempt, asked: AskedOfSomeone) -> None:
    """Their side can be done no more: the bargain is void, and what was paid comes back."""
    page, who = attempt.page, attempt.action.target_id
    page.settle(who, BARGAIN, {**deal, "is": VOID}, tags=(BARGAIN,))
    page.happen("bargain", (BARGAIN,), npc=who, name=attempt.name, stands=VOID, mine=deal["mine"])
    say_it(attempt, asked, SpokenAnswer("offer", _how_over({**deal, "is": VOID})))
    if deal.get("thing") and (who, deal["thing"]) in page.state.inventory:
        hand(Hand(item=deal["thing"], source=who, to=PLAYER), page)
    if deal.get("sum") and deal.get("paid") is True:
        change(deal["of"], deal["sum"], page, attempt.rules)


def _do_theirs(deal: Mapping[str, Any], attempt: Attempt) -> None:
    page, who = attempt.page, attempt.action.target_id
    page.settle(who, BARGAIN, {**deal, "is": KEPT}, tags=(BARGAIN,))
    page.happen("bargain", (BARGAIN,), npc=who, name=attempt.name, stands=KEPT, mine=deal["mine"])
    bonds.keep(who, "helped", page)
    asked = AskedOfSomeone("", who, page.state, attempt.rules)
    say_it(attempt, asked, SpokenAnswer("offer", "done"))
    if deal["does"] == HANDS:
        hand(Hand(item=deal["id"], source=who, to=PLAYER), page)
        return
    for kept in attempt.rules.person(who).withholds:
        if kept.id == deal["id"]:
            tell(kept, attempt)


def _say(attempt: Attempt, mind: AskedMind, how: str, deal: Mapping[str, Any]) -> None:
    mine = "" if "deed" in deal or "trust" in deal else str(deal.get("mine") or "")
    how = how if mine else f"{how}_deed"
    say_it(attempt, mind.asked, SpokenAnswer("offer", how, terms_said(mine)))
