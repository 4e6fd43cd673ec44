"""A sentence and a topic, or a question, as one row of tokens: [CLS] sentence [SEP] topic [SEP]."""

from freeform.adapters.ear.graph import LONGEST, QUESTION, TOPIC
from freeform.adapters.encoder.wordpiece import WordPiece

LONGEST_BESIDE = {TOPIC: 16, QUESTION: 40}
"""In word pieces: a topic is a word or a few, a question a sentence."""


def pair_of(words: WordPiece, sentence: str, beside: str, kind: int) -> tuple[list[int], list[int]]:
    """The numbers of the tokens, and their kinds. A sentence too long is cut at its end."""
    about = [piece.number for piece in words.pieces(beside, signs_apart=True)]
    about = about[: LONGEST_BESIDE[kind]]
    room = LONGEST - 3 - len(about)
    said = [piece.number for piece in words.pieces(sentence, signs_apart=True)][:room]
    ids = [words.start, *said, words.end, *about, words.end]
    kinds = [0] * (len(said) + 2) + [kind] * (len(about) + 1)
    return ids, kinds
