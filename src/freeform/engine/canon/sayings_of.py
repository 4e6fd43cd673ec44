"""What a sentence says of what it names: the opposite of a value, that it is gone, that it died."""

from freeform.engine.canon.sentence import NamedAt, Sentence, lemmas_of
from freeform.engine.world.canon import denies
from freeform.engine.world.scales import opposite_words
from freeform.language.families import family
from freeform.language.forms import is_denial, is_past, is_third_person
from freeform.language.inflection import lemma
from freeform.language.words import word_class

BEING, AT, SMALL = map(word_class, ("being", "at_a_place", "before_a_thing"))


def is_close(between: list[str]) -> bool:
    """Whether nothing stands between a verb and its object but what belongs to the object."""
    return len(between) <= 2 and not set(between) & (AT | {"of", "to", "for", "with", "from"})


def says_otherwise(sentence: Sentence, place: NamedAt, value: str) -> bool:
    """Whether a sentence says of what it names there the opposite of a value."""
    if place.owns:
        return False
    others = opposite_words(value)
    after = sentence.after(place.end, 5)
    for n, word in enumerate(after):
        about = (
            n == 0
            or after[0] in BEING
            or (n <= 2 and (is_third_person(after[0]) or is_past(after[0])))
        )
        if word in others and about:
            real = not sentence.is_unreal(place.end + n)
            return real and ends_its_thought(sentence, place.end + n + 1)
    if after[1:2] == [value] and is_denial(after[0]):
        return True
    if BEING & set(after[:1]) and denies(" ".join(after[1:4]), value):
        return not word_class("unreal") & set(after[:3])
    return _is_done_to(sentence, place, others) or _stands_before(sentence, place, others)


def _is_done_to(sentence: Sentence, place: NamedAt, others: frozenset[str]) -> bool:
    """Whether something is done that makes it so: unlocks the door, kills Viktor."""
    verbs = {lemma(word) for word in others if is_past(word)} | (
        {"open", "close"} & set(map(lemma, others))
    )
    near = sentence.before(place.start, 3)
    for n, word in enumerate(near):
        if lemma(word) in verbs and set(near[n + 1 :]) <= SMALL:
            at = place.start - len(near) + n
            doing = at > 0 and sentence.tokens[at - 1] not in SMALL
            return doing and not sentence.is_unreal(at)
    return False


def _stands_before(sentence: Sentence, place: NamedAt, others: frozenset[str]) -> bool:
    """Whether it is called so: the open door, dead Viktor."""
    near = sentence.before(place.start, 2)
    if not near or near[-1] not in others:
        return False
    return near[0] in SMALL and not sentence.is_unreal(place.start)


def ends_its_thought(sentence: Sentence, place: int) -> bool:
    """Whether a word is the end of what is said: `is dead` and not `is dead tired`."""
    following = sentence.after(place, 1)
    return not following or following[0] in word_class("after_a_thought")


def is_said_to_be(sentence: Sentence, place: NamedAt, value: str) -> bool:
    """Whether someone is said to be here, or gone, outright."""
    after = sentence.after(place.end, 3)
    if not after or after[0] not in BEING:
        return False
    for n, word in enumerate(after[1:], start=1):
        if word in opposite_words(value) and sentence.ends_at(place.end + n + 1):
            return not sentence.is_unreal(place.end + n)
    return False


def tells_a_death(sentence: Sentence, place: NamedAt) -> bool:
    """Dies, is killed, a corpse: what ends a life, said of someone there."""
    dying = {lemma(word) for word in (*family("dead"), "perish")} - {lemma("dead")}
    after = sentence.after(place.end, 2)
    if place.owns:
        bodies = {lemma(word) for word in family("corpse")}
        return bool(after) and lemmas_of(after)[0] in bodies
    for n, word in enumerate(after):
        if lemma(word) in dying and (is_third_person(word) or is_past(word)):
            return not sentence.is_unreal(place.end + n)
    return False
