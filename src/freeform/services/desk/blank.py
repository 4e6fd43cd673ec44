"""Scenarios to begin from: an empty one, and the copy of one that is there."""

from typing import Any

import yaml

from freeform.core.yamlfile import write_mapping

SYSTEM = "pbta"
_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
ORDER = (
    "id name genre description system packs calibration opening opening_suggestions start heroes "
    "entities facts threads clues clocks inventory relationships places people affordances "
    "discoverables moves endings cost_clocks"
).split()
"""In which order a file tells its parts; what is not named here comes last."""


def blank(id: str, name: str) -> dict[str, Any]:
    """One hero in one place: the least that can be played."""
    return {
        "id": id,
        "name": name,
        "genre": "fantasy",
        "description": "",
        "system": SYSTEM,
        "opening": "",
        "start": {"location": "first_place"},
        "heroes": [{"id": "hero", "name": "The stranger", "concept": "new in town"}],
        "entities": [{"id": "first_place", "type": "location", "name": "The first place"}],
        "facts": [],
        "threads": [],
        "clocks": [],
        "places": {"first_place": {"description": ""}},
        "people": {},
        "endings": [],
    }


def as_yaml(scenario: dict[str, Any]) -> str:
    """A draft as a file: what is empty is left out, parts in the order people write them."""
    rank = {name: at for at, name in enumerate(ORDER)}
    keys = sorted(scenario, key=lambda key: rank.get(key, len(rank)))
    kept = {key: scenario[key] for key in keys if scenario[key] not in ([], {}, None)}
    text = write_mapping(kept)
    # What was written must read as the same: a draft may hold what no scenario does.
    same = yaml.load(text, Loader=_Loader) == kept  # a safe loader, the quick one
    return text if same else yaml.safe_dump(kept, sort_keys=False)
