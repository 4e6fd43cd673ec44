"""A home's campaigns and accounts carried to another store, each campaign whole and checked.

What is carried stays where it was: nothing is taken away here. So a move that is broken off loses
nothing, and going over it again passes by what is there already.
"""

from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from pydantic import Field, SecretStr, ValidationError

from freeform.core.errors import BadSettings, Conflict, UserError
from freeform.core.record import Record
from freeform.engine.campaign.archive import CampaignFiles
from freeform.players.people.accounts import Account, AccountStore
from freeform.players.people.model import SharedTable
from freeform.players.people.ports import TableStore
from freeform.settings import Settings
from freeform.wiring.people import open_tables
from freeform.wiring.store import campaign_files, hold_against, kept_accounts, opened_keep

HOME = "home"
"""The word for the files of the home, where an address is asked for."""
Progress = Callable[[int, int], None]


class CarriedOver(Record):
    """A campaign that was carried, or was there already."""

    campaign: str
    entries: int
    was_there: bool = False


class Moved(Record):
    """What was carried where."""

    to: str
    campaigns: list[CarriedOver]
    accounts: int = 0
    """How many accounts came along."""
    differing: list[str] = Field(default_factory=list)
    """Accounts that are there, and not as they are here: a password, a session that was ended, a
    seat. They stay as they are there."""
    only_there: list[str] = Field(default_factory=list)
    """Accounts that are there alone: made there, or forgotten here."""

    @property
    def entries(self) -> int:
        """The entries of all logs together."""
        return sum(each.entries for each in self.campaigns)


async def move_campaigns(settings: Settings, to: str, progress: Progress) -> Moved:
    """Carries every campaign, its tapes and its shared table to another store, and who has an
    account with what opens it."""
    target = _towards(settings, to)
    async with opened_keep(target), opened_keep(settings) as keep:
        rows = await keep.store.campaigns()
    broken = next((row for row in rows if row.problem), None)
    if broken:
        raise UserError(f"'{broken.id}' cannot be opened, so nothing was carried: {broken.problem}")
    ours, theirs = campaign_files(settings), campaign_files(target)
    carried: list[CarriedOver] = []
    names = sorted(row.id for row in rows)
    with open_tables(settings) as seats, open_tables(target) as new_seats:
        for done, name in enumerate(names):
            progress(done, len(names))
            carried.append(await _carry(name, ours, theirs, target))
            await _carry_table(carried[-1], seats, new_seats)
    progress(len(names), len(names))
    moved = Moved(to=to if to == HOME else "Postgres", campaigns=carried)
    return moved.model_copy(update=await _carry_accounts(settings, target))


async def _carry_accounts(settings: Settings, target: Settings) -> dict[str, int | list[str]]:
    """One that is there already stays as it is there, since its password may be another by now;
    which those are is said."""
    (ours, close_ours), (theirs, close_theirs) = kept_accounts(settings), kept_accounts(target)
    new, differing = 0, list[str]()
    try:
        here, there = await ours.all(), {each.id: each for each in await theirs.all()}
        for account in here:
            standing = there.pop(account.id, None)
            if standing is None:
                await _carry_account(account, theirs)
                new += 1
            elif standing != account:
                differing.append(account.name)
    finally:
        close_ours()
        close_theirs()
    only_there = sorted(each.name for each in there.values())
    return {"accounts": new, "differing": differing, "only_there": only_there}


async def _carry_account(account: Account, theirs: AccountStore) -> None:
    try:
        await theirs.add(account)
    except Conflict:
        raise Conflict(
            f"the account '{account.name}' is somebody else's there; `account forget` one of the "
            "two, then go on; what was carried so far stays"
        ) from None


async def _carry(
    campaign: str, ours: CampaignFiles, theirs: CampaignFiles, target: Settings
) -> CarriedOver:
    with TemporaryDirectory(prefix="freeform-move-") as folder:
        copy, there = Path(folder) / "table.db", Path(folder) / "there.db"
        ours.copy_out(campaign, copy)
        async with opened_keep(target) as keep:
            known = {row.id for row in await keep.store.campaigns()}
        if campaign in known:
            theirs.copy_out(campaign, there)
            held = hold_against(copy, there)
            there.unlink()
            if not held.difference:
                return CarriedOver(campaign=campaign, entries=held.entries, was_there=True)
            if not held.is_behind:
                raise Conflict(
                    f"'{campaign}' has gone on in both places ({held.difference} differs); rename "
                    "one with `campaign copy`, then delete the other; what was carried so far stays"
                )
            theirs.take_out(campaign)
        theirs.take_in(copy, campaign, campaign)
        theirs.copy_out(campaign, there)
        held = hold_against(copy, there)
        if held.difference:
            theirs.take_out(campaign)
            raise Conflict(
                f"'{campaign}' did not arrive whole ({held.difference} differs) and was taken "
                "back; it is where it was: is someone playing it? try again"
            )
    return CarriedOver(campaign=campaign, entries=held.entries)


async def _carry_table(carried: CarriedOver, source: TableStore, target: TableStore) -> None:
    campaign = carried.campaign
    table = await source.find(campaign)
    if table is None:
        return
    there = await target.open(table)
    if not carried.was_there or _is_older(there, table):
        await target.change(campaign, lambda standing: table)
    said = await target.talk(campaign, most=1)
    last = said[-1].no if said else 0
    for line in await source.talk(campaign, after=last, most=1_000_000):
        await target.say(campaign, line)


def _is_older(there: SharedTable, here: SharedTable) -> bool:
    """Whether more was played at the table here since: a move that was broken off carried the
    story and not yet its table. What else differs may have been changed there."""
    return bool(here.played) and (not there.played or there.played[-1] in here.played[:-1])


def _towards(settings: Settings, to: str) -> Settings:
    """The same home with the other store."""
    url = "" if to == HOME else to
    if url == settings.store_url.get_secret_value():
        raise UserError("the campaigns are there already; name another store with --to")
    try:
        return Settings.model_validate({**dict(settings), "store_url": SecretStr(url)})
    except ValidationError:
        raise BadSettings(
            "--to is the address of a Postgres, postgresql://USER:PASSWORD@HOST/DATABASE, or "
            f"`{HOME}` for files"
        ) from None
