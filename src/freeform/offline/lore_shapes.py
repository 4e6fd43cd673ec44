"""The shapes of sentences that tell a relation of two things, over names that stand in slots."""

import re
from typing import NamedTuple

from freeform.lore.model import Kind

_THE = r"(?:the\s+|an?\s+|its\s+|their\s+)?"
_JOINT = rf"(?:\s*,\s*(?:and\s+|or\s+)?{_THE}|\s+(?:and|or)\s+{_THE})"
_GAP = r"[^.;:\[\]]{0,40}?"
KIN = (
    r"brother|sister|father|mother|son|daughter|uncle|aunt|cousin|nephew|niece|wife|husband|widow|parent|"
    r"grandfather|grandmother|twin|rival|mentor|apprentice|pupil|friend|lover"
)
_ROLE = r"[a-z][a-z-]+(?:\s+[a-z][a-z-]+){0,2}?"
_MANY = re.compile(r"\[(\d+)[a-z]\]")


def slot(kinds: str, group: str) -> str:
    """One name of these kinds."""
    return rf"\[(?P<{group}>\d+)[{kinds}]\]"


def slots(kinds: str, group: str) -> str:
    """One name or a list of them."""
    one = rf"\[\d+[{kinds}]\]"
    return rf"(?P<{group}>{one}(?:{_JOINT}{one})*)"


class Shape(NamedTuple):
    """What a sentence of that form says. `subject`: the group that names whose fact it is, or `here`
    (the zone the page is about), or `topic` (whom the sentences before speak of)."""

    kind: Kind
    predicate: str
    subject: str
    values: str
    pattern: re.Pattern[str]


def _shape(kind: Kind, predicate: str, subject: str, pattern: str, values: str = "v") -> Shape:
    return Shape(kind, predicate, subject, values, re.compile(pattern, re.I))


_LEAD = r"(?:lead|open|continue|descend|climb|connect|link|join|border|pass|road|path|gate|bridge|door|stair|portal|tunnel|way|exit)\w*"
_RULED = r"(?:ruled|held|controlled|run|governed|owned|claimed|occupied|garrisoned|administered)"
_RULES = r"(?:rule|hold|control|run|govern|own|claim|occup(?:y|ie)|garrison|administer)\w*"
_STAYS = r"(?:live|dwell|reside|stand|sit|wait|work|rest|hide|lurk|reign|trade|sell|camp|is|are|found|keep|has|have)\w*"
_IN = r"(?:in|at|on|inside|within|near|by|beneath|under|behind)"

