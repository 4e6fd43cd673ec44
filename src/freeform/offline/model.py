"""READ THIS FIRST. A model that is no model: each pass has a function here that answers it.

Question ──> RESPONDERS[pass id](input, chance) ──> output     chance is seeded by the call, so answers repeat
"""

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from importlib import import_module
from typing import Any, cast

from pydantic import BaseModel

from freeform.core.chance import Chance
from freeform.core.errors import Unavailable
from freeform.core.llm.gateway import (
    Listen,
    ModelSaid,
    Out,
    Question,
    Usage,
)
from freeform.core.text import plain_form
from freeform.engine.passes import InterpreterInput
from freeform.engine.world.model import InterpreterOutput
from freeform.language.ear import Ear
from freeform.language.meaning.names import NameKinds
from freeform.language.meaning.outcome import OutcomeEar
from freeform.language.short_forms import written_out
from freeform.offline.remembered import RememberingEar

Responder = Callable[[Any, Chance], BaseModel]

INTERPRETER, REFEREE = "engine/interpreter", "engine/referee"
NARRATOR, TELLER = "engine/narrator", "engine/teller"
LORE_READERS = tuple(f"lore/extract_{kind}" for kind in ("zone", "npc", "faction", "lore", "item"))
PLACES = {
    INTERPRETER: "rulings.rule:respond",
    "engine/planner": "planner:respond",
    NARRATOR: "narrator:respond",
    REFEREE: "rulings.rule:respond",
    TELLER: "narrator:respond",
    "engine/session": "session:respond",
    "assistant/selector": "assistant.selector:respond",
    "assistant/extractor": "assistant.extractor:respond",
    "assistant/answer": "assistant.answer:respond",
    "research/planner": "research.planner:respond",
    "research/synthesizer": "research.synthesizer:respond",
    "players/remember": "players.memory:remember",
    "players/reword": "players.memory:reword",
    "players/talk": "players.talk:respond_talk",
    "players/directive": "players.talk:respond_directive",
    "players/act": "players.act:respond_act",
    "players/react": "players.act:respond_react",
    "players/check": "players.check:respond_check",
    "players/summary": "players.check:respond_summary",
    "forge/premise": "forge:premise",
    "forge/question": "forge:question",
    "forge/cast": "forge:cast",
    "forge/secrets": "forge:secrets",
    "forge/clues": "forge:clues",
    "forge/clocks": "forge:clocks",
    "forge/endings": "forge:endings",
    "forge/opening": "forge:opening",
    "lore/extract_zone": "lore.passes:zone",
    "lore/extract_npc": "lore.passes:npc",
    "lore/extract_faction": "lore.passes:faction",
    "lore/extract_lore": "lore.passes:lore",
    "lore/extract_item": "lore.passes:item",
    "lore/label_conflicts": "lore.passes:label_conflicts",
    "lore/review_zone": "lore.passes:review",
    "ingest/structure": "ingest.reading:structure",
    "ingest/segment": "ingest.reading:segment",
    "ingest/catalogues": "ingest.lore:catalogues",
    "ingest/read_sections": "ingest.lore:read_sections",
    "ingest/classify": "ingest.lore:classify",
    "ingest/enrich_entities": "ingest.lore:entities",
    "ingest/enrich_segment": "ingest.lore:segments",
    "ingest/enrich_tags": "ingest.lore:tags",
    "ingest/gm_guidance": "ingest.lore:guidance",
    "ingest/systems_resolution": "ingest.rolls:resolution",
    "ingest/systems_stat_schema": "ingest.systems:stat_schema",
    "ingest/systems_health": "ingest.systems:health",
    "ingest/systems_entity_stats": "ingest.systems:entity_stats",
    "ingest/systems_conditions": "ingest.lists:conditions",
    "ingest/systems_calibration": "ingest.lists:calibration",
    "ingest/systems_action_types": "ingest.lists:action_types",
    "ingest/systems_clocks": "ingest.lists:clocks",
    "ingest/systems_escalation": "ingest.lists:escalation",
    "ingest/systems_equipment": "ingest.lists:equipment",
    "ingest/systems_magic": "ingest.lists:magic",
}
"""Pass id -> the module here and its function. Words, so that a turn of play does not read what
books need."""


