"""Deeds done to things and to parts of a place: each gives a ruling, or None where it is not
meant."""

from typing import Any

from freeform.language.words import word_class
from freeform.offline.rulings.clause import WordRun
from freeform.offline.rulings.deed import Deed, Effects, become
from freeform.offline.rulings.subjects import Sighted

Given = dict[str, Any] | None
_ON = ("over", "on", "onto", "upon", "along", "across", "in front of", "around")
_AGAINST = ("against", "across", "under", "in front of", "between", "beneath", "into", "in")
_TO = frozenset(
    (
        "to|over to|up to|against|across|in front of|under|towards|toward|beside|by|behind|onto|"
        "on|into|between|near|at|off|around|in"
    ).split("|")
)
_UNSEEN = ("under", "behind", "inside", "beneath", "between")
_INSIDE = ("in", "into", "under", "behind", "inside", "beneath", "between", "against")


def block(deed: Deed) -> Given:
    """`block the door`, `wedge a stool under its handle`: nothing comes through it unhindered."""
    clause, sight = deed.clause, deed.sight
    against = clause.after(*_AGAINST)
    shoved = deed.is_of("move") and against is not None and deed.says(against, "opening")
    if not (deed.is_of("block") or shoved):
        return None
    blocked, tool = sight.of(against), clause.object
    if blocked is None or blocked.kind == "own" or against is None:
        blocked, tool = sight.of(clause.object), clause.after("with") or WordRun(0, 0)
    if blocked is None or blocked.kind not in ("scenery", "thing", "place"):
        return None
    it, way = blocked.told, deed.with_what(tool)
    fact = deed.fact("block", it=it, **{"with": way})
    return deed.simply("block", become(blocked, "blocked", fact), it=it)


def cover(deed: Deed) -> Given:
    """`cover it with my coat`, `hang my coat over it`."""
    clause, sight = deed.clause, deed.sight
    if not deed.is_of("cover"):
        return None
    over = clause.after("over", "around", "across")
    plainly = deed.verb_in("cover", "shroud", "wrap", "veil", "drape")
    covered = sight.of(over) if over else sight.of(clause.object) if plainly else None
    tool = clause.object if over else clause.after("with", "in")
    if covered is None or covered.kind in ("own", "place"):
        return None
    if over and deed.verb_in("pull", "put", "throw", "lay") and not _is_cloth(deed, clause.object):
        return None
    it = covered.told
    fact = deed.fact("cover", it=it, **{"with": deed.with_what(tool)})
    return deed.simply("cover", become(covered, "covered", fact), it=it)


def _is_cloth(deed: Deed, span: WordRun) -> bool:
    """Whether something of one's own is laid over it."""
    found = deed.sight.of(span)
    return found is not None and found.kind in ("own", "mine")


def smash(deed: Deed) -> Given:
    """`smash the frame`: what is only part of the place is broken, and those here hear it."""
    clause = deed.clause
    broken = deed.sight.of(clause.object)
    if not deed.is_of("smash") or broken is None or broken.kind != "scenery":
        return None
    if deed.says(clause.object, "opening") or broken.name in word_class("pointing_back"):
        return None
    it, people = broken.told, deed.sight.people()
    effects = become(broken, "broken", deed.fact("smash", it=it))
    if people:
        return deed.simply("smash", effects, "heard", it=it, who=people[0].name)
    return deed.simply("smash", effects, it=it)


def light(deed: Deed) -> Given:
    """`light the lamp`: what can be lit, is."""
    lamp = _shining(deed, "light")
    if lamp is None:
        return None
    it = lamp.told
    effects = become(lamp, "lit", deed.fact("light", it=it))
    return deed.simply("light", effects, it=it)


def put_out(deed: Deed) -> Given:
    """`put out the lamp`: what shines, shines no longer."""
    lamp = _shining(deed, "put_out")
    if lamp is None:
        return None
    it = lamp.told
    return deed.simply("put_out", become(lamp, "dark", deed.fact("put_out", it=it)), it=it)


