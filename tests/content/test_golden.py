"""The bundled evenings come out word for word as they were written down."""

import asyncio
from pathlib import Path

import pytest

from freeform import wiring
from freeform.core.llm.prompts import bundled
from freeform.engine.authored.library import content_folder, load_scenario
from freeform.evals.suites.golden import GoldenTranscript, check_golden
from freeform.settings import Settings

FILES = sorted(content_folder("golden").glob("*.json"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_golden_evening_comes_out_the_same(file: Path, tmp_path: Path) -> None:
    golden = GoldenTranscript.model_validate_json(file.read_text(encoding="utf-8"))

    async def differences() -> list[object]:
        async with wiring.opened(Settings(home=tmp_path, model="offline")) as table:
            return list(
                await check_golden(golden, load_scenario(golden.scenario), bundled(), table)
            )

    assert asyncio.run(differences()) == []


def test_there_are_golden_evenings_of_thirty_turns() -> None:
    assert [
        len(GoldenTranscript.model_validate_json(f.read_text(encoding="utf-8")).turns) >= 30
        for f in FILES
    ] == [
        True,
        True,
    ]
