"""Telling what happens between people: greetings, answers, silences, comings and goings."""

import re
from typing import Any

from freeform.core.text import plain_form, slug
from freeform.engine.rules.known import inside
from freeform.language.words import telling_words, word_class
from freeform.offline.grammar import turned, with_article
from freeform.offline.narrator.draft import Draft
from freeform.offline.narrator.lines import clean, groups

Details = dict[str, Any]
_TOLD_OF = word_class("topic_askings") | {"about"}
"""What begins a telling of words, and not the words."""


def _spoken(t: Draft, d: Details, lead: str, bare: str, again: str = "") -> None:
    """Someone's words: a beat before bare speech, a shorter line where the words were said
    lately."""
    name, text, topic = str(d.get("name", "")), t.text_of(d), topic_of(d)
    t.speaker = name or t.speaker
    if not text or (t.told(text) and again):
        t.line(
            again if text else bare,
            str(d.get("npc", "")),
            breaks=True,
            name=t.called(name),
            topic=topic,
        )
        return
    unnamed = name and not _names(text, name) and text[:1] in "“\"'"
    if unnamed and not _just_named(t, name):
        t.line(lead, str(d.get("npc", "")), breaks=True, name=t.called(name), topic=topic)
        t.add(text)
    else:
        t.add(text, breaks=True)


def _names(text: str, name: str) -> bool:
    plain = plain_form(text)
    return any(
        part in plain for part in plain_form(name).split() if len(part) > 2 and part != "the"
    )


def _just_named(t: Draft, name: str) -> bool:
    return bool(t.pieces) and _names(t.pieces[-1].text, name)


def topic_of(d: Details) -> str:
    """The topic as it reads inside a sentence; a whole question is no noun, so it is left out."""
    topic = clean(str(d.get("topic") or "")).rstrip("?.! ")
    first = plain_form(topic).split(" ")[0] if topic else ""
    if first in word_class("topic_askings") or len(topic.split()) > 6:
        return ""
    return inside(topic)


def greeted(t: Draft, d: Details) -> None:
    """Someone takes notice."""
    bare = "heard" if t.last == "said" else "greeted_bare"
    _spoken(t, d, "greeted_lead", bare, bare)


def told(t: Draft, d: Details) -> None:
    """Someone tells what they know; once more in short where all of it was told before."""
    if d.get("as_said"):
        name = str(d.get("name", ""))
        t.speaker = name or t.speaker
        npc, text = str(d.get("npc", "")), t.text_of(d)
        t.line("told_as_said", npc, breaks=True, name=t.called(name), text=text)
        return
    _spoken(t, d, "told_lead", "told_lead", "told_again")


def withheld(t: Draft, d: Details) -> None:
    """Someone keeps something back, and it shows."""
    _spoken(t, d, "withheld_lead", "withheld_bare", "withheld_bare")


_TAKEN_UP = ("spoke_news_claim", "spoke_claim_claim")
_SHRUGGED = ("spoke_unknown", "spoke_unknown_bare", "spoke_unknown_about")
"""Where someone who knows nothing may say so in their own manner."""
_SAID_WITH = (
    *("echo", "gist", "about", "role", "role_low", "place", "pointer", "spot"),
    *("mine", "mine_first"),
)


def spoke(t: Draft, d: Details) -> None:
    """Someone answers in words of their own; who might know better comes last."""
    name, npc = str(d.get("name", "")), str(d.get("npc", ""))
    t.speaker = name or t.speaker
    fields = {field: str(d[field]) for field in _SAID_WITH if d.get(field)}
    fields["name"] = t.called(name)
    if d.get("again"):
        t.line("spoke_again", npc, breaks=True, **fields)
        return
    group, shrug = _group(d, fields), t.text_of(d)
    if shrug and group in _SHRUGGED and not t.told(shrug):
        if fields.get("echo"):
            t.add(f"“{fields['echo']}”", breaks=True)
        elif not _names(shrug, name) and shrug[:1] in "“\"'":
            t.line("told_lead", npc, breaks=True, name=fields["name"])
        t.add(shrug, breaks=not fields.get("echo") and _names(shrug, name))
    else:
        t.line(group, npc, breaks=d.get("kind") != "lead", **fields)
    if d.get("kind") == "straight" and how_led(fields):
        t.line(how_led(fields), npc, breaks=False, **fields)
    elif fields.get("pointer") and "advice" not in group and "lead" not in group:
        t.line("spoke_pointer", npc, breaks=False, **fields)


