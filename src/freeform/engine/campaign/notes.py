"""What the player knows of a campaign, as a folder of Markdown notes linked to each other. Pure."""

import re

from freeform.engine.log import Begun, Logged, Narrated, Resolved
from freeform.engine.rules.known import is_known, knows_name
from freeform.engine.table import Rules
from freeform.engine.world.by_hand import retold_by_hand
from freeform.engine.world.state import (
    PLAYER,
    Entity,
    Fact,
    GameState,
)

FOLDERS = {
    "npc": "People",
    "pc": "People",
    "location": "Places",
    "item": "Things",
    "faction": "Factions",
}


def vault(begun: Begun, state: GameState, logged: list[Logged]) -> dict[str, str]:
    """File names and texts.

    Secrets stay out: only known facts, and only who and what has been met.
    """
    story = _story(begun, logged, retold_by_hand(state))
    rules = Rules.of(begun).knowing(state)
    known = {
        id: entity
        for id, entity in state.entities.items()
        if id == PLAYER or (is_known(id, state, rules) and knows_name(id, state, rules))
    }
    notes = {"Story.md": story, "Now.md": _now(begun, state, known)}
    for entity in sorted(known.values(), key=lambda entity: entity.id):
        folder = FOLDERS.get(entity.type, "Things")
        notes[f"{folder}/{file_name(entity.name)}.md"] = _page(entity, state, known)
    return notes


def file_name(name: str) -> str:
    """A name that every system allows as a file, and Obsidian as a link."""
    return re.sub(r'[\\/:*?"<>|#^\[\]\x00-\x1f]', "-", name).strip(" .")[:80] or "unnamed"


def _story(begun: Begun, logged: list[Logged], now: dict[int, str]) -> str:
    lines = [f"# {begun.name}", "", begun.opening, ""]
    for row in logged:
        match row.entry:
            case Resolved(turn_no=turn_no, player_input=said, rolls=rolls):
                lines += [
                    f"## Turn {turn_no}",
                    "",
                    f"> {said}",
                    "",
                    *(f"`{roll.text}`  " for roll in rolls),
                    "",
                ]
            case Narrated(turn_no=turn_no, final_text=text):
                lines += [now.get(turn_no, text), ""]
            case _:
                pass
    return "\n".join(lines)


def _now(begun: Begun, state: GameState, known: dict[str, Entity]) -> str:
    present = [_link(id, known, state) for id in state.scene.present_entity_ids if id != PLAYER]
    things = [f"- {_link(h.item_id, known, state)} × {h.qty}" for h in state.held(PLAYER)]
    clocks = [
        f"- {c.name}: {c.value} of {c.max}" for c in state.clocks.values() if "hidden" not in c.tags
    ]
    threads = [f"- {t.title} ({t.status})" for t in state.threads.values() if t.status != "hidden"]
    head = [
        "---",
        f"campaign: {state.campaign_id}",
        f"scenario: {begun.scenario.id}",
        f"turn: {state.turn_no}",
        f"branch: {state.branch}",
        "---",
    ]
    company = f" with {', '.join(present)}" if present else ""
    lines = [*head, f"# {begun.name}, now", ""]
    lines += [f"At {_link(state.scene.location_id, known, state)}{company}.", ""]
    lines += ["## Clocks", *clocks, "", "## Threads", *threads, "", "## Carried", *things, ""]
    return "\n".join(lines)


def _page(entity: Entity, state: GameState, known: dict[str, Entity]) -> str:
    facts = [fact for fact in state.facts_of(entity.id) if fact.visibility == "known"]
    head = ["---", f"id: {entity.id}", f"type: {entity.type}", "---", f"# {entity.name}", ""]
    return "\n".join([*head, *(f"- {_told(fact, state, known)}" for fact in facts), ""])


def _told(fact: Fact, state: GameState, known: dict[str, Entity]) -> str:
    value, text = fact.object.get("value"), fact.object.get("text")
    turn = f" (turn {fact.discovered_turn})" if fact.discovered_turn is not None else ""
    if text:
        return f"{text}{turn}"
    linked = _link(value, known, state) if isinstance(value, str) else value
    return f"{fact.predicate.replace('_', ' ')}: {linked}{turn}"


def _link(id: str, known: dict[str, Entity], state: GameState) -> str:
    return f"[[{file_name(known[id].name)}]]" if id in known else state.name(id)
