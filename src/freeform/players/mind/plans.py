"""What a player hopes for beyond one deed: two things that belong together by what it remembers, a
number for a numbered door, a deed that was refused and may work by now; and the way to where that
can be done. From its own memory, so that a wrong one makes a wrong plan."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from freeform.engine.rules.known import inside, with_article
from freeform.language.inflection import singular
from freeform.language.sentences import sentences
from freeform.players.mind.ideas import SHUTS
from freeform.players.mind.topics import weighty
from freeform.players.model import Memory, Option, SeenPlace, TableView

LINKED, UNTRIED, LEAD, NUMBERED, AGAIN = 0.60, 0.14, 0.40, 0.10, 0.25
CUT, CUT_NEAR, AT_STAKE = 0.10, 0.45, 0.45
"""What it is worth that a memory names both things; that a thing was found, is good for nothing
yet, and a question is about the other; that what was refused has an answer now; that there is a
number for a numbered door, and more for each time it was heard; that something can be cut, which
cannot be undone, and how much more when the nearest danger is upon us; that somebody has spoken of
the matter and we hold the very thing."""
EDGED = frozenset(
    "axe hatchet saw cutter knife sword blade cleaver shears scissors machete".split()
)
STRONG = frozenset("axe hatchet saw cutter".split())
TIES = frozenset("rope cord net strap tether lash cable wire hawser".split())
CHAINS = frozenset("chain shackle padlock bolt".split())
"""What cuts and what is cut, as everybody knows."""
IMPORTANT, WORTH_A_WALK = 0.6, 0.8
"""A memory of less links nothing here; nor, of less than the second, anything that is far."""
STEP, AWAY = 0.85, 0.6
"""What is left of a hope for each step of the way to it, and because one must walk at all."""
_MOST_HERE, _MOST_AWAY = 10, 6
_WEAK = 0.15
_COUNTED = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
    "fifteen sixteen seventeen eighteen nineteen twenty"
)
NUMBERS = {word: str(n) for n, word in enumerate(_COUNTED.split())}
_NUMBER = re.compile(r"\b(\d{1,4}|[a-z]+teen|eleven|twelve|twenty|thirty|forty|fifty)\b", re.I)


@dataclass(frozen=True)
class Hope:
    """A deed, what it promises, the memory that says so, and where it can be done ('' for here)."""

    option: Option
    worth: float
    clue: str = ""
    place: str = ""


@dataclass(frozen=True)
class Spot:
    """A place as it is remembered: what is there to lay hands on."""

    place: str
    things: Sequence[str]
    people: Sequence[str] = ()


def hopes_of(table: TableView, memories: Sequence[Memory]) -> list[Hope]:
    """Hopes that can be tried here, and, as a first step, those that wait elsewhere."""
    cares = frozenset(word for title in table.threads for word in weighty(title))
    here = Spot("", table.things, table.people)
    found = _best(_at(here, table, memories, cares), _MOST_HERE)
    for place in table.elsewhere:
        spot = Spot(place.place, place.things, place.people)
        away = _best(_at(spot, table, memories, cares), 1)
        away += _best(_leads(place.place, place.refused, memories), 1)
        found += [_journey(hope, place) for hope in _best(away, 1) if hope.worth > _WEAK]
    return [*found, *_leads("", table.refused, memories)]


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
    found += [*_numbers(spot, memories, cares), *_gifts(spot, table, memories, cares)]
    for hope in found:
        if hope.option.text not in done:
            yield hope


def _uses(
    spot: Spot, table: TableView, memories: Sequence[Memory], cares: frozenset[str]
) -> Iterator[Hope]:
    """What we carry, put to what is there: most where a memory speaks of both."""
    least = WORTH_A_WALK if spot.place else IMPORTANT
    telling = [memory for memory in memories if memory.importance >= least]
    for item in table.found:
        for thing in spot.things:
            if _kinds(item) & _kinds(thing):
                continue
            clue, sure = _link(item, thing, telling)
            curious = bool(_kinds(thing) & cares) and not spot.place
            worth = LINKED * sure + UNTRIED * curious
            if worth:
                text = f"Use {inside(with_article(item))} on {inside(with_article(thing))}"
                option = Option(text=text, kind="use", who=thing, topic=item)
                yield Hope(option, round(worth, 3), clue, spot.place)


def _link(item: str, thing: str, memories: Sequence[Memory]) -> tuple[str, float]:
    """The memory that speaks of both, and how much it is trusted."""
    best, sure = "", 0.0
    for memory in memories:
        if memory.confidence > sure and _speaks_of_both(memory.believed, item, thing):
            best, sure = memory.fact_id, memory.confidence
    return best, sure


def _gifts(
    spot: Spot, table: TableView, memories: Sequence[Memory], cares: frozenset[str]
) -> Iterator[Hope]:
    """What a question is about, put before somebody who has spoken of the matter."""
    for who in spot.people:
        for item in table.stakes:
            for memory in memories:
                words = weighty(memory.believed) - weighty(who)
                if who not in memory.believed or not words & (cares | _kinds(item)):
                    continue
                for verb in ("Give", "Show"):
                    text = f"{verb} {inside(who)} {inside(with_article(item))}"
                    option = Option(text=text, kind="show", who=who, topic=item)
                    worth = AT_STAKE * memory.confidence
                    yield Hope(option, round(worth, 3), memory.fact_id, spot.place)


def _speaks_of_both(text: str, item: str, thing: str) -> bool:
    """Whether one sentence has both; two things found in one place need not belong together."""
    for sentence in sentences(text):
        words = weighty(sentence)
        if words & _kinds(item) and words & _kinds(thing):
            return True
    return False


_OWNER = re.compile(r"^.*['’]s? ")
_WHERE = re.compile(r" (?:of|in|on|at|under|over|behind|to|with) .*$")


def _kinds(name: str) -> frozenset[str]:
    """What sort of thing a name names, without whose it is and where: `Saint Orrin's staff` is a
    staff, `the people in the water` are people."""
    return weighty(_WHERE.sub("", _OWNER.sub("", name)))


def _cuts(spot: Spot, table: TableView) -> Iterator[Hope]:
    """What holds something, cut with what has an edge."""
    near = max((peril.near for peril in table.perils), default=0.0)
    for item in table.carried:
        edge = _kinds(item) & EDGED
        for thing in spot.things if edge else ():
            if _kinds(thing) & TIES or (edge & STRONG and _kinds(thing) & CHAINS):
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
    worth = NUMBERED * best.confidence + AGAIN * (min(len(told) - 1, 2) + bearing)
    return round(worth, 3), best.fact_id


def _is_many(name: str) -> bool:
    last = name.split()[-1].lower()
    return singular(last) != last


def _numbers_in(text: str) -> list[str]:
    said = [found[1].lower() for found in _NUMBER.finditer(text)]
    return list(dict.fromkeys(NUMBERS.get(word, word) for word in said))


def _leads(place: str, refused: dict[str, str], memories: Sequence[Memory]) -> list[Hope]:
    """Deeds that were refused for want of something which a memory or our hands now have."""
    found = []
    for deed, reason in refused.items():
        lacks = weighty(reason) - weighty(deed)
        for memory in memories:
            if len(lacks & weighty(memory.believed)) >= 2:
                option = Option(text=deed, kind="use", topic="lead")
                found.append(Hope(option, LEAD * memory.confidence, memory.fact_id, place))
                break
    return found


def _journey(hope: Hope, place: SeenPlace) -> Hope:
    """The first step of the way to where the hope lies."""
    go = Option(text=f"Go to {inside(place.step)}", kind="go", who=place.step, tried=1)
    return Hope(go, round(hope.worth * AWAY * STEP**place.far, 3), hope.clue, hope.option.text)
