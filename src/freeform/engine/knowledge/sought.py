"""Answers that are looked for: who someone is, whether there is such a thing, what was said."""

from collections.abc import Callable, Sequence

from freeform.engine.knowledge.evidence import AnswerSource, Evidence
from freeform.engine.knowledge.question import PlayerQuestion
from freeform.engine.knowledge.ranking import SURE, Found, Shelf
from freeform.engine.knowledge.reply import SourcedAnswer, reply_from
from freeform.engine.knowledge.viewpoint import DETAIL, Viewpoint
from freeform.engine.rules.checks import state_type, way_open
from freeform.engine.rules.known import inside
from freeform.engine.rulings.lasting import CONDITION, DEED
from freeform.engine.world.state import PLAYER
from freeform.language.forms import is_plural
from freeform.language.relevance import near, telling
from freeform.language.tables import cues
from freeform.language.words import words

_MOST = 2
_MOST_DONE = 6
_MOST_LEARNT = 4
_THINGS = ("item", "object")
_SORTS = {"npc": "person", "location": "place", "faction": "group of people"}
_FRAMES = frozenset({"there", "see", "anything"})
"""One of these is in every question whether something is there."""
_LIKE_ENOUGH, _ENOUGH = 0.66, 0.4
_SEEN = ("person", "detail", "thing", "carried", "way", "place")
_DESCRIBED = (*_SEEN, "npc", "faction", "location", "item", "object")
"""Sources that say what something is, what is before one's eyes first."""


def answer_by_kind(question: PlayerQuestion, shelf: Shelf) -> SourcedAnswer | None:
    """The answer to a question of a kind that knows where to look."""
    if question.wants == "contents":
        return _contents(question, shelf)
    seek = _SEEKING.get(question.kind.kind)
    like = seek and question.kind.likeness >= _LIKE_ENOUGH
    found = seek(question, shelf) if seek and like else None
    return found or _whom(question, shelf)


def _contents(question: PlayerQuestion, shelf: Shelf) -> SourcedAnswer | None:
    """What is in a part of the place: what a look at it shows."""
    details = [id for id in question.targets if id in question.view.details]
    return _identity(question, shelf) if details and not question.rest else None


def _whom(question: PlayerQuestion, shelf: Shelf) -> SourcedAnswer | None:
    """Who of those here it is of whom all that is said."""
    view = question.view
    if question.wants != "person" or any(id in view.people for id in question.targets):
        return None
    for who in view.people:
        said = " ".join(p.text for p in shelf.pieces if who in p.about)
        if question.rest and question.rest <= telling(f"{said} {view.names(who)}"):
            own = [p for p in shelf.pieces if p.source.kind == "person" and p.source.id == who]
            return reply_from(own[:_MOST])
    return None


def _identity(question: PlayerQuestion, shelf: Shelf) -> SourcedAnswer | None:
    """Who or what it is: what is seen of it, then what is known of it, then what was told."""
    if question.rest or len(question.subjects) != 1:
        return None
    return _of(question, shelf, (*_DESCRIBED, "fact", "turn"))


def _known(question: PlayerQuestion, shelf: Shelf) -> SourcedAnswer | None:
    """What was learnt of it; where one asks whether one knows it, one's own past first."""
    if not question.rest and len(question.subjects) == 1:
        kinds = ("fact", "self") if question.wants == "thing" else ("self",)
        own = _of(question, shelf, kinds, mere_mention=False)
        return own or _of(question, shelf, (*_DESCRIBED, "turn"))
    learnt = [f for f in shelf.ranked(question) if f.piece.source.kind in ("fact", "self", "turn")]
    sure = [f.piece for f in learnt if f.share.part >= SURE]
    return reply_from(sure[:_MOST]) if sure else None


def _of(
    question: PlayerQuestion, shelf: Shelf, kinds: Sequence[str], *, mere_mention: bool = True
) -> SourcedAnswer | None:
    """The first sentences, by kind of source, that speak of what was named."""
    ids = question.subjects[0].ids
    found: list[Evidence] = []
    for kind in kinds:
        own = [p for p in shelf.pieces if p.source.kind == kind and _speaks_of(p, ids, question)]
        if not mere_mention:
            own = [p for p in own if kind == "self" or _is_subject(p, ids, question.view)]
        found += [p for p in own if p not in found][: _MOST - len(found)]
        if found and kind not in ("self", "fact"):
            break
    return reply_from(found[:_MOST]) if found else None


