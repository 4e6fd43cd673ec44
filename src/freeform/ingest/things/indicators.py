"""Twenty-two shapes that give rules away: how they are written, not what a particular game calls
them."""

import re
from collections.abc import Iterable
from functools import cache

from freeform.packs.folder.once import once

INDICATORS: dict[str, str] = {
    "dice": r"\b\d{0,2}d(?:4|6|8|10|12|20|100|%)\b",
    "dice_bonus": r"\b\d{0,2}d\d{1,3}\s*[+−–-]\s*\d+",
    "target_number": r"\b(?:DC|TN|CD|[Dd]ifficulty|[Tt]arget [Nn]umber|vs\.?)\s*(?:of\s*)?\d+",
    "signed_modifier": r"(?<![\w.])[+−]\d{1,2}\b",
    "hit_total": r"\b\d+\s*\(\d+d\d+",
    "label_number": r"^\W{0,4}[A-Z][A-Za-z]+(?: [A-Z][A-Za-z]+){0,2}\W{0,4}:?\s+\d{1,4}\b",
    "rating_dots": r"[●•○◦■□]{2,}",
    "threshold": r"\b\d+\+(?!\w)|\b\d+ or (?:more|higher|less|lower|fewer|better|greater)\b",
    "range_band": r"(?:^|\|)\s*\d+\s*[–-]\s*\d+\s*(?:\||:|$)",
    "percentage": r"\b\d+\s*(?:%|percent\b)",
    "distance": r"\b\d+[ -](?:feet|foot|ft|met(?:er|re)s?|yards?|squares?|miles?|hexes|kilomet(?:er|re)s)\b",
    "duration": r"\b(?:\d+|one|two|three) (?:rounds?|turns?|minutes?|hours?|scenes?|sessions?)\b",
    "frequency": r"\b(?:\d+|once|twice)\s*(?:/|per|each|every|an?)\s*(?:day|turn|round|rest|scene|session|night)\b",
    "price": r"\b\d[\d,]*\s*(?:gp|sp|cp|pp|ep|credits?|cred|crowns?|coins?)\b|[$€£¥]\s?\d",
    "penalty_ladder": r"^\W*\w[\w ]{1,20}\W{1,4}[−–-]\d+\b",
    "number_table": r"^\|(?:[^|\n]*\|)*\s*[+−-]?\d[\d,.+−–-]*\s*\|",
    "rank": r"\b\d+(?:st|nd|rd|th)[- ][Ll]evel\b|\b[Ll]evel \d+\b|\b[Rr]ank \d+\b|\b[Tt]ier \d+\b",
    "roll_call": (
        r"\b(?:makes?|rolls?|succeeds?|fails?|must|on)\b[^.|]{0,40}\b(?:checks?|rolls?|saves?|"
        r"saving throws?|tests?|throws?|dice|die)\b"
    ),
    "outcome": (
        r"\b[Oo]n an? (?:success|failure|hit|miss|failed|successful|result|roll|natural)\b|"
        r"\bif (?:it|you|they|the \w+) (?:fails?|succeeds?|hits?|miss(?:es)?)\b"
    ),
    "clock": (
        r"\b\d+[- ](?:segment|tick|step|box)(?:e?s)?\b|\b[Cc]locks?\b|\bcountdowns?\b|"
        r"\bfills? (?:a|the|one) (?:segment|box|track)"
    ),
    "escalation": r"\b(?:escalat\w+|cumulative|each time|for each|for every|worsens?|increases? by (?:one|\d+))\b",
    "action_cost": (
        r"\b(?:spends?|costs?|expends?|uses?|takes?|as) (?:an?|one|\d+|its|your|"
        r"their) (?:\w+ )?(?:actions?|points?|reactions?|charges?|slots?|turns?|dice|die)\b"
    ),
}  # fmt: skip
"""Name -> pattern. Any game may write so; none is a word that only one game uses."""

FINER: dict[str, str] = {
    "bullet_rules": r"^\s*[-*•]\s+\S.{20,}",
    "ends_when": r"\b(?:until|while|ends? (?:when|if|on)|for the duration)\b",
    "zero_state": r"\b(?:reduced? to|drops? to|at|below) (?:0|zero)\b",
    "compared": r"\b(?:equals? or exceeds?|meets? or (?:exceeds?|beats?)|compare[sd]?|at least as high|your total)\b",
    "added": r"\badd(?:s|ing)?\b[^.|]{0,40}\b(?:modifiers?|bonus(?:es)?|ratings?|scores?|stats?|dice)\b",
    "band_result": r"\b[Oo]n an? (?:\d+\+|\d+\s?[-–]\s?\d+|\d+ or (?:less|more))|\broll\s?\+\s?[A-Za-z]+",
    "pool_result": r"\b(?:dice pool|successes|botch(?:es)?)\b|\b[A-Z]\w+ \+ [A-Z]\w+\b",
    "named_row": r"^\|\s*[A-Za-z][A-Za-z' ]{2,30}\|\s*\d{1,3}\s*\|\s*$",
    "counted_row": r"^\|\s*[1-9]\s*\|\s*[A-Z][^|]{12,}\|",
    "score_row": r"^\|\s*\d+(?:[–-]\d+)?\s*\|\s*[+−–-]?\d+\s*\|\s*$",
    "priced_row": r"^\|.*\b\d[\d,]*\s*(?:gp|sp|cp|pp|ep|credits?|crowns?|coins?)\b|^\|.*[$€£¥]\s?\d",
    "sided_dice": r"\b\w+[- ]sided d(?:ice|ie)\b|\bpercentile dice\b|\bdice pool\b",
    "counted_marks": (
        r"\b(?:two|three|four|five|six|eight|third|fourth|\d)[- ](?:successes|failures?|strikes|"
        r"marks|boxes|ticks|segments?)\b"
    ),
    "field_labels": r"^\W{0,4}[A-Z][A-Za-z]+(?: [A-Z]?[A-Za-z]+){0,2}:\W{0,4}\s",
}
"""Shapes that a prefilter asks for beside those."""


OF_PLAY = ("dice", "target_number", "sided_dice", "band_result")
"""Shapes that only a game has; calls for a roll may be anybody's (`they must all die`)."""
CALLS = 0.3
"""Calls for a roll in a thousand words from which on a text without dice may be a game's."""


def speaks_of_play(texts: Iterable[str]) -> bool:
    """Whether a book speaks of dice, of numbers to reach, or often of rolls."""
    words = calls = 0
    for text in texts:
        if any(count_shape(name, text) for name in OF_PLAY):
            return True
        words += len(text.split())
        calls += count_shape("roll_call", text)
    return 1000 * calls > CALLS * words


@cache
def _compiled(name: str) -> re.Pattern[str]:
    return re.compile(INDICATORS.get(name) or FINER[name], re.M)


def count_shape(name: str, text: str) -> int:
    """How often a shape stands in a text; several stages of one book ask it of the same one."""
    return once(lambda: len(_compiled(name).findall(text)), text, "shape", name)


def shapes_in(text: str) -> dict[str, int]:
    """The indicators a text has, with how often."""
    counts = {name: count_shape(name, text) for name in INDICATORS}
    return {name: number for name, number in counts.items() if number}


def mechanical_score(text: str, words: int) -> float:
    """How much of a text is rules, 0 to 1: many shapes, and many of each for its length."""
    if not words:
        return 0.0
    found = shapes_in(text)
    density = sum(min(number, 12) for number in found.values()) / max(words, 60) * 100
    return round(min(1.0, 0.07 * len(found) + 0.055 * density), 3)
