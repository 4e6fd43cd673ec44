"""The context packet: the slice of state a pass is told, for one viewer, within a token budget.

The player's view never holds a fact the player must not learn, a clock's triggers, or what someone
keeps back; the game master's view holds all of it.
"""

from collections.abc import Collection, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from functools import cache, cached_property, partial
from typing import Any, Literal

from freeform.core.record import canonical, fields, spelled
from freeform.core.text import count_tokens, shorten
from freeform.engine.ports import TurnText
from freeform.engine.rules.effects import CAMPAIGN
from freeform.engine.rules.known import has_heard_of, is_known
from freeform.engine.rules.safety import agreed_now
from freeform.engine.rulings.lasting import told_conditions
from freeform.engine.story.chosen import LETTERS_PER_TOKEN, NEWEST, FactChoice
from freeform.engine.story.layers import open_promises
from freeform.engine.table import Rules
from freeform.engine.world.by_hand import pinned_by_hand
from freeform.engine.world.model import ContextPacket
from freeform.engine.world.names import mentioned
from freeform.engine.world.state import (
    PLAYER,
    Entity,
    GameState,
    Holding,
    Thread,
)

Viewer = Literal["player", "gm"]
MAX_TOKENS = 3600
_RECENT = 6
_LAST = 2400
"""Letters of the last turn's prose: hooks and people stand at its end."""
_EARLIER = 360
"""Letters of each turn before it; more where a model sees more at once."""
_OPENING = 1200
"""Letters of a scenario's opening that are kept in mind."""
_SOURCE = ("origin", "pack_id")
_NO_LORE: Mapping[str, Any] = {}
_NAMED = ("npc", "location", "item", "object", "faction")


@dataclass(frozen=True)
class _View:
    """Sections of a packet, of those who are shown in them, and their JSON where it is wanted."""

    sections: dict[str, Any]
    shown: tuple[str, ...] = ()

    @cached_property
    def text(self) -> str:
        return spelled(self.sections)[1:-1]


