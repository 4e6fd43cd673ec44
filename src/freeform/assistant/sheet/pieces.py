"""A sheet as pieces one can quote: one for each skill, thing, spell, feature and story, as the
sheet reads aloud."""

from collections.abc import Iterator

from freeform.assistant.model import Number, Piece, SourceFact, SourcePlace
from freeform.assistant.sheet.model import Item, Sheet, Spell, Uses
from freeform.assistant.sheet.numbers.tables import ABILITY_NAMES, XP, skill_name
from freeform.assistant.sheet.written.outline import stretches
from freeform.core.text import slug


def pieces_of(sheet: Sheet) -> list[Piece]:
    """Everything on it, in the order of a printed sheet."""
    found = [
        p
        for part in (_identity, _combat, _training, _features, _inventory, _magic, _story)
        for p in part(sheet)
    ]
    unique: dict[str, Piece] = {}
    for piece in found:
        id, n = piece.id, 1
        while id in unique:
            n += 1
            id = f"{piece.id}_{n}"
        unique[id] = piece if id == piece.id else piece.model_copy(update={"id": id})
    return list(unique.values())


def experience(sheet: Sheet) -> str:
    """The experience points, with what is lacking to the next level."""
    have, level = sheet.progress_info.xp or 0, sheet.character_basics.level
    told = f"{have} experience points"
    if sheet.system != "dnd5e" or not 0 < level < len(XP) or have >= XP[level]:
        return told
    return f"{told}, {XP[level] - have} more to level {level + 1} at {XP[level]}"


def piece(
    sheet: Sheet,
    section: str,
    title: str,
    text: str,
    kind: str,
    *,
    key: str = "",
    facts: tuple[SourceFact, ...] = (),
) -> Piece:
    """One piece. Its place is the heading under which `character show` prints it."""
    heading = section.replace("_", " ").capitalize()
    return Piece(
        id=f"sheet:{sheet.id}:{section}:{slug(key or title)}",
        tool="character_data",
        section=section,
        title=title,
        kind=kind,
        text=text.strip(),
        where=SourcePlace(file=sheet.source.file, section=f"{sheet.name}, {heading} > {title}"),
        edition=sheet.rules if sheet.system == "dnd5e" else "",
        facts=list(facts),
    )


def said(number: Number, *, signed: bool = True) -> str:
    """A number in words: `Athletics bonus +7 = STR modifier +4 (Strength 18) + proficiency +3
    (Soldier)`."""
    value = f"{number.value:+d}" if signed and isinstance(number.value, int) else f"{number.value}"
    counted = [p for p in number.parts if isinstance(p.value, int | float)]
    told = [p for p in number.parts if not isinstance(p.value, int | float)]
    parts = []
    for part in counted:
        if part.label.startswith("not proficient"):
            parts.append("not proficient")
            continue
        amount = f"{part.value:+d}" if isinstance(part.value, int) and signed else f"{part.value}"
        source = (
            f" ({part.source})"
            if part.source and part.source not in (part.label, "rule", "sheet")
            else ""
        )
        parts.append(f"{part.label} {amount}{source}")
    extra = "; ".join(f"{p.label} ({p.source})" if p.source else p.label for p in told)
    line = f"{number.label} {value}" + (f" = {', '.join(parts)}" if parts else "")
    return f"{line}; {extra}." if extra else f"{line}."


def _identity(sheet: Sheet) -> Iterator[Piece]:
    basics = sheet.character_basics
    classes = " / ".join(
        f"{c.name} {c.level}{f' ({c.subclass})' if c.subclass else ''}" for c in basics.classes
    )
    lines = [
        f"{basics.name}" + (f", level {basics.level}" if basics.level else ""),
        f"Class: {classes}" if classes else "",
        f"Species: {basics.species}" if basics.species else "",
        f"Background: {basics.background}" if basics.background else "",
        f"Alignment: {basics.alignment}" if basics.alignment else "",
        f"Size: {basics.size}" if sheet.system == "dnd5e" else "",
        ", ".join(f"{k} {v}" for k, v in basics.appearance.items()),
    ]
    level = (
        (SourceFact(subject=basics.name, what="level", value=str(basics.level)),)
        if basics.level
        else ()
    )
    yield piece(
        sheet, "identity", basics.name, "\n".join(filter(None, lines)), "person", facts=level
    )
    if sheet.system != "dnd5e":
        for key, number in sheet.derived.items():
            yield piece(sheet, "ability_scores", number.label, said(number), "ability", key=key)
        return
    for ability, name in ABILITY_NAMES.items():
        score = sheet.derived.get(f"score:{ability}")
        if score:
            mod = sheet.derived[f"mod:{ability}"]
            text = f"{name} {score.value}, modifier {mod.value:+d}. {said(score, signed=False)}"
            yield piece(sheet, "ability_scores", name, text, "ability")


