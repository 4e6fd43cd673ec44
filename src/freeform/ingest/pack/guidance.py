"""Advice to the game master: found by who is spoken to, sorted by what it is about, universal or of
this game alone."""

import re
from collections import Counter
from collections.abc import Collection, Sequence

from pydantic import Field

from freeform.core.llm.gateway import Pass, PassInput
from freeform.core.record import Record
from freeform.core.text import plain_form, shorten, words_in
from freeform.ingest.model import BookSection
from freeform.ingest.pack.advice import sounds_like_advice
from freeform.ingest.reply import IngestReply
from freeform.ingest.systems.config import GuidanceConfig
from freeform.ingest.things.indicators import shapes_in
from freeform.ingest.things.names import names_in
from freeform.ingest.things.things import bare, text_of
from freeform.language.inflection import singular
from freeform.language.sentences import sentences
from freeform.language.words import words

BATCH = 10
#: Words of the shortest piece of advice; how likely it must sound, alone and beside signs.
SHORTEST, HEARD, NOT_STRANGE = 15, 0.5, 0.15
_ADVICE = re.compile(
    (
        r"\b(?:should|try to|consider|avoid|remember|encourage|let (?:the|your)|make sure|"
        r"feel free|it's best|up to you|never|always)\b"
    ),
    re.I,
)


_DECIDES = re.compile(
    r"\b[Tt]he ([A-Z][A-Za-z]+(?: [A-Z][a-z]+)?) (?:should|may|might|asks? for|calls? for|decides?|sets?|determines?|"
    r"tells? you|describes?|makes? a move)\b"
)
_OTHERS = frozenset(
    {"player", "players", "character", "characters", "target", "hero", "caster", "attacker"}
)


class Advice(Record):
    """A piece of advice as the pass sees it."""

    id: str
    title: str
    text: str
    category: str


class GuidanceInput(PassInput):
    """Up to ten pieces, and the categories there are."""

    known_elsewhere = frozenset({"pieces"})
    pieces: list[Advice]
    categories: list[str]


class Sorted(IngestReply):
    """What the pass says of one piece."""

    id: str
    category: str
    universal: bool
    advice: bool = True
    """False when it is no advice to a game master at all: signs and words alone take many a rule
    for one."""
    reason: str = ""


class GuidanceOutput(IngestReply):
    """One row for each."""

    pieces: list[Sorted] = Field(default_factory=list)


GUIDANCE = Pass("ingest/gm_guidance", GuidanceInput, GuidanceOutput)


class GuidanceNote(Record):
    """A piece of advice, sorted. A row of gm_guidance.json."""

    section: str
    title: str
    page: int
    category: str
    universal: bool
    text: str
    confidence: float
    reason: str = ""


def noted(
    section: BookSection,
    advice: Advice,
    sure: float,
    row: Sorted | None,
    categories: Collection[str],
) -> GuidanceNote | None:
    """The piece as the pass sorted it: in a category that there is, else in none; nothing for what
    is no advice."""
    if row is None or not row.advice:
        return None
    said = re.sub(r"[^a-z_]+", "_", row.category.lower()).strip("_")
    return GuidanceNote(
        section=section.id,
        title=section.title,
        page=section.page_start,
        category=said if said in categories else "general",
        universal=row.universal,
        text=advice.text,
        confidence=sure,
        reason=row.reason,
    )


def find_advice(
    sections: Sequence[BookSection], config: GuidanceConfig
) -> list[tuple[BookSection, Advice, float]]:
    """Sections that speak to the game master, with their likely category and how sure that is."""
    patterns = [(re.compile(sign.pattern), sign.confidence) for sign in config.content_patterns]
    if role := master_of(sections):
        patterns.append((re.compile(rf"\b{role}s?\s+(?:should|can|might|may|must|could)\b"), 0.9))
    chapters = [
        plain_form(word)
        for word in [*config.chapter_indicators, *([f"the {role}"] if role else [])]
    ]
    heard = sounds_like_advice(sections)
    found: list[tuple[BookSection, Advice, float]] = []
    for section in sections:
        text = text_of(section)
        words = words_in(text)
        if words < SHORTEST:
            continue
        sure = heard[section.id]
        path = plain_form(" ".join(section.heading_path))
        score = 0.35 if any(word in path for word in chapters) else 0.0
        score += min(
            0.6,
            sum(weight * len(p.findall(text)) for p, weight in patterns)
            * 60
            / max(words, 60)
            * 0.5,
        )
        score += min(0.25, 0.05 * len(_ADVICE.findall(text)))
        signs = len(_ADVICE.findall(text)) + sum(len(p.findall(text)) for p, _ in patterns)
        if sure >= HEARD or (sure >= NOT_STRANGE and score >= 0.5 and signs >= 2):
            category = category_of(f"{section.title} {text}", config.categories)
            advice = Advice(
                id=section.id,
                title=section.title,
                text=shorten(bare(text), 1800),
                category=category,
            )
            found.append((section, advice, round(min(max(score, sure), 0.95), 2)))
    return found


def master_of(sections: Sequence[BookSection]) -> str:
    """What the book calls its game master: who asks for rolls, decides and sets numbers; '' when
    nobody does."""
    seen: Counter[str] = Counter()
    for section in sections:
        seen.update(_DECIDES.findall(text_of(section)))
    told = [(times, role) for role, times in seen.items() if role.lower() not in _OTHERS]
    times, role = max(told, default=(0, ""))
    titled = any(role in title for section in sections for title in section.heading_path)
    return role if times >= (2 if titled else 3) else ""


def category_of(text: str, categories: dict[str, list[str]]) -> str:
    """The category whose words the text uses most."""
    said = Counter(singular(word) for word in words(text))
    scores = {name: sum(said[singular(cue)] for cue in cues) for name, cues in categories.items()}
    best = max(scores, key=lambda name: scores[name], default="")
    return best if best and scores[best] else "general"


def is_universal(title: str, text: str) -> tuple[bool, str]:
    """Whether advice holds at any table: it names nobody, and rolls no dice of this game."""
    shapes = {
        k: v
        for k, v in shapes_in(text).items()
        if k in ("dice", "target_number", "hit_total", "price", "rank")
    }
    if sum(shapes.values()) >= 2:
        return False, "it counts in this game's numbers"
    names = [spoken.name for spoken in names_in([(0, text)]) if spoken.kind]
    if names:
        return False, f"it speaks of {names[0]}"
    return True, "it names nobody and needs no dice"


def storytelling_file(category: str, notes: Sequence[GuidanceNote], book: str) -> str:
    """A Markdown body for one category."""
    lines = [f"# {category.replace('_', ' ').title()}", ""]
    for note in notes:
        lines += [f"## {note.title}", "", note.text, "", f"*{book}, page {note.page}*", ""]
    return "\n".join(lines)


def review_file(notes: Sequence[GuidanceNote], book: str) -> str:
    """gm_guidance_review.md: what may be worth saying in our own prompts, for a person to
    decide."""
    lines = [
        "# Advice that may hold at any table",
        "",
        "These pieces name nobody and need no dice of this game. Read each; what you agree with can be said, in your",
        "own words, in the prompts of the game master. Nothing here is used by itself.",
        "",
    ]
    for note in notes:
        first = " ".join(sentences(note.text)[:2])
        place = f"{book}, page {note.page}; {note.category}; {note.confidence:.0%} sure"
        lines += [
            f"## {note.title}",
            "",
            f"> {shorten(first, 400)}",
            "",
            f"- [ ] use ({place})",
            "",
        ]
    return "\n".join(lines) if notes else "\n".join([*lines, "Nothing was found.", ""])
