"""How the terminal speaks and listens: wrapped and coloured for a person, plain for a pipe."""

import sys
from collections.abc import Iterable
from typing import Protocol

from rich.cells import cell_len
from rich.text import Text

from freeform.apps.cli.desk import Desk, printable

WIDEST = 100


class Teller(Protocol):
    """Tells prose while it is being made."""

    def hear(self, piece: str) -> None:
        """The next piece."""
        ...

    def again(self) -> None:
        """What was told does not count."""
        ...

    def end(self) -> str:
        """The prose is over; gives what was told."""
        ...


class Voice:
    """One terminal."""

    def __init__(self, desk: Desk) -> None:
        self.desk, self.plain, self.console = desk, desk.is_plain, desk.console
        self.wide = min(WIDEST, self.console.width)
        self._listening: object | None = None

    def line(self, text: str = "", style: str = "") -> None:
        """One item on its own line; long ones are wrapped unless plain."""
        shown = Text(printable(text), style="" if self.plain else style)
        self.console.print(shown, soft_wrap=self.plain, width=None if self.plain else self.wide)

    def lines(self, texts: Iterable[str], style: str = "") -> None:
        """Several items."""
        for text in texts:
            self.line(text, style)

    def paragraphs(self, text: str) -> None:
        """Prose that is there already."""
        teller = self.teller()
        teller.hear(text)
        teller.end()

    def teller(self) -> Teller:
        """Someone to tell a turn's prose."""
        return Buffered(self) if self.plain else Streamed(self)

    def ask(self, prompt: str = "> ") -> str:
        """What the person types. EOFError at the end, KeyboardInterrupt on Ctrl-C."""
        if not sys.stdin.isatty():
            text = input()
            # A transcript shows both sides.
            self.line(f"{prompt}{text}")
            return text
        if self.plain:
            return input(prompt)
        from prompt_toolkit import PromptSession
        from prompt_toolkit.history import FileHistory

        if not isinstance(self._listening, PromptSession):
            home = self.desk.settings.home
            home.mkdir(parents=True, exist_ok=True)
            self._listening = PromptSession(history=FileHistory(str(home / "history")))
        return str(self._listening.prompt(prompt))


class Buffered:
    """Keeps prose until it is whole: a pipe has no use for pieces, and `again` costs nothing."""

    def __init__(self, voice: Voice) -> None:
        self._voice, self._told = voice, ""

    def hear(self, piece: str) -> None:
        self._told += piece

    def again(self) -> None:
        self._told = ""

    def end(self) -> str:
        for paragraph in self._told.split("\n"):
            if paragraph.strip():
                self._voice.line(paragraph.strip())
        return self._told


class Streamed:
    """Writes prose word by word, wrapped at the width, and can take it back."""

    def __init__(self, voice: Voice) -> None:
        self._out, self._wide = voice.console.file, voice.wide
        self._erases = voice.console.is_terminal
        self._told, self._word, self._column, self._lines = "", "", 0, 0

    def hear(self, piece: str) -> None:
        self._told += piece
        for char in printable(piece):
            if char in " \n":
                self._put_word()
                if char == "\n":
                    self._new_line()
            else:
                self._word += char
        self._out.flush()

    def again(self) -> None:
        if self._erases and self._told:
            up = f"\x1b[{self._lines}A" if self._lines else ""
            self._out.write(f"{up}\r\x1b[0J")
        elif self._told:
            self._out.write("\n(once more)\n")
        self._told, self._word, self._column, self._lines = "", "", 0, 0

    def end(self) -> str:
        self._put_word()
        if self._column:
            self._new_line()
        self._out.flush()
        return self._told

    def _put_word(self) -> None:
        if not self._word:
            return
        size = cell_len(self._word)
        gap = 1 if self._column else 0
        if self._column + gap + size > self._wide and self._column:
            self._new_line()
            gap = 0
        self._out.write(" " * gap + self._word)
        self._column += gap + size
        # A word longer than a line has wrapped by itself.
        self._lines += (self._column - 1) // self._wide if self._column > self._wide else 0
        self._word = ""

    def _new_line(self) -> None:
        self._out.write("\n")
        self._column, self._lines = 0, self._lines + 1
