"""Classes of 5e-database with their levels, features and subclasses; races and backgrounds."""

from typing import Any

from freeform.assistant.rulebook.json_things import ABILITY, names, plain, prose
from freeform.assistant.rulebook.model import RuleEntry
from freeform.assistant.rulebook.words import kept

Rows = dict[str, list[dict[str, Any]]]


def class_entries(collections: Rows) -> list[RuleEntry]:
    """Each class with a table and a section for each level, its features and its subclasses."""
    levels = collections.get("levels", [])
    features = {str(f["index"]): f for f in collections.get("features", [])}
    made = [class_entry(row, levels, features) for row in collections.get("classes", [])]
    made += [_subclass(row, levels, features) for row in collections.get("subclasses", [])]
    return [*made, *_features(list(features.values()))]


def class_entry(
    row: dict[str, Any], levels: list[dict[str, Any]], features: dict[str, dict[str, Any]]
) -> RuleEntry:
    """One class."""
    name, die = str(row["name"]), int(row.get("hit_die") or 8)
    saves = [
        ABILITY.get(str(each["index"]), str(each["name"]))
        for each in row.get("saving_throws") or []
    ]
    mine = sorted(
        (
            each
            for each in levels
            if each.get("class", {}).get("index") == row["index"] and "subclass" not in each
        ),
        key=lambda each: int(each["level"]),
    )
    lines = [
        f"**Hit Die:** d{die}  ",
        f"**Hit points at level 1:** {die} + Constitution modifier  ",
        f"**Hit points at higher levels:** 1d{die} (or {die // 2 + 1}) + Constitution modifier per level  ",
        f"**Proficiencies:** {', '.join(n for n in names(row.get('proficiencies')) if 'Saving Throw' not in n)}  ",
        f"**Saving throws:** {', '.join(saves)}  ",
        *(
            f"**Skills:** {choice.get('desc')}  "
            for choice in row.get("proficiency_choices") or []
            if choice.get("desc")
        ),
        f"**Subclasses:** {', '.join(names(row.get('subclasses')))}",
    ]
    gear = [
        f"{e.get('quantity', 1)} {e['equipment']['name']}"
        for e in row.get("starting_equipment") or []
    ]
    gear += [str(o["desc"]) for o in row.get("starting_equipment_options") or [] if o.get("desc")]
    if gear:
        lines += ["", "## Starting Equipment", "", *(f"- {each}" for each in gear)]
    casting = row.get("spellcasting") or {}
    for part in casting.get("info") or []:
        lines += ["", f"## {part.get('name')}", "", prose(part.get("desc"))]
    multi = row.get("multi_classing") or {}
    wants = [
        f"{ABILITY[p['ability_score']['index']]} {p['minimum_score']}"
        for p in multi.get("prerequisites") or []
    ]
    if multi:
        gains = ", ".join(names(multi.get("proficiencies")))
        asked = (
            f"Prerequisite: {' and '.join(wants)}."
            if wants
            else prose(multi.get("prerequisite_options", {}).get("desc"))
        )
        lines += [
            "",
            "## Multiclassing",
            "",
            f"{asked} Proficiencies gained: {gains or 'none'}.".strip(),
        ]
    if mine:
        lines += ["", "## Level Table", "", *_table(mine)]
        for level in mine:
            lines += ["", f"## Level {level['level']}", "", _level_text(name, level)]
    return RuleEntry(
        "class",
        name,
        "\n".join(lines),
        aliases=[f"{name}s", f"{name} class"],
        tags=["class", *(s.lower() for s in saves)],
        data=kept(
            hit_die=die,
            saves=[str(each["index"]) for each in row.get("saving_throws") or []],
            casting_ability=casting.get("spellcasting_ability", {}).get("index"),
            multiclass=wants,
            subclasses=names(row.get("subclasses")),
            levels={str(each["level"]): names(each.get("features")) for each in mine},
        ),
    )


def _specific(level: dict[str, Any]) -> dict[str, str]:
    """What only this class counts, and its slots."""
    found = {}
    for key, value in {
        **(level.get("class_specific") or {}),
        **(level.get("spellcasting") or {}),
    }.items():
        if isinstance(value, dict):
            value = (
                f"{value.get('dice_count')}d{value.get('dice_value')}"
                if "dice_value" in value
                else ""
            )
        if value not in (0, "", None) and not isinstance(value, list):
            found[key.replace("_", " ").replace("spell slots level", "slots of level")] = str(value)
    return found


def _table(levels: list[dict[str, Any]]) -> list[str]:
    extra: dict[str, None] = {}
    for level in levels:
        extra.update(dict.fromkeys(_specific(level)))
    head = ["Level", "Proficiency Bonus", "Features", *(key.title() for key in extra)]
    rows = [
        [
            str(each["level"]),
            f"+{each.get('prof_bonus', '')}",
            ", ".join(names(each.get("features"))) or "—",
        ]
        + [_specific(each).get(key, "—") for key in extra]
        for each in levels
    ]
    return [
        f"| {' | '.join(head)} |",
        f"|{'---|' * len(head)}",
        *(f"| {' | '.join(row)} |" for row in rows),
    ]


