"""How one gets from one place to another, as somebody who lives there would say it."""

from collections import deque

from freeform.engine.authored.conditions import check
from freeform.engine.table import Rules
from freeform.engine.world.state import GameState


def way_between(here: str, there: str, state: GameState, rules: Rules) -> list[str]:
    """The places one goes through, the last of them the goal; [] where no open way leads there."""
    came_from: dict[str, str] = {here: ""}
    edge = deque([here])
    while edge and there not in came_from:
        place = edge.popleft()
        for way in rules.exits(place, state):
            if way.to not in came_from and check(way.when, state).holds:
                came_from[way.to] = place
                edge.append(way.to)
    path: list[str] = []
    step = there if there in came_from else ""
    while step and step != here:
        path.append(step)
        step = came_from[step]
    return path[::-1]
