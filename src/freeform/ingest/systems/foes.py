"""The book's own creatures as foes: their points, what must be reached to hit them, and what they
strike with.

Which of a book's labels counts harm, and which must be reached, is told by the family's config, or
by the sentences of the rules that speak of the label. Pure.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from statistics import median
from typing import Any

from freeform.core.text import plain_form, slug
from freeform.ingest.systems.config import StatBlockHints
from freeform.ingest.systems.extract import RulesText, flat
from freeform.ingest.things.found import EntityEntry, EntityRegistry

#: Foes a system keeps at most, and the share of creatures that must have a label for it to count.
MOST, SHARED = 400, 0.5
_DICE = re.compile(r"(\d*)\s?[dDW](\d+)(?:\s?([+−–-])\s?(\d+))?")
_HIT = re.compile(r"([+−–-]\s?\d+)\s+to hit")
_NAMED = re.compile(r"([^\W\d_][^\W\d_'’ -]{1,28}?)[\s(×x]*$")
_NUMBER = re.compile(r"\s*(\d[\d,]*)(?:[^\[\d]*\[(\d+)\])?")
_LOST = re.compile(r"\b(?:zero|0|damage|harm|hurt|wound(?:s|ed)?|reduced?|lose[sd]?|dies?|dead)\b")
_REACHED = re.compile(r"\b(?:beat|beats|equals?|exceeds?|meets?|reach(?:es)?|at least|against)\b")
#: Labels that name dice of another sort.
_OTHER_DICE = re.compile(r"\bdi(?:c)?e\b|^hd$|\bappear|\bnumber\b", re.I)
#: Labels or values that speak of harm done.
_HARMS = re.compile(r"\b(?:att|attacks?|damage|dmg|harm|to hit|hit:|strikes?|weapons?)", re.I)


def foes_of(
    registry: EntityRegistry,
    resolution: Mapping[str, Any],
    hints: StatBlockHints,
    texts: Mapping[str, str],
    rules: Sequence[str],
) -> dict[str, Any]:
    """`creatures`, `fight` and `health` of a system; empty where the book gives no creature points.
    `texts`: what sections say, by id; `rules`: the sentences that explain the dice."""
    found = [e for e in registry.entities if e.kind == "creature" and (e.numbers or e.fields)]
    numbers = {e.id: _numbers(e) for e in found}
    points = _role(numbers.values(), hints.toughness, rules, _LOST)
    guard = _role(numbers.values(), hints.defence, rules, _REACHED, points)
    unit = _unit(hints.toughness)
    blocks: dict[str, dict[str, Any]] = {}
    for each in found[:MOST]:
        hp = numbers[each.id].get(points) or _in_words(each, unit)
        if hp:
            blocks[each.id] = _block(each, hp, numbers[each.id].get(guard, 0))
            strike = _strike(each, texts.get(each.section, ""), points)
            if strike:
                blocks[each.id]["strikes"] = {slug(strike["name"]): strike}
    if not blocks:
        return {}
    return {
        "creatures": blocks,
        "fight": _fight(resolution, blocks),
        "health": {
            "track_type": "points",
            "name": points.replace("_", " ") or "hit points",
            "base": sorted(block["hp"] for block in blocks.values())[len(blocks) // 4],
            "foe_at_zero": "out",
        },
    }


def rule_sentences(text: RulesText) -> list[str]:
    """The sentences of a book outside the things it lists."""
    kept = (segment.text for segment in text.segments if segment.id not in text.listed)
    return [each for part in kept for each in re.split(r"(?<=[.!?;])\s", part)]


def _numbers(entity: EntityEntry) -> dict[str, int]:
    """Every whole number of a creature, by its label."""
    told: dict[str, int] = {}
    for label, value in {**flat(entity.numbers), **entity.fields}.items():
        found = _NUMBER.match(str(value))
        if found and not _DICE.match(str(value).strip()):
            told[slug(label)] = int((found[2] or found[1]).replace(",", ""))
    return told


def _role(
    rows: Iterable[Mapping[str, int]],
    names: Sequence[str],
    rules: Sequence[str],
    said: re.Pattern[str],
    taken: str = "",
) -> str:
    """The label that many creatures have and the config names, or of which the rules say so."""
    counted = Counter(label for row in rows for label in row if label != taken)
    most = max(counted.values(), default=0)
    shared = [label for label, number in counted.items() if number >= SHARED * most]
    for name in names:
        if slug(name) in shared:
            return slug(name)
    votes: Counter[str] = Counter()
    for sentence in rules:
        if said.search(sentence.lower()):
            words = f" {plain_form(sentence)} "
            votes.update(label for label in shared if f" {label.replace('_', ' ')} " in words)
    return votes.most_common(1)[0][0] if votes else ""


def _unit(names: Sequence[str]) -> re.Pattern[str]:
    """A number of points inside another value (`3 (13hp)`)."""
    words = "|".join(re.escape(name) for name in names) or "hp"
    return re.compile(rf"(\d+)\s?(?:{words})\b", re.I)


def _in_words(entity: EntityEntry, unit: re.Pattern[str]) -> int:
    found = (unit.search(str(value)) for value in entity.fields.values())
    return next((int(each[1]) for each in found if each), 0)


def _block(entity: EntityEntry, hp: int, guard: int) -> dict[str, Any]:
    block: dict[str, Any] = {"name": entity.name, "kind": "creature", "hp": hp}
    if guard:
        block["defence"] = guard
    return block


def _strike(entity: EntityEntry, text: str, points: str) -> dict[str, Any]:
    """The first dice that a creature's fields or text give for harm; where none speaks of it, the
    first that do not count its points."""
    values = {
        label.replace("_", " "): str(value)
        for label, value in entity.fields.items()
        if slug(label) != points and _DICE.search(str(value))
    }
    values = {label: value for label, value in values.items() if not _OTHER_DICE.search(label)}
    harms = [value for label, value in values.items() if _HARMS.search(f"{label}: {value}")]
    told = next(iter(harms), "") or _harm_in(text) or next(iter(values.values()), "")
    dice = _DICE.search(told)
    if dice is None:
        return {}
    count, sides, sign, more = dice[1] or "1", dice[2], dice[3], dice[4]
    named = _NAMED.search(told[: dice.start()])
    hit = _HIT.search(told) or _HIT.search(text)
    strike: dict[str, Any] = {
        "name": (named[1].strip(" -") if named else "") or "blow",
        "damage": [f"{count}d{sides}" + (f"{'+' if sign == '+' else '-'}{more}" if more else "")],
        "adds_stat": False,
    }
    if hit:
        strike["to_hit"] = int(re.sub(r"[−–]", "-", hit[1]).replace(" ", ""))
    return strike


def _harm_in(text: str) -> str:
    """The first sentence that gives dice for damage."""
    for sentence in re.split(r"(?<=[.!?])\s|\n", text):
        if _DICE.search(sentence) and re.search(r"\b(?:damage|harm|to hit|hit:)", sentence, re.I):
            return sentence[max(0, sentence.lower().rfind("hit:")) :]
    return ""


def _fight(
    resolution: Mapping[str, Any], blocks: Mapping[str, Mapping[str, Any]]
) -> dict[str, Any]:
    """How such foes are fought: against their own number where dice must reach one, else as any
    deed; a hero strikes as the book's creatures mostly do."""
    guards = [block["defence"] for block in blocks.values() if block.get("defence")]
    strikes = Counter(
        strike["damage"][0]
        for block in blocks.values()
        for strike in block.get("strikes", {}).values()
    )
    common = strikes.most_common(1)[0][0] if strikes else "1"
    fight: dict[str, Any] = {
        "foes": "answer",
        "against": "tier",
        "unarmed": {"name": "blow", "damage": [common], "adds_stat": False},
    }
    if resolution.get("method") == "target_number" and guards:
        dice = f"{resolution.get('dice_count') or 1}d{resolution.get('die_type') or 20}"
        fight |= {"foes": "turns", "against": "defence", "initiative_dice": dice}
        fight["defence"] = round(median(guards))
    return fight
