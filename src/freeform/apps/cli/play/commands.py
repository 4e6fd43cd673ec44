"""The commands at the table, `/help` and the rest."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import get_args

from rapidfuzz import process

from freeform.apps.cli.campaign.limits import limit_lines
from freeform.apps.cli.campaign.timeline import branch_line
from freeform.apps.cli.campaign.turns import why_lines
from freeform.apps.cli.play import drawing
from freeform.apps.cli.play.premise import new_story
from freeform.apps.cli.play.seat import TerminalSeat
from freeform.core.errors import UserError
from freeform.core.text import shorten
from freeform.engine.campaign.limits import LimitChange
from freeform.language.sentences import sentences
from freeform.services import campaigns, limits, play
from freeform.services.gm import hand, oracle


@dataclass(frozen=True)
class TableCommand:
    """Something one can type after a slash."""

    do: Callable[[TerminalSeat, str], None]
    help: str
    takes: str = ""


def obey(seat: TerminalSeat, text: str) -> bool:
    """Does what a slash command says; False when the person leaves."""
    word, _, rest = text[1:].strip().partition(" ")
    name = word.casefold()
    if name in ("quit", "q", "exit"):
        return False
    if name in COMMANDS:
        COMMANDS[name].do(seat, rest.strip())
        return True
    best = process.extractOne(name, [*COMMANDS, "quit"], score_cutoff=50) if name else None
    hint = f" Did you mean /{best[0]}?" if best else ""
    seat.voice.line(f"There is no command /{name}.{hint} /help lists them.")
    return True


def _help(seat: TerminalSeat, rest: str) -> None:
    seat.voice.line("Type what you do, in your own words. A number takes that suggestion.")
    for name, command in COMMANDS.items():
        seat.voice.line(f"/{name}{' ' + command.takes if command.takes else ''}: {command.help}")
    seat.voice.line("/quit: leaves the table; Ctrl-D does too")


def _status(seat: TerminalSeat, rest: str) -> None:
    seat.voice.lines(drawing.status_lines(seat.state(), seat.rules(), seat.voice.plain))


def _clocks(seat: TerminalSeat, rest: str) -> None:
    clocks = seat.state().clocks.values()
    seat.voice.lines(drawing.clock_line(clock, seat.voice.plain) for clock in clocks)


def _scene(seat: TerminalSeat, rest: str) -> None:
    seat.voice.lines(drawing.scene_lines(seat.state(), seat.rules()))


def _inventory(seat: TerminalSeat, rest: str) -> None:
    seat.voice.lines(drawing.inventory_lines(seat.state()))


def _threads(seat: TerminalSeat, rest: str) -> None:
    seat.voice.lines(drawing.thread_lines(seat.state()))


def _debug(seat: TerminalSeat, rest: str) -> None:
    if seat.last is None:
        seat.voice.line("No turn has been played here at this sitting yet.")
        return
    last = seat.last
    seat.voice.line(f"turn {last.turn_no} take {last.take}: {last.player_input}")
    seat.voice.line(f"intent: {last.interpreter.intent}")
    for tried in last.interpreter.proposed_actions:
        seat.voice.line(f"proposed: {tried.action} {tried.target_id} {tried.details}".rstrip())
    for allowed in last.validator.allowed_actions:
        price = {name: n for name, n in allowed.costs.model_dump().items() if n}
        seat.voice.line(f"allowed: {allowed.action} {allowed.target_id} {price or ''}".rstrip())
    for blocked in last.validator.blocked_actions:
        because = f" (because {blocked.because})" if blocked.because else ""
        seat.voice.line(f"blocked: {blocked.action} {blocked.target_id}: {blocked.reason}{because}")
    seat.voice.lines(f"event: {event.type} {event.details}" for event in last.engine_events)
    seat.voice.lines(f"rejected: {claim.claim}: {claim.reason}" for claim in last.rejected)
    seat.voice.lines(f"prompt: {label}" for label in last.prompt_versions.values())
    seat.voice.line(f"models: {', '.join(f'{role} {name}' for role, name in last.model.items())}")
    times = ", ".join(f"{name} {ms:.1f} ms" for name, ms in last.timings_ms.items())
    used = last.usage
    tokens = f"{used.input_tokens}+{used.output_tokens} tokens"
    seat.voice.line(f"time: {times}")
    seat.voice.line(f"used: {used.calls} calls, {tokens}, ${used.cost_usd:.4f}")


def _undo(seat: TerminalSeat, rest: str) -> None:
    if rest and not rest.isdecimal():
        raise UserError(f"/undo takes a number of turns, not '{rest}'")
    stands = seat.wait(play.undo(seat.house, seat.campaign, int(rest or 1)))
    seat.voice.line(
        f"Back at turn {stands.turn_no}, with everything as it was. /redo goes forward again."
    )
    seat.show_last()


def _redo(seat: TerminalSeat, rest: str) -> None:
    stands = seat.wait(play.redo(seat.house, seat.campaign))
    seat.voice.line(f"At turn {stands.turn_no} again.")
    seat.show_last()


def _retry(seat: TerminalSeat, rest: str) -> None:
    seat.play(lambda show: play.retry_turn(seat.house, seat.campaign, show))


def _branch(seat: TerminalSeat, rest: str) -> None:
    left = seat.state().branch
    stands = seat.wait(play.start_branch(seat.house, seat.campaign, None, rest))
    seat.voice.line(
        f"You play on in branch {stands.branch}. /switch {left} goes back to where you were."
    )


def _branches(seat: TerminalSeat, rest: str) -> None:
    rows = seat.wait(play.list_branches(seat.house, seat.campaign))
    seat.voice.lines(branch_line(row) for row in rows)


def _switch(seat: TerminalSeat, rest: str) -> None:
    if not rest:
        _branches(seat, rest)
        seat.voice.line("/switch NAME goes to one of them.")
        return
    stands = seat.wait(play.switch_branch(seat.house, seat.campaign, rest))
    seat.last = None  # what /debug knows happened on the other branch
    seat.voice.line(f"On branch {stands.branch}, turn {stands.turn_no}.")
    seat.show_last()


def _why(seat: TerminalSeat, rest: str) -> None:
    if rest:
        found = seat.wait(campaigns.why(seat.house, seat.campaign, rest))
        seat.voice.lines(why_lines(found))
        return
    seat.voice.line("/why ID says where a fact comes from. Learnt last:")
    seat.voice.lines(drawing.known_facts(seat.state()))


def _x(seat: TerminalSeat, rest: str) -> None:
    seat.wait(play.use_x_card(seat.house, seat.campaign, rest))
    kept_out = " It will not come up again." if rest.strip() else ""
    seat.voice.line(f"Taken back, no questions asked.{kept_out}")
    seat.show_last()


def _limits(seat: TerminalSeat, rest: str) -> None:
    """`/limits` shows them; `/limits line spiders`, `/limits veil gore`, `/limits remove gore`."""
    if rest:
        seat.wait(limits.change_limits(seat.house, seat.campaign, _change(rest)))
    seat.voice.lines(limit_lines(seat.wait(limits.show_limits(seat.house, seat.campaign))))
    if not rest:
        seat.voice.line(
            "/limits line TOPIC, /limits veil TOPIC and /limits remove TOPIC change them."
        )


def _gm(seat: TerminalSeat, rest: str) -> None:
    """`/gm say Viktor is dead.`, `/gm do EFFECT`, `/gm whisper TEXT`, `/gm pin ID` …"""
    word, _, text = rest.partition(" ")
    verb = next((verb for verb in get_args(hand.Verb) if verb == word.casefold()), None)
    if verb is None:
        raise UserError("say /gm with one of: " + ", ".join(get_args(hand.Verb)))
    done = seat.wait(hand.lay_down(seat.house, seat.campaign, verb, text))
    seat.voice.lines(done.heard)


def _change(rest: str) -> LimitChange:
    word, _, topic = rest.partition(" ")
    match word.casefold():
        case "line":
            return LimitChange(lines=[topic])
        case "veil":
            return LimitChange(veils=[topic])
        case "remove":
            return LimitChange(remove=[topic])
        case _:
            raise UserError("say /limits line TOPIC, /limits veil TOPIC or /limits remove TOPIC")


def _roll(seat: TerminalSeat, rest: str) -> None:
    rolled = play.roll_dice(rest or "2d6", seat.house.table.ids.new("roll"))
    seat.voice.line(rolled.text, "bold cyan")


def _oracle(seat: TerminalSeat, rest: str) -> None:
    """`/oracle is the bridge guarded? likely`, `/oracle weather`; alone it lists the tables."""
    if not rest:
        shelf = seat.wait(oracle.list_tables(seat.house, seat.campaign))
        seat.voice.lines(f"{row.id}: {row.about}" for row in shelf.tables)
        seat.voice.line("/oracle QUESTION? ODDS answers yes or no; /oracle TABLE gives a row.")
        return
    answer = seat.wait(oracle.ask_oracle(seat.house, seat.campaign, rest))
    seat.voice.line(answer.text, "bold cyan")


def _recap(seat: TerminalSeat, rest: str) -> None:
    recent = seat.wait(seat.house.table.store.recent(seat.campaign, 8))
    if not recent:
        seat.show_last()
        return
    seat.recap()
    seat.voice.line()
    for turn in recent:
        told = sentences(turn.final_text)
        seat.voice.line(f"{turn.turn_no}. {shorten(turn.player_input, 60)}")
        seat.voice.line(f"   {shorten(' '.join(told[:2]), 200)}", "dim")


def _save(seat: TerminalSeat, rest: str) -> None:
    seat.voice.line(f"Every turn is saved as it is played; this campaign is '{seat.campaign}'.")
    seat.voice.line(f"A copy to keep: freeform-rpg export {seat.campaign} {seat.campaign}.zip")


COMMANDS: dict[str, TableCommand] = {
    "help": TableCommand(_help, "this list"),
    "status": TableCommand(_status, "who, where, when, and every clock"),
    "clocks": TableCommand(_clocks, "the clocks"),
    "scene": TableCommand(_scene, "the place, who is here, the ways out"),
    "inventory": TableCommand(_inventory, "what you carry"),
    "threads": TableCommand(_threads, "the story's questions"),
    "recap": TableCommand(_recap, "what happened before, and the last turns in short"),
    "undo": TableCommand(_undo, "takes turns back, with all they changed", "[N]"),
    "redo": TableCommand(_redo, "goes forward again"),
    "retry": TableCommand(_retry, "another take on the last turn; the old one is kept"),
    "branch": TableCommand(_branch, "plays on in a new branch", "[NAME]"),
    "branches": TableCommand(_branches, "lists the branches"),
    "switch": TableCommand(_switch, "goes to another branch", "NAME"),
    "why": TableCommand(_why, "where a fact comes from", "[ID]"),
    "x": TableCommand(
        _x, "X-card: takes the last turn back, and keeps what you name out", "[WHAT]"
    ),
    "limits": TableCommand(
        _limits, "lines and veils: what stays out, or off-screen", "[line|veil|remove TOPIC]"
    ),
    "gm": TableCommand(
        _gm, "a game master's hand; /undo takes it back", "do|say|whisper|note|pin|unpin TEXT"
    ),
    "roll": TableCommand(_roll, "rolls dice that decide nothing", "[DICE]"),
    "oracle": TableCommand(
        _oracle,
        "yes or no by odds, or a row of a table; the log keeps it",
        "[QUESTION? ODDS|TABLE]",
    ),
    "debug": TableCommand(_debug, "how the last turn was understood and decided"),
    "new": TableCommand(new_story, "begins a story of yours: what it is about", "[PREMISE]"),
    "save": TableCommand(_save, "says how to keep a copy"),
}
