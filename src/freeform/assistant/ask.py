"""READ THIS FIRST. One question: two passes side by side, names looked up, sources queried side by
side, one answer.

    question ─┬─> selector  (pass) ─> tools, intentions ─┐
              └─> extractor (pass) ─> names ─────────────┴─> resolve: in the selected tools, else
              one probe elsewhere
                                                                │ sections ─> tools
              answer (pass) <─ assemble within a budget <─ query each source, with the sections
              where names stand

Either pass fails: the question fails. A source fails: the answer says so and goes on without it.
What is for the GM alone is taken out before any prompt is made.
"""

import asyncio
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from freeform.assistant.assemble import assemble, with_findings
from freeform.assistant.assemble import visible as visible_pieces
from freeform.assistant.crosscheck import other_accounts
from freeform.assistant.disagree import disagreements
from freeform.assistant.entities.gazetteer import Gazetteer, Tables
from freeform.assistant.entities.resolve import resolve
from freeform.assistant.entities.spot import spot
from freeform.assistant.intentions import catalogue
from freeform.assistant.model import (
    TOOLS,
    Answer,
    Asking,
    CitedSource,
    Disagreement,
    Number,
    Piece,
    QueryPlan,
    Tool,
    Wanted,
)
from freeform.assistant.notices import (
    about_matches,
    absent,
    empty,
    nothing_known,
)
from freeform.assistant.passes import (
    ANSWER,
    EXTRACTOR,
    SELECTOR,
    AnswerInput,
    Extraction,
    ExtractorInput,
    KnownName,
    Numbered,
    SelectorInput,
    ToolSelection,
)
from freeform.assistant.ports import Source
from freeform.assistant.query.desk import desk_for
from freeform.assistant.query.find import find
from freeform.assistant.query.model import QueryFinding
from freeform.assistant.reroute import reroute, traces
from freeform.assistant.route import only_named, plan, wishes
from freeform.core.clock import Clock
from freeform.core.errors import FreeformError, UserError
from freeform.core.llm import gateway as core
from freeform.core.llm.gateway import Gateway, Listen, Usage
from freeform.core.text import MAX_INPUT, shorten, visible
from freeform.language.ear import TextNearness, WordNearness, no_text_near, nothing_near
from freeform.language.meaning.reading import Reader, no_reader

_ONE = r"\d{1,4}"
CITED = re.compile(
    rf"\s?(?:\[|【)\^?(?:sources?\s*|#)?({_ONE}(?:\s*(?:,|;|&|and|-|–|to)\s*(?:sources?\s*|#|\^)?{_ONE})*)(?:\]|】)(?!\()",
    re.I,
)
_RANGE = re.compile(rf"({_ONE})\s*(?:-|–|to)\s*({_ONE})")


def numbers_in(cite: str) -> list[int]:
    """The numbers of one citation, a range as all that lie in it."""
    whole = _RANGE.sub(lambda hit: ",".join(map(str, range(int(hit[1]), int(hit[2]) + 1))), cite)
    return list(dict.fromkeys(int(n) for n in re.findall(r"\d+", whole)))


def cited(
    answer: str, numbered: Sequence[Numbered], differing: Sequence[Disagreement]
) -> tuple[str, list[CitedSource], list[Disagreement]]:
    """The answer with its numbers made 1, 2, 3 …, and the sources they mean; a number that means
    nothing is cut."""
    there = {each.n: each for each in numbered}
    order: dict[int, int] = {}

    def again(hit: re.Match[str]) -> str:
        known = [n for n in numbers_in(hit[1]) if n in there]
        lead = hit[0][: len(hit[0]) - len(hit[0].lstrip())]
        return (
            lead + "".join(f"[{order.setdefault(n, len(order) + 1)}]" for n in known)
            if known
            else ""
        )

    text = CITED.sub(again, answer)
    sides = [
        each.model_copy(update={"sides": [CITED.sub(again, side) for side in each.sides]})
        for each in differing
    ]
    return text, [_source(there[n], new) for n, new in order.items()], sides


def _source(each: Numbered, n: int) -> CitedSource:
    piece = each.piece
    return CitedSource(
        n=n,
        tool=piece.tool,
        where=str(piece.where) or piece.title,
        quote=each.quote,
        title=piece.title,
        section=piece.section,
        edition=piece.edition,
        piece=piece.id,
    )


