"""A process of its own that plays turns as fast as it can and says which ones are saved.

Its arguments are HOME CAMPAIGN HOW_MANY; it prints `<turn_no> <entry>` after each acknowledged append
"""

import asyncio
import sys
from pathlib import Path

from freeform.adapters.sqlite.campaign.shelf import CampaignShelf
from freeform.adapters.sqlite.campaign.store import SqliteStore
from freeform.core.clock import SystemClock
from freeform.core.errors import Conflict
from tests.story import narrated, resolved


async def play(home: str, campaign: str, how_many: int) -> None:
    """Plays until that many appends were acknowledged; a lost race is read again and tried again."""
    store = SqliteStore(CampaignShelf(Path(home)), SystemClock())
    print("ready", flush=True)
    done = 0
    while done < how_many:
        head = await store.head(campaign)
        last = (await store.tail(campaign, 1))[-1].entry
        try:
            if last.kind == "resolved":
                head = await store.append(
                    campaign, [narrated(head.turn_no, turn_id=last.turn_id)], after=head
                )
            else:
                number = head.turn_no + 1
                head = await store.append(
                    campaign, [resolved(number, turn_id=f"t{number}")], after=head
                )
        except Conflict:
            continue
        done += 1
        print(head.turn_no, head.entry, flush=True)


def main() -> None:
    asyncio.run(play(sys.argv[1], sys.argv[2], int(sys.argv[3])))
