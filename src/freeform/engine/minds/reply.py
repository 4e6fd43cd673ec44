"""What someone says to a question nobody wrote an answer to: made of what they are, want, hold,
have done and were told, and of how they stand to those they are asked about.

Nothing here tells a secret: texts of an author's notes are said only where they name none.
"""

import re
from collections.abc import Callable, Sequence

from freeform.engine.authored.conditions import check
from freeform.engine.authored.script import Condition
from freeform.engine.minds.heart import from_the_heart
from freeform.engine.minds.match import choose
from freeform.engine.minds.mind import LIKE, AskedMind, SpokenAnswer
from freeform.engine.minds.question import KNOWING, SEEN, WHERE, AskedOfSomeone, opens_with
from freeform.engine.minds.straight import fate_of, seen_at, straight
from freeform.engine.minds.terms import known_price
from freeform.engine.minds.whereabouts import way_between
from freeform.engine.rules.known import has_heard_of, inside, is_known_to_be, knows_name
from freeform.engine.rulings.reach import is_gone
from freeform.engine.world.names import is_named, words
from freeform.engine.world.state import PLAYER
from freeform.language.sentences import sentences
from freeform.language.words import word_class

LIKELY, PLAINLY = 0.45, 0.7
"""How likely a question must be of a kind to be answered as one; and before all else."""
_OWN_LIFE = 0.3
"""How near a sentence about someone must be where they are asked about their own life."""
_SAME_MATTER, _DONE_LATELY, _SAID_LATELY = 0.55, 0.35, 0.2
"""How near a question must be to what someone did or said lately to be after it; less where they
share a word."""
_QUOTED = re.compile(r'["“][^"“”]*["”]')
_OF_THE_PAST = frozenset({"last", "yesterday", "were", "was", "did", "been"})
_OF_ONESELF = frozenset({"self", "past", "want", "feel", "view"})
"""Kinds of question that are about the one who is asked."""
_OF_THE_MATTER = ("who", "when", "why", "how")
HEARD = "heard:"
"""What someone was told, as the first word of its predicate."""
DID = "did:"
"""What someone did while nobody saw it, likewise."""


def reply(mind: AskedMind) -> SpokenAnswer:
    """The answer: of the kind that was asked for where that is plain, else what is honest."""
    asked = mind.asked
    kind = asked.kind if asked.kinds.get(asked.kind, 0.0) >= LIKELY else KNOWING
    heart = from_the_heart(mind, kind)
    if heart:
        return heart
    made = _REPLIES[kind](mind) if kind in _REPLIES else None
    if made and made.kind in ("doing", "past") and mind.asked.wants in _OF_THE_MATTER:
        made = None  # `who was here last night` asks for no one's whereabouts
    plain = _plainly(mind)
    if plain:
        return plain
    if made and kind != KNOWING and asked.kinds[kind] >= PLAINLY:
        return made
    lately = _done_lately(mind)
    before = _seen_here(mind) or lately or made or _told_before(mind)
    if before is None or (before.how == "kept" and mind.asked.wants):
        before = straight(mind) or before
    return before or _of_whom(mind) or _unknown(mind)


def _plainly(mind: AskedMind) -> SpokenAnswer | None:
    """Where somebody is who was asked after, or what has become of them."""
    if mind.asked.wants == SEEN:
        return seen_at(mind) or fate_of(mind)
    return _where(mind) or fate_of(mind) if mind.asked.wants == WHERE else None


def _seen_here(mind: AskedMind) -> SpokenAnswer | None:
    """What someone else did here while the player's character was away, if that is asked."""
    state = mind.state
    if mind.asked.kind not in (KNOWING, "doing", "where"):
        return None
    hidden = (state.facts[id] for id in state.hidden if id in state.facts)
    done = [
        fact
        for fact in hidden
        if fact.predicate.startswith(DID)
        and fact.object.get("value") == state.scene.location_id
        and fact.subject_id != mind.who
    ]
    named = [fact for fact in done if fact.subject_id in mind.asked.about]
    texts = [str(fact.object.get("text") or "") for fact in done]
    sense = mind.asked.rules.sense
    near = sense.near(mind.asked.text, texts) if sense and texts else []
    for fact, text, close in zip(done, texts, near, strict=False):
        if fact in named or close >= LIKE:
            return SpokenAnswer("doing", "did", {"gist": text}, reveals=fact.id)
    return None


