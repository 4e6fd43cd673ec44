"""Extraction configs: `_base` -> the family of games -> the pack's own extraction.yaml, merged in
that order.

They are the same files that hold the engine's rules systems; their part `extraction` is read here.
A pattern that does not compile is an error with the file's name, never a crash in the middle of a
book.
"""

import re
from collections.abc import Iterable, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from pydantic import Field

from freeform.core.errors import BadFile, NotFound
from freeform.core.record import Record
from freeform.core.yamlfile import read_record, read_yaml

BASE = "_base"
PACK_FILE = "extraction.yaml"


class MechanicalIndicator(Record):
    """A pattern that says: here are rules."""

    pattern: str
    meaning: str = ""
    confidence: float = 0.5
    at_least: int = 1
    """How often it must stand in a book to count, for signs of a family."""


class SectionPattern(Record):
    """Headings under which things of one sort stand."""

    header_pattern: str
    content_type: str = ""
    rating_type: str = ""


class RatingScale(Record):
    """How a game writes how good someone is."""

    symbol: str = ""
    empty_symbol: str = ""
    max: int = 0
    range: tuple[int, int] | None = None
    default: int | None = None
    descriptions: dict[int, str] = Field(default_factory=dict)


class StatBlockHints(Record):
    """What the numbers of a creature are called."""

    fields: list[str] = Field(default_factory=list)
    toughness: list[str] = Field(default_factory=list)
    defence: list[str] = Field(default_factory=list)
    danger: list[str] = Field(default_factory=list)


class HealthConfig(Record):
    """How harm is counted."""

    track_type: str = ""
    levels: list[dict[str, Any]] = Field(default_factory=list)
    damage_types: list[str] = Field(default_factory=list)


class GuidanceConfig(Record):
    """How advice to the game master is recognised."""

    chapter_indicators: list[str] = Field(default_factory=list)
    content_patterns: list[MechanicalIndicator] = Field(default_factory=list)
    categories: dict[str, list[str]] = Field(default_factory=dict)
    """Category -> words that speak of it."""


class ExtractionHints(Record):
    """All that helps to find rules in a book of this family."""

    mechanical_indicators: list[MechanicalIndicator] = Field(default_factory=list)
    section_patterns: dict[str, SectionPattern] = Field(default_factory=dict)
    rating_scales: dict[str, RatingScale] = Field(default_factory=dict)
    stat_blocks: StatBlockHints = Field(default_factory=StatBlockHints)
    health: HealthConfig = Field(default_factory=HealthConfig)
    gm_guidance: GuidanceConfig = Field(default_factory=GuidanceConfig)
    signs: list[MechanicalIndicator] = Field(default_factory=list)
    """Patterns by which a book of this family gives itself away."""


class ExtractionConfig(Record):
    """A merged config. `sources` are the files it was made of, in order."""

    id: str
    name: str = ""
    inherits: str | None = None
    extraction: ExtractionHints = Field(default_factory=ExtractionHints)
    resolution: dict[str, Any] = Field(default_factory=dict)
    stat_schema: dict[str, Any] = Field(default_factory=dict)
    sources: list[str] = Field(default_factory=list)

    def matches(self, text: str) -> list[MechanicalIndicator]:
        """The indicators that this text fulfils."""
        return [
            sign
            for sign in self.extraction.mechanical_indicators
            if re.search(sign.pattern, text, re.M)
        ]


def config_files(folders: Sequence[Path]) -> dict[str, Path]:
    """Config ids and where they lie; later folders win."""
    return {
        file.stem: file
        for folder in folders
        if folder.is_dir()
        for file in sorted(folder.glob("*.yaml"))
    }


def load_extraction_config(
    folders: Sequence[Path], system_hint: str = "", pack_path: Path | None = None
) -> ExtractionConfig:
    """The config for that family, or for the one a pack names, with the pack's own overrides on
    top."""
    known = config_files(folders)
    own = _own(pack_path)
    wanted = system_hint or own.pop("extends", "") or _system_of(pack_path) or BASE
    own.pop("extends", None)
    if wanted not in known:
        raise NotFound(
            f"no system '{wanted}'; `freeform-rpg list-systems` lists them: {', '.join(sorted(known))}"
        )
    data: dict[str, Any] = {}
    chain = _chain(wanted, known)
    for name in chain:
        data = merge_config(data, read_part(known[name]))
    if own:
        data = merge_config(data, own)
    sources = [known[name].name for name in chain] + ([PACK_FILE] if own else [])
    parent = read_part(known[wanted]).get("inherits") or (BASE if wanted != BASE else None)
    file = pack_path / PACK_FILE if own and pack_path else known[wanted]
    merged = {**data, "id": wanted, "inherits": parent, "sources": sources}
    config = read_record(file, ExtractionConfig, _known_only(merged), {})
    _check_patterns(config, file)
    return config


