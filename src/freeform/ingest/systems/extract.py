"""Stage S1: passages are chosen by what a model read in them and by their shapes, then each
sub-extractor is asked what it finds in them."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from freeform.core.record import canonical
from freeform.core.text import plain_form, shorten
from freeform.ingest.model import BookSection, ChapterIntent, Route, Segment
from freeform.ingest.ports import IngestPorts, Progress
from freeform.ingest.systems.config import ExtractionConfig
from freeform.ingest.systems.counted import completed
from freeform.ingest.systems.found import SystemFindings
from freeform.ingest.systems.passes import EXTRACTORS, Extractor, RulesPassage, SystemsInput
from freeform.ingest.systems.statements import statements_in
from freeform.ingest.things.found import EntityRegistry
from freeform.ingest.things.indicators import count_shape
from freeform.ingest.things.things import SectionLook, bare, text_of

_FIT = {
    ChapterIntent.MECHANICS: 1.4, ChapterIntent.REFERENCE: 1.1, ChapterIntent.CHARACTERS: 0.7,
    ChapterIntent.BESTIARY: 0.5, ChapterIntent.SETTING: 0.8,
}  # fmt: skip
"""Where rules are likely explained, by what a chapter is for."""
LONGEST = 7000
"""Characters of one passage that are sent."""
EXPLAINED = frozenset(
    {"resolution", "stat_schema", "calibration", "action_types", "clocks", "escalation", "health"}
)
"""Extractors that want rules explained, not used."""
_ASKED = re.compile(
    r"\b(?:roll|check|test|save|saving throw|throw)s?\*{0,2} \((?:[A-Z]{2} )?(\d{1,2})\)", re.I
)
ASKED = 8
"""Rolls with a number in brackets that make a habit of the book."""
LOW = 0.5
"""Confidence below which a finding wants a person's eye."""


@dataclass(frozen=True)
class RulesText:
    """The book as extractors see it."""

    segments: Sequence[Segment]
    listed: frozenset[str] = frozenset()
    """Segments that only list things (creatures, wares, powers): they use the rules and do not
    explain them."""
    marked: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """Extractors by the segments of which a model said that they explain their matter."""


def chosen_passages(extractor: Extractor, book: RulesText) -> list[Segment]:
    """What this extractor is shown, in the book's order: first what was read as its matter, then
    what looks like it."""
    # Where dice are explained may be anywhere: in a word to the reader, beside a table.
    anywhere = extractor.key == "resolution"
    told = [s for s in book.segments if extractor.key in book.marked.get(s.id, ())]
    told = told[: extractor.most]
    known = {segment.id for segment in told}
    others = [
        segment
        for segment in book.segments
        if segment.id not in known and (anywhere or segment.route is not Route.LORE)
    ]
    shaped = prefilter(extractor, others, book.listed)[: extractor.most - len(told)]
    wanted = known | {segment.id for segment in shaped}
    return [segment for segment in book.segments if segment.id in wanted]


def prefilter(
    extractor: Extractor, segments: Sequence[Segment], listed: frozenset[str] = frozenset()
) -> list[Segment]:
    """The segments that look like what this extractor reads, best first: by shape, not by any
    game's words. `listed` as in `RulesText`."""
    scored: list[tuple[float, int]] = []
    for place, segment in enumerate(segments):
        if segment.id in listed and extractor.key in EXPLAINED:
            continue
        hits = [min(count_shape(shape, segment.text), 8) for shape in extractor.shapes]
        sorts = sum(1 for hit in hits if hit)
        if extractor.key == "resolution":
            said = statements_in(segment.text)
            sorts += bool(said) + 4 * any(each.defines for each in said)
        if sorts:
            length = max(segment.word_count, 150) ** 0.5
            scored.append(
                ((sorts * 2 + sum(hits) * 6 / length) * _FIT.get(segment.intent, 1.0), -place)
            )
    chosen = sorted(scored, reverse=True)[: extractor.most]
    return [segments[-place] for _, place in sorted(chosen, key=lambda row: -row[1])]


def known_of(
    registry: EntityRegistry, looks: Sequence[SectionLook], sections: Sequence[BookSection]
) -> dict[str, dict[str, Any]]:
    """What earlier stages counted, for the extractors that want it: stat blocks, states, actions,
    powers."""
    about = {section.id: section for section in sections}
    blocks = [
        {"name": e.name, "page": e.page, "numbers": flat(e.numbers)}
        for e in registry.entities
        if e.kind == "creature" and e.numbers
    ]
    fields = list(
        dict.fromkeys(name for e in registry.entities for name in e.numbers.get("abilities", ()))
    )
    states = [
        {"name": e.name, "page": e.page, "text": text_of(about[e.section])}
        for e in registry.entities
        if e.kind == "condition" and e.section in about
    ]
    actions = [
        {"name": bare(look.title), "page": look.section.page_start, "text": text_of(look.section)}
        for look in looks
        if len(look.section.heading_path) > 1 and _of_actions(look.section.heading_path[-2]) and look.kind != "creature"
        and not look.has_stats
    ]  # fmt: skip
    spells = [
        {
            "name": bare(look.title),
            "page": look.section.page_start,
            "labels": sorted(look.labels),
            "subtitle": look.subtitle,
        }
        for look in looks
        if look.kind == "spell"
    ]
    return {
        "resolution": {"asked_for": asked_for(map(text_of, sections))},
        "entity_stats": {"stat_blocks": blocks},
        "stat_schema": {"fields": fields},
        "conditions": {"conditions": states},
        "action_types": {"actions": actions},
        "magic": {"spells": spells},
    }


