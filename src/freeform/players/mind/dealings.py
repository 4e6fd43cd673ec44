"""What a player hopes for from people, or for them: what they want is shown and given to them,
whoever stands in the way is got round, whoever is in need is helped where they are remembered to
be."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from freeform.engine.rules.known import inside, with_article
from freeform.language.sentences import sentences
from freeform.language.words import words as words_of
from freeform.players.memory.learning import QUOTED
from freeform.players.mind.advice import UNDO
from freeform.players.mind.ideas import is_shut, words_for
from freeform.players.mind.model import Hope, Spot
from freeform.players.mind.topics import weighty
from freeform.players.model import Memory, Option, TableView

AT_STAKE, ASKED_FOR, LEAD = 0.45, 0.55, 0.40
"""What it is worth that somebody has spoken of the matter and we hold the very thing; that somebody
asked for it; that what was refused has an answer now."""
WAY, CLEAR = 0.55, 0.65
"""What it is worth to get somebody out of the way, and to use it that somebody is."""
IN_NEED = 0.5
"""What it is worth to be where somebody is who was said to be in need."""
OBSTACLE = "obstacle"  # the topic of what is done about somebody in the way


def in_the_way(table: TableView) -> list[Hope]:
    """Whoever stood between us and something here, and still does: talked round, or drawn off."""
    found = []
    for who in table.people:
        held_up = [reason for reason in table.stuck.values() if speaks_of(reason, who)]
        for verb, worth in (("Persuade {} to let us pass", WAY), ("Distract {}", WAY)):
            option = Option(text=verb.format(who), kind="talk", who=who, topic=OBSTACLE)
            if held_up and option.text not in table.done:
                found.append(Hope(option, worth))
    return found


def way_is_clear(table: TableView) -> list[Hope]:
    """What somebody forbade here who is here no more."""
    found = []
    for deed, reason in table.stuck.items():
        guards = [who for who in table.names if speaks_of(reason, who)]
        if guards and not set(guards) & set(table.people):
            found.append(Hope(Option(text=deed, kind="use", topic=OBSTACLE), CLEAR))
    return found


def still_shut(table: TableView) -> list[Hope]:
    """What would not open here: whoever has the hands for it picks its lock, or it is forced."""
    found = []
    for deed in [*table.stuck, *table.refused]:
        verb, _, thing = deed.partition(" ")
        thing = thing.partition(" with ")[0]
        if verb not in ("Open", "Unlock") or not is_shut(thing):
            continue
        for text, topic, worth in (
            (f"Pick the lock of {thing}", "lock", PICKED),
            (f"Break open {thing}", "force", FORCED),
        ):
            if text not in table.done:
                found.append(Hope(Option(text=text, kind="use", who=thing, topic=topic), worth))
    return found


PICKED, FORCED = 0.45, 0.3
"""What is hoped of a shut thing whose lock is picked, or which is broken open."""


def speaks_of(text: str, who: str) -> bool:
    """Whether a text speaks of somebody, by the whole name or the last part of it."""
    return who in text or who.split()[-1] in text.split()


def gifts(
    spot: Spot, table: TableView, memories: Sequence[Memory], cares: frozenset[str]
) -> Iterator[Hope]:
    """What a question is about, shown to somebody who has spoken of the matter; given away only to
    those who asked for it or whom the sight of it has moved, for it does not come back."""
    for who in spot.people:
        about_it = [memory for memory in memories if who in memory.believed]
        for item in dict.fromkeys([*table.stakes, *table.found]):
            at_stake, words = item in table.stakes, words_for(item, table)
            meant = words | _looks_of(item, table)
            for memory in about_it:
                told, sure = weighty(memory.believed) - weighty(who), memory.confidence
                asked = at_stake and asks_for(memory.believed, who, meant)
                if at_stake and (asked or told & (cares | words)):
                    yield _gift("Show", who, item, AT_STAKE * sure, memory, spot)
                if asked or f"{who}: {item}" in table.moved:
                    yield _gift("Give", who, item, ASKED_FOR * sure, memory, spot)


def _gift(verb: str, who: str, item: str, worth: float, memory: Memory, spot: Spot) -> Hope:
    text = f"{verb} {inside(who)} {inside(with_article(item))}"
    option = Option(text=text, kind="show", who=who, topic=item)
    return Hope(option, round(worth, 3), memory.fact_id, spot.place)


def _looks_of(item: str, table: TableView) -> frozenset[str]:
    return frozenset[str]().union(*(weighty(words) for words in table.called.get(item, ())))


_SELF = re.compile(r"\b(?:me|mine|us|ours|I|we)\b")


def asks_for(believed: str, who: str, thing: frozenset[str]) -> bool:
    """Whether somebody spoke of a thing and of himself in one breath: `You hand me a tin`."""
    _, _, speech = believed.partition(f"{who} said")
    said = " ".join(QUOTED.findall(speech))
    return any(_SELF.search(sentence) and weighty(sentence) & thing for sentence in sentences(said))


def _needs_a_thing(deed: str) -> bool:
    """Whether a deed is done with something one must hold."""
    return deed.startswith(("Give ", "Show ")) or " with " in deed


def leads(
    place: str, refused: dict[str, str], memories: Sequence[Memory], table: TableView
) -> list[Hope]:
    """Deeds that were refused for want of something which a memory or our hands now have."""
    found = []
    for deed, reason in refused.items():
        if _needs_a_thing(deed) and not any(inside(name) in deed for name in table.carried):
            continue
        if any(speaks_of(reason, who) for who in table.people if not place):
            continue  # whoever forbade it is still here
        lacks = weighty(reason) - weighty(deed)
        for memory in memories:
            if len(lacks & weighty(memory.believed)) >= 2:
                option = Option(text=deed, kind="use", topic="lead")
                found.append(Hope(option, LEAD * memory.confidence, memory.fact_id, place))
                break
    return found


def needs(spot: Spot, table: TableView, memories: Sequence[Memory]) -> Iterator[Hope]:
    """Somebody of whom a memory says what is amiss, if they are here, or what the memory tells of
    their whereabouts is: who sleeps in a berth is woken at that berth."""
    for memory in memories:
        for sentence, verb in _amiss(memory.believed):
            for who in table.names:
                if speaks_of(sentence, who) and _is_there(who, sentence, spot):
                    option = Option(text=f"{verb} {who}", kind="use", who=who, topic="help")
                    worth = round(IN_NEED * memory.confidence, 3)
                    yield Hope(option, worth, memory.fact_id, spot.place)


@lru_cache(maxsize=4_096)
def _amiss(text: str) -> tuple[tuple[str, str], ...]:
    """The sentences that tell what is amiss with somebody, and what one does about it."""
    told = [(s, w) for s in sentences(QUOTED.sub(" ", text)) for w in words_of(s)]
    return tuple({s: (s, UNDO[word]) for s, word in reversed(told) if word in UNDO}.values())


def _is_there(who: str, sentence: str, spot: Spot) -> bool:
    told = weighty(sentence) - weighty(who)
    return who in spot.people or any(told & weighty(thing) for thing in spot.things)
