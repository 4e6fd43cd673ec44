"""What the books say of the scene: fetched on entering, kept for its turns, added to when someone
walks in."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from pydantic import Field

from freeform.core.clock import Clock
from freeform.core.errors import FreeformError
from freeform.core.record import Record
from freeform.engine.shelf.books import Books
from freeform.engine.world.state import PLAYER, GameState
from freeform.packs.lock import Locked
from freeform.retrieval.briefing import DiscoverableNote, NpcBriefing, SceneLore
from freeform.retrieval.lore import SceneSignal, ThreadSignal


class SceneLoreCache(Record):
    """The notes for one scene, as the design has them; `location_id` and `present` say what they
    were made for."""

    scene_id: str
    session_id: str
    retrieved_at: str
    location_id: str
    present: list[str] = Field(default_factory=list)
    atmosphere: list[str] = Field(default_factory=list)
    npc_briefings: dict[str, NpcBriefing] = Field(default_factory=dict)
    discoverable: list[DiscoverableNote] = Field(default_factory=list)
    thread_connections: dict[str, str] = Field(default_factory=dict)
    sources: list[str] = Field(default_factory=list)

    def for_gm(self) -> dict[str, Any]:
        """All of it, for the game master's packet."""
        apart = {"retrieved_at", "sources", "present", "session_id", "npc_briefings"}
        people = {
            who: notes.model_dump(mode="json", exclude={"voice", "who"})
            for who, notes in self.npc_briefings.items()
        }
        return {**self.model_dump(mode="json", exclude=apart), "npc_briefings": people}

    def for_player(self) -> dict[str, Any]:
        """What one could see: the place and how people are; nothing known, withheld or hidden."""
        people = {
            who: {"disposition": notes.disposition}
            for who, notes in self.npc_briefings.items()
            if notes.disposition
        }
        return {"atmosphere": self.atmosphere, "npc_briefings": people}


NO_LORE = SceneLoreCache(scene_id="", session_id="", retrieved_at="", location_id="")


class LoreNotes(Protocol):
    """Keeps the notes of scenes beside their campaign."""

    async def get(self, campaign: str, scene_id: str) -> SceneLoreCache | None:
        """The notes of that scene, if they were made."""
        ...

    async def put(self, campaign: str, notes: SceneLoreCache) -> None:
        """Keeps them, in place of older ones."""
        ...

    async def drop(self, campaign: str, scene_id: str) -> None:
        """Forgets them."""
        ...


class SceneLookup(Record):
    """The notes for the scene now, and whether they were at hand already.

    `problem`: why there are none.
    """

    notes: SceneLoreCache = NO_LORE
    hit: bool = False
    problem: str = ""


