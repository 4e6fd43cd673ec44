"""Verbs for taking everything out and bringing it back: `export`, `import` and `move`."""

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from freeform.apps.cli.assistant.characters import lines_about
from freeform.apps.cli.campaign.turns import Campaign
from freeform.apps.cli.desk import Desk, at
from freeform.apps.cli.pack.packs import note_problems, note_words_alone, shelving_line

if TYPE_CHECKING:
    from freeform.services.arrivals.bring import BroughtIn
    from freeform.services.house import House

_PACKS = ("pack", "vault", "lorebook")
_NOT_KINDS = ("entries", "chunks")
_MOST_NOTES = 5
_MOST_KINDS = 6


class OutAs(StrEnum):
    """How a campaign leaves."""

    zip = "zip"
    obsidian = "obsidian"
    jsonl = "jsonl"
    html = "html"
    epub = "epub"
    share = "share"


def add_to(app: typer.Typer) -> None:
    """Adds the verbs."""
    app.command("export", epilog="Example: freeform-rpg export a a.zip")(export)
    app.command("import", epilog="Example: freeform-rpg import a.zip --campaign a-again")(import_)
    app.command("move", epilog="Example: freeform-rpg move --to postgresql://me@db.local/tables")(
        move
    )


def export(
    ctx: typer.Context,
    campaign: Campaign,
    path: Annotated[Path, typer.Argument(help="The file to write; for obsidian, the folder.")],
    format: Annotated[
        OutAs,
        typer.Option(
            help="Everything in one file, notes, the log, the story as a page, a book, or to share."
        ),
    ] = OutAs.zip,
) -> None:
    """Writes a campaign out: all of it, your knowledge as a vault, its log, or its story."""
    from freeform.services.archives import Format, export_campaign

    desk = at(ctx)
    chosen = Format(format.value)
    done = desk.run(lambda house: export_campaign(house, campaign, path, chosen), model=False)
    for line in done.warnings:
        desk.note(f"warning: {line}")
    counts = ", ".join(f"{number} {name}" for name, number in done.counts.items())
    desk.answer(done, [f"Wrote {path}: {counts}."])


def import_(
    ctx: typer.Context,
    path: Annotated[
        Path,
        typer.Argument(
            help="A campaign's archive or log, a pack or a folder of notes (also zipped), a "
            "lorebook, a character sheet or card, the SRD (JSON, HTML or Markdown), or a "
            "SillyTavern chat."
        ),
    ],
    campaign: Annotated[str | None, typer.Option(help="Bring an archive in under this id.")] = None,
    id: Annotated[str, typer.Option(help="Keep a sheet, a rulebook or a chat under this id.")] = "",
) -> None:
    """Brings in whatever it is: campaigns, packs, notes, sheets, cards, rulebooks, chats."""
    from freeform.services.archives import import_file
    from freeform.services.arrivals.bring import Arrival
    from freeform.services.packs import has_meaning

    desk = at(ctx)

    async def work(house: "House") -> "tuple[BroughtIn, bool]":
        with desk.progress(f"Bringing in {path.name}") as bar:
            arrival = Arrival(path, str(path), campaign=campaign or "", id=id, progress=bar)
            return await import_file(house, arrival), has_meaning(house)

    done, by_meaning = desk.run(work, model=False)
    _note(desk, done)
    if done.pack and done.kind in _PACKS:
        note_words_alone(desk, done.pack, by_meaning)
    desk.answer(_document(done), lambda: _lines(done))


def _note(desk: Desk, done: "BroughtIn") -> None:
    """What was noticed by the way."""
    if done.book:
        for note in done.warnings[:_MOST_NOTES]:
            desk.note(note)
    if done.pack:
        note_problems(desk, done.pack)
    if done.scenario:
        for note in done.warnings[:_MOST_NOTES]:
            desk.note(note)


def _document(done: "BroughtIn") -> dict[str, Any]:
    """The kind, the counts, and all that is known of what was brought in."""
    document: dict[str, Any] = {}
    if done.pack:
        document |= done.pack.model_dump(mode="json")
    if done.kind == "character" and done.sheet:
        document |= done.sheet.model_dump(mode="json", exclude={"sheet"})
        document["format"] = done.sheet.kind
    if done.kind == "card" and done.sheet:
        document["character"] = done.sheet.id
    if done.book:
        document |= done.book.model_dump(mode="json")
    if done.path:
        document["path"] = done.path
    if done.scenario:
        document |= {"scenario": done.scenario, "not_taken": done.warnings}
    name = "campaign" if done.kind == "campaign" else "id"
    return {**document, name: done.id, "kind": done.kind, "counts": done.counts}


