"""The front page: each story where it stands, with its hero, its place and its last line."""

from collections.abc import Sequence
from typing import Any

from freeform.core.record import Record
from freeform.core.text import shorten
from freeform.engine.log import Logged, Narrated
from freeform.engine.table import Rules
from freeform.engine.world.state import PLAYER
from freeform.services.house import House
from freeform.services.stories.cards import StoryRow
from freeform.services.views import player
from freeform.services.views.records import ClockView, Someone

_LONGEST_LINE = 170
_MOST_FACES = 4


class StoryFront(Record):
    """A story as its cover shows it."""

    id: str
    name: str
    scenario: str
    genre: str
    about: str
    """What the scenario says of itself: a cover is drawn after it."""
    hero: str
    concept: str
    place: str
    time: str
    last_line: str
    clock: ClockView | None = None
    """The one that is nearest to its end."""
    here: list[Someone]
    """Who is with the hero."""
    turn_no: int
    updated_at: str
    archived: bool
    party: bool
    problem: str = ""


async def story_front(house: House, row: StoryRow) -> StoryFront:
    """A story's cover. One that cannot be opened says why, and nothing else."""
    if row.problem:
        return _closed(row)
    store = house.table.store
    begun = await store.begun(row.id)
    state = await store.get_state(row.id)
    rules = Rules.of(begun).knowing(state)
    shown = player.glimpse(state, rules)
    hero = state.entities.get(PLAYER)
    return StoryFront(
        **_kept(row),
        genre=begun.scenario.genre,
        about=begun.scenario.description,
        hero=hero.name if hero else "",
        concept=str(hero.attrs.get("concept") or "") if hero else "",
        place=shown.scene.name,
        time=shown.scene.time,
        last_line=_last_line(begun.opening, await store.tail(row.id, 1)),
        clock=_nearest(shown.clocks),
        here=shown.here[:_MOST_FACES],
    )


def _closed(row: StoryRow) -> StoryFront:
    return StoryFront(
        **_kept(row),
        genre="",
        about="",
        hero="",
        concept="",
        place="",
        time="",
        last_line="",
        here=[],
        problem=row.problem,
    )


def _kept(row: StoryRow) -> dict[str, Any]:
    kept = row.model_dump(include={"id", "name", "scenario", "updated_at", "archived", "party"})
    return {**kept, "turn_no": row.current_turn}


def _last_line(opening: str, tail: Sequence[Logged]) -> str:
    """The last paragraph that was told, or that the story opened with."""
    told = [row.entry.final_text for row in tail if isinstance(row.entry, Narrated)]
    paragraphs = [part.strip() for part in (told or [opening])[-1].splitlines() if part.strip()]
    return shorten(paragraphs[-1], _LONGEST_LINE) if paragraphs else ""


def _nearest(clocks: Sequence[ClockView]) -> ClockView | None:
    begun = [clock for clock in clocks if clock.value]
    return max(begun, key=lambda clock: clock.value / max(1, clock.max), default=None)
