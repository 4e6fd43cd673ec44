"""Data of a make that nobody knows, JSON or YAML, as a page that can be read: keys become headings
and labels, lists become lists, things with damage a table."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

DEEPEST = 6
"""So deep nested is data that no sheet has."""
_VALUES = ("score", "value", "total", "max", "maximum", "bonus", "modifier", "mod", "base")
"""Keys under which a number is what its own key names."""
_SIGNED = re.compile(
    r"\b(?:skills?|(?<!death )sav(?:es?|ing throws?)|bonus|hit(?! (?:points?|dic?e))|attack)\b",
    re.I,
)
"""Under these words a number is added to a roll."""
_SAVES = re.compile(r"\bsav(?:es|ing throws?)\W*$", re.I)
_SLOTS = re.compile(r"\bslots?\b", re.I)
_COINS = frozenset("pp gp ep sp cp platinum gold electrum silver copper".split())
_PARTS = ("subclass", "archetype", "domain", "path", "school", "oath", "circle", "patron")
MOST_TOLD = 4
"""Values that may tell of one thing; more are a part of their own."""
_COUNTS = ("qty", "quantity", "count", "amount", "number")
_NAMES = ("name", "title", "item", "label")
_HARM = ("damage", "dmg")
_PLACES = ("where", "location", "container", "place", "stored", "in", "bag")
_TOLD = ("text", "desc", "description", "effect", "summary", "details")
UNIT = 3
"""Letters of a key that is the unit of its number: `lb`."""
LONG = 25
"""Words of a text that stands under a heading of its own."""


def page_of(document: Any) -> str:
    """The page; '' where the data is no mapping."""
    if not isinstance(document, Mapping):
        return ""
    inner = [value for value in document.values() if isinstance(value, Mapping)]
    if len(document) == 1 and inner:
        document = inner[0]
    return "\n".join(_part("", document, 0))


def _part(heading: str, told: Mapping[str, Any], depth: int) -> Iterator[str]:
    """Labels first, then each list and mapping under a heading of its own."""
    later = list[tuple[str, Any]]()
    if heading:
        yield f"\n## {heading}"
    for key, value in told.items():
        label = spoken(key)
        lines = list(_plainly(label, value, heading))
        yield from lines
        if not lines:
            yield from _headline(label, value)
            later.append((label, value))
    for label, value in later if depth < DEEPEST else ():
        path = f"{heading}, {label}" if heading else label
        if isinstance(value, str):
            yield f"\n## {path}\n{' '.join(value.split())}"
        elif isinstance(value, Mapping):
            yield from _part(path, value, depth + 1)
        elif isinstance(value, list):
            yield from _list(path, value)


def _plainly(label: str, value: Any, under: str) -> Iterator[str]:
    """The line that tells a value; none where it takes a part of its own."""
    if _SLOTS.search(under) and (level := re.search(r"\d", label)):
        yield _slots(level[0], value)
    elif isinstance(value, str) and len(value.split()) > LONG:
        return
    elif _is_plain(value):
        yield from _label(label, _as_roll(under, value))
    elif isinstance(value, Mapping) and (line := _one_line(value, f"{under} {label}")):
        yield f"{label}: {line}"
    elif label.lower().startswith("class") and isinstance(value, list):
        yield f"Class: {' / '.join(map(_class, value))}"
    elif isinstance(value, list) and all(map(_is_plain, value)) and not _is_long(value):
        yield from _label(label, ", ".join(map(str, value)))


def _headline(label: str, value: Any) -> Iterator[str]:
    """The number of something that is told with what it is made of: `Ac: 19`."""
    if isinstance(value, Mapping):
        numbers = [value[key] for key in _VALUES if isinstance(value.get(key), int)]
        made_of = "".join(f" ({_parts(each)})" for each in value.values() if _parts(each))
        yield from (f"{label}: {number}{made_of}" for number in numbers[:1])


def _parts(value: Any) -> str:
    """What a number is made of: `Chain mail 16, Shield 2`; '' where it is no list of such."""
    if not isinstance(value, list) or not all(isinstance(each, Mapping) for each in value):
        return ""
    said = list[str]()
    for each in value:
        plain = [str(part) for part in each.values() if isinstance(part, str | int)]
        if len(plain) != 2:
            return ""
        said.append(" ".join(plain))
    return ", ".join(said)


def _as_roll(under: str, value: Any) -> Any:
    """A number with its sign, where it is one that is added to a roll."""
    number = isinstance(value, int) and not isinstance(value, bool)
    return f"{value:+d}" if number and _SIGNED.search(under) else value


def _as_save(under: str, value: Any) -> Any:
    """A number with its sign, where the mapping is of saving throws."""
    return _as_roll(under, value) if _SAVES.search(under) else value


def _slots(level: str, told: Any) -> str:
    """`Level 1 slots: 4, used 1`."""
    if not isinstance(told, Mapping):
        return f"Level {level} slots: {told}"
    most = next((told[key] for key in _VALUES if isinstance(told.get(key), int)), 0)
    rest = [f"{key} {value}" for key, value in told.items() if key not in _VALUES]
    return f"Level {level} slots: {most}, {', '.join(rest)}"


def _is_plain(value: Any) -> bool:
    return value is None or isinstance(value, str | int | float | bool)


def _is_long(values: Sequence[Any]) -> bool:
    return any(isinstance(value, str) and "," in value for value in values)


def _label(label: str, value: Any) -> Iterator[str]:
    if isinstance(value, bool):
        yield f"{label}: {'yes' if value else 'no'}"
    elif value is not None and str(value).strip():
        yield f"{label}: {' '.join(str(value).split())}"


def _one_line(told: Mapping[str, Any], under: str) -> str:
    """A mapping that tells of one thing, as what stands behind its label; '' where it is a part of
    its own."""
    if not told or not all(map(_is_plain, told.values())):
        return ""
    if all(str(key).lower() in _COINS for key in told):
        return ", ".join(f"{value} {key}" for key, value in told.items())
    said = [(key, value) for key, value in told.items() if value is not None]
    rest = ", ".join(f"{spoken(key)} {_as_save(under, value)}" for key, value in said)
    number = next((told[key] for key in _VALUES if isinstance(told.get(key), int)), None)
    if number is not None and len(told) <= MOST_TOLD:
        return f"{_as_roll(under, number)} ({rest})"
    return rest if len(told) < MOST_TOLD else ""


def _class(value: Any) -> str:
    """`Cleric (Life) 4`."""
    if not isinstance(value, Mapping):
        return str(value)
    part = next((str(told) for key, told in value.items() if str(key).lower() in _PARTS), "")
    return f"{_named(value)}{f' ({part})' if part else ''} {value.get('level', '')}".strip()


def _list(heading: str, values: Sequence[Any]) -> Iterator[str]:
    yield f"\n## {heading}"
    things = [value for value in values if isinstance(value, Mapping)]
    if things and any(_key_of(thing, _HARM) for thing in things):
        yield from _table(things)
        return
    if things and re.search("spell|cantrip", heading, re.I) and any("level" in t for t in things):
        yield from _by_level(things)
        return
    place = ""
    for value in _by_place(values):
        put = _place_of(value)
        if put != place:
            yield f"\n## {heading}{f' - {put}' if put else ''}"
            place = put
        said = _thing(value) if isinstance(value, Mapping) else str(value)
        if said.strip():
            yield f"- {said}"


def _place_of(value: Any) -> str:
    """Where a thing is kept."""
    key = _key_of(value, _PLACES) if isinstance(value, Mapping) else ""
    return str(value[key]).strip() if key and isinstance(value[key], str) else ""


def _by_place(values: Sequence[Any]) -> list[Any]:
    """Things of one place together, in the order in which the places come."""
    order = list(dict.fromkeys(_place_of(value) for value in values))
    return sorted(values, key=lambda value: order.index(_place_of(value)))


def _table(things: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    keys = list(dict.fromkeys(key for thing in things for key in thing))
    name = next((key for key in keys if key.lower() in _NAMES), keys[0])
    keys = [name, *(key for key in keys if key != name)]
    yield f"| {' | '.join(map(spoken, keys))} |"
    yield f"|{' --- |' * len(keys)}"
    for thing in things:
        told = [_cell(_as_roll(spoken(key), thing.get(key))) for key in keys]
        cells = [" ".join(cell.replace("|", "/").split()) for cell in told]
        yield f"| {' | '.join(cells)} |"


def _cell(value: Any) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{spoken(k)} {v}" for k, v in value.items() if v is not None)
    if isinstance(value, list):
        return ", ".join(_cell(each) for each in value)
    return "" if value is None else str(value)


def _by_level(spells: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Spells under their levels, marked where they are prepared."""
    levels: dict[int, list[str]] = {}
    for spell in spells:
        level = int(str(spell.get("level") or 0)) if str(spell.get("level") or 0).isdigit() else 0
        mark = " (prepared)" if spell.get("prepared") is True else ""
        levels.setdefault(level, []).append(f"{_named(spell)}{mark}")
    for level, names in sorted(levels.items()):
        yield f"{'Cantrips' if not level else f'Level {level}'}: {', '.join(names)}"


