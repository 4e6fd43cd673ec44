"""An ID token held against everything it must keep: who signed it, for whom, until when, and that
it answers what was asked."""

import hmac
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Any

import jwt
from jwt.types import Options

from freeform.core.errors import Forbidden

ALGORITHMS = ("RS256", "PS256", "ES256", "EdDSA", "RS384", "RS512", "ES384", "ES512")
"""All with keys of the provider's own: what a client's secret signs, its holder could forge."""
LEEWAY = timedelta(seconds=90)
"""By which the provider's clock and ours may differ."""
MOST_TOKEN = 20_000


def key_id(token: str) -> str:
    """Which of the provider's keys signed it. Forbidden for what is no token."""
    try:
        header = jwt.get_unverified_header(token if len(token) < MOST_TOKEN else "")
    except jwt.PyJWTError:
        raise _wrong("it does not read") from None
    if header.get("alg") not in ALGORITHMS:
        raise _wrong("it is signed in a way that is not taken")
    return str(header.get("kid") or "")


def find_key(keys: Sequence[jwt.PyJWK], kid: str) -> jwt.PyJWK | None:
    """The key of that name; the only one, where none is named."""
    signing = [key for key in keys if key.public_key_use in (None, "sig")]
    if not kid:
        return signing[0] if len(signing) == 1 else None
    return next((key for key in signing if key.key_id == kid), None)


def check_token(
    token: str, key: jwt.PyJWK, asked: dict[str, str], now: Callable[[], datetime]
) -> dict[str, Any]:
    """What it says, once all holds. `asked` has the issuer, the client and the nonce."""
    # Times are held against our own clock, below: PyJWT knows only the machine's.
    options: Options = {
        "require": ["iss", "sub", "aud", "exp", "iat"],
        "verify_exp": False,
        "verify_iat": False,
        "verify_nbf": False,
    }
    try:
        claims: dict[str, Any] = jwt.decode(
            token,
            key.key,
            algorithms=ALGORITHMS,
            audience=asked["client"],
            issuer=asked["issuer"],
            options=options,
        )
    except (jwt.PyJWTError, TypeError, ValueError) as wrong:
        raise _wrong(_reason(wrong)) from None
    _check_times(claims, now())
    _check_party(claims, asked["client"])
    if not hmac.compare_digest(str(claims.get("nonce", "")).encode(), asked["nonce"].encode()):
        raise _wrong("it answers another request")
    if not isinstance(claims["sub"], str) or not 0 < len(claims["sub"]) <= 255:
        raise _wrong("it does not say who you are")
    return claims


def _check_times(claims: dict[str, Any], now: datetime) -> None:
    moment, leeway = now.timestamp(), LEEWAY.total_seconds()
    try:
        until, made = float(claims["exp"]), float(claims["iat"])
        after = float(claims.get("nbf", made))
    except (TypeError, ValueError):
        raise _wrong("its times do not read") from None
    if not until > moment - leeway:
        raise _wrong("it has run out; look whether the clocks of both machines are right")
    if not max(made, after) < moment + leeway:
        raise _wrong("it is from the future; look whether the clocks of both machines are right")


def _check_party(claims: dict[str, Any], client: str) -> None:
    several = isinstance(claims["aud"], list) and len(claims["aud"]) > 1
    if claims.get("azp", None if several else client) != client:
        raise _wrong("it was made for somebody else")


def _reason(wrong: Exception) -> str:
    match wrong:
        case jwt.InvalidAudienceError():
            return "it was made for somebody else"
        case jwt.InvalidIssuerError():
            return "another provider made it"
        case jwt.InvalidSignatureError():
            return "its signature is wrong"
        case jwt.MissingRequiredClaimError():
            return "something is missing in it"
    return "it does not read"


def _wrong(why: str) -> Forbidden:
    return Forbidden(f"what the provider sent does not hold: {why}; nobody was signed in")
