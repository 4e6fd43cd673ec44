"""The gold: a real game's star systems, planets, factions and encyclopedia, read from its own
files."""

import re
import tarfile
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from xml.etree import ElementTree

from freeform.core.errors import NotFound


@dataclass(frozen=True)
class Planet:
    """A planet or station."""

    name: str
    system: str
    kind: str
    population: int
    faction: str
    description: str
    bar: str
    services: tuple[str, ...]


@dataclass(frozen=True)
class StarSystem:
    """A star system: the zone of this game."""

    name: str
    jumps: tuple[str, ...]
    spots: tuple[str, ...]
    tags: tuple[str, ...] = ()


@dataclass(frozen=True)
class Power:
    """A faction."""

    name: str
    description: str
    allies: tuple[str, ...]
    enemies: tuple[str, ...]
    article: str = ""


@dataclass(frozen=True)
class Galaxy:
    """All of it."""

    systems: dict[str, StarSystem]
    spots: dict[str, Planet]
    powers: dict[str, Power]
    ruler: dict[str, str] = field(default_factory=dict)
    """System -> the faction that holds most of its planets, '' where none does."""

    def powers_in(self, system: str) -> set[str]:
        """The factions present in a system."""
        return {
            self.spots[name].faction
            for name in self.systems[system].spots
            if self.spots[name].faction
        }

    def told(self, spot: str) -> bool:
        """Whether anything is written about a planet."""
        return bool(self.spots[spot].description)


def load_galaxy(folder: Path) -> Galaxy:
    """Reads `naev-dat.tar.gz` in that folder, or in `naev` below it."""
    places = [folder / "naev-dat.tar.gz", folder / "naev" / "naev-dat.tar.gz"]
    archive = next((place for place in places if place.is_file()), None)
    if archive is None:
        raise NotFound(f"no naev-dat.tar.gz in {folder}; give --data the folder that holds naev/")
    systems: dict[str, StarSystem] = {}
    raw: dict[str, ElementTree.Element] = {}
    powers: dict[str, Power] = {}
    articles: dict[str, str] = {}
    with tarfile.open(archive) as tar:
        for member in tar:
            name = member.name.removeprefix("./")
            found = re.fullmatch(
                r"dat/(ssys|spob|factions)/[^/]+\.xml|dat/naevpedia/lore/factions/([^/]+)\.md", name
            )
            opened = tar.extractfile(member) if found else None
            if not found or opened is None:
                continue
            if found[2]:
                articles[found[2]] = _article(opened.read().decode())
                continue
            root = ElementTree.fromstring(opened.read())
            match found[1]:
                case "ssys":
                    systems[root.get("name", "")] = _system(root)
                case "spob":
                    raw[root.get("name", "")] = root
                case _:
                    powers[root.get("name", "")] = _power(root)
    home = {spot: system.name for system in systems.values() for spot in system.spots}
    spots = {
        name: _spot(name, root, home.get(name, "")) for name, root in raw.items() if name in home
    }
    for name, power in list(powers.items()):
        text = articles.get(re.sub(r"[^a-z]", "", name.lower()), "")
        powers[name] = Power(power.name, power.description, power.allies, power.enemies, text)
    galaxy = Galaxy(systems, spots, powers)
    return Galaxy(systems, spots, powers, {name: _ruler(galaxy, name) for name in systems})


def chosen_zones(galaxy: Galaxy, count: int) -> list[str]:
    """Systems with enough about them to be worth reading: some held by several factions, the others
    spread out."""
    good = sorted(
        name
        for name, system in galaxy.systems.items()
        if len(system.jumps) >= 3
        and sum(map(galaxy.told, system.spots)) >= 2
        and galaxy.ruler[name]
    )
    mixed = [name for name in good if len(galaxy.powers_in(name)) > 1][: count // 2]
    others = [name for name in good if name not in mixed]
    left = count - len(mixed)
    return sorted([*mixed, *others[:: max(1, len(others) // max(1, left))][:left]])


def _ruler(galaxy: Galaxy, name: str) -> str:
    counts = Counter(
        galaxy.spots[s].faction for s in galaxy.systems[name].spots if galaxy.spots[s].faction
    )
    return min(counts, key=lambda faction: (-counts[faction], faction)) if counts else ""


def _system(root: ElementTree.Element) -> StarSystem:
    return StarSystem(
        name=root.get("name", ""),
        jumps=tuple(sorted({jump.get("target", "") for jump in root.findall("jumps/jump")})),
        spots=tuple(spot.text or "" for spot in root.findall("spobs/spob")),
        tags=tuple(tag.text or "" for tag in root.findall("tags/tag")),
    )


def _spot(name: str, root: ElementTree.Element, system: str) -> Planet:
    def text(path: str) -> str:
        return " ".join((root.findtext(path) or "").split())

    return Planet(
        name=name,
        system=system,
        kind=text("general/class"),
        population=int(float(text("general/population") or 0)),
        faction=text("presence/faction"),
        description=text("general/description"),
        bar=text("general/bar"),
        services=tuple(
            sorted({item.tag for item in root.findall("general/services/*") if item.tag != "land"})
        ),
    )


def _power(root: ElementTree.Element) -> Power:
    return Power(
        name=root.get("name", ""),
        description=" ".join((root.findtext("description") or "").split()),
        allies=tuple(each.text or "" for each in root.findall("allies/ally")),
        enemies=tuple(each.text or "" for each in root.findall("enemies/enemy")),
    )


def _article(text: str) -> str:
    """The encyclopedia's Markdown without its frontmatter and scripts."""
    text = re.sub(r"\A---.*?\n---\n", "", text, flags=re.S)
    text = re.sub(r"<%.*?%>|<widget.*?/>", "", text, flags=re.S)
    return re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text).strip()
