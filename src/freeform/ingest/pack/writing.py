"""The enriched files: frontmatter that says what a thing is and where it stands in the book, then
its text."""

from collections.abc import Mapping, Sequence
from typing import Any

from freeform.core.text import plain_form, shorten, slug
from freeform.core.yamlfile import write_mapping
from freeform.ingest.model import BookSection, ContentType
from freeform.ingest.pack.entries import Planned
from freeform.ingest.pack.guidance import GuidanceNote, storytelling_file
from freeform.ingest.things.enrich import Summed
from freeform.ingest.things.found import EntityEntry, EntityRegistry
from freeform.ingest.things.kinds import ENTRY_TYPE
from freeform.ingest.things.names import Mentions
from freeform.ingest.things.register import MOST_RELATED
from freeform.ingest.things.things import bare, natural_case, text_of
from freeform.packs.model import EntryType

SECTION_PAGES = "section_pages"


def enriched_files(
    planned: Sequence[Planned],
    registry: EntityRegistry,
    summed: Mapping[str, Summed],
    segment_of: Mapping[str, str],
    book: str,
    source_file: str,
) -> dict[str, str]:
    """Path below `enriched/` -> text. Entities without a section of their own get a short file
    too."""
    by_section = {e.section: e for e in registry.entities if e.section}
    by_id = {e.id: e for e in registry.entities}
    names = {
        name: e
        for name, e in registry.by_name().items()
        if " " in name or e.kind in ("person", "place", "faction")
    }
    finder = Mentions(names)
    files: dict[str, str] = {}
    taken = set(by_id)
    origin = {"source": book, "source_file": source_file}
    for entry in planned:
        section = entry.look.section
        entity = by_section.get(section.id)
        id = entity.id if entity else _free(slug(bare(section.title))[:80] or section.id, taken)
        first, last = entry.pages
        joined = (
            [r.target for r in entity.relationships] if entity else _spoken_of(entry, finder, names)
        )
        said = summed.get(segment_of.get(section.id, ""))
        tags = entity.tags if entity else [*_topic(entry), *(said.tags[:4] if said else [])]
        front: dict[str, Any] = {
            "id": id,
            "type": entity.type if entity else ENTRY_TYPE[entry.kind],
            "aliases": entity.aliases if entity else [],
            "tags": list(dict.fromkeys(slug(tag) for tag in tags if slug(tag))),
            **_related(joined, by_id, taken_by=id),
            **origin,
            "page": first,
            "pages": f"{first}-{last}" if last > first else str(first),
            "thing": entity.kind if entity else entry.kind,
            "extra": _extra(entry, entity),
        }
        path = f"{front['type']}/{id}.md"
        title = entity.name if entity else natural_case(bare(section.title))
        body = _body(entry) or f"Named on page {first} of {book}."
        files[path] = _file(front, f"# {title}\n\n{body}")
    for entity in registry.entities:
        if not entity.section:
            id = entity.id
            front = {
                "id": id,
                "type": entity.type,
                "aliases": entity.aliases,
                "tags": entity.tags,
                **origin,
                "page": entity.page,
                "pages": str(entity.page),
                "thing": entity.kind,
                "extra": _data(entity),
            }
            line = entity.summary or f"Spoken of on page {entity.page} of {book}."
            files[f"{entity.type}/{id}.md"] = _file(front, f"# {entity.name}\n\n{line}\n")
    return files


def guidance_files(notes: Sequence[GuidanceNote], book: str, source_file: str) -> dict[str, str]:
    """storytelling/CATEGORY.md for what belongs to this game, as entries that only the game master
    sees."""
    files: dict[str, str] = {}
    own = [note for note in notes if not note.universal]
    for category in sorted({note.category for note in own}):
        mine = [note for note in own if note.category == category]
        front = {
            "id": f"storytelling_{category}",
            "type": "culture",
            "tags": ["gm_guidance", category],
            "gm_only": True,
            "source": book,
            "source_file": source_file,
            "page": mine[0].page,
            "extra": {SECTION_PAGES: {note.title: note.page for note in mine}},
        }
        files[f"storytelling/{category}.md"] = _file(front, storytelling_file(category, mine, book))
    return files


def _file(front: dict[str, Any], body: str) -> str:
    kept = {key: value for key, value in front.items() if value not in ("", [], {}, None)}
    return f"---\n{write_mapping(kept)}---\n\n{body.strip()}\n"


def _free(wish: str, taken: set[str]) -> str:
    id, number = wish, 2
    while id in taken:
        id, number = f"{wish}_{number}", number + 1
    taken.add(id)
    return id


def _related(
    ids: Sequence[str], by_id: Mapping[str, EntityEntry], taken_by: str
) -> dict[str, list[str]]:
    groups: dict[str, list[str]] = {
        "related_entities": [],
        "related_factions": [],
        "related_locations": [],
    }
    folder: dict[EntryType, str] = {"faction": "related_factions", "location": "related_locations"}
    for id in ids:
        other = by_id.get(id)
        if other and id != taken_by:
            groups[folder.get(other.type, "related_entities")].append(id)
    return groups


def _spoken_of(entry: Planned, finder: Mentions, names: Mapping[str, EntityEntry]) -> list[str]:
    text = "\n".join(text_of(section) for section in (entry.look.section, *entry.members))
    return list(
        dict.fromkeys(names[name].id for name, _ in finder.find(text).most_common(MOST_RELATED))
    )


def _topic(entry: Planned) -> list[str]:
    content = entry.content or ContentType.GENERAL
    path = entry.look.section.heading_path
    return [
        content.value.lower(),
        *([slug(path[0])] if len(path) > 1 and len(path[0]) < 30 else []),
    ]


def _extra(entry: Planned, entity: EntityEntry | None) -> dict[str, Any]:
    extra: dict[str, Any] = {}
    first = entry.look.section.page_start
    pages = {
        shorten(bare(s.title), 200): s.page_start for s in entry.members if s.page_start != first
    }
    if pages:
        extra[SECTION_PAGES] = pages
    if entity:
        extra |= _data(entity)
    elif entry.look.fields:
        extra["fields"] = entry.look.fields
    path = entry.look.section.heading_path
    if len(path) > 1:
        extra["chapter"] = bare(path[0])
    return extra


def _data(entity: EntityEntry) -> dict[str, Any]:
    """Its numbers as the engine knows them, and its fields as the book calls them."""
    told: dict[str, Any] = {"numbers": entity.numbers, "fields": entity.fields}
    return {key: value for key, value in told.items() if value}


def _body(entry: Planned) -> str:
    root = entry.look.section
    parts = [_tame(text_of(root))]
    for section in entry.members:
        level = max(2, min(6, section.level - root.level + 1))
        parts.append(f"{'#' * level} {_heading(section)}\n\n{_tame(text_of(section))}")
    return "\n\n".join(part.strip() for part in parts if part.strip())


def _heading(section: BookSection) -> str:
    return " ".join(bare(section.title).split()) or "Untitled"


def _tame(text: str) -> str:
    """A stray `#` at the start of a line must not become a heading."""
    return "\n".join(f"\\{line}" if line.startswith("#") else line for line in text.split("\n"))


def keyword(name: str) -> str:
    """A name as a question would have it."""
    return plain_form(bare(name))
