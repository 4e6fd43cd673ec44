"""Telling of blows, powers, wounds, rests and luck."""

from typing import Any

from freeform.offline.narrator.draft import Draft

Details = dict[str, Any]


def struck(t: Draft, d: Details) -> None:
    """A blow of the player's, or of a foe."""
    _blow(t, d, "struck")


def foe_struck(t: Draft, d: Details) -> None:
    """A foe's blow."""
    t.mood = "danger"
    _blow(t, d, "foe")


def _blow(t: Draft, d: Details, whose: str) -> None:
    if not d.get("hit"):
        went = "miss"
    elif not d.get("damage"):
        went = "nothing"
    else:
        went = "critical" if d.get("outcome") == "critical" else "hit"
    _say(t, d, f"{whose}_{went}", breaks=True)


def power_struck(t: Draft, d: Details) -> None:
    """A power that needs no roll to hit."""
    if d.get("damage"):
        group = "power_held" if d.get("held") else "power_hit"
    else:
        group = "power_fails" if d.get("held") else "power_takes"
    _say(t, d, group)


def fell(t: Draft, d: Details) -> None:
    """The player's character goes down."""
    t.mood = "danger"
    _say(t, d, f"fell_{d.get('condition')}", breaks=True)


def last_roll(t: Draft, d: Details) -> None:
    """A turn of the dying."""
    t.mood = "danger"
    _say(t, d, f"last_roll_{d.get('outcome')}", breaks=True)


def rested(t: Draft, d: Details) -> None:
    """A rest, and what it gave."""
    group = "rested" if d.get("healed") else "rested_whole"
    t.line(group, breaks=True, rest=str(d.get("name") or "a rest"), healed=d.get("healed"))


def no_rest(t: Draft, d: Details) -> None:
    """Why there is no rest to be had."""
    t.line(f"no_rest_{d.get('reason')}", breaks=True)


def cast(t: Draft, d: Details) -> None:
    """A power is used."""
    who = "self" if d.get("own") else "other"
    power = str(d.get("name") or "")
    t.line(f"cast_{who}", breaks=True, power=power, name=t.called(str(d.get("target") or "")))


def mended(t: Draft, d: Details) -> None:
    """Wounds close."""
    who = "self" if d.get("own") else "other"
    group = f"mended_{who}" if d.get("points") else "mended_nothing"
    t.line(group, name=t.called(str(d.get("name") or "")), points=d.get("points"))


def rose(t: Draft, d: Details) -> None:
    """Someone gets up."""
    _say(t, d, "rose_self" if d.get("own") else "rose_other")


def unknown_power(t: Draft, d: Details) -> None:
    """What was named is none of one's own."""
    names = ", ".join(str(name) for name in d.get("names") or []) or "nothing of that kind"
    t.line("unknown_power", breaks=True, names=names)


def no_target(t: Draft, d: Details) -> None:
    """A power with nobody to use it on."""
    t.line("no_target", breaks=True, power=str(d.get("name") or ""))


def _plain(group: str, danger: bool = False) -> Any:
    """Tells an event by the group of its own name."""

    def tell(t: Draft, d: Details) -> None:
        t.mood = "danger" if danger else t.mood
        _say(t, d, group, breaks=True)

    tell.__name__ = group
    return tell


def resource_changed(t: Draft, d: Details) -> None:
    """Counted on the sheet, not told."""


def learned(t: Draft, d: Details) -> None:
    """Counted on the sheet, not told."""


def _say(t: Draft, d: Details, group: str, breaks: bool = False) -> None:
    fields: dict[str, Any] = {k: v for k, v in d.items() if isinstance(v, str | int)}
    fields["name"] = t.called(str(d.get("name") or ""))
    t.line(group, breaks=breaks, **fields)


TOLD = (
    struck,
    foe_struck,
    power_struck,
    fell,
    last_roll,
    rested,
    no_rest,
    cast,
    mended,
    rose,
    unknown_power,
    no_target,
    resource_changed,
    learned,
    *(_plain(group, danger=True) for group in ("fight_began", "died", "dead_still", "harmed")),
    *(
        _plain(group)
        for group in (
            "fight_ended",
            "time_lost",
            "held_back",
            "foe_fled",
            "foe_surrendered",
            "gave_up",
            "no_foe",
            "no_foe_left",
            "let_go",
            "not_let_go",
            "bought_off",
            "not_bought",
            "nothing_to_pay",
            "not_cowed",
            "broke_off",
            "held_fast",
            "lacked",
            "pushed",
            "nothing_to_push",
            "strained",
            "resisted",
            "nothing_to_resist",
            "filled",
            "levelled",
        )
    ),
)
"""How each event of this kind is told."""
