"""A model looks at all that was read of a zone before it is packed. What it doubts is put to a
person; rows stay as the rules made them."""

from collections.abc import Iterator
from itertools import islice

from freeform.core.errors import BudgetSpent
from freeform.core.text import count_tokens, shorten, visible
from freeform.lore.errand import Errand
from freeform.lore.model import Claim, Doubt, DoubtedFact, ResearchPackage
from freeform.lore.read.claims import digest
from freeform.lore.read.passes import REVIEW, ReviewDoubt, ReviewInput
from freeform.lore.read.prose import as_name, is_order

MOST_PIECES = 8
"""So many pieces of a zone are looked at; the rest goes unreviewed."""


async def review(errand: Errand, package: ResearchPackage) -> list[Doubt]:
    """What a model doubts of a package's claims, piece by piece. Each piece is paid for once,
    whatever the cycle; where the budget ends there are no more doubts, and the zone goes on."""
    found: list[Doubt] = []
    zone = errand.point.zone_name
    pieces = _pieces(package.claims, errand.ports.limits.pass_tokens)
    for piece in islice(pieces, MOST_PIECES):
        facts = "\n".join(piece.values())
        asked = ReviewInput(game=errand.point.game, zone=zone, facts=facts)
        try:
            answer = await errand.ask(REVIEW, asked, about=f"{zone}|{digest(facts)}")
        except BudgetSpent as spent:
            errand.ports.log("budget_exhausted", "warn", action="end review", message=str(spent))
            break
        numbered = list(piece)
        for doubt in answer.doubts if answer else []:
            if made := _doubt(doubt, numbered):
                found.append(made)
    return found


def still_held(doubts: list[Doubt], claims: list[Claim]) -> list[Doubt]:
    """Doubts of things that are still said."""
    said = {fact_of(claim) for claim in claims}
    return [doubt for doubt in doubts if set(doubt.facts) <= said]


def fact_of(claim: Claim) -> DoubtedFact:
    """What a claim says, whoever says it."""
    return DoubtedFact(
        subject_kind=claim.subject_kind,
        subject_id=claim.subject_id,
        subject=claim.subject,
        predicate=claim.predicate,
        value=claim.value,
        url=claim.url,
    )


def _pieces(claims: list[Claim], tokens: int) -> Iterator[dict[DoubtedFact, str]]:
    """Facts with their lines, each once, in pieces of about so many tokens."""
    piece: dict[DoubtedFact, str] = {}
    left = tokens
    for claim in claims:
        fact = fact_of(claim)
        line = f"{len(piece) + 1}. {_said(claim)}"
        if fact in piece or is_order(line) or claim.predicate == "content":
            continue
        if piece and count_tokens(line) > left:
            yield piece
            piece, left = {}, tokens
            line = f"1. {_said(claim)}"
        piece[fact] = line
        left -= count_tokens(line)
    if piece:
        yield piece


def _said(claim: Claim) -> str:
    time = f", {as_name(claim.era)}" if claim.era else ""
    words = shorten(visible(claim.quote), 160)
    about = f"{visible(claim.subject)}, {claim.predicate}: {shorten(visible(claim.value), 120)}"
    return f"{about} (tier {claim.tier}{time}): {words}"


def _doubt(said: ReviewDoubt, facts: list[DoubtedFact]) -> Doubt | None:
    """A doubt about lines that were shown, in words that are none of a page's orders."""
    meant = [facts[number - 1] for number in said.numbers[:2] if 0 < number <= len(facts)]
    why = shorten(visible(said.why), 200)
    if not meant or not why or is_order(why):
        return None
    return Doubt(facts=meant, kind=said.kind, why=why)
