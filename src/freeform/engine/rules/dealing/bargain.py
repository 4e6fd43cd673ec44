"""An offer is answered with yes, no or a price, and that is kept to.

    an offer ─> what they would do for it: tell what they keep back, hand over what they hold
             ─> what is offered: a thing, a sum, a deed that can be seen done, a word
             ─> no · yes, you first · for this much, and no more · yes at once, from a friend

What was agreed stands in the log (`bargain`) until the player's part is done; `keeping.py` then
does theirs. What an author lets nobody be talked out of is for sale to nobody.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from freeform.engine.authored.conditions import check, trust
from freeform.engine.authored.scenario import Affordance, Knowledge, Withheld
from freeform.engine.authored.script import Condition
from freeform.engine.minds.match import bearing
from freeform.engine.minds.mind import AskedMind, SpokenAnswer
from freeform.engine.minds.question import AskedOfSomeone
from freeform.engine.minds.terms import OfferedTerms, known_price, terms_of
from freeform.engine.rules.deeds.attempt import Attempt
from freeform.engine.rules.deeds.knowledge import best_answer, tell, untold, was_told
from freeform.engine.rules.deeds.speaking import say_it
from freeform.engine.rules.fight.resources import amount, moneys
from freeform.engine.rules.known import inside
from freeform.engine.rules.ledger import ENGINE, IN_PLAY
from freeform.engine.world.names import mentioned, overlap, words
from freeform.engine.world.state import PLAYER, GameState

BARGAIN = "bargain"
"""The predicate under which someone's agreement with the player's character stands."""
LAST_OFFER, _LATELY = "last_offer", 4
"""What someone was last asked to do for something, and for how many turns that is in mind."""
TELLS, HANDS = "tell", "hand"
_OPEN = ("price", "agreed")
_ASKS, _SURE = "ask", 0.45
_DOINGS = ("request", "offer", "threat")
"""What is bidden that is not told."""
_FAIR = 0.6
"""How much of a price one may be beaten down to."""
_SUM = 5
"""What a secret costs where nobody wrote a price."""
_SAYS_WHAT = 2
"""From how many telling words on something says what is wanted: `help me` does not."""
_ADDRESSED = re.compile(
    r"^\W*(?:(?:will|would|can|could|do) )?you(?:'ll| will|'d| would)?\s+", re.I
)
"""What stands before what someone is to do."""


@dataclass(frozen=True)
class TheirPart:
    """What someone would do: tell something they keep back, or hand something over."""

    does: str = ""
    id: str = ""


@dataclass(frozen=True)
class BargainTable:
    """Two people over an offer."""

    attempt: Attempt
    mind: AskedMind
    said: str

    @property
    def who(self) -> str:
        """The one it is put to."""
        return self.mind.who

    @cached_property
    def terms(self) -> OfferedTerms:
        """Its two sides; where it does not say what for, what was asked for a moment ago."""
        said, state = terms_of(self.mind.asked.bare), self.attempt.page.state
        last = state.value(self.who, LAST_OFFER) or {}
        if not words(said.theirs) and state.turn_no - last.get("turn", -_LATELY) < _LATELY:
            return replace(said, theirs=str(last["theirs"]))
        return said

    @property
    def standing(self) -> Mapping[str, Any]:
        """What they have said to an offer before."""
        found = self.attempt.page.state.value(self.who, BARGAIN)
        return found if isinstance(found, dict) else {}

    @cached_property
    def theirs(self) -> TheirPart:
        """What they are to do: what is named, else what was spoken of before."""
        wanted = self._wanted()
        if not wanted.does and self.standing.get("is") in _OPEN:
            return TheirPart(self.standing["does"], self.standing["id"])
        return wanted

    def _wanted(self) -> TheirPart:
        said, state = self.terms.theirs, self.attempt.page.state
        held = {holding.item_id for holding in state.held(self.who)}
        things = [id for id in mentioned(said, state, ("item",)) if id in held]
        if things:
            guarding = next((k for k in self.mind.kept if _hands_over(k, things[0])), None)
            return TheirPart(TELLS, guarding.id) if guarding else TheirPart(HANDS, things[0])
        kept = self._secret(said)
        return TheirPart(TELLS, kept.id) if kept else TheirPart()

    def _secret(self, said: str) -> Withheld | None:
        """What they keep back that is asked for: of that matter, or anything where none is
        named."""
        if not self.mind.kept or not words(said):
            return None
        found = best_answer(self.mind.person.withholds, said, self.attempt)
        if found in self.mind.kept:
            return found
        asked = AskedOfSomeone(said, self.who, self.attempt.page.state, self.attempt.rules)
        near = bearing(asked, [kept for kept in self.mind.kept if not kept.effects])
        return near or (None if asked.about or not self.wants_anything else self.mind.kept[0])

    @cached_property
    def _bidden(self) -> Mapping[str, float]:
        """How likely what they are to do is of each kind of saying."""
        sense, bidden = self.attempt.rules.sense, _ADDRESSED.sub("", self.terms.theirs)
        return sense.told_as(bidden) if sense and bidden else {}

    @cached_property
    def wants_words(self) -> bool:
        """Whether they are to tell something, and not to do it."""
        likeliest = max(self._bidden, key=lambda kind: self._bidden[kind], default="")
        return likeliest not in _DOINGS or self.wants_anything

    @cached_property
    def wants_anything(self) -> bool:
        """Whether nothing says what it is about: `tell me what you know`, `help me`."""
        about = len(words(_ADDRESSED.sub("", self.terms.theirs)))
        return about < _SAYS_WHAT or (about == _SAYS_WHAT and self._bidden.get(_ASKS, 0.0) >= _SURE)

    @cached_property
    def known(self) -> Knowledge | None:
        """What they know of it, and would say for nothing; anything, where no matter is named."""
        said, state = self.terms.theirs, self.attempt.page.state
        if not said:
            return None
        found = best_answer(self.mind.person.knows, said, self.attempt)
        asked = AskedOfSomeone(said, self.who, state, self.attempt.rules)
        if not found and self.wants_anything and not asked.about and not self.mind.kept:
            return untold(self.attempt)
        return found if found and self.wants_words and not was_told(found, self.attempt) else None

    @cached_property
    def kept(self) -> Withheld | None:
        """The secret that is asked for."""
        is_it = self.theirs.does == TELLS
        return next((k for k in self.mind.kept if is_it and k.id == self.theirs.id), None)

    @cached_property
    def things(self) -> list[str]:
        """What is offered of what the player's character has."""
        state = self.attempt.page.state
        own = {holding.item_id for holding in state.held(PLAYER)}
        return [id for id in mentioned(self.terms.mine, state, ("item",)) if id in own]

    @cached_property
    def deed(self) -> list[str]:
        """Whom, what or where a promised deed is about, so that it can be seen whether it was
        done: not what is so already, as with somebody who was met before."""
        state = self.attempt.page.state
        named = mentioned(self.terms.mine, state, ("npc", "location", "item"))
        others = [id for id in named if id not in (self.who, PLAYER, *self.things)]
        return [id for id in others if not _is_so(id, self.led, state)]

    @property
    def led(self) -> str:
        """Who is to be somewhere, or to have something: `I'll bring you there`, else the
        player's character."""
        return self.who if "you" in self.terms.mine.lower().split() else PLAYER

    @cached_property
    def purse(self) -> str:
        """The resource a sum is offered in, or one is asked in; '' where none is counted."""
        money = moneys(self.attempt.rules)
        said = words(self.terms.mine)
        return next((id for id, called in money.items() if called & said), next(iter(money), ""))

    @cached_property
    def way(self) -> Affordance | None:
        """The deed an author wrote that wins what they keep back."""
        wanted = [
            one.fact for c in (self.kept.yields_when if self.kept else ()) for one in _flat(c)
        ]
        state = self.attempt.page.state
        for deed in self.attempt.rules.scenario.affordances:
            effects = [effect.set for way in deed.outcomes.values() for effect in way.effects]
            brings = {(new.subject, new.predicate) for new in effects if new}
            is_it = any(fact and (fact[0], fact[1]) in brings for fact in wanted)
            if is_it and deed.target == self.who and check(deed.when, state).holds:
                return deed
        return None

    def spare(self) -> str:
        """Something the player's character has that no condition of the story asks for."""
        needed = set(_needed(self.attempt))
        own = (holding.item_id for holding in self.attempt.page.state.held(PLAYER))
        return next((id for id in own if id not in needed), "")


