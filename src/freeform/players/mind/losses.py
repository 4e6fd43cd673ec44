"""What a round took from the party: the story's end, and people who died. Noticed from what the
engine says became so, or from what a game master says. A sentence that may mean something else
lets nobody die: who wants it so can say it plainly."""

import re
from collections.abc import Sequence

from freeform.engine.world.state import GameState
from freeform.language.forms import is_adverb, is_denial
from freeform.language.sentences import sentences
from freeform.language.tables import cues
from freeform.language.words import stop_words, word_class
from freeform.players.model import RoundRecord, Ruling

_FATES = cues("fates")
_DIES, _DONE_TO, _KILLS, _NAMED_DEAD, _ALIVE = (
    frozenset(_FATES["told_outright"][kind].split())
    for kind in ("dies", "done_to", "kills", "dead", "alive")
)
_DEAD = _DIES | _DONE_TO | _NAMED_DEAD
_UNLIKE = re.compile(_FATES["unlike"])
_TURNS = frozenset(("but", "yet", "though", "although", "until"))
_DOERS = frozenset(("he", "she", "it", "they", "that", "this"))
_SHORT = 2
_QUOTED = re.compile(r"“[^”]*”?|\"[^\"]*\"?")
_TOKEN = re.compile(r"'s\b|[^\W_]+(?:-[^\W_]+|'(?!s\b)[^\W_]+)*|[,;:—–()]")
_PAUSES = frozenset(",;:—–()")
_THE_END = re.compile(
    r"(?:^|[.!?]\s+)(?:the end|(?:and )?(?:so|here|thus|that is how) (?:ends )?(?:the|this|our) (?:story|tale|adventure)"
    r"(?: ends| is over)?|(?:the|this|our) (?:story|tale|adventure|campaign) (?:ends|is over)(?: here)?)[.!]?\s*$",
    re.I,
)


def ending_in(rulings: Sequence[Ruling]) -> str:
    """The title of the ending that the story has come to; '' while it goes on."""
    for ruling in rulings:
        for event in ruling.events:
            if event.get("type") == "ending":
                return str(event.get("title") or event.get("id") or "The end")
        if ruling.by == "human" and _THE_END.search(ruling.text.strip()):
            return "The end"
    return ""


def lost_between(before: GameState, now: GameState) -> list[str]:
    """Names of people of whom something deadly has become so in the meantime."""
    lost = []
    for id, entity in now.entities.items():
        if entity.type not in ("npc", "pc"):
            continue
        known = {fact.id: fact for fact in before.facts_of(id)}
        for fact in now.facts_of(id):
            if fact != known.get(fact.id) and _tells_of_death(entity.name, fact.object):
                lost.append(entity.name)
                break
    return lost


def told_dead(rulings: Sequence[Ruling], names: Sequence[str]) -> list[str]:
    """Whom of these a human game master's words have let die. What somebody is quoted with is only
    what they say."""
    told = [_QUOTED.sub("", ruling.text) for ruling in rulings if ruling.by == "human"]
    said = [sentence for text in told for sentence in sentences(text)]
    return [name for name in names if _is_told_dead(name, said, names)]


def _is_told_dead(name: str, said: Sequence[str], names: Sequence[str]) -> bool:
    return any(_dies(name, sentence, names) for sentence in said)


def _is_told_alive(name: str, said: Sequence[str]) -> bool:
    return any(_is_of(name, sentence) and _lives(sentence) for sentence in said)


def still_dead(rounds: Sequence[RoundRecord]) -> set[str]:
    """Who has died in these rounds and was not told to be alive since: a game master may
    contradict herself, and the last word counts."""
    dead = set[str]()
    for record in rounds:
        said = [s for one in record.rulings.values() for s in sentences(one.text)]
        dead -= {name for name in dead if _is_told_alive(name, said)}
        dead |= set(record.lost)
    return dead


def _dies(name: str, sentence: str, names: Sequence[str]) -> bool:
    """Whether the sentence says plainly of somebody: is dead, dies, was killed; falls and dies; or
    that something killed them."""
    said = _tokens(sentence)
    if sentence.rstrip().endswith("?") or _is_taken_back(said):
        return False
    for start, end in _mentions(name, said, names):
        after = _past_companions(said[end:], names)
        if _is_said_at_once(after) and _begins_a_clause(said[:start]):
            return True
        if _is_said_later(after) and _begins_a_clause(said[:start], anew=True):
            return True
        if _is_killed(said[:start]) and _ends_a_thought(said[end:]):
            return True
    return False


def _tokens(sentence: str) -> list[str]:
    """Words and pauses. `Mara's` is `mara is` here: before a noun it says nothing of her."""
    return _TOKEN.findall(sentence.lower().replace("’", "'"))


def _parts(name: str) -> list[str]:
    """The words of a name that mean somebody: no title, no `the`."""
    every = [part.strip("\"“”'()").lower() for part in name.split()]
    little = stop_words() | word_class("titles") | word_class("name_glue")
    return [part for part in every if len(part) > _SHORT and part not in little]


def _mentions(name: str, said: Sequence[str], names: Sequence[str]) -> list[tuple[int, int]]:
    """Where a sentence names somebody: by the whole name, or by a word of it that is nobody
    else's."""
    whole = _tokens(name)
    longer = [_tokens(other) for other in names if len(_tokens(other)) > len(whole)]
    shared = {part for other in names if other != name for part in _parts(other)}
    own = set(_parts(name)) - shared
    found = []
    for at, word in enumerate(said):
        if any(_stands_at(other, said, at) for other in longer):
            continue
        if _stands_at(whole, said, at):
            found.append((at, at + len(whole)))
        elif word in own:
            found.append((at, at + 1))
    return found


