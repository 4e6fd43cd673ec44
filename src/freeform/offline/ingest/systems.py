"""Reads how a game decides and what its people are made of, without a model: from shapes, tables
and stat blocks."""

import re
from collections import Counter

from freeform.core.chance import Chance
from freeform.core.text import shorten, slug
from freeform.ingest.systems.counted import stats_of
from freeform.ingest.systems.found import (
    EntityStatsFound,
    HealthFound,
    HealthLevel,
    OutcomeBand,
    ResolutionFound,
    RuleEvidence,
    StatSchemaFound,
)
from freeform.ingest.systems.passes import RulesPassage, SystemsInput
from freeform.ingest.systems.statements import Agreed, agreed, has_dice_codes, statements_in
from freeform.language.words import word_class
from freeform.offline.ingest.tables import number, tables_in

_DIE = re.compile(r"\b(\d{0,2})d(\d{1,3}|%)\b")
_ROLLED = re.compile(
    r"\b[Rr]oll(?:s|ing|ed)?\b(?: \w+){0,3}? (\d{0,2})d(\d{1,3})\b(?! \w* ?damage)"
)
_BAND = re.compile(r"\b[Oo]n an? (?:(\d+)\+|(\d+)\s?[-–]\s?(\d+)|(\d+) or (?:less|lower|under))")
_POOL = re.compile(
    r"\b(?:dice pools?|pool of dice|number of successes|each success|net successes|botch(?:es)?)\b",
    re.I,
)
_TARGET = re.compile(
    r"\b(?:DC|TN|CD|[Dd]ifficulty(?: [Cc]lass)?|[Tt]arget [Nn]umber)\b\s*(?:of\s*)?(\d+)?"
)
_MEETS = re.compile(r"\b(?:equals? or exceeds?|meets? or (?:exceeds?|beats?)|beats? the)\b")
_UNDER = re.compile(
    r"\b(?:equal to or (?:less|lower|under|below)|(?:less|lower) than or equal to|or (?:less|lower|under)[^.]{0,30}"
    r"(?:skill|score|ability|attribute|characteristic)|(?:at or )?(?:under|below)[^.]{0,24}"
    r"(?:skill|score|ability|attribute|characteristic|stat)|roll(?:s|ed|ing)?[- ]under)\b",
    re.I,
)
_PERCENT = re.compile(r"\b(?:percentile dice|d100|d%|1d100)\b", re.I)
_GROUP_OF = re.compile(r"(?m)^\W*([A-Z][a-z]+): ([A-Z][a-z]+(?:, [A-Z][a-z]+){2,5})\.?\s*$")
_LISTED = re.compile(
    r"\b(?:attributes?|abilit(?:y|ies)|characteristics|stats)\b[^.:;]{0,70}:\s*((?:(?:and |or )?[A-Z][a-z]+(?: \([A-Z]{2,4}\))?"
    r"(?:, | and | or |, and )?){3,9})",
    re.I,
)


def _quote(
    passages: list[RulesPassage], pattern: re.Pattern[str], most: int = 3
) -> list[RuleEvidence]:
    found: list[RuleEvidence] = []
    for passage in passages:
        if (match := pattern.search(passage.text)) and len(found) < most:
            start = max(0, passage.text.rfind(".", 0, match.start()) + 1)
            found.append(
                RuleEvidence(
                    page=passage.page, quote=shorten(" ".join(passage.text[start:].split()), 140)
                )
            )
    return found


