"""Verbs of stories one owns, `campaign …`; and `map`, the world as the character could draw it."""

from typing import TYPE_CHECKING, Annotated

import typer

from freeform.apps.cli.campaign.turns import Campaign
from freeform.apps.cli.desk import Desk, at

if TYPE_CHECKING:
    from freeform.services.stories.cards import StoryRow
    from freeform.services.views.map import MapShown

campaign = typer.Typer(
    help="Your campaigns: name them, copy them, put them away, delete them and take them back.",
    no_args_is_help=True,
)
_WAYS = {"open": "", "shut": " (shut)", "guarded": " (guarded)", "unsure": " (was it open?)"}


def add_to(app: typer.Typer) -> None:
    """Adds the group and the verb."""
    app.add_typer(campaign, name="campaign")
    app.command("map", epilog="Example: freeform-rpg map a")(map_)


@campaign.command(epilog='Example: freeform-rpg campaign rename a "Winter, on the sands"')
def rename(
    ctx: typer.Context,
    campaign: Campaign,
    name: Annotated[str, typer.Argument(help="The new name; '' gives back the first one.")],
) -> None:
    """Gives a campaign another name; its id stays."""
    from freeform.services.stories.owned import rename_story

    desk = at(ctx)
    row = desk.run(lambda house: rename_story(house, campaign, name), model=False)
    _tell(desk, row, f"{row.id} is called {row.name} now.")


@campaign.command(epilog="Example: freeform-rpg campaign copy a")
def copy(
    ctx: typer.Context,
    campaign: Campaign,
    name: Annotated[str, typer.Option(help="What the copy is called.")] = "",
) -> None:
    """Copies a campaign whole: branches, takes and tapes."""
    from freeform.services.stories.owned import copy_story

    desk = at(ctx)
    row = desk.run(lambda house: copy_story(house, campaign, name), model=False)
    _tell(desk, row, f"{row.name} ({row.id}): play it with freeform-rpg play --campaign {row.id}")


@campaign.command(epilog="Example: freeform-rpg campaign archive a")
def archive(
    ctx: typer.Context,
    campaign: Campaign,
    back: Annotated[bool, typer.Option("--back", help="Out of the archive again.")] = False,
) -> None:
    """Puts a campaign away, behind those one plays."""
    from freeform.services.stories.owned import archive_story

    desk = at(ctx)
    row = desk.run(lambda house: archive_story(house, campaign, not back), model=False)
    _tell(desk, row, f"{row.name} is {'put away' if row.archived else 'back on the shelf'}.")


@campaign.command(epilog="Example: freeform-rpg campaign delete a")
def delete(
    ctx: typer.Context,
    campaign: Campaign,
    for_good: Annotated[
        bool, typer.Option("--for-good", help="Removes one that is in the bin; nothing is left.")
    ] = False,
) -> None:
    """Puts a campaign in the bin; `campaign restore` takes it back."""
    from freeform.services.stories.owned import delete_story, remove_story

    desk = at(ctx)
    work = remove_story if for_good else delete_story
    row = desk.run(lambda house: work(house, campaign), model=False)
    back = f"is in the bin; `freeform-rpg campaign restore {row.id}` takes it back."
    _tell(desk, row, f"{row.name} {'is gone.' if for_good else back}")


@campaign.command(epilog="Example: freeform-rpg campaign restore a")
def restore(ctx: typer.Context, campaign: Campaign) -> None:
    """Takes a campaign out of the bin."""
    from freeform.services.stories.owned import restore_story

    desk = at(ctx)
    row = desk.run(lambda house: restore_story(house, campaign), model=False)
    _tell(desk, row, f"{row.name} is back.")


@campaign.command("bin", epilog="Example: freeform-rpg campaign bin")
def bin_(ctx: typer.Context) -> None:
    """Lists what is in the bin."""
    from freeform.services.campaigns import list_deleted

    desk = at(ctx)
    rows = desk.run(list_deleted, model=False)
    lines = [f"{row.id}  {row.name}, turn {row.current_turn} ({row.deleted_at})" for row in rows]
    desk.answer({"campaigns": rows}, lines or ["The bin is empty."])


def map_(ctx: typer.Context, campaign: Campaign) -> None:
    """What the character knows of the world's shape: places, ways, who was last seen where."""
    from freeform.services.campaigns import map_view

    desk = at(ctx)
    shown = desk.run(lambda house: map_view(house, campaign), model=False)
    desk.answer(shown.model_dump(mode="json", by_alias=True), _map_lines(shown))


def _map_lines(shown: "MapShown") -> list[str]:
    names = {place.id: place.name for place in shown.places}
    lines: list[str] = []
    for place in shown.places:
        mark = " (you are here)" if place.here else "" if place.visited else " (not been there)"
        lines.append(f"{place.name}{mark}")
        for way in shown.ways:
            if way.start == place.id:
                lines.append(f"  to {names.get(way.to, way.name)}{_WAYS[way.state]}")
        people = [person.name for person in shown.people if person.at == place.id]
        if people:
            lines.append(f"  {'here' if place.here else 'last seen'}: {', '.join(people)}")
    return lines


def _tell(desk: Desk, row: "StoryRow", line: str) -> None:
    desk.answer(row, [line])