def _needed(attempt: Attempt) -> Iterator[str]:
    """Every thing that something hangs on."""
    scenario = attempt.rules.scenario
    asked = [
        c for person in scenario.people.values() for k in person.withholds for c in k.yields_when
    ]
    asked += [condition for deed in scenario.affordances for condition in deed.when]
    for place in scenario.places.values():
        asked += [condition for way in place.exits for condition in way.when]
    yield from (deed.using for deed in scenario.affordances)
    yield from (one.has for condition in asked for one in _flat(condition) if one.has)


def _hands_over(kept: Withheld, item: str) -> bool:
    return any(effect.hand is not None and effect.hand.item == item for effect in kept.effects)


def answer_offer(attempt: Attempt, mind: AskedMind, said: str) -> None:
    """They say yes, no or a price."""
    table = BargainTable(attempt, mind, said)
    kept = table.kept
    if words(table.terms.theirs):
        now = {"turn": mind.state.turn_no, "theirs": table.terms.theirs}
        attempt.page.note(mind.who, LAST_OFFER, now)
    if kept is not None and kept.yields_when and check(kept.yields_when, mind.state).holds:
        _say(table, "free")
        tell(kept, attempt)
    elif kept is None and table.known is not None:
        _say(table, "free")
        tell(table.known, attempt)
    elif not table.theirs.does:
        _say(table, *_beside_the_point(table))
    elif mind.stance == "cold":
        _say(table, "cold")
    elif kept is not None and not kept.yields_to:
        _say(table, _what_it_takes(kept))
    else:
        _bid(table)


