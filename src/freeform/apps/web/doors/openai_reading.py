"""What a chat asks of the table, read from its messages. Pure.

Only the user's messages count. A chat whose last word is the table's own asks for no turn: a
program like SillyTavern then wants the answer continued, or words put into the player's mouth, and
says so in an instruction at the end.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

Wish = Literal["play", "continue", "impersonate"]
CONTINUE = "[continue your last message"
IMPERSONATE = "[write your next reply from the point of view of"
STARTERS = ("[start a new chat]", "[start a new group chat", "let's get started.")
"""What SillyTavern says in the user's name when its prompts are post-processed; nobody said it."""
WHAT_NOW = "What do you do?"


class ChatMessage(BaseModel):
    """One message of a chat; other fields of a client are let be."""

    model_config = ConfigDict(extra="ignore")
    role: Annotated[str, Field(max_length=50)]
    content: str | list[dict[str, Any]] | None = None

    @property
    def text(self) -> str:
        """The words of it, without pictures."""
        if isinstance(self.content, list):
            return "\n".join(
                str(part.get("text", "")) for part in self.content if part.get("type") == "text"
            )
        return self.content or ""


@dataclass(frozen=True)
class Chat:
    """The player's words, what is wanted now, and the table's last answer as the program has it."""

    words: list[str]
    wish: Wish
    answer: str
    told: list[str] = field(default_factory=list)
    """Everything that the program has of the table's."""


def read_chat(messages: Sequence[ChatMessage]) -> Chat:
    """What a chat asks for."""
    said = [
        (message.role, message.text)
        for message in messages
        if message.role in ("user", "assistant")
    ]
    spoken = [(role, text) for role, text in said if role != "user" or not _is_instruction(text)]
    words = [text for role, text in spoken if role == "user"]
    told = [text for role, text in spoken if role == "assistant"]
    if not words or spoken[-1][0] == "user":
        return Chat(words, "play", "", told)
    last = messages[-1].text.strip().lower()
    wish: Wish = "impersonate" if last.startswith(IMPERSONATE) else "continue"
    return Chat(words, wish, spoken[-1][1], told)


def go_on(answer: str, told: str, prompt: str, suggestions: Sequence[str]) -> str:
    """The rest of what was told, when the program has its beginning; else what one might do now."""
    begun = answer.strip()
    rest = told.removeprefix(begun)
    if begun and rest != told and rest.strip():
        return rest
    might = f" You might: {'; '.join(suggestions)}." if suggestions else ""
    return f"\n\n{prompt or WHAT_NOW}{might}"


def _is_instruction(text: str) -> bool:
    return text.strip().lower().startswith((CONTINUE, IMPERSONATE, *STARTERS))
