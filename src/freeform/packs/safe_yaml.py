"""YAML read safely: plain data only, with the line of each key; bombs, tags and doubled keys are refused.

Scalars follow YAML 1.2 where 1.1 surprises authors: `no`, `12:30`, `2087-04-01` and `010` stay text.
"""

import re
from dataclasses import dataclass, field
from typing import Any

import yaml

MAX_TEXT = 256 * 1024
MAX_DEPTH = 24
MAX_ALIASES = 16
MAX_NODES = 20_000
_INT = re.compile(r"[-+]?(0|[1-9][0-9]{0,17})\Z")
_FLOAT = re.compile(r"[-+]?([0-9]+\.[0-9]*|\.[0-9]+)([eE][-+]?[0-9]{1,3})?\Z")
_TAG = "tag:yaml.org,2002:"
_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class BadYaml(Exception):
    """The text is not YAML we accept. `line` counts from 1."""

    def __init__(self, reason: str, line: int) -> None:
        self.reason, self.line = reason, line
        super().__init__(reason)


@dataclass
class Mapping:
    """A mapping read from a file: its values, where each key stands, each scalar as it was written."""

    values: dict[str, Any] = field(default_factory=dict)
    lines: dict[str, int] = field(default_factory=dict)
    written: dict[str, str] = field(default_factory=dict)
    item_lines: dict[str, list[int]] = field(default_factory=dict)
    doubled: list[tuple[str, int]] = field(default_factory=list)


def read_mapping(text: str, first_line: int = 1) -> Mapping:
    """The mapping the text holds. `first_line` is where the text begins in its file."""
    shift = first_line
    if len(text) > MAX_TEXT:
        raise BadYaml(
            f"this is more than {MAX_TEXT // 1024} kB of YAML; move prose below it", shift
        )
    try:
        _measure(text, shift)
        node = yaml.compose(text, Loader=_Loader)
    except yaml.MarkedYAMLError as wrong:
        mark = wrong.problem_mark or wrong.context_mark
        raise BadYaml(_explain(wrong), shift + (mark.line if mark else 0)) from None
    except yaml.YAMLError as wrong:
        place = str(getattr(wrong, "reason", "")) or "a character that YAML does not allow"
        raise BadYaml(f"the YAML does not read: {place}; remove it", shift) from None
    found = Mapping()
    if node is None:
        return found
    if not isinstance(node, yaml.MappingNode):
        raise BadYaml("expected lines of the form `key: value`", shift + node.start_mark.line)
    walk = _Walk(shift, found.doubled)
    for key_node, value_node in node.value:
        key = walk.key(key_node)
        line = shift + key_node.start_mark.line
        if key in found.values:
            found.doubled.append((key, line))
            continue
        found.values[key] = walk.value(value_node, 1)
        found.lines[key] = line
        if isinstance(value_node, yaml.ScalarNode):
            found.written[key] = value_node.value
        elif isinstance(value_node, yaml.SequenceNode):
            found.item_lines[key] = [shift + item.start_mark.line for item in value_node.value]
    return found


def _measure(text: str, shift: int) -> None:
    """Refuses what would blow up in the composer, by looking at the flat stream of events.

    A short head without anchors cannot, and is spared the look.
    """
    if "&" not in text and sum(map(text.count, "\n[{-?")) < MAX_DEPTH:
        return
    depth = aliases = 0

    def line() -> int:
        return shift + (event.start_mark.line if event.start_mark else 0)

    for event in yaml.parse(text, Loader=_Loader):
        if isinstance(event, yaml.AliasEvent):
            aliases += 1
            if aliases > MAX_ALIASES:
                raise BadYaml(
                    f"more than {MAX_ALIASES} YAML aliases (`*name`); write the values out", line()
                )
        elif isinstance(event, yaml.CollectionStartEvent):
            depth += 1
            if depth > MAX_DEPTH:
                raise BadYaml(f"nested more than {MAX_DEPTH} levels deep; make it flatter", line())
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1


def _explain(wrong: yaml.MarkedYAMLError) -> str:
    problem = (wrong.problem or wrong.context or "unreadable").strip()
    if "mapping values are not allowed" in problem:
        return "the YAML does not read: a second `:` on the line; put the value in quotes"
    if "cannot start any token" in problem and "'\\t'" in problem:
        return "the YAML does not read: a tab; indent with spaces"
    return f"the YAML does not read: {problem}; mend this line, or put the value in quotes"


class _Walk:
    """Nodes to plain data, within a budget, so that anchors cannot multiply."""

    def __init__(self, shift: int, doubled: list[tuple[str, int]]) -> None:
        self.shift, self.doubled, self.nodes = shift, doubled, 0

    def key(self, node: yaml.Node) -> str:
        if not isinstance(node, yaml.ScalarNode):
            raise BadYaml("a key must be a plain word", self.shift + node.start_mark.line)
        return str(node.value)

    def value(self, node: yaml.Node, depth: int) -> Any:
        self.nodes += 1
        line = self.shift + node.start_mark.line
        if self.nodes > MAX_NODES or depth > MAX_DEPTH:
            raise BadYaml(
                "the YAML grows without end or holds too much; write the values out", line
            )
        tag = node.tag.removeprefix(_TAG)
        if isinstance(node, yaml.ScalarNode):
            if tag not in ("str", "int", "float", "bool", "null", "timestamp", "merge", "value"):
                raise BadYaml(
                    f"the tag `{node.tag}` is not allowed; a pack holds plain data only", line
                )
            return scalar(node, tag)
        if isinstance(node, yaml.SequenceNode) and tag == "seq":
            return [self.value(item, depth + 1) for item in node.value]
        if isinstance(node, yaml.MappingNode) and tag == "map":
            values: dict[str, Any] = {}
            for key_node, value_node in node.value:
                key = self.key(key_node)
                if key in values:
                    self.doubled.append((key, self.shift + key_node.start_mark.line))
                    continue
                values[key] = self.value(value_node, depth + 1)
            return values
        raise BadYaml(f"the tag `{node.tag}` is not allowed; a pack holds plain data only", line)


def scalar(node: yaml.ScalarNode, tag: str) -> Any:
    """The value of one scalar; whatever is not plainly a number, true, false or nothing is text."""
    text = str(node.value)
    if tag == "null":
        return None
    if tag == "bool" and text.casefold() in ("true", "false"):
        return text.casefold() == "true"
    if tag == "int" and _INT.match(text):
        return int(text)
    if tag == "float" and _FLOAT.match(text):
        return float(text)
    return text


class _Dumper(yaml.SafeDumper):
    """Writes what `read_mapping` reads back: no anchors, lists of words on one line."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


def _words(dumper: _Dumper, data: list[Any]) -> yaml.Node:
    short = all(not isinstance(item, dict | list) for item in data)
    return dumper.represent_sequence(f"{_TAG}seq", data, flow_style=short)


_Dumper.add_representer(list, _words)


def write_mapping(values: dict[str, Any]) -> str:
    """The YAML of a mapping, keys in the order given."""
    if not values:
        return ""
    text = yaml.dump(
        values,
        Dumper=_Dumper,
        sort_keys=False,
        allow_unicode=True,
        default_flow_style=False,
        width=100,
    )
    return str(text)
