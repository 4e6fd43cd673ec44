"""The scene as an AI player at a table of people sees it: what the engine shows people, what was
done lately and by whom, and what is said beside the story. Pure.

Turns of the table become the rounds that AI players know, so that the same mind thinks here as in a
party: its options, its refusals, what people advised, how long nothing new has come.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from freeform.engine.log import PlayedPart
from freeform.engine.ports import TurnText
from freeform.engine.table import Rules
from freeform.engine.world.model import TurnResult
from freeform.engine.world.state import GameState
from freeform.players.memory.learning import facts_of_turn
from freeform.players.memory.model import MemoryFact
from freeform.players.mind.places import refused_in
from freeform.players.model import (
    Action,
    BasePersona,
    Character,
    Consensus,
    Party,
    RoundRecord,
    Seat,
    TableView,
)
from freeform.players.passes import HeardFact
from freeform.players.people.model import ChatLine, SharedTable, TableSeat
from freeform.players.round.minds import memory_day
from freeform.players.round.options import deeds_in, look_at_table
from freeform.players.round.thoughts import with_past
from freeform.players.words.rulings import ruling_of

STRENGTH = 0.3
"""How readily a companion forgets, as in a party."""
LATELY = 12
"""Turns that are still in everyone's ear."""


@dataclass(frozen=True)
class PlayedTurn:
    """A turn of the story, and where it was played."""

    result: TurnResult
    place: str
    parts: Sequence[PlayedPart] = ()
    """What each did, where several acted at once."""


@dataclass(frozen=True)
class TableScene:
    """What lies before an AI player: the story as it stands, and its last turns."""

    table: SharedTable
    state: GameState
    rules: Rules
    recent: list[TurnText]
    turns: Sequence[PlayedTurn]
    session: int = 1

    def party(self) -> Party:
        """Everyone at the table, as AI players know a party."""
        return Party(
            id=self.table.campaign,
            campaign=self.table.campaign,
            scenario=self.rules.scenario.id,
            seed=self.rules.begun.seed,
            strength=STRENGTH,
            seats=[_seat(self.table, each) for each in self.table.taken_seats()],
            session=self.session,
        )

    def view(self) -> TableView:
        """The table with what could be done next."""
        rounds = [self._round(turn) for turn in self.turns]
        tried = dict(Counter(deed for record in rounds for deed in deeds_in(record)))
        last = self.turns[-1].result if self.turns else None
        offered = last.suggested_actions if last else self.rules.begun.suggested_actions
        refused = refused_in(rounds, tried, len(rounds) + 1)
        seen = look_at_table(self.state, self.rules, self.recent, tried, offered, refused)
        return with_past(seen, self.party().seats, rounds[-LATELY:], self.rules.system, tried)

    def story(self) -> str:
        """What was told last, saying to whom: `you` is somebody else for everybody."""
        told = [turn.result for turn in self.turns[-2:] if turn.result.final_text]
        if not told:
            return self.rules.begun.opening
        return "\n\n".join(f"To {each.actor}: {each.final_text}" for each in told)

    def facts(self, after: str) -> list[MemoryFact]:
        """What the turns since that one leave in everyone's memory: all at a table are told."""
        ids = [turn.result.turn_id for turn in self.turns]
        since = ids.index(after) + 1 if after in ids else 0
        found: list[MemoryFact] = []
        for turn in self.turns[since:]:
            actor = turn.result.actor
            facts = facts_of_turn(turn.result, self.state, session=self.session, actor=actor)
            for fact in facts:
                day = memory_day(fact.created_at, self.session)
                found.append(fact.model_copy(update={"valid_at": day, "created_at": day}))
        return found

    def _round(self, turn: PlayedTurn) -> RoundRecord:
        result = turn.result
        deeds = [(part.actor, part.text) for part in turn.parts]
        deeds = deeds or [(result.actor, result.player_input)]
        who = {seat.actor.name: seat.person or seat.id for seat in self.table.seats}
        actions = {who.get(name, name): Action(intent=text) for name, text in deeds}
        return RoundRecord(
            round=result.turn_no,
            phases=[],
            consensus=Consensus(),
            actions=actions,
            order=list(actions),
            rulings=dict.fromkeys(actions, ruling_of(result)),
            place=turn.place,
        )


def heard_talk(
    lines: Sequence[ChatLine], names: dict[str, str], person: str, most: int = 12
) -> list[HeardFact]:
    """What someone has heard beside the story, oldest first; no whisper that was not for them."""
    heard = [line for line in lines if line.is_heard_by(person)]
    return [HeardFact(who=names.get(line.by, "?"), said=line.text) for line in heard[-most:]]


def _seat(table: SharedTable, seat: TableSeat) -> Seat:
    who, actor = table.person(seat.person), seat.actor
    part = actor.model_dump(include={"name", "concept", "pronouns", "stats"}) | {"id": seat.id}
    if who.companion:
        known = who.companion.persona.character
        own = who.companion.persona.model_copy(update={"id": who.id, "name": who.name})
        character = known.model_copy(update=part)
    else:
        character = Character(**part)
        own = BasePersona(id=who.id, name=who.name, character=character)
    return Seat(agent=who.id, persona=own, character=character, person=not who.companion)
