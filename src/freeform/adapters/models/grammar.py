"""A JSON schema as a GBNF grammar, so that llama.cpp can write nothing that does not fit it.

Every field is written, in the record's order, without spaces. Texts and lists are kept short by the
grammar:
a small model that may go on does go on.
"""

import json
import re
from typing import Any

from freeform.core.record import Record

_BASICS = r"""
char ::= [^"\\\x00-\x1f\x7f] | "\\" ["\\n]
integer ::= "-"? ("0" | [1-9] [0-9]{0,8})
number ::= integer ("." [0-9]{1,4})?
boolean ::= "true" | "false"
null ::= "null"
"""


class Caps(Record):
    """How long things may get: a text (in characters), the streamed text, a list (in items)."""

    text: int = 600
    streamed: int = 1600
    items: int = 8

    def tighter(self, times: int) -> "Caps":
        """Half of it, so many times: an answer that ran out of room is asked for shorter."""
        text, streamed, items = (
            max(1, most >> times) for most in (self.text, self.streamed, self.items)
        )
        return Caps(text=text, streamed=streamed, items=items)


def grammar_of(schema: dict[str, Any], caps: Caps | None = None, streamed: str = "") -> str:
    """The grammar of a record's schema; `streamed` names the one field that may be long."""
    rules = _Rules(schema, caps or Caps(), streamed)
    rules.add("root", rules.value(schema, "root"))
    return "\n".join(f"{name} ::= {body}" for name, body in rules.made.items()) + _BASICS


class _Rules:
    """The rules made so far, by name."""

    def __init__(self, schema: dict[str, Any], caps: Caps, streamed: str) -> None:
        self._defs, self._caps, self._streamed = schema.get("$defs", {}), caps, streamed
        self.made: dict[str, str] = {}

    def add(self, name: str, body: str) -> None:
        self.made[name] = body

    def value(self, schema: dict[str, Any], name: str, needed: bool = False) -> str:
        """The rule body of any schema. A text that is `needed` is not empty."""
        if "$ref" in schema:
            return self._referred(schema["$ref"].rsplit("/", 1)[-1])
        if "const" in schema or "enum" in schema:
            return _either(
                _literal(json.dumps(v)) for v in schema.get("enum", [schema.get("const")])
            )
        for key in ("anyOf", "oneOf", "allOf"):
            if key in schema:
                return _either(self.value(s, f"{name}-{n}") for n, s in enumerate(schema[key]))
        match schema.get("type"):
            case list() as kinds:
                return _either(
                    self.value({**schema, "type": kind}, f"{name}-{kind}") for kind in kinds
                )
            case "string":
                most = (
                    self._caps.streamed
                    if name == f"root-{_plain(self._streamed)}"
                    else self._caps.text
                )
                return self._text(schema, most, needed)
            case "array":
                return self._list(schema, name)
            case "object" | None:
                return self._object(schema, name)
            case "integer" | "number" | "boolean" | "null" as basic:
                return str(basic)
        raise ValueError(f"no grammar for the schema {schema}")

    def _referred(self, target: str) -> str:
        rule = f"def-{_plain(target)}"
        if rule not in self.made:
            self.made[rule] = ""  # named before it is made, so that a record may hold its own kind
            self.add(rule, self.value(self._defs[target], rule))
        return rule

    def _text(self, schema: dict[str, Any], most: int, needed: bool) -> str:
        least = max(schema.get("minLength", 0), int(needed))
        return rf'"\"" char{{{least},{max(least, min(most, schema.get("maxLength", most)))}}} "\""'

    def _list(self, schema: dict[str, Any], name: str) -> str:
        least = schema.get("minItems", 0)
        most = max(least, min(self._caps.items, schema.get("maxItems", self._caps.items)))
        if most == 0:
            return '"[]"'
        item = f"{name}-item"
        self.add(item, self.value(schema.get("items", {"type": "string"}), item, needed=True))
        rest = f'{item} ("," {item}){{{max(least - 1, 0)},{most - 1}}}'
        return f'"[" {rest} "]"' if least else f'"[" ({rest})? "]"'

    def _object(self, schema: dict[str, Any], name: str) -> str:
        needed, fields = schema.get("required", ()), []
        for field, inner in schema.get("properties", {}).items():
            rule = f"{name}-{_plain(field)}"
            self.add(rule, self.value(inner, rule, field in needed))
            fields.append(f"{_literal(json.dumps(field) + ':')} {rule}")
        # A free mapping stays empty: there is nothing to hold a small model to.
        return '"{" ' + ' "," '.join(fields) + ' "}"' if fields else '"{}"'


def _either(bodies: Any) -> str:
    return "(" + " | ".join(bodies) + ")"


def _plain(name: str) -> str:
    """GBNF names are letters, digits and dashes."""
    return re.sub(r"[^a-zA-Z0-9]", "-", name)


def _literal(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'
