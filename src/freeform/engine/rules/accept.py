"""What a narrator's words make true: each claim held against canon first; what contradicts it is
kept apart, with the words by which its sentence is found."""

from typing import NamedTuple

from freeform.engine.canon.claims import contradicts, keep_fact, keep_thread
from freeform.engine.canon.happened import Happened
from freeform.engine.canon.introduced import bring_in, move_scene, no, put_down
from freeform.engine.id_repair import id_of
from freeform.engine.rules.ledger import Ledger
from freeform.engine.rules.safety import SafetyLimits
from freeform.engine.table import Rules
from freeform.engine.world.model import NarratorOutput, Rejected, StateDiff
from freeform.engine.world.state import PLAYER, GameState


class RefusedClaim(NamedTuple):
    """A claim that is not kept: what it is about, its words, and why."""

    subject_id: str
    said: str
    why: Rejected
    contradicts: bool = True
    """It is not so; False where it may be, and is only not kept."""


class Accepted(NamedTuple):
    """What a telling changes, and what of it is refused."""

    diff: StateDiff
    refused: list[RefusedClaim]

    @property
    def rejected(self) -> list[Rejected]:
        """The refusals alone, as the log keeps them."""
        return [refused.why for refused in self.refused]


def accept(
    telling: NarratorOutput,
    state: GameState,
    rules: Rules,
    limits: SafetyLimits,
    happened: Happened | None = None,
) -> Accepted:
    """The diff of everything that canon agrees with and this table allows, and the claims it does
    not. The scene moves first, so that people and things are where it ends."""
    page, happened = Ledger(state), happened or Happened()
    refused: list[RefusedClaim] = []
    there = telling.scene_transition
    if there and (there.location_id or there.name):
        unfit = _unfit("the scene moves", limits, there.name, there.description)
        why = unfit or move_scene(there, happened, page, rules)
        refused += [RefusedClaim(there.location_id, there.name, each) for each in why]
    for npc in telling.introduced_npcs:
        unfit = _unfit("introduces someone", limits, npc.name, npc.description)
        why = unfit or bring_in(npc, telling.final_text, page, rules)
        refused += [_of_one(each, npc.name, state) for each in why]
    for item in telling.introduced_items:
        unfit = _unfit("introduces something", limits, item.name, item.description)
        why = unfit or put_down(item, page, rules)
        refused += [_of_one(each, item.name, state) for each in why]
    for claim in telling.established_facts:
        unfit = _unfit(f"tells of {claim.subject_id}", limits, claim.predicate, claim.detail)
        why = unfit or keep_fact(claim, happened, page, rules)
        wrong = bool(unfit) or contradicts(claim)
        for each in why:
            about = id_of(claim.subject_id, page.state, rules)
            refused.append(RefusedClaim(about, claim.detail, each, wrong or bool(each.because)))
    for update in telling.thread_updates:
        why = keep_thread(update, page.state)
        refused += [RefusedClaim(update.id, update.reason or update.id, each) for each in why]
    return Accepted(page.diff, refused)


def _of_one(why: Rejected, name: str, state: GameState) -> RefusedClaim:
    """Someone or something that exists already: told against canon only if it is not here."""
    here = state.scene
    owners = (PLAYER, here.location_id, *here.present_entity_ids)
    near = why.because in owners or any((owner, why.because) in state.inventory for owner in owners)
    return RefusedClaim(why.because, name, why, contradicts=bool(why.because) and not near)


def _unfit(claim: str, limits: SafetyLimits, *texts: str) -> list[Rejected]:
    """The refusal of what this table does not want, or should not know yet; its own words are left
    out."""
    fit = all(map(limits.allows, texts))
    return [] if fit else [no(claim, "this table keeps that out of play, or it is not known yet")]
