"""The scenes that are kept, by name."""

from collections.abc import Callable, Coroutine, Mapping
from pathlib import Path
from typing import Any

from tests.snapshots.asked import asked
from tests.snapshots.book import book, other_books
from tests.snapshots.company import company
from tests.snapshots.deeds import deeds
from tests.snapshots.evenings import authored_evening, forged_evening
from tests.snapshots.forged import forged
from tests.snapshots.found import found
from tests.snapshots.heard import heard
from tests.snapshots.party import party
from tests.snapshots.queried import queried
from tests.snapshots.services import services
from tests.snapshots.zone import zone

SCENES: Mapping[str, Callable[[Path], Coroutine[Any, Any, Any]]] = {
    "asked": asked,
    "authored_evening": authored_evening,
    "book": book,
    "company": company,
    "deeds": deeds,
    "forged": forged,
    "forged_evening": forged_evening,
    "found": found,
    "heard": heard,
    "other_books": other_books,
    "party": party,
    "queried": queried,
    "services": services,
    "zone": zone,
}
