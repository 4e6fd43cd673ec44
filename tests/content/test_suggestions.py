"""What the game itself proposes is never refused, and what it refuses tells nothing hidden."""

import os
import re
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from freeform import wiring
from freeform.core.chance import Chance
from freeform.engine.authored.library import load_scenario
from freeform.engine.campaign.begin import Answers, begin
from freeform.engine.context import Moment
from freeform.engine.passes import InterpreterInput
from freeform.engine.rules.known import bare
from freeform.engine.rules.offers import offers
from freeform.engine.rules.validate import validate
from freeform.engine.table import Rules, Table
from freeform.engine.turn import Say, take_turn
from freeform.engine.world.model import TurnResult, ValidatorOutput
from freeform.engine.world.names import names_of
from freeform.engine.world.state import PLAYER, Entity, GameState
from freeform.offline.model import hearing
from freeform.settings import Settings

SCENARIOS = ("dead_drop", "drowned_bell")
CAMPAIGNS, CLICKS = int(os.environ.get("CLICKED_CAMPAIGNS", "3")), 50
"""Of each scenario, and in each campaign; `CLICKED_CAMPAIGNS=10` are 1,000 clicks in all."""
STATES, INPUTS = 5, 51
"""Moments of one campaign, and what is typed in each: 510 inputs over two scenarios."""
HEAR = hearing(wiring.ear())
_DEEDS = (
    "I ask {person} about {thing}",
    "I talk to {person}",
    "I bribe {here} with {thing}",
    "I show {here} {thing}",
    "I give {thing} to {here}",
    "I take {thing}",
    "I use {thing}",
    "I open {thing} with {other}",
    "I smash {thing}",
    "I attack {person} with {thing}",
    "I follow {person}",
    "I go to {place}",
    "I go to {person}",
    "I steal {thing} from {person}",
    "I look at {place}",
    "I unlock {thing}",
    "I put down {thing}",
)


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Table:
    """Without the check of lines by meaning, which only ever takes a suggestion away, and is slow."""
    home = tmp_path_factory.mktemp("clicks")
    return replace(wiring.headless(Settings(home=home, model="offline")), topics=None)


@pytest.mark.parametrize("seed", range(CAMPAIGNS))
@pytest.mark.parametrize("name", SCENARIOS)
async def test_no_suggestion_is_refused_or_asked_back(name: str, seed: int, table: Table) -> None:
    wrong, clicked = [], 0
    async for suggested, result in _clicks(name, seed, table):
        ruled = result.validator
        clicked += 1
        if ruled.blocked_actions or ruled.clarification_needed or not ruled.allowed_actions:
            wrong.append((suggested, [b.reason for b in ruled.blocked_actions]))
        assert 0 < len(result.suggested_actions) <= 3
    assert wrong == []
    assert clicked == CLICKS


