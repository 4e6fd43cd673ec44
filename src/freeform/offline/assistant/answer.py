"""The answer without a model: extractive, in parts for rule, sheet and notes, every line with its
source number."""

from collections.abc import Sequence
from typing import Any

from freeform.assistant.entities.fold import stemmed, tokens
from freeform.assistant.model import Number, Tool
from freeform.assistant.passes import AnswerInput, AnswerReply, Numbered, spelled
from freeform.assistant.quotes import beginning, choose, key_words, sentences_of
from freeform.core.chance import Chance
from freeform.core.text import shorten
from freeform.language.inflection import lemma

_COLUMNS, _ROWS = 4, 12


def comparison(sources: Sequence[Numbered], entities: Sequence[str]) -> list[str]:
    """A table of what two or more entries each say of the same things; nothing if they share no
    fields."""
    rows = [each for each in sources if _fields(each)][:_COLUMNS]
    if len(rows) < 2:
        return []
    shared = [key for key in _fields(rows[0]) if sum(key in _fields(each) for each in rows) >= 2][
        :_ROWS
    ]
    if len(shared) < 2:
        return []
    head = (
        "| | "
        + " | ".join(f"{each.piece.title}{_edition(each)} [{each.n}]" for each in rows)
        + " |"
    )
    lines = [head, "|---" * (len(rows) + 1) + "|"]
    for key in shared:
        cells = [shorten(str(_fields(each).get(key, "–")), 80).replace("|", "/") for each in rows]
        lines.append(f"| {key.replace('_', ' ')} | {' | '.join(cells)} |")
    return lines


def listing(sources: Sequence[Numbered]) -> list[str]:
    """One line for each entry that was found."""
    lines = []
    for each in sources:
        first = next(iter(sentences_of(each.piece.text)), "")
        lines.append(
            f"- **{each.piece.title}**{_edition(each)}: {shorten(' '.join(first.split()), 160)} [{each.n}]"
        )
    return lines


def _fields(each: Numbered) -> dict[str, Any]:
    return {
        key: value
        for key, value in each.piece.data.items()
        if isinstance(value, str | int | float) and value != ""
    }


def _edition(each: Numbered) -> str:
    return f" ({each.piece.edition})" if each.piece.edition else ""


_HEADINGS: dict[Tool, str] = {
    "rulebook": "Rule",
    "character_data": "Your sheet",
    "session_notes": "Notes",
}
_MOST: dict[Tool, int] = {"rulebook": 4, "character_data": 6, "session_notes": 6}
_WORDS: dict[Tool, int] = {"rulebook": 160, "character_data": 60, "session_notes": 70}


def respond(input: AnswerInput, chance: Chance) -> AnswerReply:
    """What was read for the question; else parts in the order rule, sheet, notes. Then what
    disagrees, then what was not found."""
    if input.found:
        parts = ["\n".join(_spaced(input.found))]
    else:
        parts = [part for tool in _HEADINGS if (part := _part(tool, input))]
    if not parts:
        parts = ["Nothing in the sources answers this."]
    if input.disagreements:
        lines = [
            f"- **{each.subject}**, {each.what}: {'; '.join(each.sides)}"
            for each in input.disagreements
        ]
        parts.append("\n".join(["### Sheet and notes disagree", *lines]))
    gaps = [f"- {note}" for note in input.notes]
    if not input.found:
        gaps = [*(f"- searched, nothing found: {gap}" for gap in input.searched_and_empty), *gaps]
    if gaps:
        parts.append("\n".join(["### To know", *gaps]))
    return AnswerReply(answer="\n\n".join(parts))


def _spaced(lines: Sequence[str]) -> list[str]:
    """Lines as Markdown shows them: each a paragraph of its own, list lines together."""
    spaced: list[str] = []
    for line in lines:
        if spaced and not line.startswith("- "):
            spaced.append("")
        spaced.append(line)
    return spaced


