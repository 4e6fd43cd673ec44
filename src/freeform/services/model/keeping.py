"""A choice of model as a person makes it: who offers one, what a server has, and what is kept."""

from pydantic import Field

from freeform import wiring
from freeform.core.record import Record
from freeform.services.models import PROVIDERS, with_model
from freeform.settings import Settings
from freeform.settings.kept import KEYS, NONE, URL_KEY, forget, has_keyring, keep, places


class ProviderShown(Record):
    """Someone who offers models: whether a key is at hand, and where it is kept."""

    id: str
    ready: bool
    """Nothing more is needed but to choose a model."""
    key: str = ""
    """`keyring`, `file`, `settings`, or '' where there is none."""
    address: str = ""
    models: list[str] = Field(default_factory=list)


class ProvidersShown(Record):
    """Everyone, and where keys would be kept."""

    providers: list[ProviderShown]
    keeps_in: str


async def list_providers(settings: Settings) -> ProvidersShown:
    """Who could be asked from here. Nothing but an Ollama on this machine is spoken to."""
    kept, found = places(settings.home), await wiring.models(settings)
    local = [row["name"] for row in found if row["name"].startswith("ollama:")]
    rows = [
        ProviderShown(id="offline", ready=True, models=["offline"]),
        ProviderShown(id="ollama", ready=bool(local), address=settings.ollama_url, models=local),
        ProviderShown(id="url", ready=False),  # a key that is kept is for one address alone
    ]
    for provider in PROVIDERS:
        key = _key(settings, provider, dict(kept))
        rows.append(ProviderShown(id=provider, ready=bool(key), key=key))
    return ProvidersShown(providers=rows, keeps_in="keyring" if has_keyring() else "file")


def _key(settings: Settings, provider: str, kept: dict[str, str]) -> str:
    name = f"{provider}_api_key"
    if getattr(settings, name).get_secret_value() in ("", NONE):
        return ""
    return kept.get(name, "settings")


async def list_served(settings: Settings, kind: str, *, key: str, url: str) -> list[str]:
    """What a server has, by its own list."""
    asked = with_model(settings, f"{kind}:{url}#" if kind == "url" else f"{kind}:", key=key)
    return await wiring.served_by(asked, kind, url)


def keep_choice(settings: Settings, model: str, key: str) -> dict[str, str]:
    """Keeps the model that was chosen, and its key, for the next start."""
    values = {"model": model, "base_url": settings.base_url, "ollama_url": settings.ollama_url}
    name = f"{model.partition(':')[0]}_api_key"
    if name == URL_KEY:  # a key that was kept for another address is not for this one
        values[name] = key or NONE
    elif key and name in KEYS:
        values[name] = key
    return dict(keep(settings.home, values))


def forget_choice(settings: Settings) -> None:
    """Keeps nothing any more: neither the choice nor any key."""
    forget(settings.home)
