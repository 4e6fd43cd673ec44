"""The forms in which names are compared: folded words, and their stems."""

from freeform.language.rough_stem import rough_stem
from freeform.language.words import word_class, words


def tokens(text: str) -> list[str]:
    """The words of a text, folded: lower case, no accents, no possessives."""
    return [word.replace("'", "") for word in words(text)]


def folded(text: str) -> str:
    """A name in the form in which two spellings are the same: folded words, no article in front."""
    return " ".join(_bare(tokens(text)))


def _bare(said: list[str]) -> list[str]:
    """Without the article in front, unless nothing else is there."""
    return said[1:] if len(said) > 1 and said[0] in word_class("articles") else said


def content(said: list[str]) -> list[str]:
    """The words that carry a name: no articles, no `of`."""
    return [word for word in said if word not in word_class("name_glue")] or said


def stemmed(text: str) -> str:
    """Folded, each word cut to its stem: `grappling`, `grapple` and `grappled` are one."""
    return " ".join(rough_stem(word) for word in _bare(tokens(text)))


def grams(text: str) -> set[str]:
    """The character trigrams of a folded name, its ends marked."""
    padded = f"  {text} "
    return {padded[i : i + 3] for i in range(len(padded) - 2)}
