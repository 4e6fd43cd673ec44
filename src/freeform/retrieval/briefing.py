"""Turns the sections of a place and of those present into a game master's notes for the scene."""

import re
from collections.abc import Sequence

from pydantic import Field

from freeform.core.record import Record
from freeform.core.text import count_tokens, plain_form
from freeform.retrieval.model import ContentPackChunk
from freeform.retrieval.scope import Role, role_of, same

_ITEM = re.compile(r"^[ \t]*(?:[-*+•]|\d+[.)])[ \t]+")
_PAIR = re.compile(
    r"^\**\[?`?(?P<left>[^:\n→*`\]]{2,80}?)`?\]?\**[ \t]*(?::\**|→|->|=>|—|–)[ \t]*\**(?P<right>.+)$",
    re.S,
)
_WHEN = re.compile(
    r"^(?:if|when) (?:(?:some|any)one |you |they |the players? )?(?P<left>[^,\n]{3,80}),\s*(?P<right>.+)$",
    re.S | re.I,
)


class NpcBriefing(Record):
    """How someone is, what they will tell and what they will not."""

    disposition: str = ""
    knows: list[str] = Field(default_factory=list)
    withholds: list[str] = Field(default_factory=list)
    capabilities: str = ""
    voice: str = ""
    who: str = ""


class DiscoverableNote(Record):
    """Something to be found, and what finds it."""

    trigger: str
    content: str


class SceneLore(Record):
    """The part of the scene's lore cache that comes from packs. `sources` are the chunks it was
    made of."""

    atmosphere: list[str] = Field(default_factory=list)
    npc_briefings: dict[str, NpcBriefing] = Field(default_factory=dict)
    discoverable: list[DiscoverableNote] = Field(default_factory=list)
    thread_connections: dict[str, str] = Field(default_factory=dict)
    sources: list[str] = Field(default_factory=list)
    total_tokens: int = 0


def brief(
    chunks: Sequence[ContentPackChunk],
    location_id: str,
    present: Sequence[str],
    threads: Sequence[str],
    max_tokens: int,
) -> SceneLore:
    """The notes for a scene, from the chunks about its place and those present, within the tokens.

    When tokens run short, those present and what can be found go before more prose about the place.
    """
    used: list[ContentPackChunk] = []
    left = max_tokens

    def take(document: str, *roles: Role) -> list[ContentPackChunk]:
        nonlocal left
        taken = []
        for chunk in chunks:
            wanted = same(document, chunk.document) and _part_of(chunk, roles) and chunk not in used
            if wanted and chunk.metadata.token_count <= left:
                left -= chunk.metadata.token_count
                used.append(chunk)
                taken.append(chunk)
        return taken

    briefings: dict[str, NpcBriefing] = {}
    for who in present:
        if any(same(who, chunk.document) for chunk in chunks):
            briefings[who] = NpcBriefing(
                disposition=_prose(take(who, "disposition") or take(who, "")[:1]),
                knows=[item for chunk in take(who, "knows") for item in items(chunk.chunk_text)],
                withholds=[
                    item for chunk in take(who, "withholds") for item in items(chunk.chunk_text)
                ],
                capabilities=_prose(take(who, "capabilities")),
                voice=_prose(take(who, "voice")),
                who=_prose(take(who, "")[:1]),
            )
    finds = [
        found
        for chunk in take(location_id, "discoverable")
        for found in discoverables(chunk.chunk_text)
    ]
    connections: dict[str, str] = {}
    for owner in (location_id, *present):
        for chunk in take(owner, "threads"):
            for thread, text in thread_lines(chunk.chunk_text, threads).items():
                connections[thread] = (
                    f"{connections[thread]} {text}" if thread in connections else text
                )
    mood = take(location_id, "atmosphere") or take(location_id, "")[:1]
    return SceneLore(
        atmosphere=[part for chunk in mood for part in paragraphs(chunk.chunk_text)],
        npc_briefings=briefings,
        discoverable=finds,
        thread_connections=connections,
        sources=[chunk.id for chunk in used],
        total_tokens=sum(count_tokens(chunk.chunk_text) for chunk in used),
    )


def _part_of(chunk: ContentPackChunk, roles: Sequence[Role]) -> bool:
    """Whether the chunk is a section of that role; the empty role is the overview."""
    if chunk.id.endswith(":overview"):
        # A title is a name, whatever word it is.
        return "" in roles
    role = role_of(chunk.heading)
    return role != "" and role in roles


def _prose(chunks: Sequence[ContentPackChunk]) -> str:
    return " ".join(" ".join(chunk.chunk_text.split()) for chunk in chunks)


def paragraphs(text: str) -> list[str]:
    """Paragraphs, each on one line; list items count as paragraphs."""
    parts: list[str] = []
    for block in re.split(r"\n[ \t]*\n", text):
        if any(_ITEM.match(line) for line in block.splitlines()):
            parts += items(block)
        elif block.strip():
            parts.append(" ".join(block.split()))
    return parts


def items(text: str) -> list[str]:
    """The items of a list; of prose, its paragraphs. Headings inside are left out."""
    lines = [
        line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")
    ]
    if not any(_ITEM.match(line) for line in lines):
        return paragraphs(
            "\n".join(line for line in text.splitlines() if not line.lstrip().startswith("#"))
        )
    found: list[str] = []
    for line in lines:
        if _ITEM.match(line):
            found.append(_ITEM.sub("", line).strip())
        elif found and line[:1] in " \t":
            found[-1] = f"{found[-1]} {line.strip()}"
        else:
            found.append(line.strip())
    return found


def discoverables(text: str) -> list[DiscoverableNote]:
    """`- search behind the bar: a comm unit`, `- **trigger** → content`, `If someone lifts the
    board, …`."""
    found = []
    for item in items(text):
        pair = _PAIR.match(item) or _WHEN.match(item)
        left, right = (pair["left"], pair["right"]) if pair else ("search", item)
        found.append(DiscoverableNote(trigger=left.strip(" *`"), content=right.strip(" *")))
    return found


def thread_lines(text: str, threads: Sequence[str]) -> dict[str, str]:
    """`- main_case: he spoke to Jin last`: what the section says of the open threads, by thread
    id."""
    found: dict[str, str] = {}
    for item in items(text):
        pair = _PAIR.match(item)
        if not pair:
            continue
        named = plain_form(pair["left"].strip(" *`")).replace(" ", "_")
        for thread in threads:
            if same(named, thread):
                found[thread] = pair["right"].strip(" *")
    return found
