"""What was told lately and calls for a deed: what people of the story told the party to do (`"Use
the pole," Obed says`; who says it may lie), and what is amiss with somebody who is spoken of."""

import re
from collections.abc import Collection, Iterator, Sequence

from freeform.engine.authored.system import System
from freeform.language.sentences import sentences
from freeform.language.words import words
from freeform.players.memory.learning import QUOTED
from freeform.players.mind.topics import weighty
from freeform.players.model import Option, RoundRecord, Ruling, TableView

ADVISED = "advised"
"""The topic of a deed that somebody of the story has told us to do."""
_LONGEST, _SHORTEST = 9, 2
_NO = re.compile(r"\b(?:not|never|no|n't|nobody|nothing)\b|n['’]t\b", re.I)
_ME = re.compile(r"\b(?:me|us)\b", re.I)
_END = re.compile(r"[,;:—].*$|\b(?:and|or|before|if|when|then|but|so)\b.*$", re.I)


def advised_verbs(system: System) -> frozenset[str]:
    """How an order may begin: with what one does to things, places and people by the rules of the
    table. What is only said or waited out is no advice."""
    kinds = [kind for kind in system.action_types.values() if kind.target not in _NO_DEED]
    return frozenset(verb for kind in kinds if not kind.free for verb in kind.verbs)


_NO_DEED = ("none",)


def advice_in(
    rounds: Sequence[RoundRecord], table: TableView, verbs: Collection[str]
) -> list[Option]:
    """Deeds that the game master hinted at or somebody told us to do in these rounds and in this
    place, newest first; what people said, if it is about something that is at hand."""
    place, people = table.place, table.people
    at_hand = [*table.things, *table.people, *table.carried, *table.names, *table.threads]
    known = frozenset(word for name in at_hand for word in weighty(name))
    found: dict[str, Option] = {}
    for ruling in ruled_at(place, rounds):
        for hint in [str(e.get("text", "")) for e in ruling.events if e.get("type") == "hinted"]:
            deed = hint[:1].upper() + hint[1:]
            found.setdefault(deed, Option(text=deed, kind="look", topic=ADVISED))
        for deed in _told_to(ruling.text, verbs, people):
            about = weighty(deed.partition(" ")[2])
            if about & known or " about " in deed:
                found.setdefault(deed, Option(text=deed, kind="use", topic=ADVISED))
    return list(found.values())


def ruled_at(place: str, rounds: Sequence[RoundRecord]) -> Iterator[Ruling]:
    """What was ruled in these rounds since the party came to the place where it is, the newest
    round first."""
    for record in reversed(rounds):
        if record.place != place:
            break
        here: list[Ruling] = []
        for ruling in [record.rulings[a] for a in record.order if a in record.rulings]:
            if any(event.get("type") == "moved" for event in ruling.events):
                here.clear()
            here.append(ruling)
        yield from here


def _told_to(text: str, verbs: Collection[str], people: Sequence[str]) -> Iterator[str]:
    """The orders in what was said aloud: a sentence that begins with a deed and denies nothing."""
    for said in QUOTED.finditer(text):
        speaker = _speaker(text[: said.start()], text[said.end() :], people)
        for sentence in sentences(said[1]):
            words = _END.sub("", sentence).strip(" .!?…")
            first = words.split(" ")[0].lower()
            fits = _SHORTEST <= len(words.split()) <= _LONGEST
            if not fits or first not in verbs or _NO.search(sentence) or sentence.endswith("?"):
                continue
            if _ME.search(words) and not speaker:
                continue
            deed = _ME.sub(speaker, words) if speaker else words
            yield deed[:1].upper() + deed[1:]


def _speaker(before: str, after: str, people: Sequence[str]) -> str:
    """Who of those here is named nearest to what was said."""
    near = f"{before[-120:]} {after[:80]}"
    for name in people:
        if any(word in near for word in name.split() if len(word) > 2):
            return name
    return people[0] if len(people) == 1 else ""


UNDO = {
    word: verb
    for verb, told in (
        ("Wake", "asleep sleeping sleeps unconscious"),
        ("Free", "stuck trapped caught pinned chained"),
        ("Untie", "tied bound"),
        ("Treat", "bleeding wounded hurt"),
        ("Comfort", "crying weeping sobbing shaking"),
    )
    for word in told.split()
}
"""What one does about what is amiss with somebody, as everybody knows."""


def in_need(rounds: Sequence[RoundRecord], table: TableView) -> list[Option]:
    """What could be done for people whose plight was told of in this place: of whom one knows, or
    after whom a question asks."""
    found: dict[str, Option] = {}
    for ruling in ruled_at(table.place, rounds):
        for deed, who in _plights(ruling.text, table):
            found.setdefault(deed, Option(text=deed, kind="use", who=who, topic="help"))
    return list(found.values())


def _plights(text: str, table: TableView) -> Iterator[tuple[str, str]]:
    told = QUOTED.sub(" ", text)
    for sentence in sentences(told):
        verbs = [UNDO[word] for word in words(sentence) if word in UNDO]
        for who in table.names if verbs else ():
            if any(part in sentence for part in who.split() if len(part) > 2):
                yield f"{verbs[0]} {who}", who
