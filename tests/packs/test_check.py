"""`pack validate`: file, line, reason and fix."""

from pathlib import Path

import pytest
from pack_folders import entry, manifest, mill, write

from freeform.packs.folder.check import MAX_ENTRY_TOKENS, validate_pack


def errors(path: Path) -> str:
    return "\n".join(map(str, validate_pack(path).errors))


def warnings(path: Path) -> str:
    return "\n".join(map(str, validate_pack(path).warnings))


def test_dead_references_are_found_in_frontmatter_and_prose(tmp_path: Path) -> None:
    head = "related_entities:\n  - miller\n  - mlller\n"
    body = "Near [[old_mill]], [[mill:miller]] and [[Old Berrin]].\n\nBut [[the_duke|a duke]] is `[[code]]`."
    found = errors(mill(tmp_path, items__x_md=entry("x", "item", head, body))).split("\n")
    assert found == [
        "items/x.md:6: `related_entities` leads to `mlller`, which does not exist; did you mean `miller`?",
        "items/x.md:13: the link leads to `the_duke`, which does not exist; write that entry, or remove the reference",
    ]


def test_threads_and_the_player_are_not_entries_and_so_never_dead(tmp_path: Path) -> None:
    head = "related_entities: [player]\nrelated_threads: [main_case]\n"
    assert validate_pack(mill(tmp_path, items__x_md=entry("x", "item", head))).ok


def test_references_to_another_pack_are_checked_when_it_is_at_hand(tmp_path: Path) -> None:
    path = mill(
        tmp_path,
        items__x_md=entry("x", "item", "related_entities: [core:smith, core:smyth]\n", "[[anvil]]"),
    )
    write(path, {"pack.yaml": manifest(depends="[{id: core, version: '>=1'}]")})
    assert "could not be checked; install `core`" in warnings(
        path
    ) and "`core` is not at hand" in warnings(path)
    assert "anvil" in errors(path)
    smith, anvil = entry("smith", "npc"), entry("anvil", "item")
    write(
        tmp_path / "core",
        {"pack.yaml": manifest("core", layer="core"), "a.md": smith, "b.md": anvil},
    )
    assert errors(path).split("\n") == [
        "items/x.md:4: `related_entities` leads to `core:smyth`, which does not exist; did you mean `smith`?",
        "items/x.md:9: the link `anvil` is in the pack `core`; write `core:anvil`",
    ]
    assert warnings(path) == ""


def test_a_pack_named_without_being_depended_on_is_warned_about(tmp_path: Path) -> None:
    path = mill(tmp_path, items__x_md=entry("x", "item", body="[[core:smith]]"))
    assert "items/x.md:8: the link names the pack `core`" in warnings(
        path
    ) and "`depends_on`" in warnings(path)


def test_a_missing_licence_is_named(tmp_path: Path) -> None:
    path = mill(tmp_path)
    write(path, {"pack.yaml": "id: mill\nname: Mill\nversion: 1.0.0\nlayer: setting\n"})
    assert "pack.yaml: no licence" in warnings(path)
    write(
        path,
        {"pack.yaml": "id: mill\nname: Mill\nversion: 1.0.0\nlayer: setting\nlicense: {sku: X}\n"},
    )
    assert "pack.yaml:5: `license` has no `type`" in errors(path)


def test_oversized_and_empty_entries_are_named(tmp_path: Path) -> None:
    body = "many words here " * MAX_ENTRY_TOKENS
    path = mill(
        tmp_path, items__x_md=entry("x", "item", body=body), items__y_md=entry("y", "item", body="")
    )
    assert "items/x.md: the entry has about" in warnings(path) and "split it" in warnings(path)
    assert "items/y.md: the entry says nothing" in errors(path)


def test_an_unknown_type_is_named_with_the_eight(tmp_path: Path) -> None:
    found = errors(mill(tmp_path, items__x_md=entry("x", "gizmo")))
    assert "items/x.md:3: the type `gizmo` is unknown; use one of location, npc" in found


def test_provides_must_match(tmp_path: Path) -> None:
    path = mill(tmp_path)
    said = "provides: {locations: 1, npcs: 3, entries: ~2, chunks: ~2400, gizmos: 1}\n"
    write(path, {"pack.yaml": manifest() + said})
    assert warnings(path).split("\n") == [
        "pack.yaml:7: `provides: npcs` says 3, the pack has 1; write 1",
        (
            "pack.yaml:7: `provides: gizmos` counts nothing we know; use locations, npcs, factions, culture, history, "
            "technology, items, events"
        ),
    ]


def test_a_faction_that_is_none_and_an_unknown_key_are_warned_about(tmp_path: Path) -> None:
    path = mill(tmp_path, items__x_md=entry("x", "item", "related_factions: [miller]\n"))
    write(path, {"pack.yaml": manifest() + "lisence: x\n"})
    assert "(npc); move it to `related_entities`" in warnings(path)
    assert "pack.yaml:7: `lisence` is no field of a manifest; did you mean `license`?" in warnings(
        path
    )


def test_layers_and_versions_of_dependencies_are_checked(tmp_path: Path) -> None:
    path = mill(tmp_path)
    write(
        path,
        {"pack.yaml": manifest(layer="core", depends="[{id: base, version: ^2.0}, {id: mill}]")},
    )
    write(tmp_path / "base", {"pack.yaml": manifest("base"), "a.md": entry("a")})
    assert "pack.yaml:7: needs base ^2.0, at hand is 1.0.0" in errors(path)
    assert "the pack depends on itself" in errors(path)
    assert "the wrong way round" in warnings(path)


@pytest.mark.parametrize(
    ("head", "words"),
    [
        ("extends: old_mill\n", "needs a pack below"),
        ("overrides: mill:old_mill\n", "names this very pack"),
    ],
)
def test_an_overlay_must_lead_to_a_pack_below(head: str, words: str, tmp_path: Path) -> None:
    found = errors(mill(tmp_path, items__x_md=entry("x", "item", head)))
    assert found.startswith("items/x.md:4:") and words in found


def test_a_pack_without_entries_is_not_ok(tmp_path: Path) -> None:
    write(tmp_path, {"pack.yaml": manifest()})
    assert "the pack has no entry" in errors(tmp_path)
