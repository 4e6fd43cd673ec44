"""A turn told as a story, said again as the player's own: `Maren took his hand` is `I took his
hand`, and `"Open," she called, "now!"` is `I called, "Open, now!"`.

Who tells in the third person calls the hero by name, or he or she; another who goes by the same
word is meant only after having been named.
"""

import re
from collections.abc import Sequence

from freeform.language.forms import base_form, is_third_person
from freeform.offline.interpreter.hearing import Hearing
from freeform.offline.interpreter.names import Named
from freeform.offline.interpreter.words import Token, Typed, read

_FIRST = frozenset({"i", "me", "my", "we", "us", "our", "mine", "myself"})
_SUBJECT = {"he": "he", "she": "she"}
_OWNED = {"his": "he", "her": "she"}
_SELF = {"himself": "he", "herself": "she"}
_LED = re.compile(
    r"^\W*(?:(?:please|now|then|ok(?:ay)?)\W+)*(?:take|bring|lead|get) (?:me|us)"
    r"(?: (?:over|back|up|down))? to\b(?! (?:you|your)\b)",
    re.I,
)
"""How the game master is asked to lead one somewhere: `Please take me to the harbour`."""
_JOINING = frozenset({"and", "then", ",", ";", "—", "–", "--"})
_TAG = 6
"""At most so many words stand between two halves of one speech: `she called across the yard`."""
_AS_MYSELF = {"is": "am", "was": "was"}
"""What is said of oneself otherwise than by the verb's base."""
_ADORNED = 2
"""Words between `the` and what the hero is: `the tired old courier`."""
_FEWEST = 5
"""Words of a turn that tells with a pronoun alone; fewer speak of somebody else."""


def in_first_person(hearing: Hearing) -> str:
    """The words, with the hero as I; as they were where they tell of nobody, or of others."""
    typed = hearing.typed
    if _LED.match(typed.text):
        typed = read(_LED.sub("I go to", typed.text, count=1))
    hero = next((named for named in hearing.cast.named if named.kind == "self"), None)
    if hero is not None and _is_told(hearing, hero):
        typed = read(_Retelling(hearing, hero).text())
    return _joined_speech(typed)


def _is_told(hearing: Hearing, hero: Named) -> bool:
    """Whether it tells of the hero as of another."""
    said = [token.plain for token in hearing.typed.tokens if token.kind == "word"]
    if _FIRST & set(said) or not said:
        return False
    if _names_hero(hearing):
        return True
    return len(said) >= _FEWEST and _told_with(hearing, _pronoun(hearing, hero))


def _told_with(hearing: Hearing, pronoun: str) -> bool:
    """Whether something is told with that pronoun as who does it: `she leans`, `she set down`."""
    return any(
        hearing.plain(at) == pronoun and (_tells(hearing, at + 1) or _does(hearing, at + 1))
        for at in range(len(hearing.typed.tokens))
        if _opens(hearing.typed.tokens, at)
    )


def _names_hero(hearing: Hearing) -> bool:
    """Whether the hero's name is who does something: `Wren leans over`, not `I am Wren`."""
    return any(
        mention.best().kind == "self"
        and (_tells(hearing, mention.last) or _speaks(hearing, mention.first))
        for mention in hearing.mentions
        if not mention.owner
    )


def _tells(hearing: Hearing, at: int) -> bool:
    """Whether a deed is told from here: `leans`, `drew`, `quietly took`; not `is` and `seems`."""
    for place in range(at, min(at + 2, len(hearing.typed.tokens))):
        verb = hearing.verbs.at(hearing.typed, place, len(hearing.typed.tokens))
        if verb is not None:
            return not verb.base or base_form(hearing.plain(place)) != hearing.plain(place)
        if base_form(hearing.plain(place)) != hearing.plain(place):
            return True
    return False


def _does(hearing: Hearing, at: int) -> bool:
    """Whether a deed's verb stands here in any form: behind `she` its bare form is the past."""
    return hearing.verbs.at(hearing.typed, at, len(hearing.typed.tokens)) is not None


def _speaks(hearing: Hearing, at: int) -> bool:
    """Whether a name stands behind its verb, after words said: `"Open," said Maren`."""
    tokens = hearing.typed.tokens
    return at > 1 and tokens[at - 2].kind == "quote" and tokens[at - 1].kind == "word"


def _opens(tokens: Sequence[Token], at: int) -> bool:
    """Whether something begins here: a sentence, or a clause after a mark or a joining word."""
    return at == 0 or tokens[at - 1].kind != "word" or tokens[at - 1].plain in _JOINING


def _pronoun(hearing: Hearing, hero: Named) -> str:
    """What the hero goes by; a player who never heard it may say another that nobody has who is
    here or was spoken of lately."""
    own = _subject(hero)
    others = [named for named in hearing.cast.named if named.kind == "person"]
    taken = {_subject(named) for named in others if named.near or named.recency}
    if _told_with(hearing, own):
        return own
    if _names_hero(hearing):
        reflexive = (_SELF.get(token.plain, "") for token in hearing.typed.tokens)
        own = next(filter(None, reflexive), own)
    free = [word for word in _SUBJECT if word not in taken and _told_with(hearing, word)]
    return free[0] if free else own


