"""The round as a LangGraph: nodes are the steps, edges are here, every phase is checkpointed.

dm_narration ─ memory_query ─ ooc_discussion ─┬─ directives ─ character_action ─ validation ─┬─
dm_adjudication ─┐
                                ↺ conflicted  └─ vote ─┘            ↺ refused, up to 3 times └─ repair ─┘        │
                                              memory_storage ─ (epilogue) ─ character_reaction ──┘
"""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

from freeform.players.model import ConsensusState, Waiting
from freeform.players.round import steps_act, steps_talk
from freeform.players.round.phase import Playing
from freeform.players.round.state import RoundState

if TYPE_CHECKING:
    from langgraph.graph.state import CompiledStateGraph

Step = Callable[[RoundState, Playing], Awaitable[dict[str, Any]]]
STEPS: dict[str, Step] = {
    "dm_narration": steps_talk.dm_narration,
    "memory_query": steps_talk.memory_query,
    "ooc_discussion": steps_talk.ooc_discussion,
    "vote": steps_talk.force_vote,
    "directives": steps_talk.directives,
    "character_action": steps_act.character_action,
    "validation": steps_act.validation,
    "repair": steps_act.repair_action,
    "dm_adjudication": steps_act.dm_adjudication,
    "character_reaction": steps_act.character_reaction,
    "epilogue": steps_talk.epilogue,
    "memory_storage": steps_act.memory_storage,
}


def after_talk(state: RoundState) -> Literal["proceed", "continue", "vote"]:
    """Agreed: on. Time is up: a vote. Else they talk on."""
    match ConsensusState(state["consensus"]["state"]):
        case ConsensusState.UNANIMOUS | ConsensusState.MAJORITY:
            return "proceed"
        case ConsensusState.TIMEOUT:
            return "vote"
        case ConsensusState.CONFLICTED:
            return "continue"


def after_check(state: RoundState) -> Literal["valid", "retry", "fail"]:
    """All well: to the game master. Refused: once more, stricter. Three times refused: repaired."""
    if not state["refused"]:
        return "valid"
    return "retry" if state["attempt"] < steps_act.ATTEMPTS else "fail"


def after_reaction(state: RoundState) -> Literal["on", "over"]:
    """When the story has ended the players say a last word."""
    return "over" if state["over"] else "on"


def build(playing: Playing, saver: Any) -> "CompiledStateGraph[Any, Any, Any, Any]":
    """The graph over that saver. LangGraph takes seconds to import, so it is imported only here."""
    from langgraph.graph import END, START, StateGraph
    from langgraph.types import interrupt

    def stop(waiting: Waiting) -> None:
        interrupt(waiting.model_dump(mode="json"))

    at_work = replace(playing, ask_person=stop)
    graph: Any = StateGraph(RoundState)
    for name, step in STEPS.items():
        graph.add_node(name, _node(name, step, at_work))
    graph.add_edge(START, "dm_narration")
    graph.add_edge("dm_narration", "memory_query")
    graph.add_edge("memory_query", "ooc_discussion")
    graph.add_conditional_edges(
        "ooc_discussion",
        _edge(after_talk),
        {"proceed": "directives", "continue": "ooc_discussion", "vote": "vote"},
    )
    graph.add_edge("vote", "directives")
    graph.add_edge("directives", "character_action")
    graph.add_edge("character_action", "validation")
    graph.add_conditional_edges(
        "validation",
        _edge(after_check),
        {"valid": "dm_adjudication", "retry": "character_action", "fail": "repair"},
    )
    graph.add_edge("repair", "dm_adjudication")
    graph.add_edge("dm_adjudication", "character_reaction")
    graph.add_conditional_edges(
        "character_reaction", _edge(after_reaction), {"on": "memory_storage", "over": "epilogue"}
    )
    graph.add_edge("epilogue", "memory_storage")
    graph.add_edge("memory_storage", END)
    compiled: CompiledStateGraph[Any, Any, Any, Any] = graph.compile(checkpointer=saver)
    return compiled


def _edge(choose: Callable[[RoundState], str]) -> Callable[[RoundState], Awaitable[str]]:
    """As LangGraph wants it: a plain function it would hand to a thread."""

    async def edge(state: RoundState) -> str:
        return choose(state)

    return edge


def _node(
    name: str, step: Step, playing: Playing
) -> Callable[[RoundState], Awaitable[dict[str, Any]]]:
    async def node(state: RoundState) -> dict[str, Any]:
        with playing.span(name, {"party": playing.party.id, "round": state["round"]}):
            came = await step(state, playing)
        playing.show(name, {"round": state["round"], **came})
        return came

    return node


async def run(
    graph: "CompiledStateGraph[Any, Any, Any, Any]", thread: str, start: RoundState | None
) -> dict[str, Any]:
    """Plays a thread to its end or to the next question for a person, and says where it stands
    then; `start` None goes on where it stopped."""
    from langgraph.types import Command

    config: Any = {"configurable": {"thread_id": thread}, "recursion_limit": 60}
    given: Any = start
    if start is None:
        state = await graph.aget_state(config)
        given = Command(resume=True) if any(task.interrupts for task in state.tasks) else None
    values = await graph.ainvoke(given, config, durability="sync")
    asked = [interrupt.value for interrupt in values.pop("__interrupt__", ())]
    return {"values": values, "next": [], "waiting": asked[0] if asked else None}


async def standing(graph: "CompiledStateGraph[Any, Any, Any, Any]", thread: str) -> dict[str, Any]:
    """Where a thread stands: its `values`, which phases are `next`, and what it is `waiting`
    for."""
    config: Any = {"configurable": {"thread_id": thread}}
    state = await graph.aget_state(config)
    asked = [interrupt.value for task in state.tasks for interrupt in task.interrupts]
    return {
        "values": state.values,
        "next": list(state.next),
        "waiting": asked[0] if asked else None,
    }
