"""What nothing in a scenario brings about: values never set, secrets never told."""

from collections.abc import Iterator
from typing import Any

from freeform.engine.authored import scenario as s
from freeform.engine.authored import script as c
from freeform.engine.proof.references import records_in
from freeform.engine.proof.sense import Found, rows_of
from freeform.engine.proof.shape import Where, nearest

_ENGINE = frozenset(
    "at condition met visited greeted follows lies escalation disguised surrendered captive level "
    "hit_points".split()
)
"""Predicates that the engine itself sets."""


def never_so(data: dict[str, Any]) -> Iterator[Found]:
    """Conditions on values that no fact and no effect gives; secrets that nothing reveals; clocks
    and threads that nothing moves."""
    brought = _Brought(data)
    asked: list[tuple[Where, list[Any]]] = []
    for shape, row, where in records_in(s.Scenario, data, ()):
        fact = row.get("fact") if shape is c.Condition else None
        if isinstance(fact, list) and len(fact) == 3:
            asked.append(((*where, "fact"), fact))
    for where, (subject, predicate, value) in asked:
        yield from _unmet(where, (str(subject), str(predicate)), value, brought.values)
    for number, row in enumerate(rows_of(data, "facts")):
        if row.get("visibility") == "hidden" and row.get("id") not in brought.revealed:
            reason = f"nothing reveals the secret '{row.get('id')}'; add it to a `reveals`"
            yield "error", ("facts", number), reason
    costs = data.get("cost_clocks")
    paid = set(map(str, costs.values())) if isinstance(costs, dict) else set()
    for number, row in enumerate(rows_of(data, "clocks")):
        if row.get("id") not in brought.moved | paid:
            reason = f"nothing moves the clock '{row.get('id')}': no effect, and no cost goes to it"
            yield "warning", ("clocks", number), reason
    for number, row in enumerate(rows_of(data, "threads")):
        if row.get("id") not in brought.settled:
            reason = f"nothing settles the thread '{row.get('id')}': no effect, and no clue"
            yield "warning", ("threads", number), reason


def _unmet(
    where: Where, pair: tuple[str, str], value: Any, values: dict[tuple[str, str], list[Any]]
) -> Iterator[Found]:
    subject, predicate = pair
    if predicate in _ENGINE or subject == "campaign":
        return
    given = values.get(pair)
    if given is None:
        about = sorted(other for who, other in values if who == subject)
        near = nearest(predicate, about)
        yield "error", where, f"nothing says anything of '{subject}' `{predicate}`{near}"
    elif value not in given:
        near = nearest(str(value), [str(each) for each in given])
        listed = ", ".join(str(each) for each in given)
        reason = f"'{subject}' `{predicate}` is never {value!r}; it is {listed}{near}"
        yield "error", where, reason


class _Brought:
    """What facts and effects give: values, moved clocks, settled threads, revealed facts."""

    def __init__(self, data: dict[str, Any]) -> None:
        self.values: dict[tuple[str, str], list[Any]] = {}
        self.moved: set[str] = set()
        self.settled = {str(row.get("thread")) for row in rows_of(data, "clues")}
        self.revealed: set[str] = set()
        self._facts = rows_of(data, "facts")
        for row in self._facts:
            self._give(row.get("subject_id"), row.get("predicate"), _value(row.get("object")))
        for shape, row, _ in records_in(s.Scenario, data, ()):
            self.revealed |= set(map(str, _listed(row, "reveals")))
            if shape in (c.SetFact, c.Become):
                self._set(row)
            elif shape is c.Tick:
                self.moved.add(str(row.get("id")))
            elif shape is c.Effect:
                self._change(row)

    def _give(self, subject: Any, predicate: Any, value: Any) -> None:
        given = self.values.setdefault((str(subject), str(predicate)), [])
        if value not in given:
            given.append(value)

    def _set(self, row: dict[str, Any]) -> None:
        predicate = row.get("predicate", row.get("condition"))
        self._give(row.get("subject"), predicate, row.get("value", True))
        if row.get("visibility", "known") == "known":
            pair = (row.get("subject"), predicate)
            same = (f for f in self._facts if (f.get("subject_id"), f.get("predicate")) == pair)
            self.revealed |= {str(fact.get("id")) for fact in same}

    def _change(self, row: dict[str, Any]) -> None:
        thread = _listed(row, "thread")
        if thread:
            self.settled.add(str(thread[0]))
        if row.get("reveal"):
            self.revealed.add(str(row["reveal"]))


def _value(told: Any) -> Any:
    return told.get("value") if isinstance(told, dict) else None


def _listed(row: dict[str, Any], key: str) -> list[Any]:
    value = row.get(key)
    return value if isinstance(value, list) else []


def without_effect(data: dict[str, Any]) -> Iterator[Found]:
    """Effects that come to nothing: handed by someone who never has it, revealed though known."""
    holders = {(str(r.get("owner_id")), str(r.get("item_id"))) for r in rows_of(data, "inventory")}
    known = {
        str(row.get("id"))
        for row in rows_of(data, "facts")
        if row.get("visibility", "known") == "known"
    }
    rows = list(records_in(s.Scenario, data, ()))
    yield from _nowhere(data, rows)
    for shape, row, _ in rows:
        if shape is c.Hand:
            holders.add((str(row.get("to", "nowhere")), str(row.get("item"))))
    for shape, row, where in rows:
        if shape is c.Hand:
            pair = (str(row.get("source", "nowhere")), str(row.get("item")))
            if pair[0] not in ("nowhere", "player") and pair not in holders:
                yield "warning", where, f"'{pair[0]}' never has '{pair[1]}', so nothing is handed"
        unhidden = row.get("unhide") if shape is c.Effect else None
        if isinstance(unhidden, list) and tuple(map(str, unhidden)) not in holders:
            owner, item = map(str, (*unhidden, "", "")[:2])
            reason = f"'{item}' never lies hidden with '{owner}', so nothing comes to light"
            yield "warning", (*where, "unhide"), reason
        for fact in (*_listed(row, "reveals"), row.get("reveal")):
            if isinstance(fact, str) and fact in known and shape is not s.Scenario:
                reason = f"'{fact}' is known from the start, so this reveals nothing"
                yield "warning", where, reason


def _nowhere(data: dict[str, Any], rows: list[Any]) -> Iterator[Found]:
    """Things that conditions ask for and that nobody ever has."""
    had = {str(row.get("item_id")) for row in rows_of(data, "inventory")}
    wanted: dict[str, Where] = {}
    for shape, row, where in rows:
        if shape is c.Hand:
            had.add(str(row.get("item")))
        elif shape is s.Hero:
            had |= set(map(str, _listed(row, "items")))
        elif shape is c.Condition and row.get("has"):
            wanted.setdefault(str(row["has"]), where)
        elif shape is s.Affordance and row.get("using"):
            wanted.setdefault(str(row["using"]), where)
    items = {str(row.get("id")) for row in rows_of(data, "entities")}
    for item, where in wanted.items():
        if item in items and item not in had:
            reason = f"nobody ever has '{item}': put it in `inventory`, or hand it out"
            yield "error", where, reason
