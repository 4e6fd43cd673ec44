"""Answers that need no search: who is here, which ways lead out, what one carries, the hour."""

import re
from collections.abc import Callable, Sequence

from freeform.core.text import plain_form
from freeform.engine.authored.scenario import Exit
from freeform.engine.knowledge.evidence import (
    AnswerSource,
    Evidence,
    gather,
    way_sentence,
    whole_sentences,
)
from freeform.engine.knowledge.question import PlayerQuestion
from freeform.engine.knowledge.ranking import has_sort
from freeform.engine.knowledge.reply import SourcedAnswer
from freeform.engine.knowledge.viewpoint import Viewpoint
from freeform.engine.rules.checks import blocked_way, way_open
from freeform.engine.rules.known import inside, is_known_to_be, listed
from freeform.engine.world.state import PLAYER, Fact
from freeform.language.relevance import near, telling
from freeform.language.tables import cues

LIKE_ENOUGH = 0.66
"""How like its examples a question must be to be answered outright."""
_MOST = 2
"""Sentences of what was written that an answer takes over."""
HOURS = 24
_BY_HOUR = re.compile(
    r"\b(?:until|till|til|before|by|at)\s+(\w+)\b(?!\s+(?:hours?|minutes?|days?))"
)
"""An hour as the end of a wait; `until six hours have passed` names none."""


def answer_directly(question: PlayerQuestion) -> SourcedAnswer | None:
    """What is plain from how things stand, if that is what was asked."""
    best = question.kind
    if best.likeness < LIKE_ENOUGH:
        return None
    answer = _ANSWERS.get(best.kind)
    return answer(question) if answer else None


def _people(question: PlayerQuestion) -> SourcedAnswer | None:
    view = question.view
    if not _is_of_here(question):
        return None
    sources = [AnswerSource("person", who) for who in view.people]
    names = [view.called(who) for who in view.people]
    if not names:
        return SourcedAnswer(
            "Nobody else is here, as far as you can see.", [AnswerSource("place", view.here)]
        )
    counted = f"{_count(len(names))} besides you: " if question.wants == "number" else ""
    verb = "is" if len(names) == 1 else "are"
    text = f"{counted}{listed(names)}." if counted else f"{listed(names)} {verb} here."
    return SourcedAnswer(_capital(text), sources)


def _ways(question: PlayerQuestion) -> SourcedAnswer | None:
    view = question.view
    named = any(way.to in question.targets for way in view.ways)
    if question.rest or (named and "another" not in question.plain):
        return _where(question)
    if not view.ways:
        return SourcedAnswer("You see no way out of here.", [AnswerSource("place", view.here)])
    open_ways = [way for way in view.ways if view.is_open(way)]
    leading = {way.to: way_sentence(way, view) for way in open_ways}
    plain = [_way_name(way, view) for way in open_ways if not leading[way.to]]
    said = [sentence for sentence in leading.values() if sentence]
    if plain:
        said.append(f"You can go by {listed(plain)}.")
    shut = [_way_name(way, view) for way in view.ways if way not in open_ways]
    if shut:
        verb = "is" if len(shut) == 1 else "are"
        said.append(f"{_capital(listed(shut))} {verb} shut to you now.")
    return SourcedAnswer(" ".join(said), [AnswerSource("way", way.to) for way in view.ways])


def _way_name(way: Exit, view: Viewpoint) -> str:
    return inside(way.name) or view.leads_to(way) or "a way you do not know"


def _things(question: PlayerQuestion) -> SourcedAnswer | None:
    view = question.view
    things = [id for id in view.things if _can_be_taken(id, view)]
    if not things:
        return SourcedAnswer(
            "Nothing lies about here that you could take, as far as you can see.",
            [AnswerSource("place", view.here)],
        )
    names = listed([view.called(id) for id in things])
    return SourcedAnswer(f"Within reach: {names}.", [AnswerSource("thing", id) for id in things])


