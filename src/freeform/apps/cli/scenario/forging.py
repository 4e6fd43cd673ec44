"""`scenario new`: a story forged from a premise, packs or a card; options `new-game` shares."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from freeform.apps.cli.desk import Desk, at

if TYPE_CHECKING:
    from freeform.forge.stages.run import Progress, StageNote
    from freeform.services.house import House
    from freeform.services.scenario.forging import ForgedKept, ForgeOrder

Premise = Annotated[
    str | None, typer.Option(help="What the story is about, in a sentence or a paragraph.")
]
Genre = Annotated[str, typer.Option(help="Its genre, in a word; else by the premise.")]
Tone = Annotated[str, typer.Option(help="Its tone, in your words.")]
Packs = Annotated[
    list[str] | None, typer.Option(help="A pack whose people and places are used; may be repeated.")
]
Book = Annotated[list[str] | None, typer.Option(help="The same, for a book that was read in.")]
World = Annotated[list[str] | None, typer.Option(help="The same, for a researched world.")]
Card = Annotated[
    Path | None, typer.Option(help="A character card (PNG, JSON, charx) to play with.")
]
System = Annotated[str, typer.Option(help="A rules system; `list-systems` lists them.")]


def new(
    ctx: typer.Context,
    premise: Premise = None,
    genre: Genre = "",
    tone: Tone = "",
    pack: Packs = None,
    book: Book = None,
    world: World = None,
    card: Card = None,
    system: System = "",
    out: Annotated[Path | None, typer.Option(help="Write it to this file too.")] = None,
) -> None:
    """Makes a scenario and keeps it: from a premise, packs, a card, or a seed alone."""
    from freeform.services.scenario.forging import new_scenario

    desk = at(ctx)
    packs = [*(pack or []), *(book or []), *(world or [])]
    order = order_of(desk, premise, genre, tone, packs, card, system)

    async def work(house: "House") -> "ForgedKept":
        tell_estimate(desk, house, order)
        return await new_scenario(house, order, out, stage_teller(desk))

    made = desk.run(work)
    desk.answer(
        made,
        [
            f"{made.name} ({made.genre})",
            made.question,
            f"Places: {', '.join(made.places)}",
            f"People: {', '.join(made.people)}",
            f"Kept as {made.path}",
            f"Play it with: freeform-rpg new-game --scenario {made.scenario}",
        ],
    )


def tell_estimate(desk: Desk, house: "House", order: "ForgeOrder") -> None:
    """What a model will be asked, before it is."""
    from freeform.services.scenario.forging import forging_estimate

    told = forging_estimate(house, order)
    if told:
        desk.note(told)


def stage_teller(desk: Desk) -> "Progress":
    """Says what came of each stage, beside the answer."""

    def tell(note: "StageNote") -> None:
        why = f": {note.why}" if note.why else ""
        desk.note(f"{note.number} of {note.of}, {note.stage}: {note.by}{why}")

    return tell


def order_of(
    desk: Desk,
    premise: str | None,
    genre: str,
    tone: str,
    packs: list[str],
    card: Path | None,
    system: str,
) -> "ForgeOrder":
    """What was asked for, as the forge takes it."""
    from freeform.services.files import file_bytes
    from freeform.services.scenario.forging import ForgeOrder

    return ForgeOrder(
        premise=premise,
        genre=genre,
        tone=tone,
        packs=packs,
        card=file_bytes(card) if card else b"",
        card_name=card.name if card else "card",
        system=system,
    )
