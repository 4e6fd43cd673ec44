"""What somebody went to say and could not: it is kept until they stand before whom it was for."""

from freeform.engine.authored.fitting import SPEECH
from freeform.engine.rules.checks import state_type
from freeform.engine.rules.known import called, with_article
from freeform.engine.rules.ledger import Ledger
from freeform.engine.table import Rules
from freeform.engine.world.model import BlockedAction, ValidatorOutput
from freeform.engine.world.names import mentioned
from freeform.engine.world.state import GameState

CAMPAIGN, UNSAID = "campaign", "unsaid"
_GOING = ("move", "follow", "flee")
_TOPIC = 3
"""More words than these are told, not asked about."""


def keep_unsaid(validated: ValidatorOutput, page: Ledger, rules: Rules) -> None:
    """Of a turn that goes somewhere to speak with someone: what could not be said is kept; what was
    said to them at last is not."""
    kept = page.state.value(CAMPAIGN, UNSAID) or {}
    named = [act.action for act in validated.allowed_actions]
    named += [act.action for act in validated.blocked_actions]
    if any(one.target_id == kept.get("who") for one in validated.allowed_actions if kept):
        page.note(CAMPAIGN, UNSAID, {})
    if not any(action in _GOING for action in named):
        return
    for act in validated.blocked_actions:
        who, rest = _meant(act, page.state)
        here = who in page.state.scene.present_entity_ids
        if act.action in SPEECH and who and rest and not here:
            name = called(who, act.details, page.state, rules)
            page.note(CAMPAIGN, UNSAID, {"who": who, "text": _typed(act, name, rest)})
            page.happen("kept_for_later", name=with_article(name))
            return


def unsaid(state: GameState) -> str:
    """What one came to say to somebody who is here, as a player would type it; '' for nothing."""
    kept = state.value(CAMPAIGN, UNSAID) or {}
    here = kept.get("who") in state.scene.present_entity_ids
    return str(kept["text"]) if here else ""


def _meant(act: BlockedAction, state: GameState) -> tuple[str, str]:
    """Whom words were for, and the words: `Auntie Pao; Jin` where a listener knew nobody so
    called."""
    if state_type(act.target_id, state) == "npc":
        return act.target_id, act.details
    named, parted, rest = act.details.partition(";")
    found = mentioned(named, state, ("npc",)) if parted else []
    return (found[0], rest.strip()) if found else ("", "")


def _typed(act: BlockedAction, name: str, rest: str) -> str:
    who, rest = with_article(name), rest.strip(" .!?")
    if act.action == "ask" or len(rest.split()) <= _TOPIC:
        return f"Ask {who} about {rest}"
    return f"Tell {who} that {rest.removeprefix('that ')}"
