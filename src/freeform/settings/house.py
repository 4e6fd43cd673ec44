"""The first settings: where everything is kept, and who may have an account."""

from pathlib import Path
from typing import Literal

from platformdirs import user_data_path
from pydantic import Field, SecretStr, field_validator

from freeform.core.record import Record

NO_KEY = SecretStr("")


def default_home() -> Path:
    """The platform's folder for a program's own data."""
    return user_data_path("freeform-rpg", appauthor=False)


class HouseSettings(Record):
    """Where things are kept, and who may have an account at whose tables."""

    home: Path = Field(
        default_factory=default_home, description="Where campaigns, packs and indexes live."
    )
    data: Path | None = Field(None, description="Where the data sets for `eval` lie.")
    store_url: SecretStr = Field(
        NO_KEY,
        description="Where campaigns and shared tables are kept: '' is files in the home, or the "
        "address of a Postgres, `postgresql://USER:PASSWORD@HOST/DATABASE` (needs the extra "
        "`postgres`; see [scale](scale.md)).",
    )
    accounts: Literal["off", "invited", "open"] = Field(
        "off",
        description="Accounts for people who come for long ([accounts](table.md#accounts)): `off`, "
        "`invited` (whoever holds a link of the host, or sits at a table) or `open` (anybody who "
        "reaches the server).",
    )
    accounts_passwords: bool = Field(
        True, description="Whether an account may have a password; else a provider vouches."
    )
    oidc_issuer: str = Field(
        "",
        description="A provider of OpenID Connect that vouches for accounts, as it calls itself: "
        "`https://accounts.example.org`.",
    )
    oidc_client: str = Field("", description="What that provider calls this server: the client id.")
    oidc_key: SecretStr = Field(
        NO_KEY, description="What this server proves that with, where the provider gave one."
    )
    oidc_name: str = Field("", description="What the button to sign in with it says.")
    oidc_back: str = Field(
        "",
        description="Where browsers reach this server, if they come through a proxy: "
        "`https://table.example.org`. The provider sends them back to `/api/account/oidc/back` "
        "there.",
    )

    @field_validator("store_url", mode="after")
    @classmethod
    def _known_store(cls, url: SecretStr) -> SecretStr:
        text = url.get_secret_value()
        if text and not text.startswith(("postgresql://", "postgres://")):
            raise ValueError("it begins with postgresql://, or is '' for files in the home")
        return url

    @field_validator("oidc_issuer", "oidc_back", mode="after")
    @classmethod
    def _is_address(cls, url: str) -> str:
        if url and not url.startswith(("https://", "http://")):
            raise ValueError("it begins with https://, or is '' for none")
        return url
