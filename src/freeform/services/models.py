"""Models: which one plays, which could, whether one answers, what this machine has and lacks."""

import platform
import sqlite3
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path, PureWindowsPath

from pydantic import SecretStr

from freeform import __version__, wiring
from freeform.core.record import Record
from freeform.services.faults import log_problem
from freeform.services.limits import BY_MEANING, how_held
from freeform.services.logs import log_file
from freeform.settings import Settings
from freeform.settings.kept import NONE

PROVIDERS = ("anthropic", "openai", "openrouter")


class ModelRow(Record):
    """A model that can be used, and what that means."""

    name: str
    note: str


class MachinePart(Record):
    """Something that the program uses: whether it is there, and how to get it."""

    part: str
    ok: bool
    note: str
    optional: bool = False


async def chosen_model(settings: Settings) -> str:
    """The model that would play with these settings."""
    return await wiring.chosen_model(settings)


def shown_model(model: str) -> str:
    """A model's name for everyone's eyes: without its server's address or its file's folder."""
    kind, _, rest = model.partition(":")
    if kind == "gguf":
        return f"gguf:{PureWindowsPath(rest).name}"  # which knows both kinds of strokes
    if kind == "url" or "://" in rest:
        _, _, name = rest.partition("#")
        return f"{kind}:{name}" if name else kind
    return model


async def list_models(settings: Settings) -> list[ModelRow]:
    """The models that can be used from here."""
    return [ModelRow(**row) for row in await wiring.models(settings)]


async def stays_here(settings: Settings, model: str) -> bool:
    """Whether all that is played with that model and these settings stays on this machine."""
    return await wiring.stays_here(settings, model)


async def try_model(settings: Settings) -> str:
    """Asks the model one small question; gives its answer, raises what went wrong."""
    return await wiring.try_model(settings)


def with_model(settings: Settings, model: str, *, key: str = "", base_url: str = "") -> Settings:
    """The settings with another model, and what is needed to reach it."""
    given: dict[str, object] = {"model": model}
    kind = model.partition(":")[0]
    if kind == "url":  # a key of somebody else's is not for this address
        given["url_api_key"] = SecretStr(key or NONE)
    elif key:
        name = f"{kind}_api_key"
        known = name in Settings.model_fields
        given[name if known else "openai_api_key"] = SecretStr(key)
    if base_url:
        given["ollama_url" if kind == "ollama" else "base_url"] = base_url
    return settings.model_copy(update=given)


def get_embedder(settings: Settings, say: Callable[[str], None]) -> Path:
    """Gets the model that finds passages by meaning; its folder."""
    return wiring.ready_embedder(settings, say)


async def check_machine(settings: Settings) -> list[MachinePart]:
    """What is found, what is missing and how to get it."""
    problem = wiring.home_problem(settings)
    version = f"freeform-rpg {__version__} on Python {platform.python_version()}"
    parts = [
        MachinePart(part="program", ok=True, note=version),
        MachinePart(part="database", ok=True, note=f"SQLite {sqlite3.sqlite_version}"),
        MachinePart(part="home", ok=not problem, note=problem or str(settings.home)),
        _log(settings),
        MachinePart(part="model", ok=True, note=await _model_note(settings)),
        await _ollama(settings),
    ]
    parts += [_key(settings, provider) for provider in PROVIDERS]
    return [*parts, _ear(), _reader(), _limits(), _embedder(settings), _gguf()]


def _log(settings: Settings) -> MachinePart:
    problem = log_problem(settings)
    note = problem or str(log_file(settings))
    return MachinePart(part="log", ok=not problem, note=note, optional=True)


async def _model_note(settings: Settings) -> str:
    """Which model plays, and where what is played goes."""
    chosen = await chosen_model(settings)
    if await stays_here(settings, chosen):
        return f"{chosen} is used; nothing leaves this machine"
    return f"{chosen} is used; what is played is sent over the network"


async def _ollama(settings: Settings) -> MachinePart:
    rows = await list_models(settings)
    local = [row.name for row in rows if row.name.startswith("ollama:")]
    missing = (
        f"nothing answers at {settings.ollama_url}; install Ollama to play with a model at home"
    )
    return MachinePart(
        part="ollama", ok=bool(local), note=", ".join(local) or missing, optional=True
    )


def _key(settings: Settings, provider: str) -> MachinePart:
    key = getattr(settings, f"{provider}_api_key").get_secret_value()
    note = "set" if key else f"set {provider.upper()}_API_KEY to use {provider}:NAME"
    return MachinePart(part=f"{provider} key", ok=bool(key), note=note, optional=True)


def _ear() -> MachinePart:
    problem = wiring.ear_problem()
    note = problem or "the learned ear is here"
    return MachinePart(part="ear", ok=not problem, note=note, optional=True)


def _reader() -> MachinePart:
    problem = wiring.reader_problem()
    note = problem or "the learned reader is here"
    return MachinePart(part="reader", ok=not problem, note=note, optional=True)


def _embedder(settings: Settings) -> MachinePart:
    found = wiring.embedder(settings)
    missing = "freeform-rpg models get-embedder adds search by meaning"
    note = found.name if found else missing
    return MachinePart(part="embedder", ok=found is not None, note=note, optional=True)


def _limits() -> MachinePart:
    note = how_held()
    return MachinePart(part="lines and veils", ok=note == BY_MEANING, note=note, optional=True)


def _gguf() -> MachinePart:
    there = find_spec("xllamacpp") is not None
    missing = "pip install 'freeform-rpg[gguf]' to play with gguf:PATH"
    note = "llama.cpp is here" if there else missing
    return MachinePart(part="gguf", ok=there, note=note, optional=True)
