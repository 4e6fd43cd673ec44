"""The suites of the researcher: a real game's files and three real bestiaries as gold."""

from pathlib import Path

from freeform.evals.suites.lore import compare, run_lore
from freeform.evals.suites.lore_conflicts import run_lore_conflicts
from freeform.evals.wiki.galaxy import chosen_zones, load_galaxy
from freeform.evals.wiki.sites import build_world
from freeform.settings import Settings
from freeform.wiring.lore import gold_ports


async def test_the_researcher_finds_what_the_games_files_say_over_real_http(data: Path) -> None:
    report = await run_lore(
        data, lambda port: gold_ports(Settings(home=data / "unused"), port), count=2
    )
    figures = report.metrics
    assert figures["zones_accepted"] == 2
    for name in (
        "connection_recall",
        "connection_precision",
        "faction_recall",
        "place_recall",
        "conflict_recall",
    ):
        assert figures[name] >= 0.95, (name, report.cases)
    assert figures["conflict_precision"] >= 0.95
    assert figures["quote_verified"] == 1.0
    assert figures["forbidden_pages_read"] == 0
    # Five questions a page, each with room for its answer, and once more where reading costs
    # nothing: above the 50,000 that were wished for.
    assert figures["tokens_estimated_per_zone"] < 240_000


def test_five_of_five_disagreements_of_one_edition_and_no_edition_taken_for_an_error(
    data: Path,
) -> None:
    figures = run_lore_conflicts(data).metrics
    assert (figures["shared_one_edition"], figures["disagreements"]) == (316, 5)
    assert (figures["conflict_recall"], figures["conflict_precision"], figures["false_errors"]) == (
        1.0,
        1.0,
        0,
    )
    assert (figures["changed_hit_points"], figures["changed_armor_class"]) == (120, 49)
    assert (figures["era_recall"], figures["era_precision"], figures["era_called_error"]) == (
        1.0,
        1.0,
        0,
    )
    assert figures["quote_verified"] == 1.0


def test_the_gold_is_the_games_own_and_the_same_seed_plants_the_same_mistakes(data: Path) -> None:
    galaxy = load_galaxy(data)
    assert (len(galaxy.systems), sum(len(s.jumps) for s in galaxy.systems.values())) == (554, 1504)
    zones = chosen_zones(galaxy, 20)
    one, other = build_world(galaxy, zones), build_world(galaxy, zones)
    assert len(set(zones)) == 20
    assert one.planted == other.planted and len(one.planted) >= 20
    assert {each.kind for each in one.planted} == {"error", "era"}
    assert {how for site in one.sites for how in site.broken.values()} == {
        "error",
        "slow",
        "forbidden",
    }


def test_a_comparison_counts_what_was_found_and_what_was_missed() -> None:
    score = compare(["a", "b", "x"], ["a", "b", "c", "d"])
    assert (score.recall, score.precision) == (0.5, 0.6667)
