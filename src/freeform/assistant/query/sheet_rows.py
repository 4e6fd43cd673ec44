"""A sheet as rows: numbers, things, spells, features, what is told of the person."""

import re
from collections.abc import Iterator

from freeform.assistant.model import Number, Piece
from freeform.assistant.query.model import FieldValue, Row
from freeform.assistant.query.schema import also_called, called
from freeform.assistant.sheet.model import Item, Sheet, SheetRelation, Spell, Uses
from freeform.assistant.sheet.numbers.tables import ABILITY_NAMES, SKILL_USES, skill_name
from freeform.assistant.sheet.pieces import experience

_KIND_OF = {
    "score": "ability",
    "mod": "modifier",
    "save": "save",
    "skill": "skill",
    "passive": "passive",
    "attack": "attack",
    "damage": "damage",
    "tool": "tool",
    "spell_dc": "spell dc",
    "spell_attack": "spell attack",
    "speed": "speed",
}
_SPELLS = re.compile(r"\bspell", re.I)
"""A page that speaks of spells may have them, if nobody could read how."""
_LEFT_OUT = ("slots:", "pact_slots", "hit_dice:", "prepared:")
"""Numbers that other rows tell with what is left of them."""


def rows_of_sheet(sheet: Sheet, pieces: list[Piece]) -> list[Row]:
    """Everything on it that can be asked for."""
    place = _Places(pieces)
    made = [
        *_numbers(sheet, place),
        *_no_casting(sheet, place),
        *_pools(sheet, place),
        *_items(sheet, place),
        *_spells(sheet, place),
        *_features(sheet, place),
        *_lists(sheet, place),
        *_person(sheet, place),
    ]
    return made


class _Places:
    """Pieces by title, of a section where several bear it."""

    def __init__(self, pieces: list[Piece]) -> None:
        self.pieces = pieces

    def of(self, title: str, section: str = "") -> Piece | None:
        """The piece of that title."""
        found = [piece for piece in self.pieces if piece.title == title]
        mine = [piece for piece in found if not section or piece.section == section]
        fitting = mine or found
        return fitting[0] if fitting else None

    def all_of(self, section: str, kind: str) -> list[Piece]:
        """The pieces of a section and kind, in order."""
        return [p for p in self.pieces if p.section == section and p.kind == kind]


def _row(
    piece: Piece | None, kinds: tuple[str, ...], name: str, *names: str, **told: FieldValue
) -> Iterator[Row]:
    """A row, where its piece is known: what cannot be cited is not told."""
    if piece is not None:
        yield Row(
            kinds, name, piece, tuple(names), {k.replace("_", " "): v for k, v in told.items()}
        )


def _numbers(sheet: Sheet, place: _Places) -> Iterator[Row]:
    for key, number in sheet.derived.items():
        if key.startswith(_LEFT_OUT) or key == "hit_points":
            continue
        head, _, rest = key.partition(":")
        piece = place.of(_title(head, rest, number))
        if piece is None:
            continue
        kind = _KIND_OF.get(head, "stat")
        fields: dict[str, FieldValue] = {"value": number.value}
        if head in ("save", "skill", "tool"):
            fields["proficient"] = any(
                p.label in ("proficiency", "expertise") for p in number.parts
            )
            fields["expert"] = any(p.label == "expertise" for p in number.parts)
        kinds = (kind, "expert") if fields.get("expert") else (kind,)
        if hit := re.fullmatch(r"(\d+)/(\d+)", str(number.value)):
            left, most = int(hit[1]), int(hit[2])
            told = {"left": left, "max": most, "lost": max(0, most - left), "value": left}
            yield from _row(piece, ("pool",), number.label, *_aliases(key, number), **told)
            continue
        yield Row(
            kinds, _name(head, rest, number), piece, _aliases(key, number), fields, number=number
        )


