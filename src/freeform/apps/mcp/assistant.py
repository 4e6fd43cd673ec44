"""Tools of the assistant: questions, research, character sheets."""

from typing import Any

from mcp.server.mcpserver import MCPServer

from freeform.apps.mcp.plainly import plainly
from freeform.services.assistant import characters, notebooks, questions, research
from freeform.services.assistant.research import ResearchRequest
from freeform.services.house import House
from freeform.services.librarian import AskWish

_LONGEST_QUESTION = 100_000


def add_assistant_tools(server: MCPServer[Any], house: House) -> None:
    """Adds them."""
    _add_question_tools(server, house)
    _add_research_tools(server, house)
    _add_character_tools(server, house)


def _add_question_tools(server: MCPServer[Any], house: House) -> None:
    @server.tool()
    async def ask(  # noqa: PLR0913 - each is an argument of the tool.
        question: str,
        character: str = "",
        notes: str = "",
        edition: str = "",
        campaign: str = "",
        rulebooks: list[str] | None = None,
        thread: str = "",
    ) -> dict[str, Any]:
        """Answers a question from a character sheet (its id), session notes (the id of kept notes
        or of a campaign) and the rulebooks (all, or those named), with numbered sources, computed
        numbers and their parts. `campaign` stands for both sheet and notes; `edition` is 5.1 or
        5.2; `thread` is the conversation it goes on with, `new` begins one."""
        wanted = {
            "character": character or campaign,
            "notes": notes or campaign,
            "rulebooks": rulebooks or [],
            "edition": edition if edition in ("5.1", "5.2") else "",
            "thread": thread,
        }
        wish = AskWish.model_validate(wanted)
        told = await plainly(questions.ask(house, question[:_LONGEST_QUESTION], wish))
        return told.model_dump(mode="json")

    @server.tool()
    async def list_notes() -> dict[str, Any]:
        """Lists the session notes that were brought in."""

        async def read() -> list[dict[str, Any]]:
            return [row.model_dump(mode="json") for row in notebooks.list_notes(house.settings)]

        return {"notes": await plainly(read())}


def _add_research_tools(server: MCPServer[Any], house: House) -> None:
    @server.tool(name="research")
    async def begin(
        question: str, packs: list[str] | None = None, notes: str = "", max_steps: int = 8
    ) -> dict[str, Any]:
        """Answers a question that takes several steps: plans, looks up side by side, and tells what
        it found with sources. `notes` is a campaign's id."""
        request = ResearchRequest(
            question=question, packs=packs or [], notes=notes, max_steps=max_steps
        )
        state = await plainly(research.begin_research(house, request))
        return state.model_dump(mode="json")

    @server.tool()
    async def list_research() -> dict[str, Any]:
        """Lists what was researched, newest first."""
        rows = await plainly(research.list_research(house.settings))
        return {"research": [row.model_dump(mode="json") for row in rows]}

    @server.tool()
    async def read_research(research_id: str) -> dict[str, Any]:
        """Reads one piece of research, as far as it is."""
        state = await plainly(research.load_research(house.settings, research_id))
        return state.model_dump(mode="json")

    @server.tool()
    async def resume_research(research_id: str) -> dict[str, Any]:
        """Goes on with a piece of research where it stopped."""
        work = research.resume_research(house, research_id, ResearchRequest())
        return (await plainly(work)).model_dump(mode="json")


def _add_character_tools(server: MCPServer[Any], house: House) -> None:
    @server.tool()
    async def list_characters() -> dict[str, Any]:
        """Lists the character sheets that were brought in."""

        async def read() -> list[dict[str, Any]]:
            rows = characters.list_sheets(house.settings)
            return [row.model_dump(mode="json") for row in rows]

        return {"characters": await plainly(read())}

    @server.tool()
    async def show_character(id: str, section: str = "") -> dict[str, Any]:
        """Shows a character sheet with every computed number and its parts; or one section."""

        async def read() -> dict[str, Any]:
            sheet = characters.show_sheet(house.settings, id)
            if section:
                return characters.part_of(sheet, section).model_dump(mode="json")
            return sheet.model_dump(mode="json")

        return await plainly(read())

    @server.tool()
    async def show_hero(campaign: str) -> dict[str, Any]:
        """Shows the player's character of a campaign, as the player may know it."""
        sheet = await plainly(characters.show_hero(house, campaign))
        return sheet.model_dump(mode="json")
