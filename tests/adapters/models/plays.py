"""Questions for the three engine passes, and good answers to them, for the tests of model adapters."""

from typing import Any

from freeform.core.llm.gateway import (
    Listen,
    ModelSaid,
    Out,
    Pass,
    PassInput,
    Question,
    Usage,
)
from freeform.engine.passes import (
    INTERPRETER,
    NARRATOR,
    PLANNER,
    InterpreterInput,
    NarratorInput,
    PlannerInput,
)
from freeform.engine.world.model import (
    ContextPacket,
    EngineEvent,
    PlannerOutput,
    ValidatorOutput,
)

_BAR = ContextPacket(
    scene={"id": "bar", "location_id": "neon_dragon"},
    present_entities=["viktor"],
    facts=[{"id": "f1", "subject_id": "viktor", "predicate": "is", "object": {"mood": "nervous"}}],
)
_SAYS = "I ask Viktor about Jin."

INPUTS: dict[str, tuple[Pass[Any, Any], PassInput]] = {
    "interpreter": (
        INTERPRETER,
        InterpreterInput(
            context_packet=_BAR, player_input=_SAYS, action_types={"ask": ["ask", "question"]}
        ),
    ),
    "planner": (
        PLANNER,
        PlannerInput(context_packet=_BAR, player_input=_SAYS, validator_output=ValidatorOutput()),
    ),
    "narrator": (
        NARRATOR,
        NarratorInput(
            context_packet=_BAR,
            player_input=_SAYS,
            engine_events=[EngineEvent(type="asked", details={"target_id": "viktor"})],
            planner_output=PlannerOutput(),
        ),
    ),
}

ANSWERS: dict[str, dict[str, Any]] = {
    "interpreter": {
        "intent": "ask about Jin",
        "proposed_actions": [{"action": "ask", "target_id": "viktor", "details": "Jin"}],
    },
    "planner": {"beats": ["Viktor is afraid"], "next_suggestions": ["I wait.", "I leave."]},
    "narrator": {
        "final_text": "Viktor’s glass stops halfway. “Jin?” he says.\n\nThe bar goes quiet \U0001f56f.",
        "next_prompt": "What do you do?",
        "suggested_actions": ["I wait.", "I leave."],
    },
}
BAD: dict[str, dict[str, Any]] = {
    "interpreter": {"proposed_actions": [{"details": "an action without its verb"}]},
    "planner": {"beats": []},
    "narrator": {"suggested_actions": ["I wait."], "next_prompt": "A question, and no prose."},
}


class Backstop:
    """The model that is always at hand: it says one thing and says it aloud."""

    name = "offline"

    async def reply(self, question: Question[Out], listen: Listen | None = None) -> ModelSaid[Out]:
        said = {"final_text": "It is quiet.", "intent": "unclear", "beats": ["wait"]}
        output = question.pass_.gives.model_validate(said)
        if listen:
            listen(question.pass_.streamed(output))
        return ModelSaid(output, Usage())
