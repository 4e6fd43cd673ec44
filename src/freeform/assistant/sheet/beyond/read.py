"""Reads a D&D Beyond character: what the site stores, which is causes; the numbers are computed
afterwards."""

from typing import Any

from freeform.assistant.sheet.beyond.ids import (
    ABILITY_OF,
    ALIGNMENTS,
    CONDITIONS,
    EXHAUSTION,
    NEWER_BOOKS,
    SIZES,
)
from freeform.assistant.sheet.beyond.modifiers import read_modifiers
from freeform.assistant.sheet.beyond.things import read_actions, read_items, read_spells
from freeform.assistant.sheet.given import mapping, rows, text, whole, whole_or_none
from freeform.assistant.sheet.html import plain
from freeform.assistant.sheet.model import (
    AbilitiesInfo,
    AbilityScore,
    CharacterBasics,
    CheckedNumber,
    ClassLevel,
    CombatInfo,
    Feature,
    HitPoints,
    InventoryInfo,
    MagicInfo,
    Objective,
    Pact,
    ProgressInfo,
    Sheet,
    SheetEffect,
    SocialInfo,
    StoryInfo,
    Uses,
)
from freeform.assistant.sheet.numbers.tables import modifier
from freeform.assistant.sheet.prose import people_in, sections_in

APPEARANCE = ("age", "eyes", "hair", "skin", "height", "weight", "gender", "faith", "pronouns")


def is_beyond(document: Any) -> bool:
    """Whether it is such a character, in the site's envelope or out of it."""
    data = inner(document)
    marks = (
        "stats",
        "modifiers",
        "classes",
        "race",
        "baseHitPoints",
        "characterValues",
        "inventory",
    )
    return sum(key in data for key in marks) >= 3 and isinstance(data.get("name"), str | None)


def inner(document: Any) -> dict[str, Any]:
    """The character inside `{success, data}`."""
    data = mapping(document, "data")
    return data if data else mapping(document)


def read_beyond(document: Any) -> Sheet:
    """The sheet. What the file lacks is named in `missing`."""
    data = inner(document)
    missing = _missing(data)
    trained = read_modifiers(data)
    basics = _basics(data, trained.size)
    mods = {
        ability: modifier(
            score.base + sum(e.value for e in trained.effects if e.target == f"score:{ability}")
        )
        for ability, score in basics.abilities.items()
    }
    return Sheet(
        edition="2024" if _is_newer(data) else "2014",
        character_basics=basics,
        combat_info=_combat(data, basics.level, mods, trained.defenses),
        abilities_info=AbilitiesInfo(
            tools={name: CheckedNumber(rank=rank) for name, rank in trained.tools.items()},
            languages=trained.languages,
            armor=trained.armor,
            weapons=trained.weapons,
            senses={**trained.senses, **_custom_senses(data)},
            features=_features(data),
            feats=[_feature(row, "feat") for row in rows(data.get("feats"))],
        ),
        inventory_info=InventoryInfo(
            items=read_items(data),
            currency={
                k: whole(mapping(data, "currencies").get(k)) for k in ("pp", "gp", "ep", "sp", "cp")
            },
        ),
        magic_info=_magic(data),
        story_info=_story(data),
        social_info=_social(data),
        progress_info=_progress(data, basics),
        effects=[*trained.effects, *_speeds(data)],
        missing=missing,
    )


def _missing(data: dict[str, Any]) -> list[str]:
    told = {
        "stats": "ability scores (`stats`): counted as 10",
        "modifiers": "modifiers: proficiencies and bonuses are unknown",
        "classes": "classes: no level, hit dice or spell slots",
        "race": "the species: speed is unknown",
        "inventory": "the inventory",
        "baseHitPoints": "hit points",
        "background": "the background",
        "notes": "notes: allies, enemies and backstory",
    }
    return [
        f"the export has no {text}" for key, text in told.items() if data.get(key) in (None, [], {})
    ]


def _is_newer(data: dict[str, Any]) -> bool:
    books = {
        whole(source.get("sourceId"))
        for cls in rows(data.get("classes"))
        for source in rows(mapping(cls, "definition").get("sources"))
    }
    return bool(books & NEWER_BOOKS)


def _basics(data: dict[str, Any], size: str) -> CharacterBasics:
    race = mapping(data, "race")
    classes = [
        ClassLevel(
            name=text(mapping(cls, "definition").get("name")) or "Unknown class",
            subclass=text(mapping(cls, "subclassDefinition").get("name")),
            level=max(0, whole(cls.get("level"))),
            hit_die=whole(mapping(cls, "definition").get("hitDice"), 8),
            hit_dice_used=whole(cls.get("hitDiceUsed")),
            start=bool(cls.get("isStartingClass")),
        )
        for cls in rows(data.get("classes"))
    ]
    override = {
        whole(r.get("id")): whole_or_none(r.get("value")) for r in rows(data.get("overrideStats"))
    }
    stats = {whole(r.get("id")): whole(r.get("value"), 10) for r in rows(data.get("stats"))}
    background = mapping(data, "background")
    custom = mapping(background, "customBackground")
    return CharacterBasics(
        name=text(data.get("name")) or "Unnamed",
        player=text(data.get("username")),
        species=text(race.get("fullName")),
        lineage=text(race.get("subRaceShortName")),
        classes=classes,
        level=sum(cls.level for cls in classes),
        background=text(mapping(background, "definition").get("name")) or text(custom.get("name")),
        alignment=ALIGNMENTS.get(whole(data.get("alignmentId")), ""),
        size=size
        or text(race.get("size")).lower()
        or SIZES.get(whole(race.get("sizeId")), "medium"),
        appearance={key: text(data.get(key)) for key in APPEARANCE if text(data.get(key))},
        abilities={
            ability: AbilityScore(base=stats.get(id, 10), override=override.get(id) or None)
            for id, ability in ABILITY_OF.items()
        },
    )


