"""An invitation as people pass it on: an address that others reach, and its QR code.

The secret stands behind the `#`: a browser never sends that part, so no server's log holds it.
"""

import io
from importlib.util import find_spec

from freeform.core.errors import UserError
from freeform.wiring.people import lan_address

PORT = 8420
LOOPBACK = ("127.0.0.1", "localhost", "::1")
EVERYWHERE = ("0.0.0.0", "::", "")


def reached_at(host: str, port: int = PORT) -> str:
    """The address that others open: that of this machine where it listens everywhere."""
    name = (lan_address() or "127.0.0.1") if host in EVERYWHERE else host
    return f"http://[{name}]:{port}" if ":" in name else f"http://{name}:{port}"


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
