"""How the rules hear acts of each family: what they say, where the second hand says what was meant.

python training/ear/rules_table.py          writes src/freeform/models/rules_heard.json

The referee multiplies what the ear hears by how often the rules say what they say of each family,
and by how often acts of it open so.
"""

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from corpus import Example, read_corpus

from freeform.engine.authored.library import load_system
from freeform.engine.passes import InterpreterInput
from freeform.engine.world.model import ContextPacket
from freeform.language.ear import FAMILIES
from freeform.offline.interpreter.build import RulesListener
from freeform.offline.referee.rules_heard import OTHER, as_opened, as_ruled

_UNSEEN = 0.5
TYPES = {"person": "npc", "thing": "item", "place": "location", "way": "location"}


def packet_of(scene: dict[str, Any], before: str) -> ContextPacket:
    """A scene of the corpus as the game shows one to a listener."""
    rows = [
        {
            "id": f"e{number}",
            "name": entity["name"],
            "type": TYPES[entity["kind"]],
            "attrs": {"aliases": entity["aliases"]},
        }
        for number, entity in enumerate(scene["entities"])
    ]
    here = [row["id"] for row in rows if row["type"] == "npc"]
    things = [row["id"] for row in rows if row["type"] == "item"]
    exits = [{"to": row["id"], "name": row["name"]} for row in rows if row["type"] == "location"]
    return ContextPacket(
        scene={"location_id": "here", "exits": exits},
        present_entities=["player", *here],
        entities=rows,
        inventory=[{"owner_id": "here", "item_id": id} for id in things],
        recent_events=[{"turn_no": 1, "text": before, "focus": []}],
    )


def said(
    example: Example, scene: dict[str, Any], verbs: dict[str, list[str]]
) -> Iterator[tuple[str, str, str]]:
    """The family of each act, what the rules say of it, and how it opens."""
    packet = packet_of(scene, example.before)
    listener = RulesListener(
        InterpreterInput(context_packet=packet, player_input=example.text, action_types=verbs)
    )
    for act in example.acts:
        words = example.text[act.start : act.end]
        _, actions = listener.hear(words)
        yield act.family, as_ruled(actions), as_opened(words)


def shares(counts: dict[str, Counter[str]]) -> dict[str, dict[str, float]]:
    """How often each form is said of each family; what was never said is not impossible."""
    forms = sorted({form for counter in counts.values() for form in counter} | {OTHER})
    table = {}
    for family, counter in counts.items():
        total = counter.total() + _UNSEEN * len(forms)
        table[family] = {form: round((counter[form] + _UNSEEN) / total, 5) for form in forms}
    return table


def main() -> None:
    here = Path(__file__).parent
    scenes = json.loads((here / "corpus" / "scenes.json").read_text(encoding="utf-8"))
    verbs = load_system("pbta").verbs
    ruled: dict[str, Counter[str]] = {family: Counter() for family in FAMILIES}
    opened: dict[str, Counter[str]] = {family: Counter() for family in FAMILIES}
    for example in read_corpus(here / "corpus"):
        for family, rule, opening in said(example, scenes[example.scene], verbs):
            ruled[family][rule] += 1
            opened[family][opening] += 1
    table = {"ruled": shares(ruled), "opened": shares(opened)}
    target = here.parents[1] / "src" / "freeform" / "models" / "rules_heard.json"
    target.write_text(json.dumps(table, indent=0, sort_keys=True) + "\n", encoding="utf-8")
    print(sum(counter.total() for counter in ruled.values()), "acts")


if __name__ == "__main__":
    main()
