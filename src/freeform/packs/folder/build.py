"""Makes packs: entries and sections in, a valid folder out, whole or not at all. Used by ingest and
lore."""

import os
import posixpath
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from freeform.core.errors import UserError
from freeform.core.text import shorten, slug
from freeform.core.yamlfile import BadYaml
from freeform.packs.folder.frontmatter import parse_text, write_front
from freeform.packs.folder.load import (
    LOCAL_ID,
    derive_name,
    load_pack,
    make_entry,
)
from freeform.packs.folder.manifest import ID, MANIFEST, write_manifest
from freeform.packs.folder.markdown import (
    join_sections,
    lay_out,
    split_sections,
    tame_heading,
)
from freeform.packs.folder.secrecy import Marks, is_from_book, is_marked
from freeform.packs.folder.synonyms import REFS
from freeform.packs.model import FOLDERS, ContentPackManifest, Entry, EntryType, Pack, Section


class PackBuilder:
    """A pack being written. Ids are short; references may be short or full."""

    def __init__(self, manifest: ContentPackManifest, *, count: bool = True) -> None:
        if not ID.match(manifest.id):
            raise UserError(
                f"`{manifest.id}` cannot be a pack's id; use small letters, digits and _"
            )
        self.manifest, self._count = manifest, count
        self._entries: dict[str, Entry] = {}

    @classmethod
    def of(cls, pack: Pack) -> "PackBuilder":
        """A builder that holds what a pack holds; building it gives the same pack again."""
        builder = cls(pack.manifest, count=bool(pack.manifest.provides))
        builder._entries = {entry.local_id: entry for entry in pack.entries}
        return builder

    @property
    def entries(self) -> list[Entry]:
        """What is in it so far."""
        return list(self._entries.values())

    def free_id(self, name: str) -> str:
        """An id from a name that no entry has yet."""
        wish = slug(name)[:100] or "entry"
        count, free = 1, wish
        while free in self._entries:
            count += 1
            free = f"{wish}_{count}"
        return free

    def add(
        self,
        local_id: str,
        kind: EntryType,
        name: str,
        *,
        body: str = "",
        sections: Sequence[Section] = (),
        file_path: str = "",
        **fields: Any,
    ) -> Entry:
        """A new entry, its text as Markdown (`body`) or as sections; `fields` are those of
        Entry."""
        if not LOCAL_ID.match(local_id):
            raise UserError(f"`{local_id}` cannot be an id; use `{slug(local_id) or 'entry'}`")
        if local_id in self._entries:
            raise UserError(f"the id `{local_id}` is taken; use `{self.free_id(local_id)}`")
        pack_id, name = self.manifest.id, " ".join(name.split()) or derive_name([], local_id)
        file_path = file_path or f"{FOLDERS[kind]}/{local_id}.md"
        if posixpath.normpath(file_path) != file_path or file_path.startswith(("/", "..")):
            raise UserError(
                f"`{file_path}` leaves the pack's folder; give a path like locations/old_mill.md"
            )
        for key in REFS:
            fields[key] = [ref if ":" in ref else f"{pack_id}:{ref}" for ref in fields.get(key, [])]
        hidden = bool(fields.get("gm_only"))
        marks = Marks(kind, whole=hidden, from_book=is_from_book(fields.get("extra", {})))
        entry = Entry(
            id=f"{pack_id}:{local_id}",
            pack_id=pack_id,
            local_id=local_id,
            type=kind,
            name=name,
            file_path=file_path,
            sections=list(sections) or split_sections(body, name, 1, marks),
            **fields,
        )
        if not any(section.level == 1 for section in entry.sections):
            entry = _with_title(entry)
        self._entries[local_id] = _settle(entry)
        return self._entries[local_id]

    def add_section(
        self, local_id: str, heading: str, text: str, *, level: int = 2, gm_only: bool = False
    ) -> None:
        """One more section at the end of an entry."""
        entry = self._entries.get(local_id)
        if entry is None:
            raise UserError(f"there is no entry `{local_id}` to add to; add the entry first")
        section = Section(
            path="", level=max(2, min(6, level)), heading=heading, text=text, gm_only=gm_only
        )
        self._entries[local_id] = _settle(
            entry.model_copy(update={"sections": [*entry.sections, section]})
        )

    def replace(self, entry: Entry) -> None:
        """Puts a changed entry in the place of the one with its id."""
        self._entries[entry.local_id] = _settle(entry)

    def files(self) -> dict[str, str]:
        """The text of every file, by its path in the pack."""
        manifest = self.manifest
        if self._count:
            counts = Counter(FOLDERS[entry.type] for entry in self._entries.values())
            other = {key: n for key, n in manifest.provides.items() if key not in FOLDERS.values()}
            counted = {name: counts[name] for name in FOLDERS.values() if counts[name]}
            manifest = manifest.model_copy(update={"provides": {**counted, **other}})
        texts = {MANIFEST: write_manifest(manifest)}
        for entry in self._entries.values():
            if entry.file_path in texts:
                raise UserError(
                    f"two entries want the file {entry.file_path}; give one another file_path"
                )
            texts[entry.file_path] = entry_text(entry)
        return texts

    def build(self, target: Path, *, replace: bool = False) -> Pack:
        """Writes the folder, whole or not at all, and reads it back."""
        if target.exists() and not replace and (not target.is_dir() or any(target.iterdir())):
            raise UserError(f"{target} exists already; choose another folder or remove it")
        try:
            write_folder(target, self.files())
        except OSError as wrong:
            why = wrong.strerror or type(wrong).__name__
            raise UserError(
                f"the pack could not be written to {target}: {why}; choose another folder"
            ) from None
        except UnicodeEncodeError:
            raise UserError(
                "the pack holds half a character (a lone surrogate); remove it from the text"
            ) from None
        return load_pack(target)


