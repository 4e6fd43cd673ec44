"""Finds where sheet and notes state different things of the same subject. Code decides that, never a model."""

import re
from collections.abc import Iterable, Mapping, Sequence

from rapidfuzz.distance import OSA

from freeform.assistant.entities.fold import tokens
from freeform.assistant.model import Disagreement, SourceFact
from freeform.assistant.passes import Numbered
from freeform.assistant.quotes import sentences_of
from freeform.language.inflection import lemma

_N = r"(\d[\d,]*)"
_PATTERNS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("bonus", re.compile(r"(?<![\w)])(?:a |an )?\+(\d)(?= (?:\w+ )?(?:longsword|shortsword|greatsword|sword|weapon|blade|axe|bow|"
                         r"dagger|mace|hammer|armor|armour|shield|staff|rod|wand))", re.I)),
    ("charges", re.compile(rf"{_N} (?:remaining )?charges?", re.I)),
    ("level", re.compile(r"(?:level (\d+)|(\d+)(?:st|nd|rd|th)[- ]level)", re.I)),
    ("armor class", re.compile(r"(?:AC|armou?r class)(?: of| is|:)? (\d+)", re.I)),
    ("hit points", re.compile(rf"{_N} (?:hp|hit points)", re.I)),
    ("damage", re.compile(r"(\d+d\d+)(?=[^.]{0,30}damage)", re.I)),
    ("save DC", re.compile(r"DC (\d+)")),
    ("money", re.compile(rf"{_N} (?:gp|gold)", re.I)),
    ("attunement", re.compile(r"((?:not |no longer |never |un)?attuned)", re.I)),
    ("life", re.compile(r"\b(dead|died|killed|slain|alive|survived|lives)\b", re.I)),
)  # fmt: skip
_SAME = {"died": "dead", "killed": "dead", "slain": "dead", "survived": "alive", "lives": "alive"}


def disagreements(
    sources: Sequence[Numbered], subjects: Mapping[str, Iterable[str]]
) -> list[Disagreement]:
    """For each subject (with the names it goes by): what the sheet states, what the notes state, where they differ."""
    found: list[Disagreement] = []
    for subject, names in subjects.items():
        keys = [
            frozenset(lemma(word) for word in tokens(name))
            for name in dict.fromkeys([subject, *names])
        ]
        sheet = _stated(sources, "character_data", keys)
        notes = _stated(sources, "session_notes", keys)
        for what in sheet.keys() & notes.keys():
            mine, theirs = sheet[what], notes[what]
            if mine.keys() & theirs.keys():
                continue
            sides = [
                *(f"sheet: {v} [{n}]" for v, n in mine.items()),
                *(f"notes: {v} [{n}]" for v, n in theirs.items()),
            ]
            found.append(Disagreement(subject=subject, what=what, sides=sides))
    return sorted(found, key=lambda each: (each.subject, each.what))


def _stated(
    sources: Sequence[Numbered], tool: str, keys: list[frozenset[str]]
) -> dict[str, dict[str, int]]:
    """What the sources of one tool say of the subject: what -> value -> source number."""
    said: dict[str, dict[str, int]] = {}
    for each in sources:
        if each.piece.tool != tool:
            continue
        for fact in [*each.piece.facts, *_read(each.piece.text, each.piece.title, keys)]:
            about = frozenset(lemma(word) for word in tokens(fact.subject))
            if any(_speaks_of(key, about) for key in keys):
                said.setdefault(fact.what.replace("_", " ").lower(), {}).setdefault(
                    _value(fact.value), each.n
                )
    return said


def _read(text: str, title: str, keys: list[frozenset[str]]) -> list[SourceFact]:
    """Plain statements in running text: only from sentences that name the subject, or under its own heading."""
    facts: list[SourceFact] = []
    own = frozenset(lemma(word) for word in tokens(title))
    titled = any(_speaks_of(key, own) for key in keys)
    for sentence in sentences_of(text):
        stems = frozenset(lemma(word) for word in tokens(sentence))
        if not titled and not any(_speaks_of(key, stems) for key in keys):
            continue
        for what, pattern in _PATTERNS:
            for hit in pattern.finditer(sentence):
                value = next(group for group in hit.groups() if group)
                facts.append(
                    SourceFact(subject=title if titled else sentence, what=what, value=value)
                )
    return facts


def _speaks_of(key: frozenset[str], words: frozenset[str]) -> bool:
    """Whether all words of a name are there; a long one may be spelled with one other letter, as notes do."""
    return bool(key) and all(
        part in words
        or (
            len(part) >= 6
            and any(
                OSA.distance(part, word, score_cutoff=1) <= 1 for word in words if len(word) >= 6
            )
        )
        for part in key
    )


def _value(value: str) -> str:
    low = value.strip().lower().replace(",", "")
    low = _SAME.get(low, low)
    return low.removeprefix("+") if low.startswith("+") else low
