"""Tells headings from text by the look of paragraphs across the whole book. Pure.

Size alone fails on books that mark headings by weight, family or capitals; so styles are judged as
a whole: a heading style is rare, short, mostly without a full stop, says something new each time,
and has text below it.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from freeform.core.record import Record
from freeform.ingest.model import PageBlock

#: Sizes within this share of a level's largest belong to the same level.
SAME_LEVEL = 0.9
MOST_LEVELS = 12
#: Words that may stand behind a title on its line.
TAGS = 8
#: Share of a style's headings that an outline must list before it may say their level.
LISTED = 0.3
#: A numbered title (`3. The Well`, `B12 Guard Post`); the reader of blocks takes it for a list item.
_KEYED = re.compile(r"[A-Z]{0,2}\d{1,3}[a-z]?[.:)]?\s+[A-Z“\"]")
#: What parts a row of facts, how many make a line one, and the share that makes a style theirs.
_BAR = re.compile(r"\s[·•|/]\s|;\s")
FACTS, HALF = 2, 0.5
Style = tuple[str, float, bool, bool]


class StyleFacts(Record):
    """What is known of one style."""

    style: Style
    letters: int
    blocks: int
    #: Share of its paragraphs that look like a heading, and share of different wordings among those.
    heading_like: float
    different: float
    #: Share of its paragraphs that have another style below them.
    leads: float
    capitals: float
    #: Share of what looks like a heading that is a row of facts (`Mass 2 · Grip 1 · Make fine`).
    barred: float = 0.0


def style_of(block: PageBlock) -> Style:
    """Font with its colour, size to half a point, bold, wholly in capitals."""
    capitals = len(block.text) > 3 and block.text.isupper()
    return (
        f"{block.font},#{block.color:06x}" if block.color else block.font,
        round(block.size * 2) / 2,
        block.bold,
        capitals,
    )


def looks_like_heading(block: PageBlock) -> bool:
    """Short, with no full stop, beginning like a title."""
    text = block.text
    if (
        not (block.kind == "text" or (block.kind == "item" and _KEYED.match(text)))
        or block.run_in
        or block.lines > 3
        or not 2 <= len(text) <= 110
    ):
        return False
    if (
        len(text.split()) > 14
        or text[-1] in ".,;。、；"
        or not any(letter.isalpha() for letter in text)
    ):
        return False
    # Letters of a script without capitals are neither upper nor lower.
    begins = text[0].isalpha() and not text[0].islower()
    return begins or text[0].isdigit() or text[0] in "“\"'‘(¡¿「『【"


def title_before_tags(block: PageBlock) -> PageBlock | None:
    """The title of a line that sets a name in one look and a few words in another (`Ankheg`, then
    `Group, Large` in small italics), as a block of its own; None for any other line."""
    if not block.run_in or block.kind != "text" or block.lines > 2:
        return None
    rest = block.text.removeprefix(f"**{block.run_in}**").strip()
    if not 1 <= len(rest.split()) <= TAGS or rest[-1] in ".:;!?-" or not rest[0].isalnum():
        return None
    title = block.model_copy(
        update={
            "text": block.run_in,
            "font": block.run_in_font,
            "size": block.run_in_size,
            "bold": True,
            "italic": False,
            "run_in": "",
            "lines": 1,
        }
    )
    return title if looks_like_heading(title) and title.text[-1] != ":" else None


def tagged_titles(titles: Sequence[PageBlock], facts: Sequence[StyleFacts]) -> list[StyleFacts]:
    """The looks of such titles that are heading styles: larger than the text, in another hand, and
    of many wordings."""
    if not facts:
        return []
    body = body_size(facts)
    plain = next(fact.style[0] for fact in facts if fact.style[1] == body)
    found = survey(titles)
    return [
        fact
        for fact in found
        if fact.style[1] >= (1.04 if family_of(fact.style[0]) != family_of(plain) else 1.15) * body
        and fact.blocks >= 4
        and fact.different >= 0.3
    ]


def survey(blocks: Iterable[PageBlock]) -> list[StyleFacts]:
    """The styles of a book, the one with most letters first."""
    letters: Counter[Style] = Counter()
    counts: Counter[Style] = Counter()
    like: Counter[Style] = Counter()
    barred: Counter[Style] = Counter()
    leads: Counter[Style] = Counter()
    words: dict[Style, Counter[str]] = defaultdict(Counter)
    before: Style | None = None
    for block in blocks:
        if block.kind == "table":
            if before is not None:
                leads[before] += 1
            before = None
            continue
        style = style_of(block)
        letters[style] += len(block.text)
        counts[style] += 1
        if looks_like_heading(block):
            like[style] += 1
            barred[style] += len(_BAR.findall(block.text)) >= FACTS
            words[style][block.text.lower()[:60]] += 1
        if before is not None and before[:3] != style[:3]:
            leads[before] += 1
        before = style
    return [
        StyleFacts(
            style=style,
            letters=count,
            blocks=counts[style],
            heading_like=like[style] / counts[style],
            different=len(words[style]) / max(1, like[style]),
            leads=leads[style] / counts[style],
            capitals=float(style[3]),
            barred=barred[style] / max(1, like[style]),
        )
        for style, count in letters.most_common()
    ]


def heading_levels(
    facts: Sequence[StyleFacts], tagged: Sequence[StyleFacts] = ()
) -> dict[Style, int]:
    """The heading styles with their levels, 1 the highest. `tagged`: looks of titles that share
    their line with tags, judged already."""
    if not facts:
        return {}
    total = sum(fact.letters for fact in facts)
    body = body_size(facts)
    plain_bold = next((fact.style[2] for fact in facts if fact.style[1] == body), False)
    plain = next(fact.style[0] for fact in facts if fact.style[1] == body)
    chosen = [
        fact
        for fact in facts
        if fact.barred < HALF
        and (_is_heading_style(fact, body, plain_bold, total) or _is_other_hand(fact, body, plain))
    ]
    known = {fact.style for fact in chosen}
    return _levels([*chosen, *(fact for fact in tagged if fact.style not in known)], body)


def body_size(facts: Sequence[StyleFacts]) -> float:
    """The size most letters have."""
    sizes: Counter[float] = Counter()
    for fact in facts:
        sizes[fact.style[1]] += fact.letters
    return sizes.most_common(1)[0][0]


def _is_heading_style(fact: StyleFacts, body: float, plain_bold: bool, total: int) -> bool:
    _, size, bold, capitals = fact.style
    if fact.letters > _most_letters(fact, body) * total or fact.heading_like == 0:
        return False
    if fact.different < 0.12 and fact.blocks > 20:
        return False  # the same few labels over and over: parts of a stat block, not headings
    ratio = size / body
    if ratio >= 1.15:
        return fact.heading_like >= 0.55
    stands_out = (bold and not plain_bold) or capitals
    if ratio >= 1.04:
        return fact.heading_like >= (0.7 if stands_out else 0.85) and fact.leads >= 0.4
    if not stands_out or ratio < 0.93:
        return False
    return (
        fact.heading_like >= 0.85
        and fact.leads >= 0.6
        and fact.different >= 0.3
        and fact.blocks >= 3
    )


def _most_letters(fact: StyleFacts, body: float) -> float:
    """The share of a book's letters that a heading style has at most: more where it is plainly one,
    as in a small book of short entries, whose tables do not count."""
    plainly = fact.style[1] >= 1.15 * body and fact.heading_like >= 0.9 and fact.leads >= 0.8
    return 0.35 if plainly else 0.15


def _is_other_hand(fact: StyleFacts, body: float, plain: str) -> bool:
    """Titles in another family or colour at the size of the text: neither larger nor bold, but
    plainly titles."""
    font, size, _, _ = fact.style
    alike = (
        family_of(font) == family_of(plain) and font.partition(",#")[2] == plain.partition(",#")[2]
    )
    slanted = "italic" in font.lower() or "oblique" in font.lower()
    if alike or slanted or not 0.95 <= size / body < 1.15:
        return False
    return (
        fact.heading_like >= 0.92
        and fact.leads >= 0.75
        and fact.different >= 0.6
        and fact.blocks >= 5
    )


def family_of(font: str) -> str:
    """The family of a font: ArialMT and Arial-BoldMT are both Arial."""
    return re.sub(r"(psmt|ps|mt)$", "", re.split(r"[-,]", font.lower())[0])


def _levels(chosen: Sequence[StyleFacts], body: float) -> dict[Style, int]:
    """Sizes from large to small, near ones together; at body size capitals come before bold."""
    ranked = sorted(
        chosen,
        key=lambda fact: (-fact.style[1], not fact.style[3], not fact.style[2], -fact.blocks),
    )
    levels: dict[Style, int] = {}
    level, top = 0, 0.0
    family = ""
    for fact in ranked:
        font, size, bold, capitals = fact.style
        kind = (
            f"{family_of(font)}{bold}"
            if size > 1.15 * body
            else f"{family_of(font)}{bold}{capitals}"
        )
        near = top and size >= SAME_LEVEL * top
        # At one size, another family is another level: a creature's name under a chapter's section.
        if not near or (
            size <= 1.35 * body and kind != family and size < top + 0.6 and levels and size == top
        ):
            level, top = level + 1, size
        family = kind
        levels[fact.style] = min(level, MOST_LEVELS)
    return levels


def calibrate(levels: Mapping[Style, int], seen: Mapping[Style, Counter[int]]) -> dict[Style, int]:
    """Levels corrected by where the outline or the contents put headings of each style, if they say
    enough."""
    known = {
        style: votes.most_common(1)[0][0] for style, votes in seen.items() if votes.total() >= 2
    }
    if len(known) < 2:
        return dict(levels)
    order = sorted(known.items(), key=lambda pair: levels.get(pair[0], 9))
    # Believe it only when it does not contradict the sizes.
    if any(a[1] > b[1] for a, b in pairwise(order)):
        return dict(levels)
    out: dict[Style, int] = {}
    for style, level in levels.items():
        if style in known:
            out[style] = known[style]
            continue
        above = [known[other] for other in known if levels[other] < level]
        out[style] = min(MOST_LEVELS, max([level, *(found + 1 for found in above)]))
    return out
