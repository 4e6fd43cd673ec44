"""Reads how dice decide in a game, without a model: from sentences that say so, bands, tables and
target numbers."""

import re
from collections import Counter
from collections.abc import Mapping

from freeform.core.chance import Chance
from freeform.core.text import shorten
from freeform.ingest.systems.found import OutcomeBand, ResolutionFound, RuleEvidence
from freeform.ingest.systems.passes import RulesPassage, SystemsInput
from freeform.ingest.systems.statements import Agreed, agreed, has_dice_codes, statements_in
from freeform.offline.ingest.tables import number, tables_in

_DIE = re.compile(r"\b(\d{0,2})d(\d{1,3}|%)\b")
_ROLLED = re.compile(
    r"\b[Rr]oll(?:s|ing|ed)?\b(?: \w+){0,3}? (\d{0,2})d(\d{1,3})\b(?! \w* ?damage)"
)
_BAND = re.compile(
    r"\b[Oo]n (?:an? )?(?:(\d+)\+|(\d+)\s?(?:[-–]|to |through )\s?(\d+)|"
    r"(\d+) or (?:less|lower|under))"
)
#: What a die must show (`Every die that shows 5 or 6 is a success`).
_SHOWN = re.compile(
    r"\b(?:each|every|any) (?:die|dice)\b[^.]{0,30}?\b(\d)(?:,? \d)*,? or\s+(?:a )?\d\b"
    r"[^.]{0,30}\b(?:success|hit)",
    re.I,
)
_FLOOR = re.compile(r"\b[Oo]n (?:an? )?(\d+) or (?:more|higher|greater|better|above|up)")
_POOL = re.compile(
    r"\b(?:dice pools?|pool of dice|number of successes|each success|net successes|botch(?:es)?)\b",
    re.I,
)
_TARGET = re.compile(
    r"\b(?:DC|TN|CD|[Dd]ifficulty(?: [Cc]lass)?|[Tt]arget [Nn]umber)\b\s*(?:of\s*)?(\d+)?"
)
_MEETS = re.compile(r"\b(?:equals? or exceeds?|meets? or (?:exceeds?|beats?)|beats? the)\b")
_UNDER = re.compile(
    r"\b(?:equal to or (?:less|lower|under|below)|(?:less|lower) than or equal to|"
    r"or (?:less|lower|under)[^.]{0,30}(?:skill|score|ability|attribute|characteristic)|"
    r"(?:at or )?(?:under|below)[^.]{0,24}"
    r"(?:skill|score|ability|attribute|characteristic|stat)|roll(?:s|ed|ing)?[- ]under)\b",
    re.I,
)
LEAST_BANDS = 2
_PERCENT = re.compile(r"\b(?:percentile dice|d100|d%|1d100)\b", re.I)


def quoted(
    passages: list[RulesPassage], pattern: re.Pattern[str], most: int = 3
) -> list[RuleEvidence]:
    """Sentences in which a pattern stands, as evidence."""
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
        dice = Counter({(str(said.number), str(said.sides)): 1000})
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
            found = _by_bands([*tens, *_FLOOR.finditer(text)], dice)
            if len(found.bands) < LEAST_BANDS:
                return ResolutionFound(confidence=0.1, why_not="its bands of results do not read")
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
        "evidence": quoted(input.passages, pattern),
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
        likeliest = f"the likeliest, {said.dice}, has {said.share:.0%}"
        return f"sentences about rolling do not agree; {likeliest}"
    return ""


def _by_bands(found: list[re.Match[str]], dice: Counter[tuple[str, str]]) -> ResolutionFound:
    told = (match[1] or match[2] if match.re is _BAND else match[1] for match in found)
    floors = Counter(int(mark) for mark in told if mark)
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
    if shown := _SHOWN.search(text):
        wanted[int(shown[1])] += sum(wanted.values()) + 1
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
        count, sides = said.number, said.sides
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
    count, sides = (said.number, said.sides) if said else _common(dice, ("1", "20"))
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
    default = said.aim if said else 0
    default = default or _usual(text, input.known.get("asked_for", {}), named)
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


def _usual(text: str, asked: Mapping[str, int], named: Mapping[str, int]) -> int:
    """The number that is reached for where nothing else is said: the middle of a ladder that a
    sentence tells, what the book names or asks for most often, the middle of a table; 0 where it
    gives none."""
    for sentence in re.split(r"(?<=[.!?])\s+|\n+", text):
        rungs = [int(each) for each in re.findall(r"(?<![\w.,+-])\d{1,2}(?![\w%])", sentence)]
        if _TARGET.search(sentence) and len(rungs) >= 3 and rungs == sorted(set(rungs)):
            return rungs[len(rungs) // 2]
    numbers = Counter(int(found[1]) for found in _TARGET.finditer(text) if found[1])
    numbers += Counter({int(value): times for value, times in asked.items()})
    if numbers:
        return numbers.most_common(1)[0][0]
    return sorted(named.values())[len(named) // 2] if named else 0


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
