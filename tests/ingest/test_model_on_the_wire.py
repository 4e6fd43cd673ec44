"""A book that a model reads over the real wire, and the model that refuses for good in the middle of it."""

import json
from pathlib import Path
from typing import Any

from benchmarks.ingest_model import Peer, serve
from tests.apps.program import Home
from tests.ingest.paper import LEFT, Ink, column, prose, save

PLACES = ("Weir", "Mill", "Ferry", "Kiln", "Chapel", "Tannery", "Granary", "Barrow", "Orchard", "Quay", "Forge",
          "Dovecote", "Bakehouse", "Lockhouse", "Smokehouse", "Cistern")  # fmt: skip


def write_places(path: Path) -> None:
    """A page to each place, more of them than are shown at once."""
    pages = []
    for number, name in enumerate(PLACES):
        text = prose(40, start=300 * number, width=44)
        head = Ink(f"The Old {name}", LEFT, 60, 18, bold=True)
        pages.append([head, *column(text, LEFT, top=90)])
    save(pages, path)


def read_by(home: Home, model: str, *more: str) -> Any:
    """What the program prints of the book as that model reads it."""
    told = ("--json", "pack-ingest", "old.pdf", "--id", "old", "--out", "made", "--yes")
    ran = home.run(*told, "--no-install", "--no-systems", *more, model=model)
    assert ran.code == 0, ran.err
    return json.loads(ran.out)


def of_classify(told: Any) -> Any:
    (row,) = [row for row in told["stages"] if row["name"] == "classify"]
    return row


def test_a_model_that_is_gone_in_the_middle_leaves_a_whole_pack_and_is_asked_for_the_rest_later(
    tmp_path: Path,
) -> None:
    home, peer = Home(tmp_path / "home"), Peer(fail_after=1)
    write_places(home.path / "old.pdf")
    server = serve(peer)
    model = f"url:http://127.0.0.1:{server.server_address[1]}/v1#peer"
    try:
        told = read_by(home, model)
        peer.fail_after = 0
        healed = read_by(home, model, "--from-stage", "classify")
    finally:
        server.shutdown()
        server.server_close()
    row = of_classify(told)
    read, sections = int(row["counts"]["read"]), int(row["counts"]["segments"])
    assert 0 < read < sections, "it answered once, and not for all"
    assert any(f"{sections - read} of {sections} sections" in line for line in row["warnings"])
    assert any("this key is worth nothing any more" in note for note in told["notes"])
    text = "\n".join(file.read_text("utf-8") for file in Path(told["path"]).rglob("*.md"))
    assert [name for name in PLACES if f"# The Old {name}" not in text] == []
    assert told["validation"]["ok"]
    assert int(of_classify(healed)["counts"]["read"]) == len(peer.shown) == sections
    assert max(peer.times.values()) == 1, "what it had answered was not asked again"
