"""Accounts in memory: for tests and experiments. The same rules as on disk."""

from freeform.core.errors import Conflict, NotFound
from freeform.players.people.accounts import (
    WRONG_S,
    Account,
    AccountChange,
    PendingLogin,
    account_key,
)


class MemoryAccounts:
    """Accounts, as long as the program lasts."""

    def __init__(self) -> None:
        self._accounts: dict[str, Account] = {}
        self._logins: dict[str, PendingLogin] = {}
        self._wrong: list[tuple[str, float]] = []

    async def get(self, id: str) -> Account | None:
        return self._accounts.get(id)

    async def named(self, name: str) -> Account | None:
        wanted = account_key(name)
        return next((a for a in await self.all() if account_key(a.name) == wanted), None)

    async def vouched(self, issuer: str, subject: str) -> Account | None:
        wanted = (issuer, subject)
        found = (a for a in await self.all() if a.issuer and (a.issuer, a.subject) == wanted)
        return next(found, None)

    async def all(self) -> list[Account]:
        return sorted(self._accounts.values(), key=lambda each: account_key(each.name))

    async def add(self, account: Account) -> None:
        await self._check(account)
        self._accounts[account.id] = account

    async def change(self, id: str, change: AccountChange) -> Account:
        if id not in self._accounts:
            raise NotFound("there is no such account; `account list` shows those there are")
        changed = change(self._accounts[id])
        await self._check(changed)
        self._accounts[id] = changed
        return changed

    async def forget(self, id: str) -> None:
        self._accounts.pop(id, None)

    async def await_login(self, login: PendingLogin, now: str) -> None:
        self._logins = {s: each for s, each in self._logins.items() if each.until >= now}
        self._logins[login.state] = login

    async def take_login(self, state: str) -> PendingLogin | None:
        return self._logins.pop(state, None)

    async def note_wrong(self, who: str, at: float) -> None:
        self._wrong = [each for each in self._wrong if each[1] > at - WRONG_S]
        self._wrong.append((who, at))

    async def wrong_tries(self, who: str, now: float) -> int:
        return sum(one == who and at > now - WRONG_S for one, at in self._wrong)

    async def _check(self, account: Account) -> None:
        same = [await self.named(account.name)]
        if account.issuer:
            same.append(await self.vouched(account.issuer, account.subject))
        if any(each and each.id != account.id for each in same):
            raise Conflict("that name is taken; choose another, or sign in")
