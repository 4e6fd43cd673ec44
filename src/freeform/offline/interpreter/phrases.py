"""Parts of a clause: what is left when verb and target are taken out, tools, spans of time."""

from collections.abc import Collection

from freeform.language.forms import is_plural
from freeform.language.words import word_class
from freeform.offline.interpreter.hearing import Hearing, Reference
from freeform.offline.interpreter.names import Named, bare


def cover(hearing: Hearing, ref: Reference) -> set[int]:
    """The tokens of a reference with its article and what stands between: `the rusty locker`."""
    taken = set(range(ref.first, ref.last))
    for back in range(1, 4):
        at = ref.first - back
        if at < 0 or hearing.typed.tokens[at].kind != "word":
            break
        word = hearing.plain(at)
        if word in hearing.words.determiners:
            return taken | set(range(at, ref.first))
        if word in hearing.words.prepositions:
            break
    return taken


def remainder(
    hearing: Hearing, first: int, last: int, without: Collection[int], whole: bool = False
) -> str:
    """The words of a stretch that are not accounted for, in the order typed; `whole` keeps how they
    begin."""
    runs: list[str] = []
    at = first
    while at < last:
        if at in without:
            at += 1
            continue
        end = at
        while end < last and end not in without:
            end += 1
        if text := _trimmed(hearing, at, end, ends=end == last, whole=whole and at == first):
            runs.append(text)
        at = end
    return " ".join(runs)


def _trimmed(hearing: Hearing, first: int, last: int, ends: bool, whole: bool) -> str:
    """A run without loose ends: articles and prepositions whose object was taken out."""
    loose = (
        hearing.words.determiners
        | hearing.words.prepositions
        | word_class("loose")
        | hearing.words.pronouns
    )
    loose = frozenset() if ends else loose
    while last > first and (
        hearing.typed.tokens[last - 1].kind == "mark" or hearing.plain(last - 1) in loose
    ):
        last -= 1
    while (
        not whole
        and first < last
        and (
            hearing.typed.tokens[first].kind == "mark"
            or hearing.plain(first) in word_class("loose")
        )
    ):
        first += 1
    return hearing.phrase(first, last)


def tool(hearing: Hearing, first: int, last: int) -> tuple[Named | None, set[int], str]:
    """What it is done with: the thing, its tokens, and, for a thing nobody knows of, the words for
    it."""
    for at in range(first, last):
        if hearing.plain(at) not in ("with", "using"):
            continue
        refs = [ref for ref in hearing.references(at + 1, last, "thing") if ref.first <= at + 4]
        for ref in refs:
            named = ref.fits("thing")
            if named is not None and named.kind == "thing":
                return named, {at} | set(range(at, ref.last)), ""
        if not refs and (words := unknown_thing(hearing, at + 1, last)):
            return None, set(), words
    return None, set(), ""


_GOES_ON = frozenset({"and", "then", "till", "until", "while", "so", "as"})
"""Words with which a sentence goes on after a thing."""


def unknown_thing(hearing: Hearing, first: int, last: int) -> str:
    """`with my shotgun`, where no shotgun is known; manner such as `with care` is no tool."""
    if hearing.plain(first) not in hearing.words.determiners:
        return ""
    end = first + 1
    while end < last and end < first + 4 and hearing.typed.tokens[end].kind == "word":
        if hearing.plain(end) in hearing.words.prepositions | _GOES_ON:
            break
        end += 1
    noun = hearing.plain(end - 1)
    if end == first + 1 or noun in hearing.words.manner or noun in hearing.words.pronouns:
        return ""
    words = bare(hearing.phrase(first + 1, end))
    return words if is_plural(words) else f"{'an' if words[:1] in 'aeiou' else 'a'} {words}"


def minutes_meant(hearing: Hearing, first: int, last: int) -> int:
    """How long the player says it is to take: `for half an hour`, `10 minutes`; 0 if they do not
    say."""
    numbers, units = hearing.words.numbers, hearing.words.units
    for at in range(first, last):
        unit = units.get(hearing.plain(at), 0)
        if not unit or hearing.typed.tokens[at].kind != "word":
            continue
        count = 0.0
        for back in range(1, 4):
            word = hearing.plain(at - back) if at - back >= first else ""
            if word in ("of", "a", "an") and back < 3 and count == 0.0:
                count = (
                    1.0 if word in ("a", "an") and hearing.plain(at - back - 1) != "half" else count
                )
                continue
            if word.isdecimal():
                count = float(min(int(word[:6]), 10_000))
            elif word in numbers:
                count = numbers[word]
            break
        if count:
            return max(1, min(round(count * unit), 10_080))
    return 0


def joined(*parts: str) -> str:
    """Details in the form the engine reads: parts apart by `; `."""
    return "; ".join(part for part in parts if part)
