"""The offline referee's rulings: deeds that nobody authored, typed at a small inn."""

from typing import Any

import pytest

from freeform.engine.campaign.begin import Answers, begin
from freeform.engine.turn import Say, take_turn
from freeform.engine.world.model import TurnResult
from freeform.engine.world.state import PLAYER, GameState
from freeform.language.sentences import sentences
from tests.engine.cellar import scenario
from tests.evals.played import memory_table

RULED = {
    "I wedge a chair against the cellar door.": ("t:door", "blocked"),
    "I drape a cloth over the hearth": ("t:taproom/hearth", "covered"),
    "I pour water over the hearth.": ("t:taproom/hearth", "wet"),
    "I scratch a cross into the cellar door": ("t:door", "marked"),
    "I put out the fire": ("t:taproom/fire", "dark"),
    "I light my lamp.": ("t:lamp", "lit"),
    "I tuck the lamp behind the hearth": ("t:lamp", "hidden"),
    "I pull my hood over my face.": (PLAYER, "disguised"),
    "I hug Orla.": ("t:orla", "comforted"),
    "I teach Orla to whistle.": ("t:orla", "taught"),
    "I cover Orla with my cloak": ("t:orla", "covered"),
    "I stand guard over Orla.": ("t:orla", "guarded"),
    "I ask Orla to keep an eye on the yard.": ("t:orla", "watching"),
    "I wait with Orla.": (PLAYER, "waiting"),
    "I wave at Orla as a sign": ("t:orla", "signalled"),
}
UNRULED = (
    "I don't hug Orla.",
    "Should I tie Orla up?",
    "ask Orla about the rain",
    "I light the chandelier",
    "I cover the throne with my cloak",
    "I promise Finn to come back",
    "I put Orla over my shoulder.",
    "I draw a face on the back of my hand",
    "I hum a song like Orla",
    "I toss the mug to Orla",
    "I stash the mug under the hearth",
    "I sling the key across my back",
    "I light Orla",
    "I block Orla",
    "I soak Orla",
    "I draw a face on Orla",
    "I pour the mug over Orla",
)
DOOR, HEARTH, MUG, LAMP = "t:door", "t:taproom/hearth", "t:mug", "t:lamp"


def put(item: str, spot: str, text: str = "") -> dict[str, Any]:
    return {"put": {"item": item, "spot": spot, "text": text}}


def become(subject: str, condition: str, text: str, turns: int = 0) -> dict[str, Any]:
    new = {"subject": subject, "condition": condition, "text": text, "turns": turns}
    return {"become": new}


def hand(item: str, source: str, to: str) -> dict[str, Any]:
    return {"hand": {"item": item, "source": source, "to": to, "qty": 1}}


SHOWN = {"appear": {"id": HEARTH, "name": "hearth", "text": "", "held_by": "", "comes": ""}}
WAITING = become("t:orla", "watching", "Orla is waiting here for you.")
EXACTLY = {
    "I drag the mug to the cellar door": [
        put(MUG, "by the cellar door", "The pewter mug is by the cellar door.")
    ],
    "I put the lamp into the fire": [put(LAMP, "in the fire", "The brass lamp is in the fire.")],
    "I leave the lamp on the hearth": [
        put(LAMP, "on the hearth", "The brass lamp is on the hearth.")
    ],
    "I shove the mug against the hearth": [
        put(MUG, "against the hearth", "The pewter mug is against the hearth.")
    ],
    "I hurl the lamp at the cellar door": [
        put(LAMP, "by the cellar door", "The brass lamp lies by the cellar door.")
    ],
    "I toss the lamp to Orla": [hand(LAMP, PLAYER, "t:orla")],
    "I sling the mug across my back": [hand(MUG, "t:taproom", PLAYER)],
    "I tie a ribbon to the cellar door": [
        become(DOOR, "marked", "The cellar door is marked: something is tied to it.")
    ],
    "I mark the cellar door with chalk": [become(DOOR, "marked", "The cellar door is marked.")],
    "I draw a line on the hearth": [SHOWN, become(HEARTH, "marked", "The hearth is marked.")],
    "I soak the mug": [become(MUG, "wet", "The pewter mug is wet.")],
    "I put out my lamp": [become(LAMP, "dark", "The brass lamp is dark: it was put out.")],
    "I hide the lamp in my sleeve": [
        become(LAMP, "hidden", "The brass lamp is hidden in your sleeve.")
    ],
    "I hide the lamp under the hearth": [
        put(LAMP, "under the hearth"),
        become(LAMP, "hidden", "The brass lamp is hidden under the hearth."),
    ],
    "I dress as a docker": [become(PLAYER, "disguised", "You are disguised.")],
    "I wave at the yard": [
        become("t:yard", "signalled", "The yard was signalled: you gave a sign to the yard.", 6)
    ],
    "I block the cellar door": [become(DOOR, "blocked", "The cellar door is blocked.")],
    "I block the cellar door with a barrel": [
        become(DOOR, "blocked", "The cellar door is blocked with a barrel.")
    ],
    "I shove the mug against the cellar door": [
        become(DOOR, "blocked", "The cellar door is blocked with the mug.")
    ],
    "I tell Orla to stay here": [{"part": "t:orla"}, WAITING],
    "I hug Orla": [
        become("t:orla", "comforted", "Orla is comforted by what you did.", 6),
        {"trust": {"who": "t:orla", "delta": 1}},
    ],
}


