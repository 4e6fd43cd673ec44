"""A copy of the repository in which scripts/mutants.py runs tests, as they are and with a change."""

import json
import os
import resource
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property, partial
from pathlib import Path
from threading import Lock

from marks import Marker
from reach_map import PLUGIN

ROOT = Path(__file__).parents[1]
SRC = "src/freeform"
PYTEST = ("pytest", "-q", "-p", "no:xdist", "-p", "no:cacheprovider", "--tb=no")
NOT_TRIED = 4
"""For want of time; else what scripts/mutating.py says."""


def limit(seconds: int) -> None:
    """For a process that begins: processor time, since the clock tells little on a busy machine."""
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))


class Workshop:
    """Thrown away when all is done."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        listed = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
        names = subprocess.run(listed, cwd=ROOT, capture_output=True, check=True).stdout
        for name in filter(None, names.decode().split("\0")):
            self._copy(ROOT / name)
        # What Python compiled counts as long as the times of the sources stay: each mutant begins seconds sooner.
        for compiled in (*(ROOT / "src").rglob("*.pyc"), *(ROOT / "tests").rglob("*.pyc")):
            self._copy(compiled)
        data = os.environ.get("FREEFORM_DATA") or str(ROOT.parent / "shared" / "data")
        self._environ = {
            **os.environ,
            "PYTHONPATH": f"{folder / 'src'}:{folder}:{folder / 'scripts'}",
            "FREEFORM_DATA": data,
            "PYTHONDONTWRITEBYTECODE": "1",
        }  # fmt: skip - pairs to read across

    def _copy(self, path: Path) -> None:
        if path.is_file():
            there = self.folder / path.relative_to(ROOT)
            there.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(path, there)

    def run(self, *command: str, seconds: float = 0, **environ: str) -> int:
        """A Python module in the copy; its exit code. `seconds`: of processor time, at most."""
        return subprocess.run(
            [sys.executable, "-m", *command],
            cwd=self.folder,
            env=self._environ | environ,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            preexec_fn=partial(limit, int(seconds)) if seconds else None,
            check=False,
        ).returncode  # fmt: skip - pairs to read across

    def notices(self, file: str, text: str, tests: list[str], seconds: float) -> bool:
        """Whether a test fails with this text in a new process; the file is as it was afterwards, to its time."""
        path = self.folder / file
        old, times = path.read_text(encoding="utf-8"), path.stat()
        path.write_text(text, encoding="utf-8")
        try:
            return self.run(*PYTEST, "-x", *tests, seconds=seconds) != 0
        finally:
            path.write_text(old, encoding="utf-8")
            os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))

    def tried(
        self, mutants: list[dict[str, object]], seconds: float, until: float, jobs: int
    ) -> list[int]:
        """What scripts/mutating.py says of each, in so many processes for all, until a moment of the monotonic clock."""
        answers = [NOT_TRIED] * len(mutants)
        with ThreadPoolExecutor(jobs) as pool:
            runs = [
                pool.submit(self._tried, n, mutants[n::jobs], (seconds, until))
                for n in range(min(jobs, len(mutants)))
            ]
            for number, run in enumerate(runs):
                for place, code in enumerate(run.result()):
                    answers[number + place * jobs] = code
        return answers

    def _tried(
        self, number: int, mutants: list[dict[str, object]], times: tuple[float, float]
    ) -> list[int]:
        job, out = self.folder / f"mutants{number}.json", self.folder / f"tried{number}.jsonl"
        told = {"mutants": mutants, "out": str(out), "seconds": times[0], "until": times[1]}
        job.write_text(json.dumps(told), encoding="utf-8")
        files: set[str] = set()
        for mutant in mutants:
            files |= {str(test).partition("::")[0] for test in mutant["tests"]}  # type: ignore[attr-defined]
        self.run(*PYTEST, "-p", "mutating", *sorted(files), MUTANTS=str(job))
        return [int(line) for line in out.read_text().splitlines()] if out.exists() else []


class Measuring:
    """Runs tests on a copy with marks in it, made when it is first wanted, and writes down which each test sets."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._lock = folder, Lock()

    def __call__(self, tests: list[str], kept: Path) -> None:
        code = self._shop().run(*PYTEST, "-p", "reached_by", *tests, REACHED=str(kept))
        print(f"measured {len(tests)} files in {kept.name}, exit code {code}", flush=True)
        if not kept.exists():
            raise SystemExit(f"the tests in {Path(tests[0]).parent} could not be run")

    def _shop(self) -> Workshop:
        with self._lock:
            return self._made

    @cached_property
    def _made(self) -> Workshop:
        shop = Workshop(self._folder)
        files: list[tuple[str, int]] = []
        first = 0
        for path in sorted((shop.folder / SRC).rglob("*.py")):
            marker = Marker(path.read_text(encoding="utf-8"), first)
            path.write_text(marker.text(), encoding="utf-8")
            files.append((path.relative_to(shop.folder).as_posix(), len(marker.lines)))
            first += len(marker.lines)
        (shop.folder / "reached_by.py").write_text(PLUGIN)
        (shop.folder / "reached_by.json").write_text(json.dumps(files))
        shop.run("compileall", "-q", SRC)
        return shop
