"""Questions to a program that draws: an answer has a limit, a failure is one sentence."""

import base64
import binascii
import json
from types import TracebackType
from typing import Any, Self
from urllib.parse import unquote, urlsplit

import httpx2

from freeform.core.address import is_this_machine, is_web_address, without_password
from freeform.core.errors import BadReply, BadSettings, TooLarge, Unavailable
from freeform.core.images import MOST_BYTES
from freeform.core.text import shorten, visible

_CONNECT_S = 10.0
_MOST_SAID = 300
_REFUSED = (401, 403)


class DoorRefused(Unavailable):
    """The server said no: its status, and what it says of it."""

    def __init__(self, message: str, status: int, said: str) -> None:
        self.status, self.said = status, said
        super().__init__(message, passing=status >= 500 or status == 429)


class ImageWire:
    """One server; `url` is its address without a slash at the end, and without a name and password,
    which are sent but never told. Open it with `async with`."""

    def __init__(self, url: str, headers: dict[str, str], seconds: float) -> None:
        if not is_web_address(url):
            raise BadSettings("`image_url` is no address; write it as http://127.0.0.1:7860")
        self.url = without_password(url).rstrip("/")
        self._client = httpx2.AsyncClient(
            headers=headers,
            auth=_user_in(url),
            timeout=httpx2.Timeout(seconds, connect=_CONNECT_S),
            trust_env=not is_this_machine(self.url),
            follow_redirects=False,
        )

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        wrong: BaseException | None,
        where: TracebackType | None,
    ) -> None:
        await self._client.aclose()

    async def post(self, path: str, body: dict[str, Any]) -> Any:
        """The JSON answer to a question in JSON."""
        return _json(await self._ask("POST", path, body), self.url)

    async def get(self, path: str) -> Any:
        """The JSON at an address of that server."""
        return _json(await self._ask("GET", path, None), self.url)

    async def bytes_at(self, path: str) -> bytes:
        """What lies at an address of that server."""
        return await self._ask("GET", path, None)

    async def tell(self, path: str, body: dict[str, Any]) -> None:
        """Says something to which no answer is needed, as `stop`; whatever comes of it."""
        try:
            await self._client.post(f"{self.url}{path}", json=body, timeout=_CONNECT_S)
        except (httpx2.HTTPError, httpx2.InvalidURL):
            return

    async def _ask(self, method: str, path: str, body: dict[str, Any] | None) -> bytes:
        try:
            asking = self._client.stream(method, f"{self.url}{path}", json=body)
            async with asking as answer:
                content = await _read(answer, self.url)
        except httpx2.InvalidURL as wrong:
            raise BadSettings(f"`image_url` {self.url!r} is no address ({wrong})") from None
        except httpx2.HTTPError as lost:
            said = str(lost) or "no answer in time"
            raise Unavailable(
                f"nothing answers at {self.url} ({said}); is the program that draws running?"
            ) from None
        if answer.status_code >= 300:
            raise _refusal(self.url, answer.status_code, content)
        return content


def _user_in(url: str) -> tuple[str, str] | None:
    """The name and password in an address."""
    parts = urlsplit(url)
    named = (unquote(parts.username or ""), unquote(parts.password or ""))
    return named if any(named) else None


async def _read(answer: httpx2.Response, url: str) -> bytes:
    """The whole answer, within the limit; the rest of a longer one is not fetched."""
    pieces: list[bytes] = []
    size = 0
    async for piece in answer.aiter_bytes():
        size += len(piece)
        if size > MOST_BYTES:
            raise TooLarge(
                f"{url} sends more than {MOST_BYTES // 1_000_000} MB for one picture, which is "
                "not taken; ask for a smaller one with `image_size`"
            )
        pieces.append(piece)
    return b"".join(pieces)


def _refusal(url: str, status: int, content: bytes) -> Exception:
    said = _said(content)
    if status in _REFUSED:
        return BadSettings(f"{url} refuses the key; look whether `image_key` is whole")
    told = f" ({said})" if said else ""
    if 300 <= status < 400:
        return BadSettings(f"{url} sends us elsewhere, where no key is sent; set `image_url` so")
    fix = "try again later" if status >= 500 or status == 429 else "look at the address and model"
    fix = "set `image_size` to one that it takes" if status == 400 and "size" in said else fix
    return DoorRefused(f"{url} answered {status}{told}; {fix}", status, said)


def _said(content: bytes) -> str:
    """What a server says of its own failure: `error.message`, `detail`, or a line of text."""
    try:
        data = json.loads(content)
    except ValueError:
        data = content.decode(errors="replace")
    if isinstance(data, dict):
        error = data.get("error", data.get("detail", data.get("errors", "")))
        data = error.get("message", error) if isinstance(error, dict) else error
    return shorten(visible(str(data)), _MOST_SAID) if data else ""


def _json(content: bytes, url: str) -> Any:
    try:
        return json.loads(content)
    except ValueError:
        raise BadReply(
            f"{url} did not answer in JSON; look at `image_door` and the address"
        ) from None


def from_base64(text: object, url: str) -> bytes:
    """A picture as it stands in JSON, with or without `data:image/png;base64,` before it."""
    if not isinstance(text, str) or not text:
        raise BadReply(f"{url} sent no picture; look at `image_door` and the model")
    try:
        return base64.b64decode(text.partition(",")[2] if text.startswith("data:") else text)
    except (binascii.Error, ValueError):
        raise BadReply(f"{url} sent a picture that does not read; try again") from None


def same_server(url: str, other: str) -> bool:
    """Whether two addresses are of one server."""
    one, two = urlsplit(url), urlsplit(other)
    return (one.scheme, one.netloc) == (two.scheme, two.netloc)
