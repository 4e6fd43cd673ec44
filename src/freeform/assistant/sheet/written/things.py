"""What a written sheet lists: attacks, features with their uses, belongings, money."""

import re
from collections.abc import Iterator, Sequence

from freeform.assistant.sheet.model import Feature, Item, SheetAction, SheetEffect, Uses
from freeform.assistant.sheet.numbers.tables import modifier
from freeform.assistant.sheet.written.beside import numbers_beside
from freeform.assistant.sheet.written.outline import BULLET, WrittenPart, bare_line, plain
from freeform.assistant.sheet.written.tables import COINS, coins_of_row, is_legend
from freeform.core.text import slug
from freeform.language.words import stop_words

_DICE = re.compile(r"(?P<dice>\d{0,2}d\d{1,3})\s*(?:(?P<sign>[+\-−–])\s*(?P<more>\d{1,2}))?")
_HIT = re.compile(r"(?P<bonus>[+\-−–]\s?\d{1,2})(?!\s*(?:magic|ft))")
_TYPES = re.compile(
    r"\b(acid|bludgeoning|cold|fire|force|lightning|necrotic|piercing|poison|psychic|radiant"
    r"|slashing|thunder)\b",
    re.I,
)
_RANGE = re.compile(r"\b(\d{1,3}\s*/\s*\d{1,3})\b|\brange\s*:?\s*(\d{1,3})\b(?!\s*/)", re.I)
_IN_HAND = re.compile(r"\b(?:thrown|melee|finesse)\b", re.I)
_HOW_MANY = re.compile(r"\s*(?:\((\d{1,4})\)|[x×]\s?(\d{1,4})|\((?:x|×)\s?(\d{1,4})\))\s*$")
_COUNT_FIRST = re.compile(
    r"^(\d{1,4})\s*[x×]?\s+"
    r"(?!(?:ft|feet|foot|lb|lbs|pounds?|gp|sp|cp|pp|days?|m|gold|silver)\b)(.+)$",
    re.I,
)
_BRACKETS = re.compile(r"\(([^()]*)\)")
_LEFT = r"(?P<left>\d+)\s*(?:left|remaining)"
_SPENT = r"(?P<used>\d+)\s*(?:used|spent)"
_REST = r"(?P<reset>day|(?:long |short )?rest|dawn|lr|sr)"
_USES = [
    re.compile(pattern, re.I)
    for pattern in (
        r"(?P<left>\d+)\s*(?:/|of)\s*(?P<most>\d+)\s*(?:left|remaining|charges?|uses?)",
        rf"(?P<most>\d+)\s*(?:/|per|a|x per|times per|uses? per)\s*{_REST}"
        rf"(?:\W+(?:{_LEFT}|{_SPENT}|(?P<gone>used|spent)))?",
        r"(?:uses?|charges?)\s*:?\s*(?P<left>\d+)\s*/\s*(?P<most>\d+)",
        rf"(?P<most>\d+)\s*(?:charges?|uses?)(?:\W+(?:{_LEFT}|{_SPENT}))?",
        rf"once per {_REST}(?:\W+(?P<gone>used|spent))?",
    )
]
"""How often something can be used, in the ways people write it."""
_BOXES = re.compile(r"(?:\[[ xX]\]\s?){2,}|[☐☑☒✓■□●○]{2,}")
_NAMED = re.compile(
    r"^(?:[*_]{1,2}(?P<kind>[A-Za-z ]{3,20}):[*_]{1,2}\s*)?"
    r"(?:\*\*|__)(?P<name>[^*_]{2,60}?)[:.]?(?:\*\*|__)[:.]?\s*(?P<rest>.*)$"
)
_PLAIN_NAMED = re.compile(
    r"^(?P<name>[A-Z][\w'’ -]{2,48}?)\s*(?P<rest>(?:\([^)]*\))?\s*[:.–—-]\s+.+|\([^)]*\)\.?)$"
)
_COIN = re.compile(
    r"(\d[\d,]*)\s*(pp|gp|ep|sp|cp|platinum|gold|electrum|silver|copper)\b(?!\s*each)", re.I
)
_COIN_FIRST = re.compile(r"(?<!\S)([pgesc]p)(?:[:=]\s*|\s+)(\d[\d,]*)(?![\w.])", re.I)
_PURSE = re.compile(r"^(?:money|coins?|currency|purse|gold|wealth|cash|treasury)\b", re.I)
_PURSE_OPENS = re.compile(
    rf"{_PURSE.pattern}\s+(?P<coins>(?:{_COIN.pattern}[\s,&]*(?:and\s+)?)+)", re.I
)
"""`purse 14gp 6sp. owes Pell 20gp`: the coins that follow straight."""
WORN = re.compile(
    r"^(?:wearing|worn|equipped|wields?|wielding|in hand|on (?:me|her|him|body)|armou?r|held)\b",
    re.I,
)


