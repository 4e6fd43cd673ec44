"""Going back and forth in a campaign: undo, redo, branches, other takes. Entries stay; only names
move.

A turn ends where the next one begins: a `Changed` entry belongs to the turn it follows and is
undone with it. Two kinds are not: what a person said for their safety (`why="safety"`) holds after
an undo too, and what a game master did by hand since the last turn is taken back first, one at a
time.
"""

from typing import NamedTuple

from freeform.core.errors import NotFound, UserError
from freeform.core.text import visible
from freeform.engine.campaign.apart import TurnSight
from freeform.engine.log import Branch, Changed, Logged, LogPosition, Narrated, Resolved
from freeform.engine.ports import StateStore
from freeform.engine.world.by_hand import BY_ITSELF

SAFETY = "safety"
MAX_NAME = 64


class Alternative(NamedTuple):
    """One take on a turn: its number, the entry it ends with, what it told, and whether it holds.

    Takes are numbered as they came, whether a retry made them or play after an undo."""

    take: int
    entry: int
    player_input: str
    final_text: str
    chosen: bool
    sight: TurnSight | None = None


class Rewound(NamedTuple):
    """Play stands before its last turn: what the player had typed, and the number the next take
    gets."""

    position: LogPosition
    turn_no: int
    player_input: str
    take: int


async def undo(campaign: str, turns: int, store: StateStore) -> LogPosition:
    """Takes back that many turns with everything they changed; a turn whose prose is pending
    counts."""
    head = await store.head(campaign)
    if turns < 1:
        raise UserError(f"cannot undo {turns} turns; say how many to take back, 1 or more")
    by_hand = await _last_by_hand(campaign, store)
    if by_hand is not None:
        head = await store.move(campaign, by_hand, after=head, redo=True)
        return await undo(campaign, turns - 1, store) if turns > 1 else head
    if head.turn_no == 0:
        raise UserError(f"there is nothing to undo in '{campaign}': no turn has been played")
    if turns > head.turn_no:
        raise UserError(
            f"cannot undo {turns} turns; '{campaign}' has played {head.turn_no}, "
            "so undo at most that many"
        )
    undone = await store.read(campaign, head.turn_no - turns + 1)
    first = undone[0].parent
    assert first is not None, "a turn follows the beginning"
    back = await store.move(campaign, first, after=head, redo=True)
    return await _keep_safety(campaign, undone, back, store)


async def _last_by_hand(campaign: str, store: StateStore) -> int | None:
    """Where the log stood before what a game master did or the oracle said last, if nothing came
    after it."""
    last = (await store.tail(campaign, 1))[-1]
    by_hand = isinstance(last.entry, Changed) and last.entry.why in BY_ITSELF
    return last.parent if by_hand else None


async def redo(campaign: str, store: StateStore) -> LogPosition:
    """Goes forward again by one turn, the way the last undo came."""
    head, ahead = await store.head(campaign), await store.ahead(campaign, 1)
    if not ahead:
        raise UserError(
            f"there is nothing to redo in '{campaign}': nothing was undone since the last turn"
        )
    first = ahead[0]
    by_hand = isinstance(first.entry, Changed) and first.entry.why in BY_ITSELF
    return await store.move(campaign, (first if by_hand else ahead[-1]).id, after=head, redo=True)


async def branch(
    campaign: str, store: StateStore, turn_no: int | None = None, name: str | None = None
) -> LogPosition:
    """A new branch from a turn, or from now, and play goes on there."""
    head = await store.head(campaign)
    at = head.turn_no if turn_no is None else turn_no
    if not 0 <= at <= head.turn_no:
        raise UserError(
            f"no turn {at} on branch '{head.branch}'; choose one from 0 to {head.turn_no}"
        )
    taken = {b.name for b in await store.branches(campaign)}
    chosen = _free_name("branch", taken) if name is None else check_name(name)
    return await store.branch(campaign, chosen, at, after=head)


async def switch(campaign: str, name: str, store: StateStore) -> LogPosition:
    """Play goes on in another branch."""
    return await store.switch(campaign, name)


