"""A story to show to others, as one page that fetches and runs nothing: who it is about, what was
told, whom they met, where they have been, what they know, and the dice. Pure.

Everything in it is the player's own view of the table: no id, no hidden fact, no model, no limit of
anybody's. What was tried and refused is not part of a story and is left out; what was said beside
it is not in the turns it is given (`in_character.py`).
"""

from base64 import b64encode
from collections.abc import Mapping, Sequence
from html import escape

from pydantic import Field

from freeform.services.views.arms import coat_of_arms
from freeform.services.views.book import (
    StoryText,
    dice_notes,
    map_drawing,
    text_paragraphs,
    told_story,
    whole_page,
)
from freeform.services.views.map import MapPlace
from freeform.services.views.records import EntityView, FactView, TurnView

_PEOPLE = ("npc", "creature")
_STYLE = """
header { text-align: center; margin-bottom: 3rem } header .by { margin: 0.3rem 0 0.8rem }
header .face { margin: 0 auto 1rem; width: 7rem } .concept { font-style: italic }
nav { display: flex; flex-wrap: wrap; justify-content: center; gap: 0 1.2rem; margin-top: 1.2rem }
nav a, .notes a { color: inherit } nav a { padding: 0.6rem 0.2rem }
.said { text-wrap: pretty } h2 { border-top: 1px solid; padding-top: 1.6rem; margin-top: 3.5rem }
.face { flex: none; width: 4.5rem } .face img { width: 100%; aspect-ratio: 1; object-fit: cover;
  border-radius: 50% } svg.arms { border: 0; display: block; width: 100% }
.people { list-style: none; padding: 0; display: grid; gap: 1.4rem } .people > li { display: flex;
  gap: 1.1rem } .people div { min-width: 0 } h3 { margin: 0; font-weight: 600; font-size: 1.125rem }
.people p, .known li { margin: 0.2rem 0 } .known { padding-left: 1.2rem; font-size: 1rem }
.when, .end { color: light-dark(#625847, #b0a793); font-size: 0.9rem }
.end { margin-top: 4rem; text-align: center; font-style: italic }
@media print { nav { display: none } .people > li { break-inside: avoid } }
"""


class SharedStory(StoryText):
    """What a shared story is made of: the printed one, and what its hero knows."""

    concept: str = ""
    entities: list[EntityView] = Field(default_factory=list)
    facts: list[FactView] = Field(default_factory=list)
    open_threads: list[str] = Field(default_factory=list)
    faces: dict[str, bytes] = Field(default_factory=dict)
    """Pictures of people by name, as JPEG or PNG."""


def share_page(story: SharedStory) -> str:
    """The whole page."""
    turns = [turn for turn in story.turns if not _is_refusal(turn)]
    told, notes = told_story(story.model_copy(update={"turns": turns}))
    sections = {
        "story": ("The story", told),
        "people": ("People", _people(story)),
        "places": ("Places", _places(story)),
        "known": (f"What {story.hero} knows", _known(story)),
        "dice": ("The dice", dice_notes(notes, heading="")),
    }
    filled = {id: part for id, part in sections.items() if part[1]}
    parts = [_head(story, filled)]
    for id, (title, body) in filled.items():
        heading = "" if id == "story" else f"<h2 dir='auto'>{escape(title)}</h2>\n"
        parts.append(f"<section id='{id}'>{heading}{body}</section>")
    parts.append(_end(story))
    return whole_page(story.name, parts, _STYLE)


def _is_refusal(turn: TurnView) -> bool:
    """Whether nothing came of a turn but the reason why not."""
    return bool(turn.blocked) and not turn.rolls and not turn.changed


def _head(story: SharedStory, sections: Mapping[str, tuple[str, str]]) -> str:
    links = "".join(f"<a href='#{id}'>{escape(title)}</a>" for id, (title, _) in sections.items())
    concept = f"<p class='concept' dir='auto'>{escape(story.concept)}</p>" if story.concept else ""
    return (
        f"<header>{_face(story.hero, story.faces)}<h1 dir='auto'>{escape(story.name)}</h1>"
        f"<p class='by' dir='auto'>the story of {escape(story.hero)}</p>{concept}"
        f"<nav aria-label='In this page'>{links}</nav></header>"
    )


def _face(name: str, faces: Mapping[str, bytes]) -> str:
    """A picture of somebody where there is one, else the arms their name bears."""
    if name not in faces:
        return f"<div class='face'>{coat_of_arms(name)}</div>"
    kind = "png" if faces[name].startswith(b"\x89PNG") else "jpeg"
    address = f"data:image/{kind};base64,{b64encode(faces[name]).decode()}"
    return f"<div class='face'><img src='{address}' alt='{escape(name)}'/></div>"


def _people(story: SharedStory) -> str:
    rows: list[str] = []
    for one in story.entities:
        if one.type in _PEOPLE and one.name != story.hero:
            about = text_paragraphs(one.description) + _facts(one.facts)
            who = f"<h3 dir='auto'>{escape(one.name)}</h3>"
            rows.append(f"<li>{_face(one.name, story.faces)}<div>{who}{about}</div></li>")
    return f"<ul class='people'>{''.join(rows)}</ul>" if rows else ""


def _places(story: SharedStory) -> str:
    rows = [_place(place) for place in story.map.places]
    listed = f"<ul class='known'>{''.join(rows)}</ul>" if rows else ""
    return map_drawing(story.map) + listed


def _place(place: MapPlace) -> str:
    seen = "" if place.visited else " <span class='when'>not been there</span>"
    about = f"<br/>{escape(place.about)}" if place.about else ""
    return f"<li dir='auto'><b>{escape(place.name)}</b>{seen}{about}</li>"


def _known(story: SharedStory) -> str:
    """What was learnt, in the order it was learnt; then what is still open."""
    of_people = {fact.id for one in story.entities if one.type in _PEOPLE for fact in one.facts}
    rest = [fact for fact in reversed(story.facts) if fact.id not in of_people]
    questions = "".join(f"<li dir='auto'>{escape(title)}</li>" for title in story.open_threads)
    still = f"<h3>Still open</h3><ul class='known'>{questions}</ul>" if questions else ""
    return _facts(rest) + still


def _facts(facts: Sequence[FactView]) -> str:
    rows = "".join(f"<li dir='auto'>{escape(fact.text)}{_learnt(fact)}</li>" for fact in facts)
    return f"<ul class='known'>{rows}</ul>" if rows else ""


def _learnt(fact: FactView) -> str:
    return f" <span class='when'>turn {fact.discovered_turn}</span>" if fact.discovered_turn else ""


def _end(story: SharedStory) -> str:
    last = story.turns[-1].turn_no if story.turns else 0
    until = f"until turn {last}" if last else "before the first turn"
    return (
        f"<p class='end' dir='auto'>What {escape(story.hero)} knew and saw, {until}. "
        "The rest of the world is not in this page.</p>"
    )
