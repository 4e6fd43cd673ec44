"""Verbs of one turn: take it, and look at what it saw, did and left behind."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from freeform.apps.cli.desk import at

if TYPE_CHECKING:
    from collections.abc import Sequence

    from freeform.core.llm.tape import Tape
    from freeform.engine.world.model import TurnResult
    from freeform.services.house import House

Campaign = Annotated[str, typer.Argument(help="The campaign's id.")]
Text = Annotated[
    list[str], typer.Argument(help="What you do or say, in your own words.", metavar="TEXT")
]
TEXT_AS_IT_IS = {"ignore_unknown_options": True}


def add_to(app: typer.Typer) -> None:
    """Adds the verbs."""
    app.command(
        epilog='Example: freeform-rpg turn a "I ask Viktor about the drive" --json',
        context_settings=TEXT_AS_IT_IS,
    )(turn)
    app.command(epilog="Example: freeform-rpg state a --turn 3 --json")(state)
    app.command(
        epilog='Example: freeform-rpg context a "I look around" --json',
        context_settings=TEXT_AS_IT_IS,
    )(context)
    app.command("show-event", epilog="Example: freeform-rpg show-event a --turn 3 --json")(
        show_event
    )
    app.command(epilog="Example: freeform-rpg why a fact_drive_hidden")(why)
    app.command(epilog="Example: freeform-rpg tapes a --turn 3")(tapes)


def turn(
    ctx: typer.Context,
    campaign: Campaign,
    text: Text,
    as_: Annotated[
        str, typer.Option("--as", help="Whose turn, at a table of several.", metavar="SEAT")
    ] = "",
) -> None:
    """Plays one turn."""
    from freeform.services import play
    from freeform.services.table.acting import say_as

    async def work(house: "House") -> "TurnResult":
        say = await play.say_of(house, campaign, " ".join(text))
        if as_:
            say = await say_as(house, campaign, as_, say)
        return await play.take_turn(house, say)

    desk = at(ctx)
    result = desk.run(work)
    desk.answer(result, lambda: told(result))


def told(result: "TurnResult") -> list[str]:
    """A turn as a person reads it: the dice, the prose, what one might do next."""
    lines = [roll.text for roll in result.rolls]
    lines.append(result.final_text or result.clarification_question)
    for number, action in enumerate(result.suggested_actions, start=1):
        lines.append(f"{number}. {action}")
    degraded = [f"({reason})" for reason in result.degraded]
    return [line for line in lines if line] + degraded


def state(
    ctx: typer.Context,
    campaign: Campaign,
    turn: Annotated[int | None, typer.Option(help="The state after that turn; else now.")] = None,
) -> None:
    """Shows the whole state."""
    import json

    from freeform.services.campaigns import game_state

    desk = at(ctx)
    document = desk.run(lambda house: game_state(house, campaign, turn), model=False).document()
    desk.answer(document, lambda: [json.dumps(document, indent=1, ensure_ascii=False)])


def context(ctx: typer.Context, campaign: Campaign, text: Text) -> None:
    """Shows what a turn would tell the model, and what it weighs in tokens."""
    from freeform.services.campaigns import context_of

    desk = at(ctx)
    said = " ".join(text)
    document = desk.run(lambda house: context_of(house, campaign, said), model=False)
    tokens = document["tokens"]
    desk.answer(document, [f"{tokens[section]:>6}  {section}" for section in tokens])


def show_event(
    ctx: typer.Context,
    campaign: Campaign,
    turn: Annotated[int, typer.Option(help="Which turn.")],
) -> None:
    """Shows a turn as it was recorded."""
    import json

    from freeform.services.campaigns import recorded_turn

    desk = at(ctx)
    row = desk.run(lambda house: recorded_turn(house, campaign, turn), model=False)
    desk.answer(row, lambda: [json.dumps(row, indent=1, ensure_ascii=False)])


def why(
    ctx: typer.Context,
    campaign: Campaign,
    fact_id: Annotated[
        str, typer.Argument(help="A fact's id, or an entity's, as `state` shows it.")
    ],
) -> None:
    """Says where a fact comes from: a turn, a pack's file and section, or session zero."""
    from freeform.services import campaigns

    desk = at(ctx)
    found = desk.run(lambda house: campaigns.why(house, campaign, fact_id), model=False)
    desk.answer(found, lambda: why_lines(found))


def why_lines(found: dict[str, Any]) -> list[str]:
    """A fact and the chain behind it, one line each."""
    fact = found["fact"]
    head = fact.get("object", {}).get("text") or f"{fact['subject_id']} {fact['predicate']}"
    lines = [str(head)]
    for step in found["chain"]:
        lines.append(f"- {_step_line(step)}")
        lines += [f"  {_roll_line(roll)}" for roll in step.get("rolls", [])]
    return lines


def _roll_line(roll: dict[str, Any]) -> str:
    """A roll with what it is made of: `1d20 (12) + 5 = 17 vs 15 success: strength +3 (sheet)`."""
    made = [*roll.get("parts", []), *roll.get("against", [])]
    parts = ", ".join(f"{part['label']} {part['value']:+d} ({part['source']})" for part in made)
    return f"{roll['text']}: {parts}" if parts else str(roll["text"])


def _step_line(step: dict[str, Any]) -> str:
    if step["what"] == "pack":
        return _page_line(step)
    where = step.get("scenario") or f"turn {step.get('turn_no')}"
    line = f"{step['what']}: {where}"
    if step.get("by"):
        line += f", by {step['by']}"
    if step.get("method"):
        line += f" ({step['method']})"
    if step.get("text"):
        line += f": {step['text']}"
    return line


def _page_line(step: dict[str, Any]) -> str:
    """A page of a pack: `pack: neo_seattle 1.0.0, npcs/viktor.md, Viktor > Knows: “…”`."""
    parts = [f"{step['pack']} {step.get('version', '')}".strip()]
    parts += [str(step[key]) for key in ("file", "section") if step.get(key)]
    line = f"pack: {', '.join(parts)}"
    if step.get("quote"):
        return f"{line}: “{step['quote']}”"
    return f"{line} ({step['note']})" if step.get("note") else line


def tapes(
    ctx: typer.Context,
    campaign: Campaign,
    turn: Annotated[int | None, typer.Option(help="Only the calls of that turn.")] = None,
) -> None:
    """Lists every call to a model: its prompt, what was said, tokens, cost and time."""
    from freeform.services.campaigns import list_tapes

    desk = at(ctx)
    rows = desk.run(lambda house: list_tapes(house, campaign, turn), model=False)
    desk.answer({"campaign": campaign, "tapes": list(rows)}, _tape_lines(rows))


def _tape_lines(rows: "Sequence[Tape]") -> list[str]:
    lines: list[str] = []
    for tape in rows:
        used = tape.usage
        tokens = f"{used.input_tokens}+{used.output_tokens} tokens"
        line = (
            f"turn {tape.turn_no}  {tape.prompt}  {tape.model}  "
            f"{tokens}  ${used.cost_usd:.4f}  {tape.ms:.0f} ms"
        )
        lines.append(f"{line}  failed: {tape.error}" if tape.error else line)
    return lines
