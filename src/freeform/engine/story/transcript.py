"""READ THIS FIRST. The story as a model reads it: the table, what was known before, then turn upon
turn, so that each question begins as the last one did and a provider may keep it.

    the table ─ known before turn N ─ [N] typed, told, became so, new cards ─ [N+1] … │ what is now

It is made from the log alone. Nothing in it changes when a turn is added; after a stretch of turns
it begins anew further on, with what came before in short.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from freeform.core.text import shorten
from freeform.engine.log import Changed, Logged, Narrated, Resolved
from freeform.engine.rules.change import apply
from freeform.engine.rules.safety import SafetyLimits, agreed_now
from freeform.engine.rulings.lasting import DEED
from freeform.engine.story.cards import card, in_view
from freeform.engine.story.layers import LOOKED_BACK, told_in_short
from freeform.engine.table import Rules, Table
from freeform.engine.world.by_hand import GAME_MASTER, ORACLE, pinned_by_hand
from freeform.engine.world.model import StateDiff
from freeform.engine.world.state import PLAYER, Fact, GameState
from freeform.retrieval.briefing import NpcBriefing

STRETCH, KEPT = 10, 3
"""Turns after which the story begins anew, and how many it then keeps whole."""
PROSE, OPENING = 1200, 1200
"""Letters of a turn's prose, and of a scenario's opening."""
_FACTS, _BECAME = 24, 6
"""How many facts from before are told, and how many that a turn brought."""
WINDOW = 3600
"""The packet that these numbers are for; a larger window takes more of each."""
_MOST_SCALE = 4


@dataclass(frozen=True)
class StoryReader:
    """What a story is told with: the rules, people's briefings, and how large it may be."""

    rules: Rules
    people: Mapping[str, NpcBriefing]
    limits: SafetyLimits
    scale: int = 1

    def card(self, id: str, state: GameState) -> str:
        """Someone or something, for whoever reads of them first."""
        return card(id, state, self.rules, self.people, self.limits)


