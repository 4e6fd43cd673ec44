"""What has happened, to be searched: the turns of the active branch, its summaries, and what was
established.

A campaign has one index of its own with two sources: the packs it was begun with, and its history.
History is brought to where the branch stands before each search, so an undo or another branch
changes what is found.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from freeform.engine.log import Begun
from freeform.engine.ports import StateStore, TurnText, as_corrected
from freeform.engine.shelf.books import SOURCE, Books, set_name
from freeform.engine.world.state import Fact, GameState, Summary
from freeform.retrieval.documents import documents_of
from freeform.retrieval.indexing import Progress, index_documents
from freeform.retrieval.lore import LoreRetriever
from freeform.retrieval.model import Audience, Document, DocumentSection
from freeform.retrieval.ports import PassageIndex
from freeform.retrieval.search import Search

HISTORY = "history"


async def campaign_reader(
    campaign: str, begun: Begun, store: StateStore, books: Books, progress: Progress | None = None
) -> LoreRetriever:
    """What searches a campaign's packs and its history together, as both stand now."""
    index = books.open_index(f"campaign-{campaign}-{set_name(begun.packs)[:8]}")
    notes: list[str] = []
    if begun.packs and not await _is_whole(index, books):
        documents = documents_of(books.locked_world(begun.packs))
        made = await index_documents(
            documents, SOURCE, index, books.clock, books.embedder, progress
        )
        notes += made.notes
    documents = await history_documents(campaign, store)
    made = await index_documents(documents, HISTORY, index, books.clock, books.embedder, progress)
    notes += made.notes
    return LoreRetriever(Search(index, books.clock, books.embedder), notes)


async def history_documents(campaign: str, store: StateStore) -> list[Document]:
    """Everything the active branch holds, as documents: what a player may read, and what only the
    GM may."""
    state = await store.get_state(campaign)
    told = await store.recent(campaign, state.turn_no) if state.turn_no else []
    turns = as_corrected(told, state)
    facts = [fact for _, fact in sorted(state.facts.items()) if fact.visibility != "engine"]
    return [
        *(_turn(campaign, turn) for turn in turns),
        *(_summary(campaign, summary) for _, summary in sorted(state.summaries.items())),
        *(_fact(campaign, fact, state) for fact in facts),
    ]


async def _is_whole(index: PassageIndex, books: Books) -> bool:
    model = books.embedder.name if books.embedder else ""
    stats = await index.stats(SOURCE, model)
    return bool(stats.last_indexed) and not stats.unfinished and not stats.without_vector


@dataclass(frozen=True)
class _Happened:
    """One thing to be found again."""

    id: str
    type: str
    name: str
    text: str
    about: Sequence[str] = ()
    audience: Audience = "player"


def _turn(campaign: str, turn: TurnText) -> Document:
    number, text = turn.turn_no, f"{turn.player_input}\n\n{turn.final_text}"
    happened = _Happened(f"turn_{number}", "turn", f"Turn {number}", text, turn.focus)
    return _document(campaign, happened)


def _summary(campaign: str, summary: Summary) -> Document:
    name = f"Summary of {summary.scope_id.replace('_', ' ')}, turns {summary.turn_no_range}"
    return _document(campaign, _Happened(f"summary_{summary.id}", "summary", name, summary.text))


def _fact(campaign: str, fact: Fact, state: GameState) -> Document:
    name = state.name(fact.subject_id)
    text = fact.object.get("text") or f"{name}: {fact.predicate} {fact.object.get('value', '')}"
    audience: Audience = "player" if fact.visibility == "known" else "gm"
    about = [fact.subject_id]
    return _document(
        campaign, _Happened(f"fact_{fact.id}", "fact", name, str(text), about, audience)
    )


def _document(campaign: str, happened: _Happened) -> Document:
    """Ids of ours hold colons, which separate the parts of a chunk's id."""
    id, name = happened.id, happened.name
    return Document(
        pack_id=campaign,
        id=id.replace(":", "."),
        type=happened.type,
        name=name,
        related_entities=list(happened.about),
        file_path=f"{campaign}/{id}",
        sections=[DocumentSection(path=name, heading=name, level=1, text=happened.text)],
        corpus="history",
        audience=happened.audience,
    )