class Moment:
    """A state, what was typed in it and what was told lately: what is the same for every viewer is
    looked up once."""

    def __init__(
        self,
        state: GameState,
        player_input: str,
        rules: Rules,
        recent: Sequence[TurnText] = (),
        tokens: int = MAX_TOKENS,
    ) -> None:
        """`tokens`: what a packet may take, by the model's window."""
        self._state, self._rules, self._tokens = state, rules, tokens
        self._ways = rules.exits(state.scene.location_id, state)
        self._held = _by_owner(state)
        self._mentioned = mentioned(player_input, state, _NAMED)
        self._in_play = self._all_in_play()
        same_for_all = {
            "scene": self._scene(),
            "present_entities": list(state.scene.present_entity_ids),
            "summary": _summary(state),
            "recent_events": _told_lately(rules, recent, _EARLIER * tokens // MAX_TOKENS),
            "npc_capabilities": _capabilities(state, rules),
            "active_situations": _situations(state),
            "failure_streak": {
                "count": int(state.value(PLAYER, "failure_streak") or 0),
                "threshold": rules.system.streak.threshold,
            },
            "calibration": agreed_now(rules.begun.calibration, state).model_dump(mode="json"),
        }
        self._same = _View(same_for_all)
        self._views: dict[bool, _View] = {}
        self._seen_of: dict[tuple[bool, tuple[str, ...]], _View] = {}
        self._facts: dict[bool, FactChoice] = {}
        self._outlines: dict[tuple[str, ...], ContextPacket] = {}
        self._has_heard_of = cache(partial(has_heard_of, state=state))

    def with_input(self, player_input: str) -> "Moment":
        """The same moment, had something else been typed in it."""
        other = copy(self)
        other._mentioned = mentioned(player_input, self._state, _NAMED)
        return other

    def packet(
        self,
        viewer: Viewer = "player",
        lore: Mapping[str, Any] = _NO_LORE,
        max_tokens: int | None = None,
    ) -> ContextPacket:
        """Every field filled from state; facts are dropped, the least telling first, to keep the
        budget."""
        gm = viewer == "gm"
        named = self._named(gm)
        view, seen = self._view(gm), self._seen(gm, named)
        text = f'{{{self._same.text},{seen.text},{view.text},"lore_context":{spelled(lore)}'
        most = self._tokens if max_tokens is None else max_tokens
        budget = most - (len(text) + 1) // LETTERS_PER_TOKEN
        if gm not in self._facts:
            self._facts[gm] = FactChoice(self._state, _pinned(self._state, self._rules), gm)
        facts = self._facts[gm].within(budget, [*seen.shown, PLAYER], named)
        own = {**seen.sections, **view.sections, "lore_context": lore, "facts": facts}
        return ContextPacket.spelled(
            {**self._same.sections, **own}, f'{text},"facts":{spelled(facts)}}}'
        )

    def outline(self, lore: Mapping[str, Any] = _NO_LORE) -> ContextPacket:
        """The player's packet without facts and without its JSON: all that words are heard by."""
        seen = self._seen(False, self._named(False))
        known = self._outlines.get(seen.shown)
        if known is None or known.lore_context is not lore:
            own = {**seen.sections, **self._view(False).sections}
            sections = {**self._same.sections, **own, "lore_context": lore, "facts": []}
            known = ContextPacket.model_construct(**sections)
            self._outlines[seen.shown] = known
        return known

    def _named(self, gm: bool) -> list[str]:
        return [id for id in self._mentioned if gm or is_known(id, self._state, self._rules)][:8]

    def _view(self, gm: bool) -> _View:
        """What one viewer is told whatever was typed."""
        state, rules = self._state, self._rules
        if gm not in self._views:
            sections = {
                "clocks": [
                    _clock(fields(c, *_SOURCE), gm) for _, c in sorted(state.clocks.items())
                ],
                "inventory": self._inventory(gm),
                "relationships": _ties(state, gm),
                "npc_agendas": _agendas(state, rules, gm),
                "investigation_progress": _progress(state, rules, gm),
                "pending_threats": _threats(state, gm),
            }
            self._views[gm] = _View(sections)
        return self._views[gm]

    def _seen(self, gm: bool, named: Sequence[str]) -> _View:
        """What one viewer is told where these are named: the same for all who are in play."""
        state = self._state
        threads = [
            t
            for t in state.threads.values()
            if t.status == "active" or (gm and t.status == "hidden")
        ]
        shown = dict.fromkeys([*self._in_play, *named])
        if gm:
            shown.update(dict.fromkeys(id for t in threads for id in t.related_entity_ids))
        key = gm, tuple(shown)
        if key not in self._seen_of:
            entities = map(state.entities.get, shown)
            sections = {
                "entities": [_entity(entity, gm) for entity in entities if entity],
                "threads": [
                    self._thread(t, gm, shown) for t in sorted(threads, key=lambda t: t.id)
                ],
            }
            self._seen_of[key] = _View(sections, key[1])
        return self._seen_of[key]

    def _thread(self, thread: Thread, gm: bool, shown: Collection[str]) -> dict[str, Any]:
        """An open question; to the player without what lies behind it, and without those they never
        heard of."""
        row = fields(thread, *_SOURCE)
        if gm:
            return row
        related = [id for id in thread.related_entity_ids if id in shown or self._has_heard_of(id)]
        stakes = {k: v for k, v in thread.stakes.items() if not k.startswith("gm")}
        return {**row, "stakes": stakes, "related_entity_ids": related}

    def _all_in_play(self) -> list[str]:
        state, here = self._state, self._state.scene.location_id
        things = [
            h.item_id
            for owner in (PLAYER, here)
            for h in self._held.get(owner, ())
            if not h.flags.get("hidden")
        ]
        fixtures = [
            e.id
            for e in state.entities.values()
            if e.type == "object" and _stands_at(e, state) == here
        ]
        return [
            *state.scene.present_entity_ids,
            here,
            *things,
            *fixtures,
            *(way.to for way in self._ways),
        ]

    def _inventory(self, gm: bool) -> list[dict[str, Any]]:
        scene = self._state.scene
        mine = (PLAYER, scene.location_id)
        return [
            fields(h)
            for owner in (*mine, *scene.present_entity_ids[1:])
            for h in self._held.get(owner, ())
            if gm or (not h.flags.get("hidden") and (owner in mine or h.flags.get("shown")))
        ]

    def _scene(self) -> dict[str, Any]:
        state, rules = self._state, self._rules
        here = state.scene.location_id
        place = rules.place(here)
        people = [who for who in state.scene.present_entity_ids if who != PLAYER]
        return {
            **fields(state.scene, "present_entity_ids"),
            "name": state.name(here),
            "description": place.description.strip(),
            "atmosphere": place.atmosphere,
            "exits": [
                {"to": way.to, "name": way.name or state.name(way.to), "aliases": way.aliases}
                for way in self._ways
            ],
            "details": [
                word for detail in place.details for word in (detail.name, *detail.aliases)
            ],
            "idle": {who: rules.person(who).idle for who in people if rules.person(who).idle},
            **told_conditions(here, self._state),
        }


def token_split(packet: ContextPacket) -> dict[str, int]:
    """What each section costs, and the whole."""
    split = {
        name: count_tokens(canonical(getattr(packet, name))) for name in ContextPacket.model_fields
    }
    return {**split, "total": sum(split.values())}


def _by_owner(state: GameState) -> dict[str, list[Holding]]:
    """Who has what, hidden things among it; each one's things by name."""
    holdings: dict[str, list[Holding]] = {}
    for (owner, _), holding in sorted(state.inventory.items(), key=lambda row: row[0][1]):
        if holding.qty > 0:
            holdings.setdefault(owner, []).append(holding)
    return holdings


def _stands_at(entity: Entity, state: GameState) -> str:
    return str(state.value(entity.id, "at") or entity.attrs.get("location") or "")


def _entity(entity: Entity, gm: bool) -> dict[str, Any]:
    attrs = {k: v for k, v in entity.attrs.items() if gm or not k.startswith("gm_")}
    return {
        "id": entity.id,
        "type": entity.type,
        "name": entity.name,
        "attrs": attrs,
        "tags": entity.tags,
    }


def _clock(row: dict[str, Any], gm: bool) -> dict[str, Any]:
    """The game master sees what is still to come of it, in words; what that does to the world, the
    rules know."""
    ahead = (
        (at, trigger)
        for at, trigger in row["triggers"].items()
        if at.isdecimal() and int(at) > row["value"]
    )
    return {**row, "triggers": {at: trigger.get("text", "") for at, trigger in ahead} if gm else {}}


def _ties(state: GameState, gm: bool) -> list[dict[str, Any]]:
    here = set(state.scene.present_entity_ids)
    ties = (tie for _, tie in sorted(state.relationships.items()) if tie.a_id in here)
    return [
        fields(tie, *_SOURCE)
        for tie in ties
        if gm or (tie.b_id == PLAYER and not tie.notes.get("secret"))
    ]


def _summary(state: GameState) -> dict[str, str]:
    time = state.scene.time
    hour, minute = divmod(int(time.get("minute", 0)), 60)
    when = f"day {time.get('day', 1)}, {hour:02d}:{minute:02d}"
    threads = [
        thread.title for _, thread in sorted(state.threads.items()) if thread.status == "active"
    ]
    return {
        "scene": f"{state.name(state.scene.location_id)}, {when}",
        "threads": "; ".join(threads),
    }


def _told_lately(rules: Rules, recent: Sequence[TurnText], earlier: int) -> list[dict[str, Any]]:
    """The turns lately, the last one whole; the first ones of a campaign follow on its opening."""
    told = [_recent(turn, earlier) for turn in recent[-_RECENT:-1]]
    told += [_recent(turn, max(_LAST, earlier)) for turn in recent[-1:]]
    opening = rules.begun.opening
    if opening and len(recent) < _RECENT:
        told.insert(0, {"turn_no": 0, "text": shorten(opening, _OPENING), "focus": []})
    return told


def _recent(turn: TurnText, letters: int) -> dict[str, Any]:
    prose = _both_ends(turn.final_text, letters)
    return {
        "turn_no": turn.turn_no,
        "text": f"> {shorten(turn.player_input, 160)}\n{prose}",
        "focus": turn.focus,
    }


def _both_ends(text: str, letters: int) -> str:
    """At most about so many letters: a third from the beginning, the rest from the end."""
    if len(text) <= letters:
        return text
    end = text[-(letters * 2 // 3) :]
    return f"{shorten(text, letters // 3)} {end[end.find(' ') + 1 :]}"


def _pinned(state: GameState, rules: Rules) -> list[str]:
    """The ids of facts that are told whatever else is left out: what open threads hang on, and what
    was agreed with the player's character."""
    plot = [
        id
        for clue in rules.scenario.clues
        if clue.thread in state.threads and state.threads[clue.thread].status == "active"
        for id in clue.facts
        if id in state.facts
    ]
    own = [fact.id for fact in state.facts_of(PLAYER, newest=NEWEST) if "narrated" in fact.tags]
    return [*pinned_by_hand(state), *open_promises(state), *plot, *own]


def _agendas(state: GameState, rules: Rules, gm: bool) -> dict[str, Any]:
    """What people want; to the game master also how those are who are here."""
    here = state.scene.present_entity_ids
    agendas: dict[str, Any] = {}
    for id in rules.scenario.people if gm else here:
        person = rules.person(id)
        if gm and person.disposition and id in here:
            agendas[id] = {"agenda": person.agenda, "disposition": person.disposition}
        elif person.agenda and (gm or person.agenda_known):
            agendas[id] = person.agenda
    return agendas


def _capabilities(state: GameState, rules: Rules) -> dict[str, Any]:
    people = ((id, rules.person(id)) for id in state.scene.present_entity_ids)
    return {id: person.capabilities for id, person in people if person.capabilities}


def _progress(state: GameState, rules: Rules, gm: bool) -> dict[str, Any]:
    progress = {}
    for clue in rules.scenario.clues:
        thread = state.threads.get(clue.thread)
        if thread and (gm or thread.status != "hidden"):
            known = [
                id
                for id in clue.facts
                if id in state.facts and state.facts[id].visibility == "known"
            ]
            progress[clue.thread] = {"known": len(known), "total": len(clue.facts), "facts": known}
    return progress


def _threats(state: GameState, gm: bool) -> list[dict[str, Any]]:
    rows = []
    for fact in state.facts_of(CAMPAIGN):
        value = fact.object.get("value")
        if "threat" in fact.tags and isinstance(value, dict):
            row = {"id": fact.predicate.partition(":")[2], "text": fact.object.get("text", "")}
            rows.append({**row, "in_turns": value["due"] - state.played} if gm else row)
    return rows


def _situations(state: GameState) -> list[dict[str, Any]]:
    return [
        {"id": fact.predicate.partition(":")[2], "text": fact.object.get("text", "")}
        for fact in state.facts_of(CAMPAIGN)
        if "situation" in fact.tags and fact.object.get("value") == "active"
    ]
