"""A wrong memory is followed from mouth to mouth, to what was decided because of it."""

from typing import Any

from freeform.engine.authored.library import load_scenario, load_system
from freeform.players.memory.model import Belief, MemoryFact, Slot
from freeform.players.mind.model import Leaning, MindState
from freeform.players.model import (
    Consensus,
    ConsensusState,
    Memory,
    Option,
    Party,
    Position,
    Proposal,
    RoundRecord,
    Ruling,
    Stance,
)
from freeform.players.party.persona import choose_personas, seat_all
from freeform.players.party.swayed import swayed_by
from freeform.players.party.trail import changed_decisions, trail_of
from freeform.players.round.consensus import in_bound_order, unmet

STORY = load_scenario("dead_drop")
PARTY = Party(
    id="p",
    campaign="p",
    scenario="dead_drop",
    seed=1,
    seats=seat_all(choose_personas("3"), STORY, load_system(STORY.system), []),
)


def mind(*memories: Memory) -> MindState:
    """Goes wherever the first memory says the key is."""
    place = memories[0].believed.rsplit(" ", 1)[-1].strip(".")
    return MindState(leanings=[Leaning(option=Option(text=f"Go to {place}", kind="go"), score=1)])


def test_the_memory_that_changed_a_decision_is_named_and_others_are_not() -> None:
    held = [
        Memory(fact_id="key", believed="The key lies in Brum."),
        Memory(fact_id="hat", believed="The hat was red."),
    ]
    truths = {"key": "The key lies in Bram.", "hat": "The hat was green."}

    def think(memories: Any) -> MindState:
        return mind(*memories)

    sway = swayed_by("alex", held, truths, "Go to Brum", think)
    assert sway is not None and (sway.fact_id, sway.leant, sway.rather) == (
        "key",
        "Go to Brum",
        "Go to Bram",
    )
    assert swayed_by("alex", held, {"hat": "The hat was green."}, "Go to Brum", think) is None
    assert swayed_by("alex", held, {}, "Go to Brum", think) is None


def row(agent: str, **more: str) -> dict[str, Any]:
    said = {"memory": "", "believed": "", "disputes": "", "content": "", "proposes": "", "mine": ""}
    return {"round": 1, "agent": agent, "name": PARTY.seat(agent).persona.name, **said, **more}


def record(number: int, *rows: dict[str, Any], **more: Any) -> RoundRecord:
    settled = Consensus(
        proposal=Proposal(by="bea", option="Go to Brum"),
        state=ConsensusState.MAJORITY,
        decided=True,
        how="talk",
    )
    return RoundRecord(round=number, phases=[], ooc=list(rows), consensus=settled, **more)


def test_a_trail_has_what_was_so_who_told_it_on_who_disputed_it_and_what_came_of_it() -> None:
    truth = MemoryFact(
        id="r1.alex.0", group="campaign_main", subject="key", predicate="at", value="bram",
        text="The key lies in Bram.", created_at=1.0, valid_at=1.0, source_id="r1.alex",
    )  # fmt: skip
    claim = truth.model_copy(
        update={
            "id": "r2.1.alex.said",
            "text": "Alex said: The key lies in Brum.",
            "claim_of": truth.id,
            "slots": (Slot(name="source", kind="source", text="Alex"),),
        }
    )
    sway = {"agent": "bea", "leant": "Go to Brum", "rather": "Go to Bram", "fact_id": claim.id,
            "believed": claim.text}  # fmt: skip
    rounds = [
        record(2, row("alex", memory=truth.id, believed="The key lies in Brum."),
               row("cato", disputes=truth.id, content="Nonsense, Alex.")),
        record(3, row("bea", memory=claim.id, believed=claim.text), swayed=[sway]),
    ]  # fmt: skip
    held = [Belief(agent="cato", fact_id=truth.id, day=2.0, believed=truth.text, confidence=0.9,
                   corruption_type=None, truth=truth.text, audit=())]  # fmt: skip
    trail = trail_of(PARTY, rounds, [truth, claim], held)
    assert [(s.kind, s.round, s.who, s.right) for s in trail.steps] == [
        ("happened", 1, "", True),
        ("told", 2, "Alex", False),
        ("disputed", 2, "Cato", True),
        ("told", 3, "Bea", False),
        ("swayed", 3, "Bea", False),
        ("decided", 3, "the party", False),
    ]
    assert trail.steps[3].heard_from == "Alex" and [one.right for one in trail.held] == [True]
    (changed,) = changed_decisions(PARTY, rounds, {claim.id: truth.text})
    assert changed.carried and changed.truth == truth.text and changed.rather == "Go to Bram"


def settled(*conditions: tuple[str, str]) -> Consensus:
    said = dict(conditions)
    return Consensus(
        proposal=Proposal(by="alex", option="Climb the shaft"),
        decided=True,
        positions=[
            Position(agent_id=a, stance=Stance.AGREE, condition=said.get(a, ""))
            for a in ("alex", "bea", "cato")
        ],
    )


def test_a_condition_binds() -> None:
    chosen = {"alex": "Climb the shaft", "bea": "Search the winch", "cato": "Climb the shaft"}
    asks_first = settled(("bea", "as long as we have searched the winch first"))
    assert in_bound_order(["alex", "bea", "cato"], asks_first, chosen) == ["bea", "alex", "cato"]
    refused = {"bea": Ruling(text="", blocked="It is locked.")}
    assert unmet("alex", asks_first, chosen, refused) == "bea"
    failed = {"bea": Ruling(text="The drum does not give.", outcome="bad")}
    assert unmet("alex", asks_first, chosen, failed) == "bea"
    assert unmet("alex", asks_first, chosen, {"bea": Ruling(text="Nothing.")}) == ""
    you_first = settled(("bea", "if you go first"))
    assert in_bound_order(["bea", "alex"], you_first, chosen) == ["alex", "bea"]
    assert in_bound_order(["bea", "alex"], settled(), chosen) == ["bea", "alex"]