def _is_stated(sheet: Sheet, key: str) -> bool:
    """Whether a number is to be told: of a page that somebody wrote only what stands on it."""
    if key == "hit_points":
        hp = sheet.combat_info.hp
        return bool(hp.max) and (not sheet.page or hp.override is not None)
    return not sheet.page or any(effect.target == "ac:override" for effect in sheet.effects)


def _hit_points(sheet: Sheet) -> Iterator[Piece]:
    if not _is_stated(sheet, "hit_points"):
        return
    hp, counted = sheet.combat_info.hp, sheet.derived.get("hit_points")
    text = f"Hit points {hp.current} of {hp.max}{f', {hp.temp} temporary' if hp.temp else ''}. "
    text += said(counted, signed=False) if counted else ""
    yield piece(sheet, "combat_stats", "Hit Points", text, "stat")


def _combat(sheet: Sheet) -> Iterator[Piece]:
    if sheet.system != "dnd5e":
        yield from _hit_points(sheet)
        return
    info, derived = sheet.combat_info, sheet.derived
    ac = derived["armor_class"]
    fact = SourceFact(subject=sheet.name, what="armor_class", value=str(ac.value))
    if _is_stated(sheet, "armor_class"):
        text = said(ac, signed=False)
        yield piece(sheet, "combat_stats", "Armor Class", text, "stat", facts=(fact,))
    yield from _hit_points(sheet)
    dice = ", ".join(f"{u.max - u.used}{die} of {u.max}{die}" for die, u in info.hit_dice.items())
    if dice:
        yield piece(sheet, "combat_stats", "Hit Dice", f"Hit dice left: {dice}.", "stat")
    yield piece(sheet, "combat_stats", "Initiative", said(derived["initiative"]), "stat")
    speeds = [said(derived[f"speed:{way}"], signed=False) for way in info.speeds]
    if speeds:
        yield piece(sheet, "combat_stats", "Speed", "\n".join(speeds), "stat")
    for ability, name in ABILITY_NAMES.items():
        yield piece(
            sheet, "combat_stats", f"{name} saving throw", said(derived[f"save:{ability}"]), "save"
        )
    words = {
        "resist": "Resistance",
        "immune": "Immunity",
        "vuln": "Vulnerability",
        "conditions": "Against conditions",
    }
    defenses = [f"{words.get(k, k)}: {', '.join(v)}." for k, v in info.defenses.items() if v]
    if defenses:
        yield piece(sheet, "combat_stats", "Defenses", "\n".join(defenses), "stat")
    state = [*info.conditions, *([f"exhaustion {info.exhaustion}"] if info.exhaustion else [])]
    if state:
        yield piece(sheet, "combat_stats", "Conditions", f"Now: {', '.join(state)}.", "stat")
    for attack in info.attacks:
        hit = derived.get(f"attack:{attack.name}")
        harm = derived.get(f"damage:{attack.name}")
        lines = [
            f"{attack.name}: {attack.to_hit:+d} to hit, {' or '.join(attack.damage) or 'no damage'}."
        ]
        lines += [f"Range {attack.range.rstrip('.')}."] if attack.range else []
        lines += [f"Properties: {', '.join(attack.props)}."] if attack.props else []
        lines += [said(hit)] if hit else []
        lines += [said(harm, signed=True)] if harm else []
        yield piece(sheet, "action_economy", f"{attack.name} (attack)", " ".join(lines), "attack")
    costs = {
        "bonus": "bonus action",
        "none": "",
        "minute": "minutes",
        "hour": "hours",
        "special": "special",
    }
    for action in info.actions:
        cost = costs.get(action.cost, action.cost)
        head = ", ".join(filter(None, (cost, uses_text(action.uses), action.save)))
        yield piece(
            sheet,
            "action_economy",
            action.name,
            f"{action.name}{f' ({head})' if head else ''}: {action.desc}",
            "action",
        )


