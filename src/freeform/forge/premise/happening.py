"""What a premise says is going on: the clause that the story is about, as it is said to the player.

`Two brothers run a failing radio station and somebody keeps calling in with tomorrow's news` is
about somebody who keeps calling in with tomorrow's news. A premise sets out who and where, and then
says what is the matter: so it is the last clause that stands by itself; above it what nobody knows
who does, a loss or a death, and what is so now; below it what is only said or felt; and never one
that only says who somebody is. Read by the small words that join clauses.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from freeform.forge.premise.fates import tells_a_loss
from freeform.forge.premise.kinds import known_kind, word_tables
from freeform.forge.premise.nouns import PremiseNoun
from freeform.forge.premise.same import in_mid_sentence, is_unbound
from freeform.forge.premise.teller import PremiseTeller, in_second_person
from freeform.forge.premise.verbs import (
    NOW,
    THEN,
    has_main_verb,
    has_verb,
    is_now,
    is_past,
    is_said_or_felt,
    is_verb,
    nobody_has,
    says_who,
    subject_of,
)
from freeform.language.forms import base_form, is_participle, is_plural
from freeform.language.inflection import lemma
from freeform.language.tables import cues

_LONGEST, _SHORTEST = 20, 3
"""Words of a clause that can be said in one breath, and of one that says anything."""
_TWO = 2
_LONG_SUBJECT, _FURTHER = 9, 4
_TOPICS = 4
"""How many of its words people are asked about it by."""
_LABEL = re.compile(r"^[^.:;!?]{2,40}:\s+(?=\w)")
_OPENER = (
    r"(?:an?|the|my|your|his|her|their|our|its|one of|some|some(?:body|one|thing)|no(?:body|thing)?"
    r"|no one|every(?:body|one|thing)?|one|two|three|four|five|both|each|all|neither|I|you|he|she"
    r"|they|it|we|there|that|this|(?-i:[A-Z])[\w'’-]+)"
)
_WHEN = (
    r"(?:(?:and|but|so|then|now|today|tonight|tomorrow|yesterday|suddenly|one (?:day|night|morning)"
    r"|(?:last|this) (?:night|week|morning|evening|year|month))\b,?\s+)"
)
_AND = re.compile(
    rf",?\s+(?:and only|and|but|so|yet|until|only)\s+(?={_WHEN}*{_OPENER}\b)|,\s+then\s+"
    r"|,\s+(?=some(?:body|one)\s)",
    re.IGNORECASE,
)
_FIRST = re.compile(rf"^{_WHEN}+", re.IGNORECASE)
_SUBORDINATE = re.compile(
    r"\b(?:who|whom|whose|which|that|where|when|although|though|because|while|if|since|as)\b", re.I
)
_SENTENCES = re.compile(r"(?<=[.!?;])\s+")
_IS_ONLY = re.compile(
    r"^(?:you are|you['’]re|it is|it['’]s)(?: not)? (?:an?|the|one|two|three|four|five|in|at|on)\b",
    re.IGNORECASE,
)
"""What one is, and where: nothing happens."""
_POINTS_BACK = re.compile(
    r"^(?:(?:he|she|it|they|this|that)\b"
    r"|(?:each|both|neither) (?:of them\b|(?:is|are|has|have|had)\b)"
    r"|(?:one|all|none|some) of them\b)",
    re.IGNORECASE,
)
_BESIDE = re.compile(
    r"(?:,\s+(?:although|though|because|while|since)|(?<=\w),?\s+(?:even though|although|because))"
    r"\b.*$",
    re.I,
)
_BEFORE = re.compile(
    r"^(?:while|when|whenever|since|before|after|because|although|if|as|until)\s[^,]{3,60},\s+"
    r"(?!(?:he|she|it|they|his|her|their|its)\b)",
    re.IGNORECASE,
)
"""`Since my husband died, the parrot …`: when, and then what."""
_ABOUT_IT = re.compile(r" (?:that|who|which) (?:\w+ ){1,3}(?:it|them|him)(?= \w)", re.I)
"""`the corporation that made it is …`: what is said of somebody beside."""
_SET_OFF = re.compile(
    r",\s+(?:(?:an?|the|my|your|our|his|her|who|whose|which)\s|(?-i:[A-Z]))[^,.;:]{1,50},\s+"
    r"(?=([\w'’]+))",
    re.IGNORECASE,
)
"""`Corin, the captain of the guard, has been ordered`."""
_PLACED = re.compile(
    r"^(?:in|on|at|aboard|during|under|near|inside)\s[^,]{3,60},\s+", re.IGNORECASE
)
"""`In a harbour town, the bells …`: where, and then what."""
_UNKNOWN = re.compile(r"^some(?:body|one)\s+(?:else\s+)?(?=\w)", re.IGNORECASE)
_YOU = re.compile(r"^(?:you|the (?:two|three|four|five) of you)\b", re.IGNORECASE)
_NO_TELLING = re.compile(
    r"^you(?:['’]ve)? (?:must|(?:have|need|got) to|gotta|want|can|\w+ing)\b|\bplease\b"
    r"|^[^,]{2,60}? (?:(?:has|have|had) to|must) "
    r"|^there (?:is|are|was|were)\b(?!.*\b(?:that|who|no|nobody|nothing)\b)"
    r"|^[^,]{2,60}? (?:is|are|was) (?:(?:on|at|in) )?(?:an hour|noon|\w+day|tonight|tomorrow)$",
    re.IGNORECASE,
)
"""What one has to do (`clauses.py` tells it), what one asks for, what there only is, and when."""
_YOU_WHO = re.compile(
    r"^you(?:['’]re| are) (?:an?|the) [\w'’ -]{3,60}? (?:who|that)"
    r" (?=([a-z]{2,}s|has|had|[a-z]+ed)\b)",
    re.IGNORECASE,
)
_WITHIN = re.compile(
    r"\b(?:(?:in|on|at|from|to|with|under|behind|into) (?:which|whom)|where)"
    rf" ((?:{_OPENER}|\w+s)\b.+)$",
    re.IGNORECASE,
)
_WHO = re.compile(
    r"\b(?:an?|the|some) ((?:[\w'’-]+ ){0,3}?[\w'’-]+) (?:who|that) "
    r"((?:has|have|is|are|was|were|had|keeps?|can|will|does|[a-z]{3,}s)\b.+)$",
    re.IGNORECASE,
)
_OF_THEM = re.compile(r"\b(one|both|all|none|neither) of them\b", re.IGNORECASE)
_BEING = frozenset("is are was were been being get got gets".split())
_FIXED = {"is": "are", "has": "have", "was": "were", "does": "do", "isn't": "aren't"}
_THEIRS = re.compile(r"\b(?:they|them|their)\b", re.IGNORECASE)
_YOURS = {"they": "you", "them": "you", "their": "your"}
_HERS = {"his": "your", "himself": "yourself", "herself": "yourself", "him": "you", "hers": "yours"}


@dataclass(frozen=True)
class PremiseHappening:
    """What is going on; '' where the premise does not say."""

    clause: str = ""
    """As it stands in a sentence: `the urn is empty`."""
    does: str = ""
    """Where it is not said who does it: what they do, as in `keeps calling in`."""
    subject: str = ""
    """Of whom or what it is said."""
    topics: tuple[str, ...] = ()
    """The words of it that one would ask by."""

    @property
    def is_ones_own(self) -> bool:
        """Whether it is what the player does or has done: not `you are asked`."""
        words = self.clause.lower().split()
        is_done_to = words[1:2] in (["are"], ["were"]) and is_participle(words[2])
        return words[:1] == ["you"] and len(words) > _TWO and not is_done_to

    @property
    def is_done(self) -> bool:
        """Whether it is something that was done, and not said by whom: `the well is poisoned`."""
        words = self.clause.lower()[len(self.subject) :].replace(",", "").split()
        at = next((at for at, word in enumerate(words) if is_past(word)), 0)
        return 0 < at <= _TWO and words[at - 1] in _BEING and "by" not in words

    @property
    def question(self) -> str:
        """Inside a sentence: `who it is that keeps calling in`, `why it is that the urn …`."""
        return f"who it is that {self.does}" if self.does else f"why it is that {self.clause}"

    @property
    def asked(self) -> str:
        """The same asked outright."""
        if self.does:
            return f"who is it that {self.does}, and why?"
        who = "who" if self.is_done else "what"
        return f"why is it that {self.clause}, and {who} is behind it?"

    def done_by(self, name: str) -> str:
        """Who is behind it: `Tomas is the one who keeps calling in`."""
        if self.does:
            return f"{name} is the one who {self.does}"
        return f"it is {name}'s doing that {self.clause}"


NOTHING_HAPPENS = PremiseHappening()


def happening_of(
    text: str, teller: PremiseTeller, nouns: Sequence[PremiseNoun], hers: bool | None
) -> PremiseHappening:
    """What the premise says is going on."""
    hero = next((noun for noun in nouns if noun.text == teller.hero), None)
    clauses = _clauses(in_second_person(text))
    pool = [_told(clause, hero, teller, hers) for clause in clauses]
    pool = [_with_what_it_means(pool, at, nouns) for at in range(len(pool))]
    fitting = [clause for at, clause in enumerate(pool) if _fits(clause, at == 0)]
    if not fitting:
        return NOTHING_HAPPENS
    clause = max(enumerate(fitting), key=lambda row: (*_weight(row[1]), row[0]))[1]
    clause = in_mid_sentence(clause, nouns)
    unknown = _UNKNOWN.match(clause)
    does = clause[unknown.end() :] if unknown else ""
    return PremiseHappening(clause, does, subject_of(clause), _topics(clause))


def _weight(clause: str) -> tuple[bool, bool, bool, bool, bool]:
    """What nobody knows who does; what is more than said or felt; what others do; a loss or a
    death; what is so now."""
    subject = subject_of(clause)
    behind = clause[len(subject) :]
    is_lost = tells_a_loss(subject, behind)
    is_more = is_lost or not is_said_or_felt(subject, behind)
    unknown = _UNKNOWN.match(clause) is not None
    return unknown, is_more, not _YOU.match(clause), is_lost, is_now(clause)


def _with_what_it_means(pool: Sequence[str], at: int, nouns: Sequence[PremiseNoun]) -> str:
    """A clause with the one before it, where it speaks of something of that: `the devil has it`;
    '' where the two are too long."""
    clause = pool[at]
    if not is_unbound(clause, nouns):
        return clause
    clause = _ABOUT_IT.sub("", clause, count=1)
    if _NO_TELLING.search(clause) or not is_unbound(clause, nouns):
        return clause
    before = pool[at - 1] if at else ""
    joined = f"{before}, and {clause}"
    if is_said_or_felt(subject_of(clause), clause[len(subject_of(clause)) :]):
        return ""
    stands = _fits(before, at == 1) and not _UNKNOWN.match(before) and not _YOU.match(clause)
    return joined if stands and len(joined.split()) <= _LONGEST else ""


def _clauses(told: str) -> list[str]:
    """The clauses that stand by themselves, in their order; one that only points back at the one
    before it is told with it."""
    found: list[str] = []
    for sentence in _SENTENCES.split(told):
        said = re.sub(r"[^\w)'’\"]+$", "", sentence)
        label = _LABEL.match(said)
        said = said[label.end() :] if label and not has_verb(label[0]) else said
        said = _SET_OFF.sub(lambda beside: " " if is_verb(beside[1]) else beside[0], said)
        for clause in _split(said):
            plain = _BEFORE.sub("", _FIRST.sub("", _BESIDE.sub("", clause.strip(" ,"))))
            plain = _PLACED.sub("", plain)
            points_back = _POINTS_BACK.match(plain) and not _OF_THEM.match(plain)
            if found and (points_back or nobody_has(plain)):
                is_told = is_said_or_felt(subject_of(plain), plain[len(subject_of(plain)) :])
                joined = found[-1] if is_told else f"{found[-1]}, and {_small(plain)}"
                found[-1] = joined if len(joined.split()) <= _LONGEST else found[-1]
            else:
                found.append(plain)
    return found


def _split(sentence: str) -> list[str]:
    """At `and` and the like, where another subject follows; inside of what hangs on another clause
    only behind a comma."""
    parts, begun = list[str](), 0
    for joint in _AND.finditer(sentence):
        before, behind = sentence[begun : joint.start()], sentence[joint.end() :]
        is_apart = joint[0].startswith(",") or not _SUBORDINATE.search(before)
        if is_apart and has_verb(before) and has_verb(behind):
            parts.append(before)
            begun = joint.end()
    return [*parts, sentence[begun:]]


def _told(clause: str, hero: PremiseNoun | None, teller: PremiseTeller, hers: bool | None) -> str:
    """The clause as it is said to whoever plays the hero; '' where it says only what they are."""
    if hero is not None and not teller.is_own:
        clause = _OF_THEM.sub(r"\1 of you", clause)
        clause = _as_yours(clause, hero, hers)
    found = _found_out(clause)
    if found:
        return found
    if not _YOU.match(clause):
        return _small(clause)
    within, who, you_who = _WITHIN.search(clause), _WHO.search(clause), _YOU_WHO.match(clause)
    if within:
        return _small(within[1])
    if you_who:
        rest = clause[you_who.end() :]
        return f"you {_plural(you_who[1])}{rest[len(you_who[1]) :]}"
    if who and _is_somebody(who[1]):
        return f"the {who[1]} {who[2]}"
    return "" if _IS_ONLY.match(clause) else _small(clause)


def _found_out(clause: str) -> str:
    """What somebody discovers is what is so: `a baker learns that …`."""
    verbs = "|".join(cues("happenings")["finding"])
    found = re.search(rf"\b(?:{verbs})(?:e?[sd]|ing)?(?: out)? that ({_OPENER}\b.+)$", clause, re.I)
    if not found:
        return ""
    who = re.match(r"(?:an?|the) ([\w'’ -]+?) (?:\w+s|has|have) ", clause, re.IGNORECASE)
    whose = f"the {who[1]}'s" if who else ""
    told = re.sub(r"^(?:his|her|their)\b", whose or "their", found[1], count=1, flags=re.I)
    return _small(told)


def _as_yours(clause: str, hero: PremiseNoun, hers: bool | None) -> str:
    """`a tailor is asked` to whoever plays the tailor: `you are asked`."""
    if hero.is_many:
        counted = rf"^(two|three|four|five) (?:[\w-]+ )?{re.escape(hero.text)}\b"
        yours = re.sub(counted, lambda said: f"the {said[1].lower()} of you", clause, flags=re.I)
        return (
            yours if yours == clause else _THEIRS.sub(lambda said: _YOURS[said[0].lower()], yours)
        )
    called = f"{hero.text} the {hero.also}" if hero.is_name and hero.also else hero.text
    found = _named_first(clause, called)
    if found:
        rest = clause[found.end() :].strip()
        verb = found[1]
        rest = rest if verb == "and" else f"{_plural(verb)}{rest[len(verb) :]}"
        clause = f"you {rest}"
    return clause if hers is None else _without_pronouns(clause)


def _named_first(clause: str, hero: str) -> re.Match[str] | None:
    """The hero at the beginning, with what is said of them, and the verb behind."""
    for more in range(_FURTHER + 1):
        with_more = rf" (?:with|without|of|in|from|at|on)(?: [\w'’-]+){{{more}}}" if more else ""
        named = rf"^(?:(?:an?|the|[A-Z]\w+ the) )?{re.escape(hero)}{with_more}(?= ([\w'’]+))"
        found = re.match(named, clause, re.IGNORECASE)
        if found and _goes_on(found[1]):
            return found
    return None


def _goes_on(word: str) -> bool:
    return word == "and" or is_verb(word)


def _without_pronouns(clause: str) -> str:
    words, told = clause.split(), list[str]()
    for at, word in enumerate(words):
        plain, mark = re.match(r"([\w'’]*)(.*)", word).groups()  # type: ignore[union-attr]
        behind = words[at + 1].lower() if at + 1 < len(words) else ""
        if plain.lower() == "her":
            ends = bool(mark) or not behind or behind in word_tables().small
            plain = "you" if ends else "your"
        elif plain.lower() in ("he", "she"):
            plain = "you"
        else:
            plain = _HERS.get(plain.lower(), plain)
        if told and told[-1] == "you" and words[at - 1].lower() in ("he", "she"):
            plain = _plural(plain)
        told.append(f"{plain}{mark}")
    return " ".join(told)


def _plural(verb: str) -> str:
    """The verb behind `you`."""
    if verb.lower() in _FIXED:
        return _FIXED[verb.lower()]
    return base_form(verb)


def _befalls(clause: str) -> bool:
    """Whether something has befallen the player: `you are asked`, `you found`; not `you run`."""
    if _IS_ONLY.match(clause):
        return False
    words = clause.lower().split()
    verb, next_word = words[1] if len(words) > 1 else "", words[2] if len(words) > _SHORTEST else ""
    if verb == "and":
        return True
    has_done = verb in ("are", "were", "have", "had") and is_participle(next_word)
    return has_done or (is_participle(verb) and lemma(verb) != verb)


def _fits(clause: str, is_first: bool) -> bool:
    """Whether it is a clause of one breath, with a subject; and no bare setting out of the hero."""
    words = clause.split()
    if not _SHORTEST <= len(words) <= _LONGEST or not has_verb(clause):
        return False
    subject = subject_of(clause)
    is_plain = 0 < len(subject.split()) <= _LONG_SUBJECT and "," not in subject
    if not is_plain or not _opens_as_subject(words) or _NO_TELLING.search(clause):
        return False
    if says_who(clause) or not has_main_verb(clause, subject):
        return False
    return not is_first or not _YOU.match(clause) or _befalls(clause)


def _opens_as_subject(words: Sequence[str]) -> bool:
    if re.fullmatch(_OPENER, words[0], re.IGNORECASE):
        return True
    return is_plural(words[0].lower()) and is_verb(words[1])


def _topics(clause: str) -> tuple[str, ...]:
    """Its own words, the longest first."""
    tables = word_tables()
    words = [word.lower() for word in re.findall(r"[^\W\d_]{4,}", clause)]
    own = [word for word in words if word not in tables.small | tables.adjectives | NOW | THEN]
    return tuple(sorted(dict.fromkeys(own), key=lambda word: -len(word))[:_TOPICS])


def _is_somebody(noun: str) -> bool:
    known = known_kind(noun.split()[-1])
    return known is not None and known[0] in ("person", "thing")


def _small(clause: str) -> str:
    """Its first word small, unless it is a name."""
    first, _, rest = clause.partition(" ")
    is_plain = re.fullmatch(_OPENER.replace("|(?-i:[A-Z])[\\w'’-]+", ""), first, re.I) is not None
    return f"{first.lower()} {rest}" if is_plain or first.lower() in word_tables().small else clause
