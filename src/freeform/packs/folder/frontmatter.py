"""The YAML head of a Markdown file: read in all its common variants with a warning, written only in
ours."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from freeform.core.errors import BadFile
from freeform.core.yamlfile import BadYaml, YamlMapping, read_mapping, write_mapping
from freeform.packs.folder.files import Unreadable, decode, read_bytes
from freeform.packs.folder.once import once
from freeform.packs.folder.secrecy import entry_marks
from freeform.packs.folder.synonyms import (
    FIELD_VARIANTS,
    FIELDS,
    LIST_FIELDS,
    REFS,
    type_of,
)
from freeform.packs.model import Entry, EntryType, Findings


@dataclass
class Front:
    """A file taken apart: `metadata` under our names, the Markdown after it, and where things
    stand."""

    metadata: dict[str, Any]
    content: str
    content_line: int = 1
    given: bool = False
    lines: dict[str, int] = field(default_factory=dict)
    item_lines: dict[str, list[int]] = field(default_factory=dict)
    found: Findings = field(default_factory=Findings)
    made: dict[tuple[str, str, EntryType, str], Entry] = field(default_factory=dict)
    """Entries that were made of it, by pack, id, type and path."""

    def line_of(self, key: str, item: int = 0) -> int:
        """Where a key, or an item of its list, is written."""
        places = self.item_lines.get(key, [])
        return places[item] if item < len(places) else self.lines.get(key, 1)


def parse_frontmatter(path: Path) -> Front:
    """The metadata and content of a file. BadFile names the line and the fix."""
    try:
        front = parse_text(decode(read_bytes(path)), path.name)
    except Unreadable as wrong:
        raise BadFile(str(path), wrong.reason, wrong.line) from None
    except BadYaml as wrong:
        raise BadFile(str(path), wrong.reason, wrong.line) from None
    return front


def parse_text(text: str, file: str) -> Front:
    """The same for a text at hand; problems name `file`. BadYaml when the head does not read."""
    return once(lambda: _take_apart(text, file), text, "front", file)


def _take_apart(text: str, file: str) -> Front:
    head, content, line = split_head(text)
    if head is None:
        return Front({}, content, line)
    read = read_mapping(head, line)
    front = Front({}, content, line + head.count("\n") + 1, True)
    for key, at in read.doubled:
        front.found.error(file, at, f"the key `{key}` stands here twice; keep one")
    _take_fields(read, front, file)
    return front


def split_head(text: str) -> tuple[str | None, str, int]:
    """The head (None if there is none), what follows, and the line on which the head's first key
    stands."""
    lead = len(text) - len(text.lstrip("\n"))
    lines = text[lead:].split("\n")
    if lines[0].rstrip() == "+++":
        raise BadYaml("the head is TOML (`+++`); write it as YAML between `---` lines", lead + 1)
    if lines[0].rstrip() != "---":
        return None, text, 1
    for number, line in enumerate(lines[1:], start=1):
        if line.rstrip() in ("---", "..."):
            head = "".join(f"{part}\n" for part in lines[1:number])
            return head, "\n".join(lines[number + 1 :]), lead + 2
    raise BadYaml(
        "the head that begins with `---` never ends; close it with a line `---`", lead + 1
    )


def _take_fields(read: YamlMapping, front: Front, file: str) -> None:
    """Sorts what was read into our fields; the rest stays as it is under `extra`."""
    extra: dict[str, Any] = {}
    for key, value in read.values.items():
        line = read.lines[key]
        ours = (
            key
            if key in FIELDS
            else FIELD_VARIANTS.get(key.lower().replace("-", "_").replace(" ", "_"), "")
        )
        if key not in FIELDS and ours:
            if ours in read.values or ours in front.metadata:
                front.found.warn(
                    file, line, f"`{key}` beside `{ours}` is kept but not used; remove one of them"
                )
                ours = ""
            else:
                front.found.warn(file, line, f"`{key}` is read as `{ours}`; rename it")
        if not ours:
            extra[key] = value
            continue
        front.lines[ours] = line
        front.item_lines[ours] = read.item_lines.get(key, [])
        if ours == "extra":
            if isinstance(value, dict):
                extra.update(value)
            elif value is not None:
                front.found.error(
                    file, line, "`extra` must hold `key: value` lines; indent them below it"
                )
            continue
        front.metadata[ours] = _shape(ours, value, read.written.get(key), front, file, line)
    front.metadata = {key: value for key, value in front.metadata.items() if value is not None}
    if extra:
        front.metadata["extra"] = extra


def _shape(key: str, value: Any, written: str | None, front: Front, file: str, line: int) -> Any:
    """One field in the form we keep it; None for nothing."""
    if value is None:
        return None
    if key in LIST_FIELDS:
        if isinstance(value, str) and "," in value:
            front.found.warn(file, line, f"`{key}` is a list; write it as [{value}]")
        words = words_of(value)
        if words is None:
            front.found.error(
                file, line, f"`{key}` must be a list of words; write it as [one, two]"
            )
            return None
        return words
    if key == "gm_only":
        if isinstance(value, bool):
            return value
        if isinstance(value, str) and value.lower() in ("yes", "no", "true", "false"):
            front.found.warn(
                file, line, f"`gm_only: {value}` is read as a yes or no; write true or false"
            )
            return value.lower() in ("yes", "true")
        # Headings, word for word: what looks like a link in one is part of it.
        return [str(item).strip() for item in value] if isinstance(value, list) else words_of(value)
    if isinstance(value, dict | list):
        words = words_of(value)
        if isinstance(value, list) and words and len(words) == 1:
            return words[0]
        front.found.error(file, line, f"`{key}` must be one word or line, not a list")
        return None
    if key in ("extends", "overrides") and isinstance(value, bool):
        return True if value else None
    text = unlink(written if written is not None else str(value)).strip()
    if key == "type" and (kind := type_of(text)) and kind != text:
        front.found.warn(file, line, f"the type `{text}` is read as `{kind}`; write it so")
        return kind
    return text


def words_of(value: Any) -> list[str] | None:
    """A list of words from a list, a comma string or one word. None if it is something else."""
    if isinstance(value, str):
        value = value.split(",")
    elif not isinstance(value, list):
        value = [value]
    words: list[str] = []
    for item in value:
        if isinstance(item, list) and all(isinstance(inner, str | list) for inner in item):
            item = " ".join(
                str(inner[0] if isinstance(inner, list) and inner else inner) for inner in item
            )
        if isinstance(item, dict):
            return None
        word = unlink("" if item is None else str(item)).strip()
        if word and word not in words:
            words.append(word)
    return words


def unlink(text: str) -> str:
    """`[[viktor|the fixer]]` as `viktor`; other text unchanged."""
    text = text.strip()
    if text.startswith("[[") and text.endswith("]]"):
        return text[2:-2].split("|")[0].split("#")[0]
    return text


def write_front(entry: Entry, derived_name: str) -> str:
    """The head of an entry, in our names only. The name is left out where the first heading says
    it."""
    values: dict[str, Any] = {"id": entry.local_id, "type": entry.type}
    if entry.name != derived_name:
        values["name"] = entry.name
    for key in LIST_FIELDS:
        if words := getattr(entry, key):
            values[key] = (
                [word.removeprefix(f"{entry.pack_id}:") for word in words]
                if key in REFS
                else list(words)
            )
    for key in ("extends", "overrides"):
        if ref := getattr(entry, key):
            values[key] = ref
    if hidden := hidden_headings(entry):
        values["gm_only"] = True if entry.gm_only else hidden
    apart: dict[str, Any] = {}
    for key, value in entry.extra.items():
        plain_key = key.lower().replace("-", "_").replace(" ", "_")
        if isinstance(value, dict) or key in FIELDS or plain_key in FIELD_VARIANTS:
            apart[key] = value
        else:
            values[key] = value
    if apart:
        values["extra"] = apart
    head = once(lambda: write_mapping(values), repr(values), "head")
    return f"---\n{head}---\n"


def hidden_headings(entry: Entry) -> list[str]:
    """The headings the frontmatter must name so that their sections stay with the game master."""
    if entry.gm_only:
        return ["*"]
    marks = entry_marks(entry)
    hidden: list[str] = []
    covered: list[int] = []
    for section in entry.sections:
        covered = [level for level in covered if level < section.level]
        if not section.gm_only or not section.heading:
            continue
        implied = bool(covered) or marks.hide(section.level, section.heading)
        if not implied and section.heading not in hidden:
            hidden.append(section.heading)
        covered.append(section.level)
    return hidden
