"""A folder of Markdown notes (Obsidian or plain) as a pack: types guessed, links turned into
ours."""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from freeform.core.errors import BadFile
from freeform.core.text import slug
from freeform.core.yamlfile import BadYaml
from freeform.packs.folder.build import PackBuilder
from freeform.packs.folder.files import (
    Unreadable,
    decode_gently,
    list_files,
    read_bytes,
)
from freeform.packs.folder.frontmatter import Front, parse_text
from freeform.packs.folder.markdown import WIKILINK, Fences, split_sections
from freeform.packs.folder.secrecy import GUESSED, marks_of
from freeform.packs.folder.synonyms import REFS, type_of, type_of_folder
from freeform.packs.model import TYPES, ContentPackManifest, EntryType, Findings, License

_TAG = re.compile(r"(?<![\w#&/])#([A-Za-z][\w/-]*)")
_UNDERLINE = re.compile(r" {0,3}(=+|-{3,})[ \t]*\Z")


@dataclass
class VaultNote:
    """One note of a vault on its way into a pack."""

    file: str
    stem: str
    front: Front
    name: str
    kind: EntryType
    id: str = ""


def read_vault(folder: Path, found: Findings, pack_id: str = "", name: str = "") -> PackBuilder:
    """A builder with one entry per note. Notes that do not read are named and left out."""
    if not folder.is_dir():
        raise BadFile(str(folder), "there is no such folder; give the vault's folder")
    title = name or folder.resolve().name.replace("_", " ").replace("-", " ").title()
    builder = PackBuilder(
        ContentPackManifest(
            id=pack_id or slug(folder.resolve().name)[:64] or "vault",
            name=title,
            version="1.0.0",
            layer="homebrew",
            license=License(
                type="custom", attribution="Imported from a vault; its author's terms apply."
            ),
        )
    )
    notes = [note for note in _notes(folder, found) if note]
    if not notes:
        raise BadFile(str(folder), "there is no Markdown note in it; give a folder with .md files")
    by_name = _name_them(notes, builder, found)
    for note in notes:
        _add(builder, note, by_name, found)
    return builder


def _notes(folder: Path, found: Findings) -> list[VaultNote | None]:
    others = 0
    notes: list[VaultNote | None] = []
    for file in list_files(folder, found):
        if file.name.lower().endswith((".md", ".markdown")):
            notes.append(_read(file.name, file.path, found))
        elif not file.name.endswith("pack.yaml"):
            others += 1
    if others:
        found.warn(
            ".",
            0,
            f"{others} files that are not Markdown were left behind; link to them from the web if needed",
        )
    return notes


def _read(file: str, path: Path, found: Findings) -> VaultNote | None:
    stem = file.rsplit("/", 1)[-1].rsplit(".", 1)[0]
    try:
        text, guessed = decode_gently(read_bytes(path))
        if guessed:
            found.warn(file, 0, f"read as {guessed} and written as UTF-8; look at its accents")
        try:
            front = parse_text(text, file)
        except BadYaml as wrong:
            found.warn(file, wrong.line, f"{wrong.reason}; its head is kept as text")
            front = Front({}, text)
    except Unreadable as wrong:
        found.error(file, wrong.line, wrong.reason)
        return None
    front.content = atx(front.content)
    sections = split_sections(front.content, "", 1)
    heading = next((s.heading for s in sections if s.level == 1), "")
    name = front.metadata.get("name") or heading or stem
    said = str(front.metadata.get("type") or "")
    kind = type_of(said) if said else None
    for tag in [] if kind else front.metadata.get("tags", []):
        kind = kind or type_of(str(tag).lstrip("#").split("/")[0])
    if kind is None:
        kind = type_of_folder(file)
        if said and said not in TYPES:
            front.metadata.setdefault("extra", {})["vault_type"] = said
        why = (
            f"`{kind}` is guessed from the folder"
            if kind
            else "filed under culture, nothing tells the type"
        )
        found.warn(file, front.line_of("type") if said else 1, f"{why}; set `type:`")
    return VaultNote(file, stem, front, " ".join(str(name).split()), kind or "culture")


def _name_them(
    notes: list[VaultNote], builder: PackBuilder, found: Findings
) -> dict[str, VaultNote]:
    """Gives each note a free id, and tells which note a link means: by file name, path, name or
    alias."""
    taken: set[str] = set()
    for note in notes:
        wish = (
            slug(str(note.front.metadata.get("id") or ""))
            or slug(note.stem)
            or slug(note.name)
            or "note"
        )
        note.id, count = wish[:100], 1
        while note.id in taken:
            count += 1
            note.id = f"{wish[:100]}_{count}"
        if count > 1:
            found.warn(
                note.file, 1, f"another note is called `{wish}` too; this one becomes `{note.id}`"
            )
        taken.add(note.id)
    by_name: dict[str, VaultNote] = {}
    picks: tuple[Callable[[VaultNote], list[str]], ...] = (
        lambda n: [n.file.rsplit(".", 1)[0], n.file],
        lambda n: [n.stem],
        lambda n: [n.id, str(n.front.metadata.get("id") or "")],
        lambda n: [n.name, *n.front.metadata.get("aliases", [])],
    )
    for pick in picks:
        for note in notes:
            for form in pick(note):
                by_name.setdefault(slug(form), note)
    by_name.pop("", None)
    return by_name


