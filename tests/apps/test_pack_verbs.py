"""The verbs of `pack` on folders that were never ours: a stranger's pack, a plain vault, a lorebook."""

import json
from pathlib import Path

import pytest

from tests.apps.program import Home

STRANGER = {
    "pack.yaml": 'id: mill_town\nname: "Mill Town"\nversion: "0.3.0"\ngenre: fantasy\nlayer: regional\n'
    "license: {type: cc-by, publisher: A stranger}\n",
    "npcs/greta.md": "---\nentity_id: greta\ntitle: Greta Vole\ntype: npc\nentity_refs: [old_mill]\n---\n\n"
    "# Greta Vole\n\nA miller with one arm and a long memory.\n\n## Knows\n\n- Who poisoned the race in the wet year.\n\n"
    "## Withholds\n\n- That she poured it in herself.\n",
    "locations/old_mill.md": "---\nid: old_mill\ntype: location\nname: The Old Mill\ntags: [ruin]\n---\n\n"
    "# The Old Mill\n\nA wheel that turns without water.\n\n## Ownership\n\nThe mill belongs to Greta Vole.\n",
}
VAULT = {
    "Harbour.md": "# Harbour\n\nThe ferry leaves at dusk with [[Old Tom]] at the oar.\n\n## Fees\n\nTwo pence and a song.\n",
    "People/Old Tom.md": "# Old Tom\n\nThe ferryman is blind and never misses the landing.\n",
}


