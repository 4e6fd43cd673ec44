"""Small edits of words that make a wrong detail read like a right one: drift, colouring, simplification."""

import re

from freeform.players.memory.model import Slot

_DIGITS = re.compile(r"\d+")
_NUMBERS = ("zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
            "seventeen eighteen nineteen twenty").split()  # fmt: skip
_NUMBER_WORD = re.compile(rf"\b({'|'.join(_NUMBERS)})\b", re.I)
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
    ("trusts", "likes", "knows", "doubts", "dislikes", "hates"),
    ("praised", "thanked", "answered", "scolded", "insulted", "threatened"),
    ("blessed", "safe", "quiet", "tense", "dangerous", "deadly"),
)
"""Words from best to worst. Colouring moves a word along its ladder, towards what was felt."""
_PLACES = {word: (row, n) for row, ladder in enumerate(LADDERS) for n, word in enumerate(ladder)}
_WORD = re.compile(r"[A-Za-z][\w'-]*")
_HEDGED = re.compile(
    r"\b(?:very|quite|rather|slowly|quickly|carefully|quietly|suddenly|reluctantly|eventually|almost|just|also|still"
    r"|something about|a bit|a little|somewhat)\s+", re.I,
)  # fmt: skip
_TAIL = re.compile(
    r"(?:[,;:]\s|\s+(?:because|although|while|since|so that|in order to|before|after|unless|who|which)\s).*", re.S
)
_VAGUE = {
    "gist": "something happened",
    "place": "somewhere",
    "name": "something",
    "number": "some",
    "source": "someone",
    "order": "at some point",
    "feeling": "somehow",
}
_PEOPLE = ("who", "whom", "speaker", "actor", "person")


def has_number(text: str) -> bool:
    """Whether there is a number to drift."""
    return bool(_DIGITS.search(text) or _NUMBER_WORD.search(text))


def drift_number(text: str, level: int, u: float) -> str:
    """The number moved: by a tenth to a quarter, then by up to two thirds, then gone. `u` gives way and size."""
    if level >= 3:
        return _without_number(text)
    if found := _DIGITS.search(text):
        return text[: found.start()] + str(_moved(int(found[0]), level, u)) + text[found.end() :]
    if word := _NUMBER_WORD.search(text):
        moved = _moved(_NUMBERS.index(word[0].lower()), level, u)
        said = _NUMBERS[moved] if moved < len(_NUMBERS) else str(moved)
        return text[: word.start()] + (said.capitalize() if word[0][0].isupper() else said) + text[word.end() :]
    return text


def drift_name(text: str, level: int, u: float) -> str:
    """A name one letter off, then two: a vowel for another, or a consonant for its twin."""
    for turn in range(level):
        text = _one_letter_off(text, (u * 977 + turn * 0.618) % 1)
    return text


def colour(text: str, feeling: float, level: int) -> str:
    """The first word that has a ladder, moved towards the feeling by `level` steps; as it was if none has one."""
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


def simplify(text: str, level: int) -> str:
    """A sentence without its hedges and tail, then cut to its beginning, then only that something was there."""
    end = "." if text.rstrip().endswith(".") else ""
    body = text.strip().rstrip(".")
    short = _TAIL.sub("", _HEDGED.sub("", body))
    words = short.split()
    if level >= 3 or len(words) < 4:
        return f"Something about {_about(body)}{end}"
    if level == 2 or short == body:
        short = " ".join(words[: max(3, (len(words) + 1) // 2)]).rstrip(",;:") + " …"
        return short if level == 1 or len(words) < 8 else f"Something about {_about(body)}{end}"
    return short + end


def vague(slot: Slot) -> str:
    """The detail is gone; what kind of thing it was is still known."""
    if slot.kind == "number":
        return _without_number(slot.text)
    if slot.kind == "name" and (slot.name in _PEOPLE or slot.name.endswith("_who")):
        return "someone"
    return _VAGUE[slot.kind]


def _moved(number: int, level: int, u: float) -> int:
    """Another number, further off the higher the level, in the same direction; never below zero, never the same."""
    up = u >= 0.5
    size = (u * 2) % 1
    share = 0.10 + 0.15 * size if level == 1 else 0.35 + 0.30 * size
    step = max(level, round(number * share))
    round_to = next((unit for unit in (100, 50, 10, 5) if number % unit == 0 and number > 2 * unit), 1)
    step = max(round_to * level, step // round_to * round_to)
    return number + step if up or number - step < 0 else number - step


def _without_number(text: str) -> str:
    blank = _NUMBER_WORD.sub("some", _DIGITS.sub("some", text))
    return blank if blank != text else "some"


def _one_letter_off(name: str, u: float) -> str:
    """Another letter somewhere behind the first letter of the longest word."""
    if not (words := list(_WORD.finditer(name))):
        return name
    word = max(words, key=lambda found: (len(found[0]), -found.start()))
    spots = [
        n for n in range(word.start() + 1, word.end()) if name[n].lower() in _VOWELS or name[n].lower() in _TWINS
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
    names = [found[0] for found in _WORD.finditer(text) if found[0][0].isupper() and found.start() > 0]
    if names:
        return names[0]
    return " ".join(text.split()[:2]).lower() or "it"
