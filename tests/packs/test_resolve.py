"""Which packs a campaign plays with, and how they lie over one another."""

from collections.abc import Sequence
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from freeform.core.errors import NotFound, UserError
from freeform.packs.folder.markdown import split_sections
from freeform.packs.folder.secrecy import Marks
from freeform.packs.lock import Lock, Locked
from freeform.packs.model import LAYERS, ContentPackManifest, Dependency, Entry, Layer, Pack
from freeform.packs.overlay import overlay
from freeform.packs.resolve import Shelved, resolve


def shelved(
    pack_id: str, version: str = "1.0.0", layer: Layer = "setting", **depends: str
) -> Shelved:
    needs = [Dependency(id=key, version=value) for key, value in depends.items()]
    manifest = ContentPackManifest(
        id=pack_id, name=pack_id, version=version, layer=layer, depends_on=needs
    )
    return Shelved(manifest=manifest, path="", origin="installed")


def chosen(wanted: str, at_hand: Sequence[Shelved], lock: Lock | None = None) -> str:
    needs = [
        Dependency(id=part.split("@")[0], version=part.split("@")[1]) for part in wanted.split()
    ]
    found = resolve(needs, at_hand, lock)
    return " ".join(f"{each.manifest.id}@{each.manifest.version}" for each in found)


def test_dependencies_come_along_and_lower_layers_first() -> None:
    shelf = [
        shelved("home", layer="homebrew", city="*"),
        shelved("city", layer="setting", rules="^1.0"),
        shelved("rules", "1.4.0", layer="core"),
        shelved("rules", "2.0.0", layer="core"),
        shelved("alley", layer="setting", city="*"),
        shelved("unused"),
    ]
    assert chosen("home@* alley@*", shelf) == "rules@1.4.0 city@1.0.0 alley@1.0.0 home@1.0.0"


def test_an_older_version_is_taken_where_the_newest_does_not_fit_the_rest() -> None:
    shelf = [
        shelved("a", "2.0.0", b="^2"),
        shelved("a", "1.0.0", b="^1"),
        shelved("b", "1.5.0"),
        shelved("c", b="^1"),
    ]
    assert chosen("a@* c@*", shelf) == "b@1.5.0 a@1.0.0 c@1.0.0"


def test_a_lock_keeps_the_version_although_a_newer_one_is_there() -> None:
    shelf = [shelved("a", "1.0.0"), shelved("a", "1.1.0")]
    assert chosen("a@*", shelf) == "a@1.1.0"
    assert chosen("a@*", shelf, Lock(packs={"a": Locked(version="1.0.0", digest="x")})) == "a@1.0.0"


def test_a_missing_dependency_is_named_with_who_wants_it() -> None:
    with pytest.raises(
        NotFound, match=r"a 1\.0\.0 needs b \^2, which is not installed.*pack install"
    ):
        chosen("a@*", [shelved("a", b="^2")])
    with pytest.raises(NotFound, match=r"the campaign needs a \^2, but at hand is only 1\.0\.0"):
        chosen("a@^2", [shelved("a")])


def test_a_version_conflict_names_both_sides_and_what_there_is() -> None:
    shelf = [
        shelved("a", c="^1"),
        shelved("b", c="^2"),
        shelved("c", "1.0.0"),
        shelved("c", "2.0.0"),
    ]
    with pytest.raises(UserError) as wrong:
        chosen("a@* b@*", shelf)
    for words in (
        "no version of c suits all",
        "a 1.0.0 needs c ^1",
        "b 1.0.0 needs c ^2",
        "2.0.0, 1.0.0",
    ):
        assert words in str(wrong.value)


def test_a_cycle_is_drawn() -> None:
    shelf = [shelved("a", b="*"), shelved("b", c="*"), shelved("c", b="*")]
    with pytest.raises(UserError, match="in a circle: b → c → b; remove one"):
        chosen("a@*", shelf)


def test_tangled_ranges_end_with_a_word_instead_of_never() -> None:
    shelf = [
        shelved(f"p{n}", f"{v}.0.0", **{f"p{n + 1}": "*", "z": f"={v}"})
        for n in range(30)
        for v in range(1, 4)
    ]
    shelf += [shelved("p30"), shelved("z", "9.0.0")]
    with pytest.raises(UserError):
        chosen("p0@*", shelf)


