"""Spell save DCs, spell attacks, slots (alone, multiclass, pact) and how many spells may be
prepared."""

from freeform.assistant.sheet.model import Casting, ClassLevel, Pact, Uses
from freeform.assistant.sheet.numbers.ground import Ground, NumberTally
from freeform.assistant.sheet.numbers.tables import caster_level, pact_at, slots_at


def fill_casters(ground: Ground) -> list[Casting]:
    """One row for each class that casts."""
    rows: list[Casting] = []
    for cls in ground.sheet.character_basics.classes:
        if not cls.caster or not cls.ability or not _casts_yet(cls, ground.sheet.edition):
            continue
        dc = NumberTally(f"Spell save DC ({cls.name})", "spell_list").add("base", 8, "rule")
        dc.add("proficiency bonus", ground.prof, f"level {ground.level}")
        ground.apply(ground.ability_part(dc, cls.ability), "dc", f"dc:{cls.name.lower()}")
        attack = NumberTally(f"Spell attack ({cls.name})", "spell_list")
        attack.add("proficiency bonus", ground.prof, f"level {ground.level}")
        ground.apply(
            ground.ability_part(attack, cls.ability),
            "attack:spell",
            f"attack:spell:{cls.name.lower()}",
        )
        prepared = None
        if cls.prepares and ground.sheet.edition == "2014":
            prepared = _prepared(ground, cls)
        rows.append(
            Casting(
                cls=cls.name,
                ability=cls.ability,
                dc=ground.keep(f"spell_dc:{cls.name}", dc),
                attack=ground.keep(f"spell_attack:{cls.name}", attack),
                prepared_max=prepared,
            )
        )
    return rows


def _casts_yet(cls: ClassLevel, edition: str) -> bool:
    first = {"half": 2 if edition == "2014" else 1, "third": 3}.get(cls.caster, 1)
    return cls.level >= first


def _prepared(ground: Ground, cls: ClassLevel) -> int:
    tally = NumberTally(f"Spells prepared ({cls.name})", "spell_list")
    ground.ability_part(tally, cls.ability)
    half = cls.caster in ("half", "half_up")
    tally.add(
        f"half of {cls.level} levels" if half else f"{cls.level} levels",
        cls.level // (1 + half),
        cls.name,
    )
    if tally.total < 1:
        tally.add("at least one", 1 - tally.total, "rule")
    return ground.keep(f"prepared:{cls.name}", tally)


def fill_slots(ground: Ground) -> dict[str, Uses]:
    """Slots by spell level; several casting classes are joined. What a file overrides stands."""
    sheet = ground.sheet
    casting = [c for c in sheet.character_basics.classes if c.caster not in ("", "pact")]
    alone = len(casting) == 1
    counted = [
        (c, caster_level(c.caster, c.level, alone=alone, edition=sheet.edition)) for c in casting
    ]
    joined = sum(level for _, level in counted)
    had, slots = sheet.magic_info.slots, dict[str, Uses]()
    forced = {
        e.target[5:]: e for e in sheet.effects if e.target.startswith("slot:") and e.kind == "set"
    }
    table = {str(level): count for level, count in slots_at(joined).items()}
    for level in sorted({*table, *forced}):
        tally = NumberTally(f"Spell slots, level {level}", "spell_list")
        if level in forced:
            tally.add("set by hand", forced[level].value, forced[level].source)
        elif alone:
            tally.add(f"{casting[0].name} {casting[0].level}", table[level], "class table")
        else:
            tally.add(f"caster level {joined}", table[level], "multiclass table")
            for cls, level_counted in counted:
                tally.remark(
                    f"{cls.name} {cls.level} counts as {level_counted}", "caster levels", cls.name
                )
        most = ground.keep(f"slots:{level}", tally)
        slots[level] = Uses(
            max=most, used=had[level].used if level in had else 0, reset="long rest"
        )
    return slots


def fill_pact(ground: Ground) -> Pact | None:
    """The slots of pact magic."""
    cls = next((c for c in ground.sheet.character_basics.classes if c.caster == "pact"), None)
    if cls is None:
        return None
    count, level = pact_at(cls.level)
    tally = NumberTally(f"Pact slots (level {level})", "spell_list").add(
        f"{cls.name} {cls.level}", count, "class table"
    )
    had = ground.sheet.magic_info.pact
    return Pact(level=level, max=ground.keep("pact_slots", tally), used=had.used if had else 0)
