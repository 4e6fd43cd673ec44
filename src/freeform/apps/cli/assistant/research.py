"""The verb `research`: a question that takes several steps, its progress, and going on after a stop."""

import asyncio
import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from freeform.apps.cli.desk import Desk, at

if TYPE_CHECKING:
    from collections.abc import Sequence

    from freeform.assistant.model import Viewer
    from freeform.assistant.research.model import ResearchRow, ResearchState


def add_to(app: typer.Typer) -> None:
    """Adds the verb."""
    app.command(
        epilog='Example: freeform-rpg research "every food buff with its effect and recipe location"'
    )(research)


def research(
    ctx: typer.Context,
    words: Annotated[
        list[str] | None,
        typer.Argument(help="The question; or `list`; or `show ID`.", metavar="QUESTION"),
    ] = None,
    resume: Annotated[
        str, typer.Option(help="Go on with this piece of research.", metavar="ID")
    ] = "",
    max_steps: Annotated[int, typer.Option(help="At most so many steps.", min=1, max=30)] = 8,
    budget: Annotated[int, typer.Option(help="At most so many tokens; 0 is no limit.", min=0)] = 0,
    packs: Annotated[
        list[str], typer.Option("--pack", help="Only in this pack; may be given again.")
    ] = [],  # noqa: B006
    notes: Annotated[
        str,
        typer.Option(help="Also in these notes: a folder, or a campaign.", metavar="DIR|CAMPAIGN"),
    ] = "",
    gm: Annotated[
        bool, typer.Option("--gm", help="Also what is for the game master alone.")
    ] = False,
) -> None:
    """Answers a question in several steps: plans, looks up side by side, tells what it found with sources."""
    desk, said = at(ctx), words or []
    if said == ["list"]:
        _list(desk)
    elif len(said) == 2 and said[0] == "show":
        _show(desk, asyncio.run(_load(desk, said[1])))
    else:
        state = asyncio.run(
            _work(desk, " ".join(said), resume, max_steps, budget, packs, notes, gm)
        )
        _show(desk, state)
        if state.partial:
            raise typer.Exit(4)


async def _work(
    desk: Desk,
    question: str,
    resume: str,
    max_steps: int,
    budget: int,
    packs: list[str],
    notes: str,
    gm: bool,
) -> "ResearchState":
    from freeform.assistant.research import research as part
    from freeform.core.errors import UserError
    from freeform.wiring import opened
    from freeform.wiring.assistant import AskWish, Librarian
    from freeform.wiring.research import research_ports

    if not question and not resume:
        raise UserError('say a question or --resume ID, for example: research "every food buff"')
    viewer: Viewer = "gm" if gm else "player"
    async with opened(desk.settings) as table:
        found, _ = (
            await Librarian(desk.settings, table).sources(AskWish(notes=notes))
            if notes
            else ([], "")
        )
        told = [source for source in found if source.tool == "session_notes"]
    async with research_ports(desk.settings, packs=packs, notes=told, viewer=viewer) as ports:
        if resume:
            if question and question != (asked := (await _load(desk, resume)).originalQuery):
                raise UserError(
                    f"{resume} is about {asked!r}; leave the question out, or ask a new one without --resume"
                )
            return await part.resume(resume, ports, tell=_teller(desk), budget=budget or None)
        return await part.research(
            question, ports, max_steps=max_steps, budget=budget, tell=_teller(desk)
        )


async def _load(desk: Desk, research_id: str) -> "ResearchState":
    from freeform.wiring.research import opened_research

    async with opened_research(desk.settings) as store:
        return await store.load(research_id)


async def _rows(desk: Desk) -> "Sequence[ResearchRow]":
    from freeform.wiring.research import opened_research

    async with opened_research(desk.settings) as store:
        return await store.rows()


def _list(desk: Desk) -> None:
    rows = asyncio.run(_rows(desk))
    none = ['No research yet. Begin with: freeform-rpg research "every food buff with its effect"']
    desk.answer(
        {"research": [row.model_dump() for row in rows]},
        lambda: (
            [f"{row.researchId}  {row.status:<11}  {row.originalQuery}" for row in rows] or none
        ),
    )


def _teller(desk: Desk) -> Any:
    """Progress on standard error, a line for each thing that came about."""

    def tell(kind: str, told: dict[str, object]) -> None:
        match kind:
            case "begun":
                desk.note(
                    f"{told['researchId']}  (to go on after a stop: research --resume {told['researchId']})"
                )
            case "planned" | "revised":
                lines = told["plan"] if isinstance(told["plan"], list) else []
                desk.note("\n".join([f"{kind.capitalize()}:", *(f"  {line}" for line in lines)]))
            case "item" if (
                told["item"] and sys.stderr.isatty() and not desk.quiet and not desk.json
            ):
                print(
                    f"\r  {told['done']}/{told['of']} {told['item']:<40.40}",
                    end="",
                    file=sys.stderr,
                    flush=True,
                )
            case "step_done":
                desk.note(
                    f"\r  step {told['stepId']}: {str(told['status']).lower()} {told['error'] or ''}".ljust(
                        50
                    )
                )
            case _:
                pass

    return tell


def _show(desk: Desk, state: "ResearchState") -> None:
    def lines() -> list[str]:
        sources = [f"[{s.n}] {s.url or s.where}" for s in state.sources]
        notes = [f"({note})" for note in state.notes]
        return [state.answer or f"{state.status.lower()}: no answer yet", "", *sources, *notes]

    desk.answer(state.model_dump(mode="json"), lines)
