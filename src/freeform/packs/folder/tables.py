"""The random tables of a pack: `tables/*.yaml`; what does not read is named with the fix."""

from collections.abc import Sequence
from pathlib import Path

from freeform.core.errors import BadFile
from freeform.core.yamlfile import read_record
from freeform.packs.folder.files import PackFile
from freeform.packs.model import Findings
from freeform.packs.tables import SLOT, RandomTable

FOLDER = "tables"
_YAML = (".yaml", ".yml")


def read_tables(files: Sequence[PackFile], pack_id: str, found: Findings) -> list[RandomTable]:
    """Every table, and what is wrong with the others."""
    tables: list[RandomTable] = []
    for file in files:
        folder, _, name = file.name.rpartition("/")
        if folder != FOLDER or not name.lower().endswith(_YAML):
            continue
        try:
            table = read_record(file.path, RandomTable)
        except BadFile as wrong:
            found.error(file.name, 0, str(wrong).removeprefix(str(file.path)).lstrip(": "))
            continue
        own = {"id": name.rpartition(".")[0].lower(), "source": f"pack {pack_id}: {file.name}"}
        tables.append(table.model_copy(update=own))
    _warn_of_strangers(tables, found)
    return tables


def tables_in(folder: Path) -> dict[str, RandomTable]:
    """The tables of a folder that is no pack, by their id."""
    tables = {}
    for path in sorted(folder.glob("*.yaml")):
        table = read_record(path, RandomTable)
        tables[path.stem] = table.model_copy(update={"id": path.stem, "source": "general"})
    return tables


def _warn_of_strangers(tables: Sequence[RandomTable], found: Findings) -> None:
    """A table that a row names may be another pack's, or a slip."""
    known = {table.id for table in tables}
    for table in tables:
        named = {slot for row in table.rows for slot in SLOT.findall(row.text)}
        for slot in sorted(named - known):
            file = table.source.partition(": ")[2]
            found.warn(
                file,
                0,
                f"a row names the table `{slot}`, which this pack has not; it is left as it is "
                "unless the general tables have one",
            )
