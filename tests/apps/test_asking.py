"""The verb `ask` as a stranger uses it."""

from freeform.engine.authored.library import content_folder
from tests.apps.program import Home

KEYS = {
    "answer", "tools_needed", "entities", "resolution", "queries", "sources", "searched_and_empty", "numbers", "usage", "timings_ms",
}  # fmt: skip
DEMO = content_folder("demo") / "brannoc"


def test_ask_prints_one_document_with_all_that_led_to_the_answer(home: Home) -> None:
    question = "How does grappling work and what's my athletics bonus?"
    told = home.json(
        "ask", question, "--character", str(DEMO / "sheet.json"), "--notes", str(DEMO / "notes")
    )
    assert told.keys() >= KEYS
    assert {"tool", "intention", "confidence"} <= told["tools_needed"][0].keys()
    assert {"n", "tool", "where", "quote"} <= told["sources"][0].keys()
    places = [place for found in told["resolution"].values() for place in found]
    assert {"found_in_sections", "match_confidence", "matched_text", "match_strategy"} <= places[
        0
    ].keys()
    assert {"tool", "intention", "entities", "auto_include"} <= told["queries"][0].keys()
    assert told["numbers"][0]["value"] == 7


def test_ask_says_what_to_put_right(home: Home) -> None:
    for arguments in (
        ["ask", " "],
        ["ask", "Who am I?", "--character", "nobody"],
        ["ask", "Who?", "--notes", "nowhere"],
    ):
        done = home.run(*arguments)
        assert (
            done.code == 1 and done.err.startswith("freeform-rpg: ") and "Traceback" not in done.err
        )
