"""Secrets as they can be seen: what a spot shows, when it is clear, and what lies with it."""

from typing import Any

from freeform.forge.clues.heroes import spot_words
from freeform.forge.clues.plot import Plot
from freeform.forge.shapes.model import ShapeFact


def traces_of(plot: Plot, fact: ShapeFact) -> list[dict[str, Any]]:
    """What one sees there: until one knows what comes before it, that it is not clear yet."""
    name = plot.grammar.phrase(fact.trace.spot)
    row = {"name": name, "aliases": [*spot_words(name), *fact.trace.aka]}
    seen = {**row, "text": _seen(plot, fact), "reveals": [plot.fact_id(fact.id)]}
    if fact.trace.gives:
        seen["finds"] = [plot.props[fact.trace.gives].id]
    before = plot.before(fact)
    if before is None:
        return [seen]
    lever = f"{plot.grammar.phrase(before.trace.spot)}, at {{{before.trace.at}}}"
    told = plot.grammar.also({"spot": name, "lever": plot.grammar.phrase(lever)})
    known = plot.fact_id(before.id)
    unclear = {**row, "text": told.tell(plot.line("not_yet")), "when": [{"unknown": known}]}
    return [{**seen, "when": [{"known": known}]}, unclear]


def _seen(plot: Plot, fact: ShapeFact) -> str:
    """What one sees, and what lies with it."""
    text = plot.grammar.tell(fact.trace.look)
    if not fact.trace.gives:
        return text
    token = plot.props[fact.trace.gives].names()[fact.trace.gives]
    return f"{text} {plot.grammar.also({'token_there': token}).tell(plot.line('lies_there'))}"


def discoverable(plot: Plot, fact: ShapeFact) -> dict[str, Any]:
    effects: list[dict[str, Any]] = [{"reveal": plot.fact_id(fact.id)}]
    here = plot.sites[fact.trace.at].id
    if fact.trace.gives:
        effects.append({"unhide": [here, plot.props[fact.trace.gives].id]})
    name = plot.grammar.phrase(fact.trace.spot)
    before = plot.before(fact)
    return {
        "id": f"d_{fact.id}",
        "at": here,
        "when": [{"known": plot.fact_id(before.id)}] if before else [],
        "trigger": f"look closely at {name}",
        "words": list(dict.fromkeys([*spot_words(name), *fact.trace.aka])),
        "content": [_seen(plot, fact)],
        "effects": effects,
    }
