"""YAML files read safely, with the line of whatever does not fit."""

from collections.abc import Hashable
from pathlib import Path
from typing import Any, TypeVar

import yaml
from pydantic import BaseModel, ValidationError

from freeform.core.errors import BadFile

R = TypeVar("R", bound=BaseModel)
Lines = dict[tuple[Hashable, ...], int]
MAX_BYTES = 4_000_000


def read_yaml(path: Path) -> tuple[Any, Lines]:
    """The data of a file, and the line each part of it stands on. BadFile names file, line and reason."""
    try:
        raw = path.read_bytes()
    except OSError as wrong:
        raise BadFile(path.name, f"cannot be read ({wrong.strerror})") from wrong
    if len(raw) > MAX_BYTES:
        raise BadFile(path.name, f"is {len(raw):,} bytes; at most {MAX_BYTES:,} are read")
    lines: Lines = {}
    try:
        text = raw.decode("utf-8-sig")
        loader = yaml.CSafeLoader(text)
        node = loader.get_single_node()
        # Lines first: making the data folds merge keys (`<<`) into the nodes.
        if node:
            _mark(node, (), lines)
        data = loader.construct_document(node) if node else None
    except UnicodeDecodeError as wrong:
        raise BadFile(path.name, "is not UTF-8 text; save it as UTF-8") from wrong
    except yaml.YAMLError as wrong:
        mark = getattr(wrong, "problem_mark", None)
        problem = getattr(wrong, "problem", None) or "is not YAML"
        raise BadFile(path.name, str(problem), mark.line + 1 if mark else 0) from wrong
    return data, lines


def read_record(path: Path, shape: type[R], data: Any = None, lines: Lines | None = None) -> R:
    """The file as a record; `data` and `lines` when it was read and changed already."""
    if lines is None:
        data, lines = read_yaml(path)
    if not isinstance(data, dict):
        raise BadFile(path.name, "must be a mapping of names to values", 1)
    try:
        return shape.model_validate(data)
    except ValidationError as wrong:
        first = wrong.errors()[0]
        where = tuple(first["loc"])
        reason = f"{'.'.join(map(str, where))}: {first['msg']}"
        raise BadFile(path.name, reason, line_of(where, lines)) from wrong


def line_of(where: tuple[Hashable, ...], lines: Lines) -> int:
    """The line of the nearest part of that place which the file has."""
    while where and where not in lines:
        where = where[:-1]
    return lines.get(where, 1)


def _mark(node: yaml.Node, where: tuple[Hashable, ...], lines: Lines, depth: int = 0) -> None:
    lines[where] = node.start_mark.line + 1
    if depth > 60:
        return
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            name = key.value if isinstance(key, yaml.ScalarNode) else str(key)
            _mark(value, (*where, name), lines, depth + 1)
            lines[(*where, name)] = key.start_mark.line + 1
    elif isinstance(node, yaml.SequenceNode):
        for place, value in enumerate(node.value):
            _mark(value, (*where, place), lines, depth + 1)
