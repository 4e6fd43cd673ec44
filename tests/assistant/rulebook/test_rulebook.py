"""Asking the rules: the bundled digest in both editions, lists by criteria, levels, what players must not see."""

from pathlib import Path

import pytest

from freeform import wiring
from freeform.assistant.model import Wanted
from freeform.assistant.rulebook.catalogue import RowPart, RulebookRow, rows_of
from freeform.assistant.rulebook.criteria import fraction, read_criteria
from freeform.assistant.rulebook.source import RulebookSource, level_in
from freeform.packs.folder.load import load_pack
from freeform.retrieval.model import LoreRetrievalQuery, LoreRetrievalResult, Viewer
from freeform.settings import Settings
from freeform.wiring.sheets import rulebook


@pytest.fixture(scope="module")
def digest(tmp_path_factory: pytest.TempPathFactory) -> RulebookSource:
    return rulebook(wiring.books(Settings(home=tmp_path_factory.mktemp("home"))))


def wanted(
    query: str, intention: str = "rule_mechanics", edition: str = "", *pieces: str, limit: int = 6
) -> Wanted:
    return Wanted(
        tool="rulebook",
        intention=intention,
        query=query,
        edition=edition,
        pieces=list(pieces),
        limit=limit,
    )  # type: ignore[arg-type]


async def pieces_named(source: RulebookSource, name: str) -> list[str]:
    return [id for each in await source.names() if each.name == name for id in each.pieces]


async def test_grappling_is_told_for_each_edition(digest: RulebookSource) -> None:
    ids = await pieces_named(digest, "Grappling")
    for edition, words in (("5.1", "contested by"), ("5.2", "saving throw")):
        found = await digest.fetch(
            wanted("How does grappling work?", "rule_mechanics", edition, *ids)
        )
        assert (found[0].title, found[0].edition) == ("Grappling", edition)
        assert words in found[0].text and {p.edition for p in found} == {edition}


async def test_without_an_edition_both_are_given(digest: RulebookSource) -> None:
    ids = await pieces_named(digest, "Grappling")
    found = await digest.fetch(wanted("How does grappling work?", "rule_mechanics", "", *ids))
    assert {p.edition for p in found[:2]} == {"5.1", "5.2"}


async def test_every_name_of_the_digest_has_an_edition_and_pieces(digest: RulebookSource) -> None:
    names = await digest.names()
    assert len(names) >= 150
    assert [
        n.name
        for n in names
        if not n.edition or not n.pieces or not n.section.startswith("rulebook.")
    ] == []


def test_the_digest_carries_its_attribution_and_reads_without_a_warning(
    digest: RulebookSource,
) -> None:
    folder = Path(wiring.content_folder("packs")) / "rules_digest"
    pack = load_pack(folder)
    assert (pack.errors, pack.warnings) == ([], [])
    assert (
        pack.manifest.license
        and "System Reference Document 5.1" in pack.manifest.license.attribution
    )


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Which 3rd-level evocation spells can a wizard cast?", {"Fireball", "Lightning Bolt"}),
        ("cantrips that deal fire damage", {"Fire Bolt"}),
        ("spells with a bonus action casting time", {"Misty Step", "Spiritual Weapon"}),
        ("undead under challenge 1", {"Skeleton", "Zombie"}),
        ("monsters of cr 2 to 3", {"Ogre", "Griffon", "Owlbear"}),
        ("monsters immune to fire", {"Adult Red Dragon"}),
        ("legendary creatures", {"Adult Red Dragon"}),
        ("armor under 50 gp", {"Leather Armor", "Shield"}),
        ("martial weapons with finesse", {"Shortsword"}),
        ("uncommon magic items without attunement", {"Bag of Holding"}),
        ("ritual spells", {"Detect Magic"}),
    ],
)
async def test_lists_by_criteria_are_complete(
    digest: RulebookSource, question: str, names: set[str]
) -> None:
    found = await digest.fetch(wanted(question, "find_by_criteria", "5.1"))
    assert found[0].kind == "list" and set(found[0].data["names"]) == names


def test_a_question_without_a_kind_or_a_test_is_no_list() -> None:
    assert read_criteria("how does cover work") is None
    assert read_criteria("what spells are there") is None


async def test_the_level_asked_for_comes_first(digest: RulebookSource) -> None:
    ids = await pieces_named(digest, "Fighter")
    found = await digest.fetch(
        wanted("What does a fighter get at level 5?", "level_progression", "5.1", *ids)
    )
    assert "Extra Attack" in found[0].text


@pytest.mark.parametrize(
    ("text", "level"),
    [
        ("at level 5", 5),
        ("a 3rd-level wizard", 3),
        ("lvl 11 rogue", 11),
        ("5 orcs", None),
        ("how do I rest", None),
    ],
)
def test_a_level_is_heard(text: str, level: int | None) -> None:
    assert level_in(text) == level


def test_challenge_may_be_a_fraction() -> None:
    assert [fraction(t) for t in ("1/4", "2", "1/8")] == [0.25, 2.0, 0.125]


async def test_a_section_for_the_game_master_reaches_no_player() -> None:
    parts = [
        RowPart("Vault", "A door."),
        RowPart("Vault > GM: Trap", "The door bites.", gm_only=True),
    ]
    row = RulebookRow(
        id="p:vault",
        pack="p",
        name="Vault",
        kind="rule",
        edition="",
        file="rules/vault.md",
        parts=parts,
    )

    async def find(query: LoreRetrievalQuery, viewer: Viewer) -> LoreRetrievalResult:
        return LoreRetrievalResult()

    source = RulebookSource([row], find)
    asked = wanted("vault", "rule_mechanics", "", "rule:p:vault#0", "rule:p:vault#1")
    assert [p.text for p in await source.fetch(asked)] == ["A door."]
    gm = asked.model_copy(update={"viewer": "gm"})
    assert len(await source.fetch(gm)) == 2


async def test_a_fuller_book_takes_the_digests_place_in_its_own_edition_only(
    tmp_path: Path,
) -> None:
    books = wiring.books(Settings(home=tmp_path))
    pack = tmp_path / "own"
    (pack / "spells").mkdir(parents=True)
    (pack / "pack.yaml").write_text(
        "id: own\nname: Own\nversion: 1.0.0\nlayer: core\nlicense: {type: custom}\nextra: {rulebook: true, edition: '5.1'}\n"
    )
    (pack / "spells" / "fireball.md").write_text(
        "---\nid: fireball\ntype: technology\nname: Fireball\nextra: {kind: spell, edition: '5.1'}\n---\n# Fireball\n\nBoom.\n"
    )
    books.shelf.install(pack)
    rows = [
        row
        for row in rows_of(books.shelf, books.newest(["rules_digest", "own"]))
        if row.name == "Fireball"
    ]
    assert sorted((row.pack, row.edition) for row in rows) == [
        ("own", "5.1"),
        ("rules_digest", "5.2"),
    ]
