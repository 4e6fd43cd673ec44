"""A player's question answered from what their character perceives and knows, or not at all."""

from collections.abc import Sequence

from freeform.core.chance import Chance
from freeform.engine.knowledge.by_meaning import best_by_meaning, may_answer
from freeform.engine.knowledge.direct import answer_directly
from freeform.engine.knowledge.evidence import AnswerSource, Evidence, gather, way_sentence
from freeform.engine.knowledge.question import PlayerQuestion, asked_in
from freeform.engine.knowledge.ranking import FAIR, Found, Shelf, choose
from freeform.engine.knowledge.remark import named_stats
from freeform.engine.knowledge.reply import SourcedAnswer, reply_from
from freeform.engine.knowledge.rule_sayings import rule_of_stat
from freeform.engine.knowledge.sayings import saying
from freeform.engine.knowledge.sought import answer_by_kind
from freeform.engine.knowledge.viewpoint import Viewpoint
from freeform.engine.rules.known import inside
from freeform.engine.world.names import is_named
from freeform.engine.world.state import Fact
from freeform.language.relevance import telling

_MOST_TOLD = 2
"""Questions of one breath that are answered."""
_IN_SHORT = frozenset({"task", "learnt", "news", "own_deeds", "sort", "walk"})
"""Kinds of questions whose answer sums up and need not read like one."""
_TO_BE_SEEN = frozenset({"people", "ways", "things", "hour", "wounds"})
"""Kinds of questions that a look answers."""
_OF_A_QUESTION = ("person", "reason")
"""What a story asks: who it is, and why."""
_BEHIND = frozenset({"behind"})
_HALF = 0.5
"""How many of its words what is near a question must have."""


def answer_question(text: str, pointed: str, view: Viewpoint, chance: Chance) -> SourcedAnswer:
    """The best one or two sentences, or an honest word that there are none. Who asks two things at
    once is told both, where the second is plain."""
    limits = view.rules.limits(view.state)
    shelf = Shelf(gather(view))
    questions = [PlayerQuestion(part, view, pointed) for part in asked_in(text)]
    if len(questions) == 1 and asks_what_is_open(questions[0]):
        here = [AnswerSource("place", view.here)]
        return SourcedAnswer(saying("still_open", chance), here, found=False)
    replies: list[SourcedAnswer] = []
    for question in questions:
        reply = _plainly(question, shelf) if replies else _answer(question, shelf, chance)
        if reply and not limits.allows(reply.text):
            allowed = Shelf([piece for piece in shelf.pieces if limits.allows(piece.text)])
            reply = _answer(question, allowed, chance)
        if reply and limits.allows(reply.text):
            replies.append(reply)
    if replies:
        return _together(replies[:_MOST_TOLD])
    return _unknown(questions[0] if questions else PlayerQuestion(text, view), chance)


def asks_what_is_open(question: PlayerQuestion) -> bool:
    """Whether it asks who or why of what a story's own question asks, in its words, and nobody has
    found that out: whatever else has those words is no answer."""
    asked = telling(question.text) - _BEHIND
    if question.wants not in _OF_A_QUESTION or not asked or question.targets:
        return False
    threads = question.view.state.threads.values()
    titles = [t.title for t in threads if t.status == "active" and t.title.endswith("?")]
    return any(asked <= telling(title) for title in titles)


def _together(replies: Sequence[SourcedAnswer]) -> SourcedAnswer:
    """Answers to questions of one breath, each told once."""
    told = list(dict.fromkeys(reply.text for reply in replies))
    sources = [source for reply in replies for source in reply.sources]
    return SourcedAnswer(" ".join(told), list(dict.fromkeys(sources)))


def glimpse_of(text: str, view: Viewpoint) -> SourcedAnswer | None:
    """What the character has before their eyes of what they look at; None where nothing told."""
    limits = view.rules.limits(view.state)
    here = [piece for piece in gather(view) if _is_in_sight(piece, view)]
    shelf = Shelf([piece for piece in here if limits.allows(piece.text)])
    question = PlayerQuestion(text, view)
    ranked = [found for found in shelf.ranked(question) if found.is_sure]
    return reply_from([ranked[0].piece]) if ranked else None


def seen_at_once(text: str, view: Viewpoint) -> SourcedAnswer | None:
    """What whoever looks for it sees of how things stand: who is here, the ways out, the hour; None
    where they look for something else."""
    question = PlayerQuestion(f"I look {text}", view).by_meaning()
    if question is None or question.kind.kind not in _TO_BE_SEEN:
        return None
    seen = answer_directly(question)
    return seen if seen and view.rules.limits(view.state).allows(seen.text) else None


