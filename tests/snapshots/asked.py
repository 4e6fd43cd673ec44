"""Questions of one sheet, its notes and the rules: tools, names, what was looked up, numbers, the whole answer."""

from pathlib import Path
from typing import Any

from freeform.assistant.ask import AskPorts, ask
from freeform.assistant.model import Asking
from freeform.assistant.notes.markdown import read_notes
from freeform.assistant.notes.source import NotesSource
from freeform.assistant.sheet.read import read_sheet
from freeform.assistant.sheet.source import SheetSource
from freeform.core.clock import HandClock
from freeform.engine.authored.library import content_folder
from tests.assistant.conftest import RULES, gateway
from tests.assistant.shelf import ListSource
from tests.snapshots.keeping import plain, sealed, without

DEMO = content_folder("demo") / "brannoc"
QUESTIONS = (
    "What is my armor class?",
    "How many hit points do I have left?",
    "What's my athletics bonus?",
    "What is my passive perception?",
    "What combat abilities do I have tied to Eldaryth of Regret?",
    "What bonus does Eldaryth of Regret give me?",
    "How fast can I walk?",
    "What do I carry?",
    "Which spells do I know?",
    "What's my spell save DC?",
    "What level am I?",
    "Who are my enemies?",
    "Tell me my backstory",
    "What is my Wisdom saving throw?",
    "How does grappling work?",
    "How does grappling work and what's my athletics bonus?",
    "What happens when I fall?",
    "What is the exhaustion condition?",
    "What does being prone do?",
    "Can I cast two spells in one turn?",
    "How does a long rest work?",
    "Who is Elara?",
    "Who is Isolde Marr?",
    "Who set the fire?",
    "What happened in session 3?",
    "What did the sage say about the sword?",
    "Which quests are open?",
    "Who is Brother Oswin?",
    "Where is Maud Harrow?",
    "How many sessions were there?",
    "Which fights did we have?",
    "What did we decide about Hesk?",
    "Remind me who Elara is and what persuasion abilities I have",
    "Do I have more hit points than Sister Quill?",
    "What is the meaning of life?",
)
AS_GM = ("Who is Brother Oswin?", "Where is Maud Harrow?", "What is the lich's true name?")
TICKING = (
    "timings_ms",
    "usage",
    "model",
    "score",
    "confidence",
    "match_confidence",
    "id",
    "where",
    "question",
)


async def asked(folder: Path) -> dict[str, Any]:
    """The table of answers, and the sheet as it was read."""
    sheet = read_sheet((DEMO / "sheet.json").read_bytes(), "sheet.json")
    rules = ListSource("rulebook", RULES)
    sources = [SheetSource(sheet), NotesSource(read_notes(DEMO / "notes"), label="notes"), rules]
    ports = AskPorts(gateway(), HandClock())
    player, gm = Asking(character_name=sheet.name), Asking(viewer="gm")
    alone = [_shown(await ask(text, sources[2:], ports)) for text in QUESTIONS[-4:]]
    return {
        "player": [_shown(await ask(text, sources, ports, player)) for text in QUESTIONS],
        "gm": [_shown(await ask(text, sources, ports, gm)) for text in AS_GM],
        "with_rules_alone": alone,
        "sheet": sealed_parts(sheet),
    }


def sealed_parts(sheet: Any) -> dict[str, str]:
    """Each part of the sheet under a seal: which of them changed is seen."""
    return {key: sealed(value) for key, value in plain(sheet).items()}


def _shown(answer: Any) -> Any:
    """All but what a search would weigh to the last digit."""
    told = without(plain(answer), *TICKING)
    for source in told.get("sources", []):
        read = [source.pop("text", ""), source.pop("quote", "")]
        source["read"] = sealed(read)[:4]
    return told
