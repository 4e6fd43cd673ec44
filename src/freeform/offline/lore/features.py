"""What the learned reader looks at: the words between, before and behind two names of a sentence;
and the words of and around one name. All as plain strings, which the model counts."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from freeform.language.inflection import lemma

_TOKEN = re.compile(r"\[\d+[a-z]\]|'s\b|[^\W_]+(?:['’-][^\W_]+)*|[^\w\s]")
_SLOT = re.compile(r"\[(\d+)([a-z])\]")
_READ_AS = {"z": "p", "k": "u"}
"""A zone is a place to the reader, a known name of unknown kind is an unknown one."""
_LONGEST_WHOLE, _FAR, _BESIDE = 4, 40, 3
_JOINTS = frozenset({",", "and", "or", "&", "the", "as", "well"})
_OPENS = frozenset({",", "(", ")", "—", "–", "-"})
_BOUNDS = (";", ":", ",", "(", '"', "“", "who", "which", "whose", "that", "and", "but")
_DISTANCES = (0, 1, 2, 4, 8, 16)


class NameSlot(NamedTuple):
    """A name's place among the words, its number, and the letter of its kind."""

    at: int
    number: int
    kind: str


class SlottedTokens:
    """A sentence as words, with every slot."""

    def __init__(self, slotted: str) -> None:
        self.words: list[str] = []
        self.slots: list[NameSlot] = []
        for token in _TOKEN.findall(slotted):
            found = _SLOT.fullmatch(token)
            if found:
                kind = _READ_AS.get(found[2], found[2])
                self.slots.append(NameSlot(len(self.words), int(found[1]), kind))
                self.words.append(f"[{kind}]")
            else:
                self.words.append(_plain(token))

    def before(self, slot: NameSlot) -> str:
        """The word before a name."""
        return self.words[slot.at - 1] if slot.at else "^"


@lru_cache(maxsize=65_536)
def _plain(token: str) -> str:
    if token.isdigit():
        return "0"
    return lemma(token.lower().replace("’", "'")) if token[0].isalpha() else token


def pairs(tokens: SlottedTokens) -> Iterator[tuple[NameSlot, NameSlot]]:
    """Every two slots that do not stand too far apart, either first."""
    for one in tokens.slots:
        for other in tokens.slots:
            if one.number != other.number and abs(one.at - other.at) <= _FAR:
                yield one, other


def pair_features(tokens: SlottedTokens, subject: NameSlot, object: NameSlot) -> list[str]:
    """What speaks for a relation of the first to the second."""
    forward = subject.at < object.at
    first, second = (subject, object) if forward else (object, subject)
    way, kinds = (">" if forward else "<"), subject.kind + object.kind
    between = tokens.words[first.at + 1 : second.at]
    bare = without_lists(without_asides(between), first.kind, second.kind)
    found = [f"k {kinds}", f"kw {way}{kinds}"]
    found += _between(bare, way, kinds)
    found += _around(tokens, first, second, (way, kinds))
    found += _structure(tokens, subject, object, (way, kinds))
    found += [f"d{way} {_bucket(len(bare))}", f"d{kinds} {_bucket(len(bare))}"]
    found += [f"c {word}" for word in _BOUNDS if word in between]
    return found


def _between(bare: Sequence[str], way: str, kinds: str) -> list[str]:
    found: list[str] = []
    for word in sorted(set(bare)):
        found += [f"u{way} {word}", f"u{way}{kinds} {word}", f"uk{kinds} {word}"]
    for one, two in zip(["^", *bare], [*bare, "$"], strict=True):
        found += [f"b{way} {one} {two}", f"b{way}{kinds} {one} {two}"]
    head, last = (bare[0], bare[-1]) if bare else ("-", "-")
    found += [f"e{way} {head} {last}", f"l{way}{kinds} {last}", f"f{way}{kinds} {head}"]
    if len(bare) <= _LONGEST_WHOLE:
        found += [f"w{way} {' '.join(bare)}", f"w{way}{kinds} {' '.join(bare)}"]
    others = [word for word in bare if word.startswith("[")]
    found += [f"o {min(3, len(others))}"]
    return found


