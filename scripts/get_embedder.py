"""Makes the default embedder ready for tests, in `.models`. Run by `make test`, once."""

from pathlib import Path

from freeform.adapters.embeddings.download import get_embedder
from freeform.adapters.embeddings.minilm import folder_in

if __name__ == "__main__":
    get_embedder(folder_in(Path(__file__).parents[1] / ".models"), print)
