"""A deed in the words of an option, read from what a character said it attempts."""

import re

_TRY = re.compile(r"^I (?:\w+ly )?(?:(?:try|attempt|intend|want|start|mean) to )?(?:\w+ly )?", re.I)


def deed_in(intent: str) -> str:
    """What is attempted, as one would tell somebody to do it: `I quietly try to go in` is `go
    in`."""
    return _TRY.sub("", intent)


def as_deed(intent: str) -> str:
    """What is attempted, in the words of an option: `I try to ask Dutch.` is `Ask Dutch`."""
    deed = deed_in(intent.strip()).rstrip(".")
    return deed[:1].upper() + deed[1:]
