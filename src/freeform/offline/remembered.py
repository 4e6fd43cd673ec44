"""What suggestions mean, heard once while the scene stays as it is: most of them are tried turn
after turn."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock

from freeform.engine.passes import InterpreterInput
from freeform.engine.world.model import InterpreterOutput
from freeform.language.words import word_class, words

Hear = Callable[[InterpreterInput], InterpreterOutput]
MOST = 2048
"""Suggestions that are remembered, over all tables."""


class RememberingEar:
    """Hears, and remembers what it heard while nothing that hearing goes by has changed."""

    def __init__(self, hear: Hear) -> None:
        self._hear = hear
        self._known: OrderedDict[Hashable, InterpreterOutput] = OrderedDict()
        self._lock = Lock()

    def __call__(self, input: InterpreterInput, /) -> InterpreterOutput:
        """What the words would mean."""
        if points_back(input.player_input) or input.readings:
            return self._hear(input)
        scene = scene_of(input)
        with self._lock:
            heard = self._known.get(scene)
        if heard is None:
            heard = self._hear(input)
            with self._lock:
                self._known[scene] = heard
                if len(self._known) > MOST:
                    self._known.popitem(last=False)
        return heard


def points_back(text: str) -> bool:
    """Whether words mean what was spoken of lately: `ask him about it`."""
    return not word_class("pointing_back").isdisjoint(words(text))


def scene_of(input: InterpreterInput) -> Hashable:
    """All that hearing plain words goes by: them, whom and what they can name, what is offered."""
    packet = input.context_packet
    named = tuple((str(row["id"]), str(row["name"])) for row in packet.entities)
    held = tuple((str(row["owner_id"]), str(row["item_id"])) for row in packet.inventory)
    ways = tuple(str(way["to"]) for way in packet.scene.get("exits", ()))
    offered = tuple(offer.id for offer in input.offers)
    here = str(packet.scene.get("location_id", ""))
    return input.player_input, here, tuple(packet.present_entities), named, held, ways, offered
