"""READ THIS FIRST. One player's thoughts of a round: from what it remembers and what lies on the
table to what it leans to do.

    memories (with their errors) ─> topics, questions with clues, hypotheses ──┐
    table (options, threads, perils) ─> dangers ───────────────────────────────┼─> leanings, best first
    persona (likes, goals, caution) ──────────────────────────────────────────┘

Pure: the same table, memories and persona give the same mind. `chance` only breaks near ties, so
that two evenings differ.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from freeform.core.chance import Chance
from freeform.engine.rules.known import inside, with_article
from freeform.players.mind.advice import ADVISED
from freeform.players.mind.dealings import speaks_of
from freeform.players.mind.ideas import OFFERED, OPENED, TOLD, is_readable, key_fits
from freeform.players.mind.model import AskedTopic, Danger, Hope, Leaning, MindState, OpenQuestion
from freeform.players.mind.places import KNOWN_PLACE, NEW_PLACE, asked_about, walks_of
from freeform.players.mind.plans import hopes_of
from freeform.players.mind.skills import stat_for
from freeform.players.mind.topics import (
    MOST_TOPICS,
    hypotheses_of,
    kept_back,
    questions_of,
    topics_of,
    weighty,
)
from freeform.players.mind.weigh import MindSight, expected
from freeform.players.model import BasePersona, Memory, Option, TableView

LIKED, GOAL, LUCK = 0.10, 0.06, 0.10
"""What liking a sort of deed, a goal of one's own, and chance are worth, in expected progress."""
SPOKEN_OF = 0.10
"""What a place is worth more that a clue names."""
WON = 0.15
"""What a new place is worth more whose door one has opened oneself."""
TIRED = 0.02
HINTED, ASKED = 0.20, 0.02
"""What a question is worth more that the game master hints at; and less for each one that was put
to the same person."""
OFFER = 0.45
"""What is hoped of a deed that the story itself offers."""
BURNT = 0.15
"""What more one fears of a sort of deed that had to be paid for here lately."""
PRESSED = 0.5
"""How much more a bold hope is worth when the nearest danger is upon us."""
OPENS = {
    "key": 0.8,
    "another key": 0.2,
    "lock": 0.5,
    "force": 0.35,
    "knock": 0.35,
    "climb": 0.6,
    "sneak": 0.4,
}
"""How likely a shut way is opened so, before anyone has tried."""
RESCUE = 0.6
SPOKEN_FOR = {OFFERED: OFFER, TOLD: NEW_PLACE}
IN_THE_DARK = -0.08
"""What is taken from using something we carry on nothing in particular."""
"""What is hoped of a deed because of where it comes from."""
ADVICE = 0.5
"""What is hoped of a deed that somebody of the story has told us to do."""
EXAMINED = 0.45
"""What one hopes of a first look at something to read that one came by."""
GUESSED = 0.25
"""What counts of what such deeds bring, where only a number speaks for it."""
HASTE = 0.15
"""What a look at something that no question is about is worth less when danger is upon us."""
STALE = 0.03
"""What a question or a look is worth less for each round beyond the second in one place."""
SKILL = 0.85
"""What is left of a risk for each point of the stat that whoever is best at it has."""
RESTLESS = 0.06
RESTLESS_BY = {"go": 1.0, "use": 0.5, "wait": -2.0}
"""What a round without anything new adds to leaving and to trying things, and takes from
waiting."""
PUZZLING = 0.8
"""How much one would ask about a thing with which something did not work."""
BACK = 0.12
"""What speaks against going back at once to where one has just been."""
WORTH_STAYING, LEAVING, MEANWHILE, MOST_LEFT = 0.3, 0.025, 3, 4
"""What a deed must promise to keep one here; what each such deed takes from going, if there are
more than are done while one goes, and how many count."""
_MOST_LEANINGS = 30


def think(
    persona: BasePersona, table: TableView, memories: Sequence[Memory], chance: Chance
) -> MindState:
    """The player's mind, with every option it can think of weighed."""
    questions = questions_of(table.threads, memories)
    dangers = dangers_of(table)
    sight = sight_of(table, memories, questions, dangers)
    hopes = {hope.option.text: hope for hope in hopes_of(table, memories)}
    things = topics_of(memories, table.names, questions, table.party)
    things = [*_puzzles(table), *things]
    own = own_ideas(persona, table, memories, things)
    hoped = [hope.option for hope in hopes.values()]
    walks, beyond, left = walks_of(table, things)
    known = [*walks, *hoped, *table.advice, *own, *table.options]
    offered = {option.text: option for option in known}
    asked = Counter(text.partition(" about ")[0] for text in table.done)
    clues = {m.fact_id: m for m in memories}
    view = _View(
        persona, sight, questions, dangers, clues, chance, hopes, beyond, asked, table, left
    )
    vain = _vain(table)
    thought_of = [option for option in offered.values() if option.text not in vain]
    leanings = [_with_clue(weigh(option, view), view.clues) for option in thought_of]
    leanings = _less_what_is_left(leanings, dangers)
    leanings.sort(key=lambda one: (-one.score, one.option.text))
    return MindState(
        questions=questions,
        hypotheses=hypotheses_of(memories),
        dangers=dangers,
        leanings=leanings[:_MOST_LEANINGS],
    )


