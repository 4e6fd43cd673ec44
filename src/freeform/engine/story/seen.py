"""A campaign as one of several heroes knows it: a store that shows their own scene, the turns they
saw and what they learnt, and that notes of each turn who was there.

Whatever reads a campaign through it (a turn, a view, an export) can tell nothing else. While all
heroes are in one place it is the store itself.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from freeform.engine.campaign.apart import (
    TableHero,
    TurnSight,
    apart_in,
    as_known_to,
    has_seen,
    noted,
    parted_by,
    told_in_place,
    unseen_by,
)
from freeform.engine.campaign.spotlight import Actor, into_light
from freeform.engine.log import (
    Begun,
    Branch,
    Entry,
    Logged,
    LogPosition,
    Narrated,
    Resolved,
    resolved_in,
)
from freeform.engine.ports import CampaignRow, StateStore, TurnText
from freeform.engine.rules.change import apply, join
from freeform.engine.table import Table
from freeform.engine.world.by_hand import BY_PEN
from freeform.engine.world.model import StateDiff
from freeform.engine.world.state import PLAYER, GameState, Summary
from freeform.language.meaning.along import PART, AlongEar, nobody_tells
from freeform.language.meaning.sense import RememberedSense


def seen_by(actor: Actor, heroes: Sequence[TableHero], table: Table) -> Table:
    """The table as that hero sees it; itself where no heroes are told apart."""
    if not heroes:
        return table
    ear = along_ear(table.sense)
    return replace(table, store=SeenStore(table.store, actor, tuple(heroes), ear))


def along_ear(sense: RememberedSense | None) -> AlongEar:
    """Who hears whom a deed takes along; nobody, where no model is at hand."""
    if sense is None:
        return nobody_tells
    return lambda sentence: sense.said_as(PART, sentence).get("goes", 0.0)


async def as_played(campaign: str, resolved: Resolved, table: Table) -> Table:
    """The table as whoever played a turn sees it, whose character stands in the light."""
    sight = resolved.sight
    if sight is None:
        return table
    hero = (await table.store.get_state(campaign)).entities[PLAYER]
    stats = hero.attrs.get("stats") or {}
    return seen_by(Actor(id=sight.hero, name=hero.name, stats=stats), sight.heroes, table)


async def written(
    campaign: str, resolved: Resolved, head: LogPosition, table: Table
) -> tuple[Resolved, LogPosition]:
    """A turn's facts as they stand in the log once they are written, and where that ends."""
    head = await table.store.append(campaign, [resolved], after=head)
    if not isinstance(table.store, SeenStore):
        return resolved, head
    return resolved_in(await table.store.inner.find_turn(campaign, resolved.turn_id)), head


def leaves_behind(
    actor: Actor, text: str, before: GameState, after: GameState, table: Table
) -> bool:
    """Whether a deed takes its hero to another place and leaves others where they were."""
    store = table.store
    if not isinstance(store, SeenStore) or before.scene.location_id == after.scene.location_id:
        return False
    sight = TurnSight(hero=actor.id, heroes=_bare(store.heroes))
    return bool(parted_by(before, after, sight, text, store.ear).left)


def _bare(heroes: Sequence[TableHero]) -> list[TableHero]:
    """Heroes without their numbers, which the log has elsewhere."""
    return [each.model_copy(update={"stats": {}}) for each in heroes]


