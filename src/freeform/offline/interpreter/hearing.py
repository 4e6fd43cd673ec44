"""What has been heard so far in one input: tokens, names, and whom a pronoun would mean now."""

from dataclasses import dataclass, field

from freeform.engine.authored.scenario import Offer
from freeform.engine.world.model import ContextPacket, ProposedAction
from freeform.language.words import stop_words, word_class
from freeform.offline.interpreter.lexicon import Lexicon, lexicon
from freeform.offline.interpreter.names import Cast, Mention, Named, bare
from freeform.offline.interpreter.verbs import Verbs
from freeform.offline.interpreter.words import Typed

_HE = frozenset({"he", "him", "his"})
_SHE = frozenset({"she", "her", "hers"})
_SURE = frozenset({"whoever", "whomever", "it", "him", "them", "he", "she", "they"})


@dataclass(frozen=True, slots=True)
class Reference:
    """Words in a clause that point at something: a name or a pronoun."""

    first: int
    last: int
    named: Named | None
    mention: Mention | None = None
    owner: bool = False

    @property
    def is_plain(self) -> bool:
        """Whether it names the thing itself, and not one of its owner's."""
        return self.mention is not None and self.mention.is_plain and not self.owner

    def fits(self, want: str) -> Named | None:
        """What it points at, read as the kind an action wants."""
        return self.mention.best(want) if self.mention else self.named


