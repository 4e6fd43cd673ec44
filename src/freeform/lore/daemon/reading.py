"""One page read whole, for whatever it tells of: its structure, its tales, and what the passes find
in it."""

import asyncio
from collections.abc import Iterable, Mapping

from freeform.core.text import slug
from freeform.language.ear import TextNearness, no_text_near
from freeform.lore.daemon.gathered import Gathered
from freeform.lore.errand import Errand, effect_id
from freeform.lore.model import Claim, Kind
from freeform.lore.ports import WebPage
from freeform.lore.read.claim_check import checked
from freeform.lore.read.claims import make_claim
from freeform.lore.read.eras import era_at
from freeform.lore.read.kinds import kind_of, signature
from freeform.lore.read.meaning import Meaning, learn
from freeform.lore.read.page_reader import body_links, read_page
from freeform.lore.read.passes import EXTRACT, ReadInput
from freeform.lore.read.prose import as_name, chunks, passages
from freeform.lore.read.values import Names, name_of
from freeform.lore.read.vocabulary import predicate, predicate_of

MOST_NAMES = 80


class PageReading:
    """Reads pages for a zone. Claims may be about anything that a page tells of."""

    def __init__(
        self, errand: Errand, had: Gathered, names: Names, known: Mapping[str, Kind] | None = None
    ) -> None:
        self.errand, self.had, self.names = errand, had, names
        self.elsewhere = list(known or {})
        """Names of things that other pages and rows are about."""
        self.kinds = {names.id(name): kind for name, kind in (known or {}).items()}
        """What is known of the kinds of things besides what claims tell."""
        self.zone_id = names.id(errand.point.zone_name)
        self.asked = 0
        self.known = {self.zone_id} | {
            id for claim in had.claims for id in (claim.subject_id, claim.value_id) if id
        }

    def kind_of(self, page: WebPage) -> Kind:
        """As what a page is read: as a zone where it is the zone, or of the sort the zone is."""
        return page_kind(page, self.zone_id, self.names, self.had.zone_marks)

    async def read(self, page: WebPage) -> list[Claim]:
        """Everything the page says."""
        kind = self.kind_of(page)
        # A page of megabytes takes a while: messages and stops are heard meanwhile.
        claims = await asyncio.to_thread(read_page, page, self.names, kind, self.had.meaning)
        own = kind == "zone" and self.names.id(page.title) == self.zone_id
        claims += read_tales(page, self.names) if own else []
        claims += read_content(page, self.names, kind)
        self.known.update(self.names.id(link.title) for link in body_links(page))
        self.known.add(self.names.id(page.title))
        claims += await self.read_prose(page, claims)
        self.known.update(claim.subject_id for claim in claims)
        return claims

    async def read_prose(
        self, page: WebPage, claims: list[Claim], kinds: Iterable[Kind] = tuple(EXTRACT)
    ) -> list[Claim]:
        """What the passes find on a page, piece by piece. A fact whose quote is not in the page is
        thrown away."""
        errand = self.errand
        shown = self.known_names(page, claims)
        found: list[Claim] = []
        for piece in chunks(page, errand.ports.limits.pass_tokens):
            about = effect_id(page.sha256, piece)
            if errand.ports.limits.free_reading:
                # A better known name makes another reading, and that costs nothing.
                about = effect_id(about, *(name for name in shown if _bare(name) in piece))
            asked = ReadInput(
                zone=errand.point.zone_name,
                game=errand.point.game,
                page_title=as_name(name_of(page.title)) or "(untitled)",
                known_names=", ".join(shown),
                text=piece,
            )
            for kind in kinds:
                if self.asked >= errand.ports.limits.passes_per_step:
                    return found
                self.asked += 1
                pass_ = EXTRACT[kind]
                answer = await errand.ask(pass_, asked, about=about)
                for fact in answer.facts if answer else []:
                    claim = checked(fact, page, kind, self.names, pass_.id, self.known)
                    if claim:
                        found.append(claim)
        return found

    def known_names(self, page: WebPage, claims: list[Claim]) -> list[str]:
        """The names a reader should know, with their kinds where these are known: what the page is
        about, what it names, what other pages told of the zone."""
        said = [*claims, *self.had.claims]
        kinds = {id: _named_kind(kind) for id, kind in self.kinds.items()}
        kinds.update((id, kind) for id, kind in kinds_told(said).items() if not kinds.get(id))
        kinds[self.zone_id] = "zone"
        own = kind_of(page)
        if own.sure or self.kind_of(page) == "zone":
            kinds[self.names.id(page.title)] = "place" if own.place else _CALLED[own.kind]
        if self.kind_of(page) == "zone":
            kinds[self.names.id(page.title)] = "zone"
        titles = [name_of(page.title), self.errand.point.zone_name]
        titles += [link.title for link in body_links(page)]
        titles += [name for name in self.elsewhere if name.split()[-1] in page.text]
        for claim in said:
            titles += [claim.subject, claim.value.rpartition(": ")[2]] if claim.value_id else []
        shown: dict[str, None] = {}
        for title in filter(None, map(as_name, titles)):
            kind = kinds.get(self.names.id(title), "")
            shown.setdefault(f"{name_of(title)} ({kind})" if kind else title)
        return list(shown)[:MOST_NAMES]


def _bare(shown: str) -> str:
    """A name as it stands in a text, from one with its kind behind it."""
    return shown.rpartition(" (")[0] or shown


def _named_kind(kind: Kind) -> str:
    return "place" if kind == "lore" else _CALLED[kind]