def _known_only(data: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in data.items() if key in ExtractionConfig.model_fields}


def read_part(file: Path) -> dict[str, Any]:
    """A config file as plain data."""
    data, _ = read_yaml(file)
    if not isinstance(data, dict):
        raise BadFile(file.name, "must be a mapping of names to values", 1)
    return data


def _chain(name: str, known: dict[str, Path]) -> list[str]:
    """The configs from the most general to that one. Everything stands on `_base`."""
    chain: list[str] = []
    while name:
        if name in chain:
            raise BadFile(f"{name}.yaml", f"inherits in a circle: {' -> '.join((*chain, name))}", 1)
        if name not in known:
            raise BadFile(f"{chain[-1]}.yaml", f"inherits from '{name}', which is not there", 1)
        chain.append(name)
        name = read_part(known[name]).get("inherits") or ""
    if BASE in known and BASE not in chain:
        chain.append(BASE)
    return chain[::-1]


def merge_config(under: dict[str, Any], over: dict[str, Any]) -> dict[str, Any]:
    """Mappings key by key, lists of patterns joined, anything else replaced."""
    joined = dict(under)
    for key, value in over.items():
        old = joined.get(key)
        if isinstance(old, dict) and isinstance(value, dict):
            joined[key] = merge_config(old, value)
        elif isinstance(old, list) and isinstance(value, list) and key in _JOINED:
            joined[key] = [*old, *(item for item in value if item not in old)]
        else:
            joined[key] = value
    return joined


_JOINED = ("mechanical_indicators", "content_patterns", "chapter_indicators", "signs", "fields")


def _own(pack_path: Path | None) -> dict[str, Any]:
    if pack_path is None or not (pack_path / PACK_FILE).is_file():
        return {}
    return read_part(pack_path / PACK_FILE)


def _system_of(pack_path: Path | None) -> str:
    if pack_path is None or not (pack_path / "pack.yaml").is_file():
        return ""
    data, _ = read_yaml(pack_path / "pack.yaml")
    return str(data.get("system") or "") if isinstance(data, dict) else ""


def _check_patterns(config: ExtractionConfig, file: Path) -> None:
    hints = config.extraction
    signs: Iterable[str] = (
        *(
            sign.pattern
            for sign in (
                *hints.mechanical_indicators,
                *hints.gm_guidance.content_patterns,
                *hints.signs,
            )
        ),
        *(section.header_pattern for section in hints.section_patterns.values()),
    )
    for pattern in signs:
        try:
            re.compile(pattern)
        except re.error as wrong:
            raise BadFile(
                file.name, f"the pattern '{pattern}' does not compile: {wrong}; mend it"
            ) from None


def _stands(pattern: str, text: str, times: int) -> bool:
    """Whether a pattern is found so often; no more of a book is read than that takes."""
    return sum(1 for _ in islice(re.finditer(pattern, text, re.M), times)) >= times


def detect_family(folders: Sequence[Path], text: str) -> tuple[str, float]:
    """The family of games a book belongs to by its signs, and how sure that is; `_base` when none
    fits."""
    best, most = BASE, 0.0
    for name, file in config_files(folders).items():
        signs = (read_part(file).get("extraction") or {}).get("signs") or []
        if not signs or name == BASE:
            continue
        weight = sum(float(sign.get("confidence", 0.5)) for sign in signs)
        hit = sum(
            float(sign.get("confidence", 0.5))
            for sign in signs
            if _stands(sign["pattern"], text, int(sign.get("at_least", 1)))
        )
        if weight and hit / weight > most:
            best, most = name, hit / weight
    return (best, round(most, 2)) if most >= 0.5 else (BASE, round(most, 2))
