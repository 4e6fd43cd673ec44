"""Places of the evening, six and more: from the premise, from packs, and from the genre's own."""

import re
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.resources import as_file, files
from itertools import dropwhile
from pathlib import Path
from typing import Any

from freeform.core.chance import Chance
from freeform.core.text import slug
from freeform.forge.cast.genre_shelf import ForgeGenre
from freeform.forge.cast.parts import PlaceParts
from freeform.forge.data import plain_yaml
from freeform.forge.grammar import Grammar, capital, with_the
from freeform.forge.model import ForgeMaterial
from freeform.forge.premise.kinds import ends_as_nobody, known_kind, word_tables
from freeform.forge.premise.middle import middle_of, shut_place
from freeform.forge.premise.nouns import YOU, PremiseNoun
from freeform.forge.premise.read import PremiseRead
from freeform.language.forms import is_plural
from freeform.language.words import word_class
from freeform.packs.model import Entry

SITES = ("hub", "home", "work", "store", "edge", "deep")
MOST_PLACES = 9
_FOR = {
    "building": ("home", "work", "store", "deep"),
    "holy": ("deep", "store", "edge"),
    "room": ("deep", "home", "store"),
    "wild": ("edge", "deep"),
    "water": ("edge", "deep"),
    "settlement": ("hub", "edge"),
    "vessel": ("work", "hub", "edge"),
    "road": ("edge", "deep"),
    "under": ("deep", "edge"),
}
_INDOORS = frozenset({"building", "room", "vessel", "holy", "under"})
"""Where a story can begin: people sit there, and talk."""
_ABOARD = frozenset({"ship", "boat", "train", "bus", "ferry"})
"""One is on these, whatever their name: the generation ship Halcyon."""
_OUTDOORS = frozenset({"weather", "growing", "creature"})
"""Sorts of things that are out of doors: a story about one begins there."""
_LONG_NAME = 4
"""Words of a heading in a book that may still be a place's name."""
_NEXT_DOOR = ("home", "work", "store", "edge")
"""Where a way leads from where it begins."""
_LINKS = (
    ("hub", "home"),
    ("hub", "work"),
    ("hub", "store"),
    ("hub", "edge"),
    ("work", "store"),
    ("home", "edge"),
)


@dataclass(frozen=True)
class Site:
    """A place, by what it is for."""

    role: str
    id: str
    name: str
    text: str
    air: str
    details: tuple[tuple[str, str], ...] = ()
    aliases: tuple[str, ...] = ()
    source: str = ""
    pack_id: str = ""
    entry_id: str = ""
    is_part: bool = False
    """Whether it is a part of the place where the story begins."""

    @property
    def is_named(self) -> bool:
        """Whether it is one that the premise names."""
        return self.source.startswith("premise")

    def names(self) -> dict[str, str]:
        """Every word a template may want of it."""
        inside = re.sub(r"^(?:The|Your) ", lambda word: word[0].lower(), self.name)
        last = inside.lower().split()
        on = (
            bool(_ABOARD & set(last))
            or last[-1] in word_tables().said_on
            or (len(last) > 1 and last[1] in word_tables().said_on and "of" in last)
        )
        at = last[-1] in word_tables().said_at or (
            len(last) > 1 and last[1] in word_tables().said_at
        )
        where = "on" if on else "at" if at else "in"
        into = {"on": "onto", "at": "to", "in": "into"}[where]
        return {
            self.role: inside,
            f"{self.role}.The": capital(inside),
            f"{self.role}.in": f"{where} {inside}",
            f"{self.role}.In": f"{where.capitalize()} {inside}",
            f"{self.role}.into": f"{into} {inside}",
        }


