"""Processor time of the learned ear: loading, inputs as people type them, and the curve over length."""

import json
import sys
import time
from pathlib import Path

from freeform.adapters.ear.learned import LearnedEar, shipped_file

ROOT = Path(__file__).resolve().parents[1]
EVERY = 12
"""Every twelfth input of the corpus, all writers alike."""
PROSE = "I walk over to the old iron gate and ask the guard, quietly, who came through last night. "
LENGTHS = (5, 10, 20, 40, 80, 160, 320, 500)


def texts() -> list[str]:
    rows = []
    for file in sorted((ROOT / "training" / "ear" / "corpus").glob("*.jsonl")):
        rows += [json.loads(line)["text"] for line in file.read_text(encoding="utf-8").splitlines()]
    return rows[::EVERY]


def spread(times: list[float]) -> dict[str, float]:
    """Median, 95th percentile and worst, in milliseconds."""
    ordered = sorted(times)
    at = {"median": len(ordered) // 2, "p95": int(len(ordered) * 0.95), "worst": len(ordered) - 1}
    return {name: round(ordered[place] * 1000, 2) for name, place in at.items()}


def cpu(ear: LearnedEar, text: str) -> float:
    start = time.process_time()
    ear.hear(text)
    return time.process_time() - start


def measured(numpy_only: bool) -> dict[str, object]:
    ear = LearnedEar(shipped_file(), numpy_only=numpy_only)
    start = time.process_time()
    ear.hear("I look around.")
    loaded = time.process_time() - start
    typed = texts() if not numpy_only else texts()[::4]
    spread_typed = spread([cpu(ear, text) for text in typed])
    words = PROSE.split()
    curve = {}
    for length in LENGTHS:
        text = " ".join((words * (length // len(words) + 1))[:length])
        curve[length] = round(min(cpu(ear, text) for _ in range(5)) * 1000, 2)
    return {"first hearing, s": round(loaded, 2), "typed, ms": spread_typed, "by words, ms": curve}


def main() -> None:
    result = {"onnxruntime": measured(False), "numpy alone": measured(True)}
    for name, row in result.items():
        print(f"{name}: first hearing {row['first hearing, s']} s, typed {row['typed, ms']}")
        print("  best of five by words:", row["by words, ms"])
    print(json.dumps(result))


if __name__ == "__main__":
    sys.exit(main())
