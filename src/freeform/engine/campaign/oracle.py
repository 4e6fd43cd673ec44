"""The oracle: a yes or no by odds, or a row of a table, rolled in the open; the log is witness."""

import re
from collections.abc import Mapping
from typing import Literal

from pydantic import Field
from rapidfuzz import process

from freeform.core.chance import Chance
from freeform.core.errors import UserError
from freeform.core.record import Record
from freeform.core.text import plain_form, slug, visible
from freeform.engine.log import Changed, LogPosition
from freeform.engine.rules.effects import CAMPAIGN
from freeform.engine.rules.ledger import Disclosure, Ledger
from freeform.engine.rules.safety import SafetyLimits
from freeform.engine.table import Table
from freeform.engine.world.by_hand import ORACLE
from freeform.packs.tables import RandomTable, TableRoll, draw

LONGEST = 400
ODDS: dict[str, int] = {
    "impossible": 3,
    "almost impossible": 7,
    "very unlikely": 15,
    "unlikely": 30,
    "even": 50,
    "likely": 70,
    "very likely": 85,
    "almost certain": 93,
    "certain": 97,
}
"""How often the answer is yes, in a hundred."""
_EVEN = frozenset({"", "50/50", "50-50", "fifty fifty", "even odds", "unknown", "even"})
_EDGE = 5
"""One answer in five of each kind is stronger than a plain one, and one weaker."""
TWIST, IDEA = "twist", "idea"
_ENDS_QUESTION = ("?", ",", ";", ":", "(", "-")
_OPEN = re.compile(r"(?:who|whom|whose|what|which|where|when|why|how)\b", re.I)


class OracleAnswer(LogPosition):
    """What the oracle said, every die that was rolled for it, and where that leaves the log."""

    question: str
    kind: Literal["yes_no", "idea", "table"]
    answer: str
    """`yes, and`, `yes`, `yes, but`, `no, but`, `no`, `no, and`; what a table gave."""
    odds: str = ""
    chance: int = 0
    """Of a yes, in a hundred."""
    rolled: int = 0
    rolls: list[TableRoll] = Field(default_factory=list)
    twist: str = ""
    source: str = ""
    fact_id: str = ""
    text: str
    """All of it, as one reads it."""


class AskedOracle(Record):
    """A question with its odds, or the id of a table."""

    question: str
    odds: str = ""
    table: str = ""


def read_question(text: str, odds: str, tables: Mapping[str, RandomTable]) -> AskedOracle:
    """What is asked: a table by its id or name, else a question, with the odds that stand at its
    end. UserError says how to ask."""
    said = visible(text)
    if not said:
        listed = ", ".join(sorted(tables))
        raise UserError(
            f"ask the oracle something, as in 'is the bridge guarded? likely', or name a table: "
            f"{listed}"
        )
    if len(said) > LONGEST:
        raise UserError(f"that is {len(said):,} letters long; ask in up to {LONGEST:,}")
    table = _table_named(said, tables)
    if table:
        return AskedOracle(question=said, table=table)
    if odds.strip():
        return AskedOracle(question=said, odds=_odds(odds))
    question, at_end = _parted(said)
    return AskedOracle(question=question, odds=at_end or "even")


def _parted(said: str) -> tuple[str, str]:
    """A question and the odds at its end, the longest that stand there; '' for none."""
    plain = said.rstrip(" ).!").lower()
    for odds in sorted({*ODDS, *_EVEN} - {""}, key=len, reverse=True):
        before = said[: len(plain) - len(odds)].rstrip()
        if plain.endswith(odds) and before.endswith(_ENDS_QUESTION) and before.strip("?,;:(- "):
            return before.rstrip(",;:(- "), _odds(odds)
    return said, ""


def _odds(said: str) -> str:
    plain = plain_form(said).strip()
    if plain in _EVEN:
        return "even"
    if plain in ODDS:
        return plain
    best = process.extractOne(plain, [*ODDS], score_cutoff=70)
    hint = f"; did you mean '{best[0]}'?" if best else ""
    raise UserError(f"odds are one of {', '.join(ODDS)}, not '{visible(said)[:40]}'{hint}")


def _table_named(said: str, tables: Mapping[str, RandomTable]) -> str:
    wanted = slug(said)
    for id, table in tables.items():
        if wanted in (slug(id), slug(table.name)):
            return id
    return ""


