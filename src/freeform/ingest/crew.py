"""What an ingest works with: its ports in one place, and how it asks a model."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from freeform.core.clock import Clock
from freeform.core.llm.gateway import (
    Call,
    Gateway,
    In,
    Out,
    Pass,
    Usage,
)
from freeform.ingest.ports import Ocr, PdfReader
from freeform.retrieval.ports import PassageIndex


@dataclass
class IngestPorts:
    """The reader of PDFs, the reader of pictures, the model, and where a test index can be made."""

    reader: PdfReader
    gateway: Gateway
    clock: Clock
    new_index: Callable[[], PassageIndex]
    """An empty index that lasts as long as its use, for the spot checks of stage 7."""
    check_system: Callable[[dict[str, Any]], Sequence[str]]
    """What the engine says against a rules system: nothing when it can play with it."""
    hold: Callable[[Path, str], AbstractContextManager[None]]
    """Holds a file for one run; a Conflict with that sentence when another run has it."""
    config_folders: Sequence[Path] = ()
    """Where extraction configs lie; later folders win."""
    ocr: Ocr | None = None
    used: Usage = field(default_factory=Usage)
    degraded: list[str] = field(default_factory=list)

    async def ask(self, pass_: Pass[In, Out], input: In, pack_id: str) -> Out:
        """One question of the ingest of that pack. What it cost is added up; a model that fails is replaced."""
        answer = await self.gateway.ask(pass_, input, Call(seed=pack_id))
        self.used += answer.usage
        if answer.degraded and answer.degraded not in self.degraded:
            self.degraded.append(answer.degraded)
        return answer.output
