"""Stage 4: what each segment tells of, and where it goes. Rules first; what they doubt is put to a
pass in tens.

Two axes: ten content types, and the route LORE, SYSTEMS or BOTH. The evidence: which things the
segment's sections are about, the shapes of rules in it, what its headings announce, and what its
chapter is for.
"""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import Field, field_validator

from freeform.core.llm.gateway import Pass, PassInput
from freeform.core.record import Record
from freeform.core.text import plain_form, shorten, words_in
from freeform.ingest.config import Correction
from freeform.ingest.model import ChapterIntent, ContentType, Route, Segment
from freeform.ingest.reply import IngestReply
from freeform.ingest.things.indicators import mechanical_score, shapes_in
from freeform.ingest.things.kinds import (
    CONTENT,
    Kind,
    announced,
    announces_many,
)
from freeform.ingest.things.names import names_in

SURE = 0.7
BATCH = 10

CUES: dict[ContentType, str] = {
    ContentType.LOCATION: (
        r"\b(?:city|town|village|street|district|located|lies|stands|building|rooms?|region|north|"
        r"south|east|west|river|mountains?|walls?|plane|terrain|roads?|harbou?r|inhabitants)\b"
    ),
    ContentType.NPC: r"\b(?:he|she|his|her|personality|born|wears|motivat\w+|ambition|hates|loves|friend|rival)\b",
    ContentType.FACTION: (
        r"\b(?:members?|organi[sz]ation|guild|leaders?|recruits?|agents?|alliance|rivals?|"
        r"headquarters|ranks?|agenda|order)\b"
    ),
    ContentType.CULTURE: (
        r"\b(?:customs?|tradition\w*|language|religio\w+|worship\w*|society|believe\w*|ritual|"
        r"gods?|deit\w+|people|families|festival|honou?r|alignment|names)\b"
    ),
    ContentType.ITEM: (
        r"\b(?:wear\w*|wield\w*|carr(?:y|ies)|weapon|armou?r|ring|potion|wand|cloak|sword|"
        r"attune\w*|charges?|device|worth|weighs?|cost)\b"
    ),
    ContentType.EVENT: (
        r"\b(?:arrives?|suddenly|the (?:party|characters|players|heroes) (?:can|may|must|find|"
        r"meet|arrive)|scene|encounter|ambush|adventure|quest|hook)\b"
    ),
    ContentType.HISTORY: (
        r"\b(?:years? ago|centur(?:y|ies)|ancient|founded|reign|war|fell|ages?|once|had been|ago|"
        r"in \d{3,4}|the year \d+)\b"
    ),
    ContentType.RULES: (
        r"\b(?:you can|you must|rolls?|checks?|bonus|modifier|action|turn|rounds?|damage|saving|"
        r"level|gain|target|effect)\b"
    ),
}  # fmt: skip
_CUES = {kind: re.compile(pattern) for kind, pattern in CUES.items()}
_LORE_TYPES = frozenset(set(ContentType) - {ContentType.RULES, ContentType.TABLE})


class Doubtful(Record):
    """A segment the rules are not sure of, as the pass sees it."""

    id: str
    title: str
    path: str
    intent: str
    text: str
    guess: str
    route: str


class ClassifyInput(PassInput):
    """Up to ten doubtful segments."""

    known_elsewhere = frozenset({"segments"})
    segments: list[Doubtful]


class KindVerdict(IngestReply):
    """What the pass says of one."""

    id: str
    content_type: ContentType
    route: Route
    confidence: float = 0.8

    @field_validator("content_type", "route", mode="before")
    @classmethod
    def _as_listed(cls, value: Any) -> Any:
        """`Location` and `systems` as the lists have them."""
        return value.strip().upper() if isinstance(value, str) else value


class ClassifyOutput(IngestReply):
    """One verdict for each."""

    verdicts: list[KindVerdict] = Field(default_factory=list)


CLASSIFY = Pass("ingest/classify", ClassifyInput, ClassifyOutput)


def classify_segment(
    segment: Segment, things: Mapping[Kind, int], listed: frozenset[Kind] = frozenset()
) -> Segment:
    """One segment by rules alone. `things`: words of it that are about things of a kind; `listed`:
    kinds its chapter has a list of. Text beside such a list that is about none of its things
    explains how to use it."""
    scores: dict[ContentType, float] = defaultdict(float)
    reasons: list[str] = []
    explains = bool(listed) and not things and not segment.stat_blocks
    words = max(segment.word_count, 1)
    mechanical = mechanical_score(segment.text, words)
    for kind, number in things.items():
        share = min(1.0, number / words)
        scores[CONTENT[kind]] += 2.2 * share
        if share > 0.3:
            reasons.append(f"about {kind} ({share:.0%})")
    if segment.is_stat_block or segment.stat_blocks:
        scores[ContentType.NPC] += 2.0
        reasons.append(f"{len(segment.stat_blocks) or 1} stat block(s)")
    told = _table_share(segment.text)
    if told > 0.55 and not segment.stat_blocks:
        scores[ContentType.TABLE] += 1.9 * told
        reasons.append(f"tables make {told:.0%} of it")
    for distance, title in enumerate(reversed(segment.heading_path)):
        if kind_here := (announced(title) if distance == 0 else announces_many(title)):
            scores[CONTENT[kind_here]] += (0.4 if explains and kind_here in listed else 1.0) / (
                1 + distance
            )
            reasons.append(f"under '{shorten(title, 30)}'")
            break
    for content, weight in _BIAS.get(segment.intent, ()):
        scores[content] += 0.3 * weight if explains else weight
    if explains:
        scores[ContentType.RULES] += 0.6
        reasons.append(f"explains a list of {min(listed)}s")
    if mechanical > 0.2:
        scores[ContentType.RULES] += 1.1 * mechanical
        reasons.append(f"rules in {len(shapes_in(segment.text))} shapes")
    for content, score in cue_scores(segment.text, words).items():
        scores[content] += score
    ordered = sorted(scores.items(), key=lambda row: -row[1])[:2]
    best, score = ordered[0] if ordered else (ContentType.GENERAL, 0.0)
    second = ordered[1][1] if len(ordered) > 1 else 0.0
    if score < 0.45:
        best, confidence = ContentType.GENERAL, 0.5
    else:
        confidence = min(0.99, 0.45 + 0.4 * (score - second) / score + 0.15 * min(score, 2.0))
    return segment.model_copy(
        update={
            "content_type": best,
            "route": route_of(best, mechanical, segment.intent),
            "confidence": round(confidence, 3),
            "reasons": tuple(reasons[:5]),
        }
    )


