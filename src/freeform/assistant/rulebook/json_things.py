"""Rows of 5e-database as entries: spells, monsters, things, and the small ones."""

import re
from typing import Any

from freeform.assistant.rulebook.model import RuleEntry
from freeform.assistant.rulebook.words import damage_in, kept, level_words

ABILITY = {"str": "Strength", "dex": "Dexterity", "con": "Constitution", "int": "Intelligence", "wis": "Wisdom",
           "cha": "Charisma"}  # fmt: skip


def prose(value: Any) -> str:
    """A text that may come as a list of paragraphs; rows of a table stay together."""
    if isinstance(value, str):
        return value.strip()
    if not isinstance(value, list):
        return ""
    text = ""
    for part in value:
        part = str(part).strip()
        tight = part.startswith(("|", "- ")) and text.rsplit("\n", 1)[-1].startswith(("|", "- "))
        text += ("\n" if tight else "\n\n") + part
    return re.sub(r"(?m)^(#{1,6}) ", r"###### ", text.strip())


def names(value: Any) -> list[str]:
    """The names in a list of references."""
    return [str(row["name"]) for row in value or [] if isinstance(row, dict) and row.get("name")]


def plain(row: dict[str, Any], kind: str) -> RuleEntry:
    """Anything with a name and a description."""
    return RuleEntry(
        kind, str(row["name"]), prose(row.get("desc") or row.get("description")), tags=[kind]
    )


def spell(row: dict[str, Any]) -> RuleEntry:
    """A spell with its level, school, classes and what casting it takes."""
    level, school = int(row["level"]), str(row["school"]["name"])
    classes = names(row.get("classes"))
    comp = ", ".join(row.get("components") or [])
    material = f" ({row['material'].rstrip('.').lower()})" if row.get("material") else ""
    duration = f"{'Concentration, ' if row.get('concentration') else ''}{row['duration']}"
    line = f"{level_words(level)} {school.lower()}" if level else f"{school} cantrip"
    text = prose(row["desc"])
    lines = [
        f"*{line}{' (ritual)' if row.get('ritual') else ''}*",
        "",
        f"**Casting Time:** {row['casting_time']}  ",
        f"**Range:** {row['range']}  ",
        f"**Components:** {comp}{material}  ",
        f"**Duration:** {duration}  ",
        f"**Classes:** {', '.join(classes)}",
        "",
        text,
    ]
    if higher := prose(row.get("higher_level")):
        lines += ["", "## At Higher Levels", "", higher]
    harm = (row.get("damage") or {}).get("damage_type", {}).get("name")
    save = (row.get("dc") or {}).get("dc_type", {}).get("index")
    return RuleEntry(
        "spell",
        str(row["name"]),
        "\n".join(lines),
        tags=["spell", f"level_{level}", school.lower(), *(c.lower() for c in classes)],
        data=kept(
            level=level,
            school=school.lower(),
            classes=[c.lower() for c in classes],
            ritual=bool(row.get("ritual")),
            concentration=bool(row.get("concentration")),
            casting_time=row["casting_time"],
            range=row["range"],
            components=comp,
            duration=row["duration"],
            damage=[harm.lower()] if harm else damage_in(text),
            save=save,
            attack=row.get("attack_type"),
            area=(row.get("area_of_effect") or {}).get("type"),
            healing="heal_at_slot_level" in row,
        ),
    )


