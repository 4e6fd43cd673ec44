"""What a narrator's words make true: each claim held against canon first; what contradicts it is
kept apart."""

from freeform.core.text import slug
from freeform.engine.authored.conditions import check
from freeform.engine.id_repair import id_of
from freeform.engine.rules.effects import CAMPAIGN, people_at
from freeform.engine.rules.ledger import ENGINE, Ledger
from freeform.engine.rules.safety import SafetyLimits
from freeform.engine.table import Rules
from freeform.engine.world.canon import clash
from freeform.engine.world.model import (
    EntityUpdate,
    IntroducedItem,
    IntroducedNpc,
    NarratorOutput,
    Rejected,
    SceneTransition,
    SceneUpdate,
    StateDiff,
    ThreadUpdate,
)
from freeform.engine.world.names import names_of
from freeform.engine.world.state import (
    PLAYER,
    Entity,
    Fact,
    GameState,
    Holding,
    fact_id,
)

STATUSES = ("active", "resolved", "failed")


def accept(
    telling: NarratorOutput, state: GameState, rules: Rules, limits: SafetyLimits
) -> tuple[StateDiff, list[Rejected]]:
    """The diff of everything that canon agrees with and this table allows, and the claims it does
    not."""
    page, rejected = Ledger(state), list[Rejected]()
    for npc in telling.introduced_npcs:
        rejected += _unfit("introduces someone", limits, npc.name, npc.description) or _npc(
            npc, page
        )
    for item in telling.introduced_items:
        rejected += _unfit("introduces something", limits, item.name, item.description) or _item(
            item, page, rules
        )
    for claim in telling.established_facts:
        rejected += _unfit(
            f"tells of {claim.subject_id}", limits, claim.predicate, claim.detail
        ) or _fact(claim.subject_id, claim.predicate, claim.detail, page, rules)
    there = telling.scene_transition
    if there and there.location_id:
        rejected += _unfit("the scene moves", limits, there.name, there.description) or _transition(
            there, page, rules
        )
    for update in telling.thread_updates:
        update = update.model_copy(update={"id": _thread_id(update.id, state)})
        thread = page.state.threads.get(update.id)
        if thread is None or thread.status == "hidden" or update.status not in STATUSES:
            rejected.append(
                _no(
                    f"thread {update.id}: {update.status}", "no open thread of that name and status"
                )
            )
        elif thread.status in ("resolved", "failed") and update.status != thread.status:
            rejected.append(
                _no(f"thread {update.id}: {update.status}", f"it is {thread.status}", update.id)
            )
        elif thread.status != update.status:
            change = ThreadUpdate(
                id=update.id, status=update.status, stakes={"reason": update.reason}
            )
            page.change(StateDiff(threads_update=[change]))
    return page.diff, rejected


def _unfit(claim: str, limits: SafetyLimits, *texts: str) -> list[Rejected]:
    """The refusal of what this table does not want, or should not know yet; its own words are left
    out."""
    fit = all(map(limits.allows, texts))
    return [] if fit else [_no(claim, "this table keeps that out of play, or it is not known yet")]


def _fact(subject: str, predicate: str, detail: str, page: Ledger, rules: Rules) -> list[Rejected]:
    claim = f"{subject} {predicate}: {detail}"
    subject = subject if subject == CAMPAIGN else id_of(subject, page.state, rules)
    if subject not in page.state.entities and subject != CAMPAIGN:
        return [_no(claim, "there is no such subject")]
    against = clash(subject, predicate, detail, page.state)
    if against:
        hidden = against.visibility != "known"
        reason = (
            "a fact not known yet says otherwise" if hidden else f"canon says: {_telling(against)}"
        )
        return [_no(claim, reason, against.id)]
    name = slug(predicate) or "is"
    same = (f for f in page.state.facts_about(subject, name) if f.visibility == "known")
    if any(f.object.get("text") == detail for f in same):
        return []
    id = fact_id(subject, name)
    if id in page.state.facts:
        id = f"{id}@{page.state.turn_no}"
    fact = Fact(
        id=id,
        subject_id=subject,
        predicate=name,
        object={"value": detail, "text": detail},
        confidence=0.8,
        tags=["narrated"],
        discovered_turn=page.state.turn_no,
        discovery_method="narration",
    )
    page.change(StateDiff(facts_add=[fact]))
    return []


