"""What the graph carries from phase to phase of one round: plain data, made anew for each round, so
it never grows."""

from typing import Any, TypedDict


class RoundState(TypedDict):
    """The state of a round, as it is checkpointed."""

    round: int
    session: int
    phases: list[str]
    notes: list[str]
    scene: str
    retold: str
    """The scene, saying to whom each part of it was told."""
    table: dict[str, Any]
    memories: dict[str, list[dict[str, Any]]]
    minds: dict[str, dict[str, Any]]
    """What is on each player's mind: derived, so that it can be looked at."""
    said_before: dict[str, list[str]]
    swayed: list[dict[str, Any]]
    """Where a wrong memory has changed what whoever speaks first leans to."""
    over: str
    """How the story ended, once it has."""
    lost: list[str]
    helping: dict[str, str]
    heard: dict[str, list[dict[str, Any]]]
    talk: list[dict[str, Any]]
    ooc: list[dict[str, Any]]
    talk_round: int
    talk_seconds: float
    proposal: dict[str, Any]
    taken: dict[str, str]
    consensus: dict[str, Any]
    directives: dict[str, str]
    chosen: dict[str, str]
    actions: dict[str, dict[str, Any]]
    attempt: int
    refused: dict[str, list[str]]
    better: dict[str, str]
    validation: dict[str, dict[str, Any]]
    order: list[str]
    rulings: dict[str, dict[str, Any]]
    reactions: dict[str, str]
    learnt: list[dict[str, Any]]
    stored: dict[str, int]
    place: str
    day: float


def fresh(round: int, session: int) -> RoundState:
    """A round before its first phase."""
    return RoundState(
        round=round, session=session, phases=[], notes=[], scene="", retold="", table={}, memories={}, minds={}, said_before={}, swayed=[], over="", lost=[],
        helping={}, heard={}, talk=[],
        ooc=[], talk_round=0, talk_seconds=0.0, proposal={}, taken={}, consensus={}, directives={}, chosen={}, actions={},
        attempt=0, refused={}, better={}, validation={}, order=[], rulings={}, reactions={}, learnt=[], stored={},
        place="", day=1.0,
    )  # fmt: skip
