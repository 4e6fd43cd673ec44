"""`pack validate`: everything an author should know before sharing a pack, with file, line and
fix."""

import posixpath
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from urllib.parse import unquote

from rapidfuzz import fuzz, process

from freeform.core.errors import BadFile
from freeform.core.text import count_tokens, slug
from freeform.packs.folder.load import (
    PackReading,
    ReadEntry,
    find_name,
    read_pack,
)
from freeform.packs.folder.manifest import MANIFEST
from freeform.packs.folder.markdown import links_in
from freeform.packs.folder.secrecy import COMMON, FORM, WORLD, bare, is_from_book
from freeform.packs.folder.synonyms import REFS, TYPE_OF
from freeform.packs.model import (
    FOLDERS,
    LAYERS,
    ContentPackManifest,
    Entry,
    PackValidation,
    Problem,
)
from freeform.packs.versions import parse_range, parse_version

MAX_ENTRY_TOKENS = 8_000
MAX_HINTS = 50
_ANYONE = frozenset({"player", "pc", "party"})

FindPack = Callable[[str], Path | None]
"""Where another pack lies, if it is at hand."""


def validate_pack(path: Path, find: FindPack | None = None) -> PackValidation:
    """What is wrong with a pack. Packs beside it, and those `find` knows, count as at hand."""
    try:
        reading = read_pack(path)
    except BadFile as wrong:
        name = Path(wrong.file).name if Path(wrong.file).parent == path else wrong.file
        return PackValidation(
            ok=False, errors=[Problem(file=name, line=wrong.line, message=wrong.reason)]
        )
    return check_reading(reading, find)


def check_reading(reading: PackReading, find: FindPack | None = None) -> PackValidation:
    """The same for a pack already read."""
    check = _Check(reading, find)
    check.manifest()
    for read in reading.entries:
        check.entry(read)
    return reading.found.result()


