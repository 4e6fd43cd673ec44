"""Money of two places put together: whether the purse pays what notes or sheet say is owed, what
would be left of it, and what each one gets of a sum that is for several."""

import re
from collections.abc import Iterator, Sequence

from freeform.assistant.model import Piece
from freeform.assistant.query.asked.kind import is_told
from freeform.assistant.query.asked.sums import coins_in, in_copper, purse_of
from freeform.assistant.query.clause import AskedClause, plain_value, small_number
from freeform.assistant.query.desk import QueryDesk
from freeform.assistant.query.model import Cite, FoundLine, Row
from freeform.assistant.query.passage import keys_of
from freeform.assistant.query.reading.answer_lines import ToldRead, said_by
from freeform.assistant.query.schema import glosses_of
from freeform.assistant.quotes import sentences_of

PAYING, SHARING = "Paying", "Sharing"
"""What such questions mean, in everyday words."""
MEANT = 0.45
"""How near a question must be to them."""
LIKELIEST, FIRST = 8, 3
"""Passages among which the sum is looked for; among which one that is for several is."""
_LEFT = re.compile(r"\bleft\b|\bremain\w*\b|\bleave[sd]?\b", re.I)
_SUM = re.compile(r"(\d[\d,]*)\s*(?:(gp|sp|cp|pp)\b|(gold|silver|copper|platinum))", re.I)
_SHORT = {"gold": "gp", "silver": "sp", "copper": "cp", "platinum": "pp"}
_OF_US = re.compile(r"\b(?:for|among|between|to)\s+(?:all\s+)?(?:the\s+)?(\w+)\s+of\s+us\b", re.I)

_BY_HEAD = re.compile(r"\b(?:each|every(?:one|body)|apiece|per|shares?|split|cut|divided?)\b", re.I)
"""Who does not say so asks for the whole sum."""


def owed_line(clause: AskedClause, desk: QueryDesk, read: Sequence[ToldRead]) -> FoundLine | None:
    """The line that compares both; None where none is asked for, or one of the two is not known."""
    purse = purse_of(desk.sheet_rows)
    left = _LEFT.search(clause.text)
    if purse is None or is_told(clause) or not (clause.asks_whether or left):
        return None
    if max(desk.near_texts(clause.text, glosses_of(PAYING)), default=0.0) < MEANT:
        return None
    owed = _owed(clause, desk, purse, read)
    if owed is None:
        return None
    price, cite = owed
    held = plain_value(purse.fields["value"])
    text = _compared(coins_in(held), price, lead=clause.asks_whether, is_rest=bool(left))
    return FoundLine(text, (cite, Cite(purse.piece)))


def _owed(
    clause: AskedClause, desk: QueryDesk, purse: Row, read: Sequence[ToldRead]
) -> tuple[int, Cite] | None:
    """The sum that is owed, and what shows it: by a sentence with a sum that names whom the
    question names; where it names nobody, by the likeliest passage of the notes."""
    who = _names(clause, desk)
    for piece, sentence in _sentences(desk, purse, read) if who else ():
        price = _sum_in(sentence)
        if price and who & set(keys_of(sentence)):
            return price, Cite(piece, sentence)
    for each in read[:LIKELIEST] if not who else ():
        price = _sum_in(said_by(each)) or _sum_in(each.piece.text)
        if each.piece.tool == "session_notes" and price:
            return price, Cite(each.piece, each.piece.text.strip())
    return None


def _names(clause: AskedClause, desk: QueryDesk) -> set[str]:
    """The words of the clause that name somebody: written as names are, or no words that people
    use."""
    telling = [token for token in clause.tokens if token.telling]
    upper = {t.key for t in telling if clause.text[t.start : t.end][:1].isupper()}
    return upper or {t.key for t in telling if not any(desk.near(t.text, (t.text,)))}


def _sentences(
    desk: QueryDesk, purse: Row, read: Sequence[ToldRead]
) -> Iterator[tuple[Piece, str]]:
    """What was read, then every line of the sheet but the purse's own, sentence by sentence."""
    pieces = [each.piece for each in read[:LIKELIEST] if each.piece.tool != "rulebook"]
    for piece in [*pieces, *(desk.sheet.lines if desk.sheet else ())]:
        if piece.title == purse.piece.title:
            continue
        for sentence in sentences_of(piece.text):
            yield piece, sentence


def shared_line(clause: AskedClause, desk: QueryDesk, read: Sequence[ToldRead]) -> FoundLine | None:
    """What each one gets: `300 gp for the three of us`, asked by head."""
    near = max(desk.near_texts(clause.text, glosses_of(SHARING)), default=0.0)
    if near < MEANT or not _BY_HEAD.search(clause.text):
        return None
    for each in read[:FIRST]:
        for sentence in sentences_of(each.piece.text):
            heads, price = _OF_US.search(sentence), _sum_in(sentence)
            count = small_number(heads[1].lower()) if heads else None
            if price and count:
                told = f"**{_gold(price / count)}** each: {_gold(price)} for {count}"
                return FoundLine(told, (Cite(each.piece, sentence),))
    return None


def _gold(copper: float) -> str:
    """`12 gp`, `0.5 gp`."""
    return f"{copper / 100:.2f}".rstrip("0").rstrip(".") + " gp"


def _sum_in(text: str) -> int:
    """The first sum of money in a text, in copper; 0 where there is none."""
    hit = _SUM.search(text)
    if hit is None:
        return 0
    return in_copper(f"{hit[1]} {(hit[2] or _SHORT[hit[3].lower()]).lower()}")


def _compared(coins: dict[str, int], price: int, *, lead: bool, is_rest: bool) -> str:
    """Gold pays gold, where there is enough of it; else all coins do."""
    whole = in_copper(", ".join(f"{count} {coin}" for coin, count in coins.items()))
    gold = coins.get("gp", 0) * 100
    have = gold if gold >= price else whole
    told = f"you have {_gold(have)}, and it comes to {_gold(price)}"
    can = have >= price
    rest = f"**{_gold(have - price)}** would be left: " if is_rest and can else ""
    answer = f"{'Yes' if can else 'No'}: " if lead or not can else ""
    return f"{answer}{rest}{told}"
