"""The whole offline ingest of made books of growing length: processor time and memory, which should grow as a line.

Run: python benchmarks/long_books.py [PAGES…]   (1250, 2500 and 5000 unless told; two columns, a chapter every 25 pages)
"""

import json
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
from tests.ingest.paper import LEFT, RIGHT, Ink, column, prose, save

SIZES = (1250, 2500, 5000)


def made_book(path: Path, pages: int) -> Path:
    """Two columns of running text, a heading on every page, a larger one where a chapter begins."""
    leaves = []
    for number in range(pages):
        chapter = number % 25 == 0
        title = (
            f"Chapter {number // 25 + 1}: The Long Wall"
            if chapter
            else f"The Watch of Night {number}"
        )
        text = prose(90, start=number * 37)
        head = Ink(title, LEFT, 72, 20 if chapter else 14, bold=True)
        leaves.append([head, *column(text[:45], LEFT), *column(text[45:], RIGHT)])
    return save(leaves, path)


def measure(pages: int) -> dict[str, float]:
    """One length: the program as a person runs it, on an empty home."""
    with tempfile.TemporaryDirectory() as scratch:
        book = made_book(Path(scratch) / "book.pdf", pages)
        command = [
            sys.executable,
            "-m",
            "freeform",
            "--home",
            f"{scratch}/home",
            "--model",
            "offline",
        ]
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(
            [*command, "pack-ingest", str(book), "--yes", "--json"], check=True, capture_output=True
        )
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return {"pages": pages, "cpu_s": round(spent, 1), "ms_a_page": round(spent * 1000 / pages, 1),
            "peak_mb": after.ru_maxrss // 1024}  # fmt: skip


def main() -> None:
    """A line for each length, shortest first, then all as JSON. The peak is of the largest process so far."""
    rows = []
    for pages in sorted(map(int, sys.argv[1:])) or SIZES:
        rows.append(measure(pages))
        print(" ".join(f"{name} {value:,}" for name, value in rows[-1].items()), file=sys.stderr)
    print(json.dumps(rows))


if __name__ == "__main__":
    main()
