"""The first half of a round: the scene is set, players remember, talk it over, and tell their
characters what to do."""

from typing import Any

from freeform.engine.rehearsal import SuggestionTrial
from freeform.engine.table import Rules
from freeform.language.sentences import sentences
from freeform.players.mind.ideas import named_in
from freeform.players.mind.places import refused_in
from freeform.players.mind.skills import doer_of
from freeform.players.model import (
    Channel,
    Consensus,
    ConsensusState,
    Memory,
    Proposal,
    TableView,
    Waiting,
)
from freeform.players.passes import (
    DIRECTIVE,
    SUMMARY,
    TALK,
    DirectiveReply,
    HeardFact,
    PersonaInput,
    SummaryInput,
    TalkReply,
)
from freeform.players.round import brief
from freeform.players.round.channels import DM
from freeform.players.round.consensus import call_vote, nothing_new, override, settle, vote
from freeform.players.round.limits import limits_of, within_limits
from freeform.players.round.minds import Recollection
from freeform.players.round.options import kind_of, look_at_table
from freeform.players.round.phase import Playing
from freeform.players.round.state import RoundState
from freeform.players.round.thoughts import (
    believed_by,
    lately,
    minds_of,
    options_of,
    promises_in,
    said_by,
    swayed,
    thoughts_of,
    with_claims,
    with_past,
)
from freeform.players.words.choices import as_meant, next_best, same_again
from freeform.players.words.reply_repair import (
    memory_meant,
    option_meant,
    something,
    spoken,
)
from freeform.players.words.standing import (
    QUESTION,
    next_proposal,
    positions,
    speakers,
    who_does_it,
)

RECENT = 40


async def dm_narration(state: RoundState, playing: Playing) -> dict[str, Any]:
    """The scene as it stands, and what everyone can see on the table."""
    party, store, round = playing.party, playing.table.store, state["round"]
    begun = await store.begun(party.campaign)
    last = await playing.store.rounds(party.id, round - 1, round - 1) if round > 1 else []
    scene = last[0].narration if last else begun.opening
    if playing.dm == "human" and (not last or last[0].session != state["session"]):
        asked = Waiting(
            round=round, phase="dm_narration", who=DM, question="Set the scene.", default=scene
        )
        scene = (await playing.person(asked)).strip() or scene
    if not last or scene != last[0].narration:
        await playing.say(round, "dm_narration", DM, Channel.IC, scene)
    now = await store.get_state(party.campaign)
    recent = await store.recent(party.campaign, RECENT)
    rulings = [last[0].rulings[a] for a in last[0].order if a in last[0].rulings] if last else []
    offered = rulings[-1].suggested if rulings else begun.suggested_actions if round == 1 else []
    rules, tried = Rules.of(begun).knowing(now), await playing.store.tried(party.id)
    ear = None if playing.table.authored else playing.table.ear
    offered = SuggestionTrial(ear, now, rules, recent).choose(offered)
    before = await lately(playing, round)
    refused = refused_in(before, tried, round)
    view = look_at_table(now, rules, recent, tried, offered, refused)
    view = with_past(view, party.seats, before, rules.system, tried)
    if playing.dm == "human":
        view = view.model_copy(update={"options": [*named_in(scene), *view.options]})
    retold = brief.retold(party, last[0] if last else None, scene)
    return _went("dm_narration", state) | {
        "scene": scene,
        "retold": retold,
        "table": view.model_dump(mode="json"),
    }


async def memory_query(state: RoundState, playing: Playing) -> dict[str, Any]:
    """What each player remembers of what lies before them, right or wrong; and what it heard, cut
    to fit."""
    party, round, table = playing.party, state["round"], _table(state)
    memories, heard, long = {}, {}, dict[str, list[HeardFact]]()
    recalled: dict[str, Recollection] = {}
    since = await _night_began(playing, round, state["session"])
    matters = [table.place, *table.people, *table.threads, *table.found, *table.things[:6]]
    about = " ".join([*matters, *(o.topic for o in table.options[:8])])
    for agent in playing.agents:
        found = await playing.minds.recall(party, party.seat(agent), about, table, state["session"])
        recalled[agent] = found
        memories[agent] = [memory.model_dump(mode="json") for memory in found.memories]
        heard[agent] = await brief.persona_heard(party, agent, playing.router, round, since)
        if over := brief.overflow(heard[agent]):
            long[agent] = heard[agent][:over]
    notes: list[str] = []
    if long:
        # Players hear the same, so one summary does for all of them.
        first = {
            agent: next(a for a, words in long.items() if words == long[agent]) for agent in long
        }
        asked = {
            a: SummaryInput(listener="the players", messages=long[a])
            for a in dict.fromkeys(first.values())
        }
        short, notes = await playing.ask(round, "memory_query", SUMMARY, asked)
        for agent, words in long.items():
            summary = something(short[first[agent]].summary) if first[agent] in short else ""
            heard[agent] = [
                *([brief.gist(summary)] if summary else []),
                *heard[agent][len(words) :],
            ]
    plain = {agent: [h.model_dump(mode="json") for h in all] for agent, all in heard.items()}
    recent = await lately(playing, round)
    minds = minds_of(playing, round, table, recalled)
    led = swayed(playing, round, table, recalled, minds)
    promised = promises_in(recent)
    thought = {a: m.model_copy(update={"promises": promised}) for a, m in minds.items()}
    return _went("memory_query", state, notes) | {
        "memories": memories,
        "heard": plain,
        "minds": {agent: mind.model_dump(mode="json") for agent, mind in thought.items()},
        "said_before": {agent: said_by(agent, recent) for agent in playing.machines},
        "swayed": led,
    }


