"""The program in a process of its own, without its second of imports: a server that has them, and the ear, forks for each call.

    ran = run(["--json", "campaigns"], environ, cwd, typed="")

Each call is a real process with its own environment, folder, streams and exit code; only `import` and what a first turn loads (the ear, rules, words) are done beforehand.
With `terminal=True` the first of the files is a terminal, which becomes the program's own.
What is about starting up itself (a missing package, a hash seed) starts Python afresh: `tests.apps.program`.

    run ──(socket: the request, and three open files)──> server ── fork ──> keeper ── fork ──> the program
     ^                                                                        │ waits
     └───────────────────────── the exit code ────────────────────────────────┘
"""

import asyncio
import atexit
import fcntl
import gc
import importlib
import json
import os
import pkgutil
import select
import signal
import socket
import subprocess
import sys
import tempfile
import termios
import threading
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, NoReturn

from freeform import wiring
from freeform.adapters.ear.learned import shipped_ear
from freeform.engine.authored.library import load_scenario
from freeform.engine.campaign.begin import Answers, begin
from freeform.engine.turn import Say, take_turn
from freeform.settings import Settings

ROOT = Path(__file__).parents[2]
PROGRAM = "freeform.__main__"
# What the verbs import when they run: these packages whole, since each imports what is heavy only where it is used.
READY = (
    "apps.cli",
    "engine",
    "packs",
    "retrieval",
    "ingest",
    "assistant",
    "lore",
    "offline",
    "adapters.sqlite",
    "adapters.ear",
    "adapters.encoder",
    "wiring",
    "services",
)


def run(
    args: Sequence[str], environ: dict[str, str], cwd: Path, typed: bytes, patience: float
) -> tuple[int, bytes, bytes]:
    """Runs `freeform-rpg ARGS` to its end: exit code (a signal is negative), standard output, standard error."""
    with (
        tempfile.TemporaryFile() as given,
        tempfile.TemporaryFile() as out,
        tempfile.TemporaryFile() as err,
    ):
        given.write(typed)
        given.seek(0)
        with Forked(
            PROGRAM, args, environ, cwd, [given.fileno(), out.fileno(), err.fileno()], patience
        ) as program:
            code = program.wait()
        for file in (out, err):
            file.seek(0)
        return code, out.read(), err.read()


class Forked:
    """A program in its own process: the function `main` of a module, with these files as its standard streams."""

    def __init__(
        self,
        module: str,
        args: Sequence[str],
        environ: dict[str, str],
        cwd: Path,
        files: list[int],
        patience: float,
        terminal: bool = False,
    ) -> None:
        self._code: int | None = None
        self._line = socket.socket(socket.AF_UNIX)
        self._line.settimeout(patience)
        self._line.connect(_server())
        wanted = {"module": module, "args": [*args], "environ": environ, "cwd": str(cwd)}
        asked = json.dumps({**wanted, "terminal": terminal}).encode()
        socket.send_fds(self._line, [len(asked).to_bytes(4, "big")], files)
        self._line.sendall(asked)
        self._said = b""
        """What came and was not read yet: the exit code may come with the number of the process."""
        self.pid = int(self._read_line())

    def has_ended(self) -> bool:
        """Whether `wait` would answer at once."""
        if self._code is not None:
            return True
        while b"\n" not in self._said and select.select([self._line], [], [], 0)[0]:
            self._hear()
        return b"\n" in self._said

    def wait(self) -> int:
        """Its exit code once it has ended, or the signal that ended it, negative."""
        if self._code is None:
            self._code = int(self._read_line())
        return self._code

    def _read_line(self) -> bytes:
        while b"\n" not in self._said:
            self._hear()
        line, _, self._said = self._said.partition(b"\n")
        return line

    def _hear(self) -> None:
        said = self._line.recv(4096)
        if not said:
            raise EOFError("its keeper has gone and said nothing")
        self._said += said

    def __enter__(self) -> "Forked":
        return self

    def __exit__(self, *_: object) -> None:
        self._line.close()


