"""The OpenAPI document is complete and true: fuzzed over the wire, and every route is in it."""

import asyncio
import re
import subprocess
import sys
from pathlib import Path

import pytest

from freeform.apps.web.serve import serve
from freeform.core.errors import UserError
from freeform.settings import Settings
from tests.apps.program import Home
from tests.apps.web.serving import Served, serving
from tests.patience import PATIENCE

PROMISED = """
GET /api/status, POST /api/model, POST /api/model/test, GET /api/scenarios, GET /api/campaigns, POST /api/campaigns,
GET /api/campaigns/{campaign}, GET /api/campaigns/{campaign}/story, GET /api/campaigns/{campaign}/table,
POST /api/campaigns/{campaign}/turns, POST /api/campaigns/{campaign}/stop, POST /api/campaigns/{campaign}/undo,
POST /api/campaigns/{campaign}/redo, POST /api/campaigns/{campaign}/retry, POST /api/campaigns/{campaign}/choose,
POST /api/campaigns/{campaign}/branch, POST /api/campaigns/{campaign}/switch, POST /api/campaigns/{campaign}/x,
POST /api/campaigns/{campaign}/edit, GET /api/campaigns/{campaign}/branches, GET /api/campaigns/{campaign}/world,
GET /api/campaigns/{campaign}/takes/{turn_no}, GET /api/campaigns/{campaign}/why/{fact_id},
GET /api/campaigns/{campaign}/prompts/{turn_no}, GET /api/campaigns/{campaign}/sessions,
POST /api/campaigns/{campaign}/sessions/start, POST /api/campaigns/{campaign}/sessions/end,
GET /api/campaigns/{campaign}/recap, GET /api/packs, GET /api/packs/{pack}, POST /api/packs,
DELETE /api/packs/{pack}, GET /api/search, POST /api/import, GET /api/campaigns/{campaign}/export,
GET /api/events, GET /v1/models, POST /v1/chat/completions, GET /healthz, GET /readyz, GET /metrics
"""
CHECKS = "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance"


async def test_the_document_holds_every_route_that_was_promised(served: Served) -> None:
    document = await served.get("/api/openapi.json")
    there = {
        f"{method.upper()} {path}"
        for path, methods in document["paths"].items()
        for method in methods
    }
    assert set(re.split(r",\s*", PROMISED.strip())) - there == set()


async def test_reading_where_one_can_only_do_is_the_wrong_method(served_whole: Served) -> None:
    for path in (
        "/api/roll",
        "/api/campaigns/a/undo",
        "/v1/chat/completions",
        "/discord/interactions",
    ):
        answer = await served_whole.http.get(path)
        assert (answer.status_code, answer.headers.get("allow")) == (405, "POST"), path


async def test_a_key_that_was_used_for_one_action_is_none_for_another(served: Served) -> None:
    key = {"Idempotency-Key": "once"}
    turned = await served.http.post("/api/campaigns/a/branch", headers=key)
    opened = await served.http.post("/api/campaigns/a/sessions/start", headers=key)
    again = await served.http.post("/api/campaigns/a/sessions/start", headers=key)
    assert (turned.status_code, opened.status_code) == (200, 200)
    assert "started_at" in opened.json() and again.json() == opened.json()


async def test_the_document_is_true_under_schemathesis(tmp_path: Path) -> None:
    async with serving(tmp_path / "home") as served:
        await served.begin()
        await served.turn("look around")
        (tmp_path / "schemathesis.toml").write_text(
            '[parameters]\n"path.campaign" = "a"\n"path.pack" = "neo_seattle"\n"path.turn_no" = 1\n'
        )
        args = [
            "run", f"{served.url}/api/openapi.json", "--checks", CHECKS, "--phases", "fuzzing", "-n", "1",
            "--exclude-path", "/api/events", "--exclude-path", "/api/model/test", "--exclude-path", "/api/pictures/door", "--exclude-path", "/api/model/served", "--exclude-path", "/api/status",
            "--seed", "7", "--generation-database", "none", "--request-timeout", str(PATIENCE), "--no-color",
        ]  # fmt: skip
        run = await asyncio.create_subprocess_exec(
            str(Path(sys.executable).parent / "schemathesis"), *args,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=tmp_path,
        )  # fmt: skip
        said, _ = await run.communicate()
    assert run.returncode == 0, said.decode()[-6000:]


async def test_the_app_is_served_from_its_folder_and_nothing_else(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    from freeform.apps.web.routes import pages

    static = served.room.settings.home / "static"
    (static / "assets").mkdir(parents=True)
    (static / "index.html").write_text("<!doctype html><title>app</title>")
    (static / "assets" / "app.js").write_text("let x = 1")
    (static.parent / "secret.txt").write_text("secret")
    monkeypatch.setattr(pages, "STATIC", static)
    assert "app</title>" in (await served.http.get("/")).text
    assert "app</title>" in (await served.http.get("/campaigns/a")).text, (
        "the app finds its own way"
    )
    assert "immutable" in (await served.http.get("/assets/app.js")).headers["cache-control"]
    for path in (
        "/assets/gone.js",
        "/..%2fsecret.txt",
        "/assets/..%2f..%2fsecret.txt",
        "/%2e%2e/secret.txt",
    ):
        answer = await served.http.get(path)
        assert "secret" not in answer.text.replace("secret.txt", ""), path


def test_serve_refuses_the_world_without_a_key(tmp_path: Path) -> None:
    told = Home(tmp_path / "home").run("serve", "--host", "0.0.0.0")
    assert told.code == 1 and "--key" in told.err


@pytest.mark.parametrize("verb", ["serve", "mcp"])
def test_without_its_packages_the_server_names_the_extra_in_one_sentence(
    tmp_path: Path, verb: str
) -> None:
    absent = f"import runpy, sys; sys.modules['fastapi'] = None; sys.argv[1:] = ['{verb}']"
    run = subprocess.run(
        [sys.executable, "-c", f"{absent}; runpy.run_module('freeform', run_name='__main__')"],
        env=Home(tmp_path / "home").environ, capture_output=True, text=True, timeout=PATIENCE,
    )  # fmt: skip
    assert (run.returncode, run.stdout) == (1, "")
    assert run.stderr.count("\n") == 1 and "freeform-rpg[web]" in run.stderr


async def test_serve_says_that_a_port_is_taken(served: Served, tmp_path: Path) -> None:
    port = int(served.url.rpartition(":")[2])
    with pytest.raises(UserError, match="choose another with --port"):
        await serve(Settings(home=tmp_path, model="offline"), "127.0.0.1", port, print)