class _Check:
    """One run over one pack; remembers the other packs it had to look at."""

    def __init__(self, reading: PackReading, find: FindPack | None) -> None:
        self.pack, self.find, self.found = reading, find, reading.found
        self.types = {read.entry.id: read.entry.type for read in reading.entries}
        self.files = {file.name for file in reading.files}
        self.hints = 0
        self.others: dict[str, PackReading | None] = {}
        self.depends = [dependency.id for dependency in reading.manifest.depends_on]

    def other(self, pack_id: str) -> PackReading | None:
        """Another pack, if it is at hand: beside this one, or where the shelf has it."""
        if pack_id not in self.others:
            beside = self.pack.root.parent / pack_id
            place = (
                beside
                if (beside / MANIFEST).is_file()
                else self.find(pack_id)
                if self.find
                else None
            )
            try:
                self.others[pack_id] = read_pack(place) if place else None
            except BadFile:
                self.others[pack_id] = None
        return self.others[pack_id]

    def manifest(self) -> None:
        manifest = self.pack.manifest
        line = self.pack.manifest_lines.get("depends_on", 0)
        if manifest.license is None:
            fix = (
                "add `license: {type: cc-by, publisher: …}` (commercial, cc-by, cc-by-sa or custom)"
            )
            self.found.warn(
                MANIFEST, 0, f"no licence, so nobody knows whether they may use it; {fix}"
            )
        if not self.pack.entries and not self.pack.tables:
            self.found.error(
                MANIFEST,
                0,
                "the pack has no entry that reads; add one, such as locations/old_mill.md",
            )
        self._provides(manifest)
        for dependency in manifest.depends_on:
            other = self.other(dependency.id)
            if other is None:
                self.found.warn(
                    MANIFEST,
                    line,
                    f"`{dependency.id}` is not at hand, so references to it are not checked",
                )
                continue
            theirs = other.manifest
            if not parse_range(dependency.version).admits(parse_version(theirs.version)):
                wanted = f"needs {dependency.id} {dependency.version}, at hand is {theirs.version}"
                self.found.error(MANIFEST, line, f"{wanted}; change the range or get that version")
            if LAYERS.index(theirs.layer) > LAYERS.index(manifest.layer):
                order = (
                    f"a {manifest.layer} pack that depends on the {theirs.layer} pack `{theirs.id}`"
                )
                self.found.warn(
                    MANIFEST, line, f"{order} is the wrong way round; change one of the layers"
                )

    def _provides(self, manifest: ContentPackManifest) -> None:
        line = self.pack.manifest_lines.get("provides", 0)
        counts = Counter(read.entry.type for read in self.pack.entries)
        for key, said in manifest.provides.items():
            if key == "chunks":
                continue
            kind = TYPE_OF.get(slug(key))
            if kind is None and key not in ("entries", "files"):
                known = ", ".join(FOLDERS.values())
                self.found.warn(
                    MANIFEST, line, f"`provides: {key}` counts nothing we know; use {known}"
                )
                continue
            real = counts[kind] if kind else len(self.pack.entries)
            about = str(said).startswith("~")
            wanted = int(str(said).lstrip("~ "))
            if abs(wanted - real) > (max(wanted, real) // 5 if about else 0):
                self.found.warn(
                    MANIFEST,
                    line,
                    f"`provides: {key}` says {said}, the pack has {real}; write {real}",
                )

    def entry(self, read: ReadEntry) -> None:
        entry, file = read.entry, read.entry.file_path
        texts = [section.text for section in entry.sections]
        if not any(text.strip() for text in texts):
            self.found.error(
                file, 0, "the entry says nothing; write at least one sentence below the heading"
            )
        size = sum(map(len, texts))
        if (
            size > MAX_ENTRY_TOKENS * 2
            and (tokens := sum(map(count_tokens, texts))) > MAX_ENTRY_TOKENS
        ):
            limit = f"more than {MAX_ENTRY_TOKENS}; split it into several entries"
            self.found.warn(file, 0, f"the entry has about {tokens} tokens, {limit}")
        self._readable(entry)
        for key in REFS:
            for place, ref in enumerate(read.front.metadata.get(key, [])):
                line = read.front.line_of(key, place)
                target = self.reference(ref, file, line, f"`{key}`")
                self._fits(key, target, file, line)
        for key in ("extends", "overrides"):
            if ref := getattr(entry, key):
                self.overlay(entry, key, ref, read.front.line_of(key))
        for link in links_in(read.front.content, read.front.content_line):
            if link.kind == "wiki":
                self.reference(link.target, file, link.line, "the link")
            else:
                self.path(link.target, link.kind, file, link.line)

    def _readable(self, entry: Entry) -> None:
        """Says where a heading sounds secret and players can read it all the same."""
        if is_from_book(entry.extra):
            return
        sounding = COMMON if entry.type in WORLD else COMMON | FORM
        for section in entry.sections:
            if section.level > 1 and not section.gm_only and bare(section.heading) in sounding:
                fix = f"write `GM: {section.heading}` to hide it"
                said = f"players can read `{section.heading}` here; {fix}"
                self.found.warn(entry.file_path, section.line, said)

    def _fits(self, key: str, target: str | None, file: str, line: int) -> None:
        wanted = {"related_factions": "faction", "related_locations": "location"}.get(key)
        kind = self.types.get(target) if target and wanted else None
        if kind and kind != wanted:
            self.found.warn(
                file, line, f"`{key}` names `{target}` ({kind}); move it to `related_entities`"
            )

    def reference(self, ref: str, file: str, line: int, where: str) -> str | None:
        """The full id a reference means; a dead one is reported."""
        if ref in _ANYONE:
            return None
        if full := find_name(ref, self.pack.names):
            return full
        own = self.pack.manifest.id
        pack_id, colon, local = ref.partition(":")
        if colon and pack_id != own and slug(pack_id) == pack_id.replace("-", "_"):
            return self._abroad(pack_id, local, file, line, where)
        for other_id in self.depends:
            other = self.other(other_id)
            if other and (full := find_name(ref, other.names)):
                self.found.error(
                    file, line, f"{where} `{ref}` is in the pack `{other_id}`; write `{full}`"
                )
                return full
        hint = self.near(local if colon else ref, self.pack)
        self.found.error(file, line, f"{where} leads to `{ref}`, which does not exist; {hint}")
        return None

    def _abroad(self, pack_id: str, local: str, file: str, line: int, where: str) -> str | None:
        other = self.other(pack_id)
        if pack_id not in self.depends:
            fix = f"add `{pack_id}` to `depends_on` in {MANIFEST}"
            self.found.warn(
                file,
                line,
                f"{where} names the pack `{pack_id}`, which this one does not depend on; {fix}",
            )
        if other is None:
            if pack_id not in self.depends:
                return None
            hint = f"install `{pack_id}` to have it checked"
            self.found.warn(file, line, f"{where} `{pack_id}:{local}` could not be checked; {hint}")
            return None
        full = find_name(local, other.names)
        if full is None:
            hint = self.near(local, other)
            self.found.error(
                file, line, f"{where} leads to `{pack_id}:{local}`, which does not exist; {hint}"
            )
        return full

    def overlay(self, entry: Entry, key: str, ref: str, line: int) -> None:
        """`extends` and `overrides` must lead to an entry of another pack."""
        file = entry.file_path
        pack_id, colon, local = ref.partition(":")
        if colon and pack_id == self.pack.manifest.id:
            self.found.error(
                file, line, f"`{key}` names this very pack; name an entry of a lower layer"
            )
        elif colon:
            self._abroad(pack_id, local, file, line, f"`{key}`")
        else:
            at_hand = [other for other in map(self.other, self.depends) if other]
            if not self.depends:
                self.found.error(
                    file,
                    line,
                    f"`{key}: {ref}` needs a pack below; add it to `depends_on` in {MANIFEST}",
                )
            elif len(at_hand) == len(self.depends) and not any(
                ref in other.names for other in at_hand
            ):
                self.found.error(
                    file,
                    line,
                    f"`{key}: {ref}` is in no pack below; write the full id `pack:{ref}`",
                )

    def near(self, ref: str, pack: PackReading) -> str:
        """The fix for a dead reference. Looking for the likely one takes time, so only the first
        few get it."""
        self.hints += 1
        ids = [read.entry.local_id for read in pack.entries] if self.hints <= MAX_HINTS else []
        found = process.extractOne(slug(ref), ids, scorer=fuzz.ratio, score_cutoff=70)
        return (
            f"did you mean `{found[0]}`?" if found else "write that entry, or remove the reference"
        )

    def path(self, target: str, kind: str, file: str, line: int) -> None:
        """Markdown links and embeds: nothing may leave the folder, and links to entries must lead
        somewhere."""
        plain = unquote(target).split("#")[0].split("?")[0].replace("\\", "/")
        if kind == "embed":
            if posixpath.normpath(plain).startswith(("../", "/")):
                self.found.error(
                    file,
                    line,
                    f"the link `{target}` leaves the pack's folder; copy its target into it",
                )
            return
        scheme = plain.split(":")[0].lower() if ":" in plain else ""
        if not plain or scheme in ("http", "https", "mailto"):
            return
        whole = posixpath.normpath(posixpath.join(posixpath.dirname(file), plain.split(" ")[0]))
        if scheme or whole.startswith(("../", "/")) or whole == "..":
            self.found.error(
                file, line, f"the link `{target}` leaves the pack's folder; copy its target into it"
            )
        elif whole.endswith(".md") and whole not in self.files:
            self.found.error(
                file, line, f"the link leads to `{target}`, which does not exist; mend or remove it"
            )