def _level_text(name: str, level: dict[str, Any]) -> str:
    gained = ", ".join(names(level.get("features"))) or "no new feature"
    more = "; ".join(f"{key} {value}" for key, value in _specific(level).items())
    bonus = f"proficiency bonus +{level['prof_bonus']}; " if "prof_bonus" in level else ""
    return f"{name} level {level['level']}: {bonus}features: {gained}{f'; {more}' if more else ''}."


def _subclass(
    row: dict[str, Any], levels: list[dict[str, Any]], features: dict[str, dict[str, Any]]
) -> RuleEntry:
    name, owner = str(row["name"]), str(row["class"]["name"])
    flavor = str(row.get("subclass_flavor") or "")
    lines = [f"*{flavor or 'Subclass'} of the {owner}*", "", prose(row.get("desc"))]
    mine = sorted(
        (each for each in levels if each.get("subclass", {}).get("index") == row["index"]),
        key=lambda each: int(each["level"]),
    )
    for level in mine:
        for ref in level.get("features") or []:
            feature = features.get(str(ref["index"]))
            if feature:
                lines += [
                    "",
                    f"## {ref['name']} (level {level['level']})",
                    "",
                    prose(feature.get("desc")),
                ]
    spells = [
        f"- {' and '.join(p['name'] for p in each.get('prerequisites') or [])}: {each['spell']['name']}"
        for each in row.get("spells") or []
        if isinstance(each, dict) and each.get("spell")
    ]
    if spells:
        lines += ["", "## Spells", "", *spells]
    patterns = {
        "Martial Archetype": "{}", "Primal Path": "Path of the {}", "Bard College": "College of {}",
        "Divine Domain": "{} Domain", "Druid Circle": "Circle of the {}", "Monastic Tradition": "Way of the {}",
        "Sacred Oath": "Oath of {}", "Ranger Archetype": "{}", "Roguish Archetype": "{}",
        "Sorcerous Origin": "{} Bloodline", "Otherworldly Patron": "The {}", "Arcane Tradition": "School of {}",
    }  # fmt: skip
    alias = patterns.get(flavor, "{}").format(name)
    return RuleEntry(
        "subclass",
        alias,
        "\n".join(lines),
        aliases=list(dict.fromkeys(a for a in (name, f"{name} {owner}") if a != alias)),
        tags=["subclass", owner.lower()],
        data=kept(
            **{
                "class": owner.lower(),
                "levels": {str(each["level"]): names(each.get("features")) for each in mine},
            }
        ),
    )


def _features(rows: list[dict[str, Any]]) -> list[RuleEntry]:
    """Features by name and class; one that comes again at higher levels is one entry with its
    levels."""
    found: dict[tuple[str, str, str], RuleEntry] = {}
    for row in rows:
        owner, sub = str(row["class"]["name"]), str((row.get("subclass") or {}).get("name", ""))
        key = (str(row["name"]).partition(" (")[0], owner, sub)
        text = prose(row.get("desc"))
        if key in found:
            known = found[key]
            known.data["levels"].append(row["level"])
            if text and text not in known.body:
                known.body += f"\n\n## At level {row['level']}\n\n{text}"
            continue
        head = f"*{sub or owner} feature, level {row['level']}*"
        found[key] = RuleEntry(
            "feature",
            key[0],
            f"{head}\n\n{text}",
            aliases=[f"{owner} {key[0]}"],
            tags=["feature", owner.lower(), *([sub.lower()] if sub else [])],
            data=kept(
                **{
                    "class": owner.lower(),
                    "subclass": sub.lower(),
                    "level": row["level"],
                    "levels": [row["level"]],
                }
            ),
        )
    return list(found.values())


def race(row: dict[str, Any]) -> RuleEntry:
    """A race or subrace with what it gives."""
    made = plain(row, "race")
    rises = ", ".join(
        f"{b['ability_score']['name']} +{b['bonus']}" for b in row.get("ability_bonuses") or []
    )
    lines = [
        made.body,
        f"**Ability scores:** {rises}" if rises else "",
        f"**Speed:** {row['speed']} ft." if row.get("speed") else "",
        f"**Size:** {row.get('size_description') or row.get('size') or ''}"
        if row.get("size")
        else "",
        f"**Age:** {row['age']}" if row.get("age") else "",
        f"**Alignment:** {row['alignment']}" if row.get("alignment") else "",
        f"**Languages:** {row.get('language_desc') or ', '.join(names(row.get('languages')))}"
        if row.get("languages")
        else "",
        f"**Traits:** {', '.join(names(row.get('traits') or row.get('racial_traits')))}",
        f"**Subraces:** {', '.join(names(row.get('subraces')))}" if row.get("subraces") else "",
    ]
    made.body = "\n\n".join(line for line in lines if line)
    made.data = kept(speed=row.get("speed"), size=str(row.get("size", "")).lower())
    return made


def background(row: dict[str, Any]) -> RuleEntry:
    """A background with its feature."""
    made = plain(row, "background")
    trained = ", ".join(n.removeprefix("Skill: ") for n in names(row.get("starting_proficiencies")))
    feature = row.get("feature") or {}
    made.body = f"**Proficiencies:** {trained}"
    if feature:
        made.body += f"\n\n## {feature.get('name')}\n\n{prose(feature.get('desc'))}"
    return made
