"""People of the evening: who takes which role, out of the premise, packs, a card, or made anew."""

import re
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from freeform.core.chance import Chance
from freeform.core.text import slug
from freeform.forge.cast.cards import card_is_she, card_trade
from freeform.forge.cast.genre_shelf import ForgeGenre
from freeform.forge.cast.names import NameBag, collective, gendered, goes_by_person, is_she
from freeform.forge.cast.voices import ForgeVoice, voice_shelf
from freeform.forge.grammar import capital, with_a, with_the
from freeform.forge.model import ForgeMaterial
from freeform.forge.premise.fates import said_of
from freeform.forge.premise.kinds import known_kind, word_tables
from freeform.forge.premise.nouns import YOU, PremiseNoun
from freeform.forge.premise.read import PremiseRead
from freeform.forge.premise.teller import in_second_person
from freeform.forge.shapes.model import ShapeRole, StoryShape
from freeform.language.meaning.manners import IS_SO
from freeform.language.short_forms import familiar_forms

MOST_EXTRAS = 2
_BEGINS = 20
"""So many letters of a premise that is a card's own words say so."""
_BEASTS = frozenset({"creature", "monster", "beast"})
"""What a pack marks as one of these is fought, and nobody to talk to."""


@dataclass(frozen=True)
class Figure:
    """Somebody in the story."""

    role: str
    id: str
    name: str
    short: str
    trade: str
    """What they are, without an article: `lighthouse keeper`."""
    she: bool
    voice: ForgeVoice
    look: str
    at: str
    want: str = ""
    known_as: str = ""
    absent: bool = False
    aliases: tuple[str, ...] = ()
    source: str = ""
    pack_id: str = ""
    entry_id: str = ""
    greeting: tuple[str, ...] = ()
    disposition: str = ""
    said_as: str = ""
    """What the premise calls them, where it does."""
    fate: str = ""
    """What has become of them by the premise: dead, missing, asleep, away."""
    fate_told: str = ""
    """The premise's own words for it."""

    @property
    def is_yours(self) -> bool:
        """Whether they are somebody of the player's own: `your grandmother`."""
        return self.said_as.startswith("your ")

    def names(self) -> dict[str, str]:
        """Every word a template may want of them."""
        he, him, his = ("she", "her", "her") if self.she else ("he", "him", "his")
        return {
            self.role: self.name,
            f"{self.role}.short": self.short,
            f"{self.role}.trade": with_the(self.trade),
            f"{self.role}.a_trade": with_a(self.trade),
            f"{self.role}.Trade": capital(self.trade),
            f"{self.role}.he": he,
            f"{self.role}.him": him,
            f"{self.role}.his": his,
            f"{self.role}.He": he.capitalize(),
            f"{self.role}.His": his.capitalize(),
        }


class _Who(NamedTuple):
    """Somebody, before they have a voice."""

    name: str
    trade: str
    she: bool
    aliases: frozenset[str]
    source: str


