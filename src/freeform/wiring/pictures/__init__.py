"""What draws, as the settings describe it, and what makes a picture safe to show."""

from freeform.adapters.images.make import DoorPlan, make_door
from freeform.adapters.pictures.reduced import MadePicture, check_pillow, whole_picture
from freeform.core.address import is_this_machine
from freeform.core.errors import UserError
from freeform.core.images import ImageDoor
from freeform.settings import Settings
from freeform.settings.kept import NONE

__all__ = ["MadePicture", "check_pillow", "door_stays_here", "image_door", "whole_picture"]


def image_door(settings: Settings) -> ImageDoor:
    """The door that the settings describe; UserError where it is shut."""
    if not settings.image_door:
        raise UserError(
            "no program that draws is set; choose one under Settings in the browser, or set "
            "`image_door` to openai, automatic1111 or comfyui"
        )
    return make_door(
        DoorPlan(
            kind=settings.image_door,
            url=settings.image_url,
            model=settings.image_model,
            key=_key(settings),
            seconds=settings.image_seconds,
            workflow=settings.image_workflow,
        )
    )


def door_stays_here(settings: Settings) -> bool:
    """Whether what is asked for stays on this machine: the usual addresses of two are here."""
    if not settings.image_url:
        return settings.image_door != "openai"
    return is_this_machine(settings.image_url)


def _key(settings: Settings) -> str:
    """The key that is for that address: the one for OpenAI's text models goes to OpenAI alone."""
    key = settings.image_key.get_secret_value()
    if not key and settings.image_door == "openai" and not settings.image_url:
        key = "" if settings.base_url else settings.openai_api_key.get_secret_value()
    return "" if key == NONE else key