def resolution(input: SystemsInput, chance: Chance) -> ResolutionFound:
    """How dice decide: bands, a number to reach, or a pool whose successes are counted."""
    text = "\n".join(passage.text for passage in input.passages)
    dice = Counter((found[1] or "1", found[2]) for found in _DIE.finditer(text))
    # Dice one is told to roll decide; dice that follow a number of points are harm.
    dice += Counter(
        {
            (count or "1", sides): 5 * times
            for (count, sides), times in Counter(_ROLLED.findall(text)).items()
        }
    )
    tens = [found for found in _BAND.finditer(text)]
    said = agreed(statements_in(text))
    if doubt := _doubt(text, said):
        return ResolutionFound(confidence=0.1 if dice else 0.0, why_not=doubt)
    if said is not None:
        dice = Counter({(str(said.count), str(said.sides)): 1000})
    scores = {
        "sum_bands": 1.5 * len(tens),
        "dice_pool": 1.6 * len(_POOL.findall(text)),
        "target_number": 0.5 * len(_TARGET.findall(text)) + 1.0 * len(_MEETS.findall(text)),
        "roll_under": 2.2 * len(_UNDER.findall(text)),
    }
    if said is not None and said.way in _METHODS:
        scores[_METHODS[said.way]] += 2.0 + sum(scores.values())
    method = max(scores, key=lambda name: scores[name])
    if scores[method] < 2:
        return ResolutionFound(
            confidence=0.1 if dice else 0.0, why_not="no sentence says what a roll is held against"
        )
    share = scores[method] / sum(scores.values())
    match method:
        case "sum_bands":
            found = _by_bands(tens, dice)
        case "dice_pool":
            found = _by_pool(text, dice)
        case "roll_under":
            found = _by_score(text, dice, said)
        case _:
            found = _by_target(input, text, dice, said)
    pattern = {"sum_bands": _BAND, "dice_pool": _POOL, "roll_under": _UNDER}.get(
        method, _MEETS if _MEETS.search(text) else _TARGET
    )
    agree = said.share if said is not None else 0.5
    sure = min(0.95, 0.2 + 0.3 * share + 0.3 * agree + 0.04 * found.filled())
    told = {
        "confidence": round(sure, 2),
        "evidence": _quote(input.passages, pattern),
        "modifiers": _modifiers(text),
    }
    return found.model_copy(update=told)


_METHODS = {
    "under": "roll_under",
    "over": "target_number",
    "bands": "sum_bands",
    "count": "dice_pool",
}


def _doubt(text: str, said: Agreed | None) -> str:
    """Why nothing should be claimed of the dice, '' when it may be."""
    if has_dice_codes(text):
        return "skills are written as dice to be summed (3D+2), which the engine does not play"
    if said is None:
        return "" if _POOL.search(text) else "no sentence says which dice decide"
    if said.way == "highest":
        return f"the highest of several dice decides ({said.dice}), which the engine does not play"
    if not said.clear:
        return f"sentences about rolling do not agree; the likeliest, {said.dice}, has {said.share:.0%}"
    return ""


def _by_bands(found: list[re.Match[str]], dice: Counter[tuple[str, str]]) -> ResolutionFound:
    floors = Counter(int(match[1] or match[2]) for match in found if match[1] or match[2])
    marks = sorted(
        mark for mark, times in floors.items() if times >= max(1, 0.1 * sum(floors.values()))
    )[:4]
    names = {1: ["success"], 2: ["mixed", "success"], 3: ["mixed", "success", "critical"]}.get(
        len(marks), ["failure", "mixed", "success", "critical"]
    )
    bands = [OutcomeBand(outcome="failure", at_least=-99)]
    bands += [
        OutcomeBand(outcome=name, at_least=mark) for mark, name in zip(marks, names, strict=False)
    ]
    count, sides = _common(dice, ("2", "6"))
    return ResolutionFound(method="sum_bands", dice_count=count, die_type=sides, bands=bands)


def _by_pool(text: str, dice: Counter[tuple[str, str]]) -> ResolutionFound:
    _, sides = _common(dice, ("1", "10"))
    wanted = Counter(int(n) for n in re.findall(r"\b[Dd]ifficulty (?:of )?(\d{1,2})\b", text))
    wanted += Counter(
        int(n)
        for n in re.findall(r"\b(\d{1,2}) or (?:higher|more|better)\b", text)
        if int(n) <= sides
    )
    return ResolutionFound(
        method="dice_pool",
        dice_count=1,
        die_type=sides,
        difficulty_default=wanted.most_common(1)[0][0] if wanted else max(2, round(sides * 0.6)),
        ones_cancel=bool(
            re.search(r"\b(?:ones?|1s?)\b[^.]{0,40}\b(?:cancel|subtract|negate)", text, re.I)
        ),
    )


