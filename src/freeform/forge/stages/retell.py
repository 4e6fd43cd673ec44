"""A plot with what a stage gave: names, texts and secrets change, roles and ways do not.

So whatever a model writes, every deed, condition and ending hangs together as the shape has it.
"""

import re
from dataclasses import replace
from typing import Any

from freeform.core.text import slug
from freeform.forge.cast.figures import Figure
from freeform.forge.clues.plot import Plot
from freeform.forge.shapes.model import ShapeClock, ShapeFact, ShapeSaying, StoryShape
from freeform.forge.stages.records import (
    CastTold,
    ClocksTold,
    CluesTold,
    ClueTold,
    EndingsTold,
    OpeningTold,
    PersonTold,
    QuestionTold,
    SecretsTold,
)

_AT = ("2", "4", "5", "6")
"""Where the steps of a shape's clock stand."""


def retold(plot: Plot, said: Any) -> Plot:
    """The plot with a stage's checked answer in it."""
    match said:
        case QuestionTold():
            return _with_question(plot, said)
        case CastTold():
            return _with_cast(plot, said)
        case SecretsTold():
            return _with_secrets(plot, said)
        case CluesTold():
            return _with_clues(plot, said)
        case ClocksTold():
            return _with_clocks(plot, said)
        case EndingsTold():
            return _with_endings(plot, said)
        case OpeningTold():
            return replace(plot, opening=tuple(text.strip() for text in said.paragraphs))
    raise TypeError(type(said).__name__)


def _with_question(plot: Plot, said: QuestionTold) -> Plot:
    update = {"titles": [said.title], "question": said.question, "stakes": said.stakes}
    update |= {"thing_question": "", "aim_question": ""}
    themes = [theme for theme in said.themes if theme.strip()][:5] or plot.shape.themes
    return replace(plot, shape=plot.shape.model_copy(update={**update, "themes": themes}))


def _with_cast(plot: Plot, said: CastTold) -> Plot:
    told = {person.id: person for person in said.people}
    figures = {
        role: _as_told(figure, told[figure.id]) if figure.id in told else figure
        for role, figure in plot.figures.items()
    }
    return replace(plot, figures=figures, shape=_renamed(plot, figures))


def _renamed(plot: Plot, figures: dict[str, Figure]) -> StoryShape:
    """The shape, where what was told before the cast has its new names too."""
    told = {key: getattr(plot.shape, key) for key in ("question", "stakes")}
    for role, figure in plot.figures.items():
        now = figures[role]
        for old, new in ((figure.name, now.name), (figure.short, now.short)):
            if old != new:
                told = {key: _with_name(text, old, new) for key, text in told.items()}
    return plot.shape.model_copy(update=told)


def _with_name(text: str, old: str, new: str) -> str:
    return new.join(re.split(rf"\b{re.escape(old)}\b", text))


def _as_told(figure: Figure, person: PersonTold) -> Figure:
    """A name that somebody else gave them (the premise, a pack, a card) they keep."""
    is_ours = not figure.pack_id and not figure.source.startswith("card")
    name = person.name.strip()
    if name and is_ours and (figure.said_as or not figure.source.startswith("premise")):
        figure = replace(figure, name=name, short=name.split()[0], id=slug(name) or figure.id)
    return replace(
        figure,
        look=person.look or figure.look,
        want=person.want or figure.want,
        disposition=person.manner or figure.disposition,
        greeting=figure.greeting or tuple(person.greeting),
    )


def _with_secrets(plot: Plot, said: SecretsTold) -> Plot:
    texts = {row.id: row.text for row in said.secrets}
    facts = [fact.model_copy(update={"text": texts[fact.id]}) for fact in plot.truth.facts]
    update = {"clause": said.clause.rstrip(". "), "facts": facts}
    ours: dict[str, Any] = {"looks": {}, "writings": {}, "uses": {}}
    return replace(plot, truth=plot.truth.model_copy(update={**update, **ours}))


def _with_clues(plot: Plot, said: CluesTold) -> Plot:
    """The ways to the secrets; an offer to look at what is no longer there goes."""
    told = {clue.id: clue for clue in said.clues}
    facts = [_clued(fact, told[fact.id]) for fact in plot.truth.facts]
    offers = [offer for offer in plot.shape.suggestions if not offer.startswith("Look at the ")]
    shape = plot.shape.model_copy(
        update={"suggestions": list(dict.fromkeys([*offers, "Look around"]))}
    )
    return replace(plot, shape=shape, truth=plot.truth.model_copy(update={"facts": facts}))


def _clued(fact: ShapeFact, clue: ClueTold) -> ShapeFact:
    spot = clue.spot.strip()
    named = spot if spot.lower().startswith(("the ", "a ", "an ")) else f"the {spot}"
    trace = fact.trace.model_copy(update={"spot": named, "aka": [], "look": clue.look})
    return fact.model_copy(
        update={"trace": trace, "tell": _said(fact.tell, clue), "keep": _said(fact.keep, clue)}
    )


def _said(saying: ShapeSaying | None, clue: ClueTold) -> ShapeSaying | None:
    if saying is None:
        return None
    deflects = [clue.deflects] if saying.deflects else []
    topics = [topic.lower() for topic in clue.topics if topic.strip()]
    said = [clue.says.strip().strip('"“”')]
    return saying.model_copy(update={"topics": topics, "says": said, "deflects": deflects})


def _with_clocks(plot: Plot, said: ClocksTold) -> Plot:
    clock = ShapeClock(name=said.name, steps=dict(zip(_AT, said.steps, strict=True)))
    moves = [f"~{move}" for move in said.moves] or plot.shape.moves
    return replace(plot, shape=plot.shape.model_copy(update={"clock": clock, "moves": moves}))


def _with_endings(plot: Plot, said: EndingsTold) -> Plot:
    endings = dict(plot.endings)
    for row in said.endings:
        endings[row.id] = endings[row.id].model_copy(update={"title": row.title, "text": row.text})
    return replace(plot, shape=plot.shape.model_copy(update={"endings": endings}))
