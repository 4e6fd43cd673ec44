"""Finds creatures' stat blocks in Markdown and reads them. Pure; no book's names are known here.

What marks a block is its shape: a short name, then within a few lines an armour figure and a
hit-point figure, each behind its label. Known shapes: the d20 family ("Armor Class 15", "AC 15",
"HP 33 (6d8+6)") and the older line form ("AC 5 [14], HD 3+1 (14hp), ...").
"""

import re
from collections.abc import Sequence

from pydantic import Field

from freeform.core.record import Record
from freeform.ingest.page.number_check import DIE_SIDES, average_agrees


class Trait(Record):
    """A named ability, action or reaction."""

    name: str
    text: str


class StatBlock(Record):
    """A creature as its block prints it; what the block does not say is empty."""

    name: str
    size: str = ""
    creature_type: str = ""
    alignment: str = ""
    armor_class: int | None = None
    armor_note: str = ""
    hit_points: int | None = None
    hit_dice: str = ""
    speed: str = ""
    abilities: dict[str, int] = Field(default_factory=dict)
    #: Other labelled lines: saving throws, skills, senses, languages …
    details: dict[str, str] = Field(default_factory=dict)
    challenge: str = ""
    xp: int | None = None
    #: Abilities by the part of the block they stand in: 'traits', 'actions', 'reactions' …
    traits: dict[str, tuple[Trait, ...]] = Field(default_factory=dict)
    #: Numbers in the block that do not agree with each other.
    doubts: tuple[str, ...] = ()
    #: First and one past the last line of the text it was read from.
    lines: tuple[int, int] = (0, 0)


_AC = re.compile(r"^(?:armou?r class|ac|defen[cs]e|armou?r)\b[:\s]*(\d{1,3})\b(.*)$", re.I)
_HINT = re.compile(r"(?im)^\W*(?:armou?r class|ac|defen[cs]e|armou?r)\b")
_HP = re.compile(
    r"^(?:hit points?|hp|health)\b[:\s]*(\d{1,4})\b\s*(?:\(([^)]*\d[^)]*)\))?(.*)$", re.I
)
_SPEED = re.compile(r"^(?:speed|move(?:ment)?|mv)\b[:\s]*(\S.*)$", re.I)
_OLD = re.compile(
    r"^AC:? (\d+)(?: \[(\d+)\])?[,;] (?:HD|Hit Dice):? ([\d+*½ -]+?)(?: \((\d+) ?hp\))?[,;](.*)$",
    re.I,
)
_SIZE = "tiny|small|medium|large|huge|gargantuan|colossal|fine|diminutive"
_TYPE = re.compile(rf"^({_SIZE})(?: or ({_SIZE}))?\s+(.+?)(?:,\s*(.+))?$", re.I)
_CHALLENGE = re.compile(r"^(?:challenge(?: rating)?|cr|level|threat)\b[:\s]*([\d/½¼⅛]+)(.*)$", re.I)
_XP = re.compile(r"([\d,]+)\s*xp|xp:?\s*([\d,]+)", re.I)
_SCORES = re.compile(r"(\d{1,2})\s*\(\s*[+−–-]?\s*\d+\s*\)")
_PAIR = re.compile(r"\b([A-Z]{3}|[A-Z][a-z]{2})\b[:\s|]*(\d{1,2})\b")
_LABELS = re.compile(r"\b[A-Z]{3}\b")
_DETAIL = re.compile(r"^\*\*([A-Z][\w’' ]{2,40}?)[.:]?\*\*[.:]?\s*(.*)$")
_TRAIT = re.compile(r"^\*\*(.{2,80}?)\.?\*\*\.?\s*(.*)$")
_PART = re.compile(
    r"^(?:[A-Z][\w’']+ ){0,2}(?:actions?|reactions?|traits?|features?|abilities)$", re.I
)
_MARKS = re.compile(r"[#|]+|<[^>]+>")
_STARS = re.compile(r"\*+|(?<!\w)_+|_+(?!\w)")
_DICE = re.compile(r"(\d+)\s*d\s*(\d+)(?:\s*([+−–-])\s*(\d+))?")
#: How far below the armour line the hit points may stand, and above it the name.
REACH = 3


