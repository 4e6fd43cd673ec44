"""A person's word kept: the act, the page it stands on, and every package that it changes, in one
commit."""

from freeform.core.errors import Conflict
from freeform.lore.daemon.packing import Packing
from freeform.lore.judge.rows import timeless
from freeform.lore.judge.trades import Unlike, never_unlike
from freeform.lore.model import ResearchPackage
from freeform.lore.person.acts import PERSON, PersonAct, acts_in, page_of
from freeform.lore.ports import GraphWrite, LoreStore, StepCommit, judged

_TRIES = 20


async def keep(
    store: LoreStore, game: str, act: PersonAct, unlike: Unlike = never_unlike
) -> list[str]:
    """Writes it down and applies it at once; the names of the zones whose packages it changes. The
    same act again changes nothing. Where somebody else judged meanwhile it is applied to that."""
    for _ in range(_TRIES):
        try:
            return await _keep(store, game, act, unlike)
        except Conflict:
            continue
    return await _keep(store, game, act, unlike)


async def _keep(store: LoreStore, game: str, act: PersonAct, unlike: Unlike) -> list[str]:
    steps = await store.steps_done(game)
    step = StepCommit(
        key=act.act_id,
        agent=PERSON,
        game=game,
        name=act.what,
        at=act.at,
        result=act.model_dump(mode="json", exclude_defaults=True),
        judged=judged(steps),
    )
    acts = acts_in([*steps, step])
    changed = await _changed(store, game, acts, act.at, unlike)
    if act.what == "correct":
        await store.put_page(game, page_of(act))
    if changed:
        write = GraphWrite(package=changed[0], also=changed[1:], anew=True)
        step = step.model_copy(update={"graph": write})
    done = await store.commit_step(step)
    return [package.zone_name for package in changed] if done else []


async def _changed(
    store: LoreStore, game: str, acts: list[PersonAct], at: str, unlike: Unlike
) -> list[ResearchPackage]:
    """The accepted packages that would say something else by now."""
    found: list[ResearchPackage] = []
    for row in await store.rows(game, "zone"):
        package = await store.package(game, row.id)
        if package is None:
            continue
        packing = Packing(store, unlike, game, package.zone_name, at, package.iteration)
        new = await packing.again(package, acts)
        if _said(new) != _said(package):
            found.append(new)
    return found


def _said(package: ResearchPackage) -> object:
    return timeless(package.model_dump(mode="json", exclude={"sources"}))
