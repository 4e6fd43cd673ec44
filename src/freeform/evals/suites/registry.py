"""The suites by name: what each measures, and where its data goes."""

from collections.abc import Iterator
from contextlib import contextmanager

from freeform.core.errors import NotFound
from freeform.core.record import Record


class SuiteRow(Record):
    """A suite as `eval list` shows it. `data`: its folder below the data folder, '' when it makes
    its own."""

    name: str
    measures: str
    data: str = ""


SUITES = {
    row.name: row
    for row in (
        SuiteRow(
            name="textworld",
            measures="legal commands accepted, illegal ones refused, facts after each as the rules imply",
            data="textworld",
        ),
        SuiteRow(
            name="state-transitions",
            measures="HP, effects and turn order after commands of a real fight",
            data="fireball",
        ),
        SuiteRow(
            name="promises",
            measures="promises, debts, loans, deaths, shut doors and insults kept 50 to 150 turns later",
        ),
        SuiteRow(
            name="golden", measures="written transcripts that must come out the same, byte for byte"
        ),
        SuiteRow(
            name="retrieval",
            measures="nDCG@10 and recall@10 of words, vectors and both on public collections",
            data="ir",
        ),
        SuiteRow(
            name="own-packs",
            measures="nDCG@10 and recall@10 of questions over the bundled packs: words, vectors and both; half held out",
        ),
        SuiteRow(
            name="routing",
            measures="the tools and intentions that `ask` chooses, against labelled questions",
        ),
        SuiteRow(
            name="answers",
            measures="answers from sheets, notes and rules: facts, sources, length, the unknowable",
            data="characters",
        ),
        SuiteRow(
            name="rules",
            measures="nDCG@10 and recall@10 of rule questions over the SRD: words, vectors and both",
            data="srd",
        ),
        SuiteRow(
            name="memory",
            measures="which turns and sessions of very long conversations hold the answer (LoCoMo), without any model",
            data="locomo",
        ),
        SuiteRow(
            name="forgetting",
            measures="what agents forget against what people forget, by person and delay; a real person's log",
        ),
        SuiteRow(
            name="consensus",
            measures="whether a group agreed, read from its chat, against the answers its members handed in",
            data="delidata",
        ),
        SuiteRow(
            name="lore",
            measures="a world researched from a wiki on loopback: connections, factions, places, conflicts, quotes",
            data="naev",
        ),
        SuiteRow(
            name="lore-conflicts",
            measures="disagreements of three publications of one bestiary: errors found, editions told apart",
            data="conflicts",
        ),
        SuiteRow(
            name="ingest",
            measures="books read against their Markdown twins: words, order, headings, tables, stat blocks, scans, speed",
            data="pdf",
        ),
        SuiteRow(
            name="nightly", measures="every metric over headless campaigns of the bundled scenarios"
        ),
        SuiteRow(
            name="hearing",
            measures="what players type: understood, asked fairly or needlessly, costly misses",
            data="hearing",
        ),
        SuiteRow(
            name="deeds",
            measures="improvised deeds: a fitting effect, prose and state agree, wrong refusals",
        ),
        SuiteRow(
            name="safety",
            measures="sentences that touch a line and are shown, harmless ones that are cut",
        ),
    )
}


@contextmanager
def from_checkout(name: str) -> Iterator[None]:
    """Around the imports of a suite that an installed program does not hold. NotFound says where it
    is."""
    try:
        yield
    except ModuleNotFoundError as missing:
        if not (missing.name or "").startswith("freeform.evals"):
            raise
        raise NotFound(
            f"the suite '{name}' is not in the installed program; run it from a checkout of the source: "
            f"`make setup`, then `.venv/bin/freeform-rpg eval {name}`"
        ) from None


def suite(name: str) -> SuiteRow:
    """By name; NotFound lists them."""
    if name not in SUITES:
        raise NotFound(f"no suite '{name}'; there are: {', '.join(SUITES)}")
    return SUITES[name]
