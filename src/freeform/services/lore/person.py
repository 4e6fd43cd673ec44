"""The person's part in research: what there is to judge, and judging it. What is said here counts
above every page, at once and after every new reading."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Literal

from pydantic import Field

from freeform.core.clock import Clock, SystemClock
from freeform.core.errors import NotFound, UserError
from freeform.core.record import Record
from freeform.core.text import slug, visible
from freeform.lore.daemon.requests import ask_researcher
from freeform.lore.errand import effect_id
from freeform.lore.judge.comparing import form_of
from freeform.lore.judge.trades import unlike_by
from freeform.lore.messages import PersonRequest
from freeform.lore.model import Claim, Doubt, Kind, NodeRow
from freeform.lore.person.acts import NOTHING, PERSON, PersonAct, acts_in
from freeform.lore.person.shown import (
    ConflictShown,
    DoubleShown,
    FactShown,
    GapShown,
    LabelShown,
    all_conflicts,
    all_doubles,
    all_doubts,
    all_facts,
    all_gaps,
    all_labels,
)
from freeform.lore.person.word import keep
from freeform.lore.ports import LoreStore
from freeform.lore.read.values import number_in, plain_value
from freeform.lore.read.vocabulary import Predicate, predicate, vocabulary
from freeform.services.lore.desk import check_begun, chosen_game
from freeform.settings import Settings
from freeform.wiring.ear import near_texts
from freeform.wiring.lore import opened_store

LONGEST = 2_000


class Said(Record):
    """A person's word, and the zones whose packages it changed."""

    act: PersonAct
    said: str
    zones: list[str]


class FactSaid(Record):
    """A correction, or a refusal: what is so of what. `instead`: the value it replaces."""

    subject: str
    predicate: str
    value: str
    kind: Kind | None = None
    instead: str = ""
    note: str = ""


class ConflictSettled(Record):
    """What is right of what sources disagree on: `a`, `b`, `neither`, or another value in words."""

    conflict_id: str
    choice: str
    note: str = ""


class MergeSaid(Record):
    """Two names of one thing: the first goes by the second from now on."""

    name: str
    into: str
    kind: Kind = "npc"
    note: str = ""


class ToJudge(Record):
    """All that waits for a person's eye."""

    game: str
    conflicts: list[ConflictShown] = Field(default_factory=list)
    doubts: list[Doubt] = Field(default_factory=list)
    gaps: list[GapShown] = Field(default_factory=list)
    labels: list[LabelShown] = Field(default_factory=list)
    doubles: list[DoubleShown] = Field(default_factory=list)
    acts: list[PersonAct] = Field(default_factory=list)
    meanings: dict[str, list[str]] = Field(default_factory=dict)
    """What a label may mean, for each kind of thing."""


@asynccontextmanager
async def _at(settings: Settings, game: str) -> AsyncIterator[tuple[LoreStore, str]]:
    check_begun(settings)
    async with opened_store(settings) as store:
        chosen = await chosen_game(store, game)
        if chosen not in await store.games():
            raise NotFound(
                f"no research on '{chosen}'; there is: {', '.join(await store.games()) or 'none'}"
            )
        yield store, chosen


async def list_facts(settings: Settings, game: str = "", about: str = "") -> list[FactShown]:
    """All facts of a game, or of one thing."""
    async with _at(settings, game) as (store, chosen):
        found = await all_facts(store, chosen, about)
        if about and not found:
            raise NotFound(f"nothing is known of '{about}' in '{chosen}' yet")
        return found


async def to_judge(settings: Settings, game: str = "", *, every: bool = False) -> ToJudge:
    """Conflicts, gaps, labels, doubles, and what was said so far."""
    async with _at(settings, game) as (store, chosen):
        return ToJudge(
            game=chosen,
            conflicts=await all_conflicts(store, chosen, every=every),
            doubts=await all_doubts(store, chosen),
            gaps=await all_gaps(store, chosen),
            labels=await all_labels(store, chosen),
            doubles=await all_doubles(store, chosen),
            acts=acts_in(await store.steps_done(chosen)),
            meanings={kind: list(known) for kind, known in vocabulary().predicates.items()},
        )


async def correct(
    settings: Settings, game: str, fact: FactSaid, by: str, clock: Clock | None = None
) -> Said:
    """Says what is so; where only one value can be right, every other one gives way."""
    async with _at(settings, game) as (store, chosen):
        return await _keep(
            store, chosen, await _fact_act(store, chosen, fact, "correct"), by, clock
        )


async def reject(
    settings: Settings, game: str, fact: FactSaid, by: str, clock: Clock | None = None
) -> Said:
    """Says what is not so, whoever writes it."""
    async with _at(settings, game) as (store, chosen):
        act = await _fact_act(store, chosen, fact, "reject")
        held = [
            claim
            for claim in await store.claims(chosen, act.subject_id)
            if claim.subject_kind == act.kind and claim.predicate == act.predicate
        ]
        if not any(form_of(claim) == act.instead for claim in held):
            values = ", ".join(dict.fromkeys(claim.value for claim in held)) or "nothing"
            raise NotFound(f"nobody says '{fact.value}' there; what is said: {values}")
        return await _keep(store, chosen, act, by, clock)


