"""A straight answer to who, where, when, how, why and whether: what is plain, a plain no, or that
they do not know; and a lead with it that is true, since whoever it names knows something and
whatever it names shows something."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from freeform.engine.authored.conditions import check
from freeform.engine.minds.mind import AskedMind, SpokenAnswer
from freeform.engine.minds.question import DID, SEEN
from freeform.engine.minds.whereabouts import way_between
from freeform.engine.rules.known import has_heard_of, inside, is_known_to_be, knows_name
from freeform.engine.rulings.reach import is_gone
from freeform.engine.world.names import is_named
from freeform.engine.world.state import Fact
from freeform.language.words import word_class

LED = "led"
"""The leads someone has given, by their ids."""
FATE = "fate_told"
"""Whether someone has said what became of somebody, before that one's id."""
_NAMED, _CORE = 0.2, 0.15
"""What it counts for a lead that it is about whom the question names; and against it, that it is
the answer itself."""
_NEAR_ENOUGH = 0.25
"""How near a lead must be to what was asked, where it names nobody the question names."""
_ASKED_OF_YOU = re.compile(r"\W*(did|have|had|were|was)\s+you\b\s*(.*?)\W*$", re.I | re.S)
_OF_YOU = re.compile(
    r"\b(?:did|do|have|had|were|are|will|would|could|should) you\b(?!(?: last| ever| first)?"
    r" (?:see|saw|seen|hear|heard|know|notice|noticed|think|meet|met|find|found)\b)|\byour\b",
    re.I,
)
"""What asks after the doings of the one who is asked, or after what is theirs."""
_TURNED = {
    "my": "your",
    "mine": "yours",
    "me": "you",
    "your": "my",
    "yours": "mine",
    "i": "you",
    "you": "me",
}
_LONGEST = 12


@dataclass(frozen=True)
class TrueLead:
    """Something not yet known, and who would tell of it or what shows it."""

    id: str
    fact: str
    says: dict[str, str]
    weight: float = 0.0


def straight(mind: AskedMind) -> SpokenAnswer | None:
    """The answer to a question for one particular thing; None where it asks for none."""
    wants = mind.asked.wants
    if not wants:
        return None
    if wants == DID:
        return _did(mind)
    if wants != SEEN and _OF_YOU.search(mind.asked.text):
        return SpokenAnswer("straight", "own")
    said = {"about": mind.heard_of} if mind.heard_of else {}
    return with_lead(SpokenAnswer("straight", wants, said), mind)


def fate_of(mind: AskedMind) -> SpokenAnswer | None:
    """What is known to have become of whom the question names, from who has not said it yet."""
    for id in mind.asked.about:
        entity = mind.state.entities[id]
        told = str(entity.attrs.get("fate_told") or "")
        noted = f"{FATE}:{id}"
        is_found = mind.state.value(id, "met") or id in mind.state.scene.present_entity_ids
        if told and not is_found and not mind.state.value(mind.who, noted):
            says = {"about": inside(entity.name), "gist": told}
            how = "dead" if entity.attrs.get("fate") == "dead" else "gone"
            return with_lead(SpokenAnswer("straight", how, says, notes=(noted,)), mind)
    return None


def _did(mind: AskedMind) -> SpokenAnswer | None:
    """What they say to `did you`: of what was hidden, they own to what is out of themselves, give
    no clean answer where it is not, and say no to what is another's. What it is not about, nobody
    wrote either way: None."""
    if not mind.touched:
        return None
    own = [fact for fact in mind.touched if _is_of(mind.who, fact, mind)]
    if own:
        is_out = own[0].visibility == "known"
        return SpokenAnswer("own", "owned") if is_out else SpokenAnswer("accuse", "kept")
    denied = _denied(mind.asked.text)
    says = {"gist": denied} if denied else {}
    return with_lead(SpokenAnswer("straight", "no" if denied else "no_bare", says), mind)


def _is_of(who: str, fact: Fact, mind: AskedMind) -> bool:
    text = str(fact.object.get("text") or "")
    return fact.subject_id == who or is_named(who, text, mind.state)


def _denied(asked: str) -> str:
    """`did you take my book?` as who did not says it: `I did not take your book`."""
    found = _ASKED_OF_YOU.match(asked)
    parts = found[2].split() if found else []
    if (
        not found
        or not parts
        or len(parts) > _LONGEST
        or parts[-1].lower() in word_class("articles")
    ):
        return ""
    helping = {"were": "was"}.get(found[1].lower(), found[1].lower())
    turned = [_TURNED.get(part.lower(), part) for part in parts]
    return f"I {helping} not {' '.join(turned)}."


