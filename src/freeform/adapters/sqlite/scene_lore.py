"""The notes of scenes, in the campaign's own file."""

from pydantic import ValidationError

from freeform.adapters.sqlite.shelf import Shelf
from freeform.engine.scene_lore import SceneLoreCache


class SqliteLoreNotes:
    """The `LoreNotes` of one home. Notes that no longer read count as not made: they are only a copy of the books."""

    def __init__(self, shelf: Shelf) -> None:
        self._shelf = shelf

    async def get(self, campaign: str, scene_id: str) -> SceneLoreCache | None:
        with self._shelf.campaign(campaign).reading() as db:
            row = db.execute("select lore_json from scene_lore where scene_id = ?", (scene_id,)).fetchone()
        if row is None:
            return None
        try:
            return SceneLoreCache.model_validate_json(row[0])
        except ValidationError:
            return None

    async def put(self, campaign: str, notes: SceneLoreCache) -> None:
        with self._shelf.campaign(campaign).writing() as db:
            db.execute(
                "insert into scene_lore (id, campaign_id, scene_id, session_id, lore_json, retrieved_at)"
                " values (?, ?, ?, ?, ?, ?) on conflict (id) do update set session_id = excluded.session_id,"
                " lore_json = excluded.lore_json, retrieved_at = excluded.retrieved_at",
                (
                    notes.scene_id, campaign, notes.scene_id, notes.session_id,
                    notes.model_dump_json(), notes.retrieved_at,
                ),
            )  # fmt: skip

    async def drop(self, campaign: str, scene_id: str) -> None:
        with self._shelf.campaign(campaign).writing() as db:
            db.execute("delete from scene_lore where scene_id = ?", (scene_id,))
