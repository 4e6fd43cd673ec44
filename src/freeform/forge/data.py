"""The forge's own data files, read fast: they come with the program."""

from pathlib import Path
from typing import Any

import yaml

_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def plain_yaml(file: Path) -> Any:
    """What a file of ours holds."""
    with file.open(encoding="utf-8") as text:
        return yaml.load(text, Loader=_Loader)
