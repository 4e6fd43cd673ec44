"""Values, times and tokens as the researcher compares them."""

from datetime import UTC, datetime, timedelta, timezone
from decimal import Decimal

import pytest

from freeform.lore.budget import CycleSpent, DaySpent, check_reservation, next_day
from freeform.lore.judge.comparing import (
    by_value,
    class_of,
    of_our_time,
    same_value,
    side_of,
    weight_of,
)
from freeform.lore.model import Claim
from freeform.lore.ports import Reservation
from freeform.lore.read.eras import is_time, newest, sentence_era
from freeform.lore.read.values import (
    LONGEST_NAME,
    Names,
    leading_name,
    may_be_name,
    name_of,
    number_in,
    other_names,
    plain_value,
    range_in,
    value_name,
)


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("1,200,000", 1_200_000),
        ("1.2 million", 1_200_000),
        ("about 3k people", 3000),
        ("2 bn", 2_000_000_000),
        ("4 trillion", 4_000_000_000_000),
        ("1/4", Decimal("0.25")),
        ("3/0", None),
        (".5", Decimal("0.5")),
        ("v1", None),
        ("none", None),
        ("7", 7),
    ],
)
def test_a_number_is_one_however_it_is_written(text: str, number: Decimal | int | None) -> None:
    assert number_in(text) == number


@pytest.mark.parametrize(
    ("text", "levels"),
    [
        ("10-20", (10, 20)),
        ("20 to 10", (10, 20)),
        ("level 7", (7, 7)),
        ("0", (0, 0)),
        ("any", None),
    ],
)
def test_a_range_has_its_lower_end_first(text: str, levels: tuple[int, int] | None) -> None:
    assert range_in(text) == levels


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("1,200", "1200"),
        ("The  Old-Mill.", "the old mill"),
        ("2.50", "2.5"),
        ("100", "100.0"),
        ("5 million", "5,000,000"),
    ],
)
def test_values_that_say_the_same_are_one(one: str, other: str) -> None:
    assert plain_value(one) == plain_value(other)
    assert plain_value("1,200 men") != plain_value("1,200")


def test_names_are_read_without_what_stands_behind_them() -> None:
    assert name_of("Kruger (system) - Some Wiki") == "Kruger"
    assert name_of("(only)") == "(only)"
    assert value_name("Ash (dead), ") == "Ash" and value_name("(x)") == "(x)"
    assert leading_name("**Kruger** – three jumps from here") == "Kruger"
    assert leading_name("[Ash](/ash): a mage") == "Ash"
    assert may_be_name("a" * LONGEST_NAME) and not may_be_name("a" * (LONGEST_NAME + 1))
    assert not may_be_name("1912") and not may_be_name("[x]")


def test_a_thing_goes_by_its_article_its_initials_and_its_redirects() -> None:
    names = Names()
    assert names.know("The Mines of Old Ash") == "the_mines_of_old_ash"
    assert names.id("Mines of Old Ash") == names.id("MOA") == "the_mines_of_old_ash"
    assert names.id("The church (MOA)") == "the_mines_of_old_ash"
    assert names.know("Old Ash") == "old_ash", "two initials are too few to go by"
    assert names.id("OA") == "oa"
    assert other_names({"moa": "mines_of_ash", "pit": "mines_of_ash"}, "mines_of_ash") == [
        "moa",
        "pit",
    ]
    assert other_names({"moa": "m_of_o_a", "the_x": "x", "pit": "x"}, "x") == ["pit"]


def test_the_newest_version_is_now() -> None:
    assert newest(["0.9", "0.10", "the old days", ""]) == "0.10"
    assert newest(["2", "1.9.9"]) == "2"
    assert newest(["once"]) == ""


def test_a_sentence_speaks_of_the_time_it_names() -> None:
    assert sentence_era("In older versions the mill burns.") == "in older versions"
    assert sentence_era("The mill burns.") == ""
    aside = "Ash lies by the elves, who came long ago."
    assert sentence_era(aside, ["Ash"]) == "" and sentence_era(aside) == "long ago"
    assert sentence_era("Ash, which was a town long ago, burns.", ["Old Town"]) == "long ago"
    assert is_time("2nd") and not is_time("system")


