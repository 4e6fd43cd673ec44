"""What can be done: the story ended, the far place opened, a hand lent to people."""

import re
from collections.abc import Iterator
from typing import Any

from freeform.forge.cast.sites import door_to_deep
from freeform.forge.clues.errand import errand_deeds, errand_ending
from freeform.forge.clues.plot import (
    CHOICE,
    DOOR,
    HARM,
    MAIN,
    NOTICE,
    OPEN,
    OUTCOME,
    TIME,
    Plot,
    settled,
)
from freeform.forge.clues.strokes import strokes, tracks
from freeform.forge.clues.uses import handling, opened
from freeform.forge.shapes.model import ShapeDeed

LAST = 8
PACE = {3: 2, 7: 4, 11: 6, 40: LAST}
"""Where the clock stands at the least after so many turns: an idle table sees the story come. The
last is late enough for whoever goes everywhere and asks everyone: the shortest way that `scenario
check` finds through some of the stories takes 33 turns."""
_STEPS = {"2": "2", "4": "4", "5": "6", "6": "8"}
"""Where the four steps of a shape's clock stand on a clock of eight."""
_FORCE = (
    ("open", "force"),
    ("unlock", "finesse"),
    ("break", "force"),
    ("improvise", "nerve"),
)


def affordances(plot: Plot, actions: set[str]) -> list[dict[str, Any]]:
    """Every deed, under each action a player may mean that the system knows."""
    found = [*errand_deeds(plot, actions), *_final(plot, actions)]
    found += [*strokes(plot, actions), *_forcing(plot, actions), *_helping(plot)]
    return [*found, *handling(plot, actions)]


def _final(plot: Plot, actions: set[str]) -> Iterator[dict[str, Any]]:
    for deed in plot.deeds:
        shared = _final_deed(plot, deed)
        known = [action for action in deed.actions if action in actions]
        for number, action in enumerate(known):
            row = {"id": f"a_{deed.id}_{action}", "action": action, **shared}
            yield row if number == 0 else {k: v for k, v in row.items() if k != "suggest"}


def _final_deed(plot: Plot, deed: ShapeDeed) -> dict[str, Any]:
    ids = {fact.id for fact in plot.truth.facts}
    suggest = plot.grammar.tell(deed.suggest)
    # Somebody to talk to is no target here: else every word to them would be this deed.
    person = plot.figures.get(deed.target)
    here = [{"present": person.id}] if person else []
    needs: list[dict[str, Any]] = []
    needs += [{"known": plot.fact_id(need)} for need in deed.needs if need in ids]
    if person and deed.trust:
        trusted = {"trust": {"who": person.id, "at_least": deed.trust}}
        needs = [{"any": [trusted, *([{"all": needs}] if needs else [])]}]
    row: dict[str, Any] = {
        "words": list(
            dict.fromkeys([*_as_offered(suggest, person.short if person else ""), *deed.words])
        ),
        "when": [{"fact": [plot.story_id, OUTCOME, OPEN]}, *here, *needs],
        "blocked": plot.grammar.tell(deed.blocked),
        "once": True,
        "minutes": 10,
        "suggest": suggest,
        "outcomes": _outcomes(plot, deed),
    }
    if deed.target and not person:
        row["target"] = plot.id_of(deed.target)
    if deed.at:
        row["at"] = plot.sites[deed.at].id
    if deed.failure:
        row["stat"], row["tier"] = deed.stat or "charm", 1
    return row


def _as_offered(suggest: str, name: str) -> list[str]:
    """The offer itself means the deed, and so does its first half, and what is said to someone."""
    plain = suggest.lower()
    said = plain.partition(name.lower())[2].strip(" ,") if name else ""
    parts = (plain, plain.split(",")[0], said, said.removeprefix("to "))
    return [words for words in parts if words]


def _outcomes(plot: Plot, deed: ShapeDeed) -> dict[str, Any]:
    done = settled(plot, deed.ending)
    outcomes: dict[str, Any] = {
        "success": {"text": [plot.grammar.tell(deed.success)], "effects": done}
    }
    if deed.mixed:
        price: list[dict[str, Any]] = [*done, {"clock": {"id": NOTICE, "delta": 1}}]
        outcomes["mixed"] = {"text": [plot.grammar.tell(deed.mixed)], "effects": price}
    if deed.failure:
        outcomes["failure"] = {"text": [plot.grammar.tell(deed.failure)]}
    return outcomes


def _forcing(plot: Plot, actions: set[str]) -> Iterator[dict[str, Any]]:
    tell = plot.common
    deep, before = plot.sites["deep"], plot.sites[door_to_deep(plot.sites)]
    way = opened(plot)
    outcomes = {
        "success": {
            "text": [tell("forced")],
            "effects": [way, {"go": deep.id}],
        },
        "mixed": {
            "text": [tell("forced_loudly")],
            "effects": [way, {"go": deep.id}, {"clock": {"id": NOTICE, "delta": 1}}],
        },
        "failure": {
            "text": [tell("not_forced")],
            "effects": [{"clock": {"id": TIME, "delta": 1}}],
        },
    }
    name = deep.name.lower().removeprefix("the ")
    words = [
        f"force {name}",
        f"get into {name}",
        f"open {name}",
        f"way into {name}",
        "force the way",
        "lift and lean",
    ]
    for action, stat in _FORCE:
        if action not in actions:
            continue
        yield {
            "id": f"a_force_{action}",
            "action": action,
            "target": deep.id,
            "words": words,
            "at": before.id,
            "when": [{"not_fact": [deep.id, DOOR, "open"]}],
            "blocked": plot.grammar.tell("The way into {deep} is open already."),
            "stat": stat,
            "tier": 1,
            "outcomes": outcomes,
        }


