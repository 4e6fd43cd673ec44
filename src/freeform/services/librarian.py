"""The librarian: finds the sources that a question names, keeps them open, and answers."""

from dataclasses import dataclass, field
from pathlib import Path

from pydantic import Field

from freeform.assistant.ask import AskPorts, Tell, ask, known_names
from freeform.assistant.entities.gazetteer import Gazetteer
from freeform.assistant.follow_up import whole_question, with_what_it_leans_on
from freeform.assistant.model import Answer, Asking, Edition, Viewer
from freeform.assistant.notes.campaign import campaign_notes
from freeform.assistant.notes.markdown import read_notes
from freeform.assistant.notes.shelf import NotesShelf
from freeform.assistant.notes.source import NotesSource
from freeform.assistant.ports import Source
from freeform.assistant.query.schema import typed_out
from freeform.assistant.rulebook.catalogue import RulebookRow, is_rulebook, rows_of
from freeform.assistant.rulebook.worlds import names_in
from freeform.assistant.sheet.campaign import campaign_sheet
from freeform.assistant.sheet.read import read_sheet
from freeform.assistant.sheet.source import SheetSource
from freeform.core.errors import BadFile, NotFound, UserError
from freeform.core.llm.gateway import Listen
from freeform.core.record import Record
from freeform.core.text import plain_form
from freeform.engine.campaign.spotlight import Actor, into_light
from freeform.engine.rules.change import apply
from freeform.engine.shelf.books import Books
from freeform.engine.table import Table
from freeform.engine.world.state import GameState
from freeform.packs.resolve import Shelved
from freeform.services.files import file_bytes
from freeform.settings import Settings
from freeform.wiring import books as books_of
from freeform.wiring.ear import near_texts, near_words, reader
from freeform.wiring.sheets import rulebook, sheets

MOST_OPEN = 4
"""Rulebooks and sheets kept open between questions."""


class AskWish(Record):
    """What a question is asked of: sheet, notes, rulebooks, edition, and through whose eyes."""

    character: str = ""
    """A file, or the id of a sheet, or of a campaign whose player's character is meant."""
    notes: str = ""
    """A file or folder of notes, the id of notes that are kept, or a campaign."""
    rulebooks: list[str] = Field(default_factory=list)
    edition: Edition = ""
    viewer: Viewer = "player"
    before: list[str] = Field(default_factory=list)
    """What was asked before it in the same conversation, oldest first."""
    thread: str = ""
    """The conversation it belongs to and is kept in; `new` begins one."""


