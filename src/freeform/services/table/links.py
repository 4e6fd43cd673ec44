"""An invitation as people pass it on: an address that others reach, and its QR code.

The secret stands behind the `#`: a browser never sends that part, so no server's log holds it.
"""

import io
import json
from importlib.util import find_spec
from pathlib import Path

from freeform.core.errors import UserError
from freeform.packs.lock import write_atomically
from freeform.wiring.people import lan_address

PORT = 8420
NOTED = ".serving"
LOOPBACK = ("127.0.0.1", "localhost", "::1")
EVERYWHERE = ("0.0.0.0", "::", "")


def reached_at(host: str, port: int = PORT) -> str:
    """The address that others open: that of this machine where it listens everywhere."""
    name = (lan_address() or "127.0.0.1") if host in EVERYWHERE else host
    return f"http://[{name}]:{port}" if ":" in name else f"http://{name}:{port}"


def said_at(host: str, port: int) -> str:
    """Where a server that has begun says it is: for whoever sits there, and for the others."""
    other = reached_at(host, port)
    if host not in EVERYWHERE:
        return f"{other}/"
    return f"http://127.0.0.1:{port}/ here and {other}/ for others"


def note_address(home: Path, url: str) -> None:
    """Keeps where this home is served, for links that are made on the command line."""
    write_atomically(home / NOTED, json.dumps({"url": url}).encode())


def forget_address(home: Path) -> None:
    """It is served no longer."""
    (home / NOTED).unlink(missing_ok=True)


def noted_address(home: Path) -> str:
    """Where this home is served, or was until its server was killed; '' where none is known."""
    try:
        found = json.loads((home / NOTED).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return ""
    return str(found.get("url", "")) if isinstance(found, dict) else ""


def is_reached_by_others(host: str) -> bool:
    """Whether other machines can come in at all."""
    return host not in LOOPBACK


def join_url(base: str, code: str) -> str:
    """The link of an invitation."""
    return f"{base.rstrip('/')}/join#{code}"


def code_in(link: str) -> tuple[str, str]:
    """The server and the code that a link holds. UserError where it is no such link."""
    base, mark, code = link.strip().partition("/join#")
    if not mark or not code or not base.startswith(("http://", "https://")):
        raise UserError(
            "that is no invitation; it looks like http://192.168.0.5:8420/join#story.in_1.secret"
        )
    return base, code


def qr_svg(url: str) -> str:
    """The link as a picture; '' where the extra `web` is not installed."""
    if find_spec("segno") is None:
        return ""
    import segno

    out = io.BytesIO()
    segno.make(url, error="m", micro=False).save(
        out, kind="svg", xmldecl=False, border=2, scale=4, dark="#000", light="#fff"
    )
    return out.getvalue().decode()


def qr_lines(url: str) -> list[str]:
    """The link as half blocks, for a terminal; none where the extra `web` is not installed."""
    if find_spec("segno") is None:
        return []
    import segno

    out = io.StringIO()
    segno.make(url, error="l", micro=False).terminal(out, border=2, compact=True)
    return out.getvalue().splitlines()
