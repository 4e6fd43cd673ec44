"""Plays a party in children that kill themselves with SIGKILL at the n-th thing they write; then plays it to its end.

Run as `python -m tests.players.killing FOLDER ROUNDS N…`. Everything is imported once; each game is a forked process, so
that what dies is a real process in the midst of real files. Prints one JSON row per kill.
"""

import asyncio
import json
import os
import signal
import sys
from pathlib import Path
from typing import Any

import langgraph.graph  # noqa: F401 - so that every child has it

from freeform.adapters.ear.learned import shipped_ear
from freeform.adapters.langgraph.sqlite_saver import DirectSqliteSaver
from freeform.adapters.sqlite.campaign.store import SqliteStore
from freeform.adapters.sqlite.party import SqliteChannels, SqliteParties
from freeform.core.gc_tuning import set_aside
from freeform.engine.authored.library import load_scenario
from freeform.players.model import RoundRecord
from freeform.players.party.evening import play_on
from freeform.players.party.party import new_party
from freeform.players.party.persona import choose_personas
from freeform.settings import Settings
from freeform.wiring.players import parlour

STORY, PLAYERS = load_scenario("dead_drop"), choose_personas("3")


def die_at(number: int, note: Path) -> None:
    """From now on the n-th write of this process is its last; `note` says during what."""
    left = [number]

    def after(kind: type, name: str, what: Any) -> None:
        write = getattr(kind, name)

        async def and_die(self: Any, *args: Any, **more: Any) -> Any:
            done = await write(self, *args, **more)
            left[0] -= 1
            if left[0] == 0:
                note.write_text(what(*args))
                os.kill(os.getpid(), signal.SIGKILL)
            return done

        setattr(kind, name, and_die)

    after(SqliteParties, "keep", lambda party, round, key, value: key.split("/")[1])
    after(SqliteParties, "record", lambda party, record: "record")
    after(SqliteChannels, "push", lambda party, lists, message: message.phase)
    after(SqliteStore, "append", lambda campaign, entries, **more: "dm_adjudication")
    after(
        DirectSqliteSaver,
        "aput",
        lambda config, checkpoint, *rest: (
            f"checkpoint:{','.join(checkpoint['versions_seen'])[-14:]}"
        ),
    )


async def play(home: Path, rounds: int) -> list[dict[str, Any]]:
    """Makes the party if it is not there, and plays on until so many rounds stand."""
    async with parlour(Settings.model_validate({"home": home, "model": "offline"})) as room:
        if "p" not in await room.store.names():
            await new_party(
                STORY, PLAYERS, 7, 0.3, room.table, room.store, room.table.clock, name="p"
            )
        who = await room.store.get("p")
        left = rounds - await room.store.count("p")
        if left > 0:
            async for came in play_on(room.game, who, left):
                assert isinstance(came, RoundRecord)
        messages = []
        for list_ in ("channel:ic:messages", "channel:ooc:messages", "channel:p2c:wren_calder"):
            messages += [
                m.model_dump(mode="json", exclude={"at"})
                for m in await room.channels.read("p", list_, 1000)
            ]
        turns = (await room.table.store.head("p")).turn_no
        facts = await room.minds("p").store.count(["campaign_main"])
        played = [record.model_dump(mode="json") for record in await room.store.rounds("p")]
        return [{"rounds": played, "messages": messages, "turns": turns, "facts": facts}]


def in_a_child(work: Any) -> int:
    """Runs it in a forked process; gives how that ended."""
    child = os.fork()
    if child == 0:
        try:
            work()
            os._exit(0)
        except BaseException:  # a child must never go on as the parent
            import traceback

            traceback.print_exc()
            os._exit(1)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def finish(home: Path, rounds: int, out: Path) -> None:
    out.write_text(json.dumps(asyncio.run(play(home, rounds))))


def die(home: Path, rounds: int, number: int, note: Path) -> None:
    async def with_a_bomb() -> None:
        async with parlour(Settings.model_validate({"home": home, "model": "offline"})) as room:
            await new_party(
                STORY, PLAYERS, 7, 0.3, room.table, room.store, room.table.clock, name="p"
            )
        die_at(number, note)
        await play(home, rounds)

    asyncio.run(with_a_bomb())


def main() -> None:
    folder, rounds, numbers = Path(sys.argv[1]), int(sys.argv[2]), [int(n) for n in sys.argv[3:]]
    shipped_ear().problem()  # loads the ear, and with the rest set aside no child copies it
    set_aside()
    assert in_a_child(lambda: finish(folder / "whole", rounds, folder / "whole.json")) == 0
    for n in numbers:
        home, note, out = folder / f"home{n}", folder / f"phase{n}", folder / f"out{n}.json"
        ended = in_a_child(lambda home=home, n=n, note=note: die(home, rounds, n, note))  # type: ignore[misc]
        resumed = in_a_child(lambda home=home, out=out: finish(home, rounds, out))  # type: ignore[misc]
        same = resumed == 0 and out.read_text() == (folder / "whole.json").read_text()
        row = {
            "n": n,
            "ended": ended,
            "phase": note.read_text() if note.exists() else "",
            "same": same,
            "resumed": resumed,
        }
        print(json.dumps(row), flush=True)


if __name__ == "__main__":
    main()
