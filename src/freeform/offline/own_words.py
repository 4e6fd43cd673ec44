"""READ THIS to see which words of a player are told back after `You`.

    what was typed ─> its clauses ─> the ear finds the verb of each ─> `You sit down and wait.`

A clause is told back where its verb is sure and nobody else is named before it; whatever hangs in
front of the verb (`ok`, `dude just`) is left out, and so is what a deed is for or until when it is
done, since nobody knows yet whether that comes about. Words that are not surely a deed of one's own
are not told back at all: then the outcome speaks alone.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from freeform.language.forms import base_form, is_adverb, is_going_on
from freeform.language.inflection import as_meant
from freeform.language.meaning.outcome import OutcomeEar, OutcomeHeard
from freeform.language.words import word_class
from freeform.offline.grammar import as_told, turned
from freeform.offline.interpreter.words import Token, Typed, read

SURE = 0.6
"""How sure a clause's verb must be, where something before it is left out."""
SURE_AT_ONCE = 0.35
"""The same of a clause that begins with it."""
_ANOTHERS = 0.3
"""How sure someone or something must be found before the verb for the clause not to be one's
own."""
_MOST_WORDS = 32
_LONGEST_LEAD = 8
_AND = frozenset({"and", "&", "n"})
_JOINTS = _AND | {",", ".", "!", "then", "—", "--", "\n"}
_STOPS = frozenset({";", ":", "?", "(", ")", "…", "but"})
_ME = frozenset({"i", "we"})
_MAY = frozenset({"can", "could", "may"})
_IT = frozenset({"it", "them", "this", "that"})
_ENDS = (word_class("deed_ends") | {"unless", "though", "although", "cos", "cuz"}) - {"that"}
_SMALL = (
    word_class("pronouns")
    | word_class("determiners")
    | word_class("copulas")
    | word_class("question_words")
    | word_class("deed_places")
)
_TRY = "try to "
_NEW_SENTENCE = "."


@dataclass(frozen=True)
class _OwnClause:
    """A clause that is told: its words from the verb on, and what joins it to the last.
    `deed`: it has a verb of its own."""

    joint: str
    words: tuple[str, ...]
    deed: bool = True


@dataclass(frozen=True)
class SaidPiece:
    """A stretch between two joints; `mine`: something before it was told of oneself."""

    joint: str
    tokens: tuple[Token, ...]
    follows: bool = False
    mine: bool = False


