"""The words we send: one file per prompt and version, with a digest; versions can be pinned per
campaign.

A prompt is `prompts/<domain>/<name>_v<N>.md`: the system text, a line `---`, then the words with
`{{ name }}` where an input field goes. A missing or an unused name is an error. A shipped file
never changes: `digests.json` beside the folders holds the digest of each, and a test compares.
"""

import hashlib
import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from freeform.core.errors import BadFile, NotFound
from freeform.core.record import Record

_SLOT = re.compile(r"\{\{\s*(\w+)\s*\}\}")
_FENCE = re.compile(r"^<(\w+)>$", re.M)
_NAME = re.compile(r"(?P<name>\w+)_v(?P<version>\d+)\.md")


class Prompt(Record):
    """One version of one prompt.

    `system` stands before the conversation, `words` is the question.
    """

    id: str
    version: int
    system: str
    words: str
    digest: str

    @property
    def label(self) -> str:
        """How tapes name it: `engine/narrator@0#9f2c41aa`."""
        return f"{self.id}@{self.version}#{self.digest}"

    def render(self, fields: Mapping[str, str]) -> str:
        """The words with the fields in their places; fails on a missing or an unused field."""
        wanted = set(_SLOT.findall(self.words))
        if wanted != set(fields):
            missing, unused = sorted(wanted - set(fields)), sorted(set(fields) - wanted)
            raise BadFile(self.label, f"fields do not fit: missing {missing}, unused {unused}")
        fences = set(_FENCE.findall(self.words))
        return _SLOT.sub(lambda slot: kept_inside(fields[slot[1]], *fences), self.words)

    def render_up_to(self, name: str, fields: Mapping[str, str]) -> str:
        """The same as far as the end of one field; '' where the words have no place for it."""
        place = _slot(name).search(self.words)
        if place is None:
            return ""
        fences = set(_FENCE.findall(self.words))
        head = self.words[: place.end()]
        return _SLOT.sub(lambda slot: kept_inside(fields[slot[1]], *fences), head)


def _slot(name: str) -> re.Pattern[str]:
    return re.compile(rf"\{{\{{\s*{name}\s*\}}\}}")


def kept_inside(text: str, *fences: str) -> str:
    """Words that cannot end the fence they stand in: what looks like one of these tags opens with
    another sign."""
    return (
        re.sub(rf"<(?=\s*/?\s*(?:{'|'.join(fences)})\b)", "‹", text, flags=re.I) if fences else text
    )


class PromptRegistry:
    """All prompts of a folder, by id and version."""

    def __init__(self, folder: Traversable, under: "PromptRegistry | None" = None) -> None:
        """`under`: prompts that this folder's stand beside, as further versions."""
        shipped: dict[str, dict[int, Prompt]] = under._prompts if under else {}
        self._prompts: dict[str, dict[int, Prompt]] = {
            id: dict(versions) for id, versions in shipped.items()
        }
        for domain in sorted(folder.iterdir(), key=lambda entry: entry.name):
            if domain.is_dir() and not domain.name.startswith(("_", ".")):
                for file in domain.iterdir():
                    named = _NAME.fullmatch(file.name)
                    if named:
                        self._add(f"{domain.name}/{named['name']}", int(named["version"]), file)

    def _add(self, id: str, version: int, file: Traversable) -> None:
        if version in self._prompts.get(id, {}):
            last = max(self._prompts[id])
            raise BadFile(
                f"{id}_v{version}.md",
                f"version {version} comes with the program; name yours _v{last + 100}.md",
            )
        text = file.read_text(encoding="utf-8")
        system, _, words = text.partition("\n---\n")
        if not words.strip():
            raise BadFile(
                f"{id}_v{version}.md", "a prompt is its system text, a line `---`, then its words"
            )
        digest = hashlib.sha256(text.encode()).hexdigest()[:12]
        prompt = Prompt(
            id=id, version=version, system=system.strip(), words=words.strip(), digest=digest
        )
        self._prompts.setdefault(id, {})[version] = prompt

    def ids(self) -> list[str]:
        """Every prompt's id."""
        return sorted(self._prompts)

    def versions(self, id: str) -> list[int]:
        """The versions of a prompt, oldest first."""
        if id not in self._prompts:
            raise NotFound(f"no prompt '{id}'; there are: {', '.join(self.ids())}")
        return sorted(self._prompts[id])

    def get(self, id: str, version: int | None = None) -> Prompt:
        """That version, or the newest."""
        versions = self.versions(id)
        wanted = versions[-1] if version is None else version
        if wanted not in versions:
            raise NotFound(
                f"prompt '{id}' has no version {wanted}; it has {', '.join(map(str, versions))}"
            )
        return self._prompts[id][wanted]


def with_own(home: Path) -> PromptRegistry:
    """The program's prompts, and a person's own beside them, from `<home>/prompts`."""
    folder = home / "prompts"
    return PromptRegistry(folder, bundled()) if folder.is_dir() else bundled()


@cache
def bundled() -> PromptRegistry:
    """The prompts that come with the program."""
    return PromptRegistry(files("freeform") / "prompts")
