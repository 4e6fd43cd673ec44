"""Which program draws, as a person chooses it, kept for the next start."""

from typing import Literal

from pydantic import SecretStr

from freeform.core.address import is_web_address
from freeform.core.errors import BadSettings
from freeform.core.record import Record
from freeform.settings import Settings
from freeform.settings.kept import IMAGE_KEY, NONE, keep


class DoorChoice(Record):
    """A program that draws: its kind ('' for none), where it is, and its key."""

    door: Literal["", "openai", "automatic1111", "comfyui"] = ""
    url: str = ""
    model: str = ""
    key: str = ""
    style: str = ""


def keep_door(settings: Settings, choice: DoorChoice) -> Settings:
    """The settings with that choice, kept. A key that was for another address is not for this."""
    url = choice.url.strip().rstrip("/")
    if url and not is_web_address(url):
        raise BadSettings("give the whole address, such as http://127.0.0.1:7860")
    same = (settings.image_door, settings.image_url) == (choice.door, url)
    key = choice.key or (settings.image_key.get_secret_value() if same else "")
    values = {
        "image_door": choice.door,
        "image_url": url,
        "image_model": choice.model.strip(),
        "image_style": choice.style.strip() or settings.image_style,
    }
    keep(settings.home, {**values, IMAGE_KEY: key or (NONE if url else "")})
    return settings.model_copy(update={**values, IMAGE_KEY: SecretStr(key)})
