"""Rules out of books of several families: offline extraction, configs in their order, systems the engine plays."""

from pathlib import Path

import pytest
import yaml

from freeform.core.chance import Chance
from freeform.core.errors import BadFile, NotFound
from freeform.engine.authored.library import content_folder, load_system
from freeform.engine.authored.system import Resolution, System
from freeform.engine.rules.rolls import Throw, roll
from freeform.engine.world.state import PLAYER, Entity, GameState
from freeform.ingest.config import IngestConfig
from freeform.ingest.systems.assemble import assemble_system, stat_map
from freeform.ingest.systems.config import detect_family, load_extraction_config
from freeform.ingest.systems.extract import asked_for, prefilter
from freeform.ingest.systems.passes import EXTRACTORS, RulesPassage, SystemsInput
from freeform.offline.ingest import lists as ingest_lists
from freeform.offline.ingest import rolls
from freeform.offline.ingest import systems as ingest_systems
from freeform.offline.model import RESPONDERS
from freeform.wiring.ingest import check_system
from tests.ingest.test_making import segment

FOLDERS = [content_folder("systems")]
MOVES = """When you act under fire, roll+cool. On a 10+, you do it. On a 7-9, you hesitate or pay a price.
When you read a person, roll+sharp. On a 10+, ask three questions. On a 7-9, ask one. When you seize something by
force, roll+hard. On a 10+, take it. On a 7-9, take it and suffer harm. Roll 2d6 and add the stat."""
POOLS = """Roll a number of ten-sided dice equal to your dice pool, such as Dexterity + Stealth (difficulty 6). Each
success counts. Ones cancel successes, and if there are only ones you botch. The usual difficulty 6 may rise to
difficulty 8. A roll of Strength + Brawl at difficulty 6 needs one success; more successes are better. Roll 1d10 each.

| Bruised | 0 |
| Hurt | -1 |
| Injured | -1 |
| Mauled | -2 |
| Crippled | -5 |
"""
TARGETS = """To attempt something, roll a d20 and add your modifier. If the total equals or exceeds the DC, you succeed.
A natural 20 is a critical success, and a natural 1 is a disaster. Roll a d20 for a Might check or a Wit check.

| Task | DC |
| --- | --- |
| Simple | 8 |
| Tricky | 12 |
| Daring | 16 |
"""
PERCENT = """To use a skill, roll percentile dice (d100). If the result is equal to or less than the skill, you succeed.
A roll of 01 is always a critical success, and 96-00 is always a fumble."""
SCORES = """To do something risky, roll a d20 equal to or under the ability that fits: Brawn, Nimbleness, Wit or Faith. A
natural 1 always succeeds, a natural 20 always fails. A sword does 1d8 damage, a club 1d6 damage."""
DOTS = """Physical: Might, Grace, Vigor
Social: Charm, Guile, Poise
Mental: Insight, Reason, Nerve
"""


def told(*texts: str, **known: object) -> SystemsInput:
    passages = [
        RulesPassage(page=n, heading="Rules", text=text) for n, text in enumerate(texts, start=1)
    ]
    return SystemsInput(book="A Book", passages=passages, known=known)


@pytest.mark.parametrize(
    ("text", "method", "sides", "family"),
    [
        (MOVES, "sum_bands", 6, "pbta"),
        (POOLS, "dice_pool", 10, "_base"),
        (TARGETS, "target_number", 20, "_base"),
        (PERCENT, "roll_under", 100, "_base"),
        (SCORES, "roll_under", 20, "_base"),
    ],
)
def test_four_ways_of_rolling_are_told_apart_and_played(
    text: str, method: str, sides: int, family: str
) -> None:
    found = rolls.resolution(told(text), Chance(1))
    assert found.roll_under == (method == "roll_under") and found.die_type == sides
    assert found.confidence > 0.5 and found.evidence[0].page == 1
    schema = ingest_systems.stat_schema(told(text), Chance(1))
    config = IngestConfig(pdf="x", out="y", pack_id="mine", name="Mine")
    both = {
        "resolution": (found, {"confidence": found.confidence}),
        "stat_schema": (schema, {"confidence": 0.5}),
    }
    data = assemble_system(config, both, family)
    assert check_system(data) == [] and data["resolution"]["method"] == method
    merged = load_system("_base").model_dump() | {
        k: v for k, v in data.items() if k != "resolution"
    }
    system = System.model_validate(merged | {"resolution": data["resolution"]})
    hero = GameState(
        campaign_id="c",
        entities={PLAYER: Entity(id=PLAYER, type="pc", name="A", attrs={"stats": {}})},
    )
    thrown = [roll(Throw("hide", "", "finesse", 1), system, hero, Chance(n)) for n in range(60)]
    assert {r.sides for r in thrown} == {sides}
    assert len({r.outcome for r in thrown}) >= 3, "the dice lead to different ends"


