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
from freeform.engine.rules.known import bare
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

_UNSURE = 0.7
"""Below this a listener is not sure what was done, and it says more that the words name a place to
go to. Of 24 goings off the map and 24 other sentences written for it, 18 goings are taken (12
without it) and one other is, as before."""
_SOON = 5
"""Words among which a search, or a sneaking, must say that it goes somewhere."""
_STAYING = ("look", "wait")
"""What one does where one is, unless the words say that one goes."""
_SPEAKING = ("talk", "ask", "persuade", "deceive", "threaten")
_NOT_NOW = re.compile(
    r"(?:'d|’d|n't|n’t|'ll|’ll)\b|\b(?:would|could|should|might|want|wish|maybe|perhaps"
    r"|never|if|unless|tomorrow|later|soon|some ?day)\b|^\W*(?:i|we)\W+(?:will|may|do not|think)\b",
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


@dataclass(frozen=True)
class _Leaving:
    """A going off the map, as it was heard."""

    at: int
    """Which act of the turn it is."""
    words: str
    is_named: bool
    """Whether the words are nothing but where to."""
    goes_first: bool = False
    """Whether one goes there first, and then does what was heard."""


def step_beyond(text: str, ground: TurnGround, grower: WorldGrower | None) -> TurnGround:
    """The ground with a place more, where the player plainly goes to one that is not on the map and
    the scenario lets them; who goes to a window stays where they are; else as it was."""
    rules, state = ground.rules, ground.state
    beyond = rules.scenario.beyond
    if grower is None or ground.wished.question or is_fighting(state):
        return ground
    for leaving in _goings(ground, text):
        if leaving.is_named and grower.is_spot(leaving.words):
            return _within(leaving, text, ground)
        if beyond is None:
            continue
        begun = rules.begun
        place = (state, begun.scenario, begun.seed, begun.packs)
        going = Going(leaving.words, text, leaving.is_named, *place)
        growth = grower.grow(going)
        if growth is None:
            continue
        name = next(entity.name for entity in growth.entities if entity.id == growth.place)
        if _is_part_of_here(name, state, rules):
            return _within(leaving, text, ground)
        open_now = check(beyond.when, state)
        if not open_now.holds:
            why = Refusal("location", beyond.blocked, open_now.because)
            return _kept_in(leaving.at, why, ground)
        if not _is_way_open(state, rules):
            return ground
        return _gone(leaving, growth, text, ground)
    return ground


def _goings(ground: TurnGround, text: str) -> Iterator[_Leaving]:
    """What was heard of going where the map has nothing."""
    state, rules = ground.state, ground.rules
    here = state.scene.location_id
    if _SUPPOSED.search(_QUOTED.sub(" ", text)):
        return
    acts = ground.wished.proposed_actions
    for at, act in enumerate(acts):
        said = act.details.strip()
        kind = rules.action_type(act.action)[0]
        sure = act.confidence >= _UNSURE or _says_going(text, rules)
        named = kind == "move" and not act.target_id and sure
        first = _first_going(text) if act.family in _SPEAKING else ""
        if act.ruling or act.target_id not in ("", here) or not words(said or text):
            continue
        if first and _is_off_the_map(first, ground):
            yield _Leaving(at, first, is_named=False, goes_first=True)
            continue
        if not (named or _leaves_here(act, kind, here) or _is_heard_going(act, kind, text, rules)):
            continue
        known = place_in(said, state, rules)
        if known not in ("", here) or mentioned(_WITH.sub("", said), state, ("npc",)):
            continue
        whole = said if named and len(acts) > 1 else text
        is_named = named and known != here
        yield _Leaving(at, said if is_named else whole, is_named)


def _first_going(text: str) -> str:
    """What comes before a word to somebody who is not here: `I go to the church` of `and ask the
    priest`; '' for nothing."""
    going, joined, _ = _QUOTED.sub('"', text.strip()).partition(" and ")
    return going if joined and '"' not in going else ""


def _is_off_the_map(said: str, ground: TurnGround) -> bool:
    """Whether words name no place that is on the map, and nobody in it."""
    is_here = place_in(said, ground.state, ground.rules) or mentioned(said, ground.state, ("npc",))
    return not is_here and not _NOT_NOW.search(said)


def _going_verbs(rules: Rules) -> set[str]:
    move = rules.system.action_types.get("move")
    return {verb.split()[0] for verb in move.verbs} if move else set()


def _leaves_here(act: ProposedAction, kind: str, here: str) -> bool:
    """Going, heard as going to where one is: `leave the village`, in the village."""
    return kind == "move" and act.target_id == here


def _is_heard_going(act: ProposedAction, kind: str, text: str, rules: Rules) -> bool:
    """Whether one may go, though no going to a place was heard: it was heard as something else that
    one does with one's legs, or for something the listener is not sure of, or as a search that
    goes somewhere. The words must name where to, besides."""
    if _NOT_NOW.search(_QUOTED.sub(" ", text)) or act.family in _SPEAKING:
        return False
    if act.action == "plan" and act.confidence >= _UNSURE:
        said = _OWN_SUBJECT.sub("", text.strip()).casefold().split()
        is_bidden = bool(said) and said[0] in _going_verbs(rules)
        return is_bidden or bool(_TOGETHER.match(text.strip()))
    goes = _says_going(text, rules)
    if act.family == "sneak_hide" or kind == "search":
        return goes
    unsure = act.confidence < _UNSURE
    return act.family == "move" or (unsure and (goes or kind not in _STAYING))


def _says_going(text: str, rules: Rules) -> bool:
    """Whether the first words say that one goes somewhere."""
    going = _going_verbs(rules) | {"to"}
    return not going.isdisjoint(_OWN_SUBJECT.sub("", text).casefold().split()[:_SOON])


def _is_way_open(state: GameState, rules: Rules) -> bool:
    """Whether one can leave where one is at all: not where every way out is shut."""
    ways = rules.exits(state.scene.location_id, state)
    return not ways or any(way_open(way.to, state, rules)[1] is None for way in ways)


def _is_part_of_here(name: str, state: GameState, rules: Rules) -> bool:
    """Whether a place goes by what the one where one is is told to have: its yard, its far end."""
    here = rules.place(state.scene.location_id)
    said = words(bare(name))
    return bool(said) and any(said <= words(text) for text in (here.description, *here.atmosphere))


def _within(leaving: _Leaving, text: str, ground: TurnGround) -> TurnGround:
    """Where one would go is a part of where one is: one goes about in it, and no more."""
    acts = list(ground.wished.proposed_actions)
    said = text if len(acts) == 1 else _as_going(leaving.words, ground.rules)
    pose = {"action": "express", "family": "move", "details": said}
    acts[leaving.at] = acts[leaving.at].model_copy(update=pose)
    wished = ground.wished.model_copy(update={"proposed_actions": acts})
    judged = validate(wished, ground.state, ground.rules, text)
    return replace(ground, wished=wished, judged=judged)


def _as_going(words: str, rules: Rules) -> str:
    """Where one goes, as one says it: `the corner`, `slowly to the corner`, `I walk there`."""
    said = _OWN_SUBJECT.sub("", words.strip())
    verb = said.partition(" ")[0]
    if verb.casefold() in _going_verbs(rules):
        return said
    return f"go {said}" if " to " in f" {said}" else f"go to {said}"


def _kept_in(at: int, why: Refusal, ground: TurnGround) -> TurnGround:
    """Nobody leaves: the act is refused, for the reason the author gives."""
    acts = ground.wished.proposed_actions
    others = ground.wished.model_copy(update={"proposed_actions": acts[:at]})
    before = validate(others, ground.state, ground.rules) if at else ValidatorOutput()
    shut = [*before.blocked_actions, refused(acts[at], why)]
    return replace(ground, judged=before.model_copy(update={"blocked_actions": shut}))


def _gone(leaving: _Leaving, growth: Growth, text: str, ground: TurnGround) -> TurnGround:
    """The world with the place in it, and the act as going there; with who is met there, where one
    goes to have a word."""
    page = Ledger(ground.state)
    plant(growth, page)
    rules = ground.rules.knowing(page.state)
    acts, at = list(ground.wished.proposed_actions), leaving.at
    details = leaving.words if leaving.goes_first else acts[at].details
    going = ProposedAction(
        action="move", family="move", target_id=growth.place, details=details, confidence=1.0
    )
    met = next((entity.id for entity in growth.entities if entity.type == "npc"), "")
    then = [acts[at].model_copy(update={"target_id": met})] if leaving.goes_first and met else []
    acts[at : at + 1] = [going, *then]
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
