"""A model that is asked each question once: what is on tape is not sent again."""

from freeform.core.llm.gateway import (
    Listen,
    Model,
    ModelSaid,
    Out,
    Question,
    Usage,
)
from freeform.core.llm.tape import TapeStore, key_of


class OnceModel:
    """Answers from the tape where that very question was answered before, at no cost; else asks."""

    def __init__(self, inner: Model, tapes: TapeStore) -> None:
        self._inner, self._tapes = inner, tapes

    @property
    def name(self) -> str:
        """The name of the model behind it, so that tapes of both are one."""
        return self._inner.name

    async def reply(self, question: Question[Out], listen: Listen | None = None) -> ModelSaid[Out]:
        """The taped answer, or a new one."""
        tape = await self._tapes.find(question.call.campaign, key_of(question, self.name))
        if tape is None or tape.output is None:
            return await self._inner.reply(question, listen)
        output = question.pass_.gives.model_validate(tape.output)
        text = question.pass_.streamed(output) if listen else ""
        if listen and text:
            listen(text)
        return ModelSaid(output=output, usage=Usage(), tries=1)