def _title(head: str, rest: str, number: Number) -> str:
    """The piece that shows a number."""
    return {
        "score": ABILITY_NAMES.get(rest, ""),
        "mod": ABILITY_NAMES.get(rest, ""),
        "save": f"{ABILITY_NAMES.get(rest, '')} saving throw",
        "skill": skill_name(rest),
        "passive": skill_name(rest),
        "attack": f"{rest} (attack)",
        "damage": f"{rest} (attack)",
        "spell_dc": f"{rest} spellcasting",
        "spell_attack": f"{rest} spellcasting",
        "speed": "Speed",
        "tool": rest,
        "armor_class": "Armor Class",
        "carried": "Carrying capacity",
        "carrying_capacity": "Carrying capacity",
        "proficiency_bonus": "Proficiency bonus",
        "initiative": "Initiative",
    }.get(head, number.label)


def _name(head: str, rest: str, number: Number) -> str:
    if head == "score":
        return ABILITY_NAMES.get(rest, rest)
    return skill_name(rest) if head == "skill" else number.label


def _aliases(key: str, number: Number) -> tuple[str, ...]:
    head, _, rest = key.partition(":")
    long = ABILITY_NAMES.get(rest, "")
    short = rest.upper()
    if head == "score":
        return (short, f"{long} score", f"{short} score", *called(key))
    if head == "mod":
        return (f"{long} modifier", f"{short} modifier", f"{short} mod")
    if head == "save":
        return (f"{long} save", f"{short} save", f"{long} saving throw", f"{short} saving throw")
    if head == "skill":
        return (*SKILL_USES.get(rest, ()), f"{skill_name(rest)} bonus", f"{skill_name(rest)} check")
    if head in ("attack", "damage"):
        word = ("to hit", "attack", "attack bonus") if head == "attack" else ("damage",)
        plain = rest.partition(",")[0].partition(" (")[0]
        return tuple(f"{name} {each}" for name in dict.fromkeys((rest, plain)) for each in word)
    if head == "spell_dc":
        return (*called(head), f"{rest} spell dc", f"{rest} spell save dc")
    if head == "spell_attack":
        return ("spell attack", "spell attack bonus")
    if head == "tool":
        return (f"{rest} check",)
    return (*called(key), *also_called(key), *filter(None, [ABILITY_NAMES.get(key, "")]))


def _no_casting(sheet: Sheet, place: _Places) -> Iterator[Row]:
    """That there is no spell save DC is known too."""
    if sheet.derived and not sheet.magic_info.casters and not _SPELLS.search(sheet.page):
        names = ("spell save dc", "spell dc", "save dc", "spell attack")
        who = place.of(sheet.character_basics.name, "identity")
        yield from _row(
            who, ("told",), "Spell save DC", *names, value="none, the sheet has no spellcasting"
        )


def _pools(sheet: Sheet, place: _Places) -> Iterator[Row]:
    """Hit points, slots, and what can be used so often."""
    hp = sheet.combat_info.hp
    if sheet.derived:
        yield from _row(
            place.of("Hit Points"),
            ("pool",),
            "Hit points",
            *called("hit_points"),
            left=hp.current,
            max=hp.max,
            lost=max(0, hp.max - hp.current),
            value=hp.current,
        )
        yield from _row(
            place.of("Hit Points"),
            ("told",),
            "Temporary hit points",
            "temp hp",
            "temporary hp",
            "temp hit points",
            value=hp.temp,
        )
    for level, uses in sheet.magic_info.slots.items():
        yield from _slot(place, f"Spell slots of level {level}", int(level), uses)
    if pact := sheet.magic_info.pact:
        uses = Uses(max=pact.max, used=pact.used)
        yield from _slot(place, "Pact slots", pact.level, uses)
    for action in sheet.combat_info.actions:
        if action.uses and action.uses.max:
            left = action.uses.max - action.uses.used
            piece = place.of(action.name, "action_economy")
            yield from _row(
                piece,
                ("pool", "feature"),
                action.name,
                left=left,
                max=action.uses.max,
                lost=action.uses.used,
                value=left,
            )