def _part(tool: Tool, input: AnswerInput) -> str:
    mine = [each for each in input.sources if each.piece.tool == tool]
    wanted = key_words(input.question)
    numbers, named = (
        _telling(input.numbers, wanted, input.entities) if tool == "character_data" else ([], False)
    )
    if not named and any(each.named for each in mine):
        numbers = []  # The sheet's headlines say nothing of what was asked by name.
    lines = [_number(number, mine) for number in numbers]
    intents = {each.intention for each in input.tools_needed if each.tool == tool}
    if mine and "find_by_criteria" in intents:
        lines += listing(mine)
    elif (
        len(mine) > 1
        and "compare_entities" in intents
        and (table := comparison(mine, input.entities))
    ):
        lines += table
    else:
        said = {number.piece for number in numbers}
        kept = _fitting(mine, input, wanted, told=bool(numbers))
        if kept and not numbers and not any(each.named or _worth(each, wanted) for each in kept):
            lines.append("Nothing here speaks of it by name; the nearest:")
        kept = [
            each for each in kept if each.piece.id not in said or len(each.piece.text.split()) > 60
        ]
        lines += [_line(each, tool, input, wanted) for each in kept[: _MOST[tool]]]
    return "\n\n".join([f"### {_HEADINGS[tool]}", "\n".join(lines)]) if lines else ""


def _fitting(
    mine: Sequence[Numbered], input: AnswerInput, wanted: set[str], told: bool
) -> list[Numbered]:
    """The pieces about the names asked for; else those that share words with the question; else the
    first ones."""
    if not mine:
        return []
    rules = mine[0].piece.tool == "rulebook"
    named = [each for each in mine if each.named]
    about = [
        each
        for each in mine
        if not each.named and any(_about(each, name) for name in input.entities)
    ]
    if lists := [each for each in mine if each.piece.kind == "list"]:
        return lists
    if named or about:
        return [*named, *about][: max(2, len(named))] if rules else [*named, *about]
    lost = {lemma(word) for name in input.entities for word in tokens(name)}
    if mine[0].piece.tool == "session_notes" and not lost:
        return list(mine)  # Their order is the story's.
    shared = sorted(mine, key=lambda each: -_worth(each, wanted))
    good = [each for each in shared if _worth(each, wanted - lost) >= (2 if lost else 1)]
    if good or lost or told:
        return good[:3] if rules else good
    return list(mine[:3])


def _about(each: Numbered, name: str) -> bool:
    key = [lemma(word) for word in tokens(name)]
    words = [lemma(word) for word in tokens(f"{each.piece.title} {each.piece.text}")]
    return (
        any(words[at : at + len(key)] == key for at in range(len(words) - len(key) + 1))
        if key
        else False
    )


def _worth(each: Numbered, wanted: set[str]) -> float:
    """How much a piece has of the wanted words; the name of its section counts as a word of its
    own."""
    title = {lemma(word) for word in tokens(each.piece.title)}
    text = {
        lemma(word)
        for word in tokens(
            f"{each.piece.text} {each.piece.section.replace('_', ' ')} {each.piece.kind}"
        )
    }
    return 2 * len(title & wanted) + len(text & wanted)


def _line(each: Numbered, tool: Tool, input: AnswerInput, wanted: set[str]) -> str:
    piece = each.piece
    names = {lemma(word) for name in input.entities for word in tokens(name)}
    if each.named and not (wanted - names) & key_words(piece.text):
        said = beginning(piece.text, _WORDS[tool])  # Asked for as a whole.
    else:
        said = choose(piece.text, wanted, names=input.entities, most=5, words=_WORDS[tool])
    text = " ".join(
        part.strip("-*• ").strip() if part.startswith(("- ", "* ")) else part for part in said
    )
    edition = f" ({piece.edition})" if piece.edition and tool == "rulebook" else ""
    lead = (
        f"**{piece.title}**{edition}: "
        if not stemmed(text).startswith(f"{stemmed(piece.title)} ") or edition
        else ""
    )
    bullet = "" if tool == "rulebook" else "- "
    return f"{bullet}{lead}{shorten(' '.join(text.split()), 900)} [{each.n}]" + (
        "\n" if tool == "rulebook" else ""
    )


def _telling(
    numbers: Sequence[Number], wanted: set[str], entities: Sequence[str]
) -> tuple[list[Number], bool]:
    """The numbers the question asks for by name, and that it does; all of them if it names none, up
    to eight."""
    asked = wanted | {lemma(word) for name in entities for word in tokens(name)}
    scored = [
        (len({lemma(word) for word in tokens(number.label)} & asked), -at)
        for at, number in enumerate(numbers)
    ]
    best = max((score for score, _ in scored), default=0)
    kept = [numbers[-at] for score, at in scored if score == best] if best else list(numbers)
    return kept[:8], best > 0


def _number(number: Number, mine: Sequence[Numbered]) -> str:
    source = next((each for each in mine if each.piece.id == number.piece), None)
    source = source or next((each for each in mine if each.piece.section == number.section), None)
    head, equals, parts = spelled(number).partition(" = ")
    return f"- **{head}**{equals}{parts}" + (f" [{source.n}]" if source else "")
