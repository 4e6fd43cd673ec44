"""Several people at one table, and a game master's hand: every step, and the sentence where it refuses."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from freeform.core.clock import HandClock
from freeform.core.ids import CountedIds
from freeform.engine.campaign.limits import LimitChange
from freeform.players.people.model import SharedTable
from freeform.services import campaigns, limits, play, prompts
from freeform.services.gm import hand, telling
from freeform.services.gm.telling import ProposeWish, TellWish
from freeform.services.house import House, opened_house
from freeform.services.stories.front import story_front
from freeform.services.table import acting, companions, dice, invites, people, safety, seats, talk
from freeform.services.table.dice import RollWish
from freeform.services.table.invites import InviteWish, JoinWish
from freeform.services.table.safety import OwnLimits
from freeform.services.table.views import company as company_of
from freeform.settings import Settings
from tests.snapshots.keeping import plain, sealed, without
from tests.snapshots.services import TICKING, given

SECRET = (
    *TICKING,
    "secret",
    "token",
    "tokens",
    "invites",
    "since",
    "hash",
    "until",
    "persona",
    "joined_at",
)
Step = Callable[[House], Awaitable[Any]]


async def company(folder: Path) -> dict[str, Any]:
    """Anna leads, Ben plays, Cleo watches, Dot has a hero of her own, an AI player sits down."""
    async with opened_house(Settings(home=folder, model="offline")) as house:
        house.table = replace(house.table, ids=CountedIds(), clock=HandClock())
        await campaigns.begin_campaign(house, "dead_drop", campaign="a", seed=7)
        told: dict[str, Any] = {}
        for name, steps in PARTS.items():
            told[name] = [await given(_without_secrets(step(house)), folder) for step in steps]
        return told


async def _without_secrets(step: Awaitable[Any]) -> Any:
    came = await step
    if isinstance(came, SharedTable):
        return f"{came.mode} {came.round} next:{came.next} called:{came.called} {sealed(_public(came))}"
    return _public(came)


def _public(came: Any) -> Any:
    return without(plain(came), *SECRET)


def _comes(name: str, role: str = "player", asked: str = "", **more: Any) -> Step:
    """Anna makes a link, and someone comes by it."""

    async def step(house: House) -> Any:
        wish = InviteWish.model_validate({"role": role, "passphrase": asked})
        code = (await invites.invite(house, "a", "p1", wish)).written()
        shown = await invites.look_at_invite(house, code)
        joined = await invites.join(
            house, JoinWish.model_validate({"code": code, "name": name, **more})
        )
        return [shown, joined]

    return step


def _roll(person: str, expr: str, **more: Any) -> Step:
    async def step(house: House) -> Any:
        line = await dice.roll_at_table(house, "a", person, RollWish(expr=expr, **more))
        rolls = [(roll.name, roll.expr) for roll in line.rolls]
        return [rolls, [row.text for row in await dice.read_rolls(house, "a", person)]]

    return step


def _says(person: str, text: str, to: list[str]) -> Step:
    async def step(house: House) -> Any:
        await talk.say_beside(house, "a", person, text, to)
        told: dict[str, Any] = {}
        for each in ("p1", "p2", "p3"):
            told[each] = [row.text for row in await talk.read_talk(house, "a", each)]
        return told

    return step


def _hands(person: str, text: str, turn: str) -> Step:
    return lambda house: acting.hand_in(house, "a", person, text, turn_id=turn)


def _mode(mode: Any, by: str = "p1") -> Step:
    return lambda house: acting.set_turn_mode(house, "a", by, mode)


async def _play_next(house: House) -> Any:
    """What is due, played."""
    say = await acting.next_say(house, "a")
    if say is None:
        return "nobody is due"
    told = await play.take_turn(house, say)
    table = await acting.mark_played(house, "a", acting.turn_ids(say))
    return [say, told.actor, told.final_text, table.round, table.acted]


async def _seen(house: House) -> Any:
    """The company as each of them sees it."""
    table = await people.get_table(house, "a")
    seen = {each.id: company_of(table, each.id, ["p1", "p2"]) for each in table.here()}
    return {id: each if id == "p2" else sealed(_public(each)) for id, each in seen.items()}


def _hand(verb: Any, text: str, **more: Any) -> Step:
    return lambda house: hand.lay_down(house, "a", verb, text, **more)


async def _front(house: House) -> Any:
    return [await story_front(house, row) for row in await campaigns.list_campaigns(house)]


PARTS: dict[str, tuple[Step, ...]] = {
    "people": (
        lambda house: people.get_table(house, "a"),
        lambda house: people.open_table(house, "a", "Anna"),
        _comes("Ben"),
        _comes("Cleo", role="spectator"),
        _comes("ben"),
        _comes(" "),
        _comes("Dot", hero=seats.NewHero(name="Sparrow", concept="a courier")),
        _comes("Eve", asked="moon"),
        _comes("Eve", asked="moon", passphrase="sun"),
        _comes("Eve", asked="moon", passphrase="moon"),
        lambda house: companions.add_companion(house, "a", "p1", "bea"),
        lambda house: companions.add_companion(house, "a", "p2", "cato"),
        lambda house: companions.allow_stand_in(house, "a", "p2", "nobody"),
        lambda house: people.set_role(house, "a", "p2", "p3", "gm"),
        lambda house: people.rename_owner(house, "a", "  Anna   Lee "),
        lambda house: people.sit_down(house, "a", "p3"),
        _seen,
    ),
    "talk": (
        _says("p2", "the guard lies", []),
        _says("p2", "only you, Anna", ["p1"]),
        _says("p2", " ", []),
        _says("p9", "who am I?", []),
        _roll("p2", "2d6+1", why="luck"),
        _roll("p2", "1d6", why="mine", secret="mine"),
        _roll("p1", "1d20", for_all=True),
        _roll("p2", "1d20", for_all=True),
        _roll("p2", "two dice"),
        lambda house: safety.set_limits(
            house, "a", "p2", OwnLimits(lines=["spiders", "Spiders "], veils=["fire"])
        ),
        lambda house: safety.set_limits(house, "a", "p2", OwnLimits(lines=[], veils=["fire"])),
        lambda house: limits.change_limits(
            house, "a", LimitChange(lines=["rats"], remove=["nothing"])
        ),
        lambda house: limits.show_limits(house, "a"),
    ),
    "turns": (
        _mode("rounds", by="p2"),
        _mode("rounds"),
        _hands("p2", "I search the jukebox", "t1"),
        _hands("p2", "I search it again", "t2"),
        _hands("p3", "I watch", "t3"),
        _hands("p1", " ", "t4"),
        _play_next,
        _hands("p1", "I ask Dutch about Jin", "t5"),
        _play_next,
        _play_next,
        _mode("together"),
        _hands("p1", "We all go to Kettle Row", "t6"),
        _hands("p2", "I look at the ceiling", "t7"),
        _play_next,
        lambda house: acting.call_on(house, "a", "p1", "nowhere"),
        lambda house: acting.go_on(house, "a", "p1"),
        _play_next,
        _mode("initiative"),
        lambda house: acting.follow_order(house, "a"),
        _mode("free"),
    ),
    "hand": (
        _hand("say", "Dutch is dead.", why="he drank it"),
        _hand("do", "set dutch status well"),
        _hand("do", "nonsense"),
        _hand("whisper", "Nobody trusts the tall one", turns=2),
        _hand("whisper", ""),
        _hand("note", "keep it short"),
        _hand("pin", "no_such_fact"),
        lambda house: hand.style(house, "a", hand.style_of({"length": "short"})),
        lambda house: hand.show(house, "a"),
        lambda house: telling.set_by_hand(house, "a", "p1", True),
        lambda house: people.set_role(house, "a", "p1", "p1", "gm"),
        lambda house: telling.set_by_hand(house, "a", "p1", True),
        _hands("p2", "I open the crate", "t8"),
        lambda house: telling.list_written(house, "a", "p1"),
        lambda house: telling.propose(house, "a", "p1", ProposeWish(turns=["t8"])),
        lambda house: telling.tell(house, "a", "p1", TellWish(turns=["t8"], proposed=True)),
        lambda house: telling.tell(house, "a", "p1", TellWish(text="Rain sets in.", passage=True)),
        lambda house: telling.tell(house, "a", "p2", TellWish(text="I win.")),
        lambda house: hand.hold_pen(house, "a", "tell", "The lights go out."),
        lambda house: hand.hold_pen(house, "a", "reword", "Something else happened.", 1),
        lambda house: hand.hold_pen(house, "a", "reword", "", 99),
    ),
    "after": (
        _front,
        lambda house: campaigns.read_story(house, "a"),
        lambda house: campaigns.map_view(house, "a"),
        lambda house: prompts.pin_prompt(house, "a", "narrator", 99),
        lambda house: people.send_away(house, "a", "p2", "p3"),
        lambda house: people.send_away(house, "a", "p1", "p3"),
        lambda house: people.hand_on(house, "a", "p1", "p2"),
        lambda house: people.leave(house, "a", "p1"),
        _seen,
    ),
}
