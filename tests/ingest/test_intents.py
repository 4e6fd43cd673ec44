"""What a chapter is for, and how sure that is: a title with two meanings is doubted more than one with a single one."""

from freeform.ingest.structure.intents import intent_of


def test_a_title_that_could_be_two_things_is_less_sure() -> None:
    intent, sure = intent_of("Monsters", [])
    both, doubted = intent_of("Monsters and Spells", [])
    assert intent == both
    assert doubted < sure <= 0.98


def test_a_title_that_says_nothing_is_setting_and_a_guess() -> None:
    intent, sure = intent_of("Xyzzy", [])
    assert (intent.value, sure) == ("SETTING", 0.2)
