"""Reads public retrieval collections: sections of a rulebook with see-also gold, Cranfield,
Vaswani."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

from pydantic import Field

from freeform.core.errors import NotFound
from freeform.core.record import Record
from freeform.retrieval.model import Document, DocumentSection

SETS = ("seealso", "cranfield", "vaswani")


class TestQuery(Record):
    """A question, the ids that answer it, and ids that do not count."""

    number: int
    text: str
    relevant: list[str]
    exclude: list[str] = Field(default_factory=list)


class TestSet(Record):
    """A collection with questions."""

    name: str
    documents: list[Document]
    queries: list[TestQuery]


def read_sets(data: Path) -> Iterator[TestSet]:
    """Every collection found in the folder. NotFound when there is none."""
    readers = {
        "seealso": (data / "seealso_srd52.json", _seealso),
        "cranfield": (data / "cranfield", _cranfield),
        "vaswani": (data / "vaswani", _vaswani),
    }
    present = {name: (place, read) for name, (place, read) in readers.items() if place.exists()}
    if not present:
        raise NotFound(
            f"no retrieval collection in {data}; put seealso_srd52.json, cranfield/ or vaswani/ there"
        )
    for place, read in present.values():
        yield read(place)


def _document(name: str, id: str, title: str, text: str) -> Document:
    section = DocumentSection(path=title or id, heading=title, level=1, text=text)
    return Document(
        pack_id=name, id=id, type="history", name=title, file_path=id, sections=[section]
    )


def _seealso(file: Path) -> TestSet:
    raw = json.loads(file.read_text(encoding="utf-8"))
    documents = [
        _document("seealso", str(s["id"]), s["heading"], s["text"]) for s in raw["sections"]
    ]
    queries = [
        TestQuery(
            number=number,
            text=f"{q['title']}. {q['body']}",
            relevant=[str(id) for id in q["relevant"]],
            exclude=[str(id) for id in q["exclude"]],
        )
        for number, q in enumerate(raw["queries"], start=1)
    ]
    return TestSet(name="seealso", documents=documents, queries=queries)


def _cranfield(folder: Path) -> TestSet:
    documents = []
    for id, fields in _marked(folder / "cran.all.1400"):
        title = " ".join(fields.get(".T", "").split())
        text = " ".join(fields.get(".W", "").split())
        documents.append(
            _document("cranfield", id, title, text.removeprefix(title).strip() or title)
        )
    gold: dict[int, list[str]] = {}
    for line in (folder / "cranqrel.correct").read_text(encoding="utf-8").splitlines():
        number, _, id, grade = line.split()
        if int(grade) > 0:
            gold.setdefault(int(number), []).append(id)
    # The judgements count the queries in order; the numbers printed in the query file have gaps.
    asked = enumerate(_marked(folder / "cran.qry"), start=1)
    queries = [
        TestQuery(number=number, text=" ".join(fields[".W"].split()), relevant=gold[number])
        for number, (_, fields) in asked
        if number in gold
    ]
    return TestSet(name="cranfield", documents=documents, queries=queries)


def _marked(file: Path) -> Iterator[tuple[str, dict[str, str]]]:
    """Records of lines under marks: `.I` begins one, `.T`, `.A`, `.B`, `.W` are its fields."""
    for part in re.split(r"^\.I ", file.read_text(encoding="utf-8", errors="replace"), flags=re.M)[
        1:
    ]:
        id, _, body = part.partition("\n")
        pieces = re.split(r"^(\.[TABW])[ \t]*\n", body, flags=re.M)
        yield id.strip(), dict(zip(pieces[1::2], pieces[2::2], strict=True))


def _vaswani(folder: Path) -> TestSet:
    text = (folder / "corpus" / "doc-text.trec").read_text(encoding="utf-8", errors="replace")
    found = re.findall(r"<DOC>\s*<DOCNO>\s*(\S+?)\s*</DOCNO>(.*?)</DOC>", text, flags=re.S)
    documents = [_document("vaswani", id, "", " ".join(body.split())) for id, body in found]
    gold: dict[int, list[str]] = {}
    for line in (folder / "qrels").read_text(encoding="utf-8").splitlines():
        number, _, id, grade = line.split()
        if int(grade) > 0:
            gold.setdefault(int(number), []).append(id)
    asked = (folder / "query-text.trec").read_text(encoding="utf-8")
    queries = [
        TestQuery(
            number=int(number), text=" ".join(words.split()).lower(), relevant=gold[int(number)]
        )
        for number, words in re.findall(
            r"<num>\s*(\d+)\s*</num>\s*<title>(.*?)</title>", asked, flags=re.S
        )
        if int(number) in gold
    ]
    return TestSet(name="vaswani", documents=documents, queries=queries)
