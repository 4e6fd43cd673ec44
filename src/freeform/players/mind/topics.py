"""What a player's memories are about: names and things one could ask after, which question each
bears on, and which two belong together. All of it from what is believed, so its errors are in it."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache

from freeform.engine.rules.known import inside
from freeform.language.inflection import lemma
from freeform.language.words import telling_words, word_class
from freeform.players.mind.model import AskedTopic, Hypothesis, OpenQuestion
from freeform.players.model import Memory

_NAME = re.compile(r"(?<=[a-z,;] )[A-Z][\w'’-]+(?: (?:of |the )?[A-Z][\w'’-]+)*")
_NUMBERED = re.compile(
    r"\b((?!at |of |in |to |by |and |or |for |the |some )[a-z]{3,} (?:\d+|seven(?:teen)?|six(?:teen)?|"
    r"eight(?:een)?|nine(?:teen)?|eleven|twelve|thirteen|fourteen|fifteen|twenty))\b"
)
_KEPT_BACK = re.compile(r"^(.+?) kept something back about (.+?)\.?$")
_TITLE = re.compile(r"“[^”]*”")
"""A question of the story as it is called: no name of anything."""
_VAGUE = frozenset("someone something somewhere session we our nobody nothing".split())
_LETTERS = 3
MOST_TOPICS = 8
_I = frozenset(("I've", "I'm", "I'd", "I'll"))
_RARE = 2
"""A word that so many memories share is rare enough to link them."""


@lru_cache(maxsize=8_192)
def weighty(text: str) -> frozenset[str]:
    """The words that say what a text is about, in one form each; numbers count."""
    found = (
        word for word in telling_words(text, "talk") if len(word) >= _LETTERS or word.isdigit()
    )
    return frozenset(lemma(word) for word in found) - _VAGUE


def topics_of(
    memories: Sequence[Memory],
    names: Iterable[str],
    questions: Sequence[OpenQuestion],
    ours: Iterable[str] = (),
) -> list[AskedTopic]:
    """What could be asked about, what bears on an open question first. A name is as it is
    remembered; nobody asks after the party itself."""
    party = {word for name in ours for word in name.lower().replace('"', "").split()}
    found: dict[str, AskedTopic] = {}
    known = [name for name in names if name]
    asked = [weighty(question.title) for question in questions]
    clues = {clue for question in questions for clue in question.clues}
    for memory in memories:
        worth = memory.importance * memory.confidence + 0.4 * (memory.fact_id in clues)
        for text in _things_in(memory.believed, known):
            if set(text.lower().split()) & party:
                continue
            on_it = max((len(weighty(text) & words) > 0 for words in asked), default=False)
            topic = AskedTopic(text=text, weight=round(worth + 0.3 * on_it, 3), clue=memory.fact_id)
            if text not in found or found[text].weight < topic.weight:
                found[text] = topic
    return sorted(found.values(), key=lambda topic: (-topic.weight, topic.text))


def _things_in(text: str, known: Sequence[str]) -> list[str]:
    kept = _KEPT_BACK.match(text)
    if kept:
        return [kept[2]] if _is_a_topic(kept[2]) else []
    text = _TITLE.sub(" ", text)
    said = [name for name in known if name in text]
    said += [re.sub(r"['’]s$", "", found[0]) for found in _NAME.finditer(text)]
    said += [f"the {found[1]}" for found in _NUMBERED.finditer(text)]
    plain, found = word_class("no_proper_names"), list[str]()
    for name in said:
        thing = inside(name)
        vague = bool(set(thing.lower().split()) & _VAGUE)
        is_name = thing.lower() not in plain and len(thing) >= _LETTERS and thing not in _I
        if is_name and not vague and thing not in found:
            found.append(thing)
    return found


def _is_a_topic(text: str) -> bool:
    """Whether one can ask about it: not `something`, and no order such as `help me`."""
    said = text.split()
    return not set(said) & _VAGUE and said[0] not in word_class("light_verbs")


def kept_back(memories: Sequence[Memory], people: Sequence[str]) -> list[tuple[str, AskedTopic]]:
    """Who of those here kept something back, and about what."""
    found = []
    for memory in memories:
        told = _KEPT_BACK.match(memory.believed)
        if told and told[1] in people and _is_a_topic(told[2]):
            topic = AskedTopic(text=told[2], weight=memory.confidence, clue=memory.fact_id)
            found.append((told[1], topic))
    return found


def questions_of(threads: Sequence[str], memories: Sequence[Memory]) -> list[OpenQuestion]:
    """The open questions, each with the memories that bear on it."""
    found = []
    for title in threads:
        words = weighty(title)
        clues = [m.fact_id for m in memories if words & weighty(m.believed)]
        found.append(OpenQuestion(title=title, clues=clues))
    return found


def hypotheses_of(memories: Sequence[Memory]) -> list[Hypothesis]:
    """Pairs of memories that share a word which hardly any other has: a number, a name, a thing."""
    words = {m.fact_id: weighty(m.believed) for m in memories}
    counts = Counter(word for found in words.values() for word in found)
    by_word: dict[str, list[Memory]] = {}
    for memory in memories:
        for word in words[memory.fact_id]:
            if counts[word] == _RARE:
                by_word.setdefault(word, []).append(memory)
    found = []
    for word, pair in sorted(by_word.items()):
        text = f"{_short(pair[0].believed)} And: {_short(pair[1].believed)}"
        found.append(Hypothesis(shared=word, clues=[m.fact_id for m in pair], text=text))
    return sorted(found, key=lambda one: (not one.shared.isdigit(), one.shared))[:3]


def _short(text: str) -> str:
    return text if len(text) <= 90 else text[:90].rsplit(" ", 1)[0] + " …"
