"""Who holds what at the end of a discussion among several choices: what was put forward, and who
came round to it."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from freeform.players.model import ConsensusState
from freeform.players.words.stances import adopts, objects

Named = Callable[[str], tuple[str, int]]
"""The choice that words put forward ('' for none), and how decidedly: 0 is just enough, below it is
only talk."""
CARRIED = 3
"""So many others behind a proposal carry along whoever spoke afterwards and did not object. Tuned,
see docs/players.md."""


def follow(messages: Sequence[tuple[str, str]], named: Named) -> dict[str, str]:
    """The choice each speaker stands by in the end; '' for someone who never took one."""
    held: dict[str, str] = {who: "" for who, _ in messages}
    since: dict[str, int] = {}
    spoke: dict[str, int] = {}
    choice, owner, begun, behind = "", "", -1, 0
    for at, (who, text) in enumerate(messages):
        spoke[who] = at
        new, decided = named(text)
        if new and decided >= 0:
            if new != choice:
                choice, owner, begun, behind = new, who, at, 0
            elif who != owner:
                behind += 1
            held[who], since[who] = new, at
        elif choice and adopts(text) and not objects(text):
            behind += who != owner
            held[who], since[who] = choice, at
    for who in held:
        if choice and behind >= CARRIED and since.get(who, -1) < begun < spoke[who]:
            held[who] = choice
    return held


def agreement(held: Mapping[str, str]) -> ConsensusState:
    """All of one mind, more than half, or neither. Whoever took no choice goes along with most."""
    counts = Counter(choice for choice in held.values() if choice)
    most = max(counts.values(), default=0) + sum(not choice for choice in held.values())
    if most == len(held):
        return ConsensusState.UNANIMOUS
    return ConsensusState.MAJORITY if most > len(held) / 2 else ConsensusState.CONFLICTED