def _done_lately(mind: AskedMind) -> SpokenAnswer | None:
    """What they said or did before the asker's eyes, if that is what they are asked after."""
    own = [told for told in mind.lately if is_named(mind.who, told, mind.state)]
    spoken = [" ".join(_QUOTED.findall(paragraph)) for paragraph in own]
    if _is_after(mind, [part for text in spoken for part in sentences(text)], _SAID_LATELY):
        return SpokenAnswer("own", "said")
    done = [_QUOTED.sub(" ", paragraph) for paragraph in own] if mind.asked.is_of_them else []
    if _is_after(mind, [part for text in done for part in sentences(text)], _DONE_LATELY):
        return SpokenAnswer("own", "did")
    return None


def _is_after(mind: AskedMind, told: Sequence[str], touched: float) -> bool:
    """Whether a question is after one of these sentences: near to it, or near enough where they
    share a word; one that is not after the speaker must be both."""
    sense, asked = mind.asked.rules.sense, mind.asked
    near = sense.near(asked.text, told) if sense and told else []
    for part, close in zip(told, near, strict=False):
        shared = bool(asked.telling & words(part))
        least = touched if shared and asked.is_of_them else _SAME_MATTER
        if close >= least and (shared or asked.is_of_them):
            return True
    return False


def _self(mind: AskedMind) -> SpokenAnswer | None:
    if mind.about and mind.about != mind.who:
        return None
    own = mind.state.entities[mind.who]
    named = own.name if knows_name(mind.who, mind.state, mind.asked.rules) else ""
    role = str(own.attrs.get("role") or named)
    looks = role.split(" ")[0] in word_class("articles")  # `a woman in a good grey coat`
    first = mind.asked.text.lower().split()[:2]
    of_another = first[:1] == ["who"] and first[1:] != ["are"]  # `who pays you`
    told = role and not looks and not of_another
    return SpokenAnswer("self", "told", {"gist": _capital(role)}) if told else _kept("self")


def _past(mind: AskedMind) -> SpokenAnswer | None:
    """From what the books and the eye have of them, and what is known of them."""
    told = _sentences_of(mind)
    known = [
        str(fact.object.get("text") or "")
        for fact in mind.state.facts_of(mind.who)
        if fact.visibility == "known"
    ]
    gist = mind.nearest([*told, *known], least=_OWN_LIFE)
    return SpokenAnswer("past", "told", {"gist": gist}) if gist else _kept("past")


def _want(mind: AskedMind) -> SpokenAnswer | None:
    person = mind.person
    price = known_price(mind.who, mind.state, mind.asked.rules)
    if price:
        return SpokenAnswer("want", "told", {"gist": price})
    has_own_words = "want" in person.heart  # whoever has them says those, and no more
    told = person.agenda_known or (mind.stance == "warm" and not has_own_words)
    if told and person.agenda and mind.may_say(person.agenda):
        return SpokenAnswer("want", "told", {"gist": person.agenda})
    names = words(mind.state.name(mind.who))
    known = [
        str(fact.object.get("text"))
        for fact in mind.state.facts_of(PLAYER)
        if fact.visibility == "known" and names & words(str(fact.object.get("text") or ""))
    ]
    if known:
        return SpokenAnswer("want", "known", {"gist": known[-1]})
    return _kept("want")


def _view(mind: AskedMind) -> SpokenAnswer | None:
    """Of someone or something that was named: by how they stand to each other."""
    if not mind.about:
        return SpokenAnswer("view", "kept")
    ties = [
        tie.intensity
        for (one, other, _), tie in mind.state.relationships.items()
        if one == mind.who and other == mind.about
    ]
    how = "plain"
    if ties and sum(ties):
        how = "warm" if sum(ties) > 0 else "cold"
    return SpokenAnswer("view", how, _named(mind))


def _trust_me(mind: AskedMind) -> SpokenAnswer | None:
    if mind.about:
        return _view(mind)
    how = "kept" if mind.stance == "plain" and mind.kept else mind.stance
    return SpokenAnswer("trust_me", how)