def _speaks_of(piece: Evidence, ids: frozenset[str], question: PlayerQuestion) -> bool:
    """Of itself where it is described; else in its words."""
    if piece.source.where == "habit":
        return False
    if piece.source.kind in _DESCRIBED:
        own = piece.source.id in ids or any(id.endswith(f":{piece.source.id}") for id in ids)
        return own and piece.place >= 0
    return not piece.about.isdisjoint(ids)


def _is_subject(piece: Evidence, ids: frozenset[str], view: Viewpoint) -> bool:
    """Whether a fact is told of it, not merely with it in it."""
    fact = view.state.facts.get(piece.source.id)
    return fact is not None and fact.subject_id in ids


def _exists(question: PlayerQuestion, shelf: Shelf) -> SourcedAnswer | None:
    """Whether such a thing is to be seen: by its name, or in what is seen or was told just now."""
    whole = telling(cues("questions")["whole_place"])
    wanted = frozenset(question.wanted) - question.kind.words - whole
    if not wanted or _FRAMES.isdisjoint(question.plain):
        return None
    seen = [p for p in shelf.pieces if p.source.kind in _SEEN and _goes_by(p, wanted)]
    if seen:
        first = min(seen, key=lambda piece: (piece.place, len(piece.text)))
        return reply_from([first], _there_is(first, question.view))
    ranked = shelf.ranked(question)
    named = [f for f in ranked if question.head in f.share.found and f.share.part >= _ENOUGH]
    here = [f for f in named if _is_here(f, question.view)]
    if here:
        return reply_from([here[0].piece])
    if named:
        return None
    thing = " ".join(word for word in words(question.text) if telling(word) & wanted)
    return SourcedAnswer(f"You see no {thing} here.", [AnswerSource("place", question.view.here)])


def _there_is(piece: Evidence, view: Viewpoint) -> str:
    """A part of the place by its name, where its sentence does not say what it is."""
    id = f"{DETAIL}{piece.source.id}"
    if id not in view.details or piece.text.startswith("There is"):
        return ""
    verb = "are" if is_plural(view.details[id].name) else "is"
    return f"There {verb} {view.called(id)}."


def _goes_by(piece: Evidence, wanted: frozenset[str]) -> bool:
    names = telling(piece.implied)
    return all(word in names or near(word) & names for word in wanted)


def _is_here(found: Found, view: Viewpoint) -> bool:
    """Whether it speaks of what is here and now."""
    source = found.piece.source
    if source.kind == "turn":
        return int(source.id) >= view.since
    return source.kind in _SEEN and source.where != "habit"


def _said(question: PlayerQuestion, shelf: Shelf) -> SourcedAnswer | None:
    """The last words someone spoke, or what a thing says."""
    entities = question.view.state.entities
    if any(id in entities and entities[id].type in _THINGS for id in question.targets):
        return _identity(question, shelf)
    spoken = [p for p in shelf.pieces if p.source.kind == "turn" and _is_speech(p.text)]
    targets = frozenset(question.targets)
    of_them = [p for p in spoken if not targets or not p.about.isdisjoint(targets)]
    if not of_them:
        return None
    return reply_from([p for p in of_them if p.source == of_them[0].source][-_MOST:])


def _doing(question: PlayerQuestion, shelf: Shelf) -> SourcedAnswer | None:
    """What someone is at: what they are seen to do."""
    targets = frozenset(question.targets)
    seen = [p for p in shelf.pieces if p.source.where == "habit" and p.source.id in targets]
    return reply_from(seen[:1]) if seen and not question.rest else None


def _is_speech(text: str) -> bool:
    return any(mark in text for mark in '"“”')


def _task(question: PlayerQuestion, shelf: Shelf) -> SourcedAnswer | None:
    """What brought the character here, and what is open."""
    facts = _come_to_know(question, shelf)
    given = [p for p in facts if PLAYER in p.about]
    given += [p for p in facts if "you" in words(p.text)]
    given += [p for p in shelf.pieces if p.source.kind == "self"]
    asked = [p for p in shelf.pieces if p.source.kind == "thread"]
    found = [*given[:1], *asked[:1]]
    return reply_from(found) if found else None


