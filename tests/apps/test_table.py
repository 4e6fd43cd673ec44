"""Play in the terminal: through a pipe, and at a terminal."""

import json

import pytest

from tests.apps.program import Home, Terminal
from tests.patience import PATIENCE
from tests.web.slow_model import slow_model


def test_a_pipe_plays_and_resumes(home: Home) -> None:
    first = home.run("--plain", "play", "--scenario", "cellar", typed="I look around\n/quit\n")
    assert first.code == 0, first.err
    assert "nothing leaves this machine" in first.out
    assert "> I look around" in first.out
    told = home.json("show-event", "cellar", "--turn", "1")["final_text"]
    again = home.run("--plain", typed="")
    assert again.code == 0
    assert told.splitlines()[0].strip() in again.out
    assert "turn 1" in again.out


def test_vectors_that_are_made_elsewhere_are_told_of_at_the_beginning(home: Home) -> None:
    (home.path / "freeform.toml").write_text(
        'embedding_url = "https://vectors.example/v1"\nembedding_model = "m"\n'
    )
    begun = home.run("--plain", "play", "--scenario", "cellar", typed="/quit\n")
    assert begun.code == 0, begun.err
    assert "texts are sent to vectors.example" in begun.out
    assert "nothing leaves this machine" not in begun.out.lower()


def test_plain_output_holds_no_drawing_and_no_escapes(home: Home) -> None:
    ran = home.run(
        "--plain", "play", "--scenario", "cellar", typed="I look\n/clocks\n/status\n/help\n"
    )
    assert ran.code == 0
    assert not set("\x1b●○│─╭╮╰╯") & set(ran.out)
    assert "Suspicion: 0 of 4" in ran.out


def test_a_word_that_nobody_says_to_a_character_needs_no_slash(home: Home) -> None:
    ran = home.run(
        "--plain", "play", "--scenario", "cellar", typed="look\nUndo\nhelp\nquit\nlook\n"
    )
    assert ran.code == 0, ran.err
    assert "/undo [N]: takes turns back" in ran.out
    assert home.json("state", "cellar")["turn_no"] == 0, (
        "undone, and nothing was played after leaving"
    )


