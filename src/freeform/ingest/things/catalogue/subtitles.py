"""The short line below a name: what makes a catalogue of sections without labels, and what it says.

Its parts are named by the book's own tables: where a column headed `Rarity` holds `Rare`, the part
`Rare` of a line is a rarity. What no table names is a `Type`, or `Tags` where it is a list. Pure.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence

from freeform.ingest.model import BookSection
from freeform.ingest.things.catalogue.members import Member, table_rows, tag_names
from freeform.ingest.things.catalogue.pairs import key_of, title_case_line
from freeform.ingest.things.catalogue.schemas import SUBTITLE, MemberGroup
from freeform.ingest.things.kinds import announces_many

#: Sections side by side, and the share of them with such a line, that make a catalogue.
LEAST, MOST_HAVE = 6, 0.6
#: Share of a line's parts that recur in others: a line of prose does not.
RECUR = 0.5
#: Share of the members for which a table's head must name a part.
NAMES = 0.2
LONGEST = 12
#: Paragraphs with a name that make a list, words of a name, and the share of names that differ.
LEAST_GLOSSED, NAME, APART = 4, 5, 0.9
#: Share of them that may be labels of the book.
EXPLAINED = 0.25
Heads = Mapping[str, set[str]]
_AMOUNT = re.compile(r"\d[\d,.]*\s?([^\W\d_]{1,9})$")
_CUT = re.compile(r",\s+|;\s*|\s+(?=\d[\d,.]*\s?[^\W\d_]{1,9}\b)|(?<=[\d\ufffd])\s+(?=[A-Z])")
TYPE, TAGS = "Type", "Tags"


def subtitle_catalogues(members: Sequence[Member], taken: set[str]) -> list[MemberGroup]:
    """Sections side by side, in no other catalogue, most of which have such a line."""
    beside: dict[tuple[str, ...], list[Member]] = defaultdict(list)
    for member in members:
        if member.id not in taken:
            beside[member.path].append(member)
    found = []
    for group in beside.values():
        having = [member for member in group if first_line(member)]
        if len(having) >= LEAST and len(having) >= MOST_HAVE * len(group) and _recur(having):
            counts = Counter({SUBTITLE: len(having)})
            found.append(MemberGroup(having, {}, counts, {member.id: {} for member in having}))
    return found


def glossed_catalogues(
    lines: Sequence[Member], taken: set[str], labels: Collection[str]
) -> list[MemberGroup]:
    """Paragraphs that open with a name and say what it is, in no other catalogue, side by side
    below a heading that says of what kind they are (`Moves`, `Equipment`). A list that explains
    the book's own labels is none."""
    below: dict[str, list[Member]] = defaultdict(list)
    for member in lines:
        title = member.path[-1] if member.path else ""
        if member.id not in taken and announces_many(title) and len(member.name.split()) <= NAME:
            below[key_of(title)].append(member)
    found = []
    for group in below.values():
        held = Counter(member.section.id for member in group)
        kept = [member for member in group if _is_list(member.section, held[member.section.id])]
        names = {key_of(member.name) for member in kept}
        explained = sum(1 for member in kept if _wordings(member.name) & set(labels))
        if explained > EXPLAINED * len(kept):
            continue
        if len(kept) >= LEAST_GLOSSED and len(names) >= APART * len(kept):
            found.append(MemberGroup(kept, {}, Counter(), {member.id: {} for member in kept}))
    return found


def _wordings(name: str) -> set[str]:
    """A name without its bracket, and what the bracket says (`Agility (Agi)`)."""
    return {key_of(part) for part in (*re.findall(r"\(([^)]*)\)", name), name.split("(")[0])}


def _is_list(section: BookSection, names: int) -> bool:
    """Whether most of a section are paragraphs that open with a name."""
    texts = sum(1 for block in section.blocks if block.kind != "table")
    return names >= 2 and names >= MOST_HAVE * texts


def first_line(member: Member, labels: Collection[str] = ()) -> str:
    """The line, if the section opens with one: short, no sentence, and with text below it. Where
    labels run on in the same line, what stands before the first of them; a line that is itself a
    label and its value is none."""
    if not member.subtitle and _is_pair(member, labels):
        return ""
    line = member.subtitle or (member.lines[0] if len(member.lines) > 1 else "")
    if not member.subtitle and member.marks and len(line.split()) > LONGEST:
        line = line[: min(_label_starts(member, labels), default=len(line))].strip()
    short = 0 < len(line.split()) <= LONGEST and line[-1:] not in ".:;!?,"
    return line if short and (member.subtitle or title_case_line(line)) else ""


def _is_pair(member: Member, labels: Collection[str]) -> bool:
    """Whether the first line opens with a label of its schema, set off from its value."""
    set_off = [mark for mark in (member.marks[0] if member.marks else ()) if mark.at < 0]
    return any(
        at == 0 and key_of(words) in labels for mark in set_off for words, at in mark.readings
    )


def _label_starts(member: Member, labels: Collection[str]) -> list[int]:
    """Where the labels of its schema begin in the first line, each in its longest wording."""
    starts = []
    for mark in member.marks[0]:
        worded = [at for words, at in mark.readings if key_of(words) in labels]
        starts += [min(worded)] if worded else []
    return starts


