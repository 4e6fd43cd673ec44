"""Marks in the text of the product, by which scripts/reach_map.py sees which test reaches which line.

A mark is one byte that is set where a block of statements begins, and again behind each `if`, `for`, `try` and the like, since
not all that goes in comes out there. It costs a tenth of a test's time; coverage.py with a context for each test took three
times as long as the test. Only what stands inside functions is marked.
"""

import ast

SETS = "_m_a_r_k_s"


class Marker:
    """The marks of one file, numbered from `first` on; `lines` says by mark which lines it stands for."""

    def __init__(self, text: str, first: int = 0) -> None:
        self.lines: list[set[int]] = []
        self._first, self._tree = first, ast.parse(text)
        for node in outermost_functions(self._tree):
            node.body = self._function(node.body)

    def text(self) -> str:
        """The file with its marks; its lines are others."""
        body = self._tree.body
        place = 0
        while place < len(body) and (is_text(body[place]) or is_future(body[place])):
            place += 1
        body.insert(place, ast.parse(f"from reached_by import MARKS as {SETS}").body[0])
        return ast.unparse(ast.fix_missing_locations(self._tree))

    def _function(self, body: list[ast.stmt]) -> list[ast.stmt]:
        said = body[:1] if is_text(body[0]) else []
        return said + self._block(body[len(said) :])

    def _block(self, body: list[ast.stmt]) -> list[ast.stmt]:
        made: list[ast.stmt] = []
        open_mark = -1
        for statement in body:
            if open_mark < 0:
                open_mark = len(self.lines)
                self.lines.append(set())
                number = self._first + open_mark
                made += ast.parse(f"{SETS}[{number}] = 1").body
            made.append(statement)
            if self._inside(statement, open_mark):
                open_mark = -1
        return made

    def _inside(self, statement: ast.stmt, mark: int) -> bool:
        """Marks the blocks of a statement; whether it has any."""
        blocks = [name for name in ("body", "orelse", "finalbody") if getattr(statement, name, 0)]
        parts: list[ast.AST] = [
            *getattr(statement, "handlers", ()),
            *getattr(statement, "cases", ()),
        ]
        self.lines[mark] |= heads(statement, blocks)
        for node in (statement, *parts):
            for name in blocks if node is statement else ["body"]:
                block = getattr(node, name)
                defined = isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef)
                setattr(node, name, self._function(block) if defined else self._block(block))
        return bool(blocks or parts)


def heads(statement: ast.stmt, blocks: list[str]) -> set[int]:
    """The lines of a statement that are not those of its blocks."""
    if isinstance(statement, ast.Match):
        lines = {statement.lineno}
        for case in statement.cases:
            first = case.pattern.lineno
            lines |= set(range(first, max(first + 1, case.body[0].lineno)))
        return lines
    if not blocks:
        return set(range(statement.lineno, (statement.end_lineno or statement.lineno) + 1))
    first = getattr(statement, blocks[0])[0].lineno
    return set(range(statement.lineno, max(statement.lineno + 1, first)))


def is_text(statement: ast.stmt) -> bool:
    """A docstring."""
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def is_future(statement: ast.stmt) -> bool:
    """What must come first in a file."""
    return isinstance(statement, ast.ImportFrom) and statement.module == "__future__"


def outermost_functions(tree: ast.AST) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
    """Those of a module and of its classes; what lies in them is theirs."""
    found: list[ast.FunctionDef | ast.AsyncFunctionDef] = []
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            found.append(node)
        else:
            found += outermost_functions(node)
    return found