@dataclass
class RoleCasting:
    """Fills roles one after the other; nobody is taken twice."""

    shape: StoryShape
    genre: ForgeGenre
    premise: PremiseRead
    material: ForgeMaterial
    chance: Chance
    seats: dict[str, PremiseNoun]
    """Who of the premise takes which role."""
    trades: dict[str, list[str]]
    """What people here may be, by station."""
    _taken: set[str] = field(default_factory=set)
    _ids: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self._bag = NameBag(self.genre, self.chance.at("names"))
        self._voices = self.chance.at("voices").shuffled(voice_shelf().voices)
        self._looks = self.chance.at("looks").shuffled(voice_shelf().looks)
        self._nouns = self.premise.of("person")
        taken = self._trades_of_the_premise()
        self._trades: dict[str, list[str]] = {}
        for station, trades in self.trades.items():
            shuffled = self.chance.at("trades", station).shuffled(trades)
            self._trades[station] = [t for t in shuffled if not taken & set(_words(t))]
        self._entries = self._pack_people()
        self._families: dict[str, str] = {}

    def cast(self) -> dict[str, Figure]:
        """Every role, then a local who has heard it all, then whoever else the premise names."""
        chosen = self.seats
        figures: dict[str, Figure] = {}
        card_role = self._card_role(chosen)
        for role, wanted in self.shape.roles.items():
            if role == card_role:
                figures[role] = self._from_card(role, wanted)
            elif role in chosen:
                figures[role] = self._from_noun(role, wanted, chosen[role])
            elif self._entries and not wanted.absent:
                figures[role] = self._from_entry(role, wanted)
            else:
                figures[role] = self._made(role, wanted)
        figures["chorus"] = self._chorus()
        spare = [noun for noun in self._nouns if noun not in chosen.values()][:MOST_EXTRAS]
        for number, noun in enumerate(spare, 1):
            role = f"extra{'ab'[number - 1]}"
            is_gone = noun.is_gone or bool(noun.fate)
            place = "nowhere" if is_gone else ("home", "work")[number - 1]
            extra = ShapeRole(stations=["hand"], at=place, absent=is_gone, parts=[])
            figures[role] = self._from_noun(role, extra, noun)
        return called_familiarly(figures)

    def _trades_of_the_premise(self) -> set[str]:
        """What the hero and the people of the premise are: nobody else is that by chance."""
        kinds = {word: known_kind(word) for word in _words(self.premise.teller.concept)}
        own = {word for word, known in kinds.items() if known and known[0] == "person"}
        return own | {noun.head for noun in self._nouns}

    def _card_role(self, chosen: dict[str, PremiseNoun]) -> str:
        if self.material.card is None:
            return ""
        free = [
            role
            for role, wanted in self.shape.roles.items()
            if role not in chosen and not wanted.absent
        ]
        met_first = [role for role in free if self.shape.roles[role].at == "hub"]
        return (met_first or free or list(self.shape.roles))[0]

    def _from_noun(self, role: str, wanted: ShapeRole, noun: PremiseNoun) -> Figure:
        trade, she = self._trade_of(noun), self._is_she(noun)
        if noun.is_name:
            name = noun.text
        else:
            name = self._bag.person(she, self._family_of(noun))
            self._families[noun.text] = self._bag.family_of(name)
        aliases = {
            noun.text,
            noun.head,
            trade,
            *({noun.text, noun.head + "s"} if noun.is_many else ()),
            *({noun.full} if noun.full else ()),
        }
        said_as = "" if noun.is_name else _said_as(noun, trade)
        if noun.also:
            aliases |= {*noun.also_called, *(said.split()[-1] for said in noun.also_called)}
            also = f"your {noun.also}" if noun.owner == YOU else noun.also
            trade = also if noun.is_name else f"{trade}, the {noun.also}"
        elif noun.is_name:
            trade = self._station_trade(wanted)
        who = _Who(name, trade, she, frozenset(aliases), f"premise: {noun.text}")
        fate = noun.fate or ("dead" if noun.is_gone else "")
        told = in_second_person(said_of(noun, self.premise.text)) if fate else ""
        made = self._figure(role, wanted, who, self._manner_of(noun))
        return replace(made, said_as=said_as, fate=fate, fate_told=told)

    def _is_she(self, noun: PremiseNoun) -> bool:
        """By its words; else by the only pronouns the premise has, if it is told of first; else by
        chance."""
        teller = self.premise.teller
        is_first = noun is self._nouns[0] and (teller.is_own or not teller.hero)
        if is_first and self.premise.hers is not None and not gendered(noun.head):
            return self.premise.hers
        said_of = (
            noun.head if gendered(noun.head) or not noun.also else noun.also_called[0].split()[-1]
        )
        return is_she(said_of, self.chance.at("gender", noun.text))

    def _trade_of(self, noun: PremiseNoun) -> str:
        the = "your" if noun.owner == YOU else "the"
        if collective(noun.head):
            return f"head of {the} {noun.text}"
        if noun.is_many:
            return f"one of {the} {noun.text}"
        if noun.owner == YOU:
            return f"your {noun.text}"
        if noun.owner:
            return f"{noun.owner}'s {noun.text}"
        return noun.text

    def _family_of(self, noun: PremiseNoun) -> str:
        """Kin share a name, whichever of them is made first."""
        kin = word_tables().kin
        if noun.owner in self._families and noun.head in kin:
            return self._families[noun.owner]
        owned = next((o for o in self._nouns if o.owner == noun.text and o.head in kin), None)
        return self._families.get(owned.text, "") if owned else ""

    def _pack_people(self) -> list[int]:
        """Entries that are people, those that belong to a place of the pack first."""
        rows = list(enumerate(self.material.entries))
        people = [(at, entry) for at, entry in rows if entry.type == "npc" and not entry.gm_only]
        people = [(at, entry) for at, entry in people if not _BEASTS & set(entry.tags)]
        people = [(at, e) for at, e in people if "page" not in e.extra or goes_by_person(e.name)]
        shuffled = self.chance.at("pack").shuffled(people)
        shuffled.sort(key=lambda row: not row[1].related_locations)
        return [at for at, _ in shuffled]

    def _from_entry(self, role: str, wanted: ShapeRole) -> Figure:
        fitting = [at for at in self._entries if self._suits(at, wanted)]
        chosen = (fitting or self._entries)[0]
        self._entries.remove(chosen)
        entry = self.material.entries[chosen]
        told = next((s.text for s in entry.sections if s.text.strip() and not s.gm_only), "")
        look = " ".join(told.split("\n\n")[0].split())[:300]
        she = f" {look.lower()} ".count(" she ") + f" {look.lower()} ".count(" her ") > 0
        if not she and " he " not in f" {look.lower()} " and " his " not in f" {look.lower()} ":
            she = is_she(entry.name, self.chance.at("gender", entry.id))
        trade = str(entry.extra.get("role") or "") or self._station_trade(wanted)
        aliases = frozenset(alias.lower() for alias in entry.aliases)
        source = f"pack {entry.pack_id}: {entry.file_path}"
        figure = self._figure(role, wanted, _Who(entry.name, trade, she, aliases, source))
        return replace(
            figure,
            id=entry.id,
            look=look or figure.look,
            pack_id=entry.pack_id,
            entry_id=entry.local_id,
        )

    def _suits(self, at: int, wanted: ShapeRole) -> bool:
        entry = self.material.entries[at]
        tags = {tag.lower() for tag in entry.tags}
        trades = " ".join(" ".join(self.genre.trades.get(s, ())) for s in wanted.stations).split()
        return bool(tags & ({*wanted.stations, *trades, *wanted.likes.split()}))

    def _from_card(self, role: str, wanted: ShapeRole) -> Figure:
        card = self.material.card
        assert card is not None
        she = card_is_she(card, self.chance.at("gender", card.name))
        trade = card_trade(card) or self._station_trade(wanted)
        who = _Who(card.name, trade, she, frozenset(), "card name")
        figure = self._figure(role, wanted, who)
        begun = card.told if card.told.startswith(self.premise.text[:_BEGINS]) else ""
        first_words = card.first_words.strip().removeprefix(begun).strip()
        greeting = (first_words,) if first_words else ()
        return replace(
            figure,
            look=_first_sentences(card.description, 300) or figure.look,
            greeting=greeting,
            disposition=_first_sentences(card.personality, 400),
        )

    def _made(self, role: str, wanted: ShapeRole) -> Figure:
        trade = self._station_trade(wanted)
        she = is_she(trade, self.chance.at("gender", role))
        name = self._bag.person(she)
        source = f"genre {self.genre.id}, shape {self.shape.id}"
        return self._figure(role, wanted, _Who(name, trade, she, frozenset({trade}), source))

    def _chorus(self) -> Figure:
        wanted = ShapeRole(
            stations=["keeper", "elder", "youth"],
            at="hub",
            want="to be the first to have known",
            parts=[],
            known_as="who hears everything",
        )
        if self._entries:
            return self._from_entry("chorus", wanted)
        return self._made("chorus", wanted)

    def _station_trade(self, wanted: ShapeRole) -> str:
        for station in wanted.stations:
            if self._trades.get(station):
                return self._trades[station].pop(0)
        return next(trades.pop(0) for trades in self._trades.values() if trades)

    def _manner_of(self, noun: PremiseNoun) -> str:
        """The manner that the premise gives to somebody: a nervous mechanic, a polite ghost."""
        manners = self.premise.heard.manners
        own = [*noun.text.lower().split()[:-1], *noun.also.lower().split()[:-1]]
        named = rf"\b{re.escape(noun.head)}{IS_SO.pattern}"
        said = re.search(named, self.premise.text, re.IGNORECASE)
        words = [*own, *([said[1].lower()] if said else [])]
        return next((manners[word] for word in words if word in manners), "")

    def _figure(self, role: str, wanted: ShapeRole, who: _Who, manner: str = "") -> Figure:
        fitting = [voice for voice in voice_shelf().voices if voice.id == manner]
        voice = (fitting or self._voices or voice_shelf().voices)[0]
        self._voices = [other for other in self._voices if other is not voice]
        look = self._looks.pop(0) if self._looks else voice_shelf().looks[0]
        aliases = {alias for alias in who.aliases if alias} - {who.name.lower()}
        return Figure(
            role=role,
            id=self._free_id(who.name),
            name=who.name,
            short=self._bag.short(who.name),
            trade=who.trade,
            she=who.she,
            voice=voice,
            look=look,
            at=wanted.at,
            want=wanted.want,
            known_as=wanted.known_as,
            absent=wanted.absent,
            aliases=tuple(sorted(aliases)),
            source=who.source,
        )

    def _free_id(self, name: str) -> str:
        id, number = slug(name) or "someone", 2
        while id in self._ids:
            id, number = f"{slug(name)}_{number}", number + 1
        self._ids.add(id)
        return id