def uses_text(uses: Uses | None) -> str:
    """`4 of 8 uses left, back on a short rest`."""
    if uses is None or not uses.max:
        return ""
    return f"{uses.max - uses.used} of {uses.max} left{f', back on a {uses.reset}' if uses.reset else ''}"


def _training(sheet: Sheet) -> Iterator[Piece]:
    info, derived = sheet.abilities_info, sheet.derived
    if sheet.system != "dnd5e":
        return
    yield piece(
        sheet, "proficiencies", "Proficiency bonus", said(derived["proficiency_bonus"]), "stat"
    )
    for skill, checked in info.skills.items():
        text = f"{said(derived[f'skill:{skill}'])} Passive {checked.passive}."
        yield piece(sheet, "proficiencies", skill_name(skill), text, "skill", key=skill)
    for name in info.tools:
        yield piece(sheet, "proficiencies", name, said(derived[f"tool:{name}"]), "tool")
    for title, listed in (
        ("Languages", info.languages),
        ("Armor training", info.armor),
        ("Weapon training", info.weapons),
    ):
        if listed:
            yield piece(sheet, "proficiencies", title, f"{title}: {', '.join(listed)}.", "training")
    senses = [
        *(f"{k} {v}" for k, v in info.senses.items()),
        f"passive Perception {info.skills['perception'].passive}",
    ]
    yield piece(sheet, "proficiencies", "Senses", f"Senses: {', '.join(senses)}.", "stat")


def _features(sheet: Sheet) -> Iterator[Piece]:
    info = sheet.abilities_info
    for feature in (*info.features, *info.feats):
        origin = f" ({feature.origin}{f' {feature.level}' if feature.level and not feature.origin[-1:].isdigit() else ''})"
        text = f"{feature.name}{origin if feature.origin else ''}: {feature.desc}"
        kind = "feat" if feature.origin == "feat" else "feature"
        yield piece(sheet, "features_and_traits", feature.name, text, kind)


def _inventory(sheet: Sheet) -> Iterator[Piece]:
    info = sheet.inventory_info
    for item in info.items:
        facts = (
            [SourceFact(subject=item.name, what="bonus", value=f"+{item.bonus}")]
            if item.bonus
            else []
        )
        if item.attunable:
            facts.append(
                SourceFact(
                    subject=item.name,
                    what="attunement",
                    value="attuned" if item.attuned else "not attuned",
                )
            )
        yield piece(sheet, "inventory", item.name, item_text(item), "item", facts=tuple(facts))
    if info.currency:
        yield piece(sheet, "inventory", "Money", f"Money: {', '.join(info.coins)}.", "stat")
    if info.encumbrance:
        held = info.encumbrance
        text = f"Carries {held['carried']:g} of {held['capacity']:g} lb.; {held['push_drag_lift']:g} lb. pushed or dragged. "
        text += said(sheet.derived["carrying_capacity"], signed=False)
        yield piece(sheet, "inventory", "Carrying capacity", text, "stat")
        slots = info.attunement
        yield piece(
            sheet,
            "inventory",
            "Attunement",
            f"Attuned to {slots.used} of {slots.max} things.",
            "stat",
        )


def item_text(item: Item) -> str:
    """A thing with what it is and does."""
    state = [
        f"{item.qty} of them" if item.qty > 1 else "",
        item.rarity.lower() if item.magic else "",
        item.weapon or (f"{item.armor} armor" if item.armor not in ("", "shield") else item.armor),
        f"{item.bonus:+d}" if item.bonus else "",
        f"AC {item.armor_class}" if item.armor_class else "",
        f"{item.damage} {'/'.join(item.damage_types)}".strip() if item.damage else "",
        f"range {item.range}" if item.weapon and item.range else "",
        "equipped" if item.equipped else "",
        ("attuned" if item.attuned else "not attuned") if item.attunable else "",
        f"in {item.container}" if item.container else "",
        uses_text(item.charges),
        f"{item.weight:g} lb." if item.weight else "",
    ]
    head = ", ".join(filter(None, state))
    grants = f"\nGrants: {'; '.join(item.grants)}." if item.grants else ""
    return (
        f"{item.name}{f' ({head})' if head else ''}{f': {item.desc}' if item.desc else '.'}{grants}"
    )


