"""A party seen from outside: figures over rounds, lanes for a screen, two runs side by side, tidy
rows for a notebook."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from freeform.players.model import Party, RoundRecord


def figures(party: Party, rounds: Sequence[RoundRecord]) -> dict[str, Any]:
    """What `party stats` prints."""
    checks = [v for record in rounds for v in record.validation.values() if v.attempts]
    states = Counter(record.consensus.state.value for record in rounds)
    rulings = [r for record in rounds for r in record.rulings.values()]
    agents = {}
    for seat in party.seats:
        said = [row for record in rounds for row in record.ooc if row["agent"] == seat.agent]
        stances = Counter(
            p.stance.value
            for record in rounds
            for p in record.consensus.positions
            if p.agent_id == seat.agent
        )
        proposed = sum(record.consensus.proposal.by == seat.agent for record in rounds)
        mine = [record.rulings[seat.agent] for record in rounds if seat.agent in record.rulings]
        agents[seat.agent] = {
            "character": seat.character.name,
            "messages": len(said),
            "words": sum(len(row["content"].split()) for row in said),
            "carried": proposed,
            "stances": dict(sorted(stances.items())),
            "turns": len(mine),
            "good": sum(r.outcome == "good" for r in mine),
            "bad": sum(r.outcome == "bad" for r in mine),
            "memories_told": sum(bool(row["memory"]) for row in said),
        }
    return {
        "party": party.id,
        "scenario": party.scenario,
        "seed": party.seed,
        "strength": party.strength,
        "session": party.session,
        "rounds": len(rounds),
        "turns": len(rulings),
        "places": list(dict.fromkeys(record.place for record in rounds)),
        "facts_stored": sum(record.stored.get("facts", 0) for record in rounds),
        "consensus": dict(sorted(states.items())),
        "talk_rounds": round(sum(r.consensus.rounds for r in rounds) / len(rounds), 3)
        if rounds
        else 0.0,
        "overreach": {
            "checked": len(checks),
            "refused_once": sum(v.attempts > 1 for v in checks),
            "warned": sum(v.warning for v in checks),
        },
        "blocked": sum(bool(r.blocked) for r in rulings),
        "degraded": sum(len(record.notes) for record in rounds),
        "agents": agents,
    }


def lanes(party: Party, record: RoundRecord) -> list[dict[str, Any]]:
    """A round as rows of a screen, in order: lane (agent), channel, phase, who, text, and what it
    led to."""
    rows: list[dict[str, Any]] = []

    def add(lane: str, channel: str, phase: str, who: str, text: str, **more: Any) -> None:
        rows.append(
            {
                "step": len(rows),
                "lane": lane,
                "channel": channel,
                "phase": phase,
                "who": who,
                "text": text,
                **more,
            }
        )

    add("dm", "in_character", "dm_narration", "dm", record.scene)
    for said in record.ooc:
        add(said["agent"], "out_of_character", "ooc_discussion", said["agent"], said["content"],
            talk_round=said["round"], proposes=said["proposes"], memory=said["memory"])  # fmt: skip
    for agent, directive in record.directives.items():
        add(
            agent,
            "player_to_character",
            "directives",
            agent,
            directive,
            to=party.seat(agent).character.id,
        )
    for agent in record.order:
        seat, action, check = party.seat(agent), record.actions[agent], record.validation.get(agent)
        add(agent, "in_character", "character_action", seat.character.id, action.said(seat.character.name),
            validation=check.model_dump(mode="json") if check else None)  # fmt: skip
        if ruling := record.rulings.get(agent):
            add("dm", "in_character", "dm_adjudication", "dm", ruling.text, of=agent, rolls=ruling.rolls,
                outcome=ruling.outcome, blocked=ruling.blocked, turn_no=ruling.turn_no)  # fmt: skip
        if words := record.reactions.get(agent):
            add(agent, "in_character", "character_reaction", seat.character.id, words)
    return rows


def compare(left: Sequence[RoundRecord], right: Sequence[RoundRecord]) -> dict[str, Any]:
    """Two runs side by side: round by round, what is the same, and where they part."""
    rows = []
    for a, b in zip(left, right, strict=False):
        same = a == b
        rows.append({
            "round": a.round, "same": same, "place": [a.place, b.place],
            "consensus": [a.consensus.state.value, b.consensus.state.value],
            "decision": [a.consensus.proposal.option, b.consensus.proposal.option],
            "actions": {agent: [_intent(a, agent), _intent(b, agent)] for agent in {**a.actions, **b.actions}},
        })  # fmt: skip
    parted = next((row["round"] for row in rows if not row["same"]), None)
    return {"rounds": rows, "parted_at": parted, "lengths": [len(left), len(right)]}


def tidy(party: Party, rounds: Sequence[RoundRecord]) -> list[dict[str, Any]]:
    """One row per thing said or done, flat, for a notebook."""
    rows = []
    for record in rounds:
        for row in lanes(party, record):
            check = row.get("validation") or {}
            rows.append({
                "party": party.id, "seed": party.seed, "strength": party.strength, "session": record.session,
                "round": record.round, "step": row["step"], "phase": row["phase"], "channel": row["channel"],
                "agent": row["lane"], "speaker": row["who"], "text": row["text"], "place": record.place,
                "day": record.day, "consensus": record.consensus.state.value, "attempts": check.get("attempts", 0),
                "warning": bool(check.get("warning", False)), "outcome": row.get("outcome", ""),
                "turn_no": row.get("turn_no", 0), "memory": row.get("memory", "") or "",
            })  # fmt: skip
    return rows


def _intent(record: RoundRecord, agent: str) -> str:
    return record.actions[agent].intent if agent in record.actions else ""
