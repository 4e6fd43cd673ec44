"""What xdist starts instead of Python: a worker that is forked from a process which has collected the tests already.

The worker has our streams, and lives as long as the line. Without such a process (`tests/warm_workers.py`) we become what xdist
would have started. Nothing but Python's own is imported here, so that it starts in a few milliseconds.
"""

import os
import socket
import sys


def main(at: str, command: list[str]) -> None:
    with socket.socket(socket.AF_UNIX) as line:
        try:
            line.connect(at)
            socket.send_fds(line, [b"?"], [0, 1, 2])
            forked = line.recv(1)
        except OSError:
            forked = b""
        if forked:
            line.recv(1)
            return
    os.execv(sys.executable, [sys.executable, *command])


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
