"""A real RabbitMQ for tests: Debian's server on ports and folders of its own, ended by its process group."""

import os
import shutil
import signal
import socket
import subprocess
import time
from pathlib import Path

import pytest

from tests.patience import PATIENCE

BINARY = Path("/usr/lib/rabbitmq/bin/rabbitmq-server")


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


class RabbitServer:
    """Started once; the same folder and port again after a stop."""

    def __init__(self, folder: Path) -> None:
        if not BINARY.exists() or not shutil.which("erl"):
            pytest.skip("no RabbitMQ here (Debian package: rabbitmq-server)")
        self.port, self._epmd, self._child = free_port(), free_port(), None
        config = folder / "rabbitmq.conf"
        config.write_text(f"listeners.tcp.1 = 127.0.0.1:{self.port}\nlog.console.level = error\n")
        (folder / "plugins").write_text("[].\n")
        self._folder = folder
        self._environ = {
            "PATH": os.environ["PATH"],
            "HOME": str(folder),
            "RABBITMQ_NODENAME": f"freeform{self.port}@localhost",
            "RABBITMQ_DIST_PORT": str(free_port()),
            "RABBITMQ_CONFIG_FILE": str(config),
            "RABBITMQ_ENABLED_PLUGINS_FILE": str(folder / "plugins"),
            "RABBITMQ_MNESIA_BASE": str(folder / "mnesia"),
            "RABBITMQ_LOG_BASE": str(folder / "log"),
            "RABBITMQ_PID_FILE": str(folder / "pid"),
            "RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS": "+S 1:1 +sbwt none",
            "ERL_EPMD_PORT": str(self._epmd),
            "ERL_EPMD_ADDRESS": "127.0.0.1",
            "LANG": "C.UTF-8",
        }
        self.start()

    @property
    def url(self) -> str:
        return f"amqp://guest:guest@127.0.0.1:{self.port}/"

    def start(self) -> None:
        with (self._folder / "out").open("ab") as out:
            self._child = subprocess.Popen(
                [str(BINARY)], env=self._environ, stdout=out, stderr=out, start_new_session=True
            )
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            try:
                with socket.create_connection(("127.0.0.1", self.port), 1) as door:
                    # The port opens a moment before the broker listens: it must answer a wrong greeting.
                    door.sendall(b"AMQP\x00\x00\x00\x00")
                    door.settimeout(10)
                    if door.recv(8).startswith(b"AMQP"):
                        return
            except OSError:
                pass
            assert self._child.poll() is None, (self._folder / "out").read_text()[-2000:]
            time.sleep(0.25)
        raise AssertionError(f"RabbitMQ did not start in {PATIENCE:.0f} s")

    def stop(self, how: signal.Signals = signal.SIGTERM) -> None:
        if self._child is None:
            return
        os.killpg(self._child.pid, how)
        try:
            self._child.wait(60)
        except subprocess.TimeoutExpired:
            os.killpg(self._child.pid, signal.SIGKILL)
            self._child.wait()
        self._child = None

    def close(self) -> None:
        self.stop(signal.SIGKILL)
        # The port mapper outlives the server; this one is ours alone. It refuses while it still counts the server.
        for _ in range(25):
            said = subprocess.run(
                ["epmd", "-port", str(self._epmd), "-kill"],
                env=self._environ,
                capture_output=True,
                text=True,
                check=False,
            )
            if (
                "Killed" in said.stdout + said.stderr
                or "Cannot connect" in said.stdout + said.stderr
            ):
                return
            time.sleep(0.2)
