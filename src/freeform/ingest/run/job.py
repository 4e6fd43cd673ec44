"""The folder of one ingest: its settings, its crew, and a way to what earlier stages wrote."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from freeform.core.errors import BadFile
from freeform.ingest.checkpoint import read_record_json
from freeform.ingest.config import Correction, IngestConfig, PackCheck
from freeform.ingest.model import BookSection, DocumentStructure, Segment, SegmentManifest
from freeform.ingest.pack.licence import read_licence
from freeform.ingest.ports import IngestPorts
from freeform.ingest.systems.config import ExtractionConfig, load_extraction_config
from freeform.ingest.things.block_numbers import stat_blocks_in
from freeform.ingest.things.catalogue.find import FoundCatalogue
from freeform.ingest.things.catalogue.listed import listed_sections
from freeform.ingest.things.catalogue.verdicts import CatalogueCorrection
from freeform.ingest.things.sections_read import SectionRead, read_of_sections, reconciled
from freeform.ingest.things.things import Listed, SectionLook, find_things
from freeform.packs.model import License

CORRECTIONS = "corrections.json"
CATALOGUE_CORRECTIONS = "catalogue_corrections.json"
#: Pages at either end of a book on which it may say under what terms it stands.
FRONT_PAGES = 5


@dataclass(frozen=True)
class Made:
    """What a stage says of itself."""

    counts: dict[str, float] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)


@dataclass
class BookJob:
    """One ingest: its settings, its crew, and a way to what earlier stages wrote."""

    config: IngestConfig
    crew: IngestPorts
    _sections: list[BookSection] = field(default_factory=list)
    _looks: list[SectionLook] = field(default_factory=list)

    def folder(self, stage: str) -> Path:
        """Where a stage keeps its outputs."""
        return self.config.work / stage

    def read_json(self, stage: str, name: str) -> Any:
        """Plain data an earlier stage wrote."""
        path = self.folder(stage) / name
        try:
            return json.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            raise BadFile(
                str(path), f"does not read; run the ingest again with --from-stage {stage}"
            ) from None

    def page_map(self) -> list[dict[str, Any]]:
        """The rows of page_map.json."""
        told = self.read_json("extract", "page_map.json")
        return list(told["pages"] if isinstance(told, dict) else told)

    def structure(self) -> DocumentStructure:
        """structure.json."""
        return read_record_json(self.folder("structure") / "structure.json", DocumentStructure)

    def sections(self) -> list[BookSection]:
        """sections.jsonl, read once: no stage after the second writes it."""
        if not self._sections:
            self._sections = load_sections(self.folder("structure") / "sections.jsonl")
        return list(self._sections)

    def segments(self, stage: str) -> list[Segment]:
        """The segments with their text; after classify, with their types."""
        manifest = read_record_json(self.folder(stage) / "segment_manifest.json", SegmentManifest)
        texts = self.folder("segment")
        return [
            Segment(**entry.model_dump(), text=_text(texts / entry.file))
            for entry in manifest.segments
        ]

    def catalogues(self) -> list[FoundCatalogue]:
        """What stage 4 found to be catalogues."""
        rows = self.read_json("classify", "catalogues.json")
        return [FoundCatalogue.model_validate(row) for row in rows]

    def readings(self) -> dict[str, SectionRead]:
        """What the model read in the sections, by segment."""
        rows = self.read_json("classify", "readings.json")
        return {row["id"]: SectionRead.model_validate(row) for row in rows}

    def inside(self) -> dict[str, list[str]]:
        """The sections of each segment, by their ids."""
        found: dict[str, list[str]] = self.read_json("classify", "sections.json")
        return found

    def looks(self) -> list[SectionLook]:
        """The sections as stage 4 understood them; worked out once, when stage 4 has written."""
        if not self._looks:
            self._looks = self._looked_at(self.sections())
        return list(self._looks)

    def _looked_at(self, sections: Sequence[BookSection]) -> list[SectionLook]:
        by_id = {section.id: section for section in sections}
        inside: dict[str, list[BookSection]] = {}
        for segment, ids in self.inside().items():
            inside[segment] = [by_id[id] for id in ids]
        return looks_at(sections, self.catalogues(), read_of_sections(self.readings(), inside))

    def corrections(self) -> dict[str, Correction]:
        """What a person put right, by segment id."""
        path = self.config.work / CORRECTIONS
        if not path.is_file():
            return {}
        try:
            return {
                id: Correction.model_validate(row)
                for id, row in json.loads(path.read_text("utf-8")).items()
            }
        except (ValueError, AttributeError):
            raise BadFile(str(path), "does not read; mend it or remove it") from None

    def catalogue_corrections(self) -> dict[str, CatalogueCorrection]:
        """What a person said of catalogues, by their ids."""
        path = self.config.work / CATALOGUE_CORRECTIONS
        if not path.is_file():
            return {}
        try:
            rows = json.loads(path.read_text("utf-8"))
            return {id: CatalogueCorrection.model_validate(row) for id, row in rows.items()}
        except (ValueError, AttributeError):
            raise BadFile(str(path), "does not read; mend it or remove it") from None

    def book_title(self) -> str:
        """How the book is cited: by the pack's name, which the person chose."""
        return self.config.name

    def license(self) -> License | None:
        """The terms: as the person said, or as the book prints them on its first or last pages."""
        if self.config.license is not None:
            return self.config.license
        files = sorted((self.folder("extract") / "pages").glob("*.md"))
        first, last = files[:FRONT_PAGES], files[FRONT_PAGES:][-FRONT_PAGES:]
        return read_licence(file.read_text(encoding="utf-8") for file in (*first, *reversed(last)))

    def validation(self) -> PackCheck:
        """What stage 7 found."""
        return read_record_json(self.folder("validate") / "validation_report.json", PackCheck)

    def extraction_config(self) -> ExtractionConfig:
        """The family's config: hinted, or found by the signs of the book (stage 4 kept them)."""
        hint = self.config.system_hint or str(self.read_json("classify", "family.json")["family"])
        folders = self.crew.config_folders
        own = self.config.target if (self.config.target / "extraction.yaml").is_file() else None
        return load_extraction_config(folders, hint, own)


def looks_at(
    sections: Sequence[BookSection],
    catalogues: Sequence[FoundCatalogue],
    read: Mapping[str, Listed],
) -> list[SectionLook]:
    """The sections as they look from outside, with what catalogues and stat blocks say of them, and
    what was read in them."""
    listed = reconciled(listed_sections(catalogues), read)
    return find_things(sections, stat_blocks_in(sections), listed)


def load_sections(path: Path) -> list[BookSection]:
    """Rows of sections.jsonl."""
    try:
        with path.open(encoding="utf-8") as file:
            return [BookSection.model_validate_json(line) for line in file if line.strip()]
    except (OSError, ValueError):
        raise BadFile(
            str(path), "does not read; run the ingest again with --from-stage structure"
        ) from None


def _text(path: Path) -> str:
    try:
        text = path.read_text(encoding="utf-8")
    except OSError:
        raise BadFile(
            str(path), "is gone; run the ingest again with --from-stage segment"
        ) from None
    return re.sub(r"\A---\n.*?\n---\n", "", text, flags=re.S)
