"""What is read from files is read again only when a file has changed."""

from pathlib import Path

from freeform.apps.web.cache import FileCache, stamp
from tests.apps.web.serving import Served


async def test_the_work_is_done_again_when_a_file_comes_changes_or_goes_and_not_otherwise(
    tmp_path: Path,
) -> None:
    kept, done = FileCache(), list[int]()

    async def work() -> int:
        done.append(len(done))
        return len(done)

    async def ask() -> int:
        return await kept.get("it", [tmp_path, tmp_path / "not there"], work)

    assert [await ask(), await ask()] == [1, 1]
    file = tmp_path / "deep" / "one.yaml"
    file.parent.mkdir()
    file.write_text("a: 1")
    assert [await ask(), await ask()] == [2, 2]
    file.write_text("a: 1, longer")
    assert [await ask(), await ask()] == [3, 3]
    file.unlink()
    assert [await ask(), await ask()] == [4, 4]


async def test_a_scenario_that_is_put_into_the_home_is_listed_at_once(served: Served) -> None:
    home = served.room.settings.home
    before = {row["id"] for row in (await served.get("/api/scenarios"))["scenarios"]}
    told = (home / "scenarios" / "cellar.yaml").read_text().replace("id: cellar", "id: attic", 1)
    (home / "scenarios" / "attic.yaml").write_text(told)
    assert {row["id"] for row in (await served.get("/api/scenarios"))["scenarios"]} - before == {
        "attic"
    }
    assert stamp([home / "scenarios"]) == stamp([home / "scenarios"])
