"""The suite `lore`: the researcher on a wiki made of a real game's files, measured against those
files."""

from collections.abc import Callable, Iterable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from pathlib import Path

from freeform.core.text import slug
from freeform.evals.report import SuiteReport
from freeform.evals.wiki.galaxy import Galaxy, chosen_zones, load_galaxy
from freeform.evals.wiki.serve import WikiServer, free_port, serving
from freeform.evals.wiki.sites import WikiWorld, build_world
from freeform.lore.daemon.daemon import advance, begin
from freeform.lore.daemon.validator import advance_validator
from freeform.lore.errand import LorePorts
from freeform.lore.model import ResearchPackage
from freeform.lore.read.claims import wrong_with
from freeform.lore.read.values import number_in

GAME = "Naev"
OpenPorts = Callable[[int], AbstractAsyncContextManager[LorePorts]]
"""Opens a researcher's ports on the gold wiki at that port of loopback."""


@dataclass(frozen=True)
class Score:
    """Found against wanted."""

    hit: int = 0
    found: int = 0
    wanted: int = 0

    def __add__(self, other: "Score") -> "Score":
        return Score(self.hit + other.hit, self.found + other.found, self.wanted + other.wanted)

    @property
    def recall(self) -> float:
        return round(self.hit / self.wanted, 4) if self.wanted else 1.0

    @property
    def precision(self) -> float:
        return round(self.hit / self.found, 4) if self.found else 1.0


def compare(found: Iterable[str], wanted: Iterable[str]) -> Score:
    """Two sets."""
    have, want = set(found), set(wanted)
    return Score(len(have & want), len(have), len(want))


async def run_lore(
    data: Path, open_ports: OpenPorts, count: int = 20, seed: str = "naev"
) -> SuiteReport:
    """Serves the gold wiki on loopback, lets both agents loose on it, and compares with the game's
    own files."""
    galaxy = load_galaxy(data)
    zones = chosen_zones(galaxy, count)
    port = await free_port([f"127.0.0.{number}" for number in (1, 2, 3)])
    world = build_world(galaxy, zones, port, seed)
    server = WikiServer(world)
    async with serving(world, server, port), open_ports(port) as ports:
        await research(zones, ports)
        figures, misses = await measure(world, galaxy, ports)
    figures["http_requests_per_zone"] = round(sum(server.asked.values()) / max(1, len(zones)), 1)
    figures["forbidden_pages_read"] = sum(_was_read(server, title) for title in _barred(world))
    return report(world, figures, misses)


def _barred(world: WikiWorld) -> list[str]:
    return [
        title for site in world.sites for title, how in site.broken.items() if how == "forbidden"
    ]


def _was_read(server: WikiServer, title: str) -> bool:
    return server.asked[f"127.0.0.2/wiki/{title.replace(' ', '_')}"] > 0


async def research(zones: list[str], ports: LorePorts) -> None:
    """Both agents, side by side in one loop, until the zones are done or failed."""
    await begin(GAME, zones, ports)
    while True:
        outcome = await advance(GAME, ports)
        checked = await advance_validator(ports)
        if outcome.what in ("idle", "waits for a decision", "sleeps") and not checked:
            return


async def measure(
    world: WikiWorld, galaxy: Galaxy, ports: LorePorts
) -> tuple[dict[str, float], list[str]]:
    """The figures, and a line for every miss."""
    packages = [p for zone in world.zones if (p := await ports.store.package(GAME, slug(zone)))]
    by_zone = {package.zone_data.id: package for package in packages}
    connections = factions = places = Score()
    misses: list[str] = []
    for zone in world.zones:
        package = by_zone.get(slug(zone))
        system = galaxy.systems[zone]
        got = package.zone_data.connected_zones if package else []
        connections += (one := compare(got, map(slug, system.jumps)))
        if one.hit < max(one.found, one.wanted):
            misses.append(
                f"{zone}: connections {sorted(got)} for {sorted(map(slug, system.jumps))}"
            )
        factions += compare(
            package.zone_data.faction_ids if package else [], map(slug, galaxy.powers_in(zone))
        )
        places += compare(
            map(slug, package.zone_data.places) if package else [], map(slug, system.spots)
        )
    facts, stances = _place_facts(galaxy, packages), _stances(galaxy, packages)
    conflicts, lines = _conflicts(world, packages)
    verified, total = await _verified(packages, ports)
    spend = [step.spend for step in await ports.store.steps_done(GAME)]
    count = max(1, len(world.zones))
    point = await ports.store.load_checkpoint(GAME)
    gaps_right = sum(_gaps_are_the_complement(package, world) for package in packages)
    figures = {
        "connection_recall": connections.recall,
        "connection_precision": connections.precision,
        "faction_recall": factions.recall,
        "faction_precision": factions.precision,
        "place_recall": places.recall,
        "place_precision": places.precision,
        "place_fact_recall": facts.recall,
        "place_fact_precision": facts.precision,
        "stance_recall": stances.recall,
        "stance_precision": stances.precision,
        "conflict_recall": conflicts.recall,
        "conflict_precision": conflicts.precision,
        "quote_verified": round(verified / total, 4) if total else 0.0,
        "claims": total,
        "gap_lists_exact": round(gaps_right / max(1, len(packages)), 4),
        "zones_accepted": len(packages),
        "zones_failed": len(point.failed_zones) if point else 0,
        "tokens_spent": sum(each.tokens for each in spend),
        "tokens_estimated_per_zone": round(sum(each.estimated for each in spend) / count, 1),
        "model_calls_per_zone": round(sum(each.calls for each in spend) / count, 2),
        "searches_per_zone": round(sum(each.searches for each in spend) / count, 2),
        "requests_per_zone": round(sum(each.crawls for each in spend) / count, 2),
        "mean_zone_confidence": round(
            sum(p.zone_data.confidence for p in packages) / max(1, len(packages)), 4
        ),
    }
    return figures, [*misses, *lines]


