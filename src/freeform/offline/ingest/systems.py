"""Reads what the people of a game are made of and how harm is counted, without a model: from
shapes, tables and stat blocks."""

import re
from collections import Counter

from freeform.core.chance import Chance
from freeform.core.text import shorten, slug
from freeform.ingest.systems.counted import stats_of
from freeform.ingest.systems.found import (
    EntityStatsFound,
    HealthFound,
    HealthLevel,
    StatSchemaFound,
)
from freeform.ingest.systems.passes import SystemsInput
from freeform.language.words import word_class
from freeform.offline.ingest.rolls import quoted
from freeform.offline.ingest.tables import number, tables_in

_GROUP_OF = re.compile(r"(?m)^\W*([A-Z][a-z]+): ([A-Z][a-z]+(?:, [A-Z][a-z]+){2,5})\.?\s*$")
_LISTED = re.compile(
    r"\b(?:attributes?|abilit(?:y|ies)|characteristics|stats)\b[^.:;]{0,70}:\s*((?:(?:and |or )?[A-Z][a-z]+(?: \([A-Z]{2,4}\))?"
    r"(?:, | and | or |, and )?){3,9})",
    re.I,
)


def stat_schema(input: SystemsInput, chance: Chance) -> StatSchemaFound:
    """What people are made of: names that stand before `check`, after `roll +`, or on either side
    of a plus."""
    text = "\n".join(passage.text for passage in input.passages)
    votes = Counter(
        re.findall(
            r"\b([A-Z][a-z]{3,14}) (?:checks?|saving throws?|saves?|modifier|scores?|tests?)\b",
            text,
        )
    )
    plus = [
        word.capitalize()
        for word in re.findall(r"\b[Rr]oll(?:ing|s)?\s?\+\s?([A-Za-z]{3,12})\b", text)
    ]
    votes += Counter(plus + plus)  # a game that writes so means a stat every time
    pairs = re.findall(r"\b([A-Z][a-z]{2,14}) \+ ([A-Z][a-z]{2,14})\b", text)
    votes += Counter(first for first, _ in pairs)
    # `Physical: Might, Grace, Vigor`, and what a sentence lists as the attributes, are said once
    # and count at once.
    groups = [word for found in _GROUP_OF.finditer(text) for word in found[2].split(", ")]
    told = groups if len(groups) >= 6 else _told_attributes(text)
    votes += Counter({word: 6 for word in told})
    votes = Counter(
        {word: times for word, times in votes.items() if word.lower() not in word_class("no_stats")}
    )
    fields = [str(name) for name in input.known.get("fields", [])]
    listed = [
        word
        for word, times in votes.most_common(14)
        if times >= max(2, 0.04 * max(votes.values(), default=1))
    ]
    attributes = [word.lower() for word in (told if len(told) >= 3 else listed)][:12]
    own = fields if len(fields) >= 3 else []
    if own:
        attributes = own  # what creatures have numbers for is what people are made of
    stems = "|".join(re.escape(name.capitalize()) for name in attributes) or "[A-Z][a-z]{3,14}"
    skills = Counter(re.findall(rf"\b(?:{stems}) \(([A-Z][a-z]+(?: [A-Za-z]+){{0,2}})\)", text))
    skills += Counter(second for _, second in pairs)
    low, high, least, most = _range(input)
    found = StatSchemaFound(
        attributes=attributes,
        skills=[
            slug(s)
            for s, times in skills.most_common(30)
            if times >= 2 and s.lower() not in attributes
        ],
        low=low,
        high=high,
        modifier_low=least,
        modifier_high=most,
        evidence=quoted(input.passages, re.compile(rf"\b{attributes[0].capitalize()}\b"))
        if attributes
        else [],
    )
    sure = min(
        0.95, 0.2 + 0.08 * min(len(attributes), 6) + (0.2 if own else 0) + (0.1 if most else 0)
    )
    return found.model_copy(update={"confidence": round(sure, 2) if attributes else 0.0})


