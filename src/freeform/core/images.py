"""What an image door is asked and gives: words in, the bytes of one picture out."""

from typing import Protocol

from pydantic import Field

from freeform.core.record import Record

MOST_BYTES = 15_000_000
"""An answer of more is refused while it comes: a picture of a million points has two or three."""


class ImageWish(Record):
    """One picture that somebody asked for."""

    prompt: str
    leave_out: list[str] = Field(default_factory=list)
    """What must not be in it."""
    width: int = 1024
    height: int = 768
    seed: int = 0


class ImageDoor(Protocol):
    """Something that draws. Who cancels `draw` stops the work there too, where that can be done."""

    @property
    def name(self) -> str:
        """What draws, and where, as a person reads it."""
        ...

    async def draw(self, wish: ImageWish) -> bytes:
        """The picture as it came; Unavailable or BadSettings with one sentence otherwise."""
        ...