_ATTACK = re.compile(
    r"^(?P<name>[A-Za-z][^:|]{2,50}?)\s*[:,–—-]?\s+(?P<rest>[+\-−–]\s?\d{1,2}\b(?![d)]).*)$"
)
"""A name, a bonus to hit that is no part of the name, and dice somewhere behind."""


def attacks_of(
    parts: Sequence[WrittenPart], scores: dict[str, int], bonus: int
) -> tuple[list[Item], list[SheetEffect]]:
    """Every row or line that has dice and a bonus to hit, as a weapon at hand."""
    items, effects = list[Item](), list[SheetEffect]()
    for part in parts:
        for row in part.rows:
            told = {name.lower(): cell for name, cell in row.items()}
            harm = next((cell for name, cell in told.items() if re.match(r"damage|dmg", name)), "")
            hit = next(
                (
                    cell
                    for name, cell in told.items()
                    if re.search(r"hit|attack|atk|bonus", name) and _HIT.search(cell)
                ),
                "",
            )
            name = next(iter(row.values()), "")
            if harm and name:
                _weapon(name, hit, harm, " ".join(row.values()), (scores, bonus), (items, effects))
        for line in part.lines:
            found = _ATTACK.match(bare_line(line))
            if found and _DICE.search(found["rest"]):
                _weapon(
                    found["name"],
                    found["rest"],
                    found["rest"],
                    found["rest"],
                    (scores, bonus),
                    (items, effects),
                )
    return items, effects


def _weapon(
    name: str,
    hit: str,
    harm: str,
    whole: str,
    stats: tuple[dict[str, int], int],
    made: tuple[list[Item], list[SheetEffect]],
) -> None:
    """An attack as a weapon, so that its numbers come to what is stated."""
    (scores, bonus), (items, effects) = stats, made
    dice, to_hit = _DICE.search(harm), _HIT.search(hit)
    if not dice:
        return
    count = _HOW_MANY.search(name)
    bare = re.sub(r"\s*\([^)]*\)", "", _HOW_MANY.sub("", name)).strip(" ,:") or name
    own = _amount(to_hit["bonus"]) - bonus if to_hit else 0
    mods = {ability: modifier(score) for ability, score in scores.items()}
    over = {ability: own - mod for ability, mod in mods.items() if 0 <= own - mod <= 3}
    ability = min(over, key=lambda a: over[a]) if over and to_hit else "str"
    magic = over.get(ability, own - mods.get(ability, 0)) if to_hit else 0
    reach = _RANGE.search(whole)
    items.append(
        Item(
            name=bare,
            type="weapon",
            qty=_first_number(count) if count else 1,
            equipped=True,
            weapon="ranged" if reach and not _IN_HAND.search(whole) else "melee",
            damage=dice["dice"],
            damage_types=list(dict.fromkeys(kind.lower() for kind in _TYPES.findall(harm))),
            ability=ability,
            bonus=magic,
            magic=magic > 0,
            proficient=True,
            range=f"{(reach[1] or reach[2]).replace(' ', '')} ft." if reach else "",
        )
    )
    stated = _amount(f"{dice['sign']}{dice['more']}") if dice["more"] else 0
    rest = stated - mods.get(ability, 0) - magic
    if rest:
        effects.append(SheetEffect(target=f"damage:item:{slug(bare)}", value=rest, source="sheet"))


def _amount(said: str) -> int:
    return int(said.replace(" ", "").replace("−", "-").replace("–", "-"))


def _first_number(hit: re.Match[str]) -> int:
    return next(int(group) for group in hit.groups() if group)


def features_of(part: WrittenPart) -> Iterator[tuple[Feature, SheetAction | None]]:
    """Each named line as a feature; with its uses where it tells how often."""
    for line in _joined(part.lines):
        said = BULLET.sub("", line).strip()
        hit = _NAMED.match(said) or _PLAIN_NAMED.match(plain(said))
        if hit is None:
            continue
        name = plain(hit["name"]).strip(" :.")
        rest = plain(hit["rest"]).strip(" :.–—-")
        kind = hit.groupdict().get("kind") or ""
        origin = "feat" if kind.strip().lower() == "feat" else kind.strip()
        if re.fullmatch(r"\(?[+\-−–]?\d+\)?", rest):
            continue  # A number with its label.
        uses = uses_in(rest)
        feature = Feature(name=name, origin=origin, desc=rest or name)
        yield feature, SheetAction(name=name, uses=uses, desc=rest) if uses else None


