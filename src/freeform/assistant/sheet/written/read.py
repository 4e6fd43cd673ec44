"""READ THIS FIRST. A sheet that someone wrote, in Markdown or plain text, becomes a Sheet.

    page ── outline: parts, tables, labels ──┬─ figures: scores, hit points, skills, classes
                                             ├─ things: attacks, features, belongings, money
                                             ├─ magic: spells and slots
                                             └─ the rest: story, kept under its headings
Without fifth-edition scores it is a sheet of words: its labels with numbers are its numbers.
"""

import re
from collections.abc import Sequence

from freeform.assistant.model import Number
from freeform.assistant.sheet.model import (
    AbilitiesInfo,
    AbilityScore,
    CharacterBasics,
    CheckedNumber,
    CombatInfo,
    Feature,
    HitPoints,
    InventoryInfo,
    Item,
    ProgressInfo,
    Sheet,
    SheetAction,
    SheetEffect,
    StoryInfo,
)
from freeform.assistant.sheet.numbers.tables import modifier
from freeform.assistant.sheet.written import figures, magic, things
from freeform.assistant.sheet.written.beside import as_labels
from freeform.assistant.sheet.written.classes import classes_of, known_class, with_spent_dice
from freeform.assistant.sheet.written.gear import things_of_rows
from freeform.assistant.sheet.written.outline import (
    WrittenPart,
    bare_line,
    part_kind,
    parts_of,
    plain,
)

ENOUGH = 4
"""Of the six scores, so many make it a sheet of the fifth edition."""
FEWEST = 3
"""Numbers that stand beside their names on the shortest sheet."""
_STORY_LABELS = {
    "traits": ("personality traits", "personality trait", "personality", "traits", "trait"),
    "ideals": ("ideals", "ideal"),
    "bonds": ("bonds", "bond"),
    "flaws": ("flaws", "flaw"),
    "appearance": ("appearance", "looks", "look"),
}
_LOOKS = ("age", "height", "weight", "eyes", "hair", "skin", "gender", "pronouns", "faith", "deity")
_ALIGNMENT = re.compile(
    r"\b((?:lawful|neutral|chaotic)\s+(?:good|neutral|evil)|true neutral)\b", re.I
)
_LISTED = re.compile(r",\s*|;\s*")


def is_written_character(text: str) -> bool:
    """Whether a page is surely someone's character: most scores, a class with its level, and hit
    points or an Armor Class."""
    parts = parts_of(text)
    labels = figures.labels_on(parts)
    known = figures.scores_of(parts, text)
    fights = figures.hit_points_of(labels) or labels.number("ac", "armor class") is not None
    return len(known) >= ENOUGH and bool(fights and classes_of(labels, _head(parts)))


MOST_WRITTEN = 150_000
"""Letters. Every line is read several times: a whole book would take minutes, and is no sheet."""


def is_written_sheet(text: str) -> bool:
    """Whether a page may be read as a sheet when it is given as one: it has the scores, or some
    numbers with labels, and is no longer than people write them."""
    if len(text) > MOST_WRITTEN:
        return False
    parts = parts_of(text)
    if len(figures.scores_of(parts, text)) >= ENOUGH:
        return True
    return len(_numbers(figures.labels_on(parts))) >= FEWEST


def read_written(text: str, file: str) -> Sheet:
    """The sheet. What fits nowhere is kept as story under its heading."""
    parts = parts_of(text)
    labels = figures.labels_on(parts)
    scores = figures.scores_of(parts, text)
    fifth = len(scores) >= ENOUGH
    classes = with_spent_dice(classes_of(labels, _head(parts)), labels)
    level = sum(cls.level for cls in classes)
    bonus = figures.proficiency_of(labels, level)
    weapons, effects = things.attacks_of(parts, scores, bonus)
    features, actions = _features(parts)
    basics = CharacterBasics(
        name=labels.first("name", "character name", "character") or _unshouted(_title(parts, file)),
        player=labels.first("player", "player name"),
        species=labels.first("race", "species", "ancestry", "heritage") or _species(_head(parts)),
        classes=classes,
        background=labels.first("background"),
        alignment=_alignment(labels, _head(parts)),
        appearance={key: value for key in _LOOKS if (value := labels.first(key))},
        abilities={short: AbilityScore(base=score) for short, score in scores.items()},
    )
    sheet = Sheet(
        system="dnd5e" if fifth else "words",
        character_basics=basics,
        combat_info=CombatInfo(
            hp=_hit_points(labels, fifth),
            defenses=_defenses(labels),
            conditions=_list(labels.first("conditions", "condition")),
            actions=actions,
        ),
        abilities_info=_training(labels, features),
        inventory_info=InventoryInfo(
            items=_without_twins([*weapons, *_belongings(parts)]), currency=things.money_of(parts)
        ),
        magic_info=magic.magic_of(parts),
        story_info=_story(parts, labels),
        progress_info=ProgressInfo(xp=_counted(labels, "xp", "experience", "experience points")),
        missing=_missing(fifth, len(scores), bool(classes)),
        page=text,
    )
    if not fifth:
        return sheet.model_copy(update={"derived": _numbers(labels)})
    dex = modifier(scores.get("dex", 10))
    stated = [
        *figures.headline_effects(labels, dex, bonus, level),
        *figures.checks_of(text, figures.saves_said(parts, labels), scores, bonus, labels),
        *_casting(labels, bonus, scores, sheet),
    ]
    return sheet.model_copy(update={"effects": [*effects, *stated]})


