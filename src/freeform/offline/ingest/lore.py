"""Answers the passes of classify and enrich without a model: cue words, capitals, first
sentences."""

import re
from collections import Counter

from freeform.core.chance import Chance
from freeform.core.text import plain_form, shorten
from freeform.ingest.pack.guidance import (
    GuidanceInput,
    GuidanceOutput,
    Sorted,
    is_universal,
)
from freeform.ingest.things.catalogue.verdicts import CataloguesInput, CataloguesOutput
from freeform.ingest.things.classify import ClassifyInput, ClassifyOutput, second_look
from freeform.ingest.things.enrich import (
    EntitiesInput,
    EntitiesOutput,
    NamedEntity,
    SegmentsInput,
    SegmentsOutput,
    Summed,
    Tagged,
    TagsInput,
    TagsOutput,
)
from freeform.ingest.things.names import names_in
from freeform.ingest.things.sections_read import SectionsReadInput, SectionsReadOutput
from freeform.ingest.things.things import bare
from freeform.language.sentences import sentences
from freeform.language.words import word_class

_WORD = re.compile(r"[a-z]{4,}")


def classify(input: ClassifyInput, chance: Chance) -> ClassifyOutput:
    """A second look at each, by its words."""
    return ClassifyOutput(verdicts=[second_look(doubt) for doubt in input.segments])


def catalogues(input: CataloguesInput, chance: Chance) -> CataloguesOutput:
    """Nothing beyond what counting found: its guess stands."""
    return CataloguesOutput()


def read_sections(input: SectionsReadInput, chance: Chance) -> SectionsReadOutput:
    """Nothing: what was counted stands, and the passes below answer what it leaves open."""
    return SectionsReadOutput()


def entities(input: EntitiesInput, chance: Chance) -> EntitiesOutput:
    """The proper names of these segments whose neighbours tell what they are."""
    known = {plain_form(name) for name in input.known}
    titles = {plain_form(piece.title) for piece in input.segments}
    spoken = names_in(((piece.page, piece.text) for piece in input.segments), least=2)
    return EntitiesOutput(
        entities=[
            NamedEntity(
                name=s.name, kind=s.kind, page=s.pages[0] if s.pages else 0, mentions=s.count
            )
            for s in spoken
            if s.kind
            and s.votes[s.kind] >= max(3, s.count)
            and plain_form(s.name) not in known
            and plain_form(s.name) not in titles
        ]
    )


def segments(input: SegmentsInput, chance: Chance) -> SegmentsOutput:
    """The first sentence, and the words it uses most."""
    rows = []
    for piece in input.segments:
        prose = "\n".join(
            line for line in piece.text.splitlines() if not line.startswith(("|", "#"))
        )
        first = next(
            (s for s in sentences(bare(prose).replace("\n", " ")) if len(s) > 30), piece.title
        )
        counted = Counter(
            word for word in _WORD.findall(plain_form(prose)) if word not in word_class("no_tags")
        )
        tags = [word for word, times in counted.most_common(4) if times > 1]
        rows.append(Summed(id=piece.id, summary=shorten(first, 200), tags=tags))
    return SegmentsOutput(segments=rows)


def tags(input: TagsInput, chance: Chance) -> TagsOutput:
    """The words of the summary that say most: those before the first comma of a line under the
    name."""
    rows = []
    for entity in input.entities:
        words = [
            word
            for word in _WORD.findall(plain_form(entity.get("summary", "")))
            if word not in word_class("no_tags")
        ]
        rows.append(Tagged(id=entity["id"], tags=list(dict.fromkeys(words))[:3]))
    return TagsOutput(entities=rows)


def guidance(input: GuidanceInput, chance: Chance) -> GuidanceOutput:
    """Universal unless it names someone or counts in this game's numbers."""
    rows = []
    for piece in input.pieces:
        universal, why = is_universal(piece.title, piece.text)
        rows.append(Sorted(id=piece.id, category=piece.category, universal=universal, reason=why))
    return GuidanceOutput(pieces=rows)
