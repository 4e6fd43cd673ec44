"""Keeps an index true to a list of documents: only what changed is cut, embedded and written."""

import logging
from collections.abc import Callable, Iterable, Sequence

from freeform.core.clock import Clock
from freeform.core.errors import Unavailable, UserError
from freeform.core.log import tell
from freeform.retrieval.chunking import chunk_document
from freeform.retrieval.model import ContentPackChunk, Document, IndexResult
from freeform.retrieval.ports import Embedder, Fresh, PassageIndex, Vector

_LOG = logging.getLogger("freeform.index")
Progress = Callable[[int, int], None]
"""Called with how many documents (later: passages that only lacked a vector) are done, and of how
many."""
_DOCUMENTS, _TEXTS = 1000, 64
"""Documents per transaction without an embedder; texts per transaction with one."""


async def index_documents(
    documents: Iterable[Document],
    source: str,
    index: PassageIndex,
    clock: Clock,
    embedder: Embedder | None = None,
    progress: Progress | None = None,
) -> IndexResult:
    """Makes the index hold exactly these documents of the source (a pack, or a campaign's
    history)."""
    began = clock.ticks()
    wanted = {document.key: document for document in documents}
    had = await index.begin(source)
    gone = sorted(had.keys() - wanted.keys())
    digests = {key: document.digest for key, document in wanted.items()}
    changed = [key for key, digest in digests.items() if had.get(key) != digest]
    fresh = (
        Fresh.model_construct(
            key=key, source=source, digest=digests[key], chunks=chunk_document(wanted[key])
        )
        for key in changed
    )
    done = embedded = 0
    notes: list[str] = []
    refused: list[str] = []
    if gone:
        await index.write([], gone, {}, "")
    for batch in _batches(fresh, embedder is not None):
        vectors: dict[str, Vector] = {}
        if embedder is not None and not notes:
            try:
                vectors = await _embed(
                    [c for entry in batch for c in entry.chunks], index, embedder
                )
            except Unavailable as lost:
                notes.append(f"indexed by words alone: {lost}")
        await _write(index, batch, vectors, embedder.name if embedder else "", refused)
        done, embedded = done + len(batch), embedded + len(vectors)
        if progress:
            progress(done, len(changed))
    if embedder is not None and not notes:
        filled = await _fill(index, embedder, notes, progress)
        if filled:
            notes.append(f"{filled:,} passages were given vectors by {embedder.name}")
        embedded += filled
    await index.finish(source, clock.now().isoformat(timespec="seconds"))
    stats = await index.stats(source)
    if changed or gone:
        counts = {"changed": len(changed), "removed": len(gone), "documents": stats.documents}
        tell(_LOG, logging.INFO, "index_rebuilt", source=source, **counts)
    return IndexResult(
        documents=stats.documents,
        changed=len(changed),
        removed=len(gone),
        chunks=stats.chunks,
        tokens=stats.total_tokens,
        embedded=embedded,
        seconds=round(clock.ticks() - began, 3),
        notes=[*notes, *refused],
    )


async def _write(
    index: PassageIndex,
    batch: Sequence[Fresh],
    vectors: dict[str, Vector],
    model: str,
    refused: list[str],
) -> None:
    """All of them at once; where the index refuses that, each alone, so that one costs no other."""
    try:
        await index.write(batch, [], vectors, model)
        return
    except UserError:
        await index.write([], [], vectors, model)
    for entry in batch:
        try:
            await index.write([entry], [], {}, model)
        except UserError as wrong:
            pack = entry.key.partition(":")[0]
            tell(_LOG, logging.WARNING, "index_refused", pack=pack, entry=entry.key)
            refused.append(f"the pack {pack}: its entry {entry.key} cannot be searched: {wrong}")


async def _embed(
    chunks: Sequence[ContentPackChunk], index: PassageIndex, embedder: Embedder
) -> dict[str, Vector]:
    """The vectors the chunks lack, by embedding id."""
    texts = {chunk.embedding_id: chunk.embedded_text for chunk in chunks}
    missing = await index.without_vector(embedder.name, list(texts))
    if not missing:
        return {}
    return dict(zip(missing, await embedder.embed([texts[id] for id in missing]), strict=True))


async def _fill(
    index: PassageIndex, embedder: Embedder, notes: list[str], progress: Progress | None
) -> int:
    """Vectors for passages written under another model, or when there was none."""
    filled = 0
    lacking = (await index.stats(None, embedder.name)).without_vector
    while chunks := await index.lacking(embedder.name, _TEXTS):
        try:
            vectors = await embedder.embed([chunk.embedded_text for chunk in chunks])
        except Unavailable as lost:
            notes.append(f"some passages have no vectors yet: {lost}")
            return filled
        ids = [chunk.embedding_id for chunk in chunks]
        await index.write([], [], dict(zip(ids, vectors, strict=True)), embedder.name)
        filled += len(chunks)
        if progress:
            progress(filled, max(lacking, filled))
    return filled


def _batches(fresh: Iterable[Fresh], embedding: bool) -> Iterable[list[Fresh]]:
    """Documents together in one transaction: many when words alone are written, few when they are
    embedded too."""
    batch: list[Fresh] = []
    texts = 0
    for entry in fresh:
        batch.append(entry)
        texts += len(entry.chunks)
        if len(batch) >= _DOCUMENTS or (embedding and texts >= _TEXTS):
            yield batch
            batch, texts = [], 0
    if batch:
        yield batch