async def consult(
    campaign: str, asked: AskedOracle, tables: Mapping[str, RandomTable], table: Table
) -> OracleAnswer:
    """Rolls, and writes down what was asked, what was rolled and what came."""
    store = table.store
    head, begun = await store.head(campaign), await store.begun(campaign)
    chance = Chance(begun.seed, ORACLE, head.entry)
    answer = _answered(asked, tables, chance)
    state = await store.get_state(campaign)
    _hold_to_limits(answer, table.rules(begun, state).limits(state))
    page = Ledger(state)
    number = int(page.state.value(CAMPAIGN, ORACLE) or 0) + 1
    page.note(CAMPAIGN, ORACLE, number)
    fact = page.settle(
        CAMPAIGN,
        f"{ORACLE}:{number}",
        answer.answer,
        text=_as_fact(answer),
        tags=(ORACLE,),
        disclosure=Disclosure(method=ORACLE),
    )
    answer = answer.model_copy(update={"fact_id": fact})
    kept = answer.model_dump(mode="json", exclude={"branch", "entry", "turn_no"})
    entry = Changed(why=ORACLE, details=kept, state_diff=page.diff)
    stands = await store.append(campaign, [entry], after=head)
    return answer.model_copy(update=stands.model_dump())


def _hold_to_limits(answer: OracleAnswer, limits: SafetyLimits) -> None:
    """UserError where the table keeps out of play what was asked or what came."""
    crossed = limits.crossed(answer.question)
    if crossed:
        raise UserError(f"this table keeps {crossed} out of play; ask the oracle something else")
    if not limits.allows(answer.text):
        raise UserError(
            "what the oracle would say is kept out of play at this table; ask another way"
        )


def _answered(
    asked: AskedOracle, tables: Mapping[str, RandomTable], chance: Chance
) -> OracleAnswer:
    """What is rolled; nothing is written yet."""
    if asked.table:
        return _drawn(asked.question, "table", asked.table, tables, chance)
    if _OPEN.match(asked.question) and IDEA in tables:
        return _drawn(asked.question, "idea", IDEA, tables, chance)
    percent = ODDS[asked.odds]
    rolled = chance.at("yes or no").die(100)
    said = yes_or_no(rolled, percent)
    rolls: list[TableRoll] = []
    twist = ""
    if rolled % 11 == 0 and TWIST in tables:
        drawn = draw(TWIST, tables, chance.at(TWIST))
        twist, rolls = drawn.text, drawn.rolls
    line = f"{said[:1].upper()}{said[1:]}. (d100: {rolled} against {percent}, {asked.odds})"
    return OracleAnswer(
        branch="",
        entry=0,
        turn_no=0,
        question=asked.question,
        kind="yes_no",
        answer=said,
        odds=asked.odds,
        chance=percent,
        rolled=rolled,
        rolls=rolls,
        twist=twist,
        text=f"{line} A twist: {twist}" if twist else line,
    )


def yes_or_no(rolled: int, percent: int) -> str:
    """The answer a roll of a hundred gives: the nearer to the edge, the weaker."""
    if rolled <= percent:
        if rolled <= percent // _EDGE:
            return "yes, and"
        return "yes, but" if rolled > percent - percent // _EDGE else "yes"
    against = 100 - percent
    if rolled > 100 - against // _EDGE:
        return "no, and"
    return "no, but" if rolled <= percent + against // _EDGE else "no"


def _drawn(
    question: str,
    kind: Literal["table", "idea"],
    id: str,
    tables: Mapping[str, RandomTable],
    chance: Chance,
) -> OracleAnswer:
    came = draw(id, tables, chance.at(id))
    thrown = [roll for roll in came.rolls if roll.sides > 1]
    dice = ", ".join(f"{roll.table} d{roll.sides}: {roll.rolled}" for roll in thrown)
    return OracleAnswer(
        branch="",
        entry=0,
        turn_no=0,
        question=question,
        kind=kind,
        answer=came.text,
        rolls=came.rolls,
        source=tables[id].source,
        text=f"{came.text} ({dice})" if dice else came.text,
    )


def _as_fact(answer: OracleAnswer) -> str:
    """The answer as something that is so."""
    said = f"{answer.answer}. {answer.twist}".strip() if answer.kind == "yes_no" else answer.answer
    return f"The oracle was asked: {answer.question} It said: {said}"