_CALLED: dict[str, str] = {
    "zone": "zone",
    "npc": "person",
    "faction": "faction",
    "narrative_item": "thing",
    "lore": "",
}


def kinds_told(claims: Iterable[Claim]) -> dict[str, str]:
    """What claims take each thing for, in a prompt's words."""
    found: dict[str, str] = {}
    for claim in claims:
        named = predicate(claim.subject_kind, claim.predicate).names
        if claim.value_id and named:
            found.setdefault(claim.value_id, "place" if named == "lore" else _CALLED[named])
        if claim.subject_kind != "lore":
            found.setdefault(claim.subject_id, _CALLED[claim.subject_kind])
        elif claim.predicate == "zone":
            found.setdefault(claim.subject_id, "place")
    return found


def page_kind(page: WebPage, zone_id: str, names: Names, marks: Iterable[str]) -> Kind:
    """A page about somewhere is a zone's where it is the zone that is asked for, or where its site
    keeps it with that zone's page: the same infobox and category."""
    what = kind_of(page)
    asked_for = names.id(page.title) == zone_id
    alike = signature(page) in set(marks) - {""}
    return "zone" if (asked_for or alike) and (what.somewhere or not what.sure) else what.kind


def read_content(page: WebPage, names: Names, kind: Kind) -> list[Claim]:
    """The prose of a page on a place or a piece of lore, paragraph by paragraph, as it stands."""
    if kind != "lore":
        return []
    made = [
        make_claim(
            page,
            kind="lore",
            subject=name_of(page.title),
            subject_id=names.id(page.title),
            predicate="content",
            value=passage.text,
            span=(passage.start, passage.start + len(passage.text)),
            extractor="section@1",
            era=era_at(page, passage.start),
        )
        for passage in passages(page)[:12]
    ]
    return [claim for claim in made if claim]


def read_tales(page: WebPage, names: Names) -> list[Claim]:
    """What a zone's page tells in prose: its first words, and its history and legends as lore of
    their own."""
    zone, found = name_of(page.title), list[Claim | None]()
    for passage in passages(page)[:20]:
        span = (passage.start, passage.start + len(passage.text))
        if not passage.heading or slug(passage.heading) == slug(page.title):
            found.append(
                make_claim(
                    page,
                    kind="zone",
                    subject=zone,
                    subject_id=names.id(zone),
                    predicate="description",
                    value=passage.text,
                    span=span,
                    extractor="section@1",
                    era=era_at(page, span[0]),
                )
            )
        elif (known := predicate_of("lore", passage.heading)) and known.id == "content":
            title = f"{passage.heading} of {zone}"
            found.append(
                make_claim(
                    page,
                    kind="lore",
                    subject=title,
                    subject_id=slug(title),
                    predicate="content",
                    value=passage.text,
                    span=span,
                    extractor="section@1",
                    era=era_at(page, span[0]),
                )
            )
    return [claim for claim in found if claim]


async def prose_again(
    errand: Errand, pages: list[WebPage], had: Gathered, names: Names
) -> Gathered:
    """Where reading costs nothing: the prose of all pages read anew, with the kinds of everything
    that has a page or a row by now."""
    if not errand.ports.limits.free_reading:
        return had
    zone_id = names.id(errand.point.zone_name)
    kinds = known_kinds(pages, had, zone_id, names)
    known = {
        name_of(page.title): kinds[id] for page in pages if (id := names.id(page.title)) in kinds
    }
    for row in await errand.ports.store.rows(errand.point.game):
        if row.kind != "lore" and not row.data.get("stub"):
            known.setdefault(row.name, row.kind)
    reading = PageReading(errand, had, names, known)
    passes = {pass_.id for pass_ in EXTRACT.values()}
    kept = [claim for claim in had.claims if claim.extractor not in passes]
    again = had.model_copy(update={"claims": kept})
    for page in pages:
        again = again.with_pages([], await reading.read_prose(page, []), names)
    return again


_STRUCTURE = ("infobox@1", "table@1", "list@1", "prose@1")


def read_again(
    pages: list[WebPage],
    had: Gathered,
    zone_id: str,
    names: Names,
    told: Mapping[str, str] | None = None,
    near: TextNearness = no_text_near,
) -> tuple[list[Claim], Meaning]:
    """All claims, those of the pages' structure read anew with what is known by now: the kinds of
    things, or a person (`told`), say what unknown labels mean."""
    kinds = known_kinds(pages, had, zone_id, names)
    as_read = [(page, page_kind(page, zone_id, names, had.zone_marks)) for page in pages]
    meaning = learn(as_read, kinds, names, told, near, had.meaning)
    claims = [claim for claim in had.claims if claim.extractor not in _STRUCTURE]
    for page, kind in as_read:
        claims += read_page(page, names, kind, meaning)
    return claims, meaning


def known_kinds(
    pages: Iterable[WebPage], had: Gathered, zone_id: str, names: Names
) -> dict[str, Kind]:
    """The kind of every thing that has a page, or stands where claims name things of a kind."""
    kinds: dict[str, Kind] = {}
    for page in pages:
        what, kind = kind_of(page), page_kind(page, zone_id, names, had.zone_marks)
        if kind == "zone" or (what.sure and (kind != "lore" or what.place)):
            kinds[names.id(page.title)] = kind
    for claim in had.claims:
        named = predicate(claim.subject_kind, claim.predicate).names
        if claim.value_id and named:
            kinds.setdefault(claim.value_id, named)  # type: ignore[arg-type]
        if claim.subject_kind != "lore":
            kinds.setdefault(claim.subject_id, claim.subject_kind)
    return kinds
