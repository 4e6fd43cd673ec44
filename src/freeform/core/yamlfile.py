"""YAML read safely: plain data with lines; bombs, tags and doubled keys are refused.

Two kinds of author: a pack's heads and manifests follow YAML 1.2 where 1.1 surprises (`no`,
`12:30`, `2087-04-01` and `010` stay text); our own files (scenarios, systems, personas) follow
PyYAML, anchors and merge keys included.
"""

import re
from collections.abc import Hashable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import yaml
from pydantic import BaseModel, ValidationError

from freeform.core.errors import BadFile

R = TypeVar("R", bound=BaseModel)
Lines = dict[tuple[Hashable, ...], int]
MAX_BYTES = 4_000_000
_TAG = "tag:yaml.org,2002:"
_PLAIN = ("str", "int", "float", "bool", "null", "timestamp", "merge", "value")
_INT = re.compile(r"[-+]?(0|[1-9][0-9]{0,17})\Z")
_FLOAT = re.compile(r"[-+]?([0-9]+\.[0-9]*|\.[0-9]+)([eE][-+]?[0-9]{1,3})?\Z")
_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class BadYaml(Exception):
    """The text is not YAML we accept. `problem`: the parser's own words, where it was the
    parser."""

    def __init__(self, reason: str, line: int, problem: str = "") -> None:
        self.reason, self.line, self.problem = reason, line, problem
        super().__init__(reason)


@dataclass(frozen=True)
class YamlLimits:
    """How much a text may hold."""

    depth: int
    aliases: int
    nodes: int


HEAD_LIMITS = YamlLimits(depth=24, aliases=16, nodes=20_000)
FILE_LIMITS = YamlLimits(depth=60, aliases=2_000, nodes=400_000)
NO_ALIASES = YamlLimits(depth=60, aliases=0, nodes=400_000)
"""For what another program wrote: none of them exports an alias."""
MAX_TEXT = 256 * 1024
"""The longest head or manifest, in characters."""


@dataclass
class YamlMapping:
    """A mapping that was read: values, where each key stands, scalars as they were written."""

    values: dict[str, Any] = field(default_factory=dict)
    lines: dict[str, int] = field(default_factory=dict)
    written: dict[str, str] = field(default_factory=dict)
    item_lines: dict[str, list[int]] = field(default_factory=dict)
    doubled: list[tuple[str, int]] = field(default_factory=list)


def read_mapping(text: str, first_line: int = 1) -> YamlMapping:
    """The mapping of a pack's head or manifest; `first_line`: where it begins in its file."""
    if len(text) > MAX_TEXT:
        raise BadYaml(
            f"this is more than {MAX_TEXT // 1024} kB of YAML; move prose below it", first_line
        )
    node = _compose(text, first_line, HEAD_LIMITS)
    mapping = YamlMapping()
    if node is None:
        return mapping
    if not isinstance(node, yaml.MappingNode):
        raise BadYaml("expected lines of the form `key: value`", first_line + node.start_mark.line)
    walk = _HeadWalk(first_line, HEAD_LIMITS)
    mapping.values = walk.value(node, (), 0)
    mapping.doubled = walk.doubled
    for key_node, value_node in node.value:
        key = str(key_node.value)
        if key in mapping.lines:
            continue
        mapping.lines[key] = first_line + key_node.start_mark.line
        if isinstance(value_node, yaml.ScalarNode):
            mapping.written[key] = value_node.value
        elif isinstance(value_node, yaml.SequenceNode):
            places = [first_line + item.start_mark.line for item in value_node.value]
            mapping.item_lines[key] = places
    return mapping


def read_yaml(path: Path) -> tuple[Any, Lines]:
    """The data of a file, and the line of each part. BadFile names file, line and reason."""
    data, lines, doubled = read_loosely(path)
    for key, line in doubled:
        raise BadFile(path.name, f"the key `{key}` stands here twice; keep one", line)
    return data, lines


def read_loosely(path: Path) -> tuple[Any, Lines, list[tuple[str, int]]]:
    """The same, with the keys that stand twice told beside the data, which has the first of
    them."""
    try:
        raw = path.read_bytes()
    except OSError as wrong:
        raise BadFile(path.name, f"cannot be read ({wrong.strerror})") from wrong
    if len(raw) > MAX_BYTES:
        raise BadFile(path.name, f"is {len(raw):,} bytes; at most {MAX_BYTES:,} are read")
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as wrong:
        raise BadFile(path.name, "is not UTF-8 text; save it as UTF-8") from wrong
    try:
        return _parse(text, FILE_LIMITS)
    except BadYaml as wrong:
        raise BadFile(path.name, wrong.problem or wrong.reason, wrong.line) from wrong


