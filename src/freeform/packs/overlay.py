"""Packs laid over one another: a higher layer extends or overrides entries of a lower one,
visibly."""

from collections import Counter
from collections.abc import Sequence

from pydantic import Field

from freeform.core.record import Record
from freeform.core.text import plain_form
from freeform.packs.folder.markdown import lay_out
from freeform.packs.folder.synonyms import LIST_FIELDS
from freeform.packs.model import Entry, EntrySource, Pack, Problem, Section
from freeform.packs.resolve import layer_order


class PackWorld(Record):
    """What is true before play: the entries of several packs as one."""

    packs: list[str]
    """Ids, lowest layer first."""
    entries: list[Entry]
    aliases: dict[str, str] = Field(default_factory=dict)
    """Id of an entry that went into another -> id of that other."""
    problems: list[Problem] = Field(default_factory=list)

    def entry(self, full_id: str) -> Entry | None:
        """The entry of that full id, also when it was merged into another."""
        full_id = self.aliases.get(full_id, full_id)
        return next((entry for entry in self.entries if entry.id == full_id), None)


def overlay(packs: Sequence[Pack]) -> PackWorld:
    """The packs as one world. The order in which they are given, or were installed, does not
    matter."""
    table = {pack.id: pack for pack in packs}
    order = layer_order([pack.manifest for pack in table.values()])
    entries: dict[str, Entry] = {}
    aliases: dict[str, str] = {}
    problems: list[Problem] = []
    for pack_id in order:
        pack = table[pack_id]
        for entry in sorted(pack.entries, key=lambda e: e.local_id):
            ref = entry.overrides or entry.extends
            if not ref:
                entries[entry.id] = entry
                continue
            target, reason = _locate(ref, pack, entries, aliases)
            if target is None:
                problems.append(
                    Problem(file=f"{pack_id}/{entry.file_path}", line=0, message=reason)
                )
                entries[entry.id] = entry
                continue
            entries[target] = merge(entries[target], entry, table)
            aliases[entry.id] = target
    return PackWorld(
        packs=order,
        entries=[entries[key] for key in sorted(entries)],
        aliases=aliases,
        problems=problems,
    )


def _locate(
    ref: str, pack: Pack, entries: dict[str, Entry], aliases: dict[str, str]
) -> tuple[str | None, str]:
    """The id of the entry an overlay means, among those of packs below; or why there is none."""
    if ":" in ref:
        full = aliases.get(ref, ref)
        if full in entries and entries[full].pack_id != pack.id:
            return full, ""
        return (
            None,
            f"`{ref}` is in no pack below this one; it stands for itself until that pack is added",
        )
    found = {
        aliases.get(full, full) for full in (*entries, *aliases) if full.partition(":")[2] == ref
    }
    found = {full for full in found if entries[full].pack_id != pack.id}
    needed = {need.id for need in pack.manifest.depends_on}
    near = {full for full in found if entries[full].pack_id in needed}
    choices = sorted(near or found)
    if len(choices) == 1:
        return choices[0], ""
    if not choices:
        return (
            None,
            f"`{ref}` is in no pack below this one; it stands for itself until that pack is added",
        )
    return None, f"`{ref}` could be {' or '.join(choices)}; write the full id"


def merge(base: Entry, over: Entry, packs: dict[str, Pack]) -> Entry:
    """The lower entry with the higher one laid over it. It keeps its id; `sources` tells what it is
    made of."""

    def source(entry: Entry, how: str) -> EntrySource:
        version = packs[entry.pack_id].manifest.version
        return EntrySource.model_validate(
            {
                "id": entry.id,
                "pack_id": entry.pack_id,
                "version": version,
                "file_path": entry.file_path,
                "how": how,
            }
        )

    how = "overrides" if over.overrides else "extends"
    sources = [*(base.sources or [source(base, "base")]), source(over, how)]
    theirs = [section.model_copy(update={"source": over.id}) for section in over.sections]
    kept = {"id": base.id, "pack_id": base.pack_id, "local_id": base.local_id, "sources": sources}
    kept |= {"extends": base.extends, "overrides": base.overrides, "file_path": base.file_path}
    if how == "overrides":
        return over.model_copy(update={**kept, "sections": theirs})
    ours = [
        section if section.source else section.model_copy(update={"source": base.id})
        for section in base.sections
    ]
    lists = {key: _join(getattr(base, key), getattr(over, key)) for key in LIST_FIELDS}
    if theirs and theirs[0].level == 1 and plain_form(theirs[0].heading) != plain_form(base.name):
        # Another title is another subject: its introduction joins the entry and does not replace
        # the old one.
        theirs[0] = theirs[0].model_copy(update={"level": 2})
        lists["aliases"] = _join(lists["aliases"], [over.name])
    return base.model_copy(
        update={
            **kept,
            **lists,
            "extra": {**base.extra, **over.extra},
            "gm_only": base.gm_only and over.gm_only,
            "sections": lay_out(_merge_sections(ours, theirs), base.name),
        }
    )


def _join(low: list[str], high: list[str]) -> list[str]:
    return list(dict.fromkeys([*low, *high]))


Unit = list[Section]


def _units(sections: Sequence[Section]) -> dict[tuple[str, int], Unit]:
    """The sections in pieces that are replaced as a whole: the introduction, then each H2 with what
    is below."""
    units: dict[tuple[str, int], Unit] = {}
    seen: Counter[str] = Counter()
    top, last = 2, None
    for section in sections:
        begins_document = section.level <= 1
        if begins_document or last is None or section.level <= top:
            name = "" if begins_document and not units else plain_form(section.heading)
            last = (name, seen[name])
            seen[name] += 1
            units[last] = []
            top = max(2, section.level)
        units[last].append(section)
    return units


def _merge_sections(low: Sequence[Section], high: Sequence[Section]) -> list[Section]:
    """A unit of the higher entry takes the place of the lower one of the same heading; new ones
    follow."""
    units = _units(low)
    for key, unit in _units(high).items():
        intro = key == ("", 0)
        if intro and not any(section.text for section in unit):
            continue
        if intro and key in units and units[key][0].heading and unit[0].level <= 1:
            title = units[key][0]
            unit = [
                unit[0].model_copy(update={"heading": title.heading, "level": title.level}),
                *unit[1:],
            ]
        units = {key: unit, **units} if intro and key not in units else {**units, key: unit}
    return [section for unit in units.values() for section in unit]