def reserved(tokens: int) -> Reservation:
    return Reservation.model_construct(tokens=tokens)


@pytest.mark.parametrize(
    ("per_day", "per_cycle", "spent"),
    [
        (0, 0, None),
        (100, 0, None),
        (99, 0, DaySpent),
        (100, 60, None),
        (100, 59, CycleSpent),
        (99, 59, DaySpent),
    ],
)
def test_what_is_left_may_be_used_to_the_last_token(
    per_day: int, per_cycle: int, spent: type[Exception] | None
) -> None:
    limits = {"day_used": 90, "cycle_used": 50, "per_day": per_day, "per_cycle": per_cycle}
    if spent is None:
        check_reservation(reserved(10), **limits)
    else:
        with pytest.raises(spent, match=f"{90 if spent is DaySpent else 50} are used"):
            check_reservation(reserved(10), **limits)


def test_the_next_day_begins_at_midnight_in_utc() -> None:
    night = datetime(2091, 3, 15, 23, 59, tzinfo=UTC)
    assert (
        next_day(night)
        == next_day(night - timedelta(hours=23))
        == datetime(2091, 3, 16, tzinfo=UTC)
    )  # fmt: skip - one moment
    west = datetime(2091, 3, 15, 20, 0, tzinfo=timezone(timedelta(hours=-5)))
    assert next_day(west) == datetime(2091, 3, 17, tzinfo=UTC)


def claim(value: str, **more: object) -> Claim:
    told = {"url": "https://a.example/1", "tier": 3, "predicate": "ruler", "extractor": "table@1"}
    return Claim.model_validate(
        {
            "subject_id": "ash",
            "subject_kind": "zone",
            "subject": "Ash",
            "value": value,
            "quote": value * 200,
            "start": 0,
            "end": 1,
            "sha256": "0",
        }
        | told
        | more
    )


def test_a_site_counts_once_and_by_its_best_page() -> None:
    one, other = claim("Nell", tier=3), claim("Nell", tier=1, url="https://a.example/2")
    assert weight_of([one, other]) == 4.0
    assert weight_of([one, claim("Nell", tier=2, url="https://b.example/1")]) == 3.0
    assert weight_of([]) == 0


def test_the_newest_version_is_now_where_pages_speak_of_several() -> None:
    def eras(*told: str) -> list[str]:
        return [each.era for each in of_our_time([claim("x", era=era) for era in told])]

    assert eras("0.9", "0.10") == ["0.9", ""]
    assert eras("0.9", "") == ["0.9", ""], "one version beside now is the past"
    assert eras("0.9") == [""], "nothing else is spoken of"
    assert eras("the old days", "") == ["the old days", ""]


def test_claims_agree_by_thing_number_or_name() -> None:
    assert same_value(claim("x", value_id="nell"), claim("y", value_id="nell"))
    assert not same_value(claim("x", value_id="nell"), claim("x"))
    assert same_value(claim("The Wall"), claim("the wall."))
    levels = {"predicate": "level_range"}
    assert same_value(claim("10-20", **levels), claim("20 to 10", **levels))
    assert class_of(claim("House Orrin"), claim("Orrin"))[0] == "alias"
    assert class_of(claim("Orrin 7"), claim("Orrin"))[0] == "error"
    assert class_of(claim("Nell"), claim("Orrin"))[0] == "error"
    assert class_of(claim("the"), claim("Orrin"))[0] == "error"


def test_the_best_source_comes_first_and_a_table_before_prose() -> None:
    rows = [
        claim("Nell", tier=2, extractor="lore/extract_npc@0"),
        claim("Nell", tier=2),
        claim("Nell", tier=1),
        claim("Orrin", tier=1),
    ]
    assert by_value(rows, "nell") == [rows[2], rows[1], rows[0]]
    assert len(side_of(rows[0]).quote) == 300
