"""Accepted lore as a pack: one entry for each row, every fact with its source and licence,
relations as frontmatter."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from freeform.core.errors import NotFound
from freeform.core.text import shorten, slug
from freeform.lore.model import Claim, ClaimConflict, Kind, LoreGraph, NodeRow, SourceReference
from freeform.lore.ports import LoreStore
from freeform.packs.folder.build import PackBuilder
from freeform.packs.model import ContentPackManifest, EntryType, License, Pack

ENTRY: dict[Kind, EntryType] = {
    "zone": "location", "npc": "npc", "faction": "faction", "lore": "history", "narrative_item": "item"
}  # fmt: skip
_CULTURE = frozenset({"mythology", "cosmology", "power_source"})
_SAID: dict[str, str] = {
    "CONNECTS_TO": "{one} connects to {others}.", "BELONGS_TO": "{one} belongs to {others}.",
    "LOCATED_IN": "{one} is found in {others}.", "CHILD_OF": "{one} is part of {others}.",
    "FOUND_IN": "{one} is found in {others}.", "ABOUT": "{one} belongs to {others}.",
}  # fmt: skip
_MOST_FACTS = 60


async def publish(store: LoreStore, game: str, target: Path, *, replace: bool = False) -> Pack:
    """Writes the pack of a game. NotFound where nothing of it was accepted yet."""
    graph = await store.graph(game)
    if not graph.nodes:
        raise NotFound(
            f"nothing of '{game}' is accepted yet; `freeform-rpg lore start --zone Z --game \"{game}\"` first"
        )
    zones = [node for node in graph.nodes if node.kind == "zone"]
    packages = [package for zone in zones if (package := await store.package(game, zone.id))]
    conflicts = [conflict for package in packages for conflict in package.conflicts]
    claims = await store.claims(game)
    return make_builder(game, graph, claims, conflicts, len(packages)).build(
        target, replace=replace
    )


def make_builder(
    game: str, graph: LoreGraph, claims: list[Claim], conflicts: list[ClaimConflict], zones: int
) -> PackBuilder:
    """The pack, not yet written."""
    licences = Counter(claim.licence or "unknown" for claim in claims)
    hosts = sorted({claim.url.split("/")[2] for claim in claims if "//" in claim.url})
    licence = licences.most_common(1)[0][0] if licences else "unknown"
    builder = PackBuilder(
        ContentPackManifest(
            id=slug(game) or "world",
            name=game,
            version=f"0.{max(1, zones)}.0",
            layer="setting",
            description=f"{game}, researched from {', '.join(hosts)}. Every fact names its source.",
            author="Freeform RPG lore researcher",
            license=License(
                type=_licence_type(licence) if len(licences) == 1 else "custom",
                attribution=shorten(
                    f"Text from {', '.join(hosts)}; licences: {', '.join(sorted(licences))}", 500
                ),
            ),
            tags=["researched"],
        )
    )
    return _Shelf(builder, graph, claims, conflicts).fill()


_ALSO_TOLD = frozenset({"leader", "homeworld", "government", "founded", "class"})
"""What the rows of the store have no column for, though pages say it and people ask for it."""


class _Shelf:
    def __init__(
        self,
        builder: PackBuilder,
        graph: LoreGraph,
        claims: list[Claim],
        conflicts: list[ClaimConflict],
    ) -> None:
        self.builder, self.graph, self.conflicts = builder, graph, conflicts
        self.ids: dict[tuple[str, str], str] = {}
        self.names: dict[tuple[str, str], str] = {
            (node.kind, node.id): node.name for node in graph.nodes
        }
        for node in graph.nodes:
            wish = node.id if node.id not in self.ids.values() else f"{node.id}_{node.kind}"
            self.ids[node.kind, node.id] = wish[:100] or node.kind
        self.claims: dict[tuple[str, str], list[Claim]] = defaultdict(list)
        for claim in claims:
            self.claims[claim.subject_kind, claim.subject_id].append(claim)

    def fill(self) -> PackBuilder:
        for node in self.graph.nodes:
            self.add(node)
        return self.builder

    def add(self, node: NodeRow) -> None:
        sources = [SourceReference.model_validate(each) for each in node.data.get("sources", [])]
        numbers = {source.url: number for number, source in enumerate(sources, start=1)}
        local_id = self.ids[node.kind, node.id]
        edges = [
            edge
            for edge in self.graph.edges
            if (edge.source_kind, edge.source_id) == (node.kind, node.id)
        ]
        fields: dict[str, list[str]] = {
            "related_locations": [],
            "related_factions": [],
            "related_entities": [],
        }
        relations = []
        for edge in edges:
            other = self.ids.get((edge.target_kind, edge.target_id))
            relations.append(
                {"name": edge.name, "to": other or edge.target_id, "label": edge.label}
            )
            if other and other != local_id:
                fields[_FIELD.get(edge.target_kind, "related_entities")].append(other)
        for id in node.data.get("faction_ids") or []:
            if other := self.ids.get(("faction", id)):
                fields["related_factions"].append(other)
        extra = {
            "confidence": node.confidence,
            "relations": relations,
            "sources": [
                {"url": s.url, "licence": s.licence, "revision": s.revision, "tier": s.tier, "accessed_at": s.accessed_at}
                for s in sources
            ],
            "facts": self.facts(node, numbers),
        }  # fmt: skip
        self.builder.add(
            local_id, self.entry_type(node), node.name,
            body=self.body(node, relations, sources, numbers),
            aliases=[alias.replace("_", " ").title() for alias in node.data.get("aliases") or []],
            tags=["researched", node.kind], extra=extra,
            related_locations=list(dict.fromkeys(fields["related_locations"])),
            related_factions=list(dict.fromkeys(fields["related_factions"])),
            related_entities=list(dict.fromkeys(fields["related_entities"])),
        )  # fmt: skip
        disputed = [
            c
            for c in self.conflicts
            if (c.subject_kind, c.subject_id) == (node.kind, node.id) and c.kind != "alias"
        ]
        if disputed:
            lines = dict.fromkeys(
                f"- {_words(c.predicate)}: '{c.source_a.value}' says {c.source_a.url}, '{c.source_b.value}' says "
                f"{c.source_b.url} ({c.kind}{f'; kept: {c.kept}' if c.kept else ''})"
                for c in disputed
            )
            self.builder.add_section(local_id, "GM: Disputed", "\n".join(lines), gm_only=True)

    def entry_type(self, node: NodeRow) -> EntryType:
        if node.kind != "lore":
            return ENTRY[node.kind]
        category = node.data.get("category", "")
        return (
            "location" if category == "place" else "culture" if category in _CULTURE else "history"
        )

    def facts(self, node: NodeRow, numbers: dict[str, int]) -> list[dict[str, Any]]:
        """The ledger of a row, short: what, by whom, under which licence."""
        found: dict[tuple[str, str], dict[str, Any]] = {}
        for claim in sorted(self.claims[node.kind, node.id], key=lambda c: c.tier):
            key = (claim.predicate, claim.value_id or claim.value)
            if claim.predicate != "content" and key not in found:
                found[key] = {
                    "fact": claim.predicate, "value": shorten(claim.value, 160), "source": numbers.get(claim.url, 0),
                    "licence": claim.licence,
                }  # fmt: skip
        return list(found.values())[:_MOST_FACTS]

    def body(
        self,
        node: NodeRow,
        relations: list[dict[str, str]],
        sources: list[SourceReference],
        numbers: dict[str, int],
    ) -> str:
        first, *more = self.prose(node) or [""]
        # What is said in plain sentences stands under the title: it is what a search and an answer
        # begin with.
        said = " ".join(self.sentences(node, relations))
        parts = [text for text in (f"# {node.name}", first, said, *more) if text]
        if sources:
            lines = [
                f"{numbers[s.url]}. {s.title or s.domain}: {s.url} (revision {s.revision or 'unknown'}, "
                f"{s.licence or 'licence unknown'}, tier {s.tier})"
                for s in sources
            ]
            parts += ["## Sources", "\n".join(lines)]
        return "\n\n".join(parts)

    @staticmethod
    def prose(node: NodeRow) -> list[str]:
        data = node.data
        fields = (
            "content",
            "narrative_arc",
            "political_climate",
            "ideology",
            "personality",
            "story_arc",
            "power_description",
        )
        told = str((data.get("facts") or {}).get("description") or "")
        return [
            text
            for text in (
                told,
                *(_told(field, str(data[field])) for field in fields if data.get(field)),
            )
            if text
        ]

    def sentences(self, node: NodeRow, relations: list[dict[str, str]]) -> list[str]:
        """The row in plain sentences: what a search finds, and a game master reads."""
        titles = {local: self.names[key] for key, local in self.ids.items()}
        by_name: dict[str, list[str]] = defaultdict(list)
        for relation in relations:
            name = titles.get(relation["to"], relation["to"].replace("_", " ").title())
            key = (
                f"{relation['name']}:{relation['label']}" if relation["label"] else relation["name"]
            )
            by_name[key].append(name)
        lines = []
        for key, others in by_name.items():
            name, _, label = key.partition(":")
            told = _listed(others)
            if name == "STANCE_TOWARD":
                lines.append(f"{node.name} is {label} toward {told}.")
            elif name == "RELATES_TO":
                lines.append(f"{node.name}: {label} of {told}.")
            else:
                lines.append(_SAID.get(name, "{one}: {others}.").format(one=node.name, others=told))
        data = node.data
        if node.kind == "zone":
            held = [
                self.names.get(("faction", id), id.replace("_", " ").title())
                for id in data.get("faction_ids") or []
            ]
            lines += [f"Factions in {node.name}: {_listed(held)}."] if held else []
            places = data.get("places") or []
            lines += [f"Places in {node.name}: {_listed(places)}."] if places else []
            if levels := data.get("level_range"):
                lines.append(f"{node.name} is for levels {levels['min']} to {levels['max']}.")
        for key in ("role", "significance", "level"):
            if data.get(key):
                lines.append(f"{_words(key)}: {data[key]}.")
        for key in ("motivations", "goals", "quest_threads", "access_gating", "wielder_lineage"):
            if data.get(key):
                lines.append(f"{_words(key)}: {'; '.join(data[key])}.")
        facts = {
            key: value
            for key, value in (data.get("facts") or {}).items()
            if value and key != "description"
        }
        lines += [f"{_words(key)} of {node.name}: {value}." for key, value in facts.items()]
        best: dict[str, str] = {}
        for claim in sorted(self.claims[node.kind, node.id], key=lambda c: c.tier):
            if claim.predicate in _ALSO_TOLD:
                best.setdefault(claim.predicate, claim.value)
        lines += [f"{_words(key)} of {node.name}: {value}." for key, value in best.items()]
        return list(dict.fromkeys(lines))


_FIELD = {"zone": "related_locations", "faction": "related_factions"}


def _listed(names: Iterable[str]) -> str:
    found = list(dict.fromkeys(names))
    return f"{', '.join(found[:-1])} and {found[-1]}" if len(found) > 1 else "".join(found)


def _words(name: str) -> str:
    return name.replace("_", " ").capitalize()


def _licence_type(licence: str) -> str:
    plain = licence.lower()
    for known in ("cc-by-sa", "cc-by-nc", "cc-by", "cc0", "gfdl", "ogl"):
        if known in plain or known.replace("-", " ") in plain:
            return known
    return "custom"


def _told(field: str, text: str) -> str:
    """Prose as it stands; a piece of a sentence gets the word for what it is."""
    return (
        text
        if text[:1].isupper() or field == "content"
        else f"{_words(field)}: {text.rstrip('.')}."
    )
