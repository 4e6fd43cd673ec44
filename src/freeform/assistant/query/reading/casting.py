"""What a spell of the rules and the sheet say together: how often its slots allow it, and whether
it can be kept up beside another."""

import re
from collections.abc import Sequence

from freeform.assistant.query.clause import AskedClause
from freeform.assistant.query.desk import QueryDesk
from freeform.assistant.query.model import Cite, FoundLine, Row
from freeform.assistant.query.rule_query import NamedEntry, RuleBook
from freeform.assistant.query.rule_rows import rule_row
from freeform.assistant.query.schema import called, glosses_of, phrase
from freeform.assistant.quotes import sentences_of

OFTEN, NOW, ANY = "Casts left", "Casting it now", "Casting of a level"
BOTH, ENDS, TURN = "Two spells at once", "Ending the other", "Two spells in a turn"
"""What such questions mean, in everyday words."""
MEANT = 0.62
"""How near a question must be to them, with `this spell` in the place of a name."""
_SAVE = re.compile(
    r"\b(Strength|Dexterity|Constitution|Intelligence|Wisdom|Charisma) sav(?:e|ing throw)s?\b", re.I
)
_QUICK = re.compile(r"\b(?:1|one) bonus action\b", re.I)
_ONLY_CANTRIP = re.compile(r"\bspell\b.*\bcantrip\b", re.I | re.S)
_SAVING, _HIGH = frozenset(phrase("save throw roll")), frozenset(phrase("dc high number beat"))
_STANDS_IN = ("this spell", "that spell")


def casting_line(
    clause: AskedClause, desk: QueryDesk, entries: Sequence[NamedEntry]
) -> FoundLine | None:
    """The line that settles it; None where something else is asked, or the sheet does not tell."""
    spells = [each for each in entries if each.exact and each.rows[0].kind == "spell"]
    named = {each.rows[0].name: each for each in spells}
    if len(named) > len(_STANDS_IN) or _names_another(clause, desk, entries, spells):
        return None
    if not spells:
        return _of_level(clause, desk)
    asked = _meant(clause, desk, spells)
    rows = [row for each in named.values() if (row := _row(desk, each)) is not None]
    if len(rows) != len(named):
        return None
    if len(rows) == 1 and (told := _save_against(clause, desk, rows[0])):
        return told
    if len(rows) > 1:
        return _of_two(rows, asked, desk)
    return _slots_for(rows[0], desk, asked) if asked in (OFTEN, NOW) else None


def _names_another(
    clause: AskedClause,
    desk: QueryDesk,
    entries: Sequence[NamedEntry],
    spells: Sequence[NamedEntry],
) -> bool:
    """Whether it may name a spell that was not found, or a longer name than was: `Mass Healing
    Word` where the rules have Healing Word."""
    read = {place for each in spells for place in each.link.places}
    usual = {key for kind in (OFTEN, NOW) for said in glosses_of(kind) for key in phrase(said)}
    for at, token in enumerate(clause.tokens):
        upper = at > 0 and token.telling and clause.text[token.start].isupper()
        leads = at + 1 in read and token.telling and token.key not in usual
        if at not in read and (upper or leads):
            return True
    likely = [each for each in entries if not each.exact and each.rows[0].kind == "spell"]
    if any(not read & set(each.link.places) for each in likely if len(each.link.places) > 1):
        return True
    found = {phrase(each.rows[0].name) for each in spells}
    own = {phrase(row.name) for row in desk.sheet_rows if "spell" in row.kinds}
    return any(set(name) <= set(clause.keys) for name in own - found)


def _save_against(clause: AskedClause, desk: QueryDesk, spell: Row) -> FoundLine | None:
    """Which save a spell of one's own asks for, and how high it must be."""
    keys = set(clause.keys)
    dc = next((row for row in desk.sheet_rows if _is_save_dc(row)), None)
    save = _SAVE.search(spell.piece.text)
    if dc is None or save is None or clause.asks_whether or not keys & _SAVING or not keys & _HIGH:
        return None
    value = dc.fields.get("value")
    text = f"**{save[1]}** save against **DC {value}** ({spell.name}: {save[0]})"
    return FoundLine(text, (Cite(spell.piece, save[0]), Cite(dc.piece)))


def _is_save_dc(row: Row) -> bool:
    return "spell dc" in row.kinds or phrase(row.name) in map(phrase, called("spell_dc"))


def _of_level(clause: AskedClause, desk: QueryDesk) -> FoundLine | None:
    """Whether a slot is left for any spell of a level: `can I still cast something 2nd level`."""
    levels = clause.levels()
    slots = [row for row in desk.sheet_rows if "slot" in row.kinds]
    if len(levels) != 1 or not slots or not clause.asks_whether:
        return None
    if max(desk.near_texts(clause.text, glosses_of(ANY)), default=0.0) < MEANT:
        return None
    level = levels[0][0]
    own = [row for row in slots if _number(row, "level") == level]
    if phrase("slot")[0] in clause.keys and own:
        slots = own
    return FoundLine(*_left(slots, level, f"for a level {level} spell", is_count=False))


