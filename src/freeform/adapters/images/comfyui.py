"""ComfyUI: a workflow is put into its queue, looked after until it is done, and fetched."""

import asyncio
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from freeform.adapters.images.wire import ImageWire
from freeform.core.address import host_of
from freeform.core.errors import BadFile, BadReply, BadSettings, Unavailable
from freeform.core.images import ImageWish
from freeform.core.text import shorten, visible

HERE = "http://127.0.0.1:8188"
STEPS = 25
LOOK_S = 0.5
_LOADER = "/object_info/CheckpointLoaderSimple"
_MARKS = ("prompt", "leave_out", "seed", "width", "height", "model")


class ComfyUi:
    """One server. `workflow` is a file of its own *Save (API format)*, with `{prompt}` and, where
    wanted, `{leave_out}`, `{seed}`, `{width}`, `{height}` and `{model}` as values."""

    def __init__(self, url: str, model: str, seconds: float, workflow: Path | None = None) -> None:
        self._url, self._model, self._seconds = url or HERE, model, seconds
        self._workflow = workflow

    @property
    def name(self) -> str:
        """What draws, and where."""
        return f"{self._model or 'ComfyUI'} at {host_of(self._url)}"

    async def draw(self, wish: ImageWish) -> bytes:
        """One picture; whoever cancels this takes it from the queue, or interrupts it."""
        async with ImageWire(self._url, {}, self._seconds) as wire:
            asked = await self._filled(wire, wish)
            answer = await wire.post(
                "/prompt", {"prompt": asked, "client_id": f"freeform-{wish.seed}"}
            )
            id = answer.get("prompt_id") if isinstance(answer, dict) else None
            if not isinstance(id, str):
                raise BadReply(f"{wire.url} did not answer as ComfyUI does")
            try:
                where = await _finished(wire, id)
            except asyncio.CancelledError:
                await asyncio.shield(_stop(wire, id))
                raise
            return await wire.bytes_at(f"/view?{urlencode(where)}")

    async def _filled(self, wire: ImageWire, wish: ImageWish) -> dict[str, Any]:
        values: dict[str, Any] = wish.model_dump()
        values["leave_out"] = ", ".join(wish.leave_out)
        values["model"] = self._model
        if self._workflow:
            own = _with(_read(self._workflow), values)
            return dict(own)
        values["model"] = self._model or await _first_model(wire)
        return _plain(values)


async def _first_model(wire: ImageWire) -> str:
    """The first checkpoint that the server has."""
    told = await wire.get(_LOADER)
    try:
        return str(told["CheckpointLoaderSimple"]["input"]["required"]["ckpt_name"][0][0])
    except (KeyError, IndexError, TypeError):
        raise BadSettings(
            f"{wire.url} has no checkpoint to draw with; put one into its folder, or set "
            "`image_workflow` to a workflow of your own"
        ) from None


async def _finished(wire: ImageWire, id: str) -> dict[str, str]:
    """Where the picture lies, once it is made."""
    while True:
        told = await wire.get(f"/history/{id}")
        row = told.get(id) if isinstance(told, dict) else None
        if isinstance(row, dict):
            found = _first_picture(row.get("outputs"))
            if found:
                return found
            raise Unavailable(f"{wire.url} made no picture ({_complaint(row)})")
        await asyncio.sleep(LOOK_S)


def _first_picture(outputs: object) -> dict[str, str] | None:
    for node in outputs.values() if isinstance(outputs, dict) else ():
        for row in node.get("images", ()) if isinstance(node, dict) else ():
            parts = ("filename", "subfolder", "type")
            return {name: str(row.get(name, "")) for name in parts}
    return None


def _complaint(row: Mapping[str, Any]) -> str:
    """What the server says went wrong; else that its workflow saves nothing."""
    status = row.get("status")
    messages = status.get("messages", []) if isinstance(status, dict) else []
    for message in messages:
        if isinstance(message, list) and len(message) > 1 and isinstance(message[1], dict):
            said = message[1].get("exception_message")
            if said:
                return shorten(visible(str(said)), 300)
    return "its workflow saves none"


async def _stop(wire: ImageWire, id: str) -> None:
    await wire.tell("/queue", {"delete": [id]})
    await wire.tell("/interrupt", {"prompt_id": id})


def _read(file: Path) -> Any:
    try:
        data = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as wrong:
        raise BadFile(str(file), f"is no workflow in API format ({wrong})") from None
    if not isinstance(data, dict) or "{prompt}" not in json.dumps(data):
        raise BadFile(str(file), "has no `{prompt}` in it; save it in API format and put it there")
    return data


def _with(part: Any, values: Mapping[str, Any]) -> Any:
    """A workflow with what was asked where its marks stand; a whole mark keeps its kind."""
    if isinstance(part, dict):
        return {name: _with(inner, values) for name, inner in part.items()}
    if isinstance(part, list):
        return [_with(inner, values) for inner in part]
    if not isinstance(part, str):
        return part
    for mark in _MARKS:
        if part == f"{{{mark}}}":
            return values[mark]
    for mark in _MARKS:
        part = part.replace(f"{{{mark}}}", str(values[mark]))
    return part


def _plain(values: Mapping[str, Any]) -> dict[str, Any]:
    """Text to a picture with one checkpoint, as ComfyUI's own first workflow does it."""

    def node(kind: str, **inputs: Any) -> dict[str, Any]:
        return {"class_type": kind, "inputs": inputs}

    return {
        "1": node("CheckpointLoaderSimple", ckpt_name=values["model"]),
        "2": node("CLIPTextEncode", text=values["prompt"], clip=["1", 1]),
        "3": node("CLIPTextEncode", text=values["leave_out"], clip=["1", 1]),
        "4": node("EmptyLatentImage", width=values["width"], height=values["height"], batch_size=1),
        "5": node(
            "KSampler",
            model=["1", 0],
            positive=["2", 0],
            negative=["3", 0],
            latent_image=["4", 0],
            seed=values["seed"],
            steps=STEPS,
            cfg=7.0,
            sampler_name="euler",
            scheduler="normal",
            denoise=1.0,
        ),
        "6": node("VAEDecode", samples=["5", 0], vae=["1", 2]),
        "7": node("SaveImage", images=["6", 0], filename_prefix="freeform"),
    }
