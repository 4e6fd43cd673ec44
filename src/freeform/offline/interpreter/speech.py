"""Actions between people: whom one speaks to, and about what."""

from freeform.engine.world.model import ProposedAction
from freeform.language.forms import is_adverb
from freeform.language.meaning.natures import noun_kind
from freeform.offline.interpreter.hearing import Hearing, Reference
from freeform.offline.interpreter.names import Named
from freeform.offline.interpreter.phrases import cover, joined, remainder, tool
from freeform.offline.interpreter.verbs import Verb
from freeform.offline.interpreter.words import Token

_ABOUT = frozenset({"about", "regarding", "concerning", "that", "on"})
_GESTURES = frozenset(
    {
        "smile",
        "nod",
        "wave",
        "laugh",
        "shrug",
        "frown",
        "grin",
        "bow",
        "hug",
        "kiss",
        "wink",
        "clap",
        "thank",
    }
)
_PAUSES = frozenset({",", "!", "-", "—", "–", "--", ":", "..", "..."})
OPENERS = frozenset(
    {"so", "well", "ok", "okay", "now", "listen", "look", "right", "say", "excuse", "me"}
)
"""What one begins to speak with, before anything is said."""
_SAYING = frozenset(
    "say tell whisper murmur mutter shout add reply answer ask explain remark".split()
)
_EVERYONE = frozenset(
    {"everyone", "everybody", "anyone", "anybody", "someone", "somebody", "whoever", "whomever"}
)
_WANTING = frozenset({"demand", "order", "buy", "purchase", "request", "ask for"})
_SELLING = (
    "bar",
    "inn",
    "shop",
    "merchant",
    "vendor",
    "landlord",
    "owner",
    "host",
    "cook",
    "trader",
    "keep",
)


_WHETHER = frozenset({"if", "whether"})


def speak(hearing: Hearing, verb: Verb, last: int) -> ProposedAction:
    """`ask Viktor about Jin`: who is spoken to, the topic, and what is held up or paid with it."""
    first = verb.after
    mark = _topic_mark(hearing, verb, first, last)
    item, used, unknown = (
        tool(hearing, first, mark) if verb.action not in ("ask", "talk") else (None, set(), "")
    )
    if item is None and verb.action in ("persuade", "threaten"):
        item, used, unknown = tool(hearing, first, last)
    refs = [
        ref
        for ref in hearing.references(first, last, "person")
        if not set(range(ref.first, ref.last)) & used
    ]
    whom, where = _listener(hearing, verb, refs, mark, last)
    taken = used | (cover(hearing, where) if where else set()) | {verb.particle}
    stranger = ""
    if whom is None and where is None:
        nobody = _is_anyone(hearing, first, mark) or verb.words in _WANTING
        stranger = "" if nobody else _stranger(hearing, verb, first, mark)
        if not stranger:
            whom = hearing.person() or _anyone(hearing, verb, first, mark)
    if unknown:
        hearing.assumptions.append(f"I have {unknown}")
    if where is not None and where.first > mark:
        topic = remainder(hearing, first, last, taken)
    elif mark < last and where is not None and verb.action == "talk" and mark - where.last > 1:
        topic = hearing.phrase(where.last, last)  # `tell Mara I am a cop, which I am not`
    elif mark < last:
        topic = _topic(hearing, mark, last, taken)
    elif (
        where is not None
        and verb.action == "talk"
        and where.last < last
        and where.first <= first + 2
    ):
        topic = hearing.phrase(where.last, last).removeprefix("that ")  # `tell Obed we should move`
    elif hearing.plain(first) in ("whoever", "whomever"):
        topic = ""  # `thank whoever opened`
    else:
        topic = "" if stranger else remainder(hearing, first, last, taken)
    if not topic and "goodbye" in verb.words:
        topic = "goodbye"
    if not topic and verb.words in _GESTURES:
        topic = "thank you" if verb.words == "thank" else verb.words
    for ref in refs:
        hearing.say(ref.named)
    hearing.say(whom)
    details = joined(stranger, topic, f"with {item.id}" if item else "")
    return ProposedAction(action=verb.action, target_id=whom.id if whom else "", details=details)


def _is_anyone(hearing: Hearing, first: int, mark: int) -> bool:
    """`whoever is here`, `the nearest person`, `someone`: nobody in particular."""
    said = [hearing.plain(at) for at in range(first, mark)]
    return any(word in _EVERYONE for word in said) or bool(
        {"nearest", "closest"} & set(said) and {"person", "one"} & set(said)
    )


