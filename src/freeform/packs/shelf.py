"""The shelf of packs: those that came with the program and those installed, each version in its own
folder.

<home>/packs/<id>/<version>/   a new version stands beside the old one, so old campaigns keep theirs
"""

import os
import shutil
import tempfile
from pathlib import Path

from pydantic import Field, ValidationError
from rapidfuzz import process

from freeform.core.errors import BadFile, NotFound, UserError
from freeform.core.record import Record
from freeform.packs.folder.check import check_reading
from freeform.packs.folder.files import PackFile, digest_of, list_files
from freeform.packs.folder.load import load_pack, pack_folders, read_pack
from freeform.packs.folder.manifest import MANIFEST, read_manifest
from freeform.packs.lock import Lock, Locked, read_lock, write_atomically
from freeform.packs.model import ContentPackManifest, Findings, Pack, Problem
from freeform.packs.resolve import Shelved
from freeform.packs.versions import parse_range, parse_version

RECEIPT = ".receipt.json"
LOCK = "packs.lock"


class Receipt(Record):
    """What was true of a version when it was put on the shelf. Hidden, so it is no part of the
    pack."""

    digest: str
    entries: int


class Installed(Record):
    """What came of an installation. Errors name files that were left out; the rest is usable."""

    id: str
    version: str
    path: str
    entries: int
    already: bool = False
    errors: list[Problem] = Field(default_factory=list)
    warnings: list[Problem] = Field(default_factory=list)


class PackRemoved(Record):
    """What was taken from the shelf."""

    id: str
    versions: list[str]


