"""What a stage is shown of the story: what stands already, by ids, and what it is to write anew."""

from typing import Any

from freeform.forge.cast.genre_shelf import forge_genres
from freeform.forge.clues.plot import Plot
from freeform.forge.shapes.load import story_shapes
from freeform.language.meaning.premise import PREMISE_LABELS

_BEFORE_SECRETS = ("question", "cast")


def kinds_to_choose() -> dict[str, Any]:
    """The labels, shapes and genres there are."""
    shapes = {id: shape.about for id, shape in story_shapes().items() if not shape.instead_of}
    genres = {id: genre.about for id, genre in forge_genres().items()}
    return {"labels": list(PREMISE_LABELS), "shapes": shapes, "genres": genres}


def skeleton(plot: Plot, stage: str) -> dict[str, Any]:
    """The story for one stage."""
    tell, shape = plot.grammar.tell, plot.shape
    story: dict[str, Any] = {
        "hero": plot.premise.teller.concept or "whoever the player chooses to be",
        "kind": shape.about,
        "genre": plot.genre.about,
        "tone": plot.genre.tone,
        "question": plot.question,
        "stakes": plot.stakes,
        "people": _people(plot),
        "places": {site.id: site.name for site in plot.sites.values()},
        "things": [prop.name for prop in plot.props.values() if not prop.hidden],
    }
    if stage not in _BEFORE_SECRETS:
        story["truth"] = plot.grammar.phrase(plot.truth.clause)
        story["secrets"] = _secrets(plot)
    if stage == "clocks":
        story["clock"] = {
            "name": tell(shape.clock.name),
            "steps": [tell(step) for step in shape.clock.steps.values()],
        }
    if stage == "endings":
        endings = plot.endings.items()
        story["endings"] = {
            id: {"title": ending.title, "text": tell(ending.text)} for id, ending in endings
        }
    if stage == "opening":
        story["begins_at"] = plot.sites["hub"].name
        story["first_offers"] = plot.grammar.each(shape.suggestions)
    return story


def _people(plot: Plot) -> list[dict[str, Any]]:
    return [
        {
            "id": figure.id,
            "name": figure.name,
            "pronouns": "she/her" if figure.she else "he/him",
            "is": figure.trade,
            "part": plot.grammar.phrase(figure.known_as),
            "wants": plot.grammar.phrase(figure.want),
            "at": "gone" if figure.absent else plot.sites[figure.at].name,
        }
        for figure in plot.figures.values()
    ]


def _secrets(plot: Plot) -> list[dict[str, Any]]:
    rows = []
    for fact in plot.truth.facts:
        saying = fact.tell or fact.keep
        rows.append(
            {
                "id": fact.id,
                "text": plot.grammar.tell(fact.text),
                "is_the_answer": fact.core,
                "seen_at": plot.sites[fact.trace.at].name,
                "told_by": plot.figures[saying.who].name if saying else "",
                "kept_back": fact.keep is not None,
            }
        )
    return rows
