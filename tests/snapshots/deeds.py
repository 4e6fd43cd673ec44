"""Two more evenings of other books and rules: deeds that nobody wrote, questions, fights, bargains, tricks, and what is left of them."""

from pathlib import Path
from typing import Any

from tests.snapshots.evenings import played_evening

DROP = (
    "look around",
    "I sit down at the bar and order a whisky",
    "who is Dutch?",
    "ask Dutch about Jin, then ask him about the locker",
    "I offer Dutch twenty credits if he tells me where Jin went",
    "what do I have with me?",
    "I hide the photo under the bar",
    "take the photo",
    "I tell Dutch that I am a cop",
    "persuade Dutch to let me into the office",
    "sneak into the back room",
    "I kick the office door open",
    "hack the terminal",
    "I wait an hour",
    "go to Kettle Row",
    "follow whoever leaves first",
    "I punch him in the face",
    "I shoot him",
    "run away",
    "I set fire to the stall and shout for help",
    "buy a knife",
    "give the knife to a beggar",
    "where am I, and what time is it?",
    "I swear that I will never come back here",
    "go back to the Neon Dragon",
    "I break the mirror with a stool",
    "sleep",
)
BELL = (
    "look around",
    "I greet everyone politely",
    "ask about the bell",
    "ask who drowned",
    "examine the rope and cut a piece of it off",
    "I light a lantern",
    "I pray for the drowned",
    "go down to the water",
    "swim out to the bell",
    "I dive and look for the clapper",
    "sing to whatever is down there",
    "take the clapper",
    "talk to the ghost",
    "I promise the ghost a grave",
    "I throw a stone at the ghost",
    "climb the tower",
    "ring the bell",
    "I dig a grave for the drowned",
    "steal the priest's key",
    "lie to the priest about the key",
    "I threaten the priest with my knife",
    "go home",
    "what have I learnt so far?",
)


async def deeds(folder: Path) -> dict[str, Any]:
    """Dead Drop, and The Drowned Bell."""
    return {
        "dead_drop": await played_evening(folder / "drop", "dead_drop", 11, DROP),
        "drowned_bell": await played_evening(folder / "bell", "drowned_bell", 5, BELL),
    }