def _less_what_is_left(leanings: list[Leaning], dangers: Sequence[Danger]) -> list[Leaning]:
    """Going away counts less while there is more to do here than the others can do meanwhile, and
    time allows it."""
    here = [one for one in leanings if one.option.kind not in ("go", "wait")]
    worth = sum(one.progress - one.risk >= WORTH_STAYING for one in here)
    time = 1 - max((danger.urgency for danger in dangers if danger.creeps), default=0.0)
    cost = LEAVING * time * min(MOST_LEFT, max(0, worth - MEANWHILE))
    return [
        one.model_copy(update={"score": round(one.score - cost, 4)})
        if one.option.kind == "go" and cost
        else one
        for one in leanings
    ]


def sight_of(
    table: TableView,
    memories: Sequence[Memory],
    questions: Sequence[OpenQuestion],
    dangers: Sequence[Danger],
) -> MindSight:
    """The words that options are held against. Who is here is no clue by itself."""
    present = frozenset(word for name in [*table.people, table.place] for word in weighty(name))
    asked = frozenset(word for q in questions for word in weighty(q.title))
    believed = frozenset(
        word for m in memories if m.importance >= 0.5 for word in weighty(m.believed)
    )
    near = frozenset(word for d in dangers for word in weighty(d.text))
    return MindSight(
        questions=asked,
        clues=believed - present,
        dangers=near,
        danger=max((d.urgency for d in dangers), default=0.0),
        people=table.people,
        warned=table.warned,
    )


def dangers_of(table: TableView) -> list[Danger]:
    """What threatens, most urgent first, with whom it names."""
    found = []
    for peril in table.perils:
        names = [n for n in table.names if weighty(n) & weighty(peril.text)]
        who = names[0] if names else ""
        danger = Danger(text=peril.text, urgency=peril.near, who=who, creeps=peril.creeps)
        found.append(danger)
    return sorted(found, key=lambda danger: -danger.urgency)


def own_ideas(
    persona: BasePersona,
    table: TableView,
    memories: Sequence[Memory],
    things: Sequence[AskedTopic],
) -> list[Option]:
    """Deeds that come from this player's memory: whom to ask about what, whom to press."""
    done = set(table.done)
    found = []
    for who in table.people:
        fresh = [t for t in things if t.text not in who and asked_about(who, t) not in done]
        found += [
            Option(text=asked_about(who, topic), kind="ask", who=who, topic=topic.text)
            for topic in fresh[:MOST_TOPICS]
        ]
    for who, topic in kept_back(memories, table.people):
        for verb in ("Persuade", "Threaten") if persona.traits.caution < 0.35 else ("Persuade",):
            text = f"{verb} {who} to tell us about {topic.text}"
            if text not in done:
                found.append(Option(text=text, kind="talk", who=who, topic=topic.text))
    return found


def _vain(table: TableView) -> set[str]:
    """What somebody forbade who is still here: it is not tried again before his eyes; and ways that
    led nowhere from here."""
    found = set[str]()
    for deed, reason in table.stuck.items():
        if deed.startswith("Go ") or any(speaks_of(reason, who) for who in table.people):
            found.add(deed)
    return found


def _puzzles(table: TableView) -> list[AskedTopic]:
    """Things here with which something would not work: whoever is here may know more of them."""
    tried = " ".join(table.stuck)
    return [
        AskedTopic(text=inside(with_article(thing)), weight=PUZZLING)
        for thing in table.things
        if inside(with_article(thing)) in tried
    ]


@dataclass(frozen=True)
class _View:
    """Whose eyes an option is seen with."""

    persona: BasePersona
    sight: MindSight
    questions: Sequence[OpenQuestion]
    dangers: Sequence[Danger]
    clues: dict[str, Memory]
    chance: Chance
    hopes: dict[str, Hope] = field(default_factory=dict)
    beyond: dict[str, float] = field(default_factory=dict)
    asked: Mapping[str, int] = field(default_factory=dict)
    table: TableView = field(default_factory=TableView)
    left: Mapping[str, list[str]] = field(default_factory=dict)
    """By place: what is left to be done there."""


def weigh(option: Option, view: _View) -> Leaning:
    """Expected progress, less what it may cost to one of this temper, and a little of one's own."""
    persona, sight = view.persona, view.sight
    about = weighty(f"{option.who} {option.topic}") or weighty(option.text)
    expects, risk = expected(option, sight)
    progress = _progress(option, about, expects, view)
    risk = _risk(option, risk, view)
    hope = view.hopes.get(option.text)
    if hope:
        plain = progress if hope.clue else 0.0
        plain *= GUESSED if option.topic == "number" else 1.0
        progress = plain + hope.worth * (1 + PRESSED * sight.danger)
    own = LIKED * (option.kind in persona.likes)
    own += GOAL * bool(about & _goals(persona))
    luck = LUCK * view.chance.at(persona.id, option.text).fraction()
    fear = (0.4 + 1.2 * persona.traits.caution) * (1 + sight.danger)
    score = progress - fear * risk + own + luck
    return Leaning(
        option=option,
        score=round(score, 4),
        progress=round(progress, 4),
        risk=round(risk, 4),
        serves=_serves(about, view.questions, view.dangers),
        clue=hope.clue if hope else "",
        aim=hope.place if hope and option.kind == "go" else "",
        also=view.left.get(option.who, []) if option.kind == "go" else [],
    )


