"""What is looked up for one turn: passages of the books and turns of long ago that the player's
words and the scene call for, each with its source."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

from freeform.core.errors import FreeformError
from freeform.core.record import Record
from freeform.core.text import shorten
from freeform.engine.ports import StateStore
from freeform.engine.shelf.books import Books
from freeform.engine.shelf.history import campaign_reader
from freeform.engine.world.names import mentioned, words
from freeform.engine.world.state import PLAYER as HERO
from freeform.engine.world.state import GameState
from freeform.retrieval.lore import LoreRetriever, SceneSignal, ThreadSignal
from freeform.retrieval.model import GM, PLAYER, LoreRetrievalQuery, Passage

_NAMED = ("npc", "location", "item", "object", "faction")
_MOST, _LETTERS, _DEEP = 4, 520, 24
"""Passages of each kind, letters of each, and how many are weighed."""
_LEAST_SHARE, _LEAST_WORDS, _RARE = 0.3, 2, 2
"""A passage is told that has a third of the telling words, and two of them or one in its title."""


class RecalledPiece(Record):
    """A passage, and where it stands: a chunk of a pack, a turn, a fact, a summary."""

    source: str
    text: str
    gm_only: bool = False


class Recaller(Protocol):
    """Looks up what a turn's words call for."""

    async def recall(
        self, campaign: str, text: str, state: GameState, before_turn: int
    ) -> list[RecalledPiece]:
        """Passages of books, and of turns before that one."""
        ...


@dataclass
class BookRecall:
    """The packs and the history of a campaign, searched together."""

    books: Books
    store: StateStore

    async def recall(
        self, campaign: str, text: str, state: GameState, before_turn: int
    ) -> list[RecalledPiece]:
        """Passages of books, and of turns before that one; none where the books do not open."""
        begun = await self.store.begun(campaign)
        try:
            reader = await campaign_reader(campaign, begun, self.store, self.books)
            return await self._look(reader, text, state, before_turn)
        except FreeformError:
            return []

    async def _look(
        self, reader: LoreRetriever, text: str, state: GameState, before_turn: int
    ) -> list[RecalledPiece]:
        asked = _asked(text, state)
        if not asked:
            return []
        plain = LoreRetrievalQuery(keywords=text, k=_DEEP)
        here = _scene_query(text, state)
        books: list[Passage] = []
        for query in (plain, here):
            books += (await reader.query(query, "authored", 2500, GM)).chunks
        for id in _named_afar(text, state):
            books += (await reader.retrieve_for_entity(id, GM, 700)).chunks[:2]
        past = (await reader.query(plain, "history", 4000, PLAYER)).chunks
        older = [piece for piece in past if _is_before(piece, before_turn)]
        return [*_pieces(_best(books, asked)), *_pieces(_best(older, asked, rare=True))]


def _asked(text: str, state: GameState) -> frozenset[str]:
    """The telling words of what was typed, without the names of those who are here anyway."""
    here = [HERO, state.scene.location_id, *state.scene.present_entity_ids]
    present = (state.entities[id].name for id in here if id in state.entities)
    return words(text).difference(*map(words, present))


def _scene_query(text: str, state: GameState) -> LoreRetrievalQuery:
    """The same words among what the scene is about."""
    scene = SceneSignal(
        location_id=state.scene.location_id,
        present_entity_ids=[who for who in state.scene.present_entity_ids if who != HERO],
    )
    active = (thread for thread in state.threads.values() if thread.status == "active")
    threads = [ThreadSignal(id=t.id, title=t.title, tags=t.tags) for t in active]
    query = LoreRetriever.build_query(scene, threads, text, [state.name(scene.location_id)])
    return query.model_copy(update={"k": _DEEP})


def _named_afar(text: str, state: GameState) -> list[str]:
    """Whom and what the words name that is not here."""
    here = {HERO, state.scene.location_id, *state.scene.present_entity_ids}
    return [id for id in mentioned(text, state, _NAMED) if id not in here][:2]


def _is_before(piece: Passage, turn_no: int) -> bool:
    """Whether it is older than what the story tells; what is no turn always is."""
    kind, _, number = piece.chunk_id.split(":")[1].partition("_")
    return kind != "turn" or not number.isdecimal() or int(number) < turn_no


def _best(found: Iterable[Passage], asked: frozenset[str], *, rare: bool = False) -> list[Passage]:
    """Those that have enough of what was asked for, most of it first; `rare`: one word is enough
    that hardly any of them has."""
    once = {piece.chunk_id: piece for piece in found}
    counts = Counter(word for piece in once.values() for word in asked & words(piece.text))
    telling = {word for word, count in counts.items() if rare and count <= _RARE}
    weighed: list[tuple[float, Passage]] = []
    for piece in once.values():
        titled = words(piece.chunk_id.replace("_", " "))
        shared = asked & (words(piece.text) | titled)
        enough = len(shared) >= _LEAST_WORDS or bool(asked & titled) or bool(shared & telling)
        if enough and len(shared) >= _LEAST_SHARE * len(asked):
            weighed.append((len(shared) / len(asked) + piece.relevance_score, piece))
    weighed.sort(key=lambda pair: -pair[0])
    return [piece for _, piece in weighed[:_MOST]]


def _pieces(found: Iterable[Passage]) -> list[RecalledPiece]:
    return [
        RecalledPiece(
            source=piece.chunk_id,
            text=shorten(" ".join(piece.text.split()), _LETTERS),
            gm_only=piece.metadata.get("audience") == "gm",
        )
        for piece in found
    ]


@dataclass(frozen=True)
class TapedRecall:
    """What was looked up when a turn was played."""

    pieces: list[RecalledPiece]

    async def recall(
        self, campaign: str, text: str, state: GameState, before_turn: int
    ) -> list[RecalledPiece]:
        """The same again."""
        return self.pieces
