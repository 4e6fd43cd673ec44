"""A clause about the sheet as a query over its rows, and the lines that answer it."""

from collections.abc import Sequence

from freeform.assistant.model import Number
from freeform.assistant.query.armor import armor_asked, armor_class_if
from freeform.assistant.query.asked.held import held_by
from freeform.assistant.query.asked.sums import affordable, summed_lines, worth_in_gold
from freeform.assistant.query.clause import (
    AskedClause,
    ClauseReading,
    Link,
    plain_value,
    read_clause,
    told_values,
)
from freeform.assistant.query.model import (
    Cite,
    FoundLine,
    QueryFinding,
    Row,
    RowTest,
    ThingQuery,
    Want,
    run_query,
)
from freeform.assistant.query.schema import phrase
from freeform.assistant.query.sheet_lines import list_lines, says_something, thing_lines, value_line
from freeform.assistant.sheet.model import Sheet

ENOUGH = 0.66
"""A reading that explains less of the clause is not taken. Chosen on the development half."""
_OF_THINGS = ("equipped", "attuned", "magic", "quantity", "container")
_OF_SPELLS = ("prepared", "ritual", "concentration", "level", "school")
_NARROW = (
    "weapon",
    "armor",
    "container",
    "potion",
    "slot",
    "feat",
    "skill",
    "save",
    "ability",
    "tool",
    "spell",
)
_RESTS = ("long rest", "short rest", "rest", "dawn")
"""When what was used comes back."""
_STRIKES = {"attack": "hit attack", "damage": "damage"}
_GENERAL = {"ability", "skill", "feature", "stat"}
"""Kinds by which people call any number."""


def ask_sheet(
    clause: AskedClause,
    rows: Sequence[Row],
    sheet: Sheet,
    books: Sequence[Row] = (),
    known: Sequence[str] = (),
) -> QueryFinding | None:
    """The finding that explains most of the clause; None where none explains enough."""
    heard = read_clause(clause, rows)
    found = [
        affordable(clause, rows, books),
        worth_in_gold(clause, rows),
        _what_if(
            clause,
            [*rows, *(book for book in books if {"spell", "armor"} & set(book.kinds))],
            sheet,
        ),
        _inside(clause, heard, rows),
        held_by(clause, heard, rows),
        _membership(clause, heard, rows),
        _named(clause, heard, rows),
        _listed(clause, heard, rows),
    ]
    best = max((each for each in found if each), key=lambda each: each.coverage, default=None)
    if best and best.coverage >= ENOUGH:
        return best
    return _lacking(clause, rows, known)


HAVING = frozenset({"have", "own", "carry", "got", "any", "know", "possess"})


def _lacking(clause: AskedClause, rows: Sequence[Row], known: Sequence[str]) -> QueryFinding | None:
    """`Do I have a light crossbow?` when the rules know one and the sheet lists none."""
    having = any(token.text in HAVING for token in clause.tokens)
    if not (clause.asks_whether and clause.mine and having):
        return None
    owned = {phrase(name) for row in rows for name in (row.name, *row.names)}
    absent = [name for name in known if phrase(name) not in owned]
    if not absent:
        return None
    name = max(absent, key=len)
    said = [Link(at, 1) for at, token in enumerate(clause.tokens) if token.key in phrase(name)]
    kinds = ("spell", "item")
    shown = [row.piece for kind in kinds for row in rows if kind in row.kinds][:1]
    line = FoundLine(f"No: your sheet lists no {name}.", tuple(map(Cite, shown)))
    query = ThingQuery(tool="character_data", names=[name], want="exists")
    return QueryFinding("character_data", [line], min(0.9, clause.coverage(said)), query)


def _what_if(clause: AskedClause, rows: Sequence[Row], sheet: Sheet) -> QueryFinding | None:
    heard = read_clause(clause, rows)
    if not armor_asked(clause, heard.named):
        return None
    made = armor_class_if(sheet, clause, heard.named)
    if made is None:
        return None
    finding, links = made
    return _scored(
        finding, clause.coverage([*links, *heard.links(heard.fields, heard.kinds)]) + 0.01
    )


def _scored(finding: QueryFinding, coverage: float) -> QueryFinding:
    return QueryFinding(
        finding.tool, finding.lines, coverage, finding.query, finding.numbers, finding.known
    )


def _inside(clause: AskedClause, heard: ClauseReading, rows: Sequence[Row]) -> QueryFinding | None:
    """What is in a bag."""
    for each in heard.named:
        bags = [row for row in each.rows if "item" in row.kinds]
        if not bags or not clause.after(each.link, "in", "inside", "into"):
            continue
        where = [RowTest(field="container", value=bags[0].name)]
        query = ThingQuery(tool="character_data", kinds=["item"], where=where)
        held = run_query(query, rows)
        if not held and "container" not in bags[0].kinds:
            continue
        links = [each.link, *heard.links(heard.kinds, heard.fields)]
        if not held:
            text = f"The sheet lists nothing inside the {bags[0].name}."
            line = FoundLine(text, (Cite(bags[0].piece),))
            return QueryFinding("character_data", [line], clause.coverage(links), query)
        lines = [FoundLine(f"In the {bags[0].name}:"), *thing_lines(held)]
        return QueryFinding("character_data", lines, clause.coverage(links), query)
    return None


