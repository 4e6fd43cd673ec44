"""The verbs of a human game master: edit the state, say what is so, whisper, note, style, pin."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from freeform.apps.cli.desk import at

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Iterator

    from freeform.engine.hand.correct import Corrected
    from freeform.services.house import House

Words = Annotated[list[str], typer.Argument(help="In your own words.", metavar="TEXT")]
Why = Annotated[str, typer.Option(help="Why, for the log and `why`.", metavar="REASON")]

gm = typer.Typer(
    help="A human game master's hand: logged, and undone like a turn.", no_args_is_help=True
)


@gm.callback()
def seat(
    ctx: typer.Context, campaign: Annotated[str, typer.Argument(help="The campaign's id.")]
) -> None:
    """Names the campaign that the verb after it is about."""
    ctx.meta["gm_campaign"] = campaign


def add_to(app: typer.Typer) -> None:
    """Adds the group."""
    app.add_typer(gm, name="gm")


@gm.command(epilog="Example: freeform-rpg gm a do 'leave: {who: Viktor, to: docks}' --why slip")
def do(
    ctx: typer.Context,
    effect: Annotated[
        list[str], typer.Argument(help="One effect as YAML, or a list.", metavar="EFFECT")
    ],
    why: Why = "",
) -> None:
    """Edits the state: who is where, holds what, lives; clocks, threads, conditions, facts."""
    from freeform.services.gm import hand

    campaign = ctx.meta["gm_campaign"]
    _done(ctx, lambda house: hand.do(house, campaign, " ".join(effect), why))


@gm.command(epilog='Example: freeform-rpg gm a say "Viktor is dead."')
def say(ctx: typer.Context, text: Words, why: Why = "") -> None:
    """Says something that is so from now on."""
    from freeform.services.gm import hand

    campaign = ctx.meta["gm_campaign"]
    _done(ctx, lambda house: hand.say(house, campaign, " ".join(text), why))


@gm.command(epilog='Example: freeform-rpg gm a whisper "make Chen reveal the badge"')
def whisper(
    ctx: typer.Context,
    text: Words,
    turns: Annotated[int, typer.Option(help="For how many turns.")] = 1,
) -> None:
    """Directs the model for the next turn, or the next few; no player reads it."""
    from freeform.services.gm import hand

    campaign = ctx.meta["gm_campaign"]
    _done(ctx, lambda house: hand.whisper(house, campaign, " ".join(text), turns))


@gm.command(epilog='Example: freeform-rpg gm a note "It never stops raining."')
def note(
    ctx: typer.Context,
    text: Annotated[
        list[str] | None, typer.Argument(help="In your own words; none takes it away.")
    ] = None,
) -> None:
    """Leaves an author's note that is told with every turn."""
    from freeform.services.gm import hand

    campaign = ctx.meta["gm_campaign"]
    _done(ctx, lambda house: hand.note(house, campaign, " ".join(text or [])))


@gm.command(epilog='Example: freeform-rpg gm a tell "The storm breaks over the harbour."')
def tell(ctx: typer.Context, text: Words) -> None:
    """Writes the next turn of the story yourself: it stands as you write it."""
    from freeform.services.gm import hand

    campaign = ctx.meta["gm_campaign"]
    _done(ctx, lambda house: hand.hold_pen(house, campaign, "tell", " ".join(text)))


@gm.command(epilog='Example: freeform-rpg gm a reword --turn 3 "The lock gives."')
def reword(
    ctx: typer.Context,
    text: Words,
    turn: Annotated[int, typer.Option(help="Which turn; the last without it.")] = 0,
) -> None:
    """Says what a turn reads from now on; what happened in it stays."""
    from freeform.services.gm import hand

    campaign = ctx.meta["gm_campaign"]
    _done(ctx, lambda house: hand.hold_pen(house, campaign, "reword", " ".join(text), turn))


