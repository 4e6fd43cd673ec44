"""Catalogues of invented games: labels nobody has seen, set in the ways books set them."""

import pytest

from freeform.core.chance import Chance
from freeform.ingest.model import Block, BookSection
from freeform.ingest.pack.licence import read_licence
from freeform.ingest.pack.validate import understanding_warnings
from freeform.ingest.page.glyphs import join_ligatures
from freeform.ingest.page.merged_cells import mended
from freeform.ingest.things.catalogue.find import FoundCatalogue, find_catalogues
from freeform.ingest.things.catalogue.listed import listed_entities, listed_sections
from freeform.ingest.things.catalogue.values import type_of
from freeform.ingest.things.found import EntityRegistry
from freeform.ingest.things.things import find_things, natural_case
from freeform.offline.ingest import rolls
from tests.ingest.test_making import section
from tests.ingest.test_systems import told

WORDS = ("Old", "Tall", "Crooked", "Mossy", "Young", "Dead")
NAMES = ("Ash", "Birch", "Cedar", "Dogwood", "Elder", "Fir")


def things(form: str, path: tuple[str, ...] = ("The Deep Wood",)) -> list[BookSection]:
    """Six sections whose text is this line with numbers of their own, and prose."""
    return [
        section(
            name,
            form.format(n=n, m=-n, d=2 + n, w=WORDS[n - 1]),
            "It sways in the dark and it bites.",
            path=path,
        )
        for n, name in enumerate(NAMES, start=1)
    ]


@pytest.mark.parametrize(
    ("form", "wanted"),
    [
        ("**Sap:** {n}; **Roots:** far and wide", {"Sap": 2, "Roots": "far and wide"}),
        ("Sap: {n} | Roots: 3/{d} | Mood: calm", {"Sap": 2, "Roots": "3/4", "Mood": "calm"}),
        ("SAP {n}, ROO {d}, MOO {m}", {"SAP": 2, "ROO": 4, "MOO": "-2"}),
        ("Sap-{n} Roots-{d} Mood-7", {"Sap": 2, "Roots": 4, "Mood": 7}),
        ("{n} Sap {d} Roots", {"Sap": 2, "Roots": 4}),
        ("{w} Bark Class 1{n} (moss) Sap Points {d}", {"Bark Class": "12 (moss)", "Sap Points": 4}),
        ("Ring {w} · Sap {n} · Reach as far as {w} goes", {"Ring": "Tall", "Sap": 2, "Reach": "as far as Tall goes"}),
        ("**Sap** {n}, **Mood** 1d{d}. It waits by the gate.", {"Sap": 2, "Mood": "1d4"}),
        ("Might: {n}D+1, Wit: {d}D, Rank: ***", {"Might": "2D+1", "Wit": "4D", "Rank": "***"}),
    ],
)  # fmt: skip
def test_labels_are_fields_however_they_are_set(form: str, wanted: dict[str, object]) -> None:
    (found,) = find_catalogues(things(form))
    assert [entry.name for entry in found.entries] == list(NAMES)
    birch = found.entries[1].fields
    assert {label: birch[label] for label in wanted} == wanted


def test_a_label_and_its_value_right_below_a_name_are_a_field_and_no_type() -> None:
    trees = [
        section(name, f"**Ring:** {word}", f"**Wants:** {n} drops", "It sways.", path=("Trees",))
        for n, (name, word) in enumerate(zip(NAMES, WORDS, strict=True), start=2)
    ]
    (found,) = find_catalogues(trees)
    assert found.entries[0].fields == {"Ring": "Old", "Wants": "2 drops"}


def test_a_table_of_labels_that_siblings_share_holds_fields_though_no_value_is_a_number() -> None:
    rows = []
    for name, word in zip(NAMES, WORDS, strict=True):
        table = f"| Mood | {word} |\n| --- | --- |\n| Keeper | nobody {word} |\n| Known for | its shade |"
        box = Block(kind="table", text=table, page_start=1, page_end=1)
        made = section(name, "It sways in the dark.", path=("The Deep Wood",))
        rows.append(made.model_copy(update={"blocks": (box, *made.blocks)}))
    (found,) = [each for each in find_catalogues(rows) if each.shape == "sections"]
    wanted = {"Mood": "Tall", "Keeper": "nobody Tall", "Known for": "its shade"}
    assert found.entries[1].name == "Birch" and found.entries[1].fields == wanted


