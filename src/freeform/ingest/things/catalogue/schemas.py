"""Groups members by the labels they share, and reads each one's fields. Pure.

Nothing here knows what a label means. A label is what recurs; a catalogue is what shares labels.
"""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from freeform.ingest.things.catalogue.members import Member
from freeform.ingest.things.catalogue.pairs import VALUE, LabelMark, key_of
from freeform.ingest.things.subject import KEYED

#: Members a label or a catalogue needs at least.
LEAST = 4
#: A longer wording of a label wins when this share of the shorter one's texts has it.
LONGER = 0.7
#: Share of a catalogue's members that have a label of its core, and one of its schema.
CORE, SCHEMA = 0.3, 0.04
#: Share of the core (weighed by how common each label is) that a member must have.
ALIKE = 0.4
#: Stands for the line below the name, or for its number in a series (`3. The Well`): a shape that
#: members may share like a label.
SUBTITLE = "~"
#: Likeness of two schemas (cosine) from which on they are one.
NEAR = 0.7
#: Share of the core that a member which stands alone must have.
WHOLE = 0.7
#: Share of different names that the members of a catalogue have at least.
APART = 0.6
LONGEST_VALUE, SHORT = 60, 8
#: Labels with numbers in one line from which on every number in it is a field.
NUMBERS = 3
#: The full stop of a line of fields; a unit cut short (`30 ft.`) keeps its own.
_FULL_STOP = re.compile(r"(?<![\d\s])(?<!\d \w)(?<!\d \w\w)(?<!\d \w\w\w)\.$")
#: A number with which a sentence ends: what follows is told of the thing, not of the field.
_NUMBER_STOP = re.compile(rf"({VALUE.pattern})\.\s+[A-Z]")
_ENDS = re.compile(r"^[\s.:|,;·•–—-]+(?!\d)|[\s|,;:·•]+$")


@dataclass
class MemberGroup:
    """Members with a schema: labels by key, in the book's own wording, with how many have each."""

    members: list[Member]
    labels: dict[str, str] = field(default_factory=dict)
    counts: Counter[str] = field(default_factory=Counter)
    fields: dict[str, dict[str, str]] = field(default_factory=dict)

    @property
    def core(self) -> list[str]:
        """The labels most members have, the most common first."""
        least = CORE * len(self.members)
        return [label for label, number in self.counts.most_common() if number >= least]


Worded = tuple[LabelMark, str, str]
"""A place of a label with its wording there and the key of that."""
Chosen = dict[int, list[Worded]]


def induce(members: Sequence[Member], least: int = LEAST) -> list[MemberGroup]:
    """The catalogues among the members, each with its schema and its members' fields."""
    common = _common(members, least)
    chosen = {member.id: _choose(member, common) for member in members}
    labels = {member.id: _labels(member, chosen[member.id], common) for member in members}
    clusters = _clusters([member for member in members if labels[member.id]], labels)
    clusters = _without_strays(_merged(clusters, labels), labels)
    found = [_catalogue(cluster, labels, chosen) for cluster in clusters if len(cluster) >= least]
    return [
        catalogue for catalogue in found if len(catalogue.core) >= 2 and _named_apart(catalogue)
    ]


def _named_apart(catalogue: MemberGroup) -> bool:
    """Things have names of their own; what is called `Proficiencies` in each class is a part."""
    names = {key_of(member.name) for member in catalogue.members}
    return len(names) >= APART * len(catalogue.members)


def _merged(
    clusters: list[list[Member]], labels: Mapping[str, frozenset[str]]
) -> list[list[Member]]:
    """Groups whose schemas are nearly the same become one, the largest first."""
    kept: list[list[Member]] = []
    for cluster in sorted(clusters, key=len, reverse=True):
        shape = _profile(cluster, labels)
        near = next((other for other in kept if _near(_profile(other, labels), shape)), None)
        if near is None:
            kept.append(list(cluster))
        else:
            near.extend(cluster)
    return kept


def _near(one: Mapping[str, float], other: Mapping[str, float]) -> bool:
    shared = sum(one[label] * other[label] for label in one if label in other)
    lengths = sum(x * x for x in one.values()) * sum(x * x for x in other.values())
    return shared >= NEAR * math.sqrt(lengths)


def _without_strays(
    clusters: list[list[Member]], labels: Mapping[str, frozenset[str]]
) -> list[list[Member]]:
    """Without texts that stand alone and have little of the schema: they explain it."""
    kept = []
    for cluster in clusters:
        shape = _profile(cluster, labels)
        beside = Counter(member.path for member in cluster)
        whole = sum(shape.values())
        members = []
        for member in cluster:
            own = sum(shape.get(label, 0) for label in labels[member.id])
            if beside[member.path] > 1 or own >= WHOLE * whole:
                members.append(member)
        kept.append(members)
    return kept