def _lying(mind: AskedMind) -> SpokenAnswer | None:
    return SpokenAnswer("lying", "kept" if mind.kept else "open")


def _feel(mind: AskedMind) -> SpokenAnswer | None:
    """What one sees of them says more than they do."""
    about = str(mind.state.entities[mind.who].attrs.get("description") or "")
    seen = mind.nearest(sentences(about))
    idle = [line for line in mind.person.idle if mind.may_say(line)]
    gist = seen or (idle[mind.state.turn_no % len(idle)].strip() if idle else "")
    return SpokenAnswer("feel", "told", {"gist": gist}) if gist else _kept("feel")


def _company(mind: AskedMind) -> SpokenAnswer | None:
    return SpokenAnswer("company", mind.stance, {"place": mind.place})


def _price(mind: AskedMind) -> SpokenAnswer | None:
    """What would win them over, by the sort of thing it is, never by its name."""
    for kept in mind.kept:
        for sort in ("fact", "has", "known", "trust"):
            if any(_asks_for(sort, condition) for condition in kept.yields_when):
                return SpokenAnswer("price", sort)
        return SpokenAnswer("price", "trust")
    return SpokenAnswer("price", "open")


def _asks_for(sort: str, condition: Condition) -> bool:
    inner = [*(condition.any or []), *(condition.all or [])]
    return getattr(condition, sort) is not None or any(_asks_for(sort, one) for one in inner)


def _favour(mind: AskedMind) -> SpokenAnswer | None:
    held = {h.item_id for h in mind.state.held(mind.who)}
    wanted = [id for id in mind.asked.about if id in held and not _is_hidden(id, mind)]
    if wanted:
        return SpokenAnswer("favour", "holds", {"about": inside(mind.state.name(wanted[0]))})
    return SpokenAnswer("favour", "warm" if mind.stance == "warm" else "plain")


def _is_hidden(item: str, mind: AskedMind) -> bool:
    return bool(mind.state.inventory[mind.who, item].flags.get("hidden"))


def _where(mind: AskedMind) -> SpokenAnswer | None:
    """Someone who is here or whom the player has met; a place that one can get to."""
    state, about = mind.state, mind.about
    entity = state.entities.get(about)
    if entity is None or opens_with(mind.asked.text, "what", "who", "why"):
        return None  # `what is under the mill` asks for no way there
    named = _named(mind)
    if about in state.scene.present_entity_ids:
        return SpokenAnswer("where", "here", named)
    if entity.type == "location":
        path = way_between(state.scene.location_id, about, state, mind.asked.rules)
        if len(path) == 1:
            return SpokenAnswer("where", "next", named)
        through = [step for step in path[:-1] if knows_name(step, state, mind.asked.rules)]
        if through:
            by = inside(state.name(through[0]))
            return SpokenAnswer("where", "way", {**named, "place": by})
        return None
    at = str(state.value(about, "at") or "")
    is_known = state.value(about, "met") or _is_told_at_opening(about, at, mind)
    is_known = is_known or is_known_to_be(about, at, state)
    if entity.type == "npc" and at in state.entities and is_known:
        return SpokenAnswer("where", "at", {**named, "place": inside(state.name(at))})
    return None


def _is_told_at_opening(who: str, where: str, mind: AskedMind) -> bool:
    """Whether the opening says that someone is there, so that it is no secret."""
    told = sentences(mind.asked.rules.begun.opening) if where in mind.state.entities else []
    return any(is_named(who, one, mind.state) and is_named(where, one, mind.state) for one in told)


def _doing(mind: AskedMind) -> SpokenAnswer | None:
    """What they did meanwhile, if they did anything; else what they are seen to do."""
    done = [fact for fact in mind.state.facts_of(mind.who) if fact.predicate.startswith(DID)]
    if done:
        last = done[-1]
        if last.visibility == "known" or mind.stance == "warm" or "open" in last.tags:
            gist = str(last.object.get("text") or "")
            return SpokenAnswer("doing", "did", {"gist": gist}, reveals=last.id)
        return SpokenAnswer("doing", "kept")
    idle = [line for line in mind.person.idle if mind.may_say(line)]
    said = set(mind.asked.text.lower().split())
    if idle and not said & _OF_THE_PAST:
        gist = idle[mind.state.turn_no % len(idle)].strip()
        return SpokenAnswer("doing", "told", {"gist": gist})
    return SpokenAnswer("doing", "here", {"place": mind.place})