def _can_be_taken(id: str, view: Viewpoint) -> bool:
    entity = view.state.entities[id]
    return bool(entity.attrs.get("portable", entity.type == "item"))


def _carried(question: PlayerQuestion) -> SourcedAnswer:
    view = question.view
    if not view.carried:
        return SourcedAnswer("You carry nothing.", [AnswerSource("self", PLAYER)])
    names = listed([view.called(id) for id in view.carried])
    return SourcedAnswer(
        f"You carry {names}.", [AnswerSource("carried", id) for id in view.carried]
    )


def _have(question: PlayerQuestion) -> SourcedAnswer | None:
    """Whether one carries such a thing, by its names, by what it is, or by what is said of it."""
    view = question.view
    if not question.is_of_self or not question.wanted:
        return None
    for id in view.carried:
        entity = view.state.entities[id]
        about = str(entity.attrs.get("description") or "")
        if _is_meant(question, f"{view.names(id)} {' '.join(entity.tags)}"):
            text = f"You have {view.called(id)}. {_first(about)}".strip()
            return SourcedAnswer(text, [AnswerSource("carried", id)])
    rest = _carried(question)
    counted = question.wants in ("amount", "number")
    return rest if counted else SourcedAnswer(f"No. {rest.text}", rest.sources)


def _hour(question: PlayerQuestion) -> SourcedAnswer:
    time = question.view.state.scene.time
    hour, minute = divmod(int(time.get("minute", 0)), 60)
    day = int(time.get("day", 1))
    weekday = _weekday(question.view, day)
    when = f"{weekday}, day {day} of the story" if weekday else f"day {day} of the story"
    return SourcedAnswer(
        f"It is {hour:02d}:{minute:02d} on {when}.", [AnswerSource("scene", where="time")]
    )


def _until(question: PlayerQuestion) -> SourcedAnswer:
    """How long there is: what is known of when it is that is waited for, the hour, what is left
    till an hour that is named, and how far the clock has run that is asked for, or time's."""
    view = question.view
    now = _hour(question)
    when = _said_of_when(question)
    hour = _hour_named(question.asked)
    if hour is None and when is not None:
        hour = _hour_named(when.text)
    said = [when.text] if when else []
    said.append(now.text if hour is None else f"{now.text} {_left_till(hour, view)}")
    of_time = view.rules.scenario.cost_clocks.get("time", "")
    clocks = view.state.clocks.values()
    asked = [clock for clock in clocks if not telling(clock.name).isdisjoint(question.wanted)]
    running = asked or [clock for clock in clocks if clock.id == of_time or "time" in clock.tags]
    said += [f"{clock.name}: {clock.value} of {clock.max}." for clock in running]
    sources = [AnswerSource("clock", clock.id) for clock in running]
    known = [when.source] if when else []
    return SourcedAnswer(" ".join(said), [*known, *now.sources, *sources])


def _said_of_when(question: PlayerQuestion) -> Evidence | None:
    """The shortest of the sentences that speak of all that is waited for, and of a moment."""
    awaited = question.rest
    pieces = gather(question.view) if awaited else []
    telling_when = [
        piece
        for piece in pieces
        if awaited <= telling(piece.text) and _tells_a_moment(piece.text)
        if not piece.text.endswith("?")
    ]
    return min(telling_when, key=lambda piece: len(piece.text), default=None)


def _tells_a_moment(text: str) -> bool:
    return _hour_named(text) is not None or has_sort(text, "point")


def _hour_named(text: str) -> int | None:
    """The hour that words wait for: `until six`, `by midnight`."""
    named = _BY_HOUR.search(plain_form(text))
    if named is None:
        return None
    word = named[1]
    hours = {**{name: at for at, name in enumerate(_numbers())}, "midnight": 0, "noon": 12}
    hour = int(word) if word.isdecimal() else hours.get(word)
    return hour if hour is not None and hour < HOURS else None