async def _night_began(playing: Playing, round: int, session: int) -> int:
    """The first round of this game night, as far back as anybody still has words in the ear."""
    first = max(1, round - brief.ROUNDS_HEARD)
    for number in range(first, round):  # mostly the first one tells: nights are longer than ears
        if [r.session for r in await playing.store.rounds(playing.party.id, number, number)] == [
            session
        ]:
            return number
    return round


async def ooc_discussion(state: RoundState, playing: Playing) -> dict[str, Any]:
    """One round of talk. Whoever has the word first puts something forward; the others answer it
    and each other, one after another."""
    party, round, start = playing.party, state["round"], playing.clock.ticks()
    turn = state["talk_round"] + 1
    phase = f"ooc_discussion/{turn}"
    proposal = Proposal.model_validate(state["proposal"])
    talk = [HeardFact.model_validate(row) for row in state["talk"]]
    taken, table = dict(state["taken"]), _table(state)
    limits = await limits_of(table, playing)
    rows, notes = list(state["ooc"]), []
    order = speakers(playing, round)
    waves = [[agent] for agent in order]  # each has heard those before it
    for number, wave in enumerate(waves):
        inputs = {
            a: _persona_input(state, playing, a, table, talk, proposal, turn, taken) for a in wave
        }
        said, failed = await _talk(playing, round, f"{phase}/{number}", inputs, proposal)
        notes += failed
        for agent in wave:
            reply, name = said.get(agent), party.seat(agent).persona.name
            words = spoken(reply.content, name) if reply else ""
            if not party.seat(agent).person:
                words = within_limits(words, limits)
            if reply is None or not words:
                continue
            message = await playing.say(
                round, "ooc_discussion", agent, Channel.OOC, words, f"{turn}"
            )
            talk.append(HeardFact(who=name, said=message.content))
            known = [*options_of(state, agent), proposal.option]
            proposes, mine = (
                option if limits.allows(option := option_meant(said, known)) else ""
                for said in (reply.proposes, reply.mine)
            )
            told = memory_meant(reply.said_memory, state["memories"].get(agent, []))
            rows.append({"round": turn, "agent": agent, "name": name, "content": message.content,
                         "proposes": proposes, "mine": mine, "memory": told,
                         "believed": believed_by(state, agent, told), "disputes": reply.disputes})  # fmt: skip
            state = {**state, "ooc": rows, "memories": await with_claims(state, playing, told)}
            if proposes and not proposal.option:
                proposal = Proposal(by=agent, option=proposes, kind=kind_of(proposes))
            others = [what for who, what in taken.items() if who != agent]
            if mine and others.count(mine) <= (mine == proposal.option):
                taken[agent] = mine
    stand = positions(playing, proposal, rows, turn)
    spent = state["talk_seconds"] + max(0.0, playing.clock.ticks() - start)
    question = f"Do we {_small(proposal.option)}?" if proposal.option else QUESTION
    settled = settle(question, proposal, stand, turn, spent)
    if nothing_new(rows, turn):
        settled = call_vote(settled)
    if settled.state is ConsensusState.CONFLICTED:
        proposal = next_proposal(proposal, rows, turn)
    return _went("ooc_discussion", state, notes) | {
        "talk": [h.model_dump(mode="json") for h in talk],
        "ooc": rows,
        "memories": state["memories"],
        "taken": taken,
        "proposal": proposal.model_dump(mode="json"),
        "talk_round": turn,
        "talk_seconds": spent,
        "consensus": settled.model_dump(mode="json"),
    }


async def force_vote(state: RoundState, playing: Playing) -> dict[str, Any]:
    """Time is up: a vote, which a human game master may overrule."""
    voted = vote(Consensus.model_validate(state["consensus"]))
    if playing.dm == "human":
        asked = Waiting(
            round=state["round"], phase="vote", who=DM, default="",
            question=f"They could not agree ({voted.how}). Leave it at that (empty), or say what the party does.",
        )  # fmt: skip
        if said := (await playing.person(asked)).strip():
            voted = override(voted, said)
    return _went("vote", state) | {
        "consensus": voted.model_dump(mode="json"),
        "proposal": voted.proposal.model_dump(mode="json"),
    }


