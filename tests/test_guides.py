"""The guides for authors name every key there is, and none that is not."""

import inspect
import re
from collections.abc import Iterator
from pathlib import Path

import yaml

from freeform.core.chance import Chance
from freeform.core.record import Record
from freeform.engine.authored import opposition, scenario, script, system
from freeform.engine.authored.library import load_system
from freeform.engine.rules.rolls import Throw, roll
from freeform.engine.world import state
from freeform.engine.world.state import PLAYER, Entity, GameState
from tests.house import none_of

DOCS = Path(__file__).parents[1] / "docs"


def records(module: object) -> dict[str, type[Record]]:
    """The records a module defines."""
    named = inspect.getmembers(module, inspect.isclass)
    home = getattr(module, "__name__", "")
    mine = (kind for _, kind in named if issubclass(kind, Record) and kind.__module__ == home)
    return {kind.__name__: kind for kind in mine}


STATE = ("Entity", "Fact", "Thread", "StoryClock", "Holding", "Relationship")
AUTHORED = {**records(scenario), **records(script)}
NOT_WRITTEN = ("OneKey", "Offer")
"""Records that no author writes."""
SCENARIO = {k: v for k, v in AUTHORED.items() if k not in NOT_WRITTEN} | {
    k: records(state)[k] for k in STATE
}
GUIDES = [
    *(("scenarios.md", name, kind) for name, kind in SCENARIO.items()),
    *(("systems.md", name, kind) for name, kind in records(system).items()),
    *(("systems.md", name, kind) for name, kind in records(opposition).items()),
]


def test_the_table_of_a_record_lists_its_keys_and_no_others() -> None:
    def broken() -> Iterator[str]:
        for page, name, kind in GUIDES:
            text = (DOCS / page).read_text(encoding="utf-8")
            section = re.search(rf"(?ms)^### {name}\n(.*?)(?=^##|\Z)", text)
            if section is None:
                yield f"docs/{page} has no section '### {name}'"
                continue
            listed = keys_in(section[1])
            keys = set(kind.model_fields)
            for key in sorted(keys - set(listed)):
                yield f"docs/{page}: {name}.{key} is not listed"
            for key in sorted(set(listed) - keys):
                yield f"docs/{page}: {name} has no key {key}"
            if len(listed) > len(set(listed)):
                yield f"docs/{page}: {name} lists a key twice"

    assert GUIDES
    none_of(broken())


def keys_in(section: str) -> list[str]:
    """The keys in the first column of a table."""
    keys: list[str] = []
    for row in section.splitlines():
        if row.startswith("| `"):
            keys += re.findall(r"`(\w+)`", row.split("|")[1])
    return keys


def test_every_effect_and_condition_of_the_guide_reads() -> None:
    text = (DOCS / "scenarios.md").read_text(encoding="utf-8")
    for name, kind in (("Condition", script.Condition), ("Effect", script.Effect)):
        rows = text.partition(f"### {name}\n")[2].partition("###")[0].splitlines()
        cells = [row.split("|")[3].strip() for row in rows if row.startswith("| `")]
        shown = [cell.strip("`") for cell in cells if cell.startswith("`")]
        assert len(shown) >= len(kind.model_fields) - 1
        for example in shown:
            kind.model_validate(yaml.safe_load(example))


WORKED = re.findall(
    r"<!-- roll: (\w+) (\w+) tier (\d) seed (\d+) stats (.*?) -->\n\n```\n(.*?)\n```",
    (DOCS / "systems.md").read_text(encoding="utf-8"),
    re.S,
)


def test_each_method_has_a_worked_roll() -> None:
    assert {load_system(name).resolution.method for name, *_ in WORKED} == {
        "sum_bands", "dice_pool", "target_number", "highest_die"
    }  # fmt: skip


def test_a_worked_roll_is_what_the_dice_give() -> None:
    def broken() -> Iterator[str]:
        for name, stat, tier, seed, sheet, shown in WORKED:
            stats = {key: int(value) for key, value in (pair.split("=") for pair in sheet.split())}
            hero = Entity(id=PLAYER, type="pc", name="Nan", attrs={"stats": stats})
            at = GameState(campaign_id="guide", entities={PLAYER: hero})
            thrown = roll(
                Throw("hide", "", stat, int(tier)), load_system(name), at, Chance(int(seed))
            )
            if thrown.text != shown:
                yield f"{name}: the page says {shown!r}, the dice {thrown.text!r}"

    none_of(broken())


def test_a_system_of_four_lines_takes_the_rest_from_the_one_below(tmp_path: Path) -> None:
    shown = re.search(
        r"```yaml\n(id: gritty\n.*?)```", (DOCS / "systems.md").read_text(encoding="utf-8"), re.S
    )
    assert shown
    (tmp_path / "systems").mkdir()
    (tmp_path / "systems" / "gritty.yaml").write_text(shown[1], encoding="utf-8")
    gritty, below = load_system("gritty", tmp_path), load_system("pbta")
    assert gritty.action_types["attack"].costs.heat == below.action_types["attack"].costs.heat + 1
    assert gritty.action_types["attack"].verbs == below.action_types["attack"].verbs
    assert (gritty.resolution, gritty.tiers) == (below.resolution, below.tiers)


def test_another_way_of_rolling_starts_afresh() -> None:
    assert load_system("_base").resolution.bands
    assert load_system("world_of_darkness").resolution.bands == []
