"""Whose story a premise is: `I'm a failed wizard, and my boss …` tells of the player's own hero.

Such a premise is said back to the player as theirs (`You're a failed wizard, and your boss …`), and
what it says they are is whom they play, not somebody they meet. What stands in quotes is somebody
else's.
"""

import re
from dataclasses import dataclass

from freeform.core.text import shorten
from freeform.forge.grammar import with_a
from freeform.forge.premise.kinds import word_tables
from freeform.forge.premise.nouns import YOU, PremiseNoun
from freeform.language.forms import SECOND_PERSON
from freeform.language.inflection import lemma

_QUOTED = re.compile(r'("[^"]*"|“[^”]*”)')
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_YOURS = {
    **SECOND_PERSON,
    "im": "you're",
    "i've": "you've",
    "i'd": "you'd",
    "we": "you",
    "we're": "you're",
    "we've": "you've",
    "we'd": "you'd",
    "we'll": "you'll",
    "us": "you",
    "our": "your",
    "ourselves": "yourselves",
}
_BESIDE_I = {"am": "are", "was": "were"}
_RUN = r"(?:[^.,;:!?—–\"“]|(?<=\d)[:.](?=\d))+"
"""Words up to the next mark; the one in 19:00 is none."""
_NAMED = re.compile(
    r"\b(?:I am|I['’]?m|we are|we['’]re|you are|you['’]re|(?:I|you) (?:play|work as))"
    rf"\s+((?:an?|the|one of the|two|three|four)\s+{_RUN})",
    re.IGNORECASE,
)
_WISHING = (
    r"(?:(?:(?:I|we) )?(?:(?:really |just |lowkey )*(?:want|wanna|wish)"
    r"|(?:would|should)(?: really)? (?:like|love)|have always wanted)(?: to)?(?: just)?)"
    r"|(?:\bI['’]d(?: really)? (?:like|love)(?: to)?)"
)
_WISHES = re.compile(
    rf"(?:\b(?:{_WISHING})|^(?:can|could|may|let) (?:I|me)|\bI(?= would be)(?: would)?)"
    r" (?:be|play(?: as)?)(?= (?:(?:an?|the|one|some(?:body|one))\b|(?-i:[A-Z])\w+['’]s\b))",
    re.IGNORECASE,
)
"""`I want to be a dragon`, `can I be the dog`, `let me be the doctor`."""
_WISHES_TO = re.compile(rf"^(?:{_WISHING}) (?=[a-z]{{3,}}\b)", re.IGNORECASE)
"""`I should like to investigate who poisoned the bees`: at the beginning, whatever is wished."""
_ASKS = re.compile(
    r"^(?:(?:help|ok(?:ay)?|so|well|hi|hey|hello|um+|idk|dunno|perhaps|maybe|please|pls)\b[,.!]*\s+)*"
    r"(?:(?:can|could) (?:you|u|we) (?:please )?(?:do|make|have|run|play) )?"
    r"(?:something(?: \w+)?(?:, please)?:\s+|(?:(?:an?|the) (?:\w+ )?"
    r"(?:story|tale|game|comedy|tragedy|romance|novel|adventure|drama|one)|something|one)"
    r" (?:about|where|in which|with)(?= (?:an?|the|my|two|three|I|we)\b)\s*)?",
    re.IGNORECASE,
)
"""`Perhaps a comedy about a theatre`, `idk something with a dragon`: how one asks for a story."""
_WANTED = re.compile(r"^(?:what|all) (?:I|we)(?: really| just)? want is to be\b", re.IGNORECASE)
_QUESTION = re.compile(r"(?:can|could|may) I\b", re.IGNORECASE)
_BIDS = (
    (re.compile(r"^(?:please,? |just )*give me ", re.IGNORECASE), ""),
    (re.compile(r"^(?:please,? |just )*put me ", re.IGNORECASE), "I am "),
    (re.compile(r"^(?:please,? |just )*let me (?!be\b|play\b)", re.IGNORECASE), "I "),
)
"""`Put me in charge of a museum`: what is bidden of whoever makes the story is so."""
_IS = re.compile(rf"\b(?:I am|I['’]?m|namely me|we['’]?re)\s+({_RUN})", re.IGNORECASE)
_DOES = re.compile(rf"^(?:I|we)\s+{_RUN}", re.IGNORECASE)
_HOSTS = re.compile(r"\b(?:I|we) (?:run|own|keep|manage|tend|inherited)\b", re.IGNORECASE)
_GOES_ON = re.compile(
    r"\s+(?:and|but|so|when|while|because|until)\s+"
    r"(?=(?:I|we|my|our|now|today|tonight|tomorrow|the|a|an|he|she|they|it"
    r"|some(?:body|one|thing)|no(?:body|thing)|every(?:body|one|thing)|one of)\b).*",
    re.IGNORECASE,
)
_FURTHER = re.compile(
    r"\b(?:who|that|which|of|about|to|in|on|at|with|from|for|and)\b.*", re.IGNORECASE
)
"""What follows says more of someone, and is not who they are."""
_BEFORE_MINE = re.compile(r"(?:^|[,;:.!?]|\b(?:and|but|than|of|is|was|like|with|on))\s*$", re.I)
_AFTER_MINE = re.compile(
    r"\s*(?:$|[,;:.!?]|(?:is|was|has|had|will|would|can|does|did|and|but)\b)", re.I
)
"""Between what `mine` is somebody's own."""
_WORK = "work|works|serve|hired|elected|sent|trained"
"""As what one is somewhere: `I work as`, `we were hired`."""
_LONGEST = 160
_TELLS = 6
"""So many words has a sentence that tells a story."""
_IS_OR_HAS = frozenset("is are was were has have had".split())
_MY_NAME = re.compile(
    r"\b(?:my name(?: is|['’]s)|(?:I am|I['’]?m) (?:called|named)"
    r"|(?:they|everyone|everybody|people) calls? me|I go by)"
    r"\s+((?-i:[A-Z])[\w'’-]*(?: (?-i:[A-Z])[\w'’-]*)*)",
    re.IGNORECASE,
)
_HERO_LINE = re.compile(
    r"(?:^|[.!?\n])\s*(?:the )?(?:hero|heroine|player|protagonist|main character|character|pc)"
    r":\s*([^\n.;]+)",
    re.IGNORECASE,
)
"""`Hero: Dr Amos Fell, a disgraced surgeon`."""
_OTHERS = re.compile(
    r"\b(?:for|with|from|by|against|about|under|beside|behind|near|after|to(?! (?:be|become)\b))\b"
)
_SURE, _SURE_OF_FIRST = 0.7, 0.55
"""How likely somebody is the hero of a story that is told of others; whoever it begins with."""


