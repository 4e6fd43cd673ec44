"""The trail of a memory from mouth to mouth: what was so, who told it how, who heard it and told it
on, who spoke against it, and what was decided because of it. Pure; read from the rounds as they
are kept."""

from collections.abc import Mapping, Sequence
from typing import Literal

from pydantic import Field

from freeform.core.record import Record
from freeform.core.text import plain_form
from freeform.players.memory.model import Belief, MemoryFact
from freeform.players.model import Party, RoundRecord

StepKind = Literal["happened", "told", "disputed", "swayed", "decided"]


class TrailStep(Record):
    """One station of a memory."""

    kind: StepKind
    round: int = 0
    who: str = ""
    text: str = ""
    right: bool = True
    """Whether it is as it was."""
    fact_id: str = ""
    heard_from: str = ""
    """Of something told on: whose words it goes back to."""


class HeldBelief(Record):
    """How somebody has it today."""

    who: str
    believed: str
    confidence: float
    right: bool
    why: str = ""


class MemoryTrail(Record):
    """A memory's whole way."""

    fact_id: str
    truth: str
    steps: list[TrailStep] = Field(default_factory=list)
    held: list[HeldBelief] = Field(default_factory=list)


class ChangedDecision(Record):
    """A decision that a wrong memory changed."""

    round: int
    who: str
    fact_id: str
    believed: str
    truth: str
    decided: str
    rather: str
    carried: bool
    """Whether the party did it; else it was only put forward."""


def changed_decisions(
    party: Party, rounds: Sequence[RoundRecord], truths: Mapping[str, str]
) -> list[ChangedDecision]:
    """Where a wrong memory made whoever spoke first put forward something else, oldest first."""
    found = []
    for record in rounds:
        for row in record.swayed:
            if not row["fact_id"]:
                continue
            settled = record.consensus
            found.append(
                ChangedDecision(
                    round=record.round,
                    who=party.seat(row["agent"]).persona.name,
                    fact_id=row["fact_id"],
                    believed=row["believed"],
                    truth=truths.get(row["fact_id"], ""),
                    decided=row["leant"],
                    rather=row["rather"],
                    carried=settled.decided and settled.proposal.option == row["leant"],
                )
            )
    return found


def trail_of(
    party: Party, rounds: Sequence[RoundRecord], chain: Sequence[MemoryFact], held: Sequence[Belief]
) -> MemoryTrail:
    """The way of the first fact of a chain; the rest are what was claimed of it, and of that in
    turn."""
    root = chain[0]
    facts = {fact.id: fact for fact in chain}
    steps = [TrailStep(kind="happened", round=_round_of(root), text=root.text, fact_id=root.id)]
    for record in rounds:
        steps += _told(record, root, facts)
        steps += _led_to(party, record, facts)
    beliefs = [
        HeldBelief(
            who=party.seat(belief.agent).persona.name,
            believed=belief.believed,
            confidence=round(belief.confidence, 3),
            right=belief.correct,
            why="; ".join(audit.cause for audit in belief.audit if audit.level),
        )
        for belief in held
    ]
    return MemoryTrail(fact_id=root.id, truth=root.text, steps=steps, held=beliefs)


def _told(
    record: RoundRecord, root: MemoryFact, facts: Mapping[str, MemoryFact]
) -> list[TrailStep]:
    found = []
    for row in record.ooc:
        if row.get("memory") in facts:
            fact = facts[row["memory"]]
            found.append(
                TrailStep(
                    kind="told",
                    round=record.round,
                    who=row["name"],
                    text=row["believed"],
                    right=_same(row["believed"], root.text),
                    fact_id=fact.id,
                    heard_from=_teller(fact) if fact.claim_of else "",
                )
            )
        if row.get("disputes") in facts:
            step = TrailStep(
                kind="disputed",
                round=record.round,
                who=row["name"],
                text=row["content"],
                fact_id=row["disputes"],
            )
            found.append(step)
    return found


def _led_to(party: Party, record: RoundRecord, facts: Mapping[str, MemoryFact]) -> list[TrailStep]:
    found = []
    for row in record.swayed:
        if row["fact_id"] not in facts:
            continue
        who = party.seat(row["agent"]).persona.name
        text = f"{row['leant']} (would rather have chosen: {row['rather']})"
        step = TrailStep(kind="swayed", round=record.round, who=who, text=text, right=False)
        found.append(step.model_copy(update={"fact_id": row["fact_id"]}))
        settled = record.consensus
        if settled.decided and settled.proposal.option == row["leant"]:
            how = f"{settled.proposal.option} ({settled.state.value})"
            found.append(
                TrailStep(
                    kind="decided", round=record.round, who="the party", text=how, right=False
                )
            )
    return found


def _teller(claim: MemoryFact) -> str:
    return next((slot.text for slot in claim.slots if slot.kind == "source"), "")


def _round_of(fact: MemoryFact) -> int:
    """The round a fact comes from: its turn is called after it."""
    head = fact.source_id.partition(".")[0]
    return int(head[1:]) if head[:1] == "r" and head[1:].isdigit() else 0


def _same(told: str, truth: str) -> bool:
    return plain_form(truth) in plain_form(told)
