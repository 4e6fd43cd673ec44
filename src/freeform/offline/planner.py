"""The offline planner: what the beat is about, which authored move is due, and what the player
might do next."""

from typing import Any

from freeform.core.chance import Chance
from freeform.core.text import plain_form, shorten
from freeform.engine.passes import PlannerInput
from freeform.engine.world.model import ContextPacket, PlannerOutput
from freeform.offline.suggestions import at_a_glance

QUIET = 3
"""Turns without pressure after which a move is due."""
_RISKY = frozenset({
    "persuade", "deceive", "threaten", "steal", "unlock", "break", "hack", "hide", "attack", "flee", "brave",
    "improvise",
})  # fmt: skip


def respond(input: PlannerInput, chance: Chance) -> PlannerOutput:
    """The offline answer to `engine/planner`."""
    move = choose_move(input, chance.at("move"))
    return PlannerOutput(
        beats=beats(input),
        tension_move=str(move.get("id", "")),
        tension_move_type=str(move.get("type", "")),
        # Before the dice have fallen; the narrator has the last word.
        next_suggestions=at_a_glance(
            input.context_packet, input.validator_output, input.player_input
        ),
    )


def choose_move(input: PlannerInput, chance: Chance) -> dict[str, Any]:
    """One of the authored moves, if its moment can come: after a quiet stretch, or behind a
    risk."""
    wished = " ".join(input.direction.get("whispers", ())).split()
    for move in input.moves:
        if move["id"] in wished:
            return move
    allowed = input.validator_output.allowed_actions
    risky = any(a.action in _RISKY or a.costs.heat > 0 or a.costs.harm > 0 for a in allowed)
    pressed = any(nearly_full(clock) for clock in input.context_packet.clocks)
    due = input.quiet_turns >= QUIET or (pressed and input.quiet_turns >= QUIET - 1)
    if not input.moves or not (risky or due):
        return {}
    weighed = [(_urgency(move) + 1.5 * chance.fraction(), n) for n, move in enumerate(input.moves)]
    return input.moves[max(weighed)[1]]


def _urgency(move: dict[str, Any]) -> float:
    urgency = move.get("urgency", 1)
    return float(urgency) if isinstance(urgency, (int, float)) else 1.0


def nearly_full(clock: dict[str, Any]) -> bool:
    """Whether a clock is at three quarters or more and not yet full."""
    value, most = int(clock.get("value") or 0), int(clock.get("max") or 0)
    return most > 0 and 0.75 <= value / most < 1


def beats(input: PlannerInput) -> list[str]:
    """One to three notes: what the player reached for, then what presses most."""
    packet = input.context_packet
    notes = [_reached_for(input)]
    full = max(
        (c for c in packet.clocks if nearly_full(c)),
        key=lambda c: int(c["value"]) / int(c["max"]),
        default=None,
    )
    if full:
        notes.append(f"Let {full.get('name', full.get('id'))} be felt: it is close to breaking.")
    elif threat := next(iter(packet.pending_threats), None):
        notes.append(
            f"Keep in mind: {shorten(str(threat.get('text') or threat.get('id') or ''), 120)}"
        )
    notes.append(_wanted(packet) or _open_question(packet, input.player_input))
    return [note for note in notes if note][:3]


def _reached_for(input: PlannerInput) -> str:
    allowed = input.validator_output.allowed_actions
    if not allowed:
        blocked = input.validator_output.blocked_actions
        return (
            f"Answer why it cannot be: {shorten(blocked[0].reason, 120)}"
            if blocked
            else "Give the player something to hold on to."
        )
    names = {str(row.get("id")): str(row.get("name", "")) for row in input.context_packet.entities}
    first = allowed[0]
    target = names.get(first.target_id, "") or first.details.split(";")[0]
    return (
        f"The player reaches for this: {first.action}{' ' + shorten(target, 60) if target else ''}."
    )


def _wanted(packet: ContextPacket) -> str:
    """Someone present wants something."""
    names = {str(row.get("id")): str(row.get("name", "")) for row in packet.entities}
    for id in packet.present_entities:
        agenda = packet.npc_agendas.get(id)
        text = agenda.get("agenda", "") if isinstance(agenda, dict) else agenda
        if text:
            return f"{names.get(id, id)} wants: {shorten(str(text), 120)}"
    return ""


def _open_question(packet: ContextPacket, player_input: str) -> str:
    """The open thread the player came nearest to, else the first."""
    said = plain_form(player_input)
    open_threads = [thread for thread in packet.threads if thread.get("status") == "active"]
    if not open_threads:
        return ""
    near = [
        t
        for t in open_threads
        if any(w in said for w in plain_form(str(t.get("title", ""))).split() if len(w) > 3)
    ]
    return f"Keep the question open: {(near or open_threads)[0].get('title', '')}"
