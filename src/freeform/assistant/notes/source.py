"""Notes as a source of the assistant: who and what they name, and the seven intentions as ways to
choose."""

import hashlib
import re
from collections import Counter
from collections.abc import Sequence
from functools import cached_property

from freeform.assistant.model import (
    NOTES_SECTIONS,
    Name,
    Number,
    Piece,
    SourceFact,
    SourcePlace,
    Tool,
    Wanted,
)
from freeform.assistant.notes.model import Note, Subject
from freeform.assistant.overlap import shared, words_in
from freeform.core.text import plain_form

_ASKED = re.compile(
    r"\b(?:session|game|episode|chapter|part|night)\s*(?:no\.?|#)?\s*(\d{1,4})\b|\b(\d{1,3})(?:st|nd|rd|th) session\b",
    re.I,
)
_LAST = re.compile(
    r"\b(last|latest|previous|most recent) (session|game|time|night|week)\b|\blast time\b", re.I
)
_RECENT = re.compile(r"\b(last|latest|most recent|lately|recently)\b", re.I)
_FIRST = re.compile(r"\bfirst (session|game|time|night)\b", re.I)
_KINDS: dict[Subject, str] = {
    "npc": "npc", "location": "place", "quest": "quest", "combat": "combat", "event": "event",
    "decision": "decision", "character": "character", "session": "session",
}  # fmt: skip
_CUES = {
    f"session_notes.{about}": re.compile(rf"\b(?:{words})\b", re.I)
    for about, words in {
        "quest": r"(?:asked|hired|wants?|begged|paid|tasked|told) (?:us|me|them|the party) to|(?:we|i|they) (?:promised|"
        r"agreed|must|need to|have to|swore|still)|quest|mission|contract|errand|rewards?|bounty|in return for|the job",
        "combat": r"fought|fight|battle|attack(?:ed|s)?|ambush(?:ed)?|killed|slew|slain|went down|knocked out|defeated",
        "decision": r"decided|chose|agreed|voted|refused|spared|promised|instead of|made up our minds",
        "location": r"(?:in|at|near|to) (?-i:[A-Z])\w+|went to|arrived|"
        r"travell?ed|reached|entered|returned to|set out for|left for|camped",
        "character": r"level(?:l?ed)? up|learned to|has changed|became|swore|lost (?:his|her|their) faith",
    }.items()
}
"""How prose tells of a subject, for notes that have no headings for it."""


