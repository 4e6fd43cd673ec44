"""Where sources disagree is found by rule; what is only said in other words is no disagreement."""

from hypothesis import given, settings
from hypothesis import strategies as st

from freeform.language.ear import no_text_near
from freeform.lore.judge.assemble import confidence_of
from freeform.lore.judge.conflicts import weigh
from freeform.lore.judge.trades import unlike_by
from freeform.lore.judge.ways import disputed
from freeform.lore.model import Claim
from freeform.lore.read.values import (
    Names,
    name_of,
    number_in,
    plain_value,
    range_in,
)
from freeform.wiring.ear import near_texts


def claim(
    value: str, tier: int = 1, era: str = "", predicate: str = "population", **more: str
) -> Claim:
    site = more.pop("site", f"s{tier}.example")
    base = {
        "subject_id": "takeru",
        "subject_kind": "lore",
        "subject": "Takeru",
        "quote": value,
        "start": 0,
        "end": 1,
    }
    told = {"sha256": "", "extractor": "x", "url": f"https://{site}/p"}
    return Claim.model_validate(
        {**base, **told, "predicate": predicate, "value": value, "tier": tier, "era": era, **more}
    )


def kinds(*claims: Claim) -> list[str]:
    return [conflict.kind for conflict in weigh(claims).conflicts]


def test_two_sources_of_one_time_with_two_values_are_an_error_and_the_better_one_is_kept() -> None:
    [conflict] = weigh([claim("900", 2), claim("1,200,000", 1)]).conflicts
    assert (conflict.kind, conflict.kept) == ("error", "1,200,000")


def test_other_words_for_one_number_are_no_conflict() -> None:
    assert kinds(claim("1,200,000"), claim("1.2 million", 2), claim("1200000", 3)) == []


def test_another_time_is_an_era_and_never_an_error() -> None:
    assert kinds(claim("12", era="2014"), claim("13", 2, era="2024")) == ["era"]
    assert kinds(claim("12", era="2014"), claim("12", 2, era="2024")) == []


def test_a_name_that_holds_the_other_is_an_alias() -> None:
    one = claim("House Dvaered", predicate="class")
    assert kinds(one, claim("Dvaered", 2, predicate="class")) == ["alias"]


def test_a_source_does_not_contradict_itself() -> None:
    assert kinds(claim("M", predicate="class"), claim("K", predicate="class")) == []


def way(to: str, tier: int, site: str = "") -> Claim:
    more = {"site": site} if site else {}
    return claim(
        to, tier, predicate="connects_to", subject_kind="zone", value_id=to.lower(), **more
    )


def test_what_a_better_list_leaves_out_it_does_not_deny() -> None:
    both = [way("A", 1), way("B", 1), way("A", 2), way("Z", 2)]
    assert kinds(*both) == []
    assert {point.value for point in weigh(both).points if point.subject_id == "takeru"} == {
        "A",
        "B",
        "Z",
    }


def test_a_way_that_neither_end_lists_is_an_error_and_not_kept() -> None:
    both = [way("A", 1), way("B", 1), way("A", 2), way("Z", 2)]
    assert [each.value for each in disputed(both, "connects_to")] == ["Z"]
    weighed = weigh(both, denied=lambda each: each.value_id == "z")
    assert [(c.kind, c.source_b.value) for c in weighed.conflicts] == [("error", "Z")]
    assert "z" not in {point.value_id for point in weighed.points}


def stance(predicate: str, to: str, tier: int, of: str = "takeru") -> Claim:
    return claim(
        to, tier, predicate=predicate, subject_kind="faction", subject_id=of, value_id=to.lower(),
        site=f"{of}{tier}.example",
    )  # fmt: skip


def test_nobody_is_allied_with_whom_they_are_hostile_to_told_from_either_end() -> None:
    told = [
        stance("hostile", "Reed", 2),
        stance("allied", "Reed", 1),
        stance("hostile", "takeru", 3, "salt"),
    ]
    weighed = weigh(told)
    assert [(c.kind, c.predicate) for c in weighed.conflicts] == [("error", "hostile")]
    assert {(p.subject_id, p.predicate) for p in weighed.points} == {
        ("takeru", "allied"),
        ("salt", "hostile"),
    }


def test_a_thing_is_in_one_zone_unless_one_source_says_both_or_one_lies_inside_the_other() -> None:
    def place(zone: str, tier: int, site: str, of: str = "Jotha") -> Claim:
        return claim(
            of, tier, predicate="place", subject_kind="zone", subject_id=zone, subject=zone,
            value_id=of.lower(), site=site,
        )  # fmt: skip

    north, south = place("north", 1, "a.example"), place("south", 2, "b.example")
    weighed = weigh([north, south])
    assert [(c.subject_id, c.kind, c.kept) for c in weighed.conflicts] == [
        ("jotha", "error", "north")
    ]
    assert {p.subject_id for p in weighed.points if p.predicate == "place"} == {"north"}
    assert kinds(north, south, place("south", 1, "a.example")) == []
    assert kinds(north, south, place("north", 2, "c.example", of="south")) == []
    # A lesser site that lists it twice is no witness where a better one lists both zones.
    twice = [north, south, place("north", 2, "b.example")]
    assert kinds(*twice) == []
    better = [*twice, place("south", 1, "a.example", of="Kesh")]
    assert [(c.subject_id, c.kept) for c in weigh(better).conflicts] == [("jotha", "north")]


