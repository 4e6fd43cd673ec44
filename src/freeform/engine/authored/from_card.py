"""A small scenario from a character card: one person, one place, the card's own opening.

It is meant to be played at once and to be enriched by whoever can do more.
"""

from typing import Any

from freeform.core.text import slug
from freeform.engine.authored.scenario import Scenario
from freeform.packs.formats.card_story import CardStory, LoreNote

_MOST_KNOWN = 40
_LONGEST_ANSWER = 900


def scenario_of_card(
    story: CardStory, *, pack: str = "", greeting: int = 0, system: str = "pbta"
) -> Scenario:
    """The scenario; `greeting` picks one of the card's other openings, counted from 1."""
    id = slug(story.name)[:50] or "character"
    who, place = f"{id}:person", f"{id}:scene"
    others = len(story.greetings)
    opening = story.greetings[greeting - 1] if 0 < greeting <= others else story.opening
    from_pack: dict[str, Any] = {}
    if pack:
        from_pack = {"origin": "pack", "pack_id": pack, "pack_entity_id": pack}
    return Scenario.model_validate(
        {
            "id": id,
            "name": story.name,
            "genre": "any",
            "description": f"An evening with {story.name}.",
            "system": system,
            "packs": [pack] if pack else [],
            "opening": opening,
            "opening_suggestions": [f"Talk to {story.name}", "Look around"],
            "start": {"location": place},
            "heroes": [{"id": "you", "name": "You", "concept": "whoever you care to be"}],
            "entities": [
                {
                    "id": who,
                    "type": "npc",
                    "name": story.name,
                    "attrs": {"description": story.description, "location": place, "known": True},
                    **from_pack,
                },
                {
                    "id": place,
                    "type": "location",
                    "name": "here",
                    "attrs": {"aliases": ["here", "this place", "the scene"]},
                },
            ],
            "places": {place: {"description": story.setting or opening}},
            "people": {who: _person(story)},
            "endings": _endings(story.name, who),
        }
    )


def _person(story: CardStory) -> dict[str, Any]:
    """How the person speaks: their own lines, and what their book has under its words."""
    own = [story.name, "yourself", "who are you", "life", "past"]
    knows = [{"id": "self", "topics": own, "says": [_short(story.description)]}]
    for number, note in enumerate(story.lore[:_MOST_KNOWN], 1):
        if note.keys:
            knows.append(_told(story.name, number, note))
    sayings = [f'"{line}"' for line in story.sayings]
    return {
        "greeting": sayings[:1] or [f"{story.name} turns to you."],
        "idle": sayings[1:] or [f"{story.name} waits for what you will say."],
        "shrugs": [f"{story.name} has no answer to that."],
        "knows": knows,
        "disposition": story.personality,
    }


def _told(name: str, number: int, note: LoreNote) -> dict[str, Any]:
    return {
        "id": f"lore_{number}",
        "topics": note.keys,
        "says": [f"{name} tells you what there is to know. {_short(note.text)}"],
    }


def _endings(name: str, who: str) -> list[dict[str, Any]]:
    return [
        {
            "id": "friends",
            "title": "In good company",
            "when": [{"trust": {"who": who, "at_least": 3}}],
            "text": f"Something has been settled between you and {name}, without being said.",
        },
        {
            "id": "parted",
            "title": "Parted",
            "when": [{"trust": {"who": who, "at_most": -3}}],
            "text": f"{name} has had enough of you. There is no more to say tonight.",
        },
    ]


def _short(text: str) -> str:
    """The beginning of a text, up to the end of a sentence."""
    if len(text) <= _LONGEST_ANSWER:
        return text
    cut = text[:_LONGEST_ANSWER]
    end = max(cut.rfind(". "), cut.rfind(".\n"), cut.rfind("! "), cut.rfind("? "))
    return cut[: end + 1] if end > 0 else cut
