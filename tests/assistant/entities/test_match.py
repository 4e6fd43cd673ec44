"""Names looked up: the surest way wins, and namesakes are never guessed between."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from freeform.assistant.entities.match import match, results
from freeform.assistant.entities.resolve import resolve
from freeform.assistant.entities.spot import spot
from freeform.assistant.entities.table import NameTable
from freeform.assistant.model import EntityMention, Name

NAMES = [
    ("Eldaryth of Regret", ["the cursed sword"], "inventory"),
    ("Potion of Giant Strength +1", [], "inventory"),
    ("Potion of Giant Strength +2", [], "inventory"),
    ("Mira Stone", [], "relations"),
    ("Mira Vale", [], "relations"),
    ("Hexblade's Curse", [], "features_and_traits"),
    ("Grappling", [], "proficiencies"),
    ("Kaelen", [], "relations"),
    ("Kaelin", [], "relations"),
    ("Zoë Ångström", [], "relations"),
]


@pytest.fixture(scope="module")
def table() -> NameTable:
    return NameTable(
        [Name(name=n, aliases=a, tool="character_data", section=s) for n, a, s in NAMES]
    )


@pytest.mark.parametrize(
    ("mention", "strategy", "name"),
    [
        ("eldaryth of regret", "exact", "Eldaryth of Regret"),
        ("The Eldaryth of Regret", "exact", "Eldaryth of Regret"),
        ("the cursed sword", "alias", "Eldaryth of Regret"),
        ("grapple", "folded", "Grappling"),
        ("Regret Eldaryth", "reordered", "Eldaryth of Regret"),
        ("Eldaryth", "part", "Eldaryth of Regret"),
        ("Eldar", "prefix", "Eldaryth of Regret"),
        ("Eldarith of Regrett", "ngram", "Eldaryth of Regret"),
        ("Hexblades curse", "folded", "Hexblade's Curse"),
        ("zoe angstrom", "exact", "Zoë Ångström"),
    ],
)
def test_each_way_of_writing_a_name_is_found_by_its_own_way(
    mention: str, strategy: str, name: str, table: NameTable
) -> None:
    hit = match(mention, table)
    assert [result.matched_text for result in results(hit, table)] == [name]
    assert hit.strategy == strategy


def test_a_misspelling_between_two_names_is_no_match_but_both_are_offered(table: NameTable) -> None:
    hit = match("Kaelon", table)
    assert hit.rows == () and set(hit.maybe) == {"Kaelen", "Kaelin"}


def test_a_shared_first_name_keeps_both_apart_and_is_less_sure(table: NameTable) -> None:
    found = results(match("Mira", table), table)
    assert [result.matched_text for result in found] == ["Mira Stone", "Mira Vale"]
    assert all(result.match_confidence < 0.7 for result in found)


def test_names_that_differ_in_a_number_are_different_things(table: NameTable) -> None:
    assert (
        match("Potion of Giant Strength +3", table).strategy != "ngram"
        or not match("Potion of Giant Strength +3", table).rows
    )
    assert [
        r.matched_text for r in results(match("potion of giant strenght +2", table), table)
    ] == ["Potion of Giant Strength +2"]


def test_a_name_spelled_differently_in_notes_and_on_the_sheet_is_one_entity() -> None:
    sheet = NameTable([Name(name="Eldaryth of Regret", tool="character_data", section="inventory")])
    notes = NameTable(
        [Name(name="Eldarith of Regret", tool="session_notes", section="session_notes.event")]
    )
    tables = {"character_data": sheet, "session_notes": notes}
    done = resolve(
        [EntityMention(name="Eldaryth of Regret")], ["character_data", "session_notes"], tables
    )
    assert [(p.tool, p.match_strategy) for p in done.found["Eldaryth of Regret"]] == [
        ("character_data", "exact"),
        ("session_notes", "ngram"),
    ]


def test_a_namesake_in_another_source_is_not_taken_for_the_same() -> None:
    sheet = NameTable([Name(name="Mira", tool="character_data", section="relations")])
    notes = NameTable([Name(name="Mirna", tool="session_notes", section="session_notes.npc")])
    tables = {"character_data": sheet, "session_notes": notes}
    done = resolve([EntityMention(name="Mira")], ["character_data", "session_notes"], tables)
    assert [p.matched_text for p in done.found["Mira"]] == ["Mira"]


def test_only_selected_tools_are_searched_and_the_others_probed_once_when_nothing_was_found() -> (
    None
):
    rules = NameTable([Name(name="Fireball", tool="rulebook", section="rulebook.spells.fireball")])
    notes = NameTable([Name(name="Elara", tool="session_notes", section="session_notes.npc")])
    tables = {"rulebook": rules, "session_notes": notes}
    both = resolve(
        [EntityMention(name="Elara"), EntityMention(name="Fireball")], ["session_notes"], tables
    )
    assert both.found["Fireball"] == [] and both.elsewhere == {}
    none = resolve([EntityMention(name="Fireball")], ["session_notes"], tables)
    assert none.elsewhere["Fireball"][0].tool == "rulebook"


@pytest.mark.parametrize(
    ("sentence", "said"),
    [
        ("what do we know about eldaryth of regret and its maker", "eldaryth of regret"),
        ("Does the Hexblade's Curse stack?", "Hexblade's Curse"),
        ("Did Eldarith of Regret ever speak?", "Eldarith of Regret"),
        ("how does grappling work", "grappling"),
    ],
)
def test_a_name_inside_a_sentence_is_found(sentence: str, said: str, table: NameTable) -> None:
    assert said in [hit.text for hit in spot(sentence, {"character_data": table})]


def test_every_location_of_a_name_is_kept() -> None:
    rows = [
        Name(name="Eldritch Blast", tool="character_data", section=s)
        for s in ("spell_list", "features_and_traits")
    ]
    (found,) = results(match("eldritch blast", NameTable(rows)), NameTable(rows))
    assert found.found_in_sections == ["spell_list", "features_and_traits"]


_LETTERS = st.text("abcdefghijklmnopqrstuvwxyz", min_size=3, max_size=9)


@settings(deadline=None, max_examples=60)
@given(st.lists(st.tuples(_LETTERS, _LETTERS), min_size=1, max_size=20, unique=True))
def test_every_name_is_found_by_itself_in_any_case_and_means_itself(
    pairs: list[tuple[str, str]],
) -> None:
    names = [f"{a.title()} {b.title()}" for a, b in pairs]
    table = NameTable([Name(name=name, tool="rulebook", section="rulebook.x") for name in names])
    for name in names:
        hit = match(name.upper(), table)
        assert hit.strategy == "exact" and {table.names[row].name for row in hit.rows} == {name}


@settings(deadline=None, max_examples=60)
@given(st.text(max_size=60), st.lists(_LETTERS, min_size=1, max_size=8, unique=True))
def test_no_text_breaks_the_look_up(text: str, names: list[str]) -> None:
    table = NameTable([Name(name=name, tool="rulebook", section="rulebook.x") for name in names])
    hit = match(text, table)
    assert 0 <= hit.confidence <= 1 and all(0 <= row < len(names) for row in hit.rows)
    for found in spot(text, {"rulebook": table}):
        assert text[found.start : found.end] == found.text
