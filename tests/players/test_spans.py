"""Whoever watches sees rounds, phases and questions as spans, each inside the other; nobody has to."""

from pathlib import Path

import pytest
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from freeform.adapters.otel.spans import open_spans, spans_of
from freeform.core.errors import Unavailable, UserError
from freeform.players.party.evening import play_on
from tests.players.conftest import a_parlour, a_party


async def test_a_round_is_a_span_around_its_phases_and_they_around_their_questions(
    tmp_path: Path,
) -> None:
    kept, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(kept))
    async with a_parlour(tmp_path) as room:
        room.span = spans_of(provider)
        _ = [came async for came in play_on(room.game, await a_party(room, "2"), 1)]
    spans = kept.get_finished_spans()
    named = {span.name: span for span in spans}
    ids = {span.context.span_id: span.name for span in spans if span.context}
    above = {span.name: ids.get(span.parent.span_id, "") if span.parent else "" for span in spans}
    assert (
        above["round"] == ""
        and above["directives"] == "round"
        and above["players/directive"] == "directives"
    )
    assert {
        "dm_narration",
        "memory_query",
        "ooc_discussion",
        "dm_adjudication",
        "memory_storage",
    } <= set(named)
    assert dict(named["round"].attributes or {}) == {
        "party": "dead_drop_party",
        "round": 1,
        "session": 1,
    }


def test_spans_go_to_a_file_and_a_failure_is_marked(tmp_path: Path) -> None:
    span, close = open_spans(str(tmp_path / "spans.jsonl"))
    with pytest.raises(Unavailable), span("round", {"round": 3}):
        raise Unavailable("Redis is gone")
    close()
    (line,) = (tmp_path / "spans.jsonl").read_text(encoding="utf-8").splitlines()
    assert '"round": 3' in line and "Redis is gone" in line
    with pytest.raises(UserError, match="set `spans` to another file"):
        open_spans(str(tmp_path / "no" / "such" / "folder"))
