"""The verb `ask`: a question answered from the sheet, the notes and the rulebooks, with sources."""

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from freeform.apps.cli.desk import at

if TYPE_CHECKING:
    from freeform.assistant.model import Answer
    from freeform.services.house import House


class Edition(StrEnum):
    """Which edition's rules hold."""

    old = "5.1"
    new = "5.2"


class Eyes(StrEnum):
    """Who asks."""

    player = "player"
    gm = "gm"


def add_to(app: typer.Typer) -> None:
    """Adds the verb."""
    app.command(epilog='Example: freeform-rpg ask "How does grappling work?"')(ask)


def ask(
    ctx: typer.Context,
    question: Annotated[
        list[str], typer.Argument(help="The question, in your own words.", metavar="QUESTION")
    ],
    character: Annotated[
        str, typer.Option(help="A sheet: its file, its id, or a campaign's id.")
    ] = "",
    notes: Annotated[
        str,
        typer.Option(help="Session notes: a folder, a file, the id of kept ones, or a campaign's."),
    ] = "",
    rulebook: Annotated[
        list[str],
        typer.Option(
            help="Only this rulebook pack; may be given again. Else all that are installed."
        ),
    ] = [],  # noqa: B006
    edition: Annotated[
        Edition | None, typer.Option(help="Only rules of this edition; else both.")
    ] = None,
    viewer: Annotated[
        Eyes, typer.Option("--as", help="player, or gm: who may also see secrets.")
    ] = Eyes.player,
    thread: Annotated[
        str,
        typer.Option(help="Go on with this conversation, so that follow-ups work; `new` begins."),
    ] = "",
) -> None:
    """Answers a question from your sheet, your notes and the rules, with a source for each line."""
    from freeform.services.assistant.questions import ask as ask_house
    from freeform.services.librarian import AskWish

    desk = at(ctx)
    wish = AskWish.model_validate(
        {
            "character": character,
            "notes": notes,
            "rulebooks": rulebook,
            "edition": edition.value if edition else "",
            "viewer": viewer.value,
            "thread": thread,
        }
    )

    async def work(house: "House") -> "Answer":
        return await ask_house(house, " ".join(question), wish)

    with desk.progress("Looking it up"):
        answer = desk.run(work)
    desk.answer(answer, lambda: lines(answer))


def lines(answer: "Answer") -> list[str]:
    """The answer and its sources, for a person."""
    shown = answer.answer.splitlines()
    if answer.sources:
        shown += ["", "Sources"]
    for source in answer.sources:
        edition = ""
        if source.edition and source.tool == "rulebook":
            edition = f" ({source.edition})"
        shown.append(f"  [{source.n}] {source.where}{edition}")
    if answer.thread:
        shown += ["", f'Go on: freeform-rpg ask "…" --thread {answer.thread}']
    for note in answer.degraded:
        shown.append(f"Note: {note}")
    return shown
