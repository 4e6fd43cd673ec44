"""A small pass, a scripted model and an ear: what the gateway's tests are played with."""

import asyncio
from pathlib import Path

from pydantic import Field

from freeform.core.clock import HandClock
from freeform.core.llm.gateway import (
    Listen,
    ModelSaid,
    Out,
    Pass,
    PassInput,
    Question,
    Usage,
)
from freeform.core.llm.prompts import PromptRegistry
from freeform.core.record import Reply


class Asked(PassInput):
    """What the test's pass is told."""

    text: str


class Told(Reply):
    """What the test's pass answers."""

    mood: str = ""
    prose: str
    exits: list[str] = Field(default_factory=list)


TELL = Pass("test/tell", Asked, Told, role="narrator", streams="prose")
NOTE = Pass("test/tell", Asked, Told)


def prompts(folder: Path, versions: int = 1) -> PromptRegistry:
    """A registry with the test's prompt in so many versions."""
    (folder / "test").mkdir(parents=True, exist_ok=True)
    for version in range(versions):
        words = f"You tell, in manner {version}.\n---\nTell this: {{{{ text }}}}\n"
        (folder / "test" / f"tell_v{version}.md").write_text(words, encoding="utf-8")
    return PromptRegistry(folder)


class Ear:
    """Hears the pieces; `void` keeps what had to be forgotten."""

    def __init__(self) -> None:
        self.heard, self.void = "", list[str]()

    def __call__(self, text: str, /) -> None:
        self.heard += text

    def again(self) -> None:
        self.void.append(self.heard)
        self.heard = ""


class Scripted:
    """A model that follows a script: prose to say, an error to raise, or a number of seconds to hang."""

    def __init__(
        self, name: str, *script: str | Exception | float, usage: Usage | None = None
    ) -> None:
        self.name, self.script, self.usage = name, list(script), usage or Usage()
        self.questions: list[Question[Told]] = []
        self.asked = asyncio.Event()

    async def reply(self, question: Question[Out], listen: Listen | None = None) -> ModelSaid[Out]:
        self.questions.append(question)  # type: ignore[arg-type]
        self.asked.set()
        line = self.script.pop(0) if len(self.script) > 1 else self.script[0]
        if isinstance(line, float):
            await asyncio.sleep(line)
        if listen:
            listen(str(line)[:8])
        if isinstance(line, Exception):
            raise line
        if listen:
            listen(str(line)[8:])
        return ModelSaid(question.pass_.gives.model_validate({"prose": str(line)}), self.usage)


class HandSleep:
    """Sleeping that takes no time: it moves the clock and remembers how long it was asked for."""

    def __init__(self, clock: HandClock) -> None:
        self.clock, self.slept = clock, list[float]()

    async def __call__(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.clock.advance(seconds)