async def directives(state: RoundState, playing: Playing) -> dict[str, Any]:
    """Each player tells its own character what to attempt. Nobody else hears it."""
    round = state["round"]
    settled = Consensus.model_validate(state["consensus"])
    proposal = settled.proposal if settled.decided else Proposal()
    talk = [HeardFact.model_validate(row) for row in state["talk"]]
    taken, table = dict(state["taken"]), _table(state)
    doer = doer_of(proposal, table)
    if proposal.option and doer in playing.agents:
        if doer != proposal.by:
            taken.pop(proposal.by, None)
        taken[doer] = proposal.option
    chosen: dict[str, DirectiveReply] = {}
    notes: list[str] = []
    limits = await limits_of(table, playing)
    waiting = list(playing.machines)
    for again in range(
        3 if playing.crew.scripted else 1
    ):  # a model is asked once, and code decides
        inputs = {}
        for agent in waiting:
            others = {a: o for a, o in taken.items() if a != agent}
            given_to = _persona_input(
                state, playing, agent, table, talk, proposal, state["talk_round"], others
            )
            asked = who_does_it(playing, proposal, doer)
            inputs[agent] = given_to.model_copy(update={"question": asked})
        given, failed = await playing.ask(round, f"directives/{again}", DIRECTIVE, inputs)
        notes += failed
        for agent, reply in given.items():
            known = [*options_of(state, agent), proposal.option]
            chosen[agent] = as_meant(reply, known, limits)
        waiting = same_again(chosen, waiting, taken, proposal.option)
        if not waiting:
            break
    for agent in waiting:
        chosen[agent] = next_best(state["minds"].get(agent, {}), taken)
        taken[agent] = chosen[agent].option
    said = {}
    for agent in playing.machines:
        if agent in chosen and chosen[agent].directive.strip():
            message = await playing.say(
                round, "directives", agent, Channel.P2C, chosen[agent].directive
            )
            said[agent] = message.content
    options = {agent: chosen[agent].option for agent in said}
    helping = {
        agent: doer
        for agent, option in options.items()
        if option and option == proposal.option and agent != doer
    }
    return _went("directives", state, notes) | {
        "directives": said,
        "chosen": options,
        "helping": helping,
    }


async def epilogue(state: RoundState, playing: Playing) -> dict[str, Any]:
    """The story is over: each player says a last word on it, and nobody proposes anything."""
    party, round, table = playing.party, state["round"], _table(state)
    inputs = {
        agent: _persona_input(state, playing, agent, table, [], Proposal(), 1, {})
        for agent in playing.machines
    }
    given, notes = await playing.ask(round, "epilogue", TALK, inputs)
    rows, limits = list(state["ooc"]), await limits_of(table, playing)
    for agent, reply in given.items():
        name = party.seat(agent).persona.name
        words = within_limits(spoken(reply.content, name), limits)
        if not words:
            continue
        message = await playing.say(round, "epilogue", agent, Channel.OOC, words)
        rows.append({"round": state["talk_round"] + 1, "agent": agent, "name": name, "content": message.content,
                     "proposes": "", "mine": "", "memory": "", "believed": "", "disputes": ""})  # fmt: skip
    return _went("epilogue", state, notes) | {"ooc": rows}


async def _talk(
    playing: Playing, round: int, phase: str, inputs: dict[str, PersonaInput], proposal: Proposal
) -> tuple[dict[str, TalkReply], list[str]]:
    people = [a for a in inputs if playing.party.seat(a).person]
    said, notes = await playing.ask(
        round, phase, TALK, {a: i for a, i in inputs.items() if a not in people}
    )
    for agent in people:
        shown = inputs[agent]
        plan = f" Proposed: {proposal.option}." if proposal.option else ""
        asked = Waiting(
            round=round, phase=phase, who=agent, options=[o.text for o in shown.table.options[:6]],
            question=f"What do you say to the others? Empty says nothing.{plan}",
        )  # fmt: skip
        words = (await playing.person(asked)).strip()
        puts = (sentences(words) or [""])[0] if not proposal.option else ""
        said[agent] = TalkReply(content=words, proposes=puts)
    return said, notes


def _persona_input(
    state: RoundState,
    playing: Playing,
    agent: str,
    table: TableView,
    talk: list[HeardFact],
    proposal: Proposal,
    turn: int,
    taken: dict[str, str],
) -> PersonaInput:
    named = {
        playing.party.seat(a).persona.name if a in playing.agents else a: o
        for a, o in taken.items()
        if a != agent
    }
    return brief.persona_input(
        playing.party,
        agent,
        table,
        [Memory.model_validate(row) for row in state["memories"].get(agent, [])],
        [HeardFact.model_validate(row) for row in state["heard"].get(agent, [])],
        talk,
        QUESTION,
        proposal,
        turn,
        named,
        thoughts_of(state, playing, agent),
    )


def _table(state: RoundState) -> TableView:
    return TableView.model_validate(state["table"])


def _small(text: str) -> str:
    return text[:1].lower() + text[1:]


def _went(phase: str, state: RoundState, notes: list[str] | None = None) -> dict[str, Any]:
    return {"phases": [*state["phases"], phase], "notes": [*state["notes"], *(notes or [])]}
