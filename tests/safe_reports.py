"""A failure is always told: pytest's reports without a fault of Python that would end the whole run.

To show the source of a traceback pytest parses it. While Python (3.11, 3.12) builds a syntax tree it counts its depth in
one place for the whole process; when the garbage collector runs in the middle and a finaliser parses something too
(asyncio tells of a task that was destroyed, with a traceback, whose marks are found by parsing), the count is wrong and
`SystemError: AST constructor recursion depth mismatch` is raised. See github.com/python/cpython/issues/106905.
"""

import gc
import traceback
from collections.abc import Generator

import pytest


def told_safely(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """The report of one phase of a test: made without garbage collection, and plainly if that does not help."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        return (yield)
    except SystemError:
        # Another thread parsed in the meantime. `traceback` needs no tree but for its marks, and goes without.
        excinfo = call.excinfo
        assert excinfo is not None, "only a failure is shown with its source"
        whole = traceback.format_exception(excinfo.type, excinfo.value, excinfo.tb)
        call = pytest.CallInfo.from_call(lambda: None, call.when)
        report = pytest.TestReport.from_item_and_call(item, call)
        report.outcome, report.longrepr = "failed", "".join(whole)
        return report
    finally:
        if collecting:
            gc.enable()
