"""Verbs: which action a word or phrase means, in any of its inflections."""

from collections.abc import Container, Mapping
from dataclasses import dataclass
from functools import lru_cache

from rapidfuzz.distance import OSA

from freeform.language.ear import KnowsWord
from freeform.language.forms import verb_forms
from freeform.language.inflection import irregular_participle
from freeform.offline.interpreter.lexicon import lexicon
from freeform.offline.interpreter.words import Typed

_BEFORE_A_VERB = frozenset({"i", "we", "and", "then", "n", "to", ",", ";", ".", "!"})


@dataclass(frozen=True, slots=True)
class Verb:
    """A verb found in a clause: its action, its own words, the tokens it uses, and the first after
    it."""

    action: str
    words: str
    at: int
    after: int
    particle: int = -1
    base: bool = True


@dataclass(frozen=True)
class Verbs:
    """All verbs of a rules system. `by_head`: any form of the first word -> (base?, words, action),
    longest first."""

    by_head: dict[str, list[tuple[bool, tuple[str, ...], str]]]
    actions: frozenset[str]

    def at(self, typed: Typed, position: int, end: int) -> Verb | None:
        """The longest verb that starts there, if any."""
        token = typed.tokens[position]
        if token.kind != "word" or token.owner:
            return None
        for base, words, action in self.by_head.get(token.plain, ()):
            if len(words) == 1 or typed.has(position + 1, words[1:], end):
                found = Verb(action, " ".join(words), position, position + len(words), base=base)
                return found if len(words) > 1 else self._widened(typed, position, end) or found
        return self._widened(typed, position, end)

    def _widened(self, typed: Typed, position: int, end: int) -> Verb | None:
        """A verb of several words with something between them."""
        return self._parted(typed, position, end) or self._adorned(typed, position, end)

    def _adorned(self, typed: Typed, position: int, end: int) -> Verb | None:
        """`take another slow look at` is `take a look at`: up to two words may stand before the
        noun."""
        if position + 2 >= end or typed.tokens[position + 1].plain not in ("a", "another", "one"):
            return None
        for base, words, action in self.by_head.get(typed.tokens[position].plain, ()):
            for noun in (
                range(position + 2, position + 5) if len(words) > 2 and words[1] == "a" else ()
            ):
                if typed.has(noun, words[2:], end):
                    return Verb(action, " ".join(words), position, noun + len(words) - 2, base=base)
        return None

    def _parted(self, typed: Typed, position: int, end: int) -> Verb | None:
        """`pick the key up` is `pick up`: the particle may stand after a short object."""
        particles = lexicon().particles
        for base, words, action in self.by_head.get(typed.tokens[position].plain, ()):
            if len(words) != 2 or words[1] not in particles:
                continue
            for place in range(position + 2, min(position + 6, end)):
                token = typed.tokens[place]
                if token.kind != "word" or (
                    token.plain in lexicon().prepositions and token.plain != words[1]
                ):
                    break
                if token.plain == words[1] and _closes(typed, place + 1, end, words[1]):
                    return Verb(
                        action, " ".join(words), position, position + 1, particle=place, base=base
                    )
        return None

    def begun(self, typed: Typed, position: int) -> Verb | None:
        """A verb we only know in phrases, used in another: `squeeze past`, where `squeeze through`
        is known."""
        word = typed.tokens[position].plain
        entries = self.by_head.get(word, ())
        if not entries or len(word) < 5 or word in lexicon().common:
            return None
        base, words, action = entries[-1]
        return Verb(action, " ".join(words), position, position + 1, base=base)

    def guess(self, typed: Typed, position: int, end: int) -> Verb | None:
        """A misspelt verb: one slip away, in words long enough to tell."""
        head = self.slip_for(typed.tokens[position].plain)
        if not head:
            return None
        base, words, action = self.by_head[head][-1]
        return (
            Verb(action, " ".join(words), position, position + 1, base=base)
            if len(words) == 1
            else None
        )

    def slip_for(self, word: str) -> str:
        """The verb a word is one slip away from; '' if none is."""
        if len(word) < 4 or word in lexicon().common:
            return ""
        best = min(
            (
                (OSA.distance(word, head, score_cutoff=1), head)
                for head in self.by_head
                if head[0] == word[0]
            ),
            default=(9, ""),
        )
        short = len(word) == 4 and len(best[1]) < 5 and sorted(word) != sorted(best[1])
        if best[0] > 1 or len(best[1]) < 4 or short:
            return ""  # of four letters, only those that lack one or change places: `chek`, `opne`
        return best[1]

    def respelled(self, typed: Typed, known: KnowsWord, names: Container[str] = ()) -> str:
        """The text with the misspelt verbs that open a clause as they are written. Somebody's name
        is no slip: `to Sela` is no `to seal`."""
        text = typed.text
        for at in range(len(typed.tokens) - 1, -1, -1):
            token = typed.tokens[at]
            opens = not at or typed.tokens[at - 1].plain in _BEFORE_A_VERB
            if token.kind != "word" or not opens or token.plain in self.by_head:
                continue
            if token.plain in names:
                continue
            is_verb = known(token.plain) or bool(irregular_participle(token.plain))
            head = "" if is_verb else self.slip_for(token.plain)
            if len(head) == len(token.plain) and sorted(head) != sorted(token.plain):
                continue  # `smear` is no slip for `swear`: a letter is missing or misplaced
            text = f"{text[: token.start]}{head}{text[token.end :]}" if head else text
        return text


