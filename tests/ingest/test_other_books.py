"""Books in other scripts, filled forms, screenplays and one giant table: each ends with a pack."""

import json
from pathlib import Path
from typing import Any

import pymupdf
import pytest

from freeform.adapters.pdf.leftward import Letter, lines_of
from freeform.adapters.pdf.oxide import OxideBook
from freeform.adapters.pdf.rows import Run
from freeform.ingest.config import IngestReport
from freeform.ingest.pack.validate import NO_RULEBOOK
from tests.ingest.reading import Reading
from tests.ingest.sheet import BOLD, Sheet


def written(font: str, pages: list[list[str]], path: Path) -> Path:
    """A book of one font; a line that begins with `#` is a heading."""
    with pymupdf.open() as document:
        for lines in pages:
            page, y = document.new_page(width=420, height=595), 60.0
            for line in lines:
                size = 18.0 if line.startswith("#") else 10.0
                page.insert_text((40, y), line.lstrip("# "), fontname=font, fontsize=size)
                y += 2.2 * size if size > 10 else 14
        document.save(str(path))
    return path


GERMAN = [
    ["# Das Buch der Tiefe", "Ein Rollenspiel über das Meer und die Leute, die an ihm leben.",
     "Große Wesen schließen Türen nur mühsam auf.", "# Würfeln", "Würfelt 3W6+2, zählt die Größe dazu."],
    ["# Geschöpfe", "Die Kröte haust in Sümpfen und macht 2W8-1 Schaden, wenn sie beißt."],
]  # fmt: skip
JAPANESE = [
    ["# 深海の書", "海とそのほとりに住む人々のロールプレイングゲームです。ゲームマスターは",
     "他のすべての人物を演じます。", "# 判定のしかた", "3d6+2を振り、能力値を足します。合計が15以上なら成功です。"],
    ["# 怪物", "大蛙は北の沼に住み、漁師を食べる大きな獣です。ダメージは2d8-1です。"],
]  # fmt: skip


@pytest.mark.parametrize(
    ("font", "pages", "headings", "words"),
    [
        ("helv", GERMAN, ["Das Buch der Tiefe", "Würfeln", "Geschöpfe"], ["3W6+2", "2W8-1", "Größe"]),
        ("japan", JAPANESE, ["深海の書", "判定のしかた", "怪物"], ["3d6+2", "2d8-1", "マスターは他の"]),
    ],
)  # fmt: skip
def test_a_german_and_a_japanese_book_are_packs_with_headings(
    font: str, pages: list[list[str]], headings: list[str], words: list[str], tmp_path: Path
) -> None:
    reading = Reading(written(font, pages, tmp_path / "book.pdf"), tmp_path / "out")
    report = reading.again(pack_id="book", name="Book", systems=False)
    assert report.validation.ok and titles(reading) == headings
    told = whole_text(report)
    assert [word for word in [*words, *headings] if word not in told] == []


def titles(reading: Reading) -> list[str]:
    path = reading.out / "work" / "book" / "structure" / "structure.json"
    told: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))["headings"]
    return [row["title"] for row in told]


def whole_text(report: IngestReport) -> str:
    return "\n".join(
        file.read_text(encoding="utf-8") for file in sorted(Path(report.path).rglob("*.md"))
    )


def drawn(shown: str, y: float, left: float = 50.0) -> list[Letter]:
    """The letters of a line as they stand on the page, from the left."""
    letters = []
    for at, text in enumerate(shown):
        x = left + 6 * at
        letters.append(Letter(text, Run(text, (x, y - 8, x + 6, y + 2), "D", 10.0, False, False)))
    return letters


