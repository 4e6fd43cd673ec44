"""READ THIS FIRST. One piece of research: a plan, checked; its steps, run and kept; an answer,
cited.

    question ──> planner (pass) ──> check ──> StateTracker ⇄ ExecutionEngine ⇄ tools
                    ↑ once, when a step comes back empty        │ every item kept as it is done
                                                                ▼
                              answer <── synthesizer (pass) <── gather: tables, notes, sources, what
                              is missing

A plan that does not hold is shown its problems once; then the offline planner's stands in. A crash
loses the items that were being looked up and no other. A budget that is spent ends in a cited
answer to what was found.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from freeform.assistant.ask import CITED, numbers_in
from freeform.assistant.research.check import problems, tidied
from freeform.assistant.research.execute import ExecutionEngine, Spent, StepLimits, Tell
from freeform.assistant.research.gather import gather
from freeform.assistant.research.model import Plan, PlannedStep, ResearchState, Step
from freeform.assistant.research.passes import (
    PLANNER,
    SYNTHESIZER,
    ResearchPlannerInput,
    ToolDescription,
)
from freeform.assistant.research.ports import ResearchStore, Tool
from freeform.assistant.research.track import StateTracker
from freeform.core.clock import Clock
from freeform.core.errors import UserError
from freeform.core.ids import Ids
from freeform.core.llm.gateway import Call, Gateway, Usage
from freeform.core.text import MAX_INPUT, shorten, visible

MAX_STEPS = 8


@dataclass(frozen=True)
class ResearchPorts:
    """What research is done with. `steady` plans when the chosen model's plans do not hold."""

    gateway: Gateway
    steady: Gateway
    store: ResearchStore
    tools: Mapping[str, Tool]
    clock: Clock
    ids: Ids
    limits: StepLimits = field(default_factory=StepLimits)


async def research(
    question: str,
    ports: ResearchPorts,
    *,
    max_steps: int = MAX_STEPS,
    budget: int = 0,
    tell: Tell = lambda kind, told: None,
) -> ResearchState:
    """A new piece of research, done to its end."""
    asked = shorten(visible(question), MAX_INPUT)
    if not asked:
        raise UserError(
            "there is no question; ask for example: every food buff with its effect and location"
        )
    if not ports.tools:
        raise UserError("there is nothing to look in; install a pack with: pack install PATH")
    state = ResearchState(
        researchId=ports.ids.new("research"),
        originalQuery=asked,
        budget=budget,
        max_steps=max_steps,
        at=ports.clock.now().isoformat(),
    )
    await ports.store.create(state)
    tell("begun", {"researchId": state.researchId})
    return await resume(state.researchId, ports, tell=tell)


async def resume(
    research_id: str,
    ports: ResearchPorts,
    *,
    tell: Tell = lambda kind, told: None,
    budget: int | None = None,
) -> ResearchState:
    """Goes on where it stopped; what is done stays done. A finished one is given as it is."""
    async with ports.store.claim(research_id):
        tracker = StateTracker(await ports.store.load(research_id), ports.store)
        state = tracker.state
        if state.status == "COMPLETED" and not (state.partial and budget is not None):
            return state
        if budget is not None:
            await tracker.update(budget=budget, partial=False)
        if not tracker.state.plan:
            await _plan(tracker, ports, tell)
        await tracker.update(status="IN_PROGRESS")
        try:
            await ExecutionEngine(tracker, ports.tools, ports.limits, tell).run()
            if await _revise(tracker, ports, tell):
                await ExecutionEngine(tracker, ports.tools, ports.limits, tell).run()
        except Spent:
            note = "the budget was spent before everything was looked up; give more with --budget and --resume"
            await tracker.update(partial=True, notes=[*tracker.state.notes, note])
        await _answer(tracker, ports, tell)
        return tracker.state


async def _plan(tracker: StateTracker, ports: ResearchPorts, tell: Tell) -> None:
    state = tracker.state
    tools = [
        ToolDescription(name=tool.name, describes=tool.describes) for tool in ports.tools.values()
    ]
    wanted = ResearchPlannerInput(
        question=state.originalQuery, tools=tools, max_steps=state.max_steps
    )
    steps, notes, usage = await _sound_plan(wanted, state, ports)
    await tracker.update(
        plan=[Step(**step.model_dump()) for step in steps],
        notes=[*state.notes, *notes],
        usage=state.usage + usage,
    )
    tell("planned", {"plan": [step.description for step in steps]})


