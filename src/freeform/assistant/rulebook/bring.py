"""READ THIS FIRST for rulebooks: the SRD as people have it becomes a rulebook pack in one step.

5e-database JSON ── json_book ─┐
HTML ── blocks ── text_book ───┼── Book ── write ──> a pack: one file for each thing, with edition
and licence
Markdown ── blocks ─┘          │
"""

import json
import re
from pathlib import Path
from typing import Any

from freeform.assistant.rulebook.blocks import BookBlock, blocks_of_html, blocks_of_markdown
from freeform.assistant.rulebook.json_book import json_files, read_json_book
from freeform.assistant.rulebook.model import ATTRIBUTION, FOLDERS, KINDS, Book, Edition, RuleEntry
from freeform.assistant.rulebook.text_book import entries_of
from freeform.assistant.rulebook.words import kept
from freeform.core.errors import BadFile, UserError
from freeform.core.text import slug
from freeform.packs.folder.build import write_folder
from freeform.packs.folder.files import Unreadable, decode_gently
from freeform.packs.folder.manifest import write_manifest
from freeform.packs.model import ContentPackManifest, License

_MARK = re.compile(r"System Reference Document|\bSRD ?5|5e[- ]SRD", re.I)
_NEWER = re.compile(r"(System Reference Document|SRD) ?(v?5\.2)", re.I)
_TITLES = ("Armor Class", "Hit Points", "Casting Time", "Saving Throw")
MOST = 64 * 1024 * 1024
_VERSION = {"5.1": "5.1.0", "5.2": "5.2.0"}


def kind_of_rulebook(path: Path) -> str:
    """`json`, `html` or `markdown` where there is a rulebook of the fifth edition; '' otherwise."""
    if path.is_dir():
        if (path / "pack.yaml").is_file():
            return ""
        if any(path.glob("**/5e-SRD-*.json")) or (any(path.glob("*.json")) and json_files(path)):
            return "json"
        texts = _markdown_files(path)
        heads = "".join(_text(file)[:20_000] for file in texts[:40])
        return "markdown" if texts and _MARK.search(heads) and _looks_like_rules(heads) else ""
    if not path.is_file() or path.stat().st_size > MOST:
        return ""
    head = path.read_bytes()[:4096].lstrip()
    if head[:1] == b"[" and path.suffix.lower() == ".json":
        return "json" if json_files(path) else ""
    if head[:1] == b"<" or path.suffix.lower() in (".html", ".htm"):
        return "html" if _looks_like_rules(_text(path)) else ""
    if path.suffix.lower() in (".md", ".markdown", ".txt"):
        text = _text(path)
        return "markdown" if _MARK.search(text) and _looks_like_rules(text) else ""
    return ""


def _looks_like_rules(text: str) -> bool:
    return sum(title in text for title in _TITLES) >= 2


def _markdown_files(path: Path) -> list[Path]:
    return sorted(f for f in path.glob("**/*.md") if not f.name.lower().startswith("readme"))[:2000]


def _text(path: Path) -> str:
    try:
        return decode_gently(path.read_bytes())[0]
    except (OSError, Unreadable):
        return ""


def read_rulebook(path: Path) -> Book:
    """The book in a file or folder. BadFile when there is none."""
    kind = kind_of_rulebook(path)
    if kind == "json":
        book = read_json_book(path)
    elif kind == "html":
        book = _of_text(blocks_of_html(_text(path)), _text(path), "HTML")
    elif kind == "markdown":
        files = _markdown_files(path) if path.is_dir() else [path]
        texts = [_text(file) for file in files]
        blocks = [block for text in texts for block in blocks_of_markdown(text)]
        book = _of_text(blocks, "\n".join(texts), "Markdown")
    else:
        raise BadFile(
            str(path), "no rulebook we know: give the SRD as 5e-database JSON, HTML or Markdown"
        )
    if len(book.entries) < 1:
        raise BadFile(str(path), "the rulebook has no entries; download it again")
    return book


