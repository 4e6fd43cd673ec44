"""Which door, by its name."""

from pathlib import Path
from typing import Literal

from freeform.adapters.images.automatic1111 import Automatic1111
from freeform.adapters.images.comfyui import ComfyUi
from freeform.adapters.images.openai_images import OpenAiImages
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
    """The door that was asked for; nothing is sent yet."""
    match plan.kind:
        case "openai":
            return OpenAiImages(plan.url, plan.model, plan.key, plan.seconds)
        case "automatic1111":
            return Automatic1111(plan.url, plan.model, plan.key, plan.seconds)
        case "comfyui":
            return ComfyUi(plan.url, plan.model, plan.seconds, plan.workflow)