def with_lead(answer: SpokenAnswer, mind: AskedMind) -> SpokenAnswer:
    """The answer, with the nearest true lead that nobody has given yet."""
    lead = true_lead(mind)
    if lead is None:
        return answer
    given = [*(mind.state.value(mind.who, LED) or []), lead.id]
    notes = (*answer.notes, (LED, given))
    return SpokenAnswer(answer.kind, answer.how, {**answer.says, **lead.says}, notes=notes)


def lead_alone(mind: AskedMind) -> SpokenAnswer | None:
    """A true lead for who only named something; None where there is none."""
    led = with_lead(SpokenAnswer("lead"), mind)
    how = "see" if "spot" in led.says else "ask" if "pointer" in led.says else ""
    return SpokenAnswer("lead", how, led.says, notes=led.notes) if how else None


def true_lead(mind: AskedMind) -> TrueLead | None:
    """Of what is not known yet, and can be learnt now, what is nearest to the question."""
    state, rules = mind.state, mind.asked.rules
    given = {id for who in rules.scenario.people for id in state.value(who, LED) or []}
    own = {id for kept in mind.person.withholds for id in kept.reveals}
    own |= {id for id in state.hidden if state.facts[id].subject_id == mind.who}
    found = (*_seen(mind), *_told(mind))
    leads = [lead for lead in found if lead.id not in given and lead.fact not in own]
    texts = [str(state.facts[lead.fact].object.get("text") or "") for lead in leads]
    near = rules.sense.near(mind.asked.text, texts) if rules.sense and texts else []
    best, most = None, 0.0
    for lead, text, close in zip(leads, texts, near, strict=False):
        named = any(is_named(id, text, state) for id in mind.asked.about)
        worth = close + lead.weight + (_NAMED if named else 0.0)
        if worth > most and (named or close >= _NEAR_ENOUGH):
            best, most = lead, worth
    return best


def _seen(mind: AskedMind) -> Iterator[TrueLead]:
    """What can be looked at, in a place that one can get to."""
    state, rules = mind.state, mind.asked.rules
    here = state.scene.location_id
    for place, authored in rules.scenario.places.items():
        if place != here and not way_between(here, place, state, rules):
            continue
        for detail in authored.details:
            fact = next((id for id in detail.reveals if id in state.hidden), "")
            if fact and check(detail.when, state).holds and mind.may_say(detail.name):
                where = "here" if place == here else f"at {inside(state.name(place))}"
                yield TrueLead(f"see:{fact}", fact, {"spot": inside(detail.name), "place": where})


def _told(mind: AskedMind) -> Iterator[TrueLead]:
    """Who else would tell of it, or keeps it back, of those one has heard of."""
    state, rules = mind.state, mind.asked.rules
    core = {id for clue in rules.scenario.clues for id in clue.facts}
    for who, person in rules.scenario.people.items():
        met = has_heard_of(who, state) and knows_name(who, state, rules)
        at = state.where(who)
        secret = state.entities[who].attrs.get("whereabouts") == "secret"
        if who == mind.who or not met or not at or secret or is_gone(who, state):
            continue
        where = "here" if at == state.scene.location_id else f"at {inside(state.name(at))}"
        for known in (*person.knows, *person.withholds):
            fact = next((id for id in known.reveals if id in state.hidden), "")
            if fact and check(known.when, state).holds:
                weight = -_CORE if fact in core else 0.0
                says = {"pointer": inside(state.name(who)), "place": where}
                yield TrueLead(f"ask:{who}:{fact}", fact, says, weight)


def seen_at(mind: AskedMind) -> SpokenAnswer | None:
    """Where somebody or something is that they are asked whether they have seen it."""
    if mind.asked.wants != SEEN or not mind.about:
        return None
    state, about = mind.state, mind.about
    at = _place_of(mind, about)
    if not at:
        return None
    place = "here" if at == state.scene.location_id else f"at {inside(state.name(at))}"
    return SpokenAnswer(
        "straight", "seen_yes", {"about": inside(state.name(about)), "place": place}
    )


def _place_of(mind: AskedMind, about: str) -> str:
    """Where everybody could have seen it; '' where it is hidden, or nobody knows."""
    state = mind.state
    entity = state.entities[about]
    if entity.type == "npc":
        at = state.where(about)
        return at if state.value(about, "met") or is_known_to_be(about, at, state) else ""
    for (owner, item), held in state.inventory.items():
        if item == about and owner in mind.asked.rules.scenario.places:
            here = state.scene.location_id
            is_open = owner == here or way_between(here, owner, state, mind.asked.rules)
            return owner if is_open and not held.flags.get("hidden") else ""
    return ""
