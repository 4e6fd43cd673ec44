"""READ THIS to see which words of a player are told back after `You`.

    what was typed ─> its clauses ─> the ear finds the verb of each ─> `You sit down and wait.`

A clause is told back where its verb is sure and nobody else is named before it; whatever hangs in
front of the verb (`ok`, `dude just`) is left out, and so is what a deed is for or until when it is
done, since nobody knows yet whether that comes about. Words that are not surely a deed of one's own
are not told back at all: then the outcome speaks alone.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from freeform.language.forms import base_form, is_adverb, is_going_on
from freeform.language.inflection import as_meant
from freeform.language.meaning.outcome import OutcomeEar, OutcomeHeard
from freeform.language.words import word_class
from freeform.offline.grammar import as_told, turned
from freeform.offline.interpreter.words import Token, Typed, read

SURE = 0.6
"""How sure a clause's verb must be."""
SURE_AT_ONCE = 0.35
"""The same of a clause that follows another and begins with it."""
_ANOTHERS = 0.3
"""How sure someone or something must be found before the verb for the clause not to be one's
own."""
_MOST_WORDS = 24
_JOINTS = frozenset({",", ".", "!", "and", "then", "—", "--", "&", "\n"})
_STOPS = frozenset({";", ":", "?", "(", ")", "…", "but", "or"})
_ME = frozenset({"i", "we"})
_IT = frozenset({"it", "them", "this", "that"})
_WHILE = frozenset({"as"})
_ENDS = (word_class("deed_ends") | {"unless", "though", "although"}) - {"that"}
_TRY = "try to "


@dataclass(frozen=True)
class _OwnClause:
    """A clause that may be told: its tokens from the verb on, and how it is joined to the last."""

    joint: str
    words: tuple[str, ...]


class OwnWords:
    """Tells deeds back; `people` are the names that others go by."""

    def __init__(self, reader: OutcomeEar | None, people: Sequence[str] = ()) -> None:
        self._reader = reader
        self._called = {
            part.lower(): part for name in people for part in name.split() if part[:1].isupper()
        }

    def told(self, text: str, tried: bool = False) -> str:
        """The deed as the game master tells it; '' where the words are not surely one's own.
        `tried`: it did not come off."""
        if self._reader is None:
            told = as_told(text)
            return told.replace("You ", f"You {_TRY}", 1) if tried else told
        clauses = self._clauses(read(text))
        if not clauses:
            return ""
        parts = [" ".join(clauses[0].words)]
        for clause in clauses[1:]:
            parts.append(f"{clause.joint}{' '.join(clause.words)}")
        return f"You {_TRY if tried else ''}{''.join(parts)}."

    def _clauses(self, typed: Typed) -> list[_OwnClause]:
        """The clauses that are told, in order: from the first sure one up to the first that is
        not."""
        kept: list[_OwnClause] = []
        count = 0
        cut = False
        for joint, tokens in _pieces(typed.tokens):
            if cut and joint == " and ":
                break  # it may belong to what was left out
            cut = _is_cut(tokens)
            if kept and _goes_on(tokens):
                clause: _OwnClause | None = _OwnClause(joint, self._turned(tokens))
            else:
                clause = self._clause(typed, joint, tokens, bool(kept))
            if clause is None and kept:
                break
            if clause is None:
                continue
            count += len(clause.words)
            if kept and count > _MOST_WORDS:
                break
            kept.append(clause)
        return _joined(kept) if count <= 2 * _MOST_WORDS else []

    def _clause(
        self, typed: Typed, joint: str, tokens: Sequence[Token], follows: bool
    ) -> _OwnClause | None:
        """One clause from its verb on; None where it is not surely one's own."""
        whole = _before_purpose(tokens)
        mine = _after_me(whole)
        at = mine or self._verb_at(typed, whole, follows)
        if at is None or (not follows and _is_said_of_it(whole[at:])):
            return None
        verb, *rest = whole[at:]
        done = in_present(verb.plain) if mine or follows else base_form(verb.plain)
        done = "are" if verb.plain == "am" else done
        return _OwnClause(joint, (done, *self._turned(_closed(rest))))

    def _verb_at(self, typed: Typed, clause: Sequence[Token], follows: bool) -> int | None:
        """Where the sure verb of a clause stands, with nothing before it that tells of another."""
        if not clause or self._reader is None:
            return None
        start = clause[0].start
        heard = self._reader.read_outcome(typed.text[start : clause[-1].end])
        verb = heard.of("verb")
        least = SURE_AT_ONCE if verb is not None and verb.start == 0 and follows else SURE
        if verb is None or verb.sure < least or self._is_anothers(heard, verb.start):
            return None
        at = next((n for n, one in enumerate(clause) if one.end - start > verb.start), 0)
        plain = all(map(self._is_loose, clause[:at])) and clause[at].plain.isalpha()
        return at if plain else None

    def _is_anothers(self, heard: OutcomeHeard, verb: int) -> bool:
        """Whether somebody or something is named before the verb, and may be who does it."""
        before = [span for span in heard.spans if span.role in ("on", "who") and span.end <= verb]
        return any(span.sure >= _ANOTHERS for span in before)

    def _is_loose(self, token: Token) -> bool:
        """Whether a word before the verb may be left out."""
        if token.plain in word_class("before_a_deed") or is_adverb(token.plain):
            return True
        small = word_class("pronouns") | word_class("determiners") | word_class("copulas")
        small |= word_class("question_words") | word_class("deed_places") | {"he", "she", "they"}
        return token.plain not in small and token.plain not in self._called and not token.owner

    def _turned(self, tokens: Sequence[Token]) -> tuple[str, ...]:
        """Words as they are told to one: `my` is `your`, and names have their capital."""
        said = []
        for token in tokens:
            if token.kind == "mark":
                if said and token.text == ",":
                    said[-1] += ","
                continue
            word = turned(token.text)
            name = self._called.get(token.plain)
            said.append(word.replace(word[: len(name)], name, 1) if name else word)
        return tuple(said)


