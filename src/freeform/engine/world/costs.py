"""What an attempt costs, in the measures every system has."""

from freeform.core.record import Record


class Costs(Record):
    """What an attempt costs, whatever comes of it."""

    heat: int = 0
    time: int = 0
    cred: int = 0
    harm: int = 0
    rep: int = 0
