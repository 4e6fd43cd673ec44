"""OpenAI's images API, and all that speak so: `POST /images/generations`."""

from typing import Any
from urllib.parse import urlsplit

from freeform.adapters.images.wire import DoorRefused, ImageWire, from_base64, same_server
from freeform.core.errors import BadReply
from freeform.core.images import ImageWish

OPENAI = "https://api.openai.com/v1"
_AS_BYTES = "response_format"
_BAD_REQUEST = 400


class OpenAiImages:
    """One model at one address; `url` ends before `/images`."""

    def __init__(self, url: str, model: str, key: str, seconds: float) -> None:
        self._url, self._model, self._seconds = url or OPENAI, model, seconds
        self._headers = {"Authorization": f"Bearer {key}"} if key else {}

    @property
    def name(self) -> str:
        """What draws, and where."""
        return f"{self._model or 'images'} at {urlsplit(self._url).netloc}"

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
        """Older models send an address unless bytes are asked for; newer ones know no such wish."""
        try:
            return await wire.post("/images/generations", {**body, _AS_BYTES: "b64_json"})
        except DoorRefused as no:
            if no.status != _BAD_REQUEST or _AS_BYTES not in no.said:
                raise
        return await wire.post("/images/generations", body)

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
