"""A plot becomes a scenario in the ordinary format, and a list of where each piece came from."""

import hashlib
from typing import Any

from freeform.core.text import slug
from freeform.engine.authored.scenario import Scenario
from freeform.engine.authored.system import System
from freeform.forge.cast.figures import Figure
from freeform.forge.cast.sites import Site, door_to_deep, ways
from freeform.forge.cast.things import Prop
from freeform.forge.clues.deeds import PACE, affordances, clocks, endings, moves
from freeform.forge.clues.heroes import heroes_of, spot_words
from freeform.forge.clues.plot import CHOICE, DOOR, HARM, MAIN, NOTICE, OPEN, OUTCOME, TIME, Plot
from freeform.forge.clues.talk import Talk
from freeform.forge.clues.traces import discoverable, traces_of
from freeform.forge.clues.writing import writing_on
from freeform.forge.grammar import capital, with_the
from freeform.forge.model import ForgeWish, PieceSource
from freeform.forge.shapes.model import ShapeFact
from freeform.language.forms import is_plural

_EVENING = 1170


def scenario_of(plot: Plot, wish: ForgeWish, system: System, packs: list[str]) -> Scenario:
    """The scenario."""
    tell = plot.grammar.tell
    title = tell(plot.chance.at("title").choose(plot.shape.titles))
    heroes, gear = heroes_of(plot, system)
    data = {
        "id": f"{slug(title)}_{_digest(wish, plot)}",
        "name": title,
        "genre": plot.genre.name,
        "description": _description(plot),
        "system": system.id,
        "packs": packs,
        "calibration": {
            "tone": wish.tone or ", ".join([*plot.premise.wishes, plot.genre.tone]),
            "themes": plot.shape.themes,
            "risk": {
                "lethality": "low" if plot.genre.light else "medium",
                "failure_mode": "gentle" if plot.genre.light else "consequential",
            },
            "lines": [*wish.lines, *plot.premise.without],
            "veils": wish.veils,
        },
        "opening": "\n\n".join(_opening(plot)),
        "opening_suggestions": _suggestions(plot),
        "start": {"location": plot.sites["hub"].id, "day": 1, "minute": _EVENING},
        "heroes": heroes,
        "entities": [*_entities(plot), *gear],
        "facts": [*_known_facts(plot), *(_secret(plot, fact) for fact in plot.truth.facts)],
        "threads": _threads(plot),
        "clues": [{"thread": MAIN, "facts": [plot.fact_id(plot.core.id)]}],
        "clocks": clocks(plot),
        "paces": {TIME: PACE},
        "cost_clocks": {"heat": NOTICE, "rep": NOTICE, "cred": NOTICE, "time": TIME, "harm": HARM},
        "inventory": _holdings(plot),
        "relationships": [
            {"a_id": f.id, "b_id": "player", "rel_type": "trust", "intensity": 0}
            for f in plot.figures.values()
            if not f.absent
        ],
        "places": {site.id: _place(plot, site) for site in plot.sites.values()},
        "people": Talk(plot).people(),
        "affordances": affordances(plot, set(system.action_types)),
        "discoverables": [discoverable(plot, fact) for fact in plot.truth.facts],
        "moves": moves(plot),
        "endings": endings(plot),
        "beyond": _beyond(plot),
    }
    return Scenario.model_validate(data)


def _description(plot: Plot) -> str:
    told = [plot.question, plot.stakes]
    return " ".join([plot.premise.sentence, *told] if plot.premise.text else told)


def sources_of(plot: Plot, wish: ForgeWish) -> list[PieceSource]:
    """Where each piece came from."""
    shape = f"shape {plot.shape.id}, truth {plot.truth.id}"
    rows = [PieceSource(piece="question", source=f"shape {plot.shape.id}")]
    rows += [PieceSource(piece="story of", source=plot.premise.text)]
    rows += [PieceSource(piece="made of", source=piece) for piece in plot.pieces]
    if wish.premise.strip():
        rows.append(PieceSource(piece="opening", source=f"premise; shape {plot.shape.id}"))
    rows += [PieceSource(piece=f"person {f.id}", source=f.source) for f in plot.figures.values()]
    rows += [PieceSource(piece=f"place {s.id}", source=s.source) for s in plot.sites.values()]
    rows += [PieceSource(piece=f"thing {p.id}", source=p.source) for p in plot.props.values()]
    rows += [
        PieceSource(piece=f"secret {plot.fact_id(f.id)}", source=shape) for f in plot.truth.facts
    ]
    rows += [
        PieceSource(piece=f"ending {id}", source=f"shape {plot.shape.id}") for id in plot.endings
    ]
    return rows


def _beyond(plot: Plot) -> dict[str, Any]:
    """The world goes on outside the map; where people are shut in, once it is over."""
    if not plot.shape.shut_in:
        return {"genre": plot.genre.id}
    over = {"not_fact": [plot.story_id, OUTCOME, OPEN]}
    blocked = plot.grammar.tell(plot.shape.shut_in)
    return {"genre": plot.genre.id, "when": [over], "blocked": blocked}


