"""The ear as an ONNX file: the encoder with kinds of things as a second input, and two heads."""

from collections.abc import Mapping

from freeform.adapters.encoder.graph import Graph
from freeform.adapters.encoder.table import QUICK_STEPS, Table, quantise
from freeform.language.ear import FAMILIES, FLAGS, KINDS, ROLES

LONGEST = 128
"""In word pieces, with the marks at both ends."""
TAGS = 1 + 2 * len(ROLES)
"""No span, or the beginning or the inside of one of each role."""
PER_TOKEN = (1, len(FAMILIES) + 1, len(FLAGS), TAGS)
"""An act begins here; its family, or none; its flags; spans."""
PER_TEXT = (len(FAMILIES), len(FLAGS), 1, 1)
"""Any act of the family; any with the flag; a sentence touches a topic; it answers a question."""
TOUCHES, ANSWERS = -2, -1
"""Where of a text's scores those of a pair stand."""
TOPIC = len(KINDS) + 1
"""The kind of the tokens of a topic that stands behind a sentence; 0 is no kind."""
QUESTION = TOPIC + 1
"""The same of a question."""
HEADS = ("token", "text")


def build(table: Table, notes: Mapping[str, str]) -> bytes:
    """The model file. In: `ids`, `kinds` and `mask` (text, token), `at` (token). Out: `tokens`
    (text, token, 44) and `texts` (text, 31), scores before any softmax."""
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
