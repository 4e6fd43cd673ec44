"""The real discord.py client against SimCord's Discord in memory: commands, progress, pages, buttons, privacy."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import simcord

from freeform.apps.discord.bot import Bot
from freeform.engine.campaign.apart import apart_in
from freeform.services.campaigns import begin_campaign
from freeform.services.table import acting, invites, talk
from freeform.services.table import people as people_of_table
from freeform.services.table.due import play_due
from freeform.services.table.invites import InviteWish
from freeform.services.table.sight import all_saw_all
from tests.apps.discord.rooms import parlour_in
from tests.patience import PATIENCE

QUESTION = "Can you give me details about every food buff in the game, including their location and coordinates?"


@asynccontextmanager
async def discord_in(home: Path) -> AsyncIterator[Any]:
    """SimCord's Discord with our bot in it. No fixture: it must begin and end in the test's own context."""
    async with (
        parlour_in(home) as parlour,
        simcord.run(Bot(parlour, pause=0.0, look_s=0.0), settle_timeout=PATIENCE) as running,
    ):
        yield running


def people(env: Any, *names: str) -> tuple[Any, list[Any]]:
    guild = env.create_guild()
    return guild.create_text_channel("table"), [
        guild.add_member(env.create_user(name)) for name in names
    ]


async def test_research_is_promised_shown_and_answered_in_pages_with_its_sources_on_a_button(
    tmp_path: Path,
) -> None:
    async with discord_in(tmp_path) as env:
        channel, (ann, ben) = people(env, "ann", "ben")
        result = await ann.slash(channel, "research", question=QUESTION)
        assert result.acknowledged and not result.ephemeral
        first = result.response
        assert first.content.startswith("| | ") and len(first.content) <= 2000
        assert result.followups and all(len(page.content) <= 2000 for page in result.followups)
        edits = [call for call in env.http_requests if call.method == "PATCH"]
        assert len(edits) >= 2  # progress, then the answer
        pressed = await ben.click(
            first.message, custom_id=first.components[0]["components"][0]["custom_id"]
        )
        assert pressed.ephemeral and "items/ashcake.md" in pressed.response.content


async def test_a_question_marked_secret_is_answered_to_the_asker_alone(tmp_path: Path) -> None:
    async with discord_in(tmp_path) as env:
        channel, (ann,) = people(env, "ann")
        result = await ann.slash(
            channel, "research", question="compare Cinder Stew and Iron Broth", secret="yes"
        )
        assert result.ephemeral and "Iron Broth" in result.response.content


async def test_a_channel_is_played_in_by_typing_and_talk_in_brackets_is_left_alone(
    tmp_path: Path,
) -> None:
    async with discord_in(tmp_path) as env:
        channel, (ann,) = people(env, "ann")
        begun = await ann.slash(channel, "play", scenario="dead_drop")
        assert "Dead Drop" in begun.response.content
        await ann.send(channel, "I look around")
        told = channel.last_message
        assert told.author.bot and len(told.content) > 40
        await ann.send(channel, "(back in five)")
        assert not channel.last_message.author.bot


async def test_the_x_card_names_nobody(tmp_path: Path) -> None:
    async with discord_in(tmp_path) as env:
        channel, (ann,) = people(env, "ann")
        await ann.slash(channel, "play", scenario="dead_drop")
        await ann.send(channel, "I look around")
        result = await ann.slash(channel, "x")
        assert result.ephemeral
        assert (
            "X-card" in channel.last_message.content and "ann" not in channel.last_message.content
        )


async def test_dice_fall_in_the_open_and_a_wrong_word_is_explained(tmp_path: Path) -> None:
    async with discord_in(tmp_path) as env:
        channel, (ann,) = people(env, "ann")
        assert (await ann.slash(channel, "roll", dice="1d20+5")).response.content.startswith(
            "`1d20 ("
        )
        wrong = await ann.slash(channel, "roll", dice="banana")
        assert "banana" in wrong.response.content or "dice" in wrong.response.content.lower()


async def test_scenarios_are_suggested_while_typing(tmp_path: Path) -> None:
    async with discord_in(tmp_path) as env:
        channel, (ann,) = people(env, "ann")
        found = await ann.autocomplete(channel, "play", "scenario", "bell")
        names = [choice["value"] for choice in getattr(found, "autocomplete_choices", found)]
        assert "drowned_bell" in names


async def test_the_button_works_after_a_restart(tmp_path: Path) -> None:
    async with discord_in(tmp_path) as env:
        channel, (ann,) = people(env, "ann")
        result = await ann.slash(channel, "research", question="compare Cinder Stew and Iron Broth")
        button = result.response.components[0]["components"][0]["custom_id"]
        await env.restart_bot(Bot(env.bot.parlour, pause=0.0, look_s=0.0))
        pressed = await ann.click(result.response.message, custom_id=button)
        assert "cinder_stew.md" in pressed.response.content


async def test_members_of_a_thread_sit_at_a_table_each_with_their_own_turn_whispers_and_sight(
    tmp_path: Path,
) -> None:
    async with discord_in(tmp_path) as env:
        house = env.bot.parlour.house
        await begin_campaign(house, "dead_drop", campaign="a", seed=7)
        await people_of_table.open_table(house, "a", "Olga")
        codes = [(await invites.invite(house, "a", "p1", InviteWish())).written() for _ in range(2)]
        channel, (ann, ben, eve) = people(env, "ann", "ben", "eve")
        for member, code in ((ann, codes[0]), (ben, codes[1])):
            came = await member.slash(channel, "join", link=f"http://here:8420/join#{code}")
            assert came.ephemeral and "You play" in came.response.content
        await eve.send(channel, "I take everything")  # who has no seat only talks there
        assert not channel.last_message.author.bot
        await acting.set_turn_mode(house, "a", "p1", "rounds")
        await ann.send(channel, "I look around")
        assert "Waiting for" in channel.last_message.content
        await ann.send(channel, "I wait")
        assert "lready played" in channel.last_message.content
        await acting.set_turn_mode(house, "a", "p1", "free")

        await ben.send(channel, "I go to Kettle Row")
        assert "elsewhere" in channel.last_message.content
        assert "A street with a ceiling" not in channel.last_message.content
        whispered = await ann.slash(channel, "whisper", to="ben", text="meet me at dawn")
        assert whispered.ephemeral and "Whispered to ben" in whispered.response.content
        rolled = await ann.slash(channel, "roll", dice="2d6", secret="mine")
        assert rolled.ephemeral and rolled.response.content.startswith("`2d6")
        before = await ben.slash(channel, "recap")
        assert before.ephemeral and "Kettle Row" in before.response.content
        heard = await talk.read_talk(house, "a", "p1")
        assert "meet me at dawn" not in str(heard) and "2d6" not in str(heard)
        told = [message.content for message in ben.user.dm_channel.history()]
        assert any("A street with a ceiling" in text for text in told)
        assert any("ann whispers: meet me at dawn" in text for text in told)

        await ann.send(channel, "I search the jukebox")
        found = "What was found in the jukebox?"
        asked = await ann.slash(channel, "ask", question=found)
        other = await ben.slash(channel, "ask", question=found)
        assert asked.ephemeral and "ceramic fuse" in asked.response.content
        assert other.ephemeral and "ceramic fuse" not in other.response.content
        await ben.send(channel, "I go to the Neon Dragon")
        assert apart_in(await house.table.store.get_state("a")) is None
        # What is asked in the open is not answered from what not all have seen.
        assert not await all_saw_all(house, "a")
        await ann.slash(channel, "x")
        count = len(list(channel.history()))
        await ben.send(channel, "I go to the Neon Dragon")  # the same number, another turn
        assert len(list(channel.history())) == count + 2 and channel.last_message.author.bot


async def test_a_thread_hears_by_itself_what_happens_in_a_browser(tmp_path: Path) -> None:
    async with discord_in(tmp_path) as env:
        house = env.bot.parlour.house
        await begin_campaign(house, "dead_drop", campaign="a", seed=7)
        await people_of_table.open_table(house, "a", "Olga")
        code = (await invites.invite(house, "a", "p1", InviteWish())).written()
        channel, (ann,) = people(env, "ann")
        await talk.say_beside(house, "a", "p1", "before anyone came", [])
        await ann.slash(channel, "join", link=f"http://here:8420/join#{code}")
        await ann.send(channel, "I look around")
        await env.bot.tell_news()
        env.bot.look_s = 0.01
        came = len(list(channel.history()))
        await acting.hand_in(house, "a", "p1", "I search the jukebox")
        await play_due(house, "a", env.bot.parlour.seated)
        await talk.say_beside(house, "a", "p1", "tea, anyone?", [])
        await talk.say_beside(house, "a", "p1", "trust nobody", ["ann"])
        looking = asyncio.create_task(env.bot._look_on())
        while len(list(channel.history())) == came or not ann.user.dm_channel:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
        looking.cancel()
        await asyncio.wait([looking])
        await env.bot.tell_news()  # once
        told = [message.content for message in channel.history()]
        assert len(told) == came + 1
        assert sum("ceramic fuse" in text for text in told) == 1
        assert "(Olga: tea, anyone?)" in told[-1] or "(Olga: tea, anyone?)" in told[0]
        assert "trust nobody" not in str(told) and "before anyone came" not in str(told)
        alone = [message.content for message in ann.user.dm_channel.history()]
        assert alone == ["Olga whispers: trust nobody"]
        await ann.slash(channel, "roll", dice="2d6")  # told by its own answer
        await env.bot.tell_news()
        assert len(list(channel.history())) == came + 2