def _slot(place: _Places, name: str, level: int, uses: Uses) -> Iterator[Row]:
    left = uses.max - uses.used
    yield from _row(
        place.of("Spell slots"), ("slot",), name, level=level, left=left, max=uses.max, value=left
    )


def _items(sheet: Sheet, place: _Places) -> Iterator[Row]:
    shown = place.all_of("inventory", "item")
    holders = {item.container for item in sheet.inventory_info.items if item.container}
    for item, piece in zip(sheet.inventory_info.items, shown, strict=False):
        told: dict[str, FieldValue] = {
            "quantity": item.qty,
            "weight": item.weight * item.qty,
            "equipped": item.equipped,
            "attuned": item.attuned,
            "attunable": item.attunable,
            "magic": item.magic,
            "container": item.container,
        }
        if item.weapon:
            told["way"] = "ranged" if item.weapon == "ranged" else "melee"
        if item.charges and item.charges.max:
            left = item.charges.max - item.charges.used
            told |= {"left": left, "max": item.charges.max}
        if reach := _feet(item.range):
            told |= {"range": reach, "range told": item.range}
        if item.damage:
            rolled = sheet.derived.get(f"damage:{item.name}")
            told["damage"] = f"{item.damage} {'/'.join(item.damage_types)}".strip()
            told["damage told"] = str(rolled.value) if rolled else told["damage"]
            told["average damage"] = average(str(told["damage told"]))
        if strike := sheet.derived.get(f"attack:{item.name}"):
            told["to hit"] = strike.value
        if worth := _worth(item):
            told["cost"] = worth
        remark = _POUNDS.sub("", item.desc).strip(" ,")
        if 0 < len(remark.split()) <= REMARK:
            told["remark"] = remark
        plain = item.name.partition(",")[0].partition(" (")[0]
        yield Row(
            _kinds(item, item.name in holders),
            item.name,
            piece,
            (plain, item.base.replace("_", " ")),
            told,
        )


REMARK = 6
"""Words of a remark on a thing that is told with it: `belt loop`."""
_POUNDS = re.compile(r"\b[\d.]+ lbs?\b\.?")
_ROLL = re.compile(r"(\d*)d(\d+)|([+-])?\s*(\d+)")
_EACH = re.compile(
    r"(\d[\d,]*)\s*(pp|gp|ep|sp|cp)\s+each\b|worth\s+(\d[\d,]*)\s*(pp|gp|ep|sp|cp)\b", re.I
)


def average(dice: str) -> float:
    """What a roll comes to on average: `1d6 + 2 slashing` is 5.5."""
    total = 0.0
    for count, sides, sign, number in _ROLL.findall(dice):
        if sides:
            total += int(count or 1) * (int(sides) + 1) / 2
        else:
            total += int(number) * (-1 if sign == "-" else 1)
    return total


def _worth(item: Item) -> str:
    """What a thing says it is worth; all of them together, where it is told of each."""
    hit = _EACH.search(item.desc)
    if hit is None:
        return ""
    each, coin = int((hit[1] or hit[3]).replace(",", "")), (hit[2] or hit[4]).lower()
    if item.qty == 1 or not hit[1]:
        return f"{each} {coin}"
    return f"{each * item.qty} {coin} in all, {item.qty} at {each} {coin} each"


def _kinds(item: Item, holds: bool) -> tuple[str, ...]:
    kinds = ["item"]
    if item.weapon or item.damage:
        kinds.append("weapon")
    if item.armor:
        kinds.append("armor")
    if holds or item.type == "container":
        kinds.append("container")
    if item.type.lower() == "potion" or "potion" in item.name.lower():
        kinds.append("potion")
    return tuple(kinds)


def _feet(reach: str) -> int:
    """The near range in feet: `20/60 ft.` is 20."""
    digits = reach.partition("/")[0].partition(" ")[0]
    return int(digits) if digits.isdigit() else 0


