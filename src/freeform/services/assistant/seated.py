"""Questions of someone at a shared table: answered from their hero's sheet, what their hero saw of
the story, and its rules. Nothing else that its owner has is looked into."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from freeform.assistant.model import Answer
from freeform.assistant.rulebook.catalogue import is_rulebook
from freeform.core.errors import Unavailable, UserError
from freeform.engine.authored.library import content_folder
from freeform.services.house import House
from freeform.services.librarian import AskWish
from freeform.services.table.people import get_table
from freeform.services.table.sight import hero_of, house_of

MOST_ASKED, IN_SECONDS = 6, 60.0
LONGEST_QUESTION = 2_000


async def ask_at_table(
    house: House, campaign: str, person: str, question: str, before: Sequence[str] = ()
) -> Answer:
    """The answer with its sources, as far as that person may know. Unavailable for who floods."""
    table = await get_table(house, campaign)
    who = table.person(person)
    if len(question) > LONGEST_QUESTION:
        raise UserError(
            f"that is {len(question):,} letters long; ask in up to {LONGEST_QUESTION:,}"
        )
    _wait_for_others(house, f"{campaign} {who.id}")
    seen = await house_of(house, campaign, who.id)
    seat = table.seat_of(who.id)
    librarian = replace(
        house.librarian, table=seen.table, hero=hero_of(table, who.id), beside=who.owner
    )
    wish = AskWish(
        character=campaign if seat else "",
        notes=campaign,
        rulebooks=await _rules_of(house, campaign),
        viewer="gm" if who.role == "gm" else "player",
        before=list(before),
    )
    return await librarian.ask(question, wish)


async def _rules_of(house: House, campaign: str) -> list[str]:
    """The packs of this story, and the rulebooks that come with the program: what else its owner
    has on the shelf is not shown here."""
    ours = content_folder("packs")
    held = (await house.table.store.begun(campaign)).packs
    found: list[str] = []
    for pack in house.books.newest():
        is_ours = is_rulebook(pack) and ours in Path(pack.path).parents
        if pack.manifest.id in held or is_ours:
            found.append(pack.manifest.id)
    return found


def _wait_for_others(house: House, who: str) -> None:
    now = house.table.clock.ticks()
    lately = [at for at in house.asked.get(who, []) if now - at < IN_SECONDS]
    if len(lately) >= MOST_ASKED:
        raise Unavailable(f"{MOST_ASKED} questions in a minute are plenty; wait a moment")
    house.asked[who] = [*lately, now]
