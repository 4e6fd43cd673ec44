"""What a forged scenario must have: a question, a cast, endings, two ways to every secret."""

from collections import Counter

from freeform.engine.authored.scenario import Scenario
from freeform.forge.model import Forged

FEWEST_PLACES, MOST_PLACES = 5, 9
FEWEST_PEOPLE, FEWEST_ENDINGS, WAYS = 4, 3, 2


class ForgeFault(Exception):
    """Our own data made a scenario that does not hold: a mistake of ours, not of whoever asked."""


def prove(forged: Forged) -> None:
    """ForgeFault names everything that is missing."""
    wrong = missing(forged.scenario)
    if wrong:
        raise ForgeFault(f"{forged.shape}/{forged.truth} in {forged.genre}: {'; '.join(wrong)}")


def missing(scenario: Scenario) -> list[str]:
    """What a scenario lacks, in words."""
    wrong = []
    if not scenario.threads:
        wrong.append("no question")
    if not FEWEST_PLACES <= len(scenario.places) <= MOST_PLACES:
        wrong.append(f"{len(scenario.places)} places")
    if len(scenario.people) < FEWEST_PEOPLE:
        wrong.append(f"{len(scenario.people)} people")
    if len(scenario.endings) < FEWEST_ENDINGS:
        wrong.append(f"{len(scenario.endings)} endings")
    if not scenario.opening.strip():
        wrong.append("no opening")
    counted = Counter(entity.id for entity in scenario.entities)
    twice = [id for id, count in counted.items() if count > 1]
    wrong += [f"two entities {id}" for id in twice]
    wrong += [f"the ending {id} holds from the first" for id in over_at_once(scenario)]
    ways = ways_to_secrets(scenario)
    wrong += [f"{ways[id]} ways to {id}" for id in ways if ways[id] < WAYS]
    return wrong


def over_at_once(scenario: Scenario) -> list[str]:
    """Endings that ask for nothing but what is so when the story begins."""
    begins = {(f.subject_id, f.predicate): f.object.get("value") for f in scenario.facts}
    found = []
    for ending in scenario.endings:
        facts = [condition.fact for condition in ending.when if condition.fact]
        is_so = all(begins.get((fact[0], fact[1])) == fact[2] for fact in facts)
        if is_so and len(facts) == len(ending.when):
            found.append(ending.id)
    return found


def ways_to_secrets(scenario: Scenario) -> dict[str, int]:
    """For every hidden fact, in how many places or people it can be learnt."""
    hidden = {fact.id: set[str]() for fact in scenario.facts if fact.visibility == "hidden"}
    for place_id, place in scenario.places.items():
        for detail in place.details:
            for id in detail.reveals:
                hidden[id].add(place_id)
    for person_id, person in scenario.people.items():
        for known in (*person.knows, *person.withholds):
            for id in known.reveals:
                hidden[id].add(person_id)
    return {id: len(found) for id, found in hidden.items()}
