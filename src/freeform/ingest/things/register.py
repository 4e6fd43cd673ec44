"""The registry: every thing and every name of the book once, with its other names and what it is
joined to."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from freeform.core.text import plain_form, shorten, slug
from freeform.ingest.model import BookSection
from freeform.ingest.things.block_numbers import named_runs
from freeform.ingest.things.found import EntityEntry, EntityRegistry, FoundRelationship
from freeform.ingest.things.kinds import ENTRY_TYPE
from freeform.ingest.things.names import Mentions
from freeform.ingest.things.subject import KEYED
from freeform.ingest.things.things import (
    SectionLook,
    bare,
    natural_case,
    text_of,
)
from freeform.language.forms import is_plural, one_of
from freeform.language.sentences import sentences

_PAREN = re.compile(r"\(([^)]+)\)")
_STEPS = re.compile(r",?\s*(?:or|and)?\s*(\+\d|[IVX]+\b)")
_SEE = re.compile(
    r"\b(?:[Ss]ee(?: also)?|described in|"
    r"as the)\s+[“\"*_]{0,3}([A-Za-z][\w' -]{2,40}?)[”\"*_]{0,3}(?=[.,;)]| spell| condition|"
    r" section| in | on |$)"
)
_COST = frozenset({"cost", "price", "value", "gp", "credits", "market price"})
MONEY = re.compile(
    r"\d[\d,]*\s*(?:gp|sp|cp|pp|ep|credits?|cr|crowns?|coins?|shillings?)\b|[$€£¥]\s?\d", re.I
)
MOST_RELATED = 12


def aliases_of(name: str) -> list[str]:
    """Other ways to write a heading: without its brackets, turned round, one for each step of a
    `+1, +2, or +3`. What stands in a bracket (`Chain (10 feet)`) is no other name."""
    plain, found = bare(name), list[str]()
    if plain.lower().startswith("the ") and len(plain.split()) > 2:
        found.append(plain[4:])
    if (bracket := _PAREN.search(plain)) and len(bracket[1].split()) <= 4:
        rest = _PAREN.sub("", plain).strip()
        found.append(rest)
        plain = rest
    steps = _STEPS.findall(plain)
    if len(steps) > 1:
        stem = plain[: plain.find(steps[0])].rstrip(" ,")
        found += (
            [f"{stem}, {step}" for step in steps] + [f"{step} {stem}" for step in steps] + [stem]
        )
    elif plain.count(",") == 1:
        last, first = (part.strip() for part in plain.split(","))
        if last and first and len(first.split()) <= 4:
            found += [f"{first} {last}", first] if len(first) > 3 else [f"{first} {last}"]
    return [alias for alias in dict.fromkeys(found) if alias and len(alias) > 2 and alias != name]


def entity_of(look: SectionLook, numbers: Mapping[str, Any] | None = None) -> EntityEntry:
    """The entity a section is about."""
    assert look.kind is not None, "only things become entities"
    section = look.section
    name = natural_case((look.name or bare(section.title)).strip(" .:"))
    key = KEYED.match(name) if look.key else None
    also = [name] if key else []
    if look.name and look.name != bare(section.title):
        also.append(bare(section.title))
    name = name[key.end() :] if key else name
    tags = [
        look.kind,
        *([slug(part) for part in re.split(r"[,(]", look.subtitle)[:1]] if look.subtitle else []),
    ]
    return EntityEntry(
        id=slug(name)[:80] or section.id,
        name=name,
        kind=look.kind,
        type=ENTRY_TYPE[look.kind],
        aliases=[*also, *aliases_of(name)],
        page=section.page_start,
        section=section.id,
        summary=_summary(look),
        tags=[tag for tag in dict.fromkeys(tags) if tag],
        numbers=dict(numbers or {}),
        fields={**({"Key": look.key} if key else {}), **look.fields},
        confidence=round(look.sure, 3)
        if look.sure
        else 0.98
        if look.has_stats
        else 0.9
        if len(look.reasons) and "stands" not in look.reasons[0]
        else 0.75,
    )


def _summary(look: SectionLook) -> str:
    prose = next(
        (b.text for b in look.section.blocks if b.kind == "paragraph" and len(b.text) > 60), ""
    )
    first = next(iter(sentences(bare(prose).replace("\n", " "))), "")
    return shorten(first or look.subtitle, 200)


def creatures_in_lines(section: BookSection) -> list[EntityEntry]:
    """Creatures that one line of numbers describes, inside a section about something else (a keyed
    room)."""
    return [
        EntityEntry(
            id=slug(run.name)[:80] or "creature",
            name=run.name,
            kind="creature",
            type="npc",
            aliases=[*aliases_of(run.name), *_singular(run.name)],
            page=section.page_start,
            summary=f"{run.name}, in {bare(section.title)}.",
            tags=["creature", "listed"],
            numbers=dict(run.numbers),
            confidence=0.8,
        )
        for run in named_runs(section)
    ]


def items_in_tables(section: BookSection) -> list[EntityEntry]:
    """Things listed with a price: rows that begin with a name and hold money, in a table where most
    rows do."""
    found: list[EntityEntry] = []
    for block in section.blocks:
        if block.kind != "table":
            continue
        rows = [
            [bare(cell) for cell in line.strip().strip("|").split("|")]
            for line in block.text.splitlines()
        ]
        rows = [row for row in rows if not all(set(cell) <= set(":- ") for cell in row)]
        head = [] if rows and MONEY.search(" ".join(rows[0])) else rows[0] if rows else []
        listed = [
            row for row in rows[bool(head) :] if (name := _priced(row)) and not MONEY.match(name)
        ]
        if (
            len(listed) < 3
            or len(listed) < 0.4 * len(rows)
            or (head and plain_form(head[0]) in _COST)
        ):
            continue
        for row in listed:
            name = _priced(row)
            told = _columns(head, row, name)
            found.append(
                EntityEntry(
                    id=slug(name)[:80] or "item",
                    name=name,
                    kind="item",
                    type="item",
                    aliases=[*aliases_of(name), *_singular(name)],
                    page=block.page_start,
                    summary=f"{'; '.join(f'{key.capitalize()}: {value}' for key, value in told.items())}".rstrip(
                        "."
                    )
                    + ".",
                    tags=["item", "listed"],
                    numbers=told,
                    confidence=0.85,
                )
            )
    return found


def _priced(row: list[str]) -> str:
    """The name a row begins with, if the row holds money; a name and its price may share a cell."""
    if not MONEY.search(" ".join(row)):
        return ""
    first = next((cell for cell in row if cell), "")
    name = MONEY.split(first)[0].strip(" .:†‡*—-")
    return name if re.search(r"[A-Za-z]{3}", name) and len(name) <= 60 else ""


def _columns(head: list[str], row: list[str], name: str) -> dict[str, str]:
    """What a row says beside the name, under the heads where there are any."""
    told: dict[str, str] = {}
    for place, cell in enumerate(row):
        value = cell.removeprefix(name).strip() if place == 0 or not row[0] else cell
        if value and value not in ("—", "-") and value != name:
            key = head[place] if place < len(head) and place else ""
            told[key or ("cost" if MONEY.search(value) else f"column {place + 1}")] = value
    return told


def _singular(name: str) -> list[str]:
    bare_name = _PAREN.sub("", name).strip()
    return [one_of(bare_name)] if is_plural(bare_name) else []


def deduplicate(entities: Iterable[EntityEntry]) -> EntityRegistry:
    """Each (name, kind) once. The first with a section of its own is kept and takes over what
    others know.

    A name that prose speaks of is dropped where a section is about it. Ids are made unique.
    """
    kept: dict[tuple[str, str], EntityEntry] = {}
    named: dict[str, tuple[str, str]] = {}
    for entity in entities:
        plain = plain_form(entity.name).removeprefix("the ")
        key: tuple[str, str] = (plain, entity.kind)
        if key in kept and _differ(kept[key], entity):
            key = (plain, f"{entity.kind} {entity.page}")
        known = named.get(plain)
        if known and "named" in entity.tags:
            old = kept[known]
            kept[known] = _spoken_of_too(old, entity)
            continue
        if key in kept:
            kept[key] = _join(kept[key], entity)
            continue
        kept[key] = entity
        named.setdefault(key[0], key)
    taken: set[str] = set()
    unique: list[EntityEntry] = []
    for entity in kept.values():
        id = entity.id if entity.id not in taken else f"{entity.id}_{entity.kind}"
        number = 2
        while id in taken:
            id, number = f"{entity.id}_{number}", number + 1
        taken.add(id)
        unique.append(entity.model_copy(update={"id": id}))
    return EntityRegistry(entities=unique)


def _spoken_of_too(old: EntityEntry, named: EntityEntry) -> EntityEntry:
    """An entity with what prose tells of it besides."""
    return old.model_copy(
        update={
            "mentions": old.mentions + named.mentions,
            "aliases": list(dict.fromkeys((*old.aliases, *named.aliases))),
            "fields": {**named.fields, **old.fields},
        }
    )


def _differ(old: EntityEntry, new: EntityEntry) -> bool:
    """Whether two of one name are two things: what their catalogues say of them differs."""
    return any(
        old.fields[label] != new.fields[label] for label in old.fields if label in new.fields
    )


def _join(old: EntityEntry, new: EntityEntry) -> EntityEntry:
    first, second = (old, new) if old.section or not new.section else (new, old)
    return first.model_copy(
        update={
            "aliases": list(dict.fromkeys((*first.aliases, *second.aliases))),
            "tags": list(dict.fromkeys((*first.tags, *second.tags))),
            "numbers": {**second.numbers, **first.numbers},
            "fields": {**second.fields, **first.fields},
            "summary": first.summary or second.summary,
            "mentions": first.mentions + second.mentions,
            "confidence": max(first.confidence, second.confidence),
        }
    )


def relate(registry: EntityRegistry, sections: Sequence[BookSection]) -> EntityRegistry:
    """The registry with who speaks of whom: `see` where the book says so, `mentions` elsewhere."""
    by_name = registry.by_name()
    finder = Mentions(name for name, entity in by_name.items() if _tellable(name, entity))
    about = {section.id: section for section in sections}
    counted: dict[str, int] = {}
    changed: dict[str, list[FoundRelationship]] = {}
    for entity in registry.entities:
        section = about.get(entity.section)
        if section is None:
            continue
        text = text_of(section)
        joined: dict[str, FoundRelationship] = {}
        for match in _SEE.finditer(text):
            target = by_name.get(plain_form(match[1].strip()))
            if target and target.id != entity.id:
                joined.setdefault(
                    target.id,
                    FoundRelationship(kind="see", target=target.id, page=section.page_start),
                )
        for name, number in finder.find(text).most_common(40):
            target = by_name[name]
            counted[target.id] = counted.get(target.id, 0) + number
            if target.id != entity.id:
                joined.setdefault(
                    target.id,
                    FoundRelationship(kind="mentions", target=target.id, page=section.page_start),
                )
        changed[entity.id] = list(joined.values())[:MOST_RELATED]
    return EntityRegistry(
        entities=[
            e.model_copy(
                update={
                    "relationships": changed.get(e.id, e.relationships),
                    "mentions": e.mentions + counted.get(e.id, 0),
                }
            )
            for e in registry.entities
        ]
    )


def _tellable(name: str, entity: EntityEntry) -> bool:
    """Names of one common word (`light`, `shield`) cannot be told from the word itself."""
    return (
        " " in name
        or entity.kind in ("person", "place", "faction", "deity", "condition")
        or len(name) >= 9
    )