# Overlay


def pack(
    pack_id: str,
    layer: Layer,
    entries: dict[str, tuple[str, str]],
    version: str = "1.0.0",
    **depends: str,
) -> Pack:
    """Entries as id -> (overlay such as `extends: core:inn`, body)."""
    made = []
    for local, (over, body) in entries.items():
        how, _, ref = over.partition(": ")
        fields = {how: ref} if how else {}
        made.append(
            Entry(
                id=f"{pack_id}:{local}",
                pack_id=pack_id,
                local_id=local,
                type="location",
                name=local.title(),
                file_path=f"{local}.md",
                sections=split_sections(body, local.title(), 5, Marks("location")),
                tags=[pack_id],
                **fields,
            )
        )
    manifest = shelved(pack_id, version, layer, **depends).manifest
    return Pack(manifest=manifest, entries=made, path="", digest="")


INN = "# Inn\n\nAn inn.\n\n## Food\n\nStew.\n\n### Price\n\nTwo coppers.\n\n## Beds\n\nStraw."


def test_an_extension_replaces_sections_of_the_same_heading_and_adds_the_rest_visibly() -> None:
    base = pack("core", "core", {"inn": ("", INN)})
    home = pack(
        "home",
        "homebrew",
        {"inn": ("extends: core:inn", "## Food\n\nPheasant.\n\n## Cellar\n\nWine.")},
    )
    world = overlay([home, base])
    inn = world.entry("core:inn")
    assert inn is not None and inn == world.entry("home:inn") and len(world.entries) == 1
    assert [(s.path, s.text, s.source) for s in inn.sections] == [
        ("Inn", "An inn.", "core:inn"),
        ("Inn > Food", "Pheasant.", "home:inn"),
        ("Inn > Beds", "Straw.", "core:inn"),
        ("Inn > Cellar", "Wine.", "home:inn"),
    ]
    assert [(s.id, s.how, s.version) for s in inn.sources] == [
        ("core:inn", "base", "1.0.0"),
        ("home:inn", "extends", "1.0.0"),
    ]
    assert inn.tags == ["core", "home"]


def test_an_extension_under_the_same_title_rewrites_the_introduction_and_under_another_adds_a_section() -> (
    None
):
    base = pack("core", "core", {"inn": ("", INN)})
    same = overlay(
        [base, pack("home", "homebrew", {"x": ("extends: core:inn", "# Inn\n\nA palace.")})]
    ).entry("core:inn")
    assert (
        same is not None
        and [s.text for s in same.sections][:2] == ["A palace.", "Stew."]
        and same.aliases == []
    )
    other = overlay(
        [
            base,
            pack(
                "home", "homebrew", {"feast": ("extends: core:inn", "# The Feast\n\nOnce a year.")}
            ),
        ]
    )
    inn = other.entry("core:inn")
    assert inn is not None and [(s.path, s.text) for s in inn.sections][::4] == [
        ("Inn", "An inn."),
        ("Inn > The Feast", "Once a year."),
    ]
    assert inn.aliases == ["Feast"]


def test_an_override_replaces_the_whole_entry_and_keeps_its_id() -> None:
    base = pack("core", "core", {"inn": ("", INN)})
    home = pack("home", "homebrew", {"ruin": ("overrides: core:inn", "# Ruin\n\nAsh.")})
    inn = overlay([base, home]).entry("core:inn")
    assert inn is not None and (inn.id, inn.name, [s.text for s in inn.sections]) == (
        "core:inn",
        "Ruin",
        ["Ash."],
    )
    assert [source.how for source in inn.sources] == ["base", "overrides"]