def _npc(npc: IntroducedNpc, page: Ledger) -> list[Rejected]:
    if not slug(npc.name):
        return [_no(f"introduces {npc.id or 'someone'}", "they have no name")]
    id = _own_id(npc.id or npc.name)
    taken = _taken(id, npc.id, npc.name, page.state)
    if taken:
        return [_no(f"introduces {npc.name}", f"{taken} exists already", taken)]
    here = page.state.scene
    attrs = {"description": npc.description, "known": True}
    # Whatever kind of person it is called, a guard or a goblin, it is one that can be spoken to.
    kinds = [npc.type] if npc.type and npc.type != "npc" else []
    entity = Entity(
        id=id, type="npc", name=npc.name, attrs=attrs, tags=list(dict.fromkeys([*npc.tags, *kinds]))
    )
    page.change(
        StateDiff(
            entities_add=[entity],
            scene_update=SceneUpdate(present_entity_ids=[*here.present_entity_ids, id]),
        )
    )
    page.settle(id, "at", here.location_id, disclosure=ENGINE)
    page.note(id, "met", True)
    return []


def _item(item: IntroducedItem, page: Ledger, rules: Rules) -> list[Rejected]:
    if not slug(item.name):
        return [_no(f"introduces {item.id or 'something'}", "it has no name")]
    id = _own_id(item.id or item.name)
    taken = _taken(id, item.id, item.name, page.state)
    if taken:
        return [_no(f"introduces {item.name}", f"{taken} exists already", taken)]
    owner = id_of(item.location, page.state, rules)
    if owner in ("", PLAYER):
        owner = page.state.scene.location_id
    entity = Entity(id=id, type="item", name=item.name, attrs={"description": item.description})
    page.change(
        StateDiff(entities_add=[entity], inventory_add=[Holding(owner_id=owner, item_id=id)])
    )
    return []


def _transition(there: SceneTransition, page: Ledger, rules: Rules) -> list[Rejected]:
    state, here = page.state, page.state.scene.location_id
    claim = f"the scene moves to {there.name or there.location_id}"
    meant = id_of(there.location_id, state, rules)
    if meant:
        there = there.model_copy(update={"location_id": meant})
    if there.location_id == here:
        return []
    if there.location_id in state.entities:
        way = rules.exit(here, there.location_id, state)
        if way is None:
            return [_no(claim, "no way leads there", here)]
        verdict = check(way.when, state)
        if not verdict.holds:
            return [_no(claim, "the way is closed", verdict.because)]
        place_id = there.location_id
    elif there.name:
        place_id = _own_id(there.location_id)
        attrs = {"description": there.description, "ways": [here], "known": True}
        back = (
            {"ways": [*state.entities[here].attrs.get("ways", []), place_id]}
            if here in state.entities
            else {}
        )
        page.change(
            StateDiff(
                entities_add=[Entity(id=place_id, type="location", name=there.name, attrs=attrs)],
                entities_update=[EntityUpdate(id=here, attrs=back)] if back else [],
            )
        )
    else:
        return [_no(claim, "there is no such place")]
    came = [id for id in there.present_entities if state.value(id, "at") == place_id]
    present = list(dict.fromkeys([PLAYER, *people_at(place_id, page.state), *came]))
    page.change(
        StateDiff(scene_update=SceneUpdate(location_id=place_id, present_entity_ids=present))
    )
    page.note(place_id, "visited", int(state.value(place_id, "visited") or 0) + 1)
    return []


def _thread_id(said: str, state: GameState) -> str:
    """The id of a thread, given that or its title."""
    titled = (thread.id for thread in state.threads.values() if slug(thread.title) == slug(said))
    return said if said in state.threads else next(titled, said)


def _taken(id: str, asked: str, name: str, state: GameState) -> str:
    """The id of someone or something that has that id or name already."""
    if id in state.entities:
        return id
    if asked in state.entities:
        return asked
    plain = slug(name)
    for entity in state.entities.values():
        if plain in map(slug, names_of(entity)):
            return entity.id
    return ""


def _own_id(asked: str) -> str:
    return f"campaign:{slug(asked.rpartition(':')[2])}"


def _telling(fact: Fact) -> str:
    return str(fact.object.get("text") or f"{fact.predicate} is {fact.object.get('value')}")


def _no(claim: str, reason: str, because: str = "") -> Rejected:
    return Rejected(claim=claim, reason=reason, because=because)
