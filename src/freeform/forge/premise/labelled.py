"""The nouns of a premise as the learned ear labels them: whom, where and what, and whose."""

import re
from collections.abc import Sequence
from dataclasses import replace

from freeform.forge.premise.kinds import (
    NounKind,
    ends_as_nobody,
    ends_as_people,
    known_kind,
    word_tables,
)
from freeform.forge.premise.nouns import YOU, PremiseNoun, is_gone, lowered, places_before
from freeform.forge.premise.same import as_one, without_doubles
from freeform.forge.premise.verbs import is_verb
from freeform.language.forms import is_going_on, is_participle, is_plural, is_third_person
from freeform.language.inflection import lemma, singular
from freeform.language.meaning.premise import PEOPLE, SAME, THINGS, PremiseSpan
from freeform.language.short_forms import familiar_forms
from freeform.language.tables import cues

_OWNS = re.compile(r"(?:['’]s|(?<=s)['’])$")
_YOURS = re.compile(r"\b(?:my|our|your)\s+(?:[\w-]+\s+)?$", re.IGNORECASE)
_DONE_BY = re.compile(
    r"\bby (?:an?|the|my|our|his|her|their|some)\s+(?:[\w-]+\s+)?$", re.IGNORECASE
)
"""`is held by my ex`: whoever does it is somebody."""
_WITHIN = re.compile(r"\b(?:in|inside|at|into)\s+(?:(?:an?|the|my|our)\s+)?$", re.IGNORECASE)
"""`in ikea`: what one is in is a place, whatever it is."""
_NONE = re.compile(r"\b(?:no|without(?: an?| any)?|not an?|never an?|isn't an?)\s+$", re.IGNORECASE)
_YEAR = re.compile(r"\d{4}s?")
_WORD = re.compile(r"[\w'’-]+")
_OPENS = re.compile(r"(?:^|[.!?])[\s\"“]*(?:\w+\s+)?$")
"""A sentence begins here, or with an article before it."""
_SURE_SORTS = ("building", "room", "vessel", "holy", "under")
_NAME_BEHIND = re.compile(r" ([A-Z][a-z]+(?: [A-Z][a-z]+)?)\b")
_NEAR = 6
"""Words around a noun that say whether its bearer is dead."""
_BARE = 0.6
"""How likely several without an article must be somebody: not `leaving voicemails`."""
_TALK = 0.4
"""How likely a guessed place must be one for it to be talked of at least."""
_SAID_OF_IT = 3
"""Words before a noun that may say what it is like."""
_SURE, _LIKELY = 0.9, 0.5
"""How likely somebody must be somebody where nothing but the ear says so: a word without `a` or
`the`, and any other. Judged by hand on 180 strangers' premises: of 28 such nouns that are nobody
19 are left out by this and their endings, of 55 that are somebody 10."""
_PARENTS = frozenset({"mother", "father", "grandmother", "grandfather"})
_SPEAKING = frozenset({"say", "tell", "ask", "claim", "swear", "insist"})
_BEFORE_VERBS = frozenset(cues("happenings")["before_verbs"])
"""Behind these stands what somebody does."""
_ONE_OF_THEM = re.compile(r"\s+ones?\b")
"""`the nosy one`: whom an adjective is said of."""


def labelled_nouns(text: str, spans: Sequence[PremiseSpan]) -> list[PremiseNoun]:
    """The nouns in their order; another noun for the same one is kept with it."""
    found: list[PremiseNoun] = []
    owner, owner_ends = "", -1
    for span in _whole(text, spans):
        said = text[span.start : span.end]
        words = _without_participle(_WORD.findall(_OWNS.sub("", said)))
        words = _without_its_verb(words, text[: span.start])
        if not words or not (words[-1][0].isalpha() or _is_date(words)):
            continue
        owned_by = owner if not text[owner_ends : span.start].strip() else ""
        owner, owner_ends = "", -1
        if _names_nothing(text, span, words):
            continue
        noun = _noun(text, span, words)
        if _is_guess(noun, text, span):
            if span.sure < _TALK:
                continue
            noun = replace(noun, kind="matter", sort="", part="matter")
        if not noun.part and words[0].islower():
            continue
        same = _same_as(found, noun) if span.label == SAME else -1
        if same >= 0:
            found[same] = as_one(found[same], noun)
            continue
        if noun.kind == "person":
            found += places_before(words[:-1], len(found))
        noun = _named_kin(replace(noun, owner=owned_by or noun.owner, order=len(found)))
        found.append(noun)
        if _OWNS.search(said):
            owner, owner_ends = noun.text, span.end
    return without_doubles(found, text)


def _names_nothing(text: str, span: PremiseSpan, words: list[str]) -> bool:
    """`identical ones`: how they are, and no noun; `no author wrote it`: what is said not to be."""
    if span.label not in PEOPLE and _ONE_OF_THEM.match(text, span.end):
        return True
    if _NONE.search(text[: span.start]):
        return True
    return _is_no_noun(text, span, words) or _is_a_label(text, span)