def _of_text(blocks: list[BookBlock], text: str, source: str) -> Book:
    edition: Edition = "5.2" if _NEWER.search(text) else "5.1"
    ogl = "Open Gaming License" in text and "Creative Commons" not in text
    entries = entries_of(blocks)
    bare = sum(entry.kind == "spell" and not entry.data.get("classes") for entry in entries)
    return Book(
        name=f"SRD {edition}",
        edition=edition,
        entries=entries,
        notes=[
            f"{bare} spells stand on no class's list in this copy; 5e-database's JSON has them all"
        ]
        if bare
        else [],
        source=source,
        license="ogl" if ogl else "cc-by",
        attribution="Open Game Content of the System Reference Document 5, under the Open Gaming License 1.0a."
        if ogl
        else "",
    )


def manifest_of(book: Book, pack_id: str = "", name: str = "") -> ContentPackManifest:
    """The pack's page: whose rules these are, of which edition, under what terms."""
    return ContentPackManifest(
        id=pack_id or f"srd_{book.edition.replace('.', '_')}",
        name=name or f"{book.name} (rules)",
        version=_VERSION[book.edition],
        genre="rules",
        layer="core",
        license=License(
            type=book.license,
            publisher="Wizards of the Coast LLC",
            attribution=book.attribution or ATTRIBUTION[book.edition],
        ),
        description=f"The rules of the fifth edition ({book.edition}), brought in from {book.source}.",
        system="dnd5e",
        tags=["rulebook", "dnd5e", book.edition],
        extra={"edition": book.edition, "rulebook": True},
    )


def write_rulebook(book: Book, folder: Path, pack_id: str = "", name: str = "") -> Path:
    """The pack's folder inside `folder`, whole or not at all."""
    manifest = manifest_of(book, pack_id, name)
    files = {"pack.yaml": write_manifest(manifest)}
    taken: set[str] = set()
    for entry in book.entries:
        local = _free_id(entry, taken)
        files[f"{FOLDERS.get(entry.kind, 'rules')}/{local}.md"] = entry_file(
            entry, local, book.edition
        )
    target = folder / manifest.id
    try:
        write_folder(target, files)
    except OSError as wrong:
        why = wrong.strerror or type(wrong).__name__
        raise UserError(
            f"the rulebook could not be written to {target}: {why}; make room"
        ) from None
    return target


def _free_id(entry: RuleEntry, taken: set[str]) -> str:
    """By name; a namesake takes its kind or its class along."""
    owner = str(entry.data.get("subclass") or entry.data.get("class") or "")
    base = slug(entry.name)[:90] or "entry"
    choices = [base, f"{base}_{entry.kind}", *([f"{base}_{slug(owner)}"] if owner else []),
               f"{base}_{slug(entry.path.rpartition(' > ')[0].rpartition(' > ')[2])}"[:120]]  # fmt: skip
    local = next((c for c in choices if c not in taken and not c.endswith("_")), "")
    count = 2
    while not local:
        local = f"{base}_{count}" if f"{base}_{count}" not in taken else ""
        count += 1
    taken.add(local)
    return local


def entry_file(entry: RuleEntry, local: str, edition: str) -> str:
    """The Markdown file of an entry: our frontmatter, its title, its text."""
    front = kept(
        id=local,
        type=KINDS.get(entry.kind, "culture"),
        name=entry.name,
        aliases=[a for a in dict.fromkeys(entry.aliases) if a and a != entry.name],
        tags=list(dict.fromkeys([*filter(None, entry.tags), edition])),
        extra={"kind": entry.kind, "edition": edition, **entry.data, **kept(path=entry.path)},
    )
    body = re.sub(r"(?m)^# ", "## ", entry.body)
    return f"---\n{_front(front)}---\n# {entry.name}\n\n{body.strip()}\n"


def _front(fields: dict[str, Any], indent: str = "") -> str:
    """The head of a file. JSON values are YAML too, and ten times quicker to write than by a YAML
    library."""
    lines = []
    for key, value in fields.items():
        if key == "extra":
            lines.append(f"extra:\n{_front(value, '  ')}")
        else:
            lines.append(f"{indent}{key}: {json.dumps(value, ensure_ascii=False)}\n")
    return "".join(lines)
