"""What the offline interpreter reads: acts with their targets and words, what is taken for granted, rulings.

By rules alone over all that tests/offline holds, and by rules and ear together over sentences the ear is sure of.
"""

from pathlib import Path
from typing import Any

from freeform.adapters.ear.learned import shipped_ear
from freeform.engine.passes import InterpreterInput
from freeform.engine.world.model import InterpreterOutput
from freeform.offline.model import hearing
from tests.offline.test_interpreter_cases import ACTION_TYPES, CASES, PACKET
from tests.snapshots.keeping import plain, sealed, without

FREE = (
    "I bow to Mara",
    "I pour the rum over the jukebox",
    "I write my name on the mirror with the rum",
    "I promise Mara that I will find Jin",
    "I carve a heart into the bar",
    "I sing to the guard until he cries",
    "I pay Viktor twenty credits for his silence",
    "I tie the guard's boots together",
    "I paint the locker red",
    "I smash the mirror",
    "I kiss Mara on the cheek",
    "I put the photo on the bar",
    "I barricade the back door with the crates",
    "I challenge Viktor to a game of cards",
    "I set the crates on fire",
    "I teach Mara how to shoot",
    "I throw the drive into the river",
    "I thank the guard and offer him a drink",
    "no wait, I go to the docks instead",
    "I kneel down and pray",
)
"""Deeds that nobody authored."""


async def heard(folder: Path) -> dict[str, Any]:
    """Every reading, one line each where it fits."""
    by_rules, by_both = hearing(None), hearing(shipped_ear())
    said = [case["say"] for group in CASES.values() for case in group]
    return {
        "rules": [_line(text, by_rules) for text in said],
        "rules_whole": [sealed(_read(text, by_rules))[:4] for text in said],
        "rules_free": [_line(text, by_rules) for text in FREE],
        "rules_and_ear": [_line(text, by_both) for text in FREE],
    }


def _read(text: str, hear: Any) -> InterpreterOutput:
    input = InterpreterInput(context_packet=PACKET, player_input=text, action_types=ACTION_TYPES)
    output: InterpreterOutput = hear(input)
    return output


def _line(text: str, hear: Any) -> dict[str, Any]:
    output = _read(text, hear)
    rest = without(plain(output), "confidence", "proposed_actions")
    acts = [
        " | ".join(filter(None, (act.action, act.target_id, act.details)))
        for act in output.proposed_actions
    ]
    return {"say": text, "do": acts, **rest}
