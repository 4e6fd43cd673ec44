"""Where the verb of a clause is, what stands before it, and what sort of thing it says: by tables,
endings and places."""

import re
from collections.abc import Sequence
from itertools import pairwise

from freeform.forge.premise.kinds import known_kind, word_tables
from freeform.language.forms import is_going_on, is_participle, is_third_person
from freeform.language.inflection import lemma
from freeform.language.tables import cues

_TWO = 2
NOW = frozenset(cues("happenings")["now"])
_SHORT = frozenset("it's there's he's she's that's who's they're you're you've they've".split())
_SAYING = frozenset(cues("happenings")["saying"])
THEN = frozenset("was were had did".split())
_RELATIVE = re.compile(r"\b(?:who|whom|whose|that|which|where|he|she|it|they|you|we|I)$", re.I)


def subject_of(clause: str) -> str:
    """What stands before the first verb."""
    words = clause.split()
    for at, word in enumerate(words[1:], 1):
        plain = word.lower().strip(",")
        is_noun = words[at - 1].lower() in word_tables().determiners
        if not is_noun and (is_verb(plain) or _follows_one(words, at)):
            return " ".join(words[:at])
    return ""


def has_verb(text: str) -> bool:
    words = [word.strip(",.;:") for word in text.split()]
    if words and words[0].lower() in _SHORT:
        return True
    return any(is_verb(word) or _follows_one(words, at) for at, word in enumerate(words) if at)


def is_verb(word: str) -> bool:
    """Whether it may be a verb: one that is known, or a word with a verb's ending."""
    plain = word.lower()
    if plain in NOW | THEN or plain.endswith("n't") or plain in _SHORT:
        return True
    known = known_kind(plain)
    if lemma(plain) in word_tables().verbs:
        return known is None or plain != lemma(plain)
    ends = re.fullmatch(r"[a-z]{3,}(?:is|iz)es", plain) is not None
    return known is None and (is_participle(plain) or ends)


def nobody_has(clause: str) -> bool:
    """`nobody gave the order`: that nobody did something is said of what was told before it."""
    words = clause.lower().split()
    verb = next((word for word in words[1:] if is_verb(word)), "")
    opens = words[:1] == ["nobody"] or words[:2] == ["no", "one"]
    return opens and is_past(verb)


def is_now(clause: str) -> bool:
    """Whether it is so now: by its first verb."""
    for word in clause.lower().split()[1:]:
        if word in THEN or (is_participle(word) and lemma(word) in word_tables().verbs):
            return False
        if word in NOW or is_verb(word):
            return True
    return True


def is_past(word: str) -> bool:
    """`poisoned`, `taken`."""
    is_form = lemma(word) != word and lemma(word) in word_tables().verbs
    return (is_participle(word) or is_form) and not (is_going_on(word) or is_third_person(word))


def has_main_verb(clause: str, subject: str) -> bool:
    """Whether there is a verb outside of what is only said about its noun: `a letter you were told
    not to read` has none."""
    if len(subject.split()) < _TWO or not _RELATIVE.search(subject):
        return True
    words = clause.lower().replace(",", "").split()[len(subject.split()) + 1 :]
    return any(
        word in NOW | THEN or word.endswith("n't") or (is_verb(word) and word != lemma(word))
        for before, word in pairwise(words)
        if before not in ("to", "not") and not (is_participle(before) and is_participle(word))
    )


def is_said_or_felt(subject: str, behind: str) -> bool:
    """`the baker says`, `no one will say`, `your mother is proud of you`."""
    words = behind.lower().replace(",", "").split()
    verb = next((word for word in words if word not in NOW | THEN | {"not", "never"}), "")
    if {verb, lemma(verb)} & _SAYING:
        return True
    is_so = words[:1] in (["is"], ["are"], ["was"], ["were"]) and len(words) > 1
    return is_so and _is_person(subject) and _is_how(words[1])


def says_who(clause: str) -> bool:
    """Whether it only says who or what somebody is: `your boss is Ilka, an old witch`, `your name
    is Pell`, `your job is cleaning windows`; or when it is: `the year is 1943`."""
    if re.fullmatch(r"\w+ \w+ (?:is|was) \d+", clause):
        return True
    said = re.match(r"(?:your|his|her) (?:[\w-]+ )?(\w+)(?: is| was|['’]s) (.+)$", clause, re.I)
    if not said:
        return False
    if said[1].lower() in cues("happenings")["what_one_is"]:
        return True
    words = said[2].split()
    known = known_kind(words[-1])
    is_noun = words[0].lower() in word_tables().determiners and known and known[0] == "person"
    return _is_person(said[1]) and (words[0][0].isupper() or bool(is_noun))


def _follows_one(words: Sequence[str], at: int) -> bool:
    """Whether a word stands as a verb does: `a customer orders`."""
    if at < _TWO or not re.fullmatch(r"[a-z]{3,}[^s]s", words[at]):
        return False
    known = known_kind(words[at - 1])
    return (known is not None and known[0] == "person") or (
        words[at - 1][:1].isupper() and known_kind(words[at]) is None
    )


def _is_how(word: str) -> bool:
    """Whether somebody is said to be so: polite; not `in prison`, `an hour younger`, `digging`."""
    tables = word_tables()
    is_small = word in tables.small | tables.determiners | tables.counts
    return not (is_small or is_going_on(word) or is_participle(word))


def _is_person(subject: str) -> bool:
    known = known_kind(subject.split()[-1]) if subject else None
    return known is not None and known[0] == "person"
