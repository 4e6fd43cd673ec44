"""Whom words are said to: someone here who is named or described, whoever listens, or nobody here.

called by name at the start of the words ─> that one
a person named in the act                ─> that one, here or elsewhere
someone or something else named          ─> nobody here: the grille, the people in the water
nobody named                             ─> the last who spoke, was spoken with, or was told of
"""

import re

from freeform.core.text import plain_form
from freeform.language.ear import HeardAct
from freeform.language.inflection import lemma
from freeform.language.words import lemmas, unowned, word_class
from freeform.offline.interpreter.hearing import Hearing
from freeform.offline.interpreter.names import Mention, Named
from freeform.offline.interpreter.words import Typed, read
from freeform.offline.referee.families import SPEECH
from freeform.offline.referee.link import addressed, link

_PLAINLY = 0.45
"""How sure the ear must be that words are said to what a span names."""
_TOWARDS = frozenset({"to", "toward", "towards", "at", "through"})
_SEVERAL = frozenset({"they", "them", "their", "theirs"})
_ONE = frozenset({"he", "him", "his", "she", "her", "hers"})
_SPOKEN_TO = frozenset({"you", "u", "ya", "your", "ur"})
_SPEAKER = frozenset({"i", "im", "we", "please", "pls"})
_MY = frozenset({"my", "dear", "good", "old"})
_THERE = "whoever is there"
_LOOKS_BACK = 3
"""Tellings in which someone may have spoken whose turn it still is."""
_A_SPEECH = 5
_GREETED = 2
"""Words before a thing that is called: `Good evening, whale`."""
_MARKS = ".,;:!?\"'“”’"
_SUBJECT = frozenset({"he", "she"})
_TYPED = re.compile(r"^>.*\n")
"""What the player typed stands before what was told."""
_QUOTE = re.compile(r'["“][^"“”]+["”]')
_SENTENCE_END = re.compile(r"[.!?]\s|\n|[\"“]")


def listener(act: HeardAct, hearing: Hearing) -> Named | None:
    """Who is spoken to; None for whoever may hear it."""
    called = _called(act, hearing)
    if called is not None:
        return called if called.near else None
    called = _named_here(act, hearing)
    if called is not None:
        return called
    away = _named_away(act, hearing) or _meant_away(hearing)
    if away is not None:
        return away
    called = _called_aloud(hearing)
    if called is not None:
        return called
    phrase = addressed(act, hearing) or hearing.stranger
    if phrase:
        return _thing_in(phrase, hearing) or described(phrase, hearing)
    if hearing.elsewhere:
        return None
    spoke = _spoke_last(hearing)
    if spoke is not None and _means_another(spoke, act, hearing):
        spoke = None
    person = hearing.person()
    if spoke is not None and not hearing.names_someone:
        return spoke
    if person is not None and person.near:
        return person
    return spoke or _told_of_last(hearing)


def called_to(act: HeardAct, hearing: Hearing) -> str:
    """Whom or what words go to that is not here to answer: `the grille`; '' where they go to
    someone here, or to nobody in particular."""
    phrase = addressed(act, hearing) or hearing.stranger
    if phrase[:1].isupper():
        phrase = phrase.partition(" of ")[0]  # `I accuse Greg of making the calls`
    if listener(act, hearing) is not None or hearing.stranger[:1].isupper():
        return ""  # of somebody called by name it is said that they are not here
    if phrase.lower() in hearing.words.pronouns:
        return ""  # `her`, and nobody was told of: of those here, one is meant
    if word_class("negations").intersection(phrase.lower().split()):
        return ""  # `to nobody in particular`: it is said aloud
    mentions = hearing.cast.mentions(read(phrase), hearing.verbs.by_head)
    if any(mention.best("place").id == hearing.cast.here for mention in mentions):
        return ""  # `to the whole square`: to whoever is here
    return phrase or (_THERE if hearing.elsewhere else "")


def _called_aloud(hearing: Hearing) -> Named | None:
    """Someone here whose name is called in words that are quoted."""
    for token in hearing.typed.tokens:
        named = _called_in(read(token.text), hearing) if token.kind == "quote" else None
        if named is not None and named.near and named.kind == "person":
            return named
    return None


