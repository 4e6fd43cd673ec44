"""Small edits of words that make a wrong detail read like a right one, and the details (slots) that
a sentence holds."""

import re
from collections.abc import Collection, Iterator, Mapping
from typing import Literal

from freeform.core.text import shorten
from freeform.language.sentences import sentences
from freeform.language.words import word_class
from freeform.players.memory.model import Kind, Slot

_DIGITS = re.compile(r"\d+")
_CLOCK = re.compile(r"\b(\d{1,2}):(\d\d)\b")
_ONES = ("zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
         "seventeen eighteen nineteen").split()  # fmt: skip
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
NUMBER_WORDS = rf"(?:(?:{'|'.join(_TENS)})(?:-(?:{'|'.join(_ONES[1:10])}))?|{'|'.join(_ONES[2:])})"
"""Numbers in words, from two on: `one` is seldom a number."""
_NUMBER_WORD = re.compile(rf"\b{NUMBER_WORDS}\b", re.I)
_VOWELS = "aeiou"
_TWINS = {"b": "p", "p": "b", "d": "t", "t": "d", "g": "k", "k": "g", "v": "f", "f": "v", "m": "n", "n": "m",
          "l": "r", "r": "l", "s": "z", "z": "s", "c": "k", "h": "w", "w": "h", "j": "g", "x": "z", "q": "k"}  # fmt: skip

LADDERS = (
    ("delighted", "pleased", "calm", "uneasy", "upset", "furious"),
    ("adoring", "warm", "friendly", "polite", "reluctant", "cold", "hostile", "cruel"),
    ("heroic", "brave", "steady", "nervous", "afraid", "terrified"),
    ("splendid", "good", "fair", "poor", "bad", "dreadful"),
    ("generous", "kind", "fair-minded", "stern", "harsh", "vicious"),
    ("hopeful", "confident", "unsure", "worried", "desperate"),
    ("beautiful", "pretty", "plain", "ugly", "hideous"),
    ("praised", "thanked", "answered", "scolded", "insulted", "threatened"),
    ("blessed", "safe", "quiet", "tense", "dangerous", "deadly"),
)
"""Words from best to worst. Colouring moves a word along its ladder, towards what was felt."""
_PLACES = {word: (row, n) for row, ladder in enumerate(LADDERS) for n, word in enumerate(ladder)}
_WORD = re.compile(r"[A-Za-z][\w'-]*")
_CAPITAL = re.compile(
    r"(?<=[a-z,;] )[A-Z][\w'-]+|\A[A-Z][\w'-]+(?= (?:and|is|was|has|had|said|went|met|got|left|owes)\b)"
)
_HEDGED = re.compile(
    r"\b(?:very|quite|rather|slowly|quickly|carefully|quietly|suddenly|reluctantly|eventually|almost|just|also|still"
    r"|something about|a bit|a little|somewhat)\s+", re.I,
)  # fmt: skip
_TAIL = re.compile(
    r"(?:[,;:]\s|\s+(?:because|although|while|since|so that|in order to|before|after|unless|who|which)\s).*",
    re.S,
)
_INTO = re.compile(r"\b(?:at|in|on|inside|near|to) (?:the )?\Z", re.I)
_ARTICLE = re.compile(r"\b(?:the|an?) \Z", re.I)
_THINGS = re.compile(r"\s+[a-z]+s\b")
_VAGUE = {
    "gist": "something happened",
    "place": "somewhere",
    "name": "something",
    "number": "some",
    "source": "someone",
    "order": "at some point",
    "feeling": "",
}


def put_in(text: str, start: int, end: int, new: str) -> str:
    """The sentence with its part from `start` to `end` replaced, so that it still reads: no `at
    somewhere`, no `the someone`, a capital where a sentence begins."""
    swallows = (
        _INTO if new == "somewhere" else _ARTICLE if new in ("someone", "something") else None
    )
    if swallows and (before := swallows.search(text, 0, start)):
        start = before.start()
    if new == "some" and not _THINGS.match(text, end):
        new = "some number"
    if not new:
        return (text[:start].rstrip() + text[end:]) if text[:start].strip() else text[end:].lstrip()
    opens = start == 0 or text[:start].rstrip().endswith((".", "!", "?"))
    return text[:start] + (new[:1].upper() + new[1:] if opens else new) + text[end:]


def has_number(text: str) -> bool:
    """Whether there is a number to drift."""
    return bool(_DIGITS.search(text) or _NUMBER_WORD.search(text))


