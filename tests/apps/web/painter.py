"""A program that draws, on loopback: speaks OpenAI's images API, AUTOMATIC1111's and ComfyUI's, and misbehaves when told to.

    async with Painter("good") as painter:      painter.url, painter.asked (path and JSON of each request)

`good` · `refused` (401) · `broken` (500) · `policy` (400, with its reason) · `newer` (knows no `response_format`) · `few` (three sizes) · `huge` (20 MB)
· `svg` (a script instead of points) · `elsewhere` (the address of a picture on another server) · `hang` (never ends) · `odd` · `html`
"""

import asyncio
import base64
import io
import json
import re
from typing import Any, Self

from PIL import Image

SVG = b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>"
HUGE = 20_000_000
ID = "3f1c"
FEW = ("'1024x1024'", "'1024x1536'", "'1536x1024'")


def png(width: int = 640, height: int = 480) -> bytes:
    """A picture with something hidden beside its points."""
    out = io.BytesIO()
    Image.new("RGB", (width, height), (40, 90, 120)).save(out, "PNG", comment="zqhiddenzq")
    return out.getvalue()


class Painter:
    """One server, one move."""

    def __init__(self, move: str = "good") -> None:
        self.move = move
        self.asked: list[tuple[str, Any]] = []
        self.heads: list[str] = []
        self.began = asyncio.Event()
        self.stopped = asyncio.Event()

    async def __aenter__(self) -> Self:
        self._open: set[asyncio.StreamWriter] = set()
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.url = f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        for writer in self._open:
            writer.close()
        await self._server.wait_closed()

    @property
    def body(self) -> Any:
        """The last question with words to draw."""
        return next(body for _, body in reversed(self.asked) if body and "prompt" in body)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._open.add(writer)
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode()
            length = re.search(r"content-length: *(\d+)", head, re.IGNORECASE)
            body = json.loads(await reader.readexactly(int(length[1])) if length else b"null")
            path = head.split()[1]
            self.asked.append((path, body))
            self.heads.append(head.lower())
            await self._answer(path.partition("?")[0], body, writer)
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            self._open.discard(writer)
            writer.close()

    async def _answer(self, path: str, body: Any, writer: asyncio.StreamWriter) -> None:
        if path in ("/sdapi/v1/interrupt", "/interrupt"):
            self.stopped.set()
            return await self._send(writer, 200, {})
        if self.move in ("refused", "broken", "policy", "odd", "html"):
            return await self._refuse(writer)
        if path == "/view":
            return await self._bytes(writer, 200, self._picture())
        answers: dict[str, Any] = {
            "/v1/images/generations": self._openai,
            "/sdapi/v1/txt2img": self._a1111,
            "/prompt": lambda _: {"prompt_id": ID, "number": 1, "node_errors": {}},
            f"/history/{ID}": self._history,
            "/object_info/CheckpointLoaderSimple": lambda _: {
                "CheckpointLoaderSimple": {
                    "input": {"required": {"ckpt_name": [["inks.safetensors"]]}}
                }
            },
        }
        if path not in answers:
            return await self._send(writer, 404, {"detail": "Not Found"})
        answer = answers[path](body)
        if self.move == "newer" and "response_format" in (body or {}):
            said = "Unknown parameter: 'response_format'."
            return await self._send(writer, 400, {"error": {"message": said}})
        if self.move == "few" and f"'{body['size']}'" not in FEW:
            said = f"Invalid value: '{body['size']}'. Supported values are: {', '.join(FEW)}, auto."
            return await self._send(writer, 400, {"error": {"message": said}})
        if self.move == "hang" and not path.startswith(("/prompt", "/object_info", "/history")):
            self.began.set()
            await asyncio.Event().wait()
        await self._send(writer, 200, answer)

    async def _refuse(self, writer: asyncio.StreamWriter) -> None:
        match self.move:
            case "refused":
                await self._send(writer, 401, {"error": {"message": "bad key sk-zqkeyzq"}})
            case "policy":
                said = "Your request was rejected by the safety system."
                await self._send(writer, 400, {"error": {"message": said}})
            case "broken":
                await self._send(writer, 500, {"detail": "CUDA out of memory"})
            case "odd":
                await self._send(writer, 200, {"hello": "there"})
            case _:
                await self._bytes(writer, 200, b"<!doctype html><title>Gradio</title>")

    def _picture(self) -> bytes:
        if self.move == "huge":
            return bytes(HUGE)
        return SVG if self.move == "svg" else png()

    def _coded(self) -> str:
        return base64.b64encode(self._picture()).decode()

    def _openai(self, body: Any) -> Any:
        if self.move == "elsewhere":
            return {"data": [{"url": "http://127.0.0.1:1/picture.png"}]}
        return {"created": 1, "data": [{"b64_json": self._coded()}]}

    def _a1111(self, body: Any) -> Any:
        return {"images": [self._coded()], "parameters": {}, "info": "{}"}

    def _history(self, body: Any) -> Any:
        if self.move == "hang":
            self.began.set()
            return {}
        saved = {"filename": "a.png", "subfolder": "", "type": "output"}
        return {ID: {"outputs": {"7": {"images": [saved]}}, "status": {"completed": True}}}

    async def _send(self, writer: asyncio.StreamWriter, status: int, body: Any) -> None:
        await self._bytes(writer, status, json.dumps(body).encode())

    async def _bytes(self, writer: asyncio.StreamWriter, status: int, body: bytes) -> None:
        head = f"HTTP/1.1 {status} X\r\ncontent-length: {len(body)}\r\nconnection: close\r\n\r\n"
        writer.write(head.encode() + body)
        await writer.drain()
