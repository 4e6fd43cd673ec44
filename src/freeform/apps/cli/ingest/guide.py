"""pack-ingest at a terminal: the ten steps, asked one after another."""

import asyncio
from pathlib import Path

from freeform.apps.cli.desk import Desk
from freeform.apps.cli.ingest.work import Wishes
from freeform.apps.cli.play.voice import Voice
from freeform.core.errors import UserError
from freeform.services.ingest.books import (
    Surroundings,
    estimate_cost,
    look_at_book,
    names_of,
    surroundings,
)


def guide_ingest(desk: Desk, wishes: Wishes) -> Wishes:
    """The seed's ten steps; what a flag has said is not asked. (8 to 10 are the run itself.)"""
    voice = Voice(desk)
    around = asyncio.run(surroundings(desk.settings))
    pictures = around.ocr_missing or "can be read"
    voice.line(f"1. Reader: {around.reader}. Pictures of text: {pictures}.")
    voice.line(f"2. Model: {around.model}{_leaves(around)}.")
    pdf = _asked_pdf(voice, wishes.pdf)
    book = asyncio.run(look_at_book(desk.settings, pdf))
    title = f", {book.title}" if book.title else ""
    voice.line(f"   {pdf.name}: {book.pages} pages{title}.")
    wishes = _asked_names(voice, wishes.model_copy(update={"pdf": pdf}), book.title)
    wishes = _asked_kind(voice, wishes)
    wishes = wishes.model_copy(update={"out": _asked_place(voice, desk, wishes)})
    voice.line(
        f"7. {book.pages} pages of {wishes.name} become the pack {wishes.id} in {wishes.out}."
    )
    _, cost = estimate_cost(book.pages, "", around.model, systems=wishes.systems)
    voice.line(f"   {cost.line(around.model)}")
    if not _agrees(voice, "   Go on? [Y/n] ", True):
        raise UserError("nothing was done")
    install = wishes.install
    if install is None and not wishes.draft:
        install = _agrees(voice, "10. Put it on the shelf when it is done? [Y/n] ", True)
    return wishes.model_copy(update={"install": install, "yes": True})


def _leaves(around: Surroundings) -> str:
    """What leaves this machine while a book is read."""
    if around.vectors_sent_to:
        return f" (texts are sent to {around.vectors_sent_to} for search by meaning)"
    if around.stays_here:
        return " (nothing leaves this machine)"
    return ""


def _asked_pdf(voice: Voice, pdf: Path | None) -> Path:
    while pdf is None or not pdf.is_file():
        if pdf is not None:
            voice.line(f"There is no file {pdf}.")
        given = voice.ask("3. Which PDF? ").strip().strip("'\"")
        if not given:
            raise UserError("no book was named; nothing was done")
        pdf = Path(given).expanduser()
    return pdf


def _asked_names(voice: Voice, wishes: Wishes, title: str) -> Wishes:
    assert wishes.pdf is not None
    id, name = names_of(wishes.pdf, title)
    name = wishes.name or voice.ask(f"4. Name? [{name}] ").strip() or name
    id = wishes.id or voice.ask(f"   Id? [{id}] ").strip() or id
    licence = wishes.license
    if not licence:
        question = "   Licence (cc-by, ogl, commercial …; Enter: not known, private)? "
        licence = voice.ask(question).strip()
    return wishes.model_copy(update={"name": name, "id": id, "license": licence})


def _asked_kind(voice: Voice, wishes: Wishes) -> Wishes:
    systems, draft = wishes.systems, wishes.draft
    if systems:
        systems = _agrees(voice, "5. Take the rules out, too? [Y/n] ", True)
    if not draft:
        draft = _agrees(voice, "   Write a draft to look over first? [y/N] ", False)
    return wishes.model_copy(update={"systems": systems, "draft": draft})


def _asked_place(voice: Voice, desk: Desk, wishes: Wishes) -> Path:
    if wishes.out:
        return wishes.out
    usual = desk.settings.home / "ingest"
    given = voice.ask(f"6. Where to? [{usual}] ").strip()
    return Path(given).expanduser() if given else usual


def _agrees(voice: Voice, question: str, default: bool) -> bool:
    answer = voice.ask(question).strip().lower()
    if not answer:
        return default
    return answer.startswith(("y", "j", "o", "s"))
