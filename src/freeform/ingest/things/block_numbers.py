"""The stat blocks of a book as numbers, by the section that holds them."""

from collections.abc import Sequence
from typing import Any

from freeform.core.text import plain_form, slug
from freeform.ingest.model import BookSection
from freeform.ingest.things.statblocks import StatBlock, find_stat_blocks
from freeform.ingest.things.statruns import NumberRun, find_runs
from freeform.ingest.things.things import bare, text_of
from freeform.packs.folder.once import once

SHORT = ("str", "dex", "con", "int", "wis", "cha")
LONG = ("strength", "dexterity", "constitution", "intelligence", "wisdom", "charisma")
_WHOLE = dict(zip(SHORT, LONG, strict=True))


def stat_blocks_in(sections: Sequence[BookSection]) -> dict[str, dict[str, Any]]:
    """Numbers by section id. A block's name is its section's heading, or stands inside the
    section."""
    found: dict[str, dict[str, Any]] = {}
    for section in sections:
        text = text_of(section)
        if not any(map(str.isdigit, text[:1500])):
            continue
        blocks = _blocks_of(f"# {bare(section.title)}\n\n{text}")
        mine = [
            block for block in blocks if plain_form(block.name) == plain_form(bare(section.title))
        ] or blocks[:1]
        if mine:
            found[section.id] = numbers_of(mine[0])
        elif own := [
            run for run in find_runs(text) if not run.name or _same(run.name, section.title)
        ]:
            found[section.id] = dict(own[0].numbers)
    return found


def _blocks_of(text: str) -> list[StatBlock]:
    """The blocks of a text; several stages of one book ask it of the same one."""
    return once(lambda: find_stat_blocks(text), text, "stat blocks")


def named_runs(section: BookSection) -> list[NumberRun]:
    """Creatures in one line, named there and not by the section's heading."""
    return [
        run
        for run in find_runs(text_of(section))
        if run.name and not _same(run.name, section.title)
    ]


def _same(name: str, title: str) -> bool:
    return plain_form(name) == plain_form(bare(title))


def numbers_of(block: StatBlock) -> dict[str, Any]:
    """A block as flat numbers and short texts, without what it does not say."""
    abilities = {
        _WHOLE.get(slug(name), slug(name)): score for name, score in block.abilities.items()
    }
    told: dict[str, Any] = {
        "armor_class": block.armor_class,
        "hit_points": block.hit_points,
        "hit_dice": block.hit_dice,
        "speed": block.speed,
        "challenge": block.challenge,
        "xp": block.xp,
        "size": block.size,
        "creature_type": block.creature_type,
        "alignment": block.alignment,
        "abilities": abilities,
    }
    return {key: value for key, value in told.items() if value not in (None, "", {})}
