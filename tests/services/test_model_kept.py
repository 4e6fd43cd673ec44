"""A model that was chosen holds after a restart: keys in the system's keyring, else in a file for its
owner's eyes; and a model is tried on a turn against a peer on loopback."""

import json
import os
import stat
from pathlib import Path

import pytest

from freeform.services.model.keeping import forget_choice, keep_choice, list_providers
from freeform.services.model.trial import EVENING, try_on_a_turn
from freeform.services.models import with_model
from freeform.settings import Settings
from freeform.settings.kept import FILE
from freeform.settings.sources import load
from tests.adapters.models.wire import USAGE, Wire

LOOK = {"action": "examine", "details": "looks at the card"}
KEY = "sk-or-v1-do-not-show-me"
RING = """#!/bin/sh
# libsecret's command line, as its manual has it: a file for each account stands for the keyring.
verb=$1; shift
[ "$verb" = store ] && shift
file="$(dirname "$0")/ring.$4"
case "$verb" in
  store) cat > "$file" ;;
  lookup) cat "$file" 2>/dev/null ;;
  clear) rm -f "$file" ;;
esac
"""


def chosen(home: Path, model: str, key: str) -> Settings:
    settings = with_model(load({"home": home}, {}, home).settings, model, key=key)
    keep_choice(settings, model, key)
    return load({"home": home}, {}, home).settings


async def test_without_a_keyring_the_key_is_in_a_file_for_its_owner(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path / "nothing"))
    again = chosen(tmp_path, "openrouter:maker/model", KEY)
    assert again.model == "openrouter:maker/model"
    assert again.openrouter_api_key.get_secret_value() == KEY
    assert stat.S_IMODE((tmp_path / FILE).stat().st_mode) == 0o600
    shown = {row.id: row for row in (await list_providers(again)).providers}
    assert (shown["openrouter"].key, shown["openai"].key) == ("file", "")
    assert KEY not in (await list_providers(again)).model_dump_json()
    assert load({"home": tmp_path, "model": "offline"}, {}, tmp_path).settings.model == "offline"
    forget_choice(again)
    assert load({"home": tmp_path}, {}, tmp_path).settings.model == "auto"


async def test_with_a_keyring_no_file_holds_the_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tool, home = tmp_path / "bin" / "secret-tool", tmp_path / "home"
    tool.parent.mkdir()
    tool.write_text(RING)
    tool.chmod(0o755)
    monkeypatch.setattr("platform.system", lambda: "Linux")
    monkeypatch.setenv("PATH", f"{tool.parent}{os.pathsep}{os.environ['PATH']}")
    again = chosen(home, "anthropic:claude", KEY)
    assert again.anthropic_api_key.get_secret_value() == KEY
    assert KEY not in (home / FILE).read_text()
    assert (tool.parent / "ring.anthropic_api_key").read_text() == KEY
    shown = await list_providers(again)
    assert shown.keeps_in == "keyring"
    assert {row.id: row.key for row in shown.providers}["anthropic"] == "keyring"
    forget_choice(again)
    assert not (tool.parent / "ring.anthropic_api_key").exists()


def test_a_key_that_was_for_one_address_is_not_sent_to_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path / "nothing"))
    again = chosen(tmp_path, "url:http://127.0.0.1:1/v1#a", KEY)
    assert again.url_api_key.get_secret_value() == KEY
    again = chosen(tmp_path, "url:http://127.0.0.1:2/v1#b", "")
    assert (again.model, again.url_api_key.get_secret_value()) == (
        "url:http://127.0.0.1:2/v1#b",
        "none",
    )
    assert KEY not in (tmp_path / FILE).read_text()


def test_a_damaged_file_keeps_nothing_and_stops_nobody(tmp_path: Path) -> None:
    for text in ("{", "[1]", json.dumps({"model": 3, "openai_api_key": "plain", "odd": {}})):
        (tmp_path / FILE).write_text(text)
        assert load({"home": tmp_path}, {}, tmp_path).settings.model == "auto"


async def test_a_model_is_tried_on_a_turn_and_an_evening_is_counted(tmp_path: Path) -> None:
    told = "Mrs Pym pushes the card over the counter without a word."
    reply = {"intent": "look", "proposed_actions": [LOOK], "final_text": told}
    async with Wire("good", reply=reply) as wire:
        name = f"url:{wire.url}/v1#m"
        elsewhere = {"store_url": "postgresql://127.0.0.1:1/x", "memory_url": "bolt://127.0.0.1:1"}
        settings = Settings.model_validate({"home": tmp_path, "model": name, **elsewhere})
        trial = await try_on_a_turn(settings)
    assert trial.how == "well" and told in trial.sample, trial
    assert trial.first_words_s is not None and trial.first_words_s <= trial.turn_s
    assert trial.evening_tokens == trial.tokens * EVENING and trial.tokens >= 2 * sum(USAGE)
    assert trial.evening_usd is None, "nobody knows the price of this one"
    assert not any(tmp_path.iterdir()), "a trial leaves nothing behind"
    async with Wire("broken", reply=reply) as wire:
        failed = await try_on_a_turn(Settings(home=tmp_path, model=f"url:{wire.url}/v1#m"))
    assert failed.how == "not" and failed.first_words_s is None and failed.problems
