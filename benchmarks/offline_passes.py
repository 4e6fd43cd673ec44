"""Processor time of the offline passes: hearing every test case, telling turns late in a session."""

import json
import time
from pathlib import Path

import yaml

from freeform.core.chance import Chance
from freeform.engine.passes import InterpreterInput, NarratorInput
from freeform.engine.world.model import ContextPacket, EngineEvent, PlannerOutput
from freeform.offline.interpreter import interpret
from freeform.offline.narrator import respond

ROOT = Path(__file__).resolve().parents[1]
SYSTEM = yaml.safe_load(
    (ROOT / "src/freeform/content/systems/_base.yaml").read_text(encoding="utf-8")
)
VERBS = {name: kind["verbs"] for name, kind in SYSTEM["action_types"].items()}
WORLD = yaml.safe_load((ROOT / "tests/offline/interpreter_world.yaml").read_text(encoding="utf-8"))
CASES = yaml.safe_load((ROOT / "tests/offline/interpreter_cases.yaml").read_text(encoding="utf-8"))


def spread(times: list[float]) -> dict[str, float]:
    """Median, 95th percentile and worst, in milliseconds."""
    ordered = sorted(times)
    at = {"median": len(ordered) // 2, "p95": int(len(ordered) * 0.95), "worst": len(ordered) - 1}
    return {name: round(ordered[place] * 1000, 2) for name, place in at.items()}


def hear() -> list[float]:
    """Each case once, after a warm-up."""
    packet = ContextPacket(**WORLD)
    texts = [case["say"] for group in CASES.values() for case in group]
    times = []
    for text in [texts[0], *texts]:
        start = time.process_time()
        interpret(InterpreterInput(context_packet=packet, player_input=text, action_types=VERBS))
        times.append(time.process_time() - start)
    return times[1:]


def tell(turns: int = 300) -> list[float]:
    """One session; each turn is told knowing all before it."""
    events = [
        EngineEvent(type="no_answer", details={"npc": "n", "name": "Mara", "topic": "Jin"}),
        EngineEvent(type="outcome", details={"action": "hide", "name": "", "outcome": "failure"}),
        EngineEvent(type="consequence", details={"costs": {"heat": 1}}),
    ]
    told: list[str] = []
    times = []
    for turn in range(turns):
        start = time.process_time()
        output = respond(
            NarratorInput(
                context_packet=ContextPacket(), player_input="", engine_events=events,
                planner_output=PlannerOutput(), told_before=told,
            ),
            Chance(7, turn),
        )  # fmt: skip
        times.append(time.process_time() - start)
        told.append(output.final_text)
    return times[-50:]


if __name__ == "__main__":
    figures = {"interpreter_ms": spread(hear()), "narrator_ms_after_250_turns": spread(tell())}
    for name, figure in figures.items():
        print(f"{name:30} " + "  ".join(f"{part} {value:7.2f}" for part, value in figure.items()))
    print(json.dumps(figures))
