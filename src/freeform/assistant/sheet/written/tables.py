"""Tables of a written page: other people's as Markdown's, columns told apart, letters that a legend
explains as what they stand for."""

import html
import re
from collections.abc import Iterator, Mapping, Sequence

_TABLE = re.compile(r"<table\b.*?</table\s*>", re.I | re.S)
_ROW = re.compile(r"<tr\b[^>]*>(.*?)(?=<tr\b|</tr|</table)", re.I | re.S)
_CELL = re.compile(r"<t[dh]\b[^>]*>(.*?)(?=<t[dh]\b|</t[dh]|$)", re.I | re.S)
_TAG = re.compile(r"<[^<>]*>")
_RULE = re.compile(r"\|?\s*:?-{2,}:?\s*(?:\|\s*:?-{2,}:?\s*)+\|?")
_GAP = re.compile(r"\t+|\s{3,}")
FEWEST_COLUMNS, FEWEST_ROWS = 3, 2
"""What stands in columns that nothing draws is a table from so many columns and rows on: two
columns are a list of labels."""
_MEANS = re.compile(
    r"(?:^|[,;:(]\s*)(?P<key>[A-Za-z]{1,3})\s*=\s*(?P<meant>[^=]+?)(?=[,;]\s*[A-Za-z]{1,3}\s*=|$)"
)
COINS = {"platinum": "pp", "gold": "gp", "electrum": "ep", "silver": "sp", "copper": "cp"}
_LEADS = re.compile(r"(?P<key>[A-Za-z]{1,3})(?![\w.'’])")


def with_drawn_tables(text: str) -> str:
    """A page whose tables, in HTML, with bars only between columns or with gaps, are Markdown's."""
    drawn = _TABLE.sub(_from_html, text.replace("\r\n", "\n"))
    made, at = list[str](), 0
    lines = drawn.split("\n")
    while at < len(lines):
        begins = at == 0 or not lines[at - 1].strip()
        found = _half_drawn(lines, at) or (_in_columns(lines, at) if begins else [])
        if found:
            made += ["", *_as_markdown(found), ""]
            at += len(found) + (1 if _is_rule(lines, at + 1) else 0)
        else:
            made.append(lines[at])
            at += 1
    return "\n".join(made)


def _from_html(hit: re.Match[str]) -> str:
    rows = [list(map(_words, _CELL.findall(row))) for row in _ROW.findall(hit[0])]
    return "\n".join(["", *_as_markdown([row for row in rows if row]), ""])


def _words(cell: str) -> str:
    return " ".join(html.unescape(_TAG.sub(" ", cell)).replace("|", "/").split())


def _as_markdown(rows: Sequence[Sequence[str]]) -> list[str]:
    if not rows:
        return []
    drawn = [f"| {' | '.join(row)} |" for row in rows]
    return [drawn[0], f"|{'---|' * len(rows[0])}", *drawn[1:]]


def _is_rule(lines: Sequence[str], at: int) -> bool:
    return at < len(lines) and bool(_RULE.fullmatch(lines[at].strip()))


def _half_drawn(lines: Sequence[str], at: int) -> list[list[str]]:
    """`Coin | Count` over a rule: the rows, without bars at their ends."""
    head = lines[at].strip()
    if head.startswith("|") or "|" not in head or not _is_rule(lines, at + 1):
        return []
    rows = [_between_bars(head)]
    for line in lines[at + 2 :]:
        if "|" not in line:
            break
        rows.append(_between_bars(line))
    return rows


def _between_bars(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def _in_columns(lines: Sequence[str], at: int) -> list[list[str]]:
    """Lines of as many columns each, the first of which has names alone."""
    head = _GAP.split(lines[at].strip())
    if len(head) < FEWEST_COLUMNS or re.search(r"[\d:=|]", lines[at]):
        return []
    rows = [head]
    for line in lines[at + 1 :]:
        cells = _GAP.split(line.strip())
        if len(cells) != len(head) or "|" in line:
            break
        rows.append(cells)
    return rows if len(rows) > FEWEST_ROWS else []


def distinct(columns: Sequence[str]) -> list[str]:
    """Names of columns, each by itself: of those that are called the same, or nothing, the later
    ones have blanks behind them."""
    made = list[str]()
    for column in columns:
        while column in made:
            column += " "
        made.append(column)
    return made


def legend_of(lines: Sequence[str]) -> dict[str, str]:
    """What letters stand for, where a line explains at least two: `B = on body, P = pack`."""
    found: dict[str, str] = {}
    for line in lines:
        told = {hit["key"]: hit["meant"].strip(" .)") for hit in _MEANS.finditer(line.strip())}
        told = {key: _closed(meant) for key, meant in told.items() if not meant[:1].isdigit()}
        if len(told) > 1:
            found |= told
    return found


def _closed(meant: str) -> str:
    return f"{meant})" if meant.count("(") > meant.count(")") else meant


def is_legend(line: str) -> bool:
    """Whether a line only explains letters."""
    return bool(legend_of([line]))


def explained(row: Mapping[str, str], legend: Mapping[str, str]) -> dict[str, str]:
    """A row whose cells, but the first, begin with what their letter stands for."""
    made = dict(row)
    for column in list(row)[1:]:
        hit = _LEADS.match(row[column])
        if hit and hit["key"] in legend:
            made[column] = f"{legend[hit['key']]}{row[column][hit.end() :]}"
    return made


def paired(label: str, value: str) -> Iterator[tuple[str, str]]:
    """A row of two cells: `Background / Alignment` with `acolyte / good` is two; where there are
    fewer values than labels, the last of them is for all that are left."""
    labels = [each.strip() for each in label.split("/")]
    values = [each.strip() for each in re.split(r"\s+/\s+", value)]
    alone = len(values) == 1 and bool(re.search(r"\d", value[:2]))
    if len(labels) == 1 or not all(labels) or alone or len(values) > len(labels):
        yield label, value
        return
    for at, each in enumerate(labels):
        yield each, values[min(at, len(values) - 1)]


def is_short_for(said: str, name: str) -> bool:
    """Whether a word is the beginning of another, with its vowels or without: `lang`, `clr`."""
    short, whole = said.lower().rstrip("."), name.lower()
    bare = whole[:1] + re.sub(r"[aeiou]", "", whole[1:])
    return 1 < len(short) < len(whole) and (whole.startswith(short) or bare.startswith(short))


def _heads(row: Mapping[str, str]) -> list[tuple[str, str]]:
    return [(name.strip().lower(), cell.strip()) for name, cell in row.items()]


def coins_of_row(row: Mapping[str, str]) -> Iterator[tuple[str, int]]:
    """A row of a table that is one coin and its number, `| Gold | 86 |`, or numbers under coins."""
    cells = [cell.strip().lower() for cell in row.values()]
    named = {COINS.get(name, name): cell for name, cell in _heads(row) if cell.isdigit()}
    if named and named.keys() <= set(COINS.values()):
        yield from ((name, int(cell)) for name, cell in named.items())
        return
    coin = COINS.get(cells[0], cells[0]) if cells else ""
    if coin in COINS.values() and len(cells) > 1 and re.fullmatch(r"\d[\d,]*", cells[1]):
        yield coin, int(cells[1].replace(",", ""))
