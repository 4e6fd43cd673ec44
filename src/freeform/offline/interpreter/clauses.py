"""Cuts what was typed into clauses, one per thing attempted or claimed, in the order they are to happen."""

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Literal

from freeform.language.forms import is_adverb
from freeform.language.words import word_class
from freeform.offline.interpreter.lexicon import lexicon, phrases
from freeform.offline.interpreter.verbs import Verb, Verbs
from freeform.offline.interpreter.words import Typed

Link = Literal["", "because", "if", "purpose", "before", "after"]
_STOPS = frozenset({".", "!", "?", ";", "…", "\n", "--", "—", "–", "-"})
_DASHES = frozenset({"—", "–", "--", "-"})
_JOINS = frozenset({"and", "but", "or", "&", ","})
_SELF = frozenset({"i", "we"})
_MODALS = frozenset({"can", "could", "will", "would", "should", "to"})
_GOES_ON_TO = frozenset(
    {"move", "take", "hide", "open", "brave", "steal", "follow", "flee", "unlock", "break"}
)
_LEADING = frozenset({"then", "also", "finally", "just", "first", "instead", "now"})
_UNAWARE = frozenset(
    "looking watching distracted distracts distract busy occupied notices turned".split()
)
_TRIES = phrases(("try", "to"), ("attempt", "to"), ("try", "and"))
_FOLLOWS = frozenset({"if", "once", "when", "unless", "whenever"})


@dataclass(frozen=True, slots=True)
class Clause:
    """Tokens `first` up to `last`. `link` says how it hangs on the others."""

    first: int
    last: int
    link: Link = ""
    question: bool = False


