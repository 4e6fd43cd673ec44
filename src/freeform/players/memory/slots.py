"""Finds the details in a sentence that can be lost by themselves: names, places, numbers, times, feelings. Pure."""

import re
from collections.abc import Collection, Mapping
from typing import Literal

from freeform.core.text import shorten
from freeform.language.sentences import sentences
from freeform.language.words import word_class
from freeform.players.memory.model import Kind, Slot
from freeform.players.memory.wording import NUMBER_WORDS, feeling_words

LONGEST = 240
MOST = 4
"""Details besides the gist: more than people keep apart."""
Role = Literal["who", "what", "place"]
_KIND: dict[Role, Kind] = {"who": "name", "what": "name", "place": "place"}
_UNITS = (
    r"(?:\s+(?:gold pieces|gold|silver|copper|cred|credits?|coins?|crowns?|pieces?|men|guards?|days?|hours?|minutes?"
    r"|nights?|weeks?|months?|years?|times))?"
)
_NUMBER = re.compile(
    rf"(?<![\w:.-])(?:\d{{1,2}}:\d\d|\d+(?:,\d{{3}})*|{NUMBER_WORDS}){_UNITS}(?![\w:-])", re.I
)
_MONTH = "january|february|march|april|may|june|july|august|september|october|november|december"
_TIME = re.compile(
    rf"\b(?:(?:on )?the \w+(?:st|nd|rd|th|cond|ird) of (?:{_MONTH})|"
    r"(?:on |last |next )?(?:mon|tues|wednes|thurs|fri|satur|sun)day|yesterday|tomorrow|tonight|last night"
    r"|(?:in|of) (?:march|may)|(?:in )?(?:january|february|april|june|july|august|september|october|november|december)"
    r"|at (?:about )?(?:dawn|noon|dusk|midnight)|(?:before|after) (?:dawn|noon|dusk|midnight|dark))\b", re.I,
)  # fmt: skip
_PROPER = re.compile(r"(?<=[a-z,;] )(?:[A-Z][a-z]+\s)*[A-Z][a-z]+")


def one_line(text: str) -> str:
    """The first sentences of a text, as much as one memory holds."""
    kept = ""
    for sentence in sentences(" ".join(text.split())):
        if kept and len(kept) + len(sentence) > LONGEST:
            break
        kept = f"{kept} {sentence}".strip()
    return shorten(kept, LONGEST)


def slots_in(
    text: str, known: Mapping[str, Role], speaker: str = "", leave: Collection[str] = ()
) -> tuple[Slot, ...]:
    """The details of a sentence, and its gist. `known` are names with what they are; `speaker` is its source;
    the names in `leave` are never lost (who acted knows that they did)."""
    spans: list[tuple[int, int, Kind, str]] = []
    own = {word for name in leave for word in (name, *name.split())}

    def take(start: int, end: int, kind: Kind, role: str) -> None:
        if (
            end > start
            and text[start:end] not in own
            and all(end <= s or start >= e for s, e, _, _ in spans)
        ):
            spans.append((start, end, kind, role))

    if speaker and (at := text.find(speaker)) >= 0:
        take(at, at + len(speaker), "source", "source")
    for name in sorted(known, key=lambda name: (-len(name), name)):
        if name and (found := re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text)):
            take(found.start(), found.end(), _KIND[known[name]], known[name])
    for found in _TIME.finditer(text):
        take(found.start(), found.end(), "order", "when")
    for found in _NUMBER.finditer(text):
        take(found.start(), found.end(), "number", "number")
    for start, end in feeling_words(text):
        take(start, end, "feeling", "feeling")
    for found in _PROPER.finditer(text):
        if found[0].lower() not in word_class("no_proper_names") and own.isdisjoint(
            found[0].split()
        ):
            take(found.start(), found.end(), "name", "who")
    slots: list[Slot] = []
    for start, end, kind, role in sorted(spans):
        # The same words twice are one detail.
        if len(slots) < MOST and text[start:end] not in [slot.text for slot in slots]:
            slots.append(Slot(name=f"{role}_{len(slots) + 1}", kind=kind, text=text[start:end]))
    return (*slots, Slot(name="gist", kind="gist", text=text))
