"""What was heard, put in order: two actions that are one, claims that are none, and text that is no action at all."""

from collections.abc import Sequence

from freeform.core.text import shorten
from freeform.engine.world.model import ContextPacket, ProposedAction
from freeform.offline.interpreter.hearing import Hearing
from freeform.offline.interpreter.lexicon import lexicon
from freeform.offline.interpreter.phrases import joined
from freeform.offline.interpreter.words import Typed

FLAGS = ("violence", "sensitive", "contested", "dangerous", "pursuit", "hostile_present")


def risk_flags(typed: Typed, actions: Sequence[ProposedAction], packet: ContextPacket) -> list[str]:
    """The risks named by the actions, the words, and the company."""
    words = {token.plain for token in typed.tokens}
    flags = {flag for action in actions for flag in lexicon().risks.get(action.action, ())}
    flags |= {flag for flag, risky in lexicon().risk_words.items() if words & risky}
    if _hostile_near(packet):
        flags.add("hostile_present")
    return [flag for flag in FLAGS if flag in flags]


def _hostile_near(packet: ContextPacket) -> bool:
    near = set(packet.present_entities)
    for row in packet.entities:
        if row.get("id") in near:
            attrs = row.get("attrs") or {}
            marks = {str(tag).lower() for tag in row.get("tags") or ()} | {
                str(attrs.get("disposition", "")).lower()
            }
            if marks & lexicon().hostile:
                return True
    return False


LONGEST_DETAILS = 400


def tidy(actions: list[ProposedAction], hearing: Hearing) -> list[ProposedAction]:
    """Walking up to someone and speaking is one thing; claimed sights are no action where others are."""
    kept: list[ProposedAction] = []
    for at, action in enumerate(actions):
        after = actions[at + 1] if at + 1 < len(actions) else None
        before = kept[-1] if kept else None
        if before is not None and (merged := _merged(hearing, before, action)):
            kept[-1] = merged
            continue
        approach = action.action == "talk" and not action.details and after is not None
        if (
            approach
            and after
            and after.action in hearing.words.social
            and after.target_id == action.target_id
        ):
            continue
        if before is not None and before.target_id and _lacks_object(hearing, action):
            action = action.model_copy(update={"target_id": before.target_id})
        if before is not None and action.action == "talk" and action.details.startswith("be "):
            continue  # `hammer on the gate and shout to be let in`: what the hammering is for
        claimed = (
            action.action == "look" and action.details in hearing.perceptions and len(actions) > 1
        )
        twice = (
            kept
            and (kept[-1].action, kept[-1].target_id) == (action.action, action.target_id)
            and hearing.offers
        )
        if not claimed and not twice:
            kept.append(action)
    return [a.model_copy(update={"details": shorten(a.details, LONGEST_DETAILS)}) for a in kept]


def _lacks_object(hearing: Hearing, action: ProposedAction) -> bool:
    """`take the rum and drink`: done to what was just spoken of."""
    thing = hearing.words.wants.get(action.action) == "thing"
    return thing and not action.target_id and not action.details


def _merged(
    hearing: Hearing, before: ProposedAction, action: ProposedAction
) -> ProposedAction | None:
    """Two that are one: `look around and listen`, `grab him and pull`, `Who are you? I ask her`."""
    if action == before:
        return before
    social = hearing.words.social
    if (
        action.action in social
        and before.action in social
        and not action.details
        and before.details
    ):
        return before.model_copy(update={"target_id": action.target_id or before.target_id})
    bare_deed = not action.target_id and not action.details and action.action in hearing.words.wants
    if bare_deed and action.action not in (*social, "move") and before.action == "improvise":
        return before
    return None


def no_action(hearing: Hearing) -> ProposedAction:
    """What is no action at all: claims become a look at their subject, English an improvisation, noise a look."""
    text = shorten(hearing.typed.text, LONGEST_DETAILS)
    words = [token.plain for token in hearing.typed.tokens if token.kind == "word"]
    if words in (["i"], ["inv"], ["inventory"]):
        return ProposedAction(action="look", details="inventory")
    if hearing.assumptions and hearing.mentions:
        named = hearing.mentions[0].best()
        return ProposedAction(
            action="look", target_id=named.id if named.kind != "self" else "", details=text
        )
    known = sum(word in lexicon().common or word in hearing.verbs.by_head for word in words)
    if words and known >= 2 and known * 2 >= len(words) and "improvise" in hearing.verbs.actions:
        return ProposedAction(action="improvise", details=joined(text))
    return ProposedAction(action="look", details=text)
