"""Gold cases: what a player typed, what it may be taken for, and what must not come of it."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from pydantic import Field, ValidationError, field_validator

from freeform.core.errors import BadFile
from freeform.core.record import Record

NO_TARGET = "-"
"""Stands among the targets of a slot for an act that is done to nobody and nothing."""
USUAL_MINUTES = 6
Effect = Literal["time", "move", "dice", "loss", "violence", "clock", "refusal"]


class GoldSlot(Record):
    """One act that was meant: of which kinds it may be, to whom, and a word that must be in it."""

    kinds: frozenset[str]
    targets: frozenset[str] | None = None
    """None: whoever it is done to."""
    words: tuple[str, ...] = ()


class Accept(Record):
    """What the input may be taken for. Each of `actions` is enough, all of its slots together."""

    actions: list[list[str]]
    targets: list[str] = Field(default_factory=list)
    ask_ok: bool = False
    ooc: bool = False
    no_action_ok: bool = False


class GoldCase(Record):
    """An input, where it is typed, and what a fair game master would make of it."""

    id: str
    kind: str = ""
    src: str = ""
    old_label: Any = None
    scenario: str
    setup: list[str] = Field(default_factory=list)
    at: str = ""
    """Where the set-up must have led."""
    input: str
    means: str = ""
    accept: Accept
    forbid: list[Effect] = Field(default_factory=list)
    time_limit: int = USUAL_MINUTES
    move_ok: list[str] = Field(default_factory=list)
    answer_any: str = ""
    answer_must: bool = False
    deny_text: str = ""
    miss_text: str = ""
    deny_success: bool = False
    refuse_ok: str = ""

    @field_validator("answer_any", "deny_text", "miss_text", "refuse_ok")
    @classmethod
    def _pattern(cls, text: str) -> str:
        re.compile(text)
        return text

    @cached_property
    def alternatives(self) -> list[list[GoldSlot]]:
        """The slots of each alternative."""
        return [list(map(read_slot, slots)) for slots in self.accept.actions]

    @cached_property
    def slots(self) -> list[GoldSlot]:
        """The slots of all alternatives."""
        return [slot for slots in self.alternatives for slot in slots]


def read_slot(text: str) -> GoldSlot:
    """A slot as it is written: `talk|ask@dutch|-#umbrella/whose`."""
    act, _, words = text.partition("#")
    kinds, aimed, targets = act.partition("@")
    return GoldSlot(
        kinds=frozenset(kinds.split("|")),
        targets=frozenset(targets.split("|")) if aimed else None,
        words=tuple(word for word in words.lower().split("/") if word),
    )


def read_cases(path: Path) -> list[GoldCase]:
    """The cases of a file, one a line; BadFile names the line that does not read."""
    cases = list(_cases(path))
    ids = Counter(case.id for case in cases)
    for id, times in ids.items():
        if times > 1:
            raise BadFile(path.name, f"has {times} cases called {id}; give each its own id")
    return cases


def _cases(path: Path) -> Iterator[GoldCase]:
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as wrong:
        raise BadFile(path.name, f"cannot be read ({wrong}); get the file again") from None
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            yield GoldCase.model_validate(json.loads(line))
        except (json.JSONDecodeError, re.error) as wrong:
            raise BadFile(path.name, f"is no gold case: {wrong}; correct it", number) from None
        except ValidationError as wrong:
            first = wrong.errors(include_url=False)[0]
            where = ".".join(map(str, first["loc"]))
            reason = f"is no gold case: {where}: {first['msg']}; correct it"
            raise BadFile(path.name, reason, number) from None
