"""The generated pages of the documentation: every command, every setting. `make docs` runs it."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer.main
from pydantic import SecretStr
from pydantic_core import PydanticUndefined

from freeform.apps.cli.app import app
from freeform.apps.cli.play.commands import COMMANDS
from freeform.settings import PREFIX, USUAL, Settings

NOTE = "<!-- Made by `make docs`; change the program, not this page. -->"

ORDER = """Later wins: defaults, the providers' usual variables, `freeform.toml` in the home,
`freeform.toml` in the current folder, the environment, flags. `freeform-rpg settings` shows each
value and where it came from. An unknown name is an error."""
SPELLING = f"""In the environment a setting is `{PREFIX}` and its name in capitals, e.g.
`{PREFIX}MODEL`. In a file the part before the first underscore may be a table: `[budget]` with
`day_tokens = 100000` is `budget_day_tokens`."""
EXIT_CODES = (
    "Exit codes: 0 done, 1 a problem you can put right (the message says how), 2 wrong usage, "
    "3 something outside is unavailable, 4 a budget is spent. With `--json`, standard output "
    "holds exactly one JSON document."
)


def pages() -> dict[str, str]:
    """File names and texts."""
    return {"cli.md": cli_page(), "settings.md": settings_page()}


def cli_page() -> str:
    """Every verb with its arguments and options, as the program itself describes them."""
    root: Any = typer.main.get_command(app)
    parts = [
        "# Commands",
        NOTE,
        root.help,
        "## Global options, before or after the verb",
        _table(root),
        EXIT_CODES,
    ]
    for name, command in _verbs(root, ()):
        parts += [_head(name, command), command.help, _table(command), _example(command)]
    parts += ["## At the table", "While playing, a line that begins with a slash is a command:"]
    parts.append(_slash_table())
    return "\n\n".join(part for part in parts if part) + "\n"


def _head(name: str, command: Any) -> str:
    words = [
        param.metavar or param.name.upper() for param in command.params if not _is_option(param)
    ]
    return f"## `{' '.join([name, *words])}`"


def _slash_table() -> str:
    rows = ["| command | does |", "|---|---|"]
    for name, command in COMMANDS.items():
        takes = f" {command.takes}" if command.takes else ""
        rows.append(f"| `/{name}{takes}` | {command.help} |")
    return "\n".join([*rows, "| `/quit` | leaves the table |"])


def settings_page() -> str:
    """Every setting with its default and what it is for."""
    rows = ["| setting | default | what it is for |", "|---|---|---|"]
    for name, field in Settings.model_fields.items():
        usual = f" Also read from `{USUAL[name]}`." if name in USUAL else ""
        rows.append(f"| `{name}` | {_default(field.default)} | {field.description}{usual} |")
    parts = ["# Settings", NOTE, ORDER, SPELLING, "\n".join(rows)]
    return "\n\n".join(parts) + "\n"


def _verbs(group: Any, path: tuple[str, ...]) -> Iterator[tuple[str, Any]]:
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            if command.invoke_without_command:
                yield " ".join((*path, name)), command
            yield from _verbs(command, (*path, name))
        else:
            yield " ".join((*path, name)), command


def _table(command: Any) -> str:
    rows = []
    for param in command.params:
        if param.name == "help":
            continue
        if _is_option(param):
            value = "" if param.is_flag else f" {param.metavar or param.name.upper()}"
            shown = f"`{', '.join(param.opts)}{value}`" + (" (required)" if param.required else "")
        else:
            shown = f"`{param.metavar or param.name.upper()}`" + (
                "" if param.required else " (optional)"
            )
        rows.append(f"| {shown} | {param.help or ''} |")
    return "\n".join(["| argument or option | meaning |", "|---|---|", *rows]) if rows else ""


def _is_option(param: Any) -> bool:
    return bool(param.param_type_name == "option")


def _example(command: Any) -> str:
    text = (command.epilog or "").removeprefix("Example: ")
    return f"```sh\n{text}\n```" if text else ""


def _default(value: Any) -> str:
    if value is PydanticUndefined:
        return "the platform's data folder"
    if isinstance(value, SecretStr) or value in (None, ""):
        return "none"
    return f"`{value}`"


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    for name, text in pages().items():
        (folder / name).write_text(text, encoding="utf-8")