async def resolve(
    settings: Settings, game: str, settled: ConflictSettled, by: str, clock: Clock | None = None
) -> Said:
    """Settles a conflict."""
    async with _at(settings, game) as (store, chosen):
        conflict = _conflict(await all_conflicts(store, chosen, every=True), settled.conflict_id)
        said = [
            await _keep(store, chosen, await _fact_act(store, chosen, fact, what), by, clock)
            for what, fact in _settling(conflict, settled.choice.strip(), settled.note)
        ]
    zones = dict.fromkeys(zone for each in said for zone in each.zones)
    return said[-1].model_copy(update={"zones": list(zones)})


_RIVAL = {"allied": "hostile", "hostile": "allied"}


def _settling(
    conflict: ConflictShown, choice: str, note: str
) -> list[tuple[Literal["correct", "reject"], FactSaid]]:
    """The words that settle a conflict. What stands among others is refused or confirmed; of what
    can only be one, the chosen value takes the other's place."""
    sides = {"a": conflict.source_a.value, "b": conflict.source_b.value}
    named = {plain_value(value): side for side, value in sides.items()}
    side = choice.lower() if choice.lower() in sides else named.get(plain_value(choice), "")
    kind, name = conflict.subject_kind, conflict.predicate

    def fact(value: str, predicate: str = name, instead: str = "") -> FactSaid:
        return FactSaid(
            subject=conflict.subject_id,
            kind=kind,
            predicate=predicate,
            value=value,
            instead=instead,
            note=note,
        )

    several = predicate(kind, name).type == "set"
    if choice.lower() == "neither":
        refused: list[tuple[Literal["correct", "reject"], FactSaid]] = [
            ("reject", fact(sides["b"])),
            ("reject", fact(sides["a"], _RIVAL.get(name, name))),
        ]
        return refused[:1] if several and name not in (*_RIVAL, "role") else refused
    if several and side == "a":
        return [("reject", fact(sides["b"]))]
    if side == "b" and name in _RIVAL:
        return [("reject", fact(sides["b"], _RIVAL[name])), ("correct", fact(sides["b"]))]
    other = sides["b" if side == "a" else "a"] if side and not several else ""
    if several and name == "role":
        other = sides["a"]
    return [("correct", fact(sides.get(side, choice), instead=other))]


async def merge(
    settings: Settings, game: str, both: MergeSaid, by: str, clock: Clock | None = None
) -> Said:
    """Says that two are one."""
    async with _at(settings, game) as (store, chosen):
        _check_lengths(both.name, both.into, both.note)
        one = await _thing(store, chosen, both.name, both.kind)
        other = await _thing(store, chosen, both.into, both.kind)
        if one.id == other.id:
            raise UserError(f"'{both.name}' and '{both.into}' are one already")
        act = PersonAct(
            act_id="",
            what="merge",
            kind=one.kind,
            subject_id=one.id,
            subject=one.name,
            into_id=other.id,
            into=other.name,
            note=both.note,
        )
        return await _keep(store, chosen, act, by, clock)


async def say_label(
    settings: Settings, game: str, label: str, means: str, by: str, clock: Clock | None = None
) -> Said:
    """Says what a label of a wiki means: a predicate of that kind of thing, or `nothing`."""
    async with _at(settings, game) as (store, chosen):
        shown = await all_labels(store, chosen)
        key = _label_key(label, shown)
        kind: Kind = key.split("|")[1]  # type: ignore[assignment]
        meaning = means.strip().lower().replace(" ", "_")
        known = vocabulary().predicates[kind]
        if meaning != NOTHING and meaning not in known:
            raise UserError(
                f"a {kind} has no '{means}'; a label may mean: {', '.join(known)}, or {NOTHING}"
            )
        act = PersonAct(act_id="", what="label", kind=kind, label=key, value=meaning)
        return await _keep(store, chosen, act, by, clock)


async def withdraw(
    settings: Settings, game: str, act_id: str, by: str, clock: Clock | None = None
) -> Said:
    """Takes back what a person said."""
    async with _at(settings, game) as (store, chosen):
        acts = acts_in(await store.steps_done(chosen))
        fits = [act for act in acts if act_id and act.act_id.startswith(act_id)]
        if len(fits) != 1:
            raise NotFound(
                f"'{act_id}' fits {len(fits)} of what was said about '{chosen}'; "
                "`lore said` lists it"
            )
        [undone] = fits
        act = PersonAct(act_id="", what="withdraw", undoes=undone.act_id, subject=undone.subject)
        return await _keep(store, chosen, act, by, clock)


async def ask_again(
    settings: Settings,
    game: str,
    wish: Literal["retry", "refresh", "stop"],
    zones: list[str],
    clock: Clock | None = None,
) -> PersonRequest:
    """Asks for failed zones to be tried again, completed ones to be looked at again, or an end."""
    async with _at(settings, game) as (store, chosen):
        request = PersonRequest(game=chosen, wish=wish, zones=zones)
        return await ask_researcher(store, request, (clock or SystemClock()).now())


