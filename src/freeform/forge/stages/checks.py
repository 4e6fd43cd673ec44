"""What is wrong with a stage's answer, in words that go back to the model once."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from freeform.core.text import plain_form
from freeform.forge.cast.figures import Figure
from freeform.forge.clues.plot import Plot
from freeform.forge.stages.records import (
    CastTold,
    ClocksTold,
    CluesTold,
    EndingsTold,
    OpeningTold,
    QuestionTold,
    SecretsTold,
)
from freeform.language.sentences import sentences

STEPS, PARAGRAPHS = 4, (2, 4)
_MOST, _LONG = 700, 1600
_MARKUP = re.compile(r"[{}<>`#*_]|\[\w+\]")
_NAME = re.compile(r"[^\W\d_][\w'’. -]{1,58}")
_TELLING = 0.7
"""Which share of a secret's longer words in one sentence tells it."""
_LONGER = 4

Crosses = Callable[[str], str]
"""The line that a text crosses; '' where it crosses none."""


@dataclass(frozen=True)
class StageChecks:
    """Holds answers to the story as it stands, and to the table's lines."""

    plot: Plot
    crosses: Crosses

    def wrong(self, said: Any) -> list[str]:
        """What is wrong with any stage's answer."""
        match said:
            case QuestionTold():
                return self._question(said)
            case CastTold():
                return self._cast(said)
            case SecretsTold():
                return self._secrets(said)
            case CluesTold():
                return self._clues(said)
            case ClocksTold():
                return self._clocks(said)
            case EndingsTold():
                return self._endings(said)
            case OpeningTold():
                return self._opening(said)
        raise TypeError(type(said).__name__)

    def _question(self, said: QuestionTold) -> list[str]:
        wrong = self._texts({"title": said.title, "stakes": said.stakes, "question": said.question})
        if not said.question.rstrip().endswith("?"):
            wrong.append("`question` is one question and ends with a question mark")
        return wrong + self._told_early([said.title, said.question, said.stakes])

    def _cast(self, said: CastTold) -> list[str]:
        figures = {figure.id: figure for figure in self.plot.figures.values()}
        wrong = _ids([person.id for person in said.people], figures, "person", whole=False)
        names = [person.name for person in said.people if person.name]
        changed = {person.id for person in said.people}
        names += [figure.name for id, figure in figures.items() if id not in changed]
        firsts = [name.lower().split()[0] for name in names if name.split()]
        wrong += [f"two people answer to {name}" for name in _twice(firsts)]
        for person in said.people:
            if person.name and not _NAME.fullmatch(person.name):
                wrong.append(f"{person.name!r} is no name")
            told = {"look": person.look, "want": person.want, "manner": person.manner}
            filled = {f"{key} of {person.id}": text for key, text in told.items() if text}
            wrong += self._texts({**filled, **_numbered(person.greeting, f"{person.id} greeting")})
            wrong += self._told_early([*told.values(), *person.greeting])
        return wrong

    def _secrets(self, said: SecretsTold) -> list[str]:
        known = {fact.id for fact in self.plot.truth.facts}
        wrong = _ids([row.id for row in said.secrets], known, "secret")
        texts = {f"secret {row.id}": row.text for row in said.secrets}
        wrong += self._texts({"clause": said.clause, **texts})
        wrong += [f"two secrets say {text!r}" for text in _twice([*texts.values()])]
        return wrong

    def _clues(self, said: CluesTold) -> list[str]:
        facts = {fact.id: fact for fact in self.plot.truth.facts}
        wrong = _ids([clue.id for clue in said.clues], facts, "secret")
        for clue in said.clues:
            fact = facts.get(clue.id)
            wrong += self._texts(
                {
                    f"spot of {clue.id}": clue.spot,
                    f"look of {clue.id}": clue.look,
                    f"says of {clue.id}": clue.says,
                    **({f"deflects of {clue.id}": clue.deflects} if fact and fact.keep else {}),
                }
            )
            if not clue.topics:
                wrong.append(f"{clue.id} has no `topics`, so nobody can ask about it")
        spots = [
            (facts[clue.id].trace.at, clue.spot.lower()) for clue in said.clues if clue.id in facts
        ]
        return wrong + [f"two clues lie at {spot!r} in {at}" for at, spot in _twice(spots)]

    def _clocks(self, said: ClocksTold) -> list[str]:
        wrong = [] if len(said.steps) == STEPS else [f"`steps` are {STEPS}, in their order"]
        wrong += self._texts({"name": said.name, **_numbered(said.steps, "step")})
        wrong += self._texts(_numbered(said.moves, "move"))
        return wrong + self._told_early([*said.steps, *said.moves])

    def _endings(self, said: EndingsTold) -> list[str]:
        wrong = _ids([ending.id for ending in said.endings], self.plot.endings, "ending")
        for ending in said.endings:
            wrong += self._texts({f"title of {ending.id}": ending.title})
            wrong += self._texts({f"text of {ending.id}": ending.text}, most=_LONG)
        return wrong

    def _opening(self, said: OpeningTold) -> list[str]:
        fewest, most = PARAGRAPHS
        wrong = []
        if not fewest <= len(said.paragraphs) <= most:
            wrong.append(f"the opening has {fewest} to {most} paragraphs")
        wrong += self._texts(_numbered(said.paragraphs, "paragraph"), most=_LONG)
        told = " ".join(said.paragraphs)
        met = [f for f in self.plot.figures.values() if f.at == "hub" and not f.absent]
        if met and not any(_is_named(figure, told) for figure in met):
            wrong.append(f"nobody is named who is there: {', '.join(f.name for f in met)}")
        return wrong + self._told_early(said.paragraphs)

    def _texts(self, texts: dict[str, str], most: int = _MOST) -> list[str]:
        wrong = []
        for what, text in texts.items():
            if not text.strip():
                wrong.append(f"{what} is empty")
            elif len(text) > most:
                wrong.append(f"{what} has {len(text)} letters; {most} are the most")
            elif _MARKUP.search(text):
                wrong.append(f"{what} has markup or a placeholder in it; write plain prose")
            elif self.crosses(text):
                wrong.append(f"{what} is about {self.crosses(text)}, which stays out of play here")
        return wrong

    def _told_early(self, texts: Iterable[str]) -> list[str]:
        """Secrets that a text gives away which everybody reads."""
        said: list[str] = []
        for text in texts:
            said += sentences(text)
        wrong = []
        for fact in self.plot.truth.facts:
            secret = self.plot.grammar.tell(fact.text)
            if any(tells(sentence, secret) for sentence in said):
                wrong.append(f"the secret {fact.id} is given away; it is to be found out in play")
        return wrong


