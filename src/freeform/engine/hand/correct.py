"""READ THIS FIRST. A game master corrects the world: effects of the authors' language, logged.

    text as YAML ─> effects with ids for names ─> everything named exists ─> performed ─> Changed

Nothing here is judged by the rules: whoever holds the game master's seat decides what is so.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import yaml
from pydantic import Field, ValidationError
from rapidfuzz import process

from freeform.core.errors import NotFound, UserError
from freeform.core.text import shorten, visible
from freeform.engine.authored.script import Effect, SetFact
from freeform.engine.campaign.apart import noted_by_hand
from freeform.engine.log import Changed, LogPosition
from freeform.engine.rules.change import join
from freeform.engine.rules.effects import perform
from freeform.engine.rules.ledger import Ledger
from freeform.engine.table import Rules, Table
from freeform.engine.world.by_hand import CAMPAIGN, GAME_MASTER, PINNED, pinned_by_hand
from freeform.engine.world.model import EngineEvent, StateDiff, ThreadUpdate
from freeform.engine.world.names import names_of, words
from freeform.engine.world.scales import opposite_words
from freeform.engine.world.state import PLAYER, GameState

MOST_EFFECTS, LONGEST = 20, 4000
_NOWHERE = ("", "nowhere")


class Corrected(LogPosition):
    """What a game master's word came to, and where it left the log."""

    heard: list[str] = Field(default_factory=list)
    """What was understood, an effect a line."""
    events: list[EngineEvent] = Field(default_factory=list)
    state_diff: StateDiff = Field(default_factory=StateDiff)


async def correct(campaign: str, text: str, why: str, table: Table) -> Corrected:
    """Does what the effects say, as YAML: one mapping or a list. UserError says what cannot be."""
    state = await table.store.get_state(campaign)
    rules = table.rules(await table.store.begun(campaign), state)
    effects = read_effects(text, state)
    return await write_down(campaign, effects, {"why": why}, rules, table)


async def write_down(
    campaign: str,
    effects: Sequence[Effect],
    details: dict[str, Any],
    rules: Rules,
    table: Table,
    pin: str = "",
) -> Corrected:
    """Performs effects between turns and logs them as the game master's; `pin`: a fact of theirs
    that is told every turn."""
    head, state = await table.store.head(campaign), await table.store.get_state(campaign)
    page = Ledger(state)
    for effect in effects:
        _lay_down(effect, page, rules)
    if pin:
        page.note(CAMPAIGN, PINNED, [*pinned_by_hand(state), pin])
    heard = [heard_as(effect, state) for effect in effects]
    logged = {
        **{name: value for name, value in details.items() if value},
        "effects": [effect.model_dump(mode="json", exclude_unset=True) for effect in effects],
    }
    diff = join(page.diff, noted_by_hand(state, page.state, page.diff))
    entry = Changed(why=GAME_MASTER, details=logged, state_diff=diff)
    stands = await table.store.append(campaign, [entry], after=head)
    return corrected(stands, page, heard)


def corrected(stands: LogPosition, page: Ledger, heard: Sequence[str]) -> Corrected:
    """What is told of a page that was logged."""
    return Corrected(
        branch=stands.branch,
        entry=stands.entry,
        turn_no=stands.turn_no,
        heard=list(heard),
        events=page.events,
        state_diff=page.diff,
    )


def read_effects(text: str, state: GameState) -> list[Effect]:
    """The effects a text holds, names replaced by ids, everything they speak of there."""
    if not text.strip() or len(text) > LONGEST:
        raise UserError(
            f"give one effect as YAML in up to {LONGEST:,} letters, such as "
            "'set: {subject: Viktor, predicate: status, value: dead}'"
        )
    try:
        data = yaml.safe_load(text)
    except yaml.YAMLError as bad:
        said = f"that is no YAML ({str(bad).splitlines()[0]})"
        raise UserError(f"{said}; an effect reads 'clock: {{id: heat}}'") from None
    rows = data if isinstance(data, list) else [data]
    if not rows or len(rows) > MOST_EFFECTS:
        raise UserError(f"give 1 to {MOST_EFFECTS} effects at a time")
    return [_effect(row, state) for row in rows]


def _effect(row: Any, state: GameState) -> Effect:
    if not isinstance(row, dict):
        keys = ", ".join(Effect.model_fields)
        raise UserError(f"'{shorten(str(row), 40)}' is no effect; an effect has one of: {keys}")
    try:
        effect = Effect.model_validate(_with_ids(row, state))
    except ValidationError as bad:
        first = bad.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        said = f"{where}: {first['msg']}" if where else str(first["msg"])
        raise UserError(f"that effect cannot be read ({shorten(said, 300)})") from None
    _check(effect, state)
    return as_a_life(effect)