def _add(
    builder: PackBuilder, note: VaultNote, by_name: dict[str, VaultNote], found: Findings
) -> None:
    linked: dict[str, list[str]] = {key: [] for key in REFS}

    def relate(other: VaultNote) -> None:
        special = {"faction": "related_factions", "location": "related_locations"}
        key = special.get(other.kind, "related_entities")
        if other.id != note.id and other.id not in linked[key]:
            linked[key].append(other.id)

    for key in REFS:
        for ref in note.front.metadata.get(key, []):
            if other := by_name.get(slug(ref)):
                relate(other)
            else:
                found.warn(
                    note.file,
                    note.front.line_of(key),
                    f"`{ref}` leads to no note and was left out; write it",
                )
    body = _turn_links(note, by_name, relate, found)
    tags = [str(tag).lstrip("#") for tag in note.front.metadata.get("tags", [])]
    tags += [tag for tag in _inline_tags(body) if tag not in tags]
    marks = replace(marks_of(note.front.metadata, note.kind), guessed=GUESSED)
    if not body.strip():
        found.warn(
            note.file, 1, "the note is empty and was left out; write a sentence, then import again"
        )
        return
    builder.add(
        note.id,
        note.kind,
        note.name,
        sections=split_sections(body, note.name, 1, marks),
        aliases=[
            *dict.fromkeys([*note.front.metadata.get("aliases", []), *_other_name(note, body)])
        ],
        tags=tags,
        related_threads=note.front.metadata.get("related_threads", []),
        gm_only=marks.whole,
        extra=note.front.metadata.get("extra", {}),
        related_entities=linked["related_entities"],
        related_factions=linked["related_factions"],
        related_locations=linked["related_locations"],
    )


def _other_name(note: VaultNote, body: str) -> list[str]:
    """A heading or file name that differs from the name is one more way to speak of it."""
    titles = [section.heading for section in split_sections(body, "", 1) if section.level == 1][:1]
    return [form for form in (*titles, note.stem) if slug(form) and slug(form) != slug(note.name)]


def _turn_links(
    note: VaultNote,
    by_name: dict[str, VaultNote],
    relate: Callable[[VaultNote], None],
    found: Findings,
) -> str:
    """The text with `[[Other Note|words]]` as `[[other_note|words]]`; links to nothing become plain
    words."""
    fences, lines = Fences(), []

    def turn(link: re.Match[str]) -> str:
        target, anchor, shown = link[2].strip(), link[3] or "", link[4]
        if not target:
            return shown or anchor.lstrip("#^")
        if link[1] and "." in target and not target.lower().endswith(".md"):
            return f"({shown or target})"
        other = by_name.get(slug(target)) or by_name.get(
            slug(target.rsplit("/", 1)[-1].removesuffix(".md"))
        )
        if other is None:
            found.warn(
                note.file,
                number,
                f"`[[{target}]]` leads to no note and is now plain text; write that note",
            )
            return shown or target
        relate(other)
        return f"[[{other.id}{anchor}|{shown or target.rsplit('/', 1)[-1].removesuffix('.md')}]]"

    for number, line in enumerate(note.front.content.split("\n"), start=note.front.content_line):  # noqa: B007 - `turn` reads it
        lines.append(line if fences.inside(line) or "[[" not in line else WIKILINK.sub(turn, line))
    return "\n".join(lines)


def _inline_tags(body: str) -> list[str]:
    fences = Fences()
    prose = [line for line in body.split("\n") if not fences.inside(line)]
    return list(
        dict.fromkeys(
            tag for line in prose for tag in _TAG.findall(re.sub(r"\[\[[^\]]*\]\]", "", line))
        )
    )


def atx(body: str) -> str:
    """Headings underlined with `===` or `---` as `#` and `##`."""
    fences = Fences()
    lines: list[str] = []
    for line in body.split("\n"):
        mark = None if fences.inside(line) else _UNDERLINE.match(line)
        above = lines[-1] if lines else ""
        alone = len(lines) < 2 or not lines[-2].strip()
        if (
            mark
            and above.strip()
            and alone
            and not above.lstrip().startswith(("#", ">", "-", "|", "*", "`"))
        ):
            lines[-1] = f"{'#' if mark[1].startswith('=') else '##'} {above.strip()}"
            line = ""
        lines.append(line)
    return "\n".join(lines)
