"""Filling templates: `{role.word}` becomes what it is called; that is not read again."""

import re
from collections.abc import Mapping

_SLOT = re.compile(r"\{([A-Za-z_]+(?:\.[A-Za-z_]+)?)\}")
_AFTER_STOP = re.compile(r"(?<=[^\W\d_]{2}[.] )[a-z]|(?<=[\d\W][.] )[a-z]")
_VOWEL = re.compile(r"^(?:[aeio]|u(?!ni|se|ti))", re.IGNORECASE)


class Grammar:
    """The names of this evening, and sentences made with them."""

    def __init__(self, names: Mapping[str, str]) -> None:
        self.names = dict(names)

    def tell(self, template: str) -> str:
        """The sentence. KeyError names a slot that nothing fills: a mistake in our own data."""
        text = _SLOT.sub(lambda slot: self.names[slot[1]], template)
        return sentence_case(text.strip())

    def each(self, templates: list[str]) -> list[str]:
        """Several at once."""
        return [self.tell(template) for template in templates]

    def phrase(self, template: str) -> str:
        """Words inside a sentence, as they are."""
        return _SLOT.sub(lambda slot: self.names[slot[1]], template)

    def knows(self, template: str) -> bool:
        """Whether every slot can be filled."""
        return all(slot in self.names for slot in _SLOT.findall(template))

    def also(self, names: Mapping[str, str]) -> "Grammar":
        """The same with more names."""
        return Grammar({**self.names, **names})


def sentence_case(text: str) -> str:
    """Its first letter and those after a full stop are capitals."""
    text = text[:1].upper() + text[1:]
    return _AFTER_STOP.sub(lambda letter: letter[0].upper(), text)


def with_a(noun: str) -> str:
    """The noun with `a` or `an`; as it is where it has a word of that kind."""
    first = noun.split(" ", 1)[0].lower()
    if first in ("one", "this", "the", "a", "an", "who", "your"):
        return noun
    if first.endswith("est") or " of the " in noun or " of your " in noun:
        return f"the {noun}"
    return f"an {noun}" if _VOWEL.match(noun) else f"a {noun}"


def with_the(noun: str) -> str:
    """The noun with `the`, unless it has a word of that kind."""
    first = noun.split(" ", 1)[0].lower()
    return noun if first in ("one", "this", "the", "a", "an", "your") else f"the {noun}"


def capital(text: str) -> str:
    """Its first letter large, the rest as it is."""
    return text[:1].upper() + text[1:]


def spoken(words: str, tag: str) -> str:
    """What somebody says, with who says it after the first sentence."""
    words = words.replace('"', "'").strip()
    first, rest = _first_sentence(words)
    if first.endswith((".", ",")):
        first = f"{first[:-1]},"
    opening = f'"{first}" {tag}.'
    return f'{opening} "{rest}"' if rest else opening


def _first_sentence(words: str) -> tuple[str, str]:
    found = re.match(r"(.{12,140}?[.!?])'?\s+(?=[A-Z'])(.+)", words, re.DOTALL)
    return (found[1], found[2]) if found else (words, "")
