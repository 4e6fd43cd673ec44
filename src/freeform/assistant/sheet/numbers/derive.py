"""READ THIS FIRST for numbers: a sheet as imported becomes a whole one; every number keeps its
parts.

    what a file states ── complete ──> totals in the eight sections, and `derived` {key: Number with
    parts}

Keys: `mod:str`, `score:str`, `proficiency_bonus`, `skill:athletics`, `passive:perception`,
`save:dex`, `armor_class`, `hit_points`, `initiative`, `speed:walk`, `spell_dc:Wizard`,
`spell_attack:Wizard`, `slots:3`, `pact_slots`, `attack:Longsword`, `damage:Longsword`,
`carrying_capacity` …
"""

from freeform.assistant.sheet.model import Sheet
from freeform.assistant.sheet.numbers import (
    attacks,
    casting,
    checks,
    defence,
)
from freeform.assistant.sheet.numbers.ground import Ground
from freeform.assistant.sheet.numbers.tables import (
    CASTERS,
    HIT_DICE,
    PREPARES,
    SUBCASTERS,
)


def complete(sheet: Sheet) -> Sheet:
    """The sheet with its totals. Doing it again changes nothing; what is of no fifth edition stays
    as it is."""
    if sheet.system != "dnd5e":
        return sheet
    sheet = _with_classes(sheet)
    ground = Ground(sheet, level=sheet.character_basics.level)
    ground.sheet = _set(sheet, "character_basics", abilities=checks.fill_abilities(ground))
    checks.fill_proficiency(ground)
    abilities = {
        "prof_bonus": ground.prof,
        "skills": checks.fill_skills(ground),
        "tools": checks.fill_tools(ground),
    }
    combat = {
        "ac": defence.fill_armor_class(ground),
        "hp": defence.fill_hit_points(ground),
        "speeds": defence.fill_speeds(ground),
        "hit_dice": defence.fill_hit_dice(ground),
        "initiative": checks.fill_initiative(ground),
        "saves": checks.fill_saves(ground),
        "attacks": attacks.fill_attacks(ground),
    }
    magic = {
        "casters": casting.fill_casters(ground),
        "slots": casting.fill_slots(ground),
        "pact": casting.fill_pact(ground),
    }
    inventory = {
        "encumbrance": attacks.fill_carrying(ground),
        "attunement": attacks.fill_attunement(ground),
    }
    whole = ground.sheet
    for name, fields in (
        ("abilities_info", abilities),
        ("combat_info", combat),
        ("magic_info", magic),
        ("inventory_info", inventory),
    ):
        whole = _set(whole, name, **fields)
    return whole.model_copy(update={"derived": ground.numbers})


def _set(sheet: Sheet, section: str, **fields: object) -> Sheet:
    return sheet.model_copy(update={section: getattr(sheet, section).model_copy(update=fields)})


def _with_classes(sheet: Sheet) -> Sheet:
    """How each class casts and what die it has, from the tables where the file does not say; and
    the level."""
    classes = []
    for cls in sheet.character_basics.classes:
        name, sub = cls.name.lower().strip(), cls.subclass.lower().strip()
        caster, ability = (
            (cls.caster, cls.ability)
            if cls.caster
            else CASTERS.get(name) or SUBCASTERS.get(sub, ("", ""))
        )
        classes.append(
            cls.model_copy(
                update={
                    "caster": caster,
                    "ability": cls.ability or ability,
                    "prepares": cls.prepares or name in PREPARES,
                    "hit_die": cls.hit_die or HIT_DICE.get(name, 8),
                }
            )
        )
    level = sum(cls.level for cls in classes) or sheet.character_basics.level
    return _set(sheet, "character_basics", classes=classes, level=level)