def _shining(deed: Deed, kind: str) -> Sighted | None:
    if not deed.is_of(kind) or not deed.says(deed.clause.object, "light"):
        return None
    found = deed.sight.of(deed.clause.object)
    return found if found and found.kind in ("mine", "thing", "scenery") else None


def wet(deed: Deed) -> Given:
    """`pour water over it`, `soak it`."""
    clause = deed.clause
    if not deed.is_of("wet"):
        return None
    on = clause.after(*_ON)
    poured = deed.verb_in("pour", "spill", "empty", "tip", "sprinkle")
    wetted = deed.sight.of(on) or (None if poured else deed.sight.of(clause.object))
    if wetted is None or wetted.kind in ("own", "person", "place"):
        return None
    it = wetted.told
    return deed.simply("wet", become(wetted, "wet", deed.fact("wet", it=it)), it=it)


def mark(deed: Deed) -> Given:
    """`scratch a cross into it`, `mark it with chalk`."""
    clause = deed.clause
    if not deed.is_of("mark"):
        return None
    on = clause.after("into", "on", "onto", "in", "across", "along", "upon")
    plainly = deed.verb_in("mark", "notch", "chalk", "paint", "scratch")
    marked = deed.sight.of(on) or (deed.sight.of(clause.object) if plainly else None)
    if marked is None or marked.kind in ("own", "person"):
        return None
    it = marked.told
    return deed.simply("mark", become(marked, "marked", deed.fact("mark", it=it)), it=it)


def fasten(deed: Deed) -> Given:
    """`tie a strip of my sleeve to the post`: a mark that others see."""
    clause = deed.clause
    to = clause.after("to", "around", "round", "onto", "on")
    if not deed.is_of("bind") or to is None or deed.sight.person(clause.object):
        return None
    tied = deed.sight.of(to)
    if tied is None or tied.kind not in ("scenery", "thing"):
        return None
    it = tied.told
    return deed.simply("fasten", become(tied, "marked", deed.fact("fasten", it=it)), it=it)


def throw(deed: Deed) -> Given:
    """`toss the chip to Dutch`, `hurl the hammer at the gate`."""
    clause, sight = deed.clause, deed.sight
    thrown = sight.of(clause.object)
    if not deed.is_of("throw") or thrown is None or thrown.kind != "mine":
        return None
    whom = sight.person(clause.after("to", "over to"))
    if whom:
        hand = {"hand": {"item": thrown.id, "source": "player", "to": whom.id}}
        return deed.simply("throw", [hand], "caught", it=thrown.told, who=whom.name)
    for where, span in clause.bound:
        aimed = sight.of(span)
        if aimed and aimed.kind in ("scenery", "thing", "place"):
            return _laid("throw", thrown, f"{_at(where)} {deed.told(span)}", deed)
    return None


def hide_thing(deed: Deed) -> Given:
    """`tuck the letter under the bench`: it lies there, and who does not know will not look; under
    one's own shawl it goes where one goes."""
    clause, sight = deed.clause, deed.sight
    hidden = sight.of(clause.object)
    plainly = deed.verb_in("hide", "tuck", "stash", "conceal", "stow", "bury", "slip")
    if not deed.is_of("hide_thing") or hidden is None:
        return None
    lies_here = hidden.kind == "thing" and _lies_here(hidden, deed)
    if hidden.kind != "mine" and not lies_here:
        return None
    for where, span in clause.bound:
        spot = sight.of(span)
        is_worn = deed.told(span).startswith("your ") or (spot and spot.kind == "own")
        out_of_sight = ((plainly or is_worn) and where in _INSIDE) or where in _UNSEEN
        if not out_of_sight or not (spot or is_worn) or (spot and spot.kind == "person"):
            continue
        if lies_here and not is_worn:
            continue
        place = f"{_at(where)} {deed.told(span)}"
        fact = deed.fact("hide_thing", it=hidden.told, spot=place)
        effects = become(hidden, "hidden", fact)
        if not is_worn:
            effects.insert(0, {"put": {"item": hidden.id, "spot": place}})
        elif lies_here:
            effects.insert(0, _taken(hidden, deed))
        return deed.simply("hide_thing", effects, it=hidden.told, spot=place)
    return None


