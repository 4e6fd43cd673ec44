"""READ THIS FIRST. The world goes on where the map ends: a place, a way there and back, somebody.

    Going (words said, state, scenario) ─> destination.py ─> a place ─> local.py ─> Growth

Drawn by the campaign's seed and what is there already: the same going gives the same place.
"""

import re
from collections.abc import Callable, Mapping

from freeform.core.chance import Chance
from freeform.core.text import slug
from freeform.engine.authored.growth import GrownPart, Growth, grown_parts
from freeform.engine.authored.scenario import Detail, Exit, Place
from freeform.engine.ports import Going
from freeform.engine.world.names import names_of
from freeform.engine.world.state import Entity, GameState
from freeform.forge.cast.genre_shelf import ForgeGenre, forge_genres
from freeform.forge.cast.sites import Site, is_itself
from freeform.forge.grammar import Grammar, capital
from freeform.forge.growth.destination import Destination, DestinationReader, head_in
from freeform.forge.growth.local import Local
from freeform.forge.growth.tables import BeyondLook, beyond_tables
from freeform.forge.premise.kinds import known_kind
from freeform.forge.premise.nouns import NounReader
from freeform.forge.shapes.choose import choose_kind, named_kind, scores
from freeform.language.ear import WordNearness, nothing_near
from freeform.language.inflection import singular
from freeform.language.meaning.spots import is_named_spot, is_place, is_spot, is_thing, whole_of
from freeform.packs.lock import Locked
from freeform.packs.tables import RandomTable, draw

BEYOND = "beyond"
_ROLE = "place"
LEFT_BEHIND, RUMOURS = "left_behind", "rumours"
"""Random tables that are asked for: a thing and what one sees of it, `name: text`; what people say
out there, which only a pack can know."""


_TOLD = r"\b(?:the|an?|my|our|his|her|their|its|this|that)\s+"
"""What stands before a noun that is no verb: `I row to the pier`."""
TablesOf = Callable[[dict[str, Locked]], Mapping[str, RandomTable]]
"""The random tables that a campaign with these packs has."""


class ForgeGrower:
    """Adds to a world out of the genre's tables, and the random tables of its packs."""

    def __init__(self, tables_of: TablesOf, near: WordNearness = nothing_near) -> None:
        """`near` tells how near words are in meaning."""
        self._tables_of = tables_of
        self._near = near

    def is_spot(self, words: str) -> bool:
        """Whether what they name first is a spot where one is: a window, a corner, a chest."""
        nouns = NounReader(words).read()
        told = [noun for noun in nouns if re.search(_TOLD + re.escape(noun.text), words, re.I)]
        first = next(iter(told or nouns), None)
        if first is None or first.is_name:
            return False
        head = head_in(words, first)
        whole = whole_of(head, words)
        if (whole and not self._is_in_here(whole)) or self._is_of_two(first.text):
            return False
        kind, _ = known_kind(head) or ("", "")
        is_known = kind == "thing" and not is_place(head, self._near)
        return is_known or (not kind and is_spot(head, self._near))

    def _is_in_here(self, whole: str) -> bool:
        """Whether a part of it is a spot: of a table or a room, not of a forest."""
        kind, sort = known_kind(whole) or ("", "")
        return sort == "room" or kind == "thing" or (not kind and is_spot(whole, self._near))

    def _is_of_two(self, noun: str) -> bool:
        """Whether it is called after another thing, and so may be neither: a phone box."""
        *before, head = noun.lower().split()
        is_after_thing = bool(before) and is_thing(before[-1], self._near)
        return is_after_thing and not is_named_spot(head)

    def grow(self, going: Going) -> Growth | None:
        """The place the words go to, with somebody in it; None where they name none."""
        meant = DestinationReader(going, _here(going), _whole(going)).read()
        if meant is None or _is_taken(meant, going.state):
            return None
        chance = Chance(going.seed, BEYOND, slug(meant.name), len(going.state.entities))
        genre = _genre_of(going, chance)
        if meant.sort in genre.has_no and _own_place(meant, genre, going.state) is None:
            return None
        drawing = GrowthDraw(self._tables_of(going.packs), chance.at("tables"))
        return _Planting(going, meant, genre, drawing, chance).growth()


class GrowthDraw:
    """Draws from random tables, and remembers what was rolled."""

    def __init__(self, tables: Mapping[str, RandomTable], chance: Chance) -> None:
        self._tables, self._chance = tables, chance
        self.rolled: list[str] = []

    def text(self, table: str) -> str:
        """A row of that table; '' where there is none."""
        if table not in self._tables:
            return ""
        drawn = draw(table, self._tables, self._chance)
        self.rolled += [f"table {roll.table} d{roll.sides}: {roll.rolled}" for roll in drawn.rolls]
        return drawn.text


