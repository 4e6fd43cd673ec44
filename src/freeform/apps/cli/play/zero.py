"""Session zero asked at a terminal: a few questions, each of which may be skipped."""

from freeform.apps.cli.play.voice import Voice
from freeform.engine.authored.library import load_system
from freeform.engine.authored.scenario import Risk, Scenario
from freeform.engine.campaign.begin import (
    Answers,
    OwnHero,
    ZeroQuestion,
    session_zero_questions,
)

OWN = "own"
SKIP = "skip"
LISTS = ("themes", "lines", "veils")


def ask_session_zero(scenario: Scenario, voice: Voice) -> Answers:
    """The answers; whatever is skipped stays as the scenario has it."""
    voice.line(f"Session zero for {scenario.name}.", "bold")
    voice.line(f"Enter keeps what stands in brackets; '{SKIP}' keeps all the rest.", "dim")
    given: dict[str, str] = {}
    own: OwnHero | None = None
    for question in session_zero_questions(scenario):
        text = _ask(question, voice)
        if text.casefold() == SKIP:
            break
        if question.key == "hero" and text.casefold() == OWN:
            own = _own_hero(scenario, voice)
        elif text:
            given[question.key] = text
    return _answers(scenario, given, own)


def _ask(question: ZeroQuestion, voice: Voice) -> str:
    """One answer: free text, or one of the options by number or name. '' keeps the default."""
    voice.line()
    default = f" [{question.default}]" if question.default else ""
    voice.line(f"{question.ask}{default}")
    options = [
        *question.options,
        *([f"{OWN}: someone of your own"] if question.key == "hero" else []),
    ]
    voice.lines((f"  {number}. {option}" for number, option in enumerate(options, start=1)), "dim")
    keys = [option.partition(":")[0].strip() for option in options]
    while True:
        text = voice.ask("? ").strip()
        if not options or not text or text.casefold() == SKIP:
            return text
        if text.isdecimal() and 0 < int(text) <= len(keys):
            return keys[int(text) - 1]
        found = [key for key in keys if key.casefold().startswith(text.casefold())]
        if len(found) == 1:
            return found[0]
        voice.line(f"Please give a number from 1 to {len(keys)}, or press Enter.")


def _own_hero(scenario: Scenario, voice: Voice) -> OwnHero | None:
    name = voice.ask("Name? ").strip()
    if not name:
        return None
    concept = voice.ask("In a few words? ").strip()
    pronouns = voice.ask("Pronouns? [they/them] ").strip() or "they/them"
    system = load_system(scenario.system, voice.desk.settings.home)
    low, high = system.stat_range
    stats: dict[str, int] = {}
    voice.line(f"Stats from {low} to {high}, Enter for {system.resolution.stat_default}.")
    for stat in system.stats:
        text = voice.ask(f"{stat}? ").strip().lstrip("+")
        if text.casefold() == SKIP:
            break
        if text.lstrip("-").isdecimal():
            stats[stat] = max(low, min(high, int(text)))
    items = scenario.heroes[0].items if scenario.heroes else []
    return OwnHero(name=name, concept=concept, pronouns=pronouns, stats=stats, items=items)


def _answers(scenario: Scenario, given: dict[str, str], own: OwnHero | None) -> Answers:
    risk = scenario.calibration.risk
    chosen = Risk(
        lethality=given.get("lethality", risk.lethality),
        failure_mode=given.get("failure_mode", risk.failure_mode),
        permanence=given["permanence"] == "yes" if "permanence" in given else risk.permanence,
    )
    lists = {key: _listed(given[key]) for key in LISTS if key in given}
    return Answers(
        hero=own or given.get("hero"),
        tone=given.get("tone"),
        risk=chosen if chosen != risk else None,
        themes=lists.get("themes"),
        lines=lists.get("lines"),
        veils=lists.get("veils"),
    )


def _listed(text: str) -> list[str]:
    parts = (part.strip() for part in text.split(","))
    return [part for part in parts if part]