class PackShelf:
    """Where packs lie. The lock of a campaign is `<home>/campaigns/<campaign>/packs.lock`."""

    def __init__(
        self, home: Path, bundled: Path | None = None, campaigns: Path | None = None
    ) -> None:
        self.folder, self.bundled = home / "packs", bundled
        self.campaigns = campaigns or home / "campaigns"
        self._read: dict[tuple[str, int, int], ContentPackManifest] = {}
        """Manifests by their file and when it was written: a question looks at all of them."""

    def packs(self) -> list[Shelved]:
        """Every version at hand, by id, newest first."""
        found = (
            [self._shelved(root, "bundled") for root in pack_folders(self.bundled)]
            if self.bundled
            else []
        )
        if self.folder.is_dir():
            for folder in sorted(self.folder.iterdir()):
                found += [self._shelved(root, "installed") for root in pack_folders(folder)]
        whole = [shelved for shelved in found if shelved]
        whole.sort(key=lambda s: s.origin != "bundled")
        whole.sort(key=lambda s: parse_version(s.manifest.version), reverse=True)
        return sorted(whole, key=lambda s: s.manifest.id)

    def _shelved(self, root: Path, origin: str) -> Shelved | None:
        try:
            manifest = self._manifest(root)
        except BadFile:
            return None
        return Shelved.model_validate({"manifest": manifest, "path": str(root), "origin": origin})

    def _manifest(self, root: Path) -> ContentPackManifest:
        """Read anew when its file was written since."""
        try:
            stat = (root / MANIFEST).stat()
        except OSError:
            return read_manifest(root, Findings())
        key = (str(root), stat.st_mtime_ns, stat.st_size)
        if key not in self._read:
            self._read[key] = read_manifest(root, Findings())
        return self._read[key]

    def find(self, pack_id: str, version: str = "*") -> Shelved:
        """The newest version in that range. NotFound says what there is."""
        shelved = self.packs()
        of_id = [each for each in shelved if each.manifest.id == pack_id]
        wanted = parse_range(version)
        suiting = [each for each in of_id if wanted.admits(parse_version(each.manifest.version))]
        if suiting or (of_id and not wanted.bounds):
            return (suiting or of_id)[0]
        if of_id:
            have = ", ".join(each.manifest.version for each in of_id)
            raise NotFound(
                f"{pack_id} {version} is not at hand, only {have}; install that version or widen the range"
            )
        names = sorted({each.manifest.id for each in shelved})
        near = process.extractOne(pack_id, names, score_cutoff=70) if names else None
        hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(names) or 'none'}"
        raise NotFound(f"no pack is called {pack_id}; {hint}, or run: pack install PATH")

    def place_of(self, pack_id: str) -> Path | None:
        """Where the newest version lies, for a check that looks at other packs."""
        try:
            return Path(self.find(pack_id).path)
        except NotFound:
            return None

    def load(self, shelved: Shelved) -> Pack:
        """The pack itself."""
        return load_pack(Path(shelved.path))

    def install(self, path: Path, *, strict: bool = False) -> Installed:
        """Checks a pack and copies it. Files that do not read or are not safe are named and left
        behind.

        With `strict`, any error refuses the whole pack.
        """
        reading = read_pack(path)
        result = check_reading(reading, self.place_of)
        if not (reading.entries or reading.tables) or (strict and result.errors):
            first = f"{result.errors[0]}" if result.errors else "it has no entry"
            raise UserError(f"{path} was not installed: {first}; see: pack validate {path}")
        manifest = reading.manifest
        entries, digest = len(reading.entries), digest_of(reading.files)
        told = {"entries": entries, "errors": result.errors, "warnings": result.warnings}
        for same in self._same_version(manifest.id, manifest.version):
            if self.digest(same) != digest:
                version = f"{manifest.id} {manifest.version}"
                fix = "give it a new version in pack.yaml" + (
                    "" if same.origin == "bundled" else f", or run first: pack remove {manifest.id}"
                )
                raise UserError(f"{version} is already on the shelf with other content; {fix}")
            return Installed(
                id=manifest.id,
                version=manifest.version,
                path=same.path,
                already=True,
                **told,  # type: ignore[arg-type]
            )
        target = self._copy(
            reading.files, manifest.id, str(parse_version(manifest.version)), entries
        )
        return Installed(id=manifest.id, version=manifest.version, path=str(target), **told)  # type: ignore[arg-type]

    def _same_version(self, pack_id: str, version: str) -> list[Shelved]:
        number = parse_version(version)
        mine = [each for each in self.packs() if each.manifest.id == pack_id]
        return [each for each in mine if parse_version(each.manifest.version) == number]

    def _copy(self, files: list[PackFile], pack_id: str, folder: str, entries: int) -> Path:
        """The files at their place on the shelf, all or nothing."""
        target = self.folder / pack_id / folder
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            made = Path(tempfile.mkdtemp(dir=target.parent, prefix=".new-"))
            try:
                for file in files:
                    place = made / file.name
                    place.parent.mkdir(parents=True, exist_ok=True)
                    shutil.copyfile(file.path, place)
                receipt = Receipt(digest=digest_of(list_files(made, Findings())), entries=entries)
                write_atomically(made / RECEIPT, receipt.model_dump_json().encode())
                made.chmod(0o755)
                os.rename(made, target)
            finally:
                shutil.rmtree(made, ignore_errors=True)
        except OSError as wrong:
            if target.is_dir() and digest_of(list_files(target, Findings())) == digest_of(files):
                return target  # someone else was installing the very same pack and came first
            why = wrong.strerror or type(wrong).__name__
            raise UserError(
                f"{pack_id} could not be copied to {target}: {why}; make room or choose another --home"
            ) from None
        return target

    def digest(self, shelved: Shelved) -> str:
        """Of the files as they are now."""
        return digest_of(list_files(Path(shelved.path), Findings()))

    def count_entries(self, shelved: Shelved) -> int:
        """How many entries it has: from its receipt, else by reading it."""
        try:
            text = (Path(shelved.path) / RECEIPT).read_text(encoding="utf-8")
            return Receipt.model_validate_json(text).entries
        except (OSError, UnicodeDecodeError, ValidationError):
            return len(read_pack(Path(shelved.path)).entries)

    def lock_path(self, campaign: str) -> Path:
        """Where the lock of a campaign is kept."""
        return self.campaigns / campaign / LOCK

    def locks(self) -> dict[str, Lock]:
        """The locks of all campaigns, by campaign."""
        found: dict[str, Lock] = {}
        for path in sorted(self.campaigns.glob(f"*/{LOCK}")):
            if lock := read_lock(path):
                found[path.parent.name] = lock
        return found

    def hold(self, packs: list[Shelved]) -> Lock:
        """Keeps these versions for a campaign and returns its lock. Bundled ones are copied to the
        shelf first, so that a new release of the program cannot take them away."""
        locked: dict[str, Locked] = {}
        for shelved in packs:
            manifest, digest = shelved.manifest, self.digest(shelved)
            copies = [
                s
                for s in self._same_version(manifest.id, manifest.version)
                if s.origin == "installed"
            ]
            if shelved.origin == "bundled" and digest not in map(self.digest, copies):
                folder = str(parse_version(manifest.version))
                if (self.folder / manifest.id / folder).exists():
                    folder = f"{folder}+{digest[:12]}"
                files = list_files(Path(shelved.path), Findings())
                self._copy(files, manifest.id, folder, self.count_entries(shelved))
            locked[manifest.id] = Locked(version=manifest.version, digest=digest)
        return Lock(packs=locked)

    def open_locked(self, lock: Lock) -> list[Shelved]:
        """Exactly the packs of a lock. UserError names what is gone or was changed, with the
        fix."""
        held: list[Shelved] = []
        for pack_id, locked in sorted(lock.packs.items()):
            same = self._same_version(pack_id, locked.version)
            match = next((each for each in same if self.digest(each) == locked.digest), None)
            if match is None:
                what = "was changed on the shelf" if same else "is gone from the shelf"
                fix = f"install the original {pack_id} {locked.version} again"
                raise UserError(
                    f"the campaign was begun with {pack_id} {locked.version}, which {what}; {fix}"
                )
            held.append(match)
        return held

    def remove(self, pack_id: str, version: str = "*", *, force: bool = False) -> PackRemoved:
        """Takes installed versions away. Refused while a campaign's lock needs one, unless
        forced."""
        wanted = parse_range(version)
        mine = [s for s in self.packs() if s.manifest.id == pack_id and s.origin == "installed"]
        if version != "*":
            mine = [s for s in mine if wanted.admits(parse_version(s.manifest.version))]
        if not mine:
            if any(s.manifest.id == pack_id for s in self.packs()):
                raise UserError(
                    f"{pack_id} {version} came with the program and cannot be removed; just do not use it"
                )
            self.find(pack_id)
        if not force:
            versions = {parse_version(s.manifest.version) for s in mine}
            users = [
                campaign
                for campaign, lock in self.locks().items()
                if pack_id in lock.packs and parse_version(lock.packs[pack_id].version) in versions
            ]
            if users:
                fix = "end them first, or use --force and lose their exact replay"
                raise UserError(
                    f"{pack_id} is needed by the campaigns {', '.join(sorted(users))}; {fix}"
                )
        for shelved in mine:
            root = Path(shelved.path)
            gone = root.parent / f".gone-{root.name}"
            shutil.rmtree(gone, ignore_errors=True)
            os.rename(root, gone)
            shutil.rmtree(gone, ignore_errors=True)
        folder = self.folder / pack_id
        if folder.is_dir() and not any(folder.iterdir()):
            folder.rmdir()
        return PackRemoved(id=pack_id, versions=[s.manifest.version for s in mine])