def _digest(wish: ForgeWish, plot: Plot) -> str:
    text = f"{wish.model_dump_json(exclude={'told'})}|{plot.shape.id}|{plot.truth.id}"
    return hashlib.sha256(text.encode()).hexdigest()[:6]


def _opening(plot: Plot) -> list[str]:
    if plot.opening:
        return list(plot.opening)
    text = list(plot.begins.text)
    at = next(n for n, paragraph in enumerate(text) if "{premise}" in paragraph)
    things = " ".join(_told_of_things(plot))
    if at + 1 == len(text) - 1:
        text += [things] if things else []
    else:
        text[at + 1] = f"{text[at + 1]} {things}"
    told = plot.grammar.each(text)
    told[at] = f"{told[at]}{_introductions(plot, ' '.join(told))}"
    spoken = [f.greeting[0] for f in plot.figures.values() if f.greeting and f.at == "hub"]
    return [*told[:-1], *spoken[:1], told[-1]]


def _suggestions(plot: Plot) -> list[str]:
    """What one might do first; the place the premise names is among it."""
    told = plot.grammar.each(plot.shape.suggestions)
    near = [plot.sites[role] for role in ways(plot.sites)["hub"] if plot.sites[role].is_named]
    go = f"Go to {near[0].names()[near[0].role]}" if near else ""
    if not go or go in told:
        return told
    return [told[0], go, *told[1:-1]]


def _told_of_things(plot: Plot) -> list[str]:
    """What the story says of a thing that it has only because the premise names one."""
    things = plot.shape.things.items()
    return [wanted.told for role, wanted in things if wanted.told and role in plot.props]


def _introductions(plot: Plot, told: str) -> str:
    """Who the people of the premise are, where the opening has not said so."""
    named = [
        f
        for f in plot.figures.values()
        if f.said_as and f"{f.name}, {with_the(f.trade)}" not in told
    ]
    over = ("", "dead")
    rows = [
        f"{_one_of(f.said_as)} {'was' if f.absent and f.fate in over else 'is'} {f.name}"
        for f in named
    ]
    teller = plot.premise.teller
    if teller.hero and not teller.is_own:
        rows.insert(0, f"{_one_of(teller.hero)} is you")
    return f" {capital('; '.join(rows))}." if rows else ""


def _one_of(said_as: str) -> str:
    """`the ferryman`; of several, `one of the bees`."""
    is_one = said_as.startswith("one of ")
    several = not is_one and not said_as[:1].isupper() and is_plural(said_as)
    return f"one of {with_the(said_as)}" if several else with_the(said_as)


def _entities(plot: Plot) -> list[dict[str, Any]]:
    people = [_person_entity(plot, figure) for figure in plot.figures.values()]
    places = [_place_entity(plot, site) for site in plot.sites.values()]
    return [*people, *places, *(_thing_entity(plot, prop) for prop in plot.props.values())]


def _person_entity(plot: Plot, figure: Figure) -> dict[str, Any]:
    names = figure.names()
    words = {key: names[f"{figure.role}.{key}"] for key in ("he", "him", "his")}
    attrs: dict[str, Any] = {
        "aliases": _called(figure),
        "pronouns": "she/her" if figure.she else "he/him",
        "role": figure.trade,
        "description": plot.grammar.also(words).tell(figure.look),
        "known": True,
        "source": figure.source,
    }
    if not figure.absent:
        attrs["location"] = plot.sites[figure.at].id
        attrs["whereabouts"] = "secret" if figure.at == "deep" else "open"
    if figure.fate:
        attrs |= {"fate": figure.fate, "fate_told": _sentence(figure.fate_told)}
    return {
        "id": figure.id,
        "type": "npc",
        "name": figure.name,
        "attrs": attrs,
        **_origin(figure.pack_id, figure.entry_id),
    }


def _sentence(text: str) -> str:
    """A capital and a full stop."""
    said = text.strip().rstrip(",;:")
    said = said[:1].upper() + said[1:]
    return said if said.endswith((".", "!", "?")) else f"{said}."


def _called(figure: Figure) -> list[str]:
    words = [word for word in figure.name.lower().split() if len(word) > 2]
    parts = [word for word in words if word not in ("the", "van", "one")]
    return list(dict.fromkeys([figure.short.lower(), *figure.aliases, *parts]))


def _place_entity(plot: Plot, site: Site) -> dict[str, Any]:
    attrs = {"aliases": list(site.aliases), "description": site.text, "source": site.source}
    return {
        "id": site.id,
        "type": "location",
        "name": site.name,
        "attrs": attrs,
        **_origin(site.pack_id, site.entry_id),
    }


def _thing_entity(plot: Plot, prop: Prop) -> dict[str, Any]:
    truth = plot.truth
    attrs: dict[str, Any] = {
        "aliases": list(prop.aliases),
        "description": plot.grammar.tell(truth.looks.get(prop.role, prop.text)),
        "source": prop.source,
    }
    if words := writing_on(plot, prop):
        attrs["writing"] = words
    if not prop.hidden:
        attrs["known"] = True
    if not prop.portable:
        attrs["portable"] = False
    return {
        "id": prop.id,
        "type": "item" if prop.portable else "object",
        "name": prop.name,
        "attrs": attrs,
    }


