"""A table for questions: the offline model, and three small sources in the shapes of the seed's examples."""

import pytest

from freeform.assistant.ask import AskPorts
from freeform.assistant.model import Number, Part
from freeform.core.clock import SystemClock
from freeform.core.llm.live_gateway import LiveGateway, ModelsByRole
from freeform.core.llm.prompts import bundled
from freeform.core.llm.tape import MemoryTapes
from freeform.offline.model import OfflineModel
from tests.assistant.shelf import ListSource, piece


def gateway(model: object | None = None) -> LiveGateway:
    """A gateway with that model, or the offline one."""
    offline = OfflineModel()
    return LiveGateway(
        ModelsByRole(model or offline, offline),  # type: ignore[arg-type]
        prompts=bundled(),
        tapes=MemoryTapes(),
        clock=SystemClock(),
    )


@pytest.fixture
def ports() -> AskPorts:
    return AskPorts(gateway(), SystemClock())


RULES = [
    piece(
        "rulebook", "rulebook.combat.grappling", "Grappling", kind="rule", edition="5.1",
        text="To seize a creature you make a grapple check: Strength (Athletics) against its Athletics or Acrobatics.",
    ),
    piece(
        "rulebook", "rulebook.combat.grappling", "Grappling", kind="rule", edition="5.2",
        text="A creature you hit may be seized instead: it makes a save against 8 plus your Strength modifier and proficiency.",
    ),
    piece(
        "rulebook", "rulebook.spells.eldritch_blast", "Eldritch Blast", kind="spell",
        text="A beam of force. Make a ranged spell attack; a hit deals 1d10 force damage. Range 120 feet.", level=0, range="120 feet",
    ),
    piece(
        "rulebook", "rulebook.spells.fire_bolt", "Fire Bolt", kind="spell",
        text="A mote of fire. Make a ranged spell attack; a hit deals 1d10 fire damage.", level=0, range="120 feet",
    ),
    piece(
        "rulebook", "rulebook.secrets.true_name", "The Lich's True Name", kind="rule", gm=True,
        text="Szarvoth is the word that unmakes the lich.",
    ),
]  # fmt: skip
SHEET = [
    piece(
        "character_data", "inventory", "Eldaryth of Regret", kind="item",
        text="Eldaryth of Regret is a +1 longsword, attuned. Curse: it will not be left behind.",
    ),
    piece("character_data", "combat_stats", "Armor Class", kind="stat", text="Armor Class 18: plate.", aliases=["AC"]),
    piece(
        "character_data", "action_economy", "Regret's Toll", kind="action",
        text="When you hit with Eldaryth of Regret you may frighten the target once a day.",
    ),
    piece("character_data", "proficiencies", "Athletics", kind="skill", text="Athletics bonus +7.", aliases=["grappling"]),
    piece("character_data", "proficiencies", "Persuasion", kind="skill", text="Persuasion bonus +6."),
    piece(
        "character_data", "backstory", "Before the war", nameless=True,
        text="Captain Odile taught me the sword and died at the ford.",
    ),
]  # fmt: skip
NUMBERS = [
    Number(
        label="Athletics",
        value=7,
        parts=[Part(label="STR", value=4), Part(label="proficiency", value=3)],
        section="proficiencies",
        piece="character_data:proficiencies:Athletics:",
    )
]
NOTES = [
    piece(
        "session_notes", "session_notes.npc", "Elara", kind="npc",
        text="Session 2: Elara is a diviner in Oakhaven. She asked us for the seventh bell.",
    ),
    piece(
        "session_notes", "session_notes.event", "The reading of the sword", kind="event",
        text="Session 5: the sage says Eldarith of Regret is a +2 longsword and that its bond can be broken.",
        aliases=["Eldarith of Regret"],
    ),
    piece(
        "session_notes", "session_notes.npc", "Vexa", kind="npc", gm=True,
        text="Vexa is the abbot's daughter and nobody at the table knows it.",
    ),
    piece("session_notes", "session_notes.npc", "Mira", kind="npc", text="Session 1: Mira keeps the inn."),
    piece("session_notes", "session_notes.npc", "Mirna", kind="npc", text="Session 3: Mirna sells bells."),
]  # fmt: skip


@pytest.fixture
def sources() -> list[ListSource]:
    return [
        ListSource("character_data", SHEET, NUMBERS),
        ListSource("session_notes", NOTES),
        ListSource("rulebook", RULES),
    ]
