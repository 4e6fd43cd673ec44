"""What comes of handling the things of a story: read, opened, started, followed."""

from collections.abc import Iterator
from typing import Any

from freeform.forge.cast.things import Prop
from freeform.forge.clues.plot import DOOR, Plot
from freeform.forge.shapes.model import ShapeUse

_HANDLED = ("use", "open", "improvise")
"""What one does with a thing that is worth handling."""
_FREELY = ("use", "improvise")
"""Deeds that are told as they were said, whatever comes to light by them."""


def handling(plot: Plot, actions: set[str]) -> Iterator[dict[str, Any]]:
    """What can be done with the things of this evening: as its truth has it; else, with what the
    story turns on, one sees from so near what lies beside it."""
    for role, wanted in plot.shape.things.items():
        prop = plot.props.get(role)
        if prop is None:
            continue
        if role in plot.truth.uses:
            for number, use in enumerate(plot.truth.uses[role], 1):
                if not use.natures or prop.nature in use.natures:
                    yield from _used(plot, prop, use, number, actions)
        elif wanted.premise and prop.at != "nowhere":
            yield from _from_near(plot, prop, actions)


def opened(plot: Plot) -> dict[str, Any]:
    """The place that is kept shut is open."""
    return {
        "set": {
            "subject": plot.sites["deep"].id,
            "predicate": DOOR,
            "value": "open",
            "text": plot.grammar.tell("The way into {deep} is open."),
        }
    }


def _used(
    plot: Plot, prop: Prop, use: ShapeUse, number: int, actions: set[str]
) -> Iterator[dict[str, Any]]:
    tell = plot.grammar.tell
    effects: list[dict[str, Any]] = []
    if use.reveals:
        effects.append({"reveal": plot.fact_id(use.reveals)})
    if use.opens:
        effects.append(opened(plot))
    row: dict[str, Any] = {
        "target": prop.id,
        "words": [plot.grammar.phrase(words) for words in use.words],
        "minutes": 5,
        "once": bool(use.suggest),
        "outcomes": {"success": {"text": [tell(use.text)], "effects": effects}},
    }
    if use.needs:
        has = use.needs in plot.props
        need = {"has": plot.props[use.needs].id} if has else {"known": plot.fact_id(use.needs)}
        row |= {"when": [need], "blocked": tell(use.blocked)}
    suggest = {"suggest": tell(use.suggest)} if use.suggest else {}
    for action in use.actions:
        if action in actions:
            yield {"id": f"a_{prop.role}_{number}_{action}", "action": action, **row, **suggest}
            suggest = {}


def _from_near(plot: Plot, prop: Prop, actions: set[str]) -> Iterator[dict[str, Any]]:
    beside = [fact for fact in plot.truth.facts if fact.trace.at == prop.at]
    if not beside:
        return
    fact = next((fact for fact in beside if fact.about == prop.role), beside[0])
    names = prop.names()
    named = {"thing": names[prop.role], "thing.The": names[f"{prop.role}.The"]}
    grammar = plot.grammar.also({**named, "spot": plot.grammar.phrase(fact.trace.spot)})
    look = grammar.tell(fact.trace.look)
    for action in _HANDLED:
        if action in actions:
            free = action in _FREELY
            seen = f"{grammar.tell(plot.line('from_near' if free else 'handled'))} {look}"
            yield {
                "id": f"a_handle_{prop.role}_{action}",
                "action": action,
                "target": prop.id,
                "minutes": 5,
                "blocked": grammar.tell(plot.line("handled_again")),
                "when": [{"unknown": plot.fact_id(fact.id)}],
                **({"whatever": True} if free else {}),
                "outcomes": {
                    "success": {
                        "text": [seen],
                        "effects": [{"reveal": plot.fact_id(fact.id)}],
                    }
                },
            }