def test_prose_shares_words_and_makes_no_catalogue() -> None:
    rows = [
        section(name, f"You walk {n} miles to the {name} Gate at noon.")
        for n, name in enumerate(NAMES)
    ]
    assert find_catalogues(rows) == []


def test_the_kind_is_named_by_headings_or_not_at_all() -> None:
    form = "**Sap:** {n}; **Mood:** dark"
    (bare,) = find_catalogues(things(form, ("Part Two",)))
    assert bare.kind is None and len(bare.entries) == 6
    (named,) = find_catalogues(things(form, ("Monsters", "Monsters of the Wood")))
    assert named.kind == "creature" and named.probability > 0.5
    looks = find_things(things(form, ("Part Two",)), {}, listed_sections([bare]))
    assert looks[0].kind == "thing" and looks[0].fields == {"Sap": 1, "Mood": "dark"}


def test_entries_without_a_kind_are_told() -> None:
    rows = [*things("Sap: {n}; Mood: dark"), *(s.model_copy(update={"id": f"{s.id}2", "title": f"New {s.title}"})
            for s in things("Sap: {n}; Mood: dark"))]  # fmt: skip
    found = find_catalogues(rows)
    (line,) = understanding_warnings(found, _structure(), EntityRegistry())
    assert line.startswith("12 entries share the labels Sap, Mood but have no kind")


def _structure():  # type: ignore[no-untyped-def]
    from freeform.ingest.model import DocumentStructure

    return DocumentStructure(title="B", method="fonts", confidence=1.0, page_count=9)


def test_titles_lose_the_field_they_end_with() -> None:
    rows = [
        section(f"{name} RK {n}", f"Sap: {n}", "It sways.", path=("Monsters",))
        for n, name in enumerate(NAMES, start=1)
    ]
    (found,) = find_catalogues(rows)
    assert found.entries[2].name == "Cedar" and found.entries[2].fields["RK"] == 3


def test_rows_of_a_price_list_are_things_and_rows_of_a_roll_are_not() -> None:
    wares = "| Ware | Price | Heft |\n|---|---|---|\n| Rope | 3p | 2 |\n| Lamp | 9p | 1 |\n| Saw | 5p | 1 |"
    omens = "| d6 | Omen |\n|---|---|\n| 1 | A crow |\n| 2 | A bell |\n| 3 | A tooth |"
    more = (
        "| Pick | 4p | 3 |\n|---|---|---|\n| Nail | 1p | 0 |\n| Tent | 8p | 4 |\n| Hook | 2p | 1 |"
    )
    found = find_catalogues([
        section("Tools", wares, path=("Equipment",)), section("More Tools", more, path=("Equipment",)),
        section("Omens", omens, path=("Signs",)),
    ])  # fmt: skip
    (listed,) = found
    assert listed.kind == "item" and [e.name for e in listed.entries] == [
        "Rope", "Lamp", "Saw", "Pick", "Nail", "Tent", "Hook",
    ]  # fmt: skip
    hook = list(listed_entities(found))[-1]
    assert hook.fields == {"Price": "2p", "Heft": 1} and hook.kind == "item"


def test_creatures_in_the_lines_of_rooms_are_the_things_and_the_rooms_are_not() -> None:
    rooms = []
    for n, name in enumerate(NAMES, start=1):
        line = f"**Grey {name}s:** Claw-{n} Hide-{n + 2} Wit-{n + 1}"
        blocks = (
            Block(
                kind="paragraph",
                text="A wet hall, and a door to the north.",
                page_start=1,
                page_end=1,
            ),
            Block(kind="paragraph", text=line, page_start=1, page_end=1, run_in=f"Grey {name}s:"),
        )
        room = section(f"{n}. Hall of {name}", path=("Rooms",))
        rooms.append(room.model_copy(update={"blocks": blocks}))
    (found,) = find_catalogues(rooms)
    assert found.shape == "lines" and found.entries[0].name == "Grey Ashs"
    assert found.entries[3].fields == {"Claw": 4, "Hide": 6, "Wit": 5}