Tell = Callable[[str, dict[str, object]], None]
"""Hears how far the question has come: a stage and what is known by then."""


@dataclass(frozen=True)
class AskPorts:
    """What a question is asked with. The gazetteer keeps tables of names between questions."""

    gateway: Gateway
    clock: Clock
    gazetteer: Gazetteer = field(default_factory=Gazetteer)
    near: WordNearness = nothing_near
    """Which words mean nearly the same, where that was learnt."""
    near_texts: TextNearness = no_text_near
    """Which texts do."""
    reader: Reader = no_reader
    """What a passage says to a question, where that was learnt."""


async def ask(
    question: str,
    sources: Sequence[Source],
    ports: AskPorts,
    asking: Asking = Asking(),  # noqa: B008
    *,
    tell: Tell = lambda stage, known: None,
    listen: Listen | None = None,
) -> Answer:
    """The answer with all that led to it."""
    began, marks = ports.clock.ticks(), dict[str, float]()
    words = visible(question)
    if not words:
        raise UserError("there is no question; ask for example: How does grappling work?")
    notes = (
        [f"the question was long; its first {MAX_INPUT} letters were read"]
        if len(words) > MAX_INPUT
        else []
    )
    words = shorten(words, MAX_INPUT)
    present = [tool for tool in TOOLS if any(source.tool == tool for source in sources)]
    tables, failed = await ports.gazetteer.tables(sources, asking.viewer)
    known = known_names(words, tables)
    marks["names"] = ports.clock.ticks()

    tell("hearing", {"present": present})
    selection, extraction, two = await hear(words, present, known, ports, asking)
    needed = [each for each in selection.tools_needed if each.confidence >= asking.tool_confidence]
    mentions = [each for each in extraction.entities if each.confidence >= asking.entity_confidence]
    marks["hearing"] = ports.clock.ticks()
    ways = list[str]()
    if not needed:
        needed, ways = nothing_known(known, present)
    elif not any(each.tool in present for each in needed):
        needed = [*needed, *nothing_known(known, present)[0]]

    done = resolve(mentions, [each.tool for each in needed], tables)
    found = done.found
    if done.elsewhere:
        needed, said = reroute(needed, done.elsewhere, present)
        found, ways = found | done.elsewhere, ways + said
    elif mentions and not any(found.values()):
        running = await traces(mentions, sources, [each.tool for each in needed], asking)
        needed, said = reroute(needed, running, present)
        found, ways = found | running, ways + said
    ways += about_matches(found, done.maybe)
    queries = plan(needed, found, present)
    marks["resolving"] = ports.clock.ticks()

    tell("searching", {"tools_needed": needed, "queries": queries})
    wanted = [
        (query, wish)
        for query in queries
        for wish in wishes(query, found, words, asking.edition, asking.viewer)
    ]
    fetched, numbers = await look(wanted, sources, failed)
    others = await other_accounts(found, present, tables, sources, asking)
    names = [place.matched_text for places in found.values() for place in places]
    about = {piece for places in found.values() for place in places for piece in place.pieces}
    numbered = assemble(
        [*fetched, others.pieces], words, names, asking.viewer, asking.tokens, about
    )
    differing = disagreements(
        numbered, {m: [p.matched_text for p in places] for m, places in found.items()}
    )
    numbered = others.without_idle(numbered, differing)
    seen = visible_pieces([piece for pieces in fetched for piece in pieces], asking.viewer)
    desk = desk_for(sources, tables, asking, ports.near, ports.near_texts, ports.reader)
    findings = find(words, desk, needed, seen)
    numbered, found_lines = with_findings(findings, numbered)
    notes += list(asking.unread) or absent(needed, present)
    notes += [f"{label} could not be read: {why}" for label, why in failed.items()]
    nothing = empty(queries, fetched, wanted, found, mentions)
    marks["searching"] = ports.clock.ticks()

    tell("answering", {"sources": len(numbered)})
    told = AnswerInput(
        question=words,
        character_name=asking.character_name,
        tools_needed=needed,
        entities=list(dict.fromkeys([*(mention.name for mention in mentions), *names])),
        sources=numbered,
        numbers=numbers,
        disagreements=differing,
        searched_and_empty=nothing,
        # What was found speaks for itself, whatever way it was looked for.
        notes=notes if findings else [*ways, *notes],
        found=found_lines,
        known=not findings or any(finding.known for finding in findings),
    )
    last = await ports.gateway.ask(ANSWER, told, asking.call, listen)
    marks["answering"] = ports.clock.ticks()
    text, kept, differing = cited(last.output.answer, numbered, differing)
    return Answer(
        question=words,
        answer=text,
        tools_needed=needed,
        entities=mentions,
        resolution=found,
        queries=queries,
        sources=kept,
        searched_and_empty=nothing,
        numbers=merged_numbers(findings, numbers),
        disagreements=differing,
        notes=[*ways, *notes],
        usage=sum((each.usage for each in (*two, last)), start=Usage()),
        timings_ms=timings(began, marks),
        model={"selector": two[0].model, "extractor": two[1].model, "answer": last.model},
        degraded=[each.degraded for each in (*two, last) if each.degraded],
    )


