"""The notes of scenes, kept as long as the program runs."""

from freeform.engine.shelf.scene_lore import SceneLoreCache


class MemoryLoreNotes:
    """The `LoreNotes` of one program run."""

    def __init__(self) -> None:
        self._notes: dict[tuple[str, str], SceneLoreCache] = {}

    async def get(self, campaign: str, scene_id: str) -> SceneLoreCache | None:
        """The notes of that scene, if they were made."""
        return self._notes.get((campaign, scene_id))

    async def put(self, campaign: str, notes: SceneLoreCache) -> None:
        """Keeps them, in place of older ones."""
        self._notes[campaign, notes.scene_id] = notes

    async def drop(self, campaign: str, scene_id: str) -> None:
        """Forgets them."""
        self._notes.pop((campaign, scene_id), None)
