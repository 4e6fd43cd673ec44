"""Who sits down: bundled personas by number or name, and anybody else from a file: a persona, a
character card, a sheet, or a few sentences."""

import re
from pathlib import Path

import yaml

from freeform.assistant.sheet.model import Sheet
from freeform.core.errors import UserError
from freeform.core.text import shorten
from freeform.engine.table import Table
from freeform.language.sentences import sentences
from freeform.packs.formats.card import is_card, read_card
from freeform.packs.formats.card_story import CardStory, story_of
from freeform.players.model import BasePersona
from freeform.players.party.nature import LONGEST_VOICE, Near, is_understood, persona_of_words
from freeform.players.party.persona import HIGH, LOW, choose_personas, load_persona
from freeform.services.assistant.characters import preview_sheet, read_sheet_file
from freeform.services.files import file_bytes
from freeform.services.house import House
from freeform.settings import Settings

_YAML, _WORDS = (".yaml", ".yml"), (".txt", ".md")
_NAMED = re.compile(r"^#?\s*(?:name\s*:\s*)?([^\n.:]{1,60})\s*$", re.I)
_FEW = 1500
"""Letters: longer pages of words are read as sheets first."""
_STANDS_FOR = {
    "force": ("str",),
    "finesse": ("dex",),
    "wits": ("int",),
    "charm": ("cha",),
    "nerve": ("wis", "con"),
}


def seated(
    settings: Settings, wanted: str, table: Table, *, files: bool = True
) -> list[BasePersona]:
    """Those who were asked for, in their order."""
    return choose_personas(
        wanted, files=files, read=lambda path: read_persona(settings, path, near_of(table))
    )


def make_persona(house: House, who: str, words: str = "") -> BasePersona:
    """A persona of some sentences about somebody of that name, or of a file of this machine."""
    if words.strip():
        return persona_of_words(who, words, near_of(house.table))
    path = Path(who)
    if not house.files or not path.is_file():
        raise UserError(f"no file '{who}'; give a card, a sheet or a page, or --words about them")
    return read_persona(house.settings, path, near_of(house.table))


def near_of(table: Table) -> Near:
    """How near meanings are, by the table's own sense; nothing where it has none."""
    sense = table.sense
    return sense.near if sense else lambda text, others: []


def read_persona(settings: Settings, path: Path, near: Near) -> BasePersona:
    """One persona from a file, whatever it is. BadFile or UserError says what it is not."""
    if path.suffix in _YAML:
        return load_persona(path)
    content = file_bytes(path)
    if content.startswith((b"\x89PNG", b"PK")) or is_card(content):
        return persona_of_card(story_of(read_card(content, path.name)), near)
    if path.suffix in _WORDS and len(content) <= _FEW:
        return _of_page(path.stem, content.decode("utf-8", "replace"), near)
    sheet = preview_sheet(settings, read_sheet_file(path)).sheet
    return persona_of_sheet(sheet, near)


def _of_page(stem: str, page: str, near: Near) -> BasePersona:
    """A few sentences. The name is a line of its own, else the file's."""
    first, _, rest = page.strip().partition("\n")
    named = _NAMED.match(first) if rest.strip() else None
    name = named[1].strip() if named else stem.replace("_", " ").replace("-", " ").title()
    return persona_of_words(name, rest if named else page, near)


def persona_of_card(card: CardStory, near: Near) -> BasePersona:
    """Whoever a card describes, as an AI player who plays themselves. What they say on it is how
    they sound."""
    voice = card.personality or " ".join(card.sayings[:2])
    told = card.description or card.personality or card.name
    made = persona_of_words(card.name or "somebody", told, near, voice=voice)
    says = [line for line in card.sayings if "{" not in line and len(sentences(line)) == 1][:4]
    if not says or not is_understood(" ".join(says)):
        return made
    character = made.character.model_copy(update={"lines": {"wait": says, "plain": says}})
    return made.model_copy(update={"character": character})


def persona_of_sheet(sheet: Sheet, near: Near) -> BasePersona:
    """Whoever a sheet describes, with its abilities as general stats."""
    basics, story = sheet.character_basics, sheet.story_info
    classes = ", ".join(f"{each.name} {each.level}" for each in basics.classes)
    kind = ", ".join(part for part in (basics.species, classes, basics.background) if part)
    told = [
        str(part).strip() for part in _story_texts(story.model_dump(exclude={"background_feature"}))
    ]
    about = ". ".join(part.rstrip(".") for part in (kind, *told) if part)
    if not sheet.name:
        raise UserError("the sheet names nobody; write a name on it")
    made = persona_of_words(sheet.name, about or sheet.name, near)
    stats = {}
    for general, names in _STANDS_FOR.items():
        known = [basics.abilities[name].mod for name in names if name in basics.abilities]
        if known:
            stats[general] = max(LOW, min(HIGH, max(known)))
    concept = shorten(kind, 200) or made.character.concept
    character = made.character.model_copy(update={"stats": stats, "concept": concept})
    return made.model_copy(update={"character": character})


def _story_texts(story: dict[str, object]) -> list[str]:
    """What a sheet tells of somebody in words, of any field."""
    found: list[str] = []
    for value in story.values():
        if isinstance(value, str):
            found.append(value)
        elif isinstance(value, dict):
            found += [one for one in value.values() if isinstance(one, str)]
    return [shorten(text, 2 * LONGEST_VOICE) for text in found if text.strip()]


def persona_file(persona: BasePersona) -> str:
    """A persona as a file that one can go on writing."""
    data = persona.model_dump(mode="json", exclude_defaults=True)
    return yaml.safe_dump(data, sort_keys=False, allow_unicode=True, width=120)