class NotesSource:
    """One body of notes. What is for the GM alone never reaches a player, nor changes what a player
    is given."""

    tool: Tool = "session_notes"

    def __init__(self, notes: list[Note], label: str = "notes") -> None:
        self.notes, self.label = notes, label

    @cached_property
    def version(self) -> str:
        told = "\n".join(f"{n.id}{n.about}{n.session}{n.gm_only}{n.text}" for n in self.notes)
        return hashlib.sha256(told.encode()).hexdigest()[:32]

    @property
    def sections(self) -> Sequence[str]:
        return NOTES_SECTIONS

    @cached_property
    def _words(self) -> list[frozenset[str]]:
        return [frozenset(words_in(f"{n.title} {n.heading} {n.text}")) for n in self.notes]

    @cached_property
    def _plain(self) -> list[str]:
        return [plain_form(f"{n.title}\n{n.text}") for n in self.notes]

    async def names(self) -> Sequence[Name]:
        """Each name once for each section, open notes and GM-only ones apart."""
        found: dict[tuple[str, str, bool], list[Note]] = {}
        spelled: dict[str, str] = {}
        for note in self.notes:
            for name in note.names:
                kept = spelled.setdefault(plain_form(name), name)
                found.setdefault((kept, note.section, note.gm_only), []).append(note)
            if note.session and note.about == "session":
                found.setdefault(
                    (f"Session {note.session}", note.section, note.gm_only), []
                ).append(note)
        return [
            Name(
                name=name,
                aliases=_short(name),
                tool=self.tool,
                section=section,
                pieces=[note.id for note in notes],
                kind=_KINDS[notes[0].about] if name == notes[0].title else "mention",
                gm_only=hidden,
            )
            for (name, section, hidden), notes in found.items()
        ]

    async def fetch(self, wanted: Wanted) -> list[Piece]:
        """Notes about the names, oldest first where they tell a history; else by section, session
        and words."""
        seen = [
            at for at, note in enumerate(self.notes) if wanted.viewer == "gm" or not note.gm_only
        ]
        query = Counter(words_in(wanted.query))
        weights = self._weights(seen, query)
        named = [plain_form(name) for name in wanted.entities]
        session = self._session_asked(wanted.query, seen)
        latest = self._latest_quests(seen)
        wants = set(wanted.pieces)
        newest = max((self.notes[at].session for at in seen), default=0)
        plainly = {self.notes[at].section for at in seen}
        prose = [_CUES[s] for s in wanted.sections if s in _CUES and s not in plainly]
        scored: list[tuple[float, int]] = []
        for at in seen:
            note = self.notes[at]
            fit = shared(query, self._words[at], weights)
            inside = note.section in wanted.sections
            if note.id in wants:
                score = 3.0 + fit
            elif any(name in self._plain[at] for name in named if len(name) > 2):
                score = 2.0 + fit
            elif inside:
                score = 0.25 + fit
            elif fit > 0.25:
                score = fit * 0.8
            elif prose and any(cue.search(note.text) for cue in prose):
                score = 0.2 + fit
            elif session is not None and note.session == session:
                score = 0.1 + fit
            else:
                continue
            score += 0.4 if inside else 0.0
            if session is not None:
                score += 1.5 if note.session == session else -1.0
            elif inside and newest and _RECENT.search(wanted.query):
                score += note.session / newest
            if score <= 0:
                continue
            if note.about == "quest" and wanted.intention == "quest_status":
                score += 0.5 if latest.get(plain_form(note.title)) == at else -0.5
            scored.append((score, at))
        scored.sort(key=lambda row: (-row[0], row[1]))
        best = scored[: wanted.limit]
        return [self._piece(at, score) for score, at in best]

    def _weights(self, seen: list[int], query: Counter[str]) -> dict[str, float]:
        """Rare words tell more; only what the asker may see is counted."""
        total = len(seen) + 1
        return {
            word: 1.0 + (total / (1 + sum(word in self._words[at] for at in seen))) ** 0.25
            for word in query
        }

    def _session_asked(self, question: str, seen: list[int]) -> int | None:
        if match := _ASKED.search(question):
            return int(match[1] or match[2])
        numbers = [self.notes[at].session for at in seen if self.notes[at].session]
        if numbers and _LAST.search(question):
            return max(numbers)
        return min(numbers) if numbers and _FIRST.search(question) else None

    def _latest_quests(self, seen: list[int]) -> dict[str, int]:
        return {
            plain_form(self.notes[at].title): at for at in seen if self.notes[at].about == "quest"
        }

    def _piece(self, at: int, score: float) -> Piece:
        return self.piece_of(self.notes[at], score)

    def piece_of(self, note: Note, score: float = 0.0) -> Piece:
        """A note as a piece."""
        told = " ".join(
            filter(
                None,
                (
                    f"Session {note.session}" if note.session else "",
                    f"({note.date})" if note.date else "",
                ),
            )
        )
        facts = (
            [SourceFact(subject=note.title, what="status", value=note.status)]
            if note.status
            else []
        )
        return Piece(
            id=note.id,
            tool=self.tool,
            section=note.section,
            title=note.title,
            kind=note.kind or _KINDS[note.about],
            text=note.text,
            where=SourcePlace(
                file=note.file,
                line=note.line,
                section=" > ".join(filter(None, (told, _tail(note.heading)))),
            ),
            gm_only=note.gm_only,
            score=round(score, 4),
            facts=facts,
            data={"session": note.session, "date": note.date},
        )

    async def numbers(self, wanted: Wanted) -> list[Number]:
        """Notes compute nothing."""
        return []


def _tail(heading: str) -> str:
    """The headings under the session's own."""
    parts = heading.split(" > ")
    return " > ".join(parts[1:]) if len(parts) > 1 else ""


def _short(name: str) -> list[str]:
    """`the Pale Abbot` is also `Pale Abbot`."""
    plain = re.sub(r"^(the|a|an)\s+", "", name, flags=re.I)
    return [plain] if plain != name else []
