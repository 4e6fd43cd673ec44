"""Buying, paying, bribing and selling: small money is what everyone has about them. Each gives a
ruling, or None where it is not meant."""

from typing import Any

from freeform.core.text import slug
from freeform.engine.world.state import PLAYER
from freeform.language.forms import participle
from freeform.language.words import word_class
from freeform.offline.interpreter.lexicon import lexicon
from freeform.offline.rulings.clause import WordRun
from freeform.offline.rulings.deed import Deed, Effects, become
from freeform.offline.rulings.subjects import Sighted

Given = dict[str, Any] | None
_MOST = 100
"""What one has about one, of whatever is counted; more than that nobody simply has."""
_LONGEST = 3


def sell(deed: Deed) -> Given:
    """`sell my pen to Orla`: it changes hands for money, if it is wanted."""
    clause, sight = deed.clause, deed.sight
    sold = sight.of(clause.object)
    whom = sight.person(clause.after("to")) or sight.person(clause.object)
    if not deed.is_of("sell") or sold is None or sold.kind != "mine" or whom is None:
        return None
    money = {"id": f"{sight.here}/money", "name": "money", "held_by": PLAYER}
    text = f"What {whom.name} gave you for {sold.told}."
    effects: Effects = [
        {"hand": {"item": sold.id, "source": PLAYER, "to": whom.id}},
        {"appear": {**money, "text": text, "comes": "bought"}},
    ]
    stakes = f"whether {whom.name} buys it"
    return deed.rolled(
        "sell", effects, [{"minutes": 5}], stakes, who=whom.name, it=sold.told, told=""
    )


def bribe(deed: Deed) -> Given:
    """`bribe Orla with ten pounds to look away`: taken or not, it is known what for."""
    clause = deed.clause
    whom, sum = _to_whom(deed), _sum(deed)
    asked = deed.told(clause.rest).strip(" .")
    plainly = deed.is_of("bribe") or (deed.is_of("pay") and asked.startswith("to "))
    if not plainly or whom is None or not sum or not asked:
        return None
    text = deed.fact("bribe", who=whom.name, what=asked)
    effects = become(whom, "bribed", text)
    price: Effects = [{"trust": {"who": whom.id, "delta": -1}}]
    return deed.rolled(
        "bribe", effects, price, f"whether {whom.name} takes it", who=whom.name, what=asked
    )


def pay_sum(deed: Deed) -> Given:
    """`pay Orla five coins for the soup`, `tip her`, `give Dutch some money`."""
    whom, sum = _to_whom(deed), _sum(deed)
    if whom is None or not sum or not (deed.is_of("pay") or deed.verb_in("give", "hand", "lend")):
        return None
    thing = any_thing(deed, deed.clause.after("for"))
    done = participle(deed.clause.plain_words(deed.clause.whole)[0])
    effects = become(whom, done, deed.fact("pay_sum", who=whom.name, sum=sum))
    pleased: Effects = [{"trust": {"who": whom.id, "delta": 1}}]
    if thing is None or not deed.is_cheap(thing["name"]):
        return deed.simply("pay_sum", [*effects, *pleased], who=whom.name)
    had = {**thing, "text": f"You had it of {whom.name}."}
    return deed.simply("buy", [*effects, {"appear": had}], who=whom.name, it=f"the {thing['name']}")


def buy(deed: Deed) -> Given:
    """`buy a loaf from Orla`, `buy some tea`: whoever is here lets one have it."""
    clause, sight = deed.clause, deed.sight
    here = sight.people()
    whom = sight.person(clause.after("from", "of", "off")) or (here[0] if here else None)
    thing = any_thing(deed, clause.object)
    named = sight.person(clause.object)
    if not deed.is_of("buy") or whom is None or thing is None or named is not None:
        return None
    if not (deed.is_cheap(thing["name"]) or sight.of(clause.object)):
        plainly = deed.verb_in("buy", "purchase")  # who gets or orders it may mean something else
        return deed.simply("buy", [], "failed", who=whom.name) if plainly else None
    had = {**thing, "text": f"You bought it of {whom.name}."}
    it = f"the {thing['name']}"
    fact = deed.fact("buy", who=whom.name, it=it)
    effects: Effects = [{"appear": had}, *become(whom, "paid", fact)]
    return deed.simply("buy", effects, who=whom.name, it=it)


def _to_whom(deed: Deed) -> Sighted | None:
    return deed.sight.person(deed.clause.object) or deed.sight.person(deed.clause.after("to"))


def _sum(deed: Deed) -> str:
    """The money of which the words speak, as the game master says it; a tip is some. '' where there
    is none, or more than anyone has about them."""
    clause = deed.clause
    for span in (clause.after("with"), clause.object):
        if span is None or not deed.says(span, "money"):
            continue
        said, found = clause.plain_words(span), deed.sight.of(span)
        counts = [w for w in said if w.isdecimal() or w in lexicon().numbers or w == "some"]
        if found is not None and found.kind in ("mine", "thing") and not counts:
            return ""  # a thing of its own, which changes hands as such
        if any(int(word) > _MOST for word in counts if word.isdecimal()):
            return ""
        coins = [word for word in said if deed.is_noun(word, "money")]
        return " ".join([*counts[:1], *coins[:1]])
    return "something" if deed.verb_in("tip", "reward", "bribe") else ""


def any_thing(deed: Deed, span: WordRun | None) -> dict[str, Any] | None:
    """What is bought, where it is any of its kind and none that is in sight."""
    if span is None or span.first >= span.last:
        return None
    said = deed.clause.plain_words(span)
    if said[0] not in word_class("any_of_a_kind"):
        return None
    ends = word_class("deed_places") | word_class("deed_ends") | {"of"}
    kept = [word for word in said if word not in word_class("determiners") and word.isalpha()]
    if "of" in kept:
        kept = kept[kept.index("of") + 1 :]  # of `a loaf of bread`, the bread
    cut = next((at for at, word in enumerate(kept) if word in ends), len(kept))
    name = " ".join(kept[:cut])
    if not name or cut > _LONGEST:
        return None
    here = deed.sight.here
    return {"id": f"{here}/{slug(name)}", "name": name, "held_by": PLAYER, "comes": "bought"}
