"""Everyone's say in safety: what each keeps out is their own to read, and the table's to hold.

The table's lines and veils are the union. What one person takes back stays while another, or the
table itself, keeps it; nothing in the log says whose a limit is.
"""

from collections.abc import Iterable

from freeform.core.record import Record
from freeform.core.text import visible
from freeform.engine.campaign.limits import LimitChange
from freeform.engine.rules.safety import limit_key
from freeform.players.people.model import SharedTable, TablePerson
from freeform.services import limits
from freeform.services.house import House
from freeform.services.limits import LimitsShown
from freeform.services.table.people import get_table


class OwnLimits(Record):
    """What one person keeps out of play."""

    lines: list[str]
    veils: list[str]


def own_limits(person: TablePerson) -> OwnLimits:
    """What someone has set."""
    return OwnLimits(lines=person.lines, veils=person.veils)


def is_more(person: TablePerson, wanted: OwnLimits) -> bool:
    """Whether something is kept out that was not before."""
    before = _keys(person.lines) | _keys(person.veils)
    return bool((_keys(wanted.lines) | _keys(wanted.veils)) - before)


async def set_limits(house: House, campaign: str, person: str, wanted: OwnLimits) -> OwnLimits:
    """Sets what someone keeps out, and makes the table hold the union of all. UserError for what
    cannot be a line or a veil; then nothing is changed."""
    table = await get_table(house, campaign)
    who = table.person(person)
    kept = OwnLimits(lines=_clean(wanted.lines), veils=_clean(wanted.veils))
    shown = await limits.show_limits(house, campaign)
    change = _change(table, who, kept, shown)
    if change.lines or change.veils or change.remove:
        await limits.change_limits(house, campaign, change)
    held = _keys(shown.lines) | _keys(shown.veils)
    added = (_keys(kept.lines) | _keys(kept.veils)) - held
    removed = _keys(change.remove)

    def keep(table: SharedTable) -> SharedTable:
        now = table.person(person)
        ours = sorted((set(table.limits) | added) - removed)
        changed = table.with_person(now.model_copy(update=kept.model_dump()))
        return changed.model_copy(update={"limits": ours})

    await house.tables.change(campaign, keep)
    return kept


def _change(
    table: SharedTable, who: TablePerson, kept: OwnLimits, shown: LimitsShown
) -> LimitChange:
    """What the table has to change: a line of anyone is a line, and what nobody else keeps goes."""
    others = [each for each in table.people if each.id != who.id]
    theirs = [topic for each in others for topic in (*each.lines, *each.veils)]
    lines, held = _keys(shown.lines), _keys(shown.lines) | _keys(shown.veils)
    own = _keys(kept.lines) | _keys(kept.veils)
    may_go = (held & set(table.limits)) - own - _keys(theirs)
    dropped = [each for each in (*who.lines, *who.veils) if limit_key(each) in may_go]
    return LimitChange(
        lines=[each for each in kept.lines if limit_key(each) not in lines],
        veils=[each for each in kept.veils if limit_key(each) not in held | _keys(kept.lines)],
        remove=list(dict.fromkeys(dropped)),
    )


def _keys(topics: Iterable[str]) -> set[str]:
    return {limit_key(each) for each in topics}


def _clean(topics: list[str]) -> list[str]:
    """Each topic once, as it was first written: `Spiders` beside `spiders` is no second one."""
    named: dict[str, str] = {}
    for each in topics:
        topic = " ".join(visible(each).split())
        if topic:
            named.setdefault(limit_key(topic), topic)
    return list(named.values())
