"""Reads the logic a TextWorld game carries: types, predicates, rules, and the command of each
rule."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from freeform.core.errors import UserError

_TOKEN = re.compile(
    r"(?P<text>\"\"\"(?:.|\n)*?\"\"\"|\"(?:[^\"\\]|\\.)*\")|(?P<skip>\#[^\n]*|\s+)|(?P<mark>::|->|[{}();:,&$=|])"
    r"|(?P<name>[^\s{}();:,&$=|\"\#]+)"
)


class Atom(NamedTuple):
    """A predicate over variables or entities."""

    name: str
    args: tuple[str, ...]


class LogicRule(NamedTuple):
    """What must be so, which part of that ends, and what begins. `types`: the type of each
    variable."""

    name: str
    needs: tuple[Atom, ...]
    ends: tuple[Atom, ...]
    begins: tuple[Atom, ...]
    types: dict[str, str]


class Logic(NamedTuple):
    """The whole of it. `declared` are the predicates with their types; `same_as` maps one to
    another turned round."""

    parents: dict[str, list[str]]
    declared: list[Atom]
    same_as: list[tuple[Atom, Atom]]
    rules: dict[str, LogicRule]
    commands: dict[str, str]

    def is_a(self, type: str, wanted: str) -> bool:
        """Whether a type is another, or one of its kinds."""
        return type == wanted or any(
            self.is_a(parent, wanted) for parent in self.parents.get(type, [])
        )


def read_logic(text: str) -> Logic:
    """The logic of a game; UserError where it does not read."""
    return _Reader(list(_tokens(text))).document()


def _tokens(text: str) -> Iterator[str]:
    at = 0
    while at < len(text):
        found = _TOKEN.match(text, at)
        if found is None:
            raise UserError(f"the game's logic does not read near '{text[at : at + 30]}'")
        at = found.end()
        if found.lastgroup != "skip":
            yield found[0]


class _Reader:
    def __init__(self, tokens: list[str]) -> None:
        self._tokens, self._at = tokens, 0
        self._logic = Logic({}, [], [], {}, {})
        self._typed: dict[str, str] = {}

    def document(self) -> Logic:
        while self._at < len(self._tokens):
            self._take("type")
            name = self._next()
            self._logic.parents[name] = []
            if self._peek() == ":":
                self._next()
                self._logic.parents[name] = self._names("{")
            self._take("{")
            while self._peek() != "}":
                self._section()
            self._take("}")
        return self._logic

    def _section(self) -> None:
        name = self._next()
        if name == "inform7":
            self._take("{")
            while self._peek() != "}":
                if self._peek() == "commands":
                    self._next()
                    self._each(self._command)
                else:
                    self._skip()
            self._take("}")
        elif name == "predicates":
            self._each(self._predicate)
        elif name == "rules":
            self._each(self._rule)
        else:
            self._skip_block()

    def _each(self, read: object) -> None:
        self._take("{")
        while self._peek() != "}":
            read()  # type: ignore[operator]
            self._take(";")
        self._take("}")

    def _predicate(self) -> None:
        self._typed = {}
        atom = self._atom()
        self._logic.declared.append(
            Atom(atom.name, tuple(type_of(arg, self._typed) for arg in atom.args))
        )
        if self._peek() == "=":
            self._next()
            self._logic.same_as.append((atom, self._atom()))

    def _rule(self) -> None:
        self._typed = {}
        name = self._next()
        self._take("::")
        before = self._conjunction("->")
        self._take("->")
        after = [atom for atom, _ in self._conjunction(";")]
        needs = tuple(atom for atom, _ in before)
        ends = tuple(atom for atom, stays in before if not stays and atom not in after)
        begins = tuple(atom for atom in after if atom not in needs)
        names = {arg for atom in (*needs, *after) for arg in atom.args}
        types = {arg: type_of(arg, self._typed) for arg in sorted(names)}
        self._logic.rules[name] = LogicRule(name, needs, ends, begins, types)

    def _command(self) -> None:
        name = self._next()
        self._take("::")
        self._logic.commands[name] = self._next().strip('"')
        while self._peek() != ";":
            self._next()

    def _conjunction(self, end: str) -> list[tuple[Atom, bool]]:
        found = []
        while self._peek() != end:
            if self._peek() == "&":
                self._next()
            stays = self._peek() == "$"
            if stays:
                self._next()
            found.append((self._atom(), stays))
        return found

    def _atom(self) -> Atom:
        name = self._next()
        self._take("(")
        args = []
        while self._peek() != ")":
            arg = self._next()
            if self._peek() == ":":
                self._next()
                self._typed[arg] = self._next()
            args.append(arg)
            if self._peek() == ",":
                self._next()
        self._take(")")
        return Atom(name, tuple(args))

    def _names(self, end: str) -> list[str]:
        names = []
        while self._peek() != end:
            if self._peek() not in (",", "|", "&"):
                names.append(self._peek())
            self._next()
        return names

    def _skip(self) -> None:
        """One entry of a block that is not ours: a block, or text up to its semicolon."""
        self._next()
        if self._peek() == "{":
            self._skip_block()
            return
        while self._peek() not in (";", "}"):
            self._next()
        if self._peek() == ";":
            self._next()

    def _skip_block(self) -> None:
        self._take("{")
        depth = 1
        while depth:
            token = self._next()
            depth += {"{": 1, "}": -1}.get(token, 0)

    def _peek(self) -> str:
        if self._at >= len(self._tokens):
            raise UserError("the game's logic ends in the middle; get the file again")
        return self._tokens[self._at]

    def _next(self) -> str:
        token = self._peek()
        self._at += 1
        return token

    def _take(self, wanted: str) -> None:
        found = self._next()
        if found != wanted:
            near = " ".join(self._tokens[max(0, self._at - 6) : self._at + 3])
            raise UserError(
                f"the game's logic has '{found}' where '{wanted}' belongs, near: {near}"
            )


def type_of(variable: str, typed: dict[str, str]) -> str:
    """A variable's type: as written, else its own name without primes."""
    return typed.get(variable) or variable.rstrip("'")