def _learnt(question: PlayerQuestion, shelf: Shelf) -> SourcedAnswer | None:
    """What the character has come to know, the newest first, and what is open."""
    facts = _come_to_know(question, shelf)
    asked = [p for p in shelf.pieces if p.source.kind == "thread"]
    found = [*facts[:_MOST_LEARNT], *asked[:1]]
    return reply_from(found) if found and not question.targets else None


def _own_deeds(question: PlayerQuestion, shelf: Shelf) -> SourcedAnswer | None:
    """What the character did, as it was kept, the newest last; and what became so by it."""
    done = [
        fact
        for fact in question.view.state.newest_facts()
        if {DEED, CONDITION} & set(fact.tags) and fact.object.get("value")
    ][:_MOST_DONE]
    pieces = [Evidence(str(f.object["text"]), AnswerSource("fact", f.id)) for f in reversed(done)]
    return reply_from(pieces) if pieces else None


def _come_to_know(question: PlayerQuestion, shelf: Shelf) -> list[Evidence]:
    """Facts that were learnt: not agreed before play, and not made so by one's own hand."""
    others = {
        fact.id
        for fact in question.view.facts
        if fact.discovery_method == "session zero" or CONDITION in fact.tags
    }
    return [p for p in shelf.pieces if p.source.kind == "fact" and p.source.id not in others]


def _news(question: PlayerQuestion, shelf: Shelf) -> SourcedAnswer | None:
    """What was told last, and what is open."""
    told = [p for p in shelf.pieces if p.source.kind == "turn" and not p.text.endswith("?")]
    newest = [p for p in told if p.source == told[0].source]
    asked = [p for p in shelf.pieces if p.source.kind == "thread"]
    found = [*newest[-_MOST:], *asked[:1]]
    return reply_from(found) if found else None


def _deed(question: PlayerQuestion, shelf: Shelf) -> SourcedAnswer | None:
    """Whether one could do it: one may try, and what it would take."""
    rules = question.view.rules
    for name, kind in rules.system.action_types.items():
        verbs = [verb for verb in kind.verbs if " " not in verb]
        if kind.free or name in ("look", "search", "recall") or not _does(question, verbs):
            continue
        source = [AnswerSource("rules", name, rules.system.name)]
        if kind.roll == "never":
            return SourcedAnswer("You can try, and it would need no dice.", source)
        stat = " and ".join(rules.system.stat_map.get(kind.stat, [kind.stat]))
        return SourcedAnswer(f"You can try. It would be a roll of {stat}.", source)
    return None


def _does(question: PlayerQuestion, verbs: list[str]) -> bool:
    """Whether what follows `can I` is one of the verbs."""
    said = question.plain
    at = next((n for n, word in enumerate(said) if word in ("i", "we")), -1)
    return 0 <= at < len(said) - 1 and said[at + 1] in verbs


def _walk(question: PlayerQuestion, shelf: Shelf) -> SourcedAnswer | None:
    """How long a walk to a place that is named takes, as the clock of the story will count it."""
    view = question.view
    named = [id for id in question.targets if state_type(id, view.state) == "location"]
    if not named:
        return None
    path, refusal = way_open(named[0], view.state, view.rules)
    if not path:
        return SourcedAnswer(refusal.reason, [AnswerSource("way", named[0])]) if refusal else None
    minutes = view.rules.system.action_types["move"].minutes
    there = inside(view.state.name(path[-1]))
    short = "" if path[-1] == named[0] else ", which is as far as you know the way"
    text = f"To {there} it is about {minutes} minutes{short}, and as long back."
    return SourcedAnswer(text, [AnswerSource("way", path[0])])


def _sort(question: PlayerQuestion, shelf: Shelf) -> SourcedAnswer | None:
    """Whether what is named is somebody, a place or a thing."""
    view = question.view
    named = [id for id in question.targets if id in view.state.entities]
    if not named:
        return None
    sort = _SORTS.get(view.state.entities[named[0]].type, "thing")
    name = view.called(named[0])
    text = f"{name[:1].upper()}{name[1:]} is a {sort}."
    return SourcedAnswer(text, [AnswerSource(sort, named[0])])


_SEEKING: dict[str, Callable[[PlayerQuestion, Shelf], SourcedAnswer | None]] = {
    "identity": _identity,
    "known": _known,
    "exists": _exists,
    "said": _said,
    "doing": _doing,
    "task": _task,
    "news": _news,
    "learnt": _learnt,
    "own_deeds": _own_deeds,
    "deed": _deed,
    "sort": _sort,
    "walk": _walk,
}
