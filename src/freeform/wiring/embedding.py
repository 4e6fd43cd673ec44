"""Which model turns texts into vectors: one at an address, or the small one on this machine."""

from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

from freeform.adapters.embeddings.download import get_embedder
from freeform.adapters.embeddings.minilm import MiniLmEmbedder, folder_in
from freeform.core.errors import BadSettings
from freeform.retrieval.ports import Embedder
from freeform.settings import Settings


def embedder(settings: Settings) -> Embedder | None:
    """The embedder of these settings; None where none was set and none is ready under the home."""
    if settings.embedding_url:
        if not settings.embedding_model:
            raise BadSettings(
                "`embedding_url` is set and `embedding_model` is not; "
                "name the model that turns texts into vectors there"
            )
        # Imported here: it brings an HTTP client, and most starts need none.
        from freeform.adapters.embeddings.openai_embeddings import OpenAiEmbedder

        key = settings.embedding_key.get_secret_value()
        return OpenAiEmbedder(settings.embedding_url, settings.embedding_model, key)
    folder = folder_in(settings.home / "models")
    return None if MiniLmEmbedder.missing(folder) else _in_memory(folder)


@lru_cache(maxsize=2)
def _in_memory(folder: Path) -> MiniLmEmbedder:
    """One for all who ask: its weights are loaded once."""
    return MiniLmEmbedder(folder)


def ready_embedder(settings: Settings, say: Callable[[str], None]) -> Path:
    """Gets the embedder and makes it ready under the home."""
    return get_embedder(folder_in(settings.home / "models"), say)
