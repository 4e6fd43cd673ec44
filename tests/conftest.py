"""What all tests share: where the data lies, and that a skip is a failure where everything is wanted."""

# First: what is imported before it is not measured.
from tests.measured import MEASURE

# isort: split
import os
from collections.abc import Generator, Iterator
from pathlib import Path
from tempfile import mkdtemp

import pytest
from hypothesis import settings

from freeform.core.gc_tuning import collect_seldom, set_aside
from tests.plain_kernels import PLAIN_KERNELS, hold_plain
from tests.postgres_server import PostgresServer, emptied
from tests.rabbit_server import RabbitServer
from tests.safe_reports import told_safely

ROOT = Path(__file__).parents[1]
REQUIRE_ALL = os.environ.get("REQUIRE_ALL") == "1"

# Nobody here speaks TLS, but each HTTP client reads all the machine's certificates first: 40 ms, hundreds of times.
os.environ["SSL_CERT_FILE"] = str(Path(__file__).with_name("nobody.pem"))

# No test is timed: machines are noisy. Speed is measured in benchmarks/. And none hangs on luck: the same examples
# are tried on every machine.
settings.register_profile("steady", deadline=None, derandomize=True)
settings.load_profile("steady")

# As the program itself does: going through all that was imported for garbage took a twelfth of the tests' time.
collect_seldom()

if PLAIN_KERNELS:
    hold_plain()


def pytest_configure(config: pytest.Config) -> None:
    """What is reached is measured where it is wanted; a long file that moved is named anew above."""
    assert all((ROOT / "tests" / name).is_file() for name in LONGEST_FILES)
    if MEASURE:
        config.pluginmanager.register(MEASURE)


def pytest_collection_finish() -> None:
    """Modules and tests stay for good."""
    set_aside()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Telling of a failure never breaks the run; where everything is wanted (CI), a skipped test is a failed one."""
    report = yield from told_safely(item, call)
    if REQUIRE_ALL and report.skipped and not hasattr(report, "wasxfail"):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr
        report.outcome = "failed"
        report.longrepr = f"REQUIRE_ALL=1 and this test was skipped. {reason}"
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """The same for a whole file that skips itself."""
    report = yield
    if REQUIRE_ALL and report.skipped:
        report.outcome = "failed"
        report.longrepr = f"REQUIRE_ALL=1 and {collector.nodeid} was skipped. {report.longrepr}"
    return report


LONGEST_FILES = (
    "web/test_screens.py",
    "adapters/models/test_gguf.py",
    "services/test_answers.py",
    "apps/test_table.py",
)
"""A minute or more each, the longest first: one that comes last keeps a worker busy while the others have ended."""
LONGEST_FOLDERS = (
    "web",
    "apps",
    "players",
    "retrieval",
    "contracts",
    "evals",
    "adapters",
    "lore",
    "assistant",
    "content",
    "ingest",
)
"""In the order of how long their files take."""


def place_of(item: pytest.Item) -> tuple[int, int]:
    """When a test's file is due: the longest files, then the folders of long ones, then the rest as it was found."""
    if not item.path.is_relative_to(ROOT / "tests"):
        return len(LONGEST_FILES), len(LONGEST_FOLDERS)
    file = item.path.relative_to(ROOT / "tests")
    name, folder = file.as_posix(), file.parts[0]
    first = LONGEST_FILES.index(name) if name in LONGEST_FILES else len(LONGEST_FILES)
    then = LONGEST_FOLDERS.index(folder) if folder in LONGEST_FOLDERS else len(LONGEST_FOLDERS)
    return first, then


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The longest come first, so that all workers end at about the same time.

    xdist would sort files by how many tests they hold, and so keep one test of half a minute for the end.
    """
    items.sort(key=place_of)


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder of shared test data; a test that wants it skips where it is absent."""
    folder = Path(os.environ.get("FREEFORM_DATA") or ROOT.parent / "shared" / "data")
    if not folder.is_dir():
        pytest.skip("no data folder: set FREEFORM_DATA to run this test")
    return folder


@pytest.fixture(scope="session")
def rabbit(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RabbitServer]:
    """A real RabbitMQ, started once; a test that stops it starts it again."""
    server = RabbitServer(tmp_path_factory.mktemp("rabbit"))
    yield server
    server.close()


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[PostgresServer]:
    """A real Postgres, started once; a test that stops it starts it again."""
    server = PostgresServer(Path(mkdtemp(prefix="freeform-postgres-")))
    yield server
    server.close()


@pytest.fixture(scope="session")
def _postgres_database(postgres_server: PostgresServer) -> str:
    return postgres_server.new_database("freeform")


@pytest.fixture
def postgres(_postgres_database: str) -> str:
    """The address of a database with nothing of ours in it but empty tables."""
    emptied(_postgres_database)
    return _postgres_database
