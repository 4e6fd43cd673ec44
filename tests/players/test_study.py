"""What a study says of its arms: pairs, intervals, tests and their correction; and its plan."""

from pathlib import Path

import pytest

from freeform.core.chance import Chance
from freeform.core.errors import UserError
from freeform.players.party.study import (
    Comparison,
    compare_arms,
    corrected,
    interval,
    sign_flip_test,
)
from freeform.services.party.study import read_plan


def row(policy: str, seed: int, facts: float) -> dict[str, object]:
    alike = {"scenario": "s", "players": "4", "strength": 0.3, "model": "offline"}
    return {**alike, "policy": policy, "seed": seed, "facts": facts}


def compared(p: float) -> Comparison:
    return Comparison(
        measure="m", arm=str(p), pairs=4, baseline=0, value=1, difference=1, low=0, high=2, p=p
    )


def test_runs_are_paired_by_seed_and_a_missing_partner_is_left_out() -> None:
    rows = [row("mind", 1, 5), row("mind", 2, 7), row("random", 2, 4), row("random", 1, 4)]
    (found,) = compare_arms([*rows, row("mind", 3, 90)], "policy", "random", ["facts"]).comparisons
    assert (found.pairs, found.baseline, found.value, found.difference) == (2, 4.0, 6.0, 2.0)


def test_a_test_by_all_flips_is_exact() -> None:
    assert sign_flip_test([1.0, 2.0, 3.0], Chance(1)) == 0.25
    assert sign_flip_test([0.0, 0.0], Chance(1)) == 1.0


def test_a_clear_difference_of_many_pairs_is_found_and_noise_is_not() -> None:
    noise = [(-1.0) ** n * (1 + n % 3) for n in range(24)]
    assert sign_flip_test([2.0 + value / 3 for value in noise], Chance(1)) < 0.001
    assert sign_flip_test(noise, Chance(1)) > 0.3


def test_an_interval_holds_the_mean_and_narrows_with_more_runs() -> None:
    few = interval([1.0, 2.0, 3.0, 4.0], Chance(1))
    many = interval([1.0, 2.0, 3.0, 4.0] * 8, Chance(1))
    assert few[0] < many[0] < 2.5 < many[1] < few[1]


def test_holm_multiplies_the_smallest_most_and_never_lets_one_overtake() -> None:
    found = corrected([compared(0.04), compared(0.01), compared(0.03)])
    assert [one.p_corrected for one in found] == [0.06, 0.03, 0.06]
    assert [one.significant for one in found] == [False, True, False]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("name: x\nfactor: weather", "see `docs/players.md`"),
        ("name: [", "is no YAML"),
        (
            "{name: x, scenario: s, factor: policy, arms: [mind, wait], seeds: [1, 2], measures: [joy]}",
            "no measure 'joy'",
        ),
    ],
)
def test_a_plan_that_does_not_read_says_what_is_wrong(tmp_path: Path, text: str, says: str) -> None:
    file = tmp_path / "plan.yaml"
    file.write_text(text)
    with pytest.raises(UserError, match=says):
        read_plan(file)
