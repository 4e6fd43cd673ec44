"""What a model and a person say of catalogues: the kind of each, and better words for its labels.

A model is shown every catalogue once: its heading, its labels with values, all names, and three
entries whole. What it says counts only with a quote that stands in what it was shown. A person's
word stands above both.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pydantic import Field, field_validator

from freeform.core.llm.gateway import Pass, PassInput
from freeform.core.record import Record
from freeform.core.text import plain_form, shorten, slug
from freeform.ingest.model import BookSection
from freeform.ingest.reply import IngestReply
from freeform.ingest.things.catalogue.find import FoundCatalogue, ListedEntry
from freeform.ingest.things.kinds import KINDS, Kind
from freeform.ingest.things.things import text_of

BATCH, EXAMPLES, VALUES = 8, 3, 4
#: Letters of an example and of all names that are shown.
LONGEST, LONGEST_NAMES = 900, 1200
#: How sure counting is of a kind that a model gives as well, at least.
AGREED = 0.9


class CatalogueShown(Record):
    """A catalogue as the pass sees it."""

    id: str
    under: str
    guess: str
    sure: float
    fields: list[str]
    names: str
    examples: list[str]


class CataloguesInput(PassInput):
    """Up to eight catalogues, and the kinds there are."""

    known_elsewhere = frozenset({"catalogues"})
    catalogues: list[CatalogueShown]
    kinds: list[str]


class CatalogueVerdict(IngestReply):
    """What the pass says of one. An empty kind: it is no list of things."""

    id: str
    kind: str = ""
    quote: str = ""
    confidence: float = 0.8

    @field_validator("kind", mode="before")
    @classmethod
    def _as_listed(cls, value: Any) -> Any:
        return value.strip().lower() if isinstance(value, str) else value


class CataloguesOutput(IngestReply):
    """One verdict for each."""

    verdicts: list[CatalogueVerdict] = Field(default_factory=list)


CATALOGUES = Pass("ingest/catalogues", CataloguesInput, CataloguesOutput)


class CatalogueCorrection(Record):
    """What a person says of a catalogue. `kind`: None leaves it as it is, '' makes it no list of
    things; `labels`: the book's label, and what it shall be called ('' drops the column)."""

    catalogue: str = Field(max_length=120)
    kind: Kind | None = None
    is_list: bool = True
    labels: dict[str, str] = Field(default_factory=dict)
    taken_back: bool = False
    """All that was said of this list before is as if it had not been."""

    def after(self, earlier: "CatalogueCorrection") -> "CatalogueCorrection":
        """This above what was said before: its labels are those that were given then,
        or the book's, which are shown until the next run."""
        given = set(earlier.labels.values())
        own = {label: to for label, to in self.labels.items() if label not in given}
        before = earlier.labels.items()
        labels = {book: self.labels.get(now, own.get(book, now)) for book, now in before}
        kind = self.kind or (earlier.kind if self.is_list else None)
        return self.model_copy(update={"kind": kind, "labels": own | labels})


def with_ids(catalogues: Sequence[FoundCatalogue]) -> list[FoundCatalogue]:
    """Each with an id that stays the same as long as the book is read alike."""
    taken: dict[str, int] = {}
    made = []
    for each in catalogues:
        first = each.entries[0].name if each.entries else ""
        id = slug(f"{each.shape} {each.under} {first}")[:100]
        taken[id] = taken.get(id, 0) + 1
        made.append(each.model_copy(update={"id": f"{id}_{taken[id]}" if taken[id] > 1 else id}))
    return made


def shown_in_batches(
    catalogues: Iterable[FoundCatalogue], sections: Sequence[BookSection]
) -> list[list[CatalogueShown]]:
    """Every catalogue once, some at a time."""
    texts = {section.id: section for section in sections}
    rows = [_shown(each, texts) for each in catalogues]
    return [rows[start : start + BATCH] for start in range(0, len(rows), BATCH)]


def _shown(found: FoundCatalogue, texts: Mapping[str, BookSection]) -> CatalogueShown:
    fields = []
    for field in found.fields:
        values = [str(e.fields[field.label]) for e in found.entries if field.label in e.fields]
        told = "; ".join(shorten(value, 60) for value in values[:VALUES])
        fields.append(f"{field.label} ({field.type}, {field.members} entries): {told}")
    return CatalogueShown(
        id=found.id,
        under=found.under,
        guess=found.kind or "",
        sure=found.probability,
        fields=fields,
        names=shorten(", ".join(entry.name for entry in found.entries), LONGEST_NAMES),
        examples=[_example(entry, found, texts) for entry in found.entries[:EXAMPLES]],
    )


def _example(entry: ListedEntry, found: FoundCatalogue, texts: Mapping[str, BookSection]) -> str:
    text = entry.text
    if found.shape == "sections" and entry.section in texts:
        text = text_of(texts[entry.section])
    told = "; ".join(f"{label}: {value}" for label, value in entry.fields.items())
    return shorten(f"{entry.name}. {text or told}", LONGEST)


def attested_verdicts(
    verdicts: Iterable[CatalogueVerdict], shown: Iterable[CatalogueShown]
) -> dict[str, CatalogueVerdict]:
    """The verdicts whose kind there is and whose quote stands in what was shown, by catalogue."""
    texts = {each.id: _plain(each) for each in shown}
    kept = {}
    for verdict in verdicts:
        quote = plain_form(verdict.quote)
        known = verdict.kind in KINDS or not verdict.kind
        if known and quote and quote in texts.get(verdict.id, ""):
            kept[verdict.id] = verdict
    return kept


def _plain(shown: CatalogueShown) -> str:
    return plain_form(" ".join([shown.under, *shown.fields, shown.names, *shown.examples]))


def settle_catalogue(
    found: FoundCatalogue, verdict: CatalogueVerdict | None, said: CatalogueCorrection | None
) -> FoundCatalogue:
    """The catalogue with what the pass said, and with what a person said above all."""
    if verdict is not None:
        found = found.model_copy(update=_by_verdict(found, verdict))
    if said is None:
        return found
    found = _relabelled(found, said.labels)
    if not said.is_list:
        return found.model_copy(update={"kind": None, "probability": 0.0, "said_by": "person"})
    if said.kind is None:
        return found
    return found.model_copy(update={"kind": said.kind, "probability": 1.0, "said_by": "person"})


def _by_verdict(found: FoundCatalogue, verdict: CatalogueVerdict) -> dict[str, Any]:
    sure = max(0.0, min(1.0, verdict.confidence))
    if verdict.kind and verdict.kind == found.kind:
        return {"probability": max(found.probability, sure, AGREED), "said_by": "model"}
    if not verdict.kind:
        return {"kind": None, "probability": round(1.0 - sure, 3), "said_by": "model"}
    return {"kind": verdict.kind, "probability": round(sure, 3), "said_by": "model"}


def _relabelled(found: FoundCatalogue, labels: Mapping[str, str]) -> FoundCatalogue:
    if not labels:
        return found
    fields = [
        field.model_copy(update={"label": labels.get(field.label, field.label)})
        for field in found.fields
        if labels.get(field.label, field.label)
    ]
    entries = [
        entry.model_copy(update={"fields": _renamed(entry.fields, labels)})
        for entry in found.entries
    ]
    return found.model_copy(update={"fields": fields, "entries": entries})


def _renamed(fields: Mapping[str, int | str], labels: Mapping[str, str]) -> dict[str, int | str]:
    named = {labels.get(label, label): value for label, value in fields.items()}
    return {label: value for label, value in named.items() if label}