def _membership(
    clause: AskedClause, heard: ClauseReading, rows: Sequence[Row]
) -> QueryFinding | None:
    """`Do I speak Dwarvish?`, `Am I proficient with heavy armor?`"""
    if not clause.asks_whether:
        return None
    told = [
        row for row in rows if "told" in row.kinds and isinstance(row.fields.get("value"), list)
    ]
    for row in told:
        values = row.fields["value"]
        for value in values if isinstance(values, list) else ():
            links = clause.find(phrase(value))
            if links:
                every = [
                    *links,
                    *heard.links(heard.kinds, heard.fields),
                    *(link for _, link in heard.tests),
                ]
                every += [each.link for each in heard.named if row in each.rows]
                line = FoundLine(f"Yes. **{row.name}**: {plain_value(values)}", (Cite(row.piece),))
                return QueryFinding("character_data", [line], clause.coverage(every))
    named = {id(row): each.link for each in heard.named for row in each.rows if row in told}
    for row in told:
        if id(row) in named:
            text = f"No. **{row.name}**: {plain_value(row.fields['value'])}"
            rest = [Link(at, 1) for at in range(len(clause.tokens))]
            coverage = min(clause.coverage(rest), 0.8)
            return QueryFinding("character_data", [FoundLine(text, (Cite(row.piece),))], coverage)
    return None


def _named(clause: AskedClause, heard: ClauseReading, rows: Sequence[Row]) -> QueryFinding | None:
    """Values of what the clause names."""
    lines, links, numbers = list[FoundLine](), list[Link](), list[Number]()
    told: list[Row] = []
    for each in heard.named:
        chosen = _meant(clause, heard, list(each.rows), rows)
        chosen = [row for row in chosen if says_something(clause, heard, row)]
        if not chosen:
            continue
        links.append(each.link)
        told += chosen[:6]
        lines += summed_lines(clause, heard, chosen[:6])
        numbers += [row.number for row in chosen[:6] if row.number]
    if not lines:
        return None
    links += _explained(clause, heard, told)
    query = ThingQuery(
        tool="character_data", names=list(dict.fromkeys(row.name for row in told)), want="value"
    )
    unique = list({line.text: line for line in lines}.values())
    return QueryFinding("character_data", unique, clause.coverage(links), query, numbers)


def _explained(clause: AskedClause, heard: ClauseReading, told: Sequence[Row]) -> list[Link]:
    """The words beside the names that these rows answer: their kinds, fields and tests."""
    kinds = {kind for row in told for kind in row.kinds}
    fields = {name for row in told for name in row.fields}
    if fields & {"left", "quantity"}:
        fields |= {"charges", "left", "lost", "size"}
    if any(row.number for row in told):
        kinds |= _GENERAL
    links = heard.links({kind: spans for kind, spans in heard.kinds.items() if kind in kinds})
    links += [Link(at, 1) for at, token in enumerate(clause.tokens) if token.key in kinds]
    links += heard.links(
        {name: spans for name, spans in heard.fields.items() if name in fields | {"quantity"}}
    )
    links += [link for test, link in heard.tests if test.field in fields]
    if kinds & {"pool", "slot"}:
        rest = [link for name in _RESTS for link in clause.find(phrase(name))]
        links += [*rest, *clause.find(phrase("next"))] if rest else []
    if kinds & {"attack", "damage"}:
        words = set(phrase("hit attack damage"))
        links += [Link(at, 1) for at, token in enumerate(clause.tokens) if token.key in words]
    return links


def _meant(
    clause: AskedClause, heard: ClauseReading, rows: list[Row], every: Sequence[Row]
) -> list[Row]:
    """Which of the rows of one name are meant."""
    weapons = [row for row in rows if "weapon" in row.kinds]
    if weapons and not clause.counts:
        found = _strikes(clause, weapons[0], every)
        if found:
            return found
    groups = {row.name for row in rows if "group" in row.kinds}
    if groups:
        return [row for row in every if groups & set(row.kinds)]
    things = [row for row in rows if "item" in row.kinds]
    if things and (clause.counts or clause.asks_whether):
        return things
    pools = [row for row in rows if {"pool", "slot"} & set(row.kinds)]
    if pools:
        return pools
    spells = [row for row in rows if "spell" in row.kinds]
    if spells and (heard.tests or heard.fields):
        return spells
    if things and (heard.fields or "left" in things[0].fields):
        return things
    numbers = [row for row in rows if row.number or "told" in row.kinds]
    return _surest(clause, numbers)


