"""Trains the offline selector on the questions beside it and writes its weights. Needs numpy (`dev` group).

Three yes-or-no models say whether a clause needs each tool; one model per tool says what for. Names are shown marked and
unmarked, so that a question is understood with and without a source that knows its names.
"""

import json
import re
import sys
from pathlib import Path

import numpy as np
import yaml

from freeform.assistant.intentions import intentions
from freeform.assistant.model import TOOLS
from freeform.assistant.passes import KnownName
from freeform.offline.assistant.features import features, mark

FOLDER = Path(__file__).parents[1] / "src" / "freeform" / "offline" / "assistant"
MARK = re.compile(r"\[([^|\]]+)\|(\w+)\]")
TOOL_OF_KIND = {"npc": "session_notes", "place": "session_notes", "quest": "session_notes", "event": "session_notes",
                "faction": "session_notes", "item": "character_data"}  # fmt: skip


def examples() -> list[tuple[list[str], str, str]]:
    """(features, tool, intention) of every question, with its names known and unknown."""
    made = []
    for file in sorted(FOLDER.glob("training_*.yaml")):
        for tool, groups in yaml.safe_load(file.read_text(encoding="utf-8")).items():
            for wanted, questions in groups.items():
                assert wanted in intentions()[tool], wanted
                for question in questions:
                    known = [
                        KnownName(
                            text=text, name=text, kinds={TOOL_OF_KIND.get(kind, "rulebook"): kind}
                        )
                        for text, kind in MARK.findall(question)
                    ]
                    plain = MARK.sub(r"\1", question)
                    shown = [known, []] if known else [[]]
                    for names in shown:
                        made.append((features(mark(plain, names)), tool, wanted))
                        made.append(
                            (
                                features(
                                    mark(
                                        plain.lower().rstrip("?"),
                                        [
                                            n.model_copy(update={"text": n.text.lower()})
                                            for n in names
                                        ],
                                    )
                                ),
                                tool,
                                wanted,
                            )
                        )
    return made


def fit(
    x: np.ndarray, y: np.ndarray, classes: int, l2: float, rounds: int = 400
) -> tuple[np.ndarray, np.ndarray]:
    """Softmax regression by full-batch gradient steps with momentum; the same data give the same weights."""
    w, b = np.zeros((x.shape[1], classes)), np.zeros(classes)
    vw, vb = np.zeros_like(w), np.zeros_like(b)
    target = np.eye(classes)[y]
    weight = (len(y) / (classes * np.bincount(y, minlength=classes)))[y][:, None] ** 0.5
    for _ in range(rounds):
        z = x @ w + b
        p = np.exp(z - z.max(1, keepdims=True))
        p /= p.sum(1, keepdims=True)
        g = (p - target) * weight / len(y)
        vw = 0.9 * vw - 2.0 * (x.T @ g + l2 * w)
        vb = 0.9 * vb - 2.0 * g.sum(0)
        w, b = w + vw, b + vb
    return w, b


def main() -> int:
    """Writes weights.json."""
    rows = examples()
    counts: dict[str, int] = {}
    for signs, _, _ in rows:
        for sign in set(signs):
            counts[sign] = counts.get(sign, 0) + 1
    vocabulary = sorted(
        sign for sign, n in counts.items() if n >= (2 if sign[0] in "wskbmrc" else 4)
    )
    at = {sign: i for i, sign in enumerate(vocabulary)}
    x = np.zeros((len(rows), len(vocabulary)))
    for i, (signs, _, _) in enumerate(rows):
        for sign in set(signs):
            if sign in at:
                x[i, at[sign]] = 1.0
        x[i] /= max(1.0, np.sqrt(x[i].sum()))
    tools = np.array([TOOLS.index(tool) for _, tool, _ in rows])
    out: dict[str, object] = {"tools": pack(vocabulary, *fit(x, tools, 3, 1e-4), list(TOOLS))}
    for tool in TOOLS:
        mine = np.array([t == tool for _, t, _ in rows])
        names = list(intentions()[tool])
        y = np.array([names.index(w) for _, t, w in rows if t == tool])
        out[tool] = pack(vocabulary, *fit(x[mine], y, len(names), 1e-4), names)
    (FOLDER / "weights.json").write_text(
        json.dumps(out, separators=(",", ":"), sort_keys=True) + "\n", encoding="utf-8"
    )
    print(f"{len(rows)} examples, {len(vocabulary)} signs")
    return 0


def pack(
    vocabulary: list[str], w: np.ndarray, b: np.ndarray, names: list[str]
) -> dict[str, object]:
    """Weights by sign, small ones left out, in hundredths."""
    signs = {}
    for i, sign in enumerate(vocabulary):
        row = {j: round(float(v) * 100) for j, v in enumerate(w[i]) if abs(v) >= 0.05}
        if row or names == list(TOOLS):  # The first part holds the whole vocabulary.
            signs[sign] = row
    return {"names": names, "bias": [round(float(v) * 100) for v in b], "signs": signs}


if __name__ == "__main__":
    sys.exit(main())
