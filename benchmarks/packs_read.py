"""How long reading, checking and installing a pack takes, by its number of files. Prints a table and JSON."""

import json
import sys
import tempfile
import time
from pathlib import Path

from freeform.packs.folder.check import validate_pack
from freeform.packs.folder.files import digest_of, list_files
from freeform.packs.folder.load import load_pack
from freeform.packs.model import Findings
from freeform.packs.shelf import PackShelf

HEAD = "---\nid: n{n}\ntype: npc\ntags: [a, b]\naliases: [Person {n}]\nrelated_entities: [n{other}, n{next}]\n---\n\n"
BODY = "# Name {n}\n\n{prose}\n\n## Knows\n\n- {prose}\n\n## Withholds\n\n{prose}\n"


def make_pack(root: Path, count: int) -> Path:
    """A pack of so many people who know each other."""
    (root / "npcs").mkdir(parents=True)
    manifest = "id: big\nname: Big\nversion: 1.0.0\nlayer: setting\nlicense: {type: cc-by}\n"
    (root / "pack.yaml").write_text(manifest)
    for n in range(count):
        prose = f"What people say of [[n{(n + 1) % count}]], and what is true. " * 6
        text = (HEAD + BODY).format(n=n, other=n * 7 % count, next=(n + 1) % count, prose=prose)
        (root / "npcs" / f"n{n}.md").write_text(text)
    return root


def measure(count: int) -> dict[str, float]:
    """Seconds on the wall and of the processor for each kind of work."""
    row: dict[str, float] = {"files": count}
    with tempfile.TemporaryDirectory() as folder:
        root = make_pack(Path(folder) / "big", count)
        for name, work in (
            ("load", lambda: load_pack(root)),
            ("validate", lambda: validate_pack(root)),
            ("digest", lambda: digest_of(list_files(root, Findings()))),
            ("install", lambda: PackShelf(Path(folder) / "home").install(root)),
        ):
            wall, cpu = time.perf_counter(), time.process_time()
            work()
            row[f"{name}_s"] = round(time.perf_counter() - wall, 2)
            row[f"{name}_cpu_s"] = round(time.process_time() - cpu, 2)
    return row


def main() -> None:
    rows = [measure(count) for count in map(int, sys.argv[1:] or ["100", "1000", "5000"])]
    print("  ".join(f"{name:>14}" for name in rows[0]))
    for row in rows:
        print("  ".join(f"{value:>14}" for value in row.values()))
    print(json.dumps(rows))


if __name__ == "__main__":
    main()
