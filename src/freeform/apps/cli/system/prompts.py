"""The verbs of `prompts`: list, show, pin, diff."""

from typing import TYPE_CHECKING, Annotated

import typer

from freeform.apps.cli.campaign.turns import Campaign
from freeform.apps.cli.desk import at

if TYPE_CHECKING:
    from freeform.engine.table import Table

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
    from freeform.core.llm.prompts import bundled

    registry = bundled()
    rows = [
        {"id": id, "versions": registry.versions(id), "newest": registry.get(id).label}
        for id in registry.ids()
    ]
    lines = (f"{row['id']}  versions {', '.join(map(str, row['versions']))}" for row in rows)
    at(ctx).answer({"prompts": rows}, lines)


@prompts.command(epilog="Example: freeform-rpg prompts show engine/narrator --version 0")
def show(
    ctx: typer.Context,
    id: PromptId,
    version: Annotated[int | None, typer.Option(help="Which version; else the newest.")] = None,
) -> None:
    """Shows a prompt's words."""
    from freeform.core.llm.prompts import bundled

    prompt = bundled().get(id, version)
    at(ctx).answer(prompt, [prompt.label, "", prompt.system, "", "---", "", prompt.words])


@prompts.command(epilog="Example: freeform-rpg prompts pin a engine/narrator 0")
def pin(
    ctx: typer.Context,
    campaign: Campaign,
    id: PromptId,
    version: Annotated[int, typer.Argument(help="The version to keep using.")],
) -> None:
    """Makes a campaign use one version of a prompt from now on."""
    from freeform.core.llm.prompts import bundled
    from freeform.engine.campaign.prompt_pins import pin as keep

    prompt = bundled().get(id, version)

    async def work(table: "Table") -> dict[str, int]:
        return await keep(campaign, id, version, table)

    pins = at(ctx).run(work)
    document = {"campaign": campaign, "pins": pins}
    at(ctx).answer(document, [f"{campaign} uses {prompt.label} from now on."])


@prompts.command(epilog="Example: freeform-rpg prompts diff engine/narrator 0 1")
def diff(
    ctx: typer.Context,
    id: PromptId,
    v1: Annotated[int, typer.Argument(help="The older version.", metavar="V1")],
    v2: Annotated[int, typer.Argument(help="The newer version.", metavar="V2")],
) -> None:
    """Shows what changed between two versions of a prompt."""
    from difflib import unified_diff

    from freeform.core.llm.prompts import bundled

    old, new = bundled().get(id, v1), bundled().get(id, v2)
    before, after = (f"{prompt.system}\n---\n{prompt.words}".splitlines() for prompt in (old, new))
    lines = list(unified_diff(before, after, old.label, new.label, lineterm=""))
    document = {"id": id, "v1": v1, "v2": v2, "same": old.digest == new.digest, "diff": lines}
    at(ctx).answer(document, lines or ["They are the same."])
