"""Routes of the oracle: yes or no by odds, and rows of random tables."""

from typing import cast

from fastapi import APIRouter

from freeform.apps.web import requests
from freeform.apps.web.room import At, Once
from freeform.engine.campaign.oracle import OracleAnswer
from freeform.services import campaigns
from freeform.services.gm import oracle
from freeform.services.gm.oracle import OracleTables

router = APIRouter(prefix="/api/campaigns/{campaign}", tags=["oracle"])


@router.get("/oracle")
async def tables(room: At, campaign: str) -> OracleTables:
    """The random tables that can be asked for by name."""
    return await oracle.list_tables(room.house, campaign)


@router.post("/oracle")
async def ask(room: At, key: Once, campaign: str, wanted: requests.OracleBody) -> OracleAnswer:
    """A yes or no by odds, or a row of a table: rolled in the open, kept in the log, taken back by
    `undo`."""
    await campaigns.check_campaign(room.house, campaign)

    async def work() -> OracleAnswer:
        return await oracle.ask_oracle(room.house, campaign, wanted.text, wanted.odds)

    return cast(OracleAnswer, await room.plays.move(campaign, "oracle", work, key))
