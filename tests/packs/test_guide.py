"""The author's guide and the bundled packs keep their promises."""

import re
from pathlib import Path

import freeform.content
from freeform.packs.folder.check import validate_pack
from freeform.packs.folder.load import load_pack, pack_folders
from freeform.packs.folder.synonyms import FIELDS
from freeform.packs.model import LAYERS, TYPES, ContentPackManifest

GUIDE = Path(__file__).parents[2] / "docs" / "packs.md"
BUNDLED = Path(freeform.content.__file__).parent / "packs"


def test_every_field_type_and_layer_is_in_the_guide() -> None:
    text = GUIDE.read_text(encoding="utf-8")
    words = {*FIELDS, *TYPES, *LAYERS, *ContentPackManifest.model_fields}
    assert sorted(word for word in words if f"`{word}`" not in text) == []


def test_the_example_of_the_guide_is_a_valid_pack(tmp_path: Path) -> None:
    text = GUIDE.read_text(encoding="utf-8")
    blocks = re.findall(r"`([\w/]+\.(?:yaml|md))`:\n\n```\w*\n(.*?)```", text, re.DOTALL)
    assert {name for name, _ in blocks} == {"pack.yaml", "locations/gull_inn.md", "npcs/hanne.md"}
    for name, content in blocks:
        path = tmp_path / "gull" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
    result = validate_pack(tmp_path / "gull")
    assert (result.errors, result.warnings) == ([], [])
    hidden = [
        s.heading for e in load_pack(tmp_path / "gull").entries for s in e.sections if s.gm_only
    ]
    assert hidden == ["Discoverable", "GM: The cellar", "Withholds"]


def test_every_bundled_pack_passes_without_a_word() -> None:
    folders = pack_folders(BUNDLED)
    assert folders
    for folder in folders:
        result = validate_pack(folder)
        assert (folder.name, result.errors, result.warnings) == (folder.name, [], [])
