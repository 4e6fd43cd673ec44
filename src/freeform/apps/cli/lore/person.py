"""The verbs with which a person judges a researched world: facts, conflicts, gaps, labels and
doubles are shown; resolve, correct, reject, merge, label and withdraw say what is so."""

import asyncio
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from freeform.apps.cli.desk import at

if TYPE_CHECKING:
    from freeform.lore.person.shown import ConflictShown
    from freeform.services.lore.person import Said

Game = Annotated[
    str, typer.Option("--game", help="The game or world; else the one last worked on.")
]
Kind = Annotated[
    str,
    typer.Option(help="zone, npc, faction, lore or narrative_item, where a name is more than one."),
]
Note = Annotated[str, typer.Option(help="Why; it is kept with what you say.")]


def add_to(lore: typer.Typer) -> None:
    """The verbs, with an example each."""
    named = "Example: freeform-rpg lore "
    lore.command(epilog=f"{named}facts --about Ashmoor --json")(facts)
    lore.command(epilog=f"{named}conflicts --game Emberfall")(conflicts)
    lore.command(epilog=f"{named}gaps")(gaps)
    lore.command(epilog=f"{named}labels --unknown")(labels)
    lore.command(epilog=f"{named}doubles")(doubles)
    lore.command(epilog=f"{named}said")(said)
    lore.command(epilog=f"{named}resolve 3f9c b --note 'the map shows it'")(resolve)
    lore.command(epilog=f"{named}correct 'Mara Vell' role Steward --instead Stewardess")(correct)
    lore.command(epilog=f"{named}reject Ashmoor connects_to Farreach")(reject)
    lore.command(epilog=f"{named}merge 'Old Tam' 'Tam Reed'")(merge)
    lore.command(epilog=f"{named}label 'portage' connects_to")(label)
    lore.command(epilog=f"{named}withdraw 3f9c")(withdraw)
    lore.command(epilog=f"{named}retry Greyford")(retry)
    lore.command(epilog=f"{named}refresh")(refresh)
    lore.command(epilog=f"{named}stop --game Emberfall")(stop)


def facts(
    ctx: typer.Context,
    game: Game = "",
    about: Annotated[str, typer.Option(help="Only of what goes by this name.")] = "",
) -> None:
    """Every fact with a quote and its source."""
    from freeform.services.lore.person import list_facts

    desk = at(ctx)
    found = asyncio.run(list_facts(desk.settings, game, about))
    lines = []
    for fact in found:
        lines.append(
            f"{fact.subject} {fact.predicate}: {fact.value}"
            + (f" ({fact.era})" if fact.era else "")
            + ("" if fact.kept else "  [not kept]")
        )
        lines.append(f'  "{fact.quote[:160]}" {fact.source}')
    desk.answer({"facts": found}, lines or ["Nothing is accepted yet."])


def _judged(ctx: typer.Context, game: str, *, every: bool = False) -> Any:
    from freeform.services.lore.person import to_judge

    return asyncio.run(to_judge(at(ctx).settings, game, every=every))


def conflicts(
    ctx: typer.Context,
    game: Game = "",
    every: Annotated[
        bool, typer.Option("--all", help="Differences of time and of name too.")
    ] = False,
) -> None:
    """What sources disagree on; `lore resolve` settles it."""
    judged = _judged(ctx, game, every=every)
    found: list[ConflictShown] = judged.conflicts
    lines = []
    for each in found:
        lines.append(f"{each.conflict_id}  {each.subject} {each.predicate} ({each.kind})")
        for letter, side in (("a", each.source_a), ("b", each.source_b)):
            lines.append(f"  {letter}. {side.value}: {side.url}")
        lines.append(f"  kept: {each.kept or 'neither'}" + (f"; {each.why}" if each.why else ""))
    for doubt in judged.doubts:
        lines.append(f"doubtful ({doubt.kind.replace('_', ' ')}): {doubt.why}")
        lines += [f"  {fact.subject} {fact.predicate}: {fact.value}" for fact in doubt.facts]
    told = {"conflicts": found, "doubts": judged.doubts}
    at(ctx).answer(told, lines or ["No source contradicts another."])


def gaps(ctx: typer.Context, game: Game = "") -> None:
    """What the pages name and nobody has read."""
    found = _judged(ctx, game).gaps
    lines = [f"{gap.name} ({gap.kind}, {gap.why}), named by {gap.zone_name}" for gap in found]
    at(ctx).answer({"gaps": found}, lines or ["Nothing that is named is missing."])


def labels(
    ctx: typer.Context,
    game: Game = "",
    unknown: Annotated[
        bool, typer.Option("--unknown", help="Only those that no word list knows.")
    ] = False,
) -> None:
    """What the labels of each wiki were taken for; `lore label` corrects it."""
    found = [
        use for use in _judged(ctx, game).labels if not (unknown and use.because == "known word")
    ]
    lines = [
        f"{use.label}: {use.means or 'nothing'}"
        + (f" ({use.because})" if use.because else "")
        + (f", as in {use.example}" if use.example else "")
        for use in found
    ]
    at(ctx).answer({"labels": found}, lines or ["No label was read yet."])


def doubles(ctx: typer.Context, game: Game = "") -> None:
    """Who may be one and the same; `lore merge` makes them one."""
    found = _judged(ctx, game).doubles
    lines = [f"{each.name} = {each.into}? ({each.kind}: {each.why})" for each in found]
    at(ctx).answer({"doubles": found}, lines or ["Everyone seems to be there once."])


