"""Who may come to a table, what they are called, where they sit, and how they go."""

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from freeform.core.clock import HandClock
from freeform.core.errors import Conflict, Forbidden, FreeformError, NotFound, UserError
from freeform.players.people.model import Role
from freeform.players.people.names import check_table_name
from freeform.services import limits
from freeform.services.campaigns import begin_campaign
from freeform.services.house import House, opened_house
from freeform.services.table import invites, people
from freeform.services.table.invites import InviteWish, Joined, JoinWish
from freeform.services.table.safety import OwnLimits, set_limits
from freeform.services.table.seats import NewHero
from freeform.services.table.views import company
from freeform.settings import Settings


@pytest.fixture
def clock() -> HandClock:
    return HandClock()


@pytest.fixture
async def house(tmp_path: Path, clock: HandClock) -> AsyncIterator[House]:
    """With a campaign of three heroes, `a`, that is open to others."""
    settings = Settings(home=tmp_path, model="offline")
    async with opened_house(settings, model=False) as made:
        made.table = replace(made.table, clock=clock)
        await begin_campaign(made, "dead_drop", campaign="a", seed=7)
        await people.open_table(made, "a", "Anna")
        yield made


async def link(house: House, role: Role = "player", **more: object) -> str:
    wish = InviteWish.model_validate({"role": role, **more})
    return (await invites.invite(house, "a", "p1", wish)).written()


async def joined(house: House, name: str, role: Role = "player", **more: object) -> Joined:
    wish = {"code": await link(house, role), "name": name, **more}
    return await invites.join(house, JoinWish.model_validate(wish))


async def test_a_campaign_that_nobody_opened_has_no_table(house: House) -> None:
    await begin_campaign(house, "dead_drop", campaign="alone", seed=7)
    assert await people.find_table(house, "alone") is None
    with pytest.raises(NotFound, match="`table open alone`"):
        await people.get_table(house, "alone")
    with pytest.raises(NotFound, match="no campaign"):
        await people.open_table(house, "nobodys")


async def test_the_owner_plays_on_in_the_first_seat_and_a_guest_takes_a_free_one(
    house: House,
) -> None:
    ben = await joined(house, "Ben")
    table = await people.get_table(house, "a")
    hero = (await house.table.store.get_state("a")).entities["player"].name
    assert (table.seats[0].actor.name, table.seats[0].person) == (hero, "p1")
    assert table.seat(ben.seat).person == ben.person
    cleo = await joined(house, "Cleo", hero=NewHero(name="Sparrow", concept="a courier"))
    table = await people.get_table(house, "a")
    assert table.seat(cleo.seat).actor.name == "Sparrow"
    assert table.seat(cleo.seat).actor.stats == table.seats[0].actor.stats


async def test_tokens_open_only_their_own_table_and_are_kept_as_hashes(
    house: House, tmp_path: Path
) -> None:
    ben = await joined(house, "Ben")
    found = await people.holder(house, ben.token)
    assert found and found[1].name == "Ben"
    campaign, id, secret = ben.token.rsplit(".", 2)
    wrong = [f"{campaign}.p1.{secret}", f"b.{id}.{secret}", f"{campaign}.{id}.{secret[:-1]}", ""]
    wrong += [f"../../etc.{id}.{secret}", "a.b", f"{campaign}.{id}." + "x" * 400]
    for token in wrong:
        assert await people.holder(house, token) is None, token
    kept = b"".join(f.read_bytes() for f in (tmp_path / "campaigns" / "a").glob("people.db*"))
    assert id.encode() in kept and secret.encode() not in kept


