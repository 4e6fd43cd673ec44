"""Keeps whole runs of the real thing anew, as tests/snapshots compares them.

    python scripts/record_snapshots.py             all of them
    python scripts/record_snapshots.py NAME …      these

Read what `git diff tests/snapshots/kept` shows before you commit it: from then on it must come out this way. What is kept
must hold on any processor: `PLAIN_KERNELS=1 python -m pytest tests/snapshots` as well.
"""

import asyncio
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from tests.snapshots.keeping import file_of, written  # noqa: E402
from tests.snapshots.scenes import SCENES  # noqa: E402


def main() -> None:
    """Records those that are named, or all."""
    for name in sys.argv[1:] or SCENES:
        began = time.process_time()
        with tempfile.TemporaryDirectory() as folder:
            text = written(asyncio.run(SCENES[name](Path(folder))))
        file_of(name).write_text(text, encoding="utf-8")
        spent = time.process_time() - began
        print(f"{file_of(name).relative_to(ROOT)}: {len(text) / 1000:.0f} KB, {spent:.1f} s")


if __name__ == "__main__":
    main()
