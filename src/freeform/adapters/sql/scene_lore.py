"""The notes of scenes, in the campaign's own file."""

from pydantic import ValidationError

from freeform.adapters.sql.ports import CampaignsAtHand
from freeform.engine.shelf.scene_lore import SceneLoreCache

_KEPT = 500


class SqlLoreNotes:
    """The `LoreNotes` of one home. Notes that no longer read count as not made: they are only a
    copy of the books."""

    def __init__(self, shelf: CampaignsAtHand) -> None:
        self._shelf = shelf
        self._read: dict[tuple[str, str], SceneLoreCache] = {}

    async def get(self, campaign: str, scene_id: str) -> SceneLoreCache | None:
        if notes := self._read.get((campaign, scene_id)):
            return notes
        file = self._shelf.campaign(campaign)
        file.settle()
        with file.reading() as db:
            row = db.execute(
                "select lore_json from scene_lore where scene_id = ?", (scene_id,)
            ).fetchone()
        if row is None:
            return None
        try:
            notes = self._read[campaign, scene_id] = SceneLoreCache.model_validate_json(row[0])
        except ValidationError:
            return None
        return notes

    async def put(self, campaign: str, notes: SceneLoreCache) -> None:
        if len(self._read) >= _KEPT:
            self._read.clear()
        self._read[campaign, notes.scene_id] = notes
        self._shelf.campaign(campaign).add_later(
            "insert into scene_lore (id, campaign_id, scene_id, session_id, lore_json, retrieved_at)"
            " values (?, ?, ?, ?, ?, ?) on conflict (id) do update set session_id = excluded.session_id,"
            " lore_json = excluded.lore_json, retrieved_at = excluded.retrieved_at",
            (
                notes.scene_id, campaign, notes.scene_id, notes.session_id,
                notes.model_dump_json(), notes.retrieved_at,
            ),
        )  # fmt: skip

    async def drop(self, campaign: str, scene_id: str) -> None:
        self._read.pop((campaign, scene_id), None)
        with self._shelf.campaign(campaign).writing() as db:
            db.execute("delete from scene_lore where scene_id = ?", (scene_id,))
