"""Where someone stands, read from their words: cues for yes, no, yes-if and undecided, weighed; no
model needed."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from freeform.core.text import plain_form
from freeform.players.model import Stance


def _any(*cues: str, ends: str = r"\b") -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(cues)}){ends}", re.S)


_YES = _any(
    "yes", "yeah", "yep", "yup", "ya", "aye", "agree[ds]?", "i'?m in", "i am in", "sounds? (?:good|right|great)",
    "works? for me", "that works", "let'?s (?:do (?:it|that|this|yours)|go|move)", "do it", "go for it",
    "i'm with (?:you|him|her|them)", "i can (?:sign|live with)", "fine(?: by me)?", "okay", "ok", "sure",
    "(?:good|great) idea", "love (?:it|that)", "i (?:support|second) (?:it|that)", "same here", "me too", "exactly",
    "right", "correct", "absolutely", "definitely", "all right", "alright", "count me in", "no objections?", "i'm for it",
    "why not", "withdraw mine", "finally", "that adds up", r"sound(?=\W|$)",
)  # fmt: skip
_NO = _any(
    "no(?! (?:objections?|strong|problem|doubt|one|idea|speeches|hurry))", "nope", "nah", "disagree[ds]?",
    "i don'?t (?:think (?:so|we should|it)|want|like|agree)", "bad idea", "against it", "i'?m against",
    "not (?:yet|that|a good idea|this)", "rather not", "i'?d rather", "instead", "wrong", "premature", "no way", "never",
    "i refuse", "i won'?t", "we shouldn'?t", "let'?s not", "don'?t do", "feels wrong", "i object", "boring", "waste",
)  # fmt: skip
_IF = _any(
    "if", "as long as", "provided", "only (?:if|after|when)", "on condition", "unless", "so long as", "but only",
    "but first", ends=r"\b(.*)",
)  # fmt: skip
_UNSURE = _any(
    "not sure", "unsure", "don'?t know", "dunno", "maybe", "either(?: way| is fine)?", "could go", "could argue",
    "can'?t decide", "torn", "whatever", "no (?:strong )?(?:view|opinion|preference)", "up to you", "hmm?", "i guess",
    "don'?t care", "undecided", "no idea", "what do (?:you|the rest)",
)  # fmt: skip
_ADOPTS = _any(
    "me too", "same", r"agree\w*", "that works", "works for me", "go with that", "sounds good",
    "i'?m (?:good|in|fine|ready|down)", "let'?s (?:do|go|submit)", "yes+", "yeah", "yep", "yup", "ye", "ok+(?:ay)?", "okok",
    "k", "kk", "sure", "cool", "great", "perfect", "makes sense", "alright", "right", "correct", "exactly", "true",
    "convinced", "got it", "i get it", "i see", "deal", "done", r"submit\w*", "totally", "definitely", "fine",
    "good (?:idea|point|call|job|luck)", "nice", "that one", "absolutely", "why not",
)  # fmt: skip
_OBJECTS = _any(
    "no", "nope", "nah", "disagree", "don'?t (?:think|agree)", "not sure", "wrong", "but"
)


def adopts(text: str) -> bool:
    """Whether words come round to what is on the table. Broader than a yes: a nod is enough."""
    return bool(_ADOPTS.search(plain_form(text)))


def objects(text: str) -> bool:
    """Whether words hold something against it."""
    return bool(_OBJECTS.search(plain_form(text)))


@dataclass(frozen=True)
class Read:
    """A stance read from words."""

    stance: str
    confidence: float
    condition: str = ""


def stance_of(words: Sequence[str], proposal: str) -> Read:
    """The last clear word counts; only unclear ones leave a player neutral; no words at all,
    silent."""
    said = [plain_form(text) for text in words if text.strip()]
    if not said:
        return Read(Stance.SILENT, 1.0)
    found = Read(Stance.NEUTRAL, 0.4)
    for text in said:
        read = _read(text, plain_form(proposal))
        if read.stance != Stance.NEUTRAL or found.stance == Stance.NEUTRAL:
            found = read
    return found


def _read(text: str, proposal: str) -> Read:
    first = re.split(r"(?<=[.!?])\s", text)[0]
    condition = _IF.search(text)
    yes, no, unsure = len(_YES.findall(text)), len(_NO.findall(text)), len(_UNSURE.findall(text))
    opens_yes, opens_no, opens_unsure = (bool(cue.search(first)) for cue in (_YES, _NO, _UNSURE))
    names_it = bool(proposal) and proposal in text
    if condition and (yes or names_it) and not opens_no:
        return Read(Stance.AGREE, 0.6, condition[0].strip(" .")[:160])
    if opens_no and not opens_yes:
        return Read(Stance.DISAGREE, 0.9)
    if opens_unsure and not opens_yes:
        return Read(Stance.NEUTRAL, 0.7)
    if opens_yes and not opens_no:
        return Read(Stance.AGREE, 0.9)
    if yes > no or (names_it and not no):
        return Read(Stance.AGREE, 0.7)
    if no > yes:
        return Read(Stance.DISAGREE, 0.7)
    return Read(Stance.NEUTRAL, 0.6 if unsure or text.rstrip().endswith("?") else 0.4)
