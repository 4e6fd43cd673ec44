"""Every command as a person sends it, with no Discord at all."""

from pathlib import Path

from freeform.apps.discord.parlour import AGAIN
from freeform.core.clock import HandClock
from freeform.wiring.lore import opened_store
from tests.apps.discord.rooms import command, parlour_in
from tests.contracts.lore_cases import commit, decision


async def test_research_tells_its_plan_and_answers_with_sources_behind_a_key(
    tmp_path: Path,
) -> None:
    lines: list[str] = []
    async with parlour_in(tmp_path) as parlour:
        reply = await parlour.run(
            command("research", question="every food buff with its effect"), lines.append
        )
        assert "| Ashcake | +1 to saves against cold" in reply.text
        assert lines[0].startswith("The plan:\n1. Find every food buff.")
        assert any("30 of 30" in line for line in lines)
        assert "items/ashcake.md" in await parlour.sources(reply.key)


async def test_the_same_interaction_is_never_done_twice(tmp_path: Path) -> None:
    async with parlour_in(tmp_path) as parlour:
        begun = await parlour.run(command("play", id="1", scenario="dead_drop"))
        assert "Dead Drop" in begun.text
        first = await parlour.run(command("play", id="2", text="look around"))
        again = await parlour.run(command("play", id="2", text="look around"))
        assert first.text and again.text == AGAIN
        campaign = await parlour.bindings.campaign_of("c")
        assert (await parlour.table.store.head(campaign)).turn_no == 1


async def test_a_channel_plays_rolls_recaps_and_takes_a_turn_back_without_naming_anyone(
    tmp_path: Path,
) -> None:
    async with parlour_in(tmp_path) as parlour:
        assert "begin with /play" in (await parlour.run(command("recap", id="0"))).text
        await parlour.run(command("play", id="1", scenario="drowned_bell"))
        typed = await parlour.turn("c", "u", "I look around", "m1")
        assert typed is not None and len(typed.text) > 40
        assert await parlour.turn("elsewhere", "u", "hello", "m2") is None
        assert (await parlour.run(command("recap", id="3"))).text
        x = await parlour.run(command("x", id="4", user="shy"))
        assert x.private and "X-card" in x.public and "shy" not in x.public
        assert (
            await parlour.table.store.head(await parlour.bindings.campaign_of("c"))
        ).turn_no == 0
        rolled = await parlour.run(command("roll", id="5", dice="2d6+1"))
        assert rolled.text.startswith("`2d6 (")


async def test_what_a_person_got_wrong_is_said_to_them_alone(tmp_path: Path) -> None:
    async with parlour_in(tmp_path) as parlour:
        for at, wrong in enumerate(
            (
                command("roll", id="a", dice="banana"),
                command("play", id="b"),
                command("iam", id="c", sheet="Nobody"),
                command("dance", id="d"),
            )
        ):
            reply = await parlour.run(wrong)
            assert reply.private and reply.text.endswith((".", "!")), (at, reply.text)


async def test_too_many_questions_in_a_minute_are_put_off(tmp_path: Path) -> None:
    async with parlour_in(tmp_path, discord_per_minute=2) as parlour:
        clock = parlour.table.clock
        assert isinstance(clock, HandClock)
        for at in range(2):
            assert not (await parlour.run(command("roll", id=f"{at}", dice="1d6"))).private
        assert "ask again in" in (await parlour.run(command("roll", id="x", dice="1d6"))).text
        assert not (await parlour.run(command("roll", id="y", user="other", dice="1d6"))).private
        clock.advance(61)
        assert not (await parlour.run(command("roll", id="z", dice="1d6"))).private


async def test_only_a_game_master_may_ask_for_secrets(tmp_path: Path) -> None:
    async with parlour_in(tmp_path, discord_gamemasters="7") as parlour:
        question = {"question": "Who is the Neon Dragon's secret partner?", "secret": "yes"}
        for user, gm in (("7", True), ("8", False)):
            assert (await parlour._question(command("ask", user=user, **question)))[3] is gm
            assert await parlour.is_private(command("ask", user=user, **question))


async def test_names_are_suggested_while_they_are_typed(tmp_path: Path) -> None:
    async with parlour_in(tmp_path) as parlour:
        assert ("Dead Drop", "dead_drop") in await parlour.suggest("play", "dead")
        assert await parlour.suggest("iam", "x") == []


async def test_the_lore_researchers_forks_are_answered_once(tmp_path: Path) -> None:
    async with parlour_in(tmp_path) as parlour:
        assert "Nothing waits" in (await parlour.run(command("inbox", id="0"))).text
        async with opened_store(parlour.house.settings) as store:
            await store.commit_step(commit("k1", decisions=[decision("d1")]))
        shown = await parlour.run(command("inbox", id="1"))
        assert "Where next?" in shown.text and "1. Gamma" in shown.text
        assert ("Where next?", "d1") in await parlour.suggest("decide", "where")
        done = await parlour.run(command("decide", id="2", decision="d1", choice="2"))
        assert "**Alpha**" in done.text
        again = await parlour.run(command("decide", id="3", decision="d1", choice="Alpha"))
        assert "**Alpha**" in again.text
        other = await parlour.run(command("decide", id="4", decision="d1", choice="Gamma"))
        assert other.private
        unknown = await parlour.run(command("decide", id="5", decision="nothing", choice="Gamma"))
        assert unknown.private
