"""Names of models: what each form needs, what is found by itself, and what is not loaded in vain."""

import subprocess
import sys
from pathlib import Path

import pytest

from freeform.adapters.models.found import DEFAULTS, FoundModel, found_models
from freeform.adapters.models.make import Access, make_model
from freeform.core.errors import BadSettings
from tests.adapters.models.wire import Wire

KEYS = Access(anthropic_key="a-secret", openai_key="o-secret", openrouter_key="r-secret")


@pytest.mark.parametrize(
    "name", [*DEFAULTS.values(), "ollama:llama3.2:3b", "url:http://127.0.0.1:8080/v1#any/name:tag"]
)
def test_a_model_goes_by_the_name_it_was_asked_for(name: str) -> None:
    assert make_model(name, KEYS).name == name


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("gpt-5", "'gpt-5' names no model; write offline, anthropic:NAME"),
        ("openai:", "'openai:' names no model"),
        ("claude:sonnet", "'claude:sonnet' names no model"),
        ("anthropic:claude-sonnet-5-5", "needs a key; set `anthropic_api_key`"),
        ("openai:gpt-6.1-terra", "needs a key; set `openai_api_key`"),
        ("openrouter:a/b", "needs a key; set `openrouter_api_key`"),
        ("url:http://127.0.0.1/v1", "write url:http://HOST:PORT/v1#MODEL"),
        ("url:127.0.0.1#m", "write url:http://HOST:PORT/v1#MODEL"),
        ("gguf:nowhere.gguf", "there is no file nowhere.gguf|pip install 'freeform-rpg\\[gguf\\]'"),
    ],
)
def test_what_is_missing_is_said_in_one_sentence(name: str, sentence: str) -> None:
    with pytest.raises(BadSettings, match=sentence):
        make_model(name, Access())


def test_an_openrouter_name_needs_its_maker() -> None:
    with pytest.raises(BadSettings, match="write openrouter:MAKER/NAME"):
        make_model("openrouter:gpt-5", KEYS)


def test_a_missing_extra_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    (tmp_path / "m.gguf").write_bytes(b"")
    with pytest.raises(BadSettings, match="run: pip install 'freeform-rpg\\[gguf\\]'"):
        make_model(f"gguf:{tmp_path / 'm.gguf'}")


def test_keys_are_not_printed() -> None:
    assert "secret" not in repr(KEYS)


async def test_keys_come_first_then_what_ollama_has() -> None:
    async with Wire("good", reply={}) as ollama:
        found = await found_models(Access(openai_key="k", ollama_url=ollama.url))
    assert found == [
        FoundModel(DEFAULTS["openai"], remote=True),
        FoundModel("ollama:tiny:latest", remote=False),
    ]


async def test_nothing_is_found_where_nothing_is() -> None:
    async with Wire("good", reply={}) as gone:
        pass
    assert await found_models(Access(ollama_url=gone.url)) == []


async def test_only_this_machine_is_looked_at() -> None:
    assert await found_models(Access(ollama_url="http://ollama.example:11434")) == []


PACKAGES = [
    "freeform.core.llm.live_gateway",
    "freeform.engine.passes",
    "freeform.adapters.models.make",
]


@pytest.mark.parametrize("package", PACKAGES)
def test_offline_play_does_not_load_a_provider(package: str) -> None:
    heavy = ("pydantic_ai", "openai", "anthropic", "xllamacpp")
    code = f"import sys, {package}; print([m for m in {heavy} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
