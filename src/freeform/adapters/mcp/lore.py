"""The lore ports as MCP clients: whoever holds one does not know that another process does the
work."""

from collections.abc import Sequence
from typing import Any, TypeVar

from pydantic import BaseModel

from freeform.adapters.mcp.caller import McpCaller
from freeform.lore.messages import DeadLetter, Decision, MessageEnvelope
from freeform.lore.model import Claim, Kind, LoreGraph, NodeRow, ResearchCheckpoint, ResearchPackage
from freeform.lore.ports import Reservation, SearchHit, StepCommit, WebPage

R = TypeVar("R", bound=BaseModel)


class McpSearch:
    """`WebSearch` by the tool `search`."""

    def __init__(self, caller: McpCaller) -> None:
        self._caller = caller

    async def search(self, query: str, limit: int = 10) -> list[SearchHit]:
        """The best pages first."""
        said = await self._caller.call("search", query=query, limit=limit)
        return [SearchHit.model_validate(each) for each in said["results"]]

    async def close(self) -> None:
        """Closes the connection."""
        await self._caller.close()


class McpCrawler:
    """`WebCrawler` by the tool `crawl_url`."""

    def __init__(self, caller: McpCaller) -> None:
        self._caller = caller

    async def crawl(self, url: str) -> WebPage:
        """The page of that address."""
        return WebPage.model_validate((await self._caller.call("crawl_url", url=url))["page"])

    async def close(self) -> None:
        """Closes the connection."""
        await self._caller.close()


class McpLore:
    """`LoreStore` by the tools of the Storage server."""

    def __init__(self, caller: McpCaller) -> None:
        self._caller = caller

    async def _call(self, tool: str, **arguments: Any) -> Any:
        """The one value of a tool's answer."""
        plain = {name: _plain(value) for name, value in arguments.items()}
        return next(iter((await self._caller.call(tool, **plain)).values()))

    async def commit_step(self, commit: StepCommit) -> bool:
        tool = "world_lore_save" if commit.graph else "checkpoint_save"
        return bool(await self._call(tool, commit=commit))

    async def steps_done(self, game: str) -> list[StepCommit]:
        return [
            StepCommit.model_validate(each)
            for each in await self._call("checkpoint_steps", game=game)
        ]

    async def load_checkpoint(self, game: str) -> ResearchCheckpoint | None:
        return _maybe(ResearchCheckpoint, await self._call("checkpoint_load", game=game))

    async def games(self) -> list[str]:
        return list(await self._call("checkpoint_games"))

    async def put_page(self, game: str, page: WebPage) -> None:
        await self._call("checkpoint_put_page", game=game, page=page)

    async def page(self, game: str, url: str, sha256: str = "") -> WebPage | None:
        return _maybe(
            WebPage, await self._call("checkpoint_page", game=game, url=url, sha256=sha256)
        )

    async def reserve(
        self, reservation: Reservation, *, per_cycle: int, per_day: int
    ) -> Reservation:
        held = await self._call(
            "checkpoint_reserve", reservation=reservation, per_cycle=per_cycle, per_day=per_day
        )
        return Reservation.model_validate(held)

    async def settle(self, key: str, tokens: int, answer: str = "") -> None:
        await self._call("checkpoint_settle", key=key, tokens=tokens, answer=answer)

    async def release(self, key: str) -> None:
        await self._call("checkpoint_release", key=key)

    async def spent(self, game: str, day: str = "", cycle: int | None = None) -> int:
        return int(await self._call("checkpoint_spent", game=game, day=day, cycle=cycle))

    async def unsent(self, agent: str, limit: int = 100) -> list[MessageEnvelope]:
        return _list(
            MessageEnvelope, await self._call("checkpoint_unsent", agent=agent, limit=limit)
        )

    async def mark_sent(self, message_id: str) -> None:
        await self._call("checkpoint_mark_sent", message_id=message_id)

    async def accept(self, envelope: MessageEnvelope) -> bool:
        return bool(await self._call("checkpoint_accept", envelope=envelope))

    async def waiting(self, agent: str, limit: int = 100) -> list[MessageEnvelope]:
        return _list(
            MessageEnvelope, await self._call("checkpoint_waiting", agent=agent, limit=limit)
        )

    async def bury(self, letter: DeadLetter) -> None:
        await self._call("checkpoint_bury", letter=letter)

    async def dead_letters(self) -> list[DeadLetter]:
        return _list(DeadLetter, await self._call("checkpoint_dead_letters"))

    async def decisions(self, game: str = "", open_only: bool = False) -> list[Decision]:
        return _list(
            Decision, await self._call("checkpoint_decisions", game=game, open_only=open_only)
        )

    async def answer(self, decision_id: str, choice: str, *, by: str, at: str) -> Decision:
        said = await self._call(
            "checkpoint_answer", decision_id=decision_id, choice=choice, by=by, at=at
        )
        return Decision.model_validate(said)

    async def graph(self, game: str, zone_id: str = "") -> LoreGraph:
        return LoreGraph.model_validate(
            await self._call("world_lore_graph", game=game, zone_id=zone_id)
        )

    async def rows(self, game: str, kind: Kind | None = None) -> list[NodeRow]:
        return _list(NodeRow, await self._call("world_lore_rows", game=game, kind=kind))

    async def claims(self, game: str, subject_id: str = "") -> list[Claim]:
        return _list(Claim, await self._call("world_lore_claims", game=game, subject_id=subject_id))

    async def package(self, game: str, zone_id: str) -> ResearchPackage | None:
        return _maybe(
            ResearchPackage, await self._call("world_lore_package", game=game, zone_id=zone_id)
        )

    async def near(self, game: str, text: str, limit: int = 10) -> list[NodeRow]:
        return _list(
            NodeRow, await self._call("world_lore_near", game=game, text=text, limit=limit)
        )

    async def close(self) -> None:
        """Closes the connection."""
        await self._caller.close()


def _plain(value: Any) -> Any:
    return value.model_dump(mode="json") if isinstance(value, BaseModel) else value


def _maybe(shape: type[R], value: Any) -> R | None:
    return None if value is None else shape.model_validate(value)


def _list(shape: type[R], values: Sequence[Any]) -> list[R]:
    return [shape.model_validate(each) for each in values]
