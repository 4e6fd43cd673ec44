"""Reads what a rulebook lists, without a model: states, actions, tracks, presets, ladders, wares
and powers."""

import re

from freeform.core.chance import Chance
from freeform.core.text import plain_form, shorten
from freeform.ingest.systems.counted import deed_of, powers_of, state_of
from freeform.ingest.systems.found import (
    ActionFound,
    ActionTypesFound,
    CalibrationFound,
    ClockFound,
    ClocksFound,
    ConditionsFound,
    EquipmentFound,
    EscalationFound,
    LadderFound,
    MagicFound,
    Preset,
    RuleEvidence,
)
from freeform.ingest.systems.passes import SystemsInput
from freeform.ingest.things.register import MONEY
from freeform.ingest.things.things import bare
from freeform.offline.ingest.tables import number, tables_in

_COUNTS = {"two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "eight": 8}
_TRACK = re.compile(
    r"\b(\d{1,2}|two|three|four|five|six|eight)[- ](segments?|ticks?|boxes|steps?|failures|successes|strikes|marks)\b"
)
_CLOCK = re.compile(r"\b([A-Z][\w']+(?: [A-Z][\w']+){0,3}) (?:[Cc]lock|[Cc]ountdown|[Tt]rack)\b")


def conditions(input: SystemsInput, chance: Chance) -> ConditionsFound:
    """States the book has a heading for, each with its rules, one to a line."""
    found = [state_of(row) for row in input.known.get("conditions", [])]
    told = sum(1 for each in found if each.effects)
    sure = min(0.95, 0.4 + 0.05 * told) if told else 0.0
    return ConditionsFound(
        conditions=found,
        confidence=round(sure, 2),
        evidence=[RuleEvidence(page=each.page, quote=each.name) for each in found[:3]],
    )


def action_types(input: SystemsInput, chance: Chance) -> ActionTypesFound:
    """What stands under headings of actions and moves, and what begins with `When you`."""
    found: dict[str, ActionFound] = {}
    for row in input.known.get("actions", []):
        found[plain_form(str(row["name"]))] = deed_of(row)
    for passage in input.passages:
        for match in re.finditer(r"\bWhen you ([a-z][^.,:]{5,60})[,:]", passage.text):
            if re.search(r"\broll", passage.text[match.end() : match.end() + 160]):
                name = match[1].strip().capitalize()
                found.setdefault(
                    plain_form(name),
                    ActionFound(name=name, text=f"When you {match[1]}", page=passage.page),
                )
    rows = list(found.values())[:60]
    sure = min(0.9, 0.3 + 0.04 * len(rows)) if rows else 0.0
    return ActionTypesFound(
        actions=rows,
        confidence=round(sure, 2),
        evidence=[RuleEvidence(page=r.page, quote=r.name) for r in rows[:3]],
    )


def clocks(input: SystemsInput, chance: Chance) -> ClocksFound:
    """Tracks with a number of parts, and things called a clock."""
    found: dict[str, ClockFound] = {}
    for passage in input.passages:
        for match in _TRACK.finditer(passage.text):
            count = _COUNTS.get(match[1]) or int(match[1] if match[1].isdigit() else 0)
            start = passage.text.rfind(".", 0, match.start()) + 1
            said = shorten(" ".join(bare(passage.text[start : match.end() + 120]).split()), 200)
            name = f"{bare(passage.heading)}: {match[2]}"
            if 2 <= count <= 20:
                found.setdefault(
                    name, ClockFound(name=name, segments=count, trigger=said, page=passage.page)
                )
        for match in _CLOCK.finditer(passage.text):
            found.setdefault(match[0], ClockFound(name=match[0], page=passage.page))
    rows = sorted(found.values(), key=lambda c: -c.segments)[:20]
    sure = min(0.8, 0.25 + 0.08 * len(rows)) if rows else 0.0
    return ClocksFound(
        clocks=rows,
        confidence=round(sure, 2),
        evidence=[RuleEvidence(page=c.page, quote=c.trigger) for c in rows[:3]],
    )


def calibration(input: SystemsInput, chance: Chance) -> CalibrationFound:
    """Tables that give names to numbers: how hard, how dangerous."""
    hard: list[Preset] = []
    danger: list[Preset] = []
    for table in tables_in(input.passages):
        names = table.column(0)
        if (
            len(table.head) < 2
            or len(names) > 12
            or not all(re.search(r"[A-Za-z]{3}", name) for name in names)
        ):
            continue
        second = table.column(1)
        rows = [
            Preset(name=n, value=v, page=table.page)
            for n, v in zip(names, second, strict=False)
            if re.search(r"\d", v)
        ]
        if len(rows) < 3:
            continue
        head = f"{table.heading} {' '.join(table.head)}"
        if (
            not hard
            and re.search(r"difficult|\bDC\b|\bTN\b|target", head, re.I)
            and all(number(r.value) for r in rows)
        ):
            hard = rows
        elif not danger and re.search(
            r"danger|severity|threat|deadly|encounter|damage|save DC", head, re.I
        ):
            danger = rows
    sure = 0.5 * bool(hard) + 0.35 * bool(danger)
    return CalibrationFound(
        difficulty=hard,
        danger=danger,
        confidence=round(sure, 2),
        evidence=[
            RuleEvidence(page=r.page, quote=f"{r.name}: {r.value}")
            for r in (*hard[:1], *danger[:1])
        ],
    )


def escalation(input: SystemsInput, chance: Chance) -> EscalationFound:
    """Tables whose first column counts 1, 2, 3 and whose second says what happens then."""
    found: list[LadderFound] = []
    for table in tables_in(input.passages):
        if not 2 <= len(table.head) <= 3:
            continue
        counted = [number(cell) for cell in table.column(0)]
        told = table.column(1)
        if (
            counted[:3] == [1, 2, 3]
            and counted == list(range(1, len(counted) + 1))
            and len(counted) <= 10
        ):
            if sum(len(cell.split()) > 2 for cell in told) >= 0.7 * len(told):
                found.append(
                    LadderFound(
                        name=table.heading, steps=[shorten(c, 160) for c in told], page=table.page
                    )
                )
    sure = min(0.8, 0.45 + 0.1 * len(found)) if found else 0.0
    return EscalationFound(
        ladders=found[:12],
        confidence=round(sure, 2),
        evidence=[RuleEvidence(page=x.page, quote=x.name) for x in found[:3]],
    )


def equipment(input: SystemsInput, chance: Chance) -> EquipmentFound:
    """Tables with a column of prices."""
    lists: list[dict[str, object]] = []
    for table in tables_in(input.passages):
        paid = [row for row in table.rows if MONEY.search(" ".join(row[1:]))]
        if len(paid) >= 3 and len(paid) >= 0.4 * len(table.rows) and not MONEY.match(paid[0][0]):
            # A table that goes on from the page before has no head: its first row is a row.
            lost = bool(MONEY.search(" ".join(table.head)))
            head = [f"column {n}" for n in range(1, len(table.head) + 1)] if lost else table.head
            rows = [
                dict(zip(head, row, strict=False))
                for row in ([table.head, *paid] if lost else paid)
            ]
            lists.append(
                {
                    "name": shorten(table.heading, 60),
                    "page": table.page,
                    "columns": head,
                    "rows": rows,
                }
            )
    count = sum(len(each["rows"]) for each in lists if isinstance(each["rows"], list))
    sure = min(0.95, 0.4 + 0.01 * count) if lists else 0.0
    evidence = [
        RuleEvidence(page=int(str(each["page"])), quote=str(each["name"])) for each in lists[:3]
    ]
    return EquipmentFound(lists=lists, confidence=round(sure, 2), evidence=evidence)


def magic(input: SystemsInput, chance: Chance) -> MagicFound:
    """The catalogue of powers that enrichment found."""
    return powers_of(input.known.get("spells", []))
