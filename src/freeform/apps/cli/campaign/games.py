"""Verbs of the shelf: what can be played, what is being played, begin one, sit down and play."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from freeform.apps.cli.desk import Desk, at
from freeform.apps.cli.scenario import forging

if TYPE_CHECKING:
    from freeform.assistant.sheet.as_hero import SheetHero
    from freeform.engine.authored.scenario import Scenario
    from freeform.engine.campaign.begin import Answers
    from freeform.services.campaigns import CampaignBegun
    from freeform.services.house import House


def add_to(app: typer.Typer) -> None:
    """Adds the verbs."""
    app.command(epilog="Example: freeform-rpg scenarios --json")(scenarios)
    app.command(epilog="Example: freeform-rpg campaigns")(campaigns)
    app.command(
        "new-game",
        epilog="Example: freeform-rpg new-game --premise 'a ghost runs for mayor' --seed 7",
    )(new_game)
    app.command(epilog="Example: freeform-rpg play --campaign a --plain")(play)


def scenarios(ctx: typer.Context) -> None:
    """Lists what can be played."""
    from freeform.services.campaigns import list_scenarios

    desk = at(ctx)
    rows = list_scenarios(desk.settings)
    lines = [f"{row.id}  {row.name} ({row.genre}): {row.description}" for row in rows]
    desk.answer({"scenarios": rows}, lines)


def campaigns(ctx: typer.Context) -> None:
    """Lists your campaigns, last played first."""
    from freeform.services.campaigns import list_campaigns

    desk = at(ctx)
    rows = desk.run(list_campaigns, model=False)
    lines = [f"{row.id}  {row.name}, turn {row.current_turn} ({row.scenario})" for row in rows]
    none = ["No campaign yet: `freeform-rpg new-game --scenario ID` begins one."]
    desk.answer({"campaigns": rows}, lines or none)


def new_game(
    ctx: typer.Context,
    scenario: Annotated[
        str | None, typer.Option(help="A scenario's id, or a file; else one is forged.")
    ] = None,
    premise: forging.Premise = None,
    genre: forging.Genre = "",
    tone: forging.Tone = "",
    pack: forging.Packs = None,
    book: forging.Book = None,
    world: forging.World = None,
    card: forging.Card = None,
    system: forging.System = "",
    campaign: Annotated[
        str | None, typer.Option(help="The new campaign's id; else one is made.")
    ] = None,
    answers: Annotated[
        Path | None,
        typer.Option(
            help="Session zero from a YAML or JSON file; else asked, or left as authored."
        ),
    ] = None,
    hero: Annotated[
        str | None, typer.Option(help="A sheet's id or file: its character is the hero.")
    ] = None,
    stat: Annotated[
        list[str] | None, typer.Option(help="A stat of that hero set by hand, as in might=2.")
    ] = None,
) -> None:
    """Creates a campaign: of a scenario, or of one forged from a premise, packs or a card."""
    from freeform.services.campaigns import begin_campaign, find_scenario
    from freeform.services.scenario.forging import begin_forged, check_wanted
    from freeform.services.scenario.heroes import answers_with, sheet_as_hero

    desk = at(ctx)
    packs = [*(pack or []), *(book or []), *(world or [])]
    order = forging.order_of(desk, premise, genre, tone, packs, card, system)
    if scenario is None and order.is_empty:
        raise typer.BadParameter("give --scenario ID, or --premise TEXT, --pack ID or --card FILE")
    check_wanted(scenario, order)

    async def work(house: "House") -> "tuple[CampaignBegun, SheetHero | None]":
        if scenario is None:
            zero = read_answers(answers)
            forging.tell_estimate(desk, house, order)
            taken: list[SheetHero] = []

            def with_hero(forged: "Scenario", agreed: "Answers") -> "Answers":
                taken.append(sheet_as_hero(house, forged, hero or "", stat))
                return answers_with(agreed, taken[0])

            begun = await begin_forged(
                house,
                order,
                zero,
                campaign=campaign,
                progress=forging.stage_teller(desk),
                with_hero=with_hero if hero else None,
            )
            return begun, taken[0] if taken else None
        found = find_scenario(house, scenario)
        mapped = sheet_as_hero(house, found, hero, stat) if hero else None
        zero = _answers(desk, found, answers)
        if mapped:
            zero = answers_with(zero, mapped)
        return await begin_campaign(house, found, zero, campaign=campaign), mapped

    begun, mapped = desk.run(work)
    document = begun.model_dump(mode="json", exclude={"name"})
    if mapped:
        document["hero"] = mapped.model_dump(mode="json")
    further = f"Play on with: freeform-rpg play --campaign {begun.campaign}"
    desk.answer(document, [*_mapping(mapped), begun.opening, "", further])


def _mapping(mapped: "SheetHero | None") -> list[str]:
    """How a sheet became a hero, line by line."""
    if mapped is None:
        return []
    lines = [f"{mapped.hero.name} plays by {mapped.system}:"]
    for each in mapped.mapping:
        held = ", held to the range" if each.held_to_range else ""
        chosen = mapped.hero.stats[each.stat]
        lines.append(f"  {each.stat} {chosen:+d} from {each.made_from} {each.score}{held}")
    lines += [f"  not taken: {reason}" for reason in mapped.not_taken]
    return [*lines, ""]


def play(
    ctx: typer.Context,
    campaign: Annotated[
        str | None, typer.Option(help="Which campaign; else the last played.")
    ] = None,
    scenario: Annotated[str | None, typer.Option(help="Begin that scenario.")] = None,
    join: Annotated[
        str, typer.Option(help="Somebody else's table, by the link they sent.", metavar="URL")
    ] = "",
    name: Annotated[str, typer.Option(help="With --join: your name there.")] = "",
    hero: Annotated[
        str, typer.Option(help="With --join: a hero of your own, by name.", metavar="NAME")
    ] = "",
) -> None:
    """Sits down at the table in the terminal."""
    if join:
        from freeform.apps.cli.table.joining import join_table

        join_table(at(ctx), join, name, hero)
        return
    from freeform.apps.cli.play.guided import guide

    guide(at(ctx), campaign, scenario)


def read_answers(file: Path | None) -> "Answers":
    """Session zero from a file; nothing agreed without one."""
    from freeform.core.yamlfile import read_record
    from freeform.engine.campaign.begin import Answers

    return read_record(file, Answers) if file is not None else Answers()


def _answers(desk: Desk, scenario: "Scenario", file: Path | None) -> "Answers":
    """Session zero: from the file, asked at a terminal, or as the scenario has it."""
    if file is not None or desk.json or not desk.is_terminal:
        return read_answers(file)
    from freeform.apps.cli.play.voice import Voice
    from freeform.apps.cli.play.zero import ask_session_zero

    return ask_session_zero(scenario, Voice(desk))
