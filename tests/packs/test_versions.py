"""Versions and ranges."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from freeform.packs.versions import Version, parse_range, parse_version

numbers = st.integers(0, 40)
versions = st.builds(lambda a, b, c: Version((a, b, c)), numbers, numbers, numbers)


@pytest.mark.parametrize(
    ("text", "yes", "no"),
    [
        ("1.2.0", "1.2 v1.2.0", "1.2.1 1.1.9"),
        ("=1.2", "1.2.0", "1.2.1"),
        (">=1.0", "1.0 2.0", "0.9.9 1.0.0-beta"),
        ("<=1.0.0", "1.0.0 0.9", "1.0.1 1.0.0-rc"),
        (">1.0", "1.0.1", "1.0.0"),
        (">=1.0,<2.0", "1.0.0 1.99.9", "2.0.0 0.9"),
        (">= 1.0 < 2.0", "1.5", "2.0"),
        ("!=1.3", "1.2", "1.3.0"),
        ("^1.2", "1.2.0 1.9", "2.0 1.1.9"),
        ("^0.3.1", "0.3.1 0.3.9", "0.4.0 0.3.0"),
        ("^0.0.3", "0.0.3", "0.0.4"),
        ("~1.2.3", "1.2.3 1.2.9", "1.3.0 1.2.2"),
        ("~1.2", "1.2.9", "1.3.0"),
        ("~1", "1.9", "2.0"),
        ("~=1.2", "1.9", "2.0 1.1"),
        ("~=1.2.3", "1.2.9", "1.3"),
        ("1.x", "1.0 1.9.9", "2.0"),
        ("1.2.*", "1.2.7", "1.3.0"),
        ("*", "0.0.1 99", ""),
        ("", "1.0", ""),
        (">=2.0.0-beta.2", "2.0.0-beta.10 2.0.0 2.1", "2.0.0-beta.1 2.1.0-alpha"),
    ],
)
def test_a_range_admits_what_it_says(text: str, yes: str, no: str) -> None:
    wanted = parse_range(text)
    assert [v for v in yes.split() if not wanted.admits(parse_version(v))] == []
    assert [v for v in no.split() if wanted.admits(parse_version(v))] == []


@pytest.mark.parametrize("text", ["", "new", "1.2.3.4", "../1", "1.0/2", "-1"])
def test_what_is_no_version_says_how_to_write_one(text: str) -> None:
    with pytest.raises(ValueError, match=r"write it like 1\.2\.0"):
        parse_version(text)


@pytest.mark.parametrize("text", [">>1", "^", "one", ">=1.0,soon"])
def test_what_is_no_range_says_how_to_write_one(text: str) -> None:
    with pytest.raises(ValueError, match="not a version range"):
        parse_range(text)


@given(versions)
def test_a_version_reads_back_from_its_text(version: Version) -> None:
    assert parse_version(str(version)) == version


@given(versions, versions)
def test_at_least_and_below_share_all_versions_between_them(low: Version, other: Version) -> None:
    assert parse_range(f">={low}").admits(other) is not parse_range(f"<{low}").admits(other)


@given(versions)
def test_every_caret_and_tilde_admits_its_own_version_and_not_the_next_major(
    version: Version,
) -> None:
    following = Version((version.numbers[0] + 1, 0, 0))
    for sign in "^~":
        assert parse_range(f"{sign}{version}").admits(version)
        assert not parse_range(f"{sign}{version}").admits(following)


def test_a_draft_is_taken_only_where_that_very_version_is_named_as_one() -> None:
    named = parse_range(">=1.0.0-beta")
    assert named.admits(parse_version("1.0.0-beta.2")) and named.admits(parse_version("2.0.0"))
    assert not named.admits(parse_version("2.0.0-beta"))
    assert not parse_range(">=1.0.0").admits(parse_version("1.1.0-beta"))
    assert not parse_range("<=2.0.0").admits(parse_version("2.0.0-beta"))
