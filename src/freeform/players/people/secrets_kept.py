"""Tokens and passphrases: told once, kept as hashes, compared in a time that tells nothing."""

import hashlib
import hmac
from typing import NamedTuple

from freeform.core.ids import new_secret

_N, _R, _P = 2**14, 8, 1
"""What scrypt costs: about 50 ms and 16 MB, once for each passphrase that is tried."""


class TableCode(NamedTuple):
    """What a link or a token holds: the campaign, whose it is, and the secret."""

    campaign: str
    id: str
    secret: str

    def written(self) -> str:
        """As one word."""
        return f"{self.campaign}.{self.id}.{self.secret}"


def read_code(text: str) -> TableCode | None:
    """The parts of a link or a token; None where it cannot be one."""
    parts = text.strip().rsplit(".", 2)
    if len(text) > 300 or len(parts) != 3 or not all(parts):
        return None
    return TableCode(*parts)


def fresh_code(campaign: str, id: str) -> TableCode:
    """A new one, with 192 bits that nobody can guess."""
    return TableCode(campaign, id, new_secret())


def hash_secret(secret: str) -> str:
    """How a secret of ours is kept. It has enough bits of its own: no salt is needed."""
    return hashlib.sha256(secret.encode()).hexdigest()


def is_secret(given: str, kept: str) -> bool:
    """Whether a secret is the one that was hashed."""
    return hmac.compare_digest(hash_secret(given), kept)


def hash_passphrase(passphrase: str) -> str:
    """How words that a person chose are kept."""
    salt = new_secret()
    return f"{salt}${_stretched(passphrase, salt)}"


def is_passphrase(given: str, kept: str) -> bool:
    """Whether the words are those that were kept."""
    salt, _, wanted = kept.partition("$")
    return hmac.compare_digest(_stretched(given, salt), wanted)


def _stretched(passphrase: str, salt: str) -> str:
    words = " ".join(passphrase.split()).casefold().encode()
    return hashlib.scrypt(words, salt=salt.encode(), n=_N, r=_R, p=_P).hex()
