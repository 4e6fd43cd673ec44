"""What is done over and over until it is decided, and what is said from the heart."""

from collections.abc import Iterator
from typing import Any

from freeform.engine.rules.effects import DEEDS_TELL
from freeform.forge.clues.plot import OPEN, OUTCOME, Plot, settled
from freeform.forge.shapes.model import ShapeStroke

_WELL, _HALF = 2, 1
"""How far a track moves by a stroke that comes off, and by one that does in part."""


def strokes(plot: Plot, actions: set[str]) -> Iterator[dict[str, Any]]:
    """Every stroke, under each action it may be meant by that the system knows."""
    for stroke in plot.shape.strokes:
        if stroke.truth not in ("", plot.truth.id):
            continue
        shared = _stroke(plot, stroke)
        suggest = {"suggest": plot.grammar.tell(stroke.suggest)} if stroke.suggest else {}
        for action, stat in stroke.actions.items():
            if action in actions:
                row = {"id": f"a_{stroke.id}_{action}", "action": action, **shared, **suggest}
                yield row | ({"stat": stat, "tier": -1} if stat else {})
                suggest = {}


def tracks(plot: Plot) -> list[dict[str, Any]]:
    """The clocks that strokes move; a full one decides the evening."""
    found = []
    for id, track in plot.shape.tracks.items():
        steps: dict[str, Any] = {
            value: {"text": plot.grammar.tell(text)} for value, text in track.steps.items()
        }
        steps[str(track.max)] = {
            **steps.get(str(track.max), {}),
            "effects": settled(plot, track.ending),
        }
        name = plot.grammar.tell(track.name)
        row = {"id": id, "name": name, "max": track.max, "triggers": steps}
        found.append({**row, "tags": [DEEDS_TELL]})
    return found


def _stroke(plot: Plot, stroke: ShapeStroke) -> dict[str, Any]:
    tell = plot.grammar.each
    near = [{"present": plot.figures[stroke.near].id}] if stroke.near else []
    well, half = _moved(stroke.gains, _WELL), _moved(stroke.gains, _HALF)
    warmth = [{"trust": {"who": plot.figures[stroke.warms].id}}] if stroke.warms else []
    learnt = [{"reveal": plot.fact_id(stroke.reveals)}] if stroke.reveals else []
    outcomes = {"success": {"text": tell(stroke.success), "effects": [*well, *warmth, *learnt]}}
    if stroke.mixed:
        outcomes["mixed"] = {"text": tell(stroke.mixed), "effects": half}
    if stroke.failure:
        worse = _moved(stroke.loses, _HALF)
        outcomes["failure"] = {"text": tell(stroke.failure), "effects": worse}
    row: dict[str, Any] = {
        "when": [{"fact": [plot.story_id, OUTCOME, OPEN]}, *near],
        "minutes": 2,
        "outcomes": outcomes,
    }
    if stroke.words:
        row |= {"words": tell(stroke.words), "once": stroke.once}
        row |= {"blocked": plot.grammar.tell(stroke.blocked)} if stroke.blocked else {}
    else:
        row["whatever"] = True
    return row


def _moved(track: str, by: int) -> list[dict[str, Any]]:
    return [{"clock": {"id": track, "delta": by}}] if track else []
