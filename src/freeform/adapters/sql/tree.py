"""Walking the log: from an entry towards the beginning, and from one entry to those that follow
it."""

from collections.abc import Iterator
from typing import NamedTuple

from freeform.adapters.sql.ports import Db
from freeform.core.errors import NotFound
from freeform.engine.log import LogPosition


class Tip(NamedTuple):
    """The active branch: its name, its last entry, the turn that entry stands in, and the way
    forward."""

    branch: str
    entry: int
    turn_no: int
    redo: int | None

    @property
    def position(self) -> LogPosition:
        return LogPosition(branch=self.branch, entry=self.entry, turn_no=self.turn_no)


# Entries are met newest first, and a `limit` ends the walk, so looking a few turns back costs a few
# rows.
_BACK = """
with recursive path (id, parent, turn_no) as (
  select id, parent, turn_no from log where id = :head
  union all
  select log.id, log.parent, log.turn_no from log join path on log.id = path.parent
)
"""


def active(db: Db) -> Tip | None:
    """Where the active branch stands; None in a file where no campaign has begun."""
    row = db.execute(
        "select b.name, b.head, log.turn_no, b.redo from branches b join log on log.id = b.head where b.active = 1"
    ).fetchone()
    return Tip(*row) if row else None


def end_of_turn(db: Db, tip: Tip, turn_no: int) -> int:
    """The last entry of that turn on the way to the tip, with whatever was changed before the next
    turn."""
    if not 0 <= turn_no <= tip.turn_no:
        raise NotFound(
            f"no turn {turn_no} on branch '{tip.branch}'; it has turns 0 to {tip.turn_no}"
        )
    sql = _BACK + "select id from path where turn_no <= :turn_no limit 1"
    (entry,) = db.execute(sql, {"head": tip.entry, "turn_no": turn_no}).fetchone()
    return int(entry)


def path(db: Db, head: int, first: int, last: int) -> list[int]:
    """The entries of turns `first` to `last` on the way to `head`, oldest first."""
    sql = _BACK.replace("= path.parent\n", "= path.parent where path.turn_no >= :first\n")
    sql += "select id from path where turn_no between :first and :last order by id"
    return [id for (id,) in db.execute(sql, {"head": head, "first": first, "last": last})]


def leads_to(db: Db, entry: int, head: int) -> bool:
    """Whether `entry` is on the way to `head`. Ids grow along it: the walk ends at the first
    smaller one."""
    sql = _BACK + "select id = :entry from path where id <= :entry limit 1"
    row = db.execute(sql, {"head": head, "entry": entry}).fetchone()
    return bool(row and row[0])


def newest_after(db: Db, entry: int) -> int | None:
    """The end of the newest way on from an entry; None when nothing follows it."""
    (last,) = db.execute(
        """
        with recursive way (id) as (
          select cast(:entry as bigint)
          union all
          select (select max(log.id) from log where log.parent = way.id) from way where way.id is not null
        )
        select max(id) from way
        """,
        {"entry": entry},
    ).fetchone()
    return None if last == entry else int(last)


def turn_before(db: Db, entry: int | None) -> int | None:
    """The nearest entry at or before this one that is not a change between turns."""
    while entry is not None:
        kind, parent = db.execute("select kind, parent from log where id = ?", (entry,)).fetchone()
        if kind != "changed":
            return entry
        entry = parent
    return None


def count_takes(db: Db, head: int, first: int, last: int) -> dict[int, int]:
    """How many takes there are on each turn on the way to `head`. One walk for all; most turns have
    a single take."""
    way = set(path(db, head, first, last))
    facts: dict[int, list[tuple[int, int]]] = {}
    sql = "select turn_no, id, parent from log where turn_no between ? and ? and kind = 'resolved'"
    for turn_no, id, parent in db.execute(sql, (first, last)).fetchall():
        facts.setdefault(turn_no, []).append((id, parent))
    counted: dict[int, int] = {}
    for turn_no, takes in facts.items():
        mine = next((parent for id, parent in takes if id in way), None)
        if mine is not None:
            past = turn_before(db, mine) if len(takes) > 1 else None
            counted[turn_no] = sum(
                len(takes) == 1 or turn_before(db, parent) == past for _, parent in takes
            )
    return counted


def diffs(db: Db, head: int) -> Iterator[str]:
    """The diffs that lead to an entry, as JSON, oldest first."""
    sql = _BACK + "select log.state_diff from path join log on log.id = path.id order by path.id"
    return (text for (text,) in db.execute(sql, {"head": head}))
