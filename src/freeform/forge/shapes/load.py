"""The shapes on the shelf."""

from functools import cache
from importlib.resources import as_file, files
from pathlib import Path

from freeform.forge.data import plain_yaml
from freeform.forge.shapes.model import StoryShape


@cache
def story_shapes() -> dict[str, StoryShape]:
    """Every shape by its id."""
    with as_file(files("freeform.forge.shapes") / "data") as folder:
        read = [
            StoryShape.model_validate(plain_yaml(file))
            for file in sorted(Path(folder).glob("*.yaml"))
        ]
    return {shape.id: shape for shape in read}
