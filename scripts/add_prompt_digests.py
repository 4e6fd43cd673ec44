"""Adds the digests of new prompt files to prompts/digests.json; a shipped prompt that changed is refused."""

import json
import sys
from pathlib import Path

from freeform.core.llm.prompts import PromptRegistry

FOLDER = Path(__file__).parents[1] / "src" / "freeform" / "prompts"


def main() -> int:
    """0 when the file is now complete; 1 names what must get a new version instead."""
    file = FOLDER / "digests.json"
    shipped: dict[str, str] = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    prompts = PromptRegistry(FOLDER)
    there = {
        f"{id}@{v}": prompts.get(id, v).digest for id in prompts.ids() for v in prompts.versions(id)
    }
    changed = [label for label, digest in shipped.items() if there.get(label) != digest]
    for label in changed:
        print(
            f"{label} was shipped and has changed: put it back and write a file with the next version"
        )
    if not changed:
        for label in sorted(there.keys() - shipped.keys()):
            print(f"added {label}")
        file.write_text(json.dumps(there, indent=2, sort_keys=True) + "\n", encoding="utf-8")
    return bool(changed)


if __name__ == "__main__":
    sys.exit(main())
