"""Abilities, skills, saves, tools, passive scores and initiative."""

from freeform.assistant.sheet.model import ABILITIES, AbilityScore, CheckedNumber
from freeform.assistant.sheet.numbers.ground import Ground, NumberTally
from freeform.assistant.sheet.numbers.tables import (
    ABILITY_NAMES,
    SKILLS,
    modifier,
    proficiency,
    skill_name,
)

RANKS = {"proficiency": 1.0, "expertise": 2.0, "half": 0.5, "half_up": 0.5}
LIMIT = 20
BY_HAND = "by hand"


def fill_abilities(ground: Ground) -> dict[str, AbilityScore]:
    """The six scores and their modifiers."""
    filled: dict[str, AbilityScore] = {}
    for ability in ABILITIES:
        stated = ground.sheet.character_basics.abilities.get(ability, AbilityScore())
        tally = NumberTally(f"{ABILITY_NAMES[ability]} score", "ability_scores")
        if stated.override is not None:
            tally.add("set by hand", stated.override, "sheet")
        else:
            _score(ground, ability, stated, tally)
        score = ground.keep(f"score:{ability}", tally)
        mod = modifier(score)
        rule = NumberTally(f"{ABILITY_NAMES[ability]} modifier", "ability_scores")
        rule.add(
            f"({ABILITY_NAMES[ability]} {score} - 10) / 2, rounded down",
            mod,
            "rule",
            even_nothing=True,
        )
        ground.keep(f"mod:{ability}", rule)
        ground.mods[ability] = mod
        filled[ability] = stated.model_copy(
            update={"score": score, "mod": mod, "bonus": score - stated.base}
        )
    return filled


def _score(ground: Ground, ability: str, stated: AbilityScore, tally: NumberTally) -> None:
    tally.add("base", stated.base, "sheet", even_nothing=True)
    target = f"score:{ability}"
    given = [e for e in ground.effects(target) if not e.when]
    for effect in given:
        if effect.source != BY_HAND:
            tally.add(effect.source or "bonus", effect.value, effect.source)
    limit = max([LIMIT, stated.base, *(e.value for e in ground.effects(target, kind="maximum"))])
    if tally.total > limit:
        tally.add(f"no more than {limit}", limit - tally.total, "rule")
    # What was typed in by hand is added after the limit: the person knows why.
    tally.add(BY_HAND, sum(e.value for e in given if e.source == BY_HAND), "sheet")
    least = ground.best_set(target)
    if least and least.value > tally.total:
        tally.add(f"set to {least.value}", least.value - tally.total, least.source)


def fill_proficiency(ground: Ground) -> int:
    """The proficiency bonus."""
    tally = NumberTally("Proficiency bonus", "proficiencies")
    tally.add(f"level {ground.level}", proficiency(ground.level), "rule")
    ground.apply(tally, "prof")
    ground.prof = ground.keep("proficiency_bonus", tally)
    return ground.prof


def check(
    ground: Ground,
    key: str,
    label: str,
    ability: str,
    section: str,
    trained: list[str],
    bonuses: list[str],
) -> CheckedNumber:
    """One check: ability, training, and what else adds to it. An override by hand wins."""
    tally = ground.ability_part(NumberTally(label, section), ability)
    rank, source, up = _rank(ground, trained)
    if rank:
        word = {0.5: "half proficiency", 1.0: "proficiency", 2.0: "expertise"}[rank]
        value = int(ground.prof * rank) if not up else -int(-ground.prof * rank // 1)
        tally.add(word, value, source)
    else:
        tally.add("not proficient", 0, even_nothing=True)
    ground.apply(tally, *bonuses)
    fixed = ground.best_set(*trained)
    if fixed:
        tally.add(f"set to {fixed.value}", fixed.value - tally.total, fixed.source)
    edges = [
        f"{kind}{f' ({e.when})' if e.when else ''}: {e.source}"
        for kind in ("advantage", "disadvantage")
        for e in ground.effects(*bonuses, kind=kind)
    ]
    for edge in edges:
        tally.remark(edge.partition(":")[0], "when rolled", edge.partition(": ")[2])
    total = ground.keep(key, tally)
    return CheckedNumber(
        ability=ability, rank=rank, bonus=total - ground.mods[ability], total=total, advantage=edges
    )


def _rank(ground: Ground, targets: list[str]) -> tuple[float, str, bool]:
    """The best training, where it comes from, and whether a half rounds up."""
    best, source, up = 0.0, "", False
    for kind, rank in RANKS.items():
        for effect in ground.effects(*targets, kind=kind):
            if not effect.when and rank > best:
                best, source, up = rank, effect.source, kind == "half_up"
    return best, source, up


def fill_skills(ground: Ground) -> dict[str, CheckedNumber]:
    """All eighteen, with their passive scores."""
    skills: dict[str, CheckedNumber] = {}
    for name, usual in SKILLS.items():
        swapped = next(
            (e.ability for e in ground.effects(f"skill:{name}:ability", kind="set")), usual
        )
        label = f"{skill_name(name)} bonus"
        mine = [f"skill:{name}", "skills", "checks", f"checks:{swapped}"]
        skills[name] = check(ground, f"skill:{name}", label, swapped, "proficiencies", mine, mine)
        passive = NumberTally(f"Passive {skill_name(name)}", "proficiencies")
        passive.add("base", 10, "rule").add(label, skills[name].total, "sheet", even_nothing=True)
        always = [e for e in ground.effects(*mine, kind="advantage") if not e.when]
        if always:
            passive.add("advantage", 5, always[0].source)
        ground.apply(passive, f"passive:{name}")
        skills[name] = skills[name].model_copy(
            update={"passive": ground.keep(f"passive:{name}", passive)}
        )
    return skills


def fill_saves(ground: Ground) -> dict[str, CheckedNumber]:
    """The six saving throws."""
    return {
        ability: check(
            ground,
            f"save:{ability}",
            f"{ABILITY_NAMES[ability]} save",
            ability,
            "combat_stats",
            [f"save:{ability}", "saves"],
            [f"save:{ability}", "saves"],
        )
        for ability in ABILITIES
    }


def fill_tools(ground: Ground) -> dict[str, CheckedNumber]:
    """Tools the character is trained with; which ability counts is the table's to say."""
    tools: dict[str, CheckedNumber] = {}
    for name, stated in ground.sheet.abilities_info.tools.items():
        ability = stated.ability or "int"
        tally = ground.ability_part(NumberTally(f"{name} bonus", "proficiencies"), ability)
        rank = stated.rank or 1.0
        tally.add("expertise" if rank > 1 else "proficiency", int(ground.prof * rank), "sheet")
        ground.apply(tally, "checks")
        total = ground.keep(f"tool:{name}", tally)
        tools[name] = stated.model_copy(
            update={
                "ability": ability,
                "rank": rank,
                "total": total,
                "bonus": total - ground.mods[ability],
            }
        )
    return tools


def fill_initiative(ground: Ground) -> int:
    """What is added to the roll for who acts first."""
    tally = ground.ability_part(NumberTally("Initiative", "combat_stats"), "dex")
    rank, source, up = _rank(ground, ["initiative", "checks", "checks:dex"])
    if rank:
        tally.add(
            "training", -int(-ground.prof * rank // 1) if up else int(ground.prof * rank), source
        )
    ground.apply(tally, "initiative", "checks")
    for edge in ground.effects("initiative", kind="advantage"):
        tally.remark("advantage", "when rolled", edge.source)
    return ground.keep("initiative", tally)
