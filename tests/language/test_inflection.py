"""Forms of words: which are one word, and which only look alike."""

import pytest

from freeform.language.forms import participle
from freeform.language.inflection import akin, lemma, singular

ONE_WORD = """knives knife|stabbing stabs|stabbed stab|witches witch|wolves wolf|thieves thief|bleeding bled|suffocating suffocated
dying dies|dying died|lying lies|spiders spider|hanging hanged|drowned drowning|rats rat|mice mouse|children child|babies baby
teeth tooth|drugged drugs|burning burnt|shooting shot|fighting fought|beaten beating|cutting cuts|eaten eating|drunk drinking
sworn swearing|crying cried|cockroaches cockroach|whipped whipping|buried burying|sacrifices sacrificing|freezing frozen
falling fell|stolen stealing|dwarves dwarf|fled flee|slain slay|bitten biting|torn tear|wept weep|hidden hiding|axes axe
paralyse paralyzed|analysing analyze|tumour tumors|armour armor|organise organized|organisation organizing|theatre theaters|travelled traveling|grey grays
whisky whiskeys|haemorrhage hemorrhaging|installed install|controlled control|killed kill|torturer torture|execution executed
amputation amputated|suffocation suffocating|cannibalism cannibals|murderer murders"""
TWO_WORDS = """rats rating|rat rate|blood bleed|news new|wing win|king kin|bed be|need ne|princess prince|mass mas|universe university
animal animated|execution executive|organ organise|policy police|arm army|past paste|rape grape|needle need|stable stab
slaughter laughter|dog dogma|cat cattle|dice die|wound wind|bit bite|saw see|rapid rape|needless needle|rather rat|ration rat"""


def pairs(listed: str) -> list[tuple[str, str]]:
    rows = listed.replace("\n", "|").split("|")
    return [(one, other) for one, other in (row.split() for row in rows)]


@pytest.mark.parametrize(("one", "other"), pairs(ONE_WORD))
def test_forms_of_one_word_are_one(one: str, other: str) -> None:
    assert lemma(one) == lemma(other)
    assert akin(one, other)
    assert akin(other, one)


@pytest.mark.parametrize(("one", "other"), pairs(TWO_WORDS))
def test_words_that_only_look_alike_are_two(one: str, other: str) -> None:
    assert not akin(one, other)
    assert not akin(other, one)


PLURALS = """witches witch|houses house|zombies zombie|babies baby|axes axe|boxes box|heroes hero|shoes shoe|buses bus|viruses virus
glasses glass|series series|wolves wolf|men man|princess princess|princesses princess|bus bus|corpses corpse|torches torch
aches ache|lens lens|lenses lens|lies lie|flies fly|keys key|crossings crossing|causes cause|gas gas|eyes eye|ashes ash"""


@pytest.mark.parametrize(("many", "one"), pairs(PLURALS))
def test_a_noun_is_led_back_to_one_of_its_kind(many: str, one: str) -> None:
    assert singular(many) == one
    assert singular(one) == one


@pytest.mark.parametrize("verb", ["stabbing", "crossed", "clearing", "went", "bled"])
def test_a_verb_is_no_plural(verb: str) -> None:
    assert singular(verb) == verb


@pytest.mark.parametrize(
    ("verb", "done"),
    [
        ("polishes", "polished"),
        ("drew", "drawn"),
        ("bind", "bound"),
        ("cut", "cut"),
        ("tied", "tied"),
        ("drop", "dropped"),
        ("wedge", "wedged"),
        ("feed", "fed"),
        ("light", "lit"),
        ("weed", "weeded"),
        ("sees", "seen"),
    ],
)
def test_what_a_verb_was_done_to_is_its_participle(verb: str, done: str) -> None:
    assert participle(verb) == done
