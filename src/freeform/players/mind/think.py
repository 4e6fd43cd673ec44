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
from freeform.players.mind.ideas import OFFERED, TOLD
from freeform.players.mind.model import AskedTopic, Danger, Leaning, MindState, OpenQuestion
from freeform.players.mind.plans import STEP, Hope, hopes_of
from freeform.players.mind.topics import (
    MOST_TOPICS,
    hypotheses_of,
    kept_back,
    questions_of,
    topics_of,
    weighty,
)
from freeform.players.mind.weigh import MindSight, expected
from freeform.players.model import BasePersona, Memory, Option, SeenPlace, TableView

LIKED, GOAL, LUCK = 0.10, 0.06, 0.10
"""What liking a sort of deed, a goal of one's own, and chance are worth, in expected progress."""
NEW_PLACE, KNOWN_PLACE, SPOKEN_OF, NEAR = 0.38, 0.10, 0.10, 0.9
"""What one hopes for behind a door nobody has been through; in a place one knows; and more where a
clue names it; `NEAR` is left of a new place that lies beyond a known one. A visit that was made
lately is worth less each time."""
TIRED = 0.02
NEWS, MOST_NEWS = 0.02, 6
"""What a thing learnt since one was there is worth to a place, and how many count."""
HINTED, ASKED = 0.20, 0.02
"""What a question is worth more that the game master hints at; and less for each one that was put
to the same person."""
OFFER = 0.45
"""What is hoped of a deed that the story itself offers."""
BURNT = 0.15
"""What more one fears of a sort of deed that had to be paid for here lately."""
PRESSED = 0.5
"""How much more a bold hope is worth when the nearest danger is upon us."""
OPENS = {"key": 0.8, "another key": 0.2, "lock": 0.5, "force": 0.35, "knock": 0.35}
"""How likely a shut way is opened so, before anyone has tried."""
RESCUE = 0.6
_MOST_LEANINGS = 30


def think(
    persona: BasePersona, table: TableView, memories: Sequence[Memory], chance: Chance
) -> MindState:
    """The player's mind, with every option it can think of weighed."""
    questions = questions_of(table.threads, memories)
    dangers = dangers_of(table)
    sight = sight_of(table, memories, questions, dangers)
    hopes = {hope.option.text: hope for hope in hopes_of(table, memories)}
    own = own_ideas(persona, table, memories, questions)
    hoped = [hope.option for hope in hopes.values()]
    offered = {option.text: option for option in [*hoped, *own, *table.options]}
    beyond = dict[str, float]()
    for seen in table.elsewhere:
        beyond[seen.step] = max(beyond.get(seen.step, 0.0), _beyond(seen))
    asked = Counter(text.partition(" about ")[0] for text in table.done)
    clues = {m.fact_id: m for m in memories}
    view = _View(persona, sight, questions, dangers, clues, chance, hopes, beyond, asked)
    leanings = [_with_clue(weigh(option, view), view.clues) for option in offered.values()]
    leanings.sort(key=lambda one: (-one.score, one.option.text))
    return MindState(
        questions=questions,
        hypotheses=hypotheses_of(memories),
        dangers=dangers,
        leanings=leanings[:_MOST_LEANINGS],
    )


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
        found.append(Danger(text=peril.text, urgency=peril.near, who=who))
    return sorted(found, key=lambda danger: -danger.urgency)


def own_ideas(
    persona: BasePersona,
    table: TableView,
    memories: Sequence[Memory],
    questions: Sequence[OpenQuestion],
) -> list[Option]:
    """Deeds that come from this player's memory: whom to ask about what, whom to press."""
    things = topics_of(memories, table.names, questions, table.party)
    done = set(table.done)
    found = []
    for who in table.people:
        fresh = [t for t in things if t.text not in who and _ask(who, t) not in done]
        found += [
            Option(text=_ask(who, topic), kind="ask", who=who, topic=topic.text)
            for topic in fresh[:MOST_TOPICS]
        ]
    for who, topic in kept_back(memories, table.people):
        for verb in ("Persuade", "Threaten") if persona.traits.caution < 0.35 else ("Persuade",):
            text = f"{verb} {who} to tell us about {topic.text}"
            if text not in done:
                found.append(Option(text=text, kind="talk", who=who, topic=topic.text))
    return found


def _ask(who: str, topic: AskedTopic) -> str:
    return f"Ask {who} about {topic.text}"


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


def weigh(option: Option, view: _View) -> Leaning:
    """Expected progress, less what it may cost to one of this temper, and a little of one's own."""
    persona, sight, dangers = view.persona, view.sight, view.dangers
    progress, risk = expected(option, sight)
    words = weighty(f"{option.who} {option.topic}") or weighty(option.text)
    if option.kind == "go":
        progress = _journey(option, words & frozenset(sight.clues), view.beyond)
    progress += NEW_PLACE * _opens(option) / (1 + option.tried)
    if option.kind in sight.warned:
        risk += BURNT
    if option.kind == "ask":
        progress += HINTED * option.new - ASKED * view.asked.get(f"Ask {option.who}", 0)
    serves = _serves(words, view.questions, dangers)
    rescue = max((d.urgency for d in dangers if d.who and weighty(d.who) & words), default=0.0)
    if option.topic == TOLD:
        progress += NEW_PLACE
    if option.topic == "help" or (rescue and option.kind == "use"):
        progress += RESCUE * max(rescue, 0.5 if option.topic == "help" else 0.0)
    if option.topic == OFFERED:
        progress += OFFER
    hope = view.hopes.get(option.text)
    if hope:
        plain = progress if hope.clue else 0.0
        progress = plain + hope.worth * (1 + PRESSED * sight.danger)
    own = LIKED * (option.kind in persona.likes)
    own += GOAL * bool(words & _goals(persona))
    luck = LUCK * view.chance.at(persona.id, option.text).fraction()
    fear = (0.4 + 1.2 * persona.traits.caution) * (1 + sight.danger)
    score = progress - fear * risk + own + luck
    return Leaning(
        option=option,
        score=round(score, 4),
        progress=round(progress, 4),
        risk=round(risk, 4),
        serves=serves,
        clue=hope.clue if hope else "",
        aim=hope.place if hope and option.kind == "go" else "",
    )


def _journey(option: Option, named: frozenset[str], beyond: Mapping[str, float]) -> float:
    """What lies at the end of a way or beyond it; a way often taken is worth less."""
    if option.new:
        return NEW_PLACE + SPOKEN_OF * bool(named)
    known = max(KNOWN_PLACE + SPOKEN_OF * bool(named), beyond.get(option.who, 0.0))
    return max(0.0, known - TIRED * min(option.tried, 3))


def _beyond(seen: SeenPlace) -> float:
    """What draws one back there: what was learnt since, and ways that nobody took."""
    news = KNOWN_PLACE + NEWS * min(seen.news, MOST_NEWS)
    return max(news, NEAR * NEW_PLACE * bool(seen.unseen)) * STEP**seen.far


def _opens(option: Option) -> float:
    """How likely it opens a shut way. A key that is called after what it opens is the right one."""
    if option.topic != "key":
        return OPENS.get(option.topic, 0.0)
    thing, _, key = option.text.rpartition(" with ")
    fits = weighty(key) & (weighty(thing) | weighty(option.who))
    return OPENS["key"] if fits else OPENS["another key"]


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
