"""LoreRetriever: what the game master reads from, in five operations.

A scene's lore is taken by what entries are about and by their headings, not by rank: the same packs
and scene give the same lore on every machine.
"""

from collections.abc import Iterable, Sequence

from pydantic import Field

from freeform.core.record import Record
from freeform.retrieval.briefing import SceneLore, brief
from freeform.retrieval.model import GM, LoreRetrievalQuery, LoreRetrievalResult, Passage, Viewer
from freeform.retrieval.ports import Signals, Where
from freeform.retrieval.scope import may_see
from freeform.retrieval.search import Search, passage, within

_MOST = 400
DEFAULT_TOKENS = 3000


class ThreadSignal(Record):
    """A thread that is open now."""

    id: str
    title: str = ""
    tags: list[str] = Field(default_factory=list)


class SceneSignal(Record):
    """Where play is and who is there."""

    location_id: str = ""
    present_entity_ids: list[str] = Field(default_factory=list)
    faction_ids: list[str] = Field(default_factory=list)
    tags: list[str] = Field(default_factory=list)


class SessionLoreContext(Record):
    """What a game night begins with: the world in short, and what happened so far, newest last."""

    campaign_id: str
    setting: list[Passage] = Field(default_factory=list)
    history: list[Passage] = Field(default_factory=list)
    total_tokens: int = 0


class LoreRetriever:
    """The packs and the history of a campaign, as a game master would leaf through them."""

    def __init__(self, search: Search, notes: Sequence[str] = ()) -> None:
        """`notes`: what is worth telling of how the index was brought up to date."""
        self._search, self.notes = search, list(notes)

    async def query(
        self,
        signals: LoreRetrievalQuery,
        corpus: str | None = None,
        max_tokens: int | None = None,
        viewer: Viewer = GM,
    ) -> LoreRetrievalResult:
        """What fits the signals, for that viewer."""
        update = {"corpus": corpus, "max_tokens": max_tokens}
        asked = {**signals.model_dump(), **{k: v for k, v in update.items() if v is not None}}
        return await self._search.search(LoreRetrievalQuery.model_validate(asked), viewer)

    @staticmethod
    def build_query(
        scene: SceneSignal,
        threads: Sequence[ThreadSignal],
        player_input: str,
        names: Iterable[str] = (),
    ) -> LoreRetrievalQuery:
        """A query from the scene. `names` are the display names of the place and those present.

        The player's words come first and are not drowned by the scene: where and who are filters
        already.
        """
        said = player_input.strip()
        words = said or "\n".join([*names, *(thread.title for thread in threads)])
        return LoreRetrievalQuery(
            location_id=scene.location_id,
            entity_ids=scene.present_entity_ids,
            faction_ids=scene.faction_ids,
            thread_ids=[thread.id for thread in threads],
            thread_tags=list(
                dict.fromkeys([*scene.tags, *(tag for t in threads for tag in t.tags)])
            ),
            keywords=words,
        )

    async def retrieve_for_scene(
        self,
        scene: SceneSignal,
        threads: Sequence[ThreadSignal] = (),
        max_tokens: int = DEFAULT_TOKENS,
    ) -> SceneLore:
        """What the game master needs on entering: the place, those present, what can be found, the
        threads."""
        here = (scene.location_id,) if scene.location_id else ()
        present = tuple(scene.present_entity_ids)
        if not here and not present:
            return SceneLore()
        where = Where(viewer=GM, corpora=("authored",), entities=(*here, *present))
        chunks = await self._search.index.find(where, _MOST)
        return brief(
            chunks, scene.location_id, present, [thread.id for thread in threads], max_tokens
        )

    async def retrieve_for_entity(
        self, entity_id: str, viewer: Viewer = GM, max_tokens: int = DEFAULT_TOKENS
    ) -> LoreRetrievalResult:
        """All about one entity: its own entry first, then what mentions it."""
        began = self._search.clock.ticks()
        own = Where(viewer=viewer, entities=(entity_id,))
        found = [c for c in await self._search.index.find(own, _MOST) if may_see(viewer, c)]
        found.sort(
            key=lambda chunk: (not _is(chunk.document, entity_id), chunk.corpus == "history")
        )
        kept = within(found, max_tokens, _MOST)
        return LoreRetrievalResult(
            chunks=[
                passage(chunk, 1.0 if _is(chunk.document, entity_id) else 0.5) for chunk in kept
            ],
            total_tokens=sum(chunk.metadata.token_count for chunk in kept),
            query_time_ms=round((self._search.clock.ticks() - began) * 1000, 2),
        )

    async def retrieve_for_session(
        self, campaign_id: str, viewer: Viewer = GM, max_tokens: int = DEFAULT_TOKENS
    ) -> SessionLoreContext:
        """The world in overviews (half the tokens), and the newest of what happened (the rest)."""
        world = Where(
            viewer=viewer,
            corpora=("authored",),
            types=("culture", "history", "faction", "location"),
        )
        seen = [c for c in await self._search.index.find(world, _MOST) if may_see(viewer, c)]
        setting = within([c for c in seen if c.id.endswith(":overview")], max_tokens // 2, 20)
        past = Where(viewer=viewer, corpora=("history",), packs=(campaign_id,))
        newest = list(reversed(await self._search.index.find(past, 10 * _MOST)))
        left = max_tokens - sum(chunk.metadata.token_count for chunk in setting)
        happened = within([c for c in newest if may_see(viewer, c)], left, 40)
        return SessionLoreContext(
            campaign_id=campaign_id,
            setting=[passage(chunk, 1.0) for chunk in setting],
            history=[passage(chunk, 1.0) for chunk in reversed(happened)],
            total_tokens=sum(chunk.metadata.token_count for chunk in (*setting, *happened)),
        )


def _is(document: str, id: str) -> bool:
    return document == id or document.rpartition(":")[2] == id


__all__ = [
    "LoreRetriever",
    "SceneLore",
    "SceneSignal",
    "SessionLoreContext",
    "Signals",
    "ThreadSignal",
]
