"""Who may listen where: loopback is free, any other host needs a key."""

from freeform.core.errors import BadSettings
from freeform.settings import Settings

LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})
SHORTEST_KEY = 8


def check_host(host: str, settings: Settings) -> None:
    """BadSettings when others could reach the table and it has no key."""
    key = settings.serve_key.get_secret_value()
    if host not in LOOPBACK and not key:
        raise BadSettings(
            f"{host} can be reached from other machines; give the table a key with --key"
        )
    if key and (len(key) < SHORTEST_KEY or not all("!" <= c <= "~" for c in key)):
        raise BadSettings(
            "the key is too easy to guess or to mistype; "
            f"take {SHORTEST_KEY} letters or more, no spaces"
        )