def _around_speech(act: HeardAct, hearing: Hearing) -> set[str]:
    """The words that are not spoken themselves: `I will find her` says nothing of who hears it."""
    speeches = [
        (span.start - act.start, span.end - act.start)
        for span in act.spans
        if span.role == "speech" and span.sure >= _PLAINLY
    ]
    around: set[str] = set()
    for token in hearing.typed.tokens:
        spoken = any(start <= token.start < end for start, end in speeches)
        if token.kind == "word" and not spoken:
            around.add(token.plain)
    return around


def _means_another(named: Named, act: HeardAct, hearing: Hearing) -> bool:
    """Whether the words around speak of a he, and this is a she: `squeezing her arm`."""
    said = _around_speech(act, hearing) & _ONE
    own = set(named.pronouns.lower().replace("/", " ").split())
    own |= {"hers", "her"} if "she" in own else {"his", "him"}
    return bool(said) and not said & own


def turns_elsewhere(act: HeardAct, hearing: Hearing) -> bool:
    """Whether an act turns to someone or something not with us, so that words after it go there."""
    if _named_here(act, hearing) is not None:
        return False
    if hearing.stranger or _turned_to(act, hearing):
        return True
    for ref in hearing.references(0, len(hearing.typed.tokens)):
        if ref.named is not None and (ref.named.way or ref.named.kind == "place"):
            return ref.named.id != hearing.cast.here
    return hearing.elsewhere


def _turned_to(act: HeardAct, hearing: Hearing) -> bool:
    """Whether it is done towards what no name here covers: `I wave to the people in the water`."""
    phrase = addressed(act, hearing)
    if not phrase:
        return False
    before = hearing.typed.text.partition(phrase)[0].split()
    towards = bool(before) and before[-1].lower() in _TOWARDS
    return towards and described(phrase, hearing) is None


def _named_here(act: HeardAct, hearing: Hearing) -> Named | None:
    """A person here whom the words name; a pronoun, unless it means those we turned to."""
    named = link("talk", act, hearing)
    if named is None or not named.near:
        return None
    if any(mention.best("person").id == named.id for mention in hearing.mentions):
        return named
    said = _around_speech(act, hearing)
    if hearing.elsewhere or not said & (_ONE | _SEVERAL):
        return None
    several = not said & _ONE and "they" not in named.pronouns
    return None if several else named


def _named_away(act: HeardAct, hearing: Hearing) -> Named | None:
    """A person who is elsewhere, named as the one to be spoken to: `go back and talk to Dutch`."""
    for span in act.spans:
        if span.role != "target" or span.sure < _PLAINLY:
            continue
        for mention in hearing.mentions:
            named = mention.best("person")
            token = hearing.typed.tokens[mention.first]
            within = span.start - act.start <= token.start < span.end - act.start
            away = named.kind == "person" and not (named.near or mention.owner)
            if within and away and is_spoken_to(mention, hearing):
                return named
    return None


def _meant_away(hearing: Hearing) -> Named | None:
    """The one who is elsewhere and was told of just before, spoken to by a pronoun: `I found Hiro
    by the fire, and told him`."""
    person = hearing.told_of
    if person is None or person.near:
        return None
    own = set(person.pronouns.lower().replace("/", " ").split())
    spoken_to = (
        token.plain in own and _follows_speaking(at, hearing)
        for at, token in enumerate(hearing.typed.tokens)
    )
    return person if any(spoken_to) else None


def is_spoken_to(mention: Mention, hearing: Hearing) -> bool:
    """Whether a name stands right after the word of speaking: `ask Dutch`, `talk to the woman`."""
    return _follows_speaking(mention.first, hearing)


def is_to_oneself(hearing: Hearing) -> bool:
    """Whether words are only thought: `I told myself that it was the wind`; not `I introduce myself
    to Marit`."""
    tokens = hearing.typed.tokens
    own = (
        at
        for at, token in enumerate(tokens)
        if token.plain == "myself" and hearing.plain(at + 1) not in hearing.words.prepositions
    )
    return any(_follows_speaking(at, hearing, _TOWARDS) for at in own)