def write(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        place = folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")
    return folder


def test_the_owner_of_the_neon_dragon_is_found_first(home: Home) -> None:
    found = home.json("pack", "search", "who owns the Neon Dragon")
    first = found["chunks"][0]
    assert first["metadata"]["file_path"] == "locations/neon_dragon.md"
    assert first["metadata"]["section_path"] == "The Neon Dragon > Ownership"
    assert (first["pack_id"], first["source"]) == ("neo_seattle", "authored")
    assert {"chunk_id", "text", "relevance_score"} <= first.keys()
    assert found["total_tokens"] > 0 and found["query_time_ms"] >= 0
    assert any("words alone" in note for note in found["notes"])


def test_a_strangers_pack_is_validated_installed_searched_and_removed(home: Home) -> None:
    folder = str(write(home.path / "theirs", STRANGER))
    checked = home.json("pack", "validate", folder)
    assert checked["ok"] and not checked["errors"]
    assert {w["file"] for w in checked["warnings"]} == {"npcs/greta.md"} and checked["warnings"][0][
        "line"
    ] == 2
    done = home.json("pack", "install", folder)
    assert (done["id"], done["version"]) == ("mill_town", "0.3.0")
    assert done["chunks"] >= 4 and done["tokens"] > 0 and done["seconds"] >= 0
    listed = {row["id"]: row for row in home.json("pack", "list")["packs"]}
    assert (
        listed["mill_town"]["chunks"] == done["chunks"]
        and listed["mill_town"]["license"]["type"] == "cc-by"
    )
    assert {"neo_seattle", "saltmarch", "lantern_core"} < listed.keys()
    first = home.json("pack", "search", "whom does the old mill belong to", "--pack", "mill_town")[
        "chunks"
    ][0]
    assert first["metadata"]["section_path"] == "The Old Mill > Ownership"
    assert home.json("pack", "info", "mill_town")["packs"][0]["entries"] == 2
    again = home.json("pack", "reindex", "mill_town")
    assert (again["chunks"], again["tokens"]) == (done["chunks"], done["tokens"])
    gone = home.json("pack", "remove", "mill_town")
    assert (gone["id"], gone["version"], gone["chunks"]) == ("mill_town", "0.3.0", done["chunks"])
    assert not any(
        c["pack_id"] == "mill_town" for c in home.json("pack", "search", "Greta Vole")["chunks"]
    )


def test_each_viewer_is_given_what_he_may_know(home: Home) -> None:
    home.json("pack", "install", str(write(home.path / "theirs", STRANGER)))
    texts = {
        who: str(
            home.json(
                "pack", "search", "poisoned the race herself", "--pack", "mill_town", "--as", who
            )["chunks"]
        )
        for who in ("gm", "player", "npc:greta", "npc:somebody")
    }
    assert "poured it in herself" in texts["gm"] and "poured it in herself" in texts["npc:greta"]
    assert "poured" not in texts["player"] and "poured" not in texts["npc:somebody"]


def test_filters_narrow_what_is_found(home: Home) -> None:
    home.json("pack", "install", str(write(home.path / "theirs", STRANGER)))
    by_type = home.json(
        "pack", "search", "one-armed miller", "--type", "npc", "--pack", "mill_town"
    )["chunks"]
    assert by_type and {c["metadata"]["type"] for c in by_type} == {"npc"}
    by_tag = home.json("pack", "search", "mill", "--tag", "ruin")["chunks"]
    assert by_tag and {c["metadata"]["name"] for c in by_tag} == {"The Old Mill"}
    two = home.json("pack", "search", "the", "--entity", "greta", "--k", "2", "--max-tokens", "60")
    assert len(two["chunks"]) <= 2 and two["total_tokens"] <= 60


def test_a_plain_vault_is_validated_installed_and_searched(home: Home) -> None:
    folder = write(home.path / "My Notes", VAULT)
    assert home.json("pack", "validate", str(folder))["ok"]
    done = home.json("pack", "install", str(folder))
    assert done["kind"] == "vault" and done["entries"] == 2
    first = home.json("pack", "search", "what does the ferry cost", "--pack", done["id"])["chunks"][
        0
    ]
    assert "Two pence" in first["text"] or "ferry" in first["text"]


def test_import_finds_by_content_what_it_is_given(home: Home) -> None:
    vault = home.json("import", str(write(home.path / "Notes", VAULT)))
    assert vault["kind"] == "vault" and vault["counts"]["entries"] == 2
    book = home.path / "book.json"
    entry = {
        "uid": 0,
        "key": ["Sarn"],
        "content": "Sarn is a city of glass ovens.",
        "comment": "Sarn",
    }
    book.write_text(json.dumps({"name": "Glass", "entries": {"0": entry}}), encoding="utf-8")
    made = home.json("import", str(book))
    assert made["kind"] == "lorebook" and made["counts"]["chunks"] >= 1
    assert (
        "glass ovens"
        in home.json("pack", "search", "city of ovens", "--pack", made["id"])["chunks"][0]["text"]
    )


def test_a_new_pack_is_valid_and_an_imported_one_can_be_looked_over(home: Home) -> None:
    made = home.json("pack", "new", "my_world", "--name", "My World")
    assert Path(made["path"]) == home.path / "my_world"
    assert home.json("pack", "validate", made["path"])["ok"]
    written = home.json("pack", "import", str(write(home.path / "Notes", VAULT)), "--id", "coast")
    assert written["id"] == "coast" and (Path(home.path) / "coast" / "pack.yaml").is_file()
    assert home.json("pack", "install", str(home.path / "coast"))["id"] == "coast"


def test_a_broken_pack_fails_with_file_line_and_fix(home: Home) -> None:
    broken = {**STRANGER, "npcs/bad.md": "---\nid: [oh\n---\n\n# Bad\n\nText.\n"}
    ran = home.run("--json", "pack", "validate", str(write(home.path / "theirs", broken)))
    assert ran.code == 1
    (error,) = json.loads(ran.out)["errors"]
    assert error["file"] == "npcs/bad.md" and error["line"] >= 1 and error["message"]


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (["pack", "search", "x", "--pack", "neo_seatle"], "neo_seattle"),
        (["pack", "search", "x", "--corpus", "history"], "--campaign"),
        (["pack", "search", "x", "--as", "king"], "npc:ID"),
        (["pack", "search", "x", "--campaign", "nowhere"], "nowhere"),
        (["pack", "install", "no/such/folder"], "no/such/folder"),
        (["pack", "remove", "neo_seattle"], "came with the program"),
        (["pack", "reindex", "nope"], "no pack is called nope"),
        (["pack", "new", "x", "--layer", "roof"], "homebrew"),
        (["session", "end", "nowhere"], "nowhere"),
        (["diverged", "nowhere"], "nowhere"),
    ],
)
def test_a_mistake_is_answered_with_one_sentence_and_the_fix(
    home: Home, args: list[str], says: str
) -> None:
    ran = home.run(*args)
    assert (
        ran.code == 1
        and says in ran.err
        and "Traceback" not in ran.err
        and "mistake in the program" not in ran.err
    )


def test_sessions_are_kept_from_the_command_line(home: Home) -> None:
    home.begin()
    opened = home.json("session", "start", "a")
    assert (opened["id"], opened["turn_range_start"], opened["ended_at"]) == ("session_1", 1, None)
    home.json("turn", "a", "go to the yard")
    ended = home.json("session", "end", "a")
    assert ended["turn_range_end"] == 1 and ended["summary"] and ended["world_events_pending"] == []
    assert [night["id"] for night in home.json("session", "list", "a")["sessions"]] == ["session_1"]
    told = home.json("session", "recap", "a")
    assert told["recap"] and told["id"] == "session_1" and "[t1]" in told["recap"]
    assert "turns 1 to 1" in home.run("session", "list", "a").out


def test_play_opens_a_session_and_tells_what_happened_before(home: Home) -> None:
    home.begin()
    first = home.run("play", "--campaign", "a", "--plain", typed="go to the yard\n")
    assert first.code == 0 and "Previously" not in first.out
    assert [night["ended_at"] for night in home.json("session", "list", "a")["sessions"]] == [None]
    second = home.run("play", "--campaign", "a", "--plain", typed="/recap\n")
    assert "Previously" in second.out.partition("> /recap")[0]
    assert "Previously" in second.out.partition("> /recap")[2] and "[t1]" in second.out
    assert len(home.json("session", "list", "a")["sessions"]) == 1
