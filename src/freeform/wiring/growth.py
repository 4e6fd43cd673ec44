"""Who knows how the world goes on where a map ends: the forge, with the tables of packs at hand."""

from freeform.core.errors import UserError
from freeform.engine.shelf.books import Books, general_tables
from freeform.forge.growth.grow import ForgeGrower
from freeform.packs.lock import Locked
from freeform.packs.tables import RandomTable
from freeform.wiring.ear import near_words


def grower(books: Books) -> ForgeGrower:
    """The forge's grower for campaigns whose packs lie there; where a pack is gone or was changed
    the general tables do."""

    def tables_of(packs: dict[str, Locked]) -> dict[str, RandomTable]:
        try:
            return books.tables(packs)
        except UserError:
            return general_tables()

    return ForgeGrower(tables_of, near_words)
