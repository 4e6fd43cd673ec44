"""Everything that can go wrong, in one place, by what one can do about it.

FreeformError
├── UserError       the person can put it right; the message is shown as it is      exit 1
│   ├── NotFound        no campaign, scenario, pack, fact … of that name
│   ├── BadFile         a file of ours does not read: names the file, line and reason
│   ├── BadSettings     a setting is unknown or does not fit
│   ├── TooLarge        what came is larger than is taken
│   └── Forbidden       someone may not see or say that; it is a PermissionError too
├── Conflict        someone wrote first: read again, then try again                 exit 1
├── BudgetSpent     a limit of ours was reached: what is done so far is kept        exit 4
├── BadReply        a model's answer did not fit its record, in every try           exit 3
└── Unavailable     something outside failed: later may work                        exit 3
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from freeform.core.llm.usage import Usage


class FreeformError(Exception):
    """The root: anything we raise on purpose."""

    exit_code = 1


class UserError(FreeformError):
    """The person can put it right; the message says how."""


class NotFound(UserError):
    """Nothing goes by that name."""


class BadFile(UserError):
    """A file does not read. `line` is 0 where the whole file is meant."""

    def __init__(self, file: str, reason: str, line: int = 0) -> None:
        self.file, self.reason, self.line = file, reason, line
        super().__init__(f"{file}:{line}: {reason}" if line else f"{file}: {reason}")


class BadSettings(UserError):
    """A setting is unknown or does not fit."""


class TooLarge(UserError):
    """What came is larger than is taken."""


class Forbidden(UserError, PermissionError):
    """Someone may not see or say that. Also a `PermissionError`, so that a caller need not know our tree."""


class Conflict(FreeformError):
    """Someone wrote first."""


class BudgetSpent(FreeformError):
    """A limit of ours was reached."""

    exit_code = 4


class BadReply(FreeformError):
    """A model's answer did not fit its record, in every try. `usage` is what the tries cost, where known."""

    exit_code = 3

    def __init__(self, message: str, *, usage: "Usage | None" = None, tries: int = 1) -> None:
        self.usage, self.tries = usage, tries
        super().__init__(message)


class Unavailable(FreeformError):
    """Something outside failed. `retry_after` is what it asked for, in seconds; `passing`: retry."""

    exit_code = 3

    def __init__(
        self,
        message: str,
        *,
        retry_after: float | None = None,
        passing: bool = True,
        usage: "Usage | None" = None,
    ) -> None:
        self.retry_after, self.passing, self.usage = retry_after, passing, usage
        super().__init__(message)
