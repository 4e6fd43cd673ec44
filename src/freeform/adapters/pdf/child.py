"""The process in which a book is read: what a page does to a library, it does here, within limits.

Run as `python -m freeform.adapters.pdf.child READER FILE SECONDS BYTES`. Asked in lines of JSON on
standard input, it answers in frames on standard output: a letter, the length in four bytes, the
bytes. It ends when its input ends. A page that wants more memory or computing than it may have ends
this process, not the one that asked.
"""

import gc
import json
import math
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

from freeform.adapters.pdf.libraries import open_book
from freeform.adapters.pdf.rows import PageRows, RowBook, Run
from freeform.core.errors import BadFile, FreeformError, NotFound, UserError

#: Seconds of computing for one page, or for opening the book. A page of a book takes some hundredths.
PAGE_SECONDS = 12
#: Bytes of memory of its own, the file (which may be held three times over) not counted. Pages of books take 100 MB.
MEMORY = 600_000_000
#: Addresses, which libraries ask for more of than they use. Where memory itself cannot be limited, this is the limit.
ADDRESSES = 4_000_000_000
#: Letters and runs of text of one page that are handed over; a page of small print has 10,000 letters.
MOST_LETTERS, MOST_RUNS = 400_000, 60_000
DAMAGED = "is damaged and could not be read"
CUT = "holds far more text than a page of a book; what is beyond that is left out"
#: Width and height of a page that cannot be asked for its own.
USUAL = (612.0, 792.0)
OUT_OF_MEMORY = 77
HELLO, PAGE, PICTURE, WRONG, DONE = b"H", b"P", b"I", b"E", b"."
KINDS: dict[str, type[FreeformError]] = {
    "BadFile": BadFile,
    "NotFound": NotFound,
    "UserError": UserError,
}


def limit_memory(most: int, file_size: int) -> None:
    """No more of its own than that, no files, no core dumps. Systems without such limits keep the
    limit of time alone."""
    try:
        import resource
    except ModuleNotFoundError:
        return
    held = 3 * file_size
    for what, bound in (("DATA", most + held), ("AS", ADDRESSES + held), ("FSIZE", 0), ("CORE", 0)):
        kind = getattr(resource, f"RLIMIT_{what}", None)
        if kind is not None:
            try:
                resource.setrlimit(kind, (bound, resource.getrlimit(kind)[1]))
            except (ValueError, OSError):
                continue  # macOS refuses some of them


def limit_time(seconds: int) -> None:
    """From now on so many seconds of computing; then the system ends this process."""
    try:
        import resource
    except ModuleNotFoundError:
        return
    used = resource.getrusage(resource.RUSAGE_SELF)
    until = int(used.ru_utime + used.ru_stime) + seconds + 1
    resource.setrlimit(resource.RLIMIT_CPU, (until, resource.getrlimit(resource.RLIMIT_CPU)[1]))


def send(out: BinaryIO, letter: bytes, content: bytes = b"") -> None:
    """One frame."""
    out.write(letter + len(content).to_bytes(4, "big") + content)
    out.flush()


def answer(book: RowBook, asked: dict[str, Any], seconds: int) -> Iterator[tuple[bytes, bytes]]:
    """The frames that answer a line."""
    match asked["do"]:
        case "read":
            for number in asked["pages"]:
                limit_time(seconds)
                yield PAGE, json.dumps(_page(book, number)).encode()
        case "render":
            limit_time(seconds)
            yield PICTURE, book.render(asked["page"], asked["dpi"])
        case "images":
            limit_time(seconds)
            for picture in book.images(asked["page"]):
                yield PICTURE, picture


def _page(book: RowBook, number: int) -> dict[str, Any]:
    """The page, cut where it says more than any page does; empty when it is damaged."""
    try:
        sheet = book.read(number)
    except BadFile:
        return {"sheet": PageRows(number, *USUAL, (), 0.0, False, ""), "trouble": DAMAGED}
    runs: list[Run] = []
    letters = 0
    for run in sheet.runs:
        if not math.isfinite(sum(run.bbox) + run.size):
            continue
        letters += len(run.text)
        if letters > MOST_LETTERS or len(runs) >= MOST_RUNS:
            return {"sheet": sheet._replace(runs=runs), "trouble": CUT}
        runs.append(run)
    return {"sheet": sheet._replace(runs=runs), "trouble": ""}


def wrong(error: FreeformError) -> bytes:
    """What went wrong, to be raised again on the other side."""
    told = [error.file, error.reason] if isinstance(error, BadFile) else [str(error)]
    return json.dumps({"kind": type(error).__name__, "told": told}).encode()


def serve(reader: str, path: Path, seconds: int, asked: BinaryIO, out: BinaryIO) -> None:
    """Opens the book and answers until nothing more is asked."""
    limit_time(seconds)
    try:
        book = open_book(reader, path)
        outline = [mark for mark in book.outline]
        send(
            out,
            HELLO,
            json.dumps(
                {"pages": book.page_count, "title": book.title, "outline": outline}
            ).encode(),
        )
    except FreeformError as error:
        send(out, WRONG, wrong(error))
        return
    for line in asked:
        try:
            for letter, content in answer(book, json.loads(line), seconds):
                send(out, letter, content)
            send(out, DONE)
        except FreeformError as error:
            send(out, WRONG, wrong(error))


def main() -> None:
    """Standard output belongs to the frames alone: what a library prints goes nowhere."""
    reader, file, seconds, memory = sys.argv[1:5]
    frames = os.fdopen(os.dup(1), "wb")
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    path = Path(file)
    gc.disable()  # rows hold no circles; what a page leaves behind goes when its frame is sent
    limit_memory(int(memory), path.stat().st_size if path.is_file() else 0)
    try:
        serve(reader, path, int(seconds), sys.stdin.buffer, frames)
    except MemoryError:
        os._exit(OUT_OF_MEMORY)
    except (BrokenPipeError, KeyboardInterrupt):
        os._exit(1)


if __name__ == "__main__":
    main()
