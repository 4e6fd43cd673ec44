"""Campaigns in SQLite: the log is the truth, and the state tables follow its active branch."""

from collections.abc import Sequence

from freeform.adapters.sql import tree
from freeform.adapters.sql.additions import (
    add_entry,
    follow_recent,
    turn_after,
    write_state,
)
from freeform.adapters.sql.entries import (
    COLUMNS,
    NO_CHANGE,
    as_json,
    insert,
    logged,
    page_of,
)
from freeform.adapters.sql.events import told_lately
from freeform.adapters.sql.ports import CampaignsAtHand, Db, OpenCampaign
from freeform.adapters.sql.states import (
    fold_to,
    follow,
    keep,
    keep_given,
    keep_tip,
    known_state,
    known_tip,
    own_state,
    state_at,
    touch,
)
from freeform.adapters.sql.tables import write_scene
from freeform.adapters.sql.tree import Tip
from freeform.core.clock import Clock
from freeform.core.errors import Conflict, NotFound, UserError
from freeform.engine.log import (
    Begun,
    Branch,
    Entry,
    Logged,
    LogPosition,
    Resolved,
)
from freeform.engine.ports import CampaignRow, TurnText
from freeform.engine.world.state import GameState, Summary

MAIN = "main"


class SqlStore:
    """The `StateStore` of one home. Every method is one short transaction, so none is worth a
    thread."""

    def __init__(self, shelf: CampaignsAtHand, clock: Clock) -> None:
        self._shelf, self._clock = shelf, clock
        self._begun: dict[str, Begun] = {}

    async def create(self, campaign: str, begun: Begun) -> LogPosition:
        """A new campaign. Conflict when the id is taken."""
        page = page_of(begun)
        file, at = self._shelf.campaign(campaign, make=True), self._now()
        with file.writing() as db:
            if tree.active(db):
                raise Conflict(
                    f"there already is a campaign '{campaign}'; play that one, or choose another name"
                )
            db.execute(
                "insert into campaigns (id, name, created_at, updated_at, calibration_json, system_json,"
                " genre_rules_json) values (?, ?, ?, ?, ?, ?, ?)",
                (
                    campaign, begun.name, at, at, begun.calibration.model_dump_json(),
                    begun.system.model_dump_json(), as_json(begun.genre_rules),
                ),
            )  # fmt: skip
            entry = insert(db, page, None, 0, at)
            db.execute(
                "insert into branches (name, head, from_turn, from_entry, active, created_at)"
                " values (?, ?, 0, ?, 1, ?)",
                (MAIN, entry, entry, at),
            )
            state = write_state(db, GameState(campaign_id=campaign, branch=MAIN), page.diff)
            write_scene(db, state)
        self._keep_begun(file, begun)
        return keep(file, Tip(MAIN, entry, 0, None), state)

    async def campaigns(self) -> list[CampaignRow]:
        """All campaigns, last played first; one that cannot be opened says why."""
        rows = [row for name in self._shelf.names() if (row := self._row(name))]
        return sorted(rows, key=lambda row: (row.updated_at, row.id), reverse=True)

    async def begun(self, campaign: str) -> Begun:
        """How it began. NotFound with the names that exist."""
        file = self._shelf.at_hand(campaign) or self._shelf.campaign(campaign)
        if "begun" not in file.kept:
            with file.reading() as db:
                rows = db.execute(f"select {COLUMNS} from log where kind = 'begun'").fetchall()
            if not rows:
                raise self._shelf.missing(campaign)
            self._keep_begun(file, logged(rows, file.path)[0].entry)
        begun: Begun = file.kept["begun"]
        return begun

    async def head(self, campaign: str) -> LogPosition:
        """Where the active branch stands."""
        return self._stands(self._shelf.campaign(campaign), campaign).position

    async def get_state(self, campaign: str, turn_no: int | None = None) -> GameState:
        """The state now, or as it was after that turn of the active branch."""
        file = self._shelf.campaign(campaign)
        if turn_no is None and (tip := known_tip(file)) and (state := known_state(file, tip)):
            return state
        with file.reading() as db:
            tip = self._tip(db, campaign)
            if turn_no is not None and turn_no != tip.turn_no:
                return fold_to(file, db, campaign, tip.branch, tree.end_of_turn(db, tip, turn_no))
            return state_at(file, db, campaign, tip)

    async def append(
        self, campaign: str, entries: Sequence[Entry], *, after: LogPosition
    ) -> LogPosition:
        """Adds all or nothing, and applies their diffs to the tables. Conflict if the head has
        moved."""
        pages = [page_of(entry) for entry in entries]
        file, at = self._shelf.campaign(campaign), self._now()
        with file.writing() as db:
            tip = self._tip(db, campaign, after)
            state = own_state(file, db, campaign, tip)
            parent = tip.entry
            for page in pages:
                state = write_state(db, state, page.diff)
                state = state.at_turn(turn_after(state.turn_no, page))
                parent = add_entry(db, (campaign, tip.branch), page, parent, state.turn_no, at)
            if pages:
                db.execute("update branches set head = ?, redo = null where active = 1", (parent,))
                if not isinstance(
                    entries[-1], Resolved
                ):  # its words follow at once; the row is long
                    touch(db, state.turn_no, at)
            version = file.version()
        now = Tip(tip.branch, parent, state.turn_no, None if pages else tip.redo)
        keep_tip(file, now, version)
        follow_recent(file, tip, now, entries)
        if now.turn_no == tip.turn_no and all(page.diff_text == NO_CHANGE for page in pages):
            keep_given(file, tip, now)
        return keep(file, now, state)

    async def read(self, campaign: str, first: int = 0, last: int | None = None) -> list[Logged]:
        """The entries of the active branch for turns `first` to `last`, oldest first."""
        file = self._shelf.campaign(campaign)
        with file.reading() as db:
            tip = self._tip(db, campaign)
            ids = tree.path(db, tip.entry, first, tip.turn_no if last is None else last)
            return _entries(file, db, ids)

    async def tail(self, campaign: str, turns: int) -> list[Logged]:
        """The entries of the last turns of the active branch, oldest first."""
        file = self._shelf.campaign(campaign)
        with file.reading() as db:
            tip = self._tip(db, campaign)
            first = max(0, tip.turn_no - turns + 1)
            return _entries(
                file, db, tree.path(db, tip.entry, first, tip.turn_no) if turns > 0 else []
            )

    async def recent(self, campaign: str, turns: int) -> list[TurnText]:
        """The words of the last turns of the active branch, oldest first."""
        file = self._shelf.campaign(campaign)
        at, told = file.kept.get("recent", ((None, 0), ()))
        if at == (self._stands(file, campaign).entry, turns):
            return [*told]
        with file.reading() as db:
            tip = self._tip(db, campaign)
            first = max(1, tip.turn_no - turns + 1)
            path = tree.path(db, tip.entry, first, tip.turn_no)
            found = told_lately(db, path, file.kept.setdefault("told", {}))
        file.kept["recent"] = (tip.entry, turns), tuple(found)
        return found

    async def find_turn(self, campaign: str, turn_id: str) -> list[Logged]:
        """What the active branch holds of that turn: nothing, its facts, or facts and prose."""
        file = self._shelf.campaign(campaign)
        if not file.ask(
            "select 1 from log where turn_id = ?", (turn_id,)
        ):  # most often it is a new one
            return []
        tip = self._stands(file, campaign)
        with file.reading() as db:
            named = db.execute(
                "select id from log where turn_id = ? order by id", (turn_id,)
            ).fetchall()
            return _entries(file, db, [id for (id,) in named if tree.leads_to(db, id, tip.entry)])

    async def get_summary(self, campaign: str, scope: str, scope_id: str) -> Summary | None:
        """The newest summary of a scene, thread, session …"""
        return (await self.get_state(campaign)).summary(scope, scope_id)

    async def move(
        self, campaign: str, to_entry: int, *, after: LogPosition, redo: bool = False
    ) -> LogPosition:
        """Sets the active branch to another entry of the tree; state goes with it. With `redo` the
        way forward is remembered."""
        file = self._shelf.campaign(campaign)
        with file.writing() as db:
            tip = self._tip(db, campaign, after)
            if not db.execute("select 1 from log where id = ?", (to_entry,)).fetchone():
                raise NotFound(
                    f"no entry {to_entry} in the log of '{campaign}'; list the turns and take one of those"
                )
            forward = _way_forward(db, tip, to_entry) if redo else None
            db.execute(
                "update branches set head = ?, redo = ? where active = 1", (to_entry, forward)
            )
            moved = self._follow(file, db, campaign)
        return moved

    async def redo_entry(self, campaign: str) -> int | None:
        """Where the last undo came from, if nothing has been played since."""
        with self._shelf.campaign(campaign).reading() as db:
            return self._tip(db, campaign).redo

    async def ahead(self, campaign: str, turns: int) -> list[Logged]:
        """The entries of the next turns on the way to `redo_entry`, oldest first."""
        file = self._shelf.campaign(campaign)
        with file.reading() as db:
            tip = self._tip(db, campaign)
            if tip.redo is None:
                return []
            way = tree.path(db, tip.redo, tip.turn_no, tip.turn_no + turns)
            return _entries(file, db, [id for id in way if id > tip.entry])

    async def takes(self, campaign: str, turn_no: int) -> list[Logged]:
        """Every take on that turn that grew from the same past, oldest first. Changes between turns
        do not make another past."""
        file = self._shelf.campaign(campaign)
        with file.reading() as db:
            tip = self._tip(db, campaign)
            if not 1 <= turn_no <= tip.turn_no + 1:
                raise NotFound(
                    f"no turn {turn_no} on branch '{tip.branch}'; it has turns 1 to {tip.turn_no}"
                )
            past = tree.turn_before(db, tree.end_of_turn(db, tip, turn_no - 1))
            rows = db.execute(
                "select id, parent from log where turn_no = ? and kind = 'resolved' order by id",
                (turn_no,),
            ).fetchall()
            return _entries(
                file, db, [id for id, parent in rows if tree.turn_before(db, parent) == past]
            )

    async def count_takes(self, campaign: str, first: int, last: int) -> dict[int, int]:
        """How many takes there are on each turn of the active branch from `first` to `last`."""
        with self._shelf.campaign(campaign).reading() as db:
            return tree.count_takes(db, self._tip(db, campaign).entry, max(1, first), last)

    async def following(self, campaign: str, entry: int) -> list[Logged]:
        """The entries that come directly after one, on any branch, oldest first."""
        file = self._shelf.campaign(campaign)
        with file.reading() as db:
            self._tip(db, campaign)
            rows = db.execute(
                "select id from log where parent = ? order by id", (entry,)
            ).fetchall()
            return _entries(file, db, [id for (id,) in rows])

    async def branch(
        self, campaign: str, name: str, turn_no: int, *, after: LogPosition
    ) -> LogPosition:
        """A new branch from that turn, made active. Conflict when the name is taken."""
        file = self._shelf.campaign(campaign)
        with file.writing() as db:
            tip = self._tip(db, campaign, after)
            if db.execute("select 1 from branches where name = ?", (name,)).fetchone():
                raise Conflict(
                    f"there already is a branch '{name}'; choose another name, or switch to it"
                )
            entry = tree.end_of_turn(db, tip, turn_no)
            db.execute("update branches set active = 0 where active = 1")
            db.execute(
                "insert into branches (name, head, from_turn, from_entry, active, created_at)"
                " values (?, ?, ?, ?, 1, ?)",
                (name, entry, turn_no, entry, self._now()),
            )
            moved = self._follow(file, db, campaign)
        return moved

    async def branches(self, campaign: str) -> list[Branch]:
        """All branches, oldest first."""
        with self._shelf.campaign(campaign).reading() as db:
            self._tip(db, campaign)
            rows = db.execute(
                "select b.name, b.from_turn, log.turn_no, b.active from branches b"
                " join log on log.id = b.head order by b.rowid"
            )
            return [Branch(name=n, from_turn=f, turn_no=t, active=bool(a)) for n, f, t, a in rows]

    async def switch(self, campaign: str, name: str) -> LogPosition:
        """Makes another branch active."""
        file = self._shelf.campaign(campaign)
        with file.writing() as db:
            tip = self._tip(db, campaign)
            names = [n for (n,) in db.execute("select name from branches order by rowid")]
            if name not in names:
                raise NotFound(f"no branch '{name}' in '{campaign}'; there are: {', '.join(names)}")
            if name == tip.branch:
                return tip.position
            db.execute("update branches set active = 0 where active = 1")
            db.execute("update branches set active = 1 where name = ?", (name,))
            moved = self._follow(file, db, campaign)
        return moved

    async def rebuild(self, campaign: str) -> GameState:
        """The state folded anew from the log, and the tables with it: for a table someone has
        edited."""
        file = self._shelf.campaign(campaign)
        with file.writing() as db:
            self._follow(file, db, campaign)
        return await self.get_state(campaign)

    def _keep_begun(self, file: OpenCampaign, begun: Entry) -> None:
        """Remembers how a campaign began. Campaigns of one scenario share it: it is most of what
        they hold."""
        assert isinstance(begun, Begun)
        known = self._begun.get(begun.scenario.id)
        if known and known.scenario == begun.scenario and known.system == begun.system:
            begun = begun.model_copy(update={"scenario": known.scenario, "system": known.system})
        self._begun[begun.scenario.id] = file.kept["begun"] = begun

    def _stands(self, file: OpenCampaign, campaign: str) -> Tip:
        """The active branch, looked up anew only when someone has written since."""
        if tip := known_tip(file):
            return tip
        with file.reading() as db:
            tip, version = self._tip(db, campaign), file.version()
        keep_tip(file, tip, version)
        return tip

    def _tip(self, db: Db, campaign: str, seen: LogPosition | None = None) -> Tip:
        """The active branch; Conflict when it is no longer where a writer saw it."""
        tip = tree.active(db)
        if tip is None:
            raise self._shelf.missing(campaign)
        if seen and (tip.branch, tip.entry) != (seen.branch, seen.entry):
            raise Conflict(
                f"'{campaign}' has moved on meanwhile: it is at turn {tip.turn_no} of branch '{tip.branch}', "
                f"not at turn {seen.turn_no} of '{seen.branch}' as you saw it; look again, then try again"
            )
        return tip

    def _follow(self, file: OpenCampaign, db: Db, campaign: str) -> LogPosition:
        tip = self._tip(db, campaign)
        return keep(file, tip, follow(file, db, campaign, tip, self._now()))

    def _row(self, name: str) -> CampaignRow | None:
        try:
            with self._shelf.campaign(name).reading() as db:
                row = db.execute(
                    "select c.id, c.name, json_extract(begun.body, '$.scenario.id'), c.created_at,"
                    " max(c.updated_at, last.at), last.turn_no"
                    " from campaigns c join log begun on begun.kind = 'begun'"
                    " join branches b on b.active = 1 join log last on last.id = b.head"
                ).fetchone()
        except UserError as wrong:
            return CampaignRow(
                id=name,
                name=name,
                scenario="",
                created_at="",
                updated_at="",
                current_turn=0,
                problem=str(wrong),
            )
        fields = ("id", "name", "scenario", "created_at", "updated_at", "current_turn")
        return CampaignRow(**dict(zip(fields, row, strict=True))) if row else None

    def _now(self) -> str:
        return self._clock.now().isoformat()


def _entries(file: OpenCampaign, db: Db, ids: Sequence[int]) -> list[Logged]:
    rows = (db.execute(f"select {COLUMNS} from log where id = ?", (id,)).fetchone() for id in ids)
    return logged(rows, file.path)


def _way_forward(db: Db, tip: Tip, to_entry: int) -> int | None:
    """What redo may lead to: where play stood before, if that lies ahead, else the newest end."""
    stood = tip.redo if tip.redo and tree.leads_to(db, tip.entry, tip.redo) else tip.entry
    if stood == to_entry:
        return None
    return stood if tree.leads_to(db, to_entry, stood) else tree.newest_after(db, to_entry)
