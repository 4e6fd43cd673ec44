"""What may only shrink: functions that are excused, long lines, nested comprehensions, unexplained formatting."""

import ast
import importlib.util
from collections.abc import Iterator
from types import ModuleType

import pytest

from tests.house import ROOT, none_of

RUN = "run: python scripts/ratchets.py"


@pytest.fixture(scope="module")
def ratchets() -> ModuleType:
    spec = importlib.util.spec_from_file_location("ratchets", ROOT / "scripts" / "ratchets.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_nobody_is_excused_who_needs_no_excuse(ratchets: ModuleType) -> None:
    none_of([f"{line}; {RUN}" for line in ratchets.stale()])


def test_the_figures_only_shrink(ratchets: ModuleType) -> None:
    def broken() -> Iterator[str]:
        now, most = ratchets.counts(), ratchets.kept_counts()
        for kind in now:
            for room in sorted({*now[kind], *most[kind]}):
                count, limit = now[kind].get(room, 0), most[kind].get(room, 0)
                if count > limit:
                    yield f"{kind}: {room} has {count}, and may have {limit}"
                if count < limit:
                    yield f"{kind}: {room} has {count}, fewer than the {limit} listed; {RUN}"

    none_of(broken())


def test_a_comprehension_within_or_over_another_is_counted(ratchets: ModuleType) -> None:
    def nested(text: str) -> int:
        return int(ratchets.nested_comprehensions(ast.parse(text)))

    assert nested("[[y for y in x] for x in z]") == 1
    assert nested("[y for y in [x for x in z]]") == 1
    assert nested("[y for x in z for y in x]") == 0
    assert nested("[a for a in b]\n{a: 1 for a in b}") == 0
