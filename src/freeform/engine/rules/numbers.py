"""Whose number is what: blocks, stats, skills, training and conditions, each part with its
source."""

from dataclasses import dataclass, field

from freeform.engine.authored.opposition import CombatBlock, RollCondition, RollRule
from freeform.engine.authored.system import System
from freeform.engine.world.rolled import RollPart
from freeform.engine.world.state import PLAYER, GameState

SHEET = "sheet"
LEVEL = "level"


def block_of(who: str, state: GameState, system: System) -> CombatBlock:
    """The numbers of someone: their own, those of the creature they are, or the system's usual."""
    entity = state.entities.get(who)
    given = entity.attrs.get("block") if entity else None
    if isinstance(given, str):
        return system.creatures.get(given, CombatBlock())
    if isinstance(given, dict):
        like = system.creatures.get(str(given.get("of", "")))
        block = CombatBlock.model_validate(given)
        return like.model_copy(update=_told(block)) if like else block
    usual = system.fight.usual_block if system.fight and who != PLAYER else ""
    return system.creatures.get(usual, CombatBlock())


def _told(block: CombatBlock) -> dict[str, object]:
    """What a block says itself, over the creature it changes."""
    return {name: getattr(block, name) for name in block.model_fields_set if name != "of"}


def stats_of(who: str, state: GameState, system: System) -> dict[str, int]:
    """The stats of someone. Those of the player's character stand on their own."""
    entity = state.entities.get(who)
    own = entity.attrs.get("stats") if entity else None
    if isinstance(own, dict) and own:
        return {str(name): int(value) for name, value in own.items()}
    return block_of(who, state, system).stats


def level_of(who: str, state: GameState, system: System) -> int:
    """How far someone has come."""
    return int(state.value(who, LEVEL) or block_of(who, state, system).level)


def at_level(numbers: list[int], level: int) -> int:
    """The number of that level in a list that begins with level 1 and keeps its last."""
    return numbers[max(0, min(level, len(numbers)) - 1)] if numbers else 0


def training(who: str, state: GameState, system: System) -> int:
    """What training adds for someone."""
    return at_level(system.training, level_of(who, state, system))


def stat_of(system: System, stat: str, state: GameState, who: str = PLAYER) -> tuple[str, int]:
    """The stat a roll uses and its value: a general stat stands for the system's own ones, added
    up."""
    label, parts = stat_parts(stat, who, state, system)
    return label, sum(part.value for part in parts)


def stat_parts(
    stat: str, who: str, state: GameState, system: System, skill: str = ""
) -> tuple[str, list[RollPart]]:
    """What is added for a stat or a skill, part by part."""
    wanted = skill if skill in system.skills else stat
    if wanted in system.skills:
        return wanted, _of_skill(wanted, who, state, system)
    names = system.stat_map.get(wanted) or ([wanted] if wanted else [])
    return "+".join(names), [_of_stat(name, who, state, system) for name in names]


def _of_stat(name: str, who: str, state: GameState, system: System) -> RollPart:
    value = stats_of(who, state, system).get(name, system.resolution.stat_default)
    return RollPart(label=name, value=int(value), source=SHEET)


def _of_skill(skill: str, who: str, state: GameState, system: System) -> list[RollPart]:
    block = block_of(who, state, system)
    ability = _of_stat(system.skills[skill], who, state, system)
    count = block.skills.get(skill, 0)
    if block.printed:
        return _as_printed(ability, skill, block.skills)
    if not system.training:
        return [ability, RollPart(label=skill, value=count, source=SHEET)] if count else [ability]
    return [ability, *_trained(count, skill, who, state, system)]


def save_parts(stat: str, who: str, state: GameState, system: System) -> list[RollPart]:
    """What is added to a save of that stat."""
    block = block_of(who, state, system)
    ability = _of_stat(stat, who, state, system)
    if block.printed:
        return (
            _as_printed(ability, f"{stat} save", {f"{stat} save": block.saves[stat]})
            if stat in block.saves
            else [ability]
        )
    own_class = system.classes.get(block.kind)
    by_class = 1 if own_class and stat in own_class.saves else 0
    count = block.saves.get(stat, by_class)
    return [ability, *_trained(count, f"{stat} save", who, state, system)]


def _as_printed(ability: RollPart, name: str, printed: dict[str, int]) -> list[RollPart]:
    """The stat, and whatever else the printed number holds."""
    rest = printed.get(name, ability.value) - ability.value
    more = RollPart(label=name, value=rest, source="as printed")
    return [ability, more] if rest else [ability]


def _trained(count: int, what: str, who: str, state: GameState, system: System) -> list[RollPart]:
    bonus = training(who, state, system)
    if not count or not bonus:
        return []
    level = level_of(who, state, system)
    label = "training" if count == 1 else f"training x{count}"
    return [RollPart(label=label, value=bonus * count, source=f"{what}, level {level}")]


def conditions_in(who: str, state: GameState, system: System) -> list[tuple[str, RollCondition]]:
    """The conditions someone is in that the system has rules for."""
    if not system.conditions:
        return []
    facts = state.facts_of(who)
    held = [fact.predicate for fact in facts if fact.object.get("value") is True]
    return [(name, system.conditions[name]) for name in held if name in system.conditions]


@dataclass
class Bearing:
    """What conditions and traits do to one roll."""

    parts: list[RollPart] = field(default_factory=list)
    dice: list[tuple[str, str]] = field(default_factory=list)
    """Dice to throw beside, each with its source."""
    good: list[str] = field(default_factory=list)
    bad: list[str] = field(default_factory=list)
    """What gives advantage, and what takes it."""
    fails: str = ""
    critical: bool = False
    effect: int = 0

    @property
    def advantage(self) -> int:
        """1, -1, or 0 where they cancel out or none is."""
        return bool(self.good) - bool(self.bad)


@dataclass(frozen=True)
class RollAsked:
    """Which roll something may bear on: its kind, by whom, against whom, with which stats."""

    kind: str
    by: str
    target: str = ""
    stats: tuple[str, ...] = ()
    ranged: bool = False


def bearing_on(asked: RollAsked, state: GameState, system: System) -> Bearing:
    """All that bears on a roll: conditions and traits of the one who rolls, and of the other."""
    bearing = Bearing()
    for who, against in ((asked.by, False), (asked.target, True)):
        if not who:
            continue
        for name, condition in conditions_in(who, state, system):
            for rule in condition.rolls:
                _weigh(rule, name, asked, against, bearing)
        for rule in block_of(who, state, system).rolls:
            _weigh(rule, "trait", asked, against, bearing)
    return bearing


def _weigh(rule: RollRule, name: str, asked: RollAsked, against: bool, bearing: Bearing) -> None:
    meant = rule.on == asked.kind or (rule.on == "any" and asked.kind != "damage")
    if rule.against != against or not meant:
        return
    if rule.stats and not set(rule.stats) & set(asked.stats):
        return
    if rule.ranged is not None and rule.ranged != asked.ranged:
        return
    if rule.advantage > 0:
        bearing.good.append(name)
    elif rule.advantage < 0:
        bearing.bad.append(name)
    if rule.bonus:
        bearing.parts.append(RollPart(label=name, value=rule.bonus, source=f"condition: {name}"))
    if rule.dice:
        bearing.dice.append((rule.dice, name))
    bearing.fails = bearing.fails or (name if rule.fails else "")
    bearing.critical = bearing.critical or rule.critical
    bearing.effect += rule.effect
