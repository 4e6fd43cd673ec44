"""One book read in a process of its own: `python -m freeform.services.ingest.process HOME MODEL`.

The request comes as JSON on standard input. News of the stages goes to standard error, a JSON line
each; the report, or `{"error": sentence}`, to standard output.
"""

import asyncio
import json
import sys
from typing import Any

from freeform.core.errors import FreeformError
from freeform.core.gc_tuning import collect_seldom
from freeform.ingest.config import StageNews
from freeform.services.ingest.books import IngestRequest, plan_ingest, run_ingest
from freeform.settings import Settings
from freeform.settings.sources import load


def main(home: str, model: str) -> int:
    """Reads the book; the exit code is 1 where that could not be done."""
    request = IngestRequest.model_validate_json(sys.stdin.buffer.read())
    try:
        report = asyncio.run(_read(load({"home": home, "model": model}).settings, request))
    except FreeformError as wrong:
        print(json.dumps({"error": str(wrong)}), flush=True)
        return 1
    print(json.dumps(report), flush=True)
    return 0


async def _read(settings: Settings, request: IngestRequest) -> dict[str, Any]:
    plan = await plan_ingest(settings, request)
    report = await run_ingest(settings, plan, _tell)
    return {**report.model_dump(mode="json"), "installed": None}


def _tell(news: StageNews) -> None:
    print(news.model_dump_json(), file=sys.stderr, flush=True)


if __name__ == "__main__":
    collect_seldom()
    sys.exit(main(*sys.argv[1:]))
