"""READ THIS FIRST. A model that is no model: each pass has a function here that answers it.

Question ──> RESPONDERS[pass id](input, chance) ──> output     chance is seeded by the call, so answers repeat
"""

import re
from collections.abc import Callable, Mapping
from typing import Any

from pydantic import BaseModel

from freeform.assistant.passes import ANSWER, EXTRACTOR, SELECTOR
from freeform.assistant.research import passes as research
from freeform.core.chance import Chance
from freeform.core.errors import Unavailable
from freeform.core.gateway import Listen, Out, Question, Said, Usage
from freeform.engine.passes import INTERPRETER, NARRATOR, PLANNER
from freeform.engine.sessions import SUMMARIZE
from freeform.lore.passes import EXTRACT, LABEL_CONFLICTS
from freeform.offline import (
    ingest,
    interpreter,
    lore,
    narrator,
    planner,
    players_act,
    players_check,
    players_memory,
    players_talk,
    research_planner,
    research_synthesizer,
    session,
)
from freeform.offline.assistant import answer, extractor, selector
from freeform.players import passes as party
from freeform.players.memory.talk import REMEMBER, REWORD

Responder = Callable[[Any, Chance], BaseModel]

RESPONDERS: dict[str, Responder] = {
    INTERPRETER.id: interpreter.respond,
    PLANNER.id: planner.respond,
    NARRATOR.id: narrator.respond,
    SUMMARIZE.id: session.respond,
    SELECTOR.id: selector.respond,
    EXTRACTOR.id: extractor.respond,
    ANSWER.id: answer.respond,
    research.PLANNER.id: research_planner.respond,
    research.SYNTHESIZER.id: research_synthesizer.respond,
    REMEMBER.id: players_memory.remember,
    REWORD.id: players_memory.reword,
    party.TALK.id: players_talk.respond_talk,
    party.DIRECTIVE.id: players_talk.respond_directive,
    party.STANCE.id: players_check.respond_stance,
    party.ACT.id: players_act.respond_act,
    party.REACT.id: players_act.respond_react,
    party.CHECK.id: players_check.respond_check,
    party.SUMMARY.id: players_check.respond_summary,
    EXTRACT["zone"].id: lore.zone,
    EXTRACT["npc"].id: lore.npc,
    EXTRACT["faction"].id: lore.faction,
    EXTRACT["lore"].id: lore.lore,
    EXTRACT["narrative_item"].id: lore.item,
    LABEL_CONFLICTS.id: lore.label_conflicts,
    **ingest.RESPONDERS,
}
_WORD = re.compile(r"\S+\s*|\s+")


class OfflineModel:
    """Answers every pass it has a responder for, at no cost, and the same way for the same seed."""

    def __init__(self, responders: Mapping[str, Responder] = RESPONDERS) -> None:
        self._responders = responders

    @property
    def name(self) -> str:
        """As a person writes it."""
        return "offline"

    async def reply(self, question: Question[Out], listen: Listen | None = None) -> Said[Out]:
        """The responder's answer; the streamed field goes to `listen` word by word."""
        pass_ = question.pass_
        respond = self._responders.get(pass_.id)
        if respond is None:
            raise Unavailable(
                f"nothing answers '{pass_.id}' offline; choose a model for it with --model", passing=False
            )
        answer = respond(question.input, Chance(question.call.seed, pass_.id))
        output = answer if isinstance(answer, pass_.gives) else pass_.gives.model_validate(answer.model_dump())
        if listen and pass_.streams:
            for piece in _WORD.findall(str(getattr(output, pass_.streams))):
                listen(piece)
        return Said(output, Usage(calls=1))
