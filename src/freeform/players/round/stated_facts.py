"""Words and memory: what was stated at the table becomes facts, and a belief can be put in a
player's own words.

Facts come from what is said in the story: by a person who rules or plays, and by characters.
Players' talk of what to do is no story; when they tell a memory, that is a rehearsal or a claim
(`minds.keep`), not news. What a character says while it asks somebody is its question. Neither pass
decides anything: see `memory/talk.py`.
"""

import re
from collections.abc import Sequence

from freeform.core.errors import Unavailable
from freeform.core.llm.gateway import Call
from freeform.players.memory.model import Belief, Episode, MemoryFact
from freeform.players.memory.testimony import (
    REMEMBER,
    REWORD,
    RewordInput,
    RewordReply,
    TalkFacts,
    TalkInput,
    facts_of_talk,
    reworded,
)
from freeform.players.mind.deeds import deed_in
from freeform.players.model import Party, Seat, TableView
from freeform.players.ports import AgentJob, AgentRunner
from freeform.players.round.minds import memory_day
from freeform.players.round.options import kind_of
from freeform.players.round.phase import Playing
from freeform.players.round.state import RoundState

GAME_MASTER = "The game master"
_LONGEST = 1_500
_NUMBER = re.compile(r"\d")


async def facts_from_talk(
    state: RoundState, playing: Playing
) -> tuple[list[MemoryFact], list[str]]:
    """The facts that were stated in this round's story, with notes on what failed. Asked and kept
    once."""
    round, session = state["round"], state["session"]
    names = _names(state, playing)
    said = {
        key: TalkInput(speaker=speaker, text=text[:_LONGEST], names=names)
        for key, speaker, text in _statements(state, playing)
        if _says_something(text, speaker, names)
    }
    if not said:
        return [], []
    answers, notes = await playing.ask(round, "memory_storage", REMEMBER, said)
    day = memory_day(state["day"], session)
    found: list[MemoryFact] = []
    for key, reply in answers.items():
        rows = TalkFacts(
            facts=[r for r in reply.facts if _says_something(r.text, said[key].speaker, names)]
        )
        found += facts_of_talk(
            rows, said[key], id=f"r{round}.{key}.talk", day=day, episode=Episode(session=session)
        )
    return found, notes


async def in_own_words(
    party: Party, seat: Seat, beliefs: Sequence[Belief], crew: AgentRunner
) -> dict[str, str]:
    """Each belief as this player would say it, by fact. An answer that changes a detail is thrown
    away."""
    voice = f"{seat.persona.name}. {seat.persona.voice}".strip()
    jobs = [
        AgentJob(
            REWORD.id,
            RewordInput(believed=belief.believed, confidence=belief.confidence, voice=voice),
            Call(
                campaign=party.campaign,
                turn_no=0,
                seed=f"{party.seed}/players/reword/{seat.agent}/{belief.fact_id}",
            ),
        )
        for belief in beliefs
    ]
    done = await crew.ask_all(jobs) if jobs else []
    if done and all(one.output is None for one in done):
        raise Unavailable(f"nobody could put it in other words: {done[0].failed}")
    return {
        belief.fact_id: belief.believed
        if one.output is None
        else reworded(belief, RewordReply(**one.output))
        for belief, one in zip(beliefs, done, strict=True)
    }


def _statements(state: RoundState, playing: Playing) -> list[tuple[str, str, str]]:
    """What was said in the story this round: a key, who said it, and the words."""
    party, found = playing.party, list[tuple[str, str, str]]()
    if playing.dm == "human":
        if state["scene"] and "dm_narration" in state["phases"]:
            found.append(("dm.scene", GAME_MASTER, state["scene"]))
        found += [
            (f"dm.{agent}", GAME_MASTER, ruling["text"])
            for agent, ruling in state["rulings"].items()
        ]
    for row in state["ooc"]:
        if party.seat(row["agent"]).person:
            found.append((f"{row['agent']}.{row['round']}", row["name"], row["content"]))
    for agent in state["order"]:
        seat, action = party.seat(agent), state["actions"][agent]
        asks = kind_of(state["chosen"].get(agent) or deed_in(action["intent"])) in ("ask", "talk")
        words = [action["dialogue"] if not asks else "", state["reactions"].get(agent, "")]
        if text := " ".join(part for part in words if part):
            found.append((f"{agent}.said", seat.character.name, text))
    return found


def _says_something(text: str, speaker: str, names: Sequence[str]) -> bool:
    """Whether words are about somebody or something of the story, or give a number: the rest is
    manner. What a game master tells is the story, and may name people nobody has heard of."""
    if speaker == GAME_MASTER:
        return bool(text.strip())
    return bool(_NUMBER.search(text)) or any(name in text for name in names if name not in speaker)


def _names(state: RoundState, playing: Playing) -> list[str]:
    table = TableView.model_validate(state["table"])
    things = {option.who for option in table.options} | {option.topic for option in table.options}
    proper = {name for name in things if name[:1].isupper()}
    everyone = {
        *table.names,
        *table.people,
        *proper,
        *(seat.character.name for seat in playing.party.seats),
    }
    return sorted(name for name in everyone if len(name) > 2)
