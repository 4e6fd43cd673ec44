"""Who holds what at the end of a discussion: what was put forward, who came round to it, who spoke
against it. Play and the evaluation follow talk with the same code."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from freeform.players.model import ConsensusState, Stance
from freeform.players.words.stances import Read, read_stance

Named = Callable[[str], tuple[str, int]]
"""The choice that words put forward ('' for none), and how decidedly: 0 is just enough, below it is
only talk."""
CARRIED = 3
"""So many others behind a proposal carry along whoever spoke afterwards and did not object. Chosen
on DeliData's training half, see docs/players.md."""


@dataclass(frozen=True)
class Held:
    """What a speaker stands by, and the last that was read of them about what is on the table."""

    choice: str = ""
    since: int = -1
    spoke: int = -1
    read: Read | None = None


def follow(
    messages: Sequence[tuple[str, str]], named: Named, on_the_table: str = ""
) -> dict[str, Held]:
    """What each speaker stands by in the end; choice '' for someone who never took one."""
    held: dict[str, Held] = {who: Held() for who, _ in messages}
    choice, owner, begun, behind = on_the_table, "", -1, 0
    for at, (who, text) in enumerate(messages):
        now = held[who]
        new, decided = named(text)
        if new and decided >= 0:
            if new != choice:
                choice, owner, begun, behind = new, who, at, 0
            elif who != owner:
                behind += 1
            held[who] = Held(new, at, at, Read(Stance.AGREE, 1.0))
            continue
        read = read_stance(text, choice) if choice else None
        if read and read.stance is Stance.AGREE:
            behind += who != owner
            held[who] = Held(choice, at, at, read)
        elif read and read.stance is Stance.DISAGREE:
            held[who] = Held("" if now.choice == choice else now.choice, now.since, at, read)
        else:
            held[who] = Held(now.choice, now.since, at, now.read or read)
    return {who: _carried(one, choice, begun, behind) for who, one in held.items()}


def stances(
    messages: Sequence[tuple[str, str]], players: Sequence[str], proposal: str
) -> dict[str, Read]:
    """Where each player stands to the proposal: the last clear word counts, whoever said only
    unclear things is neutral, whoever said nothing is silent."""
    spoken = [(who, text) for who, text in messages if text.strip()]
    held = follow(spoken, lambda text: ("", -1), proposal)
    found: dict[str, Read] = {}
    for player in players:
        if player not in held:
            found[player] = Read(Stance.SILENT, 1.0)
        else:
            found[player] = held[player].read or Read(Stance.NEUTRAL, 1.0)
    return found


def _carried(one: Held, choice: str, begun: int, behind: int) -> Held:
    """Whoever heard many come round, spoke since, and said nothing against it, goes along."""
    objects = one.read is not None and one.read.stance is Stance.DISAGREE
    if choice and behind >= CARRIED and one.since < begun < one.spoke and not objects:
        return Held(choice, one.since, one.spoke, one.read)
    return one


def agreement(choices: Mapping[str, str]) -> ConsensusState:
    """All of one mind, more than half, or neither. Whoever took no choice goes along with most."""
    counts = Counter(choice for choice in choices.values() if choice)
    most = max(counts.values(), default=0) + sum(not choice for choice in choices.values())
    if most == len(choices):
        return ConsensusState.UNANIMOUS
    return ConsensusState.MAJORITY if most > len(choices) / 2 else ConsensusState.CONFLICTED
