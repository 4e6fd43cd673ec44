"""The extractor without a model: known names first, then words written like names, then what a
question asks about."""

import re

from freeform.assistant.entities.fold import folded, tokens
from freeform.assistant.entities.spot import common_words
from freeform.assistant.model import EntityMention
from freeform.assistant.passes import Extraction, ExtractorInput
from freeform.core.chance import Chance
from freeform.language.words import unowned, word_class
from freeform.offline.assistant.features import lexicon

_NAME = re.compile(
    r"(?<![\w'’])[A-Z][\w'’-]*(?: (?:(?:of|the|de|von|van|der|du|la) )*[A-Z][\w'’-]*)*(?![\w'’])"
)
_QUOTED = re.compile(r"[\"“«]([^\"”»]{2,60})[\"”»]")
_SOMETHING = r"[\w' -]{3,40}?"
_ABOUT = re.compile(
    rf"\b(?:how (?:do|does|did)(?: the| an?)? (?P<a>{_SOMETHING}) works?\b|"
    rf"what (?:do|does)(?: the| an?)? (?P<b>{_SOMETHING}) do\b|"
    rf"who (?:is|was|are|were) (?:the |an? )?(?P<c>{_SOMETHING})(?: again)?(?=[?,.]| and |$)|"
    rf"rules? (?:for|on|of|about) (?P<d>{_SOMETHING})(?=[?,.]|$)|"
    rf"(?:about|remember|explain) (?:the |an? )?(?P<e>{_SOMETHING})(?=[?,.]| and |$))",
    re.I,
)


def respond(input: ExtractorInput, chance: Chance) -> Extraction:
    """The names in the question, in its own spelling, each once, none inside another."""
    question, found = input.question, dict[str, EntityMention]()
    lowered = question.lower()

    def add(name: str, confidence: float, *, whole: bool = False) -> None:
        """`whole`: written as one name, so that a part of it that was found before is not another
        one."""
        name = unowned(name.strip(" ,.?!'’"))
        key = folded(name)
        if whole:
            for part in [other for other in found if other != key and f" {other} " in f" {key} "]:
                del found[part]
        if key and not any(f" {key} " in f" {other} " for other in found):
            found[key] = EntityMention(name=name, confidence=confidence)

    for known in sorted(input.known_names, key=lambda each: -len(each.text)):
        add(known.text, _confidence(known.text, known.confidence, lowered))
    for quoted in _QUOTED.findall(question):
        add(quoted, 0.9)
    for hit in _NAME.finditer(question):
        name = _without_asking(
            hit[0], first=hit.start() == 0 or question[: hit.start()].rstrip()[-1:] in ".?!"
        )
        if name:
            add(name, 0.85 if " " in name else 0.8, whole=True)
    for hit in lexicon()[0].finditer(question):
        add(hit[0], 0.8)
    for hit in _ABOUT.finditer(question):
        asked = next((text for text in hit.groupdict().values() if text), "").strip()
        words = tokens(asked)
        if (
            words
            and len(words) <= 4
            and not set(words) & word_class("nothing_named")
            and not set(words) <= common_words()
        ):
            if not {"my", "your", "our"} & set(words):
                add(asked, 0.65)
    order = sorted(found.values(), key=lambda each: lowered.find(each.name.lower()))
    return Extraction(entities=order)


def _confidence(text: str, spotted: float, question: str) -> float:
    """A name that is also a plain word (`light`, `help`) is meant when the question is built around
    it."""
    if spotted >= 0.6:
        return round(spotted, 2)
    word = re.escape(text.lower())
    meant = re.search(
        rf"\b(?:cast|casting|use|using|spell|action|condition|skill|called|named) {word}\b|"
        rf"\b{word} (?:spell|action|condition|skill|cantrip|ritual|property|feature|feat|check|checks)\b|"
        rf"\b(?:my|how much|how many) {word}\b|\b{word} do (?:i|we) have\b|"
        rf"\b(?:do|does) (?:the |an? )?{word} (?:work|do|last|need|give|mean)\b|^what(?:'s| is| are) (?:the |an? )?{word}\b",
        question,
    )
    return 0.85 if meant else spotted


def _without_asking(name: str, *, first: bool) -> str:
    """A run of capitals without the words that only begin a sentence."""
    words = name.split()
    while words and unowned(words[0].lower()) in word_class("asking"):
        words = words[1:]
        first = False
    while words and words[-1].lower() in word_class("asking"):
        words = words[:-1]
    if not words or (first and len(words) == 1 and folded(words[0]) in common_words()):
        return ""
    joined = " ".join(words)
    lone = len(words) == 1 and (len(words[0]) < 3 or (words[0].isupper() and len(words[0]) < 5))
    return "" if lone or folded(joined) in common_words() else unowned(joined)
