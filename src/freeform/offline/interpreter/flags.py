"""What is risky about what was said, and who hostile is near."""

from collections.abc import Sequence

from freeform.engine.world.model import ContextPacket, ProposedAction
from freeform.offline.interpreter.lexicon import lexicon
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