def _thing(thing: Mapping[str, Any]) -> str:
    """`3 x torch (weight 1): burns for an hour`, `Divine Sense (4 per long rest, 1 used)`."""
    name, count = _named(thing), _key_of(thing, _COUNTS)
    many = thing.get(count) if count else None
    lead = f"{many} x {name}" if isinstance(many, int) and many != 1 else name
    aside, told = list[str](), ""
    for key, value in thing.items():
        said = _often(value) or _cell(value)
        if not said or said == name or key == count or value is False or key in _PLACES:
            continue
        if str(key).lower() in _TOLD:
            told = f": {said}"
        else:
            aside.append(spoken(key).lower() if value is True else _aside(str(key), value, said))
    brackets = f" ({', '.join(aside)})" if aside else ""
    return f"{lead}{brackets}{told}"


def _aside(key: str, value: Any, said: str) -> str:
    """What is told of a thing in brackets: a number with its key, words alone."""
    bare = re.sub(r"[()]", "", said)
    if isinstance(value, str | Mapping):
        return bare
    return f"{bare} {key}" if len(key) <= UNIT else f"{spoken(key).lower()} {bare}"


def _often(value: Any) -> str:
    """`4 per long rest, 1 used`; '' where it tells no uses."""
    if not isinstance(value, Mapping):
        return ""
    most = next((value[key] for key in _VALUES if isinstance(value.get(key), int)), None)
    per = next((told for told in value.values() if isinstance(told, str)), "")
    rest = [f"{told} {key}" for key, told in value.items() if key in ("used", "left", "spent")]
    return ", ".join([f"{most} per {per or 'rest'}", *rest]) if most is not None and rest else ""


def _named(thing: Mapping[str, Any]) -> str:
    key = _key_of(thing, _NAMES)
    return str(thing[key]) if key else next((str(v) for v in thing.values() if v), "")


def _key_of(thing: Mapping[str, Any], names: Sequence[str]) -> str:
    return next((key for key in thing if str(key).lower() in names), "")


def spoken(key: Any) -> str:
    """`maxHp` and `max_hp` are `Max hp`."""
    parted = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", str(key)).replace("_", " ").replace("-", " ")
    words = " ".join(parted.split())
    return words[:1].upper() + words[1:].lower() if not words.isupper() else words