def _beside_the_point(table: BargainTable) -> tuple[str, dict[str, str]]:
    """Nothing they have is asked for: their known price, a friend's help, or nothing to sell."""
    price = known_price(table.who, table.mind.state, table.attempt.rules)
    if price:
        return "author", {"gist": price}
    if not words(table.terms.theirs):
        return "what", {}
    return ("help" if not table.wants_words else "nothing"), {}


def _what_it_takes(kept: Withheld) -> str:
    """A plain no to what is not for sale, and of what sort the thing is that would do."""
    for sort in ("has", "known"):
        if any(getattr(one, sort) for condition in kept.yields_when for one in _flat(condition)):
            return f"no_{sort}"
    return "no"


def _flat(condition: Condition) -> list[Condition]:
    inner = [*(condition.any or []), *(condition.all or [])]
    return [one for part in inner for one in _flat(part)] if inner else [condition]


def _bid(table: BargainTable) -> None:
    """What they would do is for sale: for what is offered, or for something else."""
    state = table.attempt.page.state
    if table.things:
        _agree(table, {"thing": table.things[0]}, "agreed", inside(state.name(table.things[0])))
    elif table.terms.amount:
        _haggle(table)
    elif _is_deed(table):
        _agree(table, {"deed": _as_it_stands(table)}, "first", table.terms.mine)
    elif table.mind.stance == "warm":
        _agree(table, {}, "taken", table.terms.mine)
    else:
        _ask_price(table)


def _is_deed(table: BargainTable) -> bool:
    """Whether it can be seen whether what is offered was done: by whom it is about, or because an
    author wrote what comes of it."""
    way = table.way
    return bool(table.deed) or (way is not None and overlap(table.terms.mine, way.words) > 0)


def _haggle(table: BargainTable) -> None:
    """A sum: enough, or theirs once more; what one has not got buys nothing."""
    state, rules = table.attempt.page.state, table.attempt.rules
    has = amount(table.purse, state, rules) if table.purse else 0
    asked = _asked_before(table)
    if table.terms.amount > has:
        _say(table, "poor")
    elif table.terms.amount >= asked * _FAIR:
        part = {"sum": table.terms.amount, "of": table.purse, "asked": asked}
        _agree(table, part, "agreed", _sum(table.terms.amount, table))
    else:
        part = {"sum": asked, "of": table.purse, "asked": asked}
        _stand_by(table, part, _sum(asked, table))


