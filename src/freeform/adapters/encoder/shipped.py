"""A model file that comes with the program: loaded when it is first used, and said to be missing or
damaged once."""

import logging
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from threading import Lock
from typing import Generic, TypeVar

from freeform.core.errors import Unavailable
from freeform.core.log import tell

Loaded = TypeVar("Loaded")
_LOG = logging.getLogger("freeform.models")


class ShippedModel(Generic[Loaded]):
    """Loads at the first use. Where it cannot, it says so once in the log."""

    def __init__(
        self, name: str, file: Path, made: Callable[[bytes], Loaded], how_to_mend: str
    ) -> None:
        self._name, self._file, self._made, self._mend = name, file, made, how_to_mend
        self._loaded: Loaded | None = None
        self._broken = ""
        self._lock = Lock()

    def problem(self) -> str:
        """What keeps it from being used, with the fix; empty when nothing does. Loads the model."""
        self.ready()
        return self._broken

    def ready(self) -> Loaded | None:
        """The model; None where it cannot be loaded."""
        with self._lock:
            if self._loaded is None and not self._broken:
                try:
                    self._loaded = self._load()
                except Unavailable as wrong:
                    self._broken = str(wrong)
                    tell(_LOG, logging.WARNING, f"{self._name}_missing", reason=self._broken)
        return self._loaded

    def _load(self) -> Loaded:
        if find_spec("numpy") is None:
            raise Unavailable(f"the {self._name} needs numpy, which is not installed: {self._mend}")
        called = f"the {self._name}'s model {self._file.name}"
        try:
            model = self._file.read_bytes()
        except OSError as wrong:
            raise Unavailable(f"{called} is not there: {self._mend}") from wrong
        try:
            return self._made(model)
        except (ValueError, KeyError, IndexError, StopIteration) as wrong:
            raise Unavailable(f"{called} is damaged: {self._mend}") from wrong
