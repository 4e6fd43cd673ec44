"""What is typed among foes, by its meaning: who gives up, pays, pleads, runs or calls on them to
give up means that, whatever words say it and whatever verb was heard in them."""

from collections.abc import Sequence

from freeform.engine.authored.conditions import check
from freeform.engine.authored.fitting import Asked, fitting_deeds
from freeform.engine.authored.scenario import Affordance
from freeform.engine.knowledge.remark import is_marked
from freeform.engine.rules.fight.foes import standing
from freeform.engine.table import Rules
from freeform.engine.world.model import InterpreterOutput, ProposedAction
from freeform.engine.world.names import mentioned, words
from freeform.engine.world.state import PLAYER, GameState

PART = "foes"
_PLAINLY, _AGAINST = 0.6, 0.75
"""How likely words must come to such a thing; and where they were heard as a blow or an aside."""
_BLOWS = frozenset({"attack", "subdue", "cast"})
_ASIDE = frozenset({"ooc", "gm_question", "plan_only", "plan"})
_ACTIONS = {
    "give_up": "surrender",
    "pay": "pay_off",
    "plead": "plead",
    "flee": "flee",
    "demand": "call_on",
}
_AUTHORED = {"pay": "give", "plead": "persuade"}
"""What authors write for such a thing."""


def among_foes(
    heard: InterpreterOutput, state: GameState, rules: Rules, text: str
) -> InterpreterOutput:
    """The same, with what it comes to among foes; what is done for friends stays as it was."""
    foes = standing(state)
    acts = heard.proposed_actions
    if not foes or rules.sense is None or heard.question or is_marked(text):
        return heard
    if not _may_be_such(acts, foes, state):
        return heard
    chances = rules.sense.said_as(PART, text)
    if _hands_over_arms(acts, foes, state):
        chances = {"give_up": 1.0}
    kind = max(chances, key=lambda name: chances[name], default="")
    against = all(act.action in _BLOWS or _is_aside(act) for act in acts)
    if kind not in _ACTIONS or chances[kind] < (_AGAINST if against else _PLAINLY):
        return heard
    done_for_friends = [act for act in acts if _is_for_friend(act, foes, state)]
    meant = _meant(kind, _foe_meant(acts, foes, state, text), acts, text)
    if kind in _AUTHORED:
        meant = _as_authored(meant, _AUTHORED[kind], foes, state, rules)
    return heard.model_copy(update={"proposed_actions": [*done_for_friends, meant]})


def _may_be_such(acts: Sequence[ProposedAction], foes: Sequence[str], state: GameState) -> bool:
    """Whether something is done that is not settled already and not for friends alone. Who strikes
    and does something else besides is heard as it is."""
    if any(act.deed or act.action in _ACTIONS.values() for act in acts if act.action != "flee"):
        return False
    if len(acts) > 1 and any(act.action in _BLOWS for act in acts):
        return False
    return any(not _is_for_friend(act, foes, state) for act in acts)


def _is_aside(act: ProposedAction) -> bool:
    return act.action in _ASIDE or act.family in _ASIDE


def _hands_over_arms(acts: Sequence[ProposedAction], foes: Sequence[str], state: GameState) -> bool:
    """`I give the captain my sword`."""
    given = [act.details for act in acts if act.action == "give" and act.target_id in foes]
    named = mentioned(" ".join(given), state, ("item",))
    held = [item for item in named if (PLAYER, item) in state.inventory]
    return any(state.entities[item].attrs.get("weapon") for item in held)


def _is_for_friend(act: ProposedAction, foes: Sequence[str], state: GameState) -> bool:
    """Whether it is done to, or said to, somebody here who is no foe."""
    here = state.scene.present_entity_ids
    return act.target_id in here and act.target_id not in (*foes, PLAYER)


def _foe_meant(
    acts: Sequence[ProposedAction], foes: Sequence[str], state: GameState, text: str
) -> str:
    """The foe that an act or the words name; else the first."""
    named = [act.target_id for act in acts] + mentioned(text, state, ("npc",))
    return next((who for who in named if who in foes), foes[0])


def _meant(kind: str, foe: str, acts: Sequence[ProposedAction], text: str) -> ProposedAction:
    action = _ACTIONS[kind]
    where = next((act.target_id for act in acts if act.action in ("move", "flee")), "")
    target = {"flee": where, "give_up": ""}.get(kind, foe)
    return ProposedAction(action=action, target_id=target, details=text, family=action)


def _as_authored(
    meant: ProposedAction, action: str, foes: Sequence[str], state: GameState, rules: Rules
) -> ProposedAction:
    """The deed an author wrote for it, where one is open: the one the words tell; else, of payment,
    the one whose words are nearest; nothing of one's own is given that nobody spoke of."""
    target = meant.target_id
    told = fitting_deeds(Asked(action, target, meant.details, state), rules.scenario)
    deeds = [deed for deed in told if deed.action == action]
    if action == "give" and not _offers_own(meant, state):
        here = ("", state.scene.location_id)
        others = [one for one in rules.scenario.affordances if one.at in here]
        said = words(meant.details)
        shared = {one.id: len(said & words(" ".join(one.words))) for one in others}
        fits = [one for one in others if shared[one.id] or not one.using]
        deeds += sorted(fits, key=lambda one: -shared[one.id])
    for deed in deeds:
        if deed.action == action and deed.target in foes and _is_open(deed, state):
            changes = {"action": action, "family": "", "target_id": deed.target, "deed": deed.id}
            return meant.model_copy(update=changes)
    return meant


def _offers_own(meant: ProposedAction, state: GameState) -> bool:
    """Whether the words name something one has."""
    named = mentioned(meant.details, state, ("item",))
    return any((PLAYER, item) in state.inventory for item in named)


def _is_open(deed: Affordance, state: GameState) -> bool:
    if deed.once and state.value("campaign", f"done:{deed.id}"):
        return False
    has_tool = not deed.using or (PLAYER, deed.using) in state.inventory
    return has_tool and check(deed.when, state).holds