def _asked_before(table: BargainTable) -> int:
    """What they ask: as before, so long as it is for the same; what was agreed is no new price."""
    before, theirs = table.standing, table.theirs
    same = (before.get("does"), before.get("id")) == (theirs.does, theirs.id)
    return int(before.get("asked") or _SUM) if same and before["is"] in _OPEN else _SUM


def _sum(count: int, table: BargainTable) -> str:
    return f"{count} {table.attempt.rules.system.resources[table.purse].name.lower()}"


def _ask_price(table: BargainTable) -> None:
    """A word alone is not enough: what an author lets it be had for, a sum, a thing they can
    spare, or one good turn."""
    state, rules = table.attempt.page.state, table.attempt.rules
    if table.way is not None and table.way.suggest:
        _write(table, {"deed": {}}, "agreed", table.way.suggest)
        _say(table, "way", {"gist": table.way.suggest})
    elif table.purse and amount(table.purse, state, rules) >= _SUM:
        part = {"sum": _SUM, "of": table.purse, "asked": _SUM}
        _stand_by(table, part, _sum(_SUM, table))
    elif table.spare():
        _stand_by(table, {"thing": table.spare()}, inside(state.name(table.spare())))
    else:
        _agree(table, {"trust": trust(table.who, state) + 1}, "turn", "")


def _stand_by(table: BargainTable, part: dict[str, Any], mine: str) -> None:
    """They name their price, and will name no other."""
    _write(table, part, "price", mine)
    _say(table, "price", terms_said(mine))


def _agree(table: BargainTable, part: dict[str, Any], how: str, mine: str) -> None:
    _write(table, part, "agreed", mine)
    _say(table, how, terms_said(mine))


def _write(table: BargainTable, part: dict[str, Any], stands: str, mine: str) -> None:
    """What was said stands in the log."""
    theirs = table.theirs
    kept = {"is": stands, "does": theirs.does, "id": theirs.id, "mine": mine, **part}
    if table.way is not None and "deed" in part:
        kept["yields"] = True
    name, page = table.mind.state.name(table.who), table.attempt.page
    text = f"{name} and you have a bargain: “{table.said}”" if stands == "agreed" else ""
    told = IN_PLAY if stands == "agreed" else ENGINE
    page.settle(table.who, BARGAIN, kept, text=text, tags=(BARGAIN,), disclosure=told)
    page.happen("bargain", (BARGAIN,), npc=table.who, name=name, stands=stands, mine=mine)


def _as_it_stands(table: BargainTable) -> dict[str, Any]:
    """How it is now with whom, what and where a promised deed is about."""
    state = table.attempt.page.state
    return {id: [table.led, *how_it_is(id, table.led, state)] for id in table.deed}


def how_it_is(id: str, led: str, state: GameState) -> list[Any]:
    """What changes once a deed about someone, something or some place is done: who is led there is
    there, who is found was met, what is fetched is held by whom it is for."""
    entity = state.entities.get(id)
    if entity is None:
        return []
    if entity.type == "npc":
        return [bool(state.value(id, "met"))]
    if entity.type == "location" and led != PLAYER:
        return [state.value(led, "at") == id]
    if entity.type == "location":
        return [int(state.value(id, "visited") or 0)]
    return [(led, id) in state.inventory]


def _is_so(id: str, led: str, state: GameState) -> bool:
    """Whether nothing is left to be done about it; one may go to a place again."""
    return any(one is True for one in how_it_is(id, led, state))


def terms_said(mine: str) -> dict[str, str]:
    """What is asked, inside a sentence and at the head of one."""
    return {"mine": mine, "mine_first": f"{mine[:1].upper()}{mine[1:]}"} if mine else {}


def _say(table: BargainTable, how: str, says: Mapping[str, str] | None = None) -> None:
    say_it(table.attempt, table.mind.asked, SpokenAnswer("offer", how, says or {}))
