"""The verbs of a shared table, as a script uses them."""

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