def _origin(pack_id: str, entry_id: str) -> dict[str, str]:
    if not pack_id:
        return {}
    return {"origin": "pack", "pack_id": pack_id, "pack_entity_id": entry_id}


def _holdings(plot: Plot) -> list[dict[str, Any]]:
    found_at = {fact.trace.gives: fact.trace.at for fact in plot.truth.facts if fact.trace.gives}
    rows = []
    for role, prop in plot.props.items():
        at = found_at.get(role, prop.at)
        if at == "nowhere":
            continue
        row: dict[str, Any] = {"owner_id": plot.sites[at].id, "item_id": prop.id}
        rows.append({**row, "flags": {"hidden": True}} if prop.hidden else row)
    return rows


def _known_facts(plot: Plot) -> list[dict[str, Any]]:
    rows = [
        {
            "id": "f_outcome",
            "subject_id": plot.story_id,
            "predicate": OUTCOME,
            "object": {"value": OPEN},
            "visibility": "engine",
        },
        {
            "id": "f_deep_door",
            "subject_id": plot.sites["deep"].id,
            "predicate": DOOR,
            "object": {"value": "shut"},
            "visibility": "engine",
        },
        {
            "id": "f_stakes",
            "subject_id": plot.story_id,
            "predicate": "stakes",
            "object": {"value": True, "text": plot.stakes},
        },
    ]
    for role, wanted in plot.shape.roles.items():
        if wanted.known_as:
            figure = plot.figures[role]
            text = plot.grammar.tell(
                f"{{{role}}} is {{{role}.trade}}, {plot.grammar.phrase(wanted.known_as)}."
            )
            rows.append(
                {
                    "id": f"f_known_{role}",
                    "subject_id": figure.id,
                    "predicate": "known_as",
                    "object": {"value": True, "text": text},
                    "tags": [f"source: {figure.source}"],
                }
            )
    if plot.premise.text:
        rows.append(
            {
                "id": "f_premise",
                "subject_id": plot.story_id,
                "predicate": "premise",
                "object": {"value": True, "text": plot.premise.sentence},
                "tags": ["source: premise"],
            }
        )
    return rows


def _secret(plot: Plot, fact: ShapeFact) -> dict[str, Any]:
    return {
        "id": plot.fact_id(fact.id),
        "subject_id": plot.id_of(fact.about),
        "predicate": f"secret_{fact.id}",
        "object": {"value": True, "text": plot.grammar.tell(fact.text)},
        "visibility": "hidden",
        "tags": [f"source: shape {plot.shape.id}, truth {plot.truth.id}"],
    }


def _threads(plot: Plot) -> list[dict[str, Any]]:
    roles = [f.id for role, f in plot.figures.items() if role in plot.shape.roles]
    return [
        {
            "id": MAIN,
            "title": plot.question,
            "stakes": {"if_ignored": plot.stakes},
            "related_entity_ids": roles,
            "tags": [plot.shape.id],
        },
        {
            "id": CHOICE,
            "title": "What is to be done about it?",
            "status": "hidden",
            "stakes": {"if_ignored": plot.stakes},
            "related_entity_ids": roles,
            "tags": ["choice"],
        },
    ]


def _place(plot: Plot, site: Site) -> dict[str, Any]:
    links = sorted(ways(plot.sites)[site.role], key=lambda role: not plot.sites[role].is_named)
    details = [
        {"name": name, "aliases": spot_words(name), "text": text} for name, text in site.details
    ]
    here = [fact for fact in plot.truth.facts if fact.trace.at == site.role]
    traces: list[dict[str, Any]] = []
    for fact in here:
        traces += traces_of(plot, fact)
    seen = [plot.grammar.phrase(fact.trace.spot) for fact in here]
    look = f" Your eye keeps going back to {' and to '.join(seen)}." if seen else ""
    return {
        "description": site.text + look,
        "again": _again(plot, site),
        "atmosphere": [site.air],
        "exits": [_exit(plot, site, role) for role in links],
        "details": [*traces, *details],
    }


def _again(plot: Plot, site: Site) -> list[str]:
    inside = site.names()[site.role]
    first = site.text.split(". ")[0].rstrip(".")
    return [f"You are back at {inside}.", f"{site.names()[f'{site.role}.The']} again. {first}."]


def _exit(plot: Plot, site: Site, role: str) -> dict[str, Any]:
    there = plot.sites[role]
    row: dict[str, Any] = {
        "to": there.id,
        "name": there.names()[role],
        "aliases": list(there.aliases),
    }
    if role == "deep" and site.role == door_to_deep(plot.sites):
        row["when"] = [{"fact": [there.id, DOOR, "open"]}]
        row["blocked"] = plot.common("shut")
    return row
