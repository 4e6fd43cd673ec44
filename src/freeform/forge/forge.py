"""The forge itself: reads a wish, chooses shape, genre and truth, casts it, proves what came."""

from pydantic import ValidationError

from freeform.core.chance import Chance
from freeform.core.errors import UserError
from freeform.engine.authored.system import System
from freeform.engine.rules.safety import SafetyLimits
from freeform.forge.assemble import scenario_of, sources_of
from freeform.forge.cast.cards import beside_card
from freeform.forge.cast.figures import RoleCasting
from freeform.forge.cast.genre_shelf import (
    ForgeGenre,
    forge_genres,
    genres_of_other_years,
    genres_of_year,
)
from freeform.forge.cast.parts import parts_of
from freeform.forge.cast.sites import Scouting
from freeform.forge.cast.things import apart_from, props
from freeform.forge.clues.plot import Plot
from freeform.forge.model import Forged, ForgeMaterial, ForgeWish
from freeform.forge.premise.asides import without_asides
from freeform.forge.premise.middle import (
    is_lost,
    middle_of,
    with_prowler,
)
from freeform.forge.premise.read import PremiseRead, read_premise
from freeform.forge.prove.holds import ForgeFault, prove
from freeform.forge.shapes.choose import (
    CERTAIN,
    choose_kind,
    named_kind,
    scores,
    weighed,
)
from freeform.forge.shapes.model import ShapeOpening, ShapeTruth, StoryShape
from freeform.forge.shapes.pick import chosen_shape
from freeform.forge.shapes.seats import is_told, seating
from freeform.forge.stages.run import StagedTelling
from freeform.language.meaning.premise import PremiseEar
from freeform.language.meaning.topics import Topics

NO_MATERIAL = ForgeMaterial()
_OPENINGS = 4
"""Among how many openings a seed chooses at the least."""
_SURE_OF_GENRE = 0.97
"""How likely the ear must find a genre that is out of the way and for which no word speaks. Of 220
premises of strangers it had 38 such. Read by hand, of the ten of which it was surer than .9 seven
fit, of the next fourteen five; a library told as a wasteland had .96."""
_BY_YEAR = 2.0
"""A year says as much about the genre as two words."""


def forge_scenario(
    wish: ForgeWish,
    system: System,
    material: ForgeMaterial = NO_MATERIAL,
    topics: Topics | None = None,
    ear: PremiseEar | None = None,
) -> Forged:
    """A scenario for the wish. UserError where the wish cannot be granted, before anything is
    made."""
    refuse_what_crosses(told_in(wish, material), wish, topics)
    return forged_of(plot_of(wish, material, ear), wish, system)


def forged_of(plot: Plot, wish: ForgeWish, system: System) -> Forged:
    """The plot as a scenario that holds."""
    forged = Forged(
        scenario=scenario_of(plot, wish, system, wish.packs),
        shape=plot.shape.id,
        truth=plot.truth.id,
        genre=plot.genre.id,
        sources=sources_of(plot, wish),
    )
    prove(forged)
    return forged


async def forge_in_stages(
    wish: ForgeWish,
    system: System,
    material: ForgeMaterial,
    ear: PremiseEar,
    telling: StagedTelling,
) -> Forged:
    """The same, told by a language model where it can be used; the offline filling stands wherever
    it cannot."""
    marked = await telling.read(told_in(wish, material))
    plot = plot_of(wish, material, marked or ear)
    told = await telling.told(plot)
    try:
        forged = forged_of(told, wish, system)
    except (ForgeFault, ValidationError):
        return forged_of(plot, wish, system)
    by_model = telling.by_model
    written = [
        row.model_copy(update={"source": f"{row.source}; told by the model"})
        if _stage_of(row.piece) in by_model
        else row
        for row in forged.sources
    ]
    return forged.model_copy(update={"by_model": by_model, "sources": written})


def _stage_of(piece: str) -> str:
    """The stage that writes a piece, by its first word."""
    kind = piece.split()[0]
    return {"person": "cast", "secret": "secrets", "ending": "endings"}.get(kind, kind)


