"""A provider that vouches for people: OpenID Connect, the authorization code flow with PKCE.

settings ──> discovery ──> way_there ──(browser, provider)──> vouch ──> token ──> checked claims
"""

import base64
import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from urllib.parse import urlencode, urlsplit

import httpx2
import jwt
from pydantic import SecretStr

from freeform.adapters.accounts.id_token import check_token, find_key, key_id
from freeform.core.address import is_this_machine
from freeform.core.errors import Forbidden, Unavailable, UserError
from freeform.core.record import Record
from freeform.players.people.accounts import PendingLogin, Vouched

PATIENCE = httpx2.Timeout(10.0)
MOST_BYTES = 1_000_000
KNOWN_S = 3600.0
"""How long the provider's addresses are taken to stand."""


class OidcClient(Record):
    """How this server is known to a provider."""

    issuer: str
    client: str
    secret: SecretStr = SecretStr("")
    shown: str = ""


@dataclass
class OidcProvider:
    """One provider. It is asked nothing before somebody wants to sign in."""

    about: OidcClient
    now: Callable[[], datetime]
    ticks: Callable[[], float]
    _known: dict[str, Any] = field(default_factory=dict)
    _keys: list[jwt.PyJWK] = field(default_factory=list)
    _known_at: float = 0.0

    @property
    def shown(self) -> str:
        return self.about.shown or urlsplit(self.about.issuer).hostname or "the provider"

    async def way_there(self, login: PendingLogin, state: str) -> str:
        known = await self._discovered()
        digest = hashlib.sha256(login.verifier.encode()).digest()
        wanted = {
            "response_type": "code",
            "client_id": self.about.client,
            "redirect_uri": login.back,
            "scope": "openid profile",
            "state": state,
            "nonce": login.nonce,
            "code_challenge": base64.urlsafe_b64encode(digest).rstrip(b"=").decode(),
            "code_challenge_method": "S256",
        }
        address = str(known["authorization_endpoint"])
        return f"{address}{'&' if '?' in address else '?'}{urlencode(wanted)}"

    async def vouch(self, login: PendingLogin, code: str) -> Vouched:
        known = await self._discovered()
        token = await self._exchanged(str(known["token_endpoint"]), login, code)
        key = await self._key(token)
        about = self.about
        asked = {"issuer": about.issuer, "client": about.client, "nonce": login.nonce}
        claims = check_token(token, key, asked, self.now)
        said = (claims.get(name) for name in ("preferred_username", "nickname", "name"))
        name = next((each for each in said if isinstance(each, str) and each.strip()), "")
        return Vouched(issuer=about.issuer, subject=claims["sub"], name=name)

    async def _discovered(self) -> dict[str, Any]:
        """The provider's addresses. What it says of itself must be what we were told of it."""
        if self._known and self.ticks() - self._known_at < KNOWN_S:
            return self._known
        issuer = self.about.issuer
        _check_address(issuer)
        found = await self._get(f"{issuer.rstrip('/')}/.well-known/openid-configuration")
        if found.get("issuer") != issuer:
            raise UserError(
                f"the provider calls itself '{str(found.get('issuer'))[:100]}', and `oidc_issuer` "
                f"is '{issuer}'; set it to what the provider says"
            )
        for name in ("authorization_endpoint", "token_endpoint", "jwks_uri"):
            _check_address(str(found.get(name, "")))
        self._known, self._keys, self._known_at = found, [], self.ticks()
        return found

    async def _exchanged(self, address: str, login: PendingLogin, code: str) -> str:
        about, secret = self.about, self.about.secret.get_secret_value()
        body = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": login.back,
            "code_verifier": login.verifier,
        }
        how = self._known.get("token_endpoint_auth_methods_supported", ["client_secret_basic"])
        basic = bool(secret) and "client_secret_basic" in how
        if not basic:
            body |= {"client_id": about.client} | ({"client_secret": secret} if secret else {})
        auth = httpx2.BasicAuth(_quoted(about.client), _quoted(secret)) if basic else None
        answer = await self._asked("POST", address, data=body, auth=auth)
        token = _read(answer).get("id_token")
        if answer.status_code != 200 or not isinstance(token, str):
            if answer.status_code >= 500:
                raise self._gone()
            raise Forbidden(f"{self.shown} does not vouch for you; try again from the beginning")
        return token

    async def _key(self, token: str) -> jwt.PyJWK:
        """The key that signed it; asked for once more where the provider has new ones."""
        kid = key_id(token)
        found = find_key(self._keys, kid)
        if found is None:
            fetched = await self._get(str(self._known["jwks_uri"]))
            try:
                self._keys = list(jwt.PyJWKSet.from_dict(fetched).keys)
            except (jwt.PyJWTError, TypeError, AttributeError):
                raise Unavailable(f"the keys of {self.shown} do not read; try later") from None
            found = find_key(self._keys, kid)
        if found is None:
            raise Forbidden(
                "what the provider sent does not hold: none of its keys signed it; "
                "nobody was signed in"
            )
        return found

    async def _get(self, address: str) -> dict[str, Any]:
        answer = await self._asked("GET", address)
        found = _read(answer)
        if answer.status_code != 200 or not found:
            raise self._gone()
        return found

    async def _asked(self, method: str, address: str, **more: Any) -> httpx2.Response:
        try:
            async with httpx2.AsyncClient(timeout=PATIENCE, trust_env=False) as client:
                headers = {"accept": "application/json"}
                return await client.request(method, address, headers=headers, **more)
        except (httpx2.HTTPError, httpx2.InvalidURL):
            raise self._gone() from None

    def _gone(self) -> Unavailable:
        return Unavailable(
            f"{self.shown} does not answer, so nobody can sign in with it now; try again later. "
            "Who is signed in stays so, and every seat is kept"
        )


def _check_address(address: str) -> None:
    """What is secret goes over TLS, or stays on this machine."""
    if address.startswith("https://") or (
        address.startswith("http://") and is_this_machine(address)
    ):
        return
    raise UserError(
        f"'{address[:100]}' is no address of a provider; `oidc_issuer` begins with https://"
    )


def _read(answer: httpx2.Response) -> dict[str, Any]:
    if len(answer.content) > MOST_BYTES:
        return {}
    try:
        found = json.loads(answer.content)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _quoted(text: str) -> str:
    """As RFC 6749 has it in a header: form-encoded first."""
    return urlencode({"": text})[1:]
