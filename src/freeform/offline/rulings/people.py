"""Deeds done to people, or agreed with them: each gives a ruling, or None where it is not meant."""

from typing import Any

from freeform.core.text import slug
from freeform.language.forms import is_plural
from freeform.offline.rulings.clause import WordRun
from freeform.offline.rulings.deed import Deed, Effects, become, listed
from freeform.offline.rulings.subjects import Sighted

Given = dict[str, Any] | None
_TELLING = 2
"""Words that a promise has at least."""
_COMING = frozenset({"come", "follow", "join", "accompany"})
_STAYING = frozenset({"wait", "stay", "remain"})
_WATCHING = frozenset({"watch", "guard", "keep", "mind", "look"})
_HANDS = frozenset({"hand", "hands", "arm", "arms", "shoulder", "head", "hair", "back"})
_TRADING = frozenset({"trade", "exchange", "return", "swap"})
_LONGEST_ID = 40
_MOST_EYES = 4


def promise(deed: Deed) -> Given:
    """`I promise Obed that …`: a word given stands until it is kept."""
    clause = deed.clause
    given = deed.verb_in("give") and "word" in clause.plain_words(clause.object)
    if not (deed.is_of("promise") or given):
        return None
    whom = deed.sight.person(WordRun(clause.whole.first, _first_rest(deed)))
    said = _promised(deed, whom)
    if len(said.split()) < _TELLING or (whom is None and _to_someone_away(deed)):
        return None  # who swears loudly promises nothing
    to = whom.name if whom else "aloud"
    text = f"You promised {to}: {said}."
    new = {"id": slug(said)[:_LONGEST_ID], "to": whom.id if whom else "", "text": text}
    group, who = ("someone", whom.name) if whom else ("so", "")
    return deed.simply("promise", [{"promise": new}], group, told=text, who=who)


def _to_someone_away(deed: Deed) -> bool:
    """Whether the one it is made to is not here to hear it."""
    hearing, first = deed.clause.hearing, deed.clause.whole.first + 1
    named = [m.best("person") for m in hearing.mentions if m.first == first]
    if any(one.kind == "person" for one in named):
        return True
    said = hearing.typed.phrase(first, first + 1)
    return said[:1].isupper() and not said.startswith("I")


def _first_rest(deed: Deed) -> int:
    """Someone a promise is made to stands among its first words."""
    return min(deed.clause.whole.first + 6, deed.clause.whole.last)


def _promised(deed: Deed, whom: Sighted | None) -> str:
    """What was promised, as the game master says it."""
    hearing, whole = deed.clause.hearing, deed.clause.whole
    begins = whole.first + 1
    if whom:
        last = [m.last for m in hearing.mentions if m.best("person").id == whom.id]
        begins = last[0] if last else begins + 1
    while hearing.plain(begins) in ("that", "to", "him", "her", "them", ","):
        begins += 1
    return deed.told(WordRun(begins, whole.last)) if begins < whole.last else ""


def come_along(deed: Deed) -> Given:
    """`tell Dutch to come with me`, `take Obed along`."""
    words = _all_words(deed)
    whom = _told_to(deed, "come_along")
    if deed.verb_in("come", "follow", "join"):
        whom = deed.sight.person(WordRun(0, len(deed.clause.hearing.typed.tokens)))
    taken = deed.verb_in("take", "bring") and "with" in words and "me" in words
    bidden = bool(_COMING & words) and bool({"me", "us", "along"} & words)
    if whom is None or not (
        taken or bidden or (deed.verb_in("take", "bring") and "along" in words)
    ):
        return None
    stakes = f"whether {whom.name} comes along"
    effects: Effects = [{"join": whom.id}]
    return deed.rolled("come_along", effects, [{"minutes": 5}], stakes, who=whom.name)


def stay_here(deed: Deed) -> Given:
    """`tell Dutch to wait here`."""
    whom = _told_to(deed, "stay_here")
    if whom is None or not _STAYING & _all_words(deed) or _COMING & _all_words(deed):
        return None
    text = deed.fact("stay_here", who=whom.name)
    effects = [{"part": whom.id}, *become(whom, "watching", text)]
    return deed.simply("stay_here", effects, who=whom.name)


