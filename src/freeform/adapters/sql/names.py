"""Names that a campaign may have, wherever it is kept."""

import re

from freeform.core.errors import UserError
from freeform.core.text import shorten, slug, visible

SAFE = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._-]{0,62}[A-Za-z0-9_-])?")
_DEVICES = re.compile(r"(?i:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?")
"""Names that mean a device on Windows, whatever folder they are in."""


def check_id(campaign: str) -> str:
    """The id itself, when it can name a folder on every system."""
    if is_id(campaign):
        return campaign
    shown = shorten(visible(campaign), 40)
    if SAFE.fullmatch(campaign):
        word = campaign.partition(".")[0]
        raise UserError(
            f"'{shown}' cannot name a campaign: '{word}' is a reserved word, a device on Windows;"
            f" '{word}_1' would do"
        )
    better = slug(visible(campaign))[:40]
    usable = better if is_id(better) else "my_campaign"
    raise UserError(
        f"'{shown}' cannot name a campaign: use 1 to 64 letters, digits, '-', '_' or '.', such as '{usable}'"
    )


def is_id(name: str) -> bool:
    return bool(SAFE.fullmatch(name)) and not _DEVICES.fullmatch(name)
