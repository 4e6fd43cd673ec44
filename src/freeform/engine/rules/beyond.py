"""Where the map ends: whoever plainly goes on comes to a place that is added to the world, as part
of the turn, like anything else that happens in it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from freeform.engine.authored.conditions import check
from freeform.engine.authored.growth import AUTHORED, GROWN, Growth
from freeform.engine.minds.meanwhile import MEANWHILE
from freeform.engine.ports import Going, WorldGrower
from freeform.engine.rules.checks import Refusal, way_open
from freeform.engine.rules.effects import CAMPAIGN
from freeform.engine.rules.fight.foes import is_fighting
from freeform.engine.rules.ledger import Ledger
from freeform.engine.rules.validate import refused, validate
from freeform.engine.rules.wishes.targets import place_in
from freeform.engine.table import Rules
from freeform.engine.world.model import (
    EngineEvent,
    EntityUpdate,
    InterpreterOutput,
    ProposedAction,
    StateDiff,
    ValidatorOutput,
)
from freeform.engine.world.names import mentioned, words
from freeform.engine.world.state import GameState

_SURE = 0.7
"""How sure a listener must be that one goes, where nothing but the listener says so."""
_NOT_NOW = re.compile(
    r"(?:'d|’d|n't|n’t|'ll|’ll)\b|\b(?:would|could|should|might|want|wish|think|maybe|perhaps"
    r"|never|if|unless|tomorrow|later|soon|some ?day)\b|^\W*(?:i|we)\W+(?:will|may|do not)\b",
    re.I,
)
"""How one speaks of what one does not do now."""
_SUPPOSED = re.compile(r"\b(?:would|could|should|might|if|unless)\b|(?:'d|’d)\b|\?\W*$", re.I)
"""How one asks or supposes, whatever was heard."""
_TOGETHER = re.compile(r"(?:let's|let’s|lets|let us|come on,? let)\b", re.I)
"""How one bids oneself and others do something now."""

_QUOTED = re.compile(r'"[^"]*"|“[^”]*”')
"""What is said aloud is not what one does."""
_OWN_SUBJECT = re.compile(r"^(?:i|we)\s+", re.I)
_WITH = re.compile(r"\b(?:together )?with\b.*$", re.I | re.S)
"""Who comes along is nowhere to go to."""


@dataclass(frozen=True)
class TurnGround:
    """What a turn stands on: the world, what is authored of it, what was heard and may be tried."""

    state: GameState
    rules: Rules
    wished: InterpreterOutput
    judged: ValidatorOutput
    diff: StateDiff = field(default_factory=StateDiff)
    """What was added to the world before the turn is played."""
    events: list[EngineEvent] = field(default_factory=list)


def step_beyond(text: str, ground: TurnGround, grower: WorldGrower | None) -> TurnGround:
    """The ground with a place more, where the player plainly goes to one that is not on the map and
    the scenario lets them; else as it was."""
    rules, state = ground.rules, ground.state
    beyond = rules.scenario.beyond
    if grower is None or beyond is None or ground.wished.question or is_fighting(state):
        return ground
    for at, words_said, is_named in _goings(ground, text):
        begun = rules.begun
        place = (state, begun.scenario, begun.seed, begun.packs)
        going = Going(words_said, text, is_named, *place)
        growth = grower.grow(going)
        if growth is None:
            continue
        open_now = check(beyond.when, state)
        if not open_now.holds:
            return _kept_in(at, Refusal("location", beyond.blocked, open_now.because), ground)
        if not _is_way_open(state, rules):
            return ground
        return _gone(at, growth, text, ground)
    return ground


def _goings(ground: TurnGround, text: str) -> Iterator[tuple[int, str, bool]]:
    """What was heard of going where the map has nothing: which act, in what words, and whether the
    words are nothing but where to."""
    state, rules = ground.state, ground.rules
    here = state.scene.location_id
    if _SUPPOSED.search(_QUOTED.sub(" ", text)):
        return
    for at, act in enumerate(ground.wished.proposed_actions):
        said = act.details.strip()
        kind = rules.action_type(act.action)[0]
        named = kind == "move" and not act.target_id
        if act.target_id not in ("", here) or not words(said or text):
            continue
        if not (named or _leaves_here(act, kind, here) or _is_heard_going(act, kind, text, rules)):
            continue
        known = place_in(said, state, rules)
        if known not in ("", here) or mentioned(_WITH.sub("", said), state, ("npc",)):
            continue
        whole = said if named and len(ground.wished.proposed_actions) > 1 else text
        yield at, said if named and known != here else whole, named and known != here


def _leaves_here(act: ProposedAction, kind: str, here: str) -> bool:
    """Going, heard as going to where one is: `leave the village`, in the village."""
    return kind == "move" and act.target_id == here


def _is_heard_going(act: ProposedAction, kind: str, text: str, rules: Rules) -> bool:
    """Whether nothing but the listener says that one goes: as a gesture, as something to do
    together, or to find somebody."""
    if _NOT_NOW.search(_QUOTED.sub(" ", text)):
        return False
    if act.action in ("express", "follow") and act.family == "move":
        return act.confidence >= _SURE
    move = rules.system.action_types.get("move")
    verbs = {verb.split()[0] for verb in move.verbs} if move else set()
    if act.action == "plan":
        said = _OWN_SUBJECT.sub("", text.strip()).casefold().split()
        return bool(_TOGETHER.match(text.strip())) or (bool(said) and said[0] in verbs)
    return kind == "search" and not verbs.isdisjoint(text.casefold().split())


def _is_way_open(state: GameState, rules: Rules) -> bool:
    """Whether one can leave where one is at all: not where every way out is shut."""
    ways = rules.exits(state.scene.location_id, state)
    return not ways or any(way_open(way.to, state, rules)[1] is None for way in ways)


def _kept_in(at: int, why: Refusal, ground: TurnGround) -> TurnGround:
    """Nobody leaves: the act is refused, for the reason the author gives."""
    acts = ground.wished.proposed_actions
    others = ground.wished.model_copy(update={"proposed_actions": acts[:at]})
    before = validate(others, ground.state, ground.rules) if at else ValidatorOutput()
    shut = [*before.blocked_actions, refused(acts[at], why)]
    return replace(ground, judged=before.model_copy(update={"blocked_actions": shut}))


def _gone(at: int, growth: Growth, text: str, ground: TurnGround) -> TurnGround:
    """The world with the place in it, and the act as going there."""
    page = Ledger(ground.state)
    plant(growth, page)
    rules = ground.rules.knowing(page.state)
    acts = list(ground.wished.proposed_actions)
    details = acts[at].details
    acts[at] = ProposedAction(
        action="move", family="move", target_id=growth.place, details=details, confidence=1.0
    )
    wished = ground.wished.model_copy(update={"proposed_actions": acts})
    judged = validate(wished, page.state, rules, text)
    gone = [act for act in judged.allowed_actions if act.target_id == growth.place]
    if not gone:
        return ground
    timed = []
    for act in judged.allowed_actions:
        slow = act.target_id == growth.place and growth.minutes
        timed.append(act.model_copy(update={"minutes": growth.minutes}) if slow else act)
    judged = judged.model_copy(update={"allowed_actions": timed})
    return TurnGround(page.state, rules, wished, judged, page.diff, page.events)


def plant(growth: Growth, page: Ledger) -> None:
    """Writes a piece of the world down: its state, what is authored with it, and the way there."""
    here = page.state.scene.location_id
    page.change(
        StateDiff(
            entities_add=growth.entities,
            facts_add=growth.facts,
            threads_add=growth.threads,
            inventory_add=growth.inventory,
            relationships_add=growth.relationships,
        )
    )
    if here in page.state.entities:
        ways = [*page.state.entities[here].attrs.get("ways", []), growth.place]
        page.change(StateDiff(entities_update=[EntityUpdate(id=here, attrs={"ways": ways})]))
    page.note(growth.place, AUTHORED, growth.authored.model_dump(mode="json"))
    grown = page.state.value(CAMPAIGN, GROWN) or []
    page.note(CAMPAIGN, GROWN, [*grown, growth.place])
    page.happen("world_grew", (MEANWHILE,), place=growth.place, source=growth.source)
