"""The items of a Foundry actor: gear, weapons, armour, spells, features."""

import re
from collections.abc import Mapping
from typing import Any

from freeform.assistant.sheet.beyond.things import curse_in
from freeform.assistant.sheet.foundry.codes import COSTS, GROUPS, PROPS, RESETS, SCHOOLS
from freeform.assistant.sheet.foundry.effects import is_attuned, needs_attunement, system_of
from freeform.assistant.sheet.foundry.formula import reckon, spelled_out
from freeform.assistant.sheet.given import mapping, number, rows, text, whole, whole_or_none, words
from freeform.assistant.sheet.html import plain
from freeform.assistant.sheet.model import Cost, Feature, Item, SheetAction, Spell, Uses

GEAR = ("weapon", "equipment", "consumable", "tool", "loot", "container", "backpack")
_MODIFIER = re.compile(r"\s*\+?\s*@\w[\w.]*")
ARMOR = {"light": "light", "medium": "medium", "heavy": "heavy", "shield": "shield"}


def read_items(listed: list[dict[str, Any]]) -> list[Item]:
    """What is carried."""
    names = {text(item.get("_id")): text(item.get("name")) for item in listed}
    return [_item(item, names) for item in listed if item.get("type") in GEAR]


def _item(item: dict[str, Any], names: dict[str, str]) -> Item:
    told = system_of(item)
    kind = _kind(told)
    dice, types, versatile = _damage(told)
    codes = _codes(told.get("properties"))
    armor = ARMOR.get(kind, "") if item.get("type") == "equipment" else ""
    details = mapping(told, "armor")
    reach = mapping(told, "range")
    near, far = whole(reach.get("value")), whole(reach.get("long"))
    rarity, bonus = (
        text(told.get("rarity")),
        whole(told.get("magicalBonus") or told.get("attackBonus")),
    )
    desc = plain(mapping(told, "description").get("value") or told.get("description"))
    return Item(
        name=text(item.get("name")) or "Unnamed thing",
        type=text(item.get("type")),
        qty=whole(told.get("quantity"), 1),
        weight=number(told.get("weight")),
        equipped=bool(told.get("equipped")),
        attuned=is_attuned(told),
        attunable=needs_attunement(told) or is_attuned(told),
        charges=uses_of(mapping(told, "uses")),
        container=names.get(text(told.get("container")), ""),
        magic="mgc" in codes or bool(bonus) or rarity.lower() not in ("", "common"),
        rarity=rarity,
        props=[PROPS[code] for code in codes if code in PROPS],
        desc=desc,
        armor=armor,
        armor_class=_armor_class(details) if armor else 0,
        dex_cap=whole_or_none(details.get("dex")),
        strength=whole(told.get("strength")),
        stealth_disadvantage="stealthDisadvantage" in codes or told.get("stealth") is True,
        damage=dice if item.get("type") == "weapon" else "",
        damage_types=types if item.get("type") == "weapon" else [],
        versatile=versatile,
        weapon=GROUPS.get(kind, "") if item.get("type") == "weapon" else "",
        base=text(mapping(told, "type").get("baseItem")) or text(told.get("baseItem")),
        range=f"{near}/{far} ft." if far else f"{near} ft." if near else "",
        bonus=bonus if item.get("type") == "weapon" else 0,
        ability=text(told.get("ability")) if item.get("type") == "weapon" else "",
        proficient=_proficient(told.get("proficient")),
        curse=curse_in(desc),
    )


def _kind(told: dict[str, Any]) -> str:
    """`type.value` now; before, `weaponType` or the armour's own type."""
    return (
        text(mapping(told, "type").get("value"))
        or text(told.get("weaponType"))
        or text(mapping(told, "armor").get("type"))
    )


def _armor_class(details: dict[str, Any]) -> int:
    """Of armour and shields only: other things carry a number that means nothing."""
    return whole(details.get("value")) + whole(details.get("magicalBonus"))