def _is_in_sight(piece: Evidence, view: Viewpoint) -> bool:
    """Whether a sentence tells of what is here, or was told or learnt of what may be."""
    source = piece.source
    if source.kind in ("turn", "fact", "detail"):
        return True
    return view.is_seen(source.id) and source.where != "habit"


def _answer(question: PlayerQuestion, shelf: Shelf, chance: Chance) -> SourcedAnswer | None:
    return _plainly(question, shelf) or _best(question, shelf, chance)


def _plainly(question: PlayerQuestion, shelf: Shelf) -> SourcedAnswer | None:
    """What is plain from how things stand, or where its kind of question looks."""
    for reply in (answer_directly(question), answer_by_kind(question, shelf)):
        if reply and (question.kind.kind in _IN_SHORT or may_answer(question, reply.text)):
            return reply
    meant = question.by_meaning()
    return _plainly(meant, shelf) if meant else None


def _best(question: PlayerQuestion, shelf: Shelf, chance: Chance) -> SourcedAnswer | None:
    """What answers it by meaning, or by its words; else what is near it, said to be no more."""
    meant = best_by_meaning(question, shelf)
    if meant:
        return reply_from(meant)
    ranked = shelf.ranked(question)
    sure = [found for found in ranked if found.is_sure]
    if sure:
        chosen = choose(sure, question, shelf)
        if sure[0].as_wanted or len(chosen) > 1:
            return reply_from(chosen)
    measured = [found for found in ranked if found.is_measured]
    if measured:
        return reply_from([measured[0].piece])
    way = _way_there(question)
    if way:
        return reply_from(way)
    beside = _near(question, ranked)
    return reply_from(beside, saying("partly", chance)) if beside else None


def _near(question: PlayerQuestion, ranked: Sequence[Found]) -> list[Evidence]:
    """The sentence that has half of what was asked, and more of it than one word of a name."""
    for found in ranked:
        half = found.most >= _HALF
        by_name = len(found.share.found) > 1 and question.wants in ("person", "reason")
        enough = found.of_all or (by_name and found.of_named)
        if half and enough and found.share.part >= FAIR and question.head in found.share.found:
            return [found.piece]
    return []


def _way_there(question: PlayerQuestion) -> list[Evidence]:
    """Where it lies, or how one gets there, if that was asked: the way that leads there."""
    view = question.view
    if question.wants not in ("distance", "place"):
        return []
    there = [way for way in view.ways if way.to in question.targets and way_sentence(way, view)]
    return [Evidence(way_sentence(way, view), AnswerSource("way", way.to)) for way in there[:1]]


def _unknown(question: PlayerQuestion, chance: Chance) -> SourcedAnswer:
    """Nothing seen or known answers it; something in sight might."""
    view = question.view
    here = [AnswerSource("place", view.here)]
    fitting = _look_closer(question)
    stats = named_stats(question.text, view.rules)
    if stats and not question.targets:
        return rule_of_stat(stats[0], view.rules, view.state)
    if question.is_of_hearing and not question.rest:
        return SourcedAnswer(saying("unheard", chance), here, found=False)
    known = _known_of(question)
    if known:
        source = AnswerSource("fact", known.id)
        text = str(known.object.get("text", ""))
        return SourcedAnswer(saying("all_known", chance, text=text), [source], found=False)
    if fitting:
        return SourcedAnswer(saying("closer", chance, name=fitting), here, found=False)
    return SourcedAnswer(saying("unknown", chance), here, found=False)


def _known_of(question: PlayerQuestion) -> Fact | None:
    """What the character knows of the person asked about, the nearest to the question."""
    state = question.view.state
    limits = question.view.rules.limits(state)
    known_ones = [state.entities[id] for id in question.targets if id in state.entities]
    people = [
        entity.id
        for entity in known_ones
        if entity.type == "npc" and is_named(entity.id, question.text, state)
    ]
    known = [
        fact
        for id in people[:1]
        for fact in state.facts_of(id)
        if fact.visibility == "known" and fact.object.get("text")
        if limits.allows(str(fact.object["text"]))
    ]
    asked = telling(question.text)
    return max(known, key=lambda fact: len(asked & telling(str(fact.object["text"]))), default=None)


def _look_closer(question: PlayerQuestion) -> str:
    """Something in sight that a closer look might tell more of; '' where nothing fits."""
    view = question.view
    seen = [id for id in question.targets if view.is_seen(id) or id in view.details]
    if seen:
        return view.called(seen[0])
    named = {id: view.names(id) for id in view.details}
    named |= {w.name: " ".join([w.name, *w.aliases]) for w in view.ways if w.name}
    for id, names in named.items():
        if not telling(names).isdisjoint(question.wanted):
            return view.called(id) if id in view.details else inside(id)
    return ""