def is_proper(text: str) -> bool:
    """Whether it is a name that can be misheard; a plain thing is not spelt wrong."""
    return any(
        word[0].isupper() and len(word) > 2
        for word in _WORD.findall(text)
        if word not in ("The", "A", "An")
    )


def drift_number(text: str, level: int, u: float) -> str:
    """The number moved: by a tenth to a quarter, then by up to two thirds, then gone. `u` gives way
    and size."""
    if level >= 3:
        return _without_number(text)
    if clock := _CLOCK.search(text):
        minutes = int(clock[1]) * 60 + int(clock[2])
        minutes = (
            minutes + (1 if u >= 0.5 else -1) * level * (10 + 5 * round(6 * ((u * 2) % 1)))
        ) % 1440
        return text[: clock.start()] + f"{minutes // 60}:{minutes % 60:02}" + text[clock.end() :]
    if found := _DIGITS.search(text):
        return text[: found.start()] + str(_moved(int(found[0]), level, u)) + text[found.end() :]
    if word := _NUMBER_WORD.search(text):
        said = _in_words(_moved(_from_words(word[0].lower()), level, u))
        return (
            text[: word.start()]
            + (said.capitalize() if word[0][0].isupper() else said)
            + text[word.end() :]
        )
    return text


_TITLE = re.compile(
    r"((?:the |old |young |mr |mrs |ms |miss |sir |lady |lord |dame |king |queen |prince |princess |duke |count |doc "
    r"|dr |doctor |nurse |professor |agent |officer |inspector |detective |captain |sergeant |colonel |general "
    r"|commander |father |mother |brother |sister |uncle |aunt |judge |master |mistress )+)(?=\w)", re.I,
)  # fmt: skip


def drift_name(text: str, level: int, u: float) -> str:
    """A name one letter off, then two: a vowel for another, or a consonant for its twin. A title is
    a word like others and stays: nobody takes a nurse for a Norse."""
    title, name = (found[1], text[found.end(1) :]) if (found := _TITLE.match(text)) else ("", text)
    for turn in range(level):
        name = _one_letter_off(name, (u * 977 + turn * 0.618) % 1)
    return title + name


def colour(text: str, feeling: float, level: int) -> str:
    """The first word that has a ladder, moved towards the feeling by `level` steps; as it was if
    none has one."""
    for found in _WORD.finditer(text):
        place = _PLACES.get(found[0].lower())
        if place is None:
            continue
        ladder = LADDERS[place[0]]
        to = min(max(place[1] + (level if feeling < 0 else -level), 0), len(ladder) - 1)
        if to != place[1]:
            word = ladder[to].capitalize() if found[0][0].isupper() else ladder[to]
            return text[: found.start()] + word + text[found.end() :]
    return text


_SAID = re.compile(r"(.+\b(?:said|answered))( of .+)?")
"""A sentence whose quote is gone."""