def bare(line: str) -> str:
    """A line without Markdown's marks; most lines have none."""
    if "*" in line or "_" in line:
        line = _STARS.sub("", line)
    if "#" in line or "|" in line or "<" in line:
        line = _MARKS.sub(" ", line)
    return " ".join(line.split())


def names_a_part(title: str) -> bool:
    """Whether a heading is a part of a stat block: Actions, Legendary Actions, Reactions …"""
    return bool(_PART.match(bare(title)))


def find_stat_blocks(text: str) -> list[StatBlock]:
    """Every stat block in a text, in order."""
    if not _HINT.search(text):
        return []
    lines = _one_label_a_line(text)
    plain = [bare(line) for line in lines]
    anchors = [at for at in range(len(lines)) if _is_anchor(plain, at)]
    starts = [_name_line(lines, plain, at) for at in anchors]
    blocks = []
    for order, (start, anchor) in enumerate(zip(starts, anchors, strict=True)):
        if start is None:
            continue
        limit = next((s for s in starts[order + 1 :] if s is not None), len(lines))
        end = _end(lines, anchor, limit)
        blocks.append(_read(lines, plain, start, anchor, end))
    return blocks


def _one_label_a_line(text: str) -> list[str]:
    """Lines of the text; a paragraph that runs armour, hit points and speed together is cut before
    each."""
    out: list[str] = []
    for line in text.split("\n"):
        line = line.strip()
        if not line:
            continue
        flat = bare(line)
        if (
            _AC.match(flat)
            and re.search(r"\b(?:hit points?|hp)\s*:?\s*\d", flat, re.I)
            and not _OLD.match(flat)
        ):
            cut = re.sub(
                r"\s*(?=(?:\*\*)?(?:hit points?|hp|speed|str|challenge|cr|senses|languages)\b(?:\*\*)?[:\s]*[\d(+]?)",
                "\n",
                line,
                flags=re.I,
            )
            out += [piece.strip() for piece in cut.split("\n") if piece.strip()]
        else:
            out.append(line)
    return out


def _is_anchor(plain: Sequence[str], at: int) -> bool:
    if _OLD.match(plain[at]):
        return True
    if not _AC.match(plain[at]) or len(plain[at]) > 90:
        return False
    return any(_HP.match(line) for line in plain[at + 1 : at + 1 + REACH])


def _name_line(lines: Sequence[str], plain: Sequence[str], anchor: int) -> int | None:
    """The line that names the creature: the short one above the armour, past the line of size and
    type."""
    at = anchor - 1
    if at >= 0 and _TYPE.match(plain[at]) and not lines[at].startswith("#"):
        at -= 1
    for place in range(at, max(-1, at - REACH), -1):
        words = plain[place]
        if lines[place].startswith("#") or (
            len(words.split()) <= 8 and words[:1].isupper() and words[-1:] not in ".,;:"
        ):
            return place if words and not _PART.match(words) else None
    return None


def _end(lines: Sequence[str], anchor: int, limit: int) -> int:
    """A heading that names no part of the block ends it."""
    for at in range(anchor + 1, limit):
        if lines[at].startswith("#") and not _PART.match(bare(lines[at])):
            return at
    return limit