async def _keep(
    store: LoreStore, game: str, act: PersonAct, by: str, clock: Clock | None = None
) -> Said:
    steps = await store.steps_done(game)
    now = (clock or SystemClock()).now().isoformat(timespec="seconds")
    # The same word again is the same act while it is the last one on its matter.
    last = next((each for each in reversed(acts_in(steps)) if each.matter == act.matter), None)
    if last and last.says_the_same(act):
        id = last.act_id
    else:
        id = effect_id("said", game, act, sum(step.agent == PERSON for step in steps))
    act = act.model_copy(update={"act_id": id, "by": by, "at": now})
    zones = await keep(store, game, act, unlike_by(near_texts))
    return Said(act=act, said=act.told, zones=zones)


async def _fact_act(
    store: LoreStore, game: str, fact: FactSaid, what: Literal["correct", "reject"]
) -> PersonAct:
    value = visible(fact.value)
    if not value:
        raise UserError(f"a value has 1 to {LONGEST} letters")
    _check_lengths(fact.subject, fact.predicate, fact.value, fact.instead, fact.note)
    thing = await _thing(store, game, fact.subject, fact.kind)
    known = _predicate(thing.kind, fact.predicate)
    if known.type == "number" and number_in(value) is None:
        raise UserError(f"the {known.id} of a {thing.kind} is a number, and '{value}' is none")
    value_id = await _id_of(store, game, known, value)
    instead = await _form(store, game, known, fact.instead)
    if what == "reject":
        instead = await _form(store, game, known, value)
    return PersonAct(
        act_id="",
        what=what,
        kind=thing.kind,
        subject_id=thing.id,
        subject=thing.name,
        predicate=known.id,
        value=value,
        value_id=value_id,
        instead=instead,
        note=visible(fact.note),
    )


def _check_lengths(*texts: str) -> None:
    if any(len(text) > LONGEST for text in texts):
        raise UserError(f"names, values and notes have at most {LONGEST} letters")


async def _form(store: LoreStore, game: str, known: Predicate, value: str) -> str:
    """A value as claims are told apart by it."""
    return (await _id_of(store, game, known, value) or plain_value(value)) if value else ""


async def _id_of(store: LoreStore, game: str, known: Predicate, value: str) -> str:
    if not known.names:
        return ""
    name = value.rpartition(": ")[2] if known.id == "relation" else value
    rows = await store.rows(game)
    own = {slug(row.name): row.id for row in rows if row.kind == known.names}
    return own.get(slug(name)) or slug(name)


def _predicate(kind: Kind, said: str) -> Predicate:
    known = vocabulary().predicates[kind]
    wanted = said.strip().lower().replace(" ", "_")
    if wanted not in known:
        raise UserError(f"a {kind} has no '{said}'; it may have: {', '.join(known)}")
    return known[wanted]


async def _thing(store: LoreStore, game: str, name: str, kind: Kind | None) -> NodeRow:
    """The row that goes by a name or an id; of several of one name the kind must say which."""
    rows = [row for row in await store.rows(game, kind) if slug(name) in (row.id, slug(row.name))]
    if not rows:
        rows = await _only_named(store, game, name, kind)
    kinds = sorted({row.kind for row in rows})
    if len(kinds) > 1:
        raise UserError(f"'{name}' is {' and '.join(kinds)}; say which kind is meant")
    return rows[0]


async def _only_named(store: LoreStore, game: str, name: str, kind: Kind | None) -> list[NodeRow]:
    """Places and others that claims speak of and that have no row."""
    found: dict[tuple[str, str], Claim] = {
        (claim.subject_kind, claim.subject_id): claim
        for claim in await store.claims(game, slug(name))
        if kind in (None, claim.subject_kind)
    }
    if not found:
        raise NotFound(f"nothing is known of '{name}' in '{game}' yet")
    return [
        NodeRow(kind=claim.subject_kind, id=claim.subject_id, name=claim.subject, game=game)
        for claim in found.values()
    ]


def _conflict(there: list[ConflictShown], id: str) -> ConflictShown:
    fits = [conflict for conflict in there if id and conflict.conflict_id.startswith(id)]
    if len(fits) != 1:
        raise NotFound(f"'{id}' fits {len(fits)} conflicts; `lore conflicts` lists them")
    return fits[0]


def _label_key(label: str, shown: list[LabelShown]) -> str:
    """The label meant: whole, or by its last part where only one has it."""
    wanted = label.strip().lower()
    fits = [each.label for each in shown if each.label.lower() == wanted]
    fits = fits or [each.label for each in shown if each.label.split("|")[2] == wanted]
    if len(fits) != 1:
        several = f"; it may be: {', '.join(fits)}" if fits else ""
        raise NotFound(f"'{label}' is {len(fits)} labels of the wikis read{several}")
    return fits[0]