def simplify(text: str, level: int) -> str:
    """The first sentence without its hedges and tail, then only its beginning, then only what it
    was about."""
    first = sentences(text)[0] if text.strip() else text
    body = first.rstrip(" .")
    short = _TAIL.sub("", _HEDGED.sub("", body))
    words = short.split()
    if level >= 3 or len(words) < 3:
        return f"Something about {_about(body)}."
    if level == 2 or short == text.rstrip(" ."):
        kept = " ".join(words[: max(3, len(words) * 2 // 3)]).rstrip(",;:") + " …"
        return (
            kept
            if level == 1 or len(words) < 5
            else " ".join(words[: max(3, len(words) // 2)]).rstrip(",;:") + " …"
        )
    if bare := _SAID.fullmatch(short):
        return f"{bare[1]} something{bare[2] or ''}."
    return short + "."


def vague(slot: Slot) -> str:
    """The detail is gone; what kind of thing it was is still known."""
    if slot.kind == "number":
        return _without_number(slot.text)
    if slot.kind == "name" and slot.name.startswith("who"):
        return "someone"
    if slot.kind == "feeling" and slot.text.lower() in LADDERS[-2]:
        return "answered"  # A verb cannot simply be left out.
    return _VAGUE[slot.kind]


def _moved(number: int, level: int, u: float) -> int:
    """Another number, further off the higher the level, in the same direction; never below zero,
    never the same."""
    up = u >= 0.5
    size = (u * 2) % 1
    share = 0.10 + 0.15 * size if level == 1 else 0.35 + 0.30 * size
    step = max(level, round(number * share))
    round_to = next(
        (unit for unit in (100, 50, 10, 5) if number % unit == 0 and number > 2 * unit), 1
    )
    step = max(round_to * level, step // round_to * round_to)
    return number + step if up or number - step < 0 else number - step


def _from_words(text: str) -> int:
    tens, _, ones = text.partition("-")
    if tens in _TENS:
        return 20 + 10 * _TENS.index(tens) + (_ONES.index(ones) if ones else 0)
    return _ONES.index(tens)


def _in_words(number: int) -> str:
    if number < 20:
        return _ONES[number]
    if number > 99:
        return str(number)
    return _TENS[number // 10 - 2] + (f"-{_ONES[number % 10]}" if number % 10 else "")


def _without_number(text: str) -> str:
    blank = _NUMBER_WORD.sub("some", _DIGITS.sub("some", _CLOCK.sub("some time", text)))
    return blank if blank != text else "some"


def _one_letter_off(name: str, u: float) -> str:
    """Another letter somewhere behind the first letter of the longest word."""
    if not (words := list(_WORD.finditer(name))):
        return name
    proper = [
        found for found in words if found[0][0].isupper() and found[0] not in ("The", "Mr", "Mrs")
    ] or words
    word = max(proper, key=lambda found: (len(found[0]), -found.start()))
    spots = [
        n
        for n in range(word.start() + 1, word.end())
        if name[n].lower() in _VOWELS or name[n].lower() in _TWINS
    ]
    if not spots:
        return name + "a"
    n = spots[int(u * len(spots))]
    letter = name[n].lower()
    if letter in _VOWELS:
        other = _VOWELS[(_VOWELS.index(letter) + 1 + int(u * 97) % 4) % 5]
    else:
        other = _TWINS[letter]
    return name[:n] + (other.upper() if name[n].isupper() else other) + name[n + 1 :]


def _about(text: str) -> str:
    """The first name in the sentence, or its first words."""
    names = [
        found[0]
        for found in _CAPITAL.finditer(text)
        if found[0] not in ("Someone", "Something", "Somewhere")
    ]
    if names:
        return names[0]
    return " ".join(text.split()[:2]).lower() or "it"


def feeling_words(text: str) -> list[tuple[int, int]]:
    """Where words stand that can be coloured."""
    return [
        (found.start(), found.end())
        for found in _WORD.finditer(text)
        if found[0].lower() in _PLACES
    ]


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


_Span = tuple[int, int, Kind, str]
"""Where a detail begins and ends, its kind, and what it is in the sentence."""


def slots_in(
    text: str, known: Mapping[str, Role], speaker: str = "", leave: Collection[str] = ()
) -> tuple[Slot, ...]:
    """The details of a sentence, and its gist. `known` are names with what they are; `speaker` is
    its source; the names in `leave` are never lost (who acted knows that they did)."""
    own = {word for name in leave for word in (name, *name.split())}
    spans: list[_Span] = []
    for span in (*_named_spans(text, known, speaker), *_plain_spans(text, own)):
        start, end = span[:2]
        apart = all(end <= first or start >= last for first, last, _, _ in spans)
        if end > start and text[start:end] not in own and apart:
            spans.append(span)
    slots: list[Slot] = []
    for start, end, kind, role in sorted(spans):
        # The same words twice are one detail.
        if len(slots) < MOST and text[start:end] not in [slot.text for slot in slots]:
            slots.append(Slot(name=f"{role}_{len(slots) + 1}", kind=kind, text=text[start:end]))
    return (*slots, Slot(name="gist", kind="gist", text=text))


def _named_spans(text: str, known: Mapping[str, Role], speaker: str) -> Iterator[_Span]:
    """Who says it, and the names that are known, longest first."""
    at = text.find(speaker) if speaker else -1
    if at >= 0:
        yield at, at + len(speaker), "source", "source"
    for name in sorted(filter(None, known), key=lambda name: (-len(name), name)):
        found = re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text)
        if found:
            yield found.start(), found.end(), _KIND[known[name]], known[name]


def _plain_spans(text: str, own: Collection[str]) -> Iterator[_Span]:
    """Times, numbers, feelings, and what is written like a name."""
    for found in _TIME.finditer(text):
        yield found.start(), found.end(), "order", "when"
    for found in _NUMBER.finditer(text):
        yield found.start(), found.end(), "number", "number"
    for start, end in feeling_words(text):
        yield start, end, "feeling", "feeling"
    for found in _PROPER.finditer(text):
        is_word = found[0].lower() in word_class("no_proper_names")
        if not is_word and set(own).isdisjoint(found[0].split()):
            yield found.start(), found.end(), "name", "who"