async def played(*texts: str) -> tuple[TurnResult, GameState]:
    """The last of these turns, and the state after it."""
    at = memory_table()
    await begin(scenario(), "c", 7, Answers(), at)
    for text in texts:
        result = await take_turn(Say(campaign="c", text=text), at)
    return result, await at.store.get_state("c")


@pytest.mark.parametrize("text", RULED)
async def test_a_free_deed_has_an_effect_and_the_prose_says_so(text: str) -> None:
    result, state = await played(text)
    subject, condition = RULED[text]
    assert state.value(subject, condition) is True, result.rulings
    told, *more = sentences(result.final_text)
    assert told.startswith("You ") and more  # the deed, and what one sees of it
    assert f"is {condition}." not in result.final_text
    assert [row.outcome for row in result.rulings] == ["success"]


@pytest.mark.parametrize("text", EXACTLY)
async def test_it_does_what_was_said_and_nothing_else(text: str) -> None:
    result, _ = await played(text)
    assert [row.effects for row in result.rulings] == [EXACTLY[text]]


async def test_two_deeds_in_one_breath_are_ruled_each() -> None:
    result, _ = await played("I douse the hearth and hug Orla")
    put_out = become(HEARTH, "dark", "The hearth is dark: it was put out.")
    assert [row.effects for row in result.rulings] == [[SHOWN, put_out], EXACTLY["I hug Orla"]]


@pytest.mark.parametrize("text", UNRULED)
async def test_it_abstains_where_nothing_is_done_or_nothing_is_there(text: str) -> None:
    result, _ = await played(text)
    assert result.rulings == []


async def test_later_turns_see_what_became_so() -> None:
    result, _ = await played("I drape a cloth over the hearth", "look around")
    assert "The hearth is covered with a cloth." in result.final_text
    result, _ = await played("I drape a cloth over the hearth", "look at the hearth")
    assert "The hearth is covered with a cloth." in result.final_text


async def test_a_thing_that_was_hidden_can_be_taken_again() -> None:
    _, state = await played("I tuck the lamp behind the hearth")
    assert ("t:taproom", "t:lamp") in state.inventory
    _, state = await played("I tuck the lamp behind the hearth", "take the lamp")
    assert (PLAYER, "t:lamp") in state.inventory
    assert not state.value("t:lamp", "lies")


async def test_what_is_hidden_under_ones_coat_goes_where_one_goes() -> None:
    _, state = await played("I tuck the lamp under my coat")
    assert (PLAYER, "t:lamp") in state.inventory
    _, state = await played("I tuck the lamp behind the hearth", "I hide the lamp under my coat")
    assert (PLAYER, "t:lamp") in state.inventory


async def test_a_promise_is_kept_in_mind() -> None:
    _, state = await played("I promise Orla that I'll pay for the beer.")
    promised = [fact for fact in state.facts.values() if "promise" in fact.tags]
    assert [fact.object["text"] for fact in promised] == [
        "You promised Orla: you'll pay for the beer."
    ]


async def test_dice_decide_where_someone_may_say_no() -> None:
    result, state = await played("I ask Orla to come with me.")
    assert result.rolls
    came = state.value("t:orla", "follows") == PLAYER
    assert came == (result.rulings[0].outcome not in ("failure", "botch"))


async def test_what_holds_someone_fast_is_said() -> None:
    stuck: dict[str, Any] = {
        "id": "f_stuck",
        "subject_id": "t:orla",
        "predicate": "stuck",
        "object": {"value": True, "text": "Orla's sleeve is caught in the press."},
    }
    at = memory_table()
    await begin(scenario(facts=[stuck]), "c", 7, Answers(), at)
    result = await take_turn(Say(campaign="c", text="I ask Orla to come with me."), at)
    assert result.final_text.startswith("Orla's sleeve is caught in the press.")
    assert result.validator.blocked_actions[0].because == "f_stuck"


async def test_what_nothing_rules_on_is_kept_in_the_players_words() -> None:
    texts = ("I line my pockets with crumbs", "I dance a jig", "I juggle three apples")
    kept = {}
    for text in texts:
        result, state = await played(text)
        facts = [fact for fact in state.facts.values() if "deed" in fact.tags]
        failed = any(roll.outcome in ("failure", "botch") for roll in result.rolls)
        assert len(facts) == (0 if failed else 1), "what is told as done is kept, and only that"
        kept |= {fact.object["text"]: text for fact in facts}
    assert kept
    assert all(text.removeprefix("I ") in said for said, text in kept.items())
