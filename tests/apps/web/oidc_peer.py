"""A provider of OpenID Connect on loopback: discovery, keys, the code flow with PKCE, signed tokens.

It is strict about what a client must send, and can be told to lie in what it answers.
"""

import asyncio
import base64
import hashlib
import socket
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs, unquote_plus, urlencode, urlsplit

import httpx
import jwt
import uvicorn
from cryptography.hazmat.primitives.asymmetric import rsa
from jwt.algorithms import RSAAlgorithm
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

CLIENT, SECRET = "the table", "between us: +%"
Claims = dict[str, Any]


def new_key() -> rsa.RSAPrivateKey:
    return rsa.generate_private_key(public_exponent=65537, key_size=2048)


@dataclass
class OidcPeer:
    """Whoever it is asked about is signed in there as `subject`."""

    key: rsa.RSAPrivateKey
    url: str = ""
    kid: str = "first"
    subject: str = "sub-ben"
    name: str = "Ben"
    lies: Callable[[Claims], Claims | str] = lambda claims: claims
    """What becomes of the claims before they are signed; or the whole token."""
    broken: bool = False
    codes: dict[str, Claims] = field(default_factory=dict)

    async def discovery(self, request: Request) -> Response:
        if self.broken:
            return Response("the database is away", 502)
        return JSONResponse(
            {
                "issuer": self.url,
                "authorization_endpoint": f"{self.url}/authorize?tenant=1",
                "token_endpoint": f"{self.url}/token",
                "jwks_uri": f"{self.url}/keys",
                "id_token_signing_alg_values_supported": ["RS256"],
            }
        )

    async def keys(self, request: Request) -> Response:
        public = RSAAlgorithm.to_jwk(self.key.public_key(), as_dict=True)
        return JSONResponse({"keys": [{**public, "kid": self.kid, "use": "sig", "alg": "RS256"}]})

    async def authorize(self, request: Request) -> Response:
        asked = dict(request.query_params)
        assert asked["client_id"] == CLIENT and asked["response_type"] == "code", asked
        assert asked["code_challenge_method"] == "S256" and "openid" in asked["scope"].split()
        assert len(asked["state"]) >= 20 and len(asked["nonce"]) >= 20 and asked["tenant"] == "1"
        code = f"code-{len(self.codes)}"
        self.codes[code] = asked
        back = urlencode({"code": code, "state": asked["state"]})
        return RedirectResponse(f"{asked['redirect_uri']}?{back}", 302)

    async def token(self, request: Request) -> Response:
        if self.broken:
            return Response("the database is away", 502)
        form = {
            name: values[0] for name, values in parse_qs((await request.body()).decode()).items()
        }
        asked = self.codes.pop(form.get("code", ""), None)
        digest = hashlib.sha256(form["code_verifier"].encode()).digest()
        proof = base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
        basic = request.headers["authorization"].removeprefix("Basic ")
        who = [unquote_plus(part) for part in base64.b64decode(basic).decode().split(":")]
        if (
            asked is None
            or proof != asked["code_challenge"]
            or form["redirect_uri"] != asked["redirect_uri"]
            or who != [CLIENT, SECRET]
        ):
            return JSONResponse({"error": "invalid_grant"}, 400)
        claims = self.lies(self.claims(asked["nonce"]))
        token = claims if isinstance(claims, str) else self.signed(claims)
        return JSONResponse({"id_token": token, "access_token": "-", "token_type": "Bearer"})

    def claims(self, nonce: str) -> Claims:
        now = int(time.time())
        return {
            "iss": self.url,
            "sub": self.subject,
            "aud": CLIENT,
            "exp": now + 300,
            "iat": now,
            "nonce": nonce,
            "preferred_username": self.name,
        }

    def signed(self, claims: Claims, key: Any = None, **header: Any) -> str:
        return jwt.encode(claims, key or self.key, "RS256", {"kid": self.kid, **header})


@asynccontextmanager
async def provider(key: rsa.RSAPrivateKey) -> AsyncIterator[OidcPeer]:
    """It runs until the end of the block."""
    peer = OidcPeer(key)
    app = Starlette(
        routes=[
            Route("/.well-known/openid-configuration", peer.discovery),
            Route("/keys", peer.keys),
            Route("/authorize", peer.authorize),
            Route("/token", peer.token, methods=["POST"]),
        ]
    )
    server = uvicorn.Server(uvicorn.Config(app, log_level="critical", lifespan="off"))
    door = socket.create_server(("127.0.0.1", 0))  # who knocks early waits there
    peer.url = f"http://127.0.0.1:{door.getsockname()[1]}"
    task = asyncio.create_task(server.serve(sockets=[door]))
    try:
        yield peer
    finally:
        server.should_exit = True
        await task


async def sent_back(browser: httpx.AsyncClient, url: str) -> str:
    """The person says yes at the provider: the address that it sends their browser back to."""
    answer = await browser.get(url)
    assert answer.status_code == 302, answer.text
    parts = urlsplit(answer.headers["location"])
    return f"{parts.path}?{parts.query}"
