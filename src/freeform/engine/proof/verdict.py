"""What play shows an author: what it never came to, single ways, secrets told unawares."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from freeform.engine.authored.scenario import Scenario
from freeform.engine.authored.script import Condition, Effect
from freeform.engine.proof.guide import changes_in
from freeform.engine.proof.literals import key_of, single, waiting
from freeform.engine.proof.reached import Reached, homes_of
from freeform.engine.proof.report import Reach, ReachShare
from freeform.engine.proof.sense import Found
from freeform.engine.proof.shape import Where
from freeform.engine.rules.safety import SafetyLimits


@dataclass(frozen=True)
class Text:
    """Words that a player reads, where they stand, and the facts that come out with them."""

    where: Where
    texts: list[str]
    reveals: frozenset[str] = frozenset()
    when: tuple[Condition, ...] = ()


def reach_of(scenario: Scenario, reached: Reached) -> Reach:
    """How much of a scenario play came to."""
    places = [e.id for e in scenario.entities if e.type == "location"]
    secrets = [fact.id for fact in scenario.facts if fact.visibility == "hidden"]
    return Reach(
        places=_share(places, reached.places),
        people=_share(list(scenario.people), reached.people),
        secrets=_share(secrets, reached.known),
        endings=_share([ending.id for ending in scenario.endings], reached.endings),
    )


def _share(all: list[str], reached: set[str]) -> ReachShare:
    missing = [id for id in all if id not in reached]
    return ReachShare(reachable=len(all) - len(missing), all=len(all), missing=missing)


def out_of_reach(scenario: Scenario, reached: Reached) -> Iterator[Found]:
    """Everything that no line of play came to."""
    reach = reach_of(scenario, reached)
    luck = f"in {reached.turns} turns with the dice at best and at worst"
    for number, entity in enumerate(scenario.entities):
        if entity.id in reach.places.missing:
            yield "error", ("entities", number), f"no way leads to the place '{entity.id}'"
    for who in reach.people.missing:
        yield "error", ("people", who), f"nobody ever meets '{who}'; say where they are (`at`)"
    for number, fact in enumerate(scenario.facts):
        if fact.id in reach.secrets.missing:
            reason = f"play never comes to the secret '{fact.id}', {luck}"
            yield "error", ("facts", number), reason
    yield from _endings(scenario, reached, luck)
    yield from _never_open(scenario, reached)
    for place in reached.dead_ends:
        reason = f"a dead end: from '{place}' no way, deed or wait leads on while the story is open"
        yield "error", ("places", place), reason


def _endings(scenario: Scenario, reached: Reached, luck: str) -> Iterator[Found]:
    for number, ending in enumerate(scenario.endings):
        if ending.id not in reached.endings:
            why = _never(ending.when, reached)
            reason = f"play never comes to the ending '{ending.id}', {luck}{why}"
            yield "error", ("endings", number), reason
        if ending.id in reached.at_once:
            reason = f"the ending '{ending.id}' holds from the start; the first turn would end it"
            yield "error", ("endings", number), reason
    if not scenario.endings:
        yield "warning", ("endings",), "there is no ending; the story cannot come to rest"


def _never_open(scenario: Scenario, reached: Reached) -> Iterator[Found]:
    """Deeds, details, finds, ways and answers that were never possible."""
    if reached.spent:
        reason = "the budget of turns ended before everything was tried; what is reached is certain"
        yield "note", (), reason
        return
    places, homes = places_of(scenario), homes_of(scenario)
    met = reached.places | reached.people
    for name, conditions in waiting(scenario):
        home = homes.get(name, "")
        is_told = bool(home) and home not in met
        if name in reached.open | reached.done or name not in places or is_told:
            continue
        yield "warning", places[name], f"play never comes to `{name}`{_never(conditions, reached)}"


def _never(conditions: list[Condition], reached: Reached) -> str:
    """The end of a sentence: which conditions never held."""
    unmet = [each for each in single(conditions) if key_of(each) not in reached.held]
    said = ", ".join(_said(each) for each in unmet[:3])
    if said:
        return f": {said} never holds"
    return ": its conditions never hold together" if conditions else ""


def _said(condition: Condition) -> str:
    (key,) = condition.model_fields_set
    value = getattr(condition, key)
    shown = list(value) if isinstance(value, tuple) else value
    plain = shown.model_dump(exclude_unset=True) if hasattr(shown, "model_dump") else shown
    return f"`{key}: {plain}`"


def places_of(scenario: Scenario) -> dict[str, Where]:
    """Where each thing that can be tried stands in the file."""
    found: dict[str, Where] = {}
    for place_id, place in scenario.places.items():
        for number, way in enumerate(place.exits):
            found[f"go {place_id} {way.to}"] = ("places", place_id, "exits", number)
        for number, _ in enumerate(place.details):
            found[f"look {place_id} {number}"] = ("places", place_id, "details", number)
    for who, person in scenario.people.items():
        for number, known in enumerate(person.knows):
            found[f"tell {who} {known.id}"] = ("people", who, "knows", number)
        for number, kept in enumerate(person.withholds):
            found[f"tell {who} {kept.id}"] = ("people", who, "withholds", number)
    for number, deed in enumerate(scenario.affordances):
        found[f"do {deed.id}"] = ("affordances", number)
    for number, hidden in enumerate(scenario.discoverables):
        found[f"find {hidden.id}"] = ("discoverables", number)
    return found


def single_ways(scenario: Scenario) -> Iterator[Found]:
    """Secrets that something hangs on and that one thing alone gives away."""
    ways: dict[str, set[str]] = {}
    for bringer, effect in changes_in(scenario):
        if effect.reveal:
            ways.setdefault(effect.reveal, set()).add(bringer.user)
    needed = {fact for clue in scenario.clues for fact in clue.facts}
    for name, conditions in waiting(scenario):
        if name.startswith(("end ", "go ")):
            needed |= {each.known for each in _must_hold(conditions) if each.known}
    for number, fact in enumerate(scenario.facts):
        known = ways.get(fact.id, set())
        if fact.visibility == "hidden" and len(known) == 1:
            matters = fact.id in needed
            (way,) = known
            reason = f"only one way leads to the secret '{fact.id}' (`{way}`)"
            hangs = "; a thread, a way or an ending hangs on it, so give it a second"
            if matters:
                yield "warning", ("facts", number), f"{reason}{hangs}"
            else:
                yield "note", ("facts", number), reason


def _must_hold(conditions: list[Condition]) -> Iterator[Condition]:
    """The single conditions for which nothing else will do."""
    for condition in conditions:
        if condition.all:
            yield from _must_hold(condition.all)
        elif condition.any and len(condition.any) == 1:
            yield from _must_hold(condition.any)
        else:
            yield condition


def told_unawares(scenario: Scenario) -> Iterator[Found]:
    """Texts that tell most of a secret without revealing it, as the engine itself measures it."""
    hidden = [f for f in scenario.facts if f.visibility == "hidden" and f.object.get("text")]
    secrets = [_Secret.of(fact.id, str(fact.object["text"])) for fact in hidden]
    for text in texts_of(scenario):
        known = text.reveals | {each.known for each in single(text.when) if each.known}
        for secret in secrets:
            if secret.id not in known and any(map(secret.is_in, text.texts)):
                told = f"this tells the secret '{secret.id}' without revealing it"
                yield "error", text.where, f"{told}; name it in `reveals`"


@dataclass(frozen=True)
class _Secret:
    """A secret, and how many sentences tell it."""

    id: str
    limits: SafetyLimits
    sentences: int

    @classmethod
    def of(cls, id: str, text: str) -> "_Secret":
        return cls(id, SafetyLimits([], [], [text]), max(1, len(_sentences(text))))

    def is_in(self, text: str) -> bool:
        """Whether as many sentences on end as it has tell most of it."""
        parts = _sentences(text)
        last = max(1, len(parts) - self.sentences + 1)
        windows = (" ".join(parts[at : at + self.sentences]) for at in range(last))
        return any(map(self.limits.leaks, windows))


@lru_cache(maxsize=4_000)
def _sentences(text: str) -> tuple[str, ...]:
    parts = text.replace("?", ".").replace("!", ".").replace("Mr.", "Mr").split(".")
    return tuple(part for part in parts if part.strip(" \n\"'"))


def texts_of(scenario: Scenario) -> Iterator[Text]:
    """Everything a player may read, with what it reveals."""
    yield Text(("opening",), [scenario.opening])
    yield Text(("description",), [scenario.description])
    for number, entity in enumerate(scenario.entities):
        told = (str(entity.attrs.get(name) or "") for name in ("description", "writing"))
        yield Text(("entities", number), [text for text in told if text] or [""])
    for number, fact in enumerate(scenario.facts):
        if fact.visibility == "known":
            yield Text(("facts", number), [str(fact.object.get("text", ""))])
    for place_id, place in scenario.places.items():
        spoken = [place.description, *place.again, *place.atmosphere]
        yield Text(("places", place_id), spoken)
        for number, detail in enumerate(place.details):
            where = ("places", place_id, "details", number)
            yield Text(where, [detail.text], frozenset(detail.reveals), tuple(detail.when))
    yield from _speech(scenario)
    yield from _deeds(scenario)


def _speech(scenario: Scenario) -> Iterator[Text]:
    for who, person in scenario.people.items():
        lines = [*person.greeting, *person.idle, *person.shrugs, *person.farewell]
        yield Text(("people", who), lines)
        for number, known in enumerate(person.knows):
            reveals = frozenset((*known.reveals, *_revealed(known.effects)))
            yield Text(("people", who, "knows", number), known.says, reveals, tuple(known.when))
        for number, kept in enumerate(person.withholds):
            where: Where = ("people", who, "withholds", number)
            reveals = frozenset((*kept.reveals, *_revealed(kept.effects)))
            yield Text(where, kept.says, reveals, (*kept.when, *kept.yields_when))
            yield Text((*where, "deflects"), kept.deflects, frozenset(), tuple(kept.when))


def _deeds(scenario: Scenario) -> Iterator[Text]:
    for number, deed in enumerate(scenario.affordances):
        for outcome, brought in deed.outcomes.items():
            where: Where = ("affordances", number, "outcomes", outcome)
            yield Text(where, brought.text, _revealed(brought.effects), tuple(deed.when))
    for number, hidden in enumerate(scenario.discoverables):
        reveals = _revealed(hidden.effects)
        yield Text(("discoverables", number), hidden.content, reveals, tuple(hidden.when))
    for number, move in enumerate(scenario.moves):
        yield Text(("moves", number), move.text, _revealed(move.effects), tuple(move.when))


def _revealed(effects: list[Effect]) -> frozenset[str]:
    return frozenset(effect.reveal for effect in effects if effect.reveal)
