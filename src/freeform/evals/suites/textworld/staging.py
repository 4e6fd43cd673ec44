"""A game as a scenario of ours, and our state as the game's facts again.

Where the player stands is the scene; what lies, hangs or is carried somewhere is a holding; every
other fact of the game is a fact of ours with the value true or false. Each thing one can do is an
affordance with its conditions.
"""

from dataclasses import dataclass

from freeform.engine.authored.scenario import (
    Affordance,
    Hero,
    Outcome,
    Place,
    Scenario,
    Start,
)
from freeform.engine.authored.script import (
    Condition,
    Effect,
    Hand,
    SetFact,
)
from freeform.engine.authored.system import ActionType, System
from freeform.engine.world.model import ProposedAction
from freeform.engine.world.state import PLAYER as HERO
from freeform.engine.world.state import (
    Entity,
    Fact,
    GameState,
    Holding,
    fact_id,
)
from freeform.evals.suites.textworld.game import BAG, PLAYER, BoundName, TextWorldGame
from freeform.evals.suites.textworld.logic import Atom, Logic

ROOM = "r"
NEVER = Condition(fact=("campaign", "never", True))


@dataclass(frozen=True)
class TextWorldStage:
    """A game set up for our engine."""

    game: TextWorldGame
    scenario: Scenario
    system: System
    carried: frozenset[str]
    """Entities that can be taken along: their whereabouts are holdings."""
    holding: dict[str, str]
    """The type of whatever holds things -> the predicate: a room `at`, a container `in`."""

    def is_place(self, atom: Atom) -> bool:
        """Whether our scene or a holding says it, so that no fact has to."""
        return _is_at_player(atom) or self.is_holding(atom)

    def is_holding(self, atom: Atom) -> bool:
        """Whether it says where something that can be carried is."""
        if len(atom.args) != 2 or atom.args[0] not in self.carried:
            return False
        return atom == Atom("in", (atom.args[0], BAG)) or atom.name == self.predicate(atom.args[1])

    def predicate(self, owner: str) -> str:
        """How the game says that something is with that holder."""
        logic, type = self.game.logic, self.game.types.get(owner, "")
        return next((name for kind, name in self.holding.items() if logic.is_a(type, kind)), "")

    def owner(self, atom: Atom) -> str:
        """Who or what holds the thing, in our words."""
        return HERO if atom.args[1] == BAG else atom.args[1]

    def condition(self, atom: Atom) -> Condition:
        """A precondition."""
        if self.is_holding(atom):
            return Condition(holds=(self.owner(atom), atom.args[0]))
        subject, predicate = _named(atom)
        return Condition(fact=(subject, predicate, True))

    def effects(self, deed: BoundName) -> list[Effect]:
        """What a deed changes."""
        found = []
        gone = {
            atom.args[0]: self.owner(atom) for atom in sorted(deed.ends) if self.is_holding(atom)
        }
        come = {
            atom.args[0]: self.owner(atom) for atom in sorted(deed.begins) if self.is_holding(atom)
        }
        for item in sorted({*gone, *come}):
            hand = Hand(item=item, source=gone.get(item, "nowhere"), to=come.get(item, "nowhere"))
            found.append(Effect(hand=hand))
        for atoms, value in ((deed.ends, False), (deed.begins, True)):
            for atom in sorted(atoms):
                if not self.is_place(atom):
                    subject, predicate = _named(atom)
                    found.append(
                        Effect(set=SetFact(subject=subject, predicate=predicate, value=value))
                    )
        return found + [
            Effect(go=atom.args[1]) for atom in sorted(deed.begins) if _is_at_player(atom)
        ]


def set_up(game: TextWorldGame) -> TextWorldStage:
    """The scenario of a game: entities, facts, holdings, and one affordance for each thing one can
    do."""
    logic = game.logic
    portable = [
        atom.args[0] for atom in logic.declared if atom.name == "in" and atom.args[1:] == (BAG,)
    ]
    carried = frozenset(
        id for id, type in game.types.items() if any(logic.is_a(type, kind) for kind in portable)
    )
    stage = TextWorldStage(game, _blank(game), _system(game), carried, _holding(logic, portable))
    entities = [_entity(id, game, carried) for id in game.types if id not in (PLAYER, BAG)]
    scenario = stage.scenario.model_copy(
        update={
            "entities": entities,
            "facts": [_fact(atom) for atom in sorted(game.facts) if not stage.is_place(atom)],
            "inventory": [
                Holding(owner_id=stage.owner(atom), item_id=atom.args[0])
                for atom in _held(game, stage)
            ],
            "places": {
                e.id: Place(description=f"You are in the {e.name}.")
                for e in entities
                if e.type == "location"
            },
            "affordances": [*_affordances(stage), *_catch_all(game)],
        }
    )
    return TextWorldStage(game, scenario, stage.system, carried, stage.holding)


