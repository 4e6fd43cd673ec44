"""Letters out and in: what was committed is sent until confirmed; what arrives is accepted once or
set aside."""

import json
from datetime import UTC, datetime

from pydantic import BaseModel, ValidationError

from freeform.core.errors import UserError
from freeform.lore.errand import LorePorts
from freeform.lore.messages import (
    ENVELOPE_VERSION,
    QUEUES,
    DeadLetter,
    MessageEnvelope,
    PersonRequest,
    UserDecisionRequired,
    UserDecisionResponse,
    ValidationResult,
)
from freeform.lore.model import ResearchPackage
from freeform.lore.ports import Take
from freeform.lore.read.claims import digest

PAYLOADS: dict[str, type[BaseModel]] = {
    "research_package": ResearchPackage,
    "validation_result": ValidationResult,
    "user_decision_required": UserDecisionRequired,
    "user_decision_response": UserDecisionResponse,
    "person_request": PersonRequest,
}
_LONGEST_DEAD = 100_000


async def send_all(ports: LorePorts, agent: str) -> int:
    """Sends what that agent has committed. Raises Unavailable while the broker is down; nothing is
    lost by it."""
    sent = 0
    while waiting := await ports.store.unsent(agent):
        for envelope in waiting:
            if ports.bus is None:
                await ports.store.accept(envelope)
            else:
                body = envelope.model_dump_json().encode()
                await ports.bus.publish(envelope.routing_key, envelope.message_id, body)
            await ports.store.mark_sent(envelope.message_id)
            sent += 1
    return sent


def taker(ports: LorePorts, agent: str) -> Take:
    """What the bus calls for each delivery: accepted durably, once; what nobody understands is
    buried and logged."""

    async def take(body: bytes) -> None:
        envelope, reason = open_letter(body, agent)
        if envelope:
            await ports.store.accept(envelope)
            return
        text = body.decode("utf-8", errors="replace")[:_LONGEST_DEAD]
        letter = DeadLetter(
            id=digest(text), queue=QUEUES[agent], body=text, reason=reason, received_at=ports.now()
        )  # fmt: skip
        await ports.store.bury(letter)
        ports.log("error", "error", error_type="dead_letter", message=reason, retry_count=0)
        # The bus puts it with its own dead letters; it is never given again.
        raise UserError(f"a message in {QUEUES[agent]} was set aside: {reason}")

    return take


def open_letter(body: bytes, agent: str) -> tuple[MessageEnvelope | None, str]:
    """The message, or why it is none that this agent understands."""
    try:
        raw = json.loads(body)
        version = raw.get("version", ENVELOPE_VERSION) if isinstance(raw, dict) else 0
        if version != ENVELOPE_VERSION:
            return None, f"envelope version {version!r} is not {ENVELOPE_VERSION}"
        envelope = MessageEnvelope.model_validate(raw)
    except (ValueError, RecursionError) as wrong:
        return None, f"not a message envelope ({type(wrong).__name__})"
    if envelope.message_type not in PAYLOADS:
        return None, f"unknown message type '{envelope.message_type[:60]}'"
    if envelope.target_agent != agent:
        return None, f"meant for '{envelope.target_agent[:60]}', not for '{agent}'"
    if envelope.message_type == "research_package":
        return (
            envelope,
            "",
        )  # The validator answers a package that does not fit: its sender must know.
    try:
        PAYLOADS[envelope.message_type].model_validate(envelope.payload)
    except ValidationError as wrong:
        return (
            None,
            f"the payload is no {envelope.message_type} ({wrong.error_count()} fields do not fit)",
        )
    return envelope, ""


def timestamp_of(text: str) -> datetime:
    """A stored time."""
    moment = datetime.fromisoformat(text)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