def trade(said: str, tier: int, site: str) -> Claim:
    return claim(said, tier, predicate="role", subject_kind="npc", subject_id="nell", site=site)


def test_two_sites_that_know_one_trade_each_and_far_apart_ones_contradict_each_other() -> None:
    def far(one: str, other: str) -> bool:
        return {one, other} != {"smith", "metalworker"}

    good, poor = trade("chronicler", 1, "a.example"), trade("queen", 3, "b.example")
    weighed = weigh([good, poor], unlike=far)
    assert [(c.kind, c.kept) for c in weighed.conflicts] == [("error", "chronicler")]
    assert [point.value for point in weighed.points] == ["chronicler"]
    equal = weigh([good, trade("queen", 1, "b.example")], unlike=far)
    assert [c.kept for c in equal.conflicts] == [""] and equal.points == []
    beside = [
        [trade("smith", 1, "a.example"), trade("metalworker", 3, "b.example")],
        [good, poor, trade("singer", 3, "b.example")],
        [good, trade("queen", 1, "a.example")],
        [good, poor.model_copy(update={"era": "0.10"})],
    ]
    for claims in beside:
        assert weigh(claims, unlike=far).conflicts == []
    assert weigh([good, poor]).conflicts == []


def test_trades_are_far_apart_by_their_meaning() -> None:
    unlike = unlike_by(near_texts)
    assert unlike("queen", "chronicler") and unlike("Treasure hunter", "apothecary")
    assert not unlike("smith", "Metalworker") and not unlike("smith", "old smith")
    assert not unlike_by(no_text_near)("queen", "chronicler")


def test_a_brother_is_one_in_every_time() -> None:
    kin = claim("brother: Tam", era="reign of Oda", predicate="relation", subject_kind="npc")
    now = claim("reeve", predicate="role", subject_kind="npc")
    assert {point.predicate for point in weigh([kin, now]).points} == {"relation", "role"}


def test_of_two_values_of_equal_weight_neither_is_kept() -> None:
    weighed = weigh([claim("5", 1, site="a.example"), claim("6", 1, site="b.example")])
    assert [(c.kind, c.kept) for c in weighed.conflicts] == [("error", "")]
    assert weighed.points == []


def test_a_page_of_another_time_never_mixes_into_a_row() -> None:
    old, now = claim("8", 2, era="0.10", predicate="levels"), claim("5", era="0.34", predicate="levels")  # fmt: skip
    weighed = weigh([old, now])
    assert [(c.kind, c.kept) for c in weighed.conflicts] == [("era", "5")]
    assert [(p.value, p.era) for p in weighed.points] == [("5", "")]
    kept = weigh([old, claim("gold", predicate="services")]).points
    assert [p.predicate for p in kept] == ["services"]


def test_agreement_raises_and_contradiction_lowers_confidence() -> None:
    alone, agreed = (
        weigh([claim("5", 1)]).points[0],
        weigh([claim("5", 1), claim("5", 2)]).points[0],
    )
    denied = weigh([claim("5", 1), claim("6", 2)]).points[0]
    poor = weigh([claim("5", 3)]).points[0]
    assert confidence_of(denied) < confidence_of(alone) < confidence_of(agreed) < 1
    assert confidence_of(poor) < confidence_of(alone)


@settings(deadline=None, max_examples=100)
@given(
    st.lists(
        st.tuples(st.integers(0, 3), st.integers(1, 3), st.sampled_from(["", "2014"])),
        min_size=1,
        max_size=6,
    )
)
def test_the_order_of_claims_changes_neither_conflicts_nor_what_is_kept(
    rows: list[tuple[int, int, str]],
) -> None:
    claims = [
        claim(str(value), tier, era, site=f"s{n}.example")
        for n, (value, tier, era) in enumerate(rows)
    ]
    one, other = weigh(claims), weigh(claims[::-1])
    assert sorted(c.kind for c in one.conflicts) == sorted(c.kind for c in other.conflicts)
    assert {p.value for p in one.points} == {p.value for p in other.points}


@settings(deadline=None)
@given(st.integers(0, 10**12))
def test_a_number_is_the_same_number_however_it_is_written(number: int) -> None:
    assert number_in(f"{number:,}") == number_in(str(number)) == number
    assert plain_value(f"{number:,}") == plain_value(str(number))


def test_small_forms() -> None:
    assert number_in("1/4") == number_in("0.25") == number_in("0.250")
    assert range_in("levels 10 to 20") == (10, 20) == range_in("20–10")
    assert name_of("Goddard (faction) - Some Wiki") == "Goddard"
    names = Names({"house_zalek": "za_lek", "a": "b", "b": "a"})
    assert names.id("House Zalek") == "za_lek"
    assert names.id("a") in ("a", "b")
