"""SurrealLore: the lore store in SurrealDB. Each method is one transaction, and doing it twice does
it once."""

import hashlib

from freeform.adapters.surreal.graph import SurrealGraph
from freeform.adapters.surreal.rows import SurrealRow, Transaction
from freeform.core.errors import Conflict, NotFound
from freeform.core.record import canonical
from freeform.lore.budget import check_reservation
from freeform.lore.daemon.checkpoint import read_checkpoint
from freeform.lore.daemon.decisions import answered, response_to
from freeform.lore.messages import DeadLetter, Decision, MessageEnvelope
from freeform.lore.model import ResearchCheckpoint
from freeform.lore.ports import JUDGES, Reservation, StepCommit, WebPage

LIGHT = {"messages", "graph", "checkpoint", "judged"}
"""Parts of a step that stand in tables of their own, or count only while it is written."""


class SurrealLore(SurrealGraph):
    """A LoreStore on Rows. Embeds what it writes where it has an embedder; else rows are found by
    their words."""

    # ── steps ──

    async def commit_step(self, commit: StepCommit) -> bool:
        """Everything that the step changes, or nothing. The same key again changes nothing."""
        package = commit.graph.package if commit.graph else None

        async def known(tx: Transaction) -> bool:
            return await tx.get("step", commit.key) is not None

        if await self._rows.run(known):
            return False
        ready = await self._embedded(commit.game, package) if package else {}

        async def work(tx: Transaction) -> bool:
            if await tx.get("step", commit.key):
                return False
            await _check_judged(tx, commit)
            if commit.checkpoint:
                await self._save_checkpoint(tx, commit)
            tx.put(
                SurrealRow(
                    table="step",
                    key=commit.key,
                    game=commit.game,
                    grp=commit.agent,
                    doc=commit.model_dump(mode="json", exclude=LIGHT),
                )
            )
            for envelope in commit.messages:
                if await tx.get("outbox", envelope.message_id) is None:
                    tx.put(_message("outbox", envelope, envelope.source_agent, "unsent"))
            if commit.consumed:
                taken = await tx.get("inbox", commit.consumed)
                if taken:
                    tx.put(taken.model_copy(update={"state": "done"}))
            for decision in commit.decisions:
                if await tx.get("decision", decision.decision_id) is None:
                    tx.put(_decision(decision))
            if commit.graph and commit.graph.anew:
                new = [commit.graph.package, *commit.graph.also]
                await self._write_anew(tx, commit.game, new, ready)
            elif package:
                await self._write_graph(tx, commit.game, package, ready)
            return True

        return await self._rows.run(work)

    async def _save_checkpoint(self, tx: Transaction, commit: StepCommit) -> None:
        assert commit.checkpoint
        held = await tx.get("checkpoint", commit.game)
        stands = int(held.doc.get("sequence", 0)) if held else 0
        if commit.checkpoint.sequence != stands + 1:
            raise Conflict(
                f"another researcher works on '{commit.game}' (it is at {stands}, this one at "
                f"{commit.checkpoint.sequence - 1}); stop one of them"
            )
        # Forgotten and written again, so that the game worked on last stands last in the order.
        tx.drop("checkpoint", commit.game)
        tx.put(
            SurrealRow(
                table="checkpoint",
                key=commit.game,
                game=commit.game,
                doc=commit.checkpoint.model_dump(mode="json"),
            )
        )

    async def steps_done(self, game: str) -> list[StepCommit]:
        """The committed steps in order."""
        return [StepCommit.model_validate(row.doc) for row in await self._find("step", game=game)]

    async def load_checkpoint(self, game: str) -> ResearchCheckpoint | None:
        """Where the game stands."""
        row = await self._get("checkpoint", game)
        return read_checkpoint(row.doc, game) if row else None

    async def games(self) -> list[str]:
        """The games there are, the last one worked on first."""
        return [row.key for row in reversed(await self._find("checkpoint"))]

    # ── pages ──

    async def put_page(self, game: str, page: WebPage) -> None:
        """Keeps the page under its hash, and under both addresses which hash is the newest."""

        async def work(tx: Transaction) -> None:
            for url in dict.fromkeys(filter(None, (page.url, page.asked_url))):
                exact, newest = _page_key(game, url, page.sha256), _page_key(game, url)
                if await tx.get("page", exact) is None:
                    tx.put(
                        SurrealRow(
                            table="page",
                            key=exact,
                            game=game,
                            grp=url,
                            doc=page.model_dump(mode="json"),
                        )
                    )
                held = await tx.get("page", newest)
                if held is None or held.doc.get("sha256") != page.sha256:
                    tx.put(
                        SurrealRow(
                            table="page",
                            key=newest,
                            game=game,
                            grp=url,
                            doc={"sha256": page.sha256},
                        )
                    )

        await self._rows.run(work)

    async def page(self, game: str, url: str, sha256: str = "") -> WebPage | None:
        """The newest page of that address, or the one of that hash."""
        if not sha256:
            newest = await self._get("page", _page_key(game, url))
            if newest is None:
                return None
            sha256 = str(newest.doc["sha256"])
        row = await self._get("page", _page_key(game, url, sha256))
        return WebPage.model_validate(row.doc) if row else None

    # ── budget ──

    async def reserve(
        self, reservation: Reservation, *, per_cycle: int, per_day: int
    ) -> Reservation:
        """Sets the tokens aside, if both limits allow."""

        async def work(tx: Transaction) -> Reservation:
            row = await tx.get("reservation", reservation.key)
            held = Reservation.model_validate(row.doc) if row else None
            if held and held.settled:
                return held
            mine = held.tokens if held else 0
            check_reservation(
                reservation,
                day_used=await _tally(tx, reservation.game, f"day {reservation.day}") - mine,
                cycle_used=await _tally(tx, reservation.game, f"cycle {reservation.cycle}") - mine,
                per_day=per_day,
                per_cycle=per_cycle,
            )
            await _count(tx, held, reservation)
            tx.put(_reservation(reservation))
            return reservation

        return await self._rows.run(work)

    async def settle(self, key: str, tokens: int, answer: str = "") -> None:
        """What the call really used."""

        async def work(tx: Transaction) -> None:
            row = await tx.get("reservation", key)
            if row is None:
                raise NotFound(f"no tokens were reserved under '{key}'")
            held = Reservation.model_validate(row.doc)
            if held.settled:
                return
            used = held.model_copy(update={"tokens": tokens, "settled": True, "answer": answer})
            await _count(tx, held, used)
            tx.put(_reservation(used))

        await self._rows.run(work)

    async def release(self, key: str) -> None:
        """Gives an open reservation back."""

        async def work(tx: Transaction) -> None:
            row = await tx.get("reservation", key)
            held = Reservation.model_validate(row.doc) if row else None
            if held and not held.settled:
                await _count(tx, held, None)
                tx.drop("reservation", key)

        await self._rows.run(work)

    async def spent(self, game: str, day: str = "", cycle: int | None = None) -> int:
        """Tokens reserved and settled."""
        if day and cycle is not None:
            rows = [
                Reservation.model_validate(row.doc)
                for row in await self._find("reservation", game=game, grp=day)
            ]
            return sum(each.tokens for each in rows if each.cycle == cycle)
        scope = f"day {day}" if day else "all" if cycle is None else f"cycle {cycle}"

        async def work(tx: Transaction) -> int:
            return await _tally(tx, game, scope)

        return await self._rows.run(work)

    # ── outbox and inbox ──

    async def unsent(self, agent: str, limit: int = 100) -> list[MessageEnvelope]:
        """Committed and not yet confirmed by the broker."""
        found = await self._find("outbox", grp=agent, state="unsent", limit=limit)
        return [MessageEnvelope.model_validate(row.doc) for row in found]

    async def mark_sent(self, message_id: str) -> None:
        """The broker has it."""
        await self._restate("outbox", message_id, "sent")

    async def accept(self, envelope: MessageEnvelope) -> bool:
        """Into the inbox, once."""

        async def work(tx: Transaction) -> bool:
            if await tx.get("inbox", envelope.message_id):
                return False
            tx.put(_message("inbox", envelope, envelope.target_agent, "waiting"))
            return True

        return await self._rows.run(work)

    async def waiting(self, agent: str, limit: int = 100) -> list[MessageEnvelope]:
        """Accepted, its effect not committed."""
        found = await self._find("inbox", grp=agent, state="waiting", limit=limit)
        return [MessageEnvelope.model_validate(row.doc) for row in found]

    async def bury(self, letter: DeadLetter) -> None:
        """Keeps what nobody understands."""

        async def work(tx: Transaction) -> None:
            if await tx.get("dead_letter", letter.id) is None:
                tx.put(
                    SurrealRow(
                        table="dead_letter",
                        key=letter.id,
                        grp=letter.queue,
                        doc=letter.model_dump(mode="json"),
                    )
                )

        await self._rows.run(work)

    async def dead_letters(self) -> list[DeadLetter]:
        """Those, in order."""
        return [DeadLetter.model_validate(row.doc) for row in await self._find("dead_letter")]

    # ── decisions ──

    async def decisions(self, game: str = "", open_only: bool = False) -> list[Decision]:
        """The inbox of the person."""
        found = await self._find("decision", game=game, state="open" if open_only else "")
        return [Decision.model_validate(row.doc) for row in found]

    async def answer(self, decision_id: str, choice: str, *, by: str, at: str) -> Decision:
        """The first answer counts; it reaches the agent through its inbox, in the same
        transaction."""

        async def work(tx: Transaction) -> Decision:
            row = await tx.get("decision", decision_id)
            if row is None:
                raise NotFound(
                    f"no decision goes by '{decision_id}'; `freeform-rpg lore inbox` lists those that wait"
                )
            held = Decision.model_validate(row.doc)
            after = answered(held, choice, by, at)
            if after != held:
                tx.put(_decision(after))
                told = response_to(after)
                if await tx.get("inbox", told.message_id) is None:
                    tx.put(_message("inbox", told, told.target_agent, "waiting"))
            return after

        return await self._rows.run(work)

    async def close(self) -> None:
        """Closes the database."""
        await self._rows.close()

    async def _restate(self, table: str, key: str, state: str) -> None:
        async def work(tx: Transaction) -> None:
            row = await tx.get(table, key)
            if row and row.state != state:
                tx.put(row.model_copy(update={"state": state}))

        await self._rows.run(work)


