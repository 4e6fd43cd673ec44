"""A ruling: what a game master says of a deed nobody authored, in the authors' own effects.

Whoever hears a player (a model, or the offline referee) may give one with an action. It is a
proposal: `rulings/check.py` holds it against hard facts, dice are rolled in the open, and what it
says becomes so like anything authored.
"""

from typing import Annotated, Any

import yaml
from pydantic import BeforeValidator, Field, ValidationError, WithJsonSchema

from freeform.core.record import Reply
from freeform.core.text import shorten
from freeform.engine.authored.script import Effect
from freeform.engine.world.costs import Costs

GUIDE = (
    "Only for a deed that is none of the offers and that would change something. "
    "{reading: what is done, in a few words; needs_roll: whether something hangs on it; stat; "
    "difficulty: 0 safe, 1 risky, 2 dangerous; advantage: -1, 0 or 1, and why: what about the way "
    "it is done; stakes; minutes; on: {success, and where dice are rolled mixed, failure, "
    "critical: {effects: [...], line: one sentence that says what became so}}}. "
    "An effect is a mapping with one key: become {subject, condition, text, turns: 0 for good}, "
    "cease [subject, condition], put {item, spot}, hand {item, source, to, qty}, join: person "
    "(who is carried or led along, or they stay behind), part: person, trust {who, delta}, "
    "promise {id, to, text, meet_in: minutes, 0 without an hour}, end_promise: id (it is kept), "
    "leave {who, to}, go: place, minutes: n, appear {id, name} (also one's own scarf), "
    "situation {id, text}, clock {id, delta: 1}, harm: n, reveal: fact id. Use ids of what is here."
)
"""What a model is told of it, beside the schema of its answer."""


def _read_effect(value: Any) -> Any:
    """An effect may come as one line of YAML."""
    if isinstance(value, str):
        try:
            return yaml.safe_load(value)
        except yaml.YAMLError as wrong:
            raise ValueError(f"an effect does not read: {shorten(value, 60)}") from wrong
    return value


class RuledOutcome(Reply):
    """What one outcome brings, and the sentence that says so."""

    effects: list[Annotated[Effect, BeforeValidator(_read_effect)]] = Field(default_factory=list)
    line: str = ""


class DeedRuling(Reply):
    """What a deed needs and what each outcome brings."""

    reading: str = ""
    needs_roll: bool = False
    stat: str = ""
    difficulty: int = 0
    advantage: int = 0
    why: str = ""
    """What about the way it is done helps or hinders; without a reason there is no advantage."""
    stakes: str = ""
    on: dict[str, RuledOutcome] = Field(default_factory=dict)
    costs: Costs = Field(default_factory=Costs)
    minutes: int = 1
    problem: str = ""
    """Why it cannot stand, where it cannot: the deed is then judged as if there were none."""
    because: str = ""
    """The id of the known fact that forbids the deed itself."""


def read_ruling(value: Any) -> Any:
    """A ruling as it was given; what does not read is kept as one that cannot stand, so that the
    rest of an answer is not lost with it."""
    if not value:
        return None
    if isinstance(value, DeedRuling):
        return value
    try:
        return DeedRuling.model_validate(value)
    except ValidationError as wrong:
        first = wrong.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        return DeedRuling(problem=shorten(f"{where}: {first['msg']}", 160))


_SHOWN: dict[str, Any] = {
    "type": "object",
    "description": GUIDE,
    "properties": {
        "reading": {"type": "string"},
        "needs_roll": {"type": "boolean"},
        "on": {"type": "object", "properties": {}, "additionalProperties": True},
    },
    "additionalProperties": True,
}
"""Open by its own word: an object of which nothing is said is shut by some libraries, and a model
held to the schema could then rule nothing."""
GivenRuling = Annotated[
    DeedRuling | None,
    BeforeValidator(read_ruling),
    WithJsonSchema({"anyOf": [_SHOWN, {"type": "null"}], "default": None}, mode="validation"),
]