class _Planting:
    """One place in the making."""

    def __init__(
        self,
        going: Going,
        meant: Destination,
        genre: ForgeGenre,
        drawing: GrowthDraw,
        chance: Chance,
    ) -> None:
        self._drawing = drawing
        self._going, self._meant, self._genre, self._chance = going, meant, genre, chance
        self._here = going.state.scene.location_id
        self._id = f"{BEYOND}:{slug(meant.name)}"
        row = _own_place(meant, genre, going.state)
        inside = re.sub(r"^The ", "the ", row[0] if row else meant.name)
        self._name = capital(inside)
        site = Site(role=_ROLE, id=self._id, name=self._name, text="", air="")
        came_from = re.sub(r"^The ", "the ", going.state.name(self._here))
        self._grammar = Grammar(
            {
                "the": inside,
                "The": capital(inside),
                "in_it": site.names()[f"{_ROLE}.in"],
                "from": came_from,
                "home": re.sub(r"^The ", "the ", going.state.name(going.scenario.start.location)),
                "from_The": capital(came_from),
            }
        )
        self._look = (
            BeyondLook(text=row[2], air=row[3], detail=(row[4], row[5])) if row else self._looks()
        )
        self._row = row

    def growth(self) -> Growth:
        """The place, the way there and back, and whoever is met."""
        meant, tables = self._meant, beyond_tables()
        local = Local(self._going, meant, self._id, self._genre, self._chance)
        grammar = self._grammar.also({"w": local.short})
        met = local.met(grammar, self._drawing.text(RUMOURS))
        place_there = self._place(grammar)
        rolled = [f"said: {meant.name}", f"genre {self._genre.id}", *self._drawing.rolled]
        source = "; ".join(rolled)
        place = Entity(
            id=self._id,
            type="location",
            name=self._name,
            attrs={"aliases": self._aliases(), "known": True, "source": source},
        )
        authored = GrownPart(
            places={self._id: place_there}, people=met.people, affordances=met.affordances
        )
        return Growth(
            place=self._id,
            minutes=tables.minutes.get(meant.sort, 0),
            source=source,
            entities=[place, *met.entities],
            facts=met.facts,
            threads=met.threads,
            inventory=met.inventory,
            relationships=met.relationships,
            authored=authored,
        )

    def _place(self, grammar: Grammar) -> Place:
        details = [_detail(self._look.detail[0], grammar.tell(self._look.detail[1]))]
        name, _, seen = self._drawing.text(LEFT_BEHIND).partition(": ")
        if seen:
            details.append(_detail(re.sub(r"^an? ", "the ", name), seen))
        return Place(
            description=grammar.tell(self._look.text),
            again=grammar.each(beyond_tables().again),
            atmosphere=[grammar.tell(self._look.air)],
            exits=[Exit(to=self._here, aliases=["back"])],
            details=details,
        )

    def _looks(self) -> BeyondLook:
        """A look of that sort of place, one that is not to be seen elsewhere already."""
        rows = beyond_tables().looks.get(self._meant.sort) or beyond_tables().looks["building"]
        rows = [row for row in rows if not (row.carts and self._genre.horseless)]
        seen = {place.details[0].name for place in _grown_places(self._going)}
        fresh = [row for row in rows if row.detail[0] not in seen]
        return self._chance.at("look").choose(fresh or rows)

    def _aliases(self) -> list[str]:
        bare = re.sub(r"^the ", "", self._name.lower())
        head = self._meant.head.lower()
        called = [bare, *([head] if head not in _called(self._going.state) else [])]
        if self._row:
            called += [alias.strip() for alias in self._row[1].split(",")]
        taken = _called(self._going.state)
        return [alias for alias in dict.fromkeys(called) if alias and alias not in taken]


def _detail(name: str, text: str) -> Detail:
    spot = re.sub(r"^the ", "", name)
    return Detail(name=name, aliases=list(dict.fromkeys([spot, spot.split()[-1]])), text=text)


def _here(going: Going) -> frozenset[str]:
    """Words for the place one is in."""
    here = going.state.entities.get(going.state.scene.location_id)
    return frozenset(name.lower().split()[-1] for name in names_of(here)) if here else frozenset()


def _whole(going: Going) -> frozenset[str]:
    """Words for all of the map."""
    genre = forge_genres().get(going.scenario.beyond.genre if going.scenario.beyond else "")
    if genre is None:
        return frozenset()
    return frozenset([*genre.words.get("whole", "").split(), genre.words["settlement"].split()[-1]])


def _is_taken(meant: Destination, state: GameState) -> bool:
    """Whether there is a place, a person or a thing of that name already; what is only talked of
    may be a place one can go to."""
    plain = slug(meant.name)
    there = [entity for entity in state.entities.values() if entity.type != "object"]
    return any(plain in map(slug, names_of(entity)) for entity in there)


def _called(state: GameState) -> set[str]:
    """Everything anything is called by."""
    return {name.lower() for entity in state.entities.values() for name in names_of(entity)}


def _grown_places(going: Going) -> list[Place]:
    return [place for part in grown_parts(going.state) for place in part.places.values()]


def _own_place(
    meant: Destination, genre: ForgeGenre, state: GameState
) -> tuple[str, str, str, str, str, str] | None:
    """A place of the genre's own that goes by that noun and is not on the map; or what it has
    instead of such a place."""
    other = genre.instead.get(meant.sort)
    if other and other[0].lower() not in _called(state):
        return other
    if meant.is_name or meant.name.lower() != f"the {meant.head.lower()}":
        return None
    for rows in genre.places.values():
        for row in rows:
            called = [singular(alias.strip()) for alias in row[1].split(",")]
            is_it = meant.head.lower() in called and is_itself(meant.head, row[0])
            if is_it and row[0].lower() not in _called(state):
                return row
    return None


def _genre_of(going: Going, chance: Chance) -> ForgeGenre:
    """As the scenario says; else by its name for itself, else by what it is about."""
    genres, scenario = forge_genres(), going.scenario
    wanted = scenario.beyond.genre if scenario.beyond else ""
    if wanted in genres:
        return genres[wanted]
    names = [genre.name for genre in genres.values()]
    named = named_kind(wanted or scenario.genre, genres, names)
    if named:
        return genres[named]
    about = f"{wanted} {scenario.genre} {scenario.description}"
    return genres[choose_kind(scores(about, genres), chance.at("genre"))]