def _anyone(hearing: Hearing, verb: Verb, first: int, mark: int) -> Named | None:
    """`ask whoever is here` is asking the first; what is ordered, one orders from who sells."""
    near = [named for named in hearing.cast.named if named.kind == "person" and named.near]
    if _is_anyone(hearing, first, mark):
        return near[0] if near else None
    if verb.words not in ("order", "buy", "purchase"):
        return None
    rows = {str(row.get("id")): row for row in hearing.packet.entities}
    for named in near:
        attrs = rows.get(named.id, {}).get("attrs") or {}
        about = f"{attrs.get('role', '')} {attrs.get('occupation', '')} {attrs.get('aliases', '')} {attrs.get('description', '')}"
        if any(word in about.lower() for word in _SELLING):
            return named
    return near[0] if near else None


def _topic_mark(hearing: Hearing, verb: Verb, first: int, last: int) -> int:
    """Where the topic begins: at `about`, `if`, `what`, `to` before a verb … or nowhere
    (`last`)."""
    if verb.words.split()[-1] in ("about", "after", "for", "that", "know"):
        return first
    for at in range(first, last):
        word = hearing.plain(at)
        if hearing.typed.tokens[at].kind != "word":
            continue
        if (
            hearing.plain(at - 1) == ","
            and word not in _ABOUT
            and any(hearing.plain(n) == "about" for n in range(at, last))
        ):
            continue
        if word in hearing.words.topic_marks or (
            word in ("for", "on", "into") and verb.action != "talk"
        ):
            return at
        if word == "to" and at + 1 < last and hearing.verbs.at(hearing.typed, at + 1, last):
            return at
    return last


def _topic(hearing: Hearing, mark: int, last: int, taken: set[int]) -> str:
    start = mark + 1 if hearing.plain(mark) in _ABOUT | {"for"} else mark
    start += hearing.plain(start) == "about"
    return remainder(hearing, start, last, taken, whole=True) or hearing.phrase(start, last)


def _listener(
    hearing: Hearing, verb: Verb, refs: list[Reference], mark: int, last: int
) -> tuple[Named | None, Reference | None]:
    """Who is spoken to: named before the topic, or at the end after `to` or `with`."""
    for ref in refs:
        named = ref.fits("person")
        if (
            ref.first < mark
            and named
            and named.kind == "person"
            and not (ref.owner and ref.last < mark - 1)
        ):
            return named, ref
    for ref in reversed(refs):
        named = ref.fits("person")
        before = hearing.plain(min(cover(hearing, ref)) - 1)
        ends = (
            ("with", "from", "at", "of") if verb.action == "ask" else ("to", "with", "from", "at")
        )
        at_end = (
            before in ends and ref.last >= last - 1
        )  # one says it to Jin; one asks what happened to Jin
        apart = before == "from" or ref.first > mark or mark == last
        if named and named.kind == "person" and at_end and apart:
            return named, ref
    for ref in refs:
        named = ref.fits("person")
        if (
            ref.first < mark
            and named
            and named.kind in ("other", "thing")
            and _may_be_spoken_to(verb)
        ):
            return named, ref
    return None, None


def _may_be_spoken_to(verb: Verb) -> bool:
    """One asks the machine; one does not ask the keycard that one demands."""
    return verb.action in ("ask", "talk") and verb.words not in _WANTING


def _stranger(hearing: Hearing, verb: Verb, first: int, mark: int) -> str:
    """Someone named who is nowhere to be found: `Boris`, `the priest`. Not `politely`, not `some
    questions`."""
    at = first
    while at < mark and (
        hearing.plain(at) in ("to", "with", "at", "from") or is_adverb(hearing.plain(at))
    ):
        at += 1
    if at >= mark or hearing.typed.tokens[at].kind != "word" or hearing.plain(at) in _EVERYONE:
        return ""
    token = hearing.typed.tokens[at]
    is_name = token.text[:1].isupper()
    reached = at > first or verb.words.split()[-1] in ("to", "with", "at")
    reached = reached and (is_name or not _is_for(hearing, at))
    if token.plain in hearing.words.determiners:
        person = token.plain in hearing.words.definite and (
            reached or verb.action not in ("talk",) or mark < at
        )
        if not person and not (token.plain in ("a", "an") and reached):
            return ""
    elif token.plain in hearing.words.common or not (is_name or reached):
        return ""
    hearing.stranger = _up_to(hearing, at, mark)
    return hearing.stranger


def _is_for(hearing: Hearing, at: int) -> bool:
    """`call out to see if anyone answers`, `shout to wake the house`: what it is done for, and
    nobody's name. Behind a name no article stands."""
    word, after = hearing.plain(at), hearing.plain(at + 1)
    has_object = after in hearing.words.determiners | hearing.words.pronouns | _WHETHER
    is_verb = word in hearing.verbs.by_head and noun_kind(word) != "person"
    return hearing.plain(at - 1) == "to" and (has_object or is_verb)


