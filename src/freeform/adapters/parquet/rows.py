"""Writes flat rows as one Parquet file, for notebooks."""

from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

from freeform.core.errors import UserError


def rows_as_parquet(rows: Sequence[dict[str, Any]]) -> bytes:
    """The file's bytes, for who sends them on."""
    file = BytesIO()
    write_rows(rows, file)
    return file.getvalue()


def write_rows(rows: Sequence[dict[str, Any]], path: Path | BytesIO) -> None:
    """The rows with their columns' types found from the values."""
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError as absent:
        raise UserError(
            "Parquet needs the extra `parquet`: install freeform-rpg[parquet]"
        ) from absent
    pq.write_table(pa.Table.from_pylist(list(rows)), path)
