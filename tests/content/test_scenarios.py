"""Every bundled scenario holds together: nothing names what is not there, and nothing authored is out of reach."""

from collections import Counter

import pytest

from freeform.engine.authored.library import load_scenario, load_system, scenario_files
from freeform.engine.authored.scenario import Affordance, Discoverable, Scenario
from freeform.engine.authored.script import Condition, Effect
from freeform.engine.rules.safety import SafetyLimits
from tests.content.reaching import reach
from tests.content.reading import Passage, all_passages, flat

SCENARIOS = sorted(scenario_files())


@pytest.fixture(params=SCENARIOS, scope="module")
def scenario(request: pytest.FixtureRequest) -> Scenario:
    return load_scenario(request.param)


def test_there_is_something_to_play() -> None:
    assert "dead_drop" in SCENARIOS


def test_no_id_is_used_twice(scenario: Scenario) -> None:
    knowledge = [
        k.id for person in scenario.people.values() for k in (*person.knows, *person.withholds)
    ]
    tables = {
        "entities": [e.id for e in scenario.entities],
        "facts": [f.id for f in scenario.facts],
        "settled facts": [f"{f.subject_id} {f.predicate}" for f in scenario.facts],
        "threads": [t.id for t in scenario.threads],
        "clocks": [c.id for c in scenario.clocks],
        "heroes": [h.id for h in scenario.heroes],
        "affordances": [a.id for a in scenario.affordances],
        "discoverables": [d.id for d in scenario.discoverables],
        "moves": [m.id for m in scenario.moves],
        "endings": [e.id for e in scenario.endings],
        "knowledge": knowledge,
        "holdings": [f"{h.owner_id} {h.item_id}" for h in scenario.inventory],
    }
    twice = {
        table: [id for id, n in Counter(ids).items() if n > 1] for table, ids in tables.items()
    }
    assert {table: ids for table, ids in twice.items() if ids} == {}


def test_every_reference_leads_somewhere(scenario: Scenario) -> None:
    lost = [*_lost_in_tables(scenario)]
    for passage in all_passages(scenario):
        for condition in flat([*passage.when, *passage.yields]):
            lost += [f"{passage.where}: {id}" for id in _lost_in_condition(condition, scenario)]
        for effect in passage.effects:
            lost += [f"{passage.where}: {id}" for id in _lost_in_effect(effect, scenario)]
            for condition in flat(effect.threat.unless if effect.threat else []):
                lost += [f"{passage.where}: {id}" for id in _lost_in_condition(condition, scenario)]
    assert lost == []


def test_every_place_can_be_walked_to_when_all_doors_are_open(scenario: Scenario) -> None:
    seen, queue = {scenario.start.location}, [scenario.start.location]
    while queue:
        for way in scenario.places[queue.pop()].exits:
            if way.to not in seen:
                seen.add(way.to)
                queue.append(way.to)
    assert set(scenario.places) - seen == set()


def test_play_can_reach_every_place_secret_and_ending(scenario: Scenario) -> None:
    most = reach(scenario)
    hidden = {f.id for f in scenario.facts if f.visibility == "hidden"}
    assert set(scenario.places) - most.places == set()
    assert hidden - most.known == set()
    assert {e.id for e in scenario.endings} - most.done == set()


def test_nothing_authored_is_out_of_reach(scenario: Scenario) -> None:
    most = reach(scenario)
    assert [
        passage.where for passage in all_passages(scenario) if passage.where not in most.done
    ] == []


def test_leverage_can_be_found(scenario: Scenario) -> None:
    most = reach(scenario)
    kept = [p for p in all_passages(scenario) if p.yields]
    assert [p.where for p in kept if not all(most.can(condition) for condition in p.yields)] == []


