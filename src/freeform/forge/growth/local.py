"""Who is met beyond the map: a trade, a voice, something heard of the evening, maybe an errand."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from freeform.core.chance import Chance
from freeform.core.text import slug
from freeform.engine.authored.growth import grown_parts
from freeform.engine.authored.scenario import Affordance, Person
from freeform.engine.ports import Going
from freeform.engine.world.names import names_of
from freeform.engine.world.state import (
    PLAYER,
    Entity,
    Fact,
    GameState,
    Holding,
    Relationship,
    Thread,
    fact_id,
)
from freeform.forge.cast.genre_shelf import ForgeGenre
from freeform.forge.cast.names import NameBag, collective, is_she
from freeform.forge.cast.voices import ForgeVoice, voice_shelf
from freeform.forge.grammar import Grammar, capital, spoken, with_a
from freeform.forge.growth.destination import Destination
from freeform.forge.growth.tables import beyond_tables
from freeform.language.inflection import singular

T = TypeVar("T")
_SEEN = ("what you saw", "what you know", "truth")
_KNOWN_OF_CAST = 3
_ERRAND_ONE_IN = 2
_SAYS_OF_OTHERS = ("wary", "plain", "warm")


@dataclass
class Met:
    """What somebody brings into the world with them."""

    entities: list[Entity]
    people: dict[str, Person]
    relationships: list[Relationship]
    facts: list[Fact]
    inventory: list[Holding] = field(default_factory=list)
    threads: list[Thread] = field(default_factory=list)
    affordances: list[Affordance] = field(default_factory=list)


class Local:
    """Somebody out there."""

    def __init__(
        self, going: Going, meant: Destination, place: str, genre: ForgeGenre, chance: Chance
    ) -> None:
        self._going, self._place, self._chance = going, place, chance
        self.trade = _trade(meant, genre, chance)
        self.she = is_she(self.trade, chance.at("gender"))
        self._bag = _Unused(genre, going, chance.at("names"))
        self.name = self._bag.person(self.she)
        self.short = self._bag.short(self.name)
        self.id = f"{place}/{slug(self.name)}"
        self._number = len(going.state.value("campaign", "grown") or [])
        self._voice = self._next(self._unheard_voices(), "voice")
        he, him, his = ("she", "her", "her") if self.she else ("he", "him", "his")
        self._own = {"n": self.short, "he": he, "him": him, "his": his, "He": capital(he)}

    def met(self, grammar: Grammar, rumour: str = "") -> Met:
        """The person, the errand they may have, and a rumour they have heard."""
        told = grammar.also({**self._own, "a_trade": with_a(self.trade)})
        person = self._person(told)
        met = Met([self._entity(told)], {}, [self._trust()], self._facts())
        if rumour:
            person["knows"].append(self._rumour(told, rumour))
        cast = self._cast()
        if cast and self._chance.at("errand").die(_ERRAND_ONE_IN) == 1:
            person["knows"].append(self._errand(told, cast[-1], met))
        met.people[self.id] = Person.model_validate(person)
        return met

    def _entity(self, told: Grammar) -> Entity:
        look = self._chance.at("look").choose(voice_shelf().looks)
        parts = [part for part in self.name.lower().split() if len(part) > 2]
        return Entity(
            id=self.id,
            type="npc",
            name=self.name,
            attrs={
                "aliases": list(dict.fromkeys([self.short.lower(), self.trade, *parts])),
                "pronouns": "she/her" if self.she else "he/him",
                "role": self.trade,
                "description": told.tell(look),
                "known": True,
                "source": f"met at {self._place}",
            },
        )

    def _facts(self) -> list[Fact]:
        text = f"{self.name} is {with_a(self.trade)}."
        known = {"value": True, "text": text}
        return [
            Fact(
                id=fact_id(self.id, "at"),
                subject_id=self.id,
                predicate="at",
                object={"value": self._place},
                visibility="engine",
            ),
            Fact(
                id=fact_id(self.id, "known_as"),
                subject_id=self.id,
                predicate="known_as",
                object=known,
                discovered_turn=self._going.state.turn_no,
                discovery_method="seen",
            ),
        ]

    def _trust(self) -> Relationship:
        return Relationship(a_id=self.id, b_id=PLAYER, rel_type="trust", intensity=0)

    def _person(self, told: Grammar) -> dict[str, Any]:
        voice = self._voice
        return {
            "greeting": told.each(voice.greeting),
            "idle": told.each(voice.idle),
            "shrugs": told.each(voice.shrugs),
            "farewell": told.each(voice.farewell),
            "agenda": "To hear what is going on without having to be in it.",
            "disposition": voice.disposition,
            "capabilities": f"What one learns as {with_a(self.trade)}.",
            "escalation": "cautious",
            "knows": [
                self._hearsay(told),
                *self._of_others(told),
                self._of_here(told),
                self._of_oneself(told),
            ],
            "withholds": self._testimony(told),
        }

    def _next(self, rows: Sequence[T], of_what: str) -> T:
        """Another row for each one who is met, as long as there are rows; others in another story
        of the same seed."""
        chance = Chance(self._going.seed, of_what, self._going.scenario.id)
        return chance.shuffled(rows)[self._number % len(rows)]

    def _unheard_voices(self) -> list[ForgeVoice]:
        """The manners of speaking that nobody of the evening has, in the order of the shelf."""
        heard = {person.disposition for person in self._going.scenario.people.values()}
        for part in grown_parts(self._going.state):
            heard.update(person.disposition for person in part.people.values())
        voices = voice_shelf().voices
        return [voice for voice in voices if voice.disposition not in heard] or voices

    def _said(self, told: Grammar, words: str, at: int = 0) -> str:
        tags = told.each(self._voice.tags)
        tag = tags[at % len(tags)]
        tag = tag if tag.startswith(self.short) else tag[:1].lower() + tag[1:]
        return spoken(told.tell(words), tag)

    def _question(self) -> Thread | None:
        """What the evening asks."""
        threads = self._going.state.threads.values()
        return next((thread for thread in threads if thread.status == "active"), None)

    def _hearsay(self, told: Grammar) -> dict[str, Any]:
        """What has come out here of the evening; once nothing is hidden, only that."""
        tables, thread = beyond_tables(), self._question()
        lines = tables.hearsay if thread and self._secret() else tables.nothing_left
        asked = {"q": thread.title if thread else ""}
        words = self._next(lines, "hearsay")
        return {
            "id": "k_hearsay",
            "topics": ["news", "what you heard", "what happened", "trouble", "the talk"],
            "says": [self._said(told.also(asked), words)],
            "effects": [{"trust": {"who": self.id, "delta": 1}}],
        }

    def _rumour(self, told: Grammar, rumour: str) -> dict[str, Any]:
        """What a pack's table says is told in these parts."""
        return {
            "id": "k_rumour",
            "topics": ["gossip", "rumours", "what people say"],
            "says": [self._said(told.also({"rumour": rumour}), "{rumour}", 1)],
        }

    def _secret(self) -> Fact | None:
        """A secret that is not the answer itself, and that nobody out here tells already; none
        where the scenario does not say what the answer is."""
        state, scenario = self._going.state, self._going.scenario
        answers = {fact for clue in scenario.clues for fact in clue.facts}
        if not answers:
            return None
        told = _told_by_others(state)
        hidden = [
            state.facts[fact.id]
            for fact in scenario.facts
            if fact.id in state.hidden and fact.id not in answers and fact.object.get("text")
        ]
        fresh = [fact for fact in hidden if fact.id not in told]
        return self._chance.at("secret").choose(fresh or hidden) if hidden else None

    def _testimony(self, told: Grammar) -> list[dict[str, Any]]:
        """A secret, for who is trusted or persuades."""
        secret = self._secret()
        if secret is None:
            return []
        tables, thread = beyond_tables(), self._question()
        about = [*(thread.related_entity_ids if thread else []), secret.subject_id]
        words, he = self._next(tables.testimony, "testimony"), self._own["he"]
        return [
            {
                "id": "w_seen",
                "topics": [*_SEEN, f"what {he} saw", f"what {he} knows", *self._names(about)],
                "says": [self._said(told.also({"s": str(secret.object["text"])}), words)],
                "deflects": [
                    self._said(told, line, number) for number, line in enumerate(tables.deflects)
                ],
                "reveals": [secret.id],
                "yields_when": [{"trust": {"who": self.id, "at_least": 1}}],
            }
        ]

    def _names(self, ids: list[str]) -> list[str]:
        """What people of the evening are called; places are no matter of talk here."""
        entities = self._going.state.entities
        people = [entities[id] for id in ids if id in entities and entities[id].type == "npc"]
        named: list[str] = []
        for person in people:
            named += [person.name.lower(), self._bag.short(person.name).lower()]
        return list(dict.fromkeys(named))

    def _cast(self) -> list[Entity]:
        """People of the scenario who are to be met, another order for each place."""
        state, people = self._going.state, self._going.scenario.people
        cast = [state.entities[id] for id in people if id in state.entities and state.where(id)]
        return self._chance.at("cast").shuffled(cast)

    def _of_others(self, told: Grammar) -> list[dict[str, Any]]:
        """Views on people of the evening of whom nothing is kept back."""
        secret, thread = self._secret(), self._question()
        kept = [secret.subject_id if secret else "", *(thread.related_entity_ids if thread else [])]
        views: list[str] = []
        for kind in _SAYS_OF_OTHERS:
            views += voice_shelf().views[kind]
        views = self._chance.at("views").shuffled(views)
        others = [one for one in self._cast() if one.id not in kept or secret is None]
        rows = []
        for number, other in enumerate(others[:_KNOWN_OF_CAST]):
            row = told.also(_as_other(other, self._bag.short(other.name)))
            rows.append(
                {
                    "id": f"k_{slug(other.id)}",
                    "topics": self._names([other.id]),
                    "says": [self._said(row, views[number], number)],
                }
            )
        return rows

    def _of_here(self, told: Grammar) -> dict[str, Any]:
        words = self._next(beyond_tables().here, "here")
        return {
            "id": "k_here",
            "topics": ["this place", "here", told.names["the"].removeprefix("the ").lower()],
            "says": [self._said(told, words, 1)],
        }

    def _of_oneself(self, told: Grammar) -> dict[str, Any]:
        line = self._chance.at("self").choose(voice_shelf().selves)
        named = told.also({"A_trade": capital(with_a(self.trade))})
        return {
            "id": "k_self",
            "topics": ["yourself", "your work", "work", "trade", "living", self.trade],
            "says": [self._said(named, line, 2)],
            "effects": [{"trust": {"who": self.id, "delta": 1}}],
        }

    def _errand(self, told: Grammar, other: Entity, met: Met) -> dict[str, Any]:
        """Something to be brought to one of the cast: a thing, a thread, a deed that ends it."""
        errand = beyond_tables().errand
        item_name = self._chance.at("item").choose(errand.items)
        plain = item_name.removeprefix("the ")
        item, thread = f"{self.id}/{slug(plain)}", f"t_{slug(self.id)}"
        named = {"w": self.short, "item": plain, "the_item": item_name}
        row = told.also({**_as_other(other, self._bag.short(other.name)), **named})
        look = {"description": row.tell(errand.look), "aliases": [plain, plain.split()[-1]]}
        met.entities.append(
            Entity(id=item, type="item", name=capital(item_name), attrs={**look, "known": False})
        )
        met.inventory.append(Holding(owner_id=self.id, item_id=item))
        met.threads.append(
            Thread(
                id=thread,
                title=row.tell(errand.title),
                status="hidden",
                related_entity_ids=[self.id, other.id],
                tags=["errand"],
            )
        )
        met.affordances.append(self._delivery(row, other, item, thread))
        return {
            "id": "k_errand",
            "topics": ["a favour", "help", "favor", "errand"],
            "says": [self._said(row, errand.ask, 1)],
            "effects": [
                {"hand": {"item": item, "source": self.id, "to": PLAYER}},
                {"thread": [thread, "active"]},
            ],
        }

    def _delivery(self, row: Grammar, other: Entity, item: str, thread: str) -> Affordance:
        errand = beyond_tables().errand
        effects = [
            {"hand": {"item": item, "source": PLAYER, "to": other.id}},
            {"thread": [thread, "resolved"]},
            {"trust": {"who": other.id, "delta": 2}},
            {"trust": {"who": self.id, "delta": 1}},
        ]
        return Affordance.model_validate(
            {
                "id": f"give_{slug(item)}",
                "action": "give",
                "target": other.id,
                "using": item,
                "when": [{"has": item}],
                "words": [row.names["item"], row.names["item"].split()[-1]],
                "once": True,
                "suggest": row.tell(errand.suggest),
                "outcomes": {"success": {"text": [row.tell(errand.given)], "effects": effects}},
            }
        )


