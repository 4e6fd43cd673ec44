"""The offline narrator: events in order, told in the scenario's words, as a few short
paragraphs."""

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from freeform.core.chance import Chance
from freeform.engine.passes import NarratorInput
from freeform.engine.world.model import NarratorOutput, ValidatorOutput
from freeform.engine.world.state import PLAYER
from freeform.language.meaning.outcome import OutcomeEar
from freeform.language.sentences import sentences
from freeform.offline.narrator import (
    afar,
    fights,
    people,
    places,
    pressure,
    rulings,
    table,
    together,
)
from freeform.offline.narrator.draft import Draft, ProsePiece
from freeform.offline.narrator.lines import clean, finished, key
from freeform.offline.rulings.bold import bold_kinds
from freeform.offline.suggestions import suggest

Tell = Callable[[Draft, dict[str, Any]], None]
EVENTS: dict[str, Tell] = {
    tell.__name__: tell
    for tell in (
        places.moved, places.looked, places.searched, places.discovered, places.item_gained, places.item_lost,
        places.item_used, places.no_effect, places.hinted, places.approached, places.passed, places.further_on, places.kept_for_later, places.way_shut,
        places.checked, pressure.gestured, pressure.planned, places.fact_learned, places.waited, places.time_passed, places.recalled,
        places.world_grew,
        people.greeted, people.told, people.withheld, people.no_answer, people.spoke,
        people.bond_shown, people.bargain, people.faced, people.bond, people.said,
        people.npc_arrived, afar.called, afar.no_reply, afar.picked_up, afar.put_off,
        people.npc_left, people.meanwhile, people.escalated, people.shown, people.wounded,
        pressure.outcome, pressure.clock_advanced, pressure.clock_triggered, pressure.cost_paid,
        pressure.consequence, pressure.streak_broke, pressure.tension_move, pressure.threat_pending,
        pressure.threat_due, pressure.threat_averted, pressure.thread_changed, pressure.situation_began, pressure.situation_ended,
        pressure.interrupted, pressure.ending, pressure.epilogue, *rulings.TOLD,
        table.answered, table.table_talk, together.takes_part,
        *fights.TOLD,
    )
}  # fmt: skip
DEEDS = frozenset(
    "moved looked searched discovered outcome greeted told withheld no_answer spoke said called shown item_gained item_lost"
    " item_used no_effect hinted approached checked gestured planned waited recalled interrupted"
    " answered table_talk ruled".split()
) | frozenset(
    "struck cast power_struck rested no_rest pushed resisted gave_up lacked unknown_power last_roll"
    " dead_still let_go not_let_go bought_off not_bought nothing_to_pay not_cowed".split()
)
"""Events that come of something the player's character did."""
HELPLESS = frozenset("last_roll dead_still time_lost".split())
"""Events of one who lies there: what was wished does not matter then."""
MOST_PARAGRAPHS = 4
ATMOSPHERE, IDLE = 0.25, 0.2
"""How often a quiet turn gets a line of the place, or of someone who is there."""


def respond(
    input: NarratorInput, chance: Chance, reader: OutcomeEar | None = None
) -> NarratorOutput:
    """The offline answer to `engine/narrator`. It invents nothing, so it establishes nothing. Lines
    and veils are the engine's to hold (`engine/rules/safety.py`), whoever narrates. `reader` finds
    the verbs of the player's words."""
    telling = Draft(input, chance, reader)
    if input.clarification_question:
        return NarratorOutput(final_text=finished(clean(input.clarification_question)))
    helpless = any(event.type in HELPLESS for event in input.engine_events)
    nothing_tried = not helpless and not any(event.type in DEEDS for event in input.engine_events)
    if together.parts(telling):
        together.opening(telling)
        nothing_tried, helpless = False, True  # what was refused is told with whose part it is
    if nothing_tried:
        _say_blocked(
            telling
        )  # what was wished comes first; what the world does meanwhile comes after
    for event in input.engine_events:
        if event.type in pressure.SOURCES:
            telling.quieted.discard(rulings.RULED)
        tell = EVENTS.get(event.type)
        if tell and event.details.get("far"):
            afar.told_from_afar(telling, tell, event.details)
        elif tell:
            tell(telling, event.details)
        else:
            telling.add(telling.text_of(event.details), breaks=True)
        telling.last = event.type if event.type != "cost_paid" else telling.last
    if not nothing_tried and not helpless:
        _say_blocked(telling)
    if not telling.pieces:
        telling.line("nothing")
    _go_on(telling)
    _colour(telling)
    text = "\n\n".join(_paragraphs(telling.pieces, MOST_PARAGRAPHS + together.parts(telling)))
    return NarratorOutput(
        final_text=text, next_prompt=_prompt(telling), suggested_actions=_suggestions(input, chance)
    )