@gm.command(epilog="Example: freeform-rpg gm a retell")
def retell(ctx: typer.Context) -> None:
    """Has the last turn told once more in other words: the same facts and dice."""
    from freeform.services.gm import hand

    campaign, desk = ctx.meta["gm_campaign"], at(ctx)
    result = desk.run(lambda house: hand.hold_pen(house, campaign, "retell"))
    desk.answer(result, [*result.heard, "`undo` brings the first words back."])


@gm.command(epilog="Example: freeform-rpg gm a style --length short --tense past")
def style(
    ctx: typer.Context,
    length: Annotated[str | None, typer.Option(help="short, medium or long.")] = None,
    person: Annotated[str | None, typer.Option(help="first, second or third.")] = None,
    tense: Annotated[str | None, typer.Option(help="present or past.")] = None,
    manner: Annotated[str | None, typer.Option(help="In your own words.")] = None,
) -> None:
    """Says how a model tells the story from now on; '' leaves a part to the narrator again."""
    from freeform.services.gm import hand

    campaign = ctx.meta["gm_campaign"]
    wanted = hand.style_of({"length": length, "person": person, "tense": tense, "manner": manner})
    _done(ctx, lambda house: hand.style(house, campaign, wanted))


@gm.command(epilog="Example: freeform-rpg gm a pin f_body_not_jin")
def pin(ctx: typer.Context, fact: Annotated[str, typer.Argument(help="A fact's id.")]) -> None:
    """Pins a fact: it is told every turn, whatever else is left out."""
    from freeform.services.gm import hand

    campaign = ctx.meta["gm_campaign"]
    _done(ctx, lambda house: hand.pin(house, campaign, fact))


@gm.command(epilog="Example: freeform-rpg gm a unpin f_body_not_jin")
def unpin(ctx: typer.Context, fact: Annotated[str, typer.Argument(help="A fact's id.")]) -> None:
    """Takes a pin away."""
    from freeform.services.gm import hand

    campaign = ctx.meta["gm_campaign"]
    _done(ctx, lambda house: hand.pin(house, campaign, fact, pinned=False))


@gm.command(epilog="Example: freeform-rpg gm a show --json")
def show(ctx: typer.Context) -> None:
    """Shows the whispers, the note, the style and the pins that hold now."""
    from freeform.services.gm import hand

    campaign = ctx.meta["gm_campaign"]
    desk = at(ctx)
    held = desk.run(lambda house: hand.show(house, campaign), model=False)
    rows = {
        "Whispered": "; ".join(held.whispers),
        "Note": held.note,
        "Style": ", ".join(f"{name} {value}" for name, value in held.style.items()),
        "Pinned": ", ".join(held.pinned),
    }
    desk.answer(held, [f"{name}: {value or 'none'}" for name, value in rows.items()])


def _done(ctx: typer.Context, work: "Callable[[House], Coroutine[Any, Any, Corrected]]") -> None:
    desk = at(ctx)
    result = desk.run(work, model=False)
    lines = [*result.heard, f"Logged after turn {result.turn_no}; `undo` takes it back."]
    desk.answer(result, lines)


@gm.command(epilog="Example: freeform-rpg gm a screen")
def screen(ctx: typer.Context) -> None:
    """Looks behind the screen: secrets, clocks, people's wants, corrections. Tells everything."""
    from freeform.services.gm.behind import BehindScreen, behind_screen

    campaign, desk = ctx.meta["gm_campaign"], at(ctx)

    def lines(seen: BehindScreen) -> "Iterator[str]":
        yield f"{seen.place_name}, {seen.time}, after turn {seen.turn_no}"
        yield from (f"secret: {fact.text}" for fact in seen.facts if fact.hidden)
        yield from (f"clock: {each.name} {each.value}/{each.max}" for each in seen.clocks)
        for each in seen.people:
            yield f"{each.name} at {each.at_name or 'nowhere'}: {each.wants or 'wants nothing'}"
        yield from (f"turn {each.turn_no}: {'; '.join(each.did)}" for each in seen.corrections)

    seen = desk.run(lambda house: behind_screen(house, campaign), model=False)
    desk.answer(seen, lambda: lines(seen))
