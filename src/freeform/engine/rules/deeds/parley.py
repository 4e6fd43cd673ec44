"""How a fight ends beside blows: foes are paid, begged or called on to give up, and answer; who
gives up lays down arms. Where something hangs on it, dice decide."""

import re
from itertools import chain, takewhile

from freeform.engine.authored.script import Hand
from freeform.engine.minds.terms import amount_in
from freeform.engine.rules.deeds.attempt import Attempt
from freeform.engine.rules.effects import hand
from freeform.engine.rules.fight import attacking, rounds
from freeform.engine.rules.fight.foes import stand_down, standing
from freeform.engine.rules.fight.fray import Fray
from freeform.engine.rules.fight.health import most, points
from freeform.engine.rules.fight.resources import amount, moneys, spend
from freeform.engine.rules.rolls import at_least
from freeform.engine.world.model import AllowedAction, ValidatorOutput
from freeform.engine.world.names import mentioned
from freeform.engine.world.names import words as telling
from freeform.engine.world.state import PLAYER, GameState
from freeform.language.forms import is_denial
from freeform.language.tables import cues
from freeform.language.words import words

_WORDS_FIRST = frozenset({"surrender", "plead", "pay_off", "call_on"})
_NO_BLOWS = frozenset({"give", "persuade", "deceive", "threaten", "show"})
"""Authored deeds that, done to a foe, settle a fight."""
_PARTS = re.compile(r"[,.;:!?—–]+|\bbut\b", re.I)
"""What parts what is offered from what is left out."""


def words_first(validated: ValidatorOutput, state: GameState) -> bool:
    """Whether foes hold their blows to hear what is said to them."""
    foes = standing(state)
    return any(
        action.action in _WORDS_FIRST or _settles(action, foes)
        for action in validated.allowed_actions
    )


def _settles(action: AllowedAction, foes: list[str]) -> bool:
    """Whether an author wrote it of foes, and no blow is struck by it."""
    return bool(action.affordance) and action.action in _NO_BLOWS and action.target_id in foes


def surrender(attempt: Attempt) -> str:
    """Lays down arms, so that they lie here; foes who stand are struck no more and strike no
    more."""
    page, fought = attempt.page, bool(standing(attempt.page.state))
    attacking.surrender(attempt)
    for owner, item in list(page.state.inventory) if fought else ():
        if owner == PLAYER and page.state.entities[item].attrs.get("weapon"):
            hand(Hand(item=item, source=PLAYER, to=attempt.here), page)
    return ""


def plead(attempt: Attempt) -> str:
    """Begs foes to stop: they do, or go on."""
    foes = standing(attempt.page.state)
    if not foes:
        return _to_nobody(attempt)
    outcome = attempt.throw(attempt.kind.stat, attempt.kind.tier)
    if at_least(outcome, "mixed"):
        attempt.page.happen("let_go", name=_who(attempt))
        _stand_down(attempt)
    else:
        attempt.page.happen("not_let_go", name=_who(attempt))
        _go_on(attempt)
    return outcome


def pay_off(attempt: Attempt) -> str:
    """Buys foes off with money or with things one names: what is not taken is not lost."""
    page, foes = attempt.page, standing(attempt.page.state)
    if not foes:
        return _to_nobody(attempt)
    money, things = _sum_offered(attempt), _things_offered(attempt)
    if not money and not things:
        page.happen("nothing_to_pay", name=attempt.name)
        _go_on(attempt)
        return ""
    outcome = attempt.throw(attempt.kind.stat, attempt.kind.tier, advantage=1)
    if not at_least(outcome, "mixed"):
        page.happen("not_bought", name=_who(attempt))
        _go_on(attempt)
        return outcome
    page.happen("bought_off", name=_who(attempt))
    _stand_down(attempt)
    spend(money, page, attempt.rules)
    for item in things:
        hand(Hand(item=item, source=PLAYER, to=attempt.action.target_id or foes[0]), page)
    return outcome


def call_on(attempt: Attempt) -> str:
    """Calls on foes to give up: easier where they are hurt or few. The one who is meant does, and
    whoever is hurt."""
    fray, foes = Fray(attempt.page, attempt.rules, attempt.chance), standing(attempt.page.state)
    if not foes:
        return _to_nobody(attempt)
    hurt = [foe for foe in foes if _is_hurt(foe, attempt)]
    outcome = attempt.throw(attempt.kind.stat, attempt.kind.tier, advantage=int(bool(hurt)))
    if not at_least(outcome, "mixed"):
        attempt.page.happen("not_cowed", name=_who(attempt))
        _go_on(attempt)
        return outcome
    whom = attempt.action.target_id if attempt.action.target_id in foes else foes[0]
    every = outcome == "critical"
    for foe in foes:
        if every or foe == whom or foe in hurt:
            rounds.give_up(foe, fray)
    return outcome


def settle(attempt: Attempt, outcome: str) -> None:
    """What an author wrote of foes and no blow settles a fight with them, where it comes off."""
    foes = standing(attempt.page.state)
    if _settles(attempt.action, foes):
        if at_least(outcome or "success", "mixed"):
            _stand_down(attempt)
        else:
            _go_on(attempt)


def _who(attempt: Attempt) -> str:
    """The foe who answers."""
    return attempt.name or attempt.page.state.name(standing(attempt.page.state)[0])


def _stand_down(attempt: Attempt) -> None:
    for foe in standing(attempt.page.state):
        stand_down(foe, attempt.page)


def _go_on(attempt: Attempt) -> None:
    """They will not, and those who are quicker strike now."""
    fray = Fray(attempt.page, attempt.rules, attempt.chance.at("after words"))
    rounds.foes_act(fray, fast=True)


def _to_nobody(attempt: Attempt) -> str:
    attempt.page.happen("no_foe_left")
    return ""


def _is_hurt(foe: str, attempt: Attempt) -> bool:
    state, rules = attempt.page.state, attempt.rules
    return 2 * points(foe, state, rules) <= most(foe, state, rules)


def _things_offered(attempt: Attempt) -> list[str]:
    """What one has of what the words name, and do not leave out."""
    state, parts = attempt.page.state, map(words, _PARTS.split(attempt.action.details))
    offered = chain.from_iterable(takewhile(lambda word: not is_denial(word), p) for p in parts)
    named = mentioned(" ".join(offered), state, ("item",))
    return [item for item in named if (PLAYER, item) in state.inventory]


def _sum_offered(attempt: Attempt) -> dict[str, int]:
    """The money that is offered: so much as is said, half where it is some, else all; none where a
    thing is offered and no sum is named."""
    state, rules, said = attempt.page.state, attempt.rules, attempt.action.details
    called = moneys(rules)
    held = {id: amount(id, state, rules) for id in called}
    has = {id: count for id, count in held.items() if count > 0}
    meant = {id: count for id, count in has.items() if called[id] & telling(said)} or has
    if not meant:
        return {}
    id, most = next(iter(meant.items()))
    number = amount_in(said, called[id])
    if number:
        return {id: min(number, most)}
    if _is_some(said):
        return {id: (most + 1) // 2}
    return {} if _things_offered(attempt) else meant


def _is_some(text: str) -> bool:
    """Whether a sum is meant that is not all, and no number that can be read says how much."""
    strange = any(sign.isnumeric() and not sign.isascii() for sign in text)
    return strange or not frozenset(cues("amounts")["some"].split()).isdisjoint(words(text))
