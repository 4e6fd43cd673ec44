"""What the people of a forged story are called, and how they speak to whom they know."""

from dataclasses import replace

import pytest

from freeform.adapters.ear.learned import shipped_ear
from freeform.engine.authored.scenario import Scenario
from freeform.forge.cast.figures import Figure, called_familiarly
from freeform.forge.cast.voices import voice_shelf
from freeform.forge.forge import forge_scenario
from freeform.forge.model import ForgeWish
from freeform.language.meaning.premise import PremiseEar
from tests.forge.test_forge import SYSTEM

PERSON = Figure(
    role="",
    id="",
    name="",
    short="",
    trade="",
    she=True,
    voice=voice_shelf().voices[0],
    look="",
    at="hub",
)


@pytest.fixture(scope="module")
def ear() -> PremiseEar:
    return shipped_ear()


def aliases(scenario: Scenario, role: str) -> set[str]:
    person = next(e for e in scenario.entities if e.attrs.get("role") == role)
    return set(person.attrs["aliases"])


def test_people_answer_to_what_those_call_them_who_know_them_unless_two_would(
    ear: PremiseEar,
) -> None:
    wish = ForgeWish(premise="my grandmother refuses to sell the mill to the doctor", seed=1)
    scenario = forge_scenario(wish, SYSTEM, ear=ear).scenario
    assert {"grandma", "gran", "granny"} <= aliases(scenario, "your grandmother")
    assert "doc" in aliases(scenario, "doctor")
    figures = {
        "one": replace(PERSON, role="one", name="Nan Pike", trade="smith"),
        "two": replace(PERSON, role="two", name="Ada Cole", trade="your grandmother"),
        "three": replace(PERSON, role="three", name="Eve Ray", trade="constable"),
        "four": replace(PERSON, role="four", name="Abe Lund", trade="patrol officer"),
    }
    called = called_familiarly(figures)
    assert "grandma" in called["two"].aliases and "nan" not in called["two"].aliases
    assert "cop" not in {*called["three"].aliases, *called["four"].aliases}
    assert "copper" in called["three"].aliases


def test_somebody_of_the_players_own_greets_them_as_that(ear: PremiseEar) -> None:
    wish = ForgeWish(premise="my grandmother refuses to sell the mill to the doctor", seed=1)
    scenario = forge_scenario(wish, SYSTEM, ear=ear).scenario
    person = next(e for e in scenario.entities if e.attrs.get("role") == "your grandmother")
    short = person.name.split()[0]
    known = [line.replace("{n}", short).split("{")[0] for line in voice_shelf().known]
    assert all(line.startswith(tuple(known)) for line in scenario.people[person.id].greeting)
