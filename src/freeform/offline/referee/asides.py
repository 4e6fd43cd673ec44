"""What is said of a deed that is not done now: out of character, supposed, held back, denied, asked
about."""

import re
from collections.abc import Mapping

from freeform.core.text import plain_form
from freeform.engine.knowledge.question import SITUATIONS, asked_in, meant_kind
from freeform.engine.passes import InterpreterInput
from freeform.engine.world.acts import FREE
from freeform.engine.world.model import InterpreterOutput, ProposedAction
from freeform.language.ear import HeardAct
from freeform.language.meaning.sense import RememberedSense
from freeform.language.relevance import telling
from freeform.language.words import word_class, words
from freeform.offline.interpreter.hearing import Hearing
from freeform.offline.referee.families import LOOKS, SPEECH, best
from freeform.offline.referee.hear import HELD_BACK

_SURE = 0.5
_SPOKEN = 0.8
"""How much of an act must be words said aloud for it to be speech."""
_STOP = re.compile(r"[.!]|[\"“”]")
_QUOTE = re.compile(r"[\"“”«»]")
_TO_SOMEONE = frozenset({"you", "your", "yours", "u", "ask"})
_TELLERS = frozenset({"i", "we"})
_NEVER = frozenset({"not", "never"})


def aside_of(act: HeardAct, families: Mapping[str, float]) -> str:
    """The family of an act that does nothing now; '' if something is done."""
    family, _ = best(families)
    if family == "ooc":
        return family
    if act.flags["hypothetical"] >= _SURE:
        return "gm_question"
    if _held_back(act, family):
        return "plan_only"
    return family if family in FREE and family != "express" else ""


def _held_back(act: HeardAct, family: str) -> bool:
    """Whether it is not done now. Words that are said aloud are said, whatever they deny; `see if`
    asks and does not wait for anything."""
    spoken = sum(span.end - span.start for span in act.spans if span.role == "speech")
    if spoken > _SPOKEN * (act.end - act.start):
        return False
    conditional = 0.0 if family in LOOKS else act.flags["conditional"]
    return max(act.flags["negated"], conditional) >= HELD_BACK


def denied(family: str, ruled: list[ProposedAction], hearing: Hearing) -> str:
    """The family of a deed that is said not to be done, `Not the warehouse yet`; '' for any other,
    and for words, which are said whatever they deny."""
    says_so = (hearing.is_denied and not ruled) or _says_not(hearing)
    return "plan_only" if says_so and family not in SPEECH | LOOKS else ""


def _says_not(hearing: Hearing) -> bool:
    """`On second thought I do not go there`, `No way am I going`: whoever plays says so of their
    own deed. What stands before it may be anything that is no deed itself."""
    said = [token.plain for token in hearing.typed.tokens if token.kind == "word"]
    tellers = [at for at, word in enumerate(said) if word in _TELLERS]
    if len(tellers) != 1 or _acts_before(hearing, said[tellers[0]]):
        return False
    told = tellers[0]
    helping = word_class("auxiliaries")
    if told and said[told - 1] in helping:
        return bool(set(said[: told - 1]) & word_class("negations"))
    after = said[told + 1 : told + 3]
    helped = after[1:2] if after and after[0] in helping | {"cannot"} else after[:1]
    return bool(set(helped) & _NEVER)


def _acts_before(hearing: Hearing, teller: str) -> bool:
    """Whether a verb that somebody does something by opens the words before the teller."""
    typed = hearing.typed
    verb = hearing.verbs.at(typed, 0, len(typed.tokens))
    return hearing.plain(0) != teller and verb is not None


def mused(act: HeardAct, own: Mapping[str, float], text: str) -> str:
    """The family of a deed that is only asked about, whatever verb it begins with: `Maybe go to the
    pier? Or see Ann first?`; '' for any other."""
    asked, ends, rest = text[act.start :].partition("?")
    said = plain_form(asked).split()
    family = best(own)[0]
    if not ends or not said or _STOP.search(asked) or family in SPEECH:
        return ""
    own_words = plain_form(text[act.start : act.end]).split()
    goes_on = (
        act.start + len(asked) > act.end + 1
    )  # the question is another's: `…, does she answer?`
    told = goes_on and said[0] == "i" and not set(own_words[:3]) & word_class("unreal")
    either = "or" in own_words or plain_form(rest).split()[:1] == ["or"]
    either = either and not told
    doubted = said[0] in word_class("doubting") or (either and family not in LOOKS)
    return "gm_question" if doubted else ""


def for_master(
    heard: InterpreterOutput, input: InterpreterInput, sense: RememberedSense | None
) -> InterpreterOutput:
    """The same; a question about how things stand that calls nobody and speaks to nobody is for the
    game master, whoever stands nearest."""
    text, acts = input.player_input, heard.proposed_actions
    asks = len(acts) == 1 and acts[0].family == "ask" and not (acts[0].deed or acts[0].by)
    if not asks or _QUOTE.search(text) or not _TO_SOMEONE.isdisjoint(words(text)):
        return heard
    if _names_someone(text, input):
        return heard
    kinds = {meant_kind(part, sense) for part in asked_in(text)}
    if not kinds or not kinds <= SITUATIONS:
        return heard
    asked = {"action": "gm_question", "family": "gm_question", "target_id": "", "details": text}
    return heard.model_copy(update={"proposed_actions": [acts[0].model_copy(update=asked)]})


def _names_someone(text: str, input: InterpreterInput) -> bool:
    """Whether a person goes by a word of it."""
    said = telling(text)
    people = [row for row in input.context_packet.entities if row.get("type") == "npc"]
    called = [f"{row.get('name') or ''} {row.get('aliases') or ''}" for row in people]
    return any(not said.isdisjoint(telling(names)) for names in called)
