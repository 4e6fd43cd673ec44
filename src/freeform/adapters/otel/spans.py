"""Rounds, phases and questions of AI players as OpenTelemetry spans: to the process's own tracer,
or to a file."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

from freeform.core.errors import FreeformError, UserError
from freeform.players.ports import Spans

NAME = "freeform.players"
HERE = "on"
"""The setting's word for the tracer that the process was set up with."""
MISSING = "OpenTelemetry is not installed: install the extra with `pip install freeform-rpg[otel]`, or clear `spans`"


def spans_of(provider: Any) -> Spans:
    """Spans at a tracer provider. A span's parent is the one that is open around it."""
    from opentelemetry.trace import Status, StatusCode

    tracer = provider.get_tracer(NAME)

    @contextmanager
    def span(name: str, about: Mapping[str, str | int]) -> Iterator[None]:
        # A round that stops for a person is left by an exception too; only our own errors are
        # failures.
        with tracer.start_as_current_span(
            name, attributes=dict(about), record_exception=False, set_status_on_exception=False
        ) as opened:
            try:
                yield
            except FreeformError as failed:
                opened.set_status(Status(StatusCode.ERROR, str(failed)))
                raise

    def begin(name: str, about: Mapping[str, str | int]) -> AbstractContextManager[None]:
        return span(name, about)

    return begin


def open_spans(where: str) -> tuple[Spans, Callable[[], None]]:
    """Spans as the setting says, and what closes them. `where`: `on`, or a file for one JSON
    document a line."""
    try:
        from opentelemetry import trace
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import ConsoleSpanExporter, SimpleSpanProcessor
    except ImportError as absent:
        raise UserError(MISSING) from absent
    if where == HERE:
        return spans_of(trace.get_tracer_provider()), lambda: None
    try:
        out = Path(where).expanduser().open("a", encoding="utf-8")
    except OSError as wrong:
        raise UserError(
            f"spans cannot be written to {where} ({wrong.strerror}); set `spans` to another file"
        ) from wrong
    provider = TracerProvider()
    line = ConsoleSpanExporter(out=out, formatter=lambda span: span.to_json(indent=None) + "\n")
    provider.add_span_processor(SimpleSpanProcessor(line))

    def close() -> None:
        provider.shutdown()
        out.close()

    return spans_of(provider), close