def _advice(mind: AskedMind) -> SpokenAnswer | None:
    pointer = who_might_know(mind)
    if pointer:
        return SpokenAnswer("advice", "to", {"pointer": pointer})
    threads = [thread for thread in mind.state.threads.values() if thread.status == "active"]
    for thread in threads:
        question = str(thread.stakes.get("question") or thread.title)
        if question.endswith("?") and mind.may_say(question):
            return SpokenAnswer("advice", "thread", {"gist": question})
    return SpokenAnswer("advice", "plain")


def _told_before(mind: AskedMind) -> SpokenAnswer | None:
    """What the player told them about it."""
    heard = [
        str(fact.object.get("value") or "")
        for fact in mind.state.facts_of(mind.who)
        if fact.predicate.startswith(HEARD)
    ]
    about = mind.asked.telling
    shared = [said for said in heard if about and len(about & words(said)) * 2 >= len(about)]
    return SpokenAnswer("told", "me", {"gist": _ended(shared[-1])}) if shared else None


def _of_whom(mind: AskedMind) -> SpokenAnswer | None:
    """Who someone is, where that is all there is to say; an honest no about them otherwise."""
    entity = mind.state.entities.get(mind.about)
    if entity is None or not has_heard_of(entity.id, mind.state):
        return None
    says = _named(mind)
    pointer = who_might_know(mind)
    if pointer:
        says["pointer"] = pointer
    if mind.asked.kind == KNOWING and says.get("role") and entity.type == "npc":
        return SpokenAnswer("role", "of", says)
    return SpokenAnswer("unknown", "about", says)


def _unknown(mind: AskedMind) -> SpokenAnswer:
    if mind.asked.is_of_them and mind.asked.kind in _OF_ONESELF:
        return SpokenAnswer("unknown", "self")
    pointer = who_might_know(mind)
    return SpokenAnswer("unknown", "", {"pointer": pointer} if pointer else {})


def who_might_know(mind: AskedMind) -> str:
    """The name of somebody else who could answer it, whom the player has heard of; '' for none."""
    state, rules = mind.state, mind.asked.rules
    if mind.asked.kind not in (KNOWING, "advice", "where") or mind.asked.is_of_them:
        return ""
    for who in rules.scenario.people:
        met = has_heard_of(who, state) and knows_name(who, state, rules)
        if who == mind.who or not met or is_gone(who, state) or not state.value(who, "at"):
            continue
        other = AskedOfSomeone(mind.asked.text, who, state, rules)
        knows = [k for k in rules.person(who).knows if check(k.when, state).holds and not k.view]
        told = [bool(state.value(who, f"told:{k.id}")) for k in knows]
        found = choose(other, knows, told)
        if found is not None and not state.value(who, f"told:{found.id}"):
            return inside(state.name(who))
    return ""


def _named(mind: AskedMind) -> dict[str, str]:
    """What was named, and what everybody knows it to be."""
    entity = mind.state.entities[mind.about]
    says = {"about": inside(entity.name)}
    role = str(entity.attrs.get("role") or "")
    if role and mind.may_say(role):
        says |= {"role": _capital(role), "role_low": role}
    return says


def _sentences_of(mind: AskedMind) -> list[str]:
    """What the books and the eye have of someone."""
    about = str(mind.state.entities[mind.who].attrs.get("description") or "")
    return [*sentences(mind.notes.who), *sentences(about)]


def _kept(kind: str) -> SpokenAnswer:
    return SpokenAnswer(kind, "kept")


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _ended(text: str) -> str:
    text = _capital(text.strip().strip('"“”'))
    return text if text[-1:] in ".!?" else f"{text}."


_REPLIES: dict[str, Callable[[AskedMind], SpokenAnswer | None]] = {
    "self": _self,
    "past": _past,
    "want": _want,
    "view": _view,
    "trust_me": _trust_me,
    "lying": _lying,
    "feel": _feel,
    "company": _company,
    "price": _price,
    "favour": _favour,
    "where": _where,
    "doing": _doing,
    "advice": _advice,
}
