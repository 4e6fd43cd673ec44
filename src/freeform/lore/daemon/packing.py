"""From what was gathered on a zone to its package, with all that a person has said; and a package
made anew from what it was made of."""

from dataclasses import dataclass

from freeform.core.text import slug
from freeform.lore.daemon.gathered import Gathered, PageRef
from freeform.lore.daemon.reading import page_kind, read_again
from freeform.lore.errand import Errand
from freeform.lore.judge.assemble import ClaimEvidence, assemble
from freeform.lore.judge.reviewing import still_held
from freeform.lore.judge.trades import Unlike
from freeform.lore.model import ClaimConflict, ResearchPackage
from freeform.lore.person.acts import PersonAct, acts_in, by_person, labels_told
from freeform.lore.person.applied import applied
from freeform.lore.ports import LoreStore, WebPage
from freeform.lore.read.meaning import LabelUse, Meaning, labels_used
from freeform.lore.read.values import name_of

MOST_LABELS = 400


@dataclass(frozen=True)
class Packing:
    """Which package, when, and from which store."""

    store: LoreStore
    unlike: Unlike
    game: str
    zone_name: str
    at: str
    iteration: int = 1

    async def package(self, had: Gathered, acts: list[PersonAct] | None = None) -> ResearchPackage:
        """The package as the evidence stands. The pages are read back from the store."""
        if acts is None:
            acts = acts_in(await self.store.steps_done(self.game))
        # Evidence is what pages say: a word that a later zone took for it outlived its withdrawal.
        read = [claim for claim in had.claims if not by_person(claim)]
        had = had.model_copy(update={"claims": read})
        pages = await stored_pages(self.store, self.game, had)
        zone_id = had.names.id(self.zone_name)
        evidence = ClaimEvidence(
            zone_name=self.zone_name,
            zone_id=zone_id,
            game=self.game,
            zone_pages=[page for ref in had.zone_pages if (page := pages.get(ref))],
            pages=[page for page in pages.values() if page],
            claims=applied(had.claims, acts, zone_id),
            aliases=had.aliases,
            failed=had.failed,
            denied=had.denied,
            other_zones=had.other_zones,
            at=self.at,
            iteration=self.iteration,
        )
        package = assemble(evidence, self.unlike)
        named = [
            c.model_copy(update={"why": had.labels.get(c.data_point, c.why)})
            for c in package.conflicts
        ]
        named += _still_open(had.disputed, named, acts)
        basis = had.model_dump(mode="json", exclude={"hits", "searches"}, exclude_defaults=True)
        doubts = still_held(had.doubts, package.claims)
        return package.model_copy(update={"conflicts": named, "doubts": doubts, "basis": basis})

    async def again(self, package: ResearchPackage, acts: list[PersonAct]) -> ResearchPackage:
        """An accepted package made anew. Where a person says what labels mean otherwise than when
        it was read, the structure of its pages is read again."""
        had = gathered_for(package)
        if not package.basis:
            had = await self._with_names(had)
        told = labels_told(acts)
        if told != had.meaning.told:
            found = await stored_pages(self.store, self.game, had)
            pages = [page for page in found.values() if page]
            names = had.names
            claims, meaning = read_again(pages, had, names.id(self.zone_name), names, told)
            had = had.model_copy(update={"claims": claims, "meaning": meaning})
        return await self.package(had, acts)

    async def _with_names(self, had: Gathered) -> Gathered:
        """What a package of an earlier version did not keep: the other names on its pages."""
        names = had.names
        names.know(self.zone_name)
        found = await stored_pages(self.store, self.game, had)
        names.learn(page for page in found.values() if page)
        return had.model_copy(update={"aliases": {**names.aliases(), **had.aliases}})


def gathered_for(package: ResearchPackage) -> Gathered:
    """What a package was made of. One of an earlier version says less: its claims and sources."""
    if package.basis:
        return Gathered.model_validate(package.basis)
    refs = [PageRef(url=source.url, sha256=source.sha256) for source in package.sources]
    own = {s.url for s in package.sources if slug(name_of(s.title)) == package.zone_data.id}
    return Gathered(
        claims=package.claims,
        pages=refs,
        zone_pages=[ref for ref in refs if ref.url in own],
        aliases=dict.fromkeys(package.zone_data.aliases, package.zone_data.id),
        labels={conflict.data_point: conflict.why for conflict in package.conflicts},
        doubts=package.doubts,
        disputed=package.conflicts,
    )


async def meaning_so_far(errand: Errand) -> Meaning:
    """What the labels of each wiki were found to mean in the zones before: each zone keeps what the
    one before it knew."""
    for zone in reversed(errand.point.completed_zones):
        package = await errand.ports.store.package(errand.point.game, slug(zone))
        if package is not None and package.basis:
            had = gathered_for(package).meaning
            firm = {key: had.learned[key] for key in had.firm}
            return Meaning(learned=firm, likened=had.likened, firm=had.firm)
    return Meaning()


def _still_open(
    disputed: list[ClaimConflict], found: list[ClaimConflict], acts: list[PersonAct]
) -> list[ClaimConflict]:
    """Disputes that the claims no longer show and that nobody has settled."""
    settled = {(act.kind, act.subject_id, act.predicate) for act in acts}
    known = {conflict.data_point for conflict in found}
    return [
        each
        for each in disputed
        if each.data_point not in known
        and (each.subject_kind, each.subject_id, each.predicate) not in settled
    ]


async def stored_pages(store: LoreStore, game: str, had: Gathered) -> dict[PageRef, WebPage | None]:
    """The pages that were read, from the store."""
    return {ref: await store.page(game, ref.url, ref.sha256) for ref in had.pages}


def labels_of(pages: list[WebPage], had: Gathered, zone_id: str) -> dict[str, LabelUse]:
    """What the labels of a zone's pages were taken for, as a person is shown it."""
    as_read = [(page, page_kind(page, zone_id, had.names, had.zone_marks)) for page in pages]
    return dict(list(labels_used(as_read, had.meaning).items())[:MOST_LABELS])