def test_every_deed_is_one_the_system_knows(scenario: Scenario) -> None:
    system = load_system(scenario.system)
    assert [a.id for a in scenario.affordances if a.action not in system.action_types] == []
    rolled: list[Affordance | Discoverable] = [*scenario.affordances, *scenario.discoverables]
    assert [
        r.id
        for r in rolled
        if r.stat and r.stat not in {*system.stats, *system.stat_map, *system.skills}
    ] == []


def test_people_can_be_asked_and_have_something_to_say(scenario: Scenario) -> None:
    for person in scenario.people.values():
        assert all(lines for lines in (person.greeting, person.idle, person.shrugs))
        for told in (*person.knows, *person.withholds):
            assert told.topics and all(topic.strip() for topic in told.topics), told.id
            assert told.says and all(line.strip() for line in told.says), told.id
        for kept in person.withholds:
            assert kept.deflects and kept.yields_when, kept.id


def test_what_a_player_can_read_from_the_start_tells_no_secret(scenario: Scenario) -> None:
    secrets = _secrets(scenario)
    open_texts = [scenario.description, scenario.opening, *scenario.opening_suggestions]
    for entity in scenario.entities:
        open_texts += [entity.name, *(str(value) for value in entity.attrs.values())]
    open_texts += [str(f.object.get("text", "")) for f in scenario.facts if f.visibility == "known"]
    open_texts += [
        text
        for place in scenario.places.values()
        for text in (place.description, *place.atmosphere)
    ]
    for person in scenario.people.values():
        open_texts += [*person.greeting, *person.idle, *person.shrugs, *person.farewell]
    assert [(fact, text) for text in open_texts for fact in _told(text, secrets)] == []


def test_a_text_that_tells_a_secret_also_reveals_it(scenario: Scenario) -> None:
    secrets = _secrets(scenario)
    spilt = []
    for passage in all_passages(scenario):
        given = {effect.reveal for effect in passage.effects} | _known_before(passage)
        for text in passage.texts:
            spilt += [(passage.where, fact) for fact in _told(text, secrets) if fact not in given]
    assert spilt == []


def test_no_text_crosses_the_scenarios_own_lines(scenario: Scenario) -> None:
    limits = SafetyLimits(scenario.calibration.lines, scenario.calibration.veils)
    texts = [text for passage in all_passages(scenario) for text in passage.texts]
    texts += [line for lines in scenario.prose.values() for line in lines]
    assert [
        text for text in texts if text.strip() and limits.allow(text).strip() != text.strip()
    ] == []


def _lost_in_tables(scenario: Scenario) -> list[str]:
    entities = {e.id for e in scenario.entities} | {"player"}
    items = {e.id for e in scenario.entities if e.type in ("item", "object")}
    facts = {f.id for f in scenario.facts}
    named = {
        "fact subject": ({f.subject_id for f in scenario.facts}, entities),
        "owner": ({h.owner_id for h in scenario.inventory}, entities),
        "thing held": ({h.item_id for h in scenario.inventory}, items),
        "tie": ({id for r in scenario.relationships for id in (r.a_id, r.b_id)}, entities),
        "in a thread": ({id for t in scenario.threads for id in t.related_entity_ids}, entities),
        "hero's thing": ({item for h in scenario.heroes for item in h.items}, items),
        "deed's target": ({a.target for a in scenario.affordances if a.target}, entities),
        "deed's tool": ({a.using for a in scenario.affordances if a.using}, items),
        "deed's place": ({a.at for a in scenario.affordances if a.at}, set(scenario.places)),
        "find's place": ({d.at for d in scenario.discoverables}, set(scenario.places)),
        "way": (
            {way.to for p in scenario.places.values() for way in p.exits},
            set(scenario.places),
        ),
        "place without prose": (
            {e.id for e in scenario.entities if e.type == "location"},
            set(scenario.places),
        ),
        "clue's thread": ({c.thread for c in scenario.clues}, {t.id for t in scenario.threads}),
        "clue": ({fact for c in scenario.clues for fact in c.facts}, facts),
        "whereabouts": (
            {str(f.object.get("value")) for f in scenario.facts if f.predicate == "at"},
            set(scenario.places),
        ),
    }
    return [f"{what}: {id}" for what, (used, known) in named.items() for id in sorted(used - known)]