@dataclass(frozen=True)
class PremiseTeller:
    """Who tells it."""

    is_own: bool = False
    """Told as the player's own: with `I`, `my`, `we`."""
    concept: str = ""
    """What it says they are, as a sentence; '' where it does not say."""
    hero: str = ""
    """The noun that is the hero, by its text."""
    name: str = ""
    """What they are called, where it says so."""
    is_host: bool = False
    """Whether a place is theirs: `I run a tea shop`."""


def teller_of(text: str, nouns: list[PremiseNoun]) -> PremiseTeller:
    """Who tells this premise, and as what."""
    own_words = " ".join(_QUOTED.split(_as_granted(text))[::2])
    called = _MY_NAME.search(own_words)
    own_words = _MY_NAME.sub("", own_words)
    is_own = in_second_person(text) != _ASKS.sub("", text, count=1)
    named = _NAMED.search(own_words)
    doing = _DOES.search(own_words)
    labelled = _labelled_hero(nouns, is_own, _stated(own_words))
    if labelled and is_own and not _is_the_teller(labelled, own_words):
        labelled = None
    concept, hero = "", labelled.text if labelled else ""
    if named:
        said = _before_others(_GOES_ON.sub("", named[1]).strip(), nouns, hero)
        concept, hero = _concept(said), hero or _hero_noun(said, nouns)
    elif labelled and _says_what_they_are(labelled, own_words):
        concept = _concept(with_a(_GOES_ON.sub("", _IS.findall(own_words)[0]).strip()))
    elif is_own and doing and (labelled is None or labelled.text in doing[0].lower()):
        concept = _concept(_GOES_ON.sub("", doing[0]))
    elif labelled:
        concept = _concept(_as_one(labelled))
    name = labelled.text if labelled and labelled.is_name else ""
    name = called[1] if called else name
    stated = _on_its_line(text, nouns)
    if stated:
        name, hero = (stated.text if stated.is_name else name), stated.text
        concept = _concept(_as_one(stated))
    return PremiseTeller(is_own, concept, hero, name, _HOSTS.search(own_words) is not None)


