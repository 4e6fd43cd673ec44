"""What the reader's score counts beside words and meaning when a passage is chosen, from tables that
each reader had not seen. The constants of `assistant/query/reading/answer.py` were since fitted in
the same way on strangers' tables with sheets, notes and rules, where the source counts too.

python training/reading/fit.py --held OUT/one.onnx q03 q07 q12 q15 --held OUT/two.onnx q05 q09 q14 q16
"""

import argparse
import json
import random
from pathlib import Path
from zlib import crc32

import numpy as np
from asked import Group, read_tables

from freeform.adapters.encoder.protobuf import graph_of, notes, with_notes
from freeform.adapters.reader.loaded import LoadedReader
from freeform.assistant.model import Piece, SourcePlace, Tool
from freeform.assistant.query.clause import AskedClause
from freeform.assistant.query.passage import Passages, wanted_keys
from freeform.assistant.query.reading.candidates import MOST
from freeform.language.meaning.reading import PlacedText
from freeform.wiring.ear import near_texts, near_words

TOOLS: dict[str, Tool] = {"notes": "session_notes", "sheet": "character_data", "rules": "rulebook"}
STEPS, RATE, SMALL = 400, 0.1, 1e-3
SHOWN = (0.3, 0.4, 0.5, 0.6, 0.7, 0.8)


def loaded(file: Path) -> LoadedReader:
    """A reader as training left it."""
    model = file.read_bytes()
    tuning, crc = json.dumps({"answers": [1.0, 0.0]}), str(crc32(graph_of(model)))
    return LoadedReader(with_notes(model, {**notes(model), "tuning": tuning, "crc32": crc}))


def asked(reader: LoadedReader, table: Group, most: int) -> list[tuple[np.ndarray, np.ndarray]]:
    """For some questions the features of the passages that are read, and whether each answers."""
    pieces = []
    for at, passage in enumerate(table.passages):
        where = SourcePlace(section=passage.place)
        title = passage.place.split(" > ")[-1]
        pieces.append(
            Piece(
                id=str(at),
                tool=TOOLS["notes"],
                section="",
                title=title,
                text=passage.text,
                where=where,
            )
        )
    passages = Passages(pieces, near_words)
    found = []
    for question in random.Random(5).sample(table.questions, most):
        wanted = wanted_keys(AskedClause(question.text, frozenset()))
        said = [passages.coverage(wanted, keys) for keys in passages.keys]
        own = [passages.coverage(wanted, keys) for keys in passages.own_keys]
        near = near_texts(question.text, passages.texts)
        order = sorted(range(len(pieces)), key=lambda at: -(said[at] + near[at]))
        order = order[: sum(MOST.values())]
        texts = [PlacedText(table.passages[at].text, table.passages[at].place) for at in order]
        scores = [one.score for one in reader.read(question.text, texts)]
        rows = [
            (score, said[at], own[at], near[at]) for score, at in zip(scores, order, strict=True)
        ]
        found.append((np.array(rows), np.array([float(at in question.spans) for at in order])))
    return found


def chances(rows: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """How likely each passage answers, and at the end that none does."""
    worth = np.append(rows @ weights[:-1], weights[-1])
    made = np.exp(worth - worth.max())
    return np.asarray(made / made.sum())


def fitted(cases: list[tuple[np.ndarray, np.ndarray]]) -> np.ndarray:
    """The weights under which the passages that answer are likeliest."""
    weights, mean, spread = np.zeros(5), np.zeros(5), np.zeros(5)
    for step in range(1, STEPS + 1):
        slope = np.append(SMALL * weights[:-1], 0.0)
        for rows, right in cases:
            told = chances(rows, weights)
            wish = np.zeros(len(told))
            if right.any():
                wish[:-1] = told[:-1] * right / (told[:-1] * right).sum()
            else:
                wish[-1] = 1.0
            away = (told - wish) / len(cases)
            slope += np.append(rows.T @ away[:-1], away[-1])
        mean, spread = 0.9 * mean + 0.1 * slope, 0.99 * spread + 0.01 * slope**2
        move = (mean / (1 - 0.9**step)) / (np.sqrt(spread / (1 - 0.99**step)) + 1e-8)
        weights = weights - RATE * move
    return weights


def main() -> None:
    here = Path(__file__).parent
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=Path, default=here / "tables")
    parser.add_argument("--held", nargs="+", action="append", required=True, help="MODEL TABLE...")
    parser.add_argument("--questions", type=int, default=60, help="of each table")
    args = parser.parse_args()
    tables = {table.name: table for table in read_tables(args.tables)}
    cases = {}
    for model, *names in args.held:
        reader = loaded(Path(model))
        for name in names:
            cases[name] = asked(reader, tables[name], args.questions)
    left_out = []
    for name in cases:
        weights = fitted([case for other in cases if other != name for case in cases[other]])
        for rows, right in cases[name]:
            told = chances(rows, weights)[:-1]
            left_out.append((told.max(), right[told.argmax()]))
    for least in SHOWN:
        taken = [right for chance, right in left_out if chance >= least]
        print(
            f"from {least}: {len(taken) / len(left_out):.2f} of questions, {np.mean(taken):.2f} right"
        )
    everything = [case for name in cases for case in cases[name]]
    print("READ, SAID, OWN, NEAR, NONE:", fitted(everything).round(2).tolist())


if __name__ == "__main__":
    main()
