"""Facts out of what people said (a pass), and a memory in a player's own voice (another). Both are
held to the words.

A model may leave things out of what was said, never add to it; it may re-word what was decided,
never change it.
"""

import re
from collections.abc import Mapping

from pydantic import Field

from freeform.core.llm.gateway import Pass, PassInput
from freeform.core.record import Reply
from freeform.core.text import plain_form, slug
from freeform.language.sentences import sentences
from freeform.language.words import telling_words, word_class, words
from freeform.players.memory.model import CAMPAIGN, Belief, Episode, MemoryFact
from freeform.players.memory.wording import Role, one_line, slots_in
from freeform.players.words.prompt_lines import block
from freeform.players.words.prompt_lines import names as listed

SINGLE = frozenset("is_at lives_in works_for owes costs is_called leads belongs_to is_from".split())
"""Predicates with one value at a time: a newer one ends the older. Anything else may stand beside
others."""
MOST = 5
_NUMBER = re.compile(r"\d+")
_NAME = re.compile(r"(?<![.!?“\"] )(?<!^)\b[A-Z][a-z]{2,}")
_NEGATED = re.compile(r"\b(?:not|never|no|nobody|nothing|none|neither|nor|cannot|without)\b|n't\b")
_CLAUSE = re.compile(r"[,;:—]\s*|\s(?:but|and|because|although|while|though)\s")
_LEAD = re.compile(r"^\W*no\b(?!\s+\w)", re.I)
_COUNT = re.compile(
    r"\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|hundred|thousand)\b"
)


class TalkInput(PassInput):
    """Something someone said."""

    speaker: str
    text: str
    names: list[str] = Field(default_factory=list)

    def fields(self) -> dict[str, str]:
        """As plain words; what was said stays inside its tag."""
        return {
            "speaker": one_line(self.speaker),
            "text": block(self.text),
            "names": listed(self.names),
        }


class TalkFact(Reply):
    """One thing that was stated."""

    subject: str
    predicate: str
    value: str
    text: str


class TalkFacts(Reply):
    """All that was stated."""

    facts: list[TalkFact] = Field(default_factory=list)


class RewordInput(PassInput):
    """A belief, to be said."""

    believed: str
    confidence: float
    voice: str = ""

    def fields(self) -> dict[str, str]:
        """As plain words; what is remembered stays inside its tag."""
        return {
            "believed": block(self.believed),
            "confidence": f"{self.confidence:.2f}",
            "voice": self.voice,
        }


class RewordReply(Reply):
    """The belief in the player's voice."""

    text: str


REMEMBER = Pass("players/remember", TalkInput, TalkFacts, role="cheap")
REWORD = Pass("players/reword", RewordInput, RewordReply, role="cheap")


def facts_of_talk(
    reply: TalkFacts,
    said: TalkInput,
    *,
    id: str,
    day: float,
    episode: Episode,
    group: str = CAMPAIGN,
    known: Mapping[str, Role] | None = None,
) -> list[MemoryFact]:
    """The rows that hold to what was said, as facts. A row with a word that nobody said is dropped,
    and so is one that states what was denied."""
    heard = set(words(f"{said.speaker} {said.text} {' '.join(said.names)}"))
    facts = []
    for n, row in enumerate(reply.facts[:MOST]):
        text = one_line(row.text)
        if not text or not row.predicate or not set(words(row.subject)) - word_class("pronouns"):
            continue
        if not _grounded(f"{row.subject} {row.value} {text}", heard) or _turns_round(
            text, said.text
        ):
            continue
        predicate = slug(row.predicate)
        facts.append(
            MemoryFact(
                id=f"{id}.{n}",
                group=group,
                subject=slug(row.subject),
                predicate=predicate,
                value=row.value.strip(),
                text=text,
                slots=slots_in(
                    text, known or {name: "who" for name in said.names}, leave=(said.speaker,)
                ),
                valid_at=day,
                created_at=day,
                episode=episode,
                importance=0.5,
                source="talk",
                source_id=id,
                many=predicate not in SINGLE,
            )
        )
    return facts


def reworded(belief: Belief, reply: RewordReply) -> str:
    """The belief in other words, if they keep to it; otherwise the belief as it was decided."""
    text = " ".join(reply.text.split())
    kept = [audit.believed for audit in belief.audit if audit.kind != "gist" and audit.believed]
    known = plain_form(belief.believed)
    lost = any(plain_form(part) not in plain_form(text) for part in kept if part in belief.believed)
    healed = any(
        plain_form(audit.truth) in plain_form(text) and plain_form(audit.truth) not in known
        for audit in belief.audit
        if audit.level and audit.kind != "gist"
    )
    added = [
        part
        for part in (*_NUMBER.findall(text), *_NAME.findall(text))
        if plain_form(part) not in known
    ]
    counted = set(_COUNT.findall(plain_form(text))) - set(_COUNT.findall(known))
    affirmed = bool(_NEGATED.search(known)) and not _NEGATED.search(plain_form(text))
    too_long = len(text) > 2 * len(belief.believed) + 80
    bad = not text or lost or healed or added or counted or affirmed or too_long
    return belief.believed if bad else text


def _grounded(text: str, heard: set[str]) -> bool:
    """Whether every weighty word was said; a verb may change its ending."""

    def said(word: str) -> bool:
        return word in heard or (
            not word.isdigit()
            and any(h[:3] == word[:3] and abs(len(h) - len(word)) <= 3 for h in heard if len(h) > 2)
        )

    return all(said(word) for word in telling_words(text, "party"))


def _turns_round(row: str, said: str) -> bool:
    """Whether a row states what the clause it comes from denies, or the other way round."""
    told = set(telling_words(row, "party"))
    parts = [
        _LEAD.sub("", part)
        for sentence in sentences(said) or [said]
        for part in _CLAUSE.split(sentence)
    ]
    source = max(parts, key=lambda part: len(told & set(words(part))))
    return bool(_NEGATED.search(plain_form(row))) != bool(_NEGATED.search(plain_form(source)))
