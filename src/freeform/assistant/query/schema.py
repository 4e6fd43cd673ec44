"""The vocabulary of questions, read from schema.yaml: kinds, marks, fields and orders by the words
people use for them."""

import re
import shlex
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any

import yaml

from freeform.assistant.query.model import RowTest
from freeform.language.inflection import lemma
from freeform.language.short_forms import words_meant, written_out
from freeform.language.words import words

Phrase = tuple[str, ...]


@lru_cache(maxsize=50_000)
def phrase(text: str) -> Phrase:
    """A text as the lemmas of all its words."""
    return tuple(lemma(word) for word in words(text))


@dataclass(frozen=True)
class Schema:
    """Phrases, and what they mean."""

    kinds: dict[Phrase, str]
    marks: dict[Phrase, RowTest]
    fields: dict[Phrase, tuple[str, ...]]
    orders: dict[Phrase, str]
    asking: frozenset[str]
    asked_with: frozenset[str]
    """The words by which people ask, as they are written."""
    called: dict[str, tuple[str, ...]]
    """Other words for what stands on a sheet."""
    glosses: dict[str, tuple[str, ...]]
    """What numbers of a sheet mean, in everyday words."""
    typed: dict[str, str]
    """What people type in a hurry, and what they would write else."""


@cache
def schema() -> Schema:
    """The one schema."""
    text = (files(__package__) / "schema.yaml").read_text(encoding="utf-8")
    data: dict[str, Any] = yaml.load(text, Loader=yaml.CSafeLoader)
    fields: dict[Phrase, tuple[str, ...]] = {}
    for name, said in data["fields"].items():
        for each in [*shlex.split(said), name]:
            key = phrase(each)
            fields[key] = tuple(dict.fromkeys([*fields.get(key, ()), name]))
    return Schema(
        kinds={key: name for name, said in data["kinds"].items() for key in _phrases(said)},
        marks=_marks(data["marks"]),
        fields=fields,
        orders={key: name for name, said in data["order"].items() for key in _phrases(said)},
        asking=frozenset(lemma(word) for word in data["asking"].split()),
        asked_with=frozenset(data["asking"].split()),
        called={name: tuple(shlex.split(said)) for name, said in data["called"].items()},
        glosses={name: tuple(told) for name, told in data["glosses"].items()},
        typed=data["typed"],
    )


_TYPED = re.compile(r"(?<![\w/'’])[a-z]+/?[a-z]*(?![\w'’])")


def typed_out(question: str) -> str:
    """A question with what was typed in a hurry written out: `n`, `w/o`, `gotta`."""
    typed = schema().typed
    made = _TYPED.sub(lambda hit: typed.get(hit[0], hit[0]), written_out(question))
    return " ".join(made.split()) if made != question else question


def _phrases(said: str) -> list[Phrase]:
    return [phrase(each) for each in shlex.split(said)]


def _marks(told: dict[str, Any]) -> dict[Phrase, RowTest]:
    found: dict[Phrase, RowTest] = {}
    for name, row in told.items():
        made = RowTest(field=row.get("field", name), value=row["is"])
        for key in _phrases(row["words"]):
            found[key] = made
    return found


def called(name: str) -> tuple[str, ...]:
    """What else people call something on a sheet."""
    return schema().called.get(name, ())


def also_called(name: str) -> tuple[str, ...]:
    """What else people call what they call so."""
    key = phrase(name)
    found = (said for said in schema().called.values() if key in map(phrase, said))
    return next(found, ())


def asking_words() -> frozenset[str]:
    """The words by which people ask, as they are written."""
    return schema().asked_with


def glosses_of(name: str) -> tuple[str, ...]:
    """What a number of a sheet means, in everyday words."""
    found = (told for lead, told in schema().glosses.items() if name.startswith(lead))
    return next(found, ())


@lru_cache(maxsize=1000)
def meant_by(short: str) -> str:
    """The word that a short form stands for, where all that it may stand for mean the same; else
    ''."""
    known = schema()
    if (lemma(short),) in known.marks or (lemma(short),) in known.orders:
        return ""
    # `Large` is a word of its own, and no short form of `largest`.
    tables: list[Iterable[Phrase]] = [known.kinds, known.marks, known.fields]
    keys = [key[0] for table in tables for key in table if len(key) == 1]
    found = words_meant(short, dict.fromkeys(keys))
    meanings = {
        (known.kinds.get((w,)), str(known.marks.get((w,))), known.fields.get((w,))) for w in found
    }
    return min(found, key=len) if len(meanings) == 1 else ""


def is_asked_for(key: str) -> bool:
    """Whether a lemma is a word for what is asked of a thing, not for the thing."""
    return (key,) in schema().fields or (key,) in schema().kinds