def _by_score(text: str, dice: Counter[tuple[str, str]], said: Agreed | None) -> ResolutionFound:
    """Low wins: percentile dice against a skill, or a d20 (or 3d6) against a score."""
    near = " ".join(
        text[max(0, found.start() - 160) : found.end() + 60] for found in _UNDER.finditer(text)
    )
    percent = bool(_PERCENT.search(near)) or len(_PERCENT.findall(text)) >= 2
    here = Counter((found[1] or "1", found[2]) for found in _DIE.finditer(near))
    count, sides = (1, 100) if percent else _common(here, _common_pair(dice), likely=("20",))
    if said is not None:
        count, sides = said.count, said.sides
    natural: dict[str, str] = {}
    if re.search(
        r"\b(?:natural|roll of|rolls? an?) 0?1\b[^.]{0,40}\b(?:always|critical|succe)", text, re.I
    ):
        natural["1"] = "critical"
    worst = re.search(
        r"\b(?:natural |roll of )?(\d\d)(?:[-–](?:00|100))?[^.]{0,24}\b(?:always fails?|fumble|botch)",
        text,
    )
    if count == 1 and sides >= 20:
        first = sides if worst is None else int(worst[1]) or 100
        natural |= {str(n): "botch" for n in range(max(first, round(sides * 0.9)), sides + 1)}
    return ResolutionFound(
        method="target_number", dice_count=count, die_type=sides, roll_under=True, natural=natural
    )


def _common_pair(dice: Counter[tuple[str, str]]) -> tuple[str, str]:
    return (
        dice.most_common(1)[0][0] if dice and dice.most_common(1)[0][0][1] != "%" else ("1", "20")
    )


def _by_target(
    input: SystemsInput, text: str, dice: Counter[tuple[str, str]], said: Agreed | None
) -> ResolutionFound:
    count, sides = (said.count, said.sides) if said else _common(dice, ("1", "20"))
    named: dict[str, int] = {}
    for table in tables_in(input.passages):
        if table.find(r"\b(DC|TN|difficulty|target|number)\b") < 0 or len(table.head) != 2:
            continue
        names, column = (0, 1) if number(table.rows[0][-1]) is not None else (1, 0)
        rows = [
            (row[names], number(row[column])) for row in table.rows if len(row) > max(column, names)
        ]
        told = {
            name: value for name, value in rows if value is not None and re.search("[A-Za-z]", name)
        }
        if (
            len(told) > len(named)
            and len(told) >= 3
            and sorted(told.values()) == list(told.values())
        ):
            named = told
    numbers = [int(found[1]) for found in _TARGET.finditer(text) if found[1]]
    default = said.aim if said else 0
    if not default and numbers:
        default = Counter(numbers).most_common(1)[0][0]
    if not default:
        default = sorted(named.values())[len(named) // 2] if named else round(sides * count * 0.6)
    natural: dict[str, str] = {}
    if re.search(rf"\b(?:natural|rolls? an?|is an?|a) {sides}\b", text):
        natural[str(sides)] = "critical"
    if re.search(r"\b(?:natural|rolls? an?|is an?) 1\b", text):
        natural["1"] = "botch"
    return ResolutionFound(
        method="target_number",
        dice_count=count,
        die_type=sides,
        difficulties=named,
        difficulty_default=default,
        natural=natural if sides >= 12 else {},
    )


def _common(
    dice: Counter[tuple[str, str]], fallback: tuple[str, str], likely: tuple[str, ...] = ()
) -> tuple[int, int]:
    """The dice a game rolls to decide: the likely sort if it is used at all, else the commonest."""
    for sides in likely:
        if sum(times for (_, s), times in dice.items() if s == sides) >= 4:
            return 1, int(sides)
    usable = Counter({pair: times for pair, times in dice.items() if pair[1] != "%"})
    count, sides = usable.most_common(1)[0][0] if usable else fallback
    return max(1, int(count)), int(sides)


def _modifiers(text: str) -> list[str]:
    found = Counter(
        re.findall(
            r"\b((?:dis)?advantage|proficiency bonus|circumstance bonus|forward|ongoing|situational modifier)\b",
            text,
        )
    )
    return [word for word, times in found.most_common(5) if times > 1]


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
        evidence=_quote(input.passages, re.compile(rf"\b{attributes[0].capitalize()}\b"))
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
        evidence=_quote(
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
