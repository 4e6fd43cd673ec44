"""Writing packs: only our frontmatter, whole or not at all, and the same again when read back."""

import shutil
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pack_folders import mill, write

from freeform.core.errors import UserError
from freeform.packs.folder.build import PackBuilder
from freeform.packs.folder.check import validate_pack
from freeform.packs.folder.load import load_pack
from freeform.packs.folder.new import scaffold_pack
from freeform.packs.model import (
    TYPES,
    ContentPackManifest,
    Dependency,
    Entry,
    License,
    Pack,
    Section,
)


def manifest(**fields: object) -> ContentPackManifest:
    told: dict[str, object] = {
        "id": "book",
        "name": "Book",
        "version": "1.0.0",
        "license": License(type="cc-by"),
    }
    return ContentPackManifest.model_validate({**told, **fields})


def content(pack: Pack) -> tuple[ContentPackManifest, list[Entry]]:
    """A pack without where it lies and on which line: what an author would call the same."""
    bare = [
        e.model_copy(update={"sections": [s.model_copy(update={"line": 0}) for s in e.sections]})
        for e in pack.entries
    ]
    return pack.manifest, sorted(bare, key=lambda e: e.id)


printable = st.characters(blacklist_categories=("Cs",), blacklist_characters="\r\0")
texts = st.text(printable, max_size=60)
names = st.text(st.characters(whitelist_categories=("L", "N", "P", "Zs")), min_size=1, max_size=20)
ids = st.from_regex(r"[a-z][a-z0-9_]{0,10}", fullmatch=True)
plain = st.one_of(
    st.booleans(), st.integers(-(10**9), 10**9), texts, st.none(), st.floats(-1e6, 1e6)
)
extras = st.dictionaries(names.filter(str.strip), st.one_of(plain, st.lists(plain, max_size=3), st.dictionaries(ids, plain, max_size=2)), max_size=3)  # fmt: skip
markdown = st.lists(
    st.one_of(texts, st.sampled_from(["# One", "## Two ##", "### GM: three", "```", "~~~ x", "---", "  # odd", "# #", "[[a|b]]", ""])),
    max_size=8,
).map("\n".join)  # fmt: skip
headings = st.one_of(
    names, st.sampled_from(["", " ", "#", "[[a]]", "a, b", "x" * 1200, "GM", "yes"])
)
sections = st.builds(
    Section,
    path=st.just(""),
    level=st.integers(0, 7),
    heading=headings,
    text=texts,
    gm_only=st.booleans(),
)
entries = st.fixed_dictionaries(
    {
        "kind": st.sampled_from(TYPES),
        "name": names,
        "aliases": st.lists(names.filter(lambda n: n.strip() == n and "," not in n and "[" not in n), max_size=2, unique=True),
        # A reference by name is read as the id of that entry, so these are no one's name.
        "related_entities": st.lists(ids.map("someone_else_{}".format), max_size=2, unique=True),
        "gm_only": st.booleans(),
        "extra": extras,
    }
)  # fmt: skip


class Folder:
    """A folder that goes away, for many examples in one test."""

    def __enter__(self) -> Path:
        self.path = Path(tempfile.mkdtemp())
        return self.path

    def __exit__(self, *_: object) -> None:
        shutil.rmtree(self.path)


@settings(deadline=None, max_examples=40)
@given(st.dictionaries(ids, st.tuples(entries, markdown), min_size=1, max_size=3))
def test_loading_building_and_loading_again_is_the_identity(
    parts: dict[str, tuple[dict[str, object], str]],
) -> None:
    with Folder() as folder:
        builder = PackBuilder(manifest())
        for local_id, (fields, body) in parts.items():
            told = dict(fields)
            builder.add(local_id, told.pop("kind"), str(told.pop("name")), body=body, **told)  # type: ignore[arg-type]
        first = builder.build(folder / "book")
        assert [p for p in first.errors if "YAML" in p.message] == []
        assert len(first.entries) == len(parts)
        second = PackBuilder.of(first).build(folder / "again")
        assert content(second) == content(first)
        assert PackBuilder.of(second).build(folder / "third").digest == second.digest


@settings(deadline=None, max_examples=40)
@given(entries, st.lists(sections, max_size=5))
def test_a_builder_promises_only_what_a_file_can_hold(
    fields: dict[str, object], parts: list[Section]
) -> None:
    with Folder() as folder:
        builder = PackBuilder(manifest())
        told = dict(fields)
        promised = builder.add("x", told.pop("kind"), str(told.pop("name")), sections=parts, **told)  # type: ignore[arg-type]
        for number, part in enumerate(parts):
            builder.add_section("x", part.heading, part.text, level=number, gm_only=part.gm_only)
        (read,) = builder.build(folder / "book").entries
        (held,) = builder.entries
        assert read.model_copy(update={"sections": []}) == held.model_copy(update={"sections": []})
        assert [s.model_copy(update={"line": 0}) for s in read.sections] == [
            s.model_copy(update={"line": 0}) for s in held.sections
        ]
        assert promised.extra == read.extra