def _told_attributes(text: str) -> list[str]:
    """The longest list of names behind a word for attributes."""
    found = [
        re.findall(r"\b(?!And\b|Or\b)[A-Z][a-z]{2,}", match[1]) for match in _LISTED.finditer(text)
    ]
    best = max(found, key=len, default=[])
    return list(dict.fromkeys(best)) if len(best) >= 3 else []


def _range(input: SystemsInput) -> tuple[int, int, int, int]:
    """Scores and what they add to a roll: from a table whose second column has signed numbers that
    rise."""
    for table in tables_in(input.passages):
        if len(table.head) < 2 or table.find("modifier|bonus|adjust") < 1:
            continue
        column = table.find("modifier|bonus|adjust")
        mods = [n for n in map(number, table.column(column)) if n is not None]
        scores = [int(n) for cell in table.column(0) for n in re.findall(r"\d+", cell)]
        if len(mods) >= 4 and mods == sorted(mods) and mods[0] < 0 < mods[-1] and scores:
            return min(scores), max(scores), mods[0], mods[-1]
    dots = [len(found) for p in input.passages for found in re.findall(r"[●•]{1,10}", p.text)]
    if len(dots) > 10:
        return 1, max(dots), 1, max(dots)
    return 0, 0, 0, 0


def health(input: SystemsInput, chance: Chance) -> HealthFound:
    """How harm is counted: a ladder of states with penalties, else points that fall to zero."""
    text = "\n".join(passage.text for passage in input.passages)
    ladder = _ladder(input)
    damage = Counter(
        re.findall(r"(?:\d\)?|resistance to|immun\w+ to|or|and) ([a-z]{4,13}) damage\b", text)
    )
    damage = Counter(
        {word: times for word, times in damage.items() if word not in word_class("no_damage")}
    )
    types = [word for word, times in damage.most_common(16) if times >= 2]
    zero = re.search(r"[^.]*\b(?:drops?|reduced?|falls?) to (?:0|zero) [a-z ]{3,20}[^.]*\.", text)
    track = (
        "levels"
        if ladder
        else "points"
        if zero or re.search(r"\b[Hh]it [Pp]oints?\b", text)
        else ""
    )
    boxes = re.search(
        r"\bmark (?:a|one|1) (?:box|harm|stress)\b|\bharm (?:clock|track)\b", text, re.I
    )
    found = HealthFound(
        track_type="boxes" if boxes and not ladder else track,  # type: ignore[arg-type]
        health_levels=ladder,
        damage_types=types,
        at_zero=shorten(" ".join(zero[0].split()), 240) if zero else "",
        evidence=quoted(
            input.passages, re.compile(r"\b(?:drops?|reduced?|falls?) to (?:0|zero)\b")
        ),
    )
    sure = (
        0.25 * bool(found.track_type) + 0.25 * bool(types) + 0.2 * bool(zero) + 0.3 * bool(ladder)
    )
    return found.model_copy(update={"confidence": round(min(sure + 0.15 * bool(sure), 0.95), 2)})


def _ladder(input: SystemsInput) -> list[HealthLevel]:
    """States with penalties that grow, one below the other: in lines, or in a table."""
    rows: list[tuple[str, int | None]] = []
    for passage in input.passages:
        run: list[tuple[str, int | None]] = []
        for line in [*passage.text.splitlines(), ""]:
            cells = re.fullmatch(
                r"[\s|*•-]*([A-Z][a-z]+(?: [A-Z]?[a-z]+)?)[\s|:*]+([−–-]\s?\d|0|—)?[\s|*]*", line
            )
            if cells:
                run.append((cells[1], number(cells[2] or "")))
            elif line.strip() and not set(line) <= set("|:- "):
                rows, run = (run if len(run) > len(rows) else rows), []
        rows = run if len(run) > len(rows) else rows
    values = [value for _, value in rows if value is not None]
    grows = (
        len(values) >= 3
        and values == sorted(values, reverse=True)
        and values[-1] < 0
        and values[0] <= 0
    )
    return [HealthLevel(name=name, dice_penalty=value) for name, value in rows] if grows else []


def entity_stats(input: SystemsInput, chance: Chance) -> EntityStatsFound:
    """The numbers of creatures as the stat blocks have them."""
    return stats_of(input.known.get("stat_blocks", []))
