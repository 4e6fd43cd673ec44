"""People at a served table, each with a client of their own."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import Any

import httpx

from tests.apps.web.serving import Served
from tests.patience import PATIENCE


@dataclass
class Guest:
    """Someone at the table `a`."""

    name: str
    person: str
    seat: str
    token: str
    http: httpx.AsyncClient

    async def ask(self, method: str, path: str, body: Any = None, key: str = "") -> httpx.Response:
        """A request about the table."""
        headers = {"Idempotency-Key": key} if key else {}
        return await self.http.request(
            method, f"/api/campaigns/a{path}", json=body, headers=headers
        )

    async def company(self) -> Any:
        """The table as they see it."""
        return (await self.ask("GET", "/company")).json()["company"]


@dataclass
class Company:
    """The people of a test."""

    served: Served
    stack: AsyncExitStack
    owner: httpx.AsyncClient

    async def invite(self, **wish: Any) -> str:
        """A link's code."""
        made = await self.owner.post("/api/campaigns/a/company/invites", json=wish)
        assert made.status_code == 201, made.text
        return str(made.json()["token"])

    async def guest(self, name: str, role: str = "player", **more: Any) -> Guest:
        """Someone who came in by a link, with a token as programs hold it."""
        code = await self.invite(role=role)
        wish = {"code": code, "name": name, "device": False, **more}
        bare = await self.client()
        came = await bare.post("/api/join", json=wish)
        assert came.status_code == 201, came.text
        told = came.json()
        bare.headers["authorization"] = f"Bearer {told['token']}"
        return Guest(name, told["person"], told["seat"], told["token"], bare)

    async def client(self) -> httpx.AsyncClient:
        """A stranger."""
        bare = httpx.AsyncClient(base_url=self.served.url, timeout=PATIENCE)
        return await self.stack.enter_async_context(bare)


@asynccontextmanager
async def gathered(served: Served, key: str = "") -> AsyncIterator[Company]:
    """The owner's table `a`, open to others."""
    async with AsyncExitStack() as stack:
        company = Company(served, stack, served.http)
        if key:
            company.owner = await company.client()
            company.owner.headers["authorization"] = f"Bearer {key}"
        opened = await company.owner.post("/api/campaigns/a/company", json={"name": "Anna"})
        assert opened.status_code == 200, opened.text
        yield company