def keep_watch(deed: Deed) -> Given:
    """`ask Dutch to keep an eye on the street`."""
    whom = _told_to(deed, "keep_watch")
    words = _all_words(deed)
    if (
        whom is None
        or not _WATCHING & words
        or not {"eye", "eyes", "watch", "guard", "out"} & words
    ):
        return None
    text = deed.fact("keep_watch", who=whom.name)
    return deed.simply("keep_watch", become(whom, "watching", text), who=whom.name)


def _told_to(deed: Deed, kind: str) -> Sighted | None:
    """The one who is bidden to do something; None where nobody is."""
    if not deed.is_of(kind):
        return None
    to = deed.clause.after("to")
    return deed.sight.person(deed.clause.object) or deed.sight.person(to)


def _all_words(deed: Deed) -> set[str]:
    return set(deed.clause.plain_words(deed.clause.whole))


def comfort(deed: Deed) -> Given:
    """`comfort him`, `put a hand on her shoulder`."""
    clause = deed.clause
    if not deed.is_of("comfort"):
        return None
    whom = deed.sight.person(clause.object)
    touched = deed.sight.person(clause.after("on", "around", "to", "round"))
    words = _all_words(deed)
    by_hand = deed.verb_in("put", "lay", "hold", "stroke")
    if by_hand and not _HANDS & set(clause.plain_words(clause.object)):
        return None  # `put a hand on his shoulder`; not `put him over my shoulder`
    if deed.verb_in("hum", "sing"):
        whom, touched = None, deed.sight.person(clause.after("to", "for"))
    if deed.verb_in("hold") and {"above", "up", "water"} & words:
        return None
    whom = whom or touched
    if whom is None:
        return None
    text = deed.fact("comfort", who=whom.name)
    effects = [*become(whom, "comforted", text, turns=6), _warmer(whom)]
    return deed.simply("comfort", effects, who=whom.name)


def teach(deed: Deed) -> Given:
    """`teach Obed to breathe with the bell`, `show Dutch how to pick a lock`."""
    clause = deed.clause
    if not deed.is_of("teach") or (
        deed.verb_in("show", "explain") and "how" not in _all_words(deed)
    ):
        return None
    whom = deed.sight.person(clause.object) or deed.sight.person(clause.after("to"))
    if whom is None:
        return None
    last = [m.last for m in clause.hearing.mentions if m.best("person").id == whom.id]
    begins = last[0] if last else clause.object.first + 1
    what = deed.told(WordRun(begins, clause.whole.last)) or "something"
    text = deed.fact("teach", who=whom.name, what=what)
    return deed.simply("teach", [*become(whom, "taught", text), _warmer(whom)], who=whom.name)


def pay(deed: Deed) -> Given:
    """`pay Dutch with the chip`."""
    clause = deed.clause
    whom = deed.sight.person(clause.object) or deed.sight.person(clause.after("to"))
    coin = deed.sight.of(clause.after("with")) or deed.sight.of(clause.object)
    if not deed.is_of("pay") or whom is None or coin is None or coin.kind != "mine":
        return None
    if any(word.isdecimal() for word in _all_words(deed)):
        return None  # a part of it, which leaves the rest: `money.py`
    hand = {"hand": {"item": coin.id, "source": "player", "to": whom.id}}
    return deed.simply("pay", [hand, _warmer(whom)], who=whom.name)


def trade(deed: Deed) -> Given:
    """`swap the letter with Obed for his pole`: both change hands, or neither."""
    clause, sight = deed.clause, deed.sight
    offered = deed.verb_in("offer") and bool(_TRADING & _all_words(deed))
    if not (deed.is_of("trade") or offered):
        return None
    mine = _mine_in(deed)
    whom = sight.person(clause.after("with", "to")) or sight.person(clause.whole)
    wanted = sight.of(clause.after("for"))
    if mine is None or mine.kind != "mine" or whom is None or wanted is None:
        return None
    if wanted.kind != "thing":
        return None
    owner = _owner(wanted, deed)
    give = {"hand": {"item": mine.id, "source": "player", "to": whom.id}}
    get = {"hand": {"item": wanted.id, "source": owner, "to": "player"}}
    stakes = f"whether {whom.name} takes the trade"
    return deed.rolled("trade", [give, get], [{"minutes": 5}], stakes, who=whom.name)


def _mine_in(deed: Deed) -> Sighted | None:
    """The thing of one's own that an offer names beside the one it is made to."""
    for ref in deed.clause.hearing.references(deed.clause.object.first, deed.clause.object.last):
        found = deed.sight.of(WordRun(ref.first, ref.last))
        if found and found.kind == "mine":
            return found
    return None


