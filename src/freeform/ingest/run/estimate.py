"""About how much a model would be asked: shown before anything is sent."""

from freeform.core.record import Record
from freeform.ingest.systems.passes import EXTRACTORS
from freeform.ingest.things.catalogue.verdicts import BATCH
from freeform.ingest.things.enrich import TAG_BATCH
from freeform.ingest.things.sections_read import AROUND, TOKENS

WORDS_A_PAGE = 560
TOKENS_A_WORD = 1.35
WORDS_A_PASSAGE = 420
"""Of rules, as extractors are shown them."""
CATALOGUES_A_PAGE = 0.3
"""More than any book had that was tried: 164 in 879 pages."""


class Estimate(Record):
    """Calls and tokens, more rather than less. `cost_usd` is None where no price is known."""

    calls: int
    input_tokens: int
    output_tokens: int
    cost_usd: float | None = None

    def line(self, model: str) -> str:
        """In one sentence."""
        if model == "offline":
            return "Nothing is sent anywhere and nothing is paid: the offline model answers."
        price = (
            f"about ${self.cost_usd:.2f}"
            if self.cost_usd is not None
            else "at a price that is not known here"
        )
        tokens = f"{self.input_tokens:,} tokens in, {self.output_tokens:,} out"
        return f"{model} would be asked about {self.calls} questions ({tokens}), {price}."


def estimate_calls(pages: int, *, systems: bool) -> Estimate:
    """From the number of pages alone, before the book is read."""
    words = pages * WORDS_A_PAGE
    a_question = TOKENS / TOKENS_A_WORD
    named = pages * 2.5
    batches = {
        "read": (words / a_question, a_question * TOKENS_A_WORD + AROUND, 1400),
        "catalogues": (pages * CATALOGUES_A_PAGE / BATCH, BATCH * 1100 + 500, 60 * BATCH),
        "tags": (named / TAG_BATCH, TAG_BATCH * 45 + 200, 700),
        "systems": (
            len(EXTRACTORS) if systems else 0,
            14 * WORDS_A_PASSAGE * TOKENS_A_WORD + 900,
            900,
        ),
    }
    calls = sum(-(-int(number * 10) // 10) for number, _, _ in batches.values())
    return Estimate(
        calls=int(calls) + 2,
        input_tokens=int(sum(number * size for number, size, _ in batches.values())),
        output_tokens=int(sum(number * size for number, _, size in batches.values())),
    )