def test_the_same_local_id_is_enough_when_only_one_pack_below_has_it() -> None:
    base = pack("core", "core", {"inn": ("", INN)})
    home = pack("home", "homebrew", {"inn": ("extends: inn", "## Beds\n\nDown.")}, core="*")
    other = pack("port", "regional", {"inn": ("", "# Inn\n\nBy the sea.")})
    assert overlay([base, home]).aliases == {"home:inn": "core:inn"}
    assert overlay([base, home, other]).aliases == {"home:inn": "core:inn"}, (
        "the pack it depends on comes first"
    )
    lost = pack("home", "homebrew", {"inn": ("extends: inn", "## Beds\n\nDown.")})
    world = overlay([base, lost, other])
    assert world.aliases == {} and "core:inn or port:inn" in world.problems[0].message


def test_entries_of_one_name_in_two_packs_stay_two_without_a_word_of_extension() -> None:
    world = overlay(
        [pack("core", "core", {"inn": ("", INN)}), pack("home", "homebrew", {"inn": ("", INN)})]
    )
    assert [entry.id for entry in world.entries] == ["core:inn", "home:inn"]


def test_a_secret_stays_secret_under_an_extension() -> None:
    base = pack("core", "core", {"inn": ("", "# Inn\n\nAn inn.\n\n## Secrets\n\nPoison.")})
    home = pack(
        "home",
        "homebrew",
        {"inn": ("extends: core:inn", "## GM: More\n\nWorse.\n\n### Deep\n\nWorst.")},
    )
    inn = overlay([base, home]).entry("core:inn")
    assert inn is not None and [s.text for s in inn.sections if s.gm_only] == [
        "Poison.",
        "Worse.",
        "Worst.",
    ]


def test_an_overlay_of_nothing_stands_for_itself_and_says_so() -> None:
    world = overlay([pack("home", "homebrew", {"inn": ("extends: core:inn", "## Beds\n\nDown.")})])
    assert [entry.id for entry in world.entries] == ["home:inn"]
    assert world.problems[0].file == "home/inn.md"


words = st.text("abc", min_size=1, max_size=3)
bodies = st.lists(
    st.tuples(st.sampled_from(["Food", "Beds", "Cellar"]), words), min_size=1, max_size=3
).map(lambda parts: "\n\n".join(f"## {heading}\n\n{text}" for heading, text in parts))
overlays = st.lists(
    st.tuples(st.sampled_from(LAYERS[1:]), st.sampled_from(["extends", "overrides"]), bodies),
    min_size=1,
    max_size=4,
)


def stack(parts: Sequence[tuple[Layer, str, str]]) -> list[Pack]:
    packs = [pack("core", "core", {"inn": ("", INN)})]
    return packs + [
        pack(f"p{n}", layer, {"inn": (f"{how}: core:inn", body)})
        for n, (layer, how, body) in enumerate(parts)
    ]


@given(overlays)
def test_the_order_of_installation_does_not_matter(parts: list[tuple[Layer, str, str]]) -> None:
    packs = stack(parts)
    worlds = [overlay(order) for order in list(permutations(packs))[:: max(1, len(packs))]]
    assert all(world == worlds[0] for world in worlds)


@given(bodies, bodies)
def test_of_two_overrides_the_higher_layer_wins(low: str, high: str) -> None:
    both = overlay(stack([("setting", "overrides", low), ("homebrew", "overrides", high)])).entry(
        "core:inn"
    )
    one = overlay(stack([("homebrew", "overrides", high)])).entry("core:inn")
    assert both is not None and one is not None
    assert [s.text for s in both.sections] == [s.text for s in one.sections]
    assert len(both.sources) == 3


@given(bodies)
def test_extending_twice_with_the_same_text_says_it_once(body: str) -> None:
    once = overlay(stack([("setting", "extends", body)])).entry("core:inn")
    twice = overlay(stack([("setting", "extends", body), ("homebrew", "extends", body)])).entry(
        "core:inn"
    )
    assert once is not None and twice is not None
    assert [(s.path, s.text) for s in once.sections] == [(s.path, s.text) for s in twice.sections]


@given(overlays)
def test_every_section_of_a_merged_entry_comes_from_one_of_its_sources(
    parts: list[tuple[Layer, str, str]],
) -> None:
    inn = overlay(stack(parts)).entry("core:inn")
    assert inn is not None and len(inn.sources) == len(parts) + 1
    assert {s.source for s in inn.sections} <= {source.id for source in inn.sources}