def _spells(sheet: Sheet, place: _Places) -> Iterator[Row]:
    shown = place.all_of("spell_list", "spell")
    for spell, piece in zip(sheet.magic_info.spells, shown, strict=False):
        yield Row(("spell",), spell.name, piece, (), _spell_fields(spell))


def _spell_fields(spell: Spell) -> dict[str, FieldValue]:
    return {
        "level": spell.level,
        "school": spell.school.lower(),
        "prepared": (spell.prepared or spell.always) and spell.level > 0,
        "ready": spell.prepared or spell.always,
        "ritual": spell.ritual,
        "concentration": spell.conc,
        "range": spell.range,
        "duration": spell.dur,
    }


def _features(sheet: Sheet, place: _Places) -> Iterator[Row]:
    for feature in sheet.abilities_info.feats:
        yield from _row(
            place.of(feature.name, "features_and_traits"), ("feat", "feature"), feature.name
        )
    for feature in sheet.abilities_info.features:
        piece = place.of(feature.name, "features_and_traits")
        yield from _row(piece, ("feature",), feature.name, origin=feature.origin)


def _lists(sheet: Sheet, place: _Places) -> Iterator[Row]:
    """Rows that are told whole."""
    info, combat = sheet.abilities_info, sheet.combat_info
    state = [*combat.conditions]
    state += [f"exhaustion {combat.exhaustion}"] if combat.exhaustion else []
    for title, key, name, values in (
        ("Languages", "languages", "Languages", info.languages),
        ("Armor training", "armor_training", "Armor training", info.armor),
        ("Weapon training", "weapon_training", "Weapon training", info.weapons),
        ("Senses", "senses", "Senses", [f"{k} {v}" for k, v in info.senses.items()]),
        ("Defenses", "resist", "Resistances", combat.defenses.get("resist")),
        ("Defenses", "immune", "Immunities", combat.defenses.get("immune")),
        ("Defenses", "vuln", "Vulnerabilities", combat.defenses.get("vuln")),
        ("Conditions", "conditions", "Conditions", state),
        ("Money", "money", "Money", sheet.inventory_info.coins),
    ):
        if values:
            yield from _row(place.of(title), ("told",), name, *called(key), value=list(values))


def _person(sheet: Sheet, place: _Places) -> Iterator[Row]:
    basics, story, social = sheet.character_basics, sheet.story_info, sheet.social_info
    who = place.of(basics.name, "identity")
    told = {
        "Class": ", ".join(f"{c.name} {c.level}" for c in basics.classes),
        "Species": basics.species,
        "Background": basics.background,
        "Alignment": basics.alignment,
        "Subclass": ", ".join(c.subclass for c in basics.classes if c.subclass),
    }
    told |= {key.capitalize(): value for key, value in basics.appearance.items()}
    for name, value in told.items():
        if value:
            yield from _row(who, ("told",), name, *called(name.lower()), value=value)
    if sheet.progress_info.xp:
        names = called("experience")
        yield from _row(
            place.of("Level"), ("told",), "Experience", *names, value=experience(sheet), level=True
        )
    for title, text in (
        ("Personality traits", story.traits),
        ("Ideals", story.ideals),
        ("Bonds", story.bonds),
        ("Flaws", story.flaws),
        ("Looks", story.appearance),
    ):
        if text:
            names = called(title.lower().replace(" ", "_"))
            yield from _row(place.of(title), ("told",), title, *names, value=text)
    for kind, people in (
        ("Allies", social.allies),
        ("Enemies", social.enemies),
        ("Organizations", social.organizations),
    ):
        yield from _people(kind, people, place)


def _people(kind: str, people: list[SheetRelation], place: _Places) -> Iterator[Row]:
    """Each of them, and the group under which they are asked for."""
    for each in people:
        piece = place.of(each.who, "relations")
        yield from _row(piece, (kind,), each.who, told=each.text or each.kind)
    if people:
        first = place.of(people[0].who, "relations")
        yield from _row(first, ("group",), kind, *called(kind.lower()))
