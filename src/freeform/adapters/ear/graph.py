"""The ear as an ONNX file: the encoder with kinds of things as a second input, and two heads."""

from collections.abc import Mapping

from freeform.adapters.encoder.graph import Graph
from freeform.adapters.encoder.table import QUICK_STEPS, WIDTH, Table, quantise
from freeform.language.ear import FAMILIES, FLAGS, KINDS, ROLES
from freeform.language.meaning.outcome import (
    OUTCOME_KINDS,
    OUTCOME_MOODS,
    OUTCOME_RISKS,
    OUTCOME_ROLES,
    OUTCOME_SUBJECTS,
    STATES,
)
from freeform.language.meaning.premise import PREMISE_LABELS, STORY_GENRES, STORY_SHAPES

LONGEST = 128
"""In word pieces, with the marks at both ends."""
TAGS = 1 + 2 * len(ROLES)
"""No span, or the beginning or the inside of one of each role."""
PREMISE_TAGS = 1 + 2 * len(PREMISE_LABELS)
"""The same of what a premise's words name."""
OUTCOME_TAGS = 1 + 2 * len(OUTCOME_ROLES)
"""The same of what a deed changes."""
PER_TOKEN = (1, len(FAMILIES) + 1, len(FLAGS), TAGS, PREMISE_TAGS, OUTCOME_TAGS)
"""An act begins here; its family, or none; its flags; spans; nouns of a premise; of an outcome."""
OUTCOME_CHOICES = (OUTCOME_KINDS, OUTCOME_SUBJECTS, OUTCOME_MOODS, OUTCOME_RISKS)
PER_OUTCOME = (len(STATES), *(len(names) for names in OUTCOME_CHOICES))
PER_TEXT = (
    len(FAMILIES),
    len(FLAGS),
    len(STORY_SHAPES),
    len(STORY_GENRES),
    sum(PER_OUTCOME),
    1,
    1,
)
"""Any act of the family; any with the flag; a premise's kind of story, and its setting; what
becomes of a deed; a sentence touches a topic; it answers a question."""
TOUCHES, ANSWERS = -2, -1
"""Where of a text's scores those of a pair stand."""
TOPIC = len(KINDS) + 1
"""The kind of the tokens of a topic that stands behind a sentence; 0 is no kind."""
QUESTION = TOPIC + 1
"""The same of a question."""
PREMISE = QUESTION + 1
"""The kind of all tokens of a premise."""
OUTCOME = PREMISE + 1
"""The same of a deed whose outcome is read."""
HEADS = ("token", "text")


def build(table: Table, notes: Mapping[str, str]) -> bytes:
    """The model file. In: `ids`, `kinds` and `mask` (text, token), `at` (token). Out: `tokens`
    (text, token, `PER_TOKEN`) and `texts` (text, `PER_TEXT`), scores before any softmax; `means`
    (text, 384), what the scores of a text are made from."""
    heads = {name: values for name, values in table.items() if name.startswith(HEADS)}
    body = {name: values for name, values in table.items() if name not in heads}
    g = Graph(quantise(body, QUICK_STEPS) | quantise(heads), unsigned=True)
    x = g.node("Add", g.words("ids"), g.node("Gather", "places", "at"))
    x = g.layers(g.node("Add", x, g.node("Gather", "kinds", "kinds_in")))
    mean = g.node("Identity", g.mean(x), out=["means"])
    g.dense(x, "token", out=["tokens"])
    g.dense(mean, "text", out=["texts"])
    g.takes("ids", "int64", "text", "token")
    g.takes("kinds_in", "int64", "text", "token")
    g.takes("at", "int64", "token")
    g.takes("mask", "float32", "text", "token")
    g.gives("tokens", "float32", "text", "token", sum(PER_TOKEN))
    g.gives("texts", "float32", "text", sum(PER_TEXT))
    g.gives("means", "float32", "text", WIDTH)
    return g.file("ear", notes)
