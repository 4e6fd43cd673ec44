"""What six small books of other families showed: rows of facts, three alike, keyed rooms, bands in words, advice."""

from freeform.core.chance import Chance
from freeform.ingest.model import BookSection
from freeform.ingest.pack.guidance import find_advice
from freeform.ingest.systems.config import GuidanceConfig
from freeform.ingest.things.catalogue.find import find_catalogues
from freeform.offline.ingest import rolls
from tests.ingest.test_making import section
from tests.ingest.test_styles import block, book, found
from tests.ingest.test_systems import told


def test_rows_of_facts_below_a_text_are_no_headings() -> None:
    facts = [
        block(f"Mass {at} · Grip {at % 3} · Make {word}", color=0x555555)
        for at, word in enumerate(("plain", "fine", "rare", "odd", "poor", "new", "old", "wet"))
    ]
    titles = [
        block(f"The {word} Thing", size=14) for word in ("Red", "Blue", "Grey", "Black", "Pale")
    ]
    assert set(found([*book(*titles), *book(*facts)])) == {title.text for title in titles}


def test_three_people_side_by_side_who_are_told_alike_are_a_list() -> None:
    people = [
        section(name, f"**Craves:** {what}", f"**Keeps:** {has}", f"**Mutters:** {words}", path=("Faces",))
        for name, what, has, words in (
            ("Ott", "peace", "a saw", "not again"),
            ("Wenna", "coin", "two dogs", "yes, yes"),
            ("Old Pim", "the sea", "a net", "it turns"),
        )
    ]  # fmt: skip
    (made,) = find_catalogues(people)
    assert [entry.fields["Keeps"] for entry in made.entries] == ["a saw", "two dogs", "a net"]
    assert find_catalogues(people[:2]) == []


def test_rooms_that_are_numbered_need_but_one_label_in_common() -> None:
    def rooms(number: str) -> list[BookSection]:
        return [
            section(number.format(n) + name, "Wet stone.", f"**Ways out:** to {n + 1}", path=("The Hall",))
            for n, name in enumerate(("Gate", "Stair", "Well", "Loft", "Crypt"), start=1)
        ]  # fmt: skip

    (made,) = find_catalogues(rooms("{}. "))
    assert [entry.fields["Ways out"] for entry in made.entries] == [f"to {n}" for n in range(2, 7)]
    assert find_catalogues(rooms("")) == []


def test_bands_may_be_told_in_words() -> None:
    rule = """When a deed tells you to roll, roll two six-sided dice and add the trait. Traits go from -1 to +3.
    On 10 or more you do it; on 7 to 9 you pay for it. On a 6 or less somebody else gets to say."""
    read = rolls.resolution(told(rule, "On a 10+, it opens. On a 7-9, it opens loudly."), Chance(1))
    assert read.method == "sum_bands"
    assert [(band.outcome, band.at_least) for band in read.bands] == [
        ("failure", -99),
        ("mixed", 7),
        ("success", 10),
    ]


def test_a_pool_takes_the_number_its_dice_must_show() -> None:
    rule = """Your dice pool is as many six-sided dice as the trait says; roll them together. Every die that shows 5 or
    6 is a success. A hard thing needs two successes, and the number of successes says how well it went."""
    read = rolls.resolution(told(rule), Chance(1))
    assert (read.method, read.difficulty_default) == ("dice_pool", 5)


def test_advice_is_heard_though_nobody_is_called_a_game_master() -> None:
    advice = section("For the Beekeeper", "Ask the players what their people want, and show them what it costs. "
        "Let them be clever. When the players look at you to say what happens, give them something that moves the "
        "story, and never plan how an evening ends.")  # fmt: skip
    rule = section("Climbing", "You climb at half of your speed. When you fall, you take 1d6 damage for each ten feet "
        "that you fall, to a maximum of 20d6, and you land prone unless you avoid the damage.")  # fmt: skip
    lore = section("The Ford", "The ford lies below the mill. Nobody has crossed it since the bell was stolen, and the "
        "reeds have grown over the stones on which the ferryman used to sit.")  # fmt: skip
    pieces = find_advice([advice, rule, lore], GuidanceConfig())
    assert [piece.title for _, piece, _ in pieces] == ["For the Beekeeper"]
