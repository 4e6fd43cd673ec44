"""Reads pictures of pages with the Tesseract program: its words and places; the order is ours."""

import asyncio
import csv
import io
import shutil
from collections.abc import Sequence

from freeform.core.errors import Unavailable, UserError
from freeform.ingest.model import Span

#: Seconds one page may take.
TIME_LIMIT = 120.0
WORD, LINE = "5", "4"


class TesseractOcr:
    """The `tesseract` command on this machine."""

    name = "tesseract"

    def __init__(self, command: str = "tesseract") -> None:
        self.command = command

    def missing(self) -> str:
        """'' when the program is there."""
        if shutil.which(self.command):
            return ""
        return "install Tesseract (Debian and Ubuntu: apt install tesseract-ocr; macOS: brew install tesseract)."

    async def read(
        self, png: bytes, *, dpi: int, language: str = "eng"
    ) -> tuple[Sequence[Span], float]:
        """Words in points at that dpi, with their mean confidence."""
        if self.missing():
            raise UserError(f"this page is a picture; {self.missing()}")
        # One thread a page: more threads on a small page cost more than they bring.
        single = ("env", "OMP_THREAD_LIMIT=1") if shutil.which("env") else ()
        program = await asyncio.create_subprocess_exec(
            *single, self.command, "stdin", "stdout", "-l", language, "--dpi", str(dpi), "--psm", "3", "tsv",
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
        )  # fmt: skip
        try:
            out, error = await asyncio.wait_for(program.communicate(png), TIME_LIMIT)
        except TimeoutError:
            program.kill()
            await program.wait()
            raise Unavailable(
                f"Tesseract took longer than {TIME_LIMIT:.0f} s for one page."
            ) from None
        if program.returncode:
            reason = error.decode(errors="replace").strip().split("\n")[-1]
            if "language" in reason.lower() or "tessdata" in reason.lower():
                raise UserError(
                    f"Tesseract lacks the language '{language}'; install tesseract-ocr-{language}."
                )
            raise Unavailable(f"Tesseract failed: {reason or 'it gave no reason'}.")
        return read_tsv(out.decode(errors="replace"), 72 / dpi)


def read_tsv(table: str, scale: float) -> tuple[list[Span], float]:
    """Tesseract's table as words. A word's height is its line's, so that words of a line stand
    level."""
    spans: list[Span] = []
    sure: list[float] = []
    top = bottom = 0.0
    for row in csv.DictReader(io.StringIO(table), delimiter="\t", quoting=csv.QUOTE_NONE):
        left, upper = float(row["left"]) * scale, float(row["top"]) * scale
        width, height = float(row["width"]) * scale, float(row["height"]) * scale
        if row["level"] == LINE:
            top, bottom = upper, upper + height
        text = (row.get("text") or "").strip()
        if row["level"] != WORD or not text:
            continue
        size = max(4.0, min(0.95 * (bottom - top), 1.6 * height))
        spans.append(
            Span(
                text=text,
                bbox=(left, bottom - size, left + width, bottom),
                font="ocr",
                size=round(size),
            )
        )
        sure.append(float(row["conf"]) / 100)
    return spans, sum(sure) / len(sure) if sure else 0.0