def called_familiarly(figures: dict[str, Figure]) -> dict[str, Figure]:
    """Everybody, also under the short forms of what they are (`grandma`, `doc`) that nobody else
    answers to."""
    answers = {role: set(_words(f"{f.name} {f.trade}")) for role, f in figures.items()}
    forms = {role: _familiar(figure) for role, figure in figures.items()}
    found = {}
    for role, figure in figures.items():
        others = [other for other in figures if other != role]
        taken = set[str]().union(*(answers[other] | forms[other] for other in others))
        free = sorted(forms[role] - taken - set(figure.aliases))
        found[role] = replace(figure, aliases=(*figure.aliases, *free))
    return found


def _familiar(figure: Figure) -> set[str]:
    """The short forms of what somebody is: of the last word of it, and of what it is joined to."""
    heads = [part.split()[-1] for part in figure.trade.lower().split(",") if part.split()]
    found: set[str] = set()
    for head in heads:
        found |= familiar_forms(head)
    return found


def _words(text: str) -> list[str]:
    return re.findall(r"[a-z]+", text.lower())


def _said_as(noun: PremiseNoun, trade: str) -> str:
    """What the premise calls them: the keeper's twin is `the twin`, my boss `your boss`."""
    return noun.text if noun.owner and noun.owner != YOU else trade


def _first_sentences(text: str, most: int) -> str:
    """The beginning of a text, whole sentences of it."""
    if len(text) <= most:
        return text
    cut = text[:most]
    end = max(cut.rfind(". "), cut.rfind("! "), cut.rfind("? "))
    return cut[: end + 1] if end > 0 else cut.rsplit(" ", 1)[0] + "…"
