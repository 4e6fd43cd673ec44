"""How a player without a model sounds: a register from its traits, lines with what is being talked
of in them, and now and then a line of its own file."""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib.resources import files
from typing import Any

import yaml

from freeform.core.chance import Chance
from freeform.core.text import plain_form
from freeform.engine.rules.known import inside
from freeform.language.forms import verb_forms
from freeform.offline.suggestions import short
from freeform.players.model import BasePersona, Option, Traits
from freeform.players.round.options import as_option, kind_of

_HOLE = re.compile(r"\{(\w+)\}")
OWN_LINE = 0.2
"""How often a line of one's own file is used where there is one that was not said lately."""


@lru_cache(maxsize=1)
def registers() -> dict[str, Any]:
    """Every register's lines; `why` has reasons, `play` what characters say."""
    text = (files("freeform.offline.players") / "registers.yaml").read_text(encoding="utf-8")
    table: dict[str, Any] = yaml.load(text, Loader=yaml.CSafeLoader)
    return table


def register_of(traits: Traits) -> str:
    """How someone of that nature talks: by what stands out most in it."""
    pull = {
        "dry": traits.analytical,
        "warm": traits.emotional_memory,
        "bold": traits.confidence + 0.6 * (1 - traits.caution) - 0.4,
        "careful": traits.caution,
    }
    return max(pull, key=lambda name: pull[name])


def say(
    lines: Sequence[str], words: Mapping[str, str], before: Sequence[str], chance: Chance
) -> str:
    """A line that can be filled and was not said lately; '' where there is none."""
    fits = [line for line in lines if _fits(line, words)]
    said = {plain_form(text) for text in before}
    filled = [filled_in(line, words) for line in fits]
    fresh = [text for text in filled if said.isdisjoint(_sentences(text))]
    if not fresh:
        return ""
    lately = " ".join(said)
    unworn = [
        t for t, line in zip(filled, fits, strict=True) if t in fresh and _core(line) not in lately
    ]
    return chance.choose(unworn or fresh)


def _fits(line: str, words: Mapping[str, str]) -> bool:
    return all(words.get(hole.lower()) for hole in _HOLE.findall(line))


def _sentences(text: str) -> list[str]:
    parts = re.split(r"(?<=[.!?])\s+", plain_form(text))
    return [part for part in parts if part.count(" ") >= 2]


def _core(line: str) -> str:
    """The longest stretch of a line without a gap: what one would notice twice."""
    return plain_form(max(_HOLE.split(line)[::2], key=len)).strip(" .")


def filled_in(line: str, words: Mapping[str, str]) -> str:
    """The line with its words; a hole with a capital gets one, and so does the beginning of a line
    that has one or begins with a hole."""

    def put(found: "re.Match[str]") -> str:
        word = words[found[1].lower()]
        return begin(word) if found[1][0].isupper() else word

    text = re.sub(r"([.!?…])\.", r"\1", _HOLE.sub(put, line))
    return begin(text) if line[:1].isupper() or line[:1] == "{" else text


def own_line(persona: BasePersona, occasion: str, before: Sequence[str], chance: Chance) -> str:
    """A line of the persona's file for that occasion, if it says nothing that must be filled in."""
    plain = [line for line in persona.lines.get(occasion, ()) if "{" not in line]
    if not plain or chance.at("own").fraction() >= OWN_LINE:
        return ""
    return say(plain, {}, before, chance.at("own line"))


def called(name: str) -> str:
    """What friends call someone: the nickname, else the first name."""
    nick = re.search(r"[\"“](\w+)[\"”]", name)
    return nick[1] if nick else short(name)


def subject(option: Option) -> str:
    """What an option is about, in a word or two, inside a sentence."""
    if option.kind == "use" and kind_of(option.text) == "ask":
        option = as_option(option.text)
    if option.kind in ("ask", "show") and option.topic:
        return inside(option.topic)
    if option.topic == "help" and option.who:
        return f"helping {inside(option.who)}"
    return inside(option.who.removeprefix("in ")) or small(option.text)


def done_form(option: str) -> str:
    """`Ask Dutch about Jin` as what is done by then: `asked Dutch about Jin`."""
    head, _, rest = option.partition(" ")
    verb = head.lower()
    return f"{_DONE.get(verb, verb_forms(verb)[-1])} {rest}".strip()


_DONE = {
    "take": "taken",
    "show": "shown",
    "go": "gone",
    "read": "read",
    "ring": "rung",
    "think": "thought",
    "break": "broken",
    "give": "given",
}


def begin(text: str) -> str:
    """With a capital."""
    return text[:1].upper() + text[1:]


def small(text: str) -> str:
    """Without one."""
    return text[:1].lower() + text[1:]
