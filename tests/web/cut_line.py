"""A line between one browser and the server that loses its event streams, and nothing else, for as long as one likes."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from threading import Thread
from urllib.parse import urlsplit

STREAM = b"GET /api/events"


@dataclass
class CutLine:
    """Carries every connection on; one that asks for events is known by its first words."""

    there: tuple[str, int]
    door: socket.socket
    is_cut: bool = False
    streams: list[socket.socket] = field(default_factory=list)
    lost: int = 0

    @property
    def url(self) -> str:
        """Where a browser finds the server behind it."""
        return "http://{}:{}".format(*self.door.getsockname())

    def cut(self) -> None:
        """Ends the streams there are, and every one that is asked for until it is whole again."""
        self.is_cut = True
        for each in self.streams:
            self._lose(each)
        self.streams.clear()

    def mend(self) -> None:
        """From now on streams come through."""
        self.is_cut = False

    def carry(self) -> None:
        """Takes connections until the door is shut."""
        with suppress(OSError):
            while True:
                here, _ = self.door.accept()
                there = socket.create_connection(self.there)
                Thread(target=self._pass_on, args=(here, there, True), daemon=True).start()
                Thread(target=self._pass_on, args=(there, here, False), daemon=True).start()

    def _pass_on(self, source: socket.socket, to: socket.socket, asks: bool) -> None:
        with suppress(OSError):
            while said := source.recv(65536):
                if asks and STREAM in said:
                    self.streams.append(source)
                    if self.is_cut:
                        self._lose(source)
                to.sendall(said)
        for end in (source, to):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
        source.close()  # the other end is closed by who reads from it

    def _lose(self, stream: socket.socket) -> None:
        self.lost += 1
        with suppress(OSError):
            stream.shutdown(socket.SHUT_RDWR)


@contextmanager
def cut_line(url: str) -> Iterator[CutLine]:
    """A line to that server, until the end of the block."""
    parts = urlsplit(url)
    line = CutLine(
        (str(parts.hostname), int(parts.port or 80)), socket.create_server(("127.0.0.1", 0))
    )
    Thread(target=line.carry, daemon=True).start()
    try:
        yield line
    finally:
        line.door.shutdown(socket.SHUT_RDWR)
        line.door.close()
