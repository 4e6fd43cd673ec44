"""The shelf of scenarios and systems: found by id, read with file and line of whatever is wrong."""

import re
from functools import lru_cache
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

from rapidfuzz import process

from freeform.core.errors import BadFile, NotFound
from freeform.core.record import Record
from freeform.core.yamlfile import Lines, read_record, read_yaml
from freeform.engine.authored.older import in_our_form, is_older
from freeform.engine.authored.scenario import Scenario
from freeform.engine.authored.system import System, SystemPart


class ScenarioRow(Record):
    """A scenario as the shelf shows it."""

    id: str
    name: str
    genre: str
    packs: list[str]
    description: str


def content_folder(kind: str) -> Path:
    """A folder of what comes with the program: `scenarios`, `systems`, `packs`."""
    with as_file(files("freeform") / "content" / kind) as folder:
        return Path(folder)


def scenario_files(home: Path | None = None) -> dict[str, Path]:
    """Scenario ids and where they lie: the bundled ones, then the person's own under the home."""
    return _files("scenarios", home)


def _files(kind: str, home: Path | None) -> dict[str, Path]:
    """What there is of a kind: bundled, in packs on the shelf (newest version last), and the
    person's own."""
    folders = [content_folder(kind)]
    if home:
        packed = (home / "packs").glob(f"*/*/{kind}")
        folders += [
            *sorted(packed, key=lambda f: (f.parent.parent.name, _version(f.parent.name))),
            home / kind,
        ]
    return {
        file.stem: file
        for folder in folders
        if folder.is_dir()
        for file in sorted(folder.glob("*.yaml"))
    }