def uses_in(text: str) -> Uses | None:
    """How often something can be used and what is left of it: `4 per long rest, 2 left`."""
    if boxes := _BOXES.search(text):
        marks = re.findall(r"\[(.)\]", boxes[0]) or list(boxes[0])
        return Uses(max=len(marks), used=sum(mark in "xX☑☒✓■●" for mark in marks))
    for pattern in _USES:
        hit = pattern.search(text)
        if hit:
            told = hit.groupdict()
            most = int(told.get("most") or 1)
            used = most if told.get("gone") else int(told.get("used") or 0)
            if told.get("left"):
                used = most - int(told["left"] or 0)
            return Uses(max=most, used=max(0, used), reset=(told.get("reset") or "").lower())
    return None


def _joined(lines: Sequence[str]) -> list[str]:
    """Lines with those that go on from them."""
    made: list[str] = []
    for line in lines:
        bold = line.lstrip().startswith(("**", "__"))
        starts = bool(bold or BULLET.match(line) or _PLAIN_NAMED.match(line.strip()))
        if not line.strip():
            made.append("")
        elif starts or not made or not made[-1]:
            made.append(line.strip())
        else:
            made[-1] += f" {line.strip()}"
    return [line for line in made if line]


def belongings_of(part: WrittenPart) -> Iterator[Item]:
    """Things by line or comma; a label that stands before several, or the end of a heading, `Gear -
    Backpack`, is where they are."""
    headed = re.split(r"\s+[-–—:>/]\s+|:\s+", part.heading, maxsplit=1)[1:]
    for label, lines in part.groups():
        place = label or (headed or [""])[0].lower()
        place = re.sub(r"^(?:on|in)\s+(?!(?:me|hand)\b)(?:the\s+)?", "", place, flags=re.I)
        place = place[:1].upper() + place[1:]
        worn = bool(WORN.match(place))
        bag = "" if worn or _PURSE.match(place) else place
        if bag and lines:
            yield Item(name=bag, type="container", equipped=True)
        alone = one_a_line(lines)
        for line in (line for line in lines if not is_legend(line)):
            if alone and not BULLET.match(line) and ":" not in line:
                name, _, rest = _BRACKETS.sub(r", \1", line).strip().partition(",")
                told = f"{name.strip()} ({rest.strip(' ,')})" if rest.strip() else name
                if not _only_coins(line):
                    yield thing(told, bag, worn)
            else:
                yield from _things_in(line, bag, worn)


