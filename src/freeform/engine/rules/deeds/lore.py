"""What the books give where the scenario is silent: people answer from their entry, places yield
their finds."""

from collections.abc import Sequence

from freeform.core.text import slug
from freeform.engine.rules.deeds.attempt import Attempt
from freeform.engine.rules.ledger import Disclosure
from freeform.engine.world.model import StateDiff
from freeform.engine.world.names import names_of, overlap, words
from freeform.engine.world.state import Fact, fact_id


def answer_from_lore(attempt: Attempt, topic: str) -> bool:
    """Tells or keeps back what someone's entry says on a topic; False when it says nothing."""
    page, who = attempt.page, attempt.action.target_id
    notes = attempt.lore.npc_briefings.get(who)
    if notes is None or who in attempt.rules.scenario.people:
        return False
    known, kept = _best(notes.knows, topic, attempt), _best(notes.withholds, topic, attempt)
    if kept and _fit(kept, topic, attempt) > (_fit(known, topic, attempt) if known else 0):
        page.happen("withheld", npc=who, name=attempt.name, topic=topic, text="")
        return True
    if not known:
        return False
    predicate = f"told:{slug(known)[:48]}"
    again = page.state.fact(who, predicate) is not None
    if not again:
        learnt = Fact(
            id=fact_id(who, predicate),
            subject_id=who,
            predicate=predicate,
            object={"value": "told", "text": known},
            tags=["lore"],
            discovered_turn=page.state.turn_no,
            discovery_method=f"told by {attempt.name}",
            origin="pack",
            pack_id=who.partition(":")[0] if ":" in who else None,
        )
        page.change(StateDiff(facts_add=[learnt]))
    said = f"“{known.rstrip('.')}.”"
    page.happen(
        "told",
        ("speech", "lore"),
        npc=who,
        name=attempt.name,
        topic=topic,
        text=said,
        again=again,
        lore=True,
    )
    return True


def find_from_lore(attempt: Attempt, spoken: str) -> bool:
    """Finds what the place's entry hides at the spot that was searched."""
    for hidden in attempt.lore.discoverable:
        mark = f"found:{slug(hidden.trigger)}"
        telling = words(hidden.trigger) - {
            "search",
            "look",
            "examine",
            "check",
            "behind",
            "under",
            "inside",
            "find",
        }
        if telling & words(spoken) and not attempt.page.state.value("campaign", mark):
            attempt.page.note("campaign", mark, True)
            attempt.page.settle(
                attempt.here,
                mark,
                "found",
                text=hidden.content,
                disclosure=Disclosure(method=f"searching: {hidden.trigger}"),
            )
            attempt.page.happen(
                "discovered", ("discovery", "lore"), id=slug(hidden.trigger), text=hidden.content
            )
            return True
    return False


def _best(lines: Sequence[str], topic: str, attempt: Attempt) -> str:
    fitting = [line for line in lines if _fit(line, topic, attempt)]
    return max(fitting, key=lambda line: _fit(line, topic, attempt), default="")


def _fit(line: str, topic: str, attempt: Attempt) -> int:
    """How many telling words of the topic a line holds; the speaker's own name tells nothing."""
    own = attempt.page.state.entities.get(attempt.action.target_id)
    names = words(" ".join(names_of(own))) if own else set()
    return overlap(line, sorted(words(topic) - names))