def as_a_life(effect: Effect) -> Effect:
    """`become dead` is a status, as all the rules read it."""
    new = effect.become
    if new is None or new.condition not in opposite_words("alive") | {"alive"}:
        return effect
    status = SetFact(subject=new.subject, predicate="status", value=new.condition, text=new.text)
    return Effect(set=status)


_ENTITY_KEYS = ("subject", "who", "item", "source", "to")
_ENTITY_EFFECTS = ("bring", "go", "escalate", "calm", "join", "part")


def _with_ids(row: dict[str, Any], state: GameState) -> dict[str, Any]:
    """An effect with ids where names stand."""
    found: dict[str, Any] = {}
    for key, value in row.items():
        if key in _ENTITY_EFFECTS and isinstance(value, str):
            found[key] = id_meant(value, state)
        elif isinstance(value, dict):
            found[key] = {
                name: id_meant(part, state)
                if name in _ENTITY_KEYS and isinstance(part, str) and part not in _NOWHERE
                else part
                for name, part in value.items()
            }
        elif key in ("cease", "unhide") and isinstance(value, list) and value:
            found[key] = [id_meant(str(value[0]), state), *value[1:]]
        else:
            found[key] = value
    return found


def id_meant(said: str, state: GameState) -> str:
    """The id of whoever or whatever is called that; NotFound with the nearest name."""
    if said in state.entities or said in (PLAYER, CAMPAIGN):
        return said
    called = words(said)
    named = [id for id, one in state.entities.items() if called in map(words, names_of(one))]
    if len(named) == 1 or (named and called):
        return min(named, key=lambda id: id not in state.scene.present_entity_ids)
    names = {entity.name: id for id, entity in state.entities.items()}
    near = process.extractOne(said, list(names), score_cutoff=60)
    hint = f"; did you mean {near[0]} ({names[near[0]]})?" if near else "; `state` lists them"
    raise NotFound(f"nobody and nothing here is called '{shorten(said, 60)}'{hint}")


def _check(effect: Effect, state: GameState) -> None:
    """Clocks, threads and facts must be there; so must whoever is sent somewhere."""
    wanted = (
        ("clock", effect.clock.id if effect.clock else "", state.clocks),
        ("thread", effect.thread[0] if effect.thread else "", state.threads),
        ("fact", effect.reveal or "", state.facts),
    )
    for kind, id, table in wanted:
        if id and id not in table:
            near = process.extractOne(id, list(table), score_cutoff=50)
            hint = f"did you mean '{near[0]}'?" if near else f"there are: {_some(table)}"
            raise NotFound(f"no {kind} '{shorten(id, 60)}'; {hint}")
    for place in _places(effect):
        if place not in _NOWHERE and state.entities[place].type != "location":
            raise UserError(f"{state.name(place)} is no place; name one to go to")


def _places(effect: Effect) -> Iterator[str]:
    if effect.go:
        yield effect.go
    if effect.leave and effect.leave.to:
        yield effect.leave.to


def _some(table: Any) -> str:
    return ", ".join(sorted(table)[:8]) or "none"


def _lay_down(effect: Effect, page: Ledger, rules: Rules) -> None:
    """One effect; what the rules would not do again is done here."""
    if effect.thread:
        id, status = effect.thread
        page.change(StateDiff(threads_update=[ThreadUpdate(id=id, status=status)]))
        title = page.state.threads[id].title
        page.happen("thread_changed", ("thread",), id=id, title=title, status=status)
        return
    if effect.leave and effect.leave.to == page.state.scene.location_id:
        effect = Effect(bring=effect.leave.who)
    if effect.hand and effect.hand.source == "nowhere" and effect.hand.to != "nowhere":
        effect = _from_whoever_has_it(effect, page.state)
    perform([effect], page, rules, GAME_MASTER)
    new = effect.set
    if new and new.predicate == "status" and str(new.value) in opposite_words("alive"):
        dead = [*(page.state.value(CAMPAIGN, "gm_dead") or []), new.subject]
        page.note(CAMPAIGN, "gm_dead", list(dict.fromkeys(dead)))


def _from_whoever_has_it(effect: Effect, state: GameState) -> Effect:
    """A thing that someone has leaves them: there is one of it."""
    assert effect.hand
    item = effect.hand.item
    holder = next((owner for owner, held in state.inventory if held == item), "nowhere")
    return Effect(hand=effect.hand.model_copy(update={"source": holder}))


def heard_as(effect: Effect, state: GameState) -> str:
    """An effect in a line a person reads: `set Viktor status dead`."""
    (key,) = effect.model_fields_set
    value = effect.model_dump(mode="json", exclude_unset=True)[key]
    parts = value.values() if isinstance(value, dict) else value
    row = [parts] if isinstance(parts, str | int) else list(parts)
    told = [state.name(part) if part in state.entities else str(part) for part in row]
    return visible(f"{key} {' '.join(told)}")
