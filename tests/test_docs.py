"""The documentation keeps up with the program."""

import re

from freeform.apps.cli.pages import pages
from freeform.settings import Settings
from tests.house import ROOT, none_of


def test_the_generated_pages_are_what_make_docs_writes() -> None:
    written = pages()
    names = ("cli.md", "settings.md")
    assert set(names) <= set(written)
    none_of(
        [
            f"docs/{name} is not as it would be written: run `make docs`"
            for name in names
            if (ROOT / "docs" / name).read_text(encoding="utf-8") != written[name]
        ]
    )


def test_every_setting_is_documented() -> None:
    page = (ROOT / "docs" / "settings.md").read_text(encoding="utf-8")
    assert [name for name in Settings.model_fields if f"`{name}`" not in page] == []


CONTRACT = (
    "scenarios", "new-game", "play", "turn", "state", "context", "show-event", "undo", "redo", "retry",
    "branch", "branches", "switch", "why", "export", "import", "roll", "prompts", "models", "tapes",
    "settings", "doctor", "serve", "mcp",
)  # fmt: skip


def test_every_command_of_the_contract_is_documented() -> None:
    page = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")
    assert [verb for verb in CONTRACT if not re.search(rf"(?m)^## `{verb}\b", page)] == []


def test_every_link_between_pages_leads_somewhere() -> None:
    broken = [
        f"{page.relative_to(ROOT)}: {target}"
        for page in [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8"))
        if not (page.parent / target).exists()
    ]
    assert broken == []
