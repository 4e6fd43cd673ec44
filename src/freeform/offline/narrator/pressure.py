"""Telling how attempts go and what presses: outcomes, prices, threats, threads, endings."""

from typing import Any

from freeform.language.words import unowned
from freeform.offline.grammar import with_article
from freeform.offline.narrator.draft import Draft, ProsePiece
from freeform.offline.narrator.lines import clean, families, groups

_SAID_EVERY = 4
"""Turns after the end between two notices of it."""
Details = dict[str, Any]
_HIDING = frozenset({"behind", "under", "in", "inside", "among", "between", "beneath", "beside"})
_PRICES = ("harm", "heat", "cred", "rep", "time")

SOURCES = frozenset(
    {"tension_move", "clock_triggered", "outcome", "told", "discovered", "threat_due"}
)
"""Events whose own words announce what they set off."""


def outcome(t: Draft, d: Details) -> None:
    """How an attempt went, in the scenario's words or in the words of its kind of action."""
    result, action = str(d.get("outcome", "")), str(d.get("action", ""))
    text = t.text_of(d)
    if d.get("whatever"):
        deed = t.own_words.told(str(d.get("details") or ""), tried=result in ("failure", "botch"))
        t.add(f"{deed} {text}".strip(), breaks=t.breaks_before_outcome())
        return
    if text and not t.told(text):
        t.add(text, breaks=t.breaks_before_outcome())
        return
    worse = {"botch": "failure", "critical": "success"}.get(result, result)
    deed = t.own_words.told(_in_own_words(d, action), tried=worse == "failure")
    if deed:
        t.add(deed, breaks=t.breaks_before_outcome())
        t.last = "said"
    if not deed or result != "success" or action == "hide":
        _say_how_it_went(t, d, action, worse)
    if worse != result:
        t.line(f"other_{result}")


def _in_own_words(d: Details, action: str) -> str:
    """What the player said they do, where the event has it: a free deed, a hiding somewhere."""
    details = str(d.get("details") or "")
    if action == "improvise":
        return details
    spot = details.lower().split()[:1]
    return f"hide {details}" if action == "hide" and spot and spot[0] in _HIDING else ""


def _say_how_it_went(t: Draft, d: Details, action: str, result: str) -> None:
    """A line for a kind of action and an outcome."""
    family = families().get(action, "other")
    group = f"{family}_{result}" if f"{family}_{result}" in groups() else f"other_{result}"
    t.line(
        group if group in groups() else "other_mixed",
        action,
        breaks=t.breaks_before_outcome(),
        name=_object(t, d),
    )


def gestured(t: Draft, d: Details) -> None:
    """A small deed on which nothing hangs; whoever it is meant for may notice."""
    deed = t.own_words.told(str(d.get("details") or ""))
    name = t.called(str(d.get("name") or ""))
    if deed:
        t.add(deed, breaks=True)
    alone = len(t.input.engine_events) == 1
    if not deed or (name and (d.get("target") or alone)):
        t.line("gestured_seen" if name else "gestured", breaks=not deed, name=name)


def planned(t: Draft, d: Details) -> None:
    """Something meant for later, or left undone: understood, and nothing happens."""
    t.line("planned", breaks=True)


def _object(t: Draft, d: Details) -> str:
    """Whom or what it was done to; people as they are called, things with their article."""
    name = str(d.get("name") or "")
    people = {
        str(row.get("name")) for row in t.input.context_packet.entities if row.get("type") == "npc"
    }
    return t.called(name) if name in people else with_article(name)


def clock_advanced(t: Draft, d: Details) -> None:
    """Something draws nearer or lets up: felt, never counted, and once a turn."""
    start, end, most = (int(d.get(part) or 0) for part in ("from", "to", "max"))
    first = not t.pieces and any(event.type == "ruled" for event in t.input.engine_events)
    if "clock" in t.quieted or start == end or d.get("told_by_deeds") or first:
        return  # what was done comes before what it costs
    t.quieted.add("clock")
    share = end / most if most else 0.5
    nearness = "low" if share < 0.4 else "mid" if share < 0.75 else "high"
    group = "clock_eased" if end < start else f"clock_{nearness}"
    own = t.lines.say(f"clock_advanced:{d.get('id', '')}", name=str(d.get("name", "")))
    t.add(own or t.lines.say(group))


