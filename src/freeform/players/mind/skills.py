"""Who is best at what: which deeds dice decide by the rules of the table, which stat they take, and
whose character has most of it. A player knows its rules and its sheet."""

from collections.abc import Mapping, Sequence

from freeform.engine.authored.system import System
from freeform.players.mind.deeds import as_deed
from freeform.players.model import Proposal, RoundRecord, TableView

Sheets = Mapping[str, Mapping[str, int]]
"""By agent: its character's stats, as the dice count them."""


def dice_of(system: System) -> dict[str, str]:
    """Verbs of deeds that dice always decide, and the stat that is rolled for them."""
    found: dict[str, str] = {}
    for kind in system.action_types.values():
        if kind.roll == "always" and kind.stat:
            found |= dict.fromkeys(kind.verbs, kind.stat)
    return found


def rolled_before(rounds: Sequence[RoundRecord]) -> dict[str, str]:
    """Deeds for which dice were thrown in these rounds, and the stat that was rolled."""
    found: dict[str, str] = {}
    for record in rounds:
        for agent, ruling in record.rulings.items():
            if agent in record.actions and ruling.stats:
                found[as_deed(record.actions[agent].intent).lower()] = ruling.stats[0]
    return found


def stat_for(deed: str, dice: Mapping[str, str]) -> str:
    """The stat a deed is rolled with, by its longest beginning that is known; '' where no dice are
    expected."""
    words = deed.lower().split()
    for end in range(len(words), 0, -1):
        stat = dice.get(" ".join(words[:end]))
        if stat:
            return stat
    return ""


def sheet_of(stats: Mapping[str, int], system: System) -> dict[str, int]:
    """A character's stats with the general ones beside the system's own, added up."""
    found = dict(stats)
    for general, own in system.stat_map.items():
        if general not in found:
            found[general] = sum(stats.get(name, 0) for name in own)
        for name in own:
            found.setdefault(name, found[general])
    return found


def fittest(deed: str, dice: Mapping[str, str], sheets: Sheets, first: str) -> str:
    """Who should do it: whose character is best at it; `first` where that is no better."""
    stat = stat_for(deed, dice)
    if not stat or first not in sheets:
        return first
    best = max(sheets, key=lambda agent: (sheets[agent].get(stat, 0), agent == first))
    return best if sheets[best].get(stat, 0) > sheets[first].get(stat, 0) else first


def doer_of(proposal: Proposal, table: TableView) -> str:
    """Who does what was agreed on: whoever is best at it; else the one who put it forward."""
    return fittest(proposal.option, table.dice, table.sheets, proposal.by)
