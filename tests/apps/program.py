"""The real program as a subprocess: through pipes, and at a pseudo-terminal."""

import fcntl
import json
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
import time
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from tests.apps import forked
from tests.engine.cellar import scenario
from tests.patience import PATIENCE

_ANSI = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b[=>]|\r")


@cache
def _cellar() -> str:
    """The scenario as a file: the same for every home, and to write it takes longer than to begin it."""
    data = json.loads(scenario().model_dump_json(exclude_unset=True))
    return yaml.safe_dump(data, allow_unicode=True)


@dataclass
class Home:
    """A home of its own for each test, with one small scenario on its shelf."""

    path: Path
    extra: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        shelf = self.path / "scenarios"
        shelf.mkdir(parents=True)
        (shelf / "cellar.yaml").write_text(_cellar(), encoding="utf-8")

    @property
    def environ(self) -> dict[str, str]:
        """A clean environment: nothing of the person who runs the tests."""
        kept = {name: os.environ[name] for name in ("PATH", "LANG", "TMPDIR") if name in os.environ}
        return {**kept, "HOME": str(self.path), "FREEFORM_HOME": str(self.path), **self.extra}

    def run(self, *args: str, typed: str = "", model: str | None = "offline") -> "Ran":
        """Runs one command to its end, in a process that need not import everything first."""
        told = ["--model", model] if model else []
        code, out, err = forked.run(
            [*told, *args], self.environ, self.path, typed.encode(), PATIENCE
        )
        return Ran(code, out.decode(), err.decode())

    def start(self, *args: str) -> "Ran":
        """The same in a Python started for it alone, with a hash seed of its own."""
        command = [sys.executable, "-m", "freeform", "--model", "offline", *args]
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            env=self.environ,
            cwd=self.path,
            timeout=PATIENCE,
        )
        return Ran(done.returncode, done.stdout.decode(), done.stderr.decode())

    def json(self, *args: str) -> Any:
        """The JSON document a command prints; fails unless it went well."""
        ran = self.run("--json", *args)
        assert ran.code == 0, ran.err
        return json.loads(ran.out)

    def begin(self, campaign: str = "a", seed: int = 7) -> Any:
        """A campaign to play."""
        return self.json(
            "new-game", "--scenario", "cellar", "--campaign", campaign, "--seed", str(seed)
        )


@dataclass(frozen=True)
class Ran:
    """What came of a command."""

    code: int
    out: str
    err: str


class Terminal:
    """The program at a pseudo-terminal of a given width."""

    def __init__(self, home: Home, *args: str, columns: int = 80) -> None:
        master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
        environ = {**home.environ, "TERM": "xterm", "PROMPT_TOOLKIT_NO_CPR": "1"}
        told = ["--model", "offline", *args]
        self._process = forked.Forked(
            forked.PROGRAM, told, environ, home.path, [slave] * 3, PATIENCE, terminal=True
        )
        os.close(slave)
        self._master, self.seen = master, ""

    def type(self, text: str) -> None:
        """Types; a carriage return is Enter, \\x03 is Ctrl-C, \\x04 is Ctrl-D."""
        os.write(self._master, text.encode())

    def wait_for(self, text: str) -> str:
        """Everything shown up to and with that text; what follows is for the next wait."""
        ends = time.monotonic() + PATIENCE
        while text not in self.seen:
            assert time.monotonic() < ends, f"never showed {text!r}:\n{self.seen}"
            assert self._read(), f"ended without {text!r}:\n{self.seen}"
        shown, _, self.seen = self.seen.partition(text)
        return shown + text

    def end(self) -> int:
        """Waits for the program to end; its exit code."""
        ends = time.monotonic() + PATIENCE
        while self._read() and time.monotonic() < ends:
            pass
        with self._process:
            code = self._process.wait()
        os.close(self._master)
        return code

    def _read(self) -> bool:
        ready, _, _ = select.select([self._master], [], [], 0.2)
        if not ready:
            return not self._process.has_ended()
        try:
            piece = os.read(self._master, 65536)
        except OSError:
            return False
        self.seen += _ANSI.sub("", piece.decode(errors="replace"))
        return bool(piece)
