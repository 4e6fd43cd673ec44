"""A sentence and a topic as one row of tokens: [CLS] sentence [SEP] topic [SEP]."""

from freeform.adapters.ear.graph import LONGEST, TOPIC
from freeform.adapters.encoder.wordpiece import WordPiece

LONGEST_TOPIC = 16
"""In word pieces; a topic is a word or a few."""


def pair_of(words: WordPiece, sentence: str, topic: str) -> tuple[list[int], list[int]]:
    """The numbers of the tokens, and their kinds. A sentence too long is cut at its end."""
    about = [piece.number for piece in words.pieces(topic, signs_apart=True)][:LONGEST_TOPIC]
    room = LONGEST - 3 - len(about)
    said = [piece.number for piece in words.pieces(sentence, signs_apart=True)][:room]
    ids = [words.start, *said, words.end, *about, words.end]
    kinds = [0] * (len(said) + 2) + [TOPIC] * (len(about) + 1)
    return ids, kinds
