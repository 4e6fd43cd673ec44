"""The forge itself: reads a wish, chooses shape, genre and truth, casts it, proves what came."""

from collections.abc import Mapping

from pydantic import ValidationError

from freeform.core.chance import Chance
from freeform.core.errors import UserError
from freeform.engine.authored.system import System
from freeform.engine.rules.safety import SafetyLimits
from freeform.forge.assemble import scenario_of, sources_of
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
from freeform.forge.premise.fates import MISSING
from freeform.forge.premise.middle import (
    is_lost,
    is_shut,
    middle_of,
    prowler_of,
    somebody_vanished,
    with_prowler,
)
from freeform.forge.premise.read import PremiseRead, read_premise
from freeform.forge.prove.holds import ForgeFault, prove
from freeform.forge.shapes.choose import (
    choose_kind,
    filled,
    named_kind,
    names_itself,
    says_one,
    scores,
    weighed,
)
from freeform.forge.shapes.happens import (
    BOUT,
    CONTEST,
    clear_turn,
    likely_turn,
    turns_of,
    with_the_turn,
    with_words,
)
from freeform.forge.shapes.keeps import LOSS, likely_of, may_be_told, tells_what_is_so
from freeform.forge.shapes.load import story_shapes
from freeform.forge.shapes.model import ShapeOpening, ShapeTruth, StoryShape
from freeform.forge.shapes.seats import is_told, seating, turns_on_ours
from freeform.forge.stages.run import StagedTelling
from freeform.language.meaning.premise import PremiseEar
from freeform.language.meaning.topics import Topics

NO_MATERIAL = ForgeMaterial()
CERTAIN = 1.0
"""Said by somebody who chose it: no word overrules that."""
_OPENINGS = 2
"""Among how many openings a seed chooses at the least."""
_PLAIN = 0.8
"""What must speak for a story for it to be told: the ear with .7, or a word and the ear with .15.
Where nothing does, the story that asserts least is told. Chosen by reading 60 strangers' premises:
of those told as another story about three in four are plainly that story."""
_OFTEN, _HEARD = 2.0, 0.15
"""How many words must speak for a story that nothing else bears out; how likely the ear must find
one that a single word speaks for."""
_LIKELY, _SURELY = 0.7, 0.9
"""How likely the ear must find a story that is told instead of one about the premise's own thing:
with a word for it, and with none."""
_ALONE = 1
"""With more people than this a premise is about them, and not about its place."""
_HEARD_AS = 0.25
"""How likely the ear must find the kinds of story that an open one is heard as, together."""
_SURE_OF_GENRE = 0.9
"""How likely the ear must find a genre that is out of the way and for which no word speaks. Of 220
premises of strangers it had 38 such. Read by hand, of the ten it was surer of seven fit, of the
next fourteen five."""
_PROWL, _HARMS = "prowl", 0.22
"""The story of what is out there and kills; how near its turn must be where the premise names a
beast or something. Of 36 premises read by hand the four that tell of one have .24 and more, the
others that name an animal at most .13."""
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
    chance = Chance(wish.seed, "forge", premise.text, ",".join(wish.packs))
    genre = _genre(wish, material, premise, chance)
    shape = _shape(premise, chance)
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
    """The premise; where there is none, the scene that a card sets."""
    if wish.premise.strip():
        return wish.premise
    return material.card.scenario if material.card else ""


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
    found = scores(said, genres)
    for id in genres_of_year(said, found):
        found[id] += _BY_YEAR
    fits = weighed(found, premise.heard.genres)
    elsewhen = genres_of_other_years(said)
    fits = {id: fit for id, fit in fits.items() if id not in elsewhen}
    if premise.heard.genres and max(premise.heard.genres.values()) < _SURE_OF_GENRE:
        fits = {id: fit for id, fit in fits.items() if found[id] or genres[id].everyday}
    return genres[choose_kind(fits, chance.at("genre"))]


def _shape(premise: PremiseRead, chance: Chance) -> StoryShape:
    """The story that was asked for, and in which the premise's own people and things are in the
    middle."""
    shapes = story_shapes()
    told = {id: shape for id, shape in shapes.items() if _can_tell(shape, premise)}
    heard = premise.heard.shapes
    learned = {id: likely_of(told[id], heard) for id in told} if heard else {}
    outright = names_itself(premise.text, told)
    said = {id: score + outright[id] for id, score in scores(premise.text, told).items()}
    found = weighed(said, learned)
    for id, likely in learned.items():
        if likely == CERTAIN:
            return told[id]
    turns = {} if is_shut(premise) else with_words(turns_of(premise), said, told)
    harms = turns.get(_PROWL, 0.0) >= _HARMS and not any(outright.values())
    turn = clear_turn(turns)
    is_own = turn in told and told[_as_it_is_held(turn, premise)].own
    if harms and prowler_of(premise) and not is_own and not said.get(CONTEST):
        return told[_PROWL]
    if turn and tells_what_is_so(turn, premise):
        return told[_as_it_is_held(turn, premise)]
    if premise.text:
        own = _about_its_thing(told, premise)
        plain = {
            id: score
            for id, score in found.items()
            if score >= _PLAIN and _is_borne_out(told[id], premise, said[id], learned.get(id))
            if not own or _is_plainly(told[id], said[id], learned.get(id, 0.0))
        }
        plain = with_the_turn(plain, turns)
        sought = ["rescue"] if somebody_vanished(premise) and not own else []
        if sought and not any(said[id] for id in plain):
            plain = {}  # whoever is missing is looked for, unless it says what else is afoot
        turned = likely_turn(turns, bool(own))
        found = plain or dict.fromkeys(turned or own or sought or _told_of_anything(told), 1.0)
        found = {id: score for id, score in found.items() if tells_what_is_so(id, premise)}
        found = found or dict.fromkeys(sought or own or _told_of_loss(premise, told), 1.0)
        if not any(tells_what_is_so(id, premise) for id in found):
            found = dict.fromkeys(_told_of_loss(premise, told), 1.0)
        found = {_as_it_is_held(id, premise): score for id, score in found.items()}
        found = filled(found, {id: seating(told[id], premise) for id in found})
    return told[choose_kind(found, chance.at("shape"))]