def _recur(members: Sequence[Member]) -> bool:
    counted = Counter(key_of(part) for member in members for part in parts_of(first_line(member)))
    again = sum(number for number in counted.values() if number > 1)
    return again >= RECUR * counted.total()


def parts_of(line: str) -> list[str]:
    """The parts of a line: between commas, and amounts with their unit; what brackets say is left
    out."""
    plain = re.sub(r"\([^)]*\)", " ", line)
    return [part.strip(" .") for part in _CUT.split(plain) if part and part.strip(" .")]


def table_heads(sections: Sequence[BookSection]) -> dict[str, set[str]]:
    """Every table head of the book with the values below it, amounts by their unit."""
    heads: dict[str, set[str]] = defaultdict(set)
    for section in sections:
        for block in section.blocks:
            rows = table_rows(block) if block.kind == "table" else []
            for place, head in enumerate(rows[0] if len(rows) > 2 else []):
                if key_of(head):
                    heads[head] |= {_kept(row[place]) for row in rows[1:] if place < len(row)}
    return {head: values - {""} for head, values in heads.items()}


def _kept(value: str) -> str:
    amount = _AMOUNT.search(re.sub(r"\s*\([^)]*\)", "", value).strip())
    return f"#{amount[1].lower()}" if amount else key_of(value)


def add_subtitles(found: MemberGroup, heads: Heads) -> None:
    """Gives members the fields that the lines below their names hold."""
    lines = {member.id: first_line(member, found.labels) for member in found.members}
    lines = {id: line for id, line in lines.items() if line and _unlabelled(found, id, line)}
    if len(lines) < MOST_HAVE * len(found.members):
        return
    parts = {id: parts_of(line) for id, line in lines.items()}
    names = _named(parts, heads)
    known = Counter(key_of(part) for row in parts.values() for part in row)
    known += Counter(key_of(part.partition(" ")[2]) for row in parts.values() for part in row)
    for id, row in parts.items():
        told, rest = found.fields[id], list[str]()
        before = set(told)
        for part in row:
            part = _first_word(part, names, told)
            head = names.get(_kept(part))
            if head and head not in told:
                told[head] = part
            elif known[key_of(part)] > 1 and "\ufffd" not in part:
                rest.append(part)
        if rest:
            told.setdefault(TAGS if len(rest) > 1 else TYPE, ", ".join(rest))
        for label in set(told) - before:
            found.counts[key_of(label)] += 1
            found.labels.setdefault(key_of(label), label)


def add_tags(found: MemberGroup) -> None:
    """Gives members what stands behind the comma of their titles."""
    for member in found.members if tag_names(found.members) else ():
        if member.tag:
            found.fields[member.id].setdefault(TYPE, member.tag)
            found.counts[key_of(TYPE)] += 1
            found.labels.setdefault(key_of(TYPE), TYPE)


def add_piped(found: MemberGroup, heads: Heads) -> None:
    """Gives members what stands between bars in their lines without a label that the book's schema
    knows (`ATK: +3 | Claws: Near | 1d6 cut`), where a table's head names it."""
    parts = {member.id: _piped(member, found.labels) for member in found.members}
    if sum(1 for row in parts.values() if row) < MOST_HAVE * len(found.members):
        return
    names = _named(parts, heads)
    for id, row in parts.items():
        for part in row:
            head = names.get(_kept(part))
            if head and key_of(head) not in {key_of(label) for label in found.fields[id]}:
                found.fields[id][head] = part
                found.counts[key_of(head)] += 1
                found.labels.setdefault(key_of(head), head)


def _piped(member: Member, labels: Collection[str]) -> list[str]:
    parts = []
    for line in member.lines:
        for part in line.split("|") if "|" in line else ():
            label, colon, value = part.partition(":")
            words = value if colon else part
            if not (colon and key_of(label) in labels) and re.search(r"[^\W\d_]{2}", words):
                parts.append(words.strip())
    return parts


def _first_word(part: str, names: Mapping[str, str], told: dict[str, str]) -> str:
    """What is left of a part whose first word a table names by itself (`Large Giant`)."""
    first, _, rest = part.partition(" ")
    head = names.get(key_of(first), "")
    if not rest or not head or head in told or _kept(part) in names:
        return part
    told[head] = first
    return rest


def _unlabelled(found: MemberGroup, id: str, line: str) -> bool:
    """Whether the line says something beside the fields that were read from it."""
    return sum(1 for value in found.fields[id].values() if str(value) in line) <= 1


def _named(parts: Mapping[str, Sequence[str]], heads: Heads) -> dict[str, str]:
    """Which head names each part: the one that names most parts of all lines."""
    votes: Counter[str] = Counter()
    for row in parts.values():
        kept = {_kept(part) for part in row} | {key_of(part.split(" ")[0]) for part in row}
        votes.update(head for head, values in heads.items() if values & kept)
    able = [head for head, number in votes.most_common() if number >= NAMES * len(parts)]
    names: dict[str, str] = {}
    for head in able:
        for value in heads[head]:
            names.setdefault(value, head.capitalize() if head.isupper() else head)
    return names