async def test_an_invitation_that_was_guessed_used_or_has_run_out_lets_nobody_in(
    house: House, clock: HandClock
) -> None:
    code = await link(house)
    guessed = f"{code.rsplit('.', 1)[0]}.{'A' * 32}"
    for bad in (guessed, "a.in_0.x", "nothing", "b" + code, code + "x"):
        with pytest.raises(NotFound, match="not known here"):
            await invites.look_at_invite(house, bad)
        with pytest.raises(NotFound, match="not known here"):
            await invites.join(house, JoinWish(code=bad, name="Eve"))
    await invites.join(house, JoinWish(code=code, name="Ben"))
    with pytest.raises(Conflict, match="used already"):
        await invites.join(house, JoinWish(code=code, name="Eve"))
    late = await link(house, hours=1)
    clock.advance(3601)
    with pytest.raises(NotFound, match="has run out"):
        await invites.join(house, JoinWish(code=late, name="Eve"))


async def test_a_passphrase_is_asked_for_and_a_wrong_one_spends_nothing(house: House) -> None:
    code = await link(house, passphrase="Red  lantern")
    assert (await invites.look_at_invite(house, code)).asks_passphrase
    with pytest.raises(Forbidden, match="not the passphrase"):
        await invites.join(house, JoinWish(code=code, name="Ben", passphrase="blue"))
    wish = JoinWish(code=code, name="Ben", passphrase="red lantern ")
    assert (await invites.join(house, wish)).name == "Ben"


@pytest.mark.parametrize(
    "name",
    [
        *("Anna", "ANNA", " anna ", "Аnnа", "4nna", "Ánna", "A n n a", "An\u200bna", "Ａｎｎａ"),
        *("Аппа", "Anпa", "ɑnna", "ᗩnna", "ᴀɴɴᴀ", "Ⱥnna", "Anna!", "@nna", "Anna (host)"),
    ],
)
def test_a_name_that_imitates_another_is_refused(name: str) -> None:
    with pytest.raises(Conflict, match="would be taken for 'Anna'|'Anna' is here already"):
        check_table_name(name, ["Ben", "Anna"])


@pytest.mark.parametrize("name", ["Game Master", "G M", "narrat0r", "H0st", "The Host", "Ꮋost"])
def test_nobody_is_called_what_the_page_calls_the_game_master(name: str) -> None:
    with pytest.raises(Conflict, match="choose another name"):
        check_table_name(name, [])


@pytest.mark.parametrize("name", ["", "   ", "\u200b", "…", "x" * 41])
def test_a_name_can_be_read(name: str) -> None:
    with pytest.raises(UserError):
        check_table_name(name, [])


def test_other_names_are_taken_as_they_are() -> None:
    others = ["Anna", "Ben"]
    for name in (
        "Anne",
        "Hanna",
        "Bernd",
        "Иван",
        "Ωmega",
        "李小龍",
        "Anna Lena",
        "O'Neil",
        "?nna",
    ):
        assert check_table_name(name, others) == name


async def test_a_refused_name_spends_no_invitation(house: House) -> None:
    code = await link(house)
    with pytest.raises(Conflict, match="taken for 'Anna'"):
        await invites.join(house, JoinWish(code=code, name="anna"))
    assert (await invites.join(house, JoinWish(code=code, name="Ben"))).name == "Ben"


async def test_a_seat_has_one_person(house: House) -> None:
    ben = await joined(house, "Ben")
    with pytest.raises(Conflict, match="Ben plays"):
        await joined(house, "Cleo", seat=ben.seat)
    bound = await link(house, seat=(await people.get_table(house, "a")).seats[2].id)
    cleo = await invites.join(house, JoinWish(code=bound, name="Cleo", seat=ben.seat))
    assert cleo.seat != ben.seat


async def test_someone_comes_back_on_another_device_once_with_each_link(house: House) -> None:
    ben = await joined(house, "Ben")
    code = (await invites.way_back(house, "a", ben.person)).written()
    assert (await invites.look_at_invite(house, code)).returning == "Ben"
    phone = await invites.join(house, JoinWish(code=code))
    assert (phone.person, phone.seat) == (ben.person, ben.seat) and phone.token != ben.token
    for token in (ben.token, phone.token):
        found = await people.holder(house, token)
        assert found and found[1].id == ben.person
    with pytest.raises(Conflict, match="used already"):
        await invites.join(house, JoinWish(code=code))
    with pytest.raises(Forbidden, match="only the host"):
        await invites.way_back(house, "a", ben.person, (await joined(house, "Cleo")).person)