def _follows_speaking(at: int, hearing: Hearing, between: frozenset[str] = frozenset()) -> bool:
    """Whether a word of speaking stands right before; for oneself, `to` is no such word."""
    at -= 1
    while at > 0 and hearing.plain(at) in hearing.words.determiners | between:
        at -= 1
    if hearing.plain(at) in _TOWARDS | {"with"}:
        return True
    verb = hearing.verbs.at(hearing.typed, at, len(hearing.typed.tokens)) if at >= 0 else None
    return verb is not None and verb.action in SPEECH


def _called(act: HeardAct, hearing: Hearing) -> Named | None:
    """Someone who is called in the words: `Dutch. What did you see?`, `Madam, open up`."""
    for span in act.spans:
        if span.role == "speech":
            said = hearing.typed.text[span.start - act.start : span.end - act.start]
            named = _called_in(read(said.strip("\"“”'")), hearing)
            if named is not None:
                return named
    return None


def _called_in(said: Typed, hearing: Hearing) -> Named | None:
    """A name set apart by marks; a thing only if the words begin by calling it."""
    for mention in hearing.cast.mentions(said, hearing.verbs.by_head):
        named = mention.best("person")
        first = mention.first - _is_titled(said, mention, hearing)
        called = _set_apart(said, first, mention.last) or _begins(said, mention, hearing)
        if called and (named.near or named.kind == "person"):
            if named.kind == "person" or _is_greeted(said, mention, named, hearing):
                return named
    for at, token in enumerate(said.tokens):
        pronoun = hearing.words.titles.get(token.plain)
        if pronoun and (_set_apart(said, at, at + 1) or _opens_with(said, at, hearing)):
            person = hearing.person(pronoun)
            return person if person is not None and person.near else None
    return None


def _is_titled(said: Typed, mention: Mention, hearing: Hearing) -> bool:
    """`sir Aldous`; and any word that is written like a name right before one: `, Mr Lusk!`"""
    before = said.tokens[mention.first - 1] if mention.first else None
    if before is None or before.kind != "word":
        return False
    after_a_mark = mention.first > 1 and said.tokens[mention.first - 2].kind == "mark"
    return before.plain in hearing.words.titles or (after_a_mark and before.text[:1].isupper())


def _opens_with(said: Typed, at: int, hearing: Hearing) -> bool:
    """Whether a title begins the words and a question follows: `miss what did they find`."""
    following = said.tokens[1].plain if len(said.tokens) > 1 else ""
    return at == 0 and following in hearing.words.question_words


def _is_greeted(said: Typed, mention: Mention, named: Named, hearing: Hearing) -> bool:
    """A thing is called only by who greets it: `Good evening, whale`, `Madam Whale!`"""
    before = {token.plain for token in said.tokens[: mention.first]}
    greeting = hearing.words.greetings | frozenset(hearing.words.titles)
    return named.kind == "thing" and mention.first <= _GREETED and bool(before & greeting)


def _begins(said: Typed, mention: Mention, hearing: Hearing) -> bool:
    """Whether words begin with a name and go on to whoever bears it: `gus when did u see him`."""
    if mention.first or mention.owner:
        return False
    following = [token.plain for token in said.tokens[mention.last : mention.last + 2]]
    first, second = [*following, "", ""][:2]
    if first in hearing.words.question_starts:
        return second in _SPOKEN_TO
    return first in hearing.words.question_words | _SPOKEN_TO | _SPEAKER


def _set_apart(said: Typed, first: int, last: int) -> bool:
    """Whether words stand between marks, or at an end."""
    tokens = said.tokens
    while first and tokens[first - 1].plain in _MY:
        first -= 1
    opens = first <= 1 or tokens[first - 1].kind == "mark"
    return opens and (last == len(tokens) or tokens[last].kind == "mark")


