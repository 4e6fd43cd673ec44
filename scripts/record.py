"""Plays a short evening with the real program at a terminal and draws it: docs/play.svg. Run by `make docs`."""

import os
import pty
import re
import struct
import subprocess
import sys
import tempfile
import termios
from fcntl import ioctl
from io import StringIO
from pathlib import Path

from rich.console import Console
from rich.text import Text

WIDE = 84
SCENARIO, SEED = "drowned_bell", "7"
TYPED = ["free Obed's foot from the stones", "ask Obed about the bell", "/clocks"]
FOREIGN = re.compile(r"\s*@font-face \{.*?\}|<!--.*?-->", re.S)


def record() -> str:
    """What the program shows, colours included. It reads a pipe and writes to a terminal."""
    ours, its = pty.openpty()
    ioctl(its, termios.TIOCSWINSZ, struct.pack("HHHH", 50, WIDE, 0, 0))
    with tempfile.TemporaryDirectory() as home:
        environ = {
            "PATH": os.environ["PATH"],
            "FREEFORM_HOME": home,
            "TERM": "xterm-256color",
            "HOME": home,
        }
        program = subprocess.Popen(
            [sys.executable, "-m", "freeform", "--model", "offline", "--seed", SEED, "play", "--scenario", SCENARIO],
            stdin=subprocess.PIPE, stdout=its, stderr=its, env=environ, cwd=home,
        )  # fmt: skip
        os.close(its)
        assert program.stdin
        program.stdin.write("".join(f"{line}\n" for line in TYPED).encode())
        program.stdin.close()
        shown = b""
        while True:
            try:
                piece = os.read(ours, 65536)
            except OSError:
                break
            if not piece:
                break
            shown += piece
        assert program.wait() == 0, shown.decode()
    return shown.decode().replace("\r\n", "\n")


def draw(shown: str) -> str:
    """The same as a picture that loads nothing from anywhere."""
    console = Console(
        record=True, width=WIDE, file=StringIO(), force_terminal=True, color_system="truecolor"
    )
    console.print(Text.from_ansi(shown))
    return FOREIGN.sub("", console.export_svg(title="make play", unique_id="play")) + "\n"


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(draw(record()), encoding="utf-8")
