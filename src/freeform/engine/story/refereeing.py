"""Who hears and plans a turn: two passes one after the other, or a referee who does both in one
answer. Either gives the records that the log holds."""

from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Protocol

from freeform.core.llm.gateway import Call, Gateway, PassAnswer
from freeform.engine.passes import INTERPRETER, PLANNER, InterpreterInput, PlannerInput
from freeform.engine.rules.aftermath import open_moves
from freeform.engine.table import Rules
from freeform.engine.two_calls import REFEREE, RefereeInput, RefereeOutput
from freeform.engine.world.model import InterpreterOutput, PlannerOutput
from freeform.engine.world.state import GameState


class TurnJudge(Protocol):
    """Hears what was typed, then says where the turn might go."""

    async def hear(self, asked: InterpreterInput) -> PassAnswer[InterpreterOutput]:
        """What the player means."""
        ...

    async def plan(self, wanted: PlannerInput) -> PassAnswer[PlannerOutput]:
        """What the beat is about."""
        ...

    def prompts(self) -> dict[str, str]:
        """The prompts that were spoken through."""
        ...

    def models(self) -> dict[str, str]:
        """Who answered, by role."""
        ...


@dataclass
class ThreePasses:
    """An interpreter, then a planner who knows what may be tried."""

    gateway: Gateway
    call: Call
    _answers: dict[str, PassAnswer[InterpreterOutput] | PassAnswer[PlannerOutput]] = field(
        default_factory=dict
    )

    async def hear(self, asked: InterpreterInput) -> PassAnswer[InterpreterOutput]:
        """What the player means."""
        answer = await self.gateway.ask(INTERPRETER, asked, self.call)
        self._answers[INTERPRETER.id] = answer
        return answer

    async def plan(self, wanted: PlannerInput) -> PassAnswer[PlannerOutput]:
        """What the beat is about."""
        answer = await self.gateway.ask(PLANNER, wanted, self.call)
        self._answers[PLANNER.id] = answer
        return answer

    def prompts(self) -> dict[str, str]:
        """The prompts that were spoken through."""
        return {id: answer.prompt for id, answer in self._answers.items()}

    def models(self) -> dict[str, str]:
        """Who answered, by role."""
        return {id.rpartition("/")[2]: answer.model for id, answer in self._answers.items()}


@dataclass
class OneReferee:
    """One answer is both; the plan was made before anything was judged."""

    gateway: Gateway
    call: Call
    _answer: PassAnswer[RefereeOutput] | None = None

    async def hear(self, asked: InterpreterInput) -> PassAnswer[InterpreterOutput]:
        """What the player means."""
        assert isinstance(asked, RefereeInput), "a referee is told the story"
        answer = await self.gateway.ask(REFEREE, asked, self.call)
        self._answer = answer
        return PassAnswer(
            answer.output.heard(),
            answer.prompt,
            answer.model,
            answer.usage,
            answer.ms,
            answer.degraded,
            answer.offline,
        )

    async def plan(self, wanted: PlannerInput) -> PassAnswer[PlannerOutput]:
        """What the beat is about: said already."""
        answer = self._answer
        assert answer is not None, "first one hears"
        return PassAnswer(answer.output.planned(), answer.prompt, answer.model)

    def prompts(self) -> dict[str, str]:
        """The prompt that was spoken through."""
        return {REFEREE.id: self._answer.prompt} if self._answer else {}

    def models(self) -> dict[str, str]:
        """Who answered."""
        return {"interpreter": self._answer.model} if self._answer else {}


def moves_told(state: GameState, rules: Rules) -> list[dict[str, Any]]:
    """The most urgent moves, as the planner is told of them."""
    return [
        {"id": move.id, "type": move.type, "text": move.text[0].strip(), "urgency": move.urgency}
        for move in islice(open_moves(state, rules), 6)
    ]