def propose(deed: BoundName) -> ProposedAction:
    """A command as the interpreter would hand it on: the verb, what it is done to, and the rest in
    words."""
    return ProposedAction(
        action=deed.verb, target_id=deed.things[0] if deed.things else "", details=deed.command
    )


def facts_of(state: GameState, stage: TextWorldStage) -> frozenset[Atom]:
    """Our state, said in the game's own facts."""
    found = {Atom("at", (PLAYER, state.scene.location_id))}
    for owner, item in state.inventory:
        if owner == HERO:
            found.add(Atom("in", (item, BAG)))
        else:
            found.add(Atom(stage.predicate(owner), (item, owner)))
    for fact in state.facts.values():
        if fact.predicate.startswith("tw:") and fact.object.get("value") is True:
            found.add(_atom_of(fact))
    return frozenset(found)


def _blank(game: TextWorldGame) -> Scenario:
    start = next((a.args[1] for a in game.facts if a.name == "at" and a.args[0] == PLAYER), "")
    return Scenario(
        id="textworld",
        name=game.name,
        genre="puzzle",
        description="A TextWorld game.",
        system="textworld",
        opening="You look around.",
        start=Start(location=start),
        heroes=[Hero(id="player", name="You", concept="a visitor")],
        entities=[],
    )


def _system(game: TextWorldGame) -> System:
    verbs = sorted({deed.verb for deed in game.bound})
    kinds = {
        verb: ActionType(verbs=[verb], needs_presence=False, roll="never", minutes=1)
        for verb in verbs
    }
    return System(id="textworld", name="TextWorld", action_types=kinds)


def _holding(logic: Logic, portable: list[str]) -> dict[str, str]:
    """Which predicate says that something is with a holder of that type."""
    found: dict[str, str] = {}
    for atom in logic.declared:
        if len(atom.args) == 2 and atom.args[1] != BAG and atom.name in ("at", "in", "on"):
            if any(logic.is_a(kind, atom.args[0]) for kind in portable):
                found.setdefault(atom.args[1], atom.name)
    return found


def _entity(id: str, game: TextWorldGame, carried: frozenset[str]) -> Entity:
    type = (
        "item"
        if id in carried
        else "location"
        if game.logic.is_a(game.types[id], ROOM)
        else "object"
    )
    return Entity(id=id, type=type, name=game.names.get(id) or id.replace("_", " "))


def _held(game: TextWorldGame, stage: TextWorldStage) -> list[Atom]:
    return [atom for atom in sorted(game.facts) if stage.is_holding(atom)]


def _is_at_player(atom: Atom) -> bool:
    return atom.name == "at" and atom.args[0] == PLAYER


def _fact(atom: Atom) -> Fact:
    subject, predicate = _named(atom)
    return Fact(
        id=fact_id(subject, predicate),
        subject_id=subject,
        predicate=predicate,
        object={"value": True},
    )


def _named(atom: Atom) -> tuple[str, str]:
    subject = atom.args[0] if atom.args else "campaign"
    return subject, f"tw:{atom.name}({','.join(atom.args[1:])})"


def _atom_of(fact: Fact) -> Atom:
    name, _, rest = fact.predicate.removeprefix("tw:").rstrip(")").partition("(")
    others = tuple(arg for arg in rest.split(",") if arg)
    return Atom(name, (fact.subject_id, *others) if fact.subject_id != "campaign" else others)


def _affordances(stage: TextWorldStage) -> list[Affordance]:
    return [_affordance(number, deed, stage) for number, deed in enumerate(stage.game.bound)]


def _affordance(number: int, deed: BoundName, stage: TextWorldStage) -> Affordance:
    here = [atom.args[1] for atom in sorted(deed.needs) if _is_at_player(atom)]
    when = [stage.condition(atom) for atom in sorted(deed.needs) if not _is_at_player(atom)]
    return Affordance(
        id=f"{deed.rule}:{number}",
        action=deed.verb,
        target=deed.things[0] if deed.things else "",
        indirect=deed.things[1] if len(deed.things) > 1 else "",
        at=here[0] if here else "",
        when=when,
        blocked="That cannot be done now.",
        outcomes={"success": Outcome(effects=stage.effects(deed))},
    )


def _catch_all(game: TextWorldGame) -> list[Affordance]:
    """Whatever else one might do with these verbs: nothing was authored for it, so it does not
    work."""
    return [
        Affordance(
            id=f"not:{verb}",
            action=verb,
            when=[NEVER],
            blocked="That does not work here.",
            outcomes={"success": Outcome()},
        )
        for verb in sorted({deed.verb for deed in game.bound})
    ]
