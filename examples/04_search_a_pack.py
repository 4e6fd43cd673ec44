"""One question to a pack, through three pairs of eyes: the game master's, a player's, and one character's."""

import asyncio

from freeform.retrieval.lore import LoreRetriever
from freeform.retrieval.model import LoreRetrievalQuery, Viewer
from freeform.settings.sources import load
from freeform.wiring import books

QUESTION = "What secret orders does Agent Chen have?"


async def main() -> None:
    """The index is made on first use, under the home. Without an embedder words alone answer."""
    shelf = books(load({"model": "offline"}).settings)
    reader: LoreRetriever = await shelf.retriever(shelf.newest(["neo_seattle"]))
    print(f"{QUESTION}\n")
    for eyes in ("gm", "player", "npc:neo_seattle:agent_chen"):
        asked = LoreRetrievalQuery(keywords=QUESTION, k=3, max_tokens=600)
        found = await reader.query(asked, viewer=Viewer.parse(eyes))
        print(f"Seen by {eyes} ({found.total_tokens} tokens):")
        for passage in found.chunks:
            first = " ".join(passage.text.split())[:88]
            print(
                f"  {passage.relevance_score:.2f}  {passage.metadata['section_path']}\n        {first}…"
            )
        print()


asyncio.run(main())
