"""A small shelf of documents to search, a small real embedder, and where the large one lies."""

import hashlib
import math
import os
import re
from array import array
from collections.abc import Sequence
from pathlib import Path

import pytest

from freeform.adapters.embeddings.minilm import MiniLmEmbedder, folder_in
from freeform.core.clock import HandClock
from freeform.retrieval.indexing import index_documents
from freeform.retrieval.model import Document, DocumentSection, IndexResult
from freeform.retrieval.ports import Embedder, PassageIndex, Vector
from freeform.retrieval.search import Search
from tests.plain_kernels import PLAIN_KERNELS

WIDTH = 64


class HashedWords:
    """Texts by their words, each word at a place given by its hash: a weak embedder, but a real one."""

    def __init__(self, name: str = "hashed-words") -> None:
        self._name = name
        self.asked: list[str] = []

    @property
    def name(self) -> str:
        return self._name

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        self.asked += texts
        return [self._vector(text) for text in texts]

    def _vector(self, text: str) -> Vector:
        numbers = [0.0] * WIDTH
        for word in re.findall(r"\w+", text.lower()):
            digest = hashlib.sha256(f"{self._name}{word}".encode()).digest()
            numbers[digest[0] % WIDTH] += 1 if digest[1] % 2 else -1
        length = math.sqrt(sum(n * n for n in numbers)) or 1.0
        return array("f", [n / length for n in numbers]).tobytes()


def document(
    id: str,
    name: str,
    type: str,
    sections: Sequence[tuple[str, str] | tuple[str, str, bool]],
    overview: str = "",
    pack: str = "neo",
    **about: object,
) -> Document:
    """A document with an overview and H2 sections (heading, text, GM-only)."""
    first = [DocumentSection(path=name, heading=name, level=1, text=overview)] if overview else []
    rest = [
        DocumentSection(
            path=f"{name} > {s[0]}",
            heading=s[0],
            level=2,
            text=s[1],
            gm_only=len(s) > 2 and bool(s[2]),
        )
        for s in sections
    ]
    file = f"{type}s/{id}.md"
    return Document.model_validate(
        {
            "pack_id": pack,
            "id": id,
            "type": type,
            "name": name,
            "file_path": file,
            "sections": first + rest,
            **about,
        }
    )


DRAGON = document(
    "neon_dragon",
    "The Neon Dragon",
    "location",
    [
        ("Atmosphere", "Blue haze under red lamps.\n\nThe fans have not turned for years."),
        ("History", "Viktor won the bar from a manager called Ota in a long night of cards."),
        ("Regulars", "Couriers, fixers and dock workers drink here after the late shift."),
        (
            "Discoverable",
            "- search behind the bar: a spare comm unit wrapped in cloth\n- look up → a dead camera",
        ),
        ("Threads", "- main_case: Jin was last seen at the corner table"),
    ],
    overview="A dive bar on the third level below the street, owned by Viktor.",
    aliases=["the Dragon"],
    tags=["bar", "social_hub"],
    related_entities=["viktor", "jin"],
    related_factions=["guild"],
)
VIKTOR = document(
    "viktor",
    "Viktor",
    "npc",
    [
        ("Disposition", "Nervous tonight; he keeps looking at the door."),
        ("Knows", "- the route of Jin's last delivery\n- who pays Agent Chen"),
        ("Withholds", "- his own debt to Zenith Industries", True),
        ("Capabilities", "No fighter. Knows every fixer of the district."),
        (
            "Background",
            "Grew up on the docks, lost two fingers to a crane, learned to count cards.",
        ),
    ],
    overview="The owner of the Neon Dragon, broad, soft-spoken and always counting.",
    tags=["fixer"],
    related_locations=["neon_dragon"],
    related_threads=["main_case"],
)
CHEN = document(
    "agent_chen",
    "Agent Chen",
    "npc",
    [
        ("Knows", "- the vault code is nine four one"),
        ("Withholds", "- she works for two masters", True),
    ],
    overview="A corporate investigator in a grey coat.",
    aliases=["Chen"],
    tags=["corporate"],
)
GUILD = document(
    "guild",
    "Night Market Guild",
    "faction",
    [
        ("Customs", "Members pay their dues in favours, never in coin."),
        ("Secrets", "The guild is bankrupt.", True),
    ],
    overview="Traders who run the market under the bridge after dark.",
    tags=["market"],
)
HARBOUR = document(
    "harbour",
    "The Sunken Harbour",
    "location",
    [("Tides", "At low water the old cranes stand clear of the mud.")],
    overview="A drowned dock where smugglers land by night.",
    pack="coast",
    tags=["docks"],
)
SHELF = [DRAGON, VIKTOR, CHEN, GUILD, HARBOUR]


async def fill(
    index: PassageIndex,
    documents: Sequence[Document] = SHELF,
    embedder: Embedder | None = None,
    source: str = "shelf",
) -> IndexResult:
    """Indexes the documents."""
    return await index_documents(documents, source, index, HandClock(), embedder)


def searching(index: PassageIndex, embedder: Embedder | None = None) -> Search:
    """A search on the index."""
    return Search(index, HandClock(), embedder)


def models_folder() -> Path:
    """Where `models get-embedder` (or `make setup`) puts models: the home's folder, else one in the repository."""
    home = os.environ.get("FREEFORM_HOME")
    return Path(home) / "models" if home else Path(__file__).parents[2] / ".models"


def real_embedder(*, numpy_only: bool = False) -> MiniLmEmbedder:
    """The default embedder; a test that wants it skips where its weights are absent."""
    pytest.importorskip("numpy")
    folder = folder_in(models_folder())
    if reason := MiniLmEmbedder.missing(folder):
        pytest.skip(f"{reason} (looked in {folder.name} below FREEFORM_HOME/models or .models)")
    return MiniLmEmbedder(folder, threads=2, numpy_only=numpy_only or PLAIN_KERNELS)
