"""Looks back on a night without a model: the highlights themselves, each with the turn it comes
from."""

from freeform.core.chance import Chance
from freeform.engine.campaign.sessions import Highlight, SessionInput, SessionOutput

_SUMMARY, _RECAP = 10, 5
_OPENERS = ("Previously: ", "When we last sat down: ", "Last time: ")


def respond(input: SessionInput, chance: Chance) -> SessionOutput:
    """A chronicle of what mattered, and a few lines to read aloud."""
    if not input.highlights:
        quiet = f"A quiet night in {input.campaign}: nothing was settled."
        return SessionOutput(summary=quiet, recap=f"Previously: {quiet} {_open(input)}".strip())
    told = _cited(_weightiest(input.highlights, _SUMMARY))
    short = _cited(_weightiest(input.highlights, _RECAP))
    opener = _OPENERS[0] if len(input.highlights) < _RECAP else chance.choose(_OPENERS)
    return SessionOutput(summary=told, recap=f"{opener}{short} {_open(input)}".strip())


def _weightiest(highlights: list[Highlight], most: int) -> list[Highlight]:
    best = sorted(highlights, key=lambda h: (-h.weight, -h.turn_no))[:most]
    return sorted(best, key=lambda h: h.turn_no)


def _cited(highlights: list[Highlight]) -> str:
    return " ".join(f"{h.text.rstrip()} [t{h.turn_no}]" for h in highlights)


def _open(input: SessionInput) -> str:
    questions = "; ".join(title.rstrip(".") for title in input.open_threads[:2])
    return f"Still open: {questions}{'' if questions.endswith('?') else '.'}" if questions else ""
