"""The things, spells and actions of a D&D Beyond character."""

from typing import Any

from freeform.assistant.sheet.beyond.ids import (
    ABILITY_OF,
    ARMOR,
    COSTS,
    MARTIAL,
    RESETS,
    SIMPLE,
    WEAPON_GROUP,
)
from freeform.assistant.sheet.beyond.modifiers import is_working
from freeform.assistant.sheet.beyond.templates import TemplateValues, fill_in, scales
from freeform.assistant.sheet.given import (
    identity,
    mapping,
    number,
    rows,
    text,
    whole,
    whole_or_none,
)
from freeform.assistant.sheet.html import plain
from freeform.assistant.sheet.model import Item, SheetAction, Spell, Uses
from freeform.assistant.sheet.numbers.tables import proficiency
from freeform.core.text import slug

_COST_WORDS = {"bonus": "bonus action"}


def read_items(data: dict[str, Any]) -> list[Item]:
    """Everything carried, custom things too."""
    listed = rows(data.get("inventory"))
    names = {identity(i.get("id")): text(mapping(i, "definition").get("name")) for i in listed}
    names.pop(0, None)
    typed = _typed(data)
    items = [_item(row, names, typed) for row in listed]
    custom = [
        Item(
            name=text(row.get("name")) or "Custom item",
            qty=whole(row.get("quantity"), 1),
            weight=number(row.get("weight")),
            homebrew=True,
            desc="\n".join(filter(None, (plain(row.get("description")), plain(row.get("notes"))))),
        )
        for row in rows(data.get("customItems"))
    ]
    return [*items, *custom]


def _typed(data: dict[str, Any]) -> dict[tuple[int, int], Any]:
    """What was typed over single things, by thing and kind."""
    return {
        (identity(row.get("valueId")), whole(row.get("typeId"))): row.get("value")
        for row in rows(data.get("characterValues"))
    }


def _item(row: dict[str, Any], names: dict[int, str], typed: dict[tuple[int, int], Any]) -> Item:
    told, id = mapping(row, "definition"), identity(row.get("id"))
    granted = rows(told.get("grantedModifiers"))
    magic = sum(
        whole(m.get("value") or m.get("fixedValue"))
        for m in granted
        if m.get("subType") == "magic"
        and m.get("type") == "bonus"
        and is_working({**row, "equipped": True}, m)
    )
    props = [text(p.get("name")) for p in rows(told.get("properties"))]
    props += ["Monk"] if told.get("isMonkWeapon") else []
    versatile = next(
        (
            text(p.get("notes"))
            for p in rows(told.get("properties"))
            if p.get("name") == "Versatile"
        ),
        "",
    )
    dice = text(mapping(told, "damage").get("diceString")) or text(told.get("fixedDamage"))
    desc = plain(told.get("description"))
    extra = text(typed.get((id, 9)))
    return Item(
        name=text(typed.get((id, 8))) or text(told.get("name")) or "Unnamed thing",
        type=text(told.get("filterType")) or text(told.get("type")),
        qty=whole(row.get("quantity"), 1),
        weight=number(told.get("weight")) / max(1, whole(told.get("bundleSize"), 1)),
        equipped=bool(row.get("equipped")),
        attuned=bool(row.get("isAttuned")),
        attunable=bool(told.get("canAttune")),
        charges=_uses(mapping(row, "limitedUse"), 0, {}),
        container=names.get(identity(row.get("containerEntityId")), ""),
        magic=bool(told.get("magic")),
        rarity=text(told.get("rarity")),
        homebrew=bool(told.get("isHomebrew")),
        props=props,
        grants=[grant_text(m) for m in granted],
        desc="\n\n".join(filter(None, (desc, extra))),
        armor=ARMOR.get(whole(told.get("armorTypeId")), ""),
        armor_class=whole(told.get("armorClass")),
        strength=whole(told.get("strengthRequirement")),
        stealth_disadvantage=whole(told.get("stealthCheck")) == 2,
        damage=dice,
        damage_types=[text(told.get("damageType")).lower()] if text(told.get("damageType")) else [],
        versatile=versatile,
        weapon=_weapon(told),
        base=slug(text(told.get("type"))) if told.get("filterType") == "Weapon" else "",
        range=_range(told),
        bonus=magic + whole(typed.get((id, 12))),
        ability="cha" if typed.get((id, 28)) or typed.get((id, 29)) else "",
        curse=curse_in(desc),
    )


def grant_text(modifier: dict[str, Any]) -> str:
    """A modifier in words: `Bonus: Magic +2`."""
    kind = text(modifier.get("friendlyTypeName")) or text(modifier.get("type"))
    what = text(modifier.get("friendlySubtypeName")) or text(modifier.get("subType"))
    value = whole_or_none(modifier.get("value"))
    when = text(modifier.get("restriction"))
    return f"{kind}: {what}{f' {value:+d}' if value else ''}{f' ({when})' if when else ''}"


def curse_in(desc: str) -> str:
    """The paragraph that tells of a thing's curse, if one does."""
    parts = [part.strip() for part in desc.split("\n") if part.strip()]
    return next((part for part in parts if part.lower().lstrip("*_ ").startswith("curse")), "")


