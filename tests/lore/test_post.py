"""Letters: each has one effect, what nobody understands is set aside, nothing is lost."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from freeform.core.errors import Unavailable, UserError
from freeform.lore.daemon.daemon import advance, begin
from freeform.lore.daemon.outbox import open_letter, send_all, taker
from freeform.lore.daemon.validator import advance_validator
from freeform.lore.messages import RESEARCHER, VALIDATOR, MessageEnvelope
from tests.lore.emberfall import GAME, ports_on


def letter(**changes: Any) -> bytes:
    base = {
        "message_id": "m1", "source_agent": VALIDATOR, "target_agent": RESEARCHER,
        "message_type": "validation_result", "timestamp": "2091-01-01T00:00:00Z", "correlation_id": "c",
        "payload": {"zone_name": "Ashmoor", "accepted": True}, "version": 1,
    }  # fmt: skip
    return json.dumps({**base, **changes}).encode()


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (letter(message_type="gossip"), "unknown message type"),
        (letter(version=2), "version 2"),
        (letter(payload={"zone": 1}), "no validation_result"),
        (letter(target_agent="someone"), "meant for"),
        (b"not json", "not a message"),
        (b"[1, 2]", "version 0"),
        (b"\xff\xfe", "not a message"),
        (letter(timestamp="yesterday"), "not a message"),
        (b"[" * 100_000, "not a message"),
    ],
)
async def test_what_nobody_understands_goes_to_the_dead_letters_and_is_logged(
    tmp_path: Path, body: bytes, why: str
) -> None:
    heard: list[str] = []
    ports = ports_on(
        tmp_path / "l.db",
        log=lambda event, level="info", **f: heard.append(f"{event} {f['message']}"),
    )
    take = taker(ports, RESEARCHER)
    for _ in range(2):
        with pytest.raises(UserError, match="set aside"):
            await take(body)
    [dead] = await ports.store.dead_letters()
    assert why in dead.reason
    assert heard[0].startswith("error")
    assert await ports.store.waiting(RESEARCHER) == []


async def test_a_letter_delivered_twice_has_one_effect(tmp_path: Path) -> None:
    ports = ports_on(tmp_path / "l.db")
    await begin(GAME, ["Ashmoor"], ports)
    for _ in range(10):
        await advance(GAME, ports)
    [package] = await ports.store.waiting(VALIDATOR)
    take = taker(ports, VALIDATOR)
    await take(package.model_dump_json().encode())
    await advance_validator(ports)
    await take(package.model_dump_json().encode())
    assert await ports.store.waiting(VALIDATOR) == []
    assert not await advance_validator(ports)
    verdicts = await ports.store.waiting(RESEARCHER)
    assert len(verdicts) == 1


async def test_while_the_broker_is_down_nothing_is_lost(tmp_path: Path) -> None:
    class Down:
        sent: list[str] = []  # noqa: RUF012
        up = False

        async def publish(self, routing_key: str, message_id: str, body: bytes) -> None:
            if not self.up:
                raise Unavailable("the broker is down")
            self.sent.append(routing_key)

        async def consume(self, queues: Any, take: Any) -> None: ...

        async def close(self) -> None: ...

    from dataclasses import replace

    bus = Down()
    ports = replace(ports_on(tmp_path / "l.db"), bus=bus)
    await begin(GAME, ["Ashmoor"], ports)
    for _ in range(9):
        await advance(GAME, ports)
    with pytest.raises(Unavailable):
        await advance(GAME, ports)
    point = await ports.store.load_checkpoint(GAME)
    assert point is not None and point.current_step == 10
    bus.up = True
    assert await send_all(ports, RESEARCHER) == 1
    assert bus.sent == ["agent.world_lore_validator"]
    assert await send_all(ports, RESEARCHER) == 0


async def test_a_package_that_does_not_fit_is_answered_not_dropped(tmp_path: Path) -> None:
    ports = ports_on(tmp_path / "l.db")
    body = letter(
        message_type="research_package",
        target_agent=VALIDATOR,
        payload={"zone_name": "X", "game": GAME},
    )
    await taker(ports, VALIDATOR)(body)
    await advance_validator(ports)
    [answer] = await ports.store.waiting(RESEARCHER)
    assert answer.payload["accepted"] is False
    assert "does not fit its schema" in answer.payload["feedback"][0]["message"]


def test_a_good_letter_opens() -> None:
    envelope, why = open_letter(letter(), RESEARCHER)
    assert why == "" and isinstance(envelope, MessageEnvelope)
    assert envelope.timestamp == datetime(2091, 1, 1, tzinfo=UTC)
