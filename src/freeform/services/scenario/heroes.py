"""Heroes from sheets: any sheet on the shelf, or a file, as the hero of a scenario."""

from pathlib import Path

from freeform.assistant.sheet.as_hero import SheetHero, hero_of
from freeform.assistant.sheet.read import read_sheet
from freeform.core.errors import UserError
from freeform.engine.authored.library import load_system
from freeform.engine.authored.scenario import Scenario
from freeform.engine.campaign.begin import Answers
from freeform.services.files import file_bytes
from freeform.services.house import House
from freeform.wiring.sheets import sheets


def sheet_as_hero(
    house: House, scenario: Scenario, name: str, changes: list[str] | None = None
) -> SheetHero:
    """A sheet, by its id or its file where files may be named, as a hero of that scenario's
    system. `changes`: stats set by hand, as in `might=2`."""
    path = Path(name)
    if house.files and path.is_file():
        sheet = read_sheet(file_bytes(path), path.name)
    else:
        sheet = sheets(house.settings).get(name)
    made = hero_of(sheet, load_system(scenario.system, house.settings.home))
    stats = dict(made.hero.stats)
    for change in changes or []:
        stat, _, value = change.partition("=")
        if not value.strip().lstrip("+-").isdigit():
            raise UserError(f"'{change}' sets no stat; write it as in might=2")
        stats[stat.strip()] = int(value)
    return made.model_copy(update={"hero": made.hero.model_copy(update={"stats": stats})})


def answers_with(answers: Answers, hero: SheetHero) -> Answers:
    """Session zero with that hero."""
    return answers.model_copy(update={"hero": hero.hero})
