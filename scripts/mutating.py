"""Tries small changes inside one process of pytest: a plugin that scripts/mutants.py starts in its copy.

Starting pytest took most of a mutant's time. Here tests are collected once; for each mutant a child is forked, the code of
the changed function takes the place of the old one, and the tests run there. What is noticed so is noticed. What is not, the
script tries again in a process of its own: what ran while modules were imported cannot be changed any more.
"""

import gc
import inspect
import json
import os
import resource
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

import pytest

NOTICED, SURVIVED, UNCHANGED = 1, 0, 3
WAITING = 20
"""So many times the processor time may pass on the clock: on a busy machine a slow test is no change noticed."""


def pytest_runtestloop(session: pytest.Session) -> bool:
    """Instead of the tests: each mutant with its own, one line about each: what came of it."""
    job = json.loads(Path(os.environ["MUTANTS"]).read_text(encoding="utf-8"))
    items = {item.nodeid: item for item in session.items}
    with Path(job["out"]).open("w", encoding="utf-8") as out:
        for mutant in job["mutants"]:
            if time.monotonic() > job["until"]:
                break
            tests = [items[name] for name in mutant["tests"] if name in items]
            code = in_child(session, mutant, tests, job["seconds"])
            out.write(f"{code}\n")
            out.flush()
    return True


def in_child(
    session: pytest.Session, mutant: dict[str, Any], tests: list[pytest.Item], seconds: float
) -> int:
    """What came of it; a child that takes so much processor time, or hangs, is ended and has noticed."""
    child = os.fork()
    if child == 0:
        os.setsid()
        code = UNCHANGED
        resource.setrlimit(resource.RLIMIT_CPU, (int(seconds), int(seconds)))
        try:
            code = tried(session, mutant, tests)
        finally:
            os._exit(code)
    end = time.monotonic() + seconds * WAITING
    while time.monotonic() < end:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            code = os.waitstatus_to_exitcode(status)
            return code if code >= 0 else NOTICED
        time.sleep(0.02)
    os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return NOTICED


def tried(session: pytest.Session, mutant: dict[str, Any], tests: list[pytest.Item]) -> int:
    """Changes the code and runs the tests up to the first that fails."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    if not tests or not put_in_place(str(Path(mutant["file"]).absolute()), mutant["text"]):
        return UNCHANGED
    for item, following in zip(tests, [*tests[1:], None], strict=True):
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        if session.testsfailed:
            return NOTICED
    return SURVIVED


def put_in_place(file: str, text: str) -> bool:
    """Gives every function of this file the code it has in the new text; whether one differs."""
    new = {(c.co_qualname, c.co_firstlineno): c for c in functions(compile(text, file, "exec"))}
    gc.unfreeze()  # what tests/conftest.py set aside is not listed
    found = False
    for known in gc.get_objects():
        if isinstance(known, FunctionType) and known.__code__.co_filename == file:
            old = known.__code__
            code = new.get((old.co_qualname, old.co_firstlineno), old)
            if code != old:
                known.__code__ = code
                found = True
    return found


def functions(code: CodeType) -> Iterator[CodeType]:
    """Of a module and of its classes, as they are compiled."""
    for part in code.co_consts:
        if isinstance(part, CodeType):
            if part.co_flags & inspect.CO_OPTIMIZED:
                yield part
            else:
                yield from functions(part)
