"""Examples made from examples: other names, two inputs as one, the slips of hurried hands."""

import random
from collections.abc import Sequence
from dataclasses import replace

from corpus import Act, Example
from mentions import Mention

DEEDS = frozenset(
    "look search move take give use open_close unlock_break attack sneak_hide help_heal "
    "make_improvise wait_rest".split()
)
JOINTS = (". ", ". ", "! ", ", then ", ", and then ", "; ", " then ", "\n", ", ", " and ")
Edit = tuple[int, int, str]
"""A stretch of the text, and what stands there instead."""


def edited(example: Example, edits: Sequence[Edit]) -> Example:
    """The example with stretches replaced and everything at its new place; edits are in order."""
    parts: list[str] = []
    starts, ends = list(range(len(example.text) + 1)), list(range(len(example.text) + 1))
    since = grown = 0
    for start, end, put in edits:
        parts += [example.text[since:start], put]
        for at in range(since, start + 1):
            starts[at] += grown
        for at in range(since + 1, start + 1):
            ends[at] += grown
        first = start + grown
        grown += len(put) - (end - start)
        for at in range(start + 1, end):
            starts[at], ends[at] = first, end + grown
        ends[end] = end + grown
        since = end
    parts.append(example.text[since:])
    for at in range(since, len(starts)):
        starts[at] += grown
    for at in range(since + 1, len(ends)):
        ends[at] += grown
    acts = tuple(_moved(act, starts, ends) for act in example.acts)
    named = tuple((starts[a], ends[b], kind) for a, b, kind in example.named)
    return replace(example, text="".join(parts), acts=acts, named=named)


def _moved(act: Act, starts: Sequence[int], ends: Sequence[int]) -> Act:
    spans = tuple(replace(s, start=starts[s.start], end=ends[s.end]) for s in act.spans)
    return replace(act, start=starts[act.start], end=ends[act.end], spans=spans)


def renamed(example: Example, names: dict[str, list[str]], luck: random.Random) -> Example:
    """Some of what it names is named otherwise, by a name of the same kind from any scene."""
    edits: list[Edit] = []
    for start, end, kind in example.named:
        if luck.random() < 0.5:
            name = luck.choice(names[kind])
            was = example.text[start:end]
            edits.append((start, end, name.lower() if was.islower() else name))
    return edited(example, edits)


def joined(one: Example, other: Example, luck: random.Random) -> Example | None:
    """Two inputs as one, where nobody would take the end of the first and the beginning of the
    second for one act."""
    last, first = one.acts[-1].family, other.acts[0].family
    if last == first or not {last, first} & DEEDS:
        return None
    text = one.text.rstrip(" .!,;")
    if len(text) < one.acts[-1].end - 1:
        return None
    one = edited(one, [(len(text), len(one.text), luck.choice(JOINTS))])
    grown = len(one.text)
    acts = [_shifted(act, grown) for act in other.acts]
    named: list[Mention] = [(a + grown, b + grown, kind) for a, b, kind in other.named]
    cut = [replace(act, end=min(act.end, len(text))) for act in one.acts]
    return replace(one, text=one.text + other.text, acts=(*cut, *acts), named=(*one.named, *named))


def _shifted(act: Act, by: int) -> Act:
    spans = tuple(replace(s, start=s.start + by, end=s.end + by) for s in act.spans)
    return replace(act, start=act.start + by, end=act.end + by, spans=spans)


def slipped(example: Example, luck: random.Random) -> Example:
    """The text as a hurried hand types it."""
    lower = luck.random() < 0.25
    bare = luck.random() < 0.12
    rate = luck.choice((0.0, 0.0, 0.01, 0.03))
    if lower and len(example.text.lower()) == len(example.text):
        example = replace(example, text=example.text.lower())
    edits: list[Edit] = []
    for at, letter in enumerate(example.text):
        if bare and letter in ".,!?'\"’":
            edits.append((at, at + 1, ""))
        elif rate and letter.isalpha() and luck.random() < rate:
            other = luck.choice("abcdefghiklmnoprstu")
            edits.append((at, at + 1, luck.choice(("", letter * 2, other))))
    return edited(example, edits) if edits else example


def names_of(examples: Sequence[Example]) -> dict[str, list[str]]:
    """The names that the examples use, by kind."""
    names: dict[str, set[str]] = {}
    for example in examples:
        for start, end, kind in example.named:
            names.setdefault(kind, set()).add(example.text[start:end])
    return {kind: sorted(found) for kind, found in names.items()}