def _is_guess(noun: PremiseNoun, text: str, span: PremiseSpan) -> bool:
    """Whether it is a place only by what the ear is unsure of, and nothing is said to be in it."""
    unsure = span.sure < _LIKELY and known_kind(noun.head) is None
    return noun.kind == "place" and unsure and not _WITHIN.search(text[: span.start])


def _is_a_label(text: str, span: PremiseSpan) -> bool:
    """`Hero: Amos Fell`: what stands before a colon at the beginning says what follows."""
    opens = re.search(r"(?:^|[.!?\n])\s*$", text[: span.start]) is not None
    return opens and text[span.end :].startswith(":") and " " not in text[span.start : span.end]


def _is_no_noun(text: str, span: PremiseSpan, words: list[str]) -> bool:
    """A verb or an adjective that the ear took for a thing: `to repay`, `they were`, `old name`."""
    word = words[-1].lower()
    if len(words) > 1 or span.label not in THINGS or known_kind(word) is not None:
        return False
    before = text[: span.start].split()
    behind = text[span.end : span.end + 2]
    if word in word_tables().small:
        return True
    if word in word_tables().adjectives and re.match(r" [a-z]", behind):
        return True
    after_verb = bool(before) and before[-1].lower() in _BEFORE_VERBS
    return after_verb or (lemma(word) in word_tables().verbs and word != lemma(word))


def _whole(text: str, spans: Sequence[PremiseSpan]) -> list[PremiseSpan]:
    """The spans, with what stands in front of a noun joined to it: `dead`, `people` are one."""
    joined: list[PremiseSpan] = []
    for span in spans:
        before = joined[-1] if joined else None
        said = text[before.start : before.end] if before else ""
        if before and text[before.end : span.start] == " " and not _OWNS.search(said):
            joined[-1] = replace(span, start=before.start)
        else:
            joined.append(span)
    taken = {span.start for span in joined}
    return [_with_one(text, _with_name(text, span, taken)) for span in joined]


def _with_name(text: str, span: PremiseSpan, taken: set[int]) -> PremiseSpan:
    """`my cousin Ebo`: the name behind what somebody is belongs to it."""
    named = _NAME_BEHIND.match(text, span.end)
    is_free = named is not None and named.start(1) not in taken
    return replace(span, end=named.end()) if named and is_free and span.label in PEOPLE else span


def _with_one(text: str, span: PremiseSpan) -> PremiseSpan:
    """`the nosy one` is somebody; `nosy` is not."""
    behind = _ONE_OF_THEM.match(text, span.end)
    return replace(span, end=behind.end()) if behind and span.label in PEOPLE else span


def _noun(text: str, span: PremiseSpan, words: list[str]) -> PremiseNoun:
    before = text[: span.start]
    named = _is_name(words, before, text[span.end :])
    head = words[-1] if named else singular(words[-1].lower())
    article = before.split()[-1].lower() if before.split() else ""
    is_many = not named and is_plural(words[-1].lower()) and head != words[-1].lower()
    counts = word_tables().determiners | word_tables().counts | {"one"}
    is_counted = article in counts or (is_many and span.sure >= _BARE)
    around = [word.lower() for word in _WORD.findall(before)[-_NEAR:]]
    owns = _OWNS.search(text[span.start : span.end]) or text[span.end :].startswith(("'s", "’s"))
    behind = [word.lower() for word in _WORD.findall(text[span.end :])[:_NEAR]]
    is_yours = _YOURS.search(before) is not None and not known_kind(head)
    acts = _speaks(behind) or article == "by" or _DONE_BY.search(before) or is_yours
    is_sure = named or (span.label in PEOPLE and bool(acts))
    owned = _OWNS.search(article)
    label = span.label if is_sure else _surely(span, head, is_counted or owned)
    label = label or ("matter" if is_many else "")
    kind, sort = _kind(label)
    return PremiseNoun(
        text=" ".join(words if named else _as_said(words, before)),
        head=head,
        kind=kind,
        sort=sort,
        part=label,
        is_name=named,
        is_many=is_many,
        owner=YOU if _YOURS.search(before) or (not is_counted and _is_addressed(head)) else "",
        is_gone=kind == "person" and is_gone(around, words, [] if owns else behind),
        is_one=article in word_tables().determiners,
        sure=span.sure,
        full=_in_full(words, before),
    )


def _in_full(words: Sequence[str], before: str) -> str:
    """The noun with the words that say what it is like; '' where none stand before it."""
    told: list[str] = []
    for word in reversed(before.split()[-_SAID_OF_IT:]):
        plain = word.lower()
        if not re.fullmatch(r"[\w'’-]+", word) or plain in word_tables().small or is_verb(plain):
            break
        told.insert(0, word)
        if _OWNS.search(word):
            break
    return " ".join([*told, *words]).lower() if told else ""


