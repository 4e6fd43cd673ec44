"""Entries of catalogues as entities, and what catalogues say of sections. Pure."""

from collections.abc import Iterator, Sequence

from freeform.core.text import slug
from freeform.ingest.things.catalogue.find import FoundCatalogue, ListedEntry
from freeform.ingest.things.found import EntityEntry
from freeform.ingest.things.kinds import ENTRY_TYPE, Kind
from freeform.ingest.things.register import aliases_of
from freeform.ingest.things.things import LISTS_THINGS, Listed, natural_case


def listed_sections(catalogues: Sequence[FoundCatalogue]) -> dict[str, Listed]:
    """What catalogues of sections say, by section id."""
    return {
        entry.section: Listed(entry.name, each.kind, each.probability, entry.fields, number)
        for number, each in enumerate(catalogues)
        if each.shape == "sections"
        for entry in each.entries
    }


def listed_entities(catalogues: Sequence[FoundCatalogue]) -> Iterator[EntityEntry]:
    """The lines and table rows of catalogues as entities without a section of their own."""
    for each in catalogues:
        if each.shape != "sections" and (each.kind or each.probability >= LISTS_THINGS):
            for entry in each.entries:
                yield _entity(entry, each.kind or "thing", each.probability)


def _entity(entry: ListedEntry, kind: Kind, likely: float) -> EntityEntry:
    name = natural_case(entry.name)
    rest = {label: value for label, value in entry.fields.items() if str(value) not in entry.text}
    told = "; ".join(f"{label}: {value}" for label, value in rest.items())
    return EntityEntry(
        id=slug(name)[:80] or kind,
        name=name,
        kind=kind,
        type=ENTRY_TYPE[kind],
        aliases=[*aliases_of(name), *_owner(name)],
        page=entry.page,
        summary="\n\n".join(part for part in (f"{told}." if told else "", entry.text) if part),
        tags=[kind, "listed"],
        fields=entry.fields,
        confidence=likely,
    )


def _owner(name: str) -> list[str]:
    """`Ana the Bold and their followers` is also found as `Ana the Bold`."""
    first, found, _ = name.partition(" and ")
    return [first] if found and first[:1].isupper() else []