def said(ctx: typer.Context, game: Game = "") -> None:
    """What you have said about this world; `lore withdraw` takes it back."""
    found = _judged(ctx, game).acts
    lines = [f"{act.act_id[:8]}  {act.told}  [{act.by}, {act.at}]" for act in found]
    at(ctx).answer({"acts": found}, lines or ["You have said nothing yet."])


def resolve(
    ctx: typer.Context,
    conflict: Annotated[str, typer.Argument(help="Its id, or the beginning of it.")],
    choice: Annotated[str, typer.Argument(help="a, b, neither, or the right value.")],
    game: Game = "",
    note: Note = "",
) -> None:
    """Settles a conflict."""
    from freeform.services.lore import person

    settled = person.ConflictSettled(conflict_id=conflict, choice=choice, note=note)
    _tell(ctx, asyncio.run(person.resolve(at(ctx).settings, game, settled, by="cli")))


Subject = Annotated[str, typer.Argument(help="What it is said of, by name.")]
Predicate = Annotated[str, typer.Argument(help="What is said: connects_to, role, zone …")]


def correct(
    ctx: typer.Context,
    subject: Subject,
    predicate: Predicate,
    value: Annotated[str, typer.Argument(help="What is so.")],
    instead: Annotated[str, typer.Option(help="The value that this one replaces.")] = "",
    kind: Kind = "",
    game: Game = "",
    note: Note = "",
) -> None:
    """Says what is so; it stands above every page and survives a refresh."""
    from freeform.services.lore import person

    fact = _fact(subject, predicate, value, kind, instead=instead, note=note)
    _tell(ctx, asyncio.run(person.correct(at(ctx).settings, game, fact, by="cli")))


def reject(
    ctx: typer.Context,
    subject: Subject,
    predicate: Predicate,
    value: Annotated[str, typer.Argument(help="What is not so.")],
    kind: Kind = "",
    game: Game = "",
    note: Note = "",
) -> None:
    """Says that something is not so, whoever writes it."""
    from freeform.services.lore import person

    fact = _fact(subject, predicate, value, kind, note=note)
    _tell(ctx, asyncio.run(person.reject(at(ctx).settings, game, fact, by="cli")))


def merge(
    ctx: typer.Context,
    name: Annotated[str, typer.Argument(help="The name that goes.")],
    into: Annotated[str, typer.Argument(help="The name that stays.")],
    kind: Kind = "npc",
    game: Game = "",
    note: Note = "",
) -> None:
    """Makes two of one kind one."""
    from freeform.services.lore import person

    both = person.MergeSaid.model_validate(
        {"name": name, "into": into, "kind": _kind(kind or "npc"), "note": note}
    )
    _tell(ctx, asyncio.run(person.merge(at(ctx).settings, game, both, by="cli")))


def label(
    ctx: typer.Context,
    label: Annotated[str, typer.Argument(help="site|kind|label, or the label alone.")],
    means: Annotated[str, typer.Argument(help="A predicate, or nothing.")],
    game: Game = "",
) -> None:
    """Says what a wiki's label means; pages of that wiki are read again."""
    from freeform.services.lore import person

    _tell(ctx, asyncio.run(person.say_label(at(ctx).settings, game, label, means, by="cli")))


def withdraw(
    ctx: typer.Context,
    act: Annotated[str, typer.Argument(help="Its id, or the beginning of it.")],
    game: Game = "",
) -> None:
    """Takes back what you said."""
    from freeform.services.lore import person

    _tell(ctx, asyncio.run(person.withdraw(at(ctx).settings, game, act, by="cli")))


Zones = Annotated[list[str] | None, typer.Argument(help="Which zones; all where none is named.")]


def retry(ctx: typer.Context, zones: Zones = None, game: Game = "") -> None:
    """Puts failed zones back into the queue."""
    _ask(ctx, game, "retry", zones or [])


def refresh(ctx: typer.Context, zones: Zones = None, game: Game = "") -> None:
    """Looks again at the pages of completed zones; where one has changed, the zone is read anew."""
    _ask(ctx, game, "refresh", zones or [])


def stop(ctx: typer.Context, game: Game = "") -> None:
    """Asks the researcher at work to stop after its step, wherever it runs."""
    _ask(ctx, game, "stop", [])


def _ask(
    ctx: typer.Context, game: str, wish: Literal["retry", "refresh", "stop"], zones: list[str]
) -> None:
    from freeform.services.lore.person import ask_again

    desk = at(ctx)
    request = asyncio.run(ask_again(desk.settings, game, wish, zones))
    about = f": {', '.join(request.zones)}" if request.zones else ""
    when = "A researcher at work hears it; else the next `lore start` does."
    desk.answer(request, [f"{wish.capitalize()}{about}.", when])


def _fact(subject: str, predicate: str, value: str, kind: str, **more: str) -> Any:
    from freeform.services.lore.person import FactSaid

    given = {"subject": subject, "predicate": predicate, "value": value, **more}
    return FactSaid.model_validate({**given, "kind": _kind(kind) if kind else None})


def _kind(kind: str) -> str:
    from freeform.core.errors import UserError
    from freeform.lore.model import KINDS

    if kind not in KINDS:
        raise UserError(f"'{kind}' is no kind; there is: {', '.join(KINDS)}")
    return kind


def _tell(ctx: typer.Context, done: "Said") -> None:
    zones = f"  Changed: {', '.join(done.zones)}." if done.zones else "  No row changes by it."
    at(ctx).answer(done, [f"{done.act.act_id[:8]}  {done.said}", zones])
