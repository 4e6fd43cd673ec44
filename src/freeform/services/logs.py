"""Where the log goes: a small rotating file under the home, and warnings on standard error."""

import logging
import sys
from contextlib import suppress
from logging.handlers import RotatingFileHandler
from pathlib import Path

from pydantic import SecretStr

from freeform.core.log import ROOT, JsonLines, TextLines
from freeform.settings import Settings

LARGEST_FILE = 1_000_000
"""In bytes; then another file is begun."""
OLD_FILES = 2
SHORTEST_SECRET = 6
"""What is shorter would blot out ordinary words."""
_LEVELS = {
    "debug": logging.DEBUG,
    "info": logging.INFO,
    "warn": logging.WARNING,
    "error": logging.ERROR,
}


def log_file(settings: Settings) -> Path:
    """The file of the log."""
    return settings.log_file or settings.home / "logs" / "freeform.log"


def set_up_logs(settings: Settings, *, on_screen: bool = True) -> None:
    """The handlers of this process; called again, they take the place of the ones before.

    `on_screen`: warnings on standard error too. Never for a game at the terminal.
    """
    end_logs()
    level = _LEVELS[settings.log_level]
    logger = logging.getLogger(ROOT)
    logger.setLevel(level)
    logger.propagate = False
    handlers: list[logging.Handler] = [_LogFile(log_file(settings))]
    if on_screen:
        screen = _Quietly(sys.stderr)
        screen.setLevel(max(logging.WARNING, level))
        handlers.append(screen)
    for handler in handlers:
        handler.setFormatter(JsonLines() if settings.log_format == "json" else TextLines())
        handler.addFilter(_Blots(settings))
        logger.addHandler(handler)


def end_logs() -> None:
    """Lets go of the file."""
    logger = logging.getLogger(ROOT)
    for handler in list(logger.handlers):
        logger.removeHandler(handler)
        handler.close()


class _Quietly(logging.StreamHandler):  # type: ignore[type-arg]
    """Standard error; who closed it does not hear of it."""

    def handleError(self, record: logging.LogRecord) -> None:
        """Nothing: play goes on without a log."""


class _LogFile(RotatingFileHandler):
    """The file, made with its folder at the first line. Where it cannot be, play goes on."""

    def __init__(self, file: Path) -> None:
        super().__init__(
            file, maxBytes=LARGEST_FILE, backupCount=OLD_FILES, encoding="utf-8", delay=True
        )

    def emit(self, record: logging.LogRecord) -> None:
        """Writes the line, if it can."""
        with suppress(OSError):
            if self.stream is None:
                Path(self.baseFilename).parent.mkdir(parents=True, exist_ok=True)
            super().emit(record)

    def close(self) -> None:
        """Lets go of the file, whole or not."""
        with suppress(OSError):
            super().close()

    def handleError(self, record: logging.LogRecord) -> None:
        """A full disk is the doctor's to tell."""


class _Blots(logging.Filter):
    """Blots out any key of the settings, should one ever stand in a line."""

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        values = [getattr(settings, name) for name in Settings.model_fields]
        secrets = [value.get_secret_value() for value in values if isinstance(value, SecretStr)]
        self._secrets = [secret for secret in secrets if len(secret) >= SHORTEST_SECRET]

    def filter(self, record: logging.LogRecord) -> bool:
        """Every line passes, without the keys."""
        fields = getattr(record, "fields", {})
        record.fields = {name: self._blotted(value) for name, value in fields.items()}
        return True

    def _blotted(self, value: object) -> object:
        if not isinstance(value, str):
            return value
        for secret in self._secrets:
            value = value.replace(secret, "…")
        return value
