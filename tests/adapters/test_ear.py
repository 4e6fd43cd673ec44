"""The learned ear that comes with the program: places, windows, likelihoods, and what it does without its file."""

import logging
from pathlib import Path
from zlib import crc32

import numpy as np
import pytest

from freeform.adapters.ear.learned import LearnedEar, shipped_ear, shipped_file
from freeform.adapters.ear.sense import shipped_weights
from freeform.adapters.encoder.protobuf import notes
from freeform.language.ear import FAMILIES, FLAGS, NOTHING_HEARD, ROLES, HeardText

PLAIN = [
    "I kick at the stones",
    "I put the chip in my pocket, then ask Viktor where Jin went.",
    "(OOC: how does harm work?)",
    "If he draws, I duck behind the counter.",
    "I don't open the door.",
    "no wait, I meant the other door",
]
STRANGE = [
    "Ich gehe zur Tür und öffne sie",
    "I hug Zoe\u0308 and smile at Jose\u0301",
    "🙂🙂 I wave at the 👩‍🚀 astronaut!!",
    "我打开门。",
    "مرحبا، أفتح الباب",
    "I\u00a0open\u2028the\tdoor\r\nand\x00run",
    "ΟΔΥΣΣΕΥΣ opens İstanbul's gate",
    "\ufeffI look around\ufffd",
    "x" * 3000,
    "?!?!",
]


def slices(text: str, heard: HeardText) -> list[str]:
    return [text[act.start : act.end] for act in heard.acts]


def best(chances: dict[str, float]) -> str:
    return max(chances, key=lambda name: chances[name])


def check(text: str, heard: HeardText) -> None:
    """What holds of whatever is heard."""
    since = 0
    for act in heard.acts:
        assert since <= act.start < act.end <= len(text)
        since = act.end
        assert tuple(act.families) == FAMILIES and tuple(act.flags) == FLAGS
        assert sum(act.families.values()) == pytest.approx(1)
        for span in act.spans:
            assert span.role in ROLES
            assert 0 <= span.start < span.end <= len(text) and 0 <= span.sure <= 1
    if heard.acts:
        assert tuple(heard.families) == FAMILIES and tuple(heard.flags) == FLAGS
        chances = [*heard.families.values(), *heard.flags.values()]
        assert all(0 <= chance <= 1 for chance in chances)


def test_it_comes_with_the_program_and_is_small() -> None:
    assert shipped_ear().problem() == ""
    assert shipped_file().stat().st_size <= 15_000_000
    assert shipped_ear() is shipped_ear(), "one for the whole process"


def test_what_is_plain_is_heard() -> None:
    ear = shipped_ear()
    assert best(ear.hear("(OOC: how does harm work?)").acts[0].families) == "ooc"
    asked = ear.hear("I light the lamp, then ask Viktor where Jin went.")
    assert [best(act.families) for act in asked.acts] == ["use", "ask"]
    assert slices("I light the lamp, then ask Viktor where Jin went.", asked)[0] == (
        "I light the lamp"
    )
    assert ear.hear("What would happen if I refused?").flags["hypothetical"] > 0.5
    assert ear.hear("I don't open the door.").flags["negated"] > 0.5
    assert ear.hear("I open the door.").flags["negated"] < 0.2


def test_spans_are_whole_words_of_the_text() -> None:
    text = "I put the chip in my pocket, then ask Viktor where Jin went."
    spans = [span for act in shipped_ear().hear(text).acts for span in act.spans]
    assert "Viktor" in [text[span.start : span.end] for span in spans if span.role == "target"]
    for span in spans:
        assert not text[span.start - 1 : span.start].isalnum()
        assert not text[span.end : span.end + 1].isalnum()


@pytest.mark.parametrize("text", PLAIN + STRANGE)
def test_places_are_right_in_any_writing(text: str) -> None:
    check(text, shipped_ear().hear(text))