def _left_till(hour: int, view: Viewpoint) -> str:
    """How long it is till that hour comes next; six may be the evening's or the morning's."""
    now = int(view.state.scene.time.get("minute", 0))
    turn = HOURS if hour in (0, 12) or hour > 12 else 12
    hours, minutes = divmod((hour * 60 - now) % (turn * 60), 60)
    parts = [
        f"{count} {name}{'s' * (count > 1)}"
        for count, name in ((hours, "hour"), (minutes, "minute"))
        if count
    ]
    return f"That leaves {' and '.join(parts)}." if parts else "That is now."


def _weekday(view: Viewpoint, day: int) -> str:
    """The day of the week, where the opening begins with one."""
    days = cues("questions")["weekdays"].split()
    opening = view.rules.begun.opening
    first = opening.split(maxsplit=1)[0].strip(",.:;").lower() if opening.strip() else ""
    if first not in days:
        return ""
    later = day - view.rules.scenario.start.day
    return str(days[(days.index(first) + later) % 7]).capitalize()


def _wounds(question: PlayerQuestion) -> SourcedAnswer | None:
    view = question.view
    if question.targets or not question.is_of_self:
        return None
    clock = view.state.clocks.get(view.rules.scenario.cost_clocks.get("harm", ""))
    if clock is None:
        return None
    source = [AnswerSource("clock", clock.id)]
    if not clock.value:
        return SourcedAnswer("You are unhurt.", source)
    levels = view.rules.system.health.levels
    level = levels[min(clock.value, len(levels)) - 1].name if levels else ""
    named = f": {level}" if level else ""
    return SourcedAnswer(f"You are hurt, {clock.value} of {clock.max}{named}.", source)


def _self(question: PlayerQuestion) -> SourcedAnswer | None:
    hero = question.view.state.entities.get(PLAYER)
    if hero is None or not question.is_of_self:
        return None
    stats = hero.attrs.get("stats") or {}
    sheet = listed([f"{name} {value:+d}" for name, value in stats.items()])
    told = _first(str(hero.attrs.get("concept") or ""), 3)
    text = f"You are {hero.name}. {told}"
    return SourcedAnswer(
        f"{text} {_capital(sheet)}." if sheet else text, [AnswerSource("self", PLAYER)]
    )


def _where_am_i(question: PlayerQuestion) -> SourcedAnswer | None:
    view = question.view
    if question.rest - telling(view.names(view.here)):
        return None
    name = inside(view.state.name(view.here))
    text = f"You are at {name}. {_first(view.place.description)}".strip()
    return SourcedAnswer(text, [AnswerSource("place", view.here)])


def _shut(question: PlayerQuestion) -> SourcedAnswer | None:
    """Whether a way or a thing is open: as its author says it, as far as it can be seen."""
    view = question.view
    for way in view.ways:
        if _is_meant(question, _way_names(way, view), but=_state_words()):
            return _way_reply(way, view)
    for fact in _states(question):
        return SourcedAnswer(str(fact.object["text"]), [AnswerSource("fact", fact.id)])
    return None


def _way_reply(way: Exit, view: Viewpoint) -> SourcedAnswer:
    source = [AnswerSource("way", way.to)]
    if view.is_open(way):
        return SourcedAnswer(f"Nothing bars the way. {way_sentence(way, view)}".strip(), source)
    return SourcedAnswer(_first(blocked_way(way, view.state)), source)


def _states(question: PlayerQuestion) -> Sequence[Fact]:
    """Known facts of how a thing that was named stands."""
    return [
        fact
        for fact in question.view.facts
        if fact.subject_id in question.targets and fact.predicate in ("state", "door", "locked")
    ]