def _counted(labels: figures.SheetLabels, *names: str) -> int | None:
    """A number that begins what is said; `milestone (level 5 since May)` has none."""
    return labels.number(*names) if labels.first(*names)[:1].isdigit() else None


def _hit_points(labels: figures.SheetLabels, fifth: bool) -> HitPoints:
    """As they are stated; those of a sheet of words are counted by nobody else."""
    told = figures.hit_points_of(labels) or HitPoints()
    if fifth or told.override is None:
        return told
    left = told.override - (told.removed or 0)
    return told.model_copy(update={"max": told.override, "current": left})


def _title(parts: Sequence[WrittenPart], file: str) -> str:
    """The first heading, else the first line, else the file's name."""
    for part in parts:
        if part.heading and not part_kind(part.heading):
            return re.split(r"\s+[–—|-]\s+|,\s", part.heading)[0].strip()
        lines = [line for line in part.lines if line.strip()]
        if lines and len(lines[0].split()) <= 6:
            return re.split(r"\s+[–—|-]\s+|,\s|\s{3,}", bare_line(lines[0]))[0].strip()
    return file.rpartition("/")[2].rpartition(".")[0] or "Character"


def _unshouted(name: str) -> str:
    return name.title() if name.isupper() else name


def _head(parts: Sequence[WrittenPart]) -> str:
    """The lines before the first heading that tells of something, where people say who it is."""
    said = list[str]()
    for part in parts[:3]:
        if part_kind(part.heading):
            break
        said += [part.heading, *(bare_line(line) for line in part.lines)]
    return "\n".join(said)


def _species(head: str) -> str:
    """The word before a class: `Goliath Barbarian 7`."""
    known = known_class(head)
    hit = re.search(rf"([A-Z][\w'-]+(?:[ -][A-Z][\w'-]+)?)\s+{known}\b", head) if known else None
    return hit[1] if hit and not hit[1].lower().startswith("level") else ""


def _alignment(labels: figures.SheetLabels, head: str) -> str:
    hit = _ALIGNMENT.search(head)
    return labels.first("alignment") or (hit[1] if hit else "")


def _list(said: str) -> list[str]:
    return [each.strip(" .") for each in _LISTED.split(said) if each.strip(" .")]


def _defenses(labels: figures.SheetLabels) -> dict[str, list[str]]:
    told = {
        "resist": labels.first("resistances", "resistance", "damage resistances", "resist"),
        "immune": labels.first("immunities", "immunity", "damage immunities", "immune"),
        "vuln": labels.first("vulnerabilities", "vulnerability", "damage vulnerabilities"),
    }
    return {key: _list(value) for key, value in told.items() if value}


def _training(labels: figures.SheetLabels, features: list[Feature]) -> AbilitiesInfo:
    tools = _list(labels.first("tools", "tool proficiencies", "tool proficiency"))
    sense = labels.first("darkvision", "senses")
    seen = {"darkvision": sense} if labels.first("darkvision") else {}
    if sense and not seen:
        hit = re.search(r"darkvision\s*(\d+[^,;]*)", sense, re.I)
        seen = {"darkvision": hit[1].strip()} if hit else {}
    return AbilitiesInfo(
        languages=_list(labels.first("languages", "language")),
        armor=_list(labels.first("armor proficiencies", "armor training", "armor proficiency")),
        weapons=_list(
            labels.first("weapon proficiencies", "weapon training", "weapon proficiency")
        ),
        tools={name: CheckedNumber() for name in tools},
        senses=seen,
        features=[each for each in features if each.origin != "feat"],
        feats=[each for each in features if each.origin == "feat"],
    )


