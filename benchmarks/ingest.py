"""Pages per CPU second of Extract and Structure, over 50 / 100 / 200 / 400 pages, with peak memory, for each reader.

Run: python benchmarks/ingest.py [BOOK.pdf [READER…]]   (the SRD unless told; readers: pdf_oxide, pymupdf)
"""

import asyncio
import json
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

USUAL = (
    Path(os.environ.get("FREEFORM_DATA", Path(__file__).parents[2] / "shared/data"))
    / "pdf/srd51/book.pdf"
)
SIZES = (50, 100, 200, 400)


async def measure(path: Path, name: str, pages: int) -> dict[str, float | str | int]:
    """One size with one reader."""
    from freeform.evals.suites.ingest import computed
    from freeform.ingest.model import ExtractOptions
    from freeform.ingest.page.extract import extract
    from freeform.ingest.structure.segment import segment
    from freeform.ingest.structure.structure import find_structure
    from freeform.wiring.reading import pdf_reader

    with tempfile.TemporaryDirectory() as scratch:
        place = Path(scratch)
        started = computed()
        async with pdf_reader(name).open(path) as book:
            pages = min(pages, book.page_count)
            await extract(
                book, place / "extract", ExtractOptions(page_ranges=((1, pages),), ocr="never")
            )
        read = computed()
        await find_structure(place / "extract", place / "structure")
        found = computed()
        await segment(place / "structure", place / "segment")
        cut = computed()
    # The reader's process stands beside this one; the sum of both peaks is the most there can have been.
    most = sum(
        resource.getrusage(who).ru_maxrss
        for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    )
    return {
        "reader": name,
        "pages": pages,
        "extract_s": round(read - started, 2),
        "structure_s": round(found - read, 2),
        "segment_s": round(cut - found, 2),
        "pages_per_s": round(pages / (found - started), 1),
        "peak_mb": most // 1024,
    }


def main() -> None:
    """A table and the same as JSON; each size in a fresh process, so that memory is its own."""
    if len(sys.argv) > 3 and sys.argv[1] == "--one":
        print(json.dumps(asyncio.run(measure(Path(sys.argv[2]), sys.argv[3], int(sys.argv[4])))))
        return
    book = Path(sys.argv[1]) if len(sys.argv) > 1 else USUAL
    if not book.is_file():
        print(f"no book at {book.name}: name one, or set FREEFORM_DATA", file=sys.stderr)
        return
    rows = []
    for name in sys.argv[2:] or ["pdf_oxide", "pymupdf"]:
        for pages in SIZES:
            command = [sys.executable, __file__, "--one", str(book), name, str(pages)]
            rows.append(
                json.loads(
                    subprocess.run(command, check=True, capture_output=True, text=True).stdout
                )
            )
            row = rows[-1]
            print(
                f"{row['reader']:>10} {row['pages']:>4} pages  extract {row['extract_s']:>6} s  structure "
                f"{row['structure_s']:>5} s  segment {row['segment_s']:>5} s  {row['pages_per_s']:>6} pages/CPU s  "
                f"{row['peak_mb']} MB",
                file=sys.stderr,
            )
    print(json.dumps(rows))


if __name__ == "__main__":
    main()
