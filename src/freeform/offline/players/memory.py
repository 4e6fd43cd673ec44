"""Answers the passes of memory without a model: what was plainly stated, and a belief said with as
much doubt as is due."""

import re

from freeform.core.chance import Chance
from freeform.language.sentences import sentences
from freeform.players.memory.testimony import (
    MOST,
    RewordInput,
    RewordReply,
    TalkFact,
    TalkFacts,
    TalkInput,
)

_VERBS = {
    "lives in": "lives_in", "live in": "lives_in", "works for": "works_for", "work for": "works_for",
    "comes from": "is_from", "come from": "is_from", "belongs to": "belongs_to", "belong to": "belongs_to",
    "is called": "is_called", "am called": "is_called", "are called": "is_called",
    "is at": "is_at", "am at": "is_at", "are at": "is_at", "is in": "is_at", "am in": "is_at", "are in": "is_at",
    "was in": "was_at", "were in": "was_at", "was at": "was_at", "were at": "was_at",
    "owes": "owes", "owe": "owes", "costs": "costs", "cost": "costs", "leads": "leads", "lead": "leads",
    "has": "has", "have": "has", "had": "had", "wants": "wants", "want": "wants", "needs": "needs", "need": "needs",
    "fears": "fears", "fear": "fears", "hates": "hates", "hate": "hates", "loves": "loves", "love": "loves",
    "trusts": "trusts", "trust": "trusts", "knows": "knows", "know": "knows", "killed": "killed", "stole": "stole",
    "took": "took", "gave": "gave", "found": "found", "hid": "hid", "saw": "saw", "met": "met", "left": "left",
    "promised": "promised", "told": "told", "offered": "offered", "paid": "paid", "bought": "bought", "sold": "sold",
    "lost": "lost", "broke": "broke", "opened": "opened", "saved": "saved", "betrayed": "betrayed",
    "is": "is", "am": "is", "are": "is", "was": "was", "were": "was",
}  # fmt: skip
_THIRD = {"am": "is", "are": "is", "have": "has", "were": "was"}
_VERB = "|".join(sorted(map(re.escape, _VERBS), key=len, reverse=True))
_SUBJECT = r"(?:I|[Ww]e|(?:[Mm]y|[Oo]ur|[Tt]he|[Tt]hat|[Tt]his)\s+(?:\w+\s){0,2}?\w+|[A-Z][\w'’]+(?:\s+[A-Z][\w'’]+)*)"
_STATED = re.compile(
    rf"^(?:(?i:well|yes|no|look|listen|and|but|so|oh),?\s+)?({_SUBJECT})\s+({_VERB})\s+(.+)$"
)
_DOUBT = re.compile(
    r"\?|\b(?:if|maybe|perhaps|might|may|could|should|would|let's|let us|wish|hope|guess|suppose|imagine|unless)\b",
    re.I,
)
_END = re.compile(
    r"(?:[;:—]|,? (?:but|because|although|so that|which|and then|and (?:I|we|he|she|they|it))\b).*$",
    re.S,
)
_PARTY = "the party"
_HEDGES = (
    (0.35, ("I may have this wrong, but: {}", "It is hazy. {}", "Don't hold me to it: {}")),
    (0.7, ("If I remember rightly: {}", "I think it was like this. {}", "As far as I recall: {}")),
    (0.9, ("As I remember it: {}", "I'm fairly sure. {}")),
    (2.0, ("{}", "I remember it well. {}")),
)


def remember(input: TalkInput, chance: Chance) -> TalkFacts:
    """Each plain statement: someone, a verb we know, and the rest. Questions and guesses are left
    alone."""
    rows: list[TalkFact] = []
    for sentence in sentences(input.text):
        body = sentence.strip().strip("“”\"'").rstrip(".!…")
        found = None if _DOUBT.search(sentence) else _STATED.match(body)
        if found is None or len(rows) == MOST:
            continue
        subject = _subject(found[1], input)
        verb, value = found[2].lower(), _END.sub("", found[3]).strip(" ,")
        if not value or (subject.lower() in ("that", "this", "it") or len(value.split()) > 24):
            continue
        said = _THIRD.get(
            verb, verb if subject == found[1] or found[1].lower() == "we" else _third(verb)
        )
        value = _of(value, input.speaker)
        text = f"{subject[:1].upper()}{subject[1:]} {said} {value}."
        rows.append(TalkFact(subject=subject, predicate=_VERBS[verb], value=value, text=text))
    return TalkFacts(facts=rows)


def reword(input: RewordInput, chance: Chance) -> RewordReply:
    """The belief behind a hedge that fits how sure they are."""
    hedges = next(options for limit, options in _HEDGES if input.confidence < limit)
    return RewordReply(text=chance.choose(hedges).format(input.believed))


def _subject(words: str, input: TalkInput) -> str:
    low = words.lower()
    if low == "i":
        return input.speaker
    if low == "we":
        return _PARTY
    return _of(words, input.speaker)


def _of(words: str, speaker: str) -> str:
    """`my` and `me` as the speaker's."""
    words = re.sub(r"\bmy\b", f"{speaker}'s", words, flags=re.I)
    return re.sub(r"\b(?:me|myself)\b", speaker, words)


def _third(verb: str) -> str:
    """`I owe` as `she owes`; past tenses stay."""
    first, _, rest = verb.partition(" ")
    if first in ("owe", "want", "need", "fear", "hate", "love", "trust", "know", "live", "work", "come", "belong",
                 "cost", "lead"):  # fmt: skip
        first += "s"
    return f"{first} {rest}".strip()
