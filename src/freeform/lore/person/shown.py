"""What a person is shown of a world to judge: all facts, what is disputed, what is missing, what
labels were taken for, and who may be one and the same."""

from collections import defaultdict
from collections.abc import Iterable

from pydantic import Field

from freeform.core.record import Record, canonical
from freeform.core.text import slug
from freeform.language.words import words
from freeform.lore.errand import effect_id
from freeform.lore.model import Claim, ClaimConflict, Doubt, Gap, Kind, NodeRow, ResearchPackage
from freeform.lore.person.acts import PERSON, acts_in, labels_told
from freeform.lore.ports import LoreStore, StepCommit
from freeform.lore.publish.facts import LoreFact, told
from freeform.lore.read.meaning import LabelUse, Meaning


class FactShown(Record):
    """One thing that is said of a world, with one of its quotes."""

    kind: Kind
    subject_id: str
    subject: str
    predicate: str
    value: str
    value_id: str = ""
    era: str = ""
    quote: str = ""
    source: str = ""
    sources: int = 1
    confidence: float = 0.0
    kept: bool = True


class ConflictShown(ClaimConflict):
    """A conflict with the id by which it is resolved."""

    conflict_id: str
    subject: str = ""
    zones: list[str] = Field(default_factory=list)


class GapShown(Gap):
    """A gap, and the zone whose pages name it."""

    zone_name: str = ""


class LabelShown(LabelUse):
    """What a wiki's label was taken for."""

    label: str
    """`site|kind|label`."""
    zones: list[str] = Field(default_factory=list)


class DoubleShown(Record):
    """Two of one kind who may be one: the name of one holds the other's, and of no third."""

    kind: Kind
    id: str
    name: str
    into_id: str
    into: str
    why: str = ""


async def accepted(store: LoreStore, game: str) -> list[ResearchPackage]:
    """Every accepted package of a game."""
    zones = [row.id for row in await store.rows(game, "zone")]
    return [package for id in zones if (package := await store.package(game, id))]


async def all_facts(store: LoreStore, game: str, about: str = "") -> list[FactShown]:
    """All facts of a game, or of what goes by a name."""
    packages = await accepted(store, game)
    conflicts = [conflict for package in packages for conflict in package.conflicts]
    by_thing: dict[tuple[Kind, str], list[Claim]] = defaultdict(list)
    for claim in await store.claims(game):
        by_thing[claim.subject_kind, claim.subject_id].append(claim)
    found: list[FactShown] = []
    for (kind, id), claims in by_thing.items():
        if about and slug(about) not in (id, slug(claims[0].subject)):
            continue
        own = [c for c in conflicts if (c.subject_kind, c.subject_id) == (kind, id)]
        found += [_shown(kind, claims[0], fact) for fact in told(claims, packages, own)]
    return found


def _shown(kind: Kind, of: Claim, fact: LoreFact) -> FactShown:
    best = fact.sources[0]
    return FactShown(
        kind=kind,
        subject_id=of.subject_id,
        subject=of.subject,
        predicate=fact.predicate,
        value=fact.value,
        value_id=fact.value_id,
        era=fact.era,
        quote=best.quote,
        source=best.url,
        sources=len(fact.sources),
        confidence=fact.confidence,
        kept=fact.kept,
    )


async def all_conflicts(store: LoreStore, game: str, *, every: bool = False) -> list[ConflictShown]:
    """What sources disagree on; with `every` also what is of two times or two names of one."""
    names = {(row.kind, row.id): row.name for row in await store.rows(game)}
    found: dict[str, ConflictShown] = {}
    for package in await accepted(store, game):
        for conflict in package.conflicts:
            id = conflict_id(conflict)
            if id in found:
                found[id].zones.append(package.zone_name)
            elif every or conflict.kind == "error":
                subject = names.get((conflict.subject_kind, conflict.subject_id))
                found[id] = ConflictShown(
                    **conflict.model_dump(),
                    conflict_id=id,
                    zones=[package.zone_name],
                    subject=subject or conflict.subject_id.replace("_", " "),
                )
    return list(found.values())


def conflict_id(conflict: ClaimConflict) -> str:
    """The same dispute has the same id in every package and after every reading."""
    sides = sorted((conflict.source_a.value, conflict.source_b.value))
    about = (conflict.subject_kind, conflict.subject_id, conflict.predicate)
    return effect_id("conflict", *about, *sides)[:12]


async def all_doubts(store: LoreStore, game: str) -> list[Doubt]:
    """What a model that saw all facts of a zone asks a person to look at, each once."""
    found = [doubt for package in await accepted(store, game) for doubt in package.doubts]
    return list({canonical(doubt): doubt for doubt in found}.values())


async def all_gaps(store: LoreStore, game: str) -> list[GapShown]:
    """What the pages name and nobody has read, each once."""
    found: dict[tuple[str, str], GapShown] = {}
    for package in await accepted(store, game):
        for gap in package.gaps:
            key = (gap.kind, slug(gap.name))
            found.setdefault(key, GapShown(**gap.model_dump(), zone_name=package.zone_name))
    return list(found.values())


async def all_labels(store: LoreStore, game: str) -> list[LabelShown]:
    """What the labels of each wiki were taken for, as last read, and what a person says."""
    steps = await store.steps_done(game)
    found: dict[str, LabelShown] = {}
    for step in steps:
        for label, use in (step.result.get("labels") or {}).items():
            zones = found[label].zones if label in found else []
            found[label] = LabelShown(label=label, zones=[*zones, step.zone_name], **use)
    told = labels_told(acts_in(steps))
    for label in _once_told(steps) - set(told):
        if label in found:
            use = await _as_read(store, game, label)
            found[label] = found[label].model_copy(update=use)
    for label, means in told.items():
        before = found.get(label) or LabelShown(label=label)
        found[label] = before.model_copy(update={"means": means, "because": "a person"})
    return sorted(found.values(), key=lambda use: (use.because == "known word", use.label))


def _once_told(steps: list[StepCommit]) -> set[str]:
    """Labels that a person once told the meaning of, taken back or not."""
    return {str(step.result.get("label", "")) for step in steps if step.agent == PERSON}


async def _as_read(store: LoreStore, game: str, label: str) -> dict[str, str]:
    """What a label is taken for by itself, after a person's word on it was withdrawn."""
    learned: dict[str, Kind] = {}
    for package in await accepted(store, game):
        learned |= Meaning.model_validate(package.basis.get("meaning", {})).learned
    use = Meaning(learned=learned).use_of(label)
    return {"means": use.means, "because": use.because}


async def all_doubles(store: LoreStore, game: str) -> list[DoubleShown]:
    """People, factions and things that may be one."""
    found: list[DoubleShown] = []
    kinds: tuple[Kind, ...] = ("npc", "faction", "narrative_item")
    for kind in kinds:
        found += _doubles(kind, await store.rows(game, kind))
    return found


def _doubles(kind: Kind, rows: Iterable[NodeRow]) -> list[DoubleShown]:
    named = [(row, frozenset(words(row.name))) for row in rows if not row.data.get("stub")]
    found: list[DoubleShown] = []
    for row, own in named:
        longer = [other for other, theirs in named if own and own < theirs]
        if len(longer) == 1:
            [into] = longer
            found.append(
                DoubleShown(
                    kind=kind,
                    id=row.id,
                    name=row.name,
                    into_id=into.id,
                    into=into.name,
                    why=f"of all names only {into.name} holds {row.name}",
                )
            )
    return found
