"""The shelf: versions side by side, and locks that keep old campaigns as they were."""

from concurrent.futures import ThreadPoolExecutor
from itertools import permutations
from pathlib import Path

import pytest
from pack_folders import entry, manifest, mill, write

from freeform.core.errors import BadFile, NotFound, UserError
from freeform.packs.lock import Lock, read_lock, write_lock
from freeform.packs.model import Dependency
from freeform.packs.overlay import overlay
from freeform.packs.resolve import resolve
from freeform.packs.shelf import PackShelf


@pytest.fixture
def shelf(tmp_path: Path) -> PackShelf:
    bundled = write(
        tmp_path / "bundled",
        {"core/pack.yaml": manifest("core", layer="core"), "core/a.md": entry("inn")},
    )
    return PackShelf(tmp_path / "home", bundled)


def version_of_mill(tmp_path: Path, version: str, text: str = "Words.") -> Path:
    return write(
        tmp_path / f"mill-{version}",
        {"pack.yaml": manifest(version=version), "locations/a.md": entry("a", body=text)},
    )


def begin(shelf: PackShelf, campaign: str, pack_id: str) -> Lock:
    lock = shelf.hold(resolve([Dependency(id=pack_id)], shelf.packs()))
    write_lock(shelf.lock_path(campaign), lock)
    return lock


def test_a_pack_is_installed_listed_and_found(shelf: PackShelf, tmp_path: Path) -> None:
    done = shelf.install(mill(tmp_path))
    assert (done.id, done.version, done.entries, done.errors) == ("mill", "1.0.0", 2, [])
    assert Path(done.path) == tmp_path / "home" / "packs" / "mill" / "1.0.0"
    assert [(s.manifest.id, s.origin) for s in shelf.packs()] == [
        ("core", "bundled"),
        ("mill", "installed"),
    ]
    assert shelf.find("mill", "^1.0").manifest.id == "mill"
    assert shelf.load(shelf.find("mill")).entry("miller") is not None
    with pytest.raises(NotFound, match="did you mean mill"):
        shelf.find("mil")
    with pytest.raises(NotFound, match=r"mill \^2 is not at hand, only 1\.0\.0"):
        shelf.find("mill", "^2")


def test_versions_stand_side_by_side_and_the_newest_is_found(
    shelf: PackShelf, tmp_path: Path
) -> None:
    for version in ("1.9.0", "1.10.0", "2.0.0-beta"):
        shelf.install(version_of_mill(tmp_path, version))
    assert shelf.find("mill").manifest.version == "1.10.0"
    assert [s.manifest.version for s in shelf.packs() if s.manifest.id == "mill"] == [
        "2.0.0-beta",
        "1.10.0",
        "1.9.0",
    ]


def test_the_same_again_is_no_error_and_other_content_under_one_version_is_refused(
    shelf: PackShelf, tmp_path: Path
) -> None:
    path = version_of_mill(tmp_path, "1.0.0")
    shelf.install(path)
    assert shelf.install(path).already
    write(path, {"locations/a.md": entry("a", body="Other words.")})
    with pytest.raises(
        UserError, match="already on the shelf with other content; give it a new version"
    ):
        shelf.install(path)


def test_what_does_not_read_is_left_out_and_named_and_the_rest_installed(
    shelf: PackShelf, tmp_path: Path
) -> None:
    path = mill(tmp_path, npcs__bad_md="---\nid: [\n---\n")
    write(tmp_path, {"secret.txt": "secret"})
    (path / "npcs" / "out.md").symlink_to(tmp_path / "secret.txt")
    done = shelf.install(path)
    assert done.entries == 2 and {p.file for p in done.errors} == {"npcs/bad.md", "npcs/out.md"}
    assert not (Path(done.path) / "npcs" / "out.md").exists(), "a link out is not copied"
    with pytest.raises(UserError, match="was not installed"):
        PackShelf(tmp_path / "strict").install(path, strict=True)


def test_a_pack_without_anything_readable_is_refused(shelf: PackShelf, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="pack validate"):
        shelf.install(write(tmp_path / "x", {"pack.yaml": manifest()}))
    with pytest.raises(BadFile):
        shelf.install(tmp_path / "nowhere")
    assert not (tmp_path / "home" / "packs").exists(), "nothing is left behind"


def test_a_home_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    write(tmp_path, {"home/packs": "a file where a folder should be"})
    with pytest.raises(UserError, match="could not be copied.*--home"):
        PackShelf(tmp_path / "home").install(mill(tmp_path))
    assert [path.name for path in (tmp_path / "home").iterdir()] == ["packs"]


def test_a_campaign_keeps_its_version_when_the_pack_is_upgraded(
    shelf: PackShelf, tmp_path: Path
) -> None:
    shelf.install(version_of_mill(tmp_path, "1.0.0", "The old words."))
    lock = begin(shelf, "tuesday", "mill")
    shelf.install(version_of_mill(tmp_path, "1.1.0", "The new words."))
    again = read_lock(shelf.lock_path("tuesday"))
    assert again == lock
    (held,) = shelf.open_locked(lock)
    assert shelf.load(held).entries[0].sections[0].text == "The old words."
    assert resolve([Dependency(id="mill")], shelf.packs(), lock)[0].manifest.version == "1.0.0"
    assert begin(shelf, "friday", "mill").packs["mill"].version == "1.1.0"


