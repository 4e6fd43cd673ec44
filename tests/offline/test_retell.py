"""A turn told in the third person, said again in the first."""

from typing import Any

import pytest

from freeform.engine.authored.library import load_system
from freeform.engine.passes import InterpreterInput
from freeform.engine.world.model import ContextPacket
from freeform.language.forms import base_form
from freeform.offline.interpreter.build import RulesListener
from freeform.offline.referee.retell import in_first_person

ROWS: list[dict[str, Any]] = [
    {"id": "player", "type": "pc", "name": "Maren Holt", "attrs": {"pronouns": "she/her"}},
    {"id": "t:ilse", "type": "npc", "name": "Sister Ilse", "attrs": {"pronouns": "she/her"}},
    {"id": "t:obed", "type": "npc", "name": "Obed", "attrs": {"pronouns": "he/him"}},
]


def retold(text: str, rows: list[dict[str, Any]] = ROWS) -> str:
    packet = ContextPacket(entities=rows, present_entities=[str(row["id"]) for row in rows])
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
        (
            "She set down her lamp and looked at the door.",
            "I set down my lamp and looked at the door.",
        ),
        # Another who goes by the same word is meant once named.
        ("Ilse lifted her lamp. She stared.", "Ilse lifted her lamp. She stared."),
        ("I look at her", "I look at her"),
        ("she's lying to us", "she's lying to us"),
        ("who is Maren?", "who is Maren?"),
    ],
)
def test_the_hero_is_i_and_nobody_else_is(told: str, own: str) -> None:
    assert retold(told) == own


def test_the_hero_may_be_called_what_they_are_and_by_another_pronoun() -> None:
    rows = [dict(row) for row in ROWS]
    rows[0]["attrs"] = {"pronouns": "she/her", "concept": "An ageing diver who owes money."}
    told = "The tired old diver lowered himself onto a bench and rubbed his knee."
    assert retold(told, rows) == "I lowered myself onto a bench and rubbed my knee."
    assert retold("The money is gone, thought Obed.", rows) == "The money is gone, thought Obed."


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


def test_a_hero_may_be_called_by_a_word_that_nobody_here_goes_by() -> None:
    alone = [row for row in ROWS if row["id"] != "t:ilse"]
    alone[0] = {**alone[0], "attrs": {"pronouns": "he/him"}}
    told = "She put down her lamp and opened the door."
    assert retold(told, alone) == "I put down my lamp and opened the door."
    assert retold("She seems to be lying to all of us here.", alone).startswith("She")
