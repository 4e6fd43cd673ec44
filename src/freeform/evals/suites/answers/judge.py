"""READ THIS FIRST. Whether an answer is right, by what it says, what it cites and how long it is.

A fact counts where a reader finds it: near the beginning, or anywhere in a list that was asked
for. It is sourced when a source cited on its line is of the right kind and its quote holds the
fact.
"""

import re
from typing import Literal

from pydantic import Field

from freeform.assistant.ask import CITED, numbers_in
from freeform.assistant.model import Answer, CitedSource
from freeform.core.record import Record
from freeform.evals.suites.answers.question import AnswerQuestion

BRIEF, BRIEF_LIST, EARLY, FIRST = 120, 400, 80, 12
"""Words: of an answer, of a list, before which a fact must stand, and of the very beginning."""
UNKNOWN_WORDS = 80
"""Words in which it is said that no source knows."""
TOOL_OF = {"sheet": "character_data", "notes": "session_notes", "rules": "rulebook"}
_NOT_KNOWN = re.compile(
    r"\b(no|not|nothing|none|nobody|neither|cannot|can't|don't|doesn't|isn't|unknown)\b", re.I
)
Verdict = Literal["right", "partly", "wrong", "refused"]


class JudgedAnswer(Record):
    """An answer and what became of it."""

    question: AnswerQuestion
    verdict: Verdict
    found: list[str] = Field(default_factory=list)
    lacking: list[str] = Field(default_factory=list)
    said_wrongly: list[str] = Field(default_factory=list)
    wrong_source: list[str] = Field(default_factory=list)
    """Facts whose line cites something, and nothing that holds them."""
    unsourced: list[str] = Field(default_factory=list)
    words: int = 0
    brief: bool = False
    answer: str = ""


def judge(question: AnswerQuestion, answer: Answer) -> JudgedAnswer:
    """Right: every fact, early, sourced, none of what is never said, and brief."""
    text = _plain(answer.answer)
    words = len(text.split())
    brief = words <= (BRIEF_LIST if question.list else BRIEF)
    if question.unknowable:
        known = not (_says_unknown(text) and words <= UNKNOWN_WORDS)
        verdict: Verdict = "wrong" if known else "right"
        return JudgedAnswer(
            question=question, verdict=verdict, words=words, brief=brief, answer=answer.answer
        )
    found = [fact for fact in question.facts if _stands(fact, text, question)]
    lacking = [fact for fact in question.facts if fact not in found]
    wrongly = [never for never in question.never if holds(text, never)]
    by_fact = {fact: _sourced(fact, question, answer) for fact in found}
    unsourced = [fact for fact, how in by_fact.items() if how == "none"]
    wrong_source = [fact for fact, how in by_fact.items() if how == "wrong"]
    whole = not (lacking or wrongly or unsourced or wrong_source)
    return JudgedAnswer(
        question=question,
        verdict=_verdict(whole and brief, bool(found), _says_unknown(text) and words <= 60),
        found=found,
        lacking=lacking,
        said_wrongly=wrongly,
        wrong_source=wrong_source,
        unsourced=unsourced,
        words=words,
        brief=brief,
        answer=answer.answer,
    )


def _verdict(right: bool, some: bool, refuses: bool) -> Verdict:
    if right:
        return "right"
    if some:
        return "partly"
    return "refused" if refuses else "wrong"


def _plain(text: str) -> str:
    """The words of an answer: without citations and marks of Markdown."""
    bare = CITED.sub("", text)
    return re.sub(r"[*#`>|]+|^\s*-\s", " ", bare, flags=re.M)


def _says_unknown(text: str) -> bool:
    return bool(_NOT_KNOWN.search(" ".join(text.split()[:25])))


def _stands(fact: str, text: str, question: AnswerQuestion) -> bool:
    """Whether a fact stands where it is looked for."""
    words = text.split()
    if fact.startswith("^"):
        return holds(" ".join(words[:FIRST]), fact[1:])
    reach = words if question.list else words[:EARLY]
    return holds(" ".join(reach), fact.removeprefix("="))


def holds(text: str, fact: str) -> bool:
    """Whether one of the ways to say a fact stands in a text, as words of their own."""
    return any(_pattern(way).search(text) for way in fact.split("|") if way.strip())


def _pattern(way: str) -> re.Pattern[str]:
    said = r"\s+".join(re.escape(word) for word in way.split())
    if way.strip()[-1].isdigit() and not re.search(r"[a-z]", way, re.I):
        return re.compile(rf"(?<![\d.,d/]){said}(?![\w]|[.,]\d)")
    return re.compile(rf"(?<!\w){said}(?:s|es|'s)?(?!\w)", re.I)


def _sourced(
    fact: str, question: AnswerQuestion, answer: Answer
) -> Literal["right", "wrong", "none"]:
    """What the lines that state a fact cite for it."""
    bare = fact.lstrip("=^")
    there = {source.n: source for source in answer.sources}
    cited = list[CitedSource]()
    for line in answer.answer.splitlines():
        if holds(_plain(line), bare):
            numbers = [n for hit in CITED.finditer(line) for n in numbers_in(hit[1])]
            cited += [there[n] for n in numbers if n in there]
    if not cited:
        return (
            "right" if fact.startswith("^") else "none"
        )  # That something is not there has no quote.
    tool = TOOL_OF.get(question.source)
    right_kind = [each for each in cited if tool is None or each.tool == tool]
    if fact[0] in "=^":
        return "right" if right_kind else "wrong"
    shown = any(holds(f"{each.quote} {each.title} {each.where}", bare) for each in right_kind)
    return "right" if shown else "wrong"