def parse_yaml(text: str, limits: YamlLimits = FILE_LIMITS) -> tuple[Any, Lines]:
    """The same for a text at hand. Raises BadYaml."""
    data, lines, doubled = _parse(text, limits)
    for key, line in doubled:
        raise BadYaml(f"the key `{key}` stands here twice; keep one", line)
    return data, lines


def _parse(text: str, limits: YamlLimits) -> tuple[Any, Lines, list[tuple[str, int]]]:
    node = _compose(text, 1, limits)
    if node is None:
        return None, {}, []
    walk = _FileWalk(1, limits)
    data = walk.value(node, (), 0)
    return data, walk.lines, walk.doubled


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


def _compose(text: str, shift: int, limits: YamlLimits) -> yaml.Node | None:
    """The text as nodes; None where it holds nothing."""
    try:
        _measure(text, shift, limits)
        node: yaml.Node | None = yaml.compose(text, Loader=_Loader)
    except yaml.MarkedYAMLError as wrong:
        mark = wrong.problem_mark or wrong.context_mark
        line = shift + (mark.line if mark else 0)
        raise BadYaml(_explain(wrong), line, str(wrong.problem or "")) from None
    except yaml.YAMLError as wrong:
        place = str(getattr(wrong, "reason", "")) or "a character that YAML does not allow"
        raise BadYaml(f"the YAML does not read: {place}; remove it", shift) from None
    return node


def _measure(text: str, shift: int, limits: YamlLimits) -> None:
    """Refuses what would blow up in the composer, by looking at the flat stream of events.

    A short text without anchors cannot, and is spared the look.
    """
    if "&" not in text and sum(map(text.count, "\n[{-?")) < limits.depth:
        return
    depth = aliases = 0
    for event in yaml.parse(text, Loader=_Loader):
        if isinstance(event, yaml.AliasEvent):
            aliases += 1
            if aliases > limits.aliases:
                most = f"more than {limits.aliases} " if limits.aliases else ""
                reason = f"{most}YAML aliases (`*name`); write the values out"
                raise BadYaml(reason, _line_of_event(event, shift))
        elif isinstance(event, yaml.CollectionStartEvent):
            depth += 1
            if depth > limits.depth:
                reason = f"nested more than {limits.depth} levels deep; make it flatter"
                raise BadYaml(reason, _line_of_event(event, shift))
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1


def _line_of_event(event: Any, shift: int) -> int:
    return shift + (event.start_mark.line if event.start_mark else 0)


def _explain(wrong: yaml.MarkedYAMLError) -> str:
    problem = (wrong.problem or wrong.context or "unreadable").strip()
    if "mapping values are not allowed" in problem:
        return "the YAML does not read: a second `:` on the line; put the value in quotes"
    if "cannot start any token" in problem and "'\\t'" in problem:
        return "the YAML does not read: a tab; indent with spaces"
    return f"the YAML does not read: {problem}; mend this line, or put the value in quotes"


class _HeadWalk:
    """Nodes to plain data, within a budget, so that anchors cannot multiply."""

    holds = "a pack holds plain data only"

    def __init__(self, shift: int, limits: YamlLimits) -> None:
        self._shift, self._limits, self._nodes = shift, limits, 0
        self.lines: Lines = {}
        self.doubled: list[tuple[str, int]] = []

    def value(self, node: yaml.Node, where: tuple[Hashable, ...], depth: int) -> Any:
        """What a node and all below it hold."""
        line = self._line(node)
        self._nodes += 1
        if self._nodes > self._limits.nodes or depth > self._limits.depth:
            raise BadYaml(
                "the YAML grows without end or holds too much; write the values out", line
            )
        self.lines[where] = line
        tag = node.tag.removeprefix(_TAG)
        if isinstance(node, yaml.ScalarNode) and tag in _PLAIN:
            return self.scalar(node, tag)
        if isinstance(node, yaml.SequenceNode) and tag == "seq":
            items = enumerate(node.value)
            return [self.value(item, (*where, place), depth + 1) for place, item in items]
        if isinstance(node, yaml.MappingNode) and tag == "map":
            return self._mapping(node, where, depth)
        raise BadYaml(f"the tag `{node.tag}` is not allowed; {self.holds}", line)

    def _mapping(
        self, node: yaml.MappingNode, where: tuple[Hashable, ...], depth: int
    ) -> dict[Hashable, Any]:
        values: dict[Hashable, Any] = {}
        for key_node, value_node in self.pairs(node):
            if not isinstance(key_node, yaml.ScalarNode):
                raise BadYaml("a key must be a plain word", self._line(key_node))
            key, place = self.key(key_node), (*where, str(key_node.value))
            if key in values:
                self.doubled.append((str(key_node.value), self._line(key_node)))
                continue
            values[key] = self.value(value_node, place, depth + 1)
            self.lines[place] = self._line(key_node)
        return values

    def pairs(self, node: yaml.MappingNode) -> list[tuple[yaml.Node, yaml.Node]]:
        """The keys and values that count."""
        return list(node.value)

    def key(self, node: yaml.ScalarNode) -> Hashable:
        """A key as it is kept."""
        return str(node.value)

    def scalar(self, node: yaml.ScalarNode, tag: str) -> Any:
        """The value of a scalar: what is not plainly a number, true, false or nothing is text."""
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

    def _line(self, node: yaml.Node) -> int:
        return self._shift + int(node.start_mark.line)