def _common(members: Sequence[Member], least: int) -> Counter[str]:
    """How many members have each possible wording of a label."""
    counted: Counter[str] = Counter()
    for member in members:
        wordings = {key_of(head) for head in member.cells}
        if member.titled:
            wordings.add(key_of(member.titled.readings[0][0]))
        for marks in member.marks:
            for mark in marks:
                wordings |= {key_of(words) for words, _ in mark.readings}
        counted.update(wordings)
    return Counter(
        {label: number for label, number in counted.items() if number >= least and label}
    )


def _choose(member: Member, common: Mapping[str, int]) -> Chosen:
    """The wording of each label, line by line: the longest that is nearly as common as the
    shortest."""
    chosen: Chosen = {}
    for place, marks in enumerate(member.marks):
        kept = []
        for mark in marks:
            words = _wording(mark, common)
            if words:
                kept.append((mark, words, key_of(words)))
        chosen[place] = _one_label_a_number(kept)
    return chosen


def _one_label_a_number(kept: list[Worded]) -> list[Worded]:
    """Each number belongs to the label before it or behind it, as the line begins (`10 HP 3
    Armor`)."""
    first = next((mark.form for mark, _, _ in kept if mark.at >= 0), "before")
    claimed = Counter(mark.at for mark, _, _ in kept if mark.at >= 0)
    return [row for row in kept if row[0].at < 0 or claimed[row[0].at] == 1 or row[0].form == first]


def _wording(mark: LabelMark, common: Mapping[str, int]) -> str:
    best = ""
    for words, _ in mark.readings:
        number = common.get(key_of(words), 0)
        if number and (not best or number >= LONGER * common[key_of(best)]):
            best = words
    return best


def _labels(member: Member, chosen: Chosen, common: Mapping[str, int]) -> frozenset[str]:
    found = {key for kept in chosen.values() for _, _, key in kept}
    found |= {key_of(head) for head in member.cells if key_of(head) in common}
    if found and (member.subtitle or KEYED.match(member.name)):
        found.add(SUBTITLE)
    if member.titled and key_of(member.titled.readings[0][0]) in common:
        found.add(key_of(member.titled.readings[0][0]))
    return frozenset(found)


def _clusters(
    members: Sequence[Member], labels: Mapping[str, frozenset[str]]
) -> list[list[Member]]:
    """Members by likeness: each goes to the group whose schema it covers best, or begins one."""
    groups = _pass_over(members, labels, [])
    for _ in range(2):
        profiles = [_profile(group, labels) for group in groups if len(group) >= 2]
        groups = _pass_over(members, labels, profiles)
    return groups


def _profile(group: Iterable[Member], labels: Mapping[str, frozenset[str]]) -> dict[str, float]:
    rows = [labels[member.id] for member in group]
    counted = Counter(label for row in rows for label in row)
    return _shares(counted, len(rows))


def _shares(counted: Mapping[str, int], rows: int) -> dict[str, float]:
    return {label: n / rows for label, n in counted.items() if n >= CORE * rows}


def _pass_over(
    members: Sequence[Member],
    labels: Mapping[str, frozenset[str]],
    profiles: Sequence[Mapping[str, float]],
) -> list[list[Member]]:
    fixed = list(profiles)
    groups: list[list[Member]] = [[] for _ in fixed]
    shapes: list[Mapping[str, float]] = list(fixed)
    counted: list[Counter[str]] = [Counter() for _ in fixed]
    for member in members:
        best, most = -1, 0.0
        for place, shape in enumerate(shapes):
            likeness = _alike(labels[member.id], shape, member.inline)
            if likeness > most:
                best, most = place, likeness
        if best >= 0 and most >= ALIKE:
            groups[best].append(member)
            if best >= len(fixed):
                counted[best].update(labels[member.id])
                shapes[best] = _shares(counted[best], len(groups[best]))
        elif len(labels[member.id]) >= 2:
            groups.append([member])
            counted.append(Counter(labels[member.id]))
            shapes.append(dict.fromkeys(labels[member.id], 1.0))
    return [group for group in groups if group]


def _alike(own: frozenset[str], shape: Mapping[str, float], inline: bool) -> float:
    """How much of a schema a member has, 0 when it is fewer than two labels. A line with a name may
    say but one thing (`A cottage 500 coins`)."""
    shared = [shape[label] for label in own if label in shape]
    if inline and len(own) == 1 and shared and shared[0] >= 2 * CORE:
        return ALIKE
    if len(shared) < 2:
        return 0.0
    cover = sum(shared) / sum(shape.values())
    extra = len(shared) / len(own)
    return cover * (0.5 + 0.5 * extra)


