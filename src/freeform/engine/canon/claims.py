"""A narrator's claims held against canon by their values: what the rules keep changes by events
alone, and a narration may only say it over."""

from freeform.core.text import plain_form, slug
from freeform.engine.canon.happened import Happened
from freeform.engine.canon.introduced import MADE_HERE, no, rename
from freeform.engine.id_repair import id_of
from freeform.engine.rules.effects import CAMPAIGN
from freeform.engine.rules.ledger import Ledger
from freeform.engine.table import Rules
from freeform.engine.world.canon import SETTLED, clash
from freeform.engine.world.model import EstablishedFact, NarratedThread, Rejected, StateDiff
from freeform.engine.world.names import names_of, words
from freeform.engine.world.scales import opposite_words, word_on_scale
from freeform.engine.world.state import PLAYER, Fact, GameState, fact_id
from freeform.language.words import telling_words

BY_EVENTS = SETTLED | frozenset(
    "location whereabouts holder held_by held has inventory health alive dead wounded trust "
    "present met visited known_to stats hp money cred".split()
)
"""Predicates of which events alone decide."""
_NAMES = frozenset(("name", "named", "called", "known_as", "goes_by"))
_PLACES = frozenset("at location whereabouts owner holder held_by has inventory".split())
_SHORT = 3
"""A claim of so few telling words is its last word: `quite dead now`."""


def keep_fact(
    claim: EstablishedFact, happened: Happened, page: Ledger, rules: Rules
) -> list[Rejected]:
    """A lasting detail becomes a fact, if nothing the rules keep is touched by it."""
    said = f"{claim.subject_id} {claim.predicate}: {claim.detail}"
    campaign = claim.subject_id == CAMPAIGN
    subject = CAMPAIGN if campaign else id_of(claim.subject_id, page.state, rules)
    if subject not in page.state.entities and not campaign:
        return [no(said, "there is no such subject")]
    name = slug(claim.predicate) or "is"
    if name in _NAMES and subject.startswith(MADE_HERE):
        return rename(subject, claim.detail, page)
    against = clash(subject, name, claim.detail, page.state)
    if against:
        return [no(said, _reason(against), against.id)]
    if _is_so(subject, name, claim.detail, page.state):
        return []
    refused = _kept_by_rules(subject, name, claim.detail, page, rules)
    if not refused and subject in (PLAYER, CAMPAIGN):
        refused = _unsupported(claim.detail, happened)
    if refused:
        return [no(said, refused)]
    same = (f for f in page.state.facts_about(subject, name) if f.visibility == "known")
    if not any(f.object.get("text") == claim.detail for f in same):
        page.change(StateDiff(facts_add=[_fact(subject, name, claim.detail, page.state)]))
    return []


def keep_thread(update: NarratedThread, state: GameState) -> list[Rejected]:
    """Threads move by events alone: saying over how one stands is all a narration can do."""
    id = _thread_id(update.id, state)
    thread, said = state.threads.get(id), f"thread {id}: {update.status}"
    if thread is None or thread.status == "hidden":
        return [no(said, "no open thread of that name")]
    if thread.status != update.status:
        return [no(said, f"it is {thread.status}; only what happens can change that", id)]
    return []


def contradicts(claim: EstablishedFact) -> bool:
    """Whether a claim that is not kept is also not so: of where someone is, who holds what, and
    whatever is a word on a scale, events know better."""
    if slug(claim.predicate) in _PLACES:
        return True
    return any(word_on_scale(word) for word in telling_words(claim.detail))


def _kept_by_rules(subject: str, name: str, detail: str, page: Ledger, rules: Rules) -> str:
    """Why a predicate is not a narrator's to settle; '' where it is."""
    if subject.startswith(MADE_HERE) and name not in ("at", "location", "owner", "holder"):
        return "" if not page.state.facts_about(subject, name) else "it was told otherwise"
    decided = "only what happens can change that"
    if name in BY_EVENTS or (subject, name) in rules.scenario.scripted:
        return decided
    authored = [f for f in page.state.facts_about(subject, name) if "narrated" not in f.tags]
    if authored:
        return "canon has its own word on that"
    last = telling_words(detail)[-1:] if len(telling_words(detail)) <= _SHORT else []
    on_scale = bool(last) and bool(word_on_scale(last[0]))
    return decided if on_scale else ""


def _unsupported(detail: str, happened: Happened) -> str:
    """The player's character is the player's: what is new of them must have been typed, or have
    happened."""
    told = words(detail)
    if told and not told & (happened.said | words(happened.player_input)):
        return "nothing that was done or happened says so"
    return ""


def _is_so(subject: str, name: str, detail: str, state: GameState) -> bool:
    """Whether canon says the same already."""
    for fact in state.facts_about(subject, name):
        value, text = str(fact.object.get("value", "")), str(fact.object.get("text", ""))
        said = plain_form(detail).strip(" .")
        if said in (plain_form(value), plain_form(text).strip(" .")):
            return True
        entity = state.entities.get(value)
        if entity and words(detail) in map(words, names_of(entity)):
            return True
        scaled = word_on_scale(value)
        if scaled and words(scaled) & words(detail) and not opposite_words(scaled) & words(detail):
            return True
    return False


def _fact(subject: str, name: str, detail: str, state: GameState) -> Fact:
    id = fact_id(subject, name)
    return Fact(
        id=f"{id}@{state.turn_no}" if id in state.facts else id,
        subject_id=subject,
        predicate=name,
        object={"value": detail, "text": detail},
        confidence=0.8,
        tags=["narrated"],
        discovered_turn=state.turn_no,
        discovery_method="narration",
    )


def _reason(against: Fact) -> str:
    if against.visibility != "known":
        return "a fact not known yet says otherwise"
    told = against.object.get("text") or f"{against.predicate} is {against.object.get('value')}"
    return f"canon says: {told}"


def _thread_id(said: str, state: GameState) -> str:
    """The id of a thread, given that or its title."""
    titled = (thread.id for thread in state.threads.values() if slug(thread.title) == slug(said))
    return said if said in state.threads else next(titled, said)
