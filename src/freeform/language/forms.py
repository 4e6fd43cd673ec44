"""The forms a regular word takes, and what a word's ending says of it."""

from functools import lru_cache

from freeform.language.inflection import irregular_participle, irregular_verb, singular
from freeform.language.words import stop_words, word_class

SECOND_PERSON = {
    "i": "you",
    "i'm": "you're",
    "i'll": "you'll",
    "me": "you",
    "my": "your",
    "myself": "yourself",
}
"""How one's own words sound, told back to one."""

_VOWELS = frozenset("aeiou")
_BEFORE_E = frozenset("cgsuvz")
"""Letters that no verb ends in: after them an e was lost."""
_NO_END = _BEFORE_E | {"i"}
"""And `carri` is `carry`."""
_BEFORE_LE = frozenset("bcdfgkpstz")
"""Letters after which no verb ends in an l: `whistle`, not `whistl`."""


def verb_forms(verb: str) -> list[str]:
    """A regular verb as people write it: walk, walks, walking, walked."""
    if len(verb) < 2:
        return [verb]
    if verb.endswith("e"):
        return [verb, verb + "s", verb[:-1] + "ing", verb + "d"]
    if verb.endswith("y") and verb[-2] not in _VOWELS:
        return [verb, verb[:-1] + "ies", verb + "ing", verb[:-1] + "ied"]
    third = verb + ("es" if verb.endswith(("s", "sh", "ch", "x", "z", "o")) else "s")
    stem = verb + verb[-1] if _doubles(verb) else verb
    return [verb, third, stem + "ing", stem + "ed"]


@lru_cache(maxsize=4096)
def base_form(verb: str) -> str:
    """A verb as one says it to someone: leans, lean; drew, draw; crossed, cross."""
    irregular = irregular_verb(verb)
    if irregular or verb in stop_words() or irregular_participle(verb):
        return irregular or verb
    for form, ending in ((1, "s"), (3, "ed")):
        if not verb.endswith(ending) or verb.endswith("ss"):
            continue
        cut = verb.removesuffix(ending)
        bases = (cut, cut + "e", cut[:-1], verb[:-3] + "y", verb[:-2])
        short = 4 if verb.endswith("eed") else 3  # `seed` and `need` are no past of `see` and `nee`
        fitting = [base for base in bases if len(base) >= short and verb_forms(base)[form] == verb]
        if fitting:
            return max(fitting, key=_looks_whole)
    return verb


def participle(verb: str) -> str:
    """What a thing is when the verb was done to it: polishes, polished; drew, drawn; cut, cut."""
    base = base_form(verb.lower())
    return irregular_participle(base) or verb_forms(base)[-1]


def _looks_whole(base: str) -> int:
    """How well a verb's end looks: `raise` before `rais`, `hop` before `hopp`, `pull` for all."""
    if base.endswith("ie"):
        return 1 if len(base) == 3 else -1
    if base.endswith("e") and base[-3] == base[-2]:
        return -2
    if base.endswith("e"):
        return 1 if base[-2] in _BEFORE_E else -1
    if base[-1] == "l" and base[-2] in _BEFORE_LE:
        return -2
    if base[-1] == base[-2]:
        return 2 if base[-1] in "slfz" else -2
    return 0 if base[-1] not in _NO_END else -1


def _doubles(verb: str) -> bool:
    """Whether its last letter doubles: grab, grabbed; not open, opened (those are listed)."""
    if len(verb) < 3 or verb[-1] in "wxy" or sum(letter in _VOWELS for letter in verb) != 1:
        return False
    return verb[-2] in _VOWELS


def is_plural(noun: str) -> bool:
    """Whether a noun, or the last word of a name, is of more than one thing."""
    last = noun.lower().rpartition(" ")[2]
    return singular(last) != last


def one_of(name: str) -> str:
    """A name of many things as the name of one: `Silver Knives`, a `Silver Knife`."""
    before, space, last = name.rpartition(" ")
    one = singular(last.lower())
    if one == last.lower():
        return name
    kept = last[: len(one)] if last.lower().startswith(one) else one
    return before + space + (kept.capitalize() if last[:1].isupper() else kept)


def other_number(noun: str) -> str:
    """A noun in the plural for one in the singular, and the other way round; a letter has one."""
    if len(noun) < 2:
        return noun
    return one_of(noun) if is_plural(noun) else verb_forms(noun)[1]


def is_adverb(word: str) -> bool:
    """Whether it only says how: quickly, quietly."""
    return len(word) > 4 and word.endswith("ly") and word not in word_class("no_adverbs")


def is_participle(word: str) -> bool:
    """Whether it ends as what is going on, or is over, does: going, gone by, locked."""
    return word.endswith(("ing", "ed"))


def is_told_of_another(verb: str) -> bool:
    """Whether a verb has a form in which another's deed is told: she wedges, somebody wedged."""
    return is_participle(verb) or (verb.endswith("s") and not verb.endswith("ss"))


def is_going_on(word: str) -> bool:
    """Whether it ends as what is going on does: going, waiting."""
    return word.endswith("ing")


def is_third_person(word: str) -> bool:
    """Whether it ends as what he or she does now: walks, nods."""
    return word.endswith("s")


def is_past(word: str) -> bool:
    """Whether it ends as what is over does: locked, died."""
    return word.endswith("d")


def is_denial(word: str) -> bool:
    """Whether it says that something is not so: not, never, isn't."""
    return word.endswith("n't") or word in word_class("negations")


def is_over(verb: str) -> bool:
    """Whether the form of a verb tells what is over: was, sold, locked; not sells, nor selling."""
    if verb in word_class("tense_carriers"):
        return verb in ("was", "were", "had", "did")
    base = irregular_verb(verb)
    if base:
        return base != verb and not verb.endswith(("s", "ing"))
    return ends_done(verb)


def ends_done(word: str) -> bool:
    """Whether it ends as a regular verb that is over does: locked, martyred."""
    return word.endswith("ed")


def may_be_finite(word: str) -> bool:
    """Whether a word may be the verb of a clause: by its ending, or as an irregular form."""
    if word in word_class("tense_carriers"):
        return True
    if word.endswith("s") and not word.endswith(("ss", "us", "'s", "ous")) and len(word) > 3:
        return True
    return bool(irregular_verb(word)) and not word.endswith("ing")
