"""Whether a forged story is about what its premise names: where its people, things and first place sit in it.

    python benchmarks/forge_seats.py [--premises benchmarks/forge_strangers.jsonl]

Somebody is told of where the shape's question, stakes or the opening that was chosen have their role; a thing is in the story where it is one of
the shape's own; the first place counts where the evening begins or one way from there. Nothing is played; one seed.
"""

import argparse
import json
import re
from collections import Counter
from pathlib import Path

from freeform.forge.cast.sites import ways
from freeform.forge.clues.plot import Plot
from freeform.forge.forge import plot_of
from freeform.forge.model import ForgeMaterial, ForgeWish
from freeform.wiring.ear import premise_ear

PREMISES = Path(__file__).parent / "forge_strangers.jsonl"


def is_told(role: str, *texts: str) -> bool:
    """Whether one of the texts has a role."""
    return bool(role) and any(re.search(rf"\{{{role}[.}}]", text) for text in texts)


def count_people(plot: Plot, found: Counter[str]) -> None:
    for noun in plot.premise.of("person"):
        source = f"premise: {noun.text}"
        role = next((role for role, figure in plot.figures.items() if figure.source == source), "")
        found["people"] += 1
        found["asked after"] += is_told(role, plot.shape.question)
        shape = plot.shape
        found["told of"] += is_told(role, shape.question, shape.stakes, *plot.begins.text)


def count_things(plot: Plot, found: Counter[str]) -> None:
    own = {plot.props[role].source for role in plot.shape.things if role in plot.props}
    for noun in plot.premise.of("thing"):
        found["things"] += 1
        found["things in the story"] += f"premise: {noun.text}" in own
    prize = plot.props.get("prize")
    found["stories about a thing of our own"] += prize is not None and "shape" in prize.source


def count_place(plot: Plot, found: Counter[str]) -> None:
    for noun in plot.premise.of("place"):
        source = f"premise: {noun.text}"
        sites = [site for site in plot.sites.values() if site.source.split(";")[0] == source]
        if sites:
            near = ("hub", *ways(plot.sites)["hub"])
            found["first places"] += 1
            found["it begins there"] += sites[0].role == "hub"
            found["or one way from there"] += sites[0].role in near
            return


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--premises", type=Path, default=PREMISES)
    args = parser.parse_args()
    ear, found = premise_ear(), Counter[str]()
    for line in args.premises.read_text(encoding="utf-8").splitlines():
        wish = ForgeWish(premise=json.loads(line)["premise"], seed=1)
        plot = plot_of(wish, ForgeMaterial(), ear)
        count_people(plot, found)
        count_things(plot, found)
        count_place(plot, found)
        found[f"shape {plot.shape.id}"] += 1
    print(json.dumps(found, indent=1))


if __name__ == "__main__":
    main()
