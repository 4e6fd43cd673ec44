"""What the steps of a zone have gathered so far: kept in the checkpoint, so that a crash loses
nothing."""

from collections.abc import Iterable

from pydantic import Field

from freeform.core.record import Record
from freeform.lore.judge.rows import claim_key
from freeform.lore.model import Claim, ClaimConflict, Doubt, ResearchCheckpoint
from freeform.lore.ports import SearchHit, WebPage
from freeform.lore.read.meaning import Meaning
from freeform.lore.read.values import Names

KEY = "gathered"


class PageRef(Record):
    """A page that was read, by its address and hash; the text lies in the store."""

    url: str
    sha256: str


class Gathered(Record):
    """The evidence so far."""

    hits: dict[str, list[SearchHit]] = Field(default_factory=dict)
    """By the step that will read them."""
    zone_pages: list[PageRef] = Field(default_factory=list)
    pages: list[PageRef] = Field(default_factory=list)
    claims: list[Claim] = Field(default_factory=list)
    aliases: dict[str, str] = Field(default_factory=dict)
    failed: dict[str, str] = Field(default_factory=dict)
    confirmed: list[str] = Field(default_factory=list)
    other_zones: list[str] = Field(default_factory=list)
    """Ids of linked pages that turned out to be zones: no gaps, though they were not read for this
    one."""
    labels: dict[str, str] = Field(default_factory=dict)
    """Conflict -> what a model calls it."""
    searches: list[str] = Field(default_factory=list)
    """What the validator asked to look for."""
    zone_marks: list[str] = Field(default_factory=list)
    """What the zone's own pages have in common with those of other zones on their sites."""
    denied: list[str] = Field(default_factory=list)
    """Ids of connections that neither end lists, though better sources list the ways of both."""
    meaning: Meaning = Field(default_factory=Meaning)
    """What the wikis' own labels were found to mean."""
    doubts: list[Doubt] = Field(default_factory=list)
    """What a model doubts that saw all of it."""
    disputed: list[ClaimConflict] = Field(default_factory=list)
    """What a package of an earlier version found in dispute."""
    outages: int = 0
    """Searches and pages that could not be had just now, though they may be later."""

    @classmethod
    def of(cls, point: ResearchCheckpoint) -> "Gathered":
        """From a checkpoint."""
        return cls.model_validate(point.step_data.get(KEY, {}))

    @property
    def names(self) -> Names:
        """The book of other names so far."""
        return Names(self.aliases)

    def with_pages(
        self, pages: Iterable[WebPage], claims: Iterable[Claim], names: Names, *, zone: bool = False
    ) -> "Gathered":
        """With more pages and what they say; nothing twice."""
        refs = [PageRef(url=page.url, sha256=page.sha256) for page in pages]
        known = {claim_key(claim) for claim in self.claims}
        fresh = {claim_key(claim): claim for claim in claims}
        return self.model_copy(
            update={
                "pages": list(dict.fromkeys([*self.pages, *refs])),
                "zone_pages": list(dict.fromkeys([*self.zone_pages, *(refs if zone else [])])),
                "claims": [
                    *self.claims,
                    *(claim for key, claim in fresh.items() if key not in known),
                ],
                "aliases": names.aliases(),
            }
        )
