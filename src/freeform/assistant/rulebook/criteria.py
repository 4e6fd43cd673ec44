"""Lists by criteria: `3rd-level evocation spells for wizards`, `undead under challenge 5`, `armor
under 50 gp`."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from freeform.assistant.rulebook.catalogue import RulebookRow
from freeform.assistant.rulebook.words import CLASSES, CONDITIONS, DAMAGE
from freeform.core.text import plain_form

Test = Callable[[RulebookRow], bool]
SCHOOLS = ("abjuration", "conjuration", "divination", "enchantment", "evocation", "illusion", "necromancy",
           "transmutation")  # fmt: skip
TYPES = ("aberration", "beast", "celestial", "construct", "dragon", "elemental", "fey", "fiend", "giant", "humanoid",
         "monstrosity", "ooze", "plant", "undead")  # fmt: skip
SIZES = ("tiny", "small", "medium", "large", "huge", "gargantuan")
RARITIES = ("very rare", "uncommon", "common", "rare", "legendary", "artifact")
PROPERTIES = (
    "finesse",
    "heavy",
    "light",
    "loading",
    "reach",
    "thrown",
    "two-handed",
    "versatile",
    "ammunition",
)
_KINDS = (
    (r"\bspells?\b|\bcantrips?\b|\brituals?\b", ("spell",)),
    (r"\bmagic(al)? (items?|weapons?|armou?rs?|rings?|wands?|staffs?|staves)\b|\bwondrous\b", ("magic_item",)),
    (r"\bweapons?\b", ("weapon",)),
    (r"\barmou?rs?\b", ("armor",)),
    (r"\b(monsters?|creatures?|beasts?|dragons?|undead|fiends?|giants?|constructs?|oozes?|elementals?)\b", ("monster",)),
    (r"\b(gear|equipment|items?|tools?|mounts?)\b", ("gear", "tool", "weapon", "armor", "magic_item")),
    (r"\bfeatures?\b", ("feature",)),
    (r"\bfeats?\b", ("feat",)),
)  # fmt: skip
_CR = re.compile(r"\b(?:challenge(?: rating)?s?|cr)\b(?: of)?\s*(?P<op>under|below|over|above|at most|at least|up to)?\s*"
                 r"(?P<a>\d+(?:/\d+)?)(?:\s*(?:to|-|–|and)\s*(?P<b>\d+(?:/\d+)?))?", re.I)  # fmt: skip
_OP_CR = re.compile(r"\b(?P<op>under|below|less than|over|above|more than|at most|at least|up to)\s+(?:a )?(?:challenge"
                    r"(?: rating)?|cr)(?: of)?\s*(?P<a>\d+(?:/\d+)?)", re.I)  # fmt: skip
_LEVEL = re.compile(r"\b(?:(\d)(?:st|nd|rd|th)[- ]level|level[- ](\d))\b", re.I)
_PRICE = re.compile(r"\b(?P<op>under|below|less than|over|above|more than|at most|at least|up to|for)\s+"
                    r"(?P<n>[\d,]+)\s*(?P<coin>cp|sp|gp|pp|gold)", re.I)  # fmt: skip


@dataclass
class Criteria:
    """What is asked for: kinds, tests, and the tests in words."""

    kinds: tuple[str, ...] = ()
    tests: list[Test] = field(default_factory=list)
    told: list[str] = field(default_factory=list)

    def add(self, words: str, test: Test) -> None:
        self.told.append(words)
        self.tests.append(test)

    def matching(self, rows: Iterable[RulebookRow]) -> list[RulebookRow]:
        """The rows that pass every test."""
        return [
            row for row in rows if row.kind in self.kinds and all(test(row) for test in self.tests)
        ]


def read_criteria(question: str) -> Criteria | None:
    """The criteria in a question; None when it names no kind of thing, or no test."""
    text = plain_form(question)
    kinds = next((kinds for pattern, kinds in _KINDS if re.search(pattern, text)), ())
    found = Criteria(kinds)
    if not kinds:
        return None
    if "spell" in kinds:
        _spells(text, found)
    if "monster" in kinds:
        _monsters(text, found)
    if set(kinds) & {"weapon", "armor", "gear", "tool", "magic_item"}:
        _things(text, found)
    if set(kinds) & {"feature", "spell"}:
        for cls in CLASSES:
            if re.search(rf"\b{cls.lower()}s?\b", text):
                found.add(f"class {cls}", belongs_to(cls.lower()))
                break
    return found if found.tests else None


def is_(key: str, value: object) -> Test:
    """The data says exactly that."""
    return lambda row: row.data.get(key) == value


def has(key: str, value: str) -> Test:
    """The data lists it, or has a key of that name."""
    return lambda row: value in (row.data.get(key) or [])


def tells(key: str, words: str) -> Test:
    """The data's text speaks of it."""
    return lambda row: words in str(row.data.get(key, "")).lower()


def is_so(key: str, wanted: bool) -> Test:
    """The data says yes, or does not."""
    return lambda row: bool(row.data.get(key)) == wanted


def between(key: str, low: float, high: float) -> Test:
    """A number in the data lies between."""
    return lambda row: isinstance(row.data.get(key), int | float) and low <= row.data[key] <= high


def reads(words: str) -> Test:
    """The entry's own text says it."""
    return lambda row: words in row.parts[0].text.lower()


def either(one: Test, other: Test) -> Test:
    """One of two will do."""
    return lambda row: one(row) or other(row)