def _closes(typed: Typed, at: int, end: int, particle: str) -> bool:
    """Whether a particle there ends its verb: nothing follows that it could belong to."""
    if at >= end or typed.tokens[at].kind == "mark":
        return True
    if particle == "into":
        return True
    return typed.tokens[at].plain in lexicon().prepositions


class _LastVerbs:
    """The verbs that were asked for last: a system's action types are one value for all turns."""

    def __init__(self) -> None:
        self._kept: tuple[Mapping[str, list[str]], Verbs] | None = None

    def of(self, action_types: Mapping[str, list[str]]) -> Verbs:
        kept = self._kept
        if kept is None or kept[0] is not action_types:
            listed = ((action, tuple(words)) for action, words in action_types.items())
            kept = action_types, _compile(tuple(listed))
            self._kept = kept
        return kept[1]


_LAST_VERBS = _LastVerbs()


def verbs_of(action_types: Mapping[str, list[str]]) -> Verbs:
    """The verbs of these action types, with the words people use besides."""
    return _LAST_VERBS.of(action_types)


@lru_cache(maxsize=8)
def _compile(action_types: tuple[tuple[str, tuple[str, ...]], ...]) -> Verbs:
    actions = frozenset(action for action, _ in action_types)
    meaning: dict[tuple[str, ...], str] = {}
    for action, words in lexicon().more_verbs.items():
        if action in actions:
            for verb in words:
                meaning[tuple(verb.split())] = action
    for action, system_words in action_types:
        meaning.setdefault((action.replace("_", " ").lower(),), action)
        for verb in system_words:
            meaning[tuple(verb.lower().split())] = action
    by_head: dict[str, list[tuple[bool, tuple[str, ...], str]]] = {}
    for parts, action in meaning.items():
        if parts:
            for form in forms_of(parts[0]):
                by_head.setdefault(form, []).append((form == parts[0], parts, action))
    for entries in by_head.values():
        entries.sort(key=lambda entry: (-len(entry[1]), not entry[0]))
    return Verbs(by_head, actions)


def forms_of(verb: str) -> list[str]:
    """A verb as people write it: walk, walks, walking, walked."""
    if irregular := lexicon().irregular.get(verb):
        return [verb, *irregular]
    return verb_forms(verb)