def _progress(option: Option, about: frozenset[str], expects: float, view: _View) -> float:
    """What a deed promises by itself, without a plan: what such deeds bring, and what speaks for
    this one here and now."""
    if option.topic == ADVISED:
        return ADVICE
    if option.text.startswith("Give "):
        return 0.0  # what is given does not come back: only a hope speaks for it
    progress = expects
    if option.kind == "go":
        progress = _journey(option, about & frozenset(view.sight.clues), view.beyond)
        progress += SPOKEN_OF * (option.new and _is_a_lead(option.who, view))
        progress += WON * (option.new and option.topic == OPENED)
        progress -= BACK * (option.who in view.table.trail[:2] and not option.new)
    progress += NEW_PLACE * _opens(option) / (1 + option.tried)
    if option.kind == "ask":
        progress += HINTED * option.new - ASKED * view.asked.get(f"Ask {option.who}", 0)
    progress += _rescue(option, about, view.dangers)
    progress += SPOKEN_FOR.get(option.topic, 0.0)
    if option.topic == "carried" and option.kind == "use":
        progress += IN_THE_DARK
    elif option.topic == "carried" and is_readable(option.who, view.table):
        progress += EXAMINED
    if option.kind in ("ask", "look") and not option.new:
        progress -= STALE * max(0, view.table.stay - 2)
    if option.kind == "look" and not about & frozenset(view.sight.questions):
        progress -= HASTE * view.sight.danger
    return progress + RESTLESS * min(view.table.dry, 3) * RESTLESS_BY.get(option.kind, 0)


def _rescue(option: Option, words: frozenset[str], dangers: Sequence[Danger]) -> float:
    near = max((d.urgency for d in dangers if d.who and weighty(d.who) & words), default=0.0)
    if option.topic == "help":
        return RESCUE * max(near, 0.5)
    return RESCUE * near if option.kind == "use" else 0.0


def _risk(option: Option, risk: float, view: _View) -> float:
    """What it may cost: more for what went badly here lately, less where somebody is good at it."""
    if option.kind in view.sight.warned:
        risk += BURNT
    stat = stat_for(option.text, view.table.dice)
    if not stat:
        return risk
    best = max((sheet.get(stat, 0) for sheet in view.table.sheets.values()), default=0)
    return risk * SKILL**best


def _journey(option: Option, named: frozenset[str], beyond: Mapping[str, float]) -> float:
    """What lies at the end of a way or beyond it; a way often taken is worth less."""
    if option.new:
        return NEW_PLACE + SPOKEN_OF * bool(named)
    known = max(KNOWN_PLACE + SPOKEN_OF * bool(named), beyond.get(option.who, 0.0))
    return max(0.0, known - TIRED * min(option.tried, 3))


def _is_a_lead(place: str, view: _View) -> bool:
    """Whether something that bears on an open question names the place."""
    name = weighty(place)
    bearing = {clue for question in view.questions for clue in question.clues}
    return any(
        id in bearing and name <= weighty(memory.believed) for id, memory in view.clues.items()
    )


def _opens(option: Option) -> float:
    """How likely it opens a shut way. A key that is called after what it opens is the right one."""
    if option.topic != "key":
        return OPENS.get(option.topic, 0.0)
    thing, _, key = option.text.rpartition(" with ")
    return OPENS["key" if key_fits(key, f"{thing} {option.who}") else "another key"]


def _goals(persona: BasePersona) -> frozenset[str]:
    return weighty(" ".join(persona.goals))


def _serves(
    words: frozenset[str],
    questions: Sequence[OpenQuestion],
    dangers: Sequence[Danger],
) -> str:
    """The danger or question that an option bears on most."""
    for danger in dangers:
        if words & weighty(danger.text):
            return danger.text
    best, share = "", 0
    for question in questions:
        shared = len(words & weighty(question.title))
        if shared > share:
            best, share = question.title, shared
    return best


def _with_clue(leaning: Leaning, clues: dict[str, Memory]) -> Leaning:
    """The memory that speaks for it most: the one that shares most with it."""
    if leaning.clue:
        return leaning
    words = weighty(f"{leaning.option.who} {leaning.option.topic}")
    best, share = "", 0
    for id, memory in clues.items():
        shared = len(words & weighty(memory.believed))
        if shared > share and memory.importance >= 0.5:
            best, share = id, shared
    return leaning.model_copy(update={"clue": best}) if best else leaning