class OwnWords:
    """Tells deeds back; `people` are the names that others go by, `turn` all that was typed."""

    def __init__(
        self, reader: OutcomeEar | None, people: Sequence[str] = (), turn: str = ""
    ) -> None:
        self._reader = reader
        self._is_mine = bool(_ME & {token.plain for token in read(turn).tokens})
        self._called = {
            part.lower(): part for name in people for part in name.split() if part[:1].isupper()
        }

    def told(self, text: str, tried: bool = False, begins: bool = False) -> str:
        """The deed as the game master tells it; '' where the words are not surely one's own.
        `tried`: it did not come off; `begins`: they are known to begin with its verb."""
        if self._reader is None:
            told = as_told(text)
            return told.replace("You ", f"You {_TRY}", 1) if tried else told
        typed = read(text)
        lead, tokens = self._lead(typed.tokens)
        clauses = self._clauses(typed, tokens, begins)
        if not clauses:
            return ""
        parts = [" ".join(clauses[0].words)]
        for clause in clauses[1:]:
            parts.append(f"{clause.joint}{' '.join(clause.words)}")
        you = f"{lead[:1].upper()}{lead[1:]} you" if lead else "You"
        return f"{you} {_TRY if tried else ''}{''.join(parts)}."

    def _lead(self, tokens: Sequence[Token]) -> tuple[str, Sequence[Token]]:
        """`From the window I wave`: what stands before oneself and is kept."""
        at = next((n for n, token in enumerate(tokens) if token.plain in _ME), 0)
        placed = 0 < at <= _LONGEST_LEAD and tokens[0].plain in word_class("deed_places")
        if not placed or any(token.kind != "word" for token in tokens[:at]):
            return "", tokens
        return " ".join(self._turned(tokens[:at])), tokens[at:]

    def _clauses(self, typed: Typed, tokens: Sequence[Token], begins: bool) -> list[_OwnClause]:
        """The clauses that are told, in order: from the first sure one up to the first that is
        not."""
        kept: list[_OwnClause] = []
        whole = True
        mine = self._is_mine and not _ME & {token.plain for token in tokens}
        for piece in pieces(tokens):
            now = replace(piece, follows=bool(kept), mine=mine)
            if kept and piece.tokens[0].plain in word_class("question_words") | {"however"}:
                continue
            manner = bool(kept) and _is_manner(piece)
            clause = (
                None if manner else self._clause(typed, now, begins and not piece.joint.strip())
            )
            more = kept and whole and _NEW_SENTENCE not in piece.joint
            clause = clause or (self._goes_on(now) if more else None)
            if kept and (clause is None or piece.tokens[0].plain in _ENDS):
                break
            words = sum(len(one.words) for one in kept)
            if clause is None or (kept and words + len(clause.words) > _MOST_WORDS):
                continue
            mine = mine or piece.tokens[0].plain in _ME
            kept.append(clause)
            whole = len(_before_purpose(piece.tokens)) == len(piece.tokens)
        return _joined(kept)

    def _clause(self, typed: Typed, piece: SaidPiece, begins: bool) -> _OwnClause | None:
        """One clause from its verb on; None where it is not surely one's own."""
        whole = _before_purpose(piece.tokens)
        if piece.follows and whole and whole[0].plain in _SMALL - word_class("pronouns"):
            return None
        mine = _after_me(whole)
        at = mine if mine else 0 if begins and whole else self._verb_at(typed, whole)
        if at is None or (not piece.follows and len(piece.tokens) == 2 and _is_of_it(whole[at:])):
            return None
        at -= bool(at and is_going_on(whole[at].plain) and whole[at - 1].plain not in _ME)
        verb, *rest = whole[at:]
        told_of_me = bool(mine) or piece.mine or begins
        done = in_present(verb.plain) if told_of_me else verb.plain
        if not told_of_me and (base_form(done) != done or done in word_class("deed_particles")):
            return None  # `wedged it` may be anybody's
        done = "are" if done in ("am", "be") else done
        cut = len(whole) < len(piece.tokens)
        return _OwnClause(piece.joint, (done, *self._turned(_closed(rest, cut))))

    def _verb_at(self, typed: Typed, clause: Sequence[Token]) -> int | None:
        """Where the sure verb of a clause stands, with nothing before it that tells of another."""
        if not clause or self._reader is None:
            return None
        start = clause[0].start
        heard = self._reader.read_outcome(typed.text[start : clause[-1].end])
        verb = heard.of("verb")
        if verb is None or self._is_anothers(heard, verb.start):
            return None
        if verb.sure < (SURE if verb.start else SURE_AT_ONCE):
            return None
        at = next((n for n, one in enumerate(clause) if one.end - start > verb.start), 0)
        plain = all(map(self._is_loose, clause[:at])) and clause[at].plain.isalpha()
        return at if plain else None

    def _goes_on(self, piece: SaidPiece) -> _OwnClause | None:
        """A piece that is no clause of its own: `and menus on top`, `, in the dark`."""
        whole = _before_purpose(piece.tokens)
        doing = word_class("pronouns") | word_class("copulas") | {"he", "she", "they"}
        if not whole or any(token.plain in doing for token in whole[:2]):
            return None
        cut = len(whole) < len(piece.tokens)
        return _OwnClause(piece.joint, self._turned(_closed(whole, cut)), deed=False)

    def _is_anothers(self, heard: OutcomeHeard, verb: int) -> bool:
        """Whether somebody or something is named before the verb, and may be who does it."""
        before = [span for span in heard.spans if span.role in ("on", "who") and span.end <= verb]
        return any(span.sure >= _ANOTHERS for span in before)

    def _is_loose(self, token: Token) -> bool:
        """Whether a word before the verb may be left out."""
        if token.plain in word_class("before_a_deed") or is_adverb(token.plain):
            return True
        small = token.plain in _SMALL or token.plain in ("he", "she", "they")
        return not small and token.plain not in self._called and not token.owner

    def _turned(self, tokens: Sequence[Token]) -> tuple[str, ...]:
        """Words as they are told to one: `my` is `your`, and names have their capital."""
        said = []
        for token in tokens:
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
    first = 1 if clause and clause[0].plain in _MAY else 0
    if len(clause) < 2 + first or clause[first].plain not in _ME:
        return None
    at = next((n for n in range(first + 1, len(clause)) if not is_adverb(clause[n].plain)), 0)
    word = clause[at].plain
    going_on = word == "am" and at + 1 < len(clause) and is_going_on(clause[at + 1].plain)
    done = word.isalpha() and word not in word_class("copulas") | word_class("before_a_deed")
    return at if at and (done or going_on) else None