def in_present(verb: str) -> str:
    """A verb of one's own as one is told it now: sat, sit; lit, light; unlaced, unlace; put,
    put."""
    base = base_form(verb)
    return base if base != verb else as_meant(verb, "")


def _after_me(clause: Sequence[Token]) -> int | None:
    """Where the verb of `I quietly sat down` stands; none where something is only so: `I was`."""
    if len(clause) < 2 or clause[0].plain not in _ME:
        return None
    at = next((n for n in range(1, len(clause)) if not is_adverb(clause[n].plain)), 0)
    word = clause[at].plain
    going_on = word == "am" and at + 1 < len(clause) and is_going_on(clause[at + 1].plain)
    done = word.isalpha() and word not in word_class("copulas") | word_class("before_a_deed")
    return at if at and (done or going_on) else None


def _pieces(tokens: Sequence[Token]) -> list[tuple[str, list[Token]]]:
    """The text cut at every mark and joining word, each piece with what joins it to the last; what
    is said aloud, asked or set apart ends it."""
    pieces: list[tuple[str, list[Token]]] = [("", [])]
    joint = ""
    for token in tokens:
        if token.kind == "quote" or token.plain in _STOPS:
            break
        if token.plain in _JOINTS:
            joint = _joining(joint, token.plain)
            continue
        if joint and pieces[-1][1]:
            pieces.append((joint, []))
        joint = ""
        pieces[-1][1].append(token)
    return [piece for piece in pieces if piece[1]]


def _joining(joint: str, mark: str) -> str:
    if mark == "then":
        return ", then "
    return " and " if mark in ("and", "&") and not joint.startswith(", then") else joint or ", "


def _goes_on(tokens: Sequence[Token]) -> bool:
    """Whether a piece is no clause of its own: `and a rope`, `in the dark`."""
    first = tokens[0].plain
    return first in word_class("determiners") or first in word_class("deed_places")


def _before_purpose(tokens: Sequence[Token]) -> list[Token]:
    """A clause up to what it is for, or until when."""
    for at, token in enumerate(tokens):
        following = tokens[at + 1].plain if at + 1 < len(tokens) else ""
        asked = tokens[at + 2].plain if at + 2 < len(tokens) else ""
        told_as = token.plain in _WHILE and following in word_class("pronouns") | {"if", "though"}
        to_see = token.plain == "to" and asked in word_class("question_words") | {"if"}
        if at and (token.plain in _ENDS or told_as or to_see) and not _is_named(tokens, at):
            return list(tokens[:at])
    return list(tokens)


def _is_named(tokens: Sequence[Token], at: int) -> bool:
    """`the till`: a noun."""
    return tokens[at - 1].plain in word_class("determiners")


def _is_cut(tokens: Sequence[Token]) -> bool:
    return len(_before_purpose(tokens)) < len(tokens)


def _closed(tokens: Sequence[Token]) -> Sequence[Token]:
    """The words without what is left open at their end: `hold it up so the`."""
    while tokens and tokens[-1].plain in word_class("open_ends"):
        tokens = tokens[:-1]
    return tokens


def _is_said_of_it(tokens: Sequence[Token]) -> bool:
    """`screw it`, with more to come: nothing before it says what."""
    return len(tokens) == 2 and tokens[1].plain in _IT


def _joined(clauses: list[_OwnClause]) -> list[_OwnClause]:
    """The last clause is joined by `and`, whatever stood there."""
    if len(clauses) < 2 or not re.fullmatch(r",\s*", clauses[-1].joint):
        return clauses
    last = clauses[-1]
    return [*clauses[:-1], _OwnClause(" and ", last.words)]
