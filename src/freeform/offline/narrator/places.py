"""Telling what happens with places and things: going, looking, finding, taking, waiting."""

from typing import Any

from freeform.engine.rules.known import inside
from freeform.engine.world.state import PLAYER
from freeform.language.words import word_class
from freeform.offline.grammar import listed, names_one, some, span, turned, with_article
from freeform.offline.narrator.draft import Draft
from freeform.offline.narrator.lines import clean

Details = dict[str, Any]
_LONGEST_NAME = 4


def moved(t: Draft, d: Details) -> None:
    """Arriving: the place's own words, who is there, and where one can go on."""
    name, text = with_article(str(d.get("name", ""))), t.text_of(d)
    via = str(d.get("via") or "")
    if " " in via and via[-1:] in ".!?":
        t.add(via, breaks=True)
    first = bool(d.get("first"))
    if text and not t.told(text):
        t.add(text, breaks=not via)
    else:
        t.line("arrive" if first else "arrive_again", str(d.get("to", "")), breaks=True, name=name)
    t.mood = t.mood or "place"
    scene = t.input.context_packet.scene
    if scene.get("location_id") == d.get("to"):
        company(t, present(t))
        if first:
            ways(
                t,
                [
                    str(way.get("name") or "")
                    for way in scene.get("exits", [])
                    if isinstance(way, dict)
                ],
            )


def present(t: Draft) -> list[str]:
    """The names of the people here."""
    packet = t.input.context_packet
    here = set(packet.present_entities) - {PLAYER}
    people = ("npc", "person", "character", "creature")
    return [
        str(row.get("name"))
        for row in packet.entities
        if row.get("id") in here and row.get("type") in people
    ]


def company(t: Draft, people: list[str]) -> None:
    """Who is here, unless the prose has said so."""
    unsaid = [inside(name) for name in people if name and not t.names(name)]
    if unsaid:
        t.line("here_people", people=listed(unsaid), verb="is" if names_one(unsaid) else "are")


def world_grew(t: Draft, d: Details) -> None:
    """That a place was added is not told: one comes there."""


def ways(t: Draft, exits: list[str]) -> None:
    """Where one can go, unless the prose has said so."""
    unsaid = [with_article(name) for name in exits if name and not t.names(name)]
    if unsaid:
        t.line("here_exits", exits=_either(unsaid))


def _either(names: list[str]) -> str:
    return listed(names).replace(" and ", " or ") if len(names) == 2 else listed(names)


def looked(t: Draft, d: Details) -> None:
    """What one sees, and what is written there. What was described lately is not described
    again."""
    text, written = t.text_of(d), str(d.get("writing") or "")
    if d.get("missed") and t.pieces:
        t.line("look_nothing")
        return
    if text and not t.told(text):
        t.add(text, breaks=True)
    elif not written:
        _looked_again(t, d, text)
    if written:
        t.add(f'{t.lines.say("written")} "{clean(written)}"', breaks=not t.pieces)
    company(t, [str(person) for person in d.get("people") or []])
    things = [some(str(thing)) for thing in d.get("things") or [] if not t.names(str(thing))]
    if things:
        t.line("here_things", things=listed(things), verb="is" if names_one(things) else "are")
    ways(t, [str(way) for way in d.get("exits") or []])


def _looked_again(t: Draft, d: Details, text: str) -> None:
    """What is not described: seen before, bare, part of something, or nowhere to be seen."""
    named = with_article(str(d.get("name", "")))
    part, missed = _short_name(d.get("part")), _short_name(d.get("missed"))
    if part:
        t.line("look_part", breaks=True, name=part)
    elif missed and text:
        t.line("look_missed", breaks=True, name=missed)
    elif text:
        t.line("look_again", breaks=True, name=named)
    elif d.get("people") or d.get("things") or d.get("exits"):
        t.line("look_around", breaks=True)
    else:
        t.line("look_bare" if named else "look_again", breaks=True, name=named)


def _short_name(said: object) -> str:
    """The player's words for a thing, where they are a name: `his fingernails`."""
    words = turned(str(said or "")).strip(" .!?").split()
    named = words[:1] and words[0].lower() in word_class("determiners")
    return " ".join(words) if named and len(words) <= _LONGEST_NAME else ""


def checked(t: Draft, d: Details) -> None:
    """What one carries."""
    things = [some(str(thing)) for thing in d.get("things") or []]
    t.line("checked" if things else "checked_nothing", breaks=True, things=listed(things))


def searched(t: Draft, d: Details) -> None:
    """How a search went; what it found is told by what follows."""
    group = "searched_found" if d.get("found") else "searched_nothing"
    spot = turned(str(d.get("name") or "")).partition(" for ")[0]  # not what is looked for
    t.line(group, breaks=True, name=with_article(spot))


