"""Claims the player's words take for granted: `the dead guard`, `since Viktor is my brother`."""

from freeform.language.forms import is_adverb, is_going_on
from freeform.language.words import unowned
from freeform.offline.interpreter.hearing import Hearing
from freeform.offline.interpreter.names import Mention

_ARE = frozenset({"is", "are", "was", "were"})
_NOT_BEFORE_NOUNS = frozenset(
    {"on", "off", "running", "single", "secret", "quiet", "hurt", "free", "full", "real"}
)
_STANDS_FOR = frozenset({"he", "she", "they", "it", "him", "her", "them"})


def claim(hearing: Hearing, first: int, last: int) -> str:
    """A stretch as a short sentence of its own, its pronoun replaced by the name."""
    words: list[str] = []
    for at in range(first, last):
        token = hearing.typed.tokens[at]
        if token.kind == "mark":
            continue
        named = hearing.meant_by(token.plain) if token.plain in _STANDS_FOR and not words else None
        name = named.name if named else token.text
        noun = (
            named is not None
            and not name[:1].isupper()
            and not name.startswith(("the ", "a ", "an "))
        )
        words.append(f"the {name}" if noun else name)
    if words and words[0] in ("The", "My", "This", "That", "There"):
        words[0] = words[0].lower()
    return " ".join(words)


def note_claims(hearing: Hearing) -> None:
    """Finds the claims inside noun phrases and beside names."""
    starts = {mention.first: mention for mention in hearing.mentions}
    named = {at for mention in hearing.mentions for at in range(mention.first, mention.last)}
    for at, token in enumerate(hearing.typed.tokens):
        if token.kind != "word":
            continue
        if at not in named and token.plain in hearing.words.antonyms:
            _state_before_noun(hearing, at, starts)
        if token.plain in hearing.words.kin and at not in named:
            _kin(hearing, at, starts)
        if token.plain in ("who", "which", "that") and hearing.plain(at + 1) in _ARE:
            _relative(hearing, at)


def _state_before_noun(hearing: Hearing, at: int, starts: dict[int, Mention]) -> None:
    """`the unlocked door`: the door is unlocked. `dead Viktor`: Viktor is dead."""
    word = hearing.plain(at)
    if word in _NOT_BEFORE_NOUNS or at + 1 >= len(hearing.typed.tokens):
        return
    definite = {hearing.plain(at - 1), hearing.plain(at - 2)} & hearing.words.definite
    end = _noun_end(hearing, at + 1, starts)
    if end == at + 1:
        return
    text = unowned(hearing.typed.phrase(at + 1, end))
    proper = at + 1 in starts and text[:1].isupper()
    if not definite and not proper:
        return
    hearing.assumptions.append(f"{'' if proper else 'the '}{text} is {word}")


def _noun_end(hearing: Hearing, at: int, starts: dict[int, Mention]) -> int:
    """Where the noun that begins there ends; the same position if none does."""
    if at in starts:
        return starts[at].last
    token = hearing.typed.tokens[at]
    stops = (
        hearing.words.prepositions
        | hearing.words.determiners
        | _ARE
        | {"and", "or", "then", "i", "one", "so"}
    )
    if token.kind != "word" or token.plain in stops or token.plain in hearing.words.antonyms:
        return at
    if at + 1 in starts:
        return starts[at + 1].last
    return at + 1


def _kin(hearing: Hearing, at: int, starts: dict[int, Mention]) -> None:
    """`my brother Viktor`, `Viktor, my brother`: Viktor is my brother."""
    if "my" not in (hearing.plain(at - 1), hearing.plain(at - 2)):
        return
    mine = at - 1 if hearing.plain(at - 1) == "my" else at - 2
    after = at + 1 + (hearing.plain(at + 1) == ",")
    before = next(
        (m for m in hearing.mentions if m.last == mine - 1 and hearing.plain(mine - 1) == ","), None
    )
    mention = starts.get(after) or before
    if mention is not None:
        hearing.assumptions.append(
            f"{mention.best('person').name} is {hearing.typed.phrase(mine, at + 1).lower()}"
        )


def _relative(hearing: Hearing, at: int) -> None:
    """`Viktor, who is my brother, …` and `the door that is unlocked`."""
    comma = hearing.plain(at - 1) == ","
    end = at - comma
    if comma and not any(token.plain == "," for token in hearing.typed.tokens[at:]):
        return  # `Obed, who is Hester?` calls Obed and asks; a remark about him would end in a comma
    mention = next((m for m in hearing.mentions if m.last == end), None)
    stop = at + 2
    while stop < len(hearing.typed.tokens) and hearing.typed.tokens[stop].kind == "word":
        stop += 1
    state = hearing.plain(at + 2) in hearing.words.antonyms
    if not (comma and mention) and not state:
        return
    if mention:
        subject = mention.best().name
    elif (
        hearing.typed.tokens[end - 1].kind == "word"
        and hearing.plain(end - 2) in hearing.words.definite
    ):
        subject = f"the {hearing.typed.tokens[end - 1].text}"
    else:
        return
    stop = stop if comma else at + 3
    hearing.assumptions.append(f"{subject} {claim(hearing, at + 1, stop)}")


def is_statement(hearing: Hearing, first: int, last: int) -> bool:
    """Whether a clause only says how things are: `the guard is dead`, `I am a doctor`."""
    if hearing.plain(first) == "i" and (
        verb := hearing.verbs.at(hearing.typed, first + 1, last) if first + 1 < last else None
    ):
        if verb.action in hearing.words.social:
            return False  # `I tell Mara I am a cop` is telling her
    if hearing.typed.has(first, ("i", "have"), last) and hearing.plain(first + 2) in (
        "had",
        "been",
        "got",
        "never",
        "always",
    ):
        return True
    for at in range(first, min(last, first + 6)):
        token = hearing.typed.tokens[at]
        if token.kind != "word":
            return False
        if token.plain in _ARE and at > first:
            return True
        if token.plain == "am" and hearing.plain(at - 1) == "i" and at + 1 < last:
            going = hearing.verbs.at(hearing.typed, at + 1, last)
            return not (
                is_going_on(hearing.plain(at + 1))
                or is_adverb(hearing.plain(at + 1))
                or hearing.plain(at + 1) in ("about", "gonna")
                or going
            )
        if (
            at == first
            and hearing.verbs.at(hearing.typed, at, last)
            and not _begins_name(hearing, at)
        ):
            return False
        if token.plain in hearing.words.question_words | hearing.words.question_starts:
            return False
    return False


def _begins_name(hearing: Hearing, at: int) -> bool:
    return any(mention.first == at for mention in hearing.mentions)


def does_another(hearing: Hearing, first: int, last: int) -> bool:
    """Whether a clause has someone else act: `Viktor gives me the drive`."""
    for mention in hearing.mentions:
        if mention.first <= first + 1 and mention.first >= first and not mention.owner:
            if mention.first > first and hearing.plain(first) not in hearing.words.determiners:
                continue
            verb = (
                hearing.verbs.at(hearing.typed, mention.last, last) if mention.last < last else None
            )
            if mention.best("person").kind == "person" and verb and not verb.base:
                return True
    return False
