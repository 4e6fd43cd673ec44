"""Facts as rows, moments as SQL, and the small statements behind SqliteMemories."""

import json
import sqlite3
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any, TypeVar

from freeform.adapters.sqlite.passages.rows import marks, match_any
from freeform.players.memory.ask_memory import Count
from freeform.players.memory.model import Belief, Episode, MemoryFact, Rehearsal, Slot
from freeform.players.memory.ports import When

T = TypeVar("T")
COLUMNS = (
    "id", "subject", "predicate", "value", "text", "slots", "valid_at", "invalid_at", "created_at", "expired_at",
    "session", "turn", "importance", "feeling", "source", "source_id", "claim_of", "many",
)  # fmt: skip
SELECT = f"select {', '.join(f'f.{name}' for name in COLUMNS)}, g.name from facts f join groups g on g.no = f.grp"
SELECT_NO = SELECT.replace(" from facts f", ", f.no from facts f", 1)
INSERT = f"insert into facts ({', '.join(COLUMNS)}, grp) values ({marks(COLUMNS)}, ?)"
WINDOW = 2
"""A fact is also found by the words of this many facts before and after it in its session."""
MOST_ROWS = 700
"""Where a query's words stand in more rows than this, only rows with one of the rarer words are ranked."""
MAX_VARIABLES = 900


def row_of(fact: MemoryFact) -> list[Any]:
    """A fact's columns, without its group."""
    slots = json.dumps(
        [[slot.name, slot.kind, slot.text] for slot in fact.slots], ensure_ascii=False
    )
    return [
        fact.id, fact.subject, fact.predicate, fact.value, fact.text, slots, fact.valid_at, fact.invalid_at,
        fact.created_at, fact.expired_at, fact.episode.session, fact.episode.turn, fact.importance, fact.feeling,
        fact.source, fact.source_id, fact.claim_of, int(fact.many),
    ]  # fmt: skip


def fact_of(row: tuple[Any, ...]) -> MemoryFact:
    """A row of SELECT as a fact. The store wrote it, so it is not checked again."""
    return _fact(row[: len(COLUMNS) + 1])


@lru_cache(maxsize=4_096)
def _fact(row: tuple[Any, ...]) -> MemoryFact:
    """Made once: in a round several agents are asked about the same facts."""
    slots = tuple(
        Slot.model_construct(name=name, kind=kind, text=text)
        for name, kind, text in json.loads(row[5])
    )
    return MemoryFact.model_construct(
        id=row[0],
        subject=row[1],
        predicate=row[2],
        value=row[3],
        text=row[4],
        slots=slots,
        valid_at=row[6],
        invalid_at=row[7],
        created_at=row[8],
        expired_at=row[9],
        episode=Episode.model_construct(session=row[10], turn=row[11]),
        importance=row[12],
        feeling=row[13],
        source=row[14],
        source_id=row[15],
        claim_of=row[16],
        many=bool(row[17]),
        group=row[18],
    )


def at(when: When | None) -> tuple[str, list[float]]:
    """A moment as SQL to be added to a `where`."""
    sql, values = "", list[float]()
    if when is not None and when.known_at is not None:
        sql += " and f.created_at <= ? and (f.expired_at is null or f.expired_at > ?)"
        values += [when.known_at, when.known_at]
    if when is not None and when.valid_at is not None:
        sql += " and f.valid_at <= ? and (f.invalid_at is null or f.invalid_at > ?)"
        values += [when.valid_at, when.valid_at]
    return sql, values


def place(db: sqlite3.Connection, fact: MemoryFact, group: int) -> list[str] | None:
    """Writes one fact and closes what it ends; the ids of those, or None if the fact was there already."""
    if db.execute("select 1 from facts where id = ?", [fact.id]).fetchone():
        return None
    closed: list[str] = []
    if fact.source != "claim" and not fact.many:
        others = db.execute(
            "select no, id, valid_at from facts indexed by facts_by_subject where grp = ? and subject = ?"
            " and predicate = ? and value <> ? and invalid_at is null and source <> 'claim' and many = 0",
            [group, fact.subject, fact.predicate, fact.value],
        ).fetchall()
        later = [valid_at for _, _, valid_at in others if valid_at > fact.valid_at]
        if later and fact.invalid_at is None:
            # News of the past: it held only until what is known to have come after it.
            fact = fact.model_copy(update={"invalid_at": min(later)})
        for no, id, valid_at in others:
            if valid_at <= fact.valid_at:
                db.execute(
                    "update facts set invalid_at = ?, expired_at = ? where no = ?",
                    [fact.valid_at, fact.created_at, no],
                )
                closed.append(id)
    db.execute(INSERT, [*row_of(fact), group])
    return closed


