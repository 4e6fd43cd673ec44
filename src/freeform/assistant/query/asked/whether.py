"""Yes or no before what was read, where a sentence says or denies what is asked."""

import re
from collections.abc import Collection, Sequence
from dataclasses import replace

from freeform.assistant.query.clause import AskedClause, small_number
from freeform.assistant.query.model import FoundLine, QueryFinding
from freeform.assistant.query.passage import Passages, keys_of, wanted_keys
from freeform.assistant.quotes import sentences_of
from freeform.language.forms import is_denial
from freeform.language.words import stop_words, words

ENOUGH = 0.5
"""So much of a clause, by weight, must stand in the sentence that says or denies it."""
REACH = 4
"""Words before a deed among which a `not` denies it."""
_CAPITAL = re.compile(r"\b[^\W\d_a-z][\w'’]*")
_SAID = re.compile(r"^\W*(?:yes|no)\b", re.I)


def with_yes_or_no(clause: AskedClause, finding: QueryFinding) -> QueryFinding:
    """A finding with yes or no at its head, where it is asked and one sentence says it; else as it
    is."""
    if not clause.asks_whether or not finding.lines or _SAID.match(finding.lines[0].text):
        return finding
    said, line = _whether(clause, finding.lines)
    if line is None:
        return finding
    first = FoundLine(f"{said}. {line.text}", line.cites)
    if not finding.known:  # What is only near says it after all.
        return replace(finding, lines=[first], known=True)
    return replace(finding, lines=[first, *(each for each in finding.lines if each is not line)])


def _whether(clause: AskedClause, lines: Sequence[FoundLine]) -> tuple[str, FoundLine | None]:
    """Yes or no, and the line that says it; none where no sentence has enough of the clause with
    what is done in it."""
    wanted = [] if asks_for_own(clause) and _of_rules(lines) else list(wanted_keys(clause))
    best, said, chosen = ENOUGH, "", None
    names = _names(clause, lines)
    for line in lines if wanted else ():
        pieces = [cite.piece for cite in line.cites]
        titles = {key for piece in pieces for key in keys_of(piece.title)}
        deed = _deed_of(clause, titles)
        for sentence in sentences_of(line.text) if deed else ():
            keys = frozenset(keys_of(sentence))
            share = Passages(pieces).coverage(wanted, keys | titles)
            named = names <= keys | titles and _same_roles(clause, sentence, names)
            if deed in keys and named and share > best and not _ASKING.search(sentence):
                best, said, chosen = share, "No" if _denies(sentence, deed) else "Yes", line
                if _of_rules([line]):
                    said = rule_says(clause, sentence, " ".join(titles))
    return said, chosen if said else None


def _names(clause: AskedClause, lines: Sequence[FoundLine]) -> set[str]:
    """What the clause names, as it writes it or as what was found does."""
    upper = (word for line in lines for word in _CAPITAL.findall(line.text))
    written = {key for word in upper for key in keys_of(word)}
    telling = [token for token in clause.tokens[1:] if token.telling]
    return {
        token.key
        for token in telling
        if token.key in written or clause.text[token.start : token.end][:1].isupper()
    }


def _same_roles(clause: AskedClause, sentence: str, names: Collection[str]) -> bool:
    """Whether of two who are named the same one does it: `Iriz was killed by Pell` does not say
    that Iriz killed Pell."""
    asked, told = _order(clause.text, names), _order(sentence, names)
    if len(asked[0]) != 2 or len(told[0]) != 2:
        return True
    return (asked[0] != told[0]) == (asked[1] != told[1])


def _order(text: str, names: Collection[str]) -> tuple[list[str], bool]:
    """The names in their order, and whether the last is the one by whom it was done."""
    found, by = list[str](), False
    said = words(text)
    for at, word in enumerate(said):
        for key in keys_of(word):
            if key in names and key not in found:
                found.append(key)
                by = at > 0 and said[at - 1].lower() == "by"
    return found, by


_BOUND = re.compile(r"\b(?:only|unless|except|if|until|instead)\b", re.I)
"""What a rule says under a condition is neither a yes nor a no."""


def rule_says(clause: AskedClause, sentence: str, title: str) -> str:
    """Yes or no by one sentence of a rule, which must have all that is asked, numbers too; '' where
    it does not, or says it under a condition."""
    have, wanted = {*keys_of(sentence), *keys_of(title)}, wanted_keys(clause)
    counted = {token.key for token in clause.tokens if small_number(token.text) is not None}
    deed = _deed_of(clause, keys_of(title))
    asked = {*wanted, *counted, deed}
    bound = _BOUND.search(sentence) or _ASKING.search(sentence)
    if not deed or bound or not asked <= {*have, *words(sentence.lower())}:
        return ""
    denied = any(map(is_denial, words(sentence)))
    if denied and not _denies(sentence, deed):
        return ""
    return "No" if denied else "Yes"


_OWN = re.compile(r"\bmy\b|\b(?:do|have|did) i (?:still )?(?:have|own|carry|got|know)\b", re.I)
_ASKING = re.compile(r"\?[!?]*\W*$")
"""What somebody asks says nothing of whether it is so."""


def asks_for_own(clause: AskedClause) -> bool:
    """Whether it asks for what the one who asks has: no rule tells that."""
    return bool(_OWN.search(clause.text))


def _of_rules(lines: Sequence[FoundLine]) -> bool:
    return bool(lines) and all(c.piece.tool == "rulebook" for each in lines for c in each.cites)


def _deed_of(clause: AskedClause, titles: Collection[str]) -> str:
    """The lemma of what is done: what follows `to`, else the first word that neither names anything
    nor is what is told of."""
    small = stop_words()
    plain = [
        token
        for token in clause.tokens[1:]
        if token.text not in small
        and token.key not in titles
        and not clause.text[token.start : token.end][:1].isupper()
    ]
    led = [token for token in plain if re.search(r"\bto $", clause.text[: token.start])]
    return (led or plain)[0].key if plain else ""


def _denies(sentence: str, deed: str) -> bool:
    """Whether a `not`, `can't` or `never` stands shortly before the deed."""
    said = words(sentence)
    for at, word in enumerate(said):
        if deed in keys_of(word):
            return any(is_denial(each) for each in said[max(0, at - REACH) : at])
    return False
