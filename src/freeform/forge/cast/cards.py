"""A character card in the cast: who it is, and the premise without them."""

import re
from dataclasses import replace

from freeform.core.chance import Chance
from freeform.forge.cast.names import gendered, is_she
from freeform.forge.model import WishCard
from freeform.forge.premise.kinds import ends_as_people, known_kind
from freeform.forge.premise.nouns import PremiseNoun
from freeform.forge.premise.read import PremiseRead
from freeform.forge.premise.teller import PremiseTeller

_FURTHER = r"(?= (?:of|in|on|at|who|that|with|from|to)\b|[.,;])"
_IS_A = re.compile(
    rf"(?:is |was )?(?:an? |the )?([A-Za-z][\w'’ -]{{2,40}}?){_FURTHER}", re.IGNORECASE
)
_SHE, _HE = frozenset("she her hers herself".split()), frozenset("he him his himself".split())


def beside_card(premise: PremiseRead, card: WishCard, is_wished: bool) -> PremiseRead:
    """The premise without whom the card brings; a scene that a card sets tells of nobody whom one
    plays."""
    called = set(card.name.split())
    nouns = [noun for noun in premise.nouns if not _is_of_card(noun, called)]
    teller = premise.teller if is_wished else PremiseTeller(is_own=premise.teller.is_own)
    return replace(premise, nouns=tuple(nouns), teller=teller)


def card_is_she(card: WishCard, chance: Chance) -> bool:
    """By the pronouns said of them, then by the first word that is a woman's or a man's."""
    said = re.findall(r"[a-z]+", f"{card.name} {card.description} {card.personality}".lower())
    she = sum(word in _SHE for word in said)
    he = sum(word in _HE for word in said)
    if she != he:
        return she > he
    head = next((word for word in said if gendered(word)), "")
    return is_she(head, chance)


def card_trade(card: WishCard) -> str:
    """What they are, where the card begins with it: `A retired bell-founder who …`; '' else."""
    found = _IS_A.match(card.description.removeprefix(card.name).strip())
    last = found[1].split()[-1].lower() if found else ""
    known = known_kind(last)
    is_somebody = known[0] == "person" if known else ends_as_people(last)
    return f"{found[1][0].lower()}{found[1][1:]}" if found and is_somebody else ""


def _is_of_card(noun: PremiseNoun, called: set[str]) -> bool:
    """Whether a noun is the one whom the card brings: by all its words, or a person by one."""
    words = set(noun.text.split())
    return words <= called or (noun.kind == "person" and bool(words & called))