def _place_facts(galaxy: Galaxy, packages: list[ResearchPackage]) -> Score:
    """Class, population and faction of every place that has a row, against the game's files."""
    score = Score()
    for package in packages:
        spots = {slug(name): galaxy.spots[name] for name in galaxy.systems[package.zone_name].spots}
        for row in package.lore:
            spot = spots.get(row.id)
            if spot is None:
                continue
            found = (
                {f"population {number_in(row.facts.get('population', ''))}"}
                if "population" in row.facts
                else set()
            )
            found |= {
                f"{key} {slug(row.facts[key])}"
                for key in ("class", "faction")
                if row.facts.get(key)
            }
            wanted = {f"population {spot.population}", f"class {slug(spot.kind)}"}
            score += compare(
                found, wanted | ({f"faction {slug(spot.faction)}"} if spot.faction else set())
            )
    return score


def _stances(galaxy: Galaxy, packages: list[ResearchPackage]) -> Score:
    """Who is allied with whom and hostile to whom, of every faction that was read."""
    found: set[str] = set()
    wanted: set[str] = set()
    powers = {slug(name): power for name, power in galaxy.powers.items()}
    for package in packages:
        for row in package.factions:
            if power := powers.get(row.id):
                found |= {f"{row.id} {each.stance} {each.faction_id}" for each in row.inter_faction}
                wanted |= {f"{row.id} allied {slug(name)}" for name in power.allies}
                wanted |= {f"{row.id} hostile {slug(name)}" for name in power.enemies}
    return compare(found, wanted)


def _conflicts(world: WikiWorld, packages: list[ResearchPackage]) -> tuple[Score, list[str]]:
    """Planted against found, with their kinds. Two names for one thing are no disagreement."""
    planted = {(each.subject_id, each.predicate, each.kind) for each in world.planted}
    found = {
        (conflict.subject_id, conflict.predicate, conflict.kind)
        for package in packages
        for conflict in package.conflicts
        if conflict.kind != "alias"
    }
    missed = [f"missed conflict: {each}" for each in sorted(planted - found)]
    false = [f"false conflict: {each}" for each in sorted(found - planted)]
    return Score(len(planted & found), len(found), len(planted)), [*missed, *false]


async def _verified(packages: list[ResearchPackage], ports: LorePorts) -> tuple[int, int]:
    good = total = 0
    for package in packages:
        for claim in package.claims:
            total += 1
            good += not wrong_with(claim, await ports.store.page(GAME, claim.url, claim.sha256))
    return good, total


def _gaps_are_the_complement(package: ResearchPackage, world: WikiWorld) -> bool:
    """A zone's unread places are exactly those named that have no page among its sources."""
    read = {slug(source.title) for source in package.sources}
    named = {slug(place) for place in package.zone_data.places}
    gaps = {slug(gap.name) for gap in package.gaps}
    return named - read == named & gaps


def report(world: WikiWorld, figures: dict[str, float], misses: list[str]) -> SuiteReport:
    """As `eval` prints it."""
    return SuiteReport(
        suite="lore", n=len(world.zones), metrics=figures, cases=[{"miss": line} for line in misses],
        notes=[f"{len(world.planted)} disagreements were planted on {len(world.zones)} zones"],
    )  # fmt: skip
