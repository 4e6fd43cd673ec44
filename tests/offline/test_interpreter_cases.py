"""How well the offline interpreter understands what players type, against floors it must not fall below."""

from functools import partial
from pathlib import Path
from typing import Any

import pytest
import yaml

from freeform.engine.passes import InterpreterInput
from freeform.engine.world.model import ContextPacket, ProposedAction
from freeform.offline.interpreter import interpret

HERE = Path(__file__).parent
read = partial(yaml.load, Loader=yaml.CSafeLoader)
SYSTEM = read(
    (HERE.parents[1] / "src/freeform/content/systems/_base.yaml").read_text(encoding="utf-8")
)
ACTION_TYPES = {name: kind["verbs"] for name, kind in SYSTEM["action_types"].items()}
PACKET = ContextPacket(**read((HERE / "interpreter_world.yaml").read_text(encoding="utf-8")))
CASES = read((HERE / "interpreter_cases.yaml").read_text(encoding="utf-8"))


def heard(text: str) -> list[ProposedAction]:
    said = InterpreterInput(context_packet=PACKET, player_input=text, action_types=ACTION_TYPES)
    return interpret(said).proposed_actions


def fits(action: ProposedAction, wanted: list[str]) -> bool:
    verb, target, *words = wanted
    return (
        action.action in verb.split("|")
        and (target == "*" or action.target_id in target.split("|"))
        and all(word.lower() in action.details.lower() for word in words)
    )


def is_right(case: dict[str, Any]) -> bool:
    actions = heard(case["say"])
    return len(actions) == len(case["do"]) and all(
        fits(a, w) for a, w in zip(actions, case["do"], strict=True)
    )


@pytest.mark.parametrize(
    ("group", "floor"),
    [
        ("plain", 0.95),
        ("implicit", 0.8),
        ("held_plain", 0.95),
        ("held_implicit", 0.8),
        ("rough", 0.8),
    ],
)
def test_players_are_understood_often_enough(group: str, floor: float) -> None:
    wrong = [case["say"] for case in CASES[group] if not is_right(case)]
    share = 1 - len(wrong) / len(CASES[group])
    print(f"{group}: {share:.3f} of {len(CASES[group])}; wrong: {wrong}")
    assert share >= floor, wrong


def test_there_are_enough_cases_to_tell() -> None:
    texts = [case["say"] for group in CASES.values() for case in group]
    assert len(texts) == len(set(texts)) >= 160
