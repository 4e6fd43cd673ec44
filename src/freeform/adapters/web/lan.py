"""The address that others in the same network find this machine at."""

import socket

_ELSEWHERE = ("192.0.2.1", 9)
"""An address for documentation: nothing is sent there, the system only says which way it would."""


def lan_address() -> str:
    """This machine's own address in its network; '' when it is in none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        try:
            asking.connect(_ELSEWHERE)
        except OSError:
            return ""
        found = str(asking.getsockname()[0])
    return "" if found.startswith(("127.", "0.")) else found