def _speaks(behind: Sequence[str]) -> bool:
    """`fella inside says`: whoever speaks is somebody."""
    return any(lemma(word) in _SPEAKING for word in behind[:2])


def _as_said(words: list[str], before: str) -> list[str]:
    """In small letters where a sentence begins; elsewhere a capital is a name's: `Frisian
    coast`."""
    first = lowered(words[0]) if _OPENS.search(before) else words[0]
    return [first, *words[1:]]


def _is_addressed(head: str) -> bool:
    """Whether somebody is called that by their own: grandpa's piano is that of your grandpa."""
    return bool({head, *familiar_forms(head)} & _PARENTS)


def _is_date(words: list[str]) -> bool:
    """`1944`, `the 1890s`, `autumn 1944`: when it is, and all there talk of it."""
    return _YEAR.fullmatch(words[-1]) is not None


def _surely(span: PremiseSpan, head: str, is_counted: object) -> str:
    """What the ear heard, '' for nothing at all, unless the table of words knows better: of 1,050
    marked premises .985 of what it has for people are people, .93 of buildings, rooms, vessels and
    what is below are places; the ear is right about .8 of them."""
    known, label = known_kind(head), span.label
    is_somebody = label in PEOPLE
    if known is None and is_somebody and is_going_on(head.split("-")[-1].lower()):
        return "matter"  # hedge-laying is nobody
    if known is None:
        if not is_somebody or _may_be_somebody(head, span.sure, bool(is_counted)):
            return label
        return "matter" if is_counted or ends_as_nobody(head) else ""
    is_surely_place = label.startswith("place.") and span.sure >= _SURE
    if known[0] == "person" and label not in (*PEOPLE, SAME) and not is_surely_place:
        return label if head in word_tables().groups else "person"  # `nobody gave the order`
    if known[0] == "matter" and label == "hero" and span.sure < _SURE:
        return "matter"  # `a heist on a train` is nobody
    doubted = label == "matter" or (is_somebody and span.sure < _SURE)
    if known[0] == "place" and known[1] in _SURE_SORTS and doubted:
        return f"place.{known[1]}"
    return label


def _may_be_somebody(head: str, sure: float, is_counted: bool) -> bool:
    """Whether a noun that no table knows can be somebody to meet: `bravery`, `lowkey` cannot."""
    if sure >= _SURE or ends_as_people(head) or head in word_tables().groups:
        return True
    return not ends_as_nobody(head) and is_counted and sure >= _LIKELY


def _without_participle(words: list[str]) -> list[str]:
    """`conductor determined`: who it is, without what they are."""
    if len(words) > 1 and is_participle(words[-1].lower()):
        known = known_kind(words[-2])
        if known and known[0] == "person":
            return words[:-1]
    return words


def _without_its_verb(words: list[str], before: str) -> list[str]:
    """`a footballer coaches`: behind `a` stands one, so what ends as many do is what they do."""
    is_one = before.lower().split()[-1:] in (["a"], ["an"])
    if is_one and len(words) > 1 and is_third_person(words[-1].lower()):
        known = known_kind(words[-2])
        is_somebody = known[0] == "person" if known else ends_as_people(words[-2])
        return words[:-1] if is_somebody else words
    return words


def _kind(label: str) -> tuple[NounKind, str]:
    if label.startswith("place."):
        return "place", label.removeprefix("place.")
    if label in (*PEOPLE, SAME):
        return "person", ""
    return ("matter", "") if label in ("matter", "") else ("thing", "")


def _is_name(words: list[str], before: str, behind: str) -> bool:
    """A capital is a name's, unless it opens a sentence or stands for `the AI`; so is a year, and
    what a premise begins with and sets apart (`Lagos, 1977.`)."""
    head = words[-1]
    if _is_date(words):
        return True
    if not head[0].isupper() or (head.isupper() and len(head) > 1):
        return False
    if len(words) > 1 or not _OPENS.search(before):
        return True
    is_apart = behind.startswith((",", ":")) or not is_plural(head.lower())
    return not before.strip() and known_kind(head) is None and is_apart


def _named_kin(noun: PremiseNoun) -> PremiseNoun:
    """`brother Mateo` is Mateo, and a brother; `old love Marguerite` is Marguerite."""
    words = noun.text.split()
    small = next((at for at, word in enumerate(words) if not word.islower()), 0)
    if not noun.is_name or not small or not words[small][0].isupper():
        return noun
    named, first = " ".join(words[small:]), " ".join(words[:small])
    return replace(noun, text=named, head=words[-1], also=noun.also or first)


def _same_as(found: Sequence[PremiseNoun], other: PremiseNoun) -> int:
    """Which one of those before it is the same: the last of its own kind; -1 for none."""
    known = known_kind(other.head)
    if known is None or other.is_name:
        return len(found) - 1 if found and found[-1].kind != "matter" else -1
    alike = [at for at, noun in enumerate(found) if noun.kind == known[0]]
    return alike[-1] if alike else -1