def _lost_in_condition(condition: Condition, scenario: Scenario) -> list[str]:
    entities, items, places = _ids(scenario)
    pairs = [pair for pair in (condition.fact, condition.not_fact) if pair]
    wanted: list[tuple[str | None, set[str]]] = [
        (condition.known, {f.id for f in scenario.facts}),
        (condition.unknown, {f.id for f in scenario.facts}),
        (condition.has, items),
        (condition.lacks, items),
        (condition.at, places),
        (condition.present, entities),
        (condition.absent, entities),
        (condition.clock.id if condition.clock else None, {c.id for c in scenario.clocks}),
        (condition.thread[0] if condition.thread else None, {t.id for t in scenario.threads}),
        (condition.trust.who if condition.trust else None, set(scenario.people)),
        (condition.holds[0] if condition.holds else None, entities),
        (condition.holds[1] if condition.holds else None, items),
        *((subject, entities) for subject, _, _ in pairs),
    ]
    return [id for id, known in wanted if id is not None and id not in known]


def _lost_in_effect(effect: Effect, scenario: Scenario) -> list[str]:
    entities, items, places = _ids(scenario)
    owners = entities | {"nowhere"}
    wanted: list[tuple[str | None, set[str]]] = [
        (effect.set.subject if effect.set else None, entities),
        (effect.reveal, {f.id for f in scenario.facts}),
        (effect.hand.item if effect.hand else None, items),
        (effect.hand.source if effect.hand else None, owners),
        (effect.hand.to if effect.hand else None, owners),
        (effect.unhide[0] if effect.unhide else None, entities),
        (effect.unhide[1] if effect.unhide else None, items),
        (effect.clock.id if effect.clock else None, {c.id for c in scenario.clocks}),
        (effect.thread[0] if effect.thread else None, {t.id for t in scenario.threads}),
        (effect.trust.who if effect.trust else None, set(scenario.people)),
        (effect.bring, entities),
        (effect.leave.who if effect.leave else None, entities),
        (effect.leave.to if effect.leave and effect.leave.to else None, places),
        (effect.go, places),
        (effect.escalate, set(scenario.people)),
        (effect.calm, set(scenario.people)),
        (effect.end_threat, _threats(scenario)),
        (effect.end_situation, _situations(scenario)),
    ]
    return [id for id, known in wanted if id is not None and id not in known]


def _ids(scenario: Scenario) -> tuple[set[str], set[str], set[str]]:
    entities = {e.id for e in scenario.entities} | {"player"}
    items = {e.id for e in scenario.entities if e.type in ("item", "object")}
    return entities, items, set(scenario.places)


def _threats(scenario: Scenario) -> set[str]:
    return {e.threat.id for p in all_passages(scenario) for e in p.effects if e.threat}


def _situations(scenario: Scenario) -> set[str]:
    own = {"hidden", "pursued"}  # the engine begins these itself
    return own | {e.situation.id for p in all_passages(scenario) for e in p.effects if e.situation}


def _secrets(scenario: Scenario) -> dict[str, SafetyLimits]:
    hidden = [f for f in scenario.facts if f.visibility == "hidden"]
    return {f.id: SafetyLimits([], [], [str(f.object.get("text", ""))]) for f in hidden}


def _told(text: str, secrets: dict[str, SafetyLimits]) -> list[str]:
    sentences = text.replace("?", ".").replace("!", ".").split(".")
    return [
        id
        for id, limits in secrets.items()
        if any(limits.leaks(sentence) for sentence in sentences)
    ]


def _known_before(passage: Passage) -> set[str | None]:
    return {condition.known for condition in flat([*passage.when, *passage.yields])}
