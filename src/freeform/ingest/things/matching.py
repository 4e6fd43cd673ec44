"""Which sections fell into which segment, when a manifest does not say: by order, pages and
headings."""

import re
from collections.abc import Sequence

from freeform.core.text import plain_form
from freeform.ingest.model import BookSection, Segment
from freeform.ingest.things.things import bare

_HEADING = re.compile(r"^#{1,6}\s+(.+?)\s*$", re.M)


def match_sections(
    segments: Sequence[Segment], sections: Sequence[BookSection]
) -> dict[str, list[BookSection]]:
    """Both run in the book's order: each section goes to the first segment from here on that has
    its heading."""
    titles = [
        {plain_form(bare(found[1])) for found in _HEADING.finditer(segment.text)}
        | {
            plain_form(bare(segment.title)),
            plain_form(bare(segment.heading_path[-1] if segment.heading_path else "")),
        }
        for segment in segments
    ]
    inside: dict[str, list[BookSection]] = {segment.id: [] for segment in segments}
    at = 0
    for section in sections:
        wanted = plain_form(bare(section.title))
        for place in range(at, min(at + 12, len(segments))):
            segment = segments[place]
            near = segment.page_start - 1 <= section.page_start <= segment.page_end + 1
            if near and wanted in titles[place]:
                inside[segment.id].append(section)
                at = place
                break
    return inside