def move_thing(deed: Deed) -> Given:
    """`drag the bench to the door`, `leave the letter on the table`: there it is now."""
    clause, sight = deed.clause, deed.sight
    moved = sight.of(clause.object)
    placing = deed.verb_in("put", "leave", "lay", "place", "set", "drop")
    if moved is None or not (deed.is_of("move") or (placing and moved.kind == "mine")):
        return None
    if moved.kind not in ("thing", "scenery", "mine"):
        return None
    for where, span in clause.bound:
        there = sight.of(span)
        if where in _TO and there and there.kind in ("scenery", "thing", "place"):
            return _laid("move", moved, f"{_at(where)} {deed.told(span)}", deed)
    return None


def _at(where: str) -> str:
    """Where a thing is once it was moved there: to the door, it stands by it."""
    towards = ("to", "over to", "up to", "towards", "toward", "at", "near")
    return "by" if where in towards else {"into": "in", "onto": "on"}.get(where, where)


def _laid(kind: str, thing: Sighted, spot: str, deed: Deed) -> Given:
    text = deed.fact(kind, it=thing.told, spot=spot)
    effects: Effects = [*thing.effects(), {"put": {"item": thing.id, "spot": spot, "text": text}}]
    return deed.simply(kind, effects, it=thing.told, spot=spot)


def take_up(deed: Deed) -> Given:
    """`sling the pole across my back`: what lies here is carried."""
    clause = deed.clause
    taken = deed.sight.of(clause.object)
    if not deed.is_of("take_up") or taken is None or taken.kind != "thing":
        return None
    if not _lies_here(taken, deed):
        return None
    return deed.simply("take_up", [_taken(taken, deed)], it=taken.told)


def _lies_here(thing: Sighted, deed: Deed) -> bool:
    """Whether nobody holds it and one could pick it up."""
    hearing = deed.clause.hearing
    rows = hearing.packet.inventory
    here = hearing.cast.here
    return any(row.get("item_id") == thing.id and row.get("owner_id") == here for row in rows)


def _taken(thing: Sighted, deed: Deed) -> dict[str, Any]:
    source = deed.clause.hearing.cast.here
    return {"hand": {"item": thing.id, "source": source, "to": "player"}}


def signal(deed: Deed) -> Given:
    """`wave at the light in the grille`: whoever watches there has seen it."""
    clause, sight = deed.clause, deed.sight
    if not deed.is_of("signal"):
        return None
    to = clause.after("at", "to", "for", "towards", "toward")
    seen = sight.of(to) or sight.of(clause.object)
    if seen is None or seen.kind in ("own", "mine"):
        return None
    it = seen.told
    words = f" to {deed.told(WordRun(to.first, clause.rest.first))}" if to else ""
    effects = become(seen, "signalled", deed.fact("signal", it=it, to=words), turns=6)
    group = "someone" if seen.kind == "person" else "so"
    return deed.simply("signal", effects, group, it=it)


def disguise(deed: Deed) -> Given:
    """`pull my hood over my face`, `disguise myself as a docker`."""
    clause = deed.clause
    if not deed.is_of("disguise"):
        return None
    dressed = deed.verb_in("dress") and clause.after("as", "like")
    if not dressed and not any(_is_ones_own_face(deed, span) for span in _spans(deed)):
        return None
    found = deed.sight.of(clause.object)
    if found and found.kind in ("thing", "scenery", "mine", "person"):
        return None  # `wrap the lamp in my scarf`: it is not oneself who is wrapped
    me = Sighted("own", "player", "you")
    return deed.simply("disguise", become(me, "disguised", deed.fact("disguise")))


def _is_ones_own_face(deed: Deed, span: WordRun) -> bool:
    """`my hood`, `myself`; not Jin's face on the back of my hand."""
    said = set(deed.clause.plain_words(span))
    return bool({"my", "myself"} & said) and deed.says(span, "face")


def _spans(deed: Deed) -> list[WordRun]:
    return [deed.clause.object, *(span for _, span in deed.clause.bound)]