def _strikes(clause: AskedClause, weapon: Row, every: Sequence[Row]) -> list[Row]:
    """What a weapon rolls to hit and for damage, as far as that is asked."""
    said = set(clause.keys)
    wanted = {kind for kind, words in _STRIKES.items() if said & set(phrase(words))}
    own = [row for row in every if row.name.lower().startswith(weapon.name.lower())]
    return [row for row in own if wanted & set(row.kinds)]


def _surest(clause: AskedClause, rows: list[Row]) -> list[Row]:
    """A number that is named outright, before one that only has the word in its name."""
    passive = any(token.key == "passiv" for token in clause.tokens)
    kept = [row for row in rows if ("passive" in row.kinds) == passive] or rows
    scores = [row for row in kept if "ability" in row.kinds]
    if scores and any(token.text in ("modifier", "mod", "bonus") for token in clause.tokens):
        return [row for row in kept if "modifier" in row.kinds] or scores
    return kept


def _listed(clause: AskedClause, heard: ClauseReading, rows: Sequence[Row]) -> QueryFinding | None:
    """All of a kind that pass the tests; how many; the most or least of them."""
    kind = _kind(heard)
    if not kind:
        return None
    mine = [row for row in rows if kind in row.kinds]
    tests = _tests(clause, heard, kind, mine)
    want, by, order_links = _order(clause, heard, kind)
    if clause.counts and want == "list" and kind != "slot":
        want = "count"
    query = ThingQuery(
        tool="character_data", kinds=[kind], where=[test for test, _ in tests], want=want, field=by
    )
    if kind == "item" and "weight" in heard.fields and want == "list" and not tests:
        return _burden(clause, heard, rows)
    found = run_query(query, rows)
    links = [*heard.links(heard.kinds), *order_links, *(link for _, link in tests)]
    links += heard.links(
        {name: spans for name, spans in heard.fields.items() if _known(name, mine, kind)}
    )
    lines = list_lines(query, found)
    numbers = [row.number for row in found if row.number] if want in ("most", "least") else []
    return QueryFinding("character_data", lines, clause.coverage(links), query, numbers)


def _burden(clause: AskedClause, heard: ClauseReading, rows: Sequence[Row]) -> QueryFinding | None:
    """How heavy all of it is."""
    row = next((row for row in rows if row.name.startswith("Carried")), None)
    if row is None:
        return None
    links = heard.links(heard.kinds, heard.fields)
    return QueryFinding("character_data", [value_line(clause, heard, row)], clause.coverage(links))


def _known(name: str, rows: Sequence[Row], kind: str) -> bool:
    if kind == "slot" and name in ("level", "left"):
        return True
    return name in ("quantity", "level") or any(name in row.fields for row in rows)


def _kind(heard: ClauseReading) -> str:
    """The narrowest kind that was heard; else the one that its tests speak of."""
    narrow = [kind for kind in _NARROW if kind in heard.kinds]
    if "slot" in narrow:
        return "slot"
    if narrow:
        return narrow[0]
    for test, _ in heard.tests:
        if test.field in _OF_SPELLS:
            return "spell"
        if test.field in _OF_THINGS:
            return "item"
    return next((kind for kind in ("item", "feature") if kind in heard.kinds), "")


def _tests(
    clause: AskedClause, heard: ClauseReading, kind: str, rows: Sequence[Row]
) -> list[tuple[RowTest, Link]]:
    known = {name for row in rows for name in row.fields}
    tests = [(test, link) for test, link in heard.tests if test.field in known]
    if kind in ("spell", "slot"):
        tests += [(RowTest(field="level", value=level), link) for level, link in clause.levels()]
        tests += [pair for pair in told_values(clause, rows) if pair[0].field == "school"]
    if kind in ("skill", "save", "tool", "ability"):
        tests += clause.amounts("value")
    if kind in ("item", "weapon", "armor", "container", "potion"):
        tests += clause.amounts("quantity")
        if any(test.field == "attuned" and test.op == "not" for test, _ in tests):
            tests.append((RowTest(field="attunable", value=True), Link(0, 0)))
        if any(test.field == "attuned" for test, _ in tests):
            tests = [
                (test, link) if test.field != "magic" else (_ANY, link) for test, link in tests
            ]
    if kind == "spell" and any(test.field == "prepared" and test.op == "not" for test, _ in tests):
        tests.append((RowTest(field="level", op="over", value=0), Link(0, 0)))
    return tests


_ANY = RowTest(field="-", op="not", value="")
"""Passes always: what it would test follows from another test."""


def _order(clause: AskedClause, heard: ClauseReading, kind: str) -> tuple[Want, str, list[Link]]:
    if not heard.orders:
        return "list", "", []
    want: Want = "most" if "most" in heard.orders else "least"
    by = next((name for name in ("range", "weight", "level") if name in heard.fields), "")
    if not by and kind == "weapon":
        by = "to hit" if clause.find(phrase("to hit")) else "average damage"
    by = by or ("value" if kind in ("skill", "save", "ability", "tool") else "weight")
    return want, by, heard.links(heard.orders)
