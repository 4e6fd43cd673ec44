"""Why a player would do something, as a clause: a danger, a question, a memory, what is there."""

import re

from freeform.core.chance import Chance
from freeform.core.text import shorten
from freeform.engine.rules.known import inside
from freeform.language.sentences import sentences
from freeform.language.words import word_class
from freeform.offline.players.voice import registers, say, small, subject
from freeform.players.mind.model import Leaning
from freeform.players.passes import PersonaInput

SAID = re.compile(r"^(.+?) (?:said|answered)(?: of [^:]+)?: [\"“](.+?)[\"”]?$", re.S)
_LONGEST = 110
_USES = {"lock": "door", "key": "door", "force": "door", "knock": "door", "help": "help"}
_USES |= {"number": "number", "offered": "offer"}
ABOUT_QUESTIONS = ("We know now ", "We began to wonder ", "We no longer wonder ")
"""How memories begin of which questions are open: nobody gives those as a reason."""
_THE = re.compile(r"(?<=[a-z] )The(?= \w)")
_INVERTED = re.compile(r"^(\w+) do ")
"""`What do they want` is `what they want` inside a sentence."""
_WEIGHTY = 0.6
_COMMON = frozenset({"clock", "threat", "quote", "clue"})
_NIGHT = re.compile(r"^Session \d+: ")
"""How a memory of an earlier game night begins."""


def reason(leaning: Leaning, input: PersonaInput, chance: Chance) -> str:
    """The strongest thing this player can say for an option, not said lately; '' for nothing."""
    now = [h.said for h in input.talk]
    heard = [*input.said_before, *now]
    for kind, words in _grounds(leaning, input, chance):
        core = words.get("words", words["what"]).lower()
        if kind in _COMMON and any(core in said.lower() for said in now):
            continue  # what all are in, and what all have heard, is said once
        text = say(registers()["why"][kind], words, heard, chance.at("why", kind))
        if text and words["what"][:1].islower():
            text = small(text) if text.startswith(words["what"][:1].upper()) else text
        if text and not any(text.lower() in said.lower() for said in heard):
            return text
    return ""


def told_in(why: str, leaning: Leaning, input: PersonaInput) -> str:
    """The id of the memory that a reason tells, if it tells one: what is given as a reason can be
    wrong, and be put right."""
    memory = next((m for m in input.memories if m.fact_id == leaning.clue), None)
    if memory is None or not why:
        return ""
    believed = _THE.sub("the", _NIGHT.sub("", memory.believed))
    quoted = SAID.match(believed)
    said = _said_best(quoted[2]) if quoted else _clause(believed)
    return memory.fact_id if said and said.lower() in why.lower() else ""


def _grounds(
    leaning: Leaning, input: PersonaInput, chance: Chance
) -> list[tuple[str, dict[str, str]]]:
    """What speaks for it, by weight for this player: danger first, then memory or question."""
    if leaning.aim:
        return [("aim", {"what": small(leaning.aim)})]
    found = _danger(leaning, input)
    told = [*_question(leaning, input), *_clue(leaning, input)]
    found += chance.at("grounds").shuffled(told)
    found.append(_plain(leaning, input))
    if input.persona.goals:
        goal = chance.at("goal").choose(input.persona.goals)
        found.append(("goal", {"what": goal}))
    return found


def _danger(leaning: Leaning, input: PersonaInput) -> list[tuple[str, dict[str, str]]]:
    for danger in input.mind.dangers:
        if danger.text != leaning.serves and danger.urgency < 0.6:
            continue
        head, mark, _ = danger.text.partition(": ")
        if mark and len(head.split()) < 6:
            # What does not come nearer by itself is no reason for haste.
            return [("clock", {"what": inside(head)})] if danger.creeps else []
        return [("threat", {"what": _clause(danger.text)})]
    return []


def _question(leaning: Leaning, input: PersonaInput) -> list[tuple[str, dict[str, str]]]:
    title = leaning.serves
    if title not in input.table.threads:
        return []
    first = title.split(" ")[0].lower()
    asked = _INVERTED.sub(r"\1 ", title.rstrip("?"))
    if first in word_class("question_words") and " does " not in title:
        return [("question", {"what": small(asked)})]
    if _is_a_deed(first, input):
        return [("task", {"what": small(title.rstrip("."))})]
    return [("open", {"what": title})]


def _is_a_deed(verb: str, input: PersonaInput) -> bool:
    """Whether a title begins as an order does."""
    known = {option.text.partition(" ")[0].lower() for option in input.table.options}
    return verb in known | word_class("light_verbs")


def _clue(leaning: Leaning, input: PersonaInput) -> list[tuple[str, dict[str, str]]]:
    memory = next((m for m in input.memories if m.fact_id == leaning.clue), None)
    own = f"{input.persona.name} said: "
    if memory is None or memory.believed.startswith((own, "Someone said", *ABOUT_QUESTIONS)):
        return []
    believed = _THE.sub("the", _NIGHT.sub("", memory.believed))
    quoted = SAID.match(believed)
    if not quoted and (memory.sight or memory.importance <= _WEIGHTY):
        return []  # how something looked, or who took what, is no reason
    if quoted:
        words = f"“{_said_best(quoted[2])}”"
        said = {"what": f"{quoted[1]} said {words}", "who": quoted[1], "words": words}
        return [("quote", said)]
    return [("clue", {"what": _clause(believed)})]


def _said_best(words: str) -> str:
    """The first sentence of what somebody said that says enough to be worth repeating."""
    said = sentences(words)
    best = next((one for one in said if len(one.split()) >= _ENOUGH), words)
    return _clause(best).rstrip('"”')


_ENOUGH = 5


def _plain(leaning: Leaning, input: PersonaInput) -> tuple[str, dict[str, str]]:
    option = leaning.option
    kind: str = _USES.get(option.topic, option.kind)
    if option.kind == "go":
        kind = "place" if option.new else "back"
    elif option.kind in ("ask", "talk"):
        kind = "person"
    elif option.text.startswith("Search "):
        kind = "search"
    what = subject(option) or input.table.place
    if kind == "person" and what == inside(option.who):
        kind = "talk"
    return kind, {"what": what, "who": inside(option.who) or what}


def _clause(text: str) -> str:
    """The first sentence of a text, to stand inside another."""
    first = (sentences(text) or [""])[0].rstrip(" .!?")
    return small_start(shorten(first, _LONGEST))


def small_start(text: str) -> str:
    """A beginning that is no name made small."""
    first = text.split(" ")[0]
    return small(text) if first.lower() in word_class("small_in_a_sentence") else text
