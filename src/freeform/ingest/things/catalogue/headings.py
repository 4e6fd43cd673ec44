"""What the headings above an entry say of it: `Tier 2 Foes`, `Ember Domain`, `Cleric Spells`. Pure.

A heading says something of what stands below it when it is one of several that differ in one
place only: the place is the value, and the word that stays is its label. Where what differs is the
name of an entry of another catalogue, the kind of that catalogue is the label.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

from freeform.ingest.things.catalogue.pairs import key_of
from freeform.ingest.things.catalogue.schemas import MemberGroup
from freeform.ingest.things.kinds import kind_word
from freeform.language.forms import is_plural

#: Headings of a series at least; share of a catalogue's members that must stand below one.
LEAST, MOST = 2, 0.6
_BRACKETS = re.compile(r"\([^)]*\)")
_NUMBERED = re.compile(r"([^\W\d_]+)\s+(\d+)\b")
Told = tuple[str, str]
"""A label and its value."""
Kinds = Mapping[str, str]
"""The kind of each entry of the named catalogues, by the entry's name."""


def add_heading_fields(found: MemberGroup, kinds: Kinds) -> None:
    """Gives members the fields that the headings above them hold."""
    titles = {title for member in found.members for title in member.path}
    series = [_numbered(titles), _worded(titles), _referring(titles, kinds)]
    for told in series:
        chosen = {
            member.id: told[title]
            for member in found.members
            for title in member.path
            if title in told
        }
        if len(chosen) < MOST * len(found.members) or len(set(chosen.values())) < LEAST:
            continue
        for id, (label, value) in chosen.items():
            _add(found, id, label, value)


def _add(found: MemberGroup, id: str, label: str, value: str) -> None:
    fields = found.fields[id]
    if key_of(label) in {key_of(known) for known in fields}:
        return
    fields[label] = value
    found.counts[key_of(label)] += 1
    found.labels.setdefault(key_of(label), label)


def _numbered(titles: Iterable[str]) -> dict[str, Told]:
    """`Tier 1 Foes`, `Tier 2 Foes`: the word before the number is the label."""
    groups: dict[str, dict[str, Told]] = defaultdict(dict)
    for title in titles:
        plain = _BRACKETS.sub(" ", title).strip()
        number = _NUMBERED.search(plain)
        if number is not None:
            rest = key_of(_NUMBERED.sub(r"\1", plain))
            groups[rest][title] = (number[1].capitalize(), number[2])
    return _series(groups)


def _worded(titles: Iterable[str]) -> dict[str, Told]:
    """`Ember Domain`, `Tide Domain`: the last word is the label. One in the plural, or the word
    for a kind, says what the entries are, not what they have."""
    groups: dict[str, dict[str, Told]] = defaultdict(dict)
    for title in titles:
        words = _BRACKETS.sub(" ", title).split()
        if 2 <= len(words) <= 4 and _is_label(words[-1].lower()):
            value = " ".join(words[:-1])
            groups[key_of(words[-1])][title] = (words[-1].capitalize(), value.title())
    return _series(groups, 3)


def _is_label(word: str) -> bool:
    return word.isalpha() and not is_plural(word) and kind_word(word) is None


def _referring(titles: Iterable[str], kinds: Kinds) -> dict[str, Told]:
    """`Cleric Spells`, `Wizard Spells`, where clerics and wizards are classes."""
    groups: dict[str, dict[str, Told]] = defaultdict(dict)
    for title in titles:
        words = _BRACKETS.sub(" ", title).split()
        name = " ".join(words[:-1])
        kind = kinds.get(bare_key(name))
        if kind and len(words) > 1:
            groups[f"{kind} {key_of(words[-1])}"][title] = (kind.capitalize(), name.title())
    return _series(groups)


def bare_key(name: str) -> str:
    """A name to compare by, without its article."""
    return key_of(name).removeprefix("the ")


def _series(groups: Mapping[str, dict[str, Told]], least: int = LEAST) -> dict[str, Told]:
    told: dict[str, Told] = {}
    for group in groups.values():
        if len({value for _, value in group.values()}) >= least:
            told |= group
    return told


def split_tails(found: MemberGroup, label_of_rest: str) -> None:
    """Takes apart a number and the words that run on behind it (`Level 2 Ember Charm`): what
    another field says already goes, and what recurs is a field of its own."""
    for label in {label for told in found.fields.values() for label in told}:
        tails: dict[str, Told] = {}
        for id, told in found.fields.items():
            parted = _tail(told, label)
            if parted is not None:
                tails[id] = parted
        counted = Counter(rest for _, rest in tails.values() if rest)
        if len(tails) < MOST * len(found.members) or not _recur(counted):
            continue
        for id, (number, rest) in tails.items():
            found.fields[id][label] = number
            if rest:
                _add(found, id, label_of_rest, rest)


def _tail(told: Mapping[str, str], label: str) -> tuple[str, str] | None:
    value = re.fullmatch(r"(\d+) ((?:[A-Z][^\W\d_]+ ?){1,3})", told.get(label, ""))
    if value is None:
        return None
    known = {key_of(str(other)) for name, other in told.items() if name != label}
    rest = [word for word in value[2].split() if key_of(word) not in known]
    return value[1], " ".join(rest)


def _recur(counted: Mapping[str, int]) -> bool:
    """Whether a few wordings do for all."""
    return bool(counted) and 4 * len(counted) <= sum(counted.values())


def kinds_of_entries(named: Sequence[tuple[str, MemberGroup]]) -> dict[str, str]:
    """The kind of each entry of the named catalogues, by name; names of two kinds are left out."""
    kinds: dict[str, set[str]] = defaultdict(set)
    for kind, found in named:
        for member in found.members:
            kinds[bare_key(member.own_name)].add(kind)
    return {name: next(iter(found)) for name, found in kinds.items() if len(found) == 1 and name}
