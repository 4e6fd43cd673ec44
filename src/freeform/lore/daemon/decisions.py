"""Forks put to a person: asking, answering once, and the message an answer becomes."""

from datetime import datetime

from freeform.core.errors import Conflict, UserError
from freeform.core.text import plain_form
from freeform.lore.messages import USER, Decision, MessageEnvelope, UserDecisionResponse


def answered(decision: Decision, choice: str, by: str, at: str) -> Decision:
    """The decision with its answer. The same answer again changes nothing; another one is too
    late."""
    chosen = chosen_option(decision, choice)
    if decision.open:
        return decision.model_copy(update={"choice": chosen, "answered_by": by, "answered_at": at})
    if decision.choice == chosen:
        return decision
    raise Conflict(
        f"'{decision.question}' was answered already with '{decision.choice}'; nothing was changed"
    )


def chosen_option(decision: Decision, choice: str) -> str:
    """The option meant: by its words or its number."""
    wanted = plain_form(choice.strip())
    for number, option in enumerate(decision.options, start=1):
        if wanted in (plain_form(option), str(number)):
            return option
    raise UserError(
        f"'{choice}' is not among the options; choose one of: {', '.join(decision.options)}"
    )


def response_id(decision_id: str) -> str:
    """The id of the one message an answered decision becomes."""
    return f"answer_{decision_id}"


def response_to(decision: Decision) -> MessageEnvelope:
    """The answer as the message the asking agent waits for. Its id is the decision's, so it has one
    effect."""
    return MessageEnvelope(
        message_id=response_id(decision.decision_id),
        source_agent=USER,
        target_agent=decision.source_agent,
        message_type="user_decision_response",
        timestamp=datetime.fromisoformat(decision.answered_at),
        correlation_id=decision.decision_id,
        payload=UserDecisionResponse(
            decision_id=decision.decision_id, choice=decision.choice
        ).model_dump(),
    )
