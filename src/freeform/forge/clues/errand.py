"""What the premise has to be done in so many words: to bring a thing to a place. Whoever knows what
stands in the way of it, and does it, has come to an end of the evening."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from freeform.forge.cast.sites import Site
from freeform.forge.cast.things import Prop
from freeform.forge.clues.plot import NOTICE, OPEN, OUTCOME, Plot, settled

ERRAND = "errand"
_LAID_DOWN = ("drop", "give", "use", "hide", "improvise")
"""What one does with a thing that one has brought where it belongs."""
_TOWARDS = re.compile(r"\b(?:to|into|in|onto|on|at|inside) (?:the |your |my )?([\w' -]+)$")


@dataclass(frozen=True)
class BroughtThing:
    """What goes where."""

    prop: Prop
    site: Site


def errand_of(plot: Plot) -> BroughtThing | None:
    """The aim, where it names something one can carry and a place one can go to."""
    aim = plot.premise.clauses.aim.lower()
    towards = _TOWARDS.search(aim)
    if not towards:
        return None
    before = aim[: towards.start()]
    things = [p for p in plot.props.values() if p.portable and _last(p.name) in before.split()]
    places = [s for s in plot.sites.values() if _last(s.name) in towards[1].split()]
    things = [thing for thing in things if thing.at != "nowhere"]
    found = [(thing, place) for thing in things for place in places if _is_apart(thing, place)]
    return BroughtThing(*found[0]) if found else None


def _is_apart(thing: Prop, place: Site) -> bool:
    """Whether there is a way to go: one neither begins there nor finds it there."""
    return place.role not in ("hub", thing.at)


def _last(name: str) -> str:
    return name.lower().split()[-1]


def errand_deeds(plot: Plot, actions: set[str]) -> Iterator[dict[str, Any]]:
    """The thing laid down where it belongs, under each action that may mean it."""
    errand = errand_of(plot)
    if errand is None:
        return
    done = settled(plot, ERRAND)
    seen = [*done, {"clock": {"id": NOTICE, "delta": 1}}]
    aim = plot.premise.clauses.aim
    both = f"{_last(errand.prop.name)} {_last(errand.site.name)}"
    suggest = {"suggest": f"{aim[:1].upper()}{aim[1:]}"}
    for action in (action for action in _LAID_DOWN if action in actions):
        yield {
            "id": f"a_{ERRAND}_{action}",
            "action": action,
            "target": errand.prop.id,
            "words": [aim, both],
            "at": errand.site.id,
            "when": [
                {"fact": [plot.story_id, OUTCOME, OPEN]},
                {"known": plot.fact_id(plot.core.id)},
                {"has": errand.prop.id},
            ],
            "blocked": _told(plot, errand, "errand_hindered"),
            "once": True,
            "minutes": 10,
            "stat": "nerve",
            "tier": 1,
            "outcomes": {
                "success": {"text": [_told(plot, errand, "errand_done")], "effects": done},
                "mixed": {"text": [_told(plot, errand, "errand_seen")], "effects": seen},
                "failure": {"text": [_told(plot, errand, "errand_stopped")]},
            },
            **suggest,
        }
        suggest = {}


def errand_ending(plot: Plot) -> Iterator[dict[str, Any]]:
    """What comes after it."""
    errand = errand_of(plot)
    if errand:
        text = f"{_told(plot, errand, 'errand_end')}\n\n{plot.common('found_out')}"
        when = [{"fact": [plot.story_id, OUTCOME, ERRAND]}]
        yield {"id": ERRAND, "title": "What You Came For", "when": when, "text": text}


def _told(plot: Plot, errand: BroughtThing, line: str) -> str:
    """A line about the thing and the place."""
    thing, site = errand.prop.names(), errand.site.names()
    named = {
        "thing": thing[errand.prop.role],
        "thing.The": thing[f"{errand.prop.role}.The"],
        "there": site[errand.site.role],
        "there.at": site[f"{errand.site.role}.in"],
    }
    return plot.grammar.also(named).tell(plot.line(line))
