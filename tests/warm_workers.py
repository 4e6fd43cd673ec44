"""Workers of pytest that have nothing left to import: one process collects the tests, and each worker is forked from it.

To import the product, its libraries and the tests takes 17 s of a core, and 10 more where nothing is compiled yet; each worker
of xdist did it for itself. What is measured of the code (`tests/measured.py`) is prepared once as well.

    xdist ── starts ──> tests/warm_worker.py ──(socket: its three streams)──> the process that collected ── fork ──> worker
"""

import atexit
import os
import random
import select
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

import pytest
from execnet import XSpec

ROOT = Path(__file__).parents[1]
NOTHING_WRITTEN = ("-p", "no:cacheprovider", "--inline-snapshot=disable")


def warm(paths: list[str], specs: list[XSpec]) -> "subprocess.Popen[bytes]":
    """Starts the process that collects these paths, and has the workers come from it.

    It ends when nobody holds its standard input any more.
    """
    folder = tempfile.mkdtemp(prefix="warm-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    at = os.path.join(folder, "line")
    with socket.socket(socket.AF_UNIX) as door:
        door.bind(at)
        door.listen()
        collecting = subprocess.Popen(
            [sys.executable, "-m", "tests.warm_workers", str(door.fileno()), *paths],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            cwd=ROOT,
            pass_fds=[door.fileno()],
        )
    for spec in specs:
        worker = str(Path(__file__).with_name("warm_worker.py"))
        spec.python = shlex.join([sys.executable, "-I", "-S", worker, at])
    return collecting


def serve(door: socket.socket, paths: list[str]) -> None:
    """Collects, then forks for each that asks."""
    os.environ["PYTEST_XDIST_WORKER"] = "warm"
    # What cannot be collected is told by the workers, which try it again.
    pytest.main(["--collect-only", *NOTHING_WRITTEN, *paths])
    if forked := sys.modules.get("tests.apps.forked"):
        forked.server()  # one for all workers
    assert threading.active_count() == 1, "threads do not live on in a fork"
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    while True:
        heard, _, _ = select.select([door, sys.stdin], [], [])
        if sys.stdin in heard:
            return
        line, _ = door.accept()
        _, files, _, _ = socket.recv_fds(line, 1, 3)
        if os.fork() == 0:
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            door.close()
            return become_worker(line, files)
        for file in (line.detach(), *files):
            os.close(file)


def become_worker(line: socket.socket, files: list[int]) -> None:
    """What `python -u -c` does with what xdist writes. The line stays open for as long as we live."""
    for number, file in enumerate(files):
        os.dup2(file, number)
        os.close(file)
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    random.seed()
    line.sendall(b"!")
    sys.argv = ["-c"]
    exec(eval(sys.stdin.readline()), {"__name__": "__main__", "line": line})


if __name__ == "__main__":
    serve(socket.socket(fileno=int(sys.argv[1])), sys.argv[2:])
