"""Whom a player can be: who the premise says they are, and the genre's heroes."""

import re
from typing import Any

from freeform.core.text import slug
from freeform.engine.authored.system import System
from freeform.engine.rules.wishes.far import FAR, REACH
from freeform.forge.cast.genre_shelf import ForgeGenre
from freeform.forge.cast.names import NameBag, is_she
from freeform.forge.clues.plot import Plot
from freeform.forge.grammar import capital
from freeform.forge.shapes.choose import says_one

_BEST = (("wits", "nerve"), ("charm", "finesse"), ("force", "nerve"))
"""What somebody of whom the premise tells may be best at."""
_OWN = re.compile(r"\byou(?:r|['’]re)?\b", re.IGNORECASE)
_TELLS = re.compile(r"you(?:['’]\w+)?\b|your (?!\w+ (?:is|was|are|were)\b)", re.IGNORECASE)
"""So begins what befell somebody; `your boss is Ilka` says who another is."""
_FEW = 3
"""Words that are no clause."""
_CARRIED = 3
"""Things somebody has about them."""
_GENERAL = ("force", "finesse", "wits", "charm", "nerve")


def heroes_of(plot: Plot, system: System) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The heroes, whoever tells the premise first; and what they carry."""
    chance = plot.chance.at("heroes")
    bag = NameBag(_without(plot), chance)
    pockets = _pockets(plot)
    teller = plot.premise.teller
    concept = teller.concept or (_first_clause(plot) if teller.is_own else "")
    if concept:
        heroes = _told_of(plot, concept, bag, system)
        return [_carrying(hero, pockets) for hero in heroes], pockets
    heroes, gear = [], list(pockets)
    for made in plot.genre.heroes:
        she = is_she(made.concept, chance.at(made.concept))
        own = _thing(plot, *made.item)
        name = teller.name or bag.person(she)
        hero = _hero(len(heroes) + 1, name, made.concept, she, _stats(made.best, system))
        heroes.append(_carrying(hero, [own, *pockets]))
        gear.append(own)
    return heroes, gear


def _pockets(plot: Plot) -> list[dict[str, Any]]:
    """What anybody of the genre has about them, unless the story has such a thing already."""
    named = [noun.text for noun in plot.premise.nouns]
    named += [prop.name for prop in plot.props.values()]
    named += [hero.item[0] for hero in plot.genre.heroes]
    for site in plot.sites.values():
        named += [site.name, *(spot for spot, _ in site.details)]
    taken = {name.lower().split()[-1] for name in named}
    free = [row for row in plot.genre.pockets if row[0].split()[-1] not in taken]
    chosen = plot.chance.at("pockets").shuffled(free)
    chosen = sorted(chosen, key=lambda row: row[0] != plot.genre.reaches)[:_CARRIED]
    return [*_tool(plot, taken), *(_thing(plot, name, text) for name, text in chosen)]


def _tool(plot: Plot, taken: set[str]) -> list[dict[str, Any]]:
    """What a contest is fought with, where the premise says which it is and has no such thing."""
    fitting = [tool for tool in plot.shape.tools if says_one(plot.premise.text, tool.signs)]
    fitting = [tool for tool in fitting[:1] if tool.name.split()[-1] not in taken]
    source = f"shape {plot.shape.id}"
    return [_thing(plot, tool.name, tool.text, source) for tool in fitting]


def _thing(plot: Plot, name: str, text: str, source: str = "") -> dict[str, Any]:
    attrs = {
        "aliases": spot_words(name),
        "description": text,
        "source": source or f"genre {plot.genre.id}",
        **({REACH: FAR} if name == plot.genre.reaches else {}),
    }
    return {"id": slug(name), "type": "item", "name": capital(name), "attrs": attrs}


def _carrying(hero: dict[str, Any], gear: list[dict[str, Any]]) -> dict[str, Any]:
    return {**hero, "items": [thing["id"] for thing in gear]}


def _first_clause(plot: Plot) -> str:
    """What befell whom the premise tells of: `Your sister married a river god.`; '' where no
    clause does."""
    clauses = re.split(r"[.,;:!?]| and | but ", plot.premise.sentence)
    own = [clause.strip() for clause in clauses if _OWN.search(clause)]
    own = [clause for clause in own if len(clause.split()) > _FEW and _TELLS.match(clause)]
    return f"{capital(own[0])}." if own else ""


def _told_of(plot: Plot, concept: str, bag: NameBag, system: System) -> list[dict[str, Any]]:
    """Whom the premise tells of, and nobody else: one chooses only what they are best at."""
    teller, chance = plot.premise.teller, plot.chance.at("heroes")
    told = None if teller.is_own else plot.premise.hers
    she = is_she(concept.rstrip("."), chance.at("own"), told)
    heroes = []
    for number, best in enumerate(_BEST, 1):
        name = teller.name or bag.person(she)
        heroes.append(_hero(number, name, concept, she, _stats(list(best), system)))
    return heroes[:1] if teller.name else heroes


def _hero(number: int, name: str, concept: str, she: bool, stats: dict[str, int]) -> dict[str, Any]:
    return {
        "id": f"hero_{number}",
        "name": name,
        "concept": concept,
        "pronouns": "she/her" if she else "he/him",
        "stats": stats,
        "facts": [{"subject": "player", "predicate": "trade", "value": True, "text": concept}],
    }


def _without(plot: Plot) -> ForgeGenre:
    """The genre without the names that are taken."""
    genre = plot.genre
    used: set[str] = set()
    for figure in plot.figures.values():
        used.update(figure.name.split())
    return genre.model_copy(
        update={
            "given_f": [n for n in genre.given_f if n not in used] or genre.given_f,
            "given_m": [n for n in genre.given_m if n not in used] or genre.given_m,
            "family": [n for n in genre.family if n not in used] or genre.family,
        }
    )


def _stats(best: list[str], system: System) -> dict[str, int]:
    """Two stats high, one low, in the system's own names and range."""
    low, high = system.stat_range
    middle, top = max(low, 0) + (high - max(low, 0)) // 4, high - max(1, (high - low) // 6)
    stats: dict[str, int] = {}
    for general in _GENERAL:
        names = system.stat_map.get(general) or ([general] if general in system.stats else [])
        if names:
            stats[names[0]] = top if general in best else middle
    return stats


def spot_words(name: str) -> list[str]:
    """By which words a thing or a spot is meant."""
    bare = name.lower().removeprefix("the ")
    return list(dict.fromkeys([bare, bare.split()[-1]]))
