"""What the rules' reading of an act and its opening say of its family, learnt from the corpus; and
how sure an action of theirs is beside the ear; which things are claimed: `with my gun` is a claim,
`with a knot` is none."""

import json
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib.resources import files

from freeform.core.text import plain_form
from freeform.engine.world.model import ProposedAction
from freeform.language.ear import HeardAct
from freeform.offline.interpreter.hearing import Hearing
from freeform.offline.interpreter.lexicon import lexicon
from freeform.offline.interpreter.words import read
from freeform.offline.referee.families import SPEECH, best, family_of, likely, needed

OTHER = "other"
_NOTHING = "nothing"
FAIR = 0.35
"""From here on the rules' reading is taken, though the ear's is likelier: it knows its target."""
_AUTHORED = 0.6
"""How likely a deed written for this place is to be meant if its words were said, and a plain
command if its verb was."""
_STAKED = 0.6
"""How likely a free deed is a stunt or a making, so that dice decide how it goes."""
_A_LIE = 0.9
"""How sure the ear must be that what somebody is told is a lie: `Tell him so. It is a bluff`."""
_UNHEARD = 0.1
"""Less likely than so by the ear alone, what costs something is not done on the rules' word."""
_WEIGHT = 0.9
"""How much of it counts: the ear reads the same words, so both err together at times."""
_HAVING = re.compile(r"I have (?:an? |some )?(.+)$")
_BY_TOOL = frozenset({"attack", "threaten", "unlock_break"})
"""What stands or falls with the tool it is done with."""
_MARKED = 0.35
_ASSERTED = 0.3


def as_ruled(actions: Sequence[ProposedAction]) -> str:
    """The rules' reading in short: its first action, and whether that is done to anything known."""
    if not actions:
        return _NOTHING
    first = actions[0]
    return f"{first.action}{'+' if first.target_id else ''}"


def as_opened(text: str) -> str:
    """How the words of an act open: as a question, a quotation, with `I`, with `you`, or not so."""
    tokens = read(text).tokens
    if not tokens:
        return OTHER
    if tokens[0].kind == "quote":
        return "quote"
    first = tokens[0].plain
    if first in lexicon().question_words | lexicon().question_starts:
        return "asking"
    if text.rstrip().endswith("?"):
        return "question"
    return first if first in ("i", "you", "we") else OTHER


@lru_cache(maxsize=1)
def _table() -> dict[str, dict[str, dict[str, float]]]:
    text = files("freeform.models").joinpath("rules_heard.json").read_text(encoding="utf-8")
    table: dict[str, dict[str, dict[str, float]]] = json.loads(text)
    return table


def together(
    families: Mapping[str, float], actions: Sequence[ProposedAction], text: str
) -> dict[str, float]:
    """What the ear, the rules and the opening make likely, all heard."""
    ruled, opened = as_ruled(actions), as_opened(text)
    table = _table()
    weighed = {}
    for family, sure in families.items():
        said, begun = table["ruled"][family], table["opened"][family]
        evidence = said.get(ruled, said[OTHER]) * begun.get(opened, begun[OTHER])
        weighed[family] = sure * evidence**_WEIGHT
    total = sum(weighed.values()) or 1.0
    return {family: sure / total for family, sure in weighed.items()}


def is_unheard_of(action: ProposedAction, own: Mapping[str, float], hearing: Hearing) -> bool:
    """Whether the ear hears nothing of what the rules hear and would cost something: of such
    hidings, gifts, goings and takings six in twenty were meant. `Threaten Viktor` says it."""
    named = any(mention.best().id == action.target_id for mention in hearing.mentions)
    if action.target_id and named and _first_word(hearing) == action.action:
        return False
    return needed(action.action) >= FAIR and likely(action.action, own) < _UNHEARD


def of_either(
    one: dict[str, float], other: Mapping[str, float], ruled: list[ProposedAction]
) -> dict[str, float]:
    """Where rules and ear hear two deeds in one act, the one does not speak against the other:
    `draw my sword and attack the goblin`."""
    deeds = {action.action for action in ruled if action.action not in SPEECH}
    both = [deed for deed in deeds if likely(deed, other) >= FAIR]
    return one if len(both) < 2 else {name: max(one[name], other[name]) for name in one}


def agreed(actions: list[ProposedAction], own: Mapping[str, float]) -> list[ProposedAction]:
    """Of several deeds in an act, those done to something named that the ear hears too are sure."""
    made = []
    for action in actions:
        done_to = action.target_id if action.action not in SPEECH else ""
        heard_too = done_to and likely(action.action, own) >= FAIR
        sure = max(action.confidence, needed(action.action)) if heard_too else action.confidence
        made.append(action.model_copy(update={"confidence": sure}))
    return made if len(actions) > 1 else actions


def as_both_hear(
    action: ProposedAction, families: Mapping[str, float], hearing: Hearing
) -> ProposedAction:
    """An action of the rules, as sure as both make it."""
    if action.action == "talk" and families["deceive"] >= _A_LIE and not hearing.authored:
        action = action.model_copy(update={"action": "deceive"})
    sure = likely(action.action, families)
    if hearing.authored or (action.target_id and _is_plain_command(action, hearing)):
        sure = max(sure, _AUTHORED)
    family = family_of(action.action, families)
    if action.action == "improvise" and action.family == "use":
        family = action.family  # one's own thing is handled: nothing hangs on it
    elif action.action == "improvise" and not hearing.authored:
        # Whether anything hangs on a free deed is the ear's to say.
        family, sure_of_it = best(families)
        if family == "make_improvise" and sure_of_it < _STAKED:
            family = "use"
    return action.model_copy(update={"family": family, "confidence": round(min(sure, 1.0), 3)})


def _is_plain_command(action: ProposedAction, hearing: Hearing) -> bool:
    """Whether it begins with the very verb: `threaten Viktor`, `I open the door`."""
    heads = hearing.verbs.by_head.get(_first_word(hearing), ())
    return any(meant == action.action for _, _, meant in heads)


def _first_word(hearing: Hearing) -> str:
    """The first word of what is done, past an `I`."""
    said = [token.plain for token in hearing.typed.tokens if token.kind == "word"]
    first = said[1:2] if said[:1] == ["i"] else said[:1]
    return first[0] if first else ""


def is_claimed(claim: str, act: HeardAct, text: str) -> bool:
    """Whether a thing that the rules take for claimed is one by the ear, too."""
    having = _HAVING.match(claim)
    if having is None or act.flags["asserts"] >= _ASSERTED:
        return True
    roles = ("item", "instrument") if best(act.families)[0] in _BY_TOOL else ("item",)
    claimed = set(plain_form(having[1]).split())
    for span in act.spans:
        said = set(plain_form(text[span.start : span.end]).split())
        if span.role in roles and span.sure >= _MARKED and said & claimed:
            return True
    return False
