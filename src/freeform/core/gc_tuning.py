"""The collector of garbage, told how much of what we make lives on."""

import gc


def collect_seldom() -> None:
    """Records are many and live long: looking for garbage among them at every import and turn is
    wasted."""
    gc.set_threshold(50_000, 20, 20)


def set_aside() -> None:
    """What is loaded by now stays for good, so it need not be gone through again: that took a tenth
    of every turn."""
    gc.collect()
    gc.freeze()