def _up_to(hearing: Hearing, at: int, mark: int) -> str:
    end = at + 1
    while end < mark and hearing.typed.tokens[end].kind == "word":
        if hearing.plain(end) in hearing.words.prepositions | {"and"}:
            break
        end += 1
    return hearing.phrase(at, end)


def addressed(hearing: Hearing, first: int, last: int) -> tuple[Named | None, int, int]:
    """`Viktor, …` or `…, Viktor`: who is called by name, and the stretch that is said to them."""
    start = first
    while start < last - 1 and (
        hearing.plain(start) in hearing.words.greetings | OPENERS
        or (start > first and hearing.typed.tokens[start].kind == "mark")
    ):
        start += 1
    for ref in hearing.references(first, last, "person"):
        if ref.mention is None or ref.owner:
            continue
        named = ref.mention.best("person")
        if named.kind != "person":
            continue
        covered = cover(hearing, ref)
        if min(covered) == start and hearing.plain(ref.last) in _PAUSES and ref.last < last - 1:
            return named, ref.last + 1, last
        asked = (
            hearing.words.question_words | hearing.words.question_starts | {"you", "tell", "got"}
        )
        if min(covered) == start > first and ref.last < last and hearing.plain(ref.last) in asked:
            return named, ref.last, last  # `yo Viktor you seen Jin`
        if min(covered) == start > first and ref.last >= last:
            return named, first, start
        if (
            ref.last >= last
            and min(covered) - 1 > first
            and hearing.plain(min(covered) - 1) in _PAUSES
        ):
            return named, first, min(covered) - 1
    return None, first, last


def attributed(hearing: Hearing) -> ProposedAction | None:
    """`I only want the truth, I say to Viktor, nothing else`: speech without quotation marks."""
    tokens = hearing.typed.tokens
    for at in range(1, len(tokens) - 1):
        verb = (
            hearing.verbs.at(hearing.typed, at + 1, len(tokens))
            if _breaks_in(hearing, at)
            else None
        )
        if verb is None or verb.words.split()[0] not in _SAYING:
            continue
        end = next(
            (n for n in range(verb.after, len(tokens)) if tokens[n].kind != "word"), len(tokens)
        )
        if end - verb.after > 4 or any(token.kind == "quote" for token in tokens):
            continue
        refs = [ref for ref in hearing.references(verb.after, end, "person") if ref.named]
        whom = refs[0].fits("person") if refs else hearing.person()
        if (refs and refs[-1].last < end) or (not refs and end > verb.after):
            continue  # more is said than to whom
        words = f"{hearing.phrase(0, at - 1)}, {hearing.phrase(end, len(tokens))}".strip(" ,;:")
        hearing.say(whom)
        action = "ask" if verb.action == "ask" or words.endswith("?") else "talk"
        return ProposedAction(action=action, target_id=whom.id if whom else "", details=words)
    return None


def _breaks_in(hearing: Hearing, at: int) -> bool:
    return (
        hearing.plain(at) == "i"
        and hearing.plain(at - 1) in (",", "!", "?")
        and hearing.typed.tokens[at].kind == "word"
    )


def say_aloud(
    hearing: Hearing, quotes: list[Token], first: int, last: int, verb: Verb | None
) -> ProposedAction:
    """Quoted speech: to whom the rest of the clause says, or whom the speech itself names."""
    words = " ".join(token.text.rstrip(",") for token in quotes)
    action = verb.action if verb and verb.action in hearing.words.social else "talk"
    if action == "talk" and words.rstrip().endswith("?"):
        action = "ask"
    whom: Named | None = None
    strange = ""
    refs = hearing.references(first, last, "person")
    for ref in refs:
        named = ref.fits("person")
        if named and named.kind == "person":
            whom = named
            break
    if whom is None and verb is not None:
        start = verb.after
        mark = next((n for n in range(start, last) if hearing.typed.tokens[n].kind != "word"), last)
        strange = _stranger(hearing, verb, start, mark)
    if whom is None and not strange:
        whom = _called_inside(hearing, words) or hearing.person()
    hearing.say(whom)
    return ProposedAction(
        action=action, target_id=whom.id if whom else "", details=joined(strange, words)
    )


def _called_inside(hearing: Hearing, words: str) -> Named | None:
    """`"Viktor, listen."`: the one called by name within the speech."""
    start = words.split(",")[0].strip().lower()
    for spoken in (start, start.split()[-1] if start.split() else ""):
        options = hearing.cast.meanings(spoken)
        people = [named for named, _ in options if named.kind == "person" and named.near]
        if people:
            return people[0]
    return None