def _around(
    tokens: SlottedTokens, first: NameSlot, second: NameSlot, of: tuple[str, str]
) -> list[str]:
    way, kinds = of
    before = ["^", *tokens.words[: first.at]]
    behind = [*tokens.words[second.at + 1 :], "$"]
    found = [f"p{way} {before[-1]}", f"p{way}{kinds} {before[-1]}"]
    found += [f"q{way} {behind[0]}", f"q{way}{kinds} {behind[0]}"]
    found += [f"pp{kinds} {word}" for word in before[-_BESIDE:]]
    found += [f"qq{kinds} {word}" for word in behind[:_BESIDE]]
    return found


def _structure(
    tokens: SlottedTokens, subject: NameSlot, object: NameSlot, of: tuple[str, str]
) -> list[str]:
    """Where the two stand among the names of the sentence: who else could be meant."""
    way, kinds = of
    low, high = sorted((subject.at, object.at))
    inside = [slot for slot in tokens.slots if low < slot.at < high]
    rival = any(slot.kind == subject.kind for slot in inside)
    earlier = any(slot.kind == subject.kind and slot.at < subject.at for slot in tokens.slots)
    leads = tokens.slots[0].number == subject.number
    aside = sum(word in (",", "(") for word in tokens.words[: subject.at]) % 2
    return [
        f"T1 {leads}",
        f"T1{kinds} {leads}",
        f"T2 {aside}",
        f"T3{kinds} {earlier}",
        f"T4{way} {rival}",
        f"T4{kinds} {rival}",
        f"T5{way} {leads}{min(len(inside), 4)}",
        f"T6{kinds} {tokens.before(subject)}",
        f"T7{kinds} {tokens.before(object)}",
        f"T7{way} {tokens.before(object)}",
        f"T8 {min(len(tokens.slots), 8)}",
    ]


def name_features(tokens: SlottedTokens, slot: NameSlot, name: str) -> list[str]:
    """What speaks for the kind of a name: its own words and those beside it."""
    own = [_plain(word) for word in re.findall(r"[^\W_]+", name)] or ["-"]
    small = name.lower()
    found = [f"n {word}" for word in own]
    found += [f"n1 {own[0]}", f"n9 {own[-1]}", f"n# {min(len(own), 4)}"]
    found += [f"end{length} {small[-length:]}" for length in (2, 3, 4)]
    found += [f"the {tokens.before(slot) == 'the'}", f"of {' of ' in small}"]
    before = ["^", "^", "^", *tokens.words[: slot.at]][-3:]
    behind = [*tokens.words[slot.at + 1 :], "$", "$", "$"][:3]
    found += [f"p{place} {word}" for place, word in enumerate(reversed(before))]
    found += [f"f{place} {word}" for place, word in enumerate(behind)]
    found += [f"p {before[-2]} {before[-1]}", f"f {behind[0]} {behind[1]}"]
    found += [f"near {word}" for word in sorted({*before, *behind})]
    return found


def without_asides(between: Sequence[str]) -> list[str]:
    """The words without what stands between two commas, brackets or dashes: `, a lay member of the
    [f],`; a list is none."""
    kept: list[str] = []
    opened = -1
    for word in between:
        if word in _OPENS:
            aside = kept[opened:] if opened >= 0 else []
            if len(aside) > 2 and "and" not in aside:
                kept, opened = kept[:opened], -1
                continue
            opened = len(kept)
        kept.append(word)
    return kept


def without_lists(between: Sequence[str], first: str, second: str) -> list[str]:
    """`lead to [p], [p] and` becomes `lead to`: the last of a list is told what the first is; and
    so at the other end."""
    kept = list(between)
    end = len(kept)
    while end and (kept[end - 1] in _JOINTS or kept[end - 1] == f"[{second}]"):
        end -= 1
    if f"[{second}]" in kept[end:]:
        kept = kept[: end + (kept[end] == "the")]
    start = 0
    while start < len(kept) and (kept[start] in _JOINTS or kept[start] == f"[{first}]"):
        start += 1
    return kept[start:] if f"[{first}]" in kept[:start] else kept


def _bucket(count: int) -> int:
    return next((edge for edge in _DISTANCES if count <= edge), 32)
