"""Binds a book's flow of blocks into sections and chapters, and writes them as they close."""

from collections.abc import Sequence
from pathlib import Path

from freeform.core.text import slug
from freeform.ingest.model import Block, BookSection, Chapter, ChapterIntent, SectionNode
from freeform.ingest.structure.intents import intent_of, is_meta

FRONT = "Front matter"


class Binder:
    """Takes blocks in order. One chapter is held at a time."""

    def __init__(self, out: Path, chapter_level: int) -> None:
        self.out, self.chapter_level = out, chapter_level
        (out / "chapters").mkdir(parents=True, exist_ok=True)
        self.rows = (out / "sections.jsonl").open("w", encoding="utf-8")
        self.chapters: list[Chapter] = []
        self.open: list[tuple[Block | None, list[Block]]] = []
        self.sections = 0

    def add(self, block: Block) -> None:
        """The next block of the book."""
        if block.kind == "heading":
            if block.level <= self.chapter_level and self.open:
                self._close_chapter()
            self.open.append((block, []))
        else:
            if not self.open:
                self.open.append((None, []))
            self.open[-1][1].append(block)

    def close(self) -> tuple[Chapter, ...]:
        """The end of the book: all chapters."""
        if self.open:
            self._close_chapter()
        self.rows.close()
        return tuple(self.chapters)

    def _close_chapter(self) -> None:
        head, _ = self.open[0]
        title = head.text if head else FRONT
        number = len(self.chapters) + 1
        chapter_id = f"ch{number:02}-{slug(title)[:40] or 'untitled'}"
        blocks = [block for _, own in self.open for block in own]
        intent, sure = intent_of(title, blocks)
        if head is None and not self.chapters and sure < 0.6:
            intent = (
                ChapterIntent.META if sum(len(block.text) for block in blocks) < 3000 else intent
            )
        sections = self._sections(chapter_id, title, intent)
        for section in sections:
            self.rows.write(section.model_dump_json() + "\n")
        file = f"chapters/{chapter_id}.md"
        (self.out / file).write_text(markdown(sections), encoding="utf-8")
        pages = [page for section in sections for page in (section.page_start, section.page_end)]
        tree = _tree(sections[1:]) if head else _tree(sections)
        self.chapters.append(
            Chapter(
                id=chapter_id,
                title=title,
                level=head.level if head else self.chapter_level,
                page_start=min(pages),
                page_end=max(pages),
                intent=intent,
                intent_confidence=sure,
                word_count=sum(len(block.text.split()) for block in blocks),
                children=tree,
                file=file,
            )
        )
        self.open = []

    def _sections(self, chapter_id: str, title: str, intent: ChapterIntent) -> list[BookSection]:
        sections: list[BookSection] = []
        path: list[tuple[int, str]] = []
        for head, blocks in self.open:
            level = head.level if head else self.chapter_level
            name = head.text if head else title
            path = [(depth, words) for depth, words in path if depth < level]
            path.append((level, name))
            self.sections += 1
            first = head or blocks[0]
            meta = len(path) == 2 and is_meta(name)
            # A letter over a part of a list is no subject of what stands below it.
            above = [words for _, words in path[:-1] if len(words) > 1]
            sections.append(
                BookSection(
                    id=f"s{self.sections:04}-{slug(name)[:40] or 'untitled'}",
                    chapter_id=chapter_id,
                    title=name,
                    level=level,
                    heading_path=(*above, name),
                    page_start=first.page_start,
                    page_end=max([first.page_end, *(block.page_end for block in blocks)]),
                    intent=ChapterIntent.META if meta else intent,
                    blocks=tuple(blocks),
                )
            )
        return sections


def markdown(sections: Sequence[BookSection]) -> str:
    """Sections as a Markdown text, the first one's heading at the top level."""
    top = min((section.level for section in sections), default=1)
    parts: list[str] = []
    for section in sections:
        parts.append("#" * min(6, section.level - top + 1) + " " + section.title)
        parts += [block.text for block in section.blocks]
    return "\n\n".join(parts) + "\n"


def _tree(sections: Sequence[BookSection]) -> tuple[SectionNode, ...]:
    """The sections below a chapter as a tree."""

    def grow(at: int, level: int) -> tuple[list[SectionNode], int]:
        nodes: list[SectionNode] = []
        while at < len(sections) and sections[at].level >= level:
            section = sections[at]
            below, after = grow(at + 1, section.level + 1)
            nodes.append(
                SectionNode(
                    id=section.id,
                    title=section.title,
                    level=section.level,
                    page_start=section.page_start,
                    page_end=max([section.page_end, *(node.page_end for node in below)]),
                    intent=section.intent,
                    word_count=sum(len(block.text.split()) for block in section.blocks),
                    children=tuple(below),
                )
            )
            at = after
        return nodes, at

    nodes, at = grow(0, 0)
    assert at == len(sections)
    return tuple(nodes)