def clock_triggered(t: Draft, d: Details) -> None:
    """What was building breaks."""
    t.mood = "danger"
    t.authored(d, "clock_full", str(d.get("id", "")), breaks=True)


def cost_paid(t: Draft, d: Details) -> None:
    """The price of trying is not worth a sentence; what it leads to is."""


def consequence(t: Draft, d: Details) -> None:
    """What a failure brings, by the worst of it."""
    text = t.text_of(d)
    if text and not t.told(text):
        t.add(text)
        return
    costs = d.get("costs") or {}
    worst = next((price for price in _PRICES if costs.get(price)), "")
    t.line(f"consequence_{worst}" if worst else "consequence")
    if worst == "heat":
        t.quieted.add("clock")


def streak_broke(t: Draft, d: Details) -> None:
    """Misfortune comes due."""
    t.authored(d, "streak", breaks=True)


def tension_move(t: Draft, d: Details) -> None:
    """The game master presses."""
    t.mood = "danger"
    t.authored(d, "tension", str(d.get("id", "")), breaks=True)


def threat_pending(t: Draft, d: Details) -> None:
    """Something is on its way."""
    t.mood = "danger"
    if t.last in SOURCES:
        return  # whatever set it off has just been told
    t.authored(d, "threat_pending", str(d.get("id", "")), breaks=True)


def threat_due(t: Draft, d: Details) -> None:
    """Something has come."""
    t.mood = "danger"
    t.authored(d, "threat_due", str(d.get("id", "")), breaks=True)


def threat_averted(t: Draft, d: Details) -> None:
    """It does not come to that."""
    t.line("threat_averted", str(d.get("id", "")), breaks=True)


def thread_changed(t: Draft, d: Details) -> None:
    """A question opens, is answered, or is lost."""
    status = str(d.get("status", ""))
    if any(event.type == "ending" for event in t.input.engine_events):
        return  # the ending says it
    title = _lowered(t, str(d.get("title") or "").rstrip("."))
    if status in ("active", "resolved", "failed") and title:
        t.line(f"thread_{status}", str(d.get("id", "")), breaks=True, title=title)


def _lowered(t: Draft, title: str) -> str:
    """A title after a colon: its first word small, unless it is a name."""
    first = unowned(title.split(" ")[0])
    names = {
        word for row in t.input.context_packet.entities for word in str(row.get("name", "")).split()
    }
    return title if first in names or title[1:2].isupper() else title[:1].lower() + title[1:]


def situation_began(t: Draft, d: Details) -> None:
    """Something holds from now on."""
    if t.last in SOURCES:
        return
    t.authored(d, "situation_began", str(d.get("id", "")), breaks=True)


def situation_ended(t: Draft, d: Details) -> None:
    """Something holds no longer. The event's text says what held, so it is not said now."""
    t.line("unhidden" if d.get("id") == "hidden" else "situation_ended", str(d.get("id", "")))


def interrupted(t: Draft, d: Details) -> None:
    """The rest of what was meant does not happen."""
    t.line("interrupted", breaks=True, reason=str(d.get("reason") or ""))


def epilogue(t: Draft, d: Details) -> None:
    """The story is over: said at once, and now and then."""
    t.mood = "end"
    if int(d.get("times", 1)) % _SAID_EVERY == 1:
        t.line("epilogue", breaks=True)


def ending(t: Draft, d: Details) -> None:
    """The story comes to rest."""
    t.mood = "end"
    text = t.text_of(d)
    t.add(text or t.lines.say("ending"), breaks=True)
    if title := str(d.get("title") or "").strip():
        t.pieces.append(ProsePiece(f"— {clean(title)}", breaks=True))
