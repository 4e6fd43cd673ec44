"""A plan is a program: checked before it runs. Every problem is a sentence the planner can put
right."""

import re
from collections.abc import Iterable, Sequence

from freeform.assistant.research.model import PlannedStep

ITEM = "{item}"
_KEY = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,63}")
_SLOT = re.compile(r"\{[^{}]*\}")
_SLOTS = re.compile(r"\{+\s*item\s*\}+|<item>", re.I)


def tidied(plan: list[PlannedStep]) -> list[PlannedStep]:
    """The plan as it was surely meant: keys and tools without ornaments, `{ Item }` as {item}, and
    a step that iterates over a list waits for it."""
    keyed = [
        step.model_copy(
            update={
                "tool": step.tool.strip().strip("`").removesuffix("()"),
                "parameters": {
                    name: _SLOTS.sub(ITEM, value) for name, value in step.parameters.items()
                },
                "iterate_over": _as_key(step.iterate_over),
                "output_key": _as_key(step.output_key),
            }
        )
        for step in plan
    ]
    givers = {step.output_key: step.stepId for step in keyed if not step.iterate_over}
    return [
        step.model_copy(update={"depends_on": [*step.depends_on, givers[step.iterate_over]]})
        if step.iterate_over in givers and givers[step.iterate_over] not in step.depends_on
        else step
        for step in keyed
    ]


def _as_key(text: str) -> str:
    """`$Food Buffs` and `{food-buffs}` as Food_Buffs and food_buffs."""
    return re.sub(r"[\s-]+", "_", text.strip().strip("`$@{}<>\"'").strip())


def problems(plan: list[PlannedStep], tools: Iterable[str], most: int) -> list[str]:
    """What is wrong with a plan; empty when it can run."""
    known = list(tools)
    if not plan:
        return ["the plan has no step; write at least one"]
    found = []
    if len(plan) > most:
        found.append(
            f"the plan has {len(plan)} steps and may have {most}; leave out or join the least telling ones"
        )
    ids, keys = [step.stepId for step in plan], [step.output_key for step in plan]
    found += [f"step id {id} is used twice; number the steps 1, 2, 3" for id in _twice(ids)]
    found += [f"output_key '{key}' is used twice; give each step its own" for key in _twice(keys)]
    lists = {step.output_key: step for step in plan if not step.iterate_over}
    for step in plan:
        found += _step(step, known, ids, lists)
    if not found and (loop := cycle(plan)):
        found.append(
            f"steps {' -> '.join(map(str, loop))} wait for each other; take one depends_on away"
        )
    return found


def _step(
    step: PlannedStep, tools: list[str], ids: list[int], lists: dict[str, PlannedStep]
) -> list[str]:
    at, found = f"step {step.stepId}", []
    if step.tool not in tools:
        found.append(f"{at}: there is no tool '{step.tool}'; there are {', '.join(tools)}")
    if not _KEY.fullmatch(step.output_key):
        found.append(
            f"{at}: output_key '{step.output_key}' must be letters, digits and underscores"
        )
    if not any(value.strip() for value in step.parameters.values()):
        found.append(f"{at}: it has no parameters; write at least a query")
    found += [
        f"{at}: depends_on names step {id}, which is not in the plan"
        for id in step.depends_on
        if id not in ids
    ]
    slots = {slot for value in step.parameters.values() for slot in _SLOT.findall(value)}
    if step.iterate_over:
        giver = lists.get(step.iterate_over)
        if giver is None or giver.stepId == step.stepId:
            there = ", ".join(lists) or "none"
            found.append(
                f"{at}: iterate_over '{step.iterate_over}' is not the list of another step; lists are: {there}"
            )
        elif giver.stepId not in step.depends_on:
            found.append(
                f"{at}: it iterates over '{step.iterate_over}', so depends_on must name step {giver.stepId}"
            )
        if ITEM not in slots:
            found.append(f"{at}: it iterates, so a parameter must hold {ITEM}")
    elif ITEM in slots:
        found.append(f"{at}: {ITEM} needs iterate_over with the output_key of an earlier list")
    found += [
        f"{at}: {slot} means nothing; only {ITEM} is replaced" for slot in sorted(slots - {ITEM})
    ]
    return found


def cycle(plan: list[PlannedStep]) -> list[int]:
    """The ids of steps that wait for each other, in a ring; empty when there is none."""
    needs = {step.stepId: step.depends_on for step in plan}
    done: set[int] = set()
    while ready := [id for id, waits in needs.items() if id not in done and set(waits) <= done]:
        done |= set(ready)
    left = [id for id in needs if id not in done]
    if not left:
        return []
    ring = [left[0]]
    while (after := next(id for id in needs[ring[-1]] if id not in done)) not in ring:
        ring.append(after)
    return [*ring[ring.index(after) :], after]


def _twice(values: Sequence[object]) -> list[object]:
    return [value for at, value in enumerate(values) if value in values[:at]]
