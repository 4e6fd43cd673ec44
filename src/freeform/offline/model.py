"""READ THIS FIRST. A model that is no model: each pass has a function here that answers it.

Question ──> RESPONDERS[pass id](input, chance) ──> output     chance is seeded by the call, so answers repeat
"""

import re
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from typing import Any

from pydantic import BaseModel

from freeform.core.chance import Chance
from freeform.core.errors import Unavailable
from freeform.core.gateway import Listen, Out, Question, Said, Usage

Responder = Callable[[Any, Chance], BaseModel]

PLACES = {
    "engine/interpreter": "interpreter:respond",
    "engine/planner": "planner:respond",
    "engine/narrator": "narrator:respond",
    "engine/session": "session:respond",
    "assistant/selector": "assistant.selector:respond",
    "assistant/extractor": "assistant.extractor:respond",
    "assistant/answer": "assistant.answer:respond",
    "research/planner": "research_planner:respond",
    "research/synthesizer": "research_synthesizer:respond",
    "players/remember": "players_memory:remember",
    "players/reword": "players_memory:reword",
    "players/talk": "players_talk:respond_talk",
    "players/directive": "players_talk:respond_directive",
    "players/stance": "players_check:respond_stance",
    "players/act": "players_act:respond_act",
    "players/react": "players_act:respond_react",
    "players/check": "players_check:respond_check",
    "players/summary": "players_check:respond_summary",
    "lore/extract_zone": "lore:zone",
    "lore/extract_npc": "lore:npc",
    "lore/extract_faction": "lore:faction",
    "lore/extract_lore": "lore:lore",
    "lore/extract_item": "lore:item",
    "lore/label_conflicts": "lore:label_conflicts",
    "ingest/structure": "ingest_reading:structure",
    "ingest/segment": "ingest_reading:segment",
    "ingest/classify": "ingest_lore:classify",
    "ingest/enrich_entities": "ingest_lore:entities",
    "ingest/enrich_segment": "ingest_lore:segments",
    "ingest/enrich_tags": "ingest_lore:tags",
    "ingest/gm_guidance": "ingest_lore:guidance",
    "ingest/systems_resolution": "ingest_systems:resolution",
    "ingest/systems_stat_schema": "ingest_systems:stat_schema",
    "ingest/systems_health": "ingest_systems:health",
    "ingest/systems_entity_stats": "ingest_systems:entity_stats",
    "ingest/systems_conditions": "ingest_lists:conditions",
    "ingest/systems_calibration": "ingest_lists:calibration",
    "ingest/systems_action_types": "ingest_lists:action_types",
    "ingest/systems_clocks": "ingest_lists:clocks",
    "ingest/systems_escalation": "ingest_lists:escalation",
    "ingest/systems_equipment": "ingest_lists:equipment",
    "ingest/systems_magic": "ingest_lists:magic",
}
"""Pass id -> the module here and its function. Words, so that a turn of play does not read what books need."""


class _Found(Mapping[str, Responder]):
    """The responders, each imported when its pass is first asked."""

    def __getitem__(self, pass_id: str) -> Responder:
        module, _, name = PLACES[pass_id].partition(":")
        respond: Responder = getattr(import_module(f"freeform.offline.{module}"), name)
        return respond

    def __iter__(self) -> Iterator[str]:
        return iter(PLACES)

    def __len__(self) -> int:
        return len(PLACES)


RESPONDERS: Mapping[str, Responder] = _Found()
_SENTENCE = re.compile(r".+?(?:[.!?…][\"'”’)\]]*\s+|\n+|$)", re.S)


class OfflineModel:
    """Answers every pass it has a responder for, at no cost, and the same way for the same seed."""

    def __init__(self, responders: Mapping[str, Responder] = RESPONDERS) -> None:
        self._responders = responders

    @property
    def name(self) -> str:
        """As a person writes it."""
        return "offline"

    async def reply(self, question: Question[Out], listen: Listen | None = None) -> Said[Out]:
        """The responder's answer; the streamed field goes to `listen` sentence by sentence."""
        pass_ = question.pass_
        respond = self._responders.get(pass_.id)
        if respond is None:
            raise Unavailable(
                f"nothing answers '{pass_.id}' offline; choose a model for it with --model", passing=False
            )
        answer = respond(question.input, Chance(question.call.seed, pass_.id))
        output = answer if isinstance(answer, pass_.gives) else pass_.gives.model_validate(answer.model_dump())
        if listen and pass_.streams:
            for piece in _SENTENCE.findall(str(getattr(output, pass_.streams))):
                listen(piece)
        return Said(output, Usage(calls=1))
