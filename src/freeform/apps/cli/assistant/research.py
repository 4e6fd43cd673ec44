"""The verb `research`: a question that takes several steps, and going on after a stop."""

import asyncio
import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from freeform.apps.cli.desk import Desk, at

if TYPE_CHECKING:
    from freeform.assistant.research.model import ResearchState
    from freeform.services.assistant.research import ResearchRequest
    from freeform.services.house import House


EXAMPLE = '"every food buff with its effect and recipe location"'


def add_to(app: typer.Typer) -> None:
    """Adds the verb."""
    app.command(epilog=f"Example: freeform-rpg research {EXAMPLE}")(research)


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
    """Answers a question in several steps: plans, looks up, tells what it found with sources."""
    from freeform.services.assistant.research import ResearchRequest, load_research

    desk, said = at(ctx), words or []
    if said == ["list"]:
        _list(desk)
    elif len(said) == 2 and said[0] == "show":
        _show(desk, asyncio.run(load_research(desk.settings, said[1])))
    else:
        request = ResearchRequest(
            question=" ".join(said),
            packs=packs,
            notes=notes,
            viewer="gm" if gm else "player",
            max_steps=max_steps,
            budget=budget,
        )
        state = desk.run(lambda house: _work(desk, house, request, resume))
        _show(desk, state)
        if state.partial:
            raise typer.Exit(4)


async def _work(
    desk: Desk, house: "House", request: "ResearchRequest", resume: str
) -> "ResearchState":
    from freeform.services.assistant.research import begin_research, resume_research

    if resume:
        return await resume_research(house, resume, request, _teller(desk))
    return await begin_research(house, request, _teller(desk))


def _list(desk: Desk) -> None:
    from freeform.services.assistant.research import list_research

    rows = asyncio.run(list_research(desk.settings))
    lines = [f"{row.researchId}  {row.status:<11}  {row.originalQuery}" for row in rows]
    none = ['No research yet. Begin with: freeform-rpg research "every food buff with its effect"']
    desk.answer({"research": [row.model_dump() for row in rows]}, lines or none)


def _teller(desk: Desk) -> Any:
    """Progress on standard error, a line for each thing that came about."""
    counts_items = sys.stderr.isatty() and not desk.quiet and not desk.json

    def tell(kind: str, news: dict[str, object]) -> None:
        match kind:
            case "begun":
                id = news["researchId"]
                desk.note(f"{id}  (to go on after a stop: research --resume {id})")
            case "planned" | "revised":
                desk.note("\n".join([f"{kind.capitalize()}:", *_plan_lines(news["plan"])]))
            case "item" if news["item"] and counts_items:
                line = f"\r  {news['done']}/{news['of']} {news['item']:<40.40}"
                print(line, end="", file=sys.stderr, flush=True)
            case "step_done":
                status = str(news["status"]).lower()
                line = f"\r  step {news['stepId']}: {status} {news['error'] or ''}"
                desk.note(line.ljust(50))
            case _:
                pass

    return tell


def _plan_lines(plan: object) -> list[str]:
    if not isinstance(plan, list):
        return []
    return [f"  {step}" for step in plan]


def _show(desk: Desk, state: "ResearchState") -> None:
    def lines() -> list[str]:
        sources = [f"[{s.n}] {s.url or s.where}" for s in state.sources]
        notes = [f"({note})" for note in state.notes]
        return [state.answer or f"{state.status.lower()}: no answer yet", "", *sources, *notes]

    desk.answer(state.model_dump(mode="json"), lines)
