"""How the parlour asks and researches: the assistant's answers as replies, its progress as lines."""

from dataclasses import dataclass
from typing import Any

from freeform.apps.discord.shapes import DiscordReply, Tell
from freeform.assistant.research import research as part
from freeform.settings import Settings
from freeform.wiring.assistant import AskWish, Librarian
from freeform.wiring.research import research_ports

_STAGES = {
    "hearing": "Reading the question…",
    "searching": "Looking it up…",
    "answering": "Writing…",
}


@dataclass
class DiscordAssistant:
    """The two slow commands."""

    settings: Settings
    librarian: Librarian

    async def ask(
        self, question: str, sheet: str, campaign: str, gm: bool, tell: Tell
    ) -> DiscordReply:
        """A question to sheet, notes and rulebooks."""
        wish = AskWish(character=sheet, notes=campaign, viewer="gm" if gm else "player")
        answer = await self.librarian.ask(
            question, wish, tell=lambda stage, known: tell(_STAGES.get(stage, stage))
        )
        return DiscordReply(
            text=answer.answer, sources=[f"[{s.n}] {s.where}\n> {s.quote}" for s in answer.sources]
        )

    async def research(
        self, question: str, sheet: str, campaign: str, gm: bool, tell: Tell
    ) -> DiscordReply:
        """A question in several steps."""
        viewer = "gm" if gm else "player"
        notes, _ = await self.librarian.sources(AskWish(notes=campaign)) if campaign else ([], "")
        kept = [source for source in notes if source.tool == "session_notes"]
        async with research_ports(self.settings, notes=kept, viewer=viewer) as ports:  # type: ignore[arg-type]
            state = await part.research(
                question, ports, tell=lambda kind, told: _line(kind, told, tell)
            )
        return DiscordReply(
            text=state.answer,
            sources=[f"[{s.n}] {s.url or s.where}\n> {s.quote}" for s in state.sources],
        )


def _line(kind: str, told: dict[str, Any], tell: Tell) -> None:
    match kind:
        case "planned" | "revised":
            tell(
                "\n".join(
                    [
                        "The plan:",
                        *(f"{at}. {step}" for at, step in enumerate(told["plan"], start=1)),
                    ]
                )
            )
        case "step":
            tell(f"Step {told['stepId']}: {told['description']}")
        case "item" if told["of"] > 1:
            tell(f"Step {told['stepId']}: {told['done']} of {told['of']}")
        case "answering":
            tell("Writing the answer…")
