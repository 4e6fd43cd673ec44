"""What a program that draws is told: what the character sees or knows, within lines and veils.

Pure. Everything comes out of the player's own views, so that no picture can show what its player
could not read; each sentence is held against lines, veils and secrets, and what touches one is left
out.
"""

from collections.abc import Sequence
from typing import NamedTuple

from freeform.core.errors import NotFound, UserError
from freeform.core.llm.usage import Usage
from freeform.core.text import shorten, visible
from freeform.engine.rules.safety import SafetyLimits
from freeform.engine.table import Rules
from freeform.engine.world.names import words
from freeform.engine.world.state import PLAYER, GameState
from freeform.language.sentences import sentences
from freeform.services.pictures.kept import PictureKind
from freeform.services.views import player
from freeform.services.views.records import EntityView

LONGEST = 1200
_MOMENT, _MOST_FACTS, _MOST_PEOPLE = 400, 4, 6
_ALWAYS_OUT = ("text", "letters", "watermark", "frame")
_KINDS: dict[str, PictureKind] = {
    "npc": "person",
    "pc": "person",
    "creature": "person",
    "location": "place",
}


class PictureText(NamedTuple):
    """What is asked for: whom or what it shows, and the words for it."""

    kind: PictureKind
    of: str
    name: str
    prompt: str
    leave_out: list[str]


class Looked(NamedTuple):
    """From where something is looked at: the state then, the rules, the limits that hold now."""

    state: GameState
    rules: Rules
    limits: SafetyLimits
    style: str


def scene_words(looked: Looked, moment: str) -> PictureText:
    """The scene as it stands; `moment` is what was last told of it."""
    seen = player.table(looked.state, looked.rules, Usage())
    people = [
        f"{someone.name}, {_bare(someone.description or someone.role)}"
        for someone in seen.here[:_MOST_PEOPLE]
    ]
    texts = [
        f"{seen.scene.name}.",
        seen.scene.description,
        f"Of the time: {seen.scene.time}.",
        *(f"There is {_bare(person)}." for person in people),
        f"The one who looks on is {seen.hero.name}, {_bare(seen.hero.concept)}.",
    ]
    told = _fit(texts, looked.limits)
    now = _fit([shorten(moment, _MOMENT)], looked.limits) if moment else ""
    if not told and not now:
        raise _nothing_left(seen.scene.name)
    told = f"{told} What happens: {now}" if now else told
    return _told("scene", "", seen.scene.name, told, looked)


def thing_words(looked: Looked, wanted: str) -> PictureText:
    """Someone or something the character has heard of, by id or as they call it."""
    row = _find(wanted, player.world(looked.state, looked.rules, []).entities)
    known = [fact.text for fact in row.facts[-_MOST_FACTS:]]
    if row.id == PLAYER:
        known.insert(0, player.table(looked.state, looked.rules, Usage()).hero.concept)
    about = row.description
    if row.type == "location" and looked.state.value(row.id, "visited"):
        about = looked.rules.place(row.id).description.strip() or about
    told = _fit([f"{row.name}.", about, *known], looked.limits)
    if not told:
        raise _nothing_left(row.name)
    return _told(_KINDS.get(row.type, "thing"), row.id, row.name, told, looked)


def _told(kind: PictureKind, of: str, name: str, told: str, looked: Looked) -> PictureText:
    genre = looked.rules.scenario.genre.replace("_", " ").strip()
    what = {"scene": "A scene", "person": "A portrait", "place": "A place"}.get(kind, "A thing")
    begun = f"{visible(looked.style)}. {what}{f' of a {genre} story' if genre else ''}. "
    prompt = f"{begun}{shorten(told, LONGEST - len(begun))}"
    limits = [*looked.limits.lines, *looked.limits.veils]
    return PictureText(kind, of, name, prompt, list(dict.fromkeys([*limits, *_ALWAYS_OUT])))


def _find(wanted: str, rows: Sequence[EntityView]) -> EntityView:
    """By its id, or by the words it is called with; NotFound for whatever is not known of."""
    heard = words(wanted)
    for row in rows:
        if row.id == wanted:
            return row
    for row in rows:
        if heard and heard == words(row.name):
            return row
    raise NotFound(
        f"you know of nobody and nothing called '{shorten(visible(wanted), 60)}'; World lists them"
    )


def _fit(texts: Sequence[str], limits: SafetyLimits) -> str:
    """The sentences that touch no line, no veil and no secret, each once."""
    each = [one.strip() for text in texts for one in sentences(visible(text)) if one.strip()]
    return " ".join(limits.allow_each(list(dict.fromkeys(each))))


def _bare(text: str) -> str:
    return text.strip().rstrip(".")


def _nothing_left(name: str) -> UserError:
    return UserError(f"nothing of {name} may be shown within this table's lines and veils")