@pytest.mark.parametrize(
    ("shown", "read"),
    [
        ("תלוכיה (תא) ורבחו 3d6+2 וליטה", "הטילו 3d6+2 וחברו (את) היכולת"),
        (".דוקינהמ 25% הלוע (1-20) םסק", "קסם (1-20) עולה 25% מהניקוד."),
        ("רתוי וא 15 האצות", "תוצאה 15 או יותר"),
        ("Hope and Fear םע 2d12 וליטה", "הטילו 2d12 עם Hope and Fear"),
    ],
)
def test_a_line_that_runs_leftward_keeps_its_dice_and_numbers(shown: str, read: str) -> None:
    drawn_backwards = list(reversed(drawn(shown, 100)))
    for letters in (drawn(shown, 100), drawn_backwards):
        assert "".join(run.text for run in lines_of(letters, 400)) == read


def test_columns_of_a_leftward_page_stand_as_in_a_mirror() -> None:
    letters = [*drawn("הנושאר", 100, left=300), *drawn("היינש", 100, left=50)]
    first, second = sorted(lines_of(letters, 400), key=lambda run: run.bbox[0])
    assert (first.text, second.text) == ("ראשונה", "שנייה")


def test_what_was_written_into_a_form_is_read_beside_its_label(tmp_path: Path) -> None:
    path = tmp_path / "sheet.pdf"
    with pymupdf.open() as document:
        page = document.new_page()
        for at, (label, value) in enumerate((("Name", "Orla Venn"), ("Armor", "14"))):
            page.insert_text((72, 110 + 30 * at), f"{label}:")
            field = pymupdf.Widget()
            field.field_name, field.field_value = label, value
            field.field_type = pymupdf.PDF_WIDGET_TYPE_TEXT
            field.rect = pymupdf.Rect(110, 98 + 30 * at, 300, 116 + 30 * at)
            page.add_widget(field)
        document.save(str(path))
    book = OxideBook(path)
    text = " ".join(run.text for run in book.read(1).runs)
    book.close()
    assert text == "Name: Orla Venn Armor: 14"


SCENES = [
    ("EXT. HARBOUR - NIGHT", "MARA", "You said the last boat leaves at ten.", "Rain hammers the pier."),
    ("INT. TICKET OFFICE - LATER", "JOSEF", "I can sell you one for tomorrow.", "He counts coins behind the glass."),
    ("EXT. BREAKWATER - DAWN", "MARA", "How long did you keep the light?", "They walk out along the stones."),
]  # fmt: skip


def test_a_screenplay_is_told_to_be_no_rulebook_and_becomes_lore(tmp_path: Path) -> None:
    sheet = Sheet((400, 600))
    sheet.text("THE LAST FERRY", BOLD, 20, after=20)
    for scene, who, line, action in SCENES * 2:
        sheet.text(scene, BOLD, 12, after=6)
        for words in (action, who, line):
            sheet.text(words, size=11, after=6)
    reading = Reading(sheet.save(tmp_path / "book.pdf"), tmp_path / "out")
    report = reading.again(pack_id="book", name="The Last Ferry")
    assert NO_RULEBOOK in report.validation.warnings and report.validation.ok
    assert report.system == "" and "Rain hammers the pier." in whole_text(report)


def test_a_chapter_of_creatures_without_one_fails_the_check(tmp_path: Path) -> None:
    sheet = Sheet((400, 600))
    said = "Roll 2d6 and add your skill; on nine or more you do what you tried to do."
    for title in ("Rolling Dice", "Monsters"):
        sheet.text(title, BOLD, 20, after=12)
        sheet.text(said)
    for title in ("Why they come", "How they think", "When they leave"):
        sheet.text(title, BOLD, 14, after=8)
        sheet.text(said)
    reading = Reading(sheet.save(tmp_path / "book.pdf"), tmp_path / "out")
    report = reading.again(pack_id="book", name="Book", systems=False, draft=True)
    wrong = "the chapter 'Monsters' announces creatures, and none was found"
    (error,) = report.validation.errors
    assert not report.validation.ok and error.startswith(wrong) and "pack install" in error
    review = (Path(report.path) / "REVIEW_NEEDED.md").read_text(encoding="utf-8")
    told = [line for line in review.splitlines() if line]
    assert told[1:3] == ["## Errors of the check", f"- [ ] {error}"]
    assert review.index(wrong) < review.index("## Licence")
