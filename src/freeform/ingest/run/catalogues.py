"""The catalogues of a book as counting, the model and a person understand them, in that order."""

from collections.abc import Sequence

from freeform.ingest.model import BookSection
from freeform.ingest.run.job import BookJob
from freeform.ingest.things.catalogue.find import FoundCatalogue, find_catalogues
from freeform.ingest.things.catalogue.verdicts import (
    CATALOGUES,
    CataloguesInput,
    CatalogueVerdict,
    attested_verdicts,
    settle_catalogue,
    shown_in_batches,
    with_ids,
)
from freeform.ingest.things.kinds import KINDS


async def understood_catalogues(
    job: BookJob, sections: Sequence[BookSection]
) -> tuple[list[FoundCatalogue], int]:
    """The catalogues, and how many of the model's answers the book does not bear out. Every
    catalogue is shown once."""
    found = with_ids(find_catalogues(sections))
    verdicts: dict[str, CatalogueVerdict] = {}
    unproved = 0
    for batch in shown_in_batches(found, sections):
        asked = CataloguesInput(catalogues=batch, kinds=list(KINDS))
        answer = await job.crew.ask(CATALOGUES, asked, job.config.pack_id)
        kept = attested_verdicts(answer.verdicts, batch)
        unproved += len(answer.verdicts) - len(kept)
        verdicts |= kept
    said = job.catalogue_corrections()
    settled = [settle_catalogue(each, verdicts.get(each.id), said.get(each.id)) for each in found]
    return settled, unproved