def _told_of_loss(premise: PremiseRead, shapes: Mapping[str, StoryShape]) -> list[str]:
    """The story of something that is gone, where the premise's own thing is."""
    middle = middle_of(premise)
    is_gone = middle is not None and middle.fate == MISSING
    return [LOSS] if is_gone else _told_of_anything(shapes)


def _as_it_is_held(id: str, premise: PremiseRead) -> str:
    """A hostage is somebody; where the premise has only a thing for it, that has a price. A contest
    that the player tells of is their own."""
    people = premise.of("person")
    if id == CONTEST and may_be_told(story_shapes()[BOUT], premise):
        return BOUT
    has_captive = len(people) > 1 or any(noun.part == "victim" for noun in people)
    return "priced" if id == "held" and premise.of("thing") and not has_captive else id


def _told_of_anything(shapes: Mapping[str, StoryShape]) -> list[str]:
    """The open story that no thing is needed for."""
    return [id for id, shape in shapes.items() if shape.open and not shape.natures]


def _about_its_thing(shapes: Mapping[str, StoryShape], premise: PremiseRead) -> list[str]:
    """The open stories that turn on such a thing, or such a place, as the premise does."""
    middle, heard = middle_of(premise), premise.heard.shapes
    if middle:
        about = {id: shape for id, shape in shapes.items() if middle.nature in shape.natures}
        return [id for id, shape in about.items() if _is_heard_as(shape, heard)]
    if len(premise.of("person")) > _ALONE:
        return []
    places = [id for id, shape in shapes.items() if _has_a_thing_for(shape, premise)]
    return [id for id in places if _is_heard_as(shapes[id], heard)]


def _has_a_thing_for(shape: StoryShape, premise: PremiseRead) -> bool:
    """Whether the story brings a thing for such a place as the premise has, where it has none."""
    sorts = {noun.sort for noun in premise.of("place")}
    return any(sorts & set(wanted.by_sort) for wanted in shape.things.values())


def _is_heard_as(shape: StoryShape, heard: Mapping[str, float]) -> bool:
    """Whether the ear hears what such a story is about; where there is no ear, it may be."""
    likely = sum(heard.get(id, 0.0) for id in shape.heard_as)
    return not heard or not shape.heard_as or likely >= _HEARD_AS


def _is_plainly(shape: StoryShape, said: float, likely: float) -> bool:
    """Whether a story is asked for so plainly that it is told instead of one that turns on the
    premise's own thing."""
    if shape.killing or (shape.instead_of and said >= 1):
        return True
    return said >= _OFTEN or likely >= _SURELY or (said >= 1 and likely >= _LIKELY)


def _is_borne_out(
    shape: StoryShape, premise: PremiseRead, said: float, likely: float | None
) -> bool:
    """One word alone is no story where the ear hears nothing of it; nor is one that turns on a
    thing where the premise has none."""
    if said >= _OFTEN:
        return True
    heard_too = likely is None or said != 1.0 or likely >= _HEARD
    return heard_too and not turns_on_ours(shape, premise)


def _can_tell(shape: StoryShape, premise: PremiseRead) -> bool:
    """A story about a killing is for premises that have one; the one in its place for others that
    have something it can turn on."""
    if not premise.text:
        return not shape.own
    if not may_be_told(shape, premise):
        return False
    if shape.instead_of:
        turns_on = [wanted for wanted in shape.things.values() if wanted.premise]
        has_it = not turns_on or bool(premise.of("thing"))
        return has_it and not _can_tell(story_shapes()[shape.instead_of], premise)
    if not shape.killing or _is_struck_down(premise):
        return True
    middle = middle_of(premise)
    is_of_animals = middle is not None and middle.nature == "creature"
    return says_one(premise.text, shape.killing) and not is_of_animals


def _is_struck_down(premise: PremiseRead) -> bool:
    """Whether somebody is gone; a late wife and a dead partner only died."""
    gone = [noun for noun in premise.of("person") if noun.is_gone]
    return any(not {"late", "dead"} & set(noun.text.lower().split()) for noun in gone)


def _opening(shape: StoryShape, premise: PremiseRead, seed: int, seated: list[str]) -> ShapeOpening:
    """One that suits whose story it is and tells of the premise's people; the next seed has
    another."""
    is_own, has_aim = premise.teller.is_own, bool(premise.clauses.aim)
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
