"""The prose of a page, as a pass is shown it: sections without their tables, and without orders to
the reader."""

import re
from collections.abc import Iterable

from freeform.core.record import Record
from freeform.core.text import count_tokens, shorten, visible
from freeform.lore.ports import WebPage
from freeform.lore.read.vocabulary import label_form

_ORDERS = re.compile(
    r"\b(?:ignore|disregard|forget)\b.{0,40}\b(?:instruction|prompt|rule|message|above|previous|prior)"
    r"|\byou are (?:now )?(?:an?|the) (?:ai|assistant|language model|chatbot|system)\b"
    r"|\b(?:system|developer) (?:prompt|message)\b|\bas an ai\b|<\|im_start\|>|\[/?INST\]"
    r"|\b(?:reveal|print|output|repeat) (?:your|the) (?:system )?(?:prompt|instructions|secrets?|api keys?)"
    r"|\bassistant\s*:\s|\bnew instructions?\s*:",
    re.I,
)
_LINE = re.compile(r"^[ \t]*(?:\||[-*•] |#|!\[|\d+\. |[A-Z][\w' ]{1,30}:\s)", re.M)
_ASIDE = frozenset(
    {"see also", "references", "external links", "gallery", "navigation", "trivia", "sources"}
)


class ProsePassage(Record):
    """A paragraph of prose with the heading above it. `text` stands in the page as it is."""

    heading: str
    text: str
    start: int


def is_order(text: str) -> bool:
    """Whether a text speaks to the machine that reads it, not to the readers of the world."""
    return bool(_ORDERS.search(text))


def passages(page: WebPage) -> list[ProsePassage]:
    """The paragraphs, each under its nearest heading; those that give orders are left out."""
    found: list[ProsePassage] = []
    position = 0
    for block in re.split(r"(\n\s*\n)", page.text):
        start, position = position, position + len(block)
        text = block.strip()
        if not text or _LINE.match(text) or len(text) < 30 or is_order(text):
            continue
        start += block.index(text[0]) if block[:1].isspace() else 0
        heading = _heading_at(page, start)
        if label_form(heading) not in _ASIDE:
            found.append(ProsePassage(heading=heading, text=text, start=start))
    return found


def within(found: Iterable[ProsePassage], tokens: int) -> list[ProsePassage]:
    """As many paragraphs as fit, in their order. Of a long page every section's first ones come
    before any's later ones:
    else a long history would leave no room for who lives there."""
    sections: dict[str, list[ProsePassage]] = {}
    for passage in found:
        sections.setdefault(passage.heading, []).append(passage)
    kept: list[ProsePassage] = []
    left = tokens
    for nth in range(max(map(len, sections.values()), default=0)):
        for section in sections.values():
            cost = count_tokens(section[nth].text) + 8 if nth < len(section) else 0
            if cost and (cost <= left or not kept):
                kept.append(section[nth])
                left -= cost
    return sorted(kept, key=lambda passage: passage.start)


def as_name(text: str) -> str:
    """A name from outside as a prompt shows it: on one line, short, and '' for one that gives
    orders."""
    name = shorten(visible(text), 60)
    return "" if is_order(text) else name


def as_text(found: Iterable[ProsePassage]) -> str:
    """The paragraphs under their headings, as a prompt shows them."""
    lines: list[str] = []
    last = None
    for passage in found:
        if passage.heading != last and (heading := as_name(passage.heading)):
            lines.append(f"## {heading}")
        last = passage.heading
        lines.append(passage.text)
    return "\n\n".join(lines)


def _heading_at(page: WebPage, position: int) -> str:
    inner = [heading for heading in page.headings if heading.start <= position < heading.end]
    return max(inner, key=lambda heading: heading.start).title if inner else ""
