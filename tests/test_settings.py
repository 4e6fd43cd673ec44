"""Settings: who wins, where each came from, and what a mistake is told."""

from pathlib import Path

import pytest

from freeform.core.errors import BadSettings
from freeform.settings import Settings
from freeform.settings.sources import load


def write(folder: Path, text: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "freeform.toml").write_text(text, encoding="utf-8")
    return folder


def test_later_sources_win_and_say_who_they_are(tmp_path: Path) -> None:
    home = write(tmp_path / "home", 'model = "offline"\nretries = 1\nrepairs = 1\nseed = 1')
    here = write(tmp_path / "here", f'home = "{home}"\nretries = 2\nrepairs = 2\nseed = 2')
    loaded = load({"seed": 4}, {"FREEFORM_REPAIRS": "3", "FREEFORM_SEED": "3"}, here)
    found = loaded.settings
    assert (found.model, found.retries, found.repairs, found.seed) == ("offline", 1 + 1, 3, 4)
    assert loaded.origin("model") == str(home / "freeform.toml")
    assert loaded.origin("retries") == str(here / "freeform.toml")
    assert loaded.origin("repairs") == "$FREEFORM_REPAIRS"
    assert loaded.origin("seed") == "--seed"
    assert loaded.origin("time_limit_s") == "default"


def test_a_flag_that_was_not_given_hides_nothing(tmp_path: Path) -> None:
    assert (
        load({"model": None}, {"FREEFORM_MODEL": "offline"}, tmp_path).settings.model == "offline"
    )


def test_tables_are_flat_names(tmp_path: Path) -> None:
    write(tmp_path, '[budget]\nday_tokens = 9\n[models]\nnarrator = "offline"')
    found = load({"home": tmp_path / "h"}, {}, tmp_path).settings
    assert (found.budget_day_tokens, found.models_narrator) == (9, "offline")


def test_the_usual_key_variables_are_read_and_never_shown(tmp_path: Path) -> None:
    loaded = load({"home": tmp_path}, {"ANTHROPIC_API_KEY": "sk-secret-secret-1234"}, tmp_path)
    assert loaded.settings.anthropic_api_key.get_secret_value() == "sk-secret-secret-1234"
    assert loaded.shown("anthropic_api_key") == "…1234"
    assert loaded.origin("anthropic_api_key") == "$ANTHROPIC_API_KEY"
    assert "secret" not in repr(loaded)


@pytest.mark.parametrize(
    ("text", "environ", "says"),
    [
        ('modle = "x"', {}, "did you mean `model`"),
        (
            "[budget]\nday_token = 1",
            {},
            r"budget\.day_token is no setting; did you mean `budget_day_tokens`",
        ),
        ("zzzzqqq = 1", {}, "`freeform-rpg settings` lists what there is"),
        ("model = ", {}, "does not read as TOML"),
        ("retries = 'many'", {}, "the setting `retries` .*freeform.toml.* does not fit"),
        (
            "",
            {"FREEFORM_MODLE": "x"},
            "FREEFORM_MODLE is no setting; did you mean `FREEFORM_MODEL`",
        ),
        ("", {"FREEFORM_RETRIES": "-1"}, r"`retries` \(\$FREEFORM_RETRIES\) does not fit"),
        ("", {"FREEFORM_COLOR": "pink"}, "`color`"),
    ],
)
def test_a_mistake_is_named_with_its_place(
    tmp_path: Path, text: str, environ: dict[str, str], says: str
) -> None:
    with pytest.raises(BadSettings, match=says):
        load({"home": tmp_path / "home"}, environ, write(tmp_path, text))


def test_a_bad_value_of_a_secret_is_not_repeated(tmp_path: Path) -> None:
    write(tmp_path, "anthropic_api_key = ['sk-very-secret']")
    with pytest.raises(BadSettings) as caught:
        load({"home": tmp_path}, {}, tmp_path)
    assert "very-secret" not in str(caught.value)


def test_every_setting_says_what_it_is_for() -> None:
    assert [name for name, field in Settings.model_fields.items() if not field.description] == []
