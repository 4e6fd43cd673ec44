"""Verbs of pictures on request: `picture make`, `words`, `list`, `save`, `remove`."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from freeform.apps.cli.campaign.turns import Campaign
from freeform.apps.cli.desk import at

if TYPE_CHECKING:
    from freeform.services.house import House
    from freeform.services.pictures.kept import KeptPicture
    from freeform.services.pictures.words import PictureText

picture = typer.Typer(
    help="Pictures of scenes, people and places, drawn by a program of yours (`image_door`).",
    no_args_is_help=True,
)
Of = Annotated[str, typer.Option(help="Whom or what to show; else the scene.", metavar="NAME")]
After = Annotated[int | None, typer.Option("--turn", help="As it was after that turn.", min=0)]
Picture = Annotated[str, typer.Argument(help="The picture's id.", metavar="PICTURE")]


def add_to(app: typer.Typer) -> None:
    """Adds the group."""
    app.add_typer(picture, name="picture")


@picture.command(epilog="Example: freeform-rpg picture make a --of Viktor")
def make(ctx: typer.Context, campaign: Campaign, of: Of = "scene", turn: After = None) -> None:
    """Has a picture drawn and keeps it with its turn; Ctrl+C stops it."""
    from freeform.services.pictures.making import PictureWish, make_picture
    from freeform.services.table.sight import house_of

    async def work(house: "House") -> "KeptPicture":
        wish = PictureWish(of=of, turn_no=turn)
        return await make_picture(await house_of(house, campaign), campaign, wish)

    desk = at(ctx)
    row = desk.run(work, model=False)
    desk.answer(row, [f"{row.id}: {row.name}, turn {row.turn_no}, drawn by {row.door}"])


@picture.command(epilog="Example: freeform-rpg picture words a")
def words(ctx: typer.Context, campaign: Campaign, of: Of = "scene", turn: After = None) -> None:
    """Shows what would be sent for a picture; nothing is sent."""
    from freeform.services.pictures.making import PictureWish, words_for
    from freeform.services.table.sight import house_of

    async def work(house: "House") -> "PictureText":
        wish = PictureWish(of=of, turn_no=turn)
        return await words_for(await house_of(house, campaign), campaign, wish)

    desk = at(ctx)
    told = desk.run(work, model=False)
    desk.answer(told._asdict(), [told.prompt, f"Left out: {', '.join(told.leave_out)}"])


@picture.command("list", epilog="Example: freeform-rpg picture list a")
def list_(ctx: typer.Context, campaign: Campaign) -> None:
    """Lists the pictures of a campaign."""
    from freeform.services.pictures.seen import seen_pictures

    desk = at(ctx)
    rows = desk.run(lambda house: seen_pictures(house, campaign), model=False)
    lines = [f"{row.id}: {row.name}, turn {row.turn_no}" for row in rows]
    shown = [row.model_dump(mode="json") for row in rows]
    desk.answer({"pictures": shown}, lines or ["There are no pictures yet."])


@picture.command(epilog="Example: freeform-rpg picture save a picture_1f viktor.jpg")
def save(
    ctx: typer.Context,
    campaign: Campaign,
    id: Picture,
    file: Annotated[Path, typer.Argument(help="Where to.", metavar="FILE")],
) -> None:
    """Writes a picture to a file."""
    from freeform.services.files import write_new
    from freeform.services.pictures.seen import read_picture

    desk = at(ctx)
    content = desk.run(lambda house: read_picture(house, campaign, id), model=False)
    write_new(file, content)
    desk.answer({"path": str(file)}, [f"{file} has {len(content):,} bytes."])


@picture.command(epilog="Example: freeform-rpg picture remove a picture_1f")
def remove(ctx: typer.Context, campaign: Campaign, id: Picture) -> None:
    """Takes a picture away, for good."""
    from freeform.services.pictures.seen import remove_picture

    desk = at(ctx)
    desk.run(lambda house: remove_picture(house, campaign, id), model=False)
    desk.answer({"removed": id}, [f"{id} is gone."])
