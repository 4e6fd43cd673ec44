"""What becomes of a deed, as far as its words say: whom or what it changes, and how likely it is so
afterwards."""

from dataclasses import dataclass, field
from importlib.resources import files
from typing import Protocol, runtime_checkable

OUTCOME_ROLES = ("verb", "on", "where", "who")
"""The verb of the change; what is changed; where it is afterwards; whom it concerns."""
OUTCOME_KINDS = (
    "change",
    "put",
    "give",
    "take",
    "promise",
    "request",
    "follow",
    "wait",
    "teach",
    "distract",
    "signal",
    "learn",
    "none",
)
"""`training/outcomes/FORMAT.md` says what each one means."""
OUTCOME_SUBJECTS = ("named", "me", "nobody")
"""What is changed: what the words name, the player's own body or clothes, nothing."""
OUTCOME_MOODS = ("worse", "same", "better")
"""What the one concerned thinks of the player for it."""
OUTCOME_RISKS = ("none", "person", "hard")
"""Nothing can go wrong; someone may not want it; it takes skill or luck."""


def _read_states() -> dict[str, frozenset[str]]:
    """Every state, and what it is said of: `me`, a `person`, a `thing`."""
    read = {}
    text = (files("freeform.language.meaning") / "states.txt").read_text(encoding="utf-8")
    for line in text.splitlines():
        state, _, subjects = line.partition(": ")
        read[state] = frozenset(subjects.split())
    return read


_SAID_OF = _read_states()
STATES = tuple(_SAID_OF)
"""What can be said to be so afterwards: `X is …`; made by `training/outcomes/states.py`."""


def is_said_of(state: str, subject: str) -> bool:
    """Whether writers say a state of `me`, a `person` or a `thing`; of one they do not know,
    anything may be said."""
    return subject in _SAID_OF.get(state, frozenset((subject,)))


@dataclass(frozen=True, slots=True)
class OutcomeSpan:
    """A stretch of a deed's words with its part in what becomes of it."""

    role: str
    start: int
    end: int
    sure: float


@dataclass(frozen=True, slots=True)
class OutcomeHeard:
    """What a deed's words say of its outcome; nothing where nothing could read them."""

    spans: tuple[OutcomeSpan, ...] = ()
    states: dict[str, float] = field(default_factory=dict)
    """The likeliest states, each with its share of what is said to be so afterwards."""
    kinds: dict[str, float] = field(default_factory=dict)
    subjects: dict[str, float] = field(default_factory=dict)
    moods: dict[str, float] = field(default_factory=dict)
    risks: dict[str, float] = field(default_factory=dict)

    def of(self, role: str) -> OutcomeSpan | None:
        """The surest stretch of a role."""
        return next(iter(self.all_of(role)), None)

    def all_of(self, role: str) -> list[OutcomeSpan]:
        """Every stretch of a role, the surest first."""
        held = [span for span in self.spans if span.role == role]
        return sorted(held, key=lambda span: -span.sure)


NO_OUTCOME = OutcomeHeard()


@runtime_checkable
class OutcomeEar(Protocol):
    """Reads deeds."""

    def read_outcome(self, text: str) -> OutcomeHeard:
        """What becomes of the deed these words tell."""
        ...
