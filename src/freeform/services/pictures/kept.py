"""Pictures of a campaign as files beside its log: `campaigns/<id>/pictures/<picture>.jpg`, `.json`.

A picture is no fact, so it is no entry of the log: it belongs to a turn by the turn's id. Where
that turn is on the path that is played, it is shown; undo takes it away with the turn, redo brings
it back, another branch or take has its own.
"""

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Literal

from pydantic import ValidationError

from freeform.core.errors import NotFound
from freeform.core.record import Record
from freeform.packs.lock import write_atomically
from freeform.services.views.records import PictureView, TurnView

FOLDER = "pictures"
_SAFE = re.compile(r"[a-z0-9_]{1,60}")
PictureKind = Literal["scene", "person", "place", "thing", "handout"]


class KeptPicture(Record):
    """What is known of a picture."""

    id: str
    kind: PictureKind
    of: str = ""
    """Whom or what it shows, by id; '' for a scene."""
    name: str
    """What it shows, as the character calls it."""
    turn_id: str = ""
    """The turn it belongs to; '' for the opening."""
    turn_no: int = 0
    hero: str = ""
    """Whose eyes saw it, where heroes are in different places; '' where all saw the same."""
    only: list[str] | None = None
    """Who may see it, where one who sees all had it drawn while heroes are apart; None: all."""
    prompt: str = ""
    """What was sent, word for word."""
    door: str = ""
    at: str = ""
    width: int = 0
    height: int = 0


def list_kept(home: Path, campaign: str) -> list[KeptPicture]:
    """All pictures of a campaign, oldest first; one that does not read is as if it were not."""
    found: list[KeptPicture] = []
    for file in sorted(_folder(home, campaign).glob("*.json")):
        try:
            row = KeptPicture.model_validate_json(file.read_bytes())
        except (OSError, ValidationError):
            continue
        if row.id == file.stem and file.with_suffix(".jpg").is_file():
            found.append(row)
    return sorted(found, key=lambda row: (row.at, row.id))


def keep_picture(home: Path, campaign: str, row: KeptPicture, content: bytes) -> None:
    """Keeps a picture: first its points, then what is known of it."""
    folder = _folder(home, campaign)
    folder.mkdir(parents=True, exist_ok=True)
    write_atomically(folder / f"{row.id}.jpg", content)
    write_atomically(folder / f"{row.id}.json", row.model_dump_json(indent=1).encode())


def read_picture(home: Path, campaign: str, id: str) -> bytes:
    """The points of one; NotFound where there is none."""
    try:
        return _file(home, campaign, id).read_bytes()
    except OSError:
        raise missing() from None


def drop_picture(home: Path, campaign: str, id: str) -> None:
    """Takes one away, for good."""
    file = _file(home, campaign, id)
    if not file.is_file():
        raise missing()
    file.with_suffix(".json").unlink(missing_ok=True)
    file.unlink(missing_ok=True)


def copy_pictures(home: Path, campaign: str, to: str) -> None:
    """All of them for a campaign that is the same once more."""
    for row in list_kept(home, campaign):
        keep_picture(home, to, row, read_picture(home, campaign, row.id))


def illustrated(
    turns: Sequence[TurnView], kept: Iterable[KeptPicture], campaign: str
) -> list[TurnView]:
    """The turns with their pictures."""
    of_turn: dict[str, list[PictureView]] = {}
    for row in kept:
        of_turn.setdefault(row.turn_id, []).append(shown_picture(row, campaign))
    return [
        turn.model_copy(update={"pictures": of_turn[turn.turn_id]})
        if turn.turn_id in of_turn
        else turn
        for turn in turns
    ]


def shown_picture(row: KeptPicture, campaign: str) -> PictureView:
    """A picture as a page shows it."""
    return PictureView(
        id=row.id,
        kind=row.kind,
        of=row.of,
        name=row.name,
        url=f"/api/campaigns/{campaign}/pictures/{row.id}",
        width=row.width,
        height=row.height,
    )


def missing() -> NotFound:
    """There is no such picture, or not for whoever asks: the same words for both."""
    return NotFound("there is no such picture at this table")


def is_picture_id(id: str) -> bool:
    """Whether it is a name that a file of ours may have."""
    return bool(_SAFE.fullmatch(id))


def _folder(home: Path, campaign: str) -> Path:
    return home / "campaigns" / campaign / FOLDER


def _file(home: Path, campaign: str, id: str) -> Path:
    if not is_picture_id(id):
        raise missing()
    return _folder(home, campaign) / f"{id}.jpg"