class _FileWalk(_HeadWalk):
    """The same as PyYAML constructs it: its numbers, yes and no, dates, and merge keys (`<<`)."""

    holds = "write plain data"

    def __init__(self, shift: int, limits: YamlLimits) -> None:
        super().__init__(shift, limits)
        self._constructor = yaml.SafeLoader("")

    def pairs(self, node: yaml.MappingNode) -> list[tuple[yaml.Node, yaml.Node]]:
        own = [pair for pair in node.value if pair[0].tag != f"{_TAG}merge"]
        if len(own) == len(node.value):
            return own
        names = {str(key.value) for key, _ in own}
        self._constructor.flatten_mapping(node)
        merged = {str(key.value): (key, value) for key, value in node.value}
        return [*(pair for name, pair in merged.items() if name not in names), *own]

    def key(self, node: yaml.ScalarNode) -> Hashable:
        made: Hashable = self.scalar(node, node.tag.removeprefix(_TAG))
        return made

    def scalar(self, node: yaml.ScalarNode, tag: str) -> Any:
        if tag == "str":
            return str(node.value)
        try:
            return self._constructor.construct_object(node)
        except (ValueError, yaml.YAMLError) as wrong:
            reason = f"`{node.value}` does not read ({wrong}); put it in quotes"
            raise BadYaml(reason, self._line(node)) from None


class _Dumper(yaml.SafeDumper):
    """Writes what `read_mapping` reads back: no anchors, lists of words on one line."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


_QUICK: Any = getattr(yaml, "CSafeDumper", yaml.SafeDumper)


class _QuickDumper(_QUICK):  # type: ignore[misc]
    """The same in C, three times as quick."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


def _words(dumper: yaml.SafeDumper, data: list[Any]) -> yaml.Node:
    short = all(not isinstance(item, dict | list) for item in data)
    return dumper.represent_sequence(f"{_TAG}seq", data, flow_style=short)


_Dumper.add_representer(list, _words)
_QuickDumper.add_representer(list, _words)
_ESCAPED = re.compile(r'(?:^|[ \[{])"', re.M)
"""Where a text in double quotes may begin: there the two write differently (how they break its
lines, and which letters they write as numbers). Elsewhere only an empty key is, which both read."""


def write_mapping(values: dict[str, Any]) -> str:
    """The YAML of a mapping, keys in the order given."""
    if not values:
        return ""
    try:
        text = _dumped(values, _QuickDumper)
    except UnicodeEncodeError:  # C cannot write half a letter (a file's name may have one).
        return _dumped(values, _Dumper)
    return _dumped(values, _Dumper) if _ESCAPED.search(text) else text


def write_tree(data: Any, width: int) -> str:
    """The YAML of plain data, as `yaml.safe_dump` writes it; in C wherever both write the same."""
    options: dict[str, Any] = {"sort_keys": False, "allow_unicode": True, "width": width}
    try:
        text = str(yaml.dump(data, Dumper=_QUICK, **options))
    except UnicodeEncodeError:
        text = ""
    if not text or _ESCAPED.search(text):
        text = str(yaml.dump(data, Dumper=yaml.SafeDumper, **options))
    return text


def _dumped(values: dict[str, Any], dumper: Any) -> str:
    text = yaml.dump(
        values,
        Dumper=dumper,
        sort_keys=False,
        allow_unicode=True,
        default_flow_style=False,
        width=100,
    )
    return str(text)
