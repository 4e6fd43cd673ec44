"""Hearsay through the service: what was told wrong counts against what it goes back to."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from freeform.players.memory.model import CAMPAIGN, Belief, Episode, MemoryFact, agent_group
from freeform.players.memory.retelling import say_aloud
from freeform.players.model import (
    Consensus,
    ConsensusState,
    Proposal,
    RoundRecord,
    TableView,
)
from freeform.services.house import House, opened_house
from freeform.services.party.memory import changed_by_memory
from freeform.services.party.parties import PartyRequest, new_party
from freeform.settings import Settings

TRUTH = "The key lies in Bram."
WRONG = "The key lies in Brum."


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    async with opened_house(Settings(home=tmp_path, model="offline"), model=False) as made:
        yield made


def claimed(fact: MemoryFact, said: str, who: str, id: str) -> MemoryFact:
    """What hearers keep when somebody tells a fact otherwise than it was."""
    belief = Belief(
        agent=who, fact_id=fact.id, day=1.0, believed=said, confidence=0.9, truth=fact.text
    )
    (claim,), _ = say_aloud(
        belief, fact, speaker=who, name=who.title(), hearers=["alex", "bea", "cato"], day=1.0,
        episode=Episode(session=1), group=CAMPAIGN, id=id,
    )  # fmt: skip
    return claim


async def test_what_was_heard_wrong_and_is_well_remembered_has_changed_a_decision(
    house: House,
) -> None:
    made = await new_party(
        house, PartyRequest(scenario="dead_drop", players="3", seed=7, strength=0.0)
    )
    parlour = await house.parlour()
    who = await parlour.store.get(made.party)
    minds = parlour.minds(who.id)
    root = MemoryFact(
        id="r1.alex.0", group=agent_group("alex"), subject="key", predicate="at", value="bram",
        text=TRUTH, created_at=1.0, valid_at=1.0, source_id="r1.alex",
    )  # fmt: skip
    first = claimed(root, WRONG, "alex", "r2.1.alex.said")
    second = claimed(first, f"Cato said: {WRONG}", "bea", "r2.1.bea.said")
    right = claimed(root, TRUTH, "alex", "r2.2.alex.said")
    await minds.store.add([root, first, second, right])

    came = await minds.recall(who, who.seat("cato"), "the key", TableView(day=1.0), 1)
    assert {memory.fact_id for memory in came.memories} == {first.id, second.id, right.id}
    assert came.truths == {first.id: TRUTH, second.id: TRUTH}

    sway = {"agent": "cato", "leant": "Go to Brum", "rather": "Go to Bram",
            "fact_id": second.id, "believed": second.text}  # fmt: skip
    settled = Consensus(
        proposal=Proposal(by="cato", option="Go to Brum"),
        state=ConsensusState.MAJORITY,
        decided=True,
    )
    record = RoundRecord(round=1, phases=[], consensus=settled, swayed=[sway])
    await parlour.store.record(who.id, record)
    (changed,) = (await changed_by_memory(house, who.id)).decisions
    assert (changed.truth, changed.carried, changed.who) == (TRUTH, True, "Cato")