async def test_who_is_sent_away_or_leaves_holds_nothing_any_more(house: House) -> None:
    ben, cleo = await joined(house, "Ben"), await joined(house, "Cleo")
    back = (await invites.way_back(house, "a", ben.person)).written()
    with pytest.raises(Forbidden, match="only the host may do that; ask Anna"):
        await people.send_away(house, "a", cleo.person, ben.person)
    await people.send_away(house, "a", "p1", "Ben")
    assert await people.holder(house, ben.token) is None
    with pytest.raises(NotFound):
        await invites.join(house, JoinWish(code=back))
    table = await people.leave(house, "a", cleo.person)
    assert await people.holder(house, cleo.token) is None
    assert [each.name for each in table.here()] == ["Anna"]
    assert [each.person for each in table.seats] == ["p1"] + [""] * (len(table.seats) - 1)
    assert (await joined(house, "Ben")).person not in (ben.person, cleo.person)


async def test_the_host_role_is_handed_on_and_the_owner_may_take_it_back(house: House) -> None:
    ben, watching = await joined(house, "Ben"), await joined(house, "Wim", "spectator")
    with pytest.raises(Conflict, match="hand that on first"):
        await people.leave(house, "a", "p1")
    with pytest.raises(Conflict, match="is watching"):
        await people.hand_on(house, "a", "p1", "Wim")
    await people.hand_on(house, "a", "p1", "Ben")
    await invites.invite(house, "a", ben.person, InviteWish())
    with pytest.raises(Conflict, match="cannot be sent away"):
        await people.send_away(house, "a", ben.person, "Anna")
    with pytest.raises(Forbidden, match="ask Ben"):
        await invites.invite(house, "a", watching.person, InviteWish())
    assert (await people.hand_on(house, "a", "p1", "Anna")).host == "p1"


async def test_forty_watch_and_none_of_them_sits(house: House) -> None:
    code = await link(house, "spectator", uses=40)
    for number in range(40):
        came = await invites.join(
            house, JoinWish(code=code, name=f"W{'abcd'[number % 4]}{number}x")
        )
        assert came.seat == ""
    with pytest.raises(FreeformError):
        await invites.join(house, JoinWish(code=code, name="one more"))
    seen = company(await people.get_table(house, "a"), came.person)
    assert len(seen.people) == 41 and seen.invites == []
    with pytest.raises(Forbidden, match="you are watching"):
        await people.sit_down(house, "a", came.person)


async def test_the_role_of_a_host_who_vanished_is_taken_over_by_who_plays(house: House) -> None:
    ben, wim = await joined(house, "Ben"), await joined(house, "Wim", "spectator")
    with pytest.raises(Conflict, match="Anna is the host, and not gone for 5 minutes yet"):
        await people.take_over(house, "a", ben.person, host_away_s=299)
    with pytest.raises(Forbidden, match="you are watching"):
        await people.take_over(house, "a", wim.person, host_away_s=301)
    assert (await people.take_over(house, "a", ben.person, host_away_s=301)).host == ben.person


async def test_a_limit_is_kept_once_and_held_for_as_long_as_anyone_keeps_it(house: House) -> None:
    ben = (await joined(house, "Ben")).person

    async def held(person: str, *lines: str) -> bool:
        await set_limits(house, "a", person, OwnLimits(lines=list(lines), veils=[]))
        return "spiders" in [line.lower() for line in (await limits.show_limits(house, "a")).lines]

    assert await held(ben, "Spiders", " spiders ", "")
    table = await people.get_table(house, "a")
    assert table.person(ben).lines == ["Spiders"]
    assert await held("p1", "SPIDERS")
    assert await held(ben), "Anna keeps it"
    assert not await held("p1")
