"""AUTOMATIC1111's web UI and those that speak as it does: `POST /sdapi/v1/txt2img`."""

import asyncio
import base64
from typing import Any

from freeform.adapters.images.wire import ImageWire, from_base64
from freeform.core.address import host_of
from freeform.core.errors import BadReply
from freeform.core.images import ImageWish

HERE = "http://127.0.0.1:7860"
STEPS = 25


class Automatic1111:
    """One server; `key` is `name:password`, where it was started with `--api-auth`."""

    def __init__(self, url: str, model: str, key: str, seconds: float) -> None:
        self._url, self._model, self._seconds = url or HERE, model, seconds
        coded = base64.b64encode(key.encode()).decode()
        self._headers = {"Authorization": f"Basic {coded}"} if key else {}

    @property
    def name(self) -> str:
        """What draws, and where."""
        return f"{self._model or 'AUTOMATIC1111'} at {host_of(self._url)}"

    async def draw(self, wish: ImageWish) -> bytes:
        """One picture; whoever cancels this interrupts it there."""
        body: dict[str, Any] = {
            "prompt": wish.prompt,
            "negative_prompt": ", ".join(wish.leave_out),
            "width": wish.width,
            "height": wish.height,
            "seed": wish.seed,
            "steps": STEPS,
            "batch_size": 1,
            "n_iter": 1,
            "save_images": False,
        }
        if self._model:
            body["override_settings"] = {"sd_model_checkpoint": self._model}
        async with ImageWire(self._url, self._headers, self._seconds) as wire:
            try:
                answer = await wire.post("/sdapi/v1/txt2img", body)
            except asyncio.CancelledError:
                await asyncio.shield(wire.tell("/sdapi/v1/interrupt", {}))
                raise
            try:
                coded = answer["images"][0]
            except (KeyError, IndexError, TypeError):
                raise BadReply(f"{wire.url} did not answer as AUTOMATIC1111 does") from None
            return from_base64(coded, wire.url)