def _on_its_line(text: str, nouns: list[PremiseNoun]) -> PremiseNoun | None:
    """Whom a line of the premise gives for the hero."""
    line = _HERO_LINE.search(text)
    people = [noun for noun in nouns if noun.kind == "person" and line and noun.text in line[1]]
    return people[0] if people else None


def tells_of_others(text: str) -> bool:
    """Whether a sentence tells a story of somebody: it begins with whom or what it is about, has a
    verb, and speaks to nobody."""
    said = [_plain(word[0]) for word in _WORD.finditer(text)]
    tables = word_tables()
    if len(said) < _TELLS or text.rstrip().endswith("?") or _QUOTED.search(text):
        return False
    opens = said[0] in tables.determiners | tables.counts
    speaks_to = {"i", "me", "you", "your", "please"} & set(said)
    has_verb = any(word in _IS_OR_HAS or lemma(word) in tables.verbs for word in said[1:])
    return opens and has_verb and not speaks_to


def _before_others(said: str, nouns: list[PremiseNoun], hero: str) -> str:
    """What somebody is, without what befalls another: `… on a ship and container 414 keeps …`."""
    for noun in nouns:
        behind = re.search(rf"\s+(?:and|but) {re.escape(noun.text)}\b.*", said, re.IGNORECASE)
        if behind and noun.text != hero and noun.kind != "place":
            said = said[: behind.start()]
    return said


def _says_what_they_are(hero: PremiseNoun, own_words: str) -> bool:
    """`I am new president of the committee`: as a second language has it, without an article."""
    stated = _IS.findall(own_words)
    said = rf"(?:[a-z-]+ )?{re.escape(hero.text.lower())}\b"
    return bool(stated) and not hero.is_many and re.match(said, stated[0].lower()) is not None


def _stated(own_words: str) -> str:
    """What somebody says they are, with an article or without: `juror seven`."""
    return " ".join(_IS.findall(own_words)).lower()


def _labelled_hero(nouns: list[PremiseNoun], is_own: bool, stated: str) -> PremiseNoun | None:
    """Whom the ear takes for the hero, above all where the teller says so. In a story told of
    others it has to be sure of it; whoever is only there as an owner (`a keeper's twin`) is
    somebody one meets, or whose widow one is."""
    owners = {noun.owner for noun in nouns}
    heroes = [noun for noun in nouns if noun.part == "hero" and noun.owner != YOU]
    heroes = [noun for noun in heroes if noun.text not in owners]
    heroes.sort(key=lambda noun: noun.text.lower() not in stated)
    if not heroes:
        return None
    is_first = heroes[0] is nouns[0] or (len(nouns) > 1 and heroes[0] is nouns[1])
    told_of = heroes[0].sure >= (_SURE_OF_FIRST if is_first else _SURE) and not heroes[0].is_gone
    return heroes[0] if is_own or told_of else None


def _is_the_teller(hero: PremiseNoun, own_words: str) -> bool:
    """Whether words told as one's own say that one is that: by `I am`, `we thieves`, `as a nurse`,
    `me, a clerk`. In `a wolf is killing our sheep` nobody is the wolf."""
    named = re.escape(hero.text)
    first = "" if hero.is_name else rf"|^{named}\b"
    doing = "" if hero.is_name else rf"|I|we|us|me|{_WORK}"
    said = rf"\b(?:as|am|are|['’]m|['’]re|be|been|being|become|became|play{doing}) ?,?"
    behind = rf"{named}(?: \w+){{0,2}},? (?:like me|like us|myself|ourselves)\b"
    of_me = rf"{said} (?:[\w'’-]+ ){{0,6}}?{named}\b|{behind}{first}"
    found = [said[0] for said in re.finditer(of_me, own_words, re.IGNORECASE)]
    return any(not _OTHERS.search(said) for said in found)


