"""Money of two places put together: whether the purse pays what notes or sheet say is owed, what
would be left of it, and what each one gets of a sum that is for several."""

import re
from collections.abc import Sequence

from freeform.assistant.model import Piece
from freeform.assistant.query.asked.kind import is_told
from freeform.assistant.query.asked.money import has_number, number_in, sums_in
from freeform.assistant.query.asked.sums import coins_in, in_copper, purse_of
from freeform.assistant.query.clause import AskedClause, plain_value, small_number
from freeform.assistant.query.desk import QueryDesk
from freeform.assistant.query.model import Cite, FoundLine, Row
from freeform.assistant.query.passage import keys_of
from freeform.assistant.query.reading.answer_lines import ToldRead, said_by
from freeform.assistant.query.schema import glosses_of
from freeform.assistant.quotes import sentences_of
from freeform.language.inflection import lemma
from freeform.language.meaning.reading import PassageRead, PlacedText

PAYING, SHARING = "Paying", "Sharing"
"""What such questions mean, in everyday words."""
MEANT = 0.45
"""How near a question must be to them."""
LIKELIEST, FIRST = 8, 3
"""Passages among which the sum is looked for; among which one that is for several is."""
MOST_OF_SHEET, MOST_OF_NOTES, BELOW = 3, 6, 3.0
"""Sentences of each that are read for what is owed; how much less the last of them may answer than
the best: what is owed changes, and the last word on it holds."""
OWING, PAID_BACK = 0.28, 0.5
"""How likely a sentence must tell what is owed to be taken, and how likely one tells what was
paid back for no sum to be told: dates and ages are at .06, what is owed from .31 on, a payment at
.54."""
_LEFT = re.compile(r"\bleft\b|\bremain\w*\b|\bleave[sd]?\b", re.I)
_OF_US = re.compile(r"\b(?:for|among|between|to)\s+(?:all\s+)?(?:the\s+)?(\w+)\s+of\s+us\b", re.I)

_BY_HEAD = re.compile(r"\b(?:each|every(?:one|body)|apiece|per|shares?|split|cut|divided?)\b", re.I)
"""Who does not say so asks for the whole sum."""


def owed_line(clause: AskedClause, desk: QueryDesk, read: Sequence[ToldRead]) -> FoundLine | None:
    """The line that compares both; None where none is asked for, or one of the two is not known."""
    purse = purse_of(desk.sheet_rows)
    left = _LEFT.search(clause.text)
    if purse is None or is_told(clause):
        return None
    theirs = _they_pay(clause, _names(clause, desk))
    if not (clause.asks_whether or left or theirs):
        return None
    if max(desk.near_texts(clause.text, glosses_of(PAYING)), default=0.0) < MEANT:
        return None
    owed = _owed(clause, desk, purse, read)
    if owed is None:
        return None
    price, cites = owed
    held = plain_value(purse.fields["value"])
    if theirs and not clause.asks_whether:
        return FoundLine(_paid(coins_in(held), price), (*cites, Cite(purse.piece)))
    text = _compared(coins_in(held), price, lead=clause.asks_whether, is_rest=bool(left))
    return FoundLine(text, (*cites, Cite(purse.piece)))


def _owed(
    clause: AskedClause, desk: QueryDesk, purse: Row, read: Sequence[ToldRead]
) -> tuple[int, tuple[Cite, ...]] | None:
    """The sum that is owed, and what shows it: what the question says itself; of the sentences
    with a number that name whom the question names the last that answers how much it is; where it
    names nobody, the likeliest passage of the notes."""
    named = sum(each.copper for each in sums_in(clause.text))
    if named:
        return named, ()
    if has_number(clause.text):  # `12-15 gp`: what is asked cannot be counted.
        return None
    who = _names(clause, desk)
    if who:
        return _owed_to(clause, who, desk, _naming(desk, purse, who))
    for each in read[:LIKELIEST]:
        price = _sum_in(said_by(each)) or _sum_in(each.piece.text)
        if each.piece.tool == "session_notes" and price:
            return price, (Cite(each.piece, each.piece.text.strip()),)
    return None


def _asked_for(clause: AskedClause, who: set[str]) -> str:
    """How much is owed, as one asks a reader."""
    name = _called(clause, who)
    return (
        f"How much does {name} owe me?" if _they_pay(clause, who) else f"How much do I owe {name}?"
    )


