"""A persona out of words: who somebody says they are, read by meaning into traits; and a table at
which no two are called the same."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from importlib.resources import files

import yaml

from freeform.core.errors import UserError
from freeform.core.text import shorten, slug, visible
from freeform.language.sentences import sentences
from freeform.language.words import stop_words, words
from freeform.players.model import BasePersona, Character, Traits

Near = Callable[[str, Sequence[str]], list[float]]
"""How near each of some texts is to one, from -1 to 1; [] where nothing can tell."""
LONGEST_ABOUT, LONGEST_VOICE, MOST_READ = 700, 300, 40
PULL, LEAST, FAR, ABOUT_IT = 1.3, 0.08, 0.4, 0.2
"""How far a difference in nearness moves a trait from the middle; what is no difference yet; how
far from the middle it may come; and how near a sentence must be to either end to be about it."""
ENGLISH = 0.2
"""So many of a text's words are little ones in English; below that its meaning is not read."""


@lru_cache(maxsize=1)
def ends() -> dict[str, dict[str, list[str]]]:
    """By trait: what is said of people at either end of it."""
    text = (files("freeform.players.party") / "nature.yaml").read_text(encoding="utf-8")
    table: dict[str, dict[str, list[str]]] = yaml.load(text, Loader=yaml.CSafeLoader)
    return table


def nature_of(text: str, near: Near) -> Traits:
    """Somebody's traits, by what is said of them; the middle where nothing is, or where it is not
    understood."""
    told = sentences(text)[:MOST_READ]
    if not told or not is_understood(text):
        return Traits()
    found = {}
    for trait, end in ends().items():
        pulls = [_pull(sentence, end, near) for sentence in told]
        strongest = max(pulls, key=abs)
        if abs(strongest) >= LEAST:
            found[trait] = round(0.5 + max(-FAR, min(FAR, PULL * strongest)), 2)
    return Traits(**found)


def is_understood(text: str) -> bool:
    """Whether a text is in the language whose meaning can be read."""
    said = words(text)
    little = sum(word in stop_words() for word in said)
    return bool(said) and little / len(said) >= ENGLISH


def _pull(sentence: str, end: dict[str, list[str]], near: Near) -> float:
    high, low = near(sentence, end["high"]), near(sentence, end["low"])
    if not high or max(*high, *low) < ABOUT_IT:
        return 0.0
    return max(high) - max(low)


def persona_of_words(
    name: str, text: str, near: Near, *, voice: str = "", pronouns: str = "they/them"
) -> BasePersona:
    """Whoever some sentences describe, as an AI player who plays themselves. UserError where there
    is nothing to go by."""
    name = shorten(" ".join(visible(name).split()), 60)
    about = visible(text).strip()
    if not name or not about:
        raise UserError("a persona needs a name and a sentence about them")
    traits = nature_of(f"{about} {voice}".strip(), near)
    first = (sentences(about) or [about])[0]
    character = Character(
        name=name,
        concept=shorten(first, 200),
        pronouns=pronouns,
        manner=shorten(voice, LONGEST_VOICE),
        bold=round(0.6 * traits.confidence + 0.4 * (1 - traits.caution), 2),
    )
    return BasePersona(
        id=_id_of(name),
        name=name,
        about=shorten(about, LONGEST_ABOUT),
        pronouns=pronouns,
        traits=traits,
        voice=shorten(voice, LONGEST_VOICE),
        character=character,
    )


def told_apart(personas: Sequence[BasePersona]) -> list[BasePersona]:
    """The same people, no two of one id or one name: a second Alex is `alex_2`, called Alex II."""
    ids, names, found = set[str](), set[str](), list[BasePersona]()
    for persona in personas:
        id, name, number = persona.id, persona.name, 2
        while id in ids or name.casefold() in names:
            id, name = f"{persona.id}_{number}", f"{persona.name} {_ROMAN[number]}"
            number += 1
        ids.add(id)
        names.add(name.casefold())
        found.append(persona.model_copy(update={"id": id, "name": name}))
    return found


_ROMAN = " I II III IV V VI VII VIII IX X XI XII XIII".split(" ")


def _id_of(name: str) -> str:
    id = slug(name).replace("-", "_")[:30].strip("_")
    return id if id[:1].isalpha() else f"p_{id}" if id else "somebody"