SHAPES: tuple[Shape, ...] = (
    # ways
    _shape("zone", "connects_to", "s", rf"\b{_LEAD}\b{_GAP}\bfrom\s+{_THE}{slot('z', 's')}\s+(?:back\s+|on\s+)?to\s+{_THE}{slots('zk', 'v')}"),
    _shape("zone", "connects_to", "here", rf"\b{_LEAD}\b{_GAP}\b(?:to|into|on|onto|with|in)\s+{_THE}(?:[a-z]+\s+of\s+{_THE})?{slots('z', 'v')}"),
    _shape("zone", "connects_to", "here", rf"\b(?:reach|enter|access|join|link|connect)\w*\s+(?:only\s+)?(?:through|from|by|via|across|to)\s+{_THE}{slots('z', 'v')}"),
    _shape("zone", "connects_to", "here", rf"\b(?:come|comes|arrive|arrives|enter|enters)\s+(?:in\s+)?from\s+{_THE}{slots('z', 'v')}"),
    _shape("zone", "connects_to", "s", rf"^{_THE}{slot('z', 's')}{_GAP}\bborder(?:s|ed|ing)?\s+(?:on\s+|by\s+)?{_THE}{slots('zk', 'v')}"),
    _shape("zone", "connects_to", "here", rf"\bborder(?:s|ed|ing)?\s+(?:on\s+|by\s+)?{_THE}{slots('zk', 'v')}"),
    _shape("zone", "connects_to", "here", rf"\b(?:lies|lie|sits|stands)\s+between\s+{_THE}{slots('zk', 'v')}"),
    _shape("zone", "connects_to", "s", rf"^{_THE}{slot('z', 's')}\s+(?:is|lies|stands)\s+(?:to\s+the\s+)?(?:north|south|east|west)\w*\s+of\s+{_THE}{slots('z', 'v')}"),
    # who holds a zone, who is in it
    _shape("zone", "faction", "here", rf"\b{_RULED}\s+(?:now\s+)?by\s+{_THE}{slots('f', 'v')}"),
    _shape("zone", "faction", "here", rf"\bunder\s+{_THE}(?:control|rule|protection)\s+of\s+{_THE}{slots('f', 'v')}"),
    _shape("zone", "factions", "here", rf"{slots('f', 'v')}\s+(?:now\s+)?{_RULES}\s+(?:it|them|this|{_THE}place)\b"),
    _shape("zone", "factions", "s", rf"{slots('f', 'v')}\s+(?:now\s+)?{_RULES}\s+{_THE}{slot('z', 's')}"),
    _shape("zone", "factions", "here", rf"\bhome\s+(?:of|to)\s+{_THE}{slots('f', 'v')}"),
    _shape("zone", "factions", "here", rf"{slots('f', 'v')}\s+(?:keep|have|has|live|camp|roam|dwell|maintain|patrol|guard)\w*\b(?!\s+been)"),
    # where people are
    _shape("npc", "zone", "s", rf"{slot('n', 's')}(?:,[^,\[\]]{{3,60}},)?\s+(?:[a-z]+ly\s+)?{_STAYS}\b{_GAP}\b{_IN}\s+{_THE}{slots('zp', 'v')}"),
    _shape("npc", "zone", "s", rf"{slot('n', 's')}\s+{_IN}\s+{_THE}{slots('zp', 'v')}"),
    _shape("npc", "zone", "s", rf"\b{_IN}\s+{_THE}(?P<v>\[\d+[zp]\])\s+(?:you\s+(?:will\s+)?(?:find|meet)|live|dwell|stand|sit|wait)\w*\s+{_THE}(?:[a-z]+\s+)?{slot('n', 's')}"),
    _shape("npc", "zone", "s", rf"{slot('uk', 's')}(?:,[^,\[\]]{{3,60}},)?\s+(?:live|dwell|reside|lurk|reign|trade|sells?|waits?)\w*\b{_GAP}\b{_IN}\s+{_THE}{slots('zp', 'v')}"),
    # what people are
    _shape("npc", "role", "s", rf"{slot('nuk', 's')},\s+(?:the|an?|its|their)\s+(?P<said>{_ROLE})(?=[,.;]|\s+(?:of|who|in|at|from|and)\b)", "said"),
    _shape("npc", "role", "s", rf"{slot('n', 's')}\s+(?:is|was)\s+(?:the|an?)\s+(?:\w+\s+of\s+the\s+)?(?P<said>{_ROLE})(?=[,.;]|\s+(?:of|who|in|at|from|and|whose|with)\b)", "said"),
    _shape("npc", "role", "topic", r"^(?:He|She)\s+(?:is|was)\s+(?:the|an?)\s+" rf"(?P<said>{_ROLE})(?=[,.;]|\s+(?:of|who|in|at|from|and|whose|with)\b)", "said"),
    _shape("npc", "role", "s", rf"\b(?:the|an?)\s+(?P<said>[a-z][a-z-]+)\s+{slot('n', 's')}", "said"),
    _shape("npc", "faction", "s", rf"{slot('n', 's')}[^.;\[\]]{{0,40}}\b(?:member|leader|head|captain|commander|agent|servant|chief|lord)\s+of\s+{_THE}{slots('f', 'v')}"),
    _shape("npc", "faction", "s", rf"{slot('n', 's')}\s+(?:serve|lead|command|join|belong)\w*\s+(?:to\s+|with\s+)?{_THE}{slots('f', 'v')}"),
    _shape("npc", "faction", "topic", rf"^(?:He|She)\s+(?:is\s+a\s+member\s+of|serves|leads|commands|belongs\s+to|joined)\s+{_THE}{slots('f', 'v')}"),
    _shape("npc", "relation", "s", rf"{slot('n', 's')}[^.;\[\]]{{0,30}}?\b(?:his|her|their)\s+(?:\w+\s+)?(?P<type>{KIN}),?\s+{slots('nuk', 'v')}"),
    _shape("npc", "relation", "topic", rf"\b(?:his|her|their)\s+(?:\w+\s+)?(?P<type>{KIN}),?\s+{slots('nuk', 'v')}"),
    _shape("npc", "relation", "s", rf"{slot('n', 's')}(?:\s+(?:is|was))?,?\s+(?:the\s+)?(?P<type>{KIN})\s+of\s+{slots('n', 'v')}"),
    _shape("npc", "relation", "topic", rf"^(?:He|She)\s+(?:is|was)\s+(?:the\s+)?(?P<type>{KIN})\s+of\s+{slots('n', 'v')}"),
    # factions
    _shape("faction", "allied", "s", rf"{slot('f', 's')}{_GAP}\b(?:allied|alliance|ally|allies|friends?|friendly)\s+(?:with|to|of)\s+{_THE}{slots('f', 'v')}"),
    _shape("faction", "hostile", "s", rf"{slot('f', 's')}{_GAP}\b(?:at\s+war\s+with|war\s+against|hostile\s+to(?:wards)?|enem(?:y|ies)\s+of|feud\s+with|fights?(?:\s+against)?|hunts?|raids?|quarrels?\s+with|opposes?)\s+{_THE}{slots('f', 'v')}"),
    _shape("faction", "parent", "s", rf"{slot('f', 's')}\s+(?:is|are|was|were)\s+(?:a\s+)?(?:part|branch|vassal|subsidiary|arm)s?\s+of\s+{_THE}{slots('f', 'v')}"),
    _shape("faction", "leader", "s", rf"{slot('f', 's')}{_GAP}\b(?:led|headed|ruled|commanded)\s+by\s+{_THE}(?:[a-z]+\s+)?{slots('n', 'v')}"),
    _shape("faction", "leader", "s", rf"{slots('n', 'v')}\s+(?:lead|rule|head|command)s?\s+{_THE}{slot('f', 's')}"),
    # places and things
    _shape("lore", "zone", "s", rf"{slot('p', 's')}\s+(?:is|lies|stands|sits)\b{_GAP}\b(?:in|of|on|at)\s+{_THE}{slots('z', 'v')}"),
    _shape("narrative_item", "zone", "s", rf"{slot('i', 's')}{_GAP}\b{_IN}\s+{_THE}{slots('zp', 'v')}"),
    _shape("narrative_item", "wielder", "s", rf"{slot('i', 's')}{_GAP}\b(?:wielded|borne|carried|worn|owned|held|dropped|guarded|kept)\s+by\s+{_THE}{slots('nuk', 'v')}"),
    _shape("narrative_item", "wielder", "s", rf"{slots('n', 'v')}\s+(?:wield|carr(?:y|ie)|bear|own|wear|hold|guard|drop)\w*\s+{_THE}{slot('i', 's')}"),
)  # fmt: skip

ABSTAIN = re.compile(
    r"\b(?:not|no|never|nor|neither|none|cannot|nobody|without|if|unless|whether|would|could|might|may|should|"
    r"perhaps|maybe|seems?|suppose\w*|alleged\w*|rumou?rs?|whispers?|heard|thinks?|said\s+to|claims?\s+that|proposed|"
    r"planned|once|formerly|used\s+to)\b|n['’]t\b",
    re.I,
)
"""A sentence with one of these may deny, suppose or repeat: it is left to a model."""
HEARSAY = re.compile(r"\b(?:rumou?r|speculation|theor(?:y|ies)|non-?canon|cut content)\w*", re.I)


def numbers(listed: str) -> list[int]:
    """The slots of a list."""
    return [int(found) for found in _MANY.findall(listed)] or [int(listed)]