def _subject(named: Named) -> str:
    known = named.pronouns.lower().replace("/", " ").split()
    return next((word for word in known if word in _SUBJECT), "")


class _Retelling:
    """One text on its way from the third person to the first."""

    def __init__(self, hearing: Hearing, hero: Named) -> None:
        self._hearing = hearing
        self._pronoun = _pronoun(hearing, hero)
        self._of_hero = True
        """Whether the pronoun means the hero now."""
        self._acting = False
        self._people = {
            mention.first: mention
            for mention in hearing.mentions
            if mention.best().kind in ("self", "person")
        }

    def text(self) -> str:
        """The whole text again."""
        typed = self._hearing.typed
        parts, done, at = [], 0, 0
        while at < len(typed.tokens):
            token = typed.tokens[at]
            word, end = self._said_for(at, token)
            parts.append(typed.text[done : token.start])
            parts.append(word)
            done = typed.tokens[end - 1].end
            at = end
        return "".join(parts) + typed.text[done:]

    def _said_for(self, at: int, token: Token) -> tuple[str, int]:
        """What stands for a token, and where the next begins."""
        typed = self._hearing.typed
        as_typed = typed.text[token.start : token.end]
        if token.kind != "word":
            self._acting = self._acting and token.plain == ","
            return as_typed, at + 1
        mention = self._people.get(at)
        if mention is not None:
            return self._named(at)
        if token.plain == "the" and self._described(at):
            return self._named(self._described(at))
        if self._of_hero and token.plain == _SUBJECT.get(self._pronoun):
            self._acting = True
            return "I", at + 1
        if self._of_hero and _OWNED.get(token.plain) == self._pronoun and self._owns(at):
            return "my", at + 1
        if self._of_hero and _SELF.get(token.plain) == self._pronoun:
            return "myself", at + 1
        if self._acting and self._is_verb(at):
            return _AS_MYSELF.get(token.plain, base_form(token.plain)), at + 1
        return as_typed, at + 1

    def _described(self, at: int) -> int:
        """Where the hero is called what they are, behind `the old`; 0 for nowhere."""
        near = range(at + 1, min(at + 2 + _ADORNED, len(self._hearing.typed.tokens)))
        found = (n for n in near if n in self._people)
        first = next(found, 0)
        return first if first and self._people[first].best().kind == "self" else 0

    def _named(self, at: int) -> tuple[str, int]:
        """A name: the hero's is I, another's takes the pronoun over where it is theirs."""
        mention = self._people[at]
        typed = self._hearing.typed
        last = typed.tokens[mention.last - 1]
        as_typed = typed.text[typed.tokens[at].start : last.end]
        if mention.best().kind != "self":
            if _opens(typed.tokens, at) and not mention.owner:
                self._acting = False
                known = mention.best().pronouns.lower().replace("/", " ").split()
                self._of_hero = self._pronoun not in known
            return as_typed, mention.last
        self._of_hero = True
        if mention.owner:
            return "my", mention.last
        if (
            _speaks(self._hearing, at)
            or _tells(self._hearing, mention.last)
            or _opens(typed.tokens, at)
        ):
            self._acting = True
            return "I", mention.last
        return "me", mention.last

    def _owns(self, at: int) -> bool:
        """Whether `her` owns the next word: `her coat`; not `told her to go`."""
        if self._hearing.plain(at) == "his":
            return True
        following = self._hearing.typed.tokens[at + 1 : at + 2]
        if not following or following[0].kind != "word":
            return False
        words = self._hearing.words
        return following[0].plain not in words.prepositions | words.determiners | words.topic_marks

    def _is_verb(self, at: int) -> bool:
        """Whether it is what the hero does, as told of another: `leans`, `and asks`."""
        tokens = self._hearing.typed.tokens
        word = tokens[at].plain
        before = tokens[at - 1].plain if at else ""
        begins = before in _JOINING or before in _SUBJECT or at - 1 in self._ends()
        return begins and is_third_person(word) and base_form(word) != word

    def _ends(self) -> set[int]:
        return {
            mention.last - 1 for mention in self._people.values() if mention.best().kind == "self"
        }


def _joined_speech(typed: Typed) -> str:
    """A speech in two halves, with who says it before both."""
    tokens = typed.tokens
    for at, token in enumerate(tokens):
        if token.kind != "quote":
            continue
        end = next((n for n in range(at + 1, len(tokens)) if tokens[n].kind == "quote"), 0)
        between = tokens[at + 1 : end]
        tag = [one for one in between if one.kind == "word"]
        goes_on = token.text.endswith(",") or (between and between[-1].plain == ",")
        stops = any(one.plain in (".", "!", "?", ";") for one in between[:-1])
        if not end or not 1 < len(tag) <= _TAG or not goes_on or stops:
            continue
        said = typed.text[tag[0].start : tag[-1].end]
        whole = f"{token.text} {tokens[end].text}"
        before, after = typed.text[: token.start], typed.text[tokens[end].end :]
        return _joined_speech(read(f'{before}{said}, "{whole}"{after}'))
    return typed.text