def _read(
    lines: Sequence[str], plain: Sequence[str], start: int, anchor: int, end: int
) -> StatBlock:
    found: dict[str, object] = {"name": plain[start].strip(), "lines": (start, end)}
    kind = _TYPE.match(plain[anchor - 1]) if anchor - 1 > start else None
    if kind:
        size = f"{kind[1]} or {kind[2]}" if kind[2] else kind[1]
        found |= {"size": size.capitalize(), "creature_type": kind[3], "alignment": kind[4] or ""}
    old = _OLD.match(plain[anchor])
    if old:
        return StatBlock.model_validate(found | _read_old(old))
    armor = _AC.match(plain[anchor])
    assert armor is not None
    found |= {"armor_class": int(armor[1]), "armor_note": armor[2].strip(" ()")}
    details: dict[str, str] = {}
    traits: dict[str, list[Trait]] = {}
    part = "traits"
    for at in range(anchor + 1, end):
        words, line = plain[at], lines[at]
        if "hit_points" not in found and (hit := _HP.match(words)):
            found |= {"hit_points": int(hit[1]), "hit_dice": (hit[2] or "").strip()}
        elif "speed" not in found and (speed := _SPEED.match(words)):
            found["speed"] = speed[1]
        elif "challenge" not in found and (challenge := _CHALLENGE.match(words)):
            found["challenge"] = challenge[1]
            if xp := _XP.search(challenge[2]):
                found["xp"] = int((xp[1] or xp[2]).replace(",", ""))
        elif _PART.match(words):
            part = words.lower()
        elif (
            (detail := _DETAIL.match(line))
            and part == "traits"
            and not traits
            and not _ends_name(line)
        ):
            details[detail[1].lower()] = bare(detail[2])
        elif trait := _TRAIT.match(line):
            traits.setdefault(part, []).append(
                Trait(name=bare(trait[1]).rstrip("."), text=bare(trait[2]))
            )
        elif traits.get(part) and not words.startswith("|"):
            last = traits[part][-1]
            traits[part][-1] = last.model_copy(update={"text": f"{last.text} {words}".strip()})
    found |= {
        "abilities": _abilities(lines[anchor + 1 : end]),
        "details": details,
        "traits": {name: tuple(group) for name, group in traits.items()},
        "doubts": tuple(_doubts(found)),
    }
    return StatBlock.model_validate(found)


def _ends_name(line: str) -> bool:
    """A trait's name ends in a full stop; a detail's label does not."""
    return bool(re.match(r"^\*\*[^*]+\.\*\*|^\*\*[^*]+\*\*\.", line))


def _read_old(found: re.Match[str]) -> dict[str, object]:
    details = {}
    for part in re.split(r"[,;]\s*", found[5]):
        label, _, value = part.strip().partition(" ")
        if label and value:
            details[label.lower()] = value
    return {
        "armor_class": int(found[2] or found[1]),
        "hit_points": int(found[4]) if found[4] else None,
        "hit_dice": found[3].strip(),
        "speed": details.get("mv", ""),
        "details": details,
        "xp": int(details["xp"].replace(",", ""))
        if details.get("xp", "").replace(",", "").isdigit()
        else None,
    }


def _abilities(lines: Sequence[str]) -> dict[str, int]:
    """Scores by their three-letter labels, whether they stand in a table, in two rows or in
    pairs."""
    for at, line in enumerate(lines[:14]):
        flat = bare(line)
        pairs = _PAIR.findall(flat)
        if len(pairs) >= 4:
            return {label.upper(): int(score) for label, score in pairs}
        labels = _LABELS.findall(flat)
        if len(labels) >= 4 and len(labels) >= len(flat.split()) - 1:
            below = " ".join(bare(other) for other in lines[at + 1 : at + 4])
            scores = _SCORES.findall(below) or re.findall(r"\b(\d{1,2})\b", below)
            if len(scores) >= len(labels):
                return dict(zip(labels, map(int, scores), strict=False))
    # One label or one pair to a line, as when every cell stands alone.
    flat = " ".join(bare(line) for line in lines[:24])
    pairs = _PAIR.findall(flat)
    upper = [(label, score) for label, score in pairs if label.isupper()]
    if len(upper) >= 4:
        return {label: int(score) for label, score in upper}
    run = re.search(r"((?:\b[A-Z]{3}\b\s*){5,})((?:\d{1,2}\s*\([^)]*\)\s*){5,})", flat)
    if run:
        return dict(zip(_LABELS.findall(run[1]), map(int, _SCORES.findall(run[2])), strict=False))
    return {}


def _doubts(found: dict[str, object]) -> list[str]:
    dice = _DICE.search(str(found.get("hit_dice", "")))
    points = found.get("hit_points")
    if not dice or not isinstance(points, int) or int(dice[2]) not in DIE_SIDES:
        return []
    bonus = int(dice[4] or 0) * (-1 if dice[3] and dice[3] != "+" else 1)
    if average_agrees(points, int(dice[1]), int(dice[2]), bonus):
        return []
    return [f"{points} hit points do not agree with {found['hit_dice']}"]