@dataclass
class Scouting:
    """Finds a place for each part of the story; what the premise names comes first."""

    genre: ForgeGenre
    premise: PremiseRead
    material: ForgeMaterial
    chance: Chance
    homes: dict[str, str]
    """Where the people of the premise are, by what it calls them."""
    parts: PlaceParts | None = None
    """What the place that it plays in has in it."""
    settlement: str = ""
    also_called: list[str] = field(default_factory=list)
    distant: list[PremiseNoun] = field(default_factory=list)
    """Places that are heard of and not gone to."""

    def sites(self) -> dict[str, Site]:
        """The places by their part; `more1` and so on for what the premise names beyond."""
        self.settlement = self.genre.words["settlement"]
        found: dict[str, Site] = {}
        for noun in self.premise.of("place"):
            if self._is_whole(noun):
                self.settlement = noun.text if noun.is_name else with_the(noun.text)
                called = [noun.text.lower(), noun.head.lower(), noun.full]
                self.also_called += [name for name in called if name]
            elif self._is_far(noun):
                self.distant.append(noun)
            else:
                self._seat(noun, found)
        entries = [e for e in self.material.entries if e.type == "location" and not e.gm_only]
        entries = [e for e in entries if "page" not in e.extra or goes_by_place(e.name)]
        shuffled = self.chance.at("locations").shuffled(entries)
        for role in SITES:
            if role in found:
                continue
            taken = {site.name for site in found.values()}
            entry = shuffled.pop(0) if shuffled else None
            found[role] = self._from_entry(role, entry) if entry else self._own(role, taken)
        if self.also_called:
            hub = found["hub"]
            found["hub"] = replace(hub, aliases=(*hub.aliases, *self.also_called))
        beyond = [role for role in found if role not in SITES]
        return _apart({role: found[role] for role in (*SITES, *beyond)})

    def _is_whole(self, noun: PremiseNoun) -> bool:
        """Whether the noun names the whole of where we are."""
        if self.also_called:
            return False
        head = noun.head.lower()
        own = self.genre.words["settlement"].split()[-1]
        whole = self.genre.words.get("whole", "").split()
        return (
            head in word_tables().wide
            or head == own
            or head in whole
            or (noun.is_name and noun.sort in ("settlement", "world"))
        )

    def _is_far(self, noun: PremiseNoun) -> bool:
        """What is too large or too far to walk into."""
        if noun.sort == "world":
            return True
        return noun.sort == "settlement" and (noun.is_name or noun.head in word_tables().wide)

    def _seat(self, noun: PremiseNoun, found: dict[str, Site]) -> None:
        known = self._genre_place(noun)
        wanted = self._wanted(noun, known, found)
        role = next((role for role in wanted if role not in found), "")
        if not role:
            if len(found) >= MOST_PLACES - len(SITES):
                self.distant.append(noun)
                return
            role = f"more{'abc'[sum(r.startswith('more') for r in found)]}"
        if known and not noun.owner:
            site = _site(role, known[1], f"premise: {noun.text}; genre {self.genre.id}")
            is_shut = noun == shut_place(self.premise)
            called = (*site.aliases, noun.text, noun.head, *filter(None, [noun.full]))
            found[role] = replace(site, aliases=called, is_part=is_shut)
        else:
            found[role] = self._from_noun(role, noun)

    def _wanted(
        self, noun: PremiseNoun, known: tuple[str, tuple[str, ...]] | None, found: dict[str, Site]
    ) -> tuple[str, ...]:
        """The parts of the story a place may have, the likeliest first. It begins at the first that
        the premise names, or that is the first one comes to from there; somebody's own place is
        where they are."""
        if noun == shut_place(self.premise):
            return ("deep",)
        if not found and self._is_about_outdoors():
            return ("hub",)
        whose = self.homes.get(noun.owner, "")
        if whose in ("hub", *_NEXT_DOOR):
            return (whose, *_NEXT_DOOR)
        if not found and noun.sort in _INDOORS:
            return ("hub",)
        usual = _FOR.get(noun.sort, ("edge", "deep"))
        if not found:
            return tuple(role for role in usual if role in _NEXT_DOOR) or ("edge",)
        return (known[0], *usual) if known else usual

    def _is_about_outdoors(self) -> bool:
        """Whether what the premise turns on is the ice, the orchard, the flock: it begins there."""
        middle = middle_of(self.premise)
        return middle is not None and middle.nature in _OUTDOORS

    def _genre_place(self, noun: PremiseNoun) -> tuple[str, tuple[str, ...]] | None:
        """A place of the genre that goes by that noun; a tea shop is not just any shop, and a
        monastery is not its library."""
        words = noun.text.lower().split()
        plain = dropwhile(word_tables().adjectives.__contains__, words)
        text = " ".join(plain) or noun.head.lower()
        for role, rows in self.genre.places.items():
            for row in rows:
                called = [called.strip() for called in row[1].split(",")]
                if text in called and is_itself(noun.head, row[0]):
                    return role, row
        return None

    def _from_noun(self, role: str, noun: PremiseNoun) -> Site:
        the = self._said(noun)
        vast = noun.head.lower() in word_tables().vast and not noun.is_name
        name = f"The edge of {the}" if vast else capital(the)
        row = self.chance.at("look", noun.text).choose(self._looks(role, noun))
        tell = Grammar({"the": the, "The": capital(the)})
        called = [noun.text.lower(), noun.head.lower(), the.lower(), noun.also.lower(), noun.full]
        detail = (str(row["detail"][0]), tell.tell(str(row["detail"][1])))
        return Site(
            role=role,
            id=slug(name),
            name=name,
            text=tell.tell(str(row["text"])),
            air=tell.tell(str(row["air"])),
            details=(detail,),
            aliases=tuple(dict.fromkeys(filter(None, called))),
            source=f"premise: {noun.text}",
            is_part=noun.sort == "room" or noun == shut_place(self.premise),
        )

    def _said(self, noun: PremiseNoun) -> str:
        """As the premise has it; but one's own is to oneself `the bakery`."""
        return with_the(noun.text) if noun.owner == YOU else self.premise.said(noun)

    def _looks(self, role: str, noun: PremiseNoun) -> list[dict[str, Any]]:
        """What a place of that kind can look like; one's own to whom it belongs."""
        looks = premise_places()
        is_ones_own = noun.owner == YOU or self.premise.teller.is_host
        if role == "hub" and is_ones_own and noun.sort in _INDOORS:
            return looks["own"]
        return looks.get(noun.sort) or looks["building"]

    def _own(self, role: str, taken: set[str]) -> Site:
        """One of the genre's own, or a part of the premise's place; none that is there already."""
        parts = self.parts.places.get(role) if self.parts else None
        rows = list(self.genre.places[role])
        rows = [row for row in rows if row[0] not in taken] or rows
        if not self.parts and role in ("hub", "edge") and self._is_about_outdoors():
            first = self.chance.at("place", "outdoors").die(2) % 2
            rows = [self.genre.places["edge"][first if role == "hub" else 1 - first]]
        row = self.chance.at("place", role).choose(parts or rows)
        site = _site(role, row, f"genre {self.genre.id}")
        return replace(site, source="part of the premise's place", is_part=True) if parts else site

    def _from_entry(self, role: str, entry: Entry) -> Site:
        told = [s.text.strip() for s in entry.sections if s.text.strip() and not s.gm_only]
        text = _sentences(told[0] if told else "", 420) or f"This is {entry.name}."
        own = self.chance.at("place", role).choose(self.genre.places[role])
        air = _sentences(told[1], 200) if len(told) > 1 else own[3]
        return Site(
            role=role,
            id=entry.id,
            name=entry.name,
            text=text,
            air=air,
            details=((own[4], own[5]),),
            aliases=tuple(alias.lower() for alias in entry.aliases),
            source=f"pack {entry.pack_id}: {entry.file_path}",
            pack_id=entry.pack_id,
            entry_id=entry.local_id,
        )


