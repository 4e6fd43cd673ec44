"""A played story as an EPUB 3: a chapter for each twelve turns, dice as notes, the map.

Pure: the same story gives the same bytes. Whatever anybody wrote is text, never markup.
"""

import hashlib
import io
import re
import zipfile
from collections.abc import Iterator, Sequence
from html import escape

from freeform.services.views.book import StoryText, map_drawing, picture_figure, text_paragraphs
from freeform.services.views.records import PictureView, TurnView

MEDIA = "application/epub+zip"
TURNS_A_CHAPTER = 12
_WHEN = (1980, 1, 1, 0, 0, 0)
_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_STYLE = """body { font-family: Georgia, serif; line-height: 1.5; margin: 5% }
h1, .by { text-align: center; font-weight: normal } .by { font-style: italic }
h2 { font-weight: normal; margin: 2em 0 1em } p { margin: 0 0 0.7em }
.said { font-style: italic; margin-top: 1.4em } .notes { font-size: 0.85em }
figure { margin: 1.5em 0; text-align: center } img { max-width: 100% }
svg { width: 100%; height: auto } svg text { font: 13px serif; text-anchor: middle }
svg line { stroke: #555; stroke-dasharray: 7 4 } svg circle { fill: none; stroke: #555 }
svg .here { fill: #555 }
"""
_CONTAINER = """<?xml version="1.0" encoding="UTF-8"?>
<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container">
<rootfiles>
<rootfile full-path="OEBPS/content.opf" media-type="application/oebps-package+xml"/>
</rootfiles>
</container>
"""


def story_epub(story: StoryText) -> bytes:
    """The whole book."""
    pages = list(_pages(story))
    files = {
        "META-INF/container.xml": _CONTAINER,
        "OEBPS/content.opf": _package(story, [name for name, _, _ in pages]),
        "OEBPS/nav.xhtml": _contents(story, [(name, title) for name, title, _ in pages]),
        "OEBPS/style.css": _STYLE,
        **{f"OEBPS/{name}": _page(title, body) for name, title, body in pages},
    }
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as book:
        # A reader knows an EPUB by this file: the first, and not compressed.
        book.writestr(zipfile.ZipInfo("mimetype", _WHEN), MEDIA, zipfile.ZIP_STORED)
        for name, text in files.items():
            book.writestr(zipfile.ZipInfo(name, _WHEN), text.encode(), zipfile.ZIP_DEFLATED)
        for picture in story.pictures():
            name = f"OEBPS/{picture.id}.jpg"
            content = story.files[picture.id]
            book.writestr(zipfile.ZipInfo(name, _WHEN), content, zipfile.ZIP_STORED)
    return out.getvalue()


def _pages(story: StoryText) -> Iterator[tuple[str, str, str]]:
    """Each page: its file, its title, its body."""
    head = f"<h1>{_text(story.name)}</h1><p class='by'>the story of {_text(story.hero)}</p>"
    yield (
        "opening.xhtml",
        "How it began",
        head + _prose(story.opening) + _figures(story.opening_pictures),
    )
    parts = [
        story.turns[at : at + TURNS_A_CHAPTER] for at in range(0, len(story.turns), TURNS_A_CHAPTER)
    ]
    for number, turns in enumerate(parts, 1):
        title = f"Chapter {number}"
        yield f"chapter{number}.xhtml", title, f"<h2>{title}</h2>{_chapter(turns)}"
    drawn = map_drawing(story.map)
    if drawn:
        svg = drawn.replace("<svg ", "<svg xmlns='http://www.w3.org/2000/svg' ", 1)
        yield "map.xhtml", "The map", f"<h2>The map</h2>{_NOT_XML.sub('', svg)}"


def _chapter(turns: Sequence[TurnView]) -> str:
    """Its turns, and the dice at its end as notes."""
    told: list[str] = []
    notes: list[str] = []
    for turn in turns:
        marks = ""
        for roll in turn.rolls:
            notes.append(roll.text)
            mark = f"<a epub:type='noteref' href='#n{len(notes)}'>{len(notes)}</a>"
            marks += f"<sup>{mark}</sup>"
        if turn.player_input:
            told.append(f"<p class='said'>{_text(turn.player_input)}{marks}</p>")
        told.append(_prose(turn.final_text) + _figures(turn.pictures))
    rows = [
        f"<aside epub:type='footnote' id='n{number}'><p>{number}. {_text(note)}</p></aside>"
        for number, note in enumerate(notes, 1)
    ]
    end = f"<section class='notes' epub:type='footnotes'>{''.join(rows)}</section>" if rows else ""
    return "".join(told) + end


def _figures(pictures: Sequence[PictureView]) -> str:
    drawn = "".join(picture_figure(each, f"{each.id}.jpg") for each in pictures)
    return _NOT_XML.sub("", drawn)


def _page(title: str, body: str) -> str:
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE html>\n'
        '<html xmlns="http://www.w3.org/1999/xhtml" '
        'xmlns:epub="http://www.idpf.org/2007/ops" xml:lang="en" lang="en">'
        f'<head><title>{_text(title)}</title><link rel="stylesheet" type="text/css" '
        f'href="style.css"/></head><body>{body}</body></html>\n'
    )


def _contents(story: StoryText, pages: Sequence[tuple[str, str]]) -> str:
    rows = "".join(f"<li><a href='{name}'>{_text(title)}</a></li>" for name, title in pages)
    return _page(
        story.name, f"<nav epub:type='toc' id='toc'><h1>Contents</h1><ol>{rows}</ol></nav>"
    )


def _package(story: StoryText, pages: Sequence[str]) -> str:
    told = "\n".join([story.name, story.opening, *(turn.final_text for turn in story.turns)])
    id = hashlib.sha256(told.encode("utf-8", "replace")).hexdigest()[:32]
    last = story.turns[-1].at[:19].rstrip("Z") + "Z" if story.turns else "1980-01-01T00:00:00Z"
    items = "".join(
        f'<item id="{name.partition(".")[0]}" href="{name}" media-type="application/xhtml+xml"'
        f"{_svg_mark(name)}/>"
        for name in pages
    )
    items += "".join(
        f'<item id="{each.id}" href="{each.id}.jpg" media-type="image/jpeg"/>'
        for each in story.pictures()
    )
    spine = "".join(f'<itemref idref="{name.partition(".")[0]}"/>' for name in pages)
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id" '
        'xml:lang="en"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/">'
        f'<dc:identifier id="id">urn:freeform:{id}</dc:identifier>'
        f"<dc:title>{_text(story.name)}</dc:title><dc:language>en</dc:language>"
        f"<dc:creator>{_text(story.hero)}</dc:creator>"
        f'<meta property="dcterms:modified">{_text(last)}</meta></metadata>'
        '<manifest><item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" '
        'properties="nav"/><item id="style" href="style.css" media-type="text/css"/>'
        f"{items}</manifest><spine>{spine}</spine></package>\n"
    )


def _svg_mark(name: str) -> str:
    return ' properties="svg"' if name == "map.xhtml" else ""


def _prose(text: str) -> str:
    return text_paragraphs(_NOT_XML.sub("", text))


def _text(text: str) -> str:
    return escape(_NOT_XML.sub("", text))
