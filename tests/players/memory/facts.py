"""Facts for the tests of memory, built by one function, and strategies that make minds and lives."""

from typing import Any

from hypothesis import strategies as st

from freeform.players.memory.model import MemoryFact, Mind, Rehearsal, Slot

MERCHANT = (
    Slot(name="who", kind="name", text="Viktor"),
    Slot(name="price", kind="number", text="50 gold pieces"),
    Slot(name="where", kind="place", text="the Broken Crown"),
)


def fact(id: str = "fact_1", **other: Any) -> MemoryFact:
    """What the merchant offered, unless told otherwise."""
    given = {
        "group": "campaign_main", "subject": "viktor", "predicate": "offered", "value": "50",
        "text": "Viktor offered 50 gold pieces at the Broken Crown.", "slots": MERCHANT,
        "valid_at": 0.0, "created_at": 0.0,
    }  # fmt: skip
    return MemoryFact.model_validate({"id": id, **given, **other})


def plain(id: str, text: str, group: str = "agent_alex", **other: Any) -> MemoryFact:
    """A fact that is one sentence about itself."""
    return fact(
        id,
        **{
            "group": group,
            "subject": id,
            "predicate": "is",
            "value": text,
            "text": text,
            "slots": (),
            **other,
        },
    )


days = st.floats(0, 4000, allow_nan=False)
minds = st.builds(
    Mind,
    agent=st.sampled_from(["alex", "mira", "tomas"]),
    percentile=st.floats(1, 99),
    strength=st.floats(0, 1),
    seed=st.integers(0, 10_000),
    confidence=st.floats(0, 1),
    emotional_memory=st.floats(0, 1),
    analytical=st.floats(0, 1),
    detail_oriented=st.floats(0, 1),
)
facts = st.builds(
    lambda n, importance, feeling: fact(f"fact_{n}", importance=importance, feeling=feeling),
    st.integers(0, 10_000),
    st.floats(0, 1),
    st.floats(-1, 1),
)


def life(agent: str, fact_id: str) -> st.SearchStrategy[list[Rehearsal]]:
    """Some rehearsals of one fact by one agent."""
    one = st.tuples(st.floats(0, 400), st.sampled_from(["told", "said"]))
    return st.lists(one, max_size=4).map(
        lambda rows: [
            Rehearsal(agent=agent, fact_id=fact_id, day=day, how=how, no=n)
            for n, (day, how) in enumerate(rows)
        ]
    )