@cache
def premise_places() -> dict[str, list[dict[str, Any]]]:
    """What places look like that only a premise names, by their sort."""
    with as_file(files("freeform.forge.premise") / "places.yaml") as file:
        read: dict[str, list[dict[str, Any]]] = plain_yaml(Path(file))
    return read


def goes_by_place(name: str) -> bool:
    """Whether a name may be a place's: it has an article, ends in a word for one, or is one word's
    name. `Settlement details`, `Governance`, `3. Detail adventure sites` are headings of a book."""
    words = re.findall(r"[\w'’-]+", name)
    if not words or words[0].isdigit() or is_plural(words[-1].lower()):
        return False
    if words[0].lower() in word_class("articles"):
        return "(" not in name
    known = known_kind(words[-1])
    if known is not None:
        return known[0] == "place" and len(words) <= _LONG_NAME
    plain = (word for word in words if word.lower() not in word_tables().small)
    return all(word[0].isupper() for word in plain) and not ends_as_nobody(words[-1])


def is_itself(head: str, name: str) -> bool:
    """Whether a place of that name is what the noun says: the monastery library is no monastery,
    the Crooked Candle may well be an inn."""
    words = name.lower().split()
    return head.lower() not in words[:-1]


def door_to_deep(sites: dict[str, Site]) -> str:
    """From where one comes to the place that is kept shut."""
    return "hub" if sites["deep"].is_part else "edge"


def ways(sites: dict[str, Site]) -> dict[str, list[str]]:
    """Which place leads to which, both ways."""
    links: dict[str, list[str]] = {role: [] for role in sites}
    extra = [
        ("hub" if at % 2 == 0 else "edge", role)
        for at, role in enumerate(sites)
        if role not in SITES
    ]
    for one, other in (*_LINKS, (door_to_deep(sites), "deep"), *extra):
        links[one].append(other)
        links[other].append(one)
    return links


def _site(role: str, row: tuple[str, ...], source: str) -> Site:
    name, aka, text, air, spot, seen = row
    return Site(
        role=role,
        id=slug(name),
        name=name,
        text=text,
        air=air,
        details=((spot, seen),),
        aliases=tuple(called.strip() for called in aka.split(",")),
        source=source,
    )


def _apart(sites: dict[str, Site]) -> dict[str, Site]:
    """Every place under an id of its own, and no alias that two would share."""
    ids: set[str] = set()
    heard: set[str] = set()
    kept: dict[str, Site] = {}
    for role, site in sites.items():
        id = site.id if site.id not in ids else f"{site.id}_{role}"
        ids.add(id)
        own = {site.name.lower(), re.sub(r"^the ", "", site.name.lower())}
        free = [
            a
            for a in dict.fromkeys(site.aliases)
            if a not in heard and a not in word_class("articles")
        ]
        heard |= {*free, *own}
        kept[role] = replace(site, id=id, aliases=tuple(free))
    return kept


def _sentences(text: str, most: int) -> str:
    """The beginning of a text: whole sentences, markup gone."""
    plain = re.sub(r"[*_#>`\[\]]", "", " ".join(text.split()))
    plain = re.sub(r"^- ", "", plain)
    if len(plain) <= most:
        return plain
    cut = plain[:most]
    end = max(cut.rfind(". "), cut.rfind("! "), cut.rfind("? "))
    return cut[: end + 1] if end > 40 else cut.rsplit(" ", 1)[0] + "…"
