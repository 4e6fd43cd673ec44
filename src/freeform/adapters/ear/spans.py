"""Which words play which part: the likeliest row of tags (Viterbi), then spans.

In words that are spoken, someone may be spoken to: `speech [target] speech` is one speech with a
target inside.
"""

from dataclasses import dataclass

import numpy as np

from freeform.adapters.encoder.table import Floats
from freeform.language.ear import ROLES

_SPEECH = ROLES.index("speech")
_NEVER = -1e9


@dataclass(slots=True)
class SpanRun:
    """Words in a row with one part, the last not counted in."""

    role: int
    first: int
    last: int
    goes_on: bool
    """Whether it has no beginning of its own: the rest of a speech."""


def spans_in(tags: Floats) -> list[SpanRun]:
    """The parts of acts, speeches whole."""
    return _whole_speeches(runs_in(tags, parted=_SPEECH))


def runs_in(tags: Floats, parted: int | None = None) -> list[SpanRun]:
    """Runs of words by the logarithms of what each word's tags are likely to be; a run of the
    role `parted` may go on behind another."""
    chosen = _best_tags(tags, parted)
    runs: list[SpanRun] = []
    for at, tag in enumerate(chosen):
        role, inside = (tag - 1) // 2, tag % 2 == 0
        if not tag:
            continue
        if inside and runs and runs[-1].role == role and runs[-1].last == at:
            runs[-1].last = at + 1
        else:
            runs.append(SpanRun(role, at, at + 1, inside))
    return runs


def _best_tags(tags: Floats, parted: int | None) -> list[int]:
    """The inside of a span follows its beginning or its inside; that of `parted` may follow any."""
    best = tags[0].copy()
    best[2::2] = _NEVER
    before = [best]
    for row in tags[1:]:
        inside = np.maximum(best[1::2], best[2::2])
        if parted is not None:
            inside[parted] = best[1:].max()
        best = np.full_like(best, best.max())
        best[2::2] = inside
        best += row
        before.append(best)
    tag = int(best.argmax())
    chosen = [tag]
    for best in before[-2::-1]:
        tag = _tag_before(tag, best, parted)
        chosen.append(tag)
    return chosen[::-1]


def _tag_before(tag: int, best: Floats, parted: int | None) -> int:
    """The tag that a tag came from."""
    if parted is not None and tag == 2 + 2 * parted:
        return 1 + int(best[1:].argmax())
    if tag and tag % 2 == 0:
        return tag if best[tag] > best[tag - 1] else tag - 1
    return int(best.argmax())


def _whole_speeches(runs: list[SpanRun]) -> list[SpanRun]:
    """Speeches with what stands inside of them, and with whom they end by calling."""
    spans: list[SpanRun] = []
    for run in runs:
        if run.role == _SPEECH and run.goes_on:
            before = _touching(spans, run.first)
            speech = next((span for span in before if span.role == _SPEECH), None)
            if speech is not None:
                speech.last = run.last
                continue
            run.first = min([run.first, *(span.first for span in before)])
        spans.append(run)
    for speech in [span for span in spans if span.role == _SPEECH]:
        for span in spans:
            if span.first == speech.last and span.role != _SPEECH:
                speech.last = span.last
    return sorted(spans, key=lambda span: (span.first, -span.last))


def _touching(spans: list[SpanRun], end: int) -> list[SpanRun]:
    """The spans that lie before a place without a gap, the nearest first."""
    found: list[SpanRun] = []
    for span in reversed(spans):
        if span.last != end:
            break
        found.append(span)
        end = span.first
    return found
