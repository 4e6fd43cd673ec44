"""What a party's evening came to: the ending, what was solved and learnt, and how they talked, as
one flat row.

Every measure is read from the rounds as they are kept, so a run of years ago, a run with a model
and a run with people are measured alike.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from freeform.core.record import Record
from freeform.core.text import plain_form
from freeform.language.inflection import lemma
from freeform.language.sentences import sentences
from freeform.language.words import telling_words
from freeform.players.mind.deeds import deed_in
from freeform.players.model import ConsensusState, RoundRecord

LINE_WORDS = 3
"""A sentence of fewer words is no line that one would notice twice."""
_CONTENT_LETTERS = 3


class RunOutcome(Record):
    """One run, measured. Shares are from 0 to 1; a share of nothing is 0."""

    ending: str = ""
    """The id of the ending the story came to; '' while it goes on."""
    ending_title: str = ""
    ended_round: int = 0
    rounds_after_end: int = 0
    threads_resolved: int = 0
    threads_failed: int = 0
    facts: int = 0
    """Things learnt: each once."""
    facts_per_turn: float = 0.0
    announced: int = 0
    say_do: float = 0.0
    """Of those who said what they would do, how many did it."""
    unanimous_rounds: float = 0.0
    votes: int = 0
    dissent: int = 0
    """Rounds that ended with somebody against."""
    disputes: int = 0
    """Memories that somebody at the table contradicted."""
    uptake: float = 0.0
    """Of the utterances that answer others, how many take up something another one said."""
    repeated: float = 0.0
    """Of the sentences said, how many had been said before in the run."""
    joint: int = 0
    """Deeds done to help another's."""


def outcome_of(rounds: Sequence[RoundRecord]) -> RunOutcome:
    """The row of a run."""
    ending, title, ended = _ending(rounds)
    threads = _threads(rounds)
    learnt = {id for record in rounds for id in _learnt(record)}
    turns = sum(len(record.rulings) for record in rounds)
    kept = [pair for record in rounds for pair in _said_and_done(record)]
    talked = [record for record in rounds if record.consensus.positions]
    unanimous = sum(r.consensus.state is ConsensusState.UNANIMOUS for r in talked)
    uptakes = [taken for record in rounds for taken in _uptakes(record)]
    lines = list(_lines(rounds))
    return RunOutcome(
        ending=ending,
        ending_title=title,
        ended_round=ended,
        rounds_after_end=sum(record.round > ended for record in talked) if ended else 0,
        threads_resolved=sum(status == "resolved" for status in threads.values()),
        threads_failed=sum(status == "failed" for status in threads.values()),
        facts=len(learnt),
        facts_per_turn=_share(len(learnt), turns),
        announced=len(kept),
        say_do=_share(sum(kept), len(kept)),
        unanimous_rounds=_share(unanimous, len(talked)),
        votes=sum("vote" in record.phases for record in rounds),
        dissent=sum(bool(record.consensus.dissent) for record in rounds),
        disputes=sum(bool(row.get("disputes")) for record in rounds for row in record.ooc),
        uptake=_share(sum(uptakes), len(uptakes)),
        repeated=_share(len(lines) - len(set(lines)), len(lines)),
        joint=sum(len(record.helping) for record in rounds),
    )


def deeds_done(rounds: Sequence[RoundRecord]) -> list[tuple[int, str, str]]:
    """Round, agent and deed of every attempt, to lay two runs side by side."""
    return [
        (record.round, agent, plain_form(deed_in(record.actions[agent].intent)))
        for record in rounds
        for agent in record.order
        if record.actions[agent].intent
    ]


def _ending(rounds: Sequence[RoundRecord]) -> tuple[str, str, int]:
    for record in rounds:
        for event in _events(record):
            if event.get("type") == "ending":
                return str(event.get("id", "")), str(event.get("title", "")), record.round
    return "", "", 0


def _threads(rounds: Sequence[RoundRecord]) -> dict[str, str]:
    """How each question of the story stood last."""
    changed = [event for record in rounds for event in _events(record)]
    return {
        str(event.get("id", "")): str(event.get("status", ""))
        for event in changed
        if event.get("type") == "thread_changed"
    }


def _learnt(record: RoundRecord) -> Iterator[str]:
    for event in _events(record):
        if event.get("type") == "fact_learned":
            yield str(event.get("fact_id") or event.get("id") or event.get("text", ""))


def _events(record: RoundRecord) -> Iterator[dict[str, Any]]:
    for agent in record.order:
        if agent in record.rulings:
            yield from record.rulings[agent].events


def _said_and_done(record: RoundRecord) -> Iterator[bool]:
    """For each who said what they would do: whether they did it."""
    last: dict[str, str] = {}
    for row in record.ooc:
        announced = str(row.get("mine") or row["proposes"])
        if announced:
            last[row["agent"]] = announced
    for agent, announced in last.items():
        if agent in record.actions:
            done = plain_form(deed_in(record.actions[agent].intent))
            yield done.startswith(plain_form(announced).rstrip(" ."))


def _uptakes(record: RoundRecord) -> Iterator[bool]:
    """For each utterance after the first: whether it has a word of somebody else's, names of players apart."""
    said: list[tuple[str, frozenset[str]]] = []
    for row in record.ooc:
        content = _content(row["content"])
        others: set[str] = set()
        for name, words in said:
            if name != row["name"]:
                others |= words
        if others:
            yield bool(content & others)
        said.append((row["name"], content - _content(_names(record))))


def _names(record: RoundRecord) -> str:
    """Who sits at the table: to say a name is no answer yet."""
    return " ".join({row["name"] for row in record.ooc})


def _content(text: str) -> frozenset[str]:
    weighty = (word for word in telling_words(text, "talk") if len(word) >= _CONTENT_LETTERS)
    return frozenset(map(lemma, weighty))


def _lines(rounds: Sequence[RoundRecord]) -> Iterator[str]:
    """Every sentence said by players and characters, as it would strike one who heard it before."""
    for record in rounds:
        said = [row["content"] for row in record.ooc]
        said += [action.dialogue for action in record.actions.values()]
        said += record.reactions.values()
        for text in said:
            for sentence in sentences(text):
                if len(sentence.split()) >= LINE_WORDS:
                    yield plain_form(sentence)


def default_ending(waited: Sequence[RunOutcome]) -> str:
    """The ending that comes to those who do nothing: what most idle parties came to."""
    found = Counter(run.ending for run in waited if run.ending)
    return found.most_common(1)[0][0] if found else ""


def _share(part: int, whole: int) -> float:
    return round(part / whole, 4) if whole else 0.0