class Cutter:
    """Walks once over the tokens and cuts where something new begins."""

    def __init__(
        self, typed: Typed, verbs: Verbs, inside: Collection[int], people: Collection[int]
    ) -> None:
        self.typed, self.verbs, self.inside, self.people = typed, verbs, inside, people
        self.tokens, self.end = typed.tokens, len(typed.tokens)
        self.start, self.link = 0, ""
        self.clauses: list[Clause] = []

    def cut(self, at: int, resume: int, link: Link = "", question: bool = False) -> None:
        """Ends the clause before token `at`; the next begins at `resume` and hangs by `link`."""
        if any(token.kind != "mark" for token in self.tokens[self.start : at]):
            self.clauses.append(Clause(self.start, at, self.link, question))  # type: ignore[arg-type]
        self.start, self.link = resume, link

    def run(self) -> list[Clause]:
        """The clauses in the order in which things are to happen."""
        at = 0
        while at < self.end:
            at = max(self._step(at), at + 1)
        self.cut(self.end, self.end)
        return _in_order(self.clauses)

    def _step(self, at: int) -> int:
        token = self.tokens[at]
        if token.kind == "quote":
            self._quote(at)
            return at + 1
        if at in self.inside:
            return at + 1
        if token.plain in _STOPS or token.plain.startswith(".."):
            return self._stop(at)
        if token.plain == "then":
            self.cut(at, at + 1)
        elif self.typed.has(at, ("after", "that"), self.end) or token.plain in (
            "afterwards",
            "afterward",
        ):
            self.cut(at, at + (2 if token.plain == "after" else 1))
            return self.start
        elif token.plain in ("before", "after"):
            self._before_or_after(at)
        elif token.plain == "so":
            self._so(at)
        elif token.plain in ("when", "while", "as") and self._unaware(at):
            self.cut(at, at + 1, "purpose")
        elif token.plain in _FOLLOWS:
            self._if(at)
        elif reason := self.typed.first_of(at, lexicon().reasons, self.end):
            self._reason(at, len(reason))
        elif token.plain in _JOINS:
            self._join(at)
        elif token.plain == "to":
            self._on_to(at)
        elif token.plain in _SELF and self.link in ("because", "if") and self._acts(at):
            self.cut(at, at)
        return max(at + 1, self.start)

    def _acts(self, at: int) -> bool:
        """`Since he is my brother I ask him`: where the reason ends without a comma."""
        inside = self.start + 2 < at < self.end - 1
        after = (
            at
            + 1
            + (
                inside
                and self.tokens[at + 1].plain in ("will", "would", "shall")
                and at + 2 < self.end
            )
        )
        return inside and self.verbs.at(self.typed, after, self.end) is not None

    def _quote(self, at: int) -> None:
        """`"Evening." I lean on the bar`: finished speech, then something else done."""
        ended = self.tokens[at].text[-1:] in (".", "!", "?") and self.opens(at + 1) == "subject"
        verb = self.verb_of(at + 1, min(at + 5, self.end))
        if ended and verb is not None and verb.action not in ("ask", "talk"):
            self.cut(at + 1, at + 1)

    def _stop(self, at: int) -> int:
        if (
            self.tokens[at].plain == "."
            and at
            and self.tokens[at - 1].plain in lexicon().abbreviations
        ):
            return at + 1
        if self.tokens[at].plain in _DASHES and (not self.opens(at + 1) or self._calls_someone(at)):
            return at + 1
        if self.tokens[at].plain == "!" and at + 1 < self.end and self._calls_someone(at):
            return at + 1
        self.cut(at, at + 1, question=self.tokens[at].plain == "?")
        return at + 1

    def _before_or_after(self, at: int) -> None:
        following = self.opens(at + 1, any_form=True)
        if following:
            self.cut(at, at + 1, "before" if self.tokens[at].plain == "before" else "after")

    def _so(self, at: int) -> None:
        after = self.tokens[at + 1].plain if at + 1 < self.end else ""
        if (
            after == "that"
            or self.typed.has(at + 1, ("i", "can"), self.end)
            or after in ("he", "she", "they")
        ):
            self.cut(at, at + 1, "purpose")
        elif after in _SELF:
            self.cut(at, at + 1)

    def _unaware(self, at: int) -> bool:
        """`when nobody is looking`, `while Mara distracts him`: how it is done, not what it waits for."""
        for token in self.tokens[at + 1 : at + 7]:
            if token.kind == "mark" or token.plain in _JOINS | _SELF:
                return False
            if token.plain in _UNAWARE:
                return True
        return False

    def _if(self, at: int) -> None:
        """`If he moves, I shoot` hangs; `ask him if he moved` does not."""
        if at and self.tokens[at - 1].plain in ("what", "as", "even", "only", "see"):
            return
        if at + 1 < self.end and self.tokens[at + 1].plain in (
            "nobody",
            "no",
            "possible",
            "necessary",
        ):
            return
        verb = self.verb_of(self.start, at)
        joined = at > 0 and self.tokens[at - 1].plain in ("and", "but", ",")
        if (
            joined
            or verb is None
            or verb.action not in lexicon().social | {"look", "recall", "search", "wait"}
        ):
            self.cut(at, at + 1, "if")

    def _reason(self, at: int, length: int) -> None:
        word, after = self.tokens[at].plain, at + length
        if after >= self.end or self.tokens[after].kind == "mark":
            return
        if word == "while" and (
            self.tokens[after].plain in _SELF or self.opens(after, any_form=True)
        ):
            self.cut(at, after)
            return
        if word in ("as", "while") and self.tokens[after].plain in (
            "if",
            "soon",
            "long",
            "well",
            "a",
            "an",
            "i",
        ):
            return
        for token in self.tokens[after + 1 : after + 9]:
            if token.plain in (",", *_STOPS):
                return
            if token.plain in word_class("copulas"):
                self.cut(at, after, "because")
                return

    def _join(self, at: int) -> None:
        leading = self.link in ("before", "after", "because", "if") and self.tokens[at].plain == ","
        if leading and not (self.clauses and self.link == "before"):
            self.cut(at, at + 1)
            return
        opening = self.opens(at + 1)
        if not opening or self._calls_someone(at):
            return
        if opening == "verb" and self.tokens[at].plain != "," and self._is_told_to(at):
            return
        verb = self.verb_of(self.start, at)
        if self.tokens[at].plain == "or" and verb is not None and verb.action in lexicon().social:
            return  # `talk or I burn it down` is one threat
        self.cut(at, at + 1)

    def _calls_someone(self, at: int) -> bool:
        """`Mara, I need your help`: so far only a name, perhaps with a greeting, so what follows is said to them."""
        before = self.tokens[self.start : at]
        skipped = (
            lexicon().greetings | lexicon().determiners | {",", "and", "so", "well", "ok", "okay"}
        )
        names = [n for n, token in enumerate(before, self.start) if token.plain not in skipped]
        pause = self.tokens[at].plain in _DASHES | {",", "!"}
        return pause and bool(names) and all(n in self.people for n in names)

    def _is_told_to(self, at: int) -> bool:
        """Whether we are inside what someone else is asked to do: `ask Viktor to open up and leave`."""
        verb = self.verb_of(self.start, at)
        if verb is None or verb.action not in lexicon().social:
            return False
        between = range(verb.after, at)
        return any(
            self.tokens[n].plain in _MODALS
            and (
                self.tokens[n].plain != "to"
                or self.verbs.at(self.typed, n + 1, self.end) is not None
            )
            for n in between
            if n + 1 < self.end
        )

    def _on_to(self, at: int) -> None:
        """`go to the bar to talk to Viktor` is two things."""
        verb = self.verb_of(self.start, at)
        if verb is None or at < verb.after or verb.action not in _GOES_ON_TO or at + 1 >= self.end:
            return
        if self.tokens[at - 1].plain == "going" and verb.at == at - 1:
            return  # `gonna nick the rum`
        if self.link != "" or at + 1 in self.inside or (at == verb.after and verb.action != "move"):
            return
        following = self.verbs.at(self.typed, at + 1, self.end)
        if following and following.base and not self._is_noun(following):
            self.cut(at, at + 1)

    def opens(self, at: int, any_form: bool = False) -> str:
        """Whether something attempted begins there: `subject` (I …), `verb`, or nothing."""
        while at < self.end and (self._may_skip(at) or self.tokens[at].plain in _LEADING):
            at += 1
        if at >= self.end or self.tokens[at].kind != "word" or at in self.inside:
            return ""
        if self.tokens[at].plain in _SELF or self.tokens[at].plain in ("let", "let's", "lets"):
            return "subject"
        if self.typed.first_of(at, _TRIES, self.end):
            return "verb"
        verb = self.verbs.at(self.typed, at, self.end)
        if verb is None or (at and self._is_noun(verb)):
            return ""
        return "verb" if verb.base or any_form or self._told_in_third_person() else ""

    def _may_skip(self, at: int) -> bool:
        return self.tokens[at].kind == "word" and is_adverb(self.tokens[at].plain)

    def _told_in_third_person(self) -> bool:
        """`Kestrel walks in and asks`: inflected verbs begin something only where the first was inflected too."""
        verb = self.verb_of(self.start, self.end)
        return verb is not None and not verb.base

    def _is_noun(self, verb: Verb) -> bool:
        """`bread and butter`, `the knife and light`: a word that is also a noun, with nothing done to anything."""
        if verb.after - verb.at > 1 or verb.words not in lexicon().noun_verbs:
            return False
        if verb.after >= self.end:
            return self._after_noun_phrase(verb.at)
        following = self.tokens[verb.after]
        if following.kind == "mark" or following.plain in ("and", "or", "then"):
            return self._after_noun_phrase(verb.at)
        if (
            following.kind == "quote"
            or following.plain in lexicon().determiners | lexicon().pronouns
        ):
            return False
        if following.plain in lexicon().prepositions:
            return following.plain in ("of", "in", "on", "from") and self._after_noun_phrase(
                verb.at
            )
        return (
            following.kind == "word"
            and following.text[:1].islower()
            and self._after_noun_phrase(verb.at)
        )

    def _after_noun_phrase(self, at: int) -> bool:
        return any(
            token.plain in lexicon().determiners
            for token in self.tokens[max(at - 4, self.start) : max(at - 1, 0)]
        )

    def verb_of(self, first: int, last: int) -> Verb | None:
        """The first verb of a stretch that is not a noun after `the`."""
        for at in range(first, last):
            if at in self.inside or (
                at > first and self.tokens[at - 1].plain in lexicon().determiners
            ):
                continue
            if verb := self.verbs.at(self.typed, at, last):
                return verb
        return None


def _in_order(clauses: list[Clause]) -> list[Clause]:
    """`Before leaving, I search` and `I leave after searching` are told the other way round from how they happen."""
    ordered: list[Clause] = []
    held: Clause | None = None
    for clause in clauses:
        if clause.link == "before" and not ordered:
            held = clause
            continue
        if clause.link == "after" and ordered:
            ordered.insert(len(ordered) - 1, clause)
        else:
            ordered.append(clause)
        if held:
            ordered.append(held)
            held = None
    if held:
        ordered.append(held)
    return [
        replace(clause, link="") if clause.link in ("before", "after") else clause
        for clause in ordered
    ]


def cut_clauses(
    typed: Typed, verbs: Verbs, inside: Collection[int], people: Collection[int]
) -> list[Clause]:
    """The clauses of what was typed. Nothing is cut `inside` a name; tokens of `people` may call someone."""
    return Cutter(typed, verbs, inside, people).run()
