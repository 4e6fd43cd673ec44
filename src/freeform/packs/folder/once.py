"""While a book becomes a pack, the same texts are written, read back, checked, installed and
indexed: here each is taken apart once."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TypeVar, cast

T = TypeVar("T")
Key = tuple[str, ...]

_kept: ContextVar[dict[Key, Any] | None] = ContextVar("texts_taken_apart", default=None)


@contextmanager
def each_text_once() -> Iterator[None]:
    """Until its end, what was made of a text is remembered by the text; one inside another shares.

    Only for a piece of work with an end: all of it stays in memory until then.
    """
    if _kept.get() is not None:
        yield
        return
    token = _kept.set({})
    try:
        yield
    finally:
        _kept.reset(token)


def once(make: Callable[[], T], text: str, *about: str) -> T:
    """What `make` gives, or gave for this text before. What it gives must never be changed."""
    kept = _kept.get()
    if kept is None:
        return make()
    key = (text, *about)
    if key not in kept:
        kept[key] = make()
    return cast(T, kept[key])
