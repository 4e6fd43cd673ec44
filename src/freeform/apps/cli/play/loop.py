"""READ THIS FIRST. The evening at the terminal: show where the story stands; hear, play, show; leave.

seat.show_last ──> voice.ask ──┬── "/word …"  ──> commands.obey      (also `quit`, `help`, `undo` … all alone)
      ^                        ├── "2"        ──> the second suggestion
      └────────── shown <──────┴── anything   ──> engine.turn.take_turn
"""

from freeform.apps.cli.play.commands import obey
from freeform.apps.cli.play.seat import TerminalSeat
from freeform.core.errors import FreeformError
from freeform.engine.turn import Say, finish, take_turn

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
    campaign, table = seat.campaign, seat.table
    try:
        seat.open_night()
    except FreeformError as told:
        seat.voice.line(str(told), "red")
    seat.show_last()
    try:
        seat.play(lambda show: finish(campaign, table, show))
    except FreeformError as told:
        seat.voice.line(str(told), "red")
    while (typed := _hear(seat)) is not None:
        text = BARE.get(typed.casefold(), typed)
        try:
            if text.startswith("/"):
                if not obey(seat, text):
                    break
            elif text:
                chosen = _chosen(seat, text)
                said = Say(campaign=campaign, text=chosen)
                seat.play(lambda show, said=said: take_turn(said, table, show))  # type: ignore[misc]
        except FreeformError as told:
            seat.voice.line(str(told), "red")
    seat.voice.line("Everything is saved. Until next time.", "dim")


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
