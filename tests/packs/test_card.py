"""Character cards: every carrier reads alike, damage is named, and what we do not know survives."""

import base64
import io
import json
import struct
import zipfile
import zlib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from freeform.core.errors import BadFile, FreeformError
from freeform.packs.folder.load import load_pack
from freeform.packs.formats.card import (
    SIGNATURE,
    Card,
    chunks,
    export_card,
    import_card,
    is_card,
    read_card,
    to_json,
    to_png,
)

DOCUMENT: dict[str, Any] = {
    "spec": "chara_card_v3",
    "spec_version": "3.0",
    "data": {
        "name": "Nell",
        "description": "Keeps the ferry.\n# Not a heading of ours",
        "personality": "Dry.",
        "first_mes": "You're late.",
        "tags": ["river"],
        "extensions": {"someone/else": {"depth": [1, {"x": None}]}},
        "unheard_of": [1, 2, 3],
        "character_book": {
            "name": "River",
            "entries": [
                {
                    "keys": ["weir"],
                    "content": "It hums.",
                    "name": "The Weir",
                    "extensions": {"p": 1},
                }
            ],
        },
    },
}


def chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def picture(*more: bytes) -> bytes:
    """A picture of one pixel, with these chunks before its end."""
    head = chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0))
    return (
        SIGNATURE
        + head
        + chunk(b"IDAT", zlib.compress(b"\0\1\2\3"))
        + b"".join(more)
        + chunk(b"IEND", b"")
    )


def carriers() -> dict[str, bytes]:
    text = base64.b64encode(json.dumps(DOCUMENT).encode())
    packed = zlib.compress(text)
    charx = io.BytesIO()
    with zipfile.ZipFile(charx, "w") as zip:
        zip.writestr("card.json", json.dumps(DOCUMENT))
        zip.writestr("assets/icon/main.png", b"x")
    return {
        "tEXt": picture(chunk(b"tEXt", b"ccv3\0" + text)),
        "zTXt": picture(chunk(b"zTXt", b"ccv3\0\0" + packed)),
        "iTXt": picture(chunk(b"iTXt", b"ccv3\0\0\0en\0\0" + text)),
        "iTXt packed": picture(chunk(b"iTXt", b"ccv3\0\1\0\0\0" + packed)),
        "after an older one": picture(
            chunk(b"tEXt", b"chara\0e30="), chunk(b"tEXt", b"ccv3\0" + text)
        ),
        "json": json.dumps(DOCUMENT).encode(),
        "charx": charx.getvalue(),
    }


@pytest.mark.parametrize("carrier", carriers())
def test_every_carrier_gives_the_same_card(carrier: str) -> None:
    content = carriers()[carrier]
    assert is_card(content) and read_card(content, "x").document == DOCUMENT


def test_a_card_in_its_first_form_reads_too() -> None:
    flat = {"name": "Old", "description": "From before.", "personality": "", "first_mes": "Hm."}
    assert read_card(json.dumps(flat).encode(), "x").name == "Old"


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (picture(), "holds no character card"),
        (picture(chunk(b"tEXt", b"chara\0" + base64.b64encode(b"{oops"))), "does not read as JSON"),
        (picture(chunk(b"zTXt", b"chara\0\0not zlib")), "does not unpack"),
        (picture(chunk(b"tEXt", b"chara\0abc")), "card"),
        (picture()[:-20], "middle of a chunk"),
        (picture().replace(b"IDATx", b"IDATy"), "`IDAT` chunk is damaged"),
        (b'{"name": "No one"}', "holds no character"),
        (b"[]", "holds no character"),
        (b"PK\x03\x04nonsense", "does not open"),
    ],
)
def test_damage_is_named(content: bytes, says: str) -> None:
    with pytest.raises(BadFile, match=says):
        read_card(content, "x.png")


def test_a_packed_card_that_would_fill_the_memory_is_refused() -> None:
    bomb = zlib.compress(b"0" * 60_000_000)
    with pytest.raises(BadFile, match="more than 16 MB"):
        read_card(picture(chunk(b"zTXt", b"chara\0\0" + bomb)), "x.png")


@given(st.binary(max_size=300), st.sampled_from([b"", SIGNATURE, b"PK\x03\x04", picture()[:60]]))
def test_any_bytes_give_a_card_or_one_sentence(content: bytes, start: bytes) -> None:
    try:
        read_card(start + content, "x")
    except FreeformError as told:
        assert "\n" not in str(told)


def test_a_card_becomes_a_pack_and_comes_back_with_every_field(tmp_path: Path) -> None:
    made = import_card(to_png(Card(DOCUMENT, picture())), "nell.png", tmp_path)
    assert made.errors == [] and made.counts["npc"] >= 1
    pack = load_pack(Path(made.path))
    entry = pack.entry("nell")
    assert entry is not None and [s.heading for s in entry.sections] == [
        "Nell",
        "Personality",
        "First words",
    ]
    out = export_card(pack, "nell")
    assert (
        out.document
        == DOCUMENT
        == read_card(to_json(out), "x").document
        == read_card(to_png(out), "x").document
    )
    assert [kind for kind, _ in chunks(to_png(out), "x")].count(b"tEXt") == 1


def test_what_was_changed_in_the_pack_is_in_the_card_and_the_rest_is_as_it_came(
    tmp_path: Path,
) -> None:
    made = import_card(json.dumps(DOCUMENT).encode(), "nell.json", tmp_path)
    file = Path(made.path) / "npcs" / "nell.md"
    file.write_text(file.read_text().replace("Dry.", "Dry, and kind."), encoding="utf-8")
    out = export_card(load_pack(Path(made.path)), "nell").document
    assert out["data"].pop("personality") == "Dry, and kind."
    assert out["data"] == {k: v for k, v in DOCUMENT["data"].items() if k != "personality"}