def described(phrase: str, hearing: Hearing) -> Named | None:
    """The one person here whose description holds words of the phrase, and what it calls them."""
    said = set(lemmas(phrase, "talk"))
    head = head_of(phrase, hearing)
    here = {
        named.id: named for named in hearing.cast.named if named.near and named.kind == "person"
    }
    shared: dict[str, int] = {}
    for entity in hearing.packet.entities:
        if entity.get("id") in here:
            attrs = entity.get("attrs", {})
            told = set(lemmas(f"{attrs.get('description', '')} {attrs.get('role', '')}", "talk"))
            anyone = head in hearing.words.generic_people
            shared[entity["id"]] = len(said & told) if anyone or lemma(head) in told else 0
    most = max(shared.values(), default=0)
    best = [id for id, count in shared.items() if count == most]
    return here[best[0]] if most and len(best) == 1 else None


def head_of(phrase: str, hearing: Hearing) -> str:
    """The noun of a phrase: `the man` with the star, the noodle `seller`."""
    head = ""
    for word in plain_form(phrase).split():
        if head and word in hearing.words.prepositions:
            break
        head = word.strip(_MARKS)
    return head


def _thing_in(phrase: str, hearing: Hearing) -> Named | None:
    """A thing here that is spoken to: the whale, the mop; not the coat of the woman in it."""
    said = read(phrase)
    for mention in hearing.cast.mentions(said, hearing.verbs.by_head):
        before = {token.plain for token in said.tokens[: mention.first]}
        named = mention.best("thing")
        if named.kind == "thing" and named.near and not before & hearing.words.prepositions:
            return named
    return None


def _spoke_last(hearing: Hearing) -> Named | None:
    """Of those who are here, the one whose words were told last: `"Twelve," she counts`. A word or
    two that nobody asked for take the floor from no one."""
    told = hearing.packet.recent_events[-_LOOKS_BACK:]
    people = [named for named in hearing.cast.named if named.kind == "person"]
    for event in reversed(told):
        prose = _TYPED.sub("", str(event.get("text", "")))
        for paragraph in reversed(prose.split("\n")):
            quotes = list(_QUOTE.finditer(paragraph))
            speakers = [_speaker(quote, hearing) for quote in reversed(quotes)]
            speaker = next((one for one in speakers if one is not None), None)
            said = sum(len(quote[0].split()) for quote in quotes)
            turned_to = speaker is not None and speaker.id in (event.get("focus") or ())
            if speaker is not None and (turned_to or said >= _A_SPEECH):
                return speaker
        if any(named.near and named.id in (event.get("focus") or ()) for named in people):
            return None  # someone was turned to since, and said nothing
    return None


def _speaker(last: re.Match[str], hearing: Hearing) -> Named | None:
    """Who said the quoted words, by the words around them."""
    before = last.string[: last.start()].rpartition(".")[2]
    after = _SENTENCE_END.split(last.string[last.end() :], maxsplit=1)[0]
    present = [named for named in hearing.cast.named if named.kind == "person" and named.near]
    for said in (after, before):
        words = plain_form(said).split()
        speakers = [named for named in present if _is_called(words, named)]
        speakers = speakers or [named for named in present if _goes_by(words, named)]
        if len(speakers) == 1:
            return speakers[0]
    return None


def _is_called(words: list[str], named: Named) -> bool:
    return any(_calls(word, named) for word in words)


def _goes_by(words: list[str], named: Named) -> bool:
    """Whether the first `he` or `she` in these words is that person's pronoun."""
    first = next((word.strip(_MARKS) for word in words if word.strip(_MARKS) in _SUBJECT), "")
    return bool(first) and first in named.pronouns.lower().replace("/", " ").split()


def _told_of_last(hearing: Hearing) -> Named | None:
    """Of those who are here, the one the latest telling speaks of most, or first."""
    present = [named for named in hearing.cast.named if named.kind == "person" and named.near]
    told = hearing.packet.recent_events[-1:]
    words = plain_form(str(told[0].get("text", ""))).split() if told else []
    best, most = None, -1
    for named in present:
        places = [at for at, word in enumerate(words) if _calls(word, named)]
        weight = 1000 * len(places) - places[0] if places else 0
        if weight > most:
            best, most = named, weight
    return best


def _calls(word: str, named: Named) -> bool:
    parts = [part for part in plain_form(named.name).split() if len(part) > 2]
    return unowned(word.strip(_MARKS)) in parts