def how_led(fields: dict[str, str]) -> str:
    """The lines for a lead: something to look at, or somebody to ask; '' where there is none."""
    return "spoke_lead_see" if "spot" in fields else "spoke_lead_ask" if "pointer" in fields else ""


def _group(d: Details, fields: dict[str, str]) -> str:
    """The lines for an answer: of a claim such as take up what was said, if they can."""
    group = "_".join(part for part in ("spoke", str(d.get("kind")), str(d.get("how"))) if part)
    taken_up = next(
        (f for f in ("echo", "about") if f in fields and f"{group}_{f}" in groups()), ""
    )
    if group == "spoke_unknown" and "echo" not in fields:
        return "spoke_unknown_bare"
    return f"{group}_{taken_up}" if group in _TAKEN_UP and taken_up else group


def bond_shown(t: Draft, d: Details) -> None:
    """What someone does not forget shows in how they turn to the player's character."""
    name = str(d.get("name", ""))
    t.line(f"bond_shown_{d.get('bond')}", str(d.get("npc", "")), breaks=True, name=t.called(name))


def no_answer(t: Draft, d: Details) -> None:
    """Someone has nothing to tell."""
    _spoken(t, d, "told_lead", "no_answer", "no_answer")


def said(t: Draft, d: Details) -> None:
    """The player's character speaks."""
    words = clean(str(d.get("words") or "")).strip('"“” ')
    if not words:
        return
    name = t.called(str(d.get("name") or ""))
    to = inside(str(d.get("to") or ""))
    if plain_form(words).startswith(("to ", "for ", "that ", "be ")):
        told = turned(words if not plain_form(words).startswith("be ") else f"to {words}")
        group = "bid_to" if name else "bid_away" if to else "bid"
        t.line(group, breaks=True, words=told.rstrip(".!? "), name=name, to=to)
        t.speaker = name or t.speaker
        return
    if to:
        told_of = plain_form(words).split()[0] in _TOLD_OF and not words.endswith("?")
        group = "said_away_of" if told_of else "said_away"
        t.line(group, breaks=True, words=whole_words(words), to=to)
        return
    whole = whole_words(words)
    clause = whole[:-1] + "," if whole[-1] == "." else whole
    t.line("said_to" if name else "said", breaks=True, words=whole, clause=clause, name=name)
    if name:
        t.line("heard", str(d.get("npc", "")), name=name)
    t.speaker = name or t.speaker


def whole_words(words: str) -> str:
    """Words as a sentence of their own."""
    words = words[:1].upper() + words[1:]
    return words if words[-1] in ".!?…" else f"{words}."


def npc_arrived(t: Draft, d: Details) -> None:
    """Someone comes; whoever was told of in the last breath is there already."""
    name = str(d.get("name", ""))
    first = next((word for word in name.split() if telling_words(word)), "")
    if t.pieces and first and re.search(rf"\b{re.escape(first)}\b", t.pieces[-1].text):
        return
    t.authored(
        d, "arrived", str(d.get("npc", "")), breaks=True, name=t.called(str(d.get("name", "")))
    )


def npc_left(t: Draft, d: Details) -> None:
    """Someone goes; not worth a word if they only went where the player went."""
    if d.get("npc") not in t.input.context_packet.present_entities:
        t.authored(
            d, "left", str(d.get("npc", "")), breaks=True, name=t.called(str(d.get("name", "")))
        )


def bargain(t: Draft, d: Details) -> None:
    """What is agreed is told by what is said with it."""


def faced(t: Draft, d: Details) -> None:
    """What proof weighs is told by how it is met."""


def bond(t: Draft, d: Details) -> None:
    """What is not forgotten shows when they next speak."""


def meanwhile(t: Draft, d: Details) -> None:
    """What happens out of sight is not told."""


def escalated(t: Draft, d: Details) -> None:
    """Someone goes a step further."""
    t.mood = "danger"
    t.authored(
        d, "escalated", str(d.get("npc", "")), breaks=True, name=t.called(str(d.get("name", "")))
    )


def shown(t: Draft, d: Details) -> None:
    """Someone is shown a thing; what they say to it follows."""
    if thing := str(d.get("thing", "")):
        t.line(
            "shown_speaking" if d.get("spoken") else "shown",
            str(d.get("npc", "")),
            breaks=True,
            name=t.called(str(d.get("name", ""))),
            thing=with_article(thing),
        )


def wounded(t: Draft, d: Details) -> None:
    """Someone is hurt, and how badly."""
    condition = str(d.get("condition", ""))
    t.mood = "danger"
    t.line(
        f"wounded_{slug(condition)}", str(d.get("npc", "")), name=t.called(str(d.get("name", "")))
    )
