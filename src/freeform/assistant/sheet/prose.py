"""People and sections in what players write on a sheet: lists of names, texts under headings."""

import re

from freeform.assistant.sheet.model import SheetRelation

_BULLET = re.compile(r"^\s*(?:[-*•]|\d+[.)])\s+")
_HEADED = re.compile(
    r"^(?:#{1,6}\s+(?P<a>.+?)\s*#*|\*\*(?P<b>[^*]{2,60}?):?\*\*:?|__(?P<c>[^_]{2,60})__)$"
)
_NAMED = re.compile(
    r"^\**(?P<who>[^:(,.*]{2,60}?)\**\s*(?:\((?P<kind>[^)]*)\))?\**\s*(?:[:,]|\s[-–—]\s)\s*(?P<text>.+)$"
)


def sections_in(text: str) -> dict[str, str]:
    """The text by its headings; what stands before the first is under ''."""
    found: dict[str, list[str]] = {}
    heading = ""
    for line in text.split("\n"):
        if match := _HEADED.match(line.strip()):
            heading = next(g for g in match.groups() if g).strip()
        else:
            found.setdefault(heading, []).append(line)
    joined = {key: "\n".join(lines).strip() for key, lines in found.items()}
    return {key: text for key, text in joined.items() if text}


def people_in(text: str, kind: str) -> list[SheetRelation]:
    """One row for each line that names someone: `* Ash Hawthorne: a sailor`, or a paragraph of its
    own."""
    found: list[SheetRelation] = []
    for line in (_BULLET.sub("", line).strip() for line in text.split("\n")):
        if not line:
            continue
        match = _NAMED.match(line)
        if match:
            found.append(
                SheetRelation(
                    who=match["who"].strip(), kind=match["kind"] or kind, text=match["text"].strip()
                )
            )
        elif len(line) <= 60:
            found.append(SheetRelation(who=line.strip("*. "), kind=kind))
        elif found:
            found[-1] = found[-1].model_copy(update={"text": f"{found[-1].text}\n{line}".strip()})
        else:
            found.append(
                SheetRelation(who=" ".join(line.split()[:3]).strip(",.:"), kind=kind, text=line)
            )
    return found