def test_bands_difficulties_and_cancelling_ones_come_from_the_book() -> None:
    bands = rolls.resolution(told(MOVES), Chance(1)).bands
    assert [(b.outcome, b.at_least) for b in bands] == [
        ("failure", -99),
        ("mixed", 7),
        ("success", 10),
    ]
    target = rolls.resolution(told(TARGETS), Chance(1))
    assert target.difficulties == {"Simple": 8, "Tricky": 12, "Daring": 16}
    assert target.natural == {"20": "critical", "1": "botch"}
    assert rolls.resolution(told(POOLS), Chance(1)).ones_cancel


def test_the_usual_number_is_the_books_own_or_none() -> None:
    rule = "Roll 2d10 and add your trait; equal to or above the number wins. A test that fails costs you."
    asked = asked_for(["Make a Grit Test (13) or fall.", "A **Wit test** (DC 13) tells."] * 5)
    assert asked == {"13": 10}
    by_habit = rolls.resolution(told(rule, asked_for=asked), Chance(1))
    assert (by_habit.dice_count, by_habit.die_type, by_habit.difficulty_default) == (2, 10, 13)
    ladder = "A difficulty of 8 is for the easy, 14 for the most, and 20 for the mad."
    assert rolls.resolution(told(rule, ladder), Chance(1)).difficulty_default == 14
    assert rolls.resolution(told(rule), Chance(1)).difficulty_default == 0, "none is made up"
    assert asked_for(["Make a Grit Test (13) or fall."]) == {}


def test_low_rolls_win_where_the_book_says_so() -> None:
    found = rolls.resolution(told(PERCENT), Chance(1))
    assert found.natural == {
        "1": "critical",
        "96": "botch",
        "97": "botch",
        "98": "botch",
        "99": "botch",
        "100": "botch",
    }
    config = IngestConfig(pdf="x", out="y", pack_id="mine", name="Mine")
    data = assemble_system(config, {"resolution": (found, {"confidence": 0.8})}, "_base")
    system = load_system("_base").model_copy(
        update={"resolution": Resolution.model_validate(data["resolution"]), "stat_map": {}}
    )
    hero = Entity(id=PLAYER, type="pc", name="A", attrs={"stats": {"wits": 60}})
    state = GameState(campaign_id="c", entities={PLAYER: hero})
    for throw in (
        roll(Throw("search", "", "wits", 1), system, state, Chance(n)) for n in range(80)
    ):
        assert throw.difficulty == 60 and throw.total == throw.dice[0]
        assert (throw.outcome in ("success", "critical")) == (throw.total <= 60)


def test_attributes_are_read_from_lists_and_groups() -> None:
    assert ingest_systems.stat_schema(told(SCORES), Chance(1)).attributes == [
        "brawn",
        "nimbleness",
        "wit",
        "faith",
    ]
    assert len(ingest_systems.stat_schema(told(DOTS), Chance(1)).attributes) == 9


def test_a_book_that_explains_no_dice_gives_no_system() -> None:
    quiet = rolls.resolution(told("The sea is grey and the gulls are loud."), Chance(1))
    assert quiet.confidence == 0.0 and not quiet.method
    config = IngestConfig(pdf="x", out="y", pack_id="mine", name="Mine")
    assert assemble_system(config, {"resolution": (quiet, {"confidence": 0.0})}, "_base") == {}


def test_a_ladder_of_harm_is_found_by_its_penalties() -> None:
    found = ingest_systems.health(told(POOLS), Chance(1))
    assert found.track_type == "levels"
    assert [(level.name, level.dice_penalty) for level in found.health_levels][-1] == (
        "Crippled",
        -5,
    )
    other = "Shaken: 0\nRattled: -1\nBroken: -3\n"
    assert [level.name for level in ingest_systems.health(told(other), Chance(1)).health_levels] == [
        "Shaken", "Rattled", "Broken",
    ]  # fmt: skip


def test_attributes_are_what_stands_before_check_or_after_roll() -> None:
    assert {"cool", "sharp", "hard"} <= set(
        ingest_systems.stat_schema(told(MOVES), Chance(1)).attributes
    )
    text = "Make a Vigour check. A Vigour check lifts. A Poise check balances. Make a Poise check or a Vigour check."
    assert set(ingest_systems.stat_schema(told(text), Chance(1)).attributes) == {"vigour", "poise"}


