"""READ THIS FIRST. A model that is no model: each pass has a function here that answers it.

Question ──> RESPONDERS[pass id](input, chance) ──> output     chance is seeded by the call, so answers repeat
"""

import re
from collections.abc import Callable, Mapping
from typing import Any

from pydantic import BaseModel

from freeform.core.chance import Chance
from freeform.core.errors import Unavailable
from freeform.core.gateway import Listen, Out, Question, Said, Usage
from freeform.engine.passes import INTERPRETER, NARRATOR, PLANNER
from freeform.engine.sessions import SUMMARIZE
from freeform.offline import ingest, interpreter, narrator, planner, session

Responder = Callable[[Any, Chance], BaseModel]

RESPONDERS: dict[str, Responder] = {
    INTERPRETER.id: interpreter.respond,
    PLANNER.id: planner.respond,
    NARRATOR.id: narrator.respond,
    SUMMARIZE.id: session.respond,
    **ingest.RESPONDERS,
}
_WORD = re.compile(r"\S+\s*|\s+")


class OfflineModel:
    """Answers every pass it has a responder for, at no cost, and the same way for the same seed."""

    def __init__(self, responders: Mapping[str, Responder] = RESPONDERS) -> None:
        self._responders = responders

    @property
    def name(self) -> str:
        """As a person writes it."""
        return "offline"

    async def reply(self, question: Question[Out], listen: Listen | None = None) -> Said[Out]:
        """The responder's answer; the streamed field goes to `listen` word by word."""
        pass_ = question.pass_
        respond = self._responders.get(pass_.id)
        if respond is None:
            raise Unavailable(
                f"nothing answers '{pass_.id}' offline; choose a model for it with --model", passing=False
            )
        answer = respond(question.input, Chance(question.call.seed, pass_.id))
        output = answer if isinstance(answer, pass_.gives) else pass_.gives.model_validate(answer.model_dump())
        if listen and pass_.streams:
            for piece in _WORD.findall(str(getattr(output, pass_.streams))):
                listen(piece)
        return Said(output, Usage(calls=1))
