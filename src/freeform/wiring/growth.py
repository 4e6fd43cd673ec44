"""Who knows how the world goes on where a map ends: the forge, with the tables of packs at hand."""

from functools import cache

from freeform.engine.authored.library import content_folder
from freeform.engine.shelf.books import Books
from freeform.forge.growth.grow import ForgeGrower
from freeform.packs.folder.tables import general_tables
from freeform.packs.lock import Locked
from freeform.packs.tables import RandomTable


@cache
def _general() -> dict[str, RandomTable]:
    return general_tables(content_folder("tables"))


def grower(books: Books) -> ForgeGrower:
    """The forge's grower for campaigns whose packs lie there."""

    def tables_of(packs: dict[str, Locked]) -> dict[str, RandomTable]:
        return {**_general(), **books.tables(packs)} if packs else _general()

    return ForgeGrower(tables_of)
