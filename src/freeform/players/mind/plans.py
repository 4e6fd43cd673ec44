"""What a player hopes for beyond one deed: two things that belong together by what it remembers, a
number for a numbered door, a deed that was refused and may work by now; and the way to where that
can be done. From its own memory, so that a wrong one makes a wrong plan."""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

from freeform.engine.rules.known import inside, with_article
from freeform.language.inflection import singular
from freeform.language.sentences import sentences
from freeform.players.mind.dealings import (
    gifts,
    in_the_way,
    leads,
    needs,
    still_shut,
    way_is_clear,
)
from freeform.players.mind.ideas import (
    SHUTS,
    handling,
    is_opener,
    is_readable,
    is_shut,
    key_fits,
    kinds_of,
    words_for,
)
from freeform.players.mind.model import Hope, Spot
from freeform.players.mind.places import STEP
from freeform.players.mind.topics import weighty
from freeform.players.model import Memory, Option, SeenPlace, TableView

LINKED, UNTRIED, NUMBERED, AGAIN = 0.60, 0.14, 0.10, 0.25
CUT, CUT_NEAR = 0.10, 0.45
"""What it is worth that a memory names both things; that a thing was found, is good for nothing
yet, and a question is about the other; that there is a number for a numbered door, and more for
each time it was heard; that something can be cut, which cannot be undone, and how much more when
the nearest danger is upon us."""
FITTING, KEYED = 0.35, 0.7
"""What it is worth that a tool is for such things; and that a key is called after them."""
HANDLED = 0.4
"""What it is worth that a memory speaks of something which one can simply open, turn or ring."""
MARKED = 0.2
"""What it is worth more that a thing bears the very number."""
EDGED = frozenset(
    "axe hatchet saw cutter knife sword blade cleaver shears scissors machete".split()
)
STRONG = frozenset("axe hatchet saw cutter".split())
TIES = frozenset("rope cord net strap tether lash cable wire hawser".split())
CHAINS = frozenset("chain shackle padlock bolt".split())
"""What cuts and what is cut, as everybody knows."""
IMPORTANT, WORTH_A_WALK = 0.6, 0.8
"""A memory of less links nothing here; nor, of less than the second, anything that is far."""
WORN = 0.6
"""What is left of a hope each time a thing was put to something else in vain."""
AWAY = 0.6
"""What is left of a hope because one must walk to it."""
_MOST_HERE, _MOST_AWAY = 10, 6
_WEAK = 0.15
_COUNTED = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
    "fifteen sixteen seventeen eighteen nineteen twenty"
)
NUMBERS = {word: str(n) for n, word in enumerate(_COUNTED.split())}
_NUMBER = re.compile(r"\b(\d{1,4}|[a-z]+teen|eleven|twelve|twenty|thirty|forty|fifty)\b", re.I)


def hopes_of(table: TableView, memories: Sequence[Memory]) -> list[Hope]:
    """Hopes that can be tried here, and, as a first step, those that wait elsewhere."""
    cares = frozenset(word for title in table.threads for word in weighty(title))
    here = Spot("", table.things, table.people)
    found = _best(_at(here, table, memories, cares), _MOST_HERE)
    for place in table.elsewhere:
        spot = Spot(place.place, place.things, place.people)
        away = _best(_at(spot, table, memories, cares), 1)
        away += _best(leads(place.place, place.refused, memories, table), 1)
        found += [_journey(hope, place) for hope in _best(away, 1) if hope.worth > _WEAK]
    return [
        *found,
        *in_the_way(table),
        *way_is_clear(table),
        *still_shut(table),
        *leads("", table.refused, memories, table),
    ]


def _best(hopes: Iterator[Hope] | list[Hope], most: int) -> list[Hope]:
    by_text: dict[str, Hope] = {}
    for hope in hopes:
        known = by_text.get(hope.option.text)
        if known is None or known.worth < hope.worth:
            by_text[hope.option.text] = hope
    ranked = sorted(by_text.values(), key=lambda hope: (-hope.worth, hope.option.text))
    return ranked[:most]