def index_words(db: sqlite3.Connection, group: int, session: int, fresh: int) -> None:
    """Writes the words of the last `fresh` facts of a session, and renews the facts right before them."""
    table = words_table(db, group)
    rows = db.execute(
        "select no, text from facts where grp = ? and session = ? order by no desc limit ?",
        [group, session, fresh + 2 * WINDOW],
    ).fetchall()[::-1]
    for n in range(max(0, len(rows) - fresh - WINDOW), len(rows)):
        no, text = rows[n]
        beside = rows[max(0, n - WINDOW) : n] + rows[n + 1 : n + 1 + WINDOW]
        around = " ".join(words for _, words in beside)
        if n >= len(rows) - fresh:
            db.execute(
                f"insert into {table} (rowid, text, around) values (?, ?, ?)", [no, text, around]
            )
        else:
            db.execute(f"update {table} set around = ? where rowid = ?", [around, no])


def words_table(db: sqlite3.Connection, group: int) -> str:
    """The word index of one group, made when it is not there. One each: so no group's words weigh in another's."""
    name = f"words_{group}"
    db.execute(
        f"create virtual table if not exists {name} using fts5(text, around, tokenize = 'porter unicode61')"
    )
    return name


def rarest(db: sqlite3.Connection, table: str, words: Sequence[str]) -> str:
    """Any of the words; where that is too many rows, any of the rarest, ranked by all."""
    held = {word: _rows_with(db, table, word) for word in words}
    few: list[str] = []
    rows = 0
    for word in sorted((word for word in words if held[word]), key=lambda word: (held[word], word)):
        if few and rows + held[word] > MOST_ROWS:
            return f"({match_any(few)}) AND ({match_any(words)})"
        few.append(word)
        rows += held[word]
    return match_any(words)


def _rows_with(db: sqlite3.Connection, table: str, word: str) -> int:
    sql = f"select count(*) from (select 1 from {table} where {table} match ? limit ?)"
    return int(db.execute(sql, [match_any([word]), MOST_ROWS + 1]).fetchone()[0])


def numbers(db: sqlite3.Connection, ids: Sequence[str]) -> dict[str, int]:
    """Row numbers by fact id."""
    found: dict[str, int] = {}
    for part in parts(ids):
        found |= dict(
            db.execute(f"select id, no from facts where id in ({marks(part)})", part).fetchall()
        )
    return found


def parts(values: Sequence[T]) -> Iterator[list[T]]:
    """A long list in pieces that one statement can take."""
    for start in range(0, len(values), MAX_VARIABLES):
        yield list(values[start : start + MAX_VARIABLES])


def rehearsal_of(row: Sequence[Any]) -> Rehearsal:
    """A row of (agent, fact id, day, no, how, session)."""
    return Rehearsal(
        agent=row[0], fact_id=row[1], day=row[2], no=row[3], how=row[4], session=row[5]
    )


def note(db: sqlite3.Connection, beliefs: Sequence[Belief]) -> None:
    """Puts each belief's figures in the place of the last ones about the same fact."""
    held = numbers(db, [belief.fact_id for belief in beliefs])
    counts: dict[str, Count] = {}
    for belief in beliefs:
        if (no := held.get(belief.fact_id)) is None:
            continue
        count = counts.setdefault(belief.agent, Count())
        was = db.execute(
            "select corruption_type, confidence from recalled where agent = ? and fact = ?",
            [belief.agent, no],
        ).fetchone()
        if was:
            count.add(was[0], was[1], -1)
        error = belief.corruption_type or ""
        count.add(error, belief.confidence)
        db.execute(
            "insert or replace into recalled values (?, ?, ?, ?, ?)",
            [belief.agent, no, belief.day, error, belief.confidence],
        )
    db.executemany(
        "insert into recall_counts values (?, ?, ?, ?, ?, ?) on conflict do update set"
        " n = n + excluded.n, sure = sure + excluded.sure, squared = squared + excluded.squared",
        [
            (agent, error, bin, *sums)
            for agent, c in counts.items()
            for (error, bin), sums in c.rows.items()
        ],
    )