def _lines(done: "BroughtIn") -> list[str]:
    """What was brought in, as a person reads it."""
    match done.kind:
        case "campaign":
            told = f"Brought in {done.id}: turn {done.counts['turns']}."
            return [f"{told} Play on: freeform-rpg play --campaign {done.id}"]
        case "chat":
            return [
                f"Brought in a chat of {done.counts['messages']} messages as notes '{done.id}'.",
                f'Ask it: freeform-rpg ask "What happened last session?" --notes {done.id}',
            ]
        case "notes":
            told = f"{done.counts['notes']} notes of {done.counts['sessions']} sessions"
            return [
                f"Brought in {told} as '{done.id}'.",
                f'Ask them: freeform-rpg ask "What happened last session?" --notes {done.id}',
            ]
        case "character":
            assert done.sheet is not None, "a character has a sheet"
            return lines_about(done.sheet, False)
        case "card":
            return _card_lines(done)
        case "rulebook":
            return _rulebook_lines(done)
        case "scenario":
            counted = ", ".join(f"{number} {kind}" for kind, number in done.counts.items())
            return [f"Brought in the scenario '{done.id}': {counted}.", _play_it(done)]
        case _:
            assert done.pack is not None, "all else is a pack"
            return [shelving_line(done.pack, f"Brought in a {done.kind}")]


def _card_lines(done: "BroughtIn") -> list[str]:
    assert done.pack is not None and done.sheet is not None, "a card is a pack and a sheet"
    pack = f"pack {done.id} ({done.pack.entries} entries)"
    told = f"Brought in the card of {done.sheet.name}: {pack}, and character {done.sheet.id}."
    return [told, _play_it(done)]


def _play_it(done: "BroughtIn") -> str:
    return f"Play it: freeform-rpg new-game --scenario {done.scenario}"


def _rulebook_lines(done: "BroughtIn") -> list[str]:
    assert done.pack is not None and done.book is not None, "a rulebook is a pack of a book"
    pack, book = done.pack, done.book
    counted = [(name, number) for name, number in done.counts.items() if name not in _NOT_KINDS]
    counted.sort(key=lambda row: -row[1])
    kinds = ", ".join(
        f"{number} {name.replace('_', ' ')}" for name, number in counted[:_MOST_KINDS]
    )
    verb = "Already there" if pack.already else "Brought in"
    return [
        f"{verb}: {pack.id} {pack.version}, rules of edition {book.edition} from {book.source} "
        f"({pack.seconds:.1f} s).",
        f"  {pack.entries} entries: {kinds} …",
        f"  Licence {book.license}; the attribution stands in the pack "
        f"(freeform-rpg pack info {pack.id}).",
    ]


def move(
    ctx: typer.Context,
    to: Annotated[
        str,
        typer.Option(help="A Postgres, postgresql://…, or `home` for files in the home."),
    ],
) -> None:
    """Carries all campaigns, checked entry by entry, and accounts to another store; those here
    stay."""
    import asyncio

    from freeform.services.stories.moving import move_campaigns

    desk = at(ctx)
    with desk.progress("Campaigns") as progress:
        moved = asyncio.run(move_campaigns(desk.settings, to, progress))
    there = sum(each.was_there for each in moved.campaigns)
    carried = len(moved.campaigns) - there
    already = f"; {there} were there already" if there else ""
    people = [f"{moved.accounts} accounts came along."] if moved.accounts else []
    for names, told in (
        (moved.differing, "are not as they are here, and stay so: passwords, devices, seats"),
        (moved.only_there, "are there alone: made there, or forgotten here since"),
    ):
        if names:
            desk.note(f"warning: {len(names)} accounts there {told} ({', '.join(names)})")
    use = "clear `store_url`" if to == "home" else "set `store_url` to it"
    desk.answer(
        moved,
        [
            f"Carried {carried} campaigns, {moved.entries} entries checked one by one{already}.",
            *people,
            f"Those here stay as they are. To play there from now on, {use}.",
        ],
    )
