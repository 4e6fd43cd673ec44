"""OpenAI's images API, and all that speak so: `POST /images/generations`."""

import math
import re
from typing import Any

from freeform.adapters.images.wire import DoorRefused, ImageWire, from_base64, same_server
from freeform.core.address import host_of
from freeform.core.errors import BadReply
from freeform.core.images import ImageWish

OPENAI = "https://api.openai.com/v1"
_AS_BYTES = "response_format"
_BAD_REQUEST = 400
_DRAW = "/images/generations"
_MOST_CHANGES = 2
_SIZE = re.compile(r"\b([1-9]\d{2,3})x([1-9]\d{2,3})\b")


class OpenAiImages:
    """One model at one address; `url` ends before `/images`."""

    def __init__(self, url: str, model: str, key: str, seconds: float) -> None:
        self._url, self._model, self._seconds = url or OPENAI, model, seconds
        self._headers = {"Authorization": f"Bearer {key}"} if key else {}

    @property
    def name(self) -> str:
        """What draws, and where."""
        return f"{self._model or 'images'} at {host_of(self._url)}"

    async def draw(self, wish: ImageWish) -> bytes:
        """One picture."""
        prompt = wish.prompt
        if wish.leave_out:  # this protocol has no field for it
            prompt += f" Leave out of the picture entirely: {', '.join(wish.leave_out)}."
        body: dict[str, Any] = {"prompt": prompt, "n": 1, "size": f"{wish.width}x{wish.height}"}
        if self._model:
            body["model"] = self._model
        async with ImageWire(self._url, self._headers, self._seconds) as wire:
            answer = await self._ask(wire, body)
            return await self._picture(wire, answer)

    async def _ask(self, wire: ImageWire, body: dict[str, Any]) -> Any:
        """Older models send an address unless bytes are asked for; newer ones know no such wish.
        Many take a few sizes only, and say which."""
        asked = {**body, _AS_BYTES: "b64_json"}
        for _ in range(_MOST_CHANGES):
            try:
                return await wire.post(_DRAW, asked)
            except DoorRefused as no:
                changed = _as_it_likes(asked, no)
                if changed is None:
                    raise
                asked = changed
        return await wire.post(_DRAW, asked)

    async def _picture(self, wire: ImageWire, answer: Any) -> bytes:
        try:
            row = answer["data"][0]
            coded, address = row.get("b64_json"), row.get("url")
        except (KeyError, IndexError, TypeError, AttributeError):
            raise BadReply(f"{wire.url} did not answer as OpenAI's images API does") from None
        if coded or not address:
            return from_base64(coded, wire.url)
        if not same_server(str(address), wire.url):
            raise BadReply(f"{wire.url} sent the address of a picture elsewhere: it is not fetched")
        async with ImageWire(str(address), {}, self._seconds) as there:
            return await there.bytes_at("")


def _as_it_likes(asked: dict[str, Any], no: DoorRefused) -> dict[str, Any] | None:
    """The question as a server that refused it would take it; None where it does not say how."""
    if no.status != _BAD_REQUEST:
        return None
    if _AS_BYTES in asked and _AS_BYTES in no.said:
        return {name: value for name, value in asked.items() if name != _AS_BYTES}
    sizes = {match[0] for match in _SIZE.finditer(no.said)} - {asked["size"]}
    if not sizes:
        return None
    shape, area = _measured(asked["size"])

    def distance(size: str) -> tuple[float, float]:
        other, points = _measured(size)
        return abs(math.log(other / shape)), abs(math.log(points / area))

    return {**asked, "size": min(sorted(sizes), key=distance)}


def _measured(size: str) -> tuple[float, int]:
    """How wide a size is for its height, and how many points it has."""
    width, height = map(int, size.split("x"))
    return width / height, width * height