def _codes(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [key for key, on in value.items() if on]
    return words(value)


def _proficient(value: Any) -> bool | None:
    return None if value is None or value == "" else bool(value)


def _damage(told: dict[str, Any]) -> tuple[str, list[str], str]:
    """Dice, types and the two-handed dice, from the new form or the old."""
    damage = mapping(told, "damage")
    base = mapping(damage, "base")
    if whole(base.get("number")):
        bonus = text(base.get("bonus"))
        dice = f"{whole(base.get('number'))}d{whole(base.get('denomination'))}{f' + {bonus}' if bonus else ''}"
        held = mapping(damage, "versatile")
        two = (
            f"{whole(held.get('number'), 1)}d{whole(held.get('denomination'))}"
            if held.get("denomination")
            else ""
        )
        if not two and "ver" in _codes(told.get("properties")):
            two = f"{whole(base.get('number'))}d{whole(base.get('denomination')) + 2}"
        return dice, words(base.get("types")), two
    parts = damage.get("parts")
    if isinstance(parts, list) and parts and isinstance(parts[0], list | dict):
        first = parts[0]
        formula = text(first[0] if isinstance(first, list) else first.get("formula"))
        kind = text(first[1]) if isinstance(first, list) and len(first) > 1 else ""
        return _dice(formula), [kind] if kind else [], _dice(text(damage.get("versatile")))
    return "", [], ""


def _dice(formula: str) -> str:
    return _MODIFIER.sub("", formula).strip(" +")


def uses_of(uses: dict[str, Any], known: Mapping[str, float] | None = None) -> Uses | None:
    """How often something can be used; a formula we cannot count is left out."""
    most = whole(uses.get("max")) or max(0, reckon(uses.get("max"), known or {}) or 0)
    if not most:
        return None
    spent = whole_or_none(uses.get("spent"))
    left = whole_or_none(uses.get("value"))
    per = text(uses.get("per")) or next(
        (text(r.get("period")) for r in rows(uses.get("recovery"))), ""
    )
    return Uses(
        max=most,
        used=max(0, spent if spent is not None else most - (most if left is None else left)),
        reset=RESETS.get(per, per),
    )


def read_spells(listed: list[dict[str, Any]]) -> list[Spell]:
    """The spells, by level and name."""
    found = []
    for item in listed:
        if item.get("type") == "spell":
            found.append(_spell(text(item.get("name")), system_of(item)))
    return sorted(found, key=lambda spell: (spell.level, spell.name))


def _spell(name: str, told: dict[str, Any]) -> Spell:
    how = mapping(told, "preparation")
    mode = text(how.get("mode")) or text(told.get("method"))
    ready = bool(how.get("prepared")) or told.get("prepared") in (1, True)
    always = mode in ("always", "innate", "atwill", "pact") or told.get("prepared") == 2
    codes = set(_codes(told.get("properties")) or _codes(told.get("components")))
    comp = ", ".join(
        sign
        for code, sign in (("vocal", "V"), ("somatic", "S"), ("material", "M"))
        if code in codes
    )
    material = plain(mapping(told, "materials").get("value"))
    time, reach, lasts = (
        mapping(told, "activation"),
        mapping(told, "range"),
        mapping(told, "duration"),
    )
    span = text(lasts.get("units"))
    level = whole(told.get("level"))
    source = text(told.get("sourceClass")) or text(told.get("sourceItem")).removeprefix("class:")
    return Spell(
        name=name or "Unnamed spell",
        level=level,
        school=SCHOOLS.get(text(told.get("school")), text(told.get("school"))),
        time=" ".join(
            filter(
                None, (text(time.get("value") or time.get("cost")) or "1", text(time.get("type")))
            )
        ),
        range=_reach(reach),
        comp=comp + (f" ({material})" if material else ""),
        dur={"inst": "Instantaneous", "perm": "Permanent"}.get(
            span, f"{text(lasts.get('value'))} {span}".strip()
        ),
        conc="concentration" in codes,
        ritual="ritual" in codes,
        prepared=ready,
        always=always or level == 0,
        source=source.title(),
        uses=uses_of(mapping(told, "uses")),
        desc=plain(mapping(told, "description").get("value")),
    )


def _reach(reach: dict[str, Any]) -> str:
    units = text(reach.get("units"))
    feet = text(reach.get("value"))
    return (
        f"{feet} {units}."
        if feet and units == "ft"
        else {"self": "Self", "touch": "Touch"}.get(units, feet)
    )


def read_features(
    listed: list[dict[str, Any]], known: Mapping[str, float], dice: Mapping[str, str]
) -> tuple[list[Feature], list[Feature], list[SheetAction]]:
    """Features, feats and the actions they bring."""
    features: list[Feature] = []
    feats: list[Feature] = []
    actions: list[SheetAction] = []
    for item in listed:
        if item.get("type") != "feat":
            continue
        told = system_of(item)
        kind, name = text(mapping(told, "type").get("value")), text(item.get("name"))
        origin = {
            "class": "class",
            "race": "species",
            "background": "background",
            "feat": "feat",
        }.get(kind, kind)
        wants = text(told.get("requirements"))
        level = next((int(n) for n in re.findall(r"\b(\d{1,2})\b", wants)), 0)
        made = Feature(
            name=name,
            origin=wants or origin,
            level=min(level, 20),
            desc=spelled_out(plain(mapping(told, "description").get("value")), known, dice),
        )
        (feats if kind == "feat" or not (kind or wants) else features).append(made)
        cost, uses = cost_of(told), uses_of(mapping(told, "uses"), known)
        if cost != "none" or uses:
            actions.append(
                SheetAction(name=name, cost=cost, uses=uses, desc=made.desc, source=made.origin)
            )
    return features, feats, actions


def cost_of(told: dict[str, Any]) -> Cost:
    """What using it costs, in the new form (activities) or the old."""
    old = text(mapping(told, "activation").get("type"))
    new = next(
        (text(mapping(a, "activation").get("type")) for a in rows(told.get("activities"))), ""
    )
    return COSTS.get(old or new, "none")
