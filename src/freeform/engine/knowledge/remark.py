"""Words out of character, answered: a rule with its source, a command, or a word in kind."""

import re
from itertools import dropwhile
from operator import attrgetter
from typing import NamedTuple

from freeform.core.chance import Chance
from freeform.engine.knowledge.background import Background
from freeform.engine.knowledge.evidence import AnswerSource
from freeform.engine.knowledge.question import SITUATIONS, meant_kind
from freeform.engine.knowledge.reply import SourcedAnswer
from freeform.engine.knowledge.rule_sayings import rule_of_action, rule_of_odds, rule_on
from freeform.engine.knowledge.sayings import saying
from freeform.engine.shelf.rule_pages import RulePage
from freeform.engine.table import Rules
from freeform.engine.world.state import GameState
from freeform.language.inflection import lemma
from freeform.language.likeness import SLOT, Kindred, example_texts, examples
from freeform.language.relevance import Relevance, Saying, telling
from freeform.language.sentences import sentences
from freeform.language.tables import cues
from freeform.language.words import words

_AROUND = re.compile(r"^[\s(\[{]+|[\s)\]}]+$")
_PARTS = re.compile(r"[,;.!:?()\n-]+\s*|\b(?:and|but|so)\b")
_PLAINLY, _LIKE, _HARDLY = 0.75, 0.5, 0.35
"""How like an example a remark must be: to be taken for its kind whatever else it may be, to be
taken for it, and to be taken for it where nothing else fits."""
_ASKED = 0.66
"""How like a question about the world what is no more than small talk beside must be."""
_NEAR = 0.65
"""How near in meaning an example must be: of examples held beside all others, the nearest from
here on was of the same kind in .79."""
_BY_FAR = 0.15
"""By how much a question must be more like one about odds than like any about the world."""
_OWN = re.compile(r"\b(?:i|my|we|our)\b|\bof \w+ing\b", re.I)
_COVERS = 0.6
_MOST_OF_PAGE = 2
TOPICS = {
    "rule_dice": "resolution",
    "rule_difficulty": "difficulty",
    "rule_mixed": "mixed results",
    "rule_failure": "failure",
    "rule_critical": "criticals",
    "rule_harm": "harm",
    "rule_death": "lethality",
    "rule_streak": "streaks",
    "rule_stats": "stats",
    "rule_bonus": "modifiers",
    "rule_clocks": "clocks",
    "rule_time": "time",
    "rule_gear": "gear",
    "rule_moves": "moves",
}
"""What the system is asked for, by what a remark is like."""


class RemarkAnswer(NamedTuple):
    """What a remark was taken for, rule, help or remark, and what is said to it."""

    topic: str
    said: SourcedAnswer


def is_of_the_table(text: str) -> bool:
    """Whether what was asked of the world is rather a rule, or something the program does."""
    near = examples("table_talk").best(text)
    of_table = near.kind.startswith(("rule_", "do_")) and near.likeness >= _PLAINLY
    of_world = examples("questions").best(text).likeness
    # `what is a _` fits anything; who says an example of ours word for word means that.
    outright = SLOT not in near.words and near.likeness >= of_world
    return (of_table and (outright or near.likeness > of_world)) or _asks_odds(text)


def _asks_odds(text: str) -> bool:
    """Whether a question of it is after how likely a deed of one's own is to come off."""
    return any(_is_of_odds(asked) and _OWN.search(asked) for asked in _questions(text))


def _is_of_odds(asked: str) -> bool:
    near = examples("table_talk").best(asked)
    of_world = examples("questions").best(asked).likeness
    return near.kind == "rule_odds" and near.likeness >= max(_LIKE, of_world + _BY_FAR)


def is_marked(text: str) -> bool:
    """Whether words are set apart as the player's own: in brackets, or with an `OOC:`."""
    bare = text.strip()
    wrapped = bare[:1] in "([{" and bare.rstrip(".!?")[-1:] in ")]}"
    first = bare.split(maxsplit=1)[0].strip(",:;.!-").lower() if bare else ""
    return wrapped or first in cues("table_talk")["around"].split()