def tells(sentence: str, secret: str) -> bool:
    """Whether a sentence says what a secret says, by its words."""
    wanted = _long_words(secret)
    return bool(wanted) and len(wanted & _long_words(sentence)) >= _TELLING * len(wanted)


def _long_words(text: str) -> set[str]:
    return {word for word in re.findall(r"\w+", plain_form(text)) if len(word) > _LONGER}


def _ids(given: Sequence[str], known: Iterable[str], what: str, whole: bool = True) -> list[str]:
    """Ids that are not known, given twice, or (where all are wanted) missing."""
    known = list(known)
    wrong = [
        f"there is no {what} {id!r}; there are {', '.join(known)}"
        for id in given
        if id not in known
    ]
    wrong += [f"{what} {id} is there twice" for id in _twice(given)]
    if whole:
        wrong += [f"{what} {id} is missing" for id in known if id not in given]
    return wrong


def _twice(values: Sequence[Any]) -> list[Any]:
    return [value for value in dict.fromkeys(values) if values.count(value) > 1]


def _numbered(texts: Sequence[str], what: str) -> dict[str, str]:
    return {f"{what} {number}": text for number, text in enumerate(texts, 1)}


def _is_named(figure: Figure, text: str) -> bool:
    return figure.name in text or figure.short in text