@given(st.lists(sections, min_size=1, max_size=4))
def test_what_was_given_as_secret_is_never_read_back_as_open(parts: list[Section]) -> None:
    builder = PackBuilder(manifest())
    secret = [
        part.model_copy(update={"text": f"SECRET {part.text}"}) for part in parts if part.gm_only
    ]
    open_ = [part for part in parts if not part.gm_only]
    built = builder.add("x", "npc", "X", sections=[*open_, *secret])
    assert [s for s in built.sections if "SECRET" in s.text and not s.gm_only] == []


def test_only_our_names_are_written(tmp_path: Path) -> None:
    text = "---\nentity_id: tower\ntitle: The Tower\ncategory: Places\nkeywords: a, b\nmood: dark\n---\nA tower.\n"
    pack = load_pack(mill(tmp_path, locations__tower_md=text))
    built = PackBuilder.of(pack).build(tmp_path / "clean")
    written = (tmp_path / "clean" / "locations" / "tower.md").read_text()
    assert (
        written
        == "---\nid: tower\ntype: location\nname: The Tower\ntags: [a, b]\nmood: dark\n---\n\nA tower.\n"
    )
    assert built.warnings == [] and content(built)[1] == content(pack)[1]


def test_a_foreign_field_that_bears_one_of_our_names_survives_under_extra(tmp_path: Path) -> None:
    builder = PackBuilder(manifest())
    builder.add(
        "x", "item", "X", body="Words.", extra={"title": "Sir", "id": 7, "lorebook": {"order": 100}}
    )
    pack = builder.build(tmp_path / "book")
    assert pack.entries[0].extra == {"title": "Sir", "id": 7, "lorebook": {"order": 100}}
    assert pack.warnings == []


def test_the_manifest_is_written_and_counted(tmp_path: Path) -> None:
    told = manifest(
        depends_on=[Dependency(id="core", version="^1.0")], tags=["sea"], extra={"mood": {"a": 1}}
    )
    builder = PackBuilder(told)
    builder.add("x", "item", "X", body="Words.")
    built = builder.build(tmp_path / "book").manifest
    assert built == told.model_copy(update={"provides": {"items": 1}})


def test_prose_cannot_turn_into_structure() -> None:
    builder = PackBuilder(manifest())
    builder.add(
        "x",
        "item",
        "X",
        sections=[Section(path="", level=2, heading="Rule #", text="# not a heading\n```\nopen")],
    )
    builder.add_section("x", "Next", "More.")
    assert [(s.heading, s.level) for s in builder.entries[0].sections] == [
        ("X", 1),
        ("Rule", 2),
        ("Next", 2),
    ]


def test_a_full_folder_is_not_overwritten_and_a_failed_build_leaves_nothing(tmp_path: Path) -> None:
    builder = PackBuilder(manifest())
    builder.add("x", "item", "X", body="Words.")
    write(tmp_path / "book", {"mine.txt": "keep me"})
    with pytest.raises(UserError, match="exists already"):
        builder.build(tmp_path / "book")
    builder.build(tmp_path / "book", replace=True)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["book"]
    with pytest.raises(UserError, match="could not be written"):
        builder.build(tmp_path / "book" / "pack.yaml" / "below")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["book"]


@pytest.mark.parametrize(
    ("give", "words"),
    [
        ({"local_id": "Bad Id"}, "use `bad_id`"),
        ({"local_id": "taken"}, "use `taken_2`"),
        ({"local_id": "x", "file_path": "../out.md"}, "leaves the pack's folder"),
        ({"local_id": "x", "extra": {"deep": "x" * 300_000}}, "make `extra` smaller"),
    ],
)
def test_what_cannot_be_an_entry_is_refused_with_the_fix(
    give: dict[str, object], words: str
) -> None:
    builder = PackBuilder(manifest())
    builder.add("taken", "item", "Taken", body="Words.")
    with pytest.raises(UserError, match=words.replace(".", r"\.")):
        builder.add(kind="item", name="X", **give)  # type: ignore[arg-type]


def test_two_entries_cannot_share_a_file(tmp_path: Path) -> None:
    builder = PackBuilder(manifest())
    builder.add("a", "item", "A", body="Words.", file_path="same.md")
    builder.add("b", "item", "B", body="Words.", file_path="same.md")
    with pytest.raises(UserError, match="two entries want the file"):
        builder.build(tmp_path / "book")


@pytest.mark.parametrize("pack_id", ["my_world", "x", "neo-seattle2"])
def test_a_new_pack_passes_without_a_warning(pack_id: str, tmp_path: Path) -> None:
    pack = scaffold_pack(tmp_path, pack_id)
    result = validate_pack(tmp_path / pack_id)
    assert (
        result.ok
        and result.warnings == []
        and pack.manifest.provides == {"locations": 1, "npcs": 1}
    )
    assert any(section.gm_only for each in pack.entries for section in each.sections)


def test_a_new_pack_needs_a_usable_id_and_a_free_place(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="try `my_world`"):
        scaffold_pack(tmp_path, "My World!")
    scaffold_pack(tmp_path, "x")
    with pytest.raises(UserError, match="exists already"):
        scaffold_pack(tmp_path, "x")