def _at(
    spot: Spot, table: TableView, memories: Sequence[Memory], cares: frozenset[str]
) -> Iterator[Hope]:
    done = set(table.done)
    found = [*_uses(spot, table, memories, cares), *_cuts(spot, table)]
    found += [*_numbers(spot, memories, cares), *gifts(spot, table, memories, cares)]
    found += [*_handled(spot, memories), *_fitting(spot, table), *needs(spot, table, memories)]
    found += _keys(spot, table)
    found += [] if spot.place else _combined(table, memories)
    for hope in found:
        if hope.option.text not in done:
            tired = WORN ** min(_tries_like(hope.option, done), 4)
            yield replace(hope, worth=round(hope.worth * tired, 3))


def _tries_like(option: Option, done: Collection[str]) -> int:
    """How often the same thing was put to others already, or the same door was tried with other
    numbers, without an end of it."""
    if option.topic == "number":
        return sum(option.who in text for text in done) // 2
    if option.kind == "show":
        verb, thing = option.text.split(" ")[0], inside(with_article(option.topic))
        return sum(text.startswith(verb) and text.endswith(thing) for text in done)
    begin = option.text.partition(" on ")[0]
    return sum(text.startswith(begin) for text in done) if option.kind == "use" else 0


def _uses(
    spot: Spot, table: TableView, memories: Sequence[Memory], cares: frozenset[str]
) -> Iterator[Hope]:
    """What we carry, put to what is there: most where a memory speaks of both."""
    least = WORTH_A_WALK if spot.place else IMPORTANT
    telling = [memory for memory in memories if memory.importance >= least]
    for item in table.found:
        for thing in spot.things if not is_readable(item, table) else ():
            if kinds_of(item) & kinds_of(thing) or (is_opener(item) and not is_shut(thing)):
                continue
            meant = kinds_of(thing) - weighty(table.place if not spot.place else spot.place)
            clue, sure = _link(words_for(item, table), meant, telling)
            curious = bool(kinds_of(thing) & cares) and not spot.place
            worth = LINKED * sure + UNTRIED * curious
            if worth:
                text = f"Use {inside(with_article(item))} on {inside(with_article(thing))}"
                option = Option(text=text, kind="use", who=thing, topic=item)
                yield Hope(option, round(worth, 3), clue, spot.place)


def _keys(spot: Spot, table: TableView) -> Iterator[Hope]:
    """A key put to what it is called after."""
    for key in filter(is_opener, table.carried):
        for thing in filter(is_shut, spot.things):
            if key_fits(key, thing):
                text = f"Open {with_article(thing)} with {inside(key)}"
                option = Option(text=text, kind="use", who=thing, topic="key")
                yield Hope(option, KEYED, "", spot.place)


FITS = {
    "rope": "shaft hole well cliff pit window tower chasm ledge",
    "ladder": "shaft hole pit window wall ledge",
    "pole": "stone slab lid boulder",
    "crowbar": "stone slab lid hatch crate panel",
    "lever": "stone slab lid boulder",
    "fuse": "hoist machine panel generator lift",
    "battery": "machine panel terminal lamp radio",
}
"""What tools are for, as everybody knows."""


def _fitting(spot: Spot, table: TableView) -> Iterator[Hope]:
    """A tool put to what such tools are for."""
    for item in table.carried:
        kinds = words_for(item, table) & FITS.keys()
        meant = frozenset(noun for kind in kinds for noun in FITS[kind].split())
        for thing in spot.things if meant else ():
            if kinds_of(thing) & meant:
                text = f"Use {inside(with_article(item))} on {inside(with_article(thing))}"
                option = Option(text=text, kind="use", who=thing, topic=item)
                yield Hope(option, FITTING, "", spot.place)


def _handled(spot: Spot, memories: Sequence[Memory]) -> Iterator[Hope]:
    """What one does with such a thing anyway, and a memory speaks of it: a gate that was shut on
    people is opened."""
    telling = [memory for memory in memories if memory.importance >= WORTH_A_WALK]
    for thing in spot.things:
        verb, words = handling(thing), kinds_of(thing)
        for memory in telling if verb else ():
            if words <= weighty(memory.believed):
                text = f"{verb} {inside(with_article(thing))}"
                option = Option(text=text, kind="use", who=thing)
                worth = round(HANDLED * memory.confidence, 3)
                yield Hope(option, worth, memory.fact_id, spot.place)
                break


