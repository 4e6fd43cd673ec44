"""READ THIS FIRST. The outermost loop of the command line: one command in, one exit code out.

argv ── global options moved to the front (they may stand anywhere) ──> Typer ──> a verb
                                                                                   │
  0 done   1 put it right   2 wrong usage   3 something outside   4 budget <───────┘
                                                            FreeformError.exit_code
"""

import errno
import os
import sys
from contextlib import suppress
from typing import TextIO

from freeform.apps.cli.doors import NO_DOORS, Doors
from freeform.core.errors import FreeformError

TAKES_A_VALUE = {"--home", "--model", "--seed"}
ALONE = {"--json", "--quiet", "--plain"}
WRONG_USAGE = 2
INTERRUPTED = 130


def run(args: list[str], doors: Doors = NO_DOORS) -> int:
    """Runs the command; what goes wrong ends as a sentence on standard error and an exit code."""
    for stream in (sys.stdout, sys.stderr):
        _speak_utf8(stream)
    try:
        from freeform.apps.cli.app import app

        app(args=to_the_front(args), prog_name="freeform-rpg", obj=doors)
    except FreeformError as told:
        return _say(str(told), told.exit_code, args)
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # Whoever read us has gone; Python would complain once more while closing standard output.
        _close_quietly()
        return 0
    except SystemExit as done:
        code = _code(done)
        if code == WRONG_USAGE:
            _answer(
                "wrong usage: standard error says what is wrong, `--help` how it goes", code, args
            )
        return code
    except OSError as wrong:
        if wrong.errno != errno.ENAMETOOLONG:
            return _say(_bug(wrong), 1, args)
        return _say("a name in this command is too long for a file; choose a shorter one", 1, args)
    except Exception as wrong:
        return _say(_bug(wrong), 1, args)
    return 0


def to_the_front(args: list[str]) -> list[str]:
    """The arguments with the global options first: they may be given before or after the verb."""
    front: list[str] = []
    rest: list[str] = []
    left = iter(args)
    for arg in left:
        if arg == "--":
            rest += [arg, *left]
        elif arg in ALONE or arg.partition("=")[0] in TAKES_A_VALUE:
            front.append(arg)
            if arg in TAKES_A_VALUE:
                # The value that follows, if there is one.
                front += [value for value in [next(left, None)] if value is not None]
        else:
            rest.append(arg)
    return front + rest


def _speak_utf8(stream: TextIO) -> None:
    # A C locale must not turn a curly quote into a crash, nor a broken byte in an argument.
    reconfigure = getattr(stream, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(encoding="utf-8", errors="replace")


def _say(text: str, code: int, args: list[str]) -> int:
    with suppress(BrokenPipeError):
        print(f"freeform-rpg: {text}", file=sys.stderr, flush=True)
    _answer(text, code, args)
    return code


def _answer(text: str, code: int, args: list[str]) -> None:
    """Under `--json` a program reads one document whatever happens: what went wrong is one too."""
    if "--json" in args[: args.index("--") if "--" in args else None]:
        import json

        with suppress(BrokenPipeError):
            document = {"error": {"message": text, "exit_code": code}}
            print(json.dumps(document, ensure_ascii=False, indent=2), flush=True)


def _code(done: SystemExit) -> int:
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        _close_quietly()
        return 0
    if done.code is None:
        return 0
    return done.code if isinstance(done.code, int) else 1


def _close_quietly() -> None:
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _bug(wrong: Exception) -> str:
    """A mistake of ours: one sentence for the person, the whole trace in a file for the report."""
    import tempfile
    import traceback

    with tempfile.NamedTemporaryFile(
        "w", prefix="freeform-rpg-", suffix=".txt", delete=False, encoding="utf-8"
    ) as file:
        traceback.print_exception(wrong, file=file)
    kind = type(wrong).__name__
    return (
        f"this is a mistake in the program ({kind}: {wrong}); your campaigns are as they were. "
        f"The details are in {file.name}: please send them with a report."
    )