def _meant(clause: AskedClause, desk: QueryDesk, spells: Sequence[NamedEntry]) -> str:
    """Which of these questions it is; '' where it is none."""
    text = clause.text
    ordered = sorted(spells, key=lambda each: each.link.at)
    for entry, word in reversed(list(zip(ordered, _STANDS_IN, strict=False))):
        tokens = [clause.tokens[place] for place in entry.link.places]
        text = f"{text[: tokens[0].start]}{word}{text[tokens[-1].end :]}"
    two = len({each.rows[0].name for each in spells}) > 1
    near = dict[str, float]()
    for kind in (BOTH, ENDS, TURN) if two else (OFTEN, NOW):
        near[kind] = max(desk.near_texts(text, glosses_of(kind)), default=0.0)
    best = max(near, key=lambda kind: near[kind])
    fits = clause.asks_whether if best != OFTEN else not clause.asks_whether
    return best if near[best] >= MEANT and fits else ""


def _row(desk: QueryDesk, entry: NamedEntry) -> Row | None:
    if desk.rules is None:
        return None
    book = RuleBook(desk.rules, desk.asking.viewer, desk.asking.edition)
    piece = book.piece(entry.rows[0])
    return rule_row(entry.rows[0], piece) if piece else None


def _of_two(rows: Sequence[Row], asked: str, desk: QueryDesk) -> FoundLine | None:
    if asked == TURN:
        return _in_one_turn(rows, desk)
    return _together(rows, asked) if asked in (BOTH, ENDS) else None


def _in_one_turn(rows: Sequence[Row], desk: QueryDesk) -> FoundLine | None:
    """Whether two spells can be cast in one turn: beside one that takes a bonus action only a
    cantrip that takes an action, as the rules that say so are cited for. None where they do not, or
    neither takes one."""
    quick = [row for row in rows if _QUICK.search(row.piece.text)]
    rule = _rule_of_turns(desk) if quick else None
    if rule is None:
        return None
    others = [row for row in rows if row not in quick[:1]]
    can = all(row.fields.get("level") == 0 and row not in quick for row in others)
    told = f"{quick[0].name} takes a bonus action, and beside it only a cantrip may be cast"
    cites = (rule, Cite(quick[0].piece))
    return FoundLine(f"{'Yes' if can else 'No'}: {told} in the same turn", cites)


def _rule_of_turns(desk: QueryDesk) -> Cite | None:
    """The sentence of the rules about spells that take a bonus action."""
    if desk.rules is None:
        return None
    book = RuleBook(desk.rules, desk.asking.viewer, desk.asking.edition)
    named = [row for row in desk.rules.rows if phrase("bonus action") == phrase(row.name)[:2]]
    for row in named:
        for at in range(len(row.parts)):
            piece = book.piece(row, at)
            for sentence in sentences_of(piece.text) if piece else ():
                if piece and _ONLY_CANTRIP.search(sentence):
                    return Cite(piece, sentence)
    return None


def _together(rows: Sequence[Row], asked: str) -> FoundLine:
    cites = tuple(Cite(row.piece, row.quotes.get("duration", "")) for row in rows)
    held = [row.name for row in rows if row.fields["concentration"]]
    if len(held) == len(rows):
        lead = "Yes" if asked == ENDS else "No"
        told = f"{' and '.join(held)} both need concentration, and one ends the other"
    else:
        lead = "No" if asked == ENDS else "Yes"
        told = f"only {held[0]} needs concentration" if held else "neither needs concentration"
    return FoundLine(f"{lead}: {told}", cites)


def _slots_for(spell: Row, desk: QueryDesk, asked: str) -> FoundLine | None:
    """The slots that are left at its level and above it."""
    level = spell.fields.get("level")
    slots = [row for row in desk.sheet_rows if "slot" in row.kinds]
    pools = [row for row in desk.sheet_rows if "pool" in row.kinds]
    own = any(phrase(row.name) == phrase(spell.name) for row in pools)
    known = [row for row in desk.sheet_rows if "spell" in row.kinds]
    if not isinstance(level, int) or not slots or not level or own or not known:
        return None
    cast = [row for row in known if phrase(row.name) == phrase(spell.name)]
    if not cast:
        return _unknown(spell, known, desk)
    if not any(row.fields["ready"] for row in cast):
        return None
    told = f"{spell.name} is a level {level} spell"
    text, cites = _left(slots, level, told, is_count=asked == OFTEN)
    return FoundLine(text, (Cite(spell.piece, spell.quotes.get("level", "")), *cites))


def _unknown(spell: Row, known: Sequence[Row], desk: QueryDesk) -> FoundLine | None:
    """That the sheet does not list a spell; None where it has the words elsewhere, as of a wand."""
    if all(map(desk.sheet_passages.knows, phrase(spell.name))):
        return None
    told = f"{spell.name} is not among the spells on your sheet"
    return FoundLine(told, (Cite(spell.piece), Cite(known[0].piece)))


def _left(
    slots: Sequence[Row], level: int, told: str, *, is_count: bool
) -> tuple[str, tuple[Cite, ...]]:
    """How many slots are left of a level or above it, and what shows it."""
    fitting = [row for row in slots if _number(row, "level") >= level]
    left = sum(_number(row, "left") for row in fitting)
    shown = [row for row in fitting if row.fields["left"]] or fitting or list(slots)
    parts = [f"{row.name}: {row.fields['left']} of {row.fields['max']} left" for row in shown]
    lead = f"**{left}**" if is_count else ("Yes" if left else "No")
    return f"{lead}: {told}; {'; '.join(parts)}", tuple(Cite(row.piece) for row in shown)


def _number(row: Row, name: str) -> int:
    value = row.fields.get(name)
    return value if isinstance(value, int) else 0
