"""Passwords kept with argon2id: slow for whoever guesses, and as slow where there is no account."""

import asyncio

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

AT_ONCE = 2
"""Passwords that are tried side by side: each takes 19 MiB and a core."""
_NOBODYS = "the password of nobody at all"


class ArgonPasswords:
    """argon2id with 19 MiB, two passes and one lane, as OWASP recommends: a server in a cupboard
    bears it. What was kept with less is kept anew when somebody signs in."""

    def __init__(self) -> None:
        self._hasher = PasswordHasher(time_cost=2, memory_cost=19_456, parallelism=1)
        self._turns = asyncio.Semaphore(AT_ONCE)
        self._nobodys = self._hasher.hash(_NOBODYS)

    async def keep(self, password: str) -> str:
        async with self._turns:
            return await asyncio.to_thread(self._hasher.hash, password)

    async def is_right(self, password: str, kept: str) -> bool:
        async with self._turns:
            right = await asyncio.to_thread(self._verify, password, kept or self._nobodys)
        return right and bool(kept)

    def is_weak(self, kept: str) -> bool:
        return bool(kept) and self._hasher.check_needs_rehash(kept)

    def _verify(self, password: str, kept: str) -> bool:
        try:
            return self._hasher.verify(kept, password)
        except (VerificationError, InvalidHashError):
            return False