def one_a_line(lines: Sequence[str]) -> bool:
    """Whether a list has a thing on each line, so that what follows a comma tells of it."""
    commas = sorted(line.count(",") for line in lines if line.strip())
    return len(commas) > 2 and commas[len(commas) // 2] < 2


def _things_in(line: str, bag: str, worn: bool) -> Iterator[Item]:
    said = bare_line(line)
    label, colon, rest = said.partition(":")
    if colon and len(label.split()) <= 4:
        if _PURSE.match(label):
            return
        worn = worn or bool(WORN.match(label))
        inside = "" if worn else label.strip()
        if not BULLET.match(line) or "," in rest:
            if inside and "," in rest:
                yield Item(name=inside, type="container", equipped=True)
            for each in split_list(rest):
                yield thing(each, inside if "," in rest else bag, worn)
            return
    if not BULLET.match(line) and not bag and not worn and _is_prose(said):
        return
    for each in with_what_is_said(split_list(said)):
        if not _only_coins(each):
            yield thing(each, bag, worn)


def with_what_is_said(parts: Sequence[str]) -> list[str]:
    """Things of a list, each with the parts behind it that only tell of it: `a wand, 5 of 7 charges
    left`, `6 bolts, in a rag`."""
    made = list[str]()
    for part in parts:
        first = part.split(" ", 1)[0].lower()
        tells = uses_in(part) or first in stop_words() or part.endswith(" left")
        if made and tells:
            made[-1] += f" ({part})"
        else:
            made.append(part)
    return made


def _is_prose(said: str) -> bool:
    return said.endswith(".") and len(said.split()) > 12


def split_list(said: str) -> list[str]:
    """A list by its commas, none of those in brackets."""
    found = [each.strip(" .") for each in re.split(r"[,;]\s*(?![^(]*\))|\s+and\s+(?=\d)", said)]
    return [each for each in found if each]


def thing(said: str, bag: str = "", worn: bool = False) -> Item:
    """`2 Potions of Healing`, `rope (50 ft.)`, `Ring of Warmth (attuned)`, `wand (3/7 charges)`."""
    name = plain(said).strip(" .")
    count = 1
    if state := re.match(r"(attuned|equipped|worn)(?: to)?:\s*(.+)$", name, re.I):
        name = f"{state[2]} ({state[1].lower()})"
    if hit := _COUNT_FIRST.match(name):
        count, name = int(hit[1]), hit[2]
    elif hit := _HOW_MANY.search(name):
        count, name = _first_number(hit), _HOW_MANY.sub("", name)
    told = " ".join(_BRACKETS.findall(name)).lower()
    head, _, desc = name.partition(": ")
    attuned = "attuned" in told and not re.search(r"\b(?:not|un)\s*-?attuned", told)
    marks = re.search(r"\battun", told)
    bare = _BRACKETS.sub("", head).strip(" ,") or head
    return Item(
        name=bare,
        qty=count,
        container=bag,
        equipped=worn or "equipped" in told or "worn" in told,
        attuned=attuned,
        attunable=bool(marks),
        magic=bool(marks) or bool(re.search(r"\+\d\b", bare)),
        charges=uses_in(name) if re.search(r"charge|/|\[", name) else None,
        desc=desc or told,
    )


def _only_coins(said: str) -> bool:
    return not re.sub(r"[\s,.&]|and", "", _COIN.sub("", said))


def _coins_in_columns(lines: Sequence[str]) -> dict[str, int]:
    """`pp 3  gp 146  cp 50`; or the coins in one line and their numbers in the next."""
    heads = list[str]()
    for line in lines:
        pairs = _COIN_FIRST.findall(line) if not _is_number_first(line) else []
        if len({coin.lower() for coin, _ in pairs}) > 1:
            return {coin.lower(): int(count.replace(",", "")) for coin, count in pairs}
        counts = re.findall(r"(?<!\S)\d[\d,]*(?!\S)", line)
        if heads and len(counts) == len(heads):
            return {
                coin: int(count.replace(",", "")) for coin, count in zip(heads, counts, strict=True)
            }
        named = re.findall(r"(?<!\S)[pgesc]p(?!\S)", line.lower())
        heads = named if len(named) > 1 and not counts else []
    return {}


def _purse_among(said: str) -> str:
    """Those of some things that are coins and nothing else, where one is of several kinds; all,
    where none is."""
    coins = [each for each in re.split(r"(?<!\d),|,(?!\d)", said) if _only_coins(each)]
    several = any(_has_several_coins(each) for each in coins)
    return ",".join(coins) if several else said


def _has_several_coins(said: str) -> bool:
    return len({coin for _, coin in _COIN.findall(said)}) > 1


def _is_number_first(line: str) -> bool:
    """Whether the first coin of a line stands behind its number: `63 gp 18 sp`."""
    before, behind = _COIN.search(line), _COIN_FIRST.search(line)
    return bool(before and behind and before.start() < behind.start())


def money_of(parts: Sequence[WrittenPart]) -> dict[str, int]:
    """Coins that the sheet counts: in columns, on a line of their own, or behind a word for a
    purse."""
    found = _coins_in_columns([line for part in parts for line in (part.heading, *part.lines)])
    for part in parts:
        for row in part.rows:
            for coin, count in coins_of_row(row):
                found[coin] = found.get(coin, 0) + count
    if found:
        return found
    for part in parts:
        for line in part.lines:
            said = _BRACKETS.sub("", bare_line(line))
            label, colon, rest = said.partition(":")
            purse = colon and _PURSE.match(label)
            opens = None if colon else _PURSE_OPENS.match(said)
            put = opens["coins"] if opens else rest if purse or colon else said
            put = put if purse else _purse_among(put)
            if not purse and not (_COIN.search(put) and _only_coins(put)):
                continue
            for count, coin in _COIN.findall(put):
                key = COINS.get(coin.lower(), coin.lower())
                found[key] = found.get(key, 0) + int(count.replace(",", ""))
            bare = re.fullmatch(r"\s*(\d[\d,]*)\s*", rest) if purse else None
            if bare and not found:
                found["gp"] = int(bare[1].replace(",", ""))
    return found or _coins_beside(parts)


def _coins_beside(parts: Sequence[WrittenPart]) -> dict[str, int]:
    """Coins that stand beside their numbers, each on a line of its own: `gp=3`, `Silver: 19`."""
    found: dict[str, int] = {}
    for each in numbers_beside(parts):
        first = each.label.partition(" ")[0]
        coin = COINS.get(first, first)
        if coin in COINS.values() and (count := each.plainly()):
            found.setdefault(coin, count[0])
    return found if len(found) > 1 or "gp" in found else {}