class _Found(Mapping[str, Responder]):
    """The responders, each imported when its pass is first asked; what is given comes first."""

    def __init__(
        self,
        given: Mapping[str, Responder] | None = None,
        others: Mapping[str, Responder] | None = None,
    ) -> None:
        self._given = given or {}
        self._others = others

    def __getitem__(self, pass_id: str) -> Responder:
        if pass_id in self._given:
            return self._given[pass_id]
        return self._others[pass_id] if self._others else _responder(PLACES[pass_id])

    def __iter__(self) -> Iterator[str]:
        return iter(self._others or PLACES)

    def __len__(self) -> int:
        return len(self._others or PLACES)


@cache
def _responder(place: str) -> Responder:
    module, _, name = place.partition(":")
    respond: Responder = getattr(import_module(f"freeform.offline.{module}"), name)
    return respond


RESPONDERS: Mapping[str, Responder] = _Found()


def hearing(ear: Ear | None = None) -> Callable[[InterpreterInput], InterpreterOutput]:
    """What the words of a player would mean, heard as a turn of play hears them offline."""
    respond = _listening(ear)

    def hear(input: InterpreterInput) -> InterpreterOutput:
        return InterpreterOutput.model_validate(respond(input, Chance("rehearsal")))

    return RememberingEar(hear)


def _listening(ear: Ear | None) -> Responder:
    """The responder that hears players with an ear; read only when it is first asked."""

    @cache
    def referee() -> Any:
        return import_module("freeform.offline.referee.decide").Referee(ear)

    def respond(input: InterpreterInput, chance: Chance) -> InterpreterOutput:
        typed = written_out(input.player_input, _called(input))
        meant = referee().meant(input.model_copy(update={"player_input": typed}))
        heard: InterpreterOutput = referee().respond(meant, chance)
        rule = import_module("freeform.offline.rulings.rule").with_rulings
        reader = ear if isinstance(ear, OutcomeEar) else None
        return cast(InterpreterOutput, rule(heard, meant, chance, reader))

    return respond


def _called(input: InterpreterInput) -> frozenset[str]:
    """Every word of the names of what there is: an `urs` that lies here is no `yours`."""
    names = (str(one.get("name") or "") for one in input.context_packet.entities)
    return frozenset(word for name in names for word in plain_form(name).split() if word[1:])


def _reading(place: str, reader: NameKinds | OutcomeEar) -> Responder:
    """The responder that reads with what tells names apart, or finds the verbs of a deed."""

    def respond(input: Any, chance: Chance) -> BaseModel:
        read: Any = _responder(PLACES[place])
        return cast(BaseModel, read(input, chance, reader))

    return respond


class OfflineModel:
    """Answers every pass it has a responder for, at no cost, and the same way for the same seed."""

    def __init__(
        self,
        responders: Mapping[str, Responder] = RESPONDERS,
        ear: Ear | None = None,
        names: NameKinds | None = None,
    ) -> None:
        """With an ear, what players type is heard by it and the rules together; `names` tells the
        reader of wikis what names name."""
        given: dict[str, Responder] = {}
        if ear is not None:
            given |= dict.fromkeys((INTERPRETER, REFEREE), _listening(ear))
        if isinstance(ear, OutcomeEar):
            given |= {place: _reading(place, ear) for place in (NARRATOR, TELLER)}
        if names is not None:
            given |= {place: _reading(place, names) for place in LORE_READERS}
        self._responders = _Found(given, responders) if given else responders

    @property
    def name(self) -> str:
        """As a person writes it."""
        return "offline"

    async def reply(self, question: Question[Out], listen: Listen | None = None) -> ModelSaid[Out]:
        """The responder's answer; the streamed field goes to `listen` whole, since it is there at
        once."""
        pass_ = question.pass_
        respond = self._responders.get(pass_.id)
        if respond is None:
            raise Unavailable(
                f"nothing answers '{pass_.id}' offline; choose a model for it with --model",
                passing=False,
            )
        answer = respond(question.input, Chance(question.call.seed, pass_.id))
        output = (
            answer
            if isinstance(answer, pass_.gives)
            else pass_.gives.model_validate(answer.model_dump())
        )
        if listen and (text := pass_.streamed(output)):
            listen(text)
        return ModelSaid(output, Usage(calls=1))
