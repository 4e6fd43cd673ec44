"""READ THIS FIRST: a file of any program becomes a Sheet; what it is is found by its content.

bytes ── document ── kind ──┬─ beyond/   D&D Beyond's character JSON
                            ├─ foundry/  a Foundry dnd5e actor, JSON or YAML
                            ├─ avrae.py  a character of the Discord bot Avrae
                            ├─ cards     a character card: words, no numbers
                            ├─ written/  a page that someone wrote, Markdown or plain text
                            └─ our own normal form, written by hand or exported
                                 └──> complete (derive.py): totals, and parts for each
"""

import hashlib
import json
from typing import Any

from pydantic import ValidationError

from freeform.assistant.sheet.avrae import is_avrae, read_avrae
from freeform.assistant.sheet.beyond.read import is_beyond, read_beyond
from freeform.assistant.sheet.foundry.read import is_foundry, read_foundry
from freeform.assistant.sheet.given import mapping, text
from freeform.assistant.sheet.model import (
    SECTIONS,
    CharacterBasics,
    Origin,
    ProgressInfo,
    Sheet,
    StoryInfo,
)
from freeform.assistant.sheet.numbers.derive import complete
from freeform.assistant.sheet.written.data import page_of
from freeform.assistant.sheet.written.read import is_written_sheet, read_written
from freeform.core.errors import BadFile
from freeform.core.text import slug
from freeform.core.yamlfile import NO_ALIASES, BadYaml, parse_yaml
from freeform.packs.folder.files import Unreadable, decode_gently
from freeform.packs.formats.card import SIGNATURE, Card, is_card, read_card

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


NO_SHEET = "no sheet that we know"
MOST = 20 * 1024 * 1024
READS = (
    "we read D&D Beyond character JSON, Foundry dnd5e actors (JSON or YAML), Avrae characters, "
    "character cards, and sheets written in Markdown or plain text"
)


def read_sheet(content: bytes, file: str, at: str = "") -> Sheet:
    """The whole sheet. BadFile says what is wrong with the file, or which system it belongs to."""
    if len(content) > MOST:
        raise BadFile(
            file,
            f"larger than {MOST // 1024 // 1024} MB, which no sheet is; give the character's own file",
        )
    if content.startswith((SIGNATURE, b"PK")):
        made, kind = read_card_sheet(read_card(content, file)), "card"
    elif page := written_page(content):
        made, kind = read_written(page, file), "written"
    else:
        document = document_in(content, file)
        page = "" if guess_kind(document) or _other(document) != NO_SHEET else page_of(document)
        if page and is_written_sheet(page):
            made, kind = read_written(page, file), "written"
        else:
            kind = kind_of(document, file)
            made = _made(kind, document, file)
    digest = hashlib.sha256(content).hexdigest()
    return complete(
        made.model_copy(
            update={
                "id": slug(made.name)[:64] or "character",
                "source": Origin(kind=kind, file=file, hash=f"sha256:{digest}", at=at),
            }
        )
    )


def written_page(content: bytes) -> str:
    """The text of a sheet that someone wrote; '' where it is none."""
    try:
        said = decode_gently(content)[0]
    except Unreadable:
        return ""
    if said.lstrip()[:1] in ("{", "[") or not said.strip():
        return ""
    try:
        document = parse_yaml(said, NO_ALIASES)[0]
    except BadYaml:
        document = None
    return said if not guess_kind(document) and is_written_sheet(said) else ""


def _made(kind: str, document: Any, file: str) -> Sheet:
    match kind:
        case "dndbeyond":
            return read_beyond(document)
        case "foundry":
            return read_foundry(document)
        case "avrae":
            return read_avrae(document)
        case "card":
            return read_card_sheet(Card(document))
        case _:
            try:
                return Sheet.model_validate(
                    {k: v for k, v in document.items() if k not in ("derived", "source")}
                )
            except ValidationError as wrong:
                first = wrong.errors()[0]
                where = ".".join(str(part) for part in first["loc"])
                raise BadFile(
                    file, f"`{where}`: {first['msg']}; see docs/sheets.md for the form"
                ) from None


def document_in(content: bytes, file: str) -> Any:
    """The JSON or YAML in a file, as plain data."""
    try:
        said = decode_gently(content)[0]
    except Unreadable as wrong:
        raise BadFile(file, f"{wrong.reason}; {READS}") from None
    if not said.strip():
        raise BadFile(file, "the file is empty; export the character again")
    if said.lstrip()[:1] in "{[":
        try:
            return json.loads(said)
        except json.JSONDecodeError as wrong:
            ends = wrong.pos >= len(said.rstrip()) - 1 or wrong.msg.startswith("Unterminated")
            why = (
                "the JSON ends in the middle"
                if ends
                else f"the JSON breaks here: {wrong.msg.lower()}"
            )
            raise BadFile(file, f"{why}; download or export it again", wrong.lineno) from None
        except RecursionError:
            raise BadFile(
                file, "the JSON is nested too deep to be a sheet; export it again"
            ) from None
    return _yaml(said, file)


def _yaml(said: str, file: str) -> Any:
    try:
        return parse_yaml(said, NO_ALIASES)[0]
    except BadYaml as wrong:
        why = f"neither JSON nor YAML that reads ({wrong.problem or wrong.reason}); {READS}"
        raise BadFile(file, why, wrong.line) from None


def kind_of(document: Any, file: str) -> str:
    """`dndbeyond`, `foundry`, `avrae`, `card` or `normal`. BadFile names the system where it is of
    another."""
    kind = guess_kind(document)
    if kind:
        return kind
    raise BadFile(file, f"{_other(document)}; {READS}")


def guess_kind(document: Any) -> str:
    """The same, or '' when it is no sheet we read."""
    if not isinstance(document, dict):
        return ""
    if any(name in document for name in SECTIONS):
        return "normal"
    if is_beyond(document):
        return "dndbeyond"
    system = text(mapping(document, "_stats").get("systemId")) or "dnd5e"
    if is_foundry(document) and system == "dnd5e":
        return "foundry"
    if is_avrae(document):
        return "avrae"
    try:
        return "card" if is_card(json.dumps(document).encode()) else ""
    except (TypeError, ValueError, RecursionError):
        return ""


def _other(document: Any) -> str:
    """What it seems to be instead."""
    if not isinstance(document, dict):
        return "no character is in it"
    system = text(mapping(document, "_stats").get("systemId"))
    if system and system != "dnd5e":
        return f"a Foundry actor of another system ({system}), not of dnd5e"
    if "build" in document and "abilities" in mapping(document, "build"):
        return "a Pathbuilder character of Pathfinder 2, another system"
    if "items" in document and ("system" in document or "data" in document):
        return "a Foundry document without fifth-edition abilities: another system, or no character"
    if "success" in document and not mapping(document, "data"):
        why = text(document.get("message")) or "no data"
        return f"an answer of D&D Beyond without a character ({why}): make the character public and download it again"
    return NO_SHEET