async def branches(campaign: str, store: StateStore) -> list[Branch]:
    """All branches, the oldest first."""
    return await store.branches(campaign)


async def alternatives(campaign: str, turn_no: int, store: StateStore) -> list[Alternative]:
    """Every take on a turn, the oldest first."""
    head = await store.head(campaign)
    if not 1 <= turn_no <= head.turn_no + 1:
        raise UserError(
            f"no turn {turn_no} on branch '{head.branch}'; choose one from 1 to {head.turn_no}"
        )
    here = {logged.id for logged in await store.read(campaign, turn_no, turn_no)}
    takes = await store.takes(campaign, turn_no)
    return [
        await _alternative(campaign, n, take, here, store) for n, take in enumerate(takes, start=1)
    ]


async def choose(campaign: str, turn_no: int, take: int, store: StateStore) -> LogPosition:
    """Another take on a turn holds from now on. On an earlier turn that makes a branch, so that the
    turns played since stay where they are."""
    head = await store.head(campaign)
    takes = {a.take: a for a in await alternatives(campaign, turn_no, store)}
    if take not in takes:
        there = ", ".join(map(str, sorted(takes))) or "none"
        raise UserError(f"turn {turn_no} has no take {take}; its takes are: {there}")
    if takes[take].chosen:
        return head
    if turn_no < head.turn_no:
        taken = {b.name for b in await store.branches(campaign)}
        name = _free_name(f"turn-{turn_no}-take-{take}", taken)
        head = await store.branch(campaign, name, turn_no - 1, after=head)
    return await store.move(campaign, takes[take].entry, after=head, redo=True)


async def rewind_last(campaign: str, store: StateStore) -> Rewound:
    """Stands before the last turn, for another take on it.

    The old take stays; `redo` leads back to it.
    """
    head = await store.head(campaign)
    if head.turn_no == 0:
        raise UserError(f"there is nothing to retry in '{campaign}': no turn has been played")
    last = await store.read(campaign, head.turn_no, head.turn_no)
    facts = next(logged.entry for logged in last if isinstance(logged.entry, Resolved))
    while await _last_by_hand(campaign, store) is not None:
        await undo(campaign, 1, store)
    position = await undo(campaign, 1, store)
    takes = await store.takes(campaign, head.turn_no)
    return Rewound(position, head.turn_no, facts.player_input, len(takes) + 1)


def check_name(name: str) -> str:
    """A branch's name as a person gave it, when it can be shown and typed."""
    if not 1 <= len(name) <= MAX_NAME or name != visible(name):
        raise UserError(
            f"a branch needs a name of 1 to {MAX_NAME} visible characters, such as 'what-if'"
        )
    return name


async def _keep_safety(
    campaign: str, undone: list[Logged], back: LogPosition, store: StateStore
) -> LogPosition:
    """What was said for safety holds, unless it speaks of something that is no longer there."""
    for logged in undone:
        if isinstance(logged.entry, Changed) and logged.entry.why == SAFETY:
            try:
                back = await store.append(campaign, [logged.entry], after=back)
            except NotFound:
                continue
    return back


async def _alternative(
    campaign: str, number: int, take: Logged, here: set[int], store: StateStore
) -> Alternative:
    """A take with its prose: the newest way on from its facts, up to the end of its turn."""
    assert isinstance(take.entry, Resolved)
    end, text = take, ""
    while True:
        following = await store.following(campaign, end.id)
        after = [logged for logged in following if logged.turn_no == take.turn_no]
        if not after:
            break
        end = next((n for n in after if n.id in here), after[-1])
        if isinstance(end.entry, Narrated):
            text = end.entry.final_text
    return Alternative(
        number, end.id, take.entry.player_input, text, take.id in here, take.entry.sight
    )


def _free_name(stem: str, taken: set[str]) -> str:
    if stem != "branch" and stem not in taken:
        return stem
    number = 2
    while f"{stem}-{number}" in taken:
        number += 1
    return f"{stem}-{number}"
