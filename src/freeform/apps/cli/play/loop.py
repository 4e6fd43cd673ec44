"""READ THIS FIRST. The evening at the terminal: show where play stands; hear, play, show; leave.

seat.show_last ──> voice.ask ──┬── "/word …"  ──> commands.obey    (also `quit`, `undo` … alone)
      ^                        ├── "2"        ──> the second suggestion
      |                        ├── a premise, before the first turn ──> premise.py offers it
      └────────── shown <──────┴── anything   ──> services.play.take_turn
"""

from freeform.apps.cli.play.commands import obey
from freeform.apps.cli.play.premise import is_offered
from freeform.apps.cli.play.seat import TerminalSeat
from freeform.core.errors import FreeformError
from freeform.services.play import finish_turn

BARE = {
    "quit": "/quit",
    "help": "/help",
    "?": "/help",
    "undo": "/undo",
    "redo": "/redo",
    "retry": "/retry",
}
"""Words that, all alone, nobody says to a character: a slash was meant."""


def play(seat: TerminalSeat) -> None:
    """One sitting, from resuming to leaving."""
    try:
        seat.open_night()
    except FreeformError as told:
        seat.voice.line(str(told), "red")
    seat.show_last()
    try:
        seat.play(lambda show: finish_turn(seat.house, seat.campaign, show))
    except FreeformError as told:
        seat.voice.line(str(told), "red")
    stays = True
    while stays:
        typed = _hear(seat)
        stays = typed is not None and _do(seat, BARE.get(typed.casefold(), typed))
    seat.voice.line("Everything is saved. Until next time.", "dim")


def _do(seat: TerminalSeat, text: str) -> bool:
    """Does what was typed; False when the person leaves."""
    try:
        if text.startswith("/"):
            return obey(seat, text)
        if text and not is_offered(seat, text):
            seat.take(_chosen(seat, text))
    except FreeformError as told:
        seat.voice.line(str(told), "red")
    return True


def _hear(seat: TerminalSeat) -> str | None:
    """What was typed, or None when the person has left."""
    while True:
        try:
            seat.voice.line()
            return seat.voice.ask().strip()
        except KeyboardInterrupt:
            seat.voice.line("(Ctrl-D or /quit leaves the table.)", "dim")
        except EOFError:
            return None


def _chosen(seat: TerminalSeat, text: str) -> str:
    """A bare number takes the suggestion of that number."""
    if text.isdecimal() and 0 < int(text) <= len(seat.suggested):
        action = seat.suggested[int(text) - 1]
        seat.voice.line(f"{action}", "italic")
        return action
    return text