@dataclass
class Hearing:
    """The state of one interpretation."""

    packet: ContextPacket
    typed: Typed
    verbs: Verbs
    cast: Cast
    mentions: list[Mention]
    offers: list[Offer] = field(default_factory=list)
    said: list[Named] = field(default_factory=list)
    assumptions: list[str] = field(default_factory=list)
    perceptions: list[str] = field(default_factory=list)
    idle: ProposedAction | None = None
    """What is only held back or readied: all that happens if nothing else does."""
    is_denied: bool = False
    """Whether something is said not to be done."""
    authored: bool = False
    """Whether something was heard that was written for this place."""
    stranger: str = ""
    """Words for someone spoken to who is not to be found here."""
    names_someone: bool = False
    """Whether these words, or those before them in the same breath, name a person."""
    told_of: Named | None = None
    """The last person told of before these words, in the same breath."""
    elsewhere: bool = False
    """Whether what was done just before turned to someone or something that is not with us."""
    holds: bool = True
    """Whether the last condition heard was about how things are, not about what someone may do."""

    @property
    def words(self) -> Lexicon:
        """The word lists."""
        return lexicon()

    def plain(self, at: int) -> str:
        """The word at a position, or nothing beyond the end."""
        return self.typed.tokens[at].plain if 0 <= at < len(self.typed.tokens) else ""

    def phrase(self, first: int, last: int) -> str:
        """The words of a stretch as typed, with misspelt names put right."""
        text, at = "", first
        for mention in self.mentions:
            if mention.slip and first <= mention.first and mention.last <= last:
                spaced = self.typed.between(mention.first, mention.last).endswith(" ")
                text += (
                    self.typed.between(at, mention.first)
                    + bare(mention.best().name)
                    + ("'s" if mention.owner else "")
                    + (" " if spaced else "")
                )
                at = mention.last
        return (text + self.typed.between(at, last)).strip(" ,;:")

    @property
    def begins_a_deed(self) -> bool:
        """Whether its first word is a verb as one uses it of oneself: `stab Viktor`."""
        verb = self.verbs.at(self.typed, 0, len(self.typed.tokens)) if self.typed.tokens else None
        return verb is not None and verb.base

    @property
    def is_followed(self) -> bool:
        """Whether any word of it is known: a name, a verb, or one that everybody uses."""
        known = stop_words() | self.words.common | self.words.greetings
        spoken = [token for token in self.typed.tokens if token.kind != "mark"]
        if self.mentions or any(token.kind == "quote" for token in spoken):
            return True
        return any(
            token.plain in known
            or token.plain in self.words.everyday
            or token.plain in self.verbs.by_head
            for token in spoken
        )

    def say(self, named: Named | None) -> None:
        """Remembers what was just spoken of."""
        if named is not None and named.kind != "self":
            self.said.append(named)

    def references(self, first: int, last: int, want: str = "") -> list[Reference]:
        """Names and pronouns in a stretch, in order."""
        found = [
            Reference(m.first, m.last, m.best(want), m, m.owner)
            for m in self.mentions
            if m.first >= first and m.last <= last and not self._is_any(m)
        ]
        taken = {at for ref in found for at in range(ref.first, ref.last)}
        for at in range(first, last):
            if at in taken:
                continue
            if generic := self._generic(at):
                found.append(generic)
            elif self._is_pronoun(at, last) and not self._means_a_new_thing(at):
                named = self.meant_by(self.plain(at), want)
                if named is not None:
                    found.append(Reference(at, at + 1, named))
        return sorted(found, key=lambda ref: ref.first)

    def _means_a_new_thing(self, at: int) -> bool:
        """`start a conga line and steer it`: what was just brought up, and no name here covers."""
        if self.plain(at) != "it" or self._latest("thing", "detail") is not None:
            return False
        named = {place for mention in self.mentions for place in range(mention.first, mention.last)}
        for before in range(at - 1):
            noun = before + 1
            if self.plain(before) in ("a", "an", "some", "my") and noun not in named:
                return True
        return False

    def _generic(self, at: int) -> Reference | None:
        """`the woman`, where one here goes by she."""
        pronoun = self.words.generic_people.get(self.plain(at))
        if pronoun is None or self.plain(at - 1) not in self.words.definite:
            return None
        if self.plain(at + 1) in self.words.prepositions:
            return None  # `the man with the star` is one of his own
        named = self.person("" if pronoun == "they" else pronoun)
        return Reference(at, at + 1, named) if named else None

    def names_one(self, ref: Reference) -> bool:
        """Whether words name the very one that is here: not `a bell`, nor `another bell`."""
        person = ref.named is not None and ref.named.kind == "person"
        before = self.plain(ref.first - 1)
        return ref.is_plain and (before in self.words.definite or (person and before != "a"))

    def _is_any(self, mention: Mention) -> bool:
        """`a dragon` is not The Neon Dragon: part of a name, with an article that says any."""
        named, weight = mention.means[0]
        return (
            weight < 0.9
            and named.kind in ("place", "person")
            and self.plain(mention.first - 1) in ("a", "an")
        )

    def _is_pronoun(self, at: int, last: int) -> bool:
        word = self.plain(at)
        if word not in self.words.pronouns or self.typed.tokens[at].kind != "word":
            return False
        if word in _SURE:
            return True
        following = self.typed.tokens[at + 1] if at + 1 < last else None
        if following is None or following.kind != "word":
            return True
        return following.plain in self.words.prepositions | self.words.topic_marks | word_class(
            "after_a_pronoun"
        )

    def meant_by(self, pronoun: str, want: str = "") -> Named | None:
        """Whom or what a pronoun means: the last that fits in this input, the latest in play, or
        the only one."""
        if pronoun in self.words.person_pronouns and not (pronoun == "them" and want == "thing"):
            return self.person(pronoun)
        if pronoun in self.words.place_pronouns:
            return self._latest("place", "detail") if pronoun == "there" else None
        return self._latest("thing", "detail") or self._latest("place") or self._in_play("thing")

    def person(self, pronoun: str = "") -> Named | None:
        """The person meant when none is named."""
        people = [named for named in self.cast.named if named.kind == "person"]
        fitting = [named for named in people if _suits(named, pronoun)] or people
        for named in reversed(self.said):
            if named.kind == "person" and not _clashes(named, pronoun):
                return named
        present = [named for named in fitting if named.near]
        latest = max(present, key=lambda named: named.recency, default=None)
        if latest and (latest.recency or len(present) == 1):
            return latest
        absent = [named for named in fitting if named.recency]
        return (
            max(absent, key=lambda named: named.recency, default=None)
            if pronoun and not present
            else None
        )

    def _latest(self, *kinds: str) -> Named | None:
        return next((named for named in reversed(self.said) if named.kind in kinds), None)

    def _in_play(self, kind: str) -> Named | None:
        near = [named for named in self.cast.named if named.kind == kind and named.near]
        latest = max(near, key=lambda named: named.recency, default=None)
        return latest if latest and (latest.recency or len(near) == 1) else None

    def ways(self) -> list[Named]:
        """The ways out of here."""
        return [named for named in self.cast.named if named.way]


def _clashes(named: Named, pronoun: str) -> bool:
    """Whether someone cannot be meant by a pronoun: `her` for a he. A `they` can be anyone."""
    known = set(named.pronouns.lower().replace("/", " ").split())
    if pronoun in _HE:
        return bool(known & {"she", "her", "female", "woman"})
    return pronoun in _SHE and bool(known & {"he", "him", "male", "man"})


def _suits(named: Named, pronoun: str) -> bool:
    """Whether someone goes by that pronoun, as far as anyone knows."""
    known = set(named.pronouns.lower().replace("/", " ").split())
    if not known or pronoun not in _HE | _SHE:
        return True
    return bool(
        known
        & ({"he", "him", "male", "man"} if pronoun in _HE else {"she", "her", "female", "woman"})
    )