async def _sound_plan(
    wanted: ResearchPlannerInput, state: ResearchState, ports: ResearchPorts
) -> tuple[list[PlannedStep], list[str], Usage]:
    """A plan that can run: the model's, the model's second try, or the offline planner's."""
    usage = Usage()
    for attempt in range(2):
        said = await ports.gateway.ask(PLANNER, wanted, _call(state, f"plan{attempt}"))
        usage += said.usage
        plan = tidied(said.output.plan)
        wrong = problems(plan, ports.tools, wanted.max_steps)
        if not wrong:
            notes = [said.degraded] if said.degraded else []
            return plan, [*notes, *_left_out(said.output, wanted.max_steps)], usage
        wanted = wanted.model_copy(update={"problems": wrong, "refused": plan})
    plain = wanted.model_copy(update={"problems": [], "refused": []})
    steady: Plan = (await ports.steady.ask(PLANNER, plain, _call(state, "steady"))).output
    if wrong := problems(steady.plan, ports.tools, wanted.max_steps):
        raise UserError(f"no plan holds for this question: {wrong[0]}; ask it in simpler words")
    notes = ["the model's plans did not hold, so a plain one was made"]
    return steady.plan, [*notes, *_left_out(steady, wanted.max_steps)], usage


def _left_out(plan: Plan, most: int) -> list[str]:
    """What a plan had no room for, said."""
    return [
        f"not looked up, since a plan has at most {most} steps (--max-steps): {leg}"
        for leg in plan.left_out
    ]


async def _revise(tracker: StateTracker, ports: ResearchPorts, tell: Tell) -> bool:
    """Once, when steps came back with nothing: another way to look for that. True when there is
    more to run."""
    state = tracker.state
    empty = [step for step in state.plan if not any(done.found for done in step.items.values())]
    if state.revised or not empty:
        return False
    await tracker.update(revised=True)
    tools = [
        ToolDescription(name=tool.name, describes=tool.describes) for tool in ports.tools.values()
    ]
    came_back = [
        f"step {s.stepId} ({s.tool}: {s.parameters.get('query', '')}) -> {s.output_key}: "
        + (
            f"{len(tracker.found(s.stepId))} found"
            if s not in empty
            else "failed"
            if s.status == "FAILED"
            else "nothing"
        )
        for s in state.plan
    ]
    wanted = ResearchPlannerInput(
        question=state.originalQuery, tools=tools, max_steps=state.max_steps, came_back=came_back,
        refused=[PlannedStep(**step.model_dump()) for step in empty],
    )  # fmt: skip
    said = await ports.gateway.ask(PLANNER, wanted, _call(state, "revise"))
    usage = said.usage
    before, again = {old.stepId: old for old in empty}, tidied(said.output.plan)
    called = {
        step.output_key: before[step.stepId].output_key for step in again if step.stepId in before
    }
    changed = [
        step.model_copy(
            update={
                "output_key": called[step.output_key],
                "iterate_over": called.get(step.iterate_over, step.iterate_over),
            }
        )
        for step in again
        if (old := before.get(step.stepId))
        and (step.tool, step.parameters) != (old.tool, old.parameters)
    ]  # a step that is written anew keeps its key: others may iterate over it
    merged = {step.stepId: step for step in state.plan}
    merged |= {step.stepId: Step(**step.model_dump()) for step in changed}
    waiting = {s.stepId for s in state.plan if set(s.depends_on) & {c.stepId for c in changed}}
    for id in waiting - {c.stepId for c in changed}:
        merged[id] = merged[id].model_copy(update={"status": "PENDING", "items": {}, "error": ""})
    planned = [PlannedStep(**step.model_dump()) for step in merged.values()]
    if not changed or problems(planned, ports.tools, state.max_steps):
        await tracker.update(usage=tracker.state.usage + usage)
        return False
    await tracker.update(plan=list(merged.values()), usage=tracker.state.usage + usage)
    tell("revised", {"plan": [step.description for step in changed]})
    return True


async def _answer(tracker: StateTracker, ports: ResearchPorts, tell: Tell) -> None:
    state = tracker.state
    told = gather(state)
    tell("answering", {"sources": len(told.sources), "missing": len(told.missing)})
    said = await ports.gateway.ask(SYNTHESIZER, told, _call(state, "answer"))
    text = _honest(said.output.answer, len(told.sources))
    used = {n for cite in CITED.findall(text) for n in numbers_in(cite)}
    failed = all(step.status == "FAILED" for step in state.plan)
    await tracker.update(
        answer=text,
        sources=[source for source in told.sources if source.n in used] or told.sources,
        missing=told.missing,
        status="FAILED" if failed and not told.sources else "COMPLETED",
        usage=state.usage + said.usage,
        notes=[*state.notes, *([said.degraded] if said.degraded else [])],
    )
    tell("answered", {"researchId": state.researchId})


def _honest(text: str, most: int) -> str:
    """The answer without numbers of sources that there are not."""

    def keep(cite: re.Match[str]) -> str:
        real = [str(n) for n in numbers_in(cite[1]) if 1 <= n <= most]
        return f"{' ' if cite[0][0].isspace() else ''}[{', '.join(real)}]" if real else ""

    return CITED.sub(keep, text)


def _call(state: ResearchState, why: str) -> Call:
    return Call(turn_id=state.researchId, seed=f"{state.researchId}/{why}")
