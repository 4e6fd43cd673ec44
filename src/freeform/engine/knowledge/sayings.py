"""What the game master says of his own: a line of a group in sayings.yaml."""

from functools import cache
from importlib.resources import files
from typing import Any

import yaml

from freeform.core.chance import Chance


@cache
def _groups() -> dict[str, Any]:
    text = (files("freeform.engine.knowledge") / "sayings.yaml").read_text(encoding="utf-8")
    groups: dict[str, Any] = yaml.load(text, Loader=yaml.CBaseLoader)
    return groups


def saying(group: str, chance: Chance, **fields: str) -> str:
    """A line of a group, its fields filled in."""
    line = str(chance.at("saying", group).choose(_groups()[group]))
    for name, value in fields.items():
        line = line.replace("{" + name + "}", value)
    return line