def _speeds(data: dict[str, Any]) -> list[SheetEffect]:
    species = text(mapping(data, "race").get("fullName")) or "species"
    normal = mapping(data, "race", "weightSpeeds", "normal")
    return [
        SheetEffect(target=f"speed:{way}", kind="set", value=whole(feet), source=species)
        for way, feet in normal.items()
        if whole(feet) and way in ("walk", "fly", "swim", "climb", "burrow")
    ]


def _combat(
    data: dict[str, Any], level: int, mods: dict[str, int], defenses: dict[str, list[str]]
) -> CombatInfo:
    conditions = {
        whole(row.get("id")): whole(row.get("level")) for row in rows(data.get("conditions"))
    }
    deaths = mapping(data, "deathSaves")
    rolled = whole_or_none(data.get("baseHitPoints"))
    return CombatInfo(
        hp=HitPoints(
            rolled=rolled,
            override=whole_or_none(data.get("overrideHitPoints")) or None,
            removed=whole(data.get("removedHitPoints")),
            temp=whole(data.get("temporaryHitPoints")),
        ),
        death_saves={
            "success": whole(deaths.get("successCount")),
            "failure": whole(deaths.get("failCount")),
        },
        conditions=[
            CONDITIONS[id] for id in sorted(conditions) if id in CONDITIONS and id != EXHAUSTION
        ],
        exhaustion=conditions.get(EXHAUSTION, 0),
        defenses=defenses,
        actions=read_actions(data, level, mods),
    )


def _features(data: dict[str, Any]) -> list[Feature]:
    species = text(mapping(data, "race").get("fullName")) or "species"
    found = [_feature(row, species) for row in rows(mapping(data, "race").get("racialTraits"))]
    for cls in rows(data.get("classes")):
        label, level = text(mapping(cls, "definition").get("name")), whole(cls.get("level"))
        found += [
            feature
            for row in rows(cls.get("classFeatures"))
            if (feature := _feature(row, label)).level <= level
            and not mapping(row, "definition").get("hideInSheet")
        ]
    for group, options in mapping(data, "options").items():
        found += [_feature(row, group) for row in rows(options)]
    unique: dict[tuple[str, str, int], Feature] = {
        (f.name, f.origin, f.level): f for f in found if f.name
    }
    return list(unique.values())


def _feature(row: dict[str, Any], origin: str) -> Feature:
    told = mapping(row, "definition")
    return Feature(
        name=text(told.get("name")),
        origin=origin,
        level=whole(told.get("requiredLevel")),
        desc=plain(told.get("description")) or plain(told.get("snippet")),
    )


def _custom_senses(data: dict[str, Any]) -> dict[str, str]:
    names = {1: "blindsight", 2: "darkvision", 3: "tremorsense", 4: "truesight"}
    listed = rows(data.get("customSenses"))
    return {
        names[whole(row.get("senseId"))]: f"{whole(row.get('distance'))} ft."
        for row in listed
        if whole(row.get("senseId")) in names and whole(row.get("distance"))
    }


def _magic(data: dict[str, Any]) -> MagicInfo:
    used = {
        str(whole(row.get("level"))): whole(row.get("used")) for row in rows(data.get("spellSlots"))
    }
    pact = sum(whole(row.get("used")) for row in rows(data.get("pactMagic")))
    return MagicInfo(
        slots={level: Uses(used=count) for level, count in used.items() if count},
        pact=Pact(used=pact) if pact else None,
        spells=read_spells(data),
    )


def _story(data: dict[str, Any]) -> StoryInfo:
    traits, notes = mapping(data, "traits"), mapping(data, "notes")
    told = mapping(data, "background", "definition")
    named = text(told.get("featureName"))
    feature = Feature(name=named, origin="background", desc=plain(told.get("featureDescription")))
    story = sections_in(plain(notes.get("backstory")))
    for heading, key in (("Possessions", "personalPossessions"), ("Holdings", "otherHoldings")):
        if said := plain(notes.get(key)):
            story[heading] = said
    return StoryInfo(
        background_feature=feature if named else None,
        traits=plain(traits.get("personalityTraits")),
        ideals=plain(traits.get("ideals")),
        bonds=plain(traits.get("bonds")),
        flaws=plain(traits.get("flaws")),
        appearance=plain(traits.get("appearance")),
        backstory=story,
    )


def _social(data: dict[str, Any]) -> SocialInfo:
    notes = mapping(data, "notes")
    return SocialInfo(
        allies=people_in(plain(notes.get("allies")), "ally"),
        enemies=people_in(plain(notes.get("enemies")), "enemy"),
        organizations=people_in(plain(notes.get("organizations")), "organization"),
    )


def _progress(data: dict[str, Any], basics: CharacterBasics) -> ProgressInfo:
    notes = plain(mapping(data, "notes").get("otherNotes"))
    lines = [line.strip(" -*") for line in notes.split("\n")]
    contracts = [
        Objective(text=line[3:].strip(), state="done" if line.startswith("[x]") else "open")
        for line in lines
        if line.lower().startswith(("[ ]", "[x]"))
    ]
    return ProgressInfo(
        xp=whole_or_none(data.get("currentXp")),
        levels=[f"{cls.name} {cls.level}" for cls in basics.classes],
        objectives=contracts,
        notes="\n".join(
            line
            for line in notes.split("\n")
            if not line.strip(" -*").lower().startswith(("[ ]", "[x]"))
        ).strip(),
    )
