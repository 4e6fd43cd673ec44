"""Tables of words, kept as data in `cues/`: read when they are first asked for, once."""

from functools import cache
from importlib.resources import files
from typing import Any

import yaml


@cache
def cues(name: str) -> Any:
    """The table of that name, as it stands in `cues/NAME.yaml`."""
    text = (files("freeform.language") / "cues" / f"{name}.yaml").read_text(encoding="utf-8")
    return yaml.load(text, Loader=yaml.CBaseLoader)