def first_told(turn_no: int, scale: int = 1) -> int:
    """The first turn that is told turn by turn when this one is played."""
    stretch = STRETCH * scale
    return max(1, (turn_no - 1 - KEPT) // stretch * stretch + 1)


def scale_of(packet_tokens: int) -> int:
    """How many times the smallest window a model has for it."""
    return max(1, min(_MOST_SCALE, packet_tokens // WINDOW))


async def story_so_far(campaign: str, turn_no: int, reader: StoryReader, table: Table) -> str:
    """Everything before a turn, as text that only grows."""
    first = first_told(turn_no, reader.scale)
    before = await table.store.get_state(campaign, first - 1)
    logged = await table.store.read(campaign, first, turn_no - 1) if turn_no > first else []
    earlier: list[Logged] = []
    if first > 1:
        earlier = await table.store.read(campaign, max(1, first - LOOKED_BACK), first - 1)
    short = list(told_in_short(before, first, earlier, reader.rules))
    return "\n".join(_lines(before, first, logged, reader, short))


def _lines(
    before: GameState,
    first: int,
    logged: Sequence[Logged],
    reader: StoryReader,
    short: Sequence[str],
) -> Iterator[str]:
    yield from _table(before, reader)
    shown = list(dict.fromkeys([*_met(before), *in_view(before)]))
    yield "# Known"
    yield from filter(None, (reader.card(id, before) for id in shown))
    yield from _facts_before(before, reader)
    yield from short
    yield "# The story, turn by turn"
    if first == 1:
        yield f"[0] {shorten(reader.rules.begun.opening, OPENING * reader.scale)}"
    yield from _turns(before, logged, set(shown), reader)


def _table(state: GameState, reader: StoryReader) -> Iterator[str]:
    """What holds for the whole campaign."""
    rules = reader.rules
    yield f"# The table\n{rules.begun.name} ({rules.scenario.genre})"
    agreed = agreed_now(rules.begun.calibration, state)
    risk = agreed.risk
    yield (
        f"Tone: {agreed.tone}. Lethality {risk.lethality}, failure {risk.failure_mode}. "
        f"Never shown: {', '.join(agreed.lines) or 'nothing'}. "
        f"Only off-screen: {', '.join(agreed.veils) or 'nothing'}."
    )
    hero = state.entities.get(PLAYER)
    if hero:
        told = [f"{key}: {value}" for key, value in hero.attrs.items() if not key.startswith("gm_")]
        yield f"The player's character ({PLAYER}) is {hero.name}; {shorten('; '.join(told), 700)}"
    yield f"Action types: {', '.join(rules.system.action_types)}."
    yield f"Stats: {', '.join(rules.system.stats)}."


def _met(state: GameState) -> list[str]:
    """People met and places visited, in the order they came into the world."""
    return [
        id
        for id, entity in state.entities.items()
        if (entity.type == "npc" and state.value(id, "met"))
        or (entity.type == "location" and state.value(id, "visited"))
    ]


def superseded(before: GameState, state: GameState, reader: StoryReader) -> list[str]:
    """What the story says is known and is so no longer: it only grows, so it cannot be taken
    back there."""
    old = []
    for fact in _told_before(before, reader):
        now = state.facts.get(fact.id)
        if now is None or now.object != fact.object:
            old.append(_said(fact))
    return old


def _facts_before(state: GameState, reader: StoryReader) -> Iterator[str]:
    """What the player's character knows, as it is told."""
    told = _told_before(state, reader)
    for fact in sorted(told, key=lambda fact: fact.discovered_turn or 0):
        yield f"- {_said(fact)} ({fact.id})"


def _told_before(state: GameState, reader: StoryReader) -> list[Fact]:
    """Pinned facts, plot, and the newest of the rest."""
    plot = {id for clue in reader.rules.scenario.clues for id in clue.facts}
    first = {*pinned_by_hand(state), *plot}
    known = [fact for fact in state.newest_facts() if _is_told(fact)]
    chosen = [fact for fact in known if fact.id in first]
    chosen += [fact for fact in known if fact.id not in first]
    return chosen[: _FACTS * reader.scale]


def _is_told(fact: Fact) -> bool:
    return fact.visibility == "known" and bool(fact.object.get("text")) and DEED not in fact.tags


def _said(fact: Fact) -> str:
    return shorten(str(fact.object.get("text", "")), 200)


def _turns(
    state: GameState, logged: Sequence[Logged], shown: set[str], reader: StoryReader
) -> Iterator[str]:
    """Each turn as it was typed and told, what became so, and cards of whoever is new."""
    for row in logged:
        entry = row.entry
        state = apply(state, entry.state_diff)
        match entry:
            case Resolved():
                yield f"[{entry.turn_no}] > {shorten(entry.player_input, 300)}"
            case Narrated():
                yield both_ends(entry.final_text, PROSE * reader.scale)
            case Changed(why=why, details=details) if why == GAME_MASTER:
                if retold := details.get("retold"):
                    words = both_ends(str(retold), PROSE * reader.scale)
                    yield f"(turn {details.get('turn')} reads now: {words})"
                said = details.get("said")
                if said:
                    yield f"(the game master: {said})"
            case Changed(why=why, details=details) if why == ORACLE:
                yield f"(the oracle, asked {details.get('question')}: {details.get('answer')})"
            case _:
                continue
        so = _became(entry.state_diff, state, getattr(entry, "final_text", ""))
        if so:
            yield f"(so: {' '.join(so[:_BECAME])})"
        new = [id for id in in_view(state) if id not in shown]
        shown.update(new)
        yield from filter(None, (reader.card(id, state) for id in new))


def _became(diff: StateDiff, state: GameState, told: str) -> list[str]:
    """What a turn's changes say that its prose does not."""
    ids = [fact.id for fact in diff.facts_add] + [update.id for update in diff.facts_update]
    facts = (state.facts[id] for id in dict.fromkeys(ids) if id in state.facts)
    return [_said(fact) for fact in facts if _is_told(fact) and _said(fact) not in told]


def both_ends(text: str, letters: int) -> str:
    """At most about so many letters: a third from the beginning, the rest from the end."""
    if len(text) <= letters:
        return text
    end = text[-(letters * 2 // 3) :]
    return f"{shorten(text, letters // 3)} {end[end.find(' ') + 1 :]}"