def pieces(tokens: Sequence[Token]) -> list[SaidPiece]:
    """The text cut at every mark and joining word, each piece with what joins it to the last; what
    is said aloud, asked or set apart ends it."""
    found: list[SaidPiece] = []
    joint, run = "", list[Token]()
    for at, token in enumerate(tokens):
        if token.kind == "quote" and run and _is_placed(tokens[at + 1 :]):
            run.append(replace(token, kind="word", text=f"“{token.text}”"))
            continue  # `write "nobody leaves" on the door`
        if token.kind == "quote" or token.plain in _STOPS:
            break
        if token.plain in _JOINTS:
            if run:
                found.append(SaidPiece(joint, tuple(run)))
                joint, run = "", []
            joint += _joining(token.plain)
            continue
        run.append(token)
    found += [SaidPiece(joint, tuple(run))] if run else []
    return [replace(piece, joint=f" {piece.joint.strip()} ") for piece in found]


def _is_placed(after: Sequence[Token]) -> bool:
    """Whether it goes on with where: what stands in quotes is put there."""
    return bool(after) and after[0].plain in word_class("deed_places")


def _joining(mark: str) -> str:
    if mark in (".", "!", "\n"):
        return _NEW_SENTENCE
    return " and" if mark in _AND else " then" if mark == "then" else ","


def _before_purpose(tokens: Sequence[Token]) -> list[Token]:
    """A clause up to what it is for, or until when."""
    asking = word_class("question_words") | {"if"}
    for at in range(1, len(tokens)):
        word, before = tokens[at].plain, tokens[at - 1].plain
        following = tokens[at + 1] if at + 1 < len(tokens) else None
        asked = at + 2 < len(tokens) and tokens[at + 2].plain in asking
        told_as = word == "as" and following is not None and _is_doer(following)
        to_see = word == "to" and asked and following is not None and following.text.islower()
        if before in word_class("determiners") or before == "that":
            continue  # `the till`, `that if he tells me`
        until = word in _ENDS and (word != "before" or (following and _is_doer(following)))
        if until or told_as or to_see:
            return list(tokens[:at])
    return list(tokens)


def _is_doer(token: Token) -> bool:
    return token.plain in word_class("pronouns") | {"if", "though"}


def _closed(tokens: Sequence[Token], cut: bool) -> Sequence[Token]:
    """The words without what is left open at their end: `hold it up so the`."""
    left_open = word_class("open_ends") | {"like"} | (word_class("deed_places") if cut else set())
    while tokens and tokens[-1].plain in left_open:
        tokens = tokens[:-1]
    return tokens


def _is_manner(piece: SaidPiece) -> bool:
    """`, loudly`, `, hard`: one word behind a comma, or words that only say how."""
    alone = len(piece.tokens) == 1 and piece.joint.strip() == ","
    return alone or all(is_adverb(token.plain) for token in piece.tokens)


def _is_of_it(tokens: Sequence[Token]) -> bool:
    """`screw it`, with more to come: nothing before it says what."""
    return len(tokens) == 2 and tokens[1].plain in _IT


def _joined(clauses: list[_OwnClause]) -> list[_OwnClause]:
    """Clauses with a mark before each, and `and` before the last."""
    made = []
    for number, clause in enumerate(clauses):
        joint = re.sub(r"[.,]+", ",", clause.joint.strip())
        last = number == len(clauses) - 1 and clause.deed
        plain = " and " if last and not joint.strip(",") else f" {joint} "
        made.append(replace(clause, joint=plain.replace(" ,", ",")))
    return made
