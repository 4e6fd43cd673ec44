"""A mind as lines of a prompt, so that a model starts from what the player would be thinking."""

from freeform.players.mind.model import MindState

_MOST = 5


def mind_lines(mind: MindState) -> list[str]:
    """What is on the player's mind; nothing for an empty one."""
    lines = []
    if mind.dangers:
        lines.append("Dangers: " + "; ".join(_flat(danger.text) for danger in mind.dangers[:3]))
    if mind.hypotheses:
        guesses = "; ".join(_flat(guess.text) for guess in mind.hypotheses[:2])
        lines.append(f"You wonder whether these belong together: {guesses}")
    if mind.leanings:
        leanings = "; ".join(one.option.text for one in mind.leanings[:_MOST])
        lines.append(f"What you lean to, best first: {leanings}")
    return lines


def _flat(text: str) -> str:
    return " ".join(text.split())
