"""What kinds of act there are, beside the actions of a rules system, and which cost nothing."""

OF_ACTION = {
    "talk": "talk",
    "ask": "ask",
    "persuade": "persuade",
    "deceive": "deceive",
    "threaten": "threaten",
    "look": "look",
    "search": "search",
    "recall": "gm_question",
    "move": "move",
    "flee": "move",
    "follow": "move",
    "take": "take",
    "steal": "sneak_hide",
    "give": "give",
    "show": "give",
    "drop": "use",
    "use": "use",
    "open": "open_close",
    "close": "open_close",
    "unlock": "unlock_break",
    "break": "unlock_break",
    "hack": "unlock_break",
    "repair": "make_improvise",
    "improvise": "make_improvise",
    "brave": "make_improvise",
    "heal": "help_heal",
    "help": "help_heal",
    "hide": "sneak_hide",
    "attack": "attack",
    "wait": "wait_rest",
    "express": "express",
    "plan": "plan_only",
    "ooc": "ooc",
    "gm_question": "gm_question",
}
"""The family of each action, as `language/ear.py` names families."""
FREE = frozenset({"ooc", "gm_question", "plan_only", "none", "express"})
"""Families of what is only said, asked, felt or meant: they cost nothing."""

STAKED = frozenset({"", "make_improvise", "unlock_break", "attack"})
"""Families of free deeds on which something hangs; the rest are simply done."""


def family_of(action: str, heard: str = "") -> str:
    """The family a listener heard, or the one an action is of by itself."""
    return heard or OF_ACTION.get(action, "make_improvise")