def test_lists_and_ladders_are_read_from_tables() -> None:
    steps = "# Exposure\n\n| Level | Effect |\n| --- | --- |\n| 1 | You shiver all night |\n| 2 | You cannot run |\n| 3 | You lie down and sleep |"
    ladder = ingest_lists.escalation(told(steps), Chance(1)).ladders[0]
    assert (ladder.name, len(ladder.steps)) == ("Exposure", 3)
    assert [p.name for p in ingest_lists.calibration(told(TARGETS), Chance(1)).difficulty] == [
        "Simple",
        "Tricky",
        "Daring",
    ]
    wares = "| Ware | Cost |\n| --- | --- |\n| Rope | 1 gp |\n| Lamp | 5 sp |\n| Oil | 1 sp |"
    assert len(ingest_lists.equipment(told(wares), Chance(1)).lists[0]["rows"]) == 3
    clock = ingest_lists.clocks(
        told("Start a 6-segment clock when the alarm rings."), Chance(1)
    ).clocks
    assert [c.segments for c in clock if c.segments] == [6]
    moves = ingest_lists.action_types(told(MOVES), Chance(1)).actions
    assert "Act under fire" in {move.name for move in moves}


def test_the_prefilter_goes_by_shape() -> None:
    prose = segment("The abbey stands on the rock and the monks sing at dawn. " * 20, "A", "Abbey")
    strange = segment(
        "If your total equals or exceeds the Zorp, add the modifier of your Flimflam. " * 5,
        "A",
        "Zorp",
    )
    assert prefilter(EXTRACTORS[0], [prose, strange]) == [strange]


def test_configs_are_merged_base_then_family_then_pack(tmp_path: Path) -> None:
    (tmp_path / "pack.yaml").write_text("id: mine\nsystem: world_of_darkness\n")
    (tmp_path / "extraction.yaml").write_text(
        yaml.safe_dump(
            {
                "extends": "world_of_darkness",
                "extraction": {
                    "section_patterns": {
                        "rotes": {"header_pattern": "^Rotes$", "content_type": "spell_list"}
                    }
                },
            }
        )
    )
    config = load_extraction_config(FOLDERS, pack_path=tmp_path)
    assert config.sources == ["_base.yaml", "world_of_darkness.yaml", "extraction.yaml"]
    assert {"rotes", "powers"} <= set(config.extraction.section_patterns)
    meanings = {sign.meaning for sign in config.extraction.mechanical_indicators}
    assert {"dice", "health_track"} <= meanings, "base and family both count"
    assert config.extraction.health.levels[0]["name"] == "Bruised"


def test_every_bundled_family_loads_and_its_patterns_compile() -> None:
    for name in ("_base", "d20", "pbta", "osr", "world_of_darkness"):
        assert load_extraction_config(FOLDERS, name).id == name


def test_a_family_is_known_by_its_signs() -> None:
    assert detect_family(FOLDERS, MOVES * 4)[0] == "pbta"
    pools = (POOLS + "The Storyteller may spend Willpower in a Chronicle. ●●●\n") * 12
    assert detect_family(FOLDERS, pools)[0] == "world_of_darkness"
    assert detect_family(FOLDERS, "The sea is grey.")[0] == "_base"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("extraction: {mechanical_indicators: [{pattern: '(unclosed'}]}", "does not compile"),
        ("extraction: {mechanical_indicators: 7}", "mechanical_indicators"),
        ("- a\n- list", "mapping"),
    ],
)
def test_a_broken_override_is_named_with_its_file(tmp_path: Path, text: str, reason: str) -> None:
    (tmp_path / "extraction.yaml").write_text(text)
    with pytest.raises(BadFile, match=reason) as told:
        load_extraction_config(FOLDERS, "d20", tmp_path)
    assert told.value.file == "extraction.yaml"


def test_an_unknown_family_is_told_with_what_there_is() -> None:
    with pytest.raises(NotFound, match="world_of_darkness"):
        load_extraction_config(FOLDERS, "gurps")


def test_every_general_stat_stands_for_one_of_the_books() -> None:
    chosen = stat_map(["hard", "cool", "hot", "sharp", "weird"])
    assert (chosen["force"], chosen["wits"], chosen["charm"]) == (["hard"], ["sharp"], ["hot"])
    assert set(chosen) == {"force", "finesse", "wits", "charm", "nerve"}
    assert all(names[0] in ("a", "b") for names in stat_map(["a", "b"]).values())


def test_the_engine_says_what_is_wrong_with_a_system() -> None:
    assert check_system({"id": "x", "name": "X", "stats": ["a"], "stat_map": {"force": ["b"]}}) == [
        "stat_map names 'b', which is no stat"
    ]
    assert check_system({"id": "x", "name": "X", "resolution": {"method": "coin"}})


def test_every_extractor_has_its_prompt_and_its_offline_answer() -> None:
    from freeform.core.llm.prompts import bundled

    for extractor in EXTRACTORS:
        assert extractor.pass_.id in RESPONDERS
        prompt = bundled().get(extractor.pass_.id)
        prompt.render(told("x").fields())
        answer = RESPONDERS[extractor.pass_.id](told("Nothing here."), Chance(1))
        assert isinstance(answer, extractor.pass_.gives) and answer.confidence == 0.0, extractor.key