def test_a_number_takes_the_suggestion(home: Home) -> None:
    ran = home.run("play", "--scenario", "cellar", typed="1\n")
    assert ran.code == 0
    assert home.json("show-event", "cellar", "--turn", "1")["player_input"] == "look around"


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Every command below, typed in one sitting before the first turn."""
    home = Home(tmp_path_factory.mktemp("evening") / "home")
    typed = "".join(f"{command}\n" for command, _ in COMMANDS)
    ran = home.run("--plain", "play", "--scenario", "cellar", typed=typed)
    assert ran.code == 0, ran.err
    assert "Traceback" not in ran.err
    return ran.out


COMMANDS = [
    ("/help", "/undo [N]: takes turns back"),
    ("/status", "At the taproom, day 1"),
    ("/scene", "Ways: the yard, the cellar"),
    ("/inventory", "- brass lamp"),
    ("/threads", "- Where does the brandy come from? (active)"),
    ("/why", "f_door: The cellar door is locked."),
    ("/why f_door", "The cellar door is locked."),
    ("/why zzz", "no fact 'zzz'"),
    ("/debug", "No turn has been played here at this sitting yet."),
    ("/undo", "nothing to undo"),
    ("/undo x", "/undo takes a number"),
    ("/redo", "nothing to redo"),
    ("/retry", "nothing to retry"),
    ("/branch what-if", "You play on in branch what-if. /switch main"),
    ("/switch", "* what-if: turn 0"),
    ("/switch nowhere", "nowhere"),
    ("/roll 3d1", "3d1 (1,1,1) = 3"),
    ("/roll zz", "does not read as dice"),
    ("/x spiders", "Taken back, no questions asked."),
    ("/save", "freeform-rpg export cellar cellar.zip"),
    ("/stauts", "Did you mean /status?"),
    ("/", "/help lists them"),
]


@pytest.mark.parametrize(("command", "shows"), COMMANDS)
def test_a_command_at_the_table(evening: str, command: str, shows: str) -> None:
    answer = evening.partition(f"\n> {command}\n")[2].partition("\n> ")[0]
    assert shows in answer


def test_undo_at_the_table_takes_the_story_back(home: Home) -> None:
    typed = "I go to the yard\n/undo\n/status\n/redo\n/debug\n/recap\n"
    ran = home.run("--plain", "play", "--scenario", "cellar", typed=typed)
    assert "Back at turn 0" in ran.out
    assert "At the taproom" in ran.out.partition("> /status")[2]
    assert "proposed: " in ran.out.partition("> /debug")[2]
    assert "1. I go to the yard" in ran.out.partition("> /recap")[2]


def test_an_error_at_the_table_does_not_end_the_evening(home: Home) -> None:
    ran = home.run(
        "--plain", "play", "--scenario", "cellar", typed="x" * 5000 + "\nI look around\n"
    )
    assert ran.code == 0
    assert "5,000 characters" in ran.out
    assert home.json("state", "cellar")["turn_no"] == 1


def test_play_does_not_speak_json(home: Home) -> None:
    ran = home.run("--json", "play", "--scenario", "cellar")
    assert (ran.code, json.loads(ran.out)["error"]["exit_code"]) == (2, 2)


def test_session_zero_is_asked_at_a_terminal_and_a_narrow_one_is_wide_enough(home: Home) -> None:
    at = Terminal(home, "play", "--scenario", "cellar", columns=40)
    at.wait_for("Who are you? [mira]")
    at.type("own\r")
    at.wait_for("Name?")
    at.type("Jo\r")
    at.wait_for("few words?")
    at.type("a thief\r")
    at.wait_for("Pronouns?")
    at.type("\r")
    at.wait_for("force?")
    at.type("skip\r")
    at.wait_for("What tone?")
    at.type("dry\r")
    at.wait_for("Which themes?")
    at.type("skip\r")
    shown = at.wait_for("1. look around")
    assert max(map(len, shown.splitlines())) <= 40
    at.type("/clocks\r")
    at.wait_for("Suspicion ○○○○")
    at.type("/quit\r")
    assert at.end() == 0
    player = next(row for row in home.json("state", "cellar")["entities"] if row["id"] == "player")
    assert (player["name"], player["attrs"]["concept"]) == ("Jo", "a thief")
    assert home.json("context", "cellar", "I look")["calibration"]["tone"] == "dry"


def test_ctrl_c_at_the_prompt_stays_and_ctrl_d_leaves(home: Home) -> None:
    home.begin()
    at = Terminal(home, "play")
    at.wait_for("1. look around")
    at.wait_for(">")
    at.type("\x03")
    at.wait_for("leaves the table")
    at.wait_for(">")
    at.type("\x04")
    at.wait_for("Until next time.")
    assert at.end() == 0


def test_leaving_session_zero_begins_nothing(home: Home) -> None:
    at = Terminal(home, "play", "--scenario", "cellar")
    at.wait_for("someone of your own")
    at.wait_for("?")
    at.type("\x04")
    at.wait_for("Nothing was begun.")
    assert at.end() == 0
    assert home.json("campaigns")["campaigns"] == []


def test_ctrl_c_in_mid_prose_stops_the_words_and_keeps_what_happened(home: Home) -> None:
    home.begin()
    with slow_model() as model:
        at = Terminal(home, "--model", model.name, "play")
        at.wait_for("1. look around")
        at.wait_for(">")
        at.type("I look around\r")
        assert model.telling.wait(PATIENCE)
        model.speak("The taproom is quiet. Nobody ")
        at.wait_for("is quiet.")
        at.type("\x03")
        at.wait_for("What happened stands")
        assert model.hung_up.wait(PATIENCE), "nobody goes on paying for words that nobody hears"
        at.wait_for(">")
        at.type("/quit\r")
        at.wait_for("Until next time.")
        assert at.end() == 0
    told = home.run("--plain", "play", typed="")
    assert (told.code, home.json("state", "a")["turn_no"]) == (0, 1)
    assert "The taproom is quiet." not in told.out, "what was broken off is told anew, whole"
    assert home.json("show-event", "a", "--turn", "1")["final_text"]


def test_debug_after_a_switch_does_not_tell_of_the_other_branch(home: Home) -> None:
    typed = "I look around\n/branch b\nI go to the yard\n/debug\n/switch main\n/debug\n"
    ran = home.run("--plain", "play", "--scenario", "cellar", typed=typed)
    on_b, on_main = ran.out.split("> /debug\n")[1:]
    assert "turn 2 take 1: I go to the yard" in on_b
    assert "yard" not in on_main.partition("\n> ")[0]


def test_a_premise_typed_before_the_first_turn_is_offered_as_a_story(home: Home) -> None:
    premise = "a lighthouse keeper finds a door in the sea"
    home.begin()
    at = Terminal(home, "play", columns=120)
    at.wait_for("1. look around")
    at.wait_for(">")
    at.type(f"{premise}\r")
    at.wait_for("That could be a story of its own")
    at.wait_for("it is said here.")
    at.type("/new\r")
    at.wait_for("Back to where you were: freeform-rpg play --campaign a")
    at.wait_for("finds a door in the sea.")
    at.type("/quit\r")
    assert at.end() == 0
    assert home.json("state", "a")["turn_no"] == 0
    piped = home.run("--plain", "play", "--campaign", "a", typed=f"{premise}\n/quit\n")
    assert piped.code == 0 and "a story of its own" not in piped.out, "a script is asked nothing"
    assert home.json("state", "a")["turn_no"] == 1