def _told_by_others(state: GameState) -> set[str]:
    """The secrets that people tell who were met beyond the map."""
    told: set[str] = set()
    for part in grown_parts(state):
        for person in part.people.values():
            told.update(id for kept in person.withholds for id in kept.reveals)
    return told


class _Unused(NameBag):
    """The names of a genre without those that somebody bears already."""

    def __init__(self, genre: ForgeGenre, going: Going, chance: Chance) -> None:
        borne: set[str] = set()
        for entity in going.state.entities.values():
            for name in names_of(entity):
                borne |= {part.lower() for part in name.split()}
        free = {}
        for bag in ("given_f", "given_m", "family"):
            names = getattr(genre, bag)
            free[bag] = [name for name in names if name.lower() not in borne] or names
        super().__init__(genre.model_copy(update=free), chance)
        self._genre = genre


def _as_other(other: Entity, short: str) -> dict[str, str]:
    """The words of a template for somebody else."""
    she = str(other.attrs.get("pronouns", "")).startswith("she")
    he, him, his = ("she", "her", "her") if she else ("he", "him", "his")
    trade = capital(str(other.attrs.get("role") or "neighbour"))
    return {"o": short, "o.he": he, "o.him": him, "o.his": his, "o.Trade": trade}


def _trade(meant: Destination, genre: ForgeGenre, chance: Chance) -> str:
    """Who was looked for; else who is met in such a place; else somebody of the genre."""
    if collective(meant.wanted):
        return f"one of the {meant.wanted.lower()}"
    if meant.wanted:
        return singular(meant.wanted.lower())
    keeper = beyond_tables().keepers.get(meant.head.lower())
    if keeper:
        return keeper
    stations = beyond_tables().stations.get(meant.sort) or ["hand"]
    trades = [trade for station in stations for trade in genre.trades.get(station, [])]
    return chance.at("trade").choose(trades or ["stranger"])