def monster(row: dict[str, Any]) -> RuleEntry:
    """A creature with its whole block."""
    armor = row.get("armor_class")
    first = armor[0] if isinstance(armor, list) and armor else {"value": armor}
    sub = f" ({row['subtype']})" if row.get("subtype") else ""
    kind = f"{row['size']} {row['type']}{sub}, {row['alignment']}"
    speed = row.get("speed") or {}
    speeds = ", ".join(
        f"{way} {feet}" if way != "walk" else str(feet)
        for way, feet in speed.items()
        if way != "hover"
    )
    scores = {short: int(row[long.lower()]) for short, long in ABILITY.items()}
    cells = " | ".join(f"{score} ({(score - 10) // 2:+d})" for score in scores.values())
    cr = float(row["challenge_rating"])
    shown = {0.125: "1/8", 0.25: "1/4", 0.5: "1/2"}.get(cr, f"{cr:g}")
    saves, skills = _trained(row)
    lines = [f"*{kind}*", "", f"**Armor Class** {first.get('value')}{_armor(first)}  "]
    lines += [
        f"**Hit Points** {row['hit_points']} ({row.get('hit_points_roll') or row['hit_dice']})  "
    ]
    lines += [
        f"**Speed** {speeds}",
        "",
        "| STR | DEX | CON | INT | WIS | CHA |",
        "|---|---|---|---|---|---|",
        f"| {cells} |",
        "",
    ]
    for label, value in (
        ("Saving Throws", saves),
        ("Skills", skills),
        ("Damage Vulnerabilities", ", ".join(row.get("damage_vulnerabilities") or [])),
        ("Damage Resistances", ", ".join(row.get("damage_resistances") or [])),
        ("Damage Immunities", ", ".join(row.get("damage_immunities") or [])),
        ("Condition Immunities", ", ".join(names(row.get("condition_immunities")))),
        (
            "Senses",
            ", ".join(f"{k.replace('_', ' ')} {v}" for k, v in (row.get("senses") or {}).items()),
        ),
        ("Languages", row.get("languages")),
        ("Challenge", f"{shown} ({row.get('xp', 0):,} XP)"),
    ):
        if value:
            lines.append(f"**{label}** {value}  ")
    if desc := prose(row.get("desc")):
        lines += ["", desc]
    for heading, key in (
        ("Traits", "special_abilities"),
        ("Actions", "actions"),
        ("Reactions", "reactions"),
        ("Legendary Actions", "legendary_actions"),
    ):
        told = [f"**{each.get('name')}.** {prose(each.get('desc'))}" for each in row.get(key) or []]
        if told:
            lines += ["", f"## {heading}", "", "\n\n".join(told)]
    return RuleEntry(
        "monster",
        str(row["name"]),
        "\n".join(lines),
        aliases=_turned(str(row["name"])),
        tags=["monster", str(row["type"]).lower(), str(row["size"]).lower(), f"cr_{shown}"],
        data=kept(
            size=str(row["size"]).lower(),
            type=str(row["type"]).lower(),
            subtype=row.get("subtype"),
            alignment=row["alignment"],
            ac=first.get("value"),
            hp=row["hit_points"],
            cr=cr,
            xp=row.get("xp"),
            speed={k: str(v) for k, v in speed.items()},
            abilities=scores,
            immune=row.get("damage_immunities"),
            resist=row.get("damage_resistances"),
            vulnerable=row.get("damage_vulnerabilities"),
            condition_immune=[n.lower() for n in names(row.get("condition_immunities"))],
            legendary=bool(row.get("legendary_actions")),
            damage=damage_in("\n".join(lines)),
        ),
    )


def _armor(first: dict[str, Any]) -> str:
    worn = ", ".join(names(first.get("armor"))) or (
        f"{first['type']} armor" if first.get("type") == "natural" else ""
    )
    return f" ({worn.lower()})" if worn else ""


def _trained(row: dict[str, Any]) -> tuple[str, str]:
    saves: list[str] = []
    skills: list[str] = []
    for each in row.get("proficiencies") or []:
        name, value = str(each["proficiency"]["name"]), int(each["value"])
        place = saves if name.startswith("Saving Throw") else skills
        place.append(f"{name.partition(': ')[2].title()} {value:+d}")
    return ", ".join(saves), ", ".join(skills)


def _turned(name: str) -> list[str]:
    """`Dragon, Red` and the like, as people also say it."""
    first, comma, rest = name.partition(", ")
    return [f"{rest} {first}"] if comma and "+" not in rest else []


def magic_item(row: dict[str, Any]) -> RuleEntry:
    """A magic item; its first line tells rarity and attunement."""
    text = prose(row["desc"])
    rarity = str((row.get("rarity") or {}).get("name", "")).lower()
    head, _, rest = text.partition("\n")
    return RuleEntry(
        "magic_item",
        str(row["name"]),
        f"*{head.strip('*_ ')}*\n\n{rest.strip()}" if rest.strip() else text,
        aliases=_turned(str(row["name"])),
        tags=["magic_item", rarity.replace(" ", "_"), str(row["equipment_category"]["index"])],
        data=kept(
            rarity=rarity,
            category=str(row["equipment_category"]["name"]).lower(),
            attunement="requires attunement" in head.lower(),
            variant=bool(row.get("variant")),
        ),
    )


