"""How a wire passes a piece of news on to those who listen in its process."""

import logging
from collections import deque
from collections.abc import Callable, Sequence

from freeform.core.errors import FreeformError
from freeform.core.log import kind_of, place_of, tell
from freeform.players.people.ports import TableNews

_LOG = logging.getLogger("freeform.web")


def pass_news_on(
    news: TableNews, listeners: Sequence[Callable[[TableNews], None]], kept: deque[TableNews]
) -> None:
    """To each of them; while there is none, it is kept for the first. A listener that fails misses
    that piece alone, and the others hear it."""
    if not listeners:
        kept.append(news)
    for listener in listeners:
        try:
            listener(news)
        except (FreeformError, LookupError, TypeError, ValueError, AttributeError) as wrong:
            where = {"kind": kind_of(wrong), "where": place_of(wrong)}
            tell(_LOG, logging.ERROR, "news_not_heard", news=news.kind, **where)
