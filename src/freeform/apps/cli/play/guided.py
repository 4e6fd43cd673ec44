"""From the door to the table: resume the last campaign, or choose a scenario and begin."""

import sys
from typing import TYPE_CHECKING

import typer

from freeform.apps.cli.desk import Desk

if TYPE_CHECKING:
    from freeform.apps.cli.play.seat import TerminalSeat
    from freeform.engine.authored.library import ScenarioRow

_SHORTEST = 3
"""So many words has a premise."""


def guide(desk: Desk, campaign: str | None = None, scenario: str | None = None) -> None:
    """Finds or makes the campaign, says which model plays, and hands over to the loop."""
    if desk.json:
        print(
            "freeform-rpg: play is for people; with --json use `turn CAMPAIGN TEXT`",
            file=sys.stderr,
        )
        raise typer.Exit(2)
    from freeform.apps.cli.play.loop import play
    from freeform.apps.cli.play.seat import seated

    with seated(desk) as seat:
        try:
            _welcome(seat)
            seat.campaign = _find(seat, campaign, scenario)
        except (EOFError, KeyboardInterrupt):
            seat.voice.line("Nothing was begun.")
            return
        play(seat)


def _welcome(seat: "TerminalSeat") -> None:
    """Which model plays, and what leaves this machine."""
    from freeform import __version__
    from freeform.services.models import stays_here

    settings = seat.desk.settings
    name = seat.house.model
    stays = seat.wait(stays_here(settings, name))
    seat.voice.line(f"Freeform RPG {__version__}", "bold")
    sent_to = settings.vectors_sent_to
    if sent_to:
        note = f"Game master: {name}. For search by meaning texts are sent to {sent_to}."
    elif not stays and name == "offline":
        note = (
            "Game master: offline, with other models for some parts. What these are asked is sent."
        )
    elif name == "offline":
        note = "Game master: offline, built in. No account, nothing leaves this machine."
    elif stays:
        note = f"Game master: {name}, on this machine. Nothing leaves it."
    else:
        note = f"Game master: {name}. What you play is sent there; --model offline keeps it here."
    seat.voice.line(note, "dim")
    seat.voice.line("Type what you do. /help lists the commands, Ctrl-D leaves.", "dim")
    seat.voice.line()


def _find(seat: "TerminalSeat", campaign: str | None, scenario: str | None) -> str:
    """The campaign to play: the one asked for, the last one, or a new one."""
    from freeform.services.campaigns import list_campaigns

    rows = seat.wait(list_campaigns(seat.house))
    if campaign is not None and (scenario is None or campaign in {row.id for row in rows}):
        begun = seat.wait(seat.house.table.store.begun(campaign))
        seat.voice.line(f"{begun.name} ({campaign})", "bold")
        return campaign
    playable = [row for row in rows if not row.problem]
    if campaign is None and scenario is None and playable:
        last = playable[0]
        seat.voice.line(f"{last.name} ({last.id}), turn {last.current_turn}", "bold")
        new = "Something new: freeform-rpg play --scenario ID, or /new and what it is about"
        seat.voice.line(new, "dim")
        return last.id
    return _begin(seat, campaign, scenario)


def _begin(seat: "TerminalSeat", campaign: str | None, scenario: str | None) -> str:
    """A new campaign, with session zero where a person can be asked."""
    from freeform.apps.cli.play.premise import begin_story
    from freeform.apps.cli.play.zero import ask_session_zero
    from freeform.engine.campaign.begin import Answers
    from freeform.services.campaigns import begin_campaign, find_scenario, list_scenarios

    shelf = list_scenarios(seat.desk.settings)
    wanted = scenario or _choose(seat, shelf)
    if wanted not in {row.id for row in shelf} and scenario is None:
        begin_story(seat, wanted, campaign)
        return seat.campaign
    found = find_scenario(seat.house, wanted)
    answers = ask_session_zero(found, seat.voice) if seat.desk.is_terminal else Answers()
    begun = seat.wait(begin_campaign(seat.house, found, answers, campaign=campaign))
    seat.voice.line()
    seat.voice.line(f"{begun.name} ({begun.campaign}), seed {begun.seed}", "bold")
    return begun.campaign


def _choose(seat: "TerminalSeat", shelf: "list[ScenarioRow]") -> str:
    """A scenario's id: by number at a terminal, else the first that is not for newcomers; or a
    premise to make one of."""
    if len(shelf) == 1 or not seat.desk.is_terminal:
        return _first_for_players(seat, shelf)
    seat.voice.line("What shall we play?", "bold")
    for number, row in enumerate(shelf, start=1):
        seat.voice.line(f"{number}. {row.name} ({row.genre})")
        seat.voice.line(f"   {row.description}", "dim")
    seat.voice.line("Or say in a sentence what a story of your own is about.", "dim")
    while True:
        text = seat.voice.ask("Number or premise [1]? ").strip() or "1"
        if text.isdecimal() and 0 < int(text) <= len(shelf):
            return shelf[int(text) - 1].id
        by_id = [row.id for row in shelf if text.casefold() in (row.id, row.name.casefold())]
        if by_id:
            return by_id[0]
        if len(text.split()) >= _SHORTEST and _is_meant(seat, text):
            return text
        seat.voice.line(f"Please give a number from 1 to {len(shelf)}.")


def _is_meant(seat: "TerminalSeat", premise: str) -> bool:
    """Asks before a story is made of what was typed."""
    said = seat.voice.ask("A story of your own, about that [Y/n]? ").strip().casefold()
    return not said.startswith("n")


def _first_for_players(seat: "TerminalSeat", shelf: "list[ScenarioRow]") -> str:
    """Where nobody chooses, nobody is there to be taught."""
    from freeform.services.campaigns import find_scenario

    for row in shelf:
        if not find_scenario(seat.house, row.id).for_newcomers:
            return row.id
    return shelf[0].id
