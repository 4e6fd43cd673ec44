"""What the offline selector sees of a question: its clauses, and each clause as a bag of words, pairs and signs."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import pairwise

import yaml

from freeform.assistant.model import Tool
from freeform.assistant.passes import KnownName
from freeform.core.text import plain_form
from freeform.language.rough_stem import rough_stem

_TOKEN = re.compile(r"<\w+>|[^\W_]+(?:'[^\W_]+)*|\d+|\+")
_ASKS = (
    r"(?:what(?:'s)?|who(?:'s|m)?|whose|which|when|where(?:'s)?|why|how|can|could|does|do|did|is|are|was|were|will|would|"
    r"should|has|have|am|tell|show|list|explain|compare|remind|give|describe|if)"
)
_CUT = re.compile(
    rf"[?!;]+\s+|\.\s+(?=[A-Z])|(?:,\s*|\s+)(?:and|but|also|plus|then)(?:\s+also)?\s+(?={_ASKS}\b)|,\s+(?={_ASKS}\b)",
    re.I,
)
_LEAD = re.compile(
    r"^(?:(?:hey|hi|hello|ok|okay|so|um|please|quick question|question)[,:!.]?\s+|(?:can|could|would) (?:you|u) (?:please )?"
    r"(?=tell|explain|remind|show|list|give|describe|summari[sz]e|recap|compare)|i (?:want|need|would like|'d like) to know |"
    r"i(?:'m| am) wondering |do you (?:know|remember) )+",
    re.I,
)
_TO_ME = re.compile(
    r"\b(tell|show|give|remind|catch|explain|walk)(?: me| us)\b|\b(?:to|for) me\b(?=[?.! ]*$)", re.I
)
"""`me` as the one who is told says nothing of the sheet."""
_MARKED = frozenset(
    "spell monster condition class subclass feature race subrace trait background feat equipment weapon armor gear magic_item"
    " skill weapon_property plane item npc place quest event faction".split()
)
"""Kinds of name that a question may be full of; the others (`AC`, `Strength`) are words that say what is wanted."""
_SAME_KIND = {
    "attack": "item", "mention": "npc", "person": "npc", "location": "place", "species": "race",
    "weapon": "equipment", "armor": "equipment", "gear": "equipment", "tool": "equipment", "subrace": "race",
}  # fmt: skip
_IT = re.compile(r"\b(?:it|its|they|them|their|he|she|him|her|his)\b", re.I)
_I = frozenset("i my me mine myself im ive i'm i've i'll i'd".split())
_WE = frozenset("we our us ours party group we've we're".split())
_PAST = frozenset(
    "did was were happened had ago last previous before earlier already yet first since remember remind recap session sessions "
    "met told said gave found fought killed left promised decided agreed chose swore went saw took lost won".split()
)


@dataclass(frozen=True)
class QuestionClause:
    """One asking part of a question, names replaced by their kinds where the sources know them."""

    text: str
    marked: str
    kinds: tuple[str, ...]
    tools: tuple[str, ...]


def clauses(question: str, known: Sequence[KnownName]) -> list[QuestionClause]:
    """The asking parts of a question; one that asks nothing of its own goes with its neighbour."""
    parts = [part.strip() for part in _CUT.split(question) if part and part.strip(" ?!.,;")]
    merged: list[str] = []
    for part in parts:
        if merged and (len(part.split()) < 3 and not re.search(r"\bmy\b|\?", part)):
            merged[-1] = f"{merged[-1]} {part}"
        else:
            merged.append(part)
    made: list[QuestionClause] = []
    for part in merged[:6] or [question]:
        clause = mark(part, known)
        if made and made[-1].kinds and not clause.kinds:
            # `… and what are its stats`: what was spoken of before is still spoken of.
            kind = made[-1].kinds[-1]
            marked, hits = _IT.subn(f" <{kind}> ", clause.marked, count=1)
            clause = (
                QuestionClause(clause.text, marked, (kind,), made[-1].tools) if hits else clause
            )
        made.append(clause)
    return made


def mark(text: str, known: Sequence[KnownName]) -> QuestionClause:
    """A clause with `<kind>` in the place of each known name."""
    text = _TO_ME.sub(r"\1", _LEAD.sub("", text))
    marked, kinds, tools = text, list[str](), list[str]()
    for name in sorted(known, key=lambda each: -len(each.text)):
        if name.confidence < 0.6 or name.text not in marked:
            continue
        kind = _kind(name, bool(_I & set(plain_form(text).split())))
        if kind not in _MARKED:
            continue
        marked = marked.replace(name.text, f" <{kind}> ", 1)
        kinds.append(kind)
        tools += name.tools
    for hit in list(lexicon()[0].finditer(marked))[:8]:
        kind = lexicon()[1][plain_form(hit[0])]
        marked = marked.replace(hit[0], f" <{kind}> ", 1)
        kinds.append(kind)
    return QuestionClause(text, marked, tuple(kinds), tuple(dict.fromkeys(tools)))


@cache
def lexicon() -> tuple[re.Pattern[str], dict[str, str]]:
    """Words of the game by kind, for names that no source at hand knows; the longest first."""
    text = (files(__package__) / "lexicon.yaml").read_text(encoding="utf-8")
    kinds = {
        word.strip(): kind
        for kind, words in yaml.load(text, Loader=yaml.CSafeLoader).items()
        for word in words.split(",")
    }
    longest = sorted(kinds, key=lambda word: -len(word))
    return re.compile(rf"(?<![\w<])(?:{'|'.join(map(re.escape, longest))})(?![\w>])", re.I), kinds


@cache
def _signs() -> dict[str, re.Pattern[str]]:
    """Turns of phrase by name."""
    text = (files(__package__) / "signs.yaml").read_text(encoding="utf-8")
    return {
        sign: re.compile(pattern)
        for sign, pattern in yaml.load(text, Loader=yaml.CSafeLoader).items()
    }


@cache
def _cues() -> dict[str, re.Pattern[str]]:
    """For each intention the words that speak for it."""
    text = (files(__package__) / "cues.yaml").read_text(encoding="utf-8")
    return {
        name: re.compile(rf"(?<!\w)(?:{'|'.join(cue.strip() for cue in cues.split(','))})(?!\w)")
        for name, cues in yaml.load(text, Loader=yaml.CSafeLoader).items()
    }


def _kind(name: KnownName, mine: bool) -> str:
    """What kind of thing a name is. Where sheet and rulebook both have it, `my` decides between them."""
    order: tuple[Tool, ...] = ("rulebook", "session_notes", "character_data")
    if name.kinds.get("character_data") in ("item", "attack"):
        order = ("rulebook", "character_data", "session_notes")
    kinds = [
        name.kinds[tool] for tool in (reversed(order) if mine else order) if name.kinds.get(tool)
    ]
    return _SAME_KIND.get(kinds[0], kinds[0]) if kinds else "name"


def features(clause: QuestionClause) -> list[str]:
    """The signs of a clause: stems, pairs, how it begins, who speaks, when, and what kinds of name are in it."""
    raw = _TOKEN.findall(_named(clause.marked))
    words = [w if w.startswith("<") else rough_stem(plain_form(w)) for w in raw]
    low = [plain_form(w).replace("'s", "") if len(w) > 6 else plain_form(w) for w in raw]
    found = [f"w:{word}" for word in dict.fromkeys(words)]
    found += [f"p:{a}_{b}" for a, b in pairwise(words)]
    found += [f"t:{a}_{b}_{c}" for a, b, c in zip(words, words[1:], words[2:], strict=False)]
    found.append(f"b:{' '.join(words[:1])}")
    found.append(f"b:{' '.join(words[:2])}")
    mine, ours = bool(_I & set(low)), bool(_WE & set(low))
    past = bool(_PAST & set(low))
    found += [sign for sign, there in (("s:i", mine), ("s:we", ours), ("s:past", past)) if there]
    found.append(f"s:{'i' if mine else ''}{'we' if ours else ''}{'past' if past else ''}-")
    if "my" in low:
        after = low.index("my") + 1
        found.append(f"my:{words[after]}" if after < len(words) else "my:")
    found += [f"k:{kind}" for kind in dict.fromkeys(clause.kinds)]
    found += [
        f"k:{kind}{'i' if mine else ''}{'we' if ours else ''}"
        for kind in dict.fromkeys(clause.kinds)
    ]
    if len(clause.kinds) > 1:
        found.append("k:several")
    found += [f"r:{sign}" for sign, pattern in _signs().items() if pattern.search(" ".join(low))]
    spoken = " ".join(_TOKEN.findall(plain_form(clause.text)))
    found += [f"c:{name}" for name, pattern in _cues().items() if pattern.search(spoken)]
    if any(re.fullmatch(r"\d+(?:st|nd|rd|th)?", w) for w in low):
        found.append("s:number")
    return found


def _named(text: str) -> str:
    """Words written like names that no source knows become `<unknown>`, but for the first word."""
    words = text.split(" ")
    done = words[:1]
    for word in words[1:]:
        bare = word.strip("?!.,;:'\"()")
        if (
            bare[:1].isupper()
            and len(bare) > 2
            and not bare.isupper()
            and not bare.startswith("I'")
        ):
            if done[-1] != "<unknown>":
                done.append("<unknown>")
        else:
            done.append(word)
    return " ".join(done)
