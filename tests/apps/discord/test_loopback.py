"""The real discord.py client over real sockets: it logs in, tells its commands, promises, waits when told to, answers."""

import asyncio
from pathlib import Path

import discord
import pytest
import yarl

from freeform.apps.discord.bot import Bot
from freeform.apps.discord.commands import COMMANDS
from tests.apps.discord.fake_discord import fake_discord
from tests.apps.discord.rooms import parlour_in


async def test_a_command_over_real_sockets_is_promised_and_answered_although_discord_asks_to_slow_down(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with parlour_in(tmp_path) as parlour, fake_discord() as (fake, address):
        monkeypatch.setattr(discord.http.Route, "BASE", f"http://{address}")
        monkeypatch.setattr(
            discord.gateway.DiscordWebSocket, "DEFAULT_GATEWAY", yarl.URL(f"ws://{address}/ws/")
        )
        bot = Bot(parlour, pause=0.05)
        task = asyncio.create_task(bot.start("token"))
        try:
            await fake.ready.wait()
            assert {c["name"] for c in fake.commands} == set(COMMANDS)
            await fake.slash("500", "research", question="compare Cinder Stew and Iron Broth")
            method, path, body = await fake.until("Iron Broth", "| Effect |")
            assert (method, path) == ("PATCH", "/webhooks/100/tok500/messages/@original")
            assert body["components"] and fake.slowed == 1
            promised = next(
                call for call in fake.calls if call[1] == "/interactions/500/tok500/callback"
            )
            assert promised[2]["type"] == 5
            assert fake.calls.index(promised) < fake.calls.index((method, path, body))
        finally:
            await bot.close()
            await asyncio.gather(task, return_exceptions=True)
