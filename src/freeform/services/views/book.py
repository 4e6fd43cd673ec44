"""The story as one page of HTML, to read and to print: what was tried and told, dice as notes, the
map. Pure; nothing in it is fetched, and whatever anybody wrote is text, never markup."""

from base64 import b64encode
from collections.abc import Mapping, Sequence
from html import escape

from pydantic import Field

from freeform.services.views.map import MapShown
from freeform.services.views.records import PictureView, TurnView, View

_STYLE = """
:root { color-scheme: light dark }
body { margin: 0; background: light-dark(#faf6ec, #191f22); color: light-dark(#2a241c, #e9e0cd);
  font: 1.125rem/1.6 Literata, Charter, Georgia, serif; overflow-wrap: anywhere }
main { max-width: 38rem; margin: 0 auto; padding: 3rem 1.25rem 5rem }
h1, .by { text-align: center; font-weight: 500 } h1 { font-size: 2.4rem; margin: 0 }
.by { font-style: italic; margin: 0.3rem 0 3rem }
h2 { font-weight: 500; font-size: 1.4rem; margin: 3rem 0 0.6rem }
.said { font-style: italic; color: light-dark(#8f2a1c, #ec9a80); margin: 2rem 0 0.4rem }
p { margin: 0 0 0.8rem } sup a { text-decoration: none; color: inherit }
.notes { font-size: 0.875rem; color: light-dark(#625847, #b0a793); padding-left: 1.4rem }
figure { margin: 1.6rem 0; break-inside: avoid } img { display: block; max-width: 100%;
  height: auto; margin: 0 auto } figcaption { text-align: center; font-style: italic;
  font-size: 0.9rem; margin-top: 0.4rem }
svg { width: 100%; height: auto; border: 1px solid currentColor }
svg text { font: 13px Georgia, serif; fill: currentColor; text-anchor: middle }
svg line { stroke: currentColor; stroke-dasharray: 7 4 }
svg .shut { stroke-dasharray: 1 5 } svg circle { fill: none; stroke: currentColor; stroke-width: 2 }
svg .here { fill: currentColor }
@media print { body { background: none; color: #000; font-size: 11pt } main { padding: 0 }
  .said { color: #444 } p { orphans: 3; widows: 3 } h2 { break-after: avoid }
  svg { break-inside: avoid } }
"""
_STEP_X, _STEP_Y, _EDGE = 170, 84, 90
_LETTERS = 26
"""As much of a name as stands between two places of the map."""


class StoryText(View):
    """What a printed story is made of."""

    name: str
    hero: str
    opening: str
    turns: list[TurnView]
    map: MapShown
    opening_pictures: list[PictureView] = Field(default_factory=list)
    files: dict[str, bytes] = Field(default_factory=dict)
    """The pictures by id, as JPEG."""

    def pictures(self) -> list[PictureView]:
        """All of them, in the order of the story."""
        told = [picture for turn in self.turns for picture in turn.pictures]
        return [*self.opening_pictures, *told]


def story_page(story: StoryText) -> str:
    """The whole page."""
    told, notes = told_story(story)
    parts = [
        f"<h1 dir='auto'>{escape(story.name)}</h1>",
        f"<p class='by' dir='auto'>the story of {escape(story.hero)}</p>",
        told,
        _map(story.map),
        dice_notes(notes),
    ]
    return whole_page(story.name, parts)


def told_story(story: StoryText) -> tuple[str, list[str]]:
    """The opening and every turn with their pictures, and the dice that stand as notes behind."""
    notes: list[str] = []
    told = [_turn(turn, notes) + _pictures(turn.pictures, story.files) for turn in story.turns]
    opening = [text_paragraphs(story.opening), _pictures(story.opening_pictures, story.files)]
    return "\n".join(part for part in (*opening, *told) if part), notes


def whole_page(title: str, parts: Sequence[str], style: str = "") -> str:
    """One file that fetches nothing: its parts, and the style of the book with what is added."""
    body = "\n".join(part for part in parts if part)
    return (
        "<!doctype html>\n<html lang='en'><head><meta charset='utf-8'>"
        "<meta name='viewport' content='width=device-width, initial-scale=1'>"
        f"<title>{escape(title)}</title><style>{_STYLE}{style}</style></head>\n"
        f"<body><main>\n{body}\n</main></body></html>\n"
    )


