"""Small packs on disk for the tests of packs."""

from pathlib import Path

MANIFEST = """\
id: {id}
name: "The {id} book"
version: "{version}"
genre: fantasy
layer: {layer}
license: {{type: cc-by, publisher: "A table"}}
"""
MILL = """\
---
id: old_mill
type: location
tags: [ruin]
related_entities: [miller]
---

# The Old Mill

A mill that no longer grinds.

## Atmosphere

Dust, and [[miller|someone]] breathing.

## History

Dry since the hard winter.

### The dam

Built upstream.

## GM: The truth

The miller took the money.
"""
MILLER = """\
---
id: miller
type: npc
related_locations: [old_mill]
---

# Old Berrin

A broad man gone thin.

## Withholds

Who paid him.
"""


def write(root: Path, files: dict[str, str | bytes]) -> Path:
    """The files in a folder."""
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return root


def manifest(
    pack_id: str = "mill", version: str = "1.0.0", layer: str = "setting", depends: str = ""
) -> str:
    """A manifest; `depends` as the YAML list of `depends_on`."""
    text = MANIFEST.format(id=pack_id, version=version, layer=layer)
    return text + (f"depends_on: {depends}\n" if depends else "")


def mill(root: Path, **changes: str | bytes) -> Path:
    """A pack of two entries without a fault, and whatever files a test adds (`npcs__x_md` is npcs/x.md)."""
    files: dict[str, str | bytes] = {
        "pack.yaml": manifest(),
        "locations/old_mill.md": MILL,
        "npcs/miller.md": MILLER,
    }
    files |= {name.replace("__", "/").replace("_md", ".md"): text for name, text in changes.items()}
    return write(root / "mill", files)


def entry(local_id: str, kind: str = "location", head: str = "", body: str = "Some words.") -> str:
    """The text of an entry's file."""
    return f"---\nid: {local_id}\ntype: {kind}\n{head}---\n\n# {local_id.title()}\n\n{body}\n"
