"""Tools of a human game master: edit the state, say what is so, whisper, note, style, pin."""

from typing import Any

from mcp.server.mcpserver import MCPServer

from freeform.apps.mcp.plainly import plainly
from freeform.services.gm import hand
from freeform.services.gm.hand import PenVerb, Verb
from freeform.services.house import House
from freeform.services.play import Turns


def add_gm_tools(server: MCPServer[Any], house: House, turns: Turns) -> None:
    """Adds them."""

    @server.tool()
    async def gm_hand(
        campaign: str, verb: Verb, text: str = "", why: str = "", for_turns: int = 1
    ) -> dict[str, Any]:
        """A game master's hand, logged and undoable. `do`: effects as YAML; `say`: a sentence that
        is so; `whisper`: a direction for the next turns; `note`: told every turn; `pin`, `unpin`: a
        fact's id."""
        done = await plainly(
            turns.move(
                campaign,
                "game master",
                lambda: hand.lay_down(house, campaign, verb, text, why=why, turns=for_turns),
            )
        )
        return done.model_dump(mode="json")

    @server.tool()
    async def gm_pen(
        campaign: str, verb: PenVerb, text: str = "", turn_no: int = 0
    ) -> dict[str, Any]:
        """Takes the narrator's pen. `tell`: this passage is the next turn; `reword`: what turn_no
        (0: the last) reads from now on; `retell`: the last turn in other words, same facts."""
        done = await plainly(
            turns.move(
                campaign,
                "game master",
                lambda: hand.hold_pen(house, campaign, verb, text, turn_no),
            )
        )
        return done.model_dump(mode="json")

    @server.tool()
    async def gm_style(
        campaign: str,
        length: str | None = None,
        person: str | None = None,
        tense: str | None = None,
        manner: str | None = None,
    ) -> dict[str, Any]:
        """How prose is told: length short, medium, long; person first, second, third; tense
        present, past; manner in words."""

        async def work() -> dict[str, Any]:
            parts = {"length": length, "person": person, "tense": tense, "manner": manner}
            wanted = hand.style_of(parts)
            done = await turns.move(
                campaign, "game master", lambda: hand.style(house, campaign, wanted)
            )
            return done.model_dump(mode="json")

        return await plainly(work())

    @server.tool()
    async def gm_show(campaign: str) -> dict[str, Any]:
        """The whispers, the note, the style and the pins that hold now."""
        held = await plainly(hand.show(house, campaign))
        return held.model_dump(mode="json")
