"""What earlier stages counted of the rules: told to a model in few words, and kept whatever the
model answers.

A book has hundreds of stat blocks and spells. No model need read or repeat them: it hears how many
there are and what they look like, and adds what was missed.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

from freeform.core.text import plain_form, shorten
from freeform.ingest.systems.found import (
    ActionFound,
    ActionTypesFound,
    ConditionFound,
    ConditionsFound,
    EntityStatsFound,
    MagicFound,
    RuleEvidence,
    StatTemplate,
    SystemFindings,
)
from freeform.ingest.things.things import bare
from freeform.language.sentences import sentences

Named = TypeVar("Named", ActionFound, ConditionFound, StatTemplate)
_COST = re.compile(
    (
        r"\b(?:as an? |use an? |takes? an? |costs? (?:an? )?|spends? (?:an? )?)((?:bonus |free |"
        r"full |\d )?(?:action|reaction|turn|point|stress)s?)\b"
    ),
    re.I,
)
_RANK = re.compile(r"\d+(?:st|nd|rd|th)[- ]level|cantrip|level \d+", re.I)
_SHOWN = 3


def in_few_words(known: Mapping[str, Any]) -> dict[str, Any]:
    """What a model is told of it."""
    told: dict[str, Any] = {key: value for key, value in known.items() if key not in _KEPT}
    if blocks := known.get("stat_blocks"):
        found = stats_of(blocks)
        told["stat_blocks"] = len(blocks)
        told |= {
            "fields": found.fields,
            "threat_levels": found.threat_levels,
            "for_example": blocks[:_SHOWN],
        }
    if spells := known.get("spells"):
        powers = powers_of(spells)
        told |= {
            "count": powers.count,
            "fields": powers.fields,
            "ranks": powers.ranks,
            "for_example": powers.names[:20],
        }
    for key in ("conditions", "actions"):
        if rows := known.get(key):
            told[key] = [str(row["name"]) for row in rows]
    return told


_KEPT = frozenset({"stat_blocks", "spells", "conditions", "actions"})


def completed(finding: SystemFindings, known: Mapping[str, Any]) -> SystemFindings:
    """The finding with everything that was counted; where both speak of one thing, the model's
    words stand."""
    match finding:
        case EntityStatsFound():
            mine = stats_of(known.get("stat_blocks", []))
            return finding.model_copy(
                update={
                    "fields": mine.fields | finding.fields,
                    "threat_levels": list(
                        dict.fromkeys([*mine.threat_levels, *finding.threat_levels])
                    ),
                    "templates": _joined(mine.templates, finding.templates),
                }
            )
        case ConditionsFound():
            states = [state_of(row) for row in known.get("conditions", [])]
            return finding.model_copy(update={"conditions": _joined(states, finding.conditions)})
        case ActionTypesFound():
            deeds = [deed_of(row) for row in known.get("actions", [])]
            return finding.model_copy(update={"actions": _joined(deeds, finding.actions)})
        case MagicFound():
            powers = powers_of(known.get("spells", []))
            names = list(
                {plain_form(name): name for name in [*powers.names, *finding.names]}.values()
            )
            return finding.model_copy(
                update={
                    "names": names,
                    "count": max(len(names), finding.count),
                    "fields": finding.fields or powers.fields,
                    "ranks": finding.ranks or powers.ranks,
                }
            )
        case _:
            return finding


def _joined(counted: Iterable[Named], said: Iterable[Named]) -> list[Named]:
    rows = {plain_form(each.name): each for each in counted}
    return list((rows | {plain_form(each.name): each for each in said}).values())


def stats_of(blocks: Iterable[Mapping[str, Any]]) -> EntityStatsFound:
    """The numbers of creatures as the stat blocks have them."""
    ranges: dict[str, tuple[int, int]] = {}
    templates: list[StatTemplate] = []
    threats: Counter[str] = Counter()
    for block in blocks:
        numbers = {str(k): v for k, v in block.get("numbers", {}).items()}
        for name, value in numbers.items():
            if isinstance(value, int) and not isinstance(value, bool):
                low, high = ranges.get(name, (value, value))
                ranges[name] = (min(low, value), max(high, value))
        threat = str(numbers.get("challenge", ""))
        threats[threat] += bool(threat)
        templates.append(
            StatTemplate(name=block["name"], page=block["page"], threat=threat, numbers=numbers)
        )
    return EntityStatsFound(
        fields=ranges,
        threat_levels=[t for t, times in sorted(threats.items(), key=lambda row: -row[1]) if times],
        templates=templates,
        confidence=round(min(0.97, 0.5 + 0.05 * len(templates)) if templates else 0.0, 2),
        evidence=[RuleEvidence(page=t.page, quote=t.name) for t in templates[:3]],
    )


def powers_of(rows: list[Mapping[str, Any]]) -> MagicFound:
    """The catalogue of powers that enrichment found."""
    labels: Counter[str] = Counter(label for row in rows for label in row.get("labels", []))
    ranks = {
        found[0].lower() for row in rows if (found := _RANK.search(str(row.get("subtitle", ""))))
    }
    fields = [label for label, times in labels.most_common(8) if times >= 0.3 * len(rows)]
    sure = min(0.95, 0.35 + 0.01 * len(rows) + 0.05 * len(fields)) if rows else 0.0
    return MagicFound(
        kind="listed powers" if rows else "",
        count=len(rows),
        fields=fields,
        ranks=sorted(ranks),
        names=[str(row["name"]) for row in rows],
        confidence=round(sure, 2),
        evidence=[
            RuleEvidence(page=int(row.get("page", 0)), quote=str(row["name"])) for row in rows[:3]
        ],
    )


def state_of(row: Mapping[str, Any]) -> ConditionFound:
    """A state that has a heading, with its rules, one to a line."""
    lines = str(row.get("text", "")).splitlines()
    plain = [
        bare(line).lstrip("-•* ").strip() for line in lines if line.strip() and "|" not in line
    ]
    effects = [shorten(line, 200) for line in plain if len(line) > 12][:10]
    return ConditionFound(name=str(row["name"]), effects=effects, page=int(row.get("page", 0)))


def deed_of(row: Mapping[str, Any]) -> ActionFound:
    """An action that has a heading: what it costs, and its first two sentences."""
    text = bare(str(row.get("text", ""))).replace("\n", " ")
    cost = _COST.search(text)
    return ActionFound(
        name=str(row["name"]),
        cost=cost[1].lower() if cost else "",
        text=shorten(" ".join(sentences(text)[:2]), 240),
        page=int(row.get("page", 0)),
    )