def entry_text(entry: Entry) -> str:
    """The file of an entry: our frontmatter, then its sections."""
    return f"{write_front(entry, derive_name(entry.sections, entry.local_id))}\n{join_sections(entry.sections)}"


def _with_title(entry: Entry) -> Entry:
    """The entry with its name as H1; text before the first heading goes below it."""
    first, rest = "", list(entry.sections)
    if rest and not rest[0].heading and rest[0].gm_only == entry.gm_only:
        first = rest.pop(0).text
    title = Section(path=entry.name, level=1, heading=entry.name, text=first, gm_only=entry.gm_only)
    return entry.model_copy(update={"sections": [title, *rest]})


def _settle(entry: Entry) -> Entry:
    """The entry as it will be when read back, so that a builder never promises what a file cannot
    hold."""
    sections: list[Section] = []
    for section in entry.sections:
        if section.heading:
            heading = shorten(tame_heading(section.heading) or "Untitled", 200)
            level = min(section.level or 2, 6)
            section = section.model_copy(update={"heading": heading, "level": level})
        if section.gm_only and not section.heading and not entry.gm_only:
            section = section.model_copy(update={"heading": "GM: Notes", "level": 2})
        elif (
            section.gm_only
            and section.level == 1
            and not entry.gm_only
            and not is_marked(section.heading)
        ):
            # A title cannot be hidden alone without hiding the whole entry, so its text moves below
            # it.
            sections.append(section.model_copy(update={"text": "", "gm_only": False}))
            section = section.model_copy(update={"heading": "GM: Notes", "level": 2})
        sections.append(section)
    entry = entry.model_copy(update={"sections": lay_out(sections, entry.name)})
    try:
        front = parse_text(entry_text(entry), entry.file_path)
    except (BadYaml, UnicodeEncodeError):
        raise UserError(
            f"the fields of `{entry.id}` cannot be written as frontmatter; make `extra` smaller"
        ) from None
    settled = make_entry(front, entry.pack_id, entry.local_id, entry.type, entry.file_path)
    return settled.model_copy(update={key: getattr(entry, key) for key in REFS})


def write_folder(target: Path, files: dict[str, str]) -> None:
    """A folder with these files, moved to its place in one step."""
    with in_one_step(target) as made:
        for name, text in files.items():
            place = made / name
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(text.encode("utf-8"))


@contextmanager
def in_one_step(target: Path) -> Iterator[Path]:
    """An empty folder to fill, which then takes the target's place; an old one is moved aside
    first."""
    target.parent.mkdir(parents=True, exist_ok=True)
    made = Path(tempfile.mkdtemp(dir=target.parent, prefix=f".{target.name}-"))
    try:
        yield made
        made.chmod(0o755)
        if target.exists():
            old = made.with_name(f"{made.name}-old")
            os.rename(target, old)
            os.rename(made, target)
            shutil.rmtree(old, ignore_errors=True)
        else:
            os.rename(made, target)
    finally:
        shutil.rmtree(made, ignore_errors=True)