def equipment(row: dict[str, Any]) -> RuleEntry:
    """Weapons, armour, gear, tools, mounts."""
    group = str((row.get("equipment_category") or {}).get("name") or "Adventuring Gear")
    kind = {"Weapon": "weapon", "Armor": "armor", "Tools": "tool"}.get(group, "gear")
    cost = row.get("cost") or {}
    price = f"{cost.get('quantity')} {cost.get('unit')}" if cost else ""
    weight = row.get("weight")
    lines = [
        f"*{row.get('category_range') or row.get('armor_category') or row.get('tool_category') or group}*",
        "",
    ]
    armor = row.get("armor_class") or {}
    dex = " + Dex modifier" if armor.get("dex_bonus") else ""
    cap = f" (max {armor['max_bonus']})" if armor.get("max_bonus") else ""
    harm = row.get("damage") or {}
    two = row.get("two_handed_damage") or {}
    reach, thrown = row.get("range") or {}, row.get("throw_range") or {}
    props = names(row.get("properties"))
    for label, value in (
        ("Cost", price),
        ("Weight", f"{weight:g} lb." if isinstance(weight, int | float) else ""),
        (
            "Armor Class",
            f"{'+' if row.get('armor_category') == 'Shield' else ''}{armor.get('base')}{dex}{cap}"
            if armor
            else "",
        ),
        ("Strength", str(row["str_minimum"]) if row.get("str_minimum") else ""),
        ("Stealth", "disadvantage" if row.get("stealth_disadvantage") else ""),
        (
            "Damage",
            f"{harm.get('damage_dice')} {harm.get('damage_type', {}).get('name', '').lower()}"
            if harm
            else "",
        ),
        ("Two-handed", f"{two.get('damage_dice')}" if two else ""),
        ("Range", f"{reach.get('normal')}/{reach.get('long')} ft." if reach.get("long") else ""),
        ("Thrown", f"{thrown.get('normal')}/{thrown.get('long')} ft." if thrown else ""),
        ("Properties", ", ".join(props)),
        (
            "Speed",
            f"{row['speed'].get('quantity')} {row['speed'].get('unit')}"
            if row.get("speed")
            else "",
        ),
        (
            "Contents",
            ", ".join(
                f"{c.get('quantity')} {c['item']['name']}" for c in row.get("contents") or []
            ),
        ),
    ):
        if value:
            lines.append(f"**{label}** {value}  ")
    text = prose(row.get("desc")) or prose(row.get("special"))
    coin = {"cp": 0.01, "sp": 0.1, "ep": 0.5, "gp": 1.0, "pp": 10.0}.get(str(cost.get("unit")), 1.0)
    return RuleEntry(
        kind,
        str(row["name"]),
        "\n".join([*lines, *(["", text] if text else [])]),
        aliases=_turned(str(row["name"])),
        tags=["equipment", kind, *(p.lower().replace(" ", "_") for p in props)],
        data=kept(
            category=group.lower(),
            cost=price,
            cost_gp=round(float(cost.get("quantity", 0)) * coin, 4) if cost else None,
            weight=weight,
            damage=[harm["damage_type"]["name"].lower()] if harm.get("damage_type") else [],
            dice=harm.get("damage_dice"),
            properties=[p.lower() for p in props],
            armor_class=armor.get("base"),
            group=str(row.get("category_range") or row.get("armor_category") or "").lower(),
        ),
    )


def skill(row: dict[str, Any]) -> RuleEntry:
    """A skill and its ability."""
    made = plain(row, "skill")
    ability = str((row.get("ability_score") or {}).get("index", ""))
    made.body = f"*{ABILITY.get(ability, ability)} skill*\n\n{made.body}"
    made.aliases, made.data = [f"{made.name} check"], kept(ability=ability)
    return made


def ability(row: dict[str, Any]) -> RuleEntry:
    """One of the six."""
    made = plain(row, "ability")
    skills = names(row.get("skills"))
    made.name = str(row.get("full_name") or row["name"])
    made.aliases = [str(row["name"])]
    made.body += f"\n\n**Skills:** {', '.join(skills)}" if skills else ""
    return made


def feat(row: dict[str, Any]) -> RuleEntry:
    """A feat with what it asks for."""
    made = plain(row, "feat")
    wants = [
        f"{each['ability_score']['name']} {each['minimum_score']}"
        for each in row.get("prerequisites") or []
        if isinstance(each, dict) and each.get("ability_score")
    ]
    if wants:
        made.body = f"*Prerequisite: {', '.join(wants)}*\n\n{made.body}"
        made.data = {"prerequisites": wants}
    return made


def trait(row: dict[str, Any]) -> RuleEntry:
    """A trait of a race."""
    made = plain(row, "trait")
    owners = [*names(row.get("races")), *names(row.get("subraces")), *names(row.get("species"))]
    if owners:
        made.body = f"*Trait: {', '.join(owners)}*\n\n{made.body}"
        made.data = {"races": [owner.lower() for owner in owners]}
    return made