def answer_remark(
    text: str, state: GameState, rules: Rules, background: Background, chance: Chance
) -> RemarkAnswer | None:
    """What kind of remark it is, and the answer; None where it asks about the world."""
    whole = bare_remark(text)
    if _asks_odds(whole):
        odds = _rule(whole, "rule_odds", state, rules)
        if odds:
            return RemarkAnswer("rule", odds)
    remark = _asked(whole)
    best = max(_kind_of(remark), _kind_of(_of_clocks(remark, state)), key=attrgetter("likeness"))
    of_world = examples("questions").best(remark).likeness
    outright = examples("table_talk").best(remark).likeness >= _PLAINLY
    meant = "" if outright else meant_kind(remark, rules.sense)
    if meant in SITUATIONS or _is_of_the_world(remark, best):
        return None
    if meant:
        best = Kindred(meant, _LIKE)
    elif best.likeness < _LIKE:
        best = _by_meaning(remark, rules) or best
    if best.likeness >= _LIKE and not best.kind.startswith("rule_"):
        return _in_kind(best.kind, chance)
    if not _asks(remark):
        return RemarkAnswer("remark", SourcedAnswer(saying("remark", chance)))
    ruled = _rule(remark, best.kind, state, rules) if best.likeness >= _HARDLY else None
    if ruled and best.likeness >= _LIKE:
        return RemarkAnswer("rule", ruled)
    page = _page(remark, background) if of_world < _PLAINLY else None
    if page is None and of_world > best.likeness:
        return None
    ruled = page or ruled
    source = AnswerSource("rules", rules.system.id)
    none = SourcedAnswer(saying("no_rule", chance), [source], found=False)
    return RemarkAnswer("rule", ruled or none)


def _is_of_the_world(remark: str, best: Kindred) -> bool:
    """Whether what is most like some table talk asks about the world all the same."""
    if best.kind == "rule_odds":
        return not _OWN.search(remark)
    if not _asks(remark):
        return False
    world = examples("questions").best(remark)
    outright = SLOT not in world.words and world.likeness > max(best.likeness, _PLAINLY)
    of_talk = not best.kind.startswith(("rule_", "do_"))
    return outright or (of_talk and world.likeness >= max(_ASKED, best.likeness))


def _of_clocks(remark: str, state: GameState) -> str:
    """The remark with `clock` for the name of one: how does heat work?"""
    for clock in state.clocks.values():
        remark = re.sub(rf"\b{re.escape(clock.name)}\b", "the clock", remark, flags=re.IGNORECASE)
    return remark


def _in_kind(kind: str, chance: Chance) -> RemarkAnswer:
    """A command for what the program does, a word in kind for all else."""
    said = saying(kind, chance)
    if kind.startswith("do_"):
        return RemarkAnswer("help", SourcedAnswer(said, [AnswerSource("program", where=kind)]))
    return RemarkAnswer("remark", SourcedAnswer(said))


def _kind_of(remark: str) -> Kindred:
    """What a remark is like; where the whole is like nothing, what a part of it is most like."""
    known = examples("table_talk")
    whole = known.best(remark)
    if whole.likeness >= _LIKE:
        return whole
    parts = [known.best(part) for part in _PARTS.split(remark) if part.strip()]
    return max([whole, *parts], key=lambda near: near.likeness)


def _by_meaning(remark: str, rules: Rules) -> Kindred | None:
    """What a remark is nearest to in meaning, where its words are like no example's."""
    told = [(kind, text) for kind, text in example_texts("table_talk") if SLOT not in text]
    near = rules.sense.near(remark, [text for _, text in told]) if rules.sense else []
    best = max(range(len(near)), key=near.__getitem__, default=None)
    if best is None or near[best] < _NEAR:
        return None
    return Kindred(told[best][0], _LIKE)