@dataclass
class Librarian:
    """Answers questions. Rulebooks, names and sheets stay open; notes are read anew."""

    settings: Settings
    table: Table
    files: bool = True
    """Whether a question may name files of this machine; not when it comes over the network."""
    hero: Actor | None = None
    """Whose sheet a campaign's is; without, that of whoever stands in the light."""
    beside: bool = True
    """Whether what its owner wrote down beside a campaign is looked into, too."""
    gazetteer: Gazetteer = field(default_factory=Gazetteer)
    _rules: dict[tuple[str, ...], Source] = field(default_factory=dict)
    _sheets: dict[str, SheetSource] = field(default_factory=dict)
    _world_rows: dict[str, list[RulebookRow]] = field(default_factory=dict)

    @property
    def books(self) -> Books:
        """The shelf of packs."""
        return self.table.lore.books if self.table.lore else books_of(self.settings)

    async def ask(
        self,
        question: str,
        wish: AskWish,
        *,
        tell: Tell = lambda stage, known: None,
        listen: Listen | None = None,
    ) -> Answer:
        """The answer from the sources that the wish names."""
        unread = list[str]()
        sources, name = await self.sources(wish, question, unread)
        in_full, question = "", typed_out(question)
        if wish.before:
            before = [typed_out(each) for each in wish.before]
            tables, _ = await self.gazetteer.tables(sources, wish.viewer)
            in_full = with_what_it_leans_on(question, before, tables)
            question = whole_question(question, before, tables, near_words)
        asking = Asking(
            character_name=name,
            viewer=wish.viewer,
            edition=wish.edition,
            tool_confidence=self.settings.ask_tool_confidence,
            entity_confidence=self.settings.ask_entity_confidence,
            tokens=self.settings.ask_tokens,
            in_full=in_full,
            unread=tuple(unread),
        )
        ports = AskPorts(
            self.table.gateway, self.table.clock, self.gazetteer, near_words, near_texts, reader()
        )
        return await ask(question, sources, ports, asking, tell=tell, listen=listen)

    async def sources(
        self, wish: AskWish, question: str = "", unread: list[str] | None = None
    ) -> tuple[list[Source], str]:
        """The sources, and the name of the character who asks.

        Worlds that a question names are asked with the rules. A file that cannot be read is put
        into `unread`, where that is given and another source can be: the rest answers.
        """
        given, wrong = await self._given(wish)
        if wrong and (unread is None or not given):
            raise wrong[0]
        if unread is not None:
            unread += [f"{each}; the answer is from the rest" for each in wrong]
        name = next((each.sheet.name for each in given if isinstance(each, SheetSource)), "")
        packs = tuple(wish.rulebooks)
        if question and not packs:
            worlds = await self._worlds(question, wish, given)
            if worlds:
                rules = [s.manifest.id for s in self.books.newest() if is_rulebook(s)]
                packs = (*rules, *worlds)
        return [*given, *self._rulebook(packs)], name

    async def _given(self, wish: AskWish) -> tuple[list[Source], list[BadFile]]:
        """Sheet and notes, and what is wrong with those that cannot be read."""
        given, wrong = list[Source](), list[BadFile]()
        for ref, opened in ((wish.character, self._sheet), (wish.notes, self._notes)):
            try:
                given += [await opened(ref)] if ref else []
            except BadFile as bad:
                wrong.append(bad)
        return given, wrong

    async def _worlds(self, question: str, wish: AskWish, given: list[Source]) -> list[str]:
        """The world packs of which a question names something that sheet and notes do not know."""
        tables, _ = await self.gazetteer.tables(given, wish.viewer)
        known = {plain_form(hit.name) for hit in known_names(question, tables)}
        named = []
        for pack in self.books.newest():
            if is_rulebook(pack):
                continue
            names = names_in(question, self._rows(pack), gm=wish.viewer == "gm")
            if names - known:
                named.append(pack.manifest.id)
        return named

    def _rows(self, shelved: Shelved) -> list[RulebookRow]:
        key = f"{shelved.manifest.id}@{shelved.manifest.version}:{shelved.path}"
        if key not in self._world_rows:
            self._world_rows[key] = rows_of(self.books.shelf, [shelved])
        return self._world_rows[key]

    async def _sheet(self, ref: str) -> SheetSource:
        path = Path(ref)
        if self.files and path.is_file():
            return self._sheet_file(path)
        try:
            return SheetSource(sheets(self.settings).get(ref))
        except NotFound as unknown:
            if await self._is_campaign(ref):
                return SheetSource(campaign_sheet(await self._state(ref)))
            raise unknown from None

    async def _state(self, campaign: str) -> GameState:
        """The campaign as it stands, with that hero in the light."""
        state = await self.table.store.get_state(campaign)
        light = into_light(self.hero, state) if self.hero else None
        return apply(state, light) if light else state

    def _sheet_file(self, path: Path) -> SheetSource:
        """A sheet's file, read anew when it was written since."""
        stat = path.stat()
        key = f"{path.resolve()}:{stat.st_mtime_ns}:{stat.st_size}"
        if key not in self._sheets:
            made = SheetSource(read_sheet(file_bytes(path), path.name))
            kept = list(self._sheets.items())[-MOST_OPEN + 1 :]
            self._sheets = {**dict(kept), key: made}
        return self._sheets[key]

    async def _notes(self, ref: str) -> NotesSource:
        path = Path(ref)
        if self.files and path.exists():
            return NotesSource(read_notes(path), label=path.name or "notes")
        shelf = NotesShelf(self.settings.home)
        kept = shelf.read(ref) if self.beside and shelf.has(ref) else []
        if await self._is_campaign(ref):
            # What was written down beside the game belongs to what happened in it.
            return NotesSource([*await campaign_notes(ref, self.table.store), *kept], label=ref)
        if kept:
            return NotesSource(kept, label=ref)
        raise UserError(
            f"there are no notes at '{ref[:80]}'; give a folder of Markdown files, "
            "the id of notes that were brought in (freeform-rpg import notes/), or a campaign's id"
        )

    async def _is_campaign(self, ref: str) -> bool:
        return any(row.id == ref for row in await self.table.store.campaigns())

    def _rulebook(self, packs: tuple[str, ...]) -> list[Source]:
        """The rulebooks as the shelf has them now; opened anew only when a pack came or went."""
        on_shelf = []
        for shelved in self.books.shelf.packs():
            on_shelf.append(f"{shelved.manifest.id}@{shelved.manifest.version}:{shelved.path}")
        key = (*packs, *sorted(on_shelf))
        if key not in self._rules:
            made = rulebook(self.books, packs)
            if not made.rows:
                return []
            kept = list(self._rules.items())[-MOST_OPEN + 1 :]
            self._rules = {**dict(kept), key: made}
        return [self._rules[key]]