def plot_of(wish: ForgeWish, material: ForgeMaterial, ear: PremiseEar | None) -> Plot:
    """What the evening is about and who is in it; nothing is written yet."""
    premise = read_premise(told_in(wish, material), ear)
    if material.card:
        premise = beside_card(premise, material.card, bool(wish.premise.strip()))
    carded = [material.card.name] if material.card else []
    chance = Chance(wish.seed, "forge", premise.text, ",".join(wish.packs), *carded)
    genre = _genre(wish, material, premise, chance)
    shape = chosen_shape(premise, chance)
    if any(wanted.something for wanted in shape.things.values()):
        premise = with_prowler(premise)
    seats = seating(shape, premise).people
    parts = parts_of(premise, genre)
    trades = parts.trades if parts else genre.trades
    genre = genre.model_copy(update={"weather": parts.weather}) if parts else genre
    casting = RoleCasting(shape, genre, premise, material, chance.at("cast"), seats, trades)
    figures = casting.cast()
    homes = {noun.text: shape.roles[role].at for role, noun in seats.items()}
    scouting = Scouting(genre, premise, material, chance.at("sites"), homes, parts)
    sites = scouting.sites()
    taken = {figure.id for figure in figures.values()} | {site.id for site in sites.values()}
    return Plot(
        shape=shape,
        truth=_truth(shape, genre, wish, premise),
        genre=genre,
        premise=premise,
        figures=figures,
        sites=sites,
        props=apart_from(props(shape, premise, chance.at("things"), scouting.distant), taken),
        settlement=scouting.settlement,
        chance=chance,
        begins=_opening(shape, premise, wish.seed, list(seats)),
        told=frozenset(wish.told),
    )


def refuse_what_crosses(text: str, wish: ForgeWish, topics: Topics | None) -> None:
    """UserError where a premise is about what the table has drawn a line at."""
    if not text:
        return
    story = without_asides(text).present  # Who says `no spiders` does not ask for them.
    crossed = SafetyLimits(wish.lines, [], topics=topics).crossed(story)
    if crossed:
        raise UserError(
            f"this table keeps {crossed} out of play, and the premise is about it; "
            "nothing was made: tell it another way, or change the lines in session zero"
        )


def told_in(wish: ForgeWish, material: ForgeMaterial) -> str:
    """The premise; where there is none, the scene that a card sets, or what it says first."""
    if wish.premise.strip():
        return wish.premise
    return material.card.told if material.card else ""


def _genre(
    wish: ForgeWish, material: ForgeMaterial, premise: PremiseRead, chance: Chance
) -> ForgeGenre:
    genres = forge_genres()
    names = [genre.name for genre in genres.values()]
    for wanted in (wish.genre, material.genre):
        named = named_kind(wanted, genres, names) if wanted else ""
        if named:
            return genres[named]
    for id, likely in premise.heard.genres.items():
        if likely == CERTAIN and id in genres:
            return genres[id]
    said = " ".join(filter(None, (wish.genre, premise.text, wish.tone, *premise.wishes)))
    said = said or material.words
    found = scores(said, genres)
    for id in genres_of_year(said, found):
        found[id] += _BY_YEAR
    fits = weighed(found, premise.heard.genres)
    elsewhen = genres_of_other_years(said)
    fits = {id: fit for id, fit in fits.items() if id not in elsewhen}
    if premise.heard.genres and max(premise.heard.genres.values()) < _SURE_OF_GENRE:
        fits = {id: fit for id, fit in fits.items() if found[id] or genres[id].everyday}
    return genres[choose_kind(fits, chance.at("genre"))]


def _opening(shape: StoryShape, premise: PremiseRead, seed: int, seated: list[str]) -> ShapeOpening:
    """One that suits whose story it is and tells of the premise's people; the next seed has
    another."""
    is_own, has_aim = premise.is_players, bool(premise.clauses.aim)
    lost = is_lost(premise)
    fitting = [opening for opening in shape.openings if opening.suits(is_own, has_aim)]
    fitting = [opening for opening in fitting if opening.lost in (None, lost)]
    told = [_told_of(seated, opening) for opening in fitting]
    for enough in range(max(told), -1, -1):
        best = [one for one, count in zip(fitting, told, strict=True) if count >= enough]
        if len(best) >= _OPENINGS:
            break
    chance = Chance(premise.text, "opening")
    return best[(seed + chance.die(len(best))) % len(best)]


def _told_of(seated: list[str], opening: ShapeOpening) -> int:
    """How many of the roles an opening tells of."""
    return sum(is_told(role, opening.text) for role in seated)


def _truth(
    shape: StoryShape, genre: ForgeGenre, wish: ForgeWish, premise: PremiseRead
) -> ShapeTruth:
    """One that suits the genre and the premise, and was not told here before; the next seed has
    another."""
    lost = is_lost(premise)
    fitting = [truth for truth in shape.truths if not (genre.light and truth.dark)]
    fitting = [truth for truth in fitting if truth.lost in (None, lost)]
    middle = middle_of(premise)
    nature = middle.nature if middle else ""
    fitting = [truth for truth in fitting if not truth.natures or nature in truth.natures]
    new = [truth for truth in fitting if f"truth {shape.id} {truth.id}" not in wish.told]
    chance = Chance(premise.text, "truth")
    choice = new or fitting
    return choice[(wish.seed + chance.die(len(choice))) % len(choice)]