@pytest.mark.parametrize("name", SCENARIOS)
async def test_no_refusal_names_what_the_player_does_not_know(name: str, table: Table) -> None:
    shown, leaks, refusals = load_scenario(name).opening, list[tuple[str, str]](), 0
    async for number, (_, result) in _numbered(_clicks(name, 77, table)):
        shown += f" {result.final_text} {' '.join(result.suggested_actions)}"
        if number % (CLICKS // STATES):
            continue
        begun = await table.store.begun(result.campaign)
        state, rules = await table.store.get_state(result.campaign), Rules.of(begun)
        hidden = _names_unread(f"{shown} {_in_plain_sight(state, rules)}", state)
        for at in range(INPUTS):
            typed = _nosy(state, Chance(name, number, at))
            said = _answer(typed, state, rules)
            refusals += said != ""
            told = [word for word in hidden if _has(word, said) and not _has(word, typed)]
            leaks += [(typed, said)] if told else []
    assert leaks == []
    assert refusals > INPUTS * STATES / 3, "much of what was typed had to be refused"


async def _clicks(name: str, seed: int, table: Table) -> AsyncIterator[tuple[str, TurnResult]]:
    """A campaign in which only suggestions are clicked, each with what came of it."""
    scenario, campaign = load_scenario(name), f"{name}-{seed}"
    hero = scenario.heroes[seed % len(scenario.heroes)].id
    begun = await begin(scenario, campaign, seed, Answers(hero=hero), table)
    suggested = begun.suggested_actions
    for number in range(CLICKS):
        text = Chance(seed, "click", number).choose(suggested)
        say = Say(campaign=campaign, text=text, turn_id=f"{campaign}/{number}")
        result = await take_turn(say, table)
        yield text, result
        suggested = result.suggested_actions


async def _numbered(
    clicks: AsyncIterator[tuple[str, TurnResult]],
) -> AsyncIterator[tuple[int, tuple[str, TurnResult]]]:
    number = 0
    async for click in clicks:
        number += 1
        yield number, click


def _answer(typed: str, state: GameState, rules: Rules) -> str:
    """All that the player would read of a refusal or a question, and of its buttons."""
    packet = Moment(state, typed, rules).packet("player")
    verbs = rules.system.verbs
    question = InterpreterInput(
        context_packet=packet,
        player_input=typed,
        action_types=verbs,
        offers=offers(state, rules),
    )
    heard = HEAR(question)
    ruled = ValidatorOutput() if heard.question else validate(heard, state, rules, typed)
    buttons = [reading.text for reading in (*heard.readings, *ruled.readings)]
    refused = [blocked.reason for blocked in ruled.blocked_actions]
    asked = [heard.question, ruled.clarification_question]
    return " ".join([*refused, *asked, *buttons]).strip()


def _nosy(state: GameState, chance: Chance) -> str:
    """Something a player might type who guesses at what is hidden, by any name it has."""
    by_type: dict[str, list[Entity]] = {}
    for entity in state.entities.values():
        by_type.setdefault(entity.type, []).append(entity)
    present = [id for id in state.scene.present_entity_ids if id != PLAYER]
    here = state.name(chance.at("here").choose(present)) if present else "them"

    def one(type: str, part: str) -> str:
        entity = chance.at(part).choose(by_type[type])
        return chance.at(part, "name").choose(names_of(entity))

    return (
        chance.at("deed")
        .choose(_DEEDS)
        .format(
            person=one("npc", "person"),
            thing=one("item", "thing"),
            other=one("item", "other"),
            place=one("location", "place"),
            here=here,
        )
    )


def _in_plain_sight(state: GameState, rules: Rules) -> str:
    """What the player has before their eyes, or has been shown in lists."""
    here = state.scene.location_id
    owners = (PLAYER, here, *state.scene.present_entity_ids)
    things = [held.item_id for owner in owners for held in state.held(owner)]
    met = [e.id for e in state.entities.values() if state.value(e.id, "met")]
    been = [id for id in rules.scenario.places if state.value(id, "visited")]
    lying = [held.item_id for place in been for held in state.held(place)]
    ways = [way.to for way in rules.exits(here, state)]
    ids = (*state.scene.present_entity_ids, here, *things, *met, *been, *lying, *ways)
    facts = [str(f.object.get("text", "")) for f in state.facts.values() if f.visibility == "known"]
    threads = [t.title for t in state.threads.values() if t.status == "active"]
    return " ".join([*map(state.name, ids), *facts, *threads])


def _names_unread(shown: str, state: GameState) -> list[str]:
    """The names of all things, and single words of people's names, that stand nowhere in a text."""
    names = [bare(entity.name) for entity in state.entities.values()]
    people = (entity.name for entity in state.entities.values() if entity.type == "npc")
    parts = {word for name in people for word in name.split() if word[:1].isupper()}
    names += [part for part in parts if len(part) > 2 and part != "The"]
    return [name for name in names if not _has(name, shown)]


def _has(name: str, text: str) -> bool:
    return re.search(rf"\b{re.escape(name)}\b", text, re.I) is not None
