"""Personas and characters as files: read, checked with file and line, and seated at a table."""

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path

from freeform.core.errors import BadFile, NotFound, UserError
from freeform.core.text import slug
from freeform.core.yamlfile import line_of, read_record, read_yaml
from freeform.engine.authored.library import content_folder
from freeform.engine.authored.scenario import Scenario
from freeform.engine.authored.system import System
from freeform.players.model import BasePersona, Character, Seat
from freeform.players.party.nature import told_apart

NEEDED = {
    "lines": ("propose", "agree", "disagree", "condition", "unsure", "direct", "remember"),
    "character": (
        "ask",
        "look",
        "go",
        "take",
        "show",
        "use",
        "talk",
        "wait",
        "good",
        "bad",
        "plain",
    ),
}
GENERAL = ("force", "finesse", "wits", "charm", "nerve")
LOW, HIGH = -1, 3
"""The range of a character's general stats, before a system scales them."""
MOST_SEATS = 12
_ID = re.compile(r"[a-z][a-z0-9_]{0,30}")


def persona_files() -> list[Path]:
    """The bundled personas, in the order they are seated."""
    return sorted(content_folder("personas").glob("*.yaml"))


@cache
def bundled_personas() -> dict[str, BasePersona]:
    """The personas that come with the program, by id."""
    return {persona.id: persona for persona in map(load_persona, persona_files())}


def load_persona(path: Path) -> BasePersona:
    """One persona; BadFile names file, line and what to put right."""
    data, lines = read_yaml(path)
    persona = read_record(path, BasePersona, data, lines)
    if not _ID.fullmatch(persona.id):
        raise BadFile(
            path.name,
            f"id '{persona.id}' must be lower-case letters, digits or '_'",
            line_of(("id",), lines),
        )
    for stat, value in persona.character.stats.items():
        where = line_of(("character", "stats", stat), lines)
        if stat not in GENERAL:
            raise BadFile(
                path.name, f"no stat '{stat}'; a character has {', '.join(GENERAL)}", where
            )
        if not LOW <= value <= HIGH:
            raise BadFile(
                path.name, f"{stat} {value} is out of range: write {LOW} to {HIGH}", where
            )
    for owner, place, given in (
        ("lines", ("lines",), persona.lines),
        ("character", ("character", "lines"), persona.character.lines),
    ):
        if empty := [name for name in NEEDED[owner] if given and not given.get(name)]:
            raise BadFile(
                path.name,
                f"`{'.'.join(place)}` has nothing for '{empty[0]}'",
                line_of(place, lines),
            )
    return persona


def choose_personas(
    wanted: str, *, files: bool = True, read: Callable[[Path], BasePersona] = load_persona
) -> list[BasePersona]:
    """`--players`: a number takes the first bundled ones; else names with commas between.

    Where `files` may be named, also YAML files and folders of them, and whatever else `read` takes.
    Two of one name are told apart.
    """
    bundled = {path.stem.split("_", 1)[-1]: path for path in persona_files()}
    if wanted.isdigit():
        number = int(wanted)
        if not 1 <= number <= len(bundled):
            raise UserError(
                f"there are {len(bundled)} bundled personas; "
                f"ask for 1 to {len(bundled)}, or give files"
            )
        return [load_persona(path) for path in list(bundled.values())[:number]]
    chosen: list[Path] = []
    for part in wanted.split(","):
        name = part.strip()
        if name.lower() in bundled:
            chosen.append(bundled[name.lower()])
        elif name:
            chosen += _own_files(name, list(bundled), files)
    if not chosen or len(chosen) > MOST_SEATS:
        raise UserError(f"a party has 1 to {MOST_SEATS} players; {len(chosen)} were given")
    return told_apart([read(path) for path in chosen])


def _own_files(name: str, bundled: list[str], files: bool) -> list[Path]:
    """The person's own personas of that name: a file, or all of a folder."""
    path = Path(name)
    if not files and (len(path.parts) > 1 or path.suffix):
        raise UserError(
            f"players are a number or names of bundled personas: {', '.join(bundled)}; "
            "a file of your own is given at the command line"
        )
    if files and path.is_dir():
        return sorted(path.glob("*.yaml"))
    if files and path.is_file():
        return [path]
    raise NotFound(
        f"no persona '{name}'; there are {', '.join(bundled)}, "
        "or give a YAML file of your own at the command line"
    )


def seat_all(
    personas: list[BasePersona], scenario: Scenario, system: System, people: list[str]
) -> list[Seat]:
    """Seats in order. The scenario's own heroes are played first; a further player brings a
    character along."""
    seated = {persona.id for persona in personas}
    if strange := [name for name in people if name not in seated]:
        raise NotFound(
            f"no seat '{strange[0]}' for a person; the seats are {', '.join(p.id for p in personas)}"
        )
    seats: list[Seat] = []
    for number, persona in enumerate(personas):
        own = persona.character
        if number < len(scenario.heroes):
            hero = scenario.heroes[number]
            part = {
                "name": hero.name,
                "concept": hero.concept,
                "pronouns": hero.pronouns,
                "stats": hero.stats,
            }
            own = own.model_copy(update=part)
        else:
            own = own.model_copy(update={"stats": scale(own, system)})
        taken = {seat.character.id for seat in seats} | {p.id for p in personas}
        id = slug(own.name).replace("-", "_") or "somebody"
        own = own.model_copy(update={"id": id if id not in taken else f"{id}_{number + 1}"})
        if own.name.casefold() in {seat.character.name.casefold() for seat in seats}:
            own = own.model_copy(update={"name": f"{own.name} the other"})
        seats.append(
            Seat(agent=persona.id, persona=persona, character=own, person=persona.id in people)
        )
    return seats


def scale(character: Character, system: System) -> dict[str, int]:
    """General stats in the system's own names and range."""
    low, high = system.stat_range
    stats: dict[str, int] = {}
    for stat in GENERAL:
        share = (character.stats.get(stat, 0) - LOW) / (HIGH - LOW)
        for name in system.stat_map.get(stat) or ([stat] if stat in system.stats else []):
            stats[name] = round(low + share * (high - low))
    return stats