def _as_one(noun: PremiseNoun) -> str:
    """What one of them is: `a goblin accountant`, `one of the librarians`."""
    said = noun.also if noun.is_name else noun.text
    if not said:
        return noun.text
    if noun.owner and not noun.is_many:
        return with_a(f"{noun.owner}'s {said}")
    return f"one of the {said}" if noun.is_many else with_a(said)


def in_second_person(text: str) -> str:
    """The text said to whoever said it; what stands in quotes stays."""
    parts = _QUOTED.split(_as_granted(text))
    return "".join(
        part if number % 2 else _turned(part, "".join(parts[:number]))
        for number, part in enumerate(parts)
    )


def _as_granted(text: str) -> str:
    """`I want to be a dragon` is `I am a dragon`; `I want to run a shop`, `I run a shop`."""
    asked = _WANTED.sub("I am", _ASKS.sub("", text, count=1))
    for bidding, granted in _BIDS:
        asked = bidding.sub(granted, asked)
    wished, count = _WISHES.subn("I am", asked)
    if count and _QUESTION.match(asked):
        wished = wished.replace("?", ".", 1)
    return _WISHES_TO.sub(_granted, wished)


def _granted(wish: re.Match[str]) -> str:
    """A wish to do something is the doing; a wish for something stays one."""
    return "I " if wish[0].rstrip().lower().endswith((" to", "wanna", " just")) else wish[0]


def _turned(text: str, before: str) -> str:
    words = list(_WORD.finditer(text))
    told, done = [], 0
    for at, word in enumerate(words):
        turned = _said_back(words, at, text)
        opens = _opens(before + text[: word.start()])
        told.append(text[done : word.start()])
        told.append(turned.capitalize() if opens and turned != word[0] else turned)
        done = word.end()
    return "".join(told) + text[done:]


def _said_back(words: list[re.Match[str]], at: int, text: str) -> str:
    """One word, as it is said back; itself where it is not the teller's."""
    word, plain = words[at][0], _plain(words[at][0])
    if plain in _BESIDE_I and _is_beside_i(words, at, text):
        return _BESIDE_I[plain]
    if plain == "mine" and _stands_alone(words, at, text):
        return "yours"
    is_name = word == "US" or (word == "I" and _is_numeral(words, at, text))
    return word if is_name else _YOURS.get(plain, word)


def _stands_alone(words: list[re.Match[str]], at: int, text: str) -> bool:
    """`and mine has a leak`; a tin mine and the mine are none of the teller's."""
    before, after = text[: words[at].start()], text[words[at].end() :]
    return bool(_BEFORE_MINE.search(before)) and bool(_AFTER_MINE.match(after))


def _is_beside_i(words: list[re.Match[str]], at: int, text: str) -> bool:
    near = [other for other in (at - 1, at + 1) if 0 <= other < len(words)]
    return any(
        _plain(words[other][0]) == "i" and _gap(words, min(at, other), text) == " "
        for other in near
    )


def _is_numeral(words: list[re.Match[str]], at: int, text: str) -> bool:
    """`served Elizabeth I`: right behind a name in mid-sentence; not `in London I run`."""
    first = at
    while first and words[first - 1][0][0].isupper() and _gap(words, first - 1, text) == " ":
        first -= 1
    if first == at or _opens(text[: words[first].start()]):
        return False
    return _plain(words[first - 1][0]) not in word_tables().where


def _gap(words: list[re.Match[str]], at: int, text: str) -> str:
    """What stands between a word and the next."""
    return text[words[at].end() : words[at + 1].start()]


def _opens(before: str) -> bool:
    """Whether a sentence begins after these words."""
    return not before.strip() or before.rstrip()[-1] in ".!?"


def _plain(word: str) -> str:
    return word.lower().replace("’", "'")


def _concept(phrase: str) -> str:
    told = shorten(in_second_person(phrase).strip(), _LONGEST)
    return told[:1].upper() + told[1:] + ("" if told.endswith("…") else ".")


def _hero_noun(said: str, nouns: list[PremiseNoun]) -> str:
    """The first noun of what somebody says they are that owns none of the others."""
    who = _FURTHER.sub("", said).lower()
    within = [
        noun
        for noun in nouns
        if noun.kind != "place"
        and noun.owner != YOU
        and re.search(rf"\b{re.escape(noun.text.lower())}\b", who)
    ]
    owners = {noun.owner for noun in within}
    return next((noun.text for noun in within if noun.text not in owners), "")