def _version(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", text.partition("+")[0]))


def scenarios(home: Path | None = None) -> list[ScenarioRow]:
    """What can be played; what teaches how one plays comes first."""
    shelf = [load_scenario(id, home) for id in sorted(scenario_files(home))]
    shelf.sort(key=lambda scenario: not scenario.for_newcomers)
    fields = set(ScenarioRow.model_fields)
    return [ScenarioRow.model_validate(one.model_dump(include=fields)) for one in shelf]


def load_scenario(name: str, home: Path | None = None, *, files: bool = True) -> Scenario:
    """A scenario by id, or by the path of its file, where files may be named."""
    path = scenario_path(name, home, files=files)
    return _read_scenario(path, _stamp(path))


def _stamp(path: Path) -> tuple[int, ...]:
    """Another one after every change of the file."""
    there = path.stat()
    return there.st_mtime_ns, there.st_size, there.st_ino


def scenario_path(name: str, home: Path | None = None, *, files: bool = True) -> Path:
    """Where a scenario lies. NotFound names the nearest."""
    known = scenario_files(home)
    path = known.get(name)
    if path is None and files and name.endswith((".yaml", ".yml")):
        path = Path(name)
    if path is None or not path.is_file():
        raise NotFound(
            f"no scenario '{name}'{_nearest(name, known)}; `freeform-rpg scenarios` lists them"
        )
    return path


@lru_cache(maxsize=64)
def _read_scenario(path: Path, stamp: tuple[int, ...]) -> Scenario:
    """The scenario in a file; read once for as long as the file stays as it is, since a scenario is
    a long text."""
    data, lines = read_yaml(path)
    if isinstance(data, dict):
        data = common_spelling(data)
        if is_older(data):
            data, lines = in_our_form(data)[0], {}
    scenario = read_record(path, Scenario, data, lines)
    _check_references(path, scenario, lines)
    return scenario


def load_system(name: str, home: Path | None = None) -> System:
    """A rules system with everything it inherits."""
    return System.model_validate({**_merged(name, home, ()), "id": name})


def systems(home: Path | None = None) -> list[System]:
    """Every rules system on the shelf."""
    return [load_system(name, home) for name in sorted(_system_files(home))]


def is_scenario(data: Any) -> bool:
    """Whether data is a scenario's, in our form or the older one."""
    if not isinstance(data, dict) or not isinstance(data.get("entities"), list):
        return False
    begins = ("start", "starting_scene", "opening", "opening_text")
    return any(key in data for key in begins)


def system_names(home: Path | None = None) -> list[str]:
    """The ids of the rules systems on the shelf."""
    return sorted(_system_files(home))


def _system_files(home: Path | None) -> dict[str, Path]:
    return _files("systems", home)


def _merged(name: str, home: Path | None, seen: tuple[str, ...]) -> dict[str, Any]:
    known = _system_files(home)
    if name not in known:
        raise NotFound(f"no rules system '{name}'{_nearest(name, known)}")
    if name in seen:
        raise BadFile(known[name].name, f"inherits in a circle: {' -> '.join((*seen, name))}", 1)
    data = _read_rules(known[name], System, _stamp(known[name]))
    for part in data.get("includes", []):
        data = merge(data, _included(known[name], str(part)))
    if not data.get("inherits"):
        return dict(data)
    under = _merged(data["inherits"], home, (*seen, name))
    method = data.get("resolution", {}).get("method")
    if method and method != under.get("resolution", {}).get("method"):
        under.pop(
            "resolution", None
        )  # another way of rolling starts afresh: bands of one mean nothing to another
    return merge(under, data)


def _included(file: Path, part: str) -> dict[str, Any]:
    """A part of a system in a file beside it. BadFile where there is none, or it lies elsewhere."""
    folder = file.parent.resolve()
    path = (folder / f"{part}.yaml").resolve()
    if not path.is_relative_to(folder) or not path.is_file():
        raise BadFile(file.name, f"includes '{part}', and there is no {part}.yaml beside it", 1)
    return _read_rules(path, SystemPart, _stamp(path))


@lru_cache(maxsize=64)
def _read_rules(path: Path, kind: type[Record], stamp: tuple[int, ...]) -> dict[str, Any]:
    """What a file of rules holds; read once for as long as it stays as it is. Nobody writes in it:
    `merge` makes new mappings."""
    data, lines = read_yaml(path)
    read_record(path, kind, data, lines)
    return dict(data)


def merge(under: dict[str, Any], over: dict[str, Any]) -> dict[str, Any]:
    """Mappings merged key by key; anything else is replaced."""
    joined = dict(under)
    for key, value in over.items():
        old = joined.get(key)
        joined[key] = (
            merge(old, value) if isinstance(old, dict) and isinstance(value, dict) else value
        )
    return joined


def common_spelling(data: dict[str, Any]) -> dict[str, Any]:
    """`content_pack` and `content_packs` are other names of `packs`."""
    data = dict(data)
    one, many = data.pop("content_pack", None), data.pop("content_packs", None)
    if one or many:
        named = [*([one] if one else []), *(many or []), *data.get("packs", [])]
        data["packs"] = list(dict.fromkeys(named))
    return data


def _check_references(path: Path, scenario: Scenario, lines: Lines) -> None:
    """Ids that must exist, do: the start, every way out, every place and person described."""
    ids = {entity.id for entity in scenario.entities}

    def wants(id: str, *where: str | int) -> None:
        if id not in ids:
            spot = tuple(where)
            while spot and spot not in lines:
                spot = spot[:-1]
            reason = f"{'.'.join(map(str, where))}: no entity '{id}'{_nearest(id, ids)}"
            raise BadFile(path.name, reason, lines.get(spot, 1))

    if not scenario.heroes:
        raise BadFile(path.name, "needs at least one hero", lines.get(("heroes",), 1))
    wants(scenario.start.location, "start", "location")
    for place_id, place in scenario.places.items():
        wants(place_id, "places", place_id)
        for number, exit in enumerate(place.exits):
            wants(exit.to, "places", place_id, "exits", number, "to")
    for person_id in scenario.people:
        wants(person_id, "people", person_id)
    clocks = {clock.id for clock in scenario.clocks}
    for cost, clock_id in scenario.cost_clocks.items():
        if clock_id not in clocks:
            line = lines.get(("cost_clocks", cost), 1)
            raise BadFile(
                path.name,
                f"cost_clocks.{cost}: no clock '{clock_id}'{_nearest(clock_id, clocks)}",
                line,
            )


def _nearest(name: str, known: Any) -> str:
    best = process.extractOne(name, list(known), score_cutoff=60)
    return f"; did you mean '{best[0]}'?" if best else ""
