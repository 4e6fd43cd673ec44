"""The four worlds of the scoreboard, each site as if nobody here had seen it: every word of our tables
that stands on its pages and on those of no other site is taken out, and its world is scored again.

    python benchmarks/lore_left_out.py ../shared/data/wikis --scorer ../shared/tools/score_lore.py [--by world]

What stays: patterns of sentences (`shapes.yaml`, made on invented sentences), the learned head (its weights
and threshold were made without the worlds) and rules. Prints one line of recalls for each site.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import yaml

SRC = Path(__file__).parent.parent / "src"
TABLE = Path("freeform/lore/read/vocabulary.yaml")
SHOWN = ("connects", "place", "zone_faction", "located", "role", "member", "relation", "prose-only")


def pages_of(root: Path, index: dict[str, Any], site: str) -> str:
    """All words of a site's pages and categories."""
    at = index["sites"][site]
    texts = [(root / at["dir"] / page["file"]).read_text("utf-8") for page in at["pages"]]
    texts += [" ".join(page.get("categories") or []) for page in at["pages"]]
    return re.sub(r"<[^>]+>", " ", " ".join(texts)).lower()


def without(table: Any, gone: set[str]) -> Any:
    """The table without those words."""
    if isinstance(table, dict):
        return {key: without(value, gone) for key, value in table.items()}
    if isinstance(table, list):
        return [each for each in table if each not in gone]
    return table


def words_in(table: Any) -> set[str]:
    """Every word of the table."""
    if isinstance(table, dict):
        return set().union(*map(words_in, table.values()))
    return set(table) if isinstance(table, list) else set()


def only_here(words: Iterable[str], here: str, others: str) -> set[str]:
    """Words that stand here and nowhere else."""

    def stands(word: str, text: str) -> bool:
        return re.search(rf"\b{re.escape(word)}\b", text) is not None

    return {word for word in words if stands(word, here) and not stands(word, others)}


def score(given: argparse.Namespace, world: str, gone: set[str], folder: Path) -> str:
    """The world scored by the program without those words."""
    package = folder / "src"
    shutil.copytree(given.snapshot, package, copy_function=os.link)
    table = yaml.safe_load((SRC / TABLE).read_text("utf-8"))
    (package / TABLE).unlink()
    (package / TABLE).write_text(yaml.safe_dump(without(table, gone)), "utf-8")
    program = folder / "freeform-rpg"
    program.write_text(
        f'#!/bin/sh\nPYTHONPATH="{package}" exec "{sys.executable}" -m freeform "$@"\n'
    )
    program.chmod(0o755)
    command = [sys.executable, given.scorer, given.set, "--world", world, "--work", folder / "work"]
    ran = subprocess.run(
        [*map(str, command), "--program", str(program)], capture_output=True, text=True
    )
    lines = [line for line in ran.stdout.splitlines() if line.startswith("|")]
    found = [cells for line in lines if (cells := [c.strip() for c in line.split("|")])[1]]
    told = {cells[1]: cells[2] for cells in found}
    return (
        "; ".join(f"{name} {told[name]}" for name in told if name.startswith(SHOWN)) or ran.stderr
    )


def main() -> None:
    """Scores each site left out, or each world."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("set")
    asked.add_argument("--scorer", required=True)
    asked.add_argument("--by", choices=("site", "world"), default="site")
    given = asked.parse_args()
    root = Path(given.set)
    index = json.loads((root / "index.json").read_text("utf-8"))
    texts = {site: pages_of(root, index, site) for site in index["sites"]}
    words = words_in(yaml.safe_load((SRC / TABLE).read_text("utf-8")))
    home = tempfile.TemporaryDirectory(prefix="left-out-")
    # What is measured is what stood here at the beginning, whatever is edited meanwhile.
    given.snapshot = shutil.copytree(SRC, Path(home.name) / "snapshot")
    for world, about in index["worlds"].items():
        groups = [about["sites"]] if given.by == "world" else [[site] for site in about["sites"]]
        for left_out in groups:
            here = " ".join(texts[site] for site in left_out)
            others = " ".join(text for site, text in texts.items() if site not in left_out)
            gone = only_here(words, here, others)
            with tempfile.TemporaryDirectory(dir=home.name) as folder:
                said = score(given, world, gone, Path(folder))
            print(f"{world} without {', '.join(left_out)} ({len(gone)} words): {said}", flush=True)
            print(f"  {', '.join(sorted(gone))}", flush=True)
    home.cleanup()


if __name__ == "__main__":
    os.environ.setdefault("PYTHONDONTWRITEBYTECODE", "1")
    main()
