"""Pictures in a campaign's archive: out with it, and in again, made anew like all that comes from
outside."""

import zipfile
from pathlib import Path

from pydantic import ValidationError

from freeform.core.errors import BadFile, Unavailable
from freeform.engine.campaign.archive import PICTURES
from freeform.services.arrivals.unzip import BROKEN
from freeform.services.pictures.kept import (
    KeptPicture,
    is_picture_id,
    keep_picture,
    list_kept,
    read_picture,
)
from freeform.wiring.pictures import whole_picture

MOST, MOST_BYTES = 2000, 20_000_000


def add_pictures(home: Path, campaign: str, archive: Path) -> None:
    """Puts the pictures of a campaign into its archive."""
    rows = list_kept(home, campaign)
    if not rows:
        return
    with zipfile.ZipFile(archive, "a", zipfile.ZIP_STORED) as zip:
        for row in rows:
            zip.writestr(f"{PICTURES}{row.id}.jpg", read_picture(home, campaign, row.id))
            zip.writestr(f"{PICTURES}{row.id}.json", row.model_dump_json())


def take_pictures(home: Path, campaign: str, archive: Path) -> list[str]:
    """Keeps the pictures of an archive that was brought in; a sentence for each that is not one."""
    left: list[str] = []
    with zipfile.ZipFile(archive) as zip:
        infos = {info.filename: info for info in zip.infolist()}
        names = sorted(name for name in infos if name.startswith(PICTURES))
        rows = [name for name in names if name.endswith(".json")]
        for name in rows[:MOST]:
            try:
                _take(home, campaign, zip, name.removesuffix(".json"))
            except (BadFile, Unavailable, KeyError, OSError, *BROKEN) as wrong:
                left.append(f"{name} was left out: {wrong}")
    return left


def _take(home: Path, campaign: str, zip: zipfile.ZipFile, stem: str) -> None:
    for end in (".json", ".jpg"):
        if zip.getinfo(stem + end).file_size > MOST_BYTES:
            raise BadFile(stem + end, f"is larger than {MOST_BYTES // 1_000_000} MB")
    try:
        row = KeptPicture.model_validate_json(zip.read(f"{stem}.json"))
    except ValidationError:
        raise BadFile(f"{stem}.json", "does not read") from None
    if not is_picture_id(row.id):
        raise BadFile(f"{stem}.json", "has no id of ours")
    made = whole_picture(zip.read(f"{stem}.jpg"), f"{stem}.jpg")
    keep_picture(home, campaign, row, made.content)
