"""The verbs of a shared table, as a script uses them."""

import json
import zipfile

from tests.apps.program import Home


def test_a_table_is_opened_invited_to_and_played_by_seat(home: Home) -> None:
    home.json("new-game", "--scenario", "dead_drop", "--campaign", "a", "--seed", "7")
    alone = home.run("table", "seats", "a")
    assert alone.code == 1 and "`table open a`" in alone.err
    opened = home.json("table", "open", "a", "--name", "Anna")
    own, other = (row["id"] for row in opened["seats"][:2])
    assert [row["person"] for row in opened["seats"][:2]] == ["Anna", ""]
    made = home.json("table", "invite", "a", "--role", "player", "--seat", other)
    assert made["url"].endswith(f"/join#{made['token']}") and "0.0.0.0" not in made["url"]
    assert [row["id"] for row in made["seats"]] == [row["id"] for row in opened["seats"]]
    assert home.json("table", "mode", "a", "rounds")["mode"] == "rounds"
    characters = {row["id"]: row["character"] for row in opened["seats"]}
    assert home.json("turn", "a", "I look", "--as", other)["actor"] == characters[other]
    assert home.json("turn", "a", "I look")["actor"] == characters[own]


def test_what_is_wrong_is_said_in_one_sentence(home: Home) -> None:
    home.begin()
    for args, says in (
        (("table", "invite", "a", "--role", "king"), "no role 'king'"),
        (("table", "invite", "nobodys"), "no campaign"),
        (("table", "invite", "a", "--seat", "throne"), "no seat 'throne'"),
        (("table", "mode", "a", "chaos"), "no mode 'chaos'"),
        (("table", "kick", "a", "Ben"), "nobody 'Ben' is at this table"),
        (("turn", "a", "I wait", "--as", "throne"), "no seat 'throne'"),
        (("table", "back", "a", "Owner"), "the server's key"),
    ):
        ran = home.run(*args)
        assert ran.code == 1 and says in ran.err, (args, ran.err)
        assert len(ran.err.strip().splitlines()) == 1


def test_accounts_are_made_looked_after_and_forgotten_by_who_sits_at_the_machine(
    home: Home,
) -> None:
    off = home.run("account", "list")
    assert off.code == 1 and "the setting `accounts`" in off.err
    home.extra["FREEFORM_ACCOUNTS"] = "invited"
    words, next_words = "a heron in the reeds", "otters and eels"
    made = home.run("account", "add", "Anna", "--owner", typed=f"{words}\n")
    assert made.code == 0 and "Anna: the owner's; password; at no table" in made.out, made.err
    short = home.run("account", "add", "Ben", typed="short\n")
    assert short.code == 1 and "at least 10 signs" in short.err
    again = home.run("--json", "account", "password", "anna", typed=f"{next_words}\n")
    assert json.loads(again.out)["name"] == "Anna" and next_words not in again.out
    home.json("backup", str(home.path.parent / "kept.zip"))
    with zipfile.ZipFile(home.path.parent / "kept.zip") as kept:
        copied = kept.read("home/accounts.db")
    assert b"Anna" in copied and b"argon2id" not in copied
    assert b"argon2id" in (home.path / "accounts.db").read_bytes()
    assert home.json("account", "forget", "Anna") == {"forgotten": "Anna", "seats": []}
    gone = home.run("account", "sign-out", "Anna")
    assert gone.code == 1 and "there are: none" in gone.err
