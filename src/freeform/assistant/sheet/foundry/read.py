"""Reads a Foundry dnd5e actor. Scores are stored whole there; training is traced back to what
granted it."""

from typing import Any

from freeform.assistant.sheet.foundry.codes import ARMOR_WORDS, SIZES, SKILL_OF, TOOLS, WEAPON_WORDS
from freeform.assistant.sheet.foundry.effects import read_effects, system_of
from freeform.assistant.sheet.foundry.formula import reckon, references, scale_dice
from freeform.assistant.sheet.foundry.things import read_features, read_items, read_spells
from freeform.assistant.sheet.given import mapping, number, rows, text, whole, whole_or_none, words
from freeform.assistant.sheet.html import plain
from freeform.assistant.sheet.model import (
    ABILITIES,
    AbilitiesInfo,
    AbilityScore,
    Caster,
    CharacterBasics,
    CheckedNumber,
    ClassLevel,
    CombatInfo,
    Feature,
    HitPoints,
    InventoryInfo,
    Kind,
    MagicInfo,
    ProgressInfo,
    Sheet,
    SheetEffect,
    StoryInfo,
    Uses,
)
from freeform.assistant.sheet.numbers.derive import complete
from freeform.assistant.sheet.numbers.tables import LANGUAGE_WORDS
from freeform.assistant.sheet.prose import sections_in

APPEARANCE = ("age", "eyes", "hair", "skin", "height", "weight", "gender", "faith")
CASTERS: dict[str, Caster] = {
    "full": "full",
    "half": "half",
    "third": "third",
    "pact": "pact",
    "artificer": "half_up",
}


def is_foundry(document: Any) -> bool:
    """Whether it is an actor with abilities, of the fifth-edition system."""
    system = system_of(mapping(document))
    return isinstance(mapping(document).get("items", []), list | dict) and "str" in mapping(
        system, "abilities"
    )


def read_foundry(document: Any) -> Sheet:
    """The sheet of a character; another kind of actor is read as far as it goes."""
    actor = mapping(document)
    system, listed = system_of(actor), rows(actor.get("items"))
    by_type = {
        kind: [i for i in listed if i.get("type") == kind]
        for kind in ("class", "subclass", "race", "background")
    }
    known = references(actor)
    features, feats, actions = read_features(listed, known, scale_dice(actor, known))
    basics = _basics(actor, system, by_type)
    traits = mapping(system, "traits")
    sheet = Sheet(
        edition="2024" if _newer(listed, system) else "2014",
        character_basics=basics,
        combat_info=CombatInfo(
            hp=_hit_points(system, by_type["class"]),
            death_saves={
                k: whole(mapping(system, "attributes", "death").get(k))
                for k in ("success", "failure")
            },
            exhaustion=whole(mapping(system, "attributes").get("exhaustion")),
            conditions=sorted(text(c).title() for c in words(actor.get("statuses"))),
            defenses=_defenses(traits),
            actions=actions,
        ),
        abilities_info=AbilitiesInfo(
            tools=_tools(system, listed),
            languages=_named(traits, "languages", LANGUAGE_WORDS),
            armor=_named(traits, "armorProf", ARMOR_WORDS),
            weapons=_named(traits, "weaponProf", WEAPON_WORDS),
            senses=_senses(system, by_type["race"]),
            features=features,
            feats=feats,
        ),
        inventory_info=InventoryInfo(
            items=read_items(listed),
            currency={
                k: whole(mapping(system, "currency").get(k)) for k in ("pp", "gp", "ep", "sp", "cp")
            },
            attunement=Uses(max=whole(mapping(system, "attributes", "attunement").get("max"), 3)),
        ),
        magic_info=MagicInfo(spells=read_spells(listed)),
        story_info=_story(system, by_type["background"]),
        progress_info=ProgressInfo(
            xp=whole_or_none(mapping(system, "details", "xp").get("value")),
            levels=[f"{cls.name} {cls.level}" for cls in basics.classes],
        ),
        effects=[
            *_training(system, listed),
            *_speeds(system, by_type["race"]),
            *resolved(read_effects(actor, system), known),
        ],
        missing=_missing(actor, system, by_type),
    )
    return _spent(complete(sheet), mapping(system, "spells"))


def resolved(effects: list[SheetEffect], known: dict[str, float]) -> list[SheetEffect]:
    """Effects whose value is a formula that comes to a number, with that number; dice stay dice."""
    found = []
    for effect in effects:
        value = reckon(effect.dice, known) if effect.dice else None
        found.append(
            effect if value is None else effect.model_copy(update={"dice": "", "value": value})
        )
    return found


