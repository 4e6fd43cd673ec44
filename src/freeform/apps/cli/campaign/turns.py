"""Verbs of one turn: take it, and look at what it saw, did and left behind."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from freeform.apps.cli.desk import at

if TYPE_CHECKING:
    from freeform.engine.table import Table
    from freeform.engine.world.model import TurnResult

Campaign = Annotated[str, typer.Argument(help="The campaign's id.")]
Text = Annotated[
    list[str], typer.Argument(help="What you do or say, in your own words.", metavar="TEXT")
]
TEXT_AS_IT_IS = {"ignore_unknown_options": True}


def add_to(app: typer.Typer) -> None:
    """Adds the verbs."""
    app.command(epilog='Example: freeform-rpg turn a "I ask Viktor about the drive" --json',
                context_settings=TEXT_AS_IT_IS)(turn)  # fmt: skip
    app.command(epilog="Example: freeform-rpg state a --turn 3 --json")(state)
    app.command(epilog='Example: freeform-rpg context a "I look around" --json',
                context_settings=TEXT_AS_IT_IS)(context)  # fmt: skip
    app.command("show-event", epilog="Example: freeform-rpg show-event a --turn 3 --json")(
        show_event
    )
    app.command(epilog="Example: freeform-rpg why a fact_drive_hidden")(why)
    app.command(epilog="Example: freeform-rpg tapes a --turn 3")(tapes)


def turn(ctx: typer.Context, campaign: Campaign, text: Text) -> None:
    """Plays one turn."""
    from freeform.engine.turn import Say, take_turn

    async def work(table: "Table") -> "TurnResult":
        return await take_turn(Say(campaign=campaign, text=" ".join(text)), table)

    desk = at(ctx)
    result = desk.run(work)
    desk.answer(result, lambda: told(result))


def told(result: "TurnResult") -> list[str]:
    """A turn as a person reads it: the dice, the prose, what one might do next."""
    lines = [roll.text for roll in result.rolls]
    lines += [result.final_text or result.clarification_question]
    lines += [
        f"{number}. {action}" for number, action in enumerate(result.suggested_actions, start=1)
    ]
    return [line for line in lines if line] + [f"({said})" for said in result.degraded]


def state(
    ctx: typer.Context,
    campaign: Campaign,
    turn: Annotated[int | None, typer.Option(help="The state after that turn; else now.")] = None,
) -> None:
    """Shows the whole state."""
    import json

    async def work(table: "Table") -> dict[str, Any]:
        return (await table.store.get_state(campaign, turn)).document()

    desk = at(ctx)
    document = desk.run(work)
    desk.answer(document, lambda: [json.dumps(document, indent=1, ensure_ascii=False)])


def context(ctx: typer.Context, campaign: Campaign, text: Text) -> None:
    """Shows what a turn would tell the model, and what it weighs in tokens."""
    from freeform.engine.campaign.inspection import context_for

    async def work(table: "Table") -> dict[str, Any]:
        return await context_for(campaign, " ".join(text), table)

    desk = at(ctx)
    document = desk.run(work)
    tokens = document["tokens"]
    desk.answer(document, [f"{tokens[section]:>6}  {section}" for section in tokens])


def show_event(
    ctx: typer.Context,
    campaign: Campaign,
    turn: Annotated[int, typer.Option(help="Which turn.")],
) -> None:
    """Shows a turn as it was recorded."""
    import json

    from freeform.engine.campaign.inspection import recorded

    async def work(table: "Table") -> dict[str, Any]:
        return await recorded(campaign, turn, table)

    desk = at(ctx)
    row = desk.run(work)
    desk.answer(row, lambda: [json.dumps(row, indent=1, ensure_ascii=False)])


def why(
    ctx: typer.Context,
    campaign: Campaign,
    fact_id: Annotated[
        str, typer.Argument(help="A fact's id, or an entity's, as `state` shows it.")
    ],
) -> None:
    """Says where a fact comes from: a turn, a pack's file and section, or session zero."""
    from freeform.engine.campaign.why import why as explain

    async def work(table: "Table") -> dict[str, Any]:
        return await explain(campaign, fact_id, table)

    desk = at(ctx)
    found = desk.run(work)
    desk.answer(found, lambda: why_lines(found))


def why_lines(found: dict[str, Any]) -> list[str]:
    """A fact and the chain behind it, one line each."""
    fact = found["fact"]
    head = fact.get("object", {}).get("text") or f"{fact['subject_id']} {fact['predicate']}"
    return [str(head), *(f"- {_step_line(step)}" for step in found["chain"])]


def _step_line(step: dict[str, Any]) -> str:
    if step["what"] == "pack":
        return _page_line(step)
    where = step.get("scenario") or f"turn {step.get('turn_no')}"
    by = f", by {step['by']}" if step.get("by") else ""
    how = f" ({step['method']})" if step.get("method") else ""
    return f"{step['what']}: {where}{by}{how}{': ' + step['text'] if step.get('text') else ''}"


def _page_line(step: dict[str, Any]) -> str:
    """A page of a pack: `pack: neo_seattle 1.0.0, npcs/viktor.md, Viktor > Knows: “…”`."""
    where = ", ".join(str(step[key]) for key in ("file", "section") if step.get(key))
    pack = f"{step['pack']} {step.get('version', '')}".strip()
    quote = (
        f": “{step['quote']}”"
        if step.get("quote")
        else f" ({step['note']})"
        if step.get("note")
        else ""
    )
    return f"pack: {pack}{', ' + where if where else ''}{quote}"


def tapes(
    ctx: typer.Context,
    campaign: Campaign,
    turn: Annotated[int | None, typer.Option(help="Only the calls of that turn.")] = None,
) -> None:
    """Lists every call to a model: its prompt, what was said, tokens, cost and time."""

    async def work(table: "Table") -> list[Any]:
        await table.store.begun(campaign)
        return list(await table.tapes.of_turn(campaign, turn))

    desk = at(ctx)
    rows = desk.run(work)
    lines = (
        f"turn {t.turn_no}  {t.prompt}  {t.model}  {t.usage.input_tokens}+{t.usage.output_tokens} tokens  "
        f"${t.usage.cost_usd:.4f}  {t.ms:.0f} ms{'  failed: ' + t.error if t.error else ''}"
        for t in rows
    )
    desk.answer({"campaign": campaign, "tapes": [t.model_dump(mode="json") for t in rows]}, lines)