def _called(clause: AskedClause, who: set[str]) -> str:
    return " ".join(clause.text[t.start : t.end] for t in clause.tokens if t.key in who)


def _they_pay(clause: AskedClause, who: set[str]) -> bool:
    """Whether those who are named pay: `if Wick pays up, how much do I have`."""
    keys, pay = clause.keys, lemma("pay")
    return any(key in who and pay in keys[at + 1 : at + 3] for at, key in enumerate(keys))


def _owed_to(
    clause: AskedClause, who: set[str], desk: QueryDesk, told: Sequence[tuple[Piece, str]]
) -> tuple[int, tuple[Cite, ...]] | None:
    places = [PlacedText(sentence, piece.title) for piece, sentence in told]
    read = desk.reader.read(_asked_for(clause, who), places)
    if not read:
        return _only_price(told)
    name = _called(clause, who) if _they_pay(clause, who) else "I"
    back = desk.reader.read(f"How much did {name} pay back?", places)
    if any(_is_paid_back(*both) for both in zip(back, read, strict=True)):
        return None
    least = max(each.score for each in read) - BELOW
    for at in reversed(range(len(told))):
        piece, sentence = told[at]
        price = _price(sentence, read[at].spans)
        if price and read[at].score >= least and read[at].chance >= OWING:
            return price, (Cite(piece, sentence),)
    return None


def _only_price(told: Sequence[tuple[Piece, str]]) -> tuple[int, tuple[Cite, ...]] | None:
    """Where nobody can read: the one sum that stands there; None where there are several."""
    prices = [(_price(sentence, ()), (Cite(piece, sentence),)) for piece, sentence in told]
    found = [each for each in prices if each[0]]
    return found[0] if len({price for price, _ in found}) == 1 else None


def _is_paid_back(back: PassageRead, owed: PassageRead) -> bool:
    """Whether it tells what was given back: what is still owed then stands nowhere."""
    return back.chance >= PAID_BACK and back.score > owed.score


def _price(sentence: str, spans: Sequence[tuple[int, int]]) -> int:
    """What the words that answer come to, in copper; a bare number is gold. Where they count
    nothing, the one sum of the sentence; of several none."""
    sums = sums_in(sentence)
    for start, end in spans:
        inside = [each.copper for each in sums if start < each.end and each.start < end]
        bare = number_in(sentence[start:end])
        if inside:
            return inside[0] if len(inside) == 1 else 0
        if bare:
            return round(100 * bare)
    return sums[0].copper if len(sums) == 1 else 0


def _naming(desk: QueryDesk, purse: Row, who: set[str]) -> list[tuple[Piece, str]]:
    """The sentences that count something and name one of these: of the sheet, but for the purse's
    own line, then of the notes, the last."""
    sheet = (
        [piece for piece in desk.sheet.lines if piece.title != purse.piece.title]
        if (desk.sheet)
        else []
    )
    held = in_copper(plain_value(purse.fields["value"]))
    found = list[list[tuple[Piece, str]]]()
    for pieces in (sheet, desk.notes.pieces if desk.notes else []):
        told = list[tuple[Piece, str]]()
        for piece in pieces:
            parts = sentences_of(piece.text) if has_number(piece.text) else []
            own = held and sum(each.copper for each in sums_in(piece.text)) == held
            told += [
                (piece, s) for s in parts if has_number(s) and who & set(keys_of(s)) and not own
            ]
        found.append(told)
    return [*found[0][:MOST_OF_SHEET], *found[1][-MOST_OF_NOTES:]]


def _names(clause: AskedClause, desk: QueryDesk) -> set[str]:
    """The words of the clause that name somebody: written as names are, or no words that people
    use."""
    telling = [token for token in clause.tokens if token.telling]
    upper = {t.key for t in telling if clause.text[t.start : t.end][:1].isupper()}
    return upper or {t.key for t in telling if not any(desk.near(t.text, (t.text,)))}


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
    found = sums_in(text)
    return found[0].copper if found else 0


def _paid(coins: dict[str, int], price: int) -> str:
    """What the purse holds with what somebody pays into it, in gold."""
    gold = coins.get("gp", 0) * 100
    return f"**{_gold(gold + price)}** = {_gold(gold)} + {_gold(price)}"


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
