"""Pages keep to Discord's limit, cut no code block, lose no word and ping nobody."""

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from freeform.apps.discord.pages import LIMIT, pages, quiet

WORDS = st.text(alphabet=st.sampled_from("abc \n`|"), max_size=6000)


@settings(deadline=None, max_examples=60)
@given(WORDS)
def test_no_page_is_too_long_and_no_letter_is_lost(text: str) -> None:
    found = pages(text)
    assert all(0 < len(page) <= LIMIT for page in found)
    letters = re.sub(r"[\s`~]", "", text)
    kept = re.sub(r"[\s`~]", "", "".join(found))
    assert kept == letters or (not letters and kept in ("", "…"))


def test_a_code_block_over_several_pages_is_closed_and_opened_on_each() -> None:
    text = (
        "Before.\n```python\n"
        + "\n".join(f"line {n} of the block" for n in range(300))
        + "\n```\nAfter."
    )
    found = pages(text)
    assert len(found) > 2
    for page in found:
        assert page.count("```") % 2 == 0
    assert all(page.startswith("```python") for page in found[1:-1])
    assert found[-1].endswith("After.")


def test_pings_are_made_harmless() -> None:
    said = quiet("@everyone and @here, <@123> <@!123> <@&9>; mail a@b.example stays")
    assert not re.search(r"@(everyone|here)|<@[!&]?\d", said)
    assert "a@b.example" in said