def _stands_at(whole: Sequence[str], said: Sequence[str], at: int) -> bool:
    return list(said[at : at + len(whole)]) == list(whole)


def _is_taken_back(said: Sequence[str]) -> bool:
    """Whether a death is denied, feared, asked for or only thought of before it is told, or is made
    good again after it: `would have died`, `nearly drowned`, `but he pulls her out`."""
    last = max((n for n, word in enumerate(said) if word in _DEAD), default=-1)
    unreal = word_class("unreal") | word_class("question_words") | {"that"}
    before, after = said[:last], said[last + 1 :]
    if any(is_denial(word) or word in unreal for word in before):
        return True
    if word_class("takes_back") & set(said) or _ALIVE & set(after):
        return True
    turn = next((n for n, word in enumerate(after) if word in _TURNS), None)
    return turn is not None and bool(set(after[turn:]) & word_class("of_a_person"))


def _past_companions(after: Sequence[str], names: Sequence[str]) -> list[str]:
    """What is said of somebody, without who is named beside them: `and Tom`, `Venn`."""
    people = {part for name in names for part in _parts(name)} | {"and"}
    n = 0
    while (
        n < len(after) and after[n] in people and (after[n] != "and" or _next_in(after, n, people))
    ):
        n += 1
    return list(after[n:])


def _next_in(after: Sequence[str], n: int, people: set[str]) -> bool:
    return n + 1 < len(after) and after[n + 1] in people


def _begins_a_clause(before: Sequence[str], *, anew: bool = False) -> bool:
    """Whether whoever comes now is whom the clause is about; `anew`: and not a second one who is
    only named beside another."""
    rest = list(before)
    while rest and (rest[-1] in word_class("titles") or is_adverb(rest[-1])):
        rest.pop()
    if not rest or rest[-1] in _PAUSES:
        return True
    joins = {"as", "then", "while", "so"} | (set() if anew else {"and"})
    return rest[-1] in joins or (len(rest) == 1 and rest[0] in word_class("loose"))


def _is_said_at_once(after: Sequence[str]) -> bool:
    """`is dead`, `has died`, `was killed`, `dies`: nothing but little words before it."""
    little = word_class("auxiliaries") | word_class("being") | set(_FATES["links"].split())
    n = 0
    while n < len(after) and (after[n] in little | {"'s", "falls", "drops"} or is_adverb(after[n])):
        n += 1
    if n == len(after) or not _ends_a_thought(after[n + 1 :]):
        return False
    is_so = bool(set(after[:n]) & (word_class("being") | {"'s", "falls", "drops"}) - {"has"})
    if after[n] in ("dead", "deceased") or (after[n] in _DONE_TO and is_so):
        return is_so and not _only_sounds_so(" ".join(after[n:]))
    return after[n] in _DIES and "'s" not in after[:n]


def _only_sounds_so(said: str) -> bool:
    """`dead tired`, `dead on time`; not `dead on the floor`, where a place follows."""
    found = _UNLIKE.match(said)
    goes_on = said[found.end() :].split() if found else []
    return bool(found) and not (goes_on and goes_on[0] in word_class("before_a_thing"))


def _is_said_later(after: Sequence[str]) -> bool:
    """`falls from the tower and dies`: a second verb of the same doer, with nobody else between."""
    for n, word in enumerate(after):
        if word not in _DIES:
            continue
        between = list(after[:n])
        while between and is_adverb(between[-1]):
            between.pop()
        return bool(
            between[1:]
            and between[0] not in ("'s", *_PAUSES)
            and between[-1] in ("and", "then", ",")
            and not set(between) & word_class("pronouns")
            and not any(_brings_another(between, at) for at in range(len(between) - 1))
            and _ends_a_thought(after[n + 1 :])
        )
    return False


def _brings_another(between: Sequence[str], at: int) -> bool:
    """Whether somebody or something else takes over: `, and the guard …`."""
    joined = between[at] in {"and", "as", "while", "but"} | _PAUSES
    owned = "'s" in between[at + 1 : at + 3]
    return joined and (owned or between[at + 1] in word_class("before_a_thing"))


def _is_killed(before: Sequence[str]) -> bool:
    """Whether something has killed whoever comes now. Who was killed has been so, by whomever."""
    if len(before) < _SHORT or before[-1] not in _KILLS:
        return False
    return before[-2] not in (word_class("being") - {"has"}) | word_class("pointing_back") - _DOERS


def _ends_a_thought(after: Sequence[str]) -> bool:
    """Whether nothing follows that would make another thing of it: dead tired, drowned the kitten,
    died a little."""
    if not after or after[0] in _PAUSES or is_adverb(after[0]):
        return True
    return (
        after[0] in (word_class("after_a_thought") - word_class("before_a_thing")) | {"of"} | _TURNS
    )


def _is_of(name: str, sentence: str) -> bool:
    """Whether a sentence speaks of somebody, by any part of the name but a title."""
    return bool(_mentions(name, _tokens(sentence), ()))


def _lives(sentence: str) -> bool:
    heard = _tokens(sentence)
    return bool(_ALIVE & set(heard)) or (bool(_DEAD & set(heard)) and any(map(is_denial, heard)))


def _tells_of_death(name: str, told: dict[str, object]) -> bool:
    """Whether a fact about somebody says that he is dead: its value does, or a sentence that denies
    nothing, after his name where it has that. `The dead man is not Jin` tells of no such thing."""
    if str(told.get("value", "")).lower() in _DEAD:
        return True
    for sentence in sentences(str(told.get("text", ""))):
        heard = _tokens(sentence)
        deaths = [n for n, word in enumerate(heard) if word in _DEAD]
        own = [n for n, word in enumerate(heard) if word in _parts(name)]
        if deaths and not any(map(is_denial, heard)) and (not own or own[0] < deaths[-1]):
            return True
    return False
