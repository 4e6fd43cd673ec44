"""How an event is put as a memory: what was said without its stage directions, the party as "we", a result in words. Pure."""

import re
from collections.abc import Mapping

from freeform.language.words import word_class

QUOTED = re.compile(r"[\"“]([^\"“”]+)[\"”]")
_OUTSIDE = re.compile(r"([\"“][^\"“”]*[\"”])")
_YOU = re.compile(r"\b(you(?:rselves|rself|rs|r)?)\b", re.I)
_OWN = {"your": "our", "yours": "ours", "yourself": "ourselves", "yourselves": "ourselves"}
RESULTS = {
    "success": "it worked", "strong": "it worked", "full": "it worked", "hit": "it worked",
    "critical_success": "it worked better than hoped", "critical": "it worked better than hoped",
    "mixed": "it worked, at a price", "partial": "it worked, at a price", "weak": "it worked, at a price",
    "failure": "it failed", "fail": "it failed", "miss": "it failed", "critical_failure": "it went badly wrong",
    "botch": "it went badly wrong", "fumble": "it went badly wrong",
}  # fmt: skip


def spoken(text: str) -> str:
    """What was said aloud in a passage, in one pair of quotes; the passage itself when nothing was."""
    said = [re.sub(r",$", ".", part.strip()) for part in QUOTED.findall(text)]
    return f'"{" ".join(said)}"' if said else text


def as_ours(text: str) -> str:
    """The game master's "you" as the party's "we"; what people said aloud stays as they said it."""
    parts = _OUTSIDE.split(text)
    return "".join(part if n % 2 else _ours(part) for n, part in enumerate(parts))


def wondering(title: str, status: str) -> str:
    """A question of the story that comes up or is settled: its title is often half a question."""
    first = title.split(" ")[0].lower()
    about = (
        f"{first}{title[len(first) :]}"
        if first in word_class("question_words")
        else f"about “{title}”"
    )
    if status == "active":
        return f"We began to wonder {about}."
    if status in ("resolved", "closed", "done", "answered"):
        return f"We know now {about}."
    return f"We no longer wonder {about}." if status in ("dropped", "abandoned", "failed") else ""


def topic_of(details: Mapping[str, object], things: Mapping[str, str]) -> str:
    """Whom or what an answer is of, by name; '' where only the story's own word for it is known."""
    topic, speaker = str(details.get("topic", "")), str(details.get("name", ""))
    found = next(
        (
            name
            for id, name in things.items()
            if topic and topic in (id, id.rsplit(":", 1)[-1], name)
        ),
        "",
    )
    return "" if found == speaker else found


def _ours(text: str) -> str:
    out, last = "", 0
    for found in _YOU.finditer(text):
        before = re.findall(r"[\w']+|[.!?:;—,]", text[: found.start()])
        after = re.match(r"\W*(\w*)", text[found.end() :])
        word = _our_word(
            found[1].lower(),
            before[-1].lower() if before else "",
            after[1].lower() if after else "",
        )
        starts = not before or before[-1] in ".!?"
        out += text[last : found.start()] + (
            word.capitalize() if starts and found[1][0].isupper() else word
        )
        last = found.end()
    return out + text[last:]


def _our_word(you: str, before: str, after: str) -> str:
    """After some words "you" does something; after others something is done to it, unless a sentence begins."""
    if you in _OWN:
        return _OWN[you]
    begins = not before or before in ".!?:;—," or before in word_class("before_a_doer")
    return "we" if begins and after else "us"
