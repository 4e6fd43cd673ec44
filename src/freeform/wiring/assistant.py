"""What the settings make of the assistant: the sources a question names, and one librarian who keeps them open."""

from dataclasses import dataclass, field
from pathlib import Path

from pydantic import Field

from freeform.assistant.ask import AskPorts, Tell, ask
from freeform.assistant.entities.gazetteer import Gazetteer
from freeform.assistant.model import Answer, Asking, Edition, Viewer
from freeform.assistant.notes.campaign import campaign_notes
from freeform.assistant.notes.markdown import read_notes
from freeform.assistant.notes.source import NotesSource
from freeform.assistant.ports import Source
from freeform.assistant.sheet.campaign import campaign_sheet
from freeform.assistant.sheet.read import read_sheet
from freeform.assistant.sheet.source import SheetSource
from freeform.core.errors import BadFile, NotFound, UserError
from freeform.core.gateway import Listen
from freeform.core.record import Record
from freeform.engine.books import Books
from freeform.engine.table import Table
from freeform.settings import Settings
from freeform.wiring import books as books_of
from freeform.wiring.sheets import rulebook, sheets


class Wish(Record):
    """What a question is asked of: a sheet, notes, rulebooks, an edition, and through whose eyes."""

    character: str = ""
    """A file, or the id of a sheet, or of a campaign whose player's character is meant."""
    notes: str = ""
    """A file or folder of notes, or a campaign."""
    rulebooks: list[str] = Field(default_factory=list)
    edition: Edition = ""
    viewer: Viewer = "player"


@dataclass
class Librarian:
    """Answers questions. Rulebooks and tables of names stay open between questions, sheets and notes are read anew."""

    settings: Settings
    table: Table
    files: bool = True
    """Whether a question may name files of this machine; not when it comes over the network."""
    gazetteer: Gazetteer = field(default_factory=Gazetteer)
    _rules: dict[tuple[str, ...], Source] = field(default_factory=dict)

    @property
    def books(self) -> Books:
        """The shelf of packs."""
        return self.table.lore.books if self.table.lore else books_of(self.settings)

    async def ask(
        self, question: str, wish: Wish, *, tell: Tell = lambda stage, known: None, listen: Listen | None = None
    ) -> Answer:
        """The answer from the sources that the wish names."""
        sources, name = await self.sources(wish)
        asking = Asking(
            character_name=name,
            viewer=wish.viewer,
            edition=wish.edition,
            tool_confidence=self.settings.ask_tool_confidence,
            entity_confidence=self.settings.ask_entity_confidence,
            tokens=self.settings.ask_tokens,
        )
        ports = AskPorts(self.table.gateway, self.table.clock, self.gazetteer)
        return await ask(question, sources, ports, asking, tell=tell, listen=listen)

    async def sources(self, wish: Wish) -> tuple[list[Source], str]:
        """The sources, and the name of the character who asks."""
        found: list[Source] = []
        name = ""
        if wish.character:
            sheet = await self._sheet(wish.character)
            name = sheet.sheet.name
            found.append(sheet)
        if wish.notes:
            found.append(await self._notes(wish.notes))
        rules = self._rulebook(tuple(wish.rulebooks))
        return [*found, *rules], name

    async def _sheet(self, ref: str) -> SheetSource:
        file = Path(ref)
        if self.files and file.is_file():
            try:
                return SheetSource(read_sheet(file.read_bytes(), file.name))
            except OSError as wrong:
                raise BadFile(ref, f"{(wrong.strerror or 'cannot be read').lower()}; check the path") from None
        try:
            return SheetSource(sheets(self.settings).get(ref))
        except NotFound as unknown:
            if await self._is_campaign(ref):
                return SheetSource(campaign_sheet(await self.table.store.get_state(ref)))
            raise unknown from None

    async def _notes(self, ref: str) -> NotesSource:
        path = Path(ref)
        if self.files and path.exists():
            return NotesSource(read_notes(path), label=path.name or "notes")
        if await self._is_campaign(ref):
            return NotesSource(await campaign_notes(ref, self.table.store), label=ref)
        raise UserError(f"there are no notes at '{ref[:80]}'; give a folder of Markdown files or a campaign's id")

    async def _is_campaign(self, ref: str) -> bool:
        return any(row.id == ref for row in await self.table.store.campaigns())

    def _rulebook(self, packs: tuple[str, ...]) -> list[Source]:
        """The rulebooks as the shelf has them now; opened anew only when a pack came, went or changed."""
        shelf = self.books.shelf
        key = (*packs, *sorted(f"{s.manifest.id}@{s.manifest.version}:{s.path}" for s in shelf.packs()))
        if key not in self._rules:
            made = rulebook(self.books, packs)
            self._rules = {key: made} if made.rows else {}
            return [made] if made.rows else []
        return [self._rules[key]]