def _owner(thing: Sighted, deed: Deed) -> str:
    rows = deed.clause.hearing.packet.inventory
    return next((str(row["owner_id"]) for row in rows if row.get("item_id") == thing.id), "")


def bind(deed: Deed) -> Given:
    """`tie him to the post`, `bind her hands`."""
    if not deed.is_of("bind"):
        return None
    whom = deed.sight.person(deed.clause.object)
    if whom is None:
        return None
    effects = become(whom, "bound", deed.fact("bind", who=whom.name))
    price: Effects = [{"trust": {"who": whom.id, "delta": -1}}]
    stakes = f"whether {whom.name} lets it happen"
    return deed.rolled("bind", effects, price, stakes, who=whom.name)


def carry_person(deed: Deed) -> Given:
    """`carry Obed to the gate`: they come along, whether they can walk or not."""
    whom = deed.sight.person(deed.clause.object)
    if not deed.is_of("carry_person") or whom is None:
        return None
    text = deed.fact("carry_person", who=whom.name)
    effects = [{"join": whom.id}, *become(whom, "carried", text, turns=4)]
    stakes = f"whether you can lift {whom.name}"
    return deed.rolled("carry_person", effects, [{"minutes": 5}], stakes, who=whom.name)


def distract(deed: Deed) -> Given:
    """`throw a glass to get them looking that way`."""
    if not deed.is_of("distract"):
        return None
    plainly = deed.verb_in("distract", "divert")
    if not plainly and not _draws_eyes(deed):
        return None
    eyes = _whose_eyes(deed, plainly)
    if not eyes:
        return None
    effects: Effects = []
    for who in eyes[:_MOST_EYES]:
        fact = deed.fact("distract", who=who.told, **{"is": "is"})
        effects += become(who, "distracted", fact, turns=3)
    me = Sighted("own", "player", "you")
    price = become(me, "conspicuous", "You are conspicuous: that drew eyes to you.", 3)
    one = len(eyes) == 1 and (eyes[0].kind == "person" or not is_plural(eyes[0].name))
    verbs = {"is": "is" if one else "are", "looks": "looks" if one else "look"}
    return deed.rolled("distract", effects, price, "whose eyes go where", who=listed(eyes), **verbs)


def _draws_eyes(deed: Deed) -> bool:
    """Whether what it is for is that others look or listen."""
    clause = deed.clause
    return deed.says(clause.rest, "purpose") or deed.says(clause.object, "purpose")


def _whose_eyes(deed: Deed, plainly: bool) -> list[Sighted]:
    """Those who are named, else everyone here."""
    clause = deed.clause
    named = deed.sight.of(clause.object) if plainly else deed.sight.of(clause.rest)
    if named and named.kind in ("person", "scenery", "thing"):
        return [named]
    return deed.sight.people()


def wait_for(deed: Deed) -> Given:
    """`wait with Dutch till he is ready`, `wait for the first of them`."""
    clause = deed.clause
    beside = deed.sight.person(clause.after("with", "beside"))
    whom = beside or deed.sight.of(clause.after("for"))
    if not deed.is_of("wait_for") or whom is None or whom.kind in ("own", "mine"):
        return None
    me = Sighted("own", "player", "you")
    text = deed.fact("wait_for", who=whom.told)
    effects = [{"minutes": 10}, *become(me, "waiting", text, turns=2)]
    return deed.simply("wait_for", effects, who=whom.told)


def look_after(deed: Deed) -> Given:
    """`stand guard over Obed`, `hold his head above the water`."""
    clause = deed.clause
    if not deed.is_of("look_after") and not deed.verb_in("stand"):
        return None
    standing = deed.verb_in("stand", "keep")
    if standing and not {"guard", "watch"} & _all_words(deed):
        return None
    if deed.verb_in("hold", "steady", "support") and not {"up", "above", "upright"} & _all_words(
        deed
    ):
        return None
    over = clause.after("over", "around", "in front of", "beside")
    whom = deed.sight.person(clause.object) or deed.sight.of(over) or deed.sight.of(clause.object)
    if whom is None or whom.kind in ("own", "mine", "place"):
        return None
    text = deed.fact("look_after", who=whom.told)
    return deed.simply("look_after", become(whom, "guarded", text, turns=6), who=whom.told)


def _warmer(whom: Sighted) -> dict[str, Any]:
    return {"trust": {"who": whom.id, "delta": 1}}