def _combined(table: TableView, memories: Sequence[Memory]) -> list[Hope]:
    """What we carry, put to what a question is about and we hold: a tool may open or read it."""
    found = []
    for stake in table.stakes:
        for item in table.carried:
            if item == stake:
                continue
            clue, sure = _link(words_for(item, table), words_for(stake, table), memories)
            text = f"Use {inside(with_article(item))} on {inside(with_article(stake))}"
            option = Option(text=text, kind="use", who=stake, topic=item)
            found.append(Hope(option, round(UNTRIED + LINKED * sure, 3), clue))
    return found


def _link(
    item: frozenset[str], thing: frozenset[str], memories: Sequence[Memory]
) -> tuple[str, float]:
    """The memory that speaks of both, and how much it is trusted."""
    best, sure = "", 0.0
    for memory in memories:
        if memory.confidence > sure and _speaks_of_both(memory.believed, item, thing):
            best, sure = memory.fact_id, memory.confidence
    return best, sure


def _speaks_of_both(text: str, item: frozenset[str], thing: frozenset[str]) -> bool:
    """Whether one sentence has both; two things found in one place need not belong together."""
    return any(words & item and words & thing for words in _by_sentence(text))


@lru_cache(maxsize=4_096)
def _by_sentence(text: str) -> tuple[frozenset[str], ...]:
    return tuple(weighty(sentence) for sentence in sentences(text))


def _cuts(spot: Spot, table: TableView) -> Iterator[Hope]:
    """What holds something, cut with what has an edge."""
    near = max((peril.near for peril in table.perils), default=0.0)
    for item in table.carried:
        edge = kinds_of(item) & EDGED
        for thing in spot.things if edge else ():
            if kinds_of(thing) & TIES or (edge & STRONG and kinds_of(thing) & CHAINS):
                text = f"Cut {inside(with_article(thing))} with {inside(with_article(item))}"
                option = Option(text=text, kind="use", who=thing, topic=item)
                yield Hope(option, round(CUT + CUT_NEAR * near, 3), "", spot.place)


def _numbers(spot: Spot, memories: Sequence[Memory], cares: frozenset[str]) -> Iterator[Hope]:
    """A number one remembers, tried on what is there in numbers and shuts."""
    shut = {singular(name.split()[-1].lower()) for name in spot.things if _is_many(name)}
    heard: dict[str, list[Memory]] = {}
    for memory in memories:
        for number in () if memory.importance < IMPORTANT else _numbers_in(memory.believed):
            heard.setdefault(number, []).append(memory)
    for thing in spot.things:
        for number in _numbers_in(thing):
            if number in heard:
                worth, clue = _fit(heard[number], cares)
                text = f"Open {inside(with_article(thing))}"
                option = Option(text=text, kind="use", who=thing, topic="number")
                yield Hope(option, round(worth + MARKED, 3), clue, spot.place)
    fits = sorted(((_fit(told, cares), number) for number, told in heard.items()), reverse=True)
    for noun in sorted(shut & SHUTS):
        for (worth, clue), number in fits[:_MOST_NUMBERS]:
            for verb in ("Open", "Pick the lock of"):
                option = Option(
                    text=f"{verb} {noun} {number}", kind="use", who=noun, topic="number"
                )
                yield Hope(option, worth, clue, spot.place)


_MOST_NUMBERS = 2


def _fit(told: Sequence[Memory], cares: frozenset[str]) -> tuple[float, str]:
    """How much a number seems to matter: heard again and again, and in what bears on a question."""
    best = max(told, key=lambda memory: memory.confidence * memory.importance)
    bearing = any(weighty(memory.believed) & cares for memory in told)
    worth = NUMBERED * (best.confidence + bearing) + AGAIN * min(len(told) - 1, 2)
    return round(worth, 3), best.fact_id


def _is_many(name: str) -> bool:
    last = name.split()[-1].lower()
    return singular(last) != last


def _numbers_in(text: str) -> list[str]:
    said = [found[1].lower() for found in _NUMBER.finditer(text)]
    return list(dict.fromkeys(NUMBERS.get(word, word) for word in said))


def _journey(hope: Hope, place: SeenPlace) -> Hope:
    """The walk to where the hope lies."""
    go = Option(text=f"Go to {inside(place.place)}", kind="go", who=place.place, tried=1)
    return Hope(go, round(hope.worth * AWAY * STEP**place.far, 3), hope.clue, hope.option.text)
