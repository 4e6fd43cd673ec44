"""What one evening is made of, chosen and named: all that is told is told with it."""

from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

from freeform.core.chance import Chance
from freeform.forge.cast.figures import Figure
from freeform.forge.cast.genre_shelf import ForgeGenre
from freeform.forge.cast.sites import Site, door_to_deep
from freeform.forge.cast.things import Prop
from freeform.forge.data import plain_yaml
from freeform.forge.grammar import Grammar, capital
from freeform.forge.premise.read import PremiseRead
from freeform.forge.shapes.model import (
    ShapeDeed,
    ShapeEnding,
    ShapeFact,
    ShapeOpening,
    ShapeTruth,
    StoryShape,
)

OUTCOME = "outcome"
OPEN = "open"
DOOR = "door"
TIME, NOTICE, HARM = "time", "notice", "harm"
MAIN, CHOICE = "t_main", "t_choice"
MOVES = 3
"""How many things happen by themselves in one evening."""


@cache
def common_lines() -> dict[str, list[str]]:
    """The lines of `common.yaml`, each in several wordings."""
    with as_file(files("freeform.forge.clues") / "common.yaml") as file:
        read: dict[str, list[str]] = plain_yaml(Path(file))
    return read


@dataclass(frozen=True)
class Plot:
    """The choices of one evening."""

    shape: StoryShape
    truth: ShapeTruth
    genre: ForgeGenre
    premise: PremiseRead
    figures: dict[str, Figure]
    sites: dict[str, Site]
    props: dict[str, Prop]
    settlement: str
    chance: Chance
    begins: ShapeOpening
    """How it opens."""
    opening: tuple[str, ...] = ()
    """The first words, where somebody else wrote them."""
    told: frozenset[str] = frozenset()
    """What the stories told in this home before were made of: it is not told again while there is
    something else."""

    @cached_property
    def grammar(self) -> Grammar:
        """Every name of this evening."""
        names = {f"g.{key}": value for key, value in self.genre.words.items()}
        names["g.weather"] = self.chance.at("weather").choose(self.genre.weather)
        clauses = self.premise.clauses
        names["g.deadline"] = clauses.deadline or names["g.deadline"]
        names["g.at"] = _at_time(names["g.deadline"])
        names["g.At"] = capital(names["g.at"])
        names |= {"aim": clauses.aim} if clauses.aim else {}
        names["settlement"] = names["g.settlement"] = self.settlement
        for figure in self.figures.values():
            names.update(figure.names())
        for site in self.sites.values():
            names.update(site.names())
        for prop in self.props.values():
            names.update(prop.names())
        names |= self._happening
        names["door"] = names[door_to_deep(self.sites)]
        names["premise"] = self._told_premise
        clause = Grammar(names).phrase(self.truth.clause)
        names["clause"], names["clause.Cap"] = clause, capital(clause)
        return Grammar(names)

    @property
    def _happening(self) -> dict[str, str]:
        """What is going on, and who may be behind it; nothing where the premise does not say."""
        going_on = self.premise.happening
        if not going_on.clause:
            return {}
        topics = [*going_on.topics, "going on", "the matter"]
        names = {
            "hap": going_on.clause,
            "hap.Cap": capital(going_on.clause),
            "hap.why": going_on.question,
            "hap.topic": topics[0],
            "hap.other": topics[1],
        }
        for role, figure in self.figures.items():
            names[f"{role}.did"] = going_on.done_by(figure.short)
        return names

    @property
    def _told_premise(self) -> str:
        if self.premise.text:
            return self.premise.sentence
        first, prize = next(iter(self.figures.values())), self.props.get("prize")
        subject = prize.names()["prize"] if prize and prize.at == "hub" else first.name
        return f"There is one subject in {self.settlement} tonight, and it is {subject}."

    @property
    def question(self) -> str:
        """What the evening is about: what the premise says has to be done, where it does."""
        shape = self.shape
        if shape.aim_question and self.premise.clauses.aim:
            return self.grammar.tell(shape.aim_question)
        if shape.happening:
            return self.grammar.tell(self.premise.happening.asked)
        going_on = self.premise.happening
        if shape.happening_question and going_on.clause and not going_on.does:
            return self.grammar.tell(shape.happening_question)
        if shape.thing_question and "cause" in self.props:
            return self.grammar.tell(shape.thing_question)
        return self.grammar.tell(shape.question)

    @property
    def stakes(self) -> str:
        """What is lost else: as the premise says, then as the story does."""
        return f"{self.premise.clauses.loss} {self.grammar.tell(self.shape.stakes)}".strip()

    def common(self, line: str) -> str:
        """A line that every shape has, in the wording of this evening."""
        return self.grammar.tell(self.line(line))

    def line(self, line: str) -> str:
        """The same, with its slots."""
        wordings = common_lines()[line]
        return wordings[self._fresh(f"line {line}", len(wordings))[0]]

    @property
    def moves(self) -> list[str]:
        """What happens by itself this evening."""
        at = self._fresh(f"move {self.shape.id}", len(self.shape.moves))[:MOVES]
        return [self.shape.moves[number] for number in sorted(at)]

    @property
    def pieces(self) -> list[str]:
        """Of which wordings and truths this evening is made, for the next one to have others."""
        lines = {f"line {line}": len(rows) for line, rows in common_lines().items()}
        found = [f"{key} {self._fresh(key, count)[0]}" for key, count in lines.items()]
        key, moves = f"move {self.shape.id}", self.shape.moves
        found += [f"{key} {number}" for number in self._fresh(key, len(moves))[:MOVES]]
        return [f"truth {self.shape.id} {self.truth.id}", *found]

    def _fresh(self, key: str, count: int) -> list[int]:
        """The numbers of a piece's wordings, by chance; those that were told before come last."""
        numbers = self.chance.at("wording", key).shuffled(list(range(count)))
        return sorted(numbers, key=lambda number: f"{key} {number}" in self.told)

    @property
    def deeds(self) -> list[ShapeDeed]:
        """What can bring it to an end, as it really was."""
        whose = ("any", "own") if self.premise.is_players else ("any",)
        fitting = [deed for deed in self.shape.deeds if deed.whose in whose]
        return [deed for deed in fitting if deed.truth in ("", self.truth.id)]

    @property
    def endings(self) -> dict[str, ShapeEnding]:
        """How it can come to rest, as it really was."""
        others = {deed.ending for deed in self.shape.deeds} - {deed.ending for deed in self.deeds}
        return {id: ending for id, ending in self.shape.endings.items() if id not in others}

    @property
    def story_id(self) -> str:
        """Whose fact it is how the story stands: the place where it begins."""
        return self.sites["hub"].id

    @property
    def core(self) -> ShapeFact:
        """The secret that answers the question."""
        return next(fact for fact in self.truth.facts if fact.core)

    def before(self, fact: ShapeFact) -> ShapeFact | None:
        """The secret without which one would not know what one sees; None where there is none. What
        answers the question comes after what moves whoever keeps it to themselves."""
        moved_by = fact.keep.lever if fact.core and fact.keep else ""
        wanted = fact.after or moved_by
        return next((one for one in self.truth.facts if one.id == wanted), None)

    def id_of(self, role: str) -> str:
        """The entity behind a role, a site or a thing."""
        for table in (self.figures, self.sites, self.props):
            if role in table:
                return str(table[role].id)
        raise KeyError(role)

    def fact_id(self, fact: str) -> str:
        """A secret's id in the scenario."""
        return f"f_{fact}"


def _at_time(time: str) -> str:
    """`on Thursday`, `at noon`, `tomorrow`, `in the morning`."""
    if time in ("today", "tomorrow", "tonight"):
        return time
    if time in ("the morning", "morning"):
        return "in the morning"
    return f"{'on' if time[:1].isupper() else 'at'} {time}"


def settled(plot: Plot, ending: str) -> list[dict[str, Any]]:
    """Effects: the evening has come to this end."""
    outcome = {"subject": plot.story_id, "predicate": OUTCOME, "value": ending}
    return [
        {"set": {**outcome, "visibility": "engine"}},
        {"thread": [MAIN, "resolved"]},
        {"thread": [CHOICE, "resolved"]},
    ]
