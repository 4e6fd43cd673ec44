"""`pack.yaml`: read with its common variants, written in ours."""

import re
from pathlib import Path
from typing import Any

from rapidfuzz import process

from freeform.core.errors import BadFile
from freeform.core.text import slug
from freeform.core.yamlfile import BadYaml, YamlMapping, read_mapping, write_mapping
from freeform.packs.folder.files import (
    MAX_MARKDOWN,
    Unreadable,
    decode,
    read_bytes,
)
from freeform.packs.folder.frontmatter import words_of
from freeform.packs.folder.synonyms import MANIFEST_VARIANTS
from freeform.packs.model import LAYERS, ContentPackManifest, Dependency, Findings, License
from freeform.packs.versions import parse_range, parse_version

MANIFEST = "pack.yaml"
ID = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}\Z")
RESERVED = frozenset({"con", "prn", "aux", "nul", "player", "campaign", "nowhere"})
_KEYS = tuple(ContentPackManifest.model_fields)
_NAMED = re.compile(r"\s*([A-Za-z0-9_-]+)\s*(.*)\Z", re.DOTALL)


def read_manifest(root: Path, found: Findings) -> ContentPackManifest:
    """The manifest of a pack's folder. BadFile when there is none that reads: nothing is safe
    without it."""
    return read_manifest_lines(root, found)[0]


def read_manifest_lines(root: Path, found: Findings) -> tuple[ContentPackManifest, dict[str, int]]:
    """The same, and the line of each field."""
    path = find_manifest(root, found)
    try:
        if path.stat().st_size > MAX_MARKDOWN:
            raise Unreadable("the manifest is far too large; keep only the fields of the guide")
        read = read_mapping(decode(read_bytes(path)))
    except (Unreadable, BadYaml) as wrong:
        raise BadFile(str(path), wrong.reason, wrong.line) from None
    for key, line in read.doubled:
        found.error(path.name, line, f"the key `{key}` stands here twice; keep one")
    read = _rename(read, found, path.name)
    return _shape(read, root, found, path), read.lines


def find_manifest(root: Path, found: Findings) -> Path:
    """The manifest file, which must really lie in the folder."""
    if not root.is_dir():
        raise BadFile(str(root), "there is no such folder; give the folder that holds pack.yaml")
    for name in (MANIFEST, "pack.yml", "manifest.yaml"):
        path = root / name
        if path.is_file():
            if not path.resolve().is_relative_to(root.resolve()):
                raise BadFile(
                    str(path), "a link that leaves the pack's folder; put the file itself here"
                )
            if name != MANIFEST:
                found.warn(name, 0, f"read as the manifest; rename it to {MANIFEST}")
            return path
    raise BadFile(
        str(root / MANIFEST),
        "the pack has no manifest; add one, or import the folder as a vault (pack import)",
    )


def _rename(read: YamlMapping, found: Findings, file: str) -> YamlMapping:
    for theirs, ours in MANIFEST_VARIANTS.items():
        if theirs in read.values and ours not in read.values:
            found.warn(file, read.lines[theirs], f"`{theirs}` is read as `{ours}`; rename it")
            read.values[ours] = read.values.pop(theirs)
            read.lines[ours] = read.lines.pop(theirs)
            if theirs in read.written:
                read.written[ours] = read.written.pop(theirs)
            if theirs in read.item_lines:
                read.item_lines[ours] = read.item_lines.pop(theirs)
    return read


def _shape(read: YamlMapping, root: Path, found: Findings, path: Path) -> ContentPackManifest:
    file, values, lines = path.name, read.values, read.lines

    def text(key: str) -> str:
        value = values.get(key)
        if isinstance(value, list):
            value = ", ".join(str(item) for item in value)
        elif isinstance(value, dict):
            found.error(file, lines[key], f"`{key}` must be one line of text")
            return ""
        return (read.written.get(key) or ("" if value is None else str(value))).strip()

    pack_id = text("id")
    if not pack_id:
        pack_id = slug(root.resolve().name) or "pack"
        found.warn(file, 0, f"no `id`; `{pack_id}` is taken from the folder, add `id: {pack_id}`")
    if not ID.match(pack_id) or pack_id in RESERVED:
        better = slug(pack_id)[:64] or "my_pack"
        better = f"{better}_pack" if better in RESERVED else better
        raise BadFile(
            str(path),
            f"the id `{pack_id}` cannot be used; write `id: {better}`",
            lines.get("id", 0),
        )
    version = text("version")
    if not version:
        version = "0.0.0"
        found.error(file, 0, 'no `version`; add `version: "1.0.0"`')
    try:
        parse_version(version)
    except ValueError as wrong:
        raise BadFile(str(path), str(wrong), lines.get("version", 0)) from None
    name = text("name")
    if not name:
        name = pack_id.replace("_", " ").title()
        found.warn(file, 0, f'no `name`; add `name: "{name}"`')
    layer = text("layer").lower()
    if not layer:
        layer = "setting"
        found.warn(file, 0, "no `layer`; it is read as `setting`, add `layer: setting`")
    if layer not in LAYERS:
        raise BadFile(
            str(path),
            f"the layer `{layer}` is unknown; use one of {', '.join(LAYERS)}",
            lines["layer"],
        )
    extra: dict[str, Any] = {}
    for key, value in values.items():
        if key not in _KEYS:
            near = process.extractOne(key, _KEYS, score_cutoff=70)
            hint = (
                f"; did you mean `{near[0]}`?" if near else "; put it under `extra:` if it is yours"
            )
            found.warn(file, lines[key], f"`{key}` is no field of a manifest{hint}")
            extra[key] = value
    if isinstance(values.get("extra"), dict):
        extra.update(values["extra"])
    return ContentPackManifest(
        id=pack_id,
        name=name,
        version=version,
        genre=text("genre"),
        layer=layer,
        depends_on=_depends(
            values.get("depends_on"), lines.get("depends_on", 0), pack_id, found, path
        ),
        provides=_provides(values.get("provides"), lines.get("provides", 0), found, file),
        license=_license(values.get("license"), lines.get("license", 0), found, file),
        description=text("description"),
        author=text("author"),
        system=text("system"),
        tags=words_of(values.get("tags")) or [],
        extra=extra,
    )