def _catalogue(
    cluster: list[Member], labels: Mapping[str, frozenset[str]], chosen: Mapping[str, Chosen]
) -> MemberGroup:
    counts = Counter(label for member in cluster for label in labels[member.id])
    least = max(2, SCHEMA * len(cluster))
    schema = Counter({label: n for label, n in counts.items() if n >= least})
    made = MemberGroup(members=cluster, counts=schema)
    made.labels = _wordings(cluster, chosen, schema)
    for member in cluster:
        made.fields[member.id] = _fields(member, chosen[member.id], made.labels)
    return made


def _wordings(
    cluster: Sequence[Member], chosen: Mapping[str, Chosen], schema: Mapping[str, int]
) -> dict[str, str]:
    """The book's own writing of each label."""
    seen: dict[str, Counter[str]] = defaultdict(Counter)
    for member in cluster:
        for kept in chosen[member.id].values():
            for _, words, key in kept:
                seen[key][words] += 1
        for head in member.cells:
            seen[key_of(head)][head] += 1
        if member.titled:
            seen[key_of(member.titled.readings[0][0])][member.titled.readings[0][0]] += 1
    return {key: seen[key].most_common(1)[0][0].strip(" .:-–") for key in schema if seen.get(key)}


def _fields(member: Member, chosen: Chosen, labels: Mapping[str, str]) -> dict[str, str]:
    told = {
        labels[key]: value
        for head, value in member.cells.items()
        if (key := key_of(head)) in labels
    }
    told = {label: value for label, value in told.items() if value}
    if member.titled and (key := key_of(member.titled.readings[0][0])) in labels:
        told[labels[key]] = member.titled.value
    for place, line in enumerate(member.lines):
        kept = [row for row in chosen[place] if row[2] in labels]
        stops = sorted(_stops(member.marks[place], kept))
        if sum(1 for mark, _, _ in kept if mark.at >= 0) >= NUMBERS:
            told |= _rare_numbers(member.marks[place], kept)
        for mark, _, key in kept:
            value = mark.value if mark.form == "after" else _value(mark, line, stops)
            if not value and mark.form in ("colon", "lead"):
                value = _value(mark, line, _said_starts(member.marks[place]))
            if not value and mark.form in ("colon", "lead") and place + 1 < len(member.lines):
                value = _opening_of(member, place + 1, chosen)
            if value:
                told.setdefault(labels[key], value)
    return told


def _rare_numbers(marks: Sequence[LabelMark], kept: Sequence[Worded]) -> dict[str, str]:
    """In a line of numbers, labels that few others have (`Oratory-6`) are fields as well."""
    form = next(mark.form for mark, _, _ in kept if mark.at >= 0)
    known = {mark.at for mark, _, _ in kept}
    return {
        mark.readings[-1][0]: mark.value
        for mark in marks
        if mark.at >= 0 and mark.at not in known and mark.form == form
    }


def _start(mark: LabelMark, words: str) -> int:
    return next(at for reading, at in mark.readings if reading == words)


def _stops(marks: Sequence[LabelMark], kept: Sequence[Worded]) -> set[int]:
    """Where a value ends: at the labels of the schema as they are worded, and at any other label
    with a colon or a number, though it is in nobody else's schema."""
    worded = {id(mark): _start(mark, words) for mark, words, _ in kept}
    return {
        worded.get(id(mark), mark.readings[-1][1])
        for mark in marks
        if id(mark) in worded or mark.form in ("colon", "before")
    }


def _said_starts(marks: Sequence[LabelMark]) -> list[int]:
    """Where labels stand that the book marks as such: with a colon or in bold. Between two of them
    the words before a number are part of a value (`Skills: Brawl 55%, Dodge 25%`)."""
    return sorted(mark.readings[-1][1] for mark in marks if mark.form in ("colon", "lead"))


def _value(mark: LabelMark, line: str, stops: Sequence[int]) -> str:
    end = next((stop for stop in stops if stop >= mark.end), len(line))
    text = _ENDS.sub("", line[mark.end : end].strip())
    if ended := _NUMBER_STOP.match(text):
        return ended[1]
    if mark.form == "before" and (len(text.split()) > 6 or text.startswith(f"{mark.value}, ")):
        return mark.value
    words = text.split()[:LONGEST_VALUE]
    return _FULL_STOP.sub("", " ".join(words)) if len(words) <= SHORT else " ".join(words)


def _opening_of(member: Member, place: int, chosen: Chosen) -> str:
    """What stands at the start of a line, before its first label: the end of a value that a line
    break cut off."""
    starts = [_start(mark, words) for mark, words, _ in chosen[place]]
    text = member.lines[place][: min(starts, default=len(member.lines[place]))]
    return _ENDS.sub("", text.strip()) if len(text.split()) <= 8 else ""