_BIAS: dict[ChapterIntent, tuple[tuple[ContentType, float], ...]] = {
    ChapterIntent.SETTING: ((ContentType.LOCATION, 0.5),),
    ChapterIntent.FACTIONS: ((ContentType.FACTION, 0.6),),
    ChapterIntent.MECHANICS: ((ContentType.RULES, 0.7),),
    ChapterIntent.CHARACTERS: ((ContentType.RULES, 0.4),),
    ChapterIntent.NARRATIVE: ((ContentType.EVENT, 0.35),),
    ChapterIntent.EQUIPMENT: ((ContentType.ITEM, 0.6),),
    ChapterIntent.BESTIARY: ((ContentType.NPC, 0.7),),
}


def cue_scores(text: str, words: int) -> dict[ContentType, float]:
    """What the words themselves speak of: the share of cue words, at most 0.6 for each type."""
    text = text.lower()  # made small once: far quicker than patterns that look at no case
    return {
        kind: round(min(0.6, len(pattern.findall(text)) / max(words, 40) * 8), 3)
        for kind, pattern in _CUES.items()
    }


def route_of(content: ContentType, mechanical: float, intent: ChapterIntent) -> Route:
    """Rules and tables are systems; lore with many shapes of rules in it is both."""
    heavy = mechanical >= (
        0.3 if intent in (ChapterIntent.MECHANICS, ChapterIntent.REFERENCE) else 0.4
    )
    if content in _LORE_TYPES:
        return Route.BOTH if heavy else Route.LORE
    return Route.SYSTEMS if mechanical >= 0.12 or content is ContentType.TABLE else Route.BOTH


def _table_share(text: str) -> float:
    lines = [line for line in text.splitlines() if line.strip()]
    rows = [line for line in lines if line.lstrip().startswith("|")]
    return words_in(" ".join(rows)) / max(1, words_in(" ".join(lines)))


def doubtful(segments: Sequence[Segment]) -> list[list[Doubtful]]:
    """Those the rules are not sure of, in batches of ten."""
    rows = [
        Doubtful(
            id=segment.id,
            title=segment.title,
            path=" > ".join(segment.heading_path),
            intent=segment.intent.value,
            text=shorten(segment.text, 1500),
            guess=segment.content_type.value if segment.content_type else "",
            route=segment.route.value if segment.route else "",
        )
        for segment in segments
        if segment.confidence < SURE
    ]
    return [rows[start : start + BATCH] for start in range(0, len(rows), BATCH)]


def settle(segment: Segment, verdict: KindVerdict | None, correction: Correction | None) -> Segment:
    """The segment with what the pass said, and with what a person said above all."""
    if correction is not None:
        said = {
            "content_type": correction.content_type,
            "route": correction.route,
            "confidence": 1.0,
        }
        return segment.model_copy(update={**said, "reasons": ("said by a person",)})
    if verdict is None:
        return segment
    reason = (
        "the pass agreed" if verdict.content_type is segment.content_type else "the pass decided"
    )
    return segment.model_copy(
        update={
            "content_type": verdict.content_type,
            "route": verdict.route,
            "confidence": round(max(0.0, min(1.0, verdict.confidence)), 3),
            "reasons": (*segment.reasons, reason),
        }
    )


def second_look(doubt: Doubtful) -> KindVerdict:
    """What the words say when headings and chapters have not decided: for the offline model."""
    words = words_in(doubt.text)
    scores: dict[ContentType, float] = defaultdict(float, cue_scores(doubt.text, words))
    mechanical = mechanical_score(doubt.text, words)
    scores[ContentType.RULES] += 0.9 * mechanical
    for spoken in names_in([(0, doubt.text)])[:6]:
        if spoken.kind:
            scores[CONTENT[spoken.kind]] += 0.12 * min(spoken.count, 3)
    if doubt.guess:
        scores[ContentType(doubt.guess)] += 0.5
    if kind := announced(plain_form(doubt.title)):
        scores[CONTENT[kind]] += 0.3
    (best, score), *rest = sorted(scores.items(), key=lambda row: -row[1])[:2]
    if score < 0.4:
        best = ContentType.GENERAL
    sure = 0.55 + 0.35 * (score - (rest[0][1] if rest else 0.0)) / max(score, 0.01)
    route = route_of(best, mechanical, ChapterIntent(doubt.intent))
    return KindVerdict(id=doubt.id, content_type=best, route=route, confidence=round(sure, 3))
