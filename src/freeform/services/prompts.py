"""Prompts: every version of the words we send to models, and which one a campaign uses."""

from difflib import unified_diff
from pathlib import Path

from freeform.core.llm.prompts import Prompt, with_own
from freeform.core.record import Record
from freeform.engine.campaign.prompt_pins import pin
from freeform.services.house import House


class PromptRow(Record):
    """A prompt with its versions."""

    id: str
    versions: list[int]
    newest: str


class PromptDiff(Record):
    """What changed between two versions of a prompt."""

    id: str
    v1: int
    v2: int
    same: bool
    diff: list[str]


def list_prompts(home: Path) -> list[PromptRow]:
    """Every prompt with its versions."""
    registry = with_own(home)
    rows: list[PromptRow] = []
    for id in registry.ids():
        newest = registry.get(id).label
        rows.append(PromptRow(id=id, versions=registry.versions(id), newest=newest))
    return rows


def show_prompt(home: Path, id: str, version: int | None = None) -> Prompt:
    """A prompt's words: of that version, else of the newest."""
    return with_own(home).get(id, version)


async def pin_prompt(house: House, campaign: str, id: str, version: int) -> dict[str, int]:
    """Makes a campaign use one version from now on; all that it holds to."""
    with_own(house.settings.home).get(id, version)  # or NotFound
    return await pin(campaign, id, version, house.table)


def diff_prompts(home: Path, id: str, v1: int, v2: int) -> PromptDiff:
    """What changed between two versions of a prompt."""
    old, new = show_prompt(home, id, v1), show_prompt(home, id, v2)
    lines = unified_diff(_lines(old), _lines(new), old.label, new.label, lineterm="")
    return PromptDiff(id=id, v1=v1, v2=v2, same=old.digest == new.digest, diff=list(lines))


def _lines(prompt: Prompt) -> list[str]:
    return f"{prompt.system}\n---\n{prompt.words}".splitlines()