def asked_for(texts: Iterable[str]) -> dict[str, int]:
    """How often the book asks for a roll with a number in brackets (`Agility Roll (12)`), by the
    number; a few times say nothing."""
    counted = Counter(found[1] for text in texts for found in _ASKED.finditer(text))
    return dict(counted.most_common(8)) if counted.total() >= ASKED else {}


def flat(numbers: Mapping[str, Any]) -> dict[str, Any]:
    """A stat block's numbers with its abilities beside the rest."""
    inner = numbers.get("abilities", {})
    return {**{key: value for key, value in numbers.items() if key != "abilities"}, **inner}


def _of_actions(title: str) -> bool:
    words = plain_form(title).split()
    return (
        any(word in ("actions", "moves", "maneuvers", "manoeuvres") for word in words)
        and "legendary" not in words
    )


async def extract_systems(
    text_of_book: RulesText,
    known: Mapping[str, dict[str, Any]],
    config: ExtractionConfig,
    book: str,
    crew: IngestPorts,
    pack_id: str,
    progress: Progress,
) -> dict[str, tuple[SystemFindings, dict[str, Any]]]:
    """Each extractor's finding with its metadata: confidence, and how many patterns of the config
    it met."""
    found: dict[str, tuple[SystemFindings, dict[str, Any]]] = {}
    for number, extractor in enumerate(EXTRACTORS):
        passages = [
            RulesPassage(page=s.page_start, heading=s.title, text=shorten(s.text, LONGEST))
            for s in chosen_passages(extractor, text_of_book)
        ]
        asked = SystemsInput(
            book=book,
            passages=passages,
            hints=_hints(extractor.key, config),
            known=known.get(extractor.key, {}),
        )
        text = "\n".join(passage.text for passage in passages)
        said: SystemFindings = extractor.pass_.gives()
        if passages or any(asked.known.values()):
            said = await crew.ask(extractor.pass_, asked, pack_id)
        finding = completed(
            attested(said, f"{book} {text} {canonical(asked.known)} {_headings(passages)}"),
            asked.known,
        )
        matched = {sign.meaning for sign in config.matches(text)}
        confidence = _weighed(finding, matched, config)
        found[extractor.key] = (
            finding,
            {
                "confidence": confidence,
                "config_patterns_matched": len(matched),
                "passages": len(passages),
                "pages": sorted({passage.page for passage in passages})[:40],
                "fields": finding.filled(),
            },
        )
        progress(number + 1, len(EXTRACTORS))
    return found


def attested(finding: SystemFindings, text: str) -> SystemFindings:
    """The finding with the quotes that really stand in what was read. If none of them does, or none
    was given, it is below what may pass without a person's eye."""
    read = _letters(text)
    real = [each for each in finding.evidence if (quote := _letters(each.quote)) and quote in read]
    sure = (
        finding.confidence if real or not finding.filled() else min(finding.confidence, LOW - 0.1)
    )
    return finding.model_copy(update={"evidence": real, "confidence": max(0.0, min(1.0, sure))})


def _letters(text: str) -> str:
    """Letters and figures alone: marks, breaks and typography do not make a quote another one."""
    return "".join(re.findall(r"[^\W_]+", plain_form(text)))


def _headings(passages: Sequence[RulesPassage]) -> str:
    return " ".join(passage.heading for passage in passages)


def _weighed(finding: SystemFindings, matched: set[str], config: ExtractionConfig) -> float:
    """A finding is surer where the family's own patterns stand in the passages it came from."""
    total = len({sign.meaning for sign in config.extraction.mechanical_indicators})
    if not finding.filled() or not total:
        return 0.0
    share = len(matched) / total
    return round(max(0.0, min(0.99, finding.confidence * (0.85 + 0.15 * share))), 2)


def _hints(key: str, config: ExtractionConfig) -> dict[str, Any]:
    """What the family of games says about this extractor's matter."""
    hints = config.extraction
    told: dict[str, Any] = {"family": config.id}
    match key:
        case "resolution" | "calibration":
            told |= {
                "resolution": config.resolution,
                "scales": {k: v.model_dump() for k, v in hints.rating_scales.items()},
            }
        case "health":
            told |= {"health": hints.health.model_dump()}
        case "stat_schema" | "entity_stats":
            told |= {
                "stat_schema": config.stat_schema,
                "stat_blocks": hints.stat_blocks.model_dump(),
            }
        case "magic" | "action_types" | "conditions" | "equipment":
            told |= {"sections": {k: v.model_dump() for k, v in hints.section_patterns.items()}}
        case _:
            pass
    return told