def discovered(t: Draft, d: Details) -> None:
    """Something comes to light."""
    t.authored(d, "discovered", str(d.get("id", "")))


def item_gained(t: Draft, d: Details) -> None:
    """Something is the player's now."""
    if "ruled" in t.quieted:
        return
    name, whom = _counted(d), str(d.get("whom") or "")
    if t.pieces and t.names(str(d.get("name", "")).split(" of ")[0].split(" ")[-1]):
        t.line("gained_known", name=name)
    elif whom:
        t.line("gained_from", name=name, source=t.called(whom))
    else:
        t.line("gained", name=name)


def item_lost(t: Draft, d: Details) -> None:
    """Something is not the player's any more."""
    if "ruled" in t.quieted:
        return
    whom = str(d.get("whom") or "")
    if whom:
        t.line("lost_to", name=_counted(d), to=t.called(whom))
    else:
        t.line("lost", name=_counted(d))


def _counted(d: Details) -> str:
    name, count = str(d.get("name") or "it"), d.get("qty")
    return f"{count} × {name}" if isinstance(count, int) and count > 1 else with_article(name)


def item_used(t: Draft, d: Details) -> None:
    """Something is put to use: by the author's words, the player's, or a line's."""
    deed = t.own_words.told(str(d.get("details") or ""))
    if deed and not t.text_of(d):
        t.add(deed)
        return
    t.authored(d, "used", str(d.get("item", "")), name=with_article(str(d.get("name") or "")))


def fact_learned(t: Draft, d: Details) -> None:
    """Something is known now, unless this turn's prose has just said it."""
    text = t.text_of(d)
    if text and not t.covers(text):
        t.line("learned", str(d.get("fact_id", "")), text=inside(text))


def waited(t: Draft, d: Details) -> None:
    """Time goes by on purpose."""
    t.line("waited", breaks=True, span=span(int(d.get("minutes") or 0)))
    t.quieted.add("time_passed")


def time_passed(t: Draft, d: Details) -> None:
    """Time goes by; only worth a word when it was long."""
    minutes = int(d.get("minutes") or 0)
    waited = any(event.type == "waited" for event in t.input.engine_events)
    if minutes >= 60 and not waited and "time_passed" not in t.quieted:
        t.line("time_long", span=span(minutes))


def recalled(t: Draft, d: Details) -> None:
    """What the character knows, laid out."""
    facts = [str(fact) for fact in d.get("facts") or [] if str(fact).strip()]
    if not facts:
        t.line("recalled_nothing", breaks=True)
        return
    t.line("recalled_lead", breaks=True)
    for fact in facts:
        t.add(fact)


def no_effect(t: Draft, d: Details) -> None:
    """Something was tried on a thing that has no answer to it, or nothing was there to give."""
    said = str(d.get("name") or "").lower().split()
    if len(said) > _LONGEST_NAME or set(said[:1]) & word_class("deed_places"):
        t.line("nothing")  # the player's words for it, which are no name
        return
    if d.get("action") == "take" and not d.get("target"):
        thing = " ".join(word for word in said if word not in word_class("determiners"))
        t.line("nothing_to_take", breaks=True, name=f"any {thing}", thing=thing)
        return
    if d.get("action") == "give":
        t.line("nothing_given", breaks=True, name=t.called(str(d.get("name", ""))))
        return
    t.line(
        "no_effect",
        str(d.get("action", "")),
        breaks=True,
        name=with_article(str(d.get("name", ""))) or "it",
    )


def hinted(t: Draft, d: Details) -> None:
    """Not found yet, but the eye knows where to go."""
    spot = str(d.get("text", "")).removeprefix("search ").removeprefix("look ").rstrip(".")
    t.line("hinted", str(d.get("id", "")), breaks=True, spot=spot)


def approached(t: Draft, d: Details) -> None:
    """Going up to someone or something that is already here."""
    name = with_article(str(d.get("name") or ""))
    t.line("approached", str(d.get("target", "")), breaks=True, name=name)


def further_on(t: Draft, d: Details) -> None:
    """Where one wanted to go lies beyond where one came to."""
    t.line("further_on", name=inside(str(d.get("name") or "")))


def way_shut(t: Draft, d: Details) -> None:
    """One stands before a way that is shut: the author's own words for it."""
    t.add(t.text_of(d), breaks=True)


def kept_for_later(t: Draft, d: Details) -> None:
    """What one came to say to somebody who is not here is not forgotten."""
    t.line("kept_for_later", breaks=True, name=t.called(str(d.get("name") or "")))


def passed(t: Draft, d: Details) -> None:
    """The way between two places."""
    if text := t.text_of(d):
        t.add(text, breaks=True)
    elif via := [with_article(str(name)) for name in d.get("via") or []]:
        t.line("passed", breaks=True, via=listed(via))
