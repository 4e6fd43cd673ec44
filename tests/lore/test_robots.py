"""robots.txt: the checks that Google publishes for its own reader, told again in a table, and the standard's own rules."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from freeform.lore.read.robots import LONGEST_LINE, Robots

WORLD = "http://site.test"


def rules(*lines: str) -> str:
    return "\n".join(lines) + "\n"


BARRED = rules("user-agent: Owl", "disallow: /")
LONG = "/x/" + "a" * (LONGEST_LINE + 1 - 3 - len("disallow: ") + 1 - 3)
LONG_A, LONG_B = ("/x/" + c * (LONGEST_LINE + 1 - 3 - len("allow: ") + 1 - 3) for c in "ab")
FISH = (
    "/fish",
    "/fish.html",
    "/fish/salmon.html",
    "/fishheads",
    "/fishheads/yummy.html",
    "/fish.html?id=anything",
)
GROUPS = rules(
    "allow: /foo/bar/", "", "user-agent: Owl", "disallow: /", "allow: /x/", "user-agent: Fox", "disallow: /", "allow: /y/",
    "", "", "allow: /w/", "user-agent: Hen", "", "user-agent: Owl", "allow: /z/", "disallow: /",
)  # fmt: skip

# name, robots.txt, agent, allowed paths, forbidden paths
CASES: list[tuple[str, str, str, tuple[str, ...], tuple[str, ...]]] = [
    ("an empty file", "", "Owl", ("", "/x/y"), ()),
    ("no agent", BARRED, "", ("",), ()),
    ("no path is the root", BARRED, "Owl", (), ("",)),
    ("nothing at all", "", "", ("",), ()),
    ("plain lines", BARRED, "Owl", (), ("/x/y",)),
    ("unknown lines", rules("foo: Owl", "bar: /"), "Owl", ("/x/y",), ()),
    ("forgotten colons", rules("user-agent Owl", "disallow /"), "Owl", (), ("/x/y",)),
    ("groups, first agent", GROUPS, "Owl", ("/x/b", "/z/d"), ("/y/c", "/foo/bar/")),
    ("groups, second agent", GROUPS, "Fox", ("/y/c", "/w/a"), ("/z/d", "/foo/bar/")),
    ("groups, two agents over one group", GROUPS, "Hen", ("/z/d",), ("/foo/bar/",)),
    *(
        (f"names in any case: {a}", rules(f"{a}: Owl", f"{b}: /x/", f"{c}: /"), "Owl", ("/x/y",), ("/a/b",))
        for a, b, c in (
            ("USER-AGENT", "ALLOW", "DISALLOW"),
            ("user-agent", "allow", "disallow"),
            ("uSeR-aGeNt", "AlLoW", "dIsAlLoW"),
        )
    ),
    *(
        (f"agents in any case: {said}, {agent}", rules(f"User-Agent: {said}", "Allow: /x/", "Disallow: /"), agent,
         ("/x/y",), ("/a/b",))
        for said in ("OWL BARN", "owl barn", "OwL bArN")
        for agent in ("Owl", "owl")
    ),
    ("an agent ends at a space", rules("User-Agent: *", "Disallow: /", "User-Agent: Owl Barn", "Allow: /x/", "Disallow: /"),
     "Owl", ("/x/y",), ()),
    ("an agent with a space is nobody",
     rules("User-Agent: *", "Disallow: /", "User-Agent: Owl Barn", "Allow: /x/", "Disallow: /"), "Owl Barn", (), ("/x/y",)),
    ("its own group before everyone's", rules("user-agent: *", "allow: /", "user-agent: Owl", "disallow: /"), "Owl", (),
     ("/x/y",)),
    ("everyone's group", rules("user-agent: *", "allow: /", "user-agent: Owl", "disallow: /"), "Fox", ("/x/y",), ()),
    ("no group fits", rules("user-agent: Owl", "allow: /", "user-agent: Fox", "disallow: /", "user-agent: Hen", "disallow: /"),
     "Emu", ("/x/y",), ()),
    ("paths have case", rules("user-agent: Owl", "disallow: /x/"), "Owl", (), ("/x/y",)),
    ("paths have case, other way", rules("user-agent: Owl", "disallow: /X/"), "Owl", ("/x/y",), ()),
    ("longest wins: disallow", rules("user-agent: Owl", "disallow: /x/page.html", "allow: /x/"), "Owl", (),
     ("/x/page.html",)),
    ("longest wins: allow", rules("user-agent: Owl", "allow: /x/page.html", "disallow: /x/"), "Owl", ("/x/page.html",),
     ("/x/",)),
    ("empty rules", rules("user-agent: Owl", "disallow: ", "allow: "), "Owl", ("/x/page.html",), ()),
    ("a tie is allowed", rules("user-agent: Owl", "disallow: /", "allow: /"), "Owl", ("/x/page.html",), ()),
    ("a slash is longer", rules("user-agent: Owl", "disallow: /x", "allow: /x/"), "Owl", ("/x/",), ("/x",)),
    ("a long tie", rules("user-agent: Owl", "disallow: /x/page.html", "allow: /x/page.html"), "Owl", ("/x/page.html",), ()),
    ("a star counts", rules("user-agent: Owl", "allow: /page", "disallow: /*.html"), "Owl", ("/page",), ("/page.html",)),
    ("a star may be shorter", rules("user-agent: Owl", "allow: /x/page.", "disallow: /*.html"), "Owl", ("/x/page.html",),
     ("/x/y.html",)),
    ("only the own group", rules("User-agent: *", "Disallow: /x/", "User-agent: Owl", "Disallow: /y/"), "Owl", ("/x/page",),
     ("/y/page",)),
    ("a query stays as it is", rules("User-agent: Owl", "Disallow: /", "Allow: /foo/bar?qux=taz&baz=http://foo.bar?tar&par"),
     "Owl", ("/foo/bar?qux=taz&baz=http://foo.bar?tar&par",), ()),
    ("a rule is escaped", rules("User-agent: Owl", "Disallow: /", "Allow: /foo/bar/ツ"), "Owl", ("/foo/bar/%E3%83%84",),
     ("/foo/bar/ツ",)),
    ("an escaped rule", rules("User-agent: Owl", "Disallow: /", "Allow: /foo/bar/%E3%83%84"), "Owl",
     ("/foo/bar/%E3%83%84",), ("/foo/bar/ツ",)),
    ("needless escapes", rules("User-agent: Owl", "Disallow: /", "Allow: /foo/bar/%62%61%7A"), "Owl",
     ("/foo/bar/%62%61%7A",), ("/foo/bar/baz",)),
    ("a star", rules("User-agent: Owl", "Disallow: /foo/bar/quz", "Allow: /foo/*/qux"), "Owl",
     ("/foo/quz", "/foo//quz", "/foo/bax/quz"), ("/foo/bar/quz",)),
    ("a dollar", rules("User-agent: Owl", "Disallow: /foo/bar$", "Allow: /foo/bar/qux"), "Owl",
     ("/foo/bar/qux", "/foo/bar/", "/foo/bar/baz"), ("/foo/bar",)),
    ("a hash", rules("User-agent: Owl", "# Disallow: /", "Disallow: /foo/quz#qux", "Allow: /"), "Owl", ("/foo/bar",),
     ("/foo/quz",)),
    ("an index page is its folder", rules("User-Agent: *", "Allow: /open/index.html", "Disallow: /"), "owl",
     ("/open/", "/open/index.html"), ("/open/index.htm", "/other")),
    ("a cut disallow", rules("user-agent: Owl", f"disallow: {LONG}/qux"), "Owl", ("/fux",), (f"{LONG}/fux",)),
    ("cut allows", rules("user-agent: Owl", "disallow: /", f"allow: {LONG_A}/qux", f"allow: {LONG_B}/qux"), "Owl",
     (f"{LONG_A}/qux", f"{LONG_B}/fux"), ("/",)),
    ("/fish", rules("user-agent: Owl", "disallow: /", "allow: /fish"), "Owl", FISH,
     ("/bar", "/Fish.asp", "/catfish", "/?id=fish")),
    ("/fish*", rules("user-agent: Owl", "disallow: /", "allow: /fish*"), "Owl", FISH,
     ("/bar", "/Fish.bar", "/catfish", "/?id=fish")),
    ("/fish/", rules("user-agent: Owl", "disallow: /", "allow: /fish/"), "Owl",
     ("/fish/", "/fish/salmon", "/fish/?salmon", "/fish/salmon.html", "/fish/?id=anything"),
     ("/bar", "/fish", "/fish.html", "/Fish/Salmon.html")),
    ("/*.php", rules("user-agent: Owl", "disallow: /", "allow: /*.php"), "Owl",
     ("/filename.php", "/folder/filename.php", "/folder/filename.php?parameters", "//folder/any.php.file.html",
      "/filename.php/", "/index?f=filename.php/"), ("/bar", "/php/", "/index?php", "/windows.PHP")),
    ("/*.php$", rules("user-agent: Owl", "disallow: /", "allow: /*.php$"), "Owl", ("/filename.php", "/folder/filename.php"),
     ("/bar", "/filename.php?parameters", "/filename.php/", "/filename.php5", "/php/", "/filename?php", "/aaaphpaaa",
      "//windows.PHP")),
    ("/fish*.php", rules("user-agent: Owl", "disallow: /", "allow: /fish*.php"), "Owl",
     ("/fish.php", "/fishheads/catfish.php?parameters"), ("/bar", "/Fish.PHP")),
    ("order: longer", rules("user-agent: Owl", "allow: /p", "disallow: /"), "Owl", ("/page",), ()),
    ("order: tie", rules("user-agent: Owl", "allow: /folder", "disallow: /folder"), "Owl", ("/folder/page",), ()),
    ("order: star", rules("user-agent: Owl", "allow: /page", "disallow: /*.htm"), "Owl", (), ("/page.htm",)),
    ("order: only the root", rules("user-agent: Owl", "allow: /$", "disallow: /"), "Owl", ("/",), ("/page.html",)),
    # Line endings and marks at the beginning, which Google counts by lines.
    *(
        (f"line ends {end!r}", end.join(["User-Agent: foo", "Allow: /some", "User-Agent: owl", "", "", "Disallow: /"]),
         "owl", (), ("/some",))
        for end in ("\n", "\r\n", "\r")
    ),
    ("a byte order mark", "\ufeffUser-Agent: owl\nDisallow: /\n", "owl", (), ("/x",)),
    ("half of a mark", "\u00ef\u00bbUser-Agent: owl\nDisallow: /\n", "owl", ("/x",), ()),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=[case[0] for case in CASES])
def test_a_published_case(case: tuple[str, str, str, tuple[str, ...], tuple[str, ...]]) -> None:
    _, text, agent, allowed, forbidden = case
    read = Robots(text)
    wrong = [path[-60:] for path in allowed if not read.allows(agent, WORLD + path)]
    assert (wrong, [path[-60:] for path in forbidden if read.allows(agent, WORLD + path)]) == (
        [],
        [],
    )


def test_a_delay_is_read_and_nonsense_is_not() -> None:
    read = Robots(
        "User-agent: *\nCrawl-delay: 2.5\nDisallow: /x\nUser-agent: owl\nCrawl-delay: soon\n"
    )
    assert (read.delay("Fox"), read.delay("Owl")) == (2.5, 0.0)


@settings(deadline=None)
@given(st.text(max_size=300), st.text(alphabet="abcXYZ/*$.?%", max_size=40))
def test_any_text_is_read_and_answers(text: str, path: str) -> None:
    assert Robots(text).allows("Owl", f"{WORLD}/{path}") in (True, False)


@settings(deadline=None)
@given(st.text(alphabet="ab/*$", max_size=12), st.text(alphabet="ab/", max_size=12))
def test_a_pattern_fits_as_its_regular_expression_does(pattern: str, path: str) -> None:
    import re

    body = pattern.removesuffix("$") if pattern.endswith("$") else pattern
    expression = (
        "/"
        + ".*".join(re.escape(part) for part in body.split("*"))
        + ("$" if pattern.endswith("$") else "")
    )
    forbidden = re.match(expression, f"/{path}", re.S) is not None
    assert (
        Robots(f"user-agent: *\ndisallow: /{pattern}\n").allows("Owl", f"{WORLD}/{path}")
        is not forbidden
    )


def test_many_stars_take_no_time() -> None:
    assert Robots("user-agent: *\ndisallow: /" + "*a" * 4000 + "b\n").allows(
        "Owl", f"{WORLD}/{'a' * 4000}"
    )