@dataclass(frozen=True)
class SeenStore:
    """The store, as that hero sees it. `heroes` are all who are played at the table."""

    inner: StateStore
    actor: Actor
    heroes: tuple[TableHero, ...] = ()
    ear: AlongEar = nobody_tells

    async def get_state(self, campaign: str, turn_no: int | None = None) -> GameState:
        """The state as the hero knows it, where the hero is."""
        state = await self.inner.get_state(campaign, turn_no)
        light = into_light(self.actor, state) if apart_in(state) else None
        return as_known_to(self.actor.id, apply(state, light) if light else state)

    async def read(self, campaign: str, first: int = 0, last: int | None = None) -> list[Logged]:
        """The entries of the turns that the hero saw."""
        return await self._seen(campaign, await self.inner.read(campaign, first, last))

    async def tail(self, campaign: str, turns: int) -> list[Logged]:
        """The entries of the last turns that the hero saw."""
        wanted = turns
        while True:
            found = await self.inner.tail(campaign, wanted)
            kept = await self._seen(campaign, found)
            numbers = sorted({each.turn_no for each in kept})
            if len(kept) == len(found) or not found or len(numbers) >= turns:
                return [each for each in kept if each.turn_no in numbers[-turns:]]
            if wanted >= (await self.inner.head(campaign)).turn_no:
                return kept
            wanted *= 4

    async def recent(self, campaign: str, turns: int) -> list[TurnText]:
        """The words of the last turns that the hero saw."""
        unseen = unseen_by(self.actor.id, await self.inner.get_state(campaign))
        if not unseen:
            return await self.inner.recent(campaign, turns)
        since = sum(last - first + 1 for first, last in unseen)
        found = await self.inner.recent(campaign, turns + since)
        return [turn for turn in found if has_seen(turn.turn_no, unseen)][-turns:]

    async def find_turn(self, campaign: str, turn_id: str) -> list[Logged]:
        """What the active branch holds of a turn that the hero saw."""
        return await self._seen(campaign, await self.inner.find_turn(campaign, turn_id))

    async def takes(self, campaign: str, turn_no: int) -> list[Logged]:
        """Every take on a turn, so that each has one number for all; `saw` says which to show."""
        return await self.inner.takes(campaign, turn_no)

    async def append(
        self, campaign: str, entries: Sequence[Entry], *, after: LogPosition
    ) -> LogPosition:
        """Adds entries, with who was there and who saw it."""
        for entry in entries:
            told = await self._with_sight(campaign, entry)
            after = await self.inner.append(campaign, [told], after=after)
        return after

    async def _with_sight(self, campaign: str, entry: Entry) -> Entry:
        if not isinstance(entry, Resolved | Narrated) or not self.heroes:
            return entry
        before = await self.inner.get_state(campaign)
        if len(self.heroes) < 2 and apart_in(before) is None:
            return entry
        before = before.at_turn(entry.turn_no)
        after = apply(before, entry.state_diff)
        sight, text = await self._sight(campaign, entry)
        seen = parted_by(before, after, sight, text, self.ear)
        if isinstance(entry, Resolved) and entry.interpreter.intent == BY_PEN:
            seen = told_in_place(before, after, sight)
        if isinstance(entry, Narrated):  # whoever saw the deed hears of it
            kept = {"seen_by": sight.seen_by} if sight.seen_by else {}
            seen = seen.model_copy(update=kept)
        beside = noted(before, after, entry.state_diff, seen)
        changed = {} if beside == StateDiff() else {"state_diff": join(entry.state_diff, beside)}
        if isinstance(entry, Resolved):
            return entry.model_copy(update={**changed, "sight": seen})
        return entry.model_copy(update=changed)

    async def _sight(self, campaign: str, entry: Resolved | Narrated) -> tuple[TurnSight, str]:
        """Who is there, and the words of the deed."""
        facts = entry
        if isinstance(facts, Narrated):
            facts = resolved_in(await self.inner.find_turn(campaign, entry.turn_id))
        sight = facts.sight or TurnSight(hero=self.actor.id, heroes=_bare(self.heroes))
        last = facts.parts[-1] if facts.parts else None
        if last:
            ids = [each.id for each in sight.heroes if each.name == last.actor]
            sight = sight.model_copy(update={"hero": ids[0] if ids else sight.hero})
        return sight, last.text if last else facts.player_input

    async def _seen(self, campaign: str, rows: list[Logged]) -> list[Logged]:
        unseen = unseen_by(self.actor.id, await self.inner.get_state(campaign))
        if not unseen:
            return rows
        numbers = {
            each.turn_no
            for each in rows
            if isinstance(each.entry, Resolved | Narrated) and not has_seen(each.turn_no, unseen)
        }
        return [each for each in rows if each.turn_no not in numbers]

    def saw(self, sight: TurnSight | None) -> bool:
        """Whether the hero saw a turn, on whichever branch it was played."""
        return sight is None or not sight.seen_by or self.actor.id in sight.seen_by

    # What follows is the same for everyone.

    async def create(self, campaign: str, begun: Begun) -> LogPosition:
        """A new campaign."""
        return await self.inner.create(campaign, begun)

    async def campaigns(self) -> list[CampaignRow]:
        """All campaigns."""
        return await self.inner.campaigns()

    async def begun(self, campaign: str) -> Begun:
        """How it began."""
        return await self.inner.begun(campaign)

    async def head(self, campaign: str) -> LogPosition:
        """Where the active branch stands."""
        return await self.inner.head(campaign)

    async def get_summary(self, campaign: str, scope: str, scope_id: str) -> Summary | None:
        """The summary of a scene, thread, session …"""
        return (await self.get_state(campaign)).summary(scope, scope_id)

    async def move(
        self, campaign: str, to_entry: int, *, after: LogPosition, redo: bool = False
    ) -> LogPosition:
        """Sets the active branch to another entry of the tree."""
        return await self.inner.move(campaign, to_entry, after=after, redo=redo)

    async def redo_entry(self, campaign: str) -> int | None:
        """Where the last undo came from."""
        return await self.inner.redo_entry(campaign)

    async def ahead(self, campaign: str, turns: int) -> list[Logged]:
        """The entries of the next turns on the way to `redo_entry`."""
        return await self.inner.ahead(campaign, turns)

    async def count_takes(self, campaign: str, first: int, last: int) -> dict[int, int]:
        """How many takes there are on each turn."""
        return await self.inner.count_takes(campaign, first, last)

    async def following(self, campaign: str, entry: int) -> list[Logged]:
        """The entries that come directly after one."""
        return await self.inner.following(campaign, entry)

    async def branch(
        self, campaign: str, name: str, turn_no: int, *, after: LogPosition
    ) -> LogPosition:
        """A new branch from that turn."""
        return await self.inner.branch(campaign, name, turn_no, after=after)

    async def branches(self, campaign: str) -> list[Branch]:
        """All branches."""
        return await self.inner.branches(campaign)

    async def switch(self, campaign: str, name: str) -> LogPosition:
        """Makes another branch active."""
        return await self.inner.switch(campaign, name)

    async def rebuild(self, campaign: str) -> GameState:
        """The state folded anew from the log."""
        return await self.inner.rebuild(campaign)
