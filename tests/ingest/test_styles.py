"""Headings by the look of paragraphs over a whole book."""

from freeform.ingest.model import PageBlock
from freeform.ingest.page.styles import (
    family_of,
    heading_levels,
    looks_like_heading,
    style_of,
    survey,
)

BODY = "The keeper walks the wall at dusk and counts the boats that come home from the far banks while rain gathers."


def block(
    text: str, *, font: str = "Serif", size: float = 10.0, bold: bool = False, color: int = 0
) -> PageBlock:
    return PageBlock(text=text, bbox=(0, 0, 1, 1), font=font, size=size, bold=bold, color=color)


def book(*heads: PageBlock) -> list[PageBlock]:
    return [each for head in heads for each in (head, block(BODY * 3), block(BODY * 2))]


def found(blocks: list[PageBlock]) -> dict[str, int]:
    levels = heading_levels(survey(blocks))
    return {
        each.text: levels[style_of(each)]
        for each in blocks
        if looks_like_heading(each) and style_of(each) in levels
    }


def test_larger_is_higher_and_near_sizes_are_one_level() -> None:
    heads = [block(f"Chapter {at}", size=20 + at % 2) for at in range(4)]
    parts = [block(f"Place number {at}", size=14) for at in range(8)]
    levels = found(book(*heads, *parts))
    assert {levels[head.text] for head in heads} == {1} and {
        levels[part.text] for part in parts
    } == {2}
    assert BODY * 3 not in levels


def test_titles_at_the_size_of_the_text_show_by_weight_family_or_colour() -> None:
    for look in ({"bold": True, "font": "Serif-Bold"}, {"font": "Sans"}, {"color": 0xAA0000}):
        heads = [
            block(f"The House of {name}", **look)
            for name in ("Ash", "Elm", "Oak", "Yew", "Fir", "Box")
        ]
        assert len(found(book(*heads))) == 6, look


def test_the_same_few_labels_over_and_over_are_no_headings() -> None:
    labels = [
        block("Actions" if at % 2 else "Reactions", size=11, bold=True, font="Serif-Bold")
        for at in range(60)
    ]
    assert found(book(*labels)) == {}


def test_italic_lines_under_a_name_are_no_headings() -> None:
    kinds = [block(f"Small beast number {at}", font="Serif-Italic") for at in range(20)]
    assert found(book(*kinds)) == {}


def test_a_family_is_its_name_without_the_foundrys_letters() -> None:
    assert family_of("ArialMT") == family_of("Arial-BoldMT") == "arial"
    assert family_of("TimesNewRomanPSMT") == family_of("TimesNewRomanPS-ItalicMT,#aa0000")
