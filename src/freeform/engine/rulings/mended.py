"""A ruling as a game master meant it who could not know our forms: new things are named after the
place, what appears only to change hands appears in them, conditions are short and small, and no
clock moves by more than one."""

from typing import Any

from freeform.core.text import slug
from freeform.engine.authored.ruling import DeedRuling
from freeform.engine.authored.script import Effect
from freeform.engine.world.costs import Costs
from freeform.engine.world.state import GameState

LONGEST_WORD = 24
"""Letters of a condition."""
_NAMING = {"become": "subject", "put": "item", "hand": "item", "appear": "id"}


def as_meant(ruling: DeedRuling, state: GameState) -> DeedRuling:
    """The ruling as it was meant."""
    here = state.scene.location_id
    renamed = {
        effect.appear.id: f"{here}/{slug(effect.appear.id.rpartition('/')[2])}"
        for outcome in ruling.on.values()
        for effect in outcome.effects
        if effect.appear and not effect.appear.id.startswith(f"{here}/")
    }
    changed = {}
    for name, outcome in ruling.on.items():
        effects = [_in_form(effect) for effect in _held(_renamed(outcome.effects, renamed))]
        effects = [effect for effect in effects if not _is_thanked_for(effect, effects, state)]
        changed[name] = outcome.model_copy(update={"effects": effects})
    return ruling.model_copy(update={"on": changed})


def _is_thanked_for(effect: Effect, effects: list[Effect], state: GameState) -> bool:
    """Whether someone would think better of one for what is so already: who is tipped twice takes
    it, and likes one no better."""
    if effect.trust is None or effect.trust.delta <= 0:
        return False
    became = [new.become for new in effects if new.become]
    theirs = [new.condition for new in became if new.subject == effect.trust.who]
    return bool(theirs) and all(
        state.value(effect.trust.who, condition) is True for condition in theirs
    )


def _in_form(effect: Effect) -> Effect:
    if effect.become:
        plain = effect.become.condition.strip().casefold().replace("_", " ")
        return Effect(become=effect.become.model_copy(update={"condition": _short(plain)}))
    if effect.clock and effect.clock.delta > 1:
        return Effect(clock=effect.clock.model_copy(update={"delta": 1}))
    return effect


def _short(condition: str) -> str:
    """As many of its first words as a condition may have letters."""
    while len(condition) > LONGEST_WORD and " " in condition:
        condition = condition.rpartition(" ")[0]
    return condition


def _renamed(effects: list[Effect], names: dict[str, str]) -> list[Effect]:
    if not names:
        return effects
    made: list[Effect] = []
    for effect in effects:
        (key,) = effect.model_fields_set
        fields: Any = effect.model_dump(exclude_unset=True)[key]
        field = _NAMING.get(key, "")
        if field and fields[field] in names:
            fields = {**fields, field: names[fields[field]]}
        made.append(Effect.model_validate({key: fields}))
    return made


def _held(effects: list[Effect]) -> list[Effect]:
    """What appears and is handed on at once is with whoever gets it."""
    given = {effect.hand.item: effect.hand.to for effect in effects if effect.hand}
    new = {effect.appear.id for effect in effects if effect.appear} & given.keys()
    made: list[Effect] = []
    for effect in effects:
        if effect.appear and effect.appear.id in new:
            held = effect.appear.model_copy(update={"held_by": given[effect.appear.id]})
            made.append(Effect(appear=held))
        elif not (effect.hand and effect.hand.item in new):
            made.append(effect)
    return made


def capped(costs: Costs) -> Costs:
    """What an attempt may cost whatever comes of it: a point of each."""
    return Costs(**{name: max(0, min(1, amount)) for name, amount in costs.model_dump().items()})


def texts_in(effect: Effect) -> list[str]:
    """The texts inside an effect that a player would read."""
    told = effect.become or effect.put or effect.promise or effect.situation or effect.appear
    return [told.text] if told and told.text else []