@dataclass
class SceneLoreKeeper:
    """Fetches, keeps and forgets the notes of scenes."""

    books: Books
    kept: LoreNotes
    clock: Clock
    _read_before: dict[tuple[Any, ...], SceneLore] = field(default_factory=dict)
    """The same packs say the same of a place and its people: coming back to it costs no second
    look."""

    _briefed: dict[tuple[Any, ...], NpcBriefing] = field(default_factory=dict)

    async def of_scene(
        self, campaign: str, state: GameState, packs: dict[str, Locked], session_id: str
    ) -> SceneLookup:
        """The notes for the scene as it stands.

        Play goes on without, and says so, when the books do not open.
        """
        scene = state.scene
        people = [who for who in scene.present_entity_ids if who != PLAYER]
        try:
            notes = await self.get(campaign, scene.id)
            if notes is None or notes.location_id != scene.location_id:
                return SceneLookup(notes=await self.materialize(campaign, state, packs, session_id))
            strangers = [who for who in people if who not in notes.present]
            for who in strangers:
                notes = await self.append_npc(campaign, notes, who, state, packs)
            return SceneLookup(notes=notes, hit=not strangers)
        except FreeformError as wrong:
            return SceneLookup(problem=str(wrong))

    async def materialize(
        self, campaign: str, state: GameState, packs: dict[str, Locked], session_id: str
    ) -> SceneLoreCache:
        """Reads the books for a scene just entered."""
        people = [who for who in state.scene.present_entity_ids if who != PLAYER]
        lore = await self._read(state, packs, people)
        notes = SceneLoreCache(
            scene_id=state.scene.id,
            session_id=session_id,
            retrieved_at=self.clock.now().isoformat(),
            location_id=state.scene.location_id,
            present=people,
            **_lists(lore),
        )
        await self.kept.put(campaign, notes)
        return notes

    async def append_npc(
        self,
        campaign: str,
        notes: SceneLoreCache,
        who: str,
        state: GameState,
        packs: dict[str, Locked],
    ) -> SceneLoreCache:
        """Adds someone who walked in; the rest of the notes stays."""
        lore = await self._read(state, packs, [who])
        added = notes.model_copy(
            update={
                "present": [*notes.present, who],
                "npc_briefings": {**notes.npc_briefings, **lore.npc_briefings},
                "thread_connections": {**lore.thread_connections, **notes.thread_connections},
                "sources": list(dict.fromkeys([*notes.sources, *lore.sources])),
            }
        )
        await self.kept.put(campaign, added)
        return added

    async def briefings(
        self, people: Sequence[str], packs: dict[str, Locked]
    ) -> dict[str, NpcBriefing]:
        """What the books say of people wherever they are; nobody is missed where they do not
        open."""
        digests = tuple((id, pack.digest) for id, pack in sorted(packs.items()))
        found: dict[str, NpcBriefing] = {}
        for who in people if packs else ():
            key = (digests, who)
            if key not in self._briefed:
                self._briefed[key] = await self._brief_on(who, packs)
            found[who] = self._briefed[key]
        return found

    async def _brief_on(self, who: str, packs: dict[str, Locked]) -> NpcBriefing:
        try:
            retriever = await self.books.reader(packs)
            signal = SceneSignal(location_id="", present_entity_ids=[who])
            lore = await retriever.retrieve_for_scene(signal, [])
        except FreeformError:
            return NpcBriefing()
        return lore.npc_briefings.get(who, NpcBriefing())

    async def get(self, campaign: str, scene_id: str) -> SceneLoreCache | None:
        """The notes of that scene, if they were made."""
        return await self.kept.get(campaign, scene_id)

    async def invalidate(self, campaign: str, scene_id: str) -> None:
        """Forgets the notes; the next turn reads the books again."""
        await self.kept.drop(campaign, scene_id)

    async def _read(
        self, state: GameState, packs: dict[str, Locked], people: list[str]
    ) -> SceneLore:
        if not packs:
            return SceneLore()
        key = (
            tuple((id, pack.digest) for id, pack in sorted(packs.items())),
            state.scene.location_id,
            tuple(people),
            _open_threads(state),
        )
        if key not in self._read_before:
            self._read_before[key] = await self._look(state, packs, people)
        return self._read_before[key]

    async def _look(
        self, state: GameState, packs: dict[str, Locked], people: list[str]
    ) -> SceneLore:
        retriever = await self.books.reader(packs)
        threads = [
            ThreadSignal(id=t.id, title=t.title, tags=t.tags)
            for t in state.threads.values()
            if t.status == "active"
        ]
        signal = SceneSignal(location_id=state.scene.location_id, present_entity_ids=people)
        return await retriever.retrieve_for_scene(signal, threads)


def _open_threads(state: GameState) -> tuple[str, ...]:
    return tuple(sorted(id for id, thread in state.threads.items() if thread.status == "active"))


def _lists(lore: SceneLore) -> dict[str, Any]:
    return {
        "atmosphere": lore.atmosphere,
        "npc_briefings": lore.npc_briefings,
        "discoverable": lore.discoverable,
        "thread_connections": lore.thread_connections,
        "sources": lore.sources,
    }