def _where(question: PlayerQuestion) -> SourcedAnswer | None:
    view = question.view
    for way in view.ways:
        if _is_meant(question, _way_names(way, view), but=_leading_words()):
            leads = way_sentence(way, view) or f"You can go by {_way_name(way, view)}."
            known = bool(view.leads_to(way))
            return SourcedAnswer(leads, [AnswerSource("way", way.to)]) if known else None
    path = _path(question)
    if path:
        return path
    here = [id for id in question.targets if id in view.people or id in view.things]
    if here and not question.rest:
        return SourcedAnswer(
            f"{_capital(view.called(here[0]))} is here.", [AnswerSource("person", here[0])]
        )
    own = [id for id in question.targets if id in view.carried]
    if own and not question.rest:
        return SourcedAnswer(f"You carry {view.called(own[0])}.", [AnswerSource("carried", own[0])])
    return _elsewhere(question)


def _elsewhere(question: PlayerQuestion) -> SourcedAnswer | None:
    """Where somebody is of whom everybody knows it, or what is known to have become of them."""
    view = question.view
    for id in question.targets:
        entity = view.state.entities.get(id)
        if entity is None or entity.type != "npc" or id in view.people:
            continue
        source = [AnswerSource("person", id)]
        at, told = view.state.where(id), str(entity.attrs.get("fate_told") or "")
        met = bool(view.state.value(id, "met"))
        if told and not met:
            return SourcedAnswer(told, source)
        if at and (met or is_known_to_be(id, at, view.state)):
            place = inside(view.state.name(at))
            return SourcedAnswer(f"{_capital(view.called(id))} is at {place}.", source)
    return None


def _path(question: PlayerQuestion) -> SourcedAnswer | None:
    """The way to a place one knows, through places one has been to."""
    view = question.view
    places = [id for id in question.targets if _is_place(id, view)]
    if not places or question.rest:
        return None
    path, _ = way_open(places[0], view.state, view.rules)
    if not path:
        return None
    named = [inside(view.state.name(place)) for place in path]
    through = f" by way of {listed(named[:-1])}" if named[:-1] else ""
    source = [AnswerSource("way", path[0])]
    return SourcedAnswer(f"You can get to {named[-1]}{through}.", source)


def _is_place(id: str, view: Viewpoint) -> bool:
    entity = view.state.entities.get(id)
    return entity is not None and entity.type == "location" and id != view.here


_ANSWERS: dict[str, Callable[[PlayerQuestion], SourcedAnswer | None]] = {
    "people": _people,
    "ways": _ways,
    "things": _things,
    "carried": _carried,
    "have": _have,
    "hour": _hour,
    "day": _hour,
    "until": _until,
    "wounds": _wounds,
    "self": _self,
    "place": _where_am_i,
    "shut": _shut,
    "where": _where,
}


def _is_of_here(question: PlayerQuestion) -> bool:
    """Whether it speaks of the whole place, and of nothing in it."""
    view = question.view
    general = telling(cues("questions")["whole_place"])
    other = [id for id in question.targets if id != view.here]
    return not other and not question.rest - general - telling(view.names(view.here))


def _is_meant(question: PlayerQuestion, names: str, but: frozenset[str] = frozenset()) -> bool:
    """Whether all that is asked for is in those names, or near them."""
    wanted = frozenset(question.wanted) - but - question.kind.words
    known = telling(names)
    meant = [word for word in wanted if word in known or near(word) & known]
    return bool(wanted) and len(meant) == len(wanted)


def _way_names(way: Exit, view: Viewpoint) -> str:
    there = view.names(way.to) if view.leads_to(way) else ""
    return " ".join([way.name, *way.aliases, there])


def _state_words() -> frozenset[str]:
    return telling(cues("questions")["states"])


def _leading_words() -> frozenset[str]:
    return telling(cues("questions")["leading"])


def _first(text: str, most: int = _MOST) -> str:
    return " ".join(whole_sentences(text.strip())[:most])


def _count(number: int) -> str:
    names = _numbers()
    return names[number] if number < len(names) else str(number)


def _numbers() -> list[str]:
    return [str(name) for name in cues("questions")["numbers"].split()]


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
