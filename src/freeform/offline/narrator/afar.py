"""Telling of somebody who is elsewhere and answers: a voice, or words to be read; no face, no
hands."""

import re
from typing import Any

from freeform.core.text import plain_form
from freeform.engine.rules.known import inside, with_article
from freeform.language.sentences import sentences
from freeform.offline.narrator.draft import Draft
from freeform.offline.narrator.lines import clean
from freeform.offline.narrator.people import Details, told, whole_words

_QUOTED = re.compile(r'[“"]([^“”"]+)[”"]')
_AFAR, _CUT = "afar", "|"
_NO_QUOTE = ("to ", "for ", "that ", "be ", "about ", "if ", "whether ")
"""What begins a telling of words, and not the words."""


def called(t: Draft, d: Details) -> None:
    """The player's character calls somebody, or sends them words; of one who does not answer,
    nothing says that they were reached."""
    words = clean(str(d.get("words") or "")).strip("\"“”' ")
    said = words and not d.get("asks") and not plain_form(words).startswith(_NO_QUOTE)
    answered = d.get("answered", True)
    group = f"called_{_how(d)}" if answered else f"tried_{_how(d)}"
    with_words = said and (answered or _how(d) == "written")
    t.line(f"{group}_words" if with_words else group, breaks=True, **_fields(t, d, words))
    t.speaker = str(d.get("name") or t.speaker)


def no_reply(t: Draft, d: Details) -> None:
    """Nobody answers, and one does not learn why."""
    t.line(f"no_reply_{_how(d)}", str(d.get("npc", "")), **_fields(t, d))


def picked_up(t: Draft, d: Details) -> None:
    """They answer, and wait for what one wants."""
    t.line(f"picked_up_{_how(d)}", str(d.get("npc", "")), breaks=True, **_fields(t, d))


def put_off(t: Draft, d: Details) -> None:
    """They have an answer, and it takes more than words."""
    t.line("put_off", str(d.get("npc", "")), breaks=True, **_fields(t, d))


def told_from_afar(t: Draft, tell: Any, d: Details) -> None:
    """What they would say face to face, with nothing of how they look saying it. What is told in
    no words of theirs is told as it stands."""
    before = len(t.pieces)
    is_first = _AFAR not in t.quieted
    tell(t, d)
    spoken = " ".join(piece.text for piece in t.pieces[before:])
    if spoken:
        t.quieted.add(_AFAR)
    if tell is told and (d.get("as_said") or _is_told_whole(spoken, t.text_of(d))):
        return
    del t.pieces[before:]
    words, how = _joined(spoken), _how(d)
    if words and is_first:
        t.line(f"far_{how}", str(d.get("npc", "")), breaks=True, **_fields(t, d, words))
    elif words:
        t.add(f"“{words}”")
    elif spoken and is_first:
        t.line(f"far_{how}_quiet", str(d.get("npc", "")), breaks=True, **_fields(t, d))


def _is_told_whole(spoken: str, text: str) -> bool:
    """Whether no words of theirs stand in it, or more of it stands in sentences
    without quotation marks than within such marks, so that it cannot all be how
    somebody looks saying it."""
    if not _QUOTED.search(spoken):
        return bool(spoken)
    cut = _QUOTED.sub(lambda quoted: f"{_CUT}{quoted[1].strip()[-1:]}", text)
    outside = [one for one in sentences(cut) if _CUT not in one and one[:1].isupper()]
    said = sum(len(quoted.split()) for quoted in _QUOTED.findall(text))
    return sum(len(one.split()) for one in outside) > said


def _joined(spoken: str) -> str:
    """What was said in pieces, as one speech: a full stop between them ends a sentence of it."""
    text, end = "", 0
    for found in _QUOTED.finditer(spoken):
        ended = text.endswith(",") and spoken[end : found.start()].rstrip().endswith((".", "!"))
        text = f"{text[:-1]}." if ended else text
        text, end = f"{text} {found[1].strip()}", found.end()
    text = text.strip()
    return f"{text[:-1]}." if text.endswith(",") else text


def _how(d: Details) -> str:
    """Whether one hears them, or reads what they write."""
    written = "written" in (d.get("how"), d.get("far"))
    return "written" if written else "voice"


def _fields(t: Draft, d: Details, words: str = "") -> dict[str, Any]:
    thing = inside(with_article(str(d.get("thing") or "")))
    name = t.called(str(d.get("name") or ""))
    whole = whole_words(words) if words else ""
    clause = f"{whole[:-1]}," if whole.endswith(".") else whole
    return {"name": name, "thing": thing, "words": whole, "clause": clause}
