"""Word pieces with their places: the same pieces, and nothing outside of the text."""

from hypothesis import given
from hypothesis import strategies as st

from freeform.adapters.encoder.wordpiece import WordPiece

LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789"
WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "cafe", "zoe", "!", "'", "’", *LETTERS]
PIECES = WordPiece([*WORDS, *(f"##{letter}" for letter in LETTERS)])


@given(st.text(max_size=40))
def test_pieces_with_places_are_those_without(text: str) -> None:
    pieces = PIECES.pieces(text)
    assert [piece.number for piece in pieces] == PIECES.encode(text, 10_000)[1:-1]
    since = 0
    for piece in pieces:
        assert since <= piece.start < piece.end <= len(text)
        since = piece.start


def test_places_are_those_of_the_letters() -> None:
    text = "Cafe\u0301 Zoë!"
    assert [text[p.start : p.end] for p in PIECES.pieces(text)] == ["Cafe\u0301", "Zoë", "!"]


def test_a_sign_hangs_on_no_word_where_asked() -> None:
    text = "zoe🙂 !"
    assert [text[p.start : p.end] for p in PIECES.pieces(text)] == ["zoe🙂", "!"]
    apart = PIECES.pieces(text, signs_apart=True)
    assert [text[p.start : p.end] for p in apart] == ["zoe", "🙂", "!"]
