"""Characters without a model: a directive becomes an attempt in the first person, with words said
in their manner."""

import re

from freeform.core.chance import Chance
from freeform.core.text import plain_form
from freeform.language.sentences import sentences
from freeform.players.model import Character
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
_SPEAKS = {"good": 0.6, "bad": 0.7, "plain": 0.28}


def respond_act(input: CharacterInput, chance: Chance) -> ActReply:
    """What is attempted, and what is said. A bold one oversteps now and then, the first time it is
    asked."""
    deed = deed_of(input.directive)
    if not deed:
        return ActReply(action="", dialogue=_line(input.character, "wait", input, chance))
    option = as_option(deed)
    kind = kind_of(deed)
    action = f"I {deed[:1].lower()}{deed[1:]}"
    bold = input.character.bold > _OVERBOLD and chance.at("bold").fraction() < _HOW_OFTEN
    if bold and input.attempt == 1 and kind in _WINS:
        return ActReply(action=_WINS[kind].format(deed=action, who=option.who), dialogue="")
    occasion = kind if kind in input.character.lines else "use"
    dialogue = _line(input.character, occasion, input, chance, topic=option.topic, who=option.who)
    quiet = kind in ("look", "go", "take", "use") and chance.at("quiet").fraction() < 0.35
    return ActReply(action=f"{action}.", dialogue="" if quiet else dialogue)


def respond_react(input: CharacterInput, chance: Chance) -> ReactReply:
    """A word on what came of it, or none."""
    occasion = input.outcome if input.outcome in ("good", "bad") else "plain"
    if chance.at("speak").fraction() > _SPEAKS[occasion]:
        return ReactReply()
    words = _line(input.character, occasion, input, chance)
    return ReactReply(dialogue="" if find_overreach(words) else words)


def deed_of(directive: str) -> str:
    """The deed in a directive: its first imperative; '' when it only says to hold back."""
    first = sentences(directive)[:1]
    words = _ASIDE.sub("", first[0].rstrip(".! ")) if first else ""
    if _HOLDS.match(words):
        return ""
    return words[:1].upper() + words[1:]


def _line(
    character: Character,
    occasion: str,
    input: CharacterInput,
    chance: Chance,
    topic: str = "",
    who: str = "",
) -> str:
    lines = [line for line in character.lines.get(occasion) or [] if topic or "opic}" not in line]
    if not lines:
        return ""
    heard = plain_form(" ".join(h.said for h in input.heard if h.who == character.name))
    fresh = [
        line
        for line in lines
        if plain_form(max(re.split(r"\{\w+\}", line), key=len)).strip(" .") not in heard
    ]
    chosen = chance.at(occasion).choose(fresh or lines)
    return chosen.format(topic=topic, Topic=topic[:1].upper() + topic[1:], who=who)
