"""Plays a list of inputs offline and writes the golden transcript, and a page of it to read.

python scripts/record_golden.py NAME SCENARIO SEED INPUTS.txt    (one input a line)

Writes src/freeform/content/golden/NAME.json and docs/transcripts/NAME.md. Read the page as a player would before you
commit it: from then on the game must come out this way.
"""

import asyncio
import sys
import tempfile
from pathlib import Path

from freeform import wiring
from freeform.core.llm.prompts import bundled
from freeform.engine.authored.library import load_scenario
from freeform.evals.suites.golden import GoldenTranscript, record_golden
from freeform.settings import Settings

ROOT = Path(__file__).parents[1]


async def record(name: str, scenario_id: str, seed: int, inputs: list[str]) -> GoldenTranscript:
    """The game, played once in a home of its own."""
    with tempfile.TemporaryDirectory() as home:
        settings = Settings.model_validate({"home": Path(home), "model": "offline"})
        async with wiring.opened(settings) as table:
            return await record_golden(
                name, load_scenario(scenario_id), seed, inputs, bundled(), table
            )


def page(golden: GoldenTranscript) -> str:
    """The transcript as a person reads it."""
    scenario = load_scenario(golden.scenario)
    command = f"new-game --scenario {golden.scenario} --seed {golden.seed}"
    lines = [
        f"# {scenario.name}: {len(golden.turns)} turns, offline",
        "",
        f"`freeform-rpg {command}`, then:",
        "",
    ]
    lines += [scenario.opening.strip(), ""]
    for turn in golden.turns:
        lines += [
            f"**> {turn.input}**",
            "",
            *(f"`{roll}`\n" for roll in turn.rolls),
            turn.final_text,
            "",
        ]
    return "\n".join(lines)


def main() -> None:
    """Records one."""
    name, scenario_id, seed, file = sys.argv[1:]
    inputs = [
        line.strip() for line in Path(file).read_text(encoding="utf-8").splitlines() if line.strip()
    ]
    golden = asyncio.run(record(name, scenario_id, int(seed), inputs))
    for path, text in (
        (
            ROOT / "src/freeform/content/golden" / f"{name}.json",
            golden.model_dump_json(indent=1) + "\n",
        ),
        (ROOT / "docs/transcripts" / f"{name}.md", page(golden)),
    ):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        print(path.relative_to(ROOT))


if __name__ == "__main__":
    main()
