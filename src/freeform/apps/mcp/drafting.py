"""Tools of the game master's desk: drafts of stories and packs read, changed, checked, published.
Each change is a version of its own, so whatever a model writes can be taken back."""

from typing import Any

from mcp.server.mcpserver import MCPServer

from freeform.apps.mcp.plainly import plainly
from freeform.services.desk import drafts, pack_drafts
from freeform.services.desk.drafts import DraftWish
from freeform.services.house import House


def add_draft_tools(server: MCPServer[Any], house: House) -> None:
    """Adds them."""
    _add_story_tools(server, house)
    _add_pack_tools(server, house)


def _add_story_tools(server: MCPServer[Any], house: House) -> None:
    @server.tool()
    async def list_drafts() -> dict[str, Any]:
        """Lists the drafts of stories and of packs on the game master's desk."""

        async def work() -> dict[str, Any]:
            stories, packs = drafts.list_drafts(house), pack_drafts.list_pack_drafts(house)
            return {
                "stories": [row.model_dump(mode="json") for row in stories],
                "packs": [row.model_dump(mode="json") for row in packs],
            }

        return await plainly(work())

    @server.tool()
    async def read_draft(draft: str) -> dict[str, Any]:
        """A draft with what the check says of each field, and which clue leads to which secret.
        Tells everything that is secret in it."""
        return (await plainly(drafts.show_draft(house, draft))).model_dump(mode="json")

    @server.tool()
    async def begin_draft(name: str = "", premise: str = "", scenario: str = "") -> dict[str, Any]:
        """Begins a draft: blank, of a premise, or as the copy of a story on the shelf."""
        wish = DraftWish(name=name, premise=premise, scenario=scenario)
        return (await plainly(drafts.begin_draft(house, wish))).model_dump(mode="json")

    @server.tool()
    async def propose_draft(draft: str, scenario: dict[str, Any], version: int) -> dict[str, Any]:
        """Proposes a change: the whole scenario as it should read, made from that version. It is
        kept as the next version and checked; `undo_draft` takes it back. If somebody else wrote
        first, yours is kept beside theirs and you are told."""
        work = drafts.save_draft(house, draft, scenario, version)
        return (await plainly(work)).model_dump(mode="json")

    @server.tool()
    async def undo_draft(draft: str) -> dict[str, Any]:
        """Takes the last change of a draft back; nothing is lost."""
        return (await plainly(drafts.step_draft(house, draft, back=True))).model_dump(mode="json")

    @server.tool()
    async def check_draft(draft: str) -> dict[str, Any]:
        """Plays a draft through: every mistake, and what play reaches of it."""
        return (await plainly(drafts.check_draft(house, draft))).model_dump(mode="json")

    @server.tool()
    async def publish_draft(draft: str) -> dict[str, Any]:
        """Puts a draft on the shelf, once nothing is wrong with it."""
        made = await plainly(drafts.publish_draft(house, draft))
        return made.model_copy(update={"path": ""}).model_dump(mode="json")


def _add_pack_tools(server: MCPServer[Any], house: House) -> None:
    @server.tool()
    async def begin_pack_draft(name: str = "", pack: str = "") -> dict[str, Any]:
        """Lays a pack on the desk: a new one, or the copy of one on the shelf."""
        work = pack_drafts.begin_pack_draft(house, name, pack)
        return (await plainly(work)).model_dump(mode="json")

    @server.tool()
    async def read_pack_draft(draft: str) -> dict[str, Any]:
        """A pack on the desk: its texts (entries, random tables), and what is wrong with them."""
        return (await plainly(pack_drafts.show_pack_draft(house, draft))).model_dump(mode="json")

    @server.tool()
    async def propose_pack_draft(draft: str, texts: dict[str, str], version: int) -> dict[str, Any]:
        """Proposes a change of a pack on the desk: all its texts by file, made from that
        version."""
        work = pack_drafts.save_pack_draft(house, draft, texts, version)
        return (await plainly(work)).model_dump(mode="json")

    @server.tool()
    async def publish_pack_draft(draft: str) -> dict[str, Any]:
        """Puts a pack on the shelf as its next version, once nothing is wrong with it."""
        return (await plainly(pack_drafts.publish_pack_draft(house, draft))).model_dump(mode="json")
