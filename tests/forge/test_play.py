"""What was forged is kept, plays through the real engine, and never comes to a dead end."""

import json
from pathlib import Path

import pytest

from freeform.core.errors import BadFile, NotFound, UserError
from freeform.engine.authored.library import load_scenario
from freeform.engine.authored.scenario import Scenario
from freeform.engine.campaign.begin import Answers
from freeform.services.campaigns import begin_campaign
from freeform.services.house import House, opened_house
from freeform.services.play import say_of, take_turn
from freeform.services.scenario.forging import ForgeOrder, begin_forged, new_scenario
from freeform.settings import Settings
from tests.forge.test_forge import PREMISES, forged

TURNS = 10


def offline(home: Path) -> Settings:
    return Settings(home=home, model="offline")


async def played(house: House, campaign: str, ideas: list[str]) -> list[str]:
    """Turns of the game's own suggestions, another one each time; what was told."""
    told = []
    for turn in range(TURNS):
        result = await take_turn(house, await say_of(house, campaign, ideas[turn % len(ideas)]))
        assert result.final_text.strip()
        assert not result.clarification_question
        assert len(result.suggested_actions) >= 2
        told.append(result.final_text)
        ideas = result.suggested_actions
    return told


@pytest.mark.parametrize(
    "premise",
    [
        "a lighthouse keeper's twin has come back from the sea",
        "the reactor of the mining colony is failing and the commander has locked the airlock",
        "a crew of jazz musicians plans to rob the casino boss who cheated them",
        "somebody keeps returning books that were never printed",
    ],
)
async def test_a_forged_evening_plays_by_its_own_suggestions(tmp_path: Path, premise: str) -> None:
    async with opened_house(offline(tmp_path)) as house:
        begun = await begin_forged(house, ForgeOrder(premise=premise, seed=3), campaign="a")
        assert len(begun.suggested_actions) >= 3
        told = await played(house, "a", begun.suggested_actions)
        assert len(set(told)) == TURNS


async def test_what_was_forged_is_kept_and_can_be_begun_again(tmp_path: Path) -> None:
    async with opened_house(offline(tmp_path)) as house:
        made = await new_scenario(house, ForgeOrder(premise="a ghost runs for mayor", seed=5))
        kept = load_scenario(made.scenario, tmp_path)
        assert kept.name == made.name
        begun = await begin_campaign(house, made.scenario, campaign="b", seed=5)
        assert "A ghost runs for mayor." in begun.opening
        rows = json.loads(Path(made.path).with_suffix(".sources.json").read_text())
        assert {"piece", "source"} == set(rows[0])


async def test_a_pack_gives_its_people_and_places(tmp_path: Path) -> None:
    async with opened_house(offline(tmp_path)) as house:
        made = await new_scenario(house, ForgeOrder(packs=["saltmarch"], seed=2))
        from_pack = [row for row in made.sources if row.source.startswith("pack saltmarch:")]
        assert len(from_pack) >= 8
        begun = await begin_forged(house, ForgeOrder(packs=["saltmarch"], seed=2), campaign="p")
        assert len(set(await played(house, "p", begun.suggested_actions))) >= TURNS - 1


async def test_bad_wishes_are_refused_with_the_way_out_and_leave_nothing(tmp_path: Path) -> None:
    async with opened_house(offline(tmp_path)) as house:
        with pytest.raises(UserError, match="premise is empty"):
            await new_scenario(house, ForgeOrder(premise="  "))
        with pytest.raises(NotFound, match="saltmarch"):
            await new_scenario(house, ForgeOrder(packs=["saltmarsh"]))
        with pytest.raises(BadFile):
            await new_scenario(house, ForgeOrder(card=b"no card", card_name="c.json"))
        order = ForgeOrder(premise="giant spiders have taken the mill")
        with pytest.raises(UserError, match="keeps spiders out of play"):
            await begin_forged(house, order, Answers(lines=["spiders"]))
        assert not (tmp_path / "scenarios").exists()


async def test_a_card_full_of_markup_and_macros_is_somebody_one_can_meet(tmp_path: Path) -> None:
    card = {
        "spec": "chara_card_v2",
        "data": {
            "name": "<b>Vesna</b>",
            "description": "{{char}} is a <i>clockmaker</i>. She never looks at {{user}}.",
            "first_mes": '*{{char}} looks up.* <img src=x onerror=alert(1)> "You\'re late, {{user}}."',
            "scenario": "{{char}} has found a clock that runs backwards",
        },
    }
    async with opened_house(offline(tmp_path)) as house:
        order = ForgeOrder(card=json.dumps(card).encode(), seed=4)
        begun = await begin_forged(house, order, campaign="c")
        assert "Vesna looks up." in begun.opening
        told = (tmp_path / "scenarios" / f"{begun.scenario}.yaml").read_text()
        assert not {"<i>", "onerror", "{{"} & set(told.split()) and "{{" not in told


async def test_every_way_to_end_an_evening_is_offered_and_heard(tmp_path: Path) -> None:
    async with opened_house(offline(tmp_path)) as house:
        for shape in ("return", "mystery", "heist", "negotiation"):
            scenario = forged(PREMISES[shape], 1).scenario
            data = scenario.model_dump(mode="json")
            for fact in data["facts"]:
                if fact["visibility"] == "hidden":
                    fact["visibility"] = "known"
            at = {entity.id: entity.attrs.get("location") for entity in scenario.entities}
            for deed in scenario.affordances:
                if not deed.suggest:
                    continue
                who = next((c.present for c in deed.when if c.present), "")
                data["start"] = {"location": deed.at or at[who]}
                name = f"{shape}_{deed.id}"
                there = Scenario.model_validate(data)
                await begin_campaign(house, there, campaign=name, seed=2)
                result = await take_turn(house, await say_of(house, name, deed.suggest))
                texts = [text for outcome in deed.outcomes.values() for text in outcome.text]
                assert any(text[:40] in result.final_text for text in texts), deed.suggest
