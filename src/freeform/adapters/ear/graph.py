"""What the ear's heads say of a token and of a text; the ear as an ONNX file."""

from collections.abc import Mapping

from freeform.adapters.encoder.headed import build as build_headed
from freeform.adapters.encoder.table import Table
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


def build(table: Table, notes: Mapping[str, str]) -> bytes:
    """The ear's model file."""
    return build_headed("ear", table, (sum(PER_TOKEN), sum(PER_TEXT)), notes)
