"""Schemas as grammars: the shape of the rules; what they do to a real model is in test_gguf."""

import re
from typing import Any, Literal

import pytest
from inline_snapshot import snapshot
from pydantic import BaseModel, Field

from freeform.adapters.models.grammar import Caps, grammar_of
from freeform.engine.passes import PASSES


class Door(BaseModel):
    """A door."""

    to: str
    state: Literal["open", "shut"] = "shut"


class Room(BaseModel):
    """A room."""

    name: str
    told: str = ""
    size: int | None = None
    doors: list[Door] = Field(default_factory=list)


def rules(grammar: str) -> dict[str, str]:
    lines = (line.split(" ::= ", 1) for line in grammar.splitlines() if line)
    return {name: body for name, body in lines}


def test_a_record_is_its_fields_in_order() -> None:
    made = rules(grammar_of(Room.model_json_schema(), Caps(text=9, streamed=99, items=3), "told"))
    basics = ("char", "integer", "number", "boolean", "null")
    assert {name: body for name, body in made.items() if name not in basics} == snapshot(
        {
            "root-name": '"\\"" char{1,9} "\\""',
            "root-told": '"\\"" char{0,99} "\\""',
            "root-size": "(integer | null)",
            "def-Door": '"{" "\\"to\\":" def-Door-to "," "\\"state\\":" def-Door-state "}"',
            "def-Door-to": '"\\"" char{1,9} "\\""',
            "def-Door-state": '("\\"open\\"" | "\\"shut\\"")',
            "root-doors-item": "def-Door",
            "root-doors": '"[" (root-doors-item ("," root-doors-item){0,2})? "]"',
            "root": '"{" "\\"name\\":" root-name "," "\\"told\\":" root-told "," "\\"size\\":" root-size "," "\\"doors\\":" root-doors "}"',
        }
    )


@pytest.mark.parametrize("pass_", PASSES, ids=lambda p: p.id)
def test_every_rule_that_is_named_is_made(pass_: Any) -> None:
    made = rules(grammar_of(pass_.gives.model_json_schema()))
    for body in made.values():
        bare = re.sub(r'"(\\.|[^"\\])*"|\[(\\.|[^\]\\])*\]|\{[\d,]*\}', " ", body)
        assert set(re.findall(r"[a-zA-Z][a-zA-Z0-9-]*", bare)) <= set(made)


def test_what_has_no_grammar_is_refused() -> None:
    with pytest.raises(ValueError, match="no grammar for the schema"):
        grammar_of({"type": "colour"})
