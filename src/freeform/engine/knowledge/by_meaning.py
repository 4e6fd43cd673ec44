"""What answers a question by meaning: each sentence that could is held beside the question."""

from collections.abc import Iterator, Sequence

from freeform.engine.knowledge.evidence import AnswerSource, Evidence, whole_sentences
from freeform.engine.knowledge.question import PlayerQuestion
from freeform.engine.knowledge.ranking import Shelf
from freeform.engine.knowledge.viewpoint import Viewpoint
from freeform.engine.rules.known import inside, listed
from freeform.engine.world.state import PLAYER
from freeform.language.relevance import telling

LIKELY = 0.4
"""How likely a sentence must answer a question to be told as its answer: of questions whose
moments it had never seen, what it chose so was right in two of three."""
UNLIKELY = 0.02
"""What answers so seldom is no answer, whatever words it shares."""
_TERSE = 2
"""Words of a sentence that says nothing by itself: `No.`"""
_MOST, _TOLD = 16, 2
"""Sentences that are held beside a question, and that are told."""


def best_by_meaning(question: PlayerQuestion, shelf: Shelf) -> list[Evidence]:
    """The sentence that answers it most likely, if it likely does; with a second that does too."""
    view = question.view
    if view.rules.answers is None:
        return []
    pieces = [*at_a_glance(view), *shelf.fitting(question, _MOST)]
    sentences = [_in_full(piece, view) for piece in pieces]
    chances = view.rules.answers.answers(question.text.strip(), sentences)
    ranked = sorted(zip(chances, range(len(pieces)), strict=False), reverse=True)
    likely = [pieces[at] for chance, at in ranked[:_TOLD] if chance >= LIKELY]
    return _in_order(likely)


def may_answer(question: PlayerQuestion, text: str) -> bool:
    """Whether what was found by words may be its answer: not where it plainly is none."""
    finder = question.view.rules.answers
    if finder is None:
        return True
    told = [text, *(one for one in whole_sentences(text) if len(one.split()) > _TERSE)]
    chances = finder.answers(question.text.strip(), told)
    return not chances or max(chances) >= UNLIKELY


def _in_order(pieces: Sequence[Evidence]) -> list[Evidence]:
    """Two sentences of one text as they stand in it; of others the best first."""
    if len(pieces) > 1 and pieces[0].source == pieces[1].source:
        return sorted(pieces, key=lambda piece: piece.place)
    return list(pieces)


def _in_full(piece: Evidence, view: Viewpoint) -> str:
    """The sentence with whom or what it describes before it, where it does not say so."""
    id = piece.source.id
    if piece.source.kind in ("turn", "fact", "place", "way") or id not in view.state.entities:
        return piece.text
    name = view.called(id)
    if not telling(name).isdisjoint(telling(piece.text)):
        return piece.text
    return f"{name[:1].upper()}{name[1:]}: {piece.text}"


def at_a_glance(view: Viewpoint) -> Iterator[Evidence]:
    """How things stand, in plain sentences: who is here, what one carries, where others are."""
    state = view.state
    carried = listed([view.called(id) for id in view.carried]) or "nothing"
    yield Evidence(f"You carry {carried}.", AnswerSource("carried"))
    people = [view.called(who) for who in view.people]
    here = f"{listed(people)} {'is' if len(people) == 1 else 'are'} here" if people else ""
    yield Evidence(f"{here or 'Nobody else is here'}.", AnswerSource("place", view.here))
    ways = listed([view.leads_to(way) or inside(way.name) for way in view.ways])
    if ways:
        yield Evidence(f"From here you can go to {ways}.", AnswerSource("place", view.here))
    yield from _elsewhere(view)
    hero = state.entities.get(PLAYER)
    if hero is not None:
        concept = str(hero.attrs.get("concept") or "").strip()
        yield Evidence(f"You are {hero.name}. {concept}".strip(), AnswerSource("self", PLAYER))
    for thread in state.threads.values():
        if thread.status == "active":
            yield Evidence(
                _ended(f"You want this settled: {thread.title}"), AnswerSource("thread", thread.id)
            )


def _elsewhere(view: Viewpoint) -> Iterator[Evidence]:
    """Where those are whom one has met and left."""
    state = view.state
    for entity in state.entities.values():
        where = state.where(entity.id)
        left = entity.type == "npc" and where and where != view.here
        if left and state.value(entity.id, "met") and state.value(where, "visited"):
            name, place = view.called(entity.id), inside(state.name(where))
            text = f"{name[:1].upper()}{name[1:]} is at {place}, where you left them."
            yield Evidence(text, AnswerSource("person", entity.id))


def _ended(text: str) -> str:
    """With a stop, where it has none."""
    return text if text[-1:] in ".!?" else f"{text}."