def belongs_to(cls: str) -> Test:
    """A class has it."""

    def test(row: RulebookRow) -> bool:
        owners = row.data.get("classes") or [row.data.get("class", "")]
        return isinstance(owners, list) and cls in (str(each).lower() for each in owners)

    return test


def guarded(key: str, kind: str) -> Test:
    """It is immune, resistant or vulnerable to a kind of damage, or immune to a condition."""

    def test(row: RulebookRow) -> bool:
        told = [*(row.data.get(key) or []), *(row.data.get("condition_immune") or [])]
        return kind in " ".join(map(str, told)).lower()

    return test


def _spells(text: str, found: Criteria) -> None:
    if re.search(r"\bcantrips?\b", text):
        found.add("cantrip", is_("level", 0))
    elif match := _LEVEL.search(text):
        level = int(match[1] or match[2])
        found.add(f"level {level}", is_("level", level))
    for school in SCHOOLS:
        if school in text:
            found.add(school, is_("school", school))
    if "ritual" in text:
        found.add("ritual", is_so("ritual", True))
    if "concentration" in text:
        wanted = not re.search(
            r"\b(no|not|without|don't|doesn't|do not)\b[^.]{0,20}concentration", text
        )
        found.add("concentration" if wanted else "no concentration", is_so("concentration", wanted))
    if re.search(r"\bbonus action", text):
        found.add("bonus action", tells("casting_time", "bonus action"))
    elif re.search(r"\breaction", text):
        found.add("reaction", tells("casting_time", "reaction"))
    if re.search(r"\bheal", text):
        found.add("healing", either(is_so("healing", True), reads("regain")))
    for ability in ("strength", "dexterity", "constitution", "intelligence", "wisdom", "charisma"):
        if re.search(rf"\b{ability} sav", text):
            found.add(
                f"{ability} save",
                either(is_("save", ability[:3]), reads(f"{ability} saving throw")),
            )
    _damage(text, found)


def _damage(text: str, found: Criteria) -> None:
    for kind in DAMAGE:
        if re.search(rf"\b{kind}\b", text) and not re.search(r"\b(resist|immun|vulner)", text):
            found.add(f"{kind} damage", has("damage", kind))


def _monsters(text: str, found: Criteria) -> None:
    for kind in TYPES:
        if re.search(rf"\b{kind}s?\b", text):
            found.add(kind, tells("type", kind))
            break
    for size in SIZES:
        if re.search(rf"\b{size}\b", text):
            found.add(size, is_("size", size))
    if match := _OP_CR.search(text) or _CR.search(text):
        groups = match.groupdict()
        low, high = span(groups.get("op") or "", fraction(groups["a"]))
        if groups.get("b"):
            low, high = sorted((fraction(groups["a"]), fraction(str(groups["b"]))))
        told = f"challenge {low:g} to {high:g}" if low != high else f"challenge {low:g}"
        found.add(told, between("cr", low, high))
    if "legendary" in text:
        found.add("legendary", is_so("legendary", True))
    for way in ("fly", "swim", "burrow", "climb"):
        if re.search(rf"\b{way}(ing|s)?\b", text):
            found.add(way, has("speed", way))
    for word, key in (("immun", "immune"), ("resist", "resist"), ("vulnerab", "vulnerable")):
        if word in text:
            for kind in (*DAMAGE, *(c.lower() for c in CONDITIONS)):
                if re.search(rf"\b{kind}\b", text):
                    found.add(f"{key} {kind}", guarded(key, kind))


def _things(text: str, found: Criteria) -> None:
    for rarity in RARITIES:
        if re.search(rf"\b{rarity}\b", text):
            found.add(rarity, is_("rarity", rarity))
            break
    if "attun" in text:
        wanted = not re.search(r"\b(no|not|without|don't|doesn't)\b[^.]{0,20}attun", text)
        found.add("attunement" if wanted else "no attunement", is_so("attunement", wanted))
    armor = found.kinds[:1] == ("armor",)
    for prop in PROPERTIES:
        if re.search(rf"\b{prop}\b", text) and not armor:
            found.add(prop, has("properties", prop))
    for weight in ("light", "medium", "heavy"):
        if armor and re.search(rf"\b{weight}\b", text):
            found.add(f"{weight} armor", tells("group", weight))
    for group in ("simple", "martial", "melee", "ranged"):
        if re.search(rf"\b{group}\b", text):
            found.add(group, tells("group", group))
    if match := _PRICE.search(text):
        worth = {"cp": 0.01, "sp": 0.1, "pp": 10.0}.get(match["coin"], 1.0) * float(
            match["n"].replace(",", "")
        )
        low, high = span(match["op"], worth)
        found.add(f"cost {low:g} to {high:g} gp", between("cost_gp", low, high))
    _damage(text, found)


def fraction(text: str) -> float:
    """`1/4` as 0.25."""
    top, _, below = text.partition("/")
    return float(top) / float(below) if below and float(below) else float(top)


def span(op: str, value: float) -> tuple[float, float]:
    """The lowest and highest value that an `under`, `at least` … admits; under and over leave the
    value out."""
    op = op.lower()
    if op in ("under", "below", "less than"):
        return 0.0, value - 1e-6
    if op in ("at most", "up to"):
        return 0.0, value
    if op in ("over", "above", "more than"):
        return value + 1e-6, 1e9
    if op == "at least":
        return value, 1e9
    return value, value
