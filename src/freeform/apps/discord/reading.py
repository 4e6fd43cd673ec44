"""How Discord asks and researches: the assistant's answers as replies, its progress as lines."""

from dataclasses import dataclass
from typing import Any, NamedTuple

from freeform.apps.discord.shapes import DiscordReply, Tell
from freeform.assistant.model import Answer, Viewer
from freeform.services.assistant.questions import ask
from freeform.services.assistant.research import ResearchRequest, begin_research
from freeform.services.assistant.seated import ask_at_table
from freeform.services.house import House
from freeform.services.librarian import AskWish

_STAGES = {
    "hearing": "Reading the question…",
    "searching": "Looking it up…",
    "answering": "Writing…",
}


class DiscordQuestion(NamedTuple):
    """A question, the sheet of who asks, the campaign of the channel, and whether a GM asks."""

    text: str
    sheet: str = ""
    campaign: str = ""
    gm: bool = False
    notes: str = ""
    """Kept notes to look in; else those of the campaign."""
    thread: str = ""
    """What this person asked before in this channel."""

    @property
    def viewer(self) -> Viewer:
        """Through whose eyes it is answered."""
        return "gm" if self.gm else "player"


@dataclass
class DiscordAssistant:
    """The two slow commands."""

    house: House

    async def ask(self, question: DiscordQuestion, tell: Tell) -> DiscordReply:
        """A question to sheet, notes and rulebooks."""
        wish = AskWish(
            character=question.sheet,
            notes=question.notes or question.campaign,
            viewer=question.viewer,
            thread=question.thread,
        )

        def show(stage: str, known: dict[str, Any]) -> None:
            tell(_STAGES.get(stage, stage))

        return _told(await ask(self.house, question.text, wish, tell=show))

    async def ask_from(self, campaign: str, person: str, question: str) -> DiscordReply:
        """A question of someone at a table, from what their own seat may know."""
        reply = _told(await ask_at_table(self.house, campaign, person, question))
        return reply.model_copy(update={"private": True})

    async def research(self, question: DiscordQuestion, tell: Tell) -> DiscordReply:
        """A question in several steps."""
        request = ResearchRequest(
            question=question.text,
            notes=question.notes or question.campaign,
            viewer=question.viewer,
        )

        def show(kind: str, news: dict[str, Any]) -> None:
            line = progress_line(kind, news)
            if line:
                tell(line)

        state = await begin_research(self.house, request, show)
        sources = [f"[{s.n}] {s.url or s.where}\n> {s.quote}" for s in state.sources]
        return DiscordReply(text=state.answer, sources=sources)


def _told(answer: Answer) -> DiscordReply:
    sources = [f"[{s.n}] {s.where}\n> {s.quote}" for s in answer.sources]
    return DiscordReply(text=answer.answer, sources=sources)


def progress_line(kind: str, news: dict[str, Any]) -> str:
    """What is shown of research on its way; '' where nothing is."""
    match kind:
        case "planned" | "revised":
            steps = [f"{at}. {step}" for at, step in enumerate(news["plan"], start=1)]
            return "\n".join(["The plan:", *steps])
        case "step":
            return f"Step {news['stepId']}: {news['description']}"
        case "item" if news["of"] > 1:
            return f"Step {news['stepId']}: {news['done']} of {news['of']}"
        case "answering":
            return "Writing the answer…"
    return ""
