"""What an act is done to: the ear's spans and the names in its words, against what is there."""

from freeform.core.text import plain_form
from freeform.language.ear import HeardAct, HeardSpan
from freeform.offline.interpreter.hearing import Hearing, Reference
from freeform.offline.interpreter.names import Named
from freeform.offline.referee.families import SPEECH

_WANTED = {
    "move": ("place",),
    "take": ("thing",),
    "use": ("thing", "detail"),
    "open_close": ("thing", "detail", "place"),
    "unlock_break": ("thing", "detail", "place"),
    "attack": ("person",),
    "help_heal": ("person",),
    "give": ("person",),
    "express": ("person",),
    **dict.fromkeys(SPEECH, ("person",)),
}
"""The kinds that each family is done to; anything at all where it is not listed."""
_ROLES = {
    "move": ("destination", "target"),
    "take": ("item", "target"),
    "use": ("item", "target", "instrument"),
    "give": ("target",),
    "search": ("target", "destination", "item", "topic"),
    "gm_question": ("target", "topic", "item", "destination"),
}
_PLAIN = ("target", "item", "topic")
_PLAINLY, _AT_LENGTH = 0.45, 0.4
"""How sure the ear must be that words are said to what a span names; less where many words do."""
_LONGEST = 6
"""Words that may follow a noun and still say which one is meant: `the man with the star`."""
_ENDS = frozenset('.,;:!?"“”()')
_SAID, _MARKED = 0.5, 0.2
"""How sure the ear must be of what is said; and where a colon or a word of saying stands before."""
_BETWEEN = 3
"""Words between whom one speaks to and what about: `accuse her of cutting` the film."""


def link(family: str, act: HeardAct, hearing: Hearing) -> Named | None:
    """The likeliest thing an act of that family is done to; None where nothing fits."""
    wanted = _WANTED.get(family, ())
    want = wanted[0] if wanted else ""
    best, score = None, 0.0
    for ref in hearing.references(0, len(hearing.typed.tokens), want):
        named = ref.fits(want)
        if named is None or named.kind == "self":
            continue
        fit = _fit(family, act, hearing, ref, named)
        if fit > score:
            best, score = named, fit
    return best


def _fit(family: str, act: HeardAct, hearing: Hearing, ref: Reference, named: Named) -> float:
    """How well one of the names in an act fits as what it is done to; 0 if it cannot be."""
    wanted = _WANTED.get(family, ())
    kind = "place" if named.way else named.kind
    if wanted and kind not in wanted and named.kind not in wanted:
        return 0.0
    fit = 1.0 + 0.5 * (named.near or named.way) - 0.5 * ref.owner
    start = act.start + hearing.typed.tokens[ref.first].start
    end = act.start + hearing.typed.tokens[ref.last - 1].end
    for span in act.spans:
        if span.start < end and start < span.end:
            roles = _ROLES.get(family, _PLAIN)
            place = roles.index(span.role) if span.role in roles else -1
            fit += (1.5 - 0.3 * place) * span.sure if place >= 0 else -0.6 * span.sure
    return max(fit, 0.05)


def addressed(act: HeardAct, hearing: Hearing) -> str:
    """The words for whom or what the act is turned to, where they say more than a pronoun."""
    for span in act.spans:
        words = _phrase(span, act, hearing)
        least = _AT_LENGTH if len(words.split()) > _BETWEEN else _PLAINLY
        if span.role == "target" and span.sure >= least and len(words.split()) > 1:
            return words
    return ""


def _phrase(span: HeardSpan, act: HeardAct, hearing: Hearing) -> str:
    """A span with what follows and belongs to it, up to a mark or a topic."""
    text = hearing.typed.text
    begin, end = span.start - act.start, span.end - act.start
    topics = [one.start - act.start for one in act.spans if one.role == "topic"]
    until = min((at for at in topics if at > end), default=len(text))
    after = text[end:until].split()
    small = hearing.words.prepositions | hearing.words.topic_marks
    if until < len(text) and after and plain_form(after[-1]) in small:
        after = after[:-1]  # `the vendor | about | the storm`; not `the guard at the gate | that`
    first = after[:1]
    if not first or plain_form(first[0]) not in hearing.words.prepositions:
        return text[begin:end]
    kept = [text[begin:end]]
    for word in after[:_LONGEST]:
        kept.append(word.rstrip("".join(_ENDS)))
        if word[-1] in _ENDS or word[0] in _ENDS:
            break
    return " ".join(kept)


def words_said(act: HeardAct, hearing: Hearing) -> str:
    """What is said, without the instruction to say it: from the first of the words the ear takes
    for spoken to the last; else what they are about. '' where it marks neither."""
    text = hearing.typed.text
    for role in ("speech", "topic"):
        spans = [span for span in act.spans if span.role == role]
        if not any(_is_said(span, act, hearing) for span in spans):
            continue
        marked = [span for span in spans if span.sure > _MARKED]
        begin, end = marked[0].start - act.start, marked[-1].end - act.start
        begin -= len(_before_topic(begin, act, hearing)) if role == "topic" else 0
        if role == "topic" and len(text[end:].split()) < _BETWEEN:
            end = len(text)
        return text[begin:end].strip(" \"“”'").removeprefix("that ").rstrip(",")
    return ""


def _is_said(span: HeardSpan, act: HeardAct, hearing: Hearing) -> bool:
    """Whether the ear is sure enough of words: less where one is bidden to say them."""
    tokens = hearing.typed.tokens
    before = [at for at, token in enumerate(tokens) if token.end <= span.start - act.start]
    is_bidden = any(_bids(at, hearing) for at in before[-2:])
    return span.sure > (_MARKED if is_bidden else _SAID)


def _bids(at: int, hearing: Hearing) -> bool:
    """A colon, or a word of saying: `say`, `tell` him."""
    verb = hearing.verbs.at(hearing.typed, at, len(hearing.typed.tokens))
    return hearing.plain(at) == ":" or (verb is not None and verb.action in SPEECH)


def _before_topic(begin: int, act: HeardAct, hearing: Hearing) -> str:
    """What stands between whom one speaks to and the topic, and belongs to it: `of cutting`."""
    for span in act.spans:
        between = hearing.typed.text[span.end - act.start : begin]
        few = 0 < len(between.split()) <= _BETWEEN
        if span.role == "target" and few and not _ENDS & set(between):
            return between.lstrip()
    return ""
