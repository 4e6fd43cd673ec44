"""The verbs of `prompts`: list, show, pin, diff."""

from typing import Annotated

import typer

from freeform.apps.cli.campaign.turns import Campaign
from freeform.apps.cli.desk import at

PromptId = Annotated[str, typer.Argument(help="A prompt's id, e.g. engine/narrator.", metavar="ID")]

prompts = typer.Typer(
    help="The words we send to models: every version, and which one a campaign uses.",
    no_args_is_help=True,
)


def add_to(app: typer.Typer) -> None:
    """Adds the group."""
    app.add_typer(prompts, name="prompts")


@prompts.command("list", epilog="Example: freeform-rpg prompts list --json")
def list_(ctx: typer.Context) -> None:
    """Lists every prompt with its versions."""
    from freeform.services.prompts import list_prompts

    desk = at(ctx)
    rows = list_prompts(desk.settings.home)
    lines = [f"{row.id}  versions {', '.join(map(str, row.versions))}" for row in rows]
    desk.answer({"prompts": rows}, lines)


@prompts.command(epilog="Example: freeform-rpg prompts show engine/narrator --version 0")
def show(
    ctx: typer.Context,
    id: PromptId,
    version: Annotated[int | None, typer.Option(help="Which version; else the newest.")] = None,
) -> None:
    """Shows a prompt's words."""
    from freeform.services.prompts import show_prompt

    desk = at(ctx)
    prompt = show_prompt(desk.settings.home, id, version)
    desk.answer(prompt, [prompt.label, "", prompt.system, "", "---", "", prompt.words])


@prompts.command(epilog="Example: freeform-rpg prompts pin a engine/narrator 0")
def pin(
    ctx: typer.Context,
    campaign: Campaign,
    id: PromptId,
    version: Annotated[int, typer.Argument(help="The version to keep using.")],
) -> None:
    """Makes a campaign use one version of a prompt from now on."""
    from freeform.services.prompts import pin_prompt, show_prompt

    desk = at(ctx)
    prompt = show_prompt(desk.settings.home, id, version)
    pins = desk.run(lambda house: pin_prompt(house, campaign, id, version), model=False)
    document = {"campaign": campaign, "pins": pins}
    desk.answer(document, [f"{campaign} uses {prompt.label} from now on."])


@prompts.command(epilog="Example: freeform-rpg prompts diff engine/narrator 0 1")
def diff(
    ctx: typer.Context,
    id: PromptId,
    v1: Annotated[int, typer.Argument(help="The older version.", metavar="V1")],
    v2: Annotated[int, typer.Argument(help="The newer version.", metavar="V2")],
) -> None:
    """Shows what changed between two versions of a prompt."""
    from freeform.services.prompts import diff_prompts

    found = diff_prompts(at(ctx).settings.home, id, v1, v2)
    at(ctx).answer(found, found.diff or ["They are the same."])
