"""The web app has colours for every genre of the forge, and the forge a genre for every tile."""

import re
from pathlib import Path

import pytest

from freeform.forge.cast.genre_shelf import forge_genres
from freeform.forge.shapes.choose import named_kind

WEB = Path(__file__).parents[2] / "web" / "src"
TOLD = (WEB / "art" / "genre.ts").read_text(encoding="utf-8")
WORDS = [
    (family, re.compile(told, re.I)) for family, told in re.findall(r"\['(\w+)', /(.+)/i\]", TOLD)
]
TILES = re.findall(r"family: '(\w+)', name: '([^']+)'", TOLD)


def family_of(genre: str) -> str:
    return next((family for family, words in WORDS if words.search(genre)), "")


@pytest.mark.parametrize("genre", sorted(forge_genres()))
def test_every_genre_wears_a_palette_that_somebody_chose_for_it(genre: str) -> None:
    assert family_of(forge_genres()[genre].name) in dict(TILES)


@pytest.mark.parametrize(
    ("genre", "family"),
    [("cyberpunk", "cyber"), ("capes", "capes"), ("bygone", "bygone"), ("spies", "spies")],
)
def test_a_genre_with_colours_of_its_own_wears_them(genre: str, family: str) -> None:
    assert family_of(forge_genres()[genre].name) == family


@pytest.mark.parametrize("family", [family for family, _ in TILES])
def test_every_palette_is_painted(family: str) -> None:
    usual = "fantasy"  # what the house and a cover look like where nothing else is said
    cover = (WEB / "art" / "Cover.svelte").read_text(encoding="utf-8")
    assert family == usual or f"\n  .{family} {{ --sky1" in cover
    palettes = (WEB / "palettes.css").read_text(encoding="utf-8")
    assert family == usual or f"[data-genre='{family}']" in palettes


@pytest.mark.parametrize("name", [name for _, name in TILES])
def test_every_tile_of_the_start_box_asks_for_a_genre_there_is(name: str) -> None:
    genres = forge_genres()
    assert named_kind(name, genres, [genre.name for genre in genres.values()])