def _features(parts: Sequence[WrittenPart]) -> tuple[list[Feature], list[SheetAction]]:
    features, actions = list[Feature](), list[SheetAction]()
    for part in parts:
        if part_kind(part.heading) != "feature":
            continue
        feats = bool(re.match(r"feats?\b", part.heading, re.I))
        for feature, action in things.features_of(part):
            features.append(feature.model_copy(update={"origin": "feat"}) if feats else feature)
            if action:
                actions.append(action)
    return features, actions


def _belongings(parts: Sequence[WrittenPart]) -> list[Item]:
    found = list[Item]()
    for part in parts:
        if part_kind(part.heading) != "gear":
            continue
        found += things_of_rows([row for row in part.rows if not _is_number(row)])
        found += things.belongings_of(part)
    return found


def _is_number(row: dict[str, str]) -> bool:
    return all(re.fullmatch(r"[\d+/. -]*", cell) for cell in row.values())


def _without_twins(items: Sequence[Item]) -> list[Item]:
    """A weapon that stands among the attacks and in the bags is one thing."""
    made: dict[str, Item] = {}
    kept: dict[str, int] = {}
    for item in items:
        key = re.sub(r"\s*\+\d$|s$", "", item.name.lower())
        had = made.get(key)
        if had is None:
            made[key] = item
        elif had.weapon:
            kept[key] = kept.get(key, 0) + item.qty
            update = {
                "qty": max(kept[key], had.qty),
                "container": item.container,
                "attuned": item.attuned,
                "attunable": item.attunable,
            }
            made[key] = had.model_copy(update=update)
        else:
            made[f"{key}#{len(made)}"] = item
    return list(made.values())


def _story(parts: Sequence[WrittenPart], labels: figures.SheetLabels) -> StoryInfo:
    """What is told under headings that list nothing, and what stands nowhere else."""
    told: dict[str, str] = {}
    for part in parts:
        if part_kind(part.heading) in ("fight", "gear", "magic", "feature"):
            continue
        lines = [plain(line) for line in part.lines if line.strip()]
        text = "\n".join(lines).strip()
        if text:
            told[part.heading] = f"{told[part.heading]}\n{text}" if part.heading in told else text
    fields = {key: labels.first(*names) for key, names in _STORY_LABELS.items()}
    return StoryInfo.model_validate({"backstory": told, **fields})


def _casting(
    labels: figures.SheetLabels, bonus: int, scores: dict[str, int], sheet: Sheet
) -> list[SheetEffect]:
    """What the stated spell save DC has beyond what class and ability give."""
    stated = labels.number("spell save dc", "spell dc", "save dc", "spellcasting dc")
    ability = labels.first("spellcasting ability", "casting ability").lower()[:3]
    if stated is None or ability not in scores:
        return []
    beyond = stated - 8 - bonus - modifier(scores[ability])
    return [SheetEffect(target="dc", value=beyond, source="sheet")] if beyond else []


def _numbers(labels: figures.SheetLabels) -> dict[str, Number]:
    """Every label whose value begins with a number, and every number beside words that is not
    among them."""
    found: dict[str, Number] = {}
    beside = [each for each in labels.beside if part_kind(each.heading) != "gear"]
    told = list(as_labels(beside))
    pools = {each.label: each.value for each in reversed(told) if "/" in each.value}
    for each in [*labels.labels, *told]:
        hit = re.match(r"[+\-]?\d[\d,]*(?:\s*/\s*\d+)?", each.value)
        if figures.is_called(each.label, figures.HIT_POINTS):
            continue  # They are told with what is left of them.
        if hit and each.label.lower() not in found and len(each.label) > 1:
            said = pools.get(each.label.lower(), hit[0]).replace(" ", "")
            value = said if "/" in said else int(said.replace(",", ""))
            found[each.label.lower()] = Number(label=each.label.capitalize(), value=value)
    return found


def _missing(fifth: bool, scores: int, classes: bool) -> list[str]:
    made = ["a written sheet states its numbers; what it leaves out is not known"]
    if not fifth:
        made.append("no six ability scores were found: its labels are taken as they stand")
    elif scores < 6:
        made.append("some ability scores were not found and count as 10")
    if fifth and not classes:
        made.append("no class with a level was found: write `Class: Ranger 5`")
    return made