def _turn(turn: TurnView, notes: list[str]) -> str:
    marks = ""
    for roll in turn.rolls:
        notes.append(roll.text)
        number = len(notes)
        marks += f"<sup><a href='#dice{number}' id='at{number}'>{number}</a></sup>"
    said = (
        f"<p class='said' dir='auto'>{escape(turn.player_input)}{marks}</p>"
        if turn.player_input
        else ""
    )
    return said + text_paragraphs(turn.final_text)


def _pictures(shown: Sequence[PictureView], files: Mapping[str, bytes]) -> str:
    """Pictures inside the page: it stays one file."""
    return "".join(
        picture_figure(each, f"data:image/jpeg;base64,{b64encode(files[each.id]).decode()}")
        for each in shown
        if each.id in files
    )


def picture_figure(picture: PictureView, address: str) -> str:
    """A picture with what it shows."""
    name = escape(picture.name)
    size = f"width='{picture.width}' height='{picture.height}'"
    return (
        f"<figure><img src='{address}' alt='{name}' {size}/>"
        f"<figcaption>{name}</figcaption></figure>"
    )


def text_paragraphs(text: str) -> str:
    """Each line a paragraph."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return "\n".join(f"<p dir='auto'>{escape(line)}</p>" for line in lines)


def dice_notes(notes: Sequence[str], heading: str = "<h2>Dice</h2>\n") -> str:
    """How the dice fell, each with the way back to its turn."""
    if not notes:
        return ""
    rows = [
        f"<li id='dice{number}'>{escape(text)} <a href='#at{number}'>back</a></li>"
        for number, text in enumerate(notes, 1)
    ]
    return f"{heading}<ol class='notes'>{''.join(rows)}</ol>"


def _map(shown: MapShown) -> str:
    drawn = map_drawing(shown)
    return f"<h2>The map</h2>\n{drawn}" if drawn else ""


def map_drawing(shown: MapShown) -> str:
    """The map in columns: how many ways each place lies from where play stands; '' without any."""
    if len(shown.places) < 2:
        return ""
    spots = _spots(shown)
    lines = [
        f"<line class='{way.state}' x1='{spots[way.start][0]}' y1='{spots[way.start][1]}' "
        f"x2='{spots[way.to][0]}' y2='{spots[way.to][1]}'/>"
        for way in shown.ways
        if way.start in spots and way.to in spots
    ]
    places: list[str] = []
    for place in shown.places:
        x, y = spots[place.id]
        mark = " class='here'" if place.here else ""
        places.append(f"<circle{mark} cx='{x}' cy='{y}' r='7'/>")
        places.append(f"<text x='{x}' y='{y + 24}'>{escape(_short(place.name))}</text>")
    width = max(x for x, _ in spots.values()) + _EDGE
    height = max(y for _, y in spots.values()) + _EDGE
    drawn = "".join([*lines, *places])
    named = ", ".join(escape(place.name) for place in shown.places)
    return (
        f"<svg viewBox='0 0 {width} {height}' role='img' "
        f"aria-label='Places known: {named}'>{drawn}</svg>"
    )


def _short(name: str) -> str:
    return name if len(name) <= _LETTERS else f"{name[: _LETTERS - 1]}…"


def _spots(shown: MapShown) -> dict[str, tuple[int, int]]:
    depth = _depths(shown)
    rows: dict[int, int] = {}
    spots: dict[str, tuple[int, int]] = {}
    for place in shown.places:
        column = depth[place.id]
        row = rows.get(column, 0)
        rows[column] = row + 1
        spots[place.id] = (_EDGE + column * _STEP_X, _EDGE // 2 + row * _STEP_Y)
    return spots


def _depths(shown: MapShown) -> dict[str, int]:
    """How many ways away each place lies; what no way leads to stands in the last column."""
    known = {place.id for place in shown.places}
    start = next((place.id for place in shown.places if place.here), shown.places[0].id)
    depth = {start: 0}
    queue = [start]
    while queue:
        place = queue.pop(0)
        for way in shown.ways:
            if place not in (way.start, way.to):
                continue
            other = way.to if way.start == place else way.start
            if other in known and other not in depth:
                depth[other] = depth[place] + 1
                queue.append(other)
    last = max(depth.values()) + 1
    return {id: depth.get(id, last) for id in known}
