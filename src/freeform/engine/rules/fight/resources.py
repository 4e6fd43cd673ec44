"""What one has so much of: slots, stress, arrows, money; spent, filled, given back; and what
experience brings."""

from freeform.core.chance import Chance
from freeform.engine.authored.script import Become
from freeform.engine.rules.ledger import Ledger
from freeform.engine.rules.numbers import LEVEL, at_level, block_of, level_of
from freeform.engine.rules.rolls import thrown
from freeform.engine.rulings.lasting import become
from freeform.engine.table import Rules
from freeform.engine.world.names import words
from freeform.engine.world.rolled import Roll
from freeform.engine.world.state import PLAYER, GameState

TAG = "resource"


def capacity(id: str, state: GameState, rules: Rules) -> int:
    """How much of it the player's character can have; 0: as much as they like."""
    system, block = rules.system, block_of(PLAYER, state, rules.system)
    if id in block.resources:
        return block.resources[id]
    own_class = system.classes.get(block.kind)
    if own_class and id in own_class.resources:
        return at_level(own_class.resources[id], level_of(PLAYER, state, system))
    return system.resources[id].max if id in system.resources else 0


def amount(id: str, state: GameState, rules: Rules) -> int:
    """How much of it there is now."""
    now = state.value(PLAYER, id)
    if now is not None:
        return int(now)
    resource = rules.system.resources.get(id)
    if resource is None:
        return 0
    if resource.start is not None:
        return resource.start
    return 0 if resource.fills else capacity(id, state, rules)


def moneys(rules: Rules) -> dict[str, frozenset[str]]:
    """What one pays with, and the words that name each."""
    every = rules.system.resources.items()
    return {id: words(f"{id} {one.name}") for id, one in every if one.money}


def lacks(costs: dict[str, int], state: GameState, rules: Rules) -> str:
    """The first resource there is too little of; '' when all can be paid."""
    for id, price in costs.items():
        resource = rules.system.resources.get(id)
        if resource and not resource.fills and amount(id, state, rules) < price:
            return resource.name
    return ""


def change(id: str, delta: int, page: Ledger, rules: Rules) -> int:
    """A resource goes up or down within its bounds; gives by how much."""
    resource = rules.system.resources.get(id)
    if resource is None or not delta:
        return 0
    before = amount(id, page.state, rules)
    whole = capacity(id, page.state, rules)
    after = max(0, before + delta)
    after = min(after, whole) if whole else after
    if after == before:
        return 0
    if resource.fills and resource.full and whole and after >= whole:
        become(Become(subject=PLAYER, condition=resource.full), page, resource.name)
        page.happen("filled", (TAG,), id=id, name=resource.name, condition=resource.full)
        after = 0
    of = f" of {whole}" if whole else ""
    text = f"You have {after}{of} {resource.name}."
    page.settle(PLAYER, id, after, text=text, tags=(TAG,))
    page.happen(
        "resource_changed", (TAG,), id=id, name=resource.name, before=before, after=after, max=whole
    )
    return after - before


def spend(costs: dict[str, int], page: Ledger, rules: Rules) -> None:
    """Pays: what one has goes down, what fills goes up."""
    for id, price in costs.items():
        resource = rules.system.resources.get(id)
        if resource:
            change(id, price if resource.fills else -price, page, rules)


def give_back(id: str, how_much: int | str, page: Ledger, rules: Rules, chance: Chance) -> None:
    """A rest gives some of it back, or empties what fills."""
    resource = rules.system.resources[id]
    now, whole = amount(id, page.state, rules), capacity(id, page.state, rules)
    if how_much == "all":
        by = now if resource.fills else whole - now
    else:
        by = thrown(str(how_much), chance)[1]
    change(id, -by if resource.fills else by, page, rules)


def award(gained: int, page: Ledger, rules: Rules) -> None:
    """Experience, and what it comes to."""
    growth = rules.system.progression
    if growth is None or gained <= 0:
        return
    total = amount(growth.resource, page.state, rules) + gained
    level = level_of(PLAYER, page.state, rules.system)
    page.happen("learned", (TAG,), xp=gained, total=total)
    if growth.per_level:
        need = growth.per_level + level
        while total >= need:
            total, level = total - need, level + 1
            need = growth.per_level + level
    else:
        reached = sum(1 for need in growth.thresholds if total >= need)
        level = max(level, reached)
    name = rules.system.resources[growth.resource].name
    page.settle(PLAYER, growth.resource, total, text=f"You have {total} {name}.", tags=(TAG,))
    if level > level_of(PLAYER, page.state, rules.system):
        page.settle(PLAYER, LEVEL, level, text=f"You are level {level}.")
        page.happen("levelled", (TAG,), level=level)


def learn_from(thrown: Roll, tier: int, page: Ledger, rules: Rules) -> None:
    """What a roll teaches by itself: a failure, or a desperate try."""
    growth = rules.system.progression
    if growth is None:
        return
    failed = thrown.outcome in ("failure", "botch")
    award((growth.on_failure if failed else 0) + growth.on_tier.get(str(tier), 0), page, rules)
