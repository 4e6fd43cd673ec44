"""Characters without a model: a directive becomes an attempt in the first person, with words said
in their manner."""

import re

from freeform.core.chance import Chance
from freeform.core.text import plain_form
from freeform.engine.rules.known import inside
from freeform.language.sentences import sentences
from freeform.offline.players.voice import filled_in, registers
from freeform.players.model import Character, Option
from freeform.players.passes import ActReply, CharacterInput, ReactReply
from freeform.players.round.options import as_option, kind_of
from freeform.players.words.overreach import find_overreach

_ASIDE = re.compile(
    r"^(?:you should|please|go and|i want you to|i'd like you to|now|then|just)\s+", re.I
)
_HOLDS = re.compile(
    r"(?:stay|hold (?:back|on)|stand|be there|do nothing|wait(?! and)|listen|keep)\b", re.I
)
_WINS = {
    "ask": "{deed} and {who} tells me everything.",
    "look": "{deed} and find what they missed.",
    "take": "{deed} and nobody notices me.",
    "show": "{deed} and {who} confesses.",
    "go": "{deed} and slip in unnoticed.",
}
"""How a bold character takes success for granted; the check sends it back."""
_OVERBOLD, _HOW_OFTEN = 0.7, 0.12
_SPEAKS = {"good": 0.5, "bad": 0.5, "plain": 0.12, "mourn": 0.9}
_IDLE = 0.3
"""How often somebody who waits says so."""
_QUIET = 0.6
"""How often nothing is said while something is done to things."""


def respond_act(input: CharacterInput, chance: Chance) -> ActReply:
    """What is attempted, and what is said. A bold one oversteps now and then, the first time it is
    asked."""
    deed = deed_of(input.directive)
    if not deed:
        speaks = chance.at("idle").fraction() < _IDLE
        words = _line("wait", as_option(""), input, chance) if speaks else ""
        return ActReply(action="", dialogue=words)
    option, kind = as_option(deed), kind_of(deed)
    action = f"I {deed[:1].lower()}{deed[1:]}"
    bold = input.character.bold > _OVERBOLD and chance.at("bold").fraction() < _HOW_OFTEN
    if bold and input.attempt == 1 and kind in _WINS:
        return ActReply(action=_WINS[kind].format(deed=action, who=option.who), dialogue="")
    if kind in ("look", "go", "take", "use") and chance.at("quiet").fraction() < _QUIET:
        return ActReply(action=f"{action}.")
    return ActReply(action=f"{action}.", dialogue=_line(kind, option, input, chance))


def respond_react(input: CharacterInput, chance: Chance) -> ReactReply:
    """A word on what came of it, or none. The dead are not passed over."""
    option = as_option(deed_of(input.directive))
    occasion = input.outcome if input.outcome in ("good", "bad") else "plain"
    if input.lost:
        occasion, option = "mourn", Option(text="", kind="wait", who=input.lost[0])
    if input.over or chance.at("speak").fraction() > _SPEAKS[occasion]:
        return ReactReply()
    words = _line(occasion, option, input, chance)
    return ReactReply(dialogue="" if find_overreach(words) else words)


def deed_of(directive: str) -> str:
    """The deed in a directive: its first imperative; '' when it only says to hold back."""
    first = sentences(directive)[:1]
    words = _ASIDE.sub("", first[0].rstrip(".! ")) if first else ""
    if _HOLDS.match(words):
        return ""
    return words[:1].upper() + words[1:]


def _line(occasion: str, option: Option, input: CharacterInput, chance: Chance) -> str:
    """A line that was not heard lately: of the character's own file, or of its register with what
    the deed is about in it."""
    about = inside(option.topic or option.who)
    who = inside(option.who) or about
    filled = {"topic": about, "who": who}
    lines = [*input.character.lines.get(occasion, ()), *_of_register(input.character, occasion)]
    fits = [line for line in lines if about or "{" not in line]
    heard = plain_form(" ".join(h.said for h in input.heard if h.who == input.character.name))
    said = [filled_in(line, filled) for line in fits]
    fresh = [text for text in said if plain_form(text).strip(" .") not in heard]
    # A line that says nothing of the matter is worn out sooner than one that does.
    telling = [text for text in fresh if about and plain_form(about) in plain_form(text)]
    pool = telling if telling and chance.at("telling").fraction() < _TELLING else fresh
    return chance.at(occasion).choose(pool) if pool else ""


_TELLING = 0.85


def _of_register(character: Character, occasion: str) -> list[str]:
    play = registers()["play"]
    if character.bold > _BOLD:
        return list(play["bold"].get(occasion, ()))
    timid = "careful" if character.bold < _TIMID else "warm"
    name = "dry" if re.search(_ORDERLY, character.manner, re.I) else timid
    return list(play[name].get(occasion, ()))


_BOLD, _TIMID = 0.6, 0.25
_ORDERLY = r"precise|formal|dry|orderly|exact|sparing|clipped"