def test_an_accent_is_not_cut_from_its_letter() -> None:
    text = "I hug Zoe\u0308"
    assert shipped_ear().hear(text).acts[-1].end == len(text)


def test_nothing_is_heard_where_nothing_is_said() -> None:
    for text in ("", "  \n", "\u200b", "\x00"):
        assert shipped_ear().hear(text) == NOTHING_HEARD


def test_the_same_words_are_heard_the_same_way_again() -> None:
    for text in PLAIN:
        assert shipped_ear().hear(text) == shipped_ear().hear(text)


def test_what_the_words_name_is_taken_into_account() -> None:
    text = "grab Rusty"
    start = text.index("Rusty")
    as_person = shipped_ear().hear(text, [(start, len(text), "person")])
    as_thing = shipped_ear().hear(text, [(start, len(text), "thing")])
    assert as_thing.acts[0].families["take"] > as_person.acts[0].families["take"]


def test_a_long_text_is_heard_in_windows_of_whole_sentences() -> None:
    sentence = "I open the iron door and ask the guard about the key."
    text = " ".join([sentence] * 40)
    heard = shipped_ear().hear(text)
    check(text, heard)
    starts = {n * (len(sentence) + 1) for n in range(40)}
    assert starts <= {act.start for act in heard.acts}, "a sentence begins no matter the window"
    assert heard.families["ask"] > 0.9 and heard.families["open_close"] > 0.9
    assert heard.families["attack"] < 0.5


def test_one_sentence_without_end_is_cut() -> None:
    text = "and then " * 400
    check(text, shipped_ear().hear(text))


def test_plain_numpy_hears_the_same() -> None:
    """The sums of int8 are exact on every processor; numpy does not round what goes into them."""
    pytest.importorskip("onnxruntime")
    numpy_only = LearnedEar(shipped_file(), numpy_only=True)
    for text in [*PLAIN, *STRANGE[:4]]:
        one, other = shipped_ear().hear(text), numpy_only.hear(text)
        assert slices(text, one) == slices(text, other)
        for act, same in zip(one.acts, other.acts, strict=True):
            for name in FAMILIES:
                assert act.families[name] == pytest.approx(same.families[name], abs=0.12)


def damaged(kind: str, folder: Path) -> Path:
    file = folder / "ear.onnx"
    whole = shipped_file().read_bytes()
    if kind == "half":
        file.write_bytes(whole[: len(whole) // 2])
    elif kind == "other":
        file.write_bytes(b"not a model at all" * 100)
    elif kind == "empty":
        file.write_bytes(b"")
    elif kind == "a bit":
        middle = len(whole) // 2
        file.write_bytes(whole[:middle] + bytes([whole[middle] ^ 1]) + whole[middle + 1 :])
    return file


@pytest.mark.parametrize("numpy_only", [False, True])
@pytest.mark.parametrize("kind", ["half", "other", "empty", "a bit", "missing"])
def test_without_its_file_it_hears_nothing_and_says_so_once(
    kind: str, numpy_only: bool, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    ear = LearnedEar(damaged(kind, tmp_path), numpy_only=numpy_only)
    with caplog.at_level(logging.WARNING, "freeform.models"):
        assert ear.hear("I open the door") == NOTHING_HEARD
        assert ear.hear("I open the door") == NOTHING_HEARD
    assert [record.getMessage() for record in caplog.records] == ["ear_missing"]
    wanted = "is not there" if kind == "missing" else "is damaged"
    assert ear.problem() == (
        f"the ear's model ear.onnx {wanted}: "
        "install the program again; until then words alone are heard by rules"
    )


def test_what_was_learnt_beside_the_ear_belongs_to_this_ear() -> None:
    words = notes(shipped_file().read_bytes())["vocabulary"].split("\n")
    with np.load(shipped_weights(), allow_pickle=False) as kept:
        assert int(kept["vocabulary"]) == crc32("\n".join(words).encode()), (
            "the ear was trained anew: run training/asked/fit.py"
        )
        assert len(kept["pieces"]) == len(words)