def _depends(value: Any, line: int, own: str, found: Findings, path: Path) -> list[Dependency]:
    """`[{id, version}]`; also `other >=1.0` as a text and `{other: >=1.0}` as a mapping."""
    if isinstance(value, dict) and "id" not in value:
        value = [{"id": key, "version": ranged} for key, ranged in value.items()]
    elif value is not None and not isinstance(value, list):
        value = [value]
    wanted: list[Dependency] = []
    for item in value or []:
        if isinstance(item, str) and (named := _NAMED.match(item)):
            item = {"id": named[1], "version": named[2]}
        if not isinstance(item, dict) or not isinstance(item.get("id") or item.get("pack"), str):
            found.error(
                path.name,
                line,
                '`depends_on` needs items like `{id: other_pack, version: ">=1.0.0"}`',
            )
            continue
        other = str(item.get("id") or item.get("pack"))
        ranged = str(item.get("version") or item.get("range") or "*")
        try:
            parse_range(ranged)
        except ValueError as wrong:
            raise BadFile(str(path), f"`depends_on` {other}: {wrong}", line) from None
        if other == own:
            found.error(
                path.name, line, "the pack depends on itself; remove that line from `depends_on`"
            )
        elif other in {dependency.id for dependency in wanted}:
            found.error(
                path.name, line, f"`depends_on` names `{other}` twice; join the ranges with a comma"
            )
        else:
            wanted.append(Dependency(id=other, version=ranged))
    return wanted


def _provides(value: Any, line: int, found: Findings, file: str) -> dict[str, int | str]:
    if value is None:
        return {}
    if not isinstance(value, dict):
        found.error(file, line, "`provides` must hold lines like `locations: 12`")
        return {}
    counts: dict[str, int | str] = {}
    for key, count in value.items():
        if isinstance(count, int) and not isinstance(count, bool):
            counts[key] = count
        elif isinstance(count, str) and re.match(r"~?\s*\d{1,9}\Z", count.strip()):
            counts[key] = count.strip()
        elif isinstance(count, list):
            counts[key] = len(count)
        else:
            found.error(file, line, f"`provides: {key}` must be a number, or about one: ~2400")
    return counts


def _license(value: Any, line: int, found: Findings, file: str) -> License | None:
    if value is None or value in ("", {}):
        return None
    if isinstance(value, str):
        return License(
            type=license_type(value), attribution="" if license_type(value) == value else value
        )
    if not isinstance(value, dict):
        found.error(file, line, "`license` must hold lines like `type: cc-by`")
        return None
    said = {key: str(item) for key, item in value.items() if item is not None}
    kind = said.pop("type", "") or said.pop("name", "")
    if not kind:
        found.error(
            file, line, "`license` has no `type`; add one of commercial, cc-by, cc-by-sa, custom"
        )
        kind = "custom"
    known = {key: said.pop(key, "") for key in ("publisher", "sku", "attribution")}
    if said:
        found.warn(
            file,
            line,
            f"`license` does not know {', '.join(sorted(said))}; say it in `attribution`",
        )
    return License(type=kind, **known)


def license_type(text: str) -> str:
    """`CC-BY-SA 4.0` as `cc-by-sa`; other words in lower case."""
    said = text.strip().lower().replace(" ", "-").replace("_", "-")
    for kind in ("cc-by-sa", "cc-by", "cc0", "ogl", "commercial"):
        if said == kind or (said.startswith(f"{kind}-") and said[len(kind) + 1 :][:1].isdigit()):
            return kind
    return said


def write_manifest(manifest: ContentPackManifest) -> str:
    """The text of `pack.yaml`, without what is empty."""
    values = manifest.model_dump(exclude_none=True)
    values["license"] = {k: v for k, v in values.get("license", {}).items() if v}
    kept = {key: value for key, value in values.items() if value not in ("", [], {}, None)}
    return write_mapping(kept)