def _missing(
    actor: dict[str, Any], system: dict[str, Any], by_type: dict[str, list[dict[str, Any]]]
) -> list[str]:
    kind = text(actor.get("type"))
    told = []
    if kind and kind != "character":
        told.append(
            f"the actor is of the kind `{kind}`, not a character: class numbers are unknown"
        )
    if not by_type["class"]:
        told.append("the actor has no class: no level, hit dice or spell slots")
    if not mapping(system, "skills"):
        told.append("the actor has no skills: all are counted as untrained")
    if not rows(actor.get("items")):
        told.append("the actor has no items: inventory, features and spells are empty")
    return told


def _newer(listed: list[dict[str, Any]], system: dict[str, Any]) -> bool:
    rules = [
        text(mapping(system_of(i), "source").get("rules"))
        for i in listed
        if i.get("type") in ("class", "race")
    ]
    return "2024" in rules or text(mapping(system, "source").get("rules")) == "2024"


def _basics(
    actor: dict[str, Any], system: dict[str, Any], by_type: dict[str, list[dict[str, Any]]]
) -> CharacterBasics:
    details = mapping(system, "details")
    first = text(details.get("originalClass"))
    classes = [_class(item, by_type["subclass"], first) for item in by_type["class"]]
    if classes and not any(c.start for c in classes):
        classes[0] = classes[0].model_copy(update={"start": True})

    def named(kind: str) -> str:
        return next((text(i.get("name")) for i in by_type[kind]), "") or _word(details.get(kind))

    return CharacterBasics(
        name=text(actor.get("name")) or "Unnamed",
        species=named("race"),
        classes=classes,
        level=sum(c.level for c in classes) or whole(details.get("level")),
        background=named("background"),
        alignment=text(details.get("alignment")),
        size=SIZES.get(text(mapping(system, "traits").get("size")), "medium"),
        appearance={key: text(details.get(key)) for key in APPEARANCE if text(details.get(key))},
        abilities={
            ability: AbilityScore(
                base=whole(mapping(system, "abilities", ability).get("value"), 10)
            )
            for ability in ABILITIES
        },
    )


def _word(value: Any) -> str:
    """A name typed in, not the id of an item."""
    said = text(value)
    return "" if len(said) == 16 and said.isalnum() and not said.isalpha() else said


def _class(item: dict[str, Any], subclasses: list[dict[str, Any]], first: str) -> ClassLevel:
    told = system_of(item)
    name = text(item.get("name")) or "Unknown class"
    own = text(told.get("identifier")) or name.lower()
    sub = next((s for s in subclasses if text(system_of(s).get("classIdentifier")) == own), None)
    casting = mapping(told, "spellcasting")
    if sub and CASTERS.get(text(casting.get("progression"))) is None:
        casting = mapping(system_of(sub), "spellcasting")
    die = text(told.get("hitDice")) or text(mapping(told, "hd").get("denomination"))
    used = whole(told.get("hitDiceUsed")) or whole(mapping(told, "hd").get("spent"))
    return ClassLevel(
        name=name,
        subclass=text(sub.get("name")) if sub else text(told.get("subclass")),
        level=max(0, whole(told.get("levels"))),
        hit_die=whole(die.lstrip("d"), 8),
        hit_dice_used=used,
        start=bool(first) and text(item.get("_id")) == first,
        caster=CASTERS.get(text(casting.get("progression")), ""),
        ability=text(casting.get("ability")),
    )


def _hit_points(system: dict[str, Any], classes: list[dict[str, Any]]) -> HitPoints:
    hp = mapping(system, "attributes", "hp")
    rolled, known = 0, bool(classes)
    for item in classes:
        told = system_of(item)
        die = whole(
            (text(told.get("hitDice")) or text(mapping(told, "hd").get("denomination"))).lstrip(
                "d"
            ),
            8,
        )
        gained = [
            mapping(a, "value")
            for a in rows(told.get("advancement"))
            if a.get("type") == "HitPoints"
        ]
        values = gained[0] if gained else {}
        for level in range(1, whole(told.get("levels")) + 1):
            gain = values.get(str(level))
            if gain == "max":
                rolled += die
            elif gain == "avg":
                rolled += die // 2 + 1
            elif whole_or_none(gain) is not None:
                rolled += whole(gain)
            else:
                known = False
    stated = whole_or_none(hp.get("max")) or None
    current = whole(hp.get("value"))
    return HitPoints(
        override=stated,
        rolled=rolled if known and not stated else None,
        stated=None if known or stated else current,
        current=current,
        temp=whole(hp.get("temp")),
    )


