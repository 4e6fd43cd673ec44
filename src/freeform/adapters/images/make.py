"""Which door, by its name."""

from pathlib import Path
from typing import Literal

from freeform.adapters.images.automatic1111 import Automatic1111
from freeform.adapters.images.comfyui import ComfyUi
from freeform.adapters.images.openai_images import OpenAiImages
from freeform.core.address import is_web_address
from freeform.core.errors import BadSettings
from freeform.core.images import ImageDoor
from freeform.core.record import Record

Kind = Literal["openai", "automatic1111", "comfyui"]


class DoorPlan(Record):
    """All that a door needs."""

    kind: Kind
    url: str = ""
    model: str = ""
    key: str = ""
    seconds: float = 300.0
    workflow: Path | None = None


def make_door(plan: DoorPlan) -> ImageDoor:
    """The door that was asked for; nothing is sent yet. BadSettings where its address is none."""
    if plan.url and not is_web_address(plan.url):
        raise BadSettings("`image_url` is no address; write it as http://127.0.0.1:7860")
    match plan.kind:
        case "openai":
            return OpenAiImages(plan.url, plan.model, plan.key, plan.seconds)
        case "automatic1111":
            return Automatic1111(plan.url, plan.model, plan.key, plan.seconds)
        case "comfyui":
            return ComfyUi(plan.url, plan.model, plan.seconds, plan.workflow)
