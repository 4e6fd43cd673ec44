"""Deeds that dice decide: violence, stealth, flight, care, and whatever players think of."""

from freeform.core.text import plain_form
from freeform.engine.authored.conditions import check
from freeform.engine.authored.script import Become
from freeform.engine.rules.checks import state_type
from freeform.engine.rules.deeds.attempt import Attempt
from freeform.engine.rules.effects import (
    begin_situation,
    end_situation,
    escalate,
    go,
    pay,
    shift_trust,
)
from freeform.engine.rules.fight import attacking
from freeform.engine.rules.fight.foes import is_fighting
from freeform.engine.rules.ledger import Disclosure
from freeform.engine.rules.rolls import at_least
from freeform.engine.rulings.lasting import become, remember_deed
from freeform.engine.world.acts import STAKED
from freeform.engine.world.state import PLAYER
from freeform.language.forms import SECOND_PERSON
from freeform.language.words import word_class

_LONGEST_SPOT = 60
HEALTH = ("well", "hurt", "badly hurt", "out")


def attack(attempt: Attempt) -> str:
    """Hurts someone: twice and they are down, for good where the table plays with death. A system
    that says how fights are fought has its way."""
    if attempt.rules.system.fight:
        return attacking.attack(attempt)
    page, who = attempt.page, attempt.action.target_id
    outcome = _risk(attempt)
    end_situation("hidden", page)
    shift_trust(who, -3, page)
    if at_least(outcome, "mixed"):
        steps = {"mixed": 1, "success": 2, "critical": 3}[outcome]
        was = str(page.state.value(who, "condition") or "well")
        now = HEALTH[min(len(HEALTH) - 1, (HEALTH.index(was) if was in HEALTH else 0) + steps)]
        risk = attempt.rules.begun.calibration.risk
        fatal = now == "out" and risk.lethality == "high" and risk.permanence
        state = "dead" if fatal else ("unconscious" if now == "out" else now)
        text = f"{attempt.name} is {state}."
        page.settle(who, "condition", state, text=text, disclosure=Disclosure(method="violence"))
        page.happen("wounded", ("violence",), npc=who, name=attempt.name, condition=state)
    if not at_least(outcome, "success"):
        escalate(who, page, attempt.rules)
    return outcome


def hide(attempt: Attempt) -> str:
    """Gets out of sight."""
    outcome = _risk(attempt)
    if at_least(outcome, "mixed"):
        begin_situation("hidden", _out_of_sight(attempt), attempt.page)
    return outcome


def _out_of_sight(attempt: Attempt) -> str:
    """Where one hid, as far as one said: `in the wardrobe`."""
    where = attempt.action.details.strip(" .!")
    first = where.partition(" ")[0].lower()
    named = first in word_class("deed_places") and len(where) <= _LONGEST_SPOT
    spot = " ".join(SECOND_PERSON.get(word.lower(), word) for word in where.split())
    return f"You are out of sight {spot}." if named else "You are out of sight."


def flee(attempt: Attempt) -> str:
    """Gets away: to the place named, else through the first open way."""
    if is_fighting(attempt.page.state):
        return attacking.escape(attempt)
    page, state = attempt.page, attempt.page.state
    outcome = _risk(attempt)
    if at_least(outcome, "mixed"):
        ways = [
            w.to for w in attempt.rules.exits(attempt.here, state) if check(w.when, state).holds
        ]
        wanted = attempt.action.target_id
        if ways:
            go(wanted if wanted in ways else ways[0], page, attempt.rules)
        end_situation("pursued", page)
    return outcome


def heal(attempt: Attempt) -> str:
    """Tends wounds: one's own, or someone's."""
    page, who = attempt.page, attempt.action.target_id
    outcome = _risk(attempt)
    if at_least(outcome, "mixed"):
        if who in ("", PLAYER):
            pay({"harm": -1 if outcome == "mixed" else -2}, page, attempt.rules)
        else:
            text = f"{attempt.name} is on the mend."
            page.settle(who, "condition", "well", text=text, disclosure=Disclosure(method="care"))
            shift_trust(who, 2, page)
    return outcome


def wait(attempt: Attempt) -> str:
    """Lets time pass."""
    attempt.page.happen("waited", minutes=attempt.action.minutes)
    return ""


def dare(attempt: Attempt) -> str:
    """Anything else that might go wrong."""
    if attempt.kind.roll == "risky" and not attempt.action.details and not attempt.action.target_id:
        attempt.page.happen("said", words="")
        return ""
    free_deed = attempt.action.action == "improvise"
    if free_deed and (attempt.action.family not in STAKED or _is_harmless(attempt)):
        whom = attempt.action.target_id
        whom = whom if state_type(whom, attempt.page.state) == "npc" else ""
        name = attempt.name if whom else ""
        attempt.page.happen("gestured", details=attempt.action.details, target=whom, name=name)
        remember_deed(attempt.action.details, attempt.page)
        return ""
    outcome = _risk(attempt)
    if free_deed and at_least(outcome, "mixed"):
        remember_deed(attempt.action.details, attempt.page)
    if attempt.action.action == "break" and at_least(outcome, "mixed"):
        _leave_broken(attempt)
    return outcome


def _leave_broken(attempt: Attempt) -> None:
    """What was broken stays so; ways and people have rules of their own."""
    target = attempt.action.target_id
    if state_type(target, attempt.page.state) in ("item", "object"):
        become(Become(subject=target, condition="broken"), attempt.page, "force")


def _is_harmless(attempt: Attempt) -> bool:
    """Whether nothing hangs on it: `warm my hands by the fire`.

    Done to someone, or beside a threat, something does.
    """
    said = f"{plain_form(attempt.action.details)} "
    return not attempt.action.target_id and any(
        said.startswith(f"{word} ") for word in attempt.rules.system.harmless_words
    )


def _risk(attempt: Attempt) -> str:
    outcome = attempt.throw(attempt.kind.stat or "nerve", attempt.kind.tier)
    action = attempt.action
    attempt.page.happen(
        "outcome",
        action=action.action,
        target=action.target_id,
        name=attempt.name,
        details=action.details,
        outcome=outcome,
    )
    return outcome
