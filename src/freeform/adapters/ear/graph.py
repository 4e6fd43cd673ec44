"""The ear as an ONNX file: the encoder with kinds of things as a second input, and two heads."""

from collections.abc import Mapping

from freeform.adapters.encoder.graph import Graph
from freeform.adapters.encoder.table import QUICK_STEPS, Table, quantise
from freeform.language.ear import FAMILIES, FLAGS, KINDS, ROLES
from freeform.language.meaning.premise import PREMISE_LABELS, STORY_GENRES, STORY_SHAPES

LONGEST = 128
"""In word pieces, with the marks at both ends."""
TAGS = 1 + 2 * len(ROLES)
"""No span, or the beginning or the inside of one of each role."""
PREMISE_TAGS = 1 + 2 * len(PREMISE_LABELS)
"""The same of what a premise's words name."""
PER_TOKEN = (1, len(FAMILIES) + 1, len(FLAGS), TAGS, PREMISE_TAGS)
"""An act begins here; its family, or none; its flags; spans; nouns of a premise."""
PER_TEXT = (len(FAMILIES), len(FLAGS), len(STORY_SHAPES), len(STORY_GENRES), 1, 1)
"""Any act of the family; any with the flag; a premise's kind of story, and its setting; a sentence
touches a topic; it answers a question."""
TOUCHES, ANSWERS = -2, -1
"""Where of a text's scores those of a pair stand."""
TOPIC = len(KINDS) + 1
"""The kind of the tokens of a topic that stands behind a sentence; 0 is no kind."""
QUESTION = TOPIC + 1
"""The same of a question."""
PREMISE = QUESTION + 1
"""The kind of all tokens of a premise."""
HEADS = ("token", "text")


def build(table: Table, notes: Mapping[str, str]) -> bytes:
    """The model file. In: `ids`, `kinds` and `mask` (text, token), `at` (token). Out: `tokens`
    (text, token, `PER_TOKEN`) and `texts` (text, `PER_TEXT`), scores before any softmax."""
    heads = {name: values for name, values in table.items() if name.startswith(HEADS)}
    body = {name: values for name, values in table.items() if name not in heads}
    g = Graph(quantise(body, QUICK_STEPS) | heads, unsigned=True)
    x = g.node("Add", g.words("ids"), g.node("Gather", "places", "at"))
    x = g.layers(g.node("Add", x, g.node("Gather", "kinds", "kinds_in")))
    g.linear(x, "token", out=["tokens"])
    g.linear(g.mean(x), "text", out=["texts"])
    g.takes("ids", "int64", "text", "token")
    g.takes("kinds_in", "int64", "text", "token")
    g.takes("at", "int64", "token")
    g.takes("mask", "float32", "text", "token")
    g.gives("tokens", "float32", "text", "token", sum(PER_TOKEN))
    g.gives("texts", "float32", "text", sum(PER_TEXT))
    return g.file("ear", notes)
