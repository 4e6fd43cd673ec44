"""The ledger's law: a claim is kept only with a quote that stands, letter by letter, in the stored
page."""

import hashlib

from freeform.lore.model import Claim, Kind
from freeform.lore.ports import WebPage

SHORTEST_QUOTE = 2


def make_claim(
    page: WebPage,
    *,
    kind: Kind,
    subject: str,
    subject_id: str,
    predicate: str,
    value: str,
    extractor: str,
    quote: str = "",
    span: tuple[int, int] | None = None,
    value_id: str = "",
    era: str = "",
) -> Claim | None:
    """The claim, or None where the page does not say so. Give the quote or where it stands."""
    if span is None:
        start = page.text.find(quote) if len(quote.strip()) >= SHORTEST_QUOTE else -1
        span = (start, start + len(quote))
    start, end = span
    while start < end and start >= 0 and page.text[start].isspace():
        start += 1
    while end > start and page.text[end - 1 : end].isspace():
        end -= 1
    if (
        start < 0
        or end > len(page.text)
        or end - start < SHORTEST_QUOTE
        or not value.strip()
        or not subject_id
    ):
        return None
    return Claim(
        subject_id=subject_id,
        subject_kind=kind,
        subject=subject,
        predicate=predicate,
        value=" ".join(value.split()) if predicate != "content" else value.strip(),
        value_id=value_id,
        era=era,
        quote=page.text[start:end],
        start=start,
        end=end,
        revision=page.revision,
        url=page.url,
        sha256=page.sha256,
        fetched_at=page.fetched_at,
        extractor=extractor,
        tier=page.tier,
        licence=page.licence,
    )


def wrong_with(claim: Claim, page: WebPage | None) -> str:
    """Why a claim does not stand, or ''. `page` is the stored one of the claim's address and
    hash."""
    if page is None:
        return f"the page {claim.url} of that revision is not in the store"
    if digest(page.text) != claim.sha256 or page.sha256 != claim.sha256:
        return f"the stored text of {claim.url} is not the one that was read"
    if page.text[claim.start : claim.end] != claim.quote or not claim.quote.strip():
        return f"the quote does not stand in {claim.url}"
    return ""


def digest(text: str) -> str:
    """The hash of a page's text, as pages and claims carry it."""
    return hashlib.sha256(text.encode("utf-8", errors="surrogatepass")).hexdigest()
