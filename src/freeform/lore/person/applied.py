"""Claims as a person's words leave them: merged things go by one id, what is refused is gone, a
correction stands above every page."""

from collections.abc import Iterable

from freeform.lore.judge.comparing import form_of
from freeform.lore.judge.turning import other_end
from freeform.lore.model import Claim
from freeform.lore.person.acts import PersonAct, by_person, claim_of
from freeform.lore.read.values import plain_value
from freeform.lore.read.vocabulary import predicate

Thing = tuple[str, str]
Merged = dict[Thing, tuple[str, str]]
"""Each merged thing with the id and name it ends at."""


def applied(claims: Iterable[Claim], acts: Iterable[PersonAct], zone_id: str) -> list[Claim]:
    """The claims of a zone after all that a person said. Merges come first, whenever they were
    said; then word after word, so that the last one counts."""
    said = list(acts)
    one = merged_in(said)
    had = [claim for each in claims if (claim := renamed(each, one))]
    told_of = list(had)
    for act in said:
        if act.what == "reject":
            had = [claim for claim in had if not _says(claim, act, one, act.instead)]
        elif act.what == "correct":
            had = [claim for claim in had if not _displaced(claim, act, one)]
            told = claim_of(act)
            made = renamed(told, one) if told else None
            if made and _is_near(made, told_of, zone_id):
                had.append(made)
                told_of.append(made)
    return had


def merged_in(acts: Iterable[PersonAct]) -> Merged:
    """What a person's words make one."""
    to = {
        (act.kind, act.subject_id): (act.into_id, act.into) for act in acts if act.what == "merge"
    }
    found: Merged = {}
    for (kind, id), target in to.items():
        seen = {id}
        while (kind, target[0]) in to and target[0] not in seen:
            seen.add(target[0])
            target = to[kind, target[0]]
        found[kind, id] = target
    return found


def renamed(claim: Claim, one: Merged) -> Claim | None:
    """A claim by the names that merges left; None where they made it one of a thing to itself."""
    changes: dict[str, str] = {}
    if now := one.get((claim.subject_kind, claim.subject_id)):
        changes |= {"subject_id": now[0], "subject": now[1]}
    named = predicate(claim.subject_kind, claim.predicate).names
    if claim.value_id:
        if now := one.get((named, claim.value_id)):
            before, colon, _ = claim.value.rpartition(": ")
            value = f"{before}{colon}{now[1]}" if claim.predicate == "relation" else now[1]
            changes |= {"value_id": now[0], "value": value}
    made = claim.model_copy(update=changes) if changes else claim
    to_itself = named == made.subject_kind and made.value_id == made.subject_id
    return None if changes and to_itself else made


def _subject(act: PersonAct, one: Merged) -> Thing:
    now = one.get((act.kind, act.subject_id))
    return act.kind, now[0] if now else act.subject_id


def _ends(claim: Claim) -> list[Claim]:
    """A claim as it is told, and as its other end would tell it."""
    back = other_end(claim)
    return [claim, back] if back else [claim]


def _on(claim: Claim, act: PersonAct, one: Merged) -> bool:
    about = (claim.subject_kind, claim.subject_id) == _subject(act, one)
    return about and claim.predicate == act.predicate


def _says(claim: Claim, act: PersonAct, one: Merged, form: str) -> bool:
    return any(_on(end, act, one) and form_of(end) == form for end in _ends(claim))


def _displaced(claim: Claim, act: PersonAct, one: Merged) -> bool:
    """Whether a correction puts a claim aside: the value it names; where only one can be right,
    every other of our time."""
    right = act.value_id or plain_value(act.value)
    again = by_person(claim) and _says(claim, act, one, right)
    if again or (act.instead and _says(claim, act, one, act.instead)):
        return True
    if claim.era or predicate(act.kind, act.predicate).type not in ("one", "number"):
        return False
    return any(_on(end, act, one) and form_of(end) != right for end in _ends(claim))


def _is_near(made: Claim, had: list[Claim], zone_id: str) -> bool:
    """Whether a correction is about something that these pages tell of."""
    if zone_id in (made.subject_id, made.value_id):
        return True
    subject = (made.subject_kind, made.subject_id)
    return any(
        subject == (claim.subject_kind, claim.subject_id) or claim.value_id == made.subject_id
        for claim in had
    )
