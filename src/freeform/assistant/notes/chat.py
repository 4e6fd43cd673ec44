"""A SillyTavern chat (JSON lines) as Markdown notes: who said what, in sessions by day."""

import json
import re
from typing import Any

from freeform.core.errors import BadFile
from freeform.core.text import slug

_DATE = re.compile(r"(\d{4})-?(\d{2})-?(\d{2})|([A-Z][a-z]+) (\d{1,2}), (\d{4})")
_MONTHS = {m: i for i, m in enumerate(
    "January February March April May June July August September October November December".split(), start=1)}  # fmt: skip
MOST = 64 * 1024 * 1024


def is_chat(content: bytes) -> bool:
    """Whether it is such a chat: lines of JSON, the later ones with a name and a message."""
    lines = [line for line in content[:200_000].split(b"\n")[:6] if line.strip()]
    if len(lines) < 1 or not lines[0].lstrip().startswith(b"{"):
        return False
    rows = [_row(line) for line in lines[:5]]
    told = [row for row in rows if row is not None]
    head = bool(told) and (
        "chat_metadata" in told[0] or ("user_name" in told[0] and "character_name" in told[0])
    )
    return head or sum("mes" in row and "name" in row for row in told) >= 2


def _row(line: bytes) -> dict[str, Any] | None:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def chat_notes(content: bytes, file: str) -> tuple[str, str, int]:
    """A name for the chat, its Markdown, and how many messages it has. BadFile when none can be
    read."""
    rows = [
        row for line in content.split(b"\n") if line.strip() and (row := _row(line)) is not None
    ]
    said = [
        row
        for row in rows
        if isinstance(row.get("mes"), str) and row["mes"].strip() and not row.get("is_system")
    ]
    if not said:
        raise BadFile(file, "the chat holds no messages; export it again from SillyTavern")
    other = next(
        (str(r["character_name"]) for r in rows if isinstance(r.get("character_name"), str)), ""
    )
    other = other or next((str(r.get("name")) for r in said if not r.get("is_user")), "chat")
    lines = [f"# Chat with {other}", ""]
    day, number = None, 0
    for row in said:
        date = _date(row.get("send_date"))
        if date != day or not number:
            number += 1
            lines += [f"## Session {number}{f' ({date})' if date else ''}", ""]
            day = date
        text = re.sub(r"(?m)^#+ ", "", str(row["mes"]).replace("\r\n", "\n").strip())
        lines += [f"**{row.get('name') or 'Someone'}:** {text}", ""]
    return slug(other)[:60] or "chat", "\n".join(lines), len(said)


def _date(value: Any) -> str:
    match = _DATE.search(str(value or ""))
    if not match:
        return ""
    if match[1]:
        return f"{match[1]}-{match[2]}-{match[3]}"
    return f"{match[6]}-{_MONTHS.get(match[4], 1):02d}-{int(match[5]):02d}"
