"""What somebody says of themselves who is asked how they are, what was, or what they want."""

from freeform.engine.minds.mind import AskedMind, SpokenAnswer
from freeform.engine.minds.question import DID

_SAID = "heart:"
"""How much they have said of themselves, as the first word of its predicate."""
_OF_ONESELF = frozenset({"self", "past", "want", "feel", "view"})
_PERSONAL = {"who": "past", "when": "past"}
"""What is asked of somebody's own life, by the particular that is asked for."""


def from_the_heart(mind: AskedMind, kind: str) -> SpokenAnswer | None:
    """Their answer, where they are asked after nothing else; to a foe nobody gives one."""
    asked, heart = mind.asked, mind.person.heart
    others = [id for id in asked.about if id != mind.who]
    if not asked.is_to_them or others or mind.stance == "cold" or asked.wants == DID:
        return None
    if kind not in heart and (asked.kind in _OF_ONESELF or asked.is_of_them):
        kind = asked.kind
    if kind not in heart and asked.is_of_them:
        kind = _PERSONAL.get(asked.wants, kind)
    lines, said = heart.get(kind, []), int(mind.state.value(mind.who, f"{_SAID}{kind}") or 0)
    if said >= len(lines) or not mind.may_say(lines[said]):
        return None
    notes = ((f"{_SAID}{kind}", said + 1),)
    return SpokenAnswer("heart", "", {"gist": lines[said].strip()}, notes=notes)
