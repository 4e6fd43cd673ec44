"""What a model has answered of a story that is being forged: a file for each run not yet over."""

import hashlib
import json
from pathlib import Path
from typing import Any

from freeform.core.errors import UserError
from freeform.forge.model import ForgeMaterial, ForgeWish
from freeform.packs.lock import write_atomically


def run_key(wish: ForgeWish, material: ForgeMaterial, model: str) -> str:
    """The same for the same wish to the same model."""
    card = material.card.model_dump_json() if material.card else ""
    told = "|".join([wish.model_dump_json(exclude={"told"}), card, model])
    return hashlib.sha256(told.encode()).hexdigest()[:24]


class AnswerFiles:
    """The folder of such files."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def read(self, key: str) -> dict[str, Any]:
        """What was kept; {} where there is nothing that can be read."""
        try:
            kept = json.loads((self._folder / f"{key}.json").read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return kept if isinstance(kept, dict) else {}

    def write(self, key: str, answers: dict[str, Any]) -> None:
        """Keeps them."""
        text = json.dumps(answers, ensure_ascii=False, indent=1)
        path = self._folder / f"{key}.json"
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(path, text.encode())
        except OSError as wrong:
            raise UserError(f"answers could not be kept in {path}: {wrong.strerror}") from None

    def forget(self, key: str) -> None:
        """The run is over."""
        (self._folder / f"{key}.json").unlink(missing_ok=True)
