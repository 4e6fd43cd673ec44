"""What the agents say to each other: the envelope, the four messages, the queues, and the person's
decisions."""

from datetime import datetime
from typing import Any, Literal

from pydantic import Field

from freeform.core.record import Record

EXCHANGE = "knowledge.topic"
RESEARCHER, VALIDATOR, USER = "world_lore_researcher", "world_lore_validator", "user"
QUEUES: dict[str, str] = {
    RESEARCHER: "agent.world_lore_researcher",
    VALIDATOR: "agent.world_lore_validator",
    USER: "user.decisions",
}
"""Target agent to queue; the routing key is the queue's name. Queues and exchange are durable."""
DEAD_LETTERS = "knowledge.dead"
ENVELOPE_VERSION = 1

MessageType = Literal[
    "research_package",
    "validation_result",
    "user_decision_required",
    "user_decision_response",
    "person_request",
]


class MessageEnvelope(Record):
    """One message. The same `message_id` delivered twice has one effect."""

    message_id: str
    source_agent: str
    target_agent: str
    message_type: str
    timestamp: datetime
    correlation_id: str
    payload: dict[str, Any]
    version: int = ENVELOPE_VERSION

    @property
    def routing_key(self) -> str:
        """Where the exchange sends it."""
        return QUEUES.get(self.target_agent, DEAD_LETTERS)


class ValidationFeedback(Record):
    """One thing the validator found. `searches`: what to look for next time."""

    check: Literal["schema", "quotes", "references", "coverage", "conflicts", "injection"]
    message: str
    data_point: str = ""
    blocking: bool = True
    searches: list[str] = Field(default_factory=list)


class ValidationResult(Record):
    """The validator's answer to a package."""

    zone_name: str
    accepted: bool
    feedback: list[ValidationFeedback] = Field(default_factory=list)
    iteration: int = 1
    game: str = ""


class UserDecisionRequired(Record):
    """A fork: a person chooses. `costs` says about how many tokens each option will take."""

    question: str
    options: list[str]
    context: str
    decision_id: str
    default: str = ""
    deadline: str = ""
    """ISO time after which the default is taken; '' waits for ever."""
    costs: dict[str, int] = Field(default_factory=dict)


class UserDecisionResponse(Record):
    """A person's choice."""

    decision_id: str
    choice: str


class PersonRequest(Record):
    """What a person asks of the researcher: failed zones again, completed ones looked at again, or
    an end after the step at work."""

    game: str
    wish: Literal["retry", "refresh", "stop"]
    zones: list[str] = Field(default_factory=list)


class Decision(Record):
    """A fork with its answer, as the inbox shows it."""

    decision_id: str
    game: str
    zone_name: str = ""
    source_agent: str = RESEARCHER
    question: str
    options: list[str]
    context: str = ""
    default: str = ""
    deadline: str = ""
    costs: dict[str, int] = Field(default_factory=dict)
    asked_at: str = ""
    choice: str = ""
    """'' while it waits."""
    answered_at: str = ""
    answered_by: str = ""

    @property
    def open(self) -> bool:
        """Whether it waits for an answer."""
        return not self.choice


class DeadLetter(Record):
    """A message that could not be understood; kept as it came."""

    id: str
    queue: str
    body: str
    reason: str
    received_at: str = ""