@cache
def _server() -> str:
    """Starts the server, once for this process and as long as it lives; where it listens."""
    at = str(Path(tempfile.mkdtemp(prefix="forked-")) / "line")
    server = subprocess.Popen(
        [sys.executable, "-m", "tests.apps.forked", at],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=ROOT,
    )
    atexit.register(server.communicate)  # closes its standard input, at which it ends
    assert server.stdout and server.stdout.readline() == b"ready\n"
    return at


def serve(at: str) -> None:
    """Imports everything, then forks for each caller until nobody holds our standard input."""
    for package in READY:
        found = importlib.import_module(f"freeform.{package}")
        for module in pkgutil.walk_packages(found.__path__, f"{found.__name__}."):
            importlib.import_module(module.name)
    shipped_ear().problem()  # loads the model, which has no threads of its own
    asyncio.run(_play_a_turn())
    assert threading.active_count() == 1, "threads do not live on in a fork"
    gc.collect()
    gc.freeze()
    with socket.socket(socket.AF_UNIX) as door:
        door.bind(at)
        door.listen()
        print("ready", flush=True)
        while True:
            heard, _, _ = select.select([door, sys.stdin], [], [])
            if sys.stdin in heard:
                os.unlink(at)
                os.rmdir(os.path.dirname(at))
                return
            line, _ = door.accept()
            size, files, _, _ = socket.recv_fds(line, 4, 3)
            with line.makefile("rb") as told:
                request = json.loads(told.read(int.from_bytes(size, "big")))
            importlib.import_module(request["module"])  # here, so that the next one need not
            # Nobody waits for a keeper: a signal it ignores says so to the kernel.
            signal.signal(signal.SIGCHLD, signal.SIG_IGN)
            if os.fork() == 0:
                signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                door.close()
                return _keep(line, request, files)
            for file in (line.detach(), *files):
                os.close(file)


async def _play_a_turn() -> None:
    """Rules, prompts and tables of words are read when a turn first wants them: half of what a turn takes."""
    with tempfile.TemporaryDirectory() as folder:
        table = wiring.headless(Settings(home=Path(folder), model="offline"))
        await begin(load_scenario("drowned_bell"), "a", 1, Answers(), table)
        await take_turn(Say(campaign="a", text="I look around", turn_id="1"), table)


def _keep(line: socket.socket, request: dict[str, Any], files: list[int]) -> None:
    """Starts the program and waits for it; the program returns from here, its keeper does not."""
    program = os.fork()
    if program == 0:
        line.close()
        return _become(request, files)
    line.sendall(f"{program}\n".encode())
    for file in files:
        os.close(file)
    _, status = os.waitpid(program, 0)
    line.sendall(f"{os.waitstatus_to_exitcode(status)}\n".encode())
    os._exit(0)


def _become(request: dict[str, Any], files: list[int]) -> None:
    """What the kernel and Python do when a program starts: streams, folder, environment, arguments; then the program."""
    for number, file in enumerate(files):
        os.dup2(file, number)
        os.close(file)
    if request["terminal"]:
        os.setsid()
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    # Whatever starts the tests in the background may have SIGINT ignored, and children inherit that.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.chdir(request["cwd"])
    os.environ.clear()
    os.environ.update(request["environ"])
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stderr = open(  # noqa: SIM115
        2, "w", encoding="utf-8", errors="backslashreplace", buffering=1, closefd=False
    )
    sys.argv = [request["module"], *request["args"]]
    try:
        importlib.import_module(request["module"]).main()
    except SystemExit as done:
        _leave(done.code)
    _leave(0)


def _leave(code: object) -> NoReturn:
    """What Python does at its end, but for taking its memory apart, which takes as long as most verbs."""
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    assert isinstance(code, int), "the program says how it went with a number"
    os._exit(code)


if __name__ == "__main__":
    serve(sys.argv[1])
