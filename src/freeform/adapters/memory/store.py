"""Campaigns in memory: the same promises as the store on disk, and nothing left behind."""

from collections.abc import Sequence
from typing import Any

from freeform.adapters.memory.log_tree import LogTree, Twig, grown
from freeform.core.clock import Clock
from freeform.core.errors import Conflict, NotFound, UserError
from freeform.engine.log import (
    Begun,
    Branch,
    Changed,
    Entry,
    Logged,
    LogPosition,
    Narrated,
    Resolved,
)
from freeform.engine.ports import CampaignRow, TurnText
from freeform.engine.world.model import StateDiff
from freeform.engine.world.state import GameState, Summary

MAIN = "main"
LARGEST = 2**63


class InMemoryCampaigns:
    """The `StateStore` of one program run."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._trees: dict[str, LogTree] = {}

    async def create(self, campaign: str, begun: Begun) -> LogPosition:
        """A new campaign. Conflict when the id is taken."""
        if campaign in self._trees:
            raise Conflict(
                f"there already is a campaign '{campaign}'; play that one, or choose another name"
            )
        at = self._now()
        tree = LogTree(campaign, created_at=at, updated_at=at)
        tree.twigs[MAIN] = Twig(MAIN, head=1, from_turn=0)
        tree.add(Logged(id=1, parent=None, turn_no=0, entry=_kept(begun), at=at))
        self._trees[campaign] = tree
        return tree.position

    async def campaigns(self) -> list[CampaignRow]:
        """All campaigns, last played first."""
        rows = [
            CampaignRow(
                id=name,
                name=tree.begun.name,
                scenario=tree.begun.scenario.id,
                created_at=tree.created_at,
                updated_at=tree.updated_at,
                current_turn=tree.position.turn_no,
            )
            for name, tree in self._trees.items()
        ]
        return sorted(rows, key=lambda row: (row.updated_at, row.id), reverse=True)

    async def begun(self, campaign: str) -> Begun:
        """How it began. NotFound with the names that exist."""
        return self._tree(campaign).begun

    async def head(self, campaign: str) -> LogPosition:
        """Where the active branch stands."""
        return self._tree(campaign).position

    async def get_state(self, campaign: str, turn_no: int | None = None) -> GameState:
        """The state now, or as it was after that turn of the active branch."""
        tree = self._tree(campaign)
        return tree.state(tree.tip.head if turn_no is None else tree.end_of_turn(turn_no))

    async def append(
        self, campaign: str, entries: Sequence[Entry], *, after: LogPosition
    ) -> LogPosition:
        """Adds all or nothing. Conflict if the head has moved."""
        tree = self._tree(campaign, after)
        new, state, at = list[Logged](), tree.state(tree.tip.head), self._now()
        for number, entry in enumerate(entries, start=len(tree.entries) + 1):
            parent = new[-1].id if new else tree.tip.head
            turn_no = _turn_after(tree, new, parent, state.turn_no, entry)
            logged = Logged(id=number, parent=parent, turn_no=turn_no, entry=_kept(entry), at=at)
            try:
                state = grown(state, logged)
            except KeyError as missing:
                raise NotFound(
                    f"the change names {missing}, which is not in the campaign; nothing was changed"
                ) from missing
            new.append(logged)
        for logged in new:
            tree.add(logged)
        if new:
            tree.tip.head, tree.tip.redo, tree.updated_at = new[-1].id, None, at
            tree.keep(new[-1].id, state)
        return tree.position

    async def read(self, campaign: str, first: int = 0, last: int | None = None) -> list[Logged]:
        """The entries of the active branch for turns `first` to `last`, oldest first."""
        tree = self._tree(campaign)
        here = tree.position
        return tree.path(here.entry, first, here.turn_no if last is None else last)

    async def tail(self, campaign: str, turns: int) -> list[Logged]:
        """The entries of the last turns of the active branch, oldest first."""
        here = self._tree(campaign).position
        return await self.read(campaign, max(0, here.turn_no - turns + 1)) if turns > 0 else []

    async def recent(self, campaign: str, turns: int) -> list[TurnText]:
        """The words of the last turns of the active branch, oldest first."""
        here = self._tree(campaign).position
        told: dict[str, TurnText] = {}
        for logged in await self.read(campaign, max(1, here.turn_no - turns + 1)):
            match logged.entry:
                case Resolved() as facts:
                    told[facts.turn_id] = TurnText(
                        turn_no=facts.turn_no,
                        player_input=facts.player_input,
                        final_text="",
                        focus=facts.interpreter.referenced_entities,
                        asked=facts.validator.clarification_needed,
                    )
                case Narrated() as words:
                    told[words.turn_id] = told[words.turn_id].model_copy(
                        update={"final_text": words.final_text}
                    )
                case Begun() | Changed():
                    pass
        return list(told.values())

    async def find_turn(self, campaign: str, turn_id: str) -> list[Logged]:
        """What the active branch holds of that turn: nothing, its facts, or facts and prose."""
        tree = self._tree(campaign)
        ids = tree.by_turn_id.get(turn_id, [])
        return [tree.at(id) for id in ids if tree.leads_to(id, tree.tip.head)]

    async def get_summary(self, campaign: str, scope: str, scope_id: str) -> Summary | None:
        """The newest summary of a scene, thread, session …"""
        return (await self.get_state(campaign)).summary(scope, scope_id)

    async def move(
        self, campaign: str, to_entry: int, *, after: LogPosition, redo: bool = False
    ) -> LogPosition:
        """Sets the active branch to another entry of the tree. With `redo` the way forward is
        remembered."""
        tree = self._tree(campaign, after)
        if not 1 <= to_entry <= len(tree.entries):
            raise NotFound(
                f"no entry {to_entry} in the log of '{campaign}'; list the turns and take one of those"
            )
        tree.tip.redo = _way_forward(tree, to_entry) if redo else None
        tree.tip.head, tree.updated_at = to_entry, self._now()
        return tree.position

    async def redo_entry(self, campaign: str) -> int | None:
        """Where the last undo came from, if nothing has been played since."""
        return self._tree(campaign).tip.redo

    async def ahead(self, campaign: str, turns: int) -> list[Logged]:
        """The entries of the next turns on the way to `redo_entry`, oldest first."""
        tree = self._tree(campaign)
        here = tree.position
        if tree.tip.redo is None:
            return []
        way = tree.path(tree.tip.redo, here.turn_no, here.turn_no + turns)
        return [logged for logged in way if logged.id > here.entry]

    async def takes(self, campaign: str, turn_no: int) -> list[Logged]:
        """Every take on that turn that grew from the same past, oldest first."""
        tree = self._tree(campaign)
        here = tree.position
        if not 1 <= turn_no <= here.turn_no + 1:
            raise NotFound(
                f"no turn {turn_no} on branch '{here.branch}'; it has turns 1 to {here.turn_no}"
            )
        past = tree.turn_before(tree.end_of_turn(turn_no - 1))
        facts = (e for e in tree.entries if e.turn_no == turn_no and isinstance(e.entry, Resolved))
        return [logged for logged in facts if tree.turn_before(logged.parent) == past]

    async def count_takes(self, campaign: str, first: int, last: int) -> dict[int, int]:
        """How many takes there are on each turn of the active branch from `first` to `last`."""
        turns = range(max(1, first), min(last, self._tree(campaign).position.turn_no) + 1)
        return {turn: len(await self.takes(campaign, turn)) for turn in turns}

    async def following(self, campaign: str, entry: int) -> list[Logged]:
        """The entries that come directly after one, on any branch, oldest first."""
        tree = self._tree(campaign)
        return [tree.at(id) for id in tree.children.get(entry, [])]

    async def branch(
        self, campaign: str, name: str, turn_no: int, *, after: LogPosition
    ) -> LogPosition:
        """A new branch from that turn, made active. Conflict when the name is taken."""
        tree = self._tree(campaign, after)
        if name in tree.twigs:
            raise Conflict(
                f"there already is a branch '{name}'; choose another name, or switch to it"
            )
        tree.twigs[name] = Twig(name, head=tree.end_of_turn(turn_no), from_turn=turn_no)
        tree.active, tree.updated_at = name, self._now()
        return tree.position

    async def branches(self, campaign: str) -> list[Branch]:
        """All branches, oldest first."""
        tree = self._tree(campaign)
        return [
            Branch(
                name=twig.name,
                from_turn=twig.from_turn,
                turn_no=tree.at(twig.head).turn_no,
                active=twig.name == tree.active,
            )
            for twig in tree.twigs.values()
        ]

    async def switch(self, campaign: str, name: str) -> LogPosition:
        """Makes another branch active."""
        tree = self._tree(campaign)
        if name not in tree.twigs:
            raise NotFound(
                f"no branch '{name}' in '{campaign}'; there are: {', '.join(tree.twigs)}"
            )
        tree.active = name
        return tree.position

    async def rebuild(self, campaign: str) -> GameState:
        """The state folded anew from the log."""
        self._tree(campaign).forget()
        return await self.get_state(campaign)

    def _tree(self, campaign: str, seen: LogPosition | None = None) -> LogTree:
        """The campaign; Conflict when it is no longer where a writer saw it."""
        tree = self._trees.get(campaign)
        if tree is None:
            there = ", ".join(sorted(self._trees)) or "none yet"
            raise NotFound(f"no campaign '{campaign}'; there are: {there}")
        here = tree.position
        if seen and (here.branch, here.entry) != (seen.branch, seen.entry):
            raise Conflict(
                f"'{campaign}' has moved on meanwhile: it is at turn {here.turn_no} of branch '{here.branch}', "
                f"not at turn {seen.turn_no} of '{seen.branch}' as you saw it; look again, then try again"
            )
        return tree

    def _now(self) -> str:
        return self._clock.now().isoformat()


def _turn_after(tree: LogTree, new: list[Logged], parent: int, turn_no: int, entry: Entry) -> int:
    """The turn an entry stands in. Turns are counted without gaps, and prose follows its own
    facts."""
    match entry:
        case Resolved(turn_no=number):
            if number != turn_no + 1:
                raise Conflict(
                    f"turn {number} cannot follow turn {turn_no}; look again, then try again"
                )
            return number
        case Narrated(turn_no=number) as told:
            just = any(
                isinstance(e.entry, Resolved) and e.entry.turn_id == told.turn_id for e in new
            )
            if number != turn_no or not (just or tree.facts_before(tree.tip.head, told)):
                raise Conflict(
                    f"the prose of turn {number} has no facts to follow; look again, then try again"
                )
            return number
        case Begun():
            raise Conflict("a campaign begins only once; begin another campaign")
        case Changed():
            return turn_no


def _way_forward(tree: LogTree, to_entry: int) -> int | None:
    """What redo may lead to: where play stood before, if that lies ahead, else the newest end."""
    tip = tree.tip
    stood = tip.redo if tip.redo and tree.leads_to(tip.head, tip.redo) else tip.head
    if stood == to_entry:
        return None
    return stood if tree.leads_to(to_entry, stood) else tree.newest_after(to_entry)


def _kept(entry: Entry) -> Entry:
    """The entry with its diff as a file would give it back; UserError when no file could keep
    it."""
    try:
        text = entry.state_diff.model_dump_json()
        diff = StateDiff.model_validate_json(text)
    except ValueError as wrong:
        raise UserError(
            f"this {entry.kind} entry cannot be kept: {wrong}; nothing was changed"
        ) from wrong
    if _too_large(diff.model_dump()):
        raise UserError("a number in this change is too large to keep; use a smaller one")
    return entry.model_copy(update={"state_diff": diff})


def _too_large(value: Any) -> bool:
    match value:
        case dict():
            return any(_too_large(inner) for inner in value.values())
        case list() | tuple():
            return any(_too_large(inner) for inner in value)
        case int():
            return not -LARGEST <= value < LARGEST
    return False
