"""The head of a file of notes, and whether it is a form that nobody has filled in."""

import re
from typing import Any

from freeform.core.yamlfile import BadYaml, read_mapping

_HOLE = re.compile(r"\{\{\s*(?:date|title|time)\b|<%")


def is_template(file: str, text: str) -> bool:
    """A form to be filled in tells of nothing that happened."""
    return bool(_HOLE.search(text)) or bool(re.search(r"(?:^|/)templates?/", file, re.I))


def head_of(text: str) -> tuple[dict[str, Any], str, int]:
    """The frontmatter, the rest, and the line where the rest begins."""
    lines = text.split("\n")
    if lines and lines[0].strip() == "---":
        end = next((i for i, line in enumerate(lines[1:200], start=1) if line.strip() == "---"), 0)
        if end:
            try:
                values = read_mapping("\n".join(lines[1:end])).values
            except BadYaml:
                values = {}
            return values, "\n".join(lines[end + 1 :]), end + 2
    return {}, text, 1
