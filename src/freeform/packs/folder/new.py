"""`pack new ID`: a small pack that is valid from the start and shows an author every part of the
format."""

from pathlib import Path

from freeform.core.errors import UserError
from freeform.core.text import slug
from freeform.packs.folder.build import PackBuilder
from freeform.packs.folder.manifest import ID, RESERVED
from freeform.packs.model import ContentPackManifest, Layer, License, Pack

PLACE = """\
A mill that no longer grinds. The wheel hangs still over a dry race, and the door is never locked.

## Atmosphere

Dust hangs in the light from the broken shutters. Somewhere above, a board creaks although nobody walks there.

## History

[[the_miller|Old Berrin]] stopped the stones the winter the stream went dry, and has told nobody why.

## Discoverable

- **look under the grindstone**: a tin box with three silver coins and a letter that was never sent.

## GM: What is really here

The creak is [[the_miller]] himself, who sleeps in the loft and does not wish to be found.
"""
PERSON = """\
A broad man gone thin, flour still in the lines of his hands.

## Disposition

Friendly to strangers who ask nothing.

## Knows

- The stream was dammed upstream, on purpose.
- The path over the hill is the safe one after dark.

## Withholds

- He was paid to keep quiet about the dam.

## Capabilities

No fighter. Knows every path within a day's walk.
"""


def scaffold_pack(folder: Path, pack_id: str, *, name: str = "", layer: Layer = "homebrew") -> Pack:
    """Writes `<folder>/<pack_id>` and reads it back."""
    if not ID.match(pack_id) or pack_id in RESERVED:
        better = slug(pack_id) or "my_pack"
        better = f"{better}_pack" if better in RESERVED else better
        raise UserError(f"`{pack_id}` cannot be a pack's id; try `{better}`")
    manifest = ContentPackManifest(
        id=pack_id,
        name=name or pack_id.replace("_", " ").replace("-", " ").title(),
        version="0.1.0",
        genre="fantasy",
        layer=layer,
        license=License(type="cc-by", publisher="your name", attribution="CC BY 4.0"),
        description="One line that tells a table whether this is for them.",
        author="your name",
    )
    builder = PackBuilder(manifest)
    builder.add(
        "old_mill",
        "location",
        "The Old Mill",
        body=PLACE,
        tags=["ruin", "shelter"],
        related_entities=["the_miller"],
    )
    builder.add(
        "the_miller",
        "npc",
        "Old Berrin",
        body=PERSON,
        aliases=["the miller"],
        related_locations=["old_mill"],
    )
    return builder.build(folder / pack_id)
