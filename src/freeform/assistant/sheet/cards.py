"""A character card as a sheet: it has words and no numbers, and says so."""

from freeform.assistant.sheet.model import CharacterBasics, ProgressInfo, Sheet, StoryInfo
from freeform.packs.formats.card import Card

WORDS_ONLY = "words"


def read_card_sheet(card: Card) -> Sheet:
    """The person in the card. `system` is `words`: nothing is computed."""
    data = card.data
    told = {
        "": data.get("description") or data.get("char_persona"),
        "Scenario": data.get("scenario") or data.get("world_scenario"),
        "First words": data.get("first_mes") or data.get("char_greeting"),
        "How they speak": data.get("mes_example") or data.get("example_dialogue"),
    }
    tags = data.get("tags")
    return Sheet(
        system=WORDS_ONLY,
        character_basics=CharacterBasics(name=card.name),
        story_info=StoryInfo(
            traits=str(data.get("personality") or "").strip(),
            backstory={
                key: str(text).strip() for key, text in told.items() if str(text or "").strip()
            },
        ),
        progress_info=ProgressInfo(
            notes=", ".join(map(str, tags)) if isinstance(tags, list) else ""
        ),
        missing=[
            "a character card has words and no numbers: scores, skills, items and spells are absent"
        ],
    )
