"""A page as a pass is shown it, whole and without orders to the reader; and its paragraphs of
prose."""

import re
from collections.abc import Iterator

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
_ASIDE = frozenset({"see also", "references", "external links", "gallery", "navigation", "sources"})


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


def chunks(page: WebPage, tokens: int) -> list[str]:
    """The whole page as a pass is shown it, in pieces of about so many tokens: facts, lists, tables
    and prose as they stand, each piece under the heading it belongs to; orders are left out."""
    pieces: list[str] = []
    held: list[str] = []
    left, heading = tokens, ""
    for block in _blocks(page, tokens):
        cost = count_tokens(block) + 2
        if held and cost > left:
            pieces.append("\n\n".join(held))
            held = [heading] if heading and not block.startswith("#") else []
            left = tokens
        if block.startswith("#"):
            heading = block
        held.append(block)
        left -= cost
    return [*pieces, "\n\n".join(held)] if any(not b.startswith("#") for b in held) else pieces


def _blocks(page: WebPage, tokens: int) -> Iterator[str]:
    """Paragraphs, lists and tables with their headings; one that is too long in parts."""
    aside = [h for h in page.headings if label_form(h.title) in _ASIDE]
    position = 0
    for block in re.split(r"(\n\s*\n)", page.text):
        start, position = position, position + len(block)
        text = block.strip("\n")
        if not text.strip() or any(h.start <= start < h.end for h in aside):
            continue
        if text.startswith("#"):
            title = as_name(text.lstrip("# "))
            if title and label_form(title) not in _ASIDE:
                yield f"## {title}"
            continue
        lines = "\n".join(line for line in text.split("\n") if line.strip() and not is_order(line))
        yield from _parts(lines, tokens)


def _parts(text: str, tokens: int) -> Iterator[str]:
    """A text in pieces that fit, cut between lines, else between sentences."""
    if count_tokens(text) <= tokens:
        if text.strip():
            yield text
        return
    units = text.split("\n") if "\n" in text else re.split(r"(?<=[.!?])\s+", text)
    joint = "\n" if "\n" in text else " "
    held: list[str] = []
    for unit in units:
        if held and count_tokens(joint.join([*held, unit])) > tokens:
            yield joint.join(held)
            held = []
        held.append(unit)
    yield joint.join(held)


def as_name(text: str) -> str:
    """A name from outside as a prompt shows it: on one line, short, and '' for one that gives
    orders."""
    name = shorten(visible(text), 60)
    return "" if is_order(text) else name


def _heading_at(page: WebPage, position: int) -> str:
    inner = [heading for heading in page.headings if heading.start <= position < heading.end]
    return max(inner, key=lambda heading: heading.start).title if inner else ""
