"""The databases of a home, for copies of everything."""

from pathlib import Path

from freeform.adapters.sqlite import accounts, moments


def is_database(path: Path) -> bool:
    """Whether a file is a database."""
    return moments.is_database(path)


def copy_moment(path: Path, to: Path) -> None:
    """One moment of a database, while others write."""
    moments.copy_moment(path, to)


def check_database(path: Path, shown: str) -> None:
    """Refuses what is damaged, or newer than this program."""
    moments.check_database(path, shown)


def story_digest(path: Path) -> tuple[list[str], str]:
    """A digest of each event of a campaign, and of where its branches stand."""
    return moments.digest_events(path), moments.digest_branches(path)


def without_passwords(path: Path) -> list[str]:
    """Takes what opens accounts out of a copy of them; what was taken out, in words."""
    return accounts.without_passwords(path)