def _magic(sheet: Sheet) -> Iterator[Piece]:
    info, derived = sheet.magic_info, sheet.derived
    for caster in info.casters:
        lines = [
            said(derived[f"spell_dc:{caster.cls}"], signed=False),
            said(derived[f"spell_attack:{caster.cls}"]),
        ]
        if caster.prepared_max is not None:
            lines.append(said(derived[f"prepared:{caster.cls}"], signed=False))
        yield piece(sheet, "spell_list", f"{caster.cls} spellcasting", "\n".join(lines), "stat")
    lines = [f"Level {n}: {u.max - u.used} of {u.max} slots left." for n, u in info.slots.items()]
    if info.pact:
        left = info.pact.max - info.pact.used
        lines.append(
            f"Pact magic: {left} of {info.pact.max} slots of level {info.pact.level} left, back on a short rest."
        )
    if lines:
        yield piece(sheet, "spell_list", "Spell slots", "\n".join(lines), "stat")
    for spell in info.spells:
        yield piece(sheet, "spell_list", spell.name, spell_text(spell), "spell")


def spell_text(spell: Spell) -> str:
    """A spell with what casting it takes."""
    level = f"level {spell.level}" if spell.level else "cantrip"
    state = [
        f"{spell.school.lower()} {level}".strip(),
        spell.source,
        "always prepared" if spell.always and spell.level else "prepared" if spell.prepared else "",
        f"casting time {spell.time}" if spell.time else "",
        f"range {spell.range}" if spell.range else "",
        f"components {spell.comp}" if spell.comp else "",
        f"lasts {spell.dur}" if spell.dur else "",
        "concentration" if spell.conc else "",
        "ritual" if spell.ritual else "",
        f"save DC {spell.dc}" if spell.dc else "",
        uses_text(spell.uses),
    ]
    return f"{spell.name} ({', '.join(filter(None, state))}): {spell.desc}"


def _backstory(sheet: Sheet) -> Iterator[Piece]:
    """What is told under each heading; of a page that somebody wrote, line by line."""
    for heading, text in sheet.story_info.backstory.items():
        for told in stretches(text) if sheet.page else [text]:
            yield piece(sheet, "backstory", heading or "Backstory", told, "story")


def _story(sheet: Sheet) -> Iterator[Piece]:
    story, social, progress = sheet.story_info, sheet.social_info, sheet.progress_info
    for title, text in (
        ("Personality traits", story.traits),
        ("Ideals", story.ideals),
        ("Bonds", story.bonds),
        ("Flaws", story.flaws),
        ("Looks", story.appearance),
    ):
        if text:
            yield piece(sheet, "personality", title, text, "story")
    if story.background_feature:
        told = story.background_feature
        yield piece(
            sheet, "personality", told.name or "Background", f"{told.name}: {told.desc}", "feature"
        )
    yield from _backstory(sheet)
    for word, listed in (
        ("Ally", social.allies),
        ("Enemy", social.enemies),
        ("Organization", social.organizations),
        ("Relationship", social.relationships),
    ):
        for relation in listed:
            kind = (
                f" ({relation.kind})"
                if relation.kind and relation.kind.lower() != word.lower()
                else ""
            )
            text = f"{word}: {relation.who}{kind}{f': {relation.text}' if relation.text else ''}."
            yield piece(sheet, "relations", relation.who, text.replace("..", "."), "npc")
    if sheet.character_basics.level:
        xp = f"; {experience(sheet)}" if progress.xp is not None else ""
        yield piece(
            sheet, "progress", "Level", f"Level {sheet.character_basics.level}{xp}.", "stat"
        )
    for objective in progress.objectives:
        yield piece(
            sheet, "progress", objective.text, f"{objective.text} ({objective.state}).", "quest"
        )
    if progress.notes:
        yield piece(sheet, "progress", "Notes", progress.notes, "story")
