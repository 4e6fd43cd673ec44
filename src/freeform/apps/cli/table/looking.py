"""What one looks up from somebody else's table, and how whoever leads says how turns go there."""

from freeform.apps.cli.play.voice import Voice
from freeform.apps.cli.table.remote import RemoteTable
from freeform.core.errors import UserError


async def look_up(voice: Voice, table: RemoteTable, word: str, rest: str) -> None:
    """A question with its sources, what happened so far, or what one keeps out of play."""
    match word:
        case "/ask":
            told = await table.do("/company/ask", {"question": rest})
            voice.paragraphs(told["answer"])
            voice.lines([f"[{each['n']}] {each['where']}" for each in told["sources"]], "dim")
        case "/recap":
            voice.paragraphs((await table.here("/recap"))["recap"] or "Nothing has happened yet.")
        case _:
            kept = await table.here("/company/limits")
            if rest:
                lines = [] if rest == "none" else [each.strip() for each in rest.split(",")]
                kept = await table.do("/company/limits", {**kept, "lines": lines})
            voice.line(f"(You keep out: {', '.join(kept['lines']) or 'nothing'}.)", "dim")
            if kept["veils"]:
                voice.line(f"(You veil: {', '.join(kept['veils'])}.)", "dim")


async def host_turns(table: RemoteTable, word: str, rest: str) -> None:
    """How turns go, who acts next, or that nobody is waited for any longer."""
    if word == "/go-on":
        await table.do("/company/go-on")
        return
    if not rest:
        raise UserError(f"{word} what? /help says it")
    key = "mode" if word == "/mode" else "seat"
    await table.do(f"/company/{word[1:]}", {key: rest})