def _say_blocked(t: Draft) -> None:
    """Why something could not be done: the reason every time, and nothing that fits anything."""
    said: set[str] = set()
    for blocked in t.input.blocked_actions:
        reason = finished(clean(blocked.reason))
        if not reason or any(known in key(reason) for known in said):
            continue
        said.add(key(reason))
        if t.told(reason, within=3):
            t.line("blocked_again", breaks=len(said) == 1, reason=reason)
        else:
            t.add(reason, breaks=len(said) == 1)


def _go_on(t: Draft) -> None:
    """What was done to the place goes on, and is told of until it is over."""
    kinds = {str(kind["condition"]): kind for kind in bold_kinds().values() if "condition" in kind}
    begun = {e.details.get("condition") for e in t.input.engine_events if e.type == "became"}
    gone = any(event.type == "moved" for event in t.input.engine_events)
    here = t.input.context_packet.scene.get("conditions") or []
    lasting = [kinds[one] for one in here if one in kinds and one not in begun]
    lines = [line for kind in lasting for line in kind.get("goes_on", ()) if "{" not in line]
    fresh = [line for line in lines if t.memory.age(line) is None]
    if fresh and not gone and t.mood != "end":
        t.add(fresh[0], breaks=True)


def _colour(t: Draft) -> None:
    """Now and then a quiet turn gets a line of the place, or of someone in it."""
    packet = t.input.context_packet
    if t.mood in ("danger", "end") or len(t.pieces) > 4 or table.is_all(t.input.engine_events):
        return
    authored, books = (
        _texts(packet.scene.get("atmosphere")),
        _short(packet.lore_context.get("atmosphere")),
    )
    fresh = [line for line in (*authored, *books) if t.memory.age(line) is None]
    entered = any(e.type == "moved" and e.details.get("first") for e in t.input.engine_events)
    if fresh and entered and not authored:
        # Where the scenario gives a place no mood of its own, the first sight of it has that of the
        # books.
        t.add(t.chance.at("atmosphere", "books").choose(fresh), breaks=True)
        return
    if fresh and t.chance.at("atmosphere").fraction() < ATMOSPHERE:
        t.add(t.chance.at("atmosphere", "line").choose(fresh), breaks=True)
        return
    idle = packet.scene.get("idle") or {}
    named = {str(row.get("id")): str(row.get("name", "")) for row in packet.entities}
    quiet = [
        (id, line)
        for id, said in sorted(idle.items())
        if id != PLAYER and named.get(id) != t.speaker
        for line in ([said] if isinstance(said, str) else said)
        if t.memory.age(str(line)) is None
    ]
    if quiet and t.chance.at("idle").fraction() < IDLE:
        t.add(str(t.chance.at("idle", "line").choose(quiet)[1]), breaks=True)


def _texts(value: Any) -> list[str]:
    """Lines as they were written for this: each is said whole."""
    return [value] if isinstance(value, str) else [str(text) for text in value or []]


def _short(value: Any) -> list[str]:
    """Lines of at most two sentences; a sourcebook's paragraph becomes several."""
    return [pair for text in _texts(value) for pair in _pairs(text)]


@lru_cache(maxsize=512)
def _pairs(text: str) -> tuple[str, ...]:
    """Its sentences two by two. A place has the same ones every turn."""
    parts = sentences(text)
    return tuple(" ".join(parts[at : at + 2]) for at in range(0, len(parts), 2))


def _paragraphs(pieces: list[ProsePiece], most: int) -> list[str]:
    """The pieces as at most so many paragraphs: the two shortest neighbours are joined until it
    fits."""
    paragraphs: list[str] = []
    for piece in pieces:
        if paragraphs and not piece.breaks:
            paragraphs[-1] += " " + piece.text
        else:
            paragraphs.append(piece.text)
    while len(paragraphs) > most:
        at = min(
            range(len(paragraphs) - 1), key=lambda n: len(paragraphs[n]) + len(paragraphs[n + 1])
        )
        paragraphs[at : at + 2] = [paragraphs[at] + " " + paragraphs[at + 1]]
    return paragraphs


def _prompt(t: Draft) -> str:
    """One short question to end on."""
    happened = {event.type for event in t.input.engine_events}
    if t.mood in ("end", "danger"):
        return t.lines.say(f"next_prompt_{t.mood}")
    if t.input.blocked_actions and not happened - {"cost_paid", "time_passed"}:
        return t.lines.say("next_prompt_blocked")
    if t.speaker:
        return t.lines.say("next_prompt_person", name=t.called(t.speaker))
    return t.lines.say("next_prompt_place" if t.mood == "place" else "next_prompt")


def _suggestions(input: NarratorInput, chance: Chance) -> list[str]:
    """What to do next, as things stand now: the planner spoke before the dice fell."""
    return suggest(
        input.context_packet,
        ValidatorOutput(),
        input.player_input,
        chance.at("next"),
        input.openings,
    )