def test_parts_of_the_line_below_a_name_are_named_by_the_books_own_tables() -> None:
    table = "| Grade | Toll |\n|---|---|\n| Dim | 5 sh |\n| Bright | 9 sh |\n| Blinding | 20 sh |"
    grades = ("Dim", "Bright", "Dim", "Blinding", "Bright", "Dim")
    rows = [
        section(
            name,
            f"*Charm, {grade} 1{n} sh*",
            "It hums when you hold it, all night.",
            path=("Trinkets",),
        )
        for n, (name, grade) in enumerate(zip(NAMES, grades, strict=True))
    ]
    (found,) = [
        each
        for each in find_catalogues([section("Costs", table), *rows])
        if each.shape == "sections"
    ]
    assert found.entries[1].fields == {"Grade": "Bright", "Toll": "11 sh", "Type": "Charm"}


def test_a_catalogue_reads_back_as_it_was_kept() -> None:
    (found,) = find_catalogues(things("Sap: {n}; Mood: dark"))
    assert FoundCatalogue.model_validate(found.model_dump()) == found


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        (["1", "12", "3"], "number"), (["+1", "-2", "−3"], "signed"), (["d6", "2d8+1", "3D+2"], "dice"),
        (["3/8", "10/20"], "range"), (["cold, wet", "old, red, dry"], "list"), (["it sleeps here"], "text"),
    ],
)  # fmt: skip
def test_values_have_a_type(values: list[str], kind: str) -> None:
    assert type_of(values) == kind


@pytest.mark.parametrize(
    ("text", "dice", "under", "aim"),
    [
        ("To make a check, roll two twelve-sided dice and add your trait. If the total equals or exceeds the difficulty, "
         "you succeed. A blade does 1d8 damage. Roll 1d6 on the table below to see what you find.", (2, 12), False, 0),
        ("Whenever you attempt a task, roll 2D6 and add your skill. On 8 or more you succeed.", (2, 6), False, 8),
        ("Stats: roll 2d6 ≤ the attribute for checks.", (2, 6), True, 0),
        ("To make a save, roll a d20. If the result is less than or equal to the attribute, you succeed. Roll a d6 for "
         "weather. Roll a d6 for your luck.", (1, 20), True, 0),
    ],
)  # fmt: skip
def test_sentences_say_which_dice_decide(
    text: str, dice: tuple[int, int], under: bool, aim: int
) -> None:
    found = rolls.resolution(told(text), Chance(1))
    assert (found.dice_count, found.die_type, found.roll_under) == (*dice, under)
    assert found.difficulty_default == aim and found.confidence >= 0.4


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("To act, roll as many d6 as your rating and keep the highest. To make a roll, roll 3d6 and take the highest.",
         "highest"),
        ("If you fall, roll a d6; on 4 or more you live. If you swim, roll a d20; under your wit you drown. To hear it, roll "
         "a d8 and beat 5.", "do not agree"),
        ("Might 3D+2, Wit 2D, Dodge 4D+1. " * 8, "summed"),
    ],
)  # fmt: skip
def test_where_it_is_not_clear_nothing_is_claimed_and_the_reason_is_told(
    text: str, why: str
) -> None:
    found = rolls.resolution(told(text), Chance(1))
    assert not found.method and why in found.why_not and found.confidence < 0.25


def test_a_licence_is_read_from_a_sentence_that_grants_it() -> None:
    page = "All of it.\nThis text is licensed under the Creative Commons Attribution-ShareAlike 4.0 licence."
    found = read_licence(["A cover.", page])
    assert (
        found is not None and found.type == "cc-by-sa" and found.attribution.startswith("This text")
    )
    assert read_licence(["We like Creative Commons Attribution very much."]) is None


def test_words_cut_behind_a_ligature_are_whole_where_the_book_has_them() -> None:
    assert (
        join_ligatures("Diffi culty and staff of fire", {"difficulty", "staff"})
        == "Difficulty and staff of fire"
    )


def test_heads_that_ran_together_are_dealt_over_their_columns() -> None:
    rows = (("Ware", "", "TL Cost"), ("Rope 2", "", "5"), ("Lamp", "3", "9"), ("Saw", "4", "8"))
    assert mended(rows) == (
        ("Ware", "TL", "Cost"),
        ("Rope", "2", "5"),
        ("Lamp", "3", "9"),
        ("Saw", "4", "8"),
    )
    plain = (("Ware", "Base Cost"), ("Rope", "5"), ("Lamp", "9"))
    assert mended(plain) == plain


def test_names_in_capitals_are_written_as_one_writes_them() -> None:
    assert (
        natural_case("HALL OF THE FIR-KING") == "Hall of the Fir-King"
        and natural_case("NPC") == "NPC"
    )
