"""What models do wrong, over the real wire: what is mended without a call, and what costs one."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from freeform.adapters.models.answer import Unread, read_answer
from freeform.adapters.models.json_stream import Growing
from tests.adapters.models.plays import ANSWERS, INPUTS
from tests.adapters.models.test_providers import PROSE, Played
from tests.adapters.models.wire import Wire
from tests.core.scripted import Ear

Fault = Callable[[dict[str, Any]], str]
NAMES = {name: pass_.gives.__name__ for name, (pass_, _) in INPUTS.items()}


def _named(answer: dict[str, Any]) -> str:
    return next(NAMES[name] for name, each in ANSWERS.items() if each.keys() == answer.keys())


def _loosely(answer: dict[str, Any]) -> str:
    """Python's own way to write it: single quotes."""
    return repr(answer)


def _with(answer: dict[str, Any], **more: Any) -> str:
    return json.dumps({**answer, **more})


def _string_for_list(answer: dict[str, Any]) -> str:
    """Lists of one string, each written as that string."""
    return json.dumps({k: v[0] if _of_words(v) else v for k, v in answer.items()})


def _of_words(value: Any) -> bool:
    return isinstance(value, list) and isinstance(value[0], str)


MENDED: dict[str, Fault] = {
    "a fence": lambda a: f"```json\n{json.dumps(a)}\n```",
    "a fence with words around it": lambda a: f"Sure:\n```\n{json.dumps(a)}\n```\nEnjoy!",
    "words before": lambda a: f"Here is my answer, as you asked: {json.dumps(a)}",
    "words after": lambda a: f"{json.dumps(a)}\n\nLet me know if I should go on.",
    "thoughts": lambda a: f"<think>\nHe asks. {{maybe}}\n</think>\n\n{json.dumps(a)}",
    "thoughts with a draft": lambda a: (
        f'<thinking>{{"final_text": "A draft.", "beats": ["x"]}}</thinking>{json.dumps(a)}'
    ),
    "thoughts that only end": lambda a: f"He asks, so I tell.\n</think>\n{json.dumps(a)}",
    "a wrapper": lambda a: json.dumps({_named(a): a}),
    "a tool call in words": lambda a: json.dumps({"name": "final_result", "arguments": a}),
    "arguments as a string": lambda a: json.dumps({"arguments": json.dumps(a)}),
    "a list of one": lambda a: json.dumps([a]),
    "an answer in a tag": lambda a: f"<answer>{json.dumps(a)}</answer>",
    "a trailing comma": lambda a: json.dumps(a)[:-1] + ",\n}",
    "single quotes": _loosely,
    "a comment": lambda a: json.dumps(a).replace("{", "{ // the answer\n", 1),
    "raw line breaks": lambda a: json.dumps(a, ensure_ascii=False).replace("\\n", "\n"),
    "null for a list": lambda a: _with(a, introduced_npcs=None, assumptions=None, rubbish=None),
    "null for a string": lambda a: _with(a, intent_note=None, tension_move=None, question=None),
    "a string for a list": _string_for_list,
    "an object for a list": lambda a: _with(a, thread_updates={}, readings={}),
    "rows that lack what they need": lambda a: _with(a, thread_updates=[{"id": "x"}], readings=[1]),
    "false for an object": lambda a: _with(a, scene_transition=False),
    "extra keys": lambda a: _with(a, mood="grim", confidence=1),
    "keys in camel case": lambda a: json.dumps({_camel(k): v for k, v in a.items()}),
}
REFUSAL = "I'm sorry, but I can't help with that."
COSTLY: dict[str, tuple[str, list[Fault]]] = {
    "words and no answer": ("JSON", [lambda a: REFUSAL]),
    "nothing": ("empty|required|nothing is in it|no JSON", [lambda a: "{}", lambda a: " ", lambda a: "null"]),
    "broken off": ("breaks off|empty", [lambda a: json.dumps(a)[:12], lambda a: "<think>And then"]),
}  # fmt: skip


def _camel(key: str) -> str:
    first, *others = key.split("_")
    return first + "".join(map(str.title, others))


def expected(pass_: str, kind: str) -> Any:
    answer = ANSWERS[pass_]
    if kind == "a string for a list":
        answer = {k: v[:1] if _of_words(v) else v for k, v in answer.items()}
    return INPUTS[pass_][0].gives.model_validate(answer)


@pytest.mark.parametrize("pass_", INPUTS)
@pytest.mark.parametrize("kind", MENDED)
async def test_a_fault_that_can_be_mended_costs_no_call(kind: str, pass_: str) -> None:
    said = {"fault": MENDED[kind](ANSWERS[pass_])}
    async with Wire("fault", "good", reply=ANSWERS[pass_], texts=said) as wire:
        played = await Played(wire, "url").ask(pass_)
    assert played.answer.output == expected(pass_, kind)
    assert (len(wire.asked), played.answer.degraded, played.ear.void) == (1, "", [])
    assert played.ear.heard == (PROSE if pass_ == "narrator" else "")


@pytest.mark.parametrize("piece", [1, 7, 8, 10_000])
async def test_thoughts_are_taken_off_however_they_are_cut(piece: int) -> None:
    said = {"fault": MENDED["thoughts"](ANSWERS["narrator"])}
    async with Wire("fault", "good", reply={}, texts=said, piece=piece) as wire:
        played = await Played(wire, "url").ask()
    assert (played.ear.heard, played.ear.void, len(wire.asked)) == (PROSE, [], 1)