async def _tally(tx: Transaction, game: str, scope: str) -> int:
    row = await tx.get("spent", f"{game}/{scope}")
    return int(row.doc["tokens"]) if row else 0


async def _count(tx: Transaction, before: Reservation | None, after: Reservation | None) -> None:
    """Moves a reservation's tokens in the tallies of its day, its cycle and the game."""
    change: dict[tuple[str, str], int] = {}
    for each, sign in ((before, -1), (after, 1)):
        for scope in (f"day {each.day}", f"cycle {each.cycle}", "all") if each else ():
            assert each
            change[each.game, scope] = change.get((each.game, scope), 0) + sign * each.tokens
    for (game, scope), tokens in change.items():
        total = await _tally(tx, game, scope) + tokens
        tx.put(SurrealRow(table="spent", key=f"{game}/{scope}", game=game, doc={"tokens": total}))


async def _check_judged(tx: Transaction, commit: StepCommit) -> None:
    if commit.judged is None:
        return
    held = [row for agent in JUDGES for row in await tx.find("step", game=commit.game, grp=agent)]
    if len(held) != commit.judged:
        raise Conflict(f"somebody else has judged '{commit.game}' meanwhile; try again")


def _message(table: str, envelope: MessageEnvelope, agent: str, state: str) -> SurrealRow:
    doc = envelope.model_dump(mode="json")
    return SurrealRow(table=table, key=envelope.message_id, grp=agent, state=state, doc=doc)


def _decision(decision: Decision) -> SurrealRow:
    state = "open" if decision.open else "answered"
    doc = decision.model_dump(mode="json")
    return SurrealRow(
        table="decision", key=decision.decision_id, game=decision.game, state=state, doc=doc
    )


def _reservation(held: Reservation) -> SurrealRow:
    state = "settled" if held.settled else "open"
    doc = held.model_dump(mode="json")
    return SurrealRow(
        table="reservation", key=held.key, game=held.game, grp=held.day, state=state, doc=doc
    )


def _page_key(game: str, url: str, sha256: str = "") -> str:
    return hashlib.sha256(canonical([game, url, sha256]).encode()).hexdigest()[:40]