def _training(system: dict[str, Any], listed: list[dict[str, Any]]) -> list[SheetEffect]:
    """Skills and saves the actor is trained in, each with what granted it where that is
    recorded."""
    granted: dict[str, str] = {}
    for item in listed:
        for step in rows(system_of(item).get("advancement")):
            for key in words(mapping(step, "value").get("chosen")):
                granted.setdefault(key, text(item.get("name")))
    kinds: dict[float, Kind] = {0.5: "half", 1.0: "proficiency", 2.0: "expertise"}
    found = []
    for code, skill in SKILL_OF.items():
        row = mapping(system, "skills", code)
        if (kind := kinds.get(number(row.get("value")))) is not None:
            source = granted.get(f"skills:{code}", "sheet")
            found.append(SheetEffect(target=f"skill:{skill}", kind=kind, source=source))
        ability = text(row.get("ability"))
        if ability in ABILITIES:
            found.append(
                SheetEffect(
                    target=f"skill:{skill}:ability", kind="set", ability=ability, source="sheet"
                )
            )
    for ability in ABILITIES:
        if number(mapping(system, "abilities", ability).get("proficient")) >= 1:
            source = granted.get(f"saves:{ability}", "sheet")
            found.append(SheetEffect(target=f"save:{ability}", kind="proficiency", source=source))
    return found


def _tools(system: dict[str, Any], listed: list[dict[str, Any]]) -> dict[str, CheckedNumber]:
    found: dict[str, CheckedNumber] = {}
    for code, row in mapping(system, "tools").items():
        rank = number(mapping(row).get("value"))
        if rank:
            found[TOOLS.get(code, code.title())] = CheckedNumber(
                rank=rank, ability=text(mapping(row).get("ability"))
            )
    for item in listed:
        told = system_of(item)
        if item.get("type") == "tool" and number(told.get("proficient")) >= 1:
            name = text(item.get("name"))
            found.setdefault(
                name,
                CheckedNumber(
                    rank=number(told.get("proficient")), ability=text(told.get("ability"))
                ),
            )
    return {
        name: tool if tool.ability in ABILITIES else tool.model_copy(update={"ability": ""})
        for name, tool in found.items()
    }


def _speeds(system: dict[str, Any], races: list[dict[str, Any]]) -> list[SheetEffect]:
    found: dict[str, SheetEffect] = {}
    places = [(system_of(race), text(race.get("name"))) for race in races]
    for told, source in [*((mapping(t, "movement"), s) for t, s in places),
                         (mapping(system, "attributes", "movement"), "sheet")]:  # fmt: skip
        for way in ("walk", "fly", "swim", "climb", "burrow"):
            if feet := whole(told.get(way)):
                found[way] = SheetEffect(
                    target=f"speed:{way}", kind="set", value=feet, source=source
                )
    return list(found.values())


def _senses(system: dict[str, Any], races: list[dict[str, Any]]) -> dict[str, str]:
    found: dict[str, int] = {}
    for told in (
        *(mapping(system_of(r), "senses") for r in races),
        mapping(system, "attributes", "senses"),
    ):
        ranges = mapping(told, "ranges") or told
        for sense in ("darkvision", "blindsight", "tremorsense", "truesight"):
            found[sense] = max(found.get(sense, 0), whole(ranges.get(sense)))
    return {sense: f"{feet} ft." for sense, feet in found.items() if feet}


def _named(traits: dict[str, Any], key: str, known: dict[str, str]) -> list[str]:
    told = mapping(traits, key)
    custom = [part.strip() for part in text(told.get("custom")).split(";") if part.strip()]
    return [
        *(known.get(code, code.replace("-", " ").title()) for code in words(told.get("value"))),
        *custom,
    ]


def _defenses(traits: dict[str, Any]) -> dict[str, list[str]]:
    pairs = (("resist", "dr"), ("immune", "di"), ("vuln", "dv"), ("conditions", "ci"))
    found = {name: _named(traits, key, {}) for name, key in pairs}
    return {name: listed for name, listed in found.items() if listed}


def _story(system: dict[str, Any], backgrounds: list[dict[str, Any]]) -> StoryInfo:
    details = mapping(system, "details")
    first = backgrounds[0] if backgrounds else {}
    desc = plain(mapping(system_of(first), "description").get("value"))
    return StoryInfo(
        background_feature=Feature(name=text(first.get("name")), origin="background", desc=desc)
        if desc
        else None,
        traits=plain(details.get("trait")),
        ideals=plain(details.get("ideal")),
        bonds=plain(details.get("bond")),
        flaws=plain(details.get("flaw")),
        appearance=plain(details.get("appearance")),
        backstory=sections_in(plain(mapping(details, "biography").get("value"))),
    )


def _spent(sheet: Sheet, spells: dict[str, Any]) -> Sheet:
    """Foundry keeps what is left of each kind of slot; we keep what is used."""
    magic = sheet.magic_info
    slots = {}
    for level, uses in magic.slots.items():
        left = whole_or_none(mapping(spells, f"spell{level}").get("value"))
        slots[level] = (
            uses if left is None else uses.model_copy(update={"used": max(0, uses.max - left)})
        )
    pact = magic.pact
    left = whole_or_none(mapping(spells, "pact").get("value"))
    if pact and left is not None:
        pact = pact.model_copy(update={"used": max(0, pact.max - left)})
    return sheet.model_copy(
        update={"magic_info": magic.model_copy(update={"slots": slots, "pact": pact})}
    )
