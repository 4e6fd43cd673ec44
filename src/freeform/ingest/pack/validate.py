"""Stage 7: is the pack whole, can it be installed, and does a search find what the book says is in
it?"""

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from freeform.core.clock import Clock
from freeform.core.errors import FreeformError
from freeform.core.record import Record
from freeform.core.text import plain_form, words_in
from freeform.ingest.config import PackCheck
from freeform.ingest.model import Chapter, DocumentStructure
from freeform.ingest.pack.questions import BookQuestion
from freeform.ingest.ports import Progress
from freeform.ingest.things.catalogue.find import FoundCatalogue
from freeform.ingest.things.found import EntityRegistry
from freeform.ingest.things.kinds import Kind, announces_many
from freeform.packs.folder.check import validate_pack
from freeform.packs.overlay import overlay
from freeform.packs.shelf import PackShelf
from freeform.retrieval.documents import documents_of
from freeform.retrieval.indexing import index_documents
from freeform.retrieval.lore import LoreRetriever
from freeform.retrieval.model import GM, LoreRetrievalQuery, Passage
from freeform.retrieval.ports import PassageIndex
from freeform.retrieval.search import Search

NEAR = 1
"""Pages a found passage may lie beside the one the index prints: an entry begins before the word
does."""
AMONG = 5
POOR = 0.6
MANY = 8
FEW = 3
"""Entries of an unnamed catalogue that a person should hear of."""


class QuestionPut(Record):
    """A question that was put, and how it went. `place` is the rank of the first right passage, 0
    for none."""

    words: str
    sort: str
    page: int
    place: int
    found: str = ""


NO_RULEBOOK = (
    "the book says nothing of dice, rolls or numbers to reach: it is no rulebook, and the pack "
    "holds what it tells as lore, without rules to play by"
)


def understanding_warnings(
    catalogues: Sequence[FoundCatalogue], structure: DocumentStructure, registry: EntityRegistry
) -> list[str]:
    """What the ingest likely did not understand: entries alike without a kind, and chapters that
    announce powers or items of which none was found."""
    told = []
    for each in catalogues:
        if each.kind is None and each.shape != "rows" and len(each.entries) >= MANY:
            labels = ", ".join(field.label for field in each.fields[:4])
            shared = f"the labels {labels}" if labels else "a shape"
            told.append(
                f"{len(each.entries)} entries share {shared} but have no kind "
                f"(under '{each.under}', from page {each.entries[0].page})"
            )
    counts = registry.counts()
    for chapter, kind in _announced(structure):
        if not counts.get(kind) and not _is_sure(chapter, kind):
            told.append(_in_vain(chapter, kind))
    return told


def understanding_errors(structure: DocumentStructure, registry: EntityRegistry) -> list[str]:
    """What the ingest plainly did not understand: a chapter of creatures of which none was
    found."""
    if registry.counts().get("creature"):
        return []
    way_out = (
        "say in the Library what its lists hold; where it only speaks of them, put the pack on the"
        " shelf as it is with `freeform-rpg pack install`"
    )
    return [
        f"{_in_vain(chapter, kind)}; {way_out}"
        for chapter, kind in _announced(structure)
        if _is_sure(chapter, kind)
    ]


def _announced(structure: DocumentStructure) -> list[tuple[Chapter, Kind]]:
    """The chapters whose title says that creatures, powers or items follow."""
    titled = [(chapter, announces_many(chapter.title)) for chapter in structure.chapters]
    return [(c, kind) for c, kind in titled if kind in ("creature", "spell", "item")]


def _is_sure(chapter: Chapter, kind: Kind) -> bool:
    """Whether it must hold some: creatures, and nothing else in its title, with sections of its
    own. Advice on running them is called something more."""
    return kind == "creature" and words_in(chapter.title) == 1 and len(chapter.children) >= FEW


def _in_vain(chapter: Chapter, kind: Kind) -> str:
    return f"the chapter '{chapter.title}' announces {kind}s, and none was found"


async def validate(
    pack: Path,
    questions: Sequence[BookQuestion],
    scratch: Path,
    index: PassageIndex,
    clock: Clock,
    progress: Progress,
) -> tuple[PackCheck, list[QuestionPut]]:
    """Structure, installation, retrieval: what is wrong, what is doubtful, and the figures."""
    found = validate_pack(pack)
    errors = [str(problem) for problem in found.errors]
    warnings = [str(problem) for problem in found.warnings]
    stats: dict[str, float] = {}
    try:
        done = PackShelf(scratch).install(pack)
    except FreeformError as wrong:
        return PackCheck(
            ok=False, errors=[*errors, f"installation: {wrong}"], warnings=warnings
        ), []
    shelf = PackShelf(scratch)
    world = overlay([shelf.load(shelf.find(done.id))])
    indexed = await index_documents(documents_of(world), done.id, index, clock)
    stats |= {"entries": done.entries, "passages": indexed.chunks, "tokens": indexed.tokens}
    if not indexed.chunks:
        errors.append("retrieval: the pack has no text to search; look at the pages of stage 1")
    asked = await _ask(questions, LoreRetriever(Search(index, clock)), progress)
    for sort, rate in _rates(asked).items():
        stats[f"found_{sort}"] = rate
        if rate < POOR:
            missed = next(one.words for one in asked if one.sort == sort and not one.place)
            warnings.append(
                f"retrieval: {rate:.0%} of the questions from the book's {sort} are answered among the first {AMONG}; "
                f"for example '{missed}' is not"
            )
    return PackCheck(ok=not errors, errors=errors, warnings=warnings, stats=stats), asked


async def _ask(
    questions: Sequence[BookQuestion], reader: LoreRetriever, progress: Progress
) -> list[QuestionPut]:
    asked: list[QuestionPut] = []
    for number, question in enumerate(questions):
        result = await reader.query(
            LoreRetrievalQuery(keywords=question.words, k=AMONG, max_tokens=6000), viewer=GM
        )
        right = [
            n for n, passage in enumerate(result.chunks, start=1) if _answers(passage, question)
        ]
        first = result.chunks[0].metadata.get("section_path", "") if result.chunks else ""
        asked.append(
            QuestionPut(
                words=question.words,
                sort=question.sort,
                page=question.page,
                place=right[0] if right else 0,
                found=str(first),
            )
        )
        if number % 20 == 19 or number + 1 == len(questions):
            progress(number + 1, len(questions))
    return asked


def _answers(passage: Passage, question: BookQuestion) -> bool:
    page = int(passage.metadata.get("page") or 0)
    if question.title and plain_form(question.title) in plain_form(
        str(passage.metadata.get("section_path", ""))
    ):
        return True
    return bool(page) and abs(page - question.page) <= NEAR


def _rates(asked: Sequence[QuestionPut]) -> dict[str, float]:
    groups: dict[str, list[QuestionPut]] = defaultdict(list)
    for one in asked:
        groups[one.sort].append(one)
    return {
        sort: round(sum(1 for one in group if one.place) / len(group), 3)
        for sort, group in groups.items()
    }