@given(st.sampled_from(sorted(MENDED)), st.lists(st.integers(1, 40), max_size=40))
def test_what_is_heard_meanwhile_is_never_taken_back(kind: str, cuts: list[int]) -> None:
    text, ear, at = MENDED[kind](ANSWERS["narrator"]), Ear(), 0
    growing = Growing("final_text", ear)
    for cut in [*cuts, len(text)]:
        growing.add(text[at : at + cut])
        at += cut
        assert PROSE.startswith(ear.heard)
    growing.end(PROSE)
    assert (ear.heard, ear.void) == (PROSE, [])


@pytest.mark.parametrize("pass_", INPUTS)
@pytest.mark.parametrize("kind", COSTLY)
async def test_three_kinds_cost_one_call_and_the_model_hears_why(kind: str, pass_: str) -> None:
    why, faults = COSTLY[kind]
    for fault in faults:
        said = {"fault": fault(ANSWERS[pass_])}
        async with Wire("fault", "good", reply=ANSWERS[pass_], texts=said) as wire:
            played = await Played(wire, "url").ask(pass_)
        assert played.answer.output == expected(pass_, "")
        assert len(wire.asked) == 2
        told = wire.asked[1]["messages"][-1]["content"]
        assert any(word in told for word in why.split("|")), told


@pytest.mark.parametrize("form", ["anthropic", "openai", "openrouter"])
@pytest.mark.parametrize("kind", ["a trailing comma", "raw line breaks", "thoughts", "a wrapper"])
async def test_arguments_of_a_tool_are_mended_too(form: str, kind: str) -> None:
    said = {"fault": MENDED[kind](ANSWERS["narrator"])}
    async with Wire("fault", reply=ANSWERS["narrator"], texts=said) as wire:
        played = await Played(wire, form).ask()
    assert (played.answer.output.final_text, len(wire.asked)) == (PROSE, 1)


PLAIN = 'Viktor turns the glass.\n\n"I never met him," he says. You hear the rain.'


@pytest.mark.parametrize("text", [PLAIN, f"Here is the scene:\n\n{PLAIN}", f"```\n{PLAIN}\n```",
                                  json.dumps({"narration": PLAIN})])  # fmt: skip
async def test_plain_prose_is_the_narration(text: str) -> None:
    async with Wire("fault", reply={}, texts={"fault": text}) as wire:
        played = await Played(wire, "url").ask()
    assert (played.answer.output.final_text, played.ear.heard) == (PLAIN, PLAIN)
    assert (len(wire.asked), played.answer.degraded) == (1, "")


async def test_prose_that_breaks_off_ends_at_its_last_whole_sentence() -> None:
    text = json.dumps({"final_text": PLAIN})[:-20]
    async with Wire("fault", reply={}, texts={"fault": text}) as wire:
        played = await Played(wire, "url").ask()
    assert (
        played.answer.output.final_text == 'Viktor turns the glass.\n\n"I never met him," he says.'
    )
    assert played.ear.heard == played.answer.output.final_text


async def test_claims_that_were_cut_off_are_not_half_believed() -> None:
    whole = {"subject_id": "viktor", "predicate": "wears", "detail": "a ring"}
    half = {"subject_id": "viktor", "predicate": "is", "detail": "a traitor"}
    text = json.dumps({"final_text": PLAIN, "established_facts": [whole, half]})[:-8]
    async with Wire("fault", reply={}, texts={"fault": text}) as wire:
        played = await Played(wire, "url").ask()
    assert [fact.detail for fact in played.answer.output.established_facts] == ["a ring"]
    assert played.answer.output.final_text == PLAIN


async def test_a_person_reads_no_validators_words() -> None:
    async with Wire("fault", reply={}, texts={"fault": REFUSAL}) as wire:
        played = await Played(wire, "url").ask()
    assert "validation error" not in played.answer.degraded
    assert "type=" not in played.answer.degraded
    assert "holds no JSON object" in played.answer.degraded


async def test_how_long_to_wait_is_ours_to_say_and_not_the_clients() -> None:
    for form in ("url", "openai", "anthropic", "openrouter"):
        async with Wire("good", reply=ANSWERS["narrator"]) as wire:
            await Played(wire, form).ask()
        assert "read-timeout: 600" not in wire.heads[0]


OUTERS = ["a fence", "words before", "words after", "thoughts", "thoughts that only end", "a tag"]


@given(st.lists(st.sampled_from(OUTERS), max_size=3), st.sampled_from(sorted(MENDED)))
def test_faults_come_together(outer: list[str], inner: str) -> None:
    answer = ANSWERS["planner"]
    text = MENDED[inner](answer)
    for kind in outer:
        text = f"<out>{text}</out>" if kind == "a tag" else MENDED[kind]({}).replace("{}", text)
    pass_, _ = INPUTS["planner"]
    assert read_answer(text, pass_) == expected("planner", inner)


@given(st.text(st.sampled_from("{}[]\",:'\\nu0 ab<>/`\n"), max_size=60))
def test_whatever_is_written_is_read_or_refused(text: str) -> None:
    for pass_, _ in INPUTS.values():
        try:
            output = read_answer(text, pass_)
        except Unread as unread:
            assert str(unread) and unread.short
        else:
            assert not pass_.is_empty(output)
