"""A turn told in the third person, said again in the first."""

import pytest

from freeform.engine.authored.library import load_system
from freeform.engine.passes import InterpreterInput
from freeform.engine.world.model import ContextPacket
from freeform.language.forms import base_form
from freeform.offline.interpreter.build import RulesListener
from freeform.offline.referee.retell import in_first_person

ROWS = [
    {"id": "player", "type": "pc", "name": "Maren Holt", "attrs": {"pronouns": "she/her"}},
    {"id": "t:ilse", "type": "npc", "name": "Sister Ilse", "attrs": {"pronouns": "she/her"}},
    {"id": "t:obed", "type": "npc", "name": "Obed", "attrs": {"pronouns": "he/him"}},
]


def retold(text: str) -> str:
    packet = ContextPacket(entities=ROWS, present_entities=["player", "t:ilse", "t:obed"])
    verbs = {name: kind.verbs for name, kind in load_system("osr").action_types.items()}
    heard = InterpreterInput(player_input=text, context_packet=packet, action_types=verbs)
    listener = RulesListener(heard)
    return in_first_person(listener.begun(text))


@pytest.mark.parametrize(
    ("told", "own"),
    [
        ("Maren leans over and asks Obed why", "I lean over and ask Obed why"),
        ("She took off her wet coat and waited.", "I took off my wet coat and waited."),
        ("Maren took his hand. She held it.", "I took his hand. I held it."),
        ('"Open," said Maren, "now!"', 'said I, "Open, now!"'),
        # Another who goes by the same word is meant once named.
        ("Ilse lifted her lamp. She stared.", "Ilse lifted her lamp. She stared."),
        ("I look at her", "I look at her"),
        ("she's lying to us", "she's lying to us"),
        ("who is Maren?", "who is Maren?"),
    ],
)
def test_the_hero_is_i_and_nobody_else_is(told: str, own: str) -> None:
    assert retold(told) == own


@pytest.mark.parametrize(
    ("form", "verb"),
    [
        ("leans", "lean"), ("crosses", "cross"), ("carries", "carry"), ("drew", "draw"),
        ("hopped", "hop"), ("hoped", "hope"), ("raised", "raise"), ("pulled", "pull"),
        ("walk", "walk"), ("his", "his"), ("laid", "lay"),
    ],
)  # fmt: skip
def test_a_verbs_form_is_led_back_to_the_verb(form: str, verb: str) -> None:
    assert base_form(form) == verb