def test_a_bundled_pack_is_kept_when_a_new_release_brings_another(
    shelf: PackShelf, tmp_path: Path
) -> None:
    lock = begin(shelf, "tuesday", "core")
    write(
        tmp_path / "bundled", {"core/a.md": entry("inn", body="Rewritten under the same version.")}
    )
    second = begin(shelf, "friday", "core")
    write(tmp_path / "bundled", {"core/pack.yaml": manifest("core", "2.0.0", layer="core")})
    texts = [
        shelf.load(shelf.open_locked(each)[0]).entries[0].sections[0].text
        for each in (lock, second)
    ]
    assert texts == ["Some words.", "Rewritten under the same version."]
    assert shelf.find("core").manifest.version == "2.0.0"


def test_a_pack_that_a_campaign_needs_is_not_removed_unless_forced(
    shelf: PackShelf, tmp_path: Path
) -> None:
    shelf.install(version_of_mill(tmp_path, "1.0.0"))
    lock = begin(shelf, "tuesday", "mill")
    shelf.install(version_of_mill(tmp_path, "2.0.0"))
    with pytest.raises(UserError, match="mill is needed by the campaigns tuesday; .*--force"):
        shelf.remove("mill")
    assert shelf.remove("mill", "2.0.0").versions == ["2.0.0"], "another version may go"
    assert shelf.remove("mill", force=True).versions == ["1.0.0"]
    with pytest.raises(
        UserError, match=r"begun with mill 1\.0\.0, which is gone from the shelf; install"
    ):
        shelf.open_locked(lock)


def test_what_came_with_the_program_cannot_be_removed_nor_what_is_not_there(
    shelf: PackShelf,
) -> None:
    with pytest.raises(UserError, match="came with the program"):
        shelf.remove("core")
    with pytest.raises(NotFound, match="no pack is called nothing"):
        shelf.remove("nothing")


def test_a_pack_changed_on_the_shelf_is_noticed(shelf: PackShelf, tmp_path: Path) -> None:
    done = shelf.install(version_of_mill(tmp_path, "1.0.0"))
    lock = begin(shelf, "tuesday", "mill")
    write(Path(done.path), {"locations/a.md": entry("a", body="Meddled with.")})
    with pytest.raises(UserError, match="was changed on the shelf; install the original"):
        shelf.open_locked(lock)


def test_a_damaged_lock_is_named(shelf: PackShelf) -> None:
    path = write(shelf.lock_path("tuesday").parent, {"packs.lock": "{half"}) / "packs.lock"
    with pytest.raises(BadFile, match="restore it from a backup"):
        read_lock(path)
    assert read_lock(path.parent / "none") is None


def test_packs_may_be_installed_in_any_order(tmp_path: Path) -> None:
    folders = [
        mill(tmp_path),
        write(tmp_path / "b", {"pack.yaml": manifest("port", layer="regional", depends="[{id: mill}]"),
                               "x.md": entry("old_mill", head="extends: true\n", body="## Sea\n\nSalt.")}),
        write(tmp_path / "c", {"pack.yaml": manifest("home", layer="homebrew", depends="[{id: port}]"),
                               "x.md": entry("m", head="overrides: mill:old_mill\n", body="Gone.")}),
    ]  # fmt: skip
    worlds = []
    for number, order in enumerate(permutations(folders)):
        shelf = PackShelf(tmp_path / f"home{number}")
        for folder in order:
            shelf.install(folder)
        packs = resolve([Dependency(id="home")], shelf.packs())
        worlds.append(overlay([shelf.load(each) for each in packs]))
    assert all(world == worlds[0] for world in worlds)
    merged = worlds[0].entry("mill:old_mill")
    assert merged is not None and [source.pack_id for source in merged.sources] == [
        "mill",
        "port",
        "home",
    ]


def test_what_an_interrupted_install_left_behind_is_not_a_pack(
    shelf: PackShelf, tmp_path: Path
) -> None:
    write(
        shelf.folder / "mill" / ".new-abc", {"pack.yaml": manifest(), "locations/a.md": entry("a")}
    )
    assert [s.manifest.id for s in shelf.packs()] == ["core"]
    assert shelf.install(mill(tmp_path)).entries == 2


def test_two_installs_of_the_same_pack_at_once_both_succeed(
    shelf: PackShelf, tmp_path: Path
) -> None:
    path = mill(tmp_path)
    with ThreadPoolExecutor(4) as threads:
        done = list(threads.map(lambda _: shelf.install(path), range(4)))
    assert {each.path for each in done} == {str(shelf.folder / "mill" / "1.0.0")}
    assert [p.name for p in (shelf.folder / "mill").iterdir()] == ["1.0.0"]