def bare_remark(text: str) -> str:
    """A remark without the brackets and the `OOC:` around it."""
    bare = _AROUND.sub("", text).strip()
    said = bare.split(maxsplit=1)
    around = cues("table_talk")["around"].split()
    if len(said) > 1 and said[0].strip(",:;.!-").lower() in around:
        return bare_remark(said[1])
    return bare


def _asked(remark: str) -> str:
    """What a longer remark asks: its last question; the whole of it where it asks nothing."""
    return _questions(remark)[-1]


def _questions(remark: str) -> list[str]:
    """The questions of a remark; the whole of it where it has no question mark."""
    return [sentence for sentence in sentences(remark) if sentence.endswith("?")] or [remark]


def _asks(remark: str) -> bool:
    """Whether it is a question, with or without the mark."""
    fillers = cues("questions")["fillers"].split()
    first = next((word for word in words(remark) if word not in fillers), "")
    return remark.endswith("?") or first in cues("table_talk")["asks_with"].split()


def _rule(remark: str, kind: str, state: GameState, rules: Rules) -> SourcedAnswer | None:
    """The system's rule: of a deed that is named, else of the topic."""
    if kind == "rule_odds":
        return rule_of_odds(named_deeds(remark, rules), named_stats(remark, rules), rules, state)
    if kind == "rule_action":
        deeds = named_deeds(remark, rules)
        return rule_of_action(deeds[0], rules, state) if deeds else None
    return rule_on(TOPICS.get(kind, ""), rules, state)


def named_deeds(remark: str, rules: Rules) -> list[str]:
    """The kinds of deeds that a remark names by one of their verbs, the longest verb first."""
    fillers = cues("questions")["fillers"].split()
    said = [lemma(word) for word in dropwhile(fillers.__contains__, words(remark))]
    longest: dict[str, int] = {}
    for name, kind in rules.system.action_types.items():
        for verb in (name, *kind.verbs):
            parts = [lemma(word) for word in words(verb)]
            if _holds(said, parts) and not _is_asking(parts):
                longest[name] = max(longest.get(name, 0), len(parts))
    return sorted(longest, key=lambda name: -longest[name])


def named_stats(remark: str, rules: Rules) -> list[str]:
    """The stats of the system that a remark names."""
    said = frozenset(words(remark))
    return [stat for stat in rules.system.stats if stat.lower() in said]


def _holds(said: list[str], parts: list[str]) -> bool:
    size = len(parts)
    return any(said[at : at + size] == parts for at in range(len(said) - size + 1))


def _is_asking(parts: list[str]) -> bool:
    """Words that any question of rules has are nobody's deed there."""
    asking = frozenset(map(lemma, cues("table_talk")["no_deeds"].split()))
    return frozenset(parts) <= asking


def _page(remark: str, background: Background) -> SourcedAnswer | None:
    """The sentences of a rulebook that have most of what is asked, with book and section."""
    lines: list[tuple[RulePage, str]] = []
    for page in background.pages:
        lines += [(page, sentence) for sentence in sentences(page.text)]
    about = [telling(f"{page.name} {page.section}") for page, _ in lines]
    said = [telling(sentence) for _, sentence in lines]
    weighed = Relevance([Saying(*pair) for pair in zip(said, about, strict=True)])
    framing = frozenset(map(lemma, cues("questions")["framing"].split()))
    wanted = dict.fromkeys(sorted(telling(remark) - framing), 1.0)
    shares = [weighed.share(number, wanted).part for number in range(len(lines))]
    if not shares or max(shares) < _COVERS:
        return None
    best = shares.index(max(shares))
    page = lines[best][0]
    own = [sentence for other, sentence in lines[best:] if other is page]
    return SourcedAnswer(f"{' '.join(own[:_MOST_OF_PAGE])} ({_where(page)}.)", [_source(page)])


def _where(page: RulePage) -> str:
    printed = f", page {page.page}" if page.page else ""
    return f"Rules: {page.book or page.pack}, {page.section or page.name}{printed}"


def _source(page: RulePage) -> AnswerSource:
    return AnswerSource("book", page.pack, f"{page.file}, {page.section}")
