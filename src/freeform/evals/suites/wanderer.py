"""A player without a plan but with manners: takes suggestions, tries the ways out, asks about what was heard."""

from freeform.core.chance import Chance
from freeform.engine.table import Rules
from freeform.engine.world.state import PLAYER, GameState

_WEIGHTS = (("suggestion", 5), ("way", 2), ("topic", 3), ("look", 1), ("thing", 1), ("odd", 1))
_ODD = (
    "I fly to the moon", "I draw my golden sword", "I ask Nobody Atall about the weather", "I eat the whole building",
    "hm", "I take everything", "I tell them the king is dead", "go north", "what do I have?", "I wait",
)  # fmt: skip


def next_line(state: GameState, rules: Rules, suggested: list[str], chance: Chance) -> str:
    """What to type next, by the seed alone."""
    pool = [kind for kind, weight in _WEIGHTS for _ in range(weight)]
    for kind in chance.at("kind").shuffled(pool):
        if line := _line(kind, state, rules, suggested, chance.at(kind)):
            return line
    return "look around"


def _line(kind: str, state: GameState, rules: Rules, suggested: list[str], chance: Chance) -> str:
    here = state.scene.location_id
    people = [who for who in state.scene.present_entity_ids if who != PLAYER]
    match kind:
        case "suggestion":
            return chance.choose(suggested) if suggested else ""
        case "way":
            ways = rules.exits(here, state)
            return f"go to {state.name(chance.choose(ways).to)}" if ways else ""
        case "topic":
            return (
                f"ask {state.name(chance.choose(people))} about {_topic(state, chance)}"
                if people
                else ""
            )
        case "look":
            return chance.choose(
                ["look around", "search the place", "wait a while", "think about what I know"]
            )
        case "thing":
            things = [*state.held(here), *state.held(PLAYER)]
            if not things:
                return ""
            held = chance.choose(things)
            verb = "take" if held.owner_id == here else chance.choose(["look at", "use", "drop"])
            return f"{verb} the {state.name(held.item_id)}"
        case _:
            return chance.choose(_ODD)


def _topic(state: GameState, chance: Chance) -> str:
    """Something the player may have heard of."""
    met = [
        e.name
        for e in state.entities.values()
        if e.type in ("npc", "location") and state.value(e.id, "met")
    ]
    open_questions = [
        thread.title for thread in state.threads.values() if thread.status == "active"
    ]
    known = [e.name for e in state.entities.values() if e.attrs.get("known")]
    return chance.choose([*met, *open_questions, *known, "the news"])