def _helping(plot: Plot) -> Iterator[dict[str, Any]]:
    for figure in plot.figures.values():
        if figure.absent:
            continue
        names = figure.names()
        words = {"n": figure.short, **{k: names[f"{figure.role}.{k}"] for k in ("he", "He", "his")}}
        yield {
            "id": f"a_help_{figure.role}",
            "action": "improvise",
            "target": figure.id,
            "words": [
                f"help {figure.short.lower()}",
                "lend a hand",
                "offer to help",
                f"help {figure.name.lower()}",
            ],
            "once": True,
            "minutes": 20,
            "outcomes": {
                "success": {
                    "text": [plot.grammar.also(words).tell(plot.line("lend"))],
                    "effects": [{"trust": {"who": figure.id, "delta": 1}}],
                }
            },
        }


def clocks(plot: Plot) -> list[dict[str, Any]]:
    """What runs out, who has noticed, and how hurt the hero is."""
    tell = plot.common
    steps = {
        _STEPS[value]: {"text": plot.grammar.tell(text), "effects": _arrival(plot, value)}
        for value, text in plot.shape.clock.steps.items()
    }
    return [
        *tracks(plot),
        {
            "id": TIME,
            "name": plot.grammar.tell(plot.shape.clock.name),
            "max": LAST,
            "triggers": steps,
            "tags": ["time"],
        },
        {
            "id": NOTICE,
            "name": "Notice",
            "max": 5,
            "tags": ["heat"],
            "triggers": {
                "2": {"text": tell("noticed")},
                "4": {"text": tell("talked_about")},
            },
        },
        {
            "id": HARM,
            "name": "How hurt you are",
            "max": 4,
            "tags": ["health"],
            "triggers": {
                "2": {"text": tell("hurt")},
                "3": {"text": tell("badly_hurt")},
            },
        },
    ]


def _arrival(plot: Plot, step: str) -> list[dict[str, Any]]:
    """Whoever comes to the player at that step of the clock."""
    figure = plot.figures.get(plot.shape.clock.brings.get(step, ""))
    return [{"bring": figure.id}] if figure and not figure.absent else []


def moves(plot: Plot) -> list[dict[str, Any]]:
    """What happens when nothing does."""
    tell = plot.common
    found = [_move(plot, f"m_{at}", text) for at, text in enumerate(plot.moves, 1)]
    known = plot.fact_id(plot.core.id)
    found.append(
        {
            "id": "m_enough",
            "type": "offer_a_choice",
            "when": [{"known": known}, {"fact": [plot.story_id, OUTCOME, OPEN]}],
            "text": [tell("enough")],
            "effects": [{"thread": [MAIN, "resolved"]}, {"thread": [CHOICE, "active"]}],
            "urgency": 4,
        }
    )
    found.append(
        {
            "id": "m_later",
            "type": "advance_time",
            "when": [{"clock": {"id": TIME, "at_most": 6}}, {"turn_at_least": 6}],
            "text": [tell("later_a"), tell("later_b"), tell("later_c")],
            "effects": [{"clock": {"id": TIME, "delta": 1}}],
            "once": False,
            "urgency": 1,
        }
    )
    return found


def _move(plot: Plot, id: str, text: str) -> dict[str, Any]:
    """Whoever it tells of must be here; a `~` before it says that they are only talked about."""
    named = [] if text.startswith("~") else re.findall(r"\{([a-z]+)[.}]", text)
    roles = [role for role in dict.fromkeys(named) if role in plot.figures]
    here = [plot.figures[role] for role in roles if not plot.figures[role].absent]
    return {
        "id": id,
        "type": "show_the_danger",
        "when": [{"present": figure.id} for figure in here],
        "text": [plot.grammar.tell(text.removeprefix("~"))],
        "urgency": 2,
    }


def endings(plot: Plot) -> list[dict[str, Any]]:
    """Every way the evening can come to rest; the last is for a hero who can do no more, which a
    light story has none of: failing there makes talk, and no wounds."""
    found = []
    found_out = {deed.ending for deed in plot.deeds if deed.needs}
    for id, ending in plot.endings.items():
        when: list[dict[str, Any]] = [{"fact": [plot.story_id, OUTCOME, id]}]
        if id == "late":
            when = [
                {"clock": {"id": TIME, "at_least": LAST}},
                {"fact": [plot.story_id, OUTCOME, OPEN]},
            ]
        told = plot.common("found_out" if id in found_out else "found_too_late")
        text = f"{plot.grammar.tell(ending.text)}\n\n{told}"
        found.append({"id": id, "title": ending.title, "when": when, "text": text})
    found += errand_ending(plot)
    if plot.genre.light:
        return found
    found.append(
        {
            "id": "fallen",
            "title": "Told Afterwards",
            "when": [{"clock": {"id": HARM, "at_least": 4}}],
            "text": f"{plot.common('fallen')}\n\n{plot.common('found_too_late')}",
        }
    )
    return found