def merged_numbers(findings: Sequence[QueryFinding], numbers: Sequence[Number]) -> list[Number]:
    """The numbers that findings tell, then the others."""
    told = [number for finding in findings for number in finding.numbers]
    return list({number.label: number for number in [*numbers, *told]}.values())


async def hear(
    words: str, present: Sequence[Tool], known: list[KnownName], ports: AskPorts, asking: Asking
) -> tuple[
    ToolSelection, Extraction, tuple[core.PassAnswer[ToolSelection], core.PassAnswer[Extraction]]
]:
    """Both passes side by side. When one fails the other is stopped, and the question fails."""
    choosing = SelectorInput(
        question=words,
        character_name=asking.character_name,
        present=list(present),
        known_names=known,
        intentions=catalogue(),
    )
    try:
        async with asyncio.TaskGroup() as group:
            chosen = group.create_task(ports.gateway.ask(SELECTOR, choosing, asking.call))
            heard = group.create_task(
                ports.gateway.ask(
                    EXTRACTOR, ExtractorInput(question=words, known_names=known), asking.call
                )
            )
    except* FreeformError as failed:
        raise failed.exceptions[0] from None
    return chosen.result().output, heard.result().output, (chosen.result(), heard.result())


async def look(
    wanted: Sequence[tuple[QueryPlan, Wanted]], sources: Sequence[Source], failed: dict[str, str]
) -> tuple[list[list[Piece]], list[Number]]:
    """All queries side by side: pieces for each wish, and the numbers together. A source that fails
    is noted."""

    async def one(wish: Wanted, source: Source) -> tuple[list[Piece], list[Number]]:
        try:
            pieces, numbers = await asyncio.gather(source.fetch(wish), source.numbers(wish))
        except (FreeformError, OSError) as wrong:
            failed.setdefault(source.label, str(wrong))
            return [], []
        return pieces, numbers

    async def all_of(wish: Wanted) -> tuple[list[Piece], list[Number]]:
        mine = [source for source in sources if source.tool == wish.tool]
        got = await asyncio.gather(*(one(wish, source) for source in mine))
        pieces = only_named(wish, [piece for pieces, _ in got for piece in pieces])
        return pieces, [number for _, numbers in got for number in numbers]

    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(all_of(wish)) for _, wish in wanted]
    numbers = {number.label: number for task in tasks for number in task.result()[1]}
    return [task.result()[0] for task in tasks], list(numbers.values())


def known_names(words: str, tables: Tables) -> list[KnownName]:
    """The names of the sources that stand in the question, with the kinds of thing they are."""
    known = []
    for hit in spot(words, tables):
        rows = [tables[tool].names[row] for tool, match in hit.found.items() for row in match.rows]
        known.append(
            KnownName(
                text=hit.text,
                name=rows[0].name,
                kinds={
                    tool: tables[tool].names[match.rows[0]].kind
                    for tool, match in hit.found.items()
                },
                called={
                    tool: tables[tool].names[match.rows[0]].name
                    for tool, match in hit.found.items()
                },
                sections=list(dict.fromkeys(row.section for row in rows))[:6],
                confidence=hit.confidence,
            )
        )
    return known


def timings(began: float, marks: dict[str, float]) -> dict[str, float]:
    """How long each stage took, and all of it."""
    made, last = dict[str, float](), began
    for stage, tick in marks.items():
        made[stage], last = round((tick - last) * 1000, 2), tick
    return {**made, "total": round((last - began) * 1000, 2)}