def _weapon(told: dict[str, Any]) -> str:
    if told.get("filterType") != "Weapon" and whole_or_none(told.get("attackType")) is None:
        return ""
    base = slug(text(told.get("type"))).replace("_", "-")
    flipped = "-".join(reversed(base.split("-")))
    group = WEAPON_GROUP.get(whole(told.get("categoryId")), "")
    group = group or (
        "martial" if {base, flipped} & MARTIAL else "simple" if {base, flipped} & SIMPLE else ""
    )
    return f"{group} {'ranged' if whole(told.get('attackType')) == 2 else 'melee'}".strip()


def _range(told: dict[str, Any]) -> str:
    near, far = whole(told.get("range")), whole(told.get("longRange"))
    return f"{near}/{far} ft." if far > near else f"{near} ft." if near else ""


def _uses(row: dict[str, Any], level: int, mods: dict[str, int]) -> Uses | None:
    if not row:
        return None
    most = whole(row.get("maxUses"))
    if row.get("useProficiencyBonus"):
        most = (most or 1) * proficiency(level) if whole(row.get("proficiencyBonusOperator")) == 2 else (
            most + proficiency(level)
        )  # fmt: skip
    if ability := ABILITY_OF.get(whole(row.get("statModifierUsesId")), ""):
        most = max(1, most + mods.get(ability, 0))
    reset = RESETS.get(whole(row.get("resetType")), "")
    return Uses(max=most, used=whole(row.get("numberUsed")), reset=reset) if most else None


def read_actions(data: dict[str, Any], level: int, mods: dict[str, int]) -> list[SheetAction]:
    """What the character can do, with its uses."""
    found: list[SheetAction] = []
    by_feature = scales(data)
    for group, listed in mapping(data, "actions").items():
        for row in rows(listed):
            uses = _uses(mapping(row, "limitedUse"), level, mods)
            cls, scale = by_feature.get(identity(row.get("componentId")), (0, ""))
            values = TemplateValues(level, cls, mods, uses.max if uses else 0, scale)
            found.append(
                SheetAction(
                    name=text(row.get("name")) or "Unnamed action",
                    cost=COSTS.get(whole(mapping(row, "activation").get("activationType")), "none"),
                    uses=uses,
                    save=_save(row, ABILITY_OF.get(whole(row.get("saveStatId")), "")),
                    desc=fill_in(
                        plain(row.get("description")) or plain(row.get("snippet")), values
                    ),
                    source=group,
                )
            )
    for row in rows(data.get("customActions")):
        cost = COSTS.get(whole(row.get("activationType")), "none")
        found.append(SheetAction(name=text(row.get("name")) or "Custom action", cost=cost, source="custom",
                            desc=plain(row.get("description"))))  # fmt: skip
    return found


def _save(row: dict[str, Any], ability: str) -> str:
    dc = whole_or_none(row.get("fixedSaveDc"))
    return f"{ability.upper()} save{f' DC {dc}' if dc else ''}" if ability else ""


def read_spells(data: dict[str, Any]) -> list[Spell]:
    """The spells of classes, species, feats and things, each once for each source."""
    classes = {
        identity(c.get("id")): text(mapping(c, "definition").get("name"))
        for c in rows(data.get("classes"))
    }
    found: dict[tuple[str, str], Spell] = {}
    for row in rows(data.get("classSpells")):
        source = classes.get(identity(row.get("characterClassId")), "class")
        for each in rows(row.get("spells")):
            spell = _spell(each, source)
            found.setdefault((spell.name, source), spell)
    for group, listed in mapping(data, "spells").items():
        for each in rows(listed):
            spell = _spell(each, group)
            found.setdefault((spell.name, group), spell)
    return sorted(found.values(), key=lambda s: (s.level, s.name))


def _spell(row: dict[str, Any], source: str) -> Spell:
    told = mapping(row, "definition")
    comp = "".join(
        {1: "V", 2: "S", 3: "M"}.get(c, "")
        for c in told.get("components") or []
        if isinstance(c, int)
    )
    material = text(told.get("componentsDescription"))
    reach = mapping(told, "range")
    feet = whole(reach.get("rangeValue"))
    lasts = mapping(told, "duration")
    unit = text(lasts.get("durationUnit")).lower()
    count = whole(lasts.get("durationInterval"))
    span = (
        f"{count} {unit}{'s' if count > 1 else ''}"
        if unit and count
        else text(lasts.get("durationType"))
    )
    time = mapping(told, "activation")
    cost = COSTS.get(whole(time.get("activationType")), "none")
    amount = whole(time.get("activationTime"), 1)
    return Spell(
        name=text(told.get("name")) or "Unnamed spell",
        level=whole(told.get("level")),
        school=text(told.get("school")),
        time=f"{amount} {_COST_WORDS.get(cost, cost)}{'s' if amount > 1 else ''}"
        if cost != "none"
        else "",
        range=f"{feet} ft." if feet else text(reach.get("origin")),
        comp=", ".join(comp) + (f" ({material})" if material else ""),
        dur=span,
        conc=bool(told.get("concentration")),
        ritual=bool(told.get("ritual")),
        prepared=bool(row.get("prepared")),
        always=bool(row.get("alwaysPrepared")) or whole(told.get("level")) == 0,
        source=source,
        dc=whole_or_none(row.get("overrideSaveDc")),
        uses=_uses(mapping(row, "limitedUse"), 0, {}),
        desc=plain(told.get("description")),
    )
