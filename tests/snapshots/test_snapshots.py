"""A whole evening, book, zone, party … comes out as it was kept; `scripts/record_snapshots.py` keeps it anew."""

from pathlib import Path

import pytest

from tests.snapshots.keeping import KEPT, difference
from tests.snapshots.scenes import SCENES

MOST_KEPT = 64_000


@pytest.mark.parametrize("name", SCENES)
async def test_it_comes_out_as_it_was_kept(name: str, tmp_path: Path) -> None:
    changed = difference(name, await SCENES[name](tmp_path))
    if changed:
        pytest.fail(changed, pytrace=False)


def test_what_is_kept_is_small_enough_to_read_and_nothing_else_lies_there() -> None:
    sizes = {file.stem: file.stat().st_size for file in KEPT.iterdir()}
    assert set(sizes) == set(SCENES)
    assert max(sizes.values()) < MOST_KEPT
