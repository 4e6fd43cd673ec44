"""The safety of the door: hosts, keys, origins, sizes, rates, headers, and every kind of bad input."""

import io
import json
import struct
import zipfile
import zlib
from pathlib import Path

import httpx
import pytest

from freeform.apps.web.guard import UPLOADS
from freeform.apps.web.hosts import check_host
from freeform.apps.web.routes import pages
from freeform.core.errors import BadSettings
from freeform.settings import Settings
from tests.apps.web.serving import Served, serving

KEY = "open-sesame-42"


@pytest.mark.parametrize(
    ("method", "path", "content", "status", "kind"),
    [
        ("POST", "/api/campaigns/a/turns", b"{not json", 422, "user"),
        ("POST", "/api/campaigns/a/turns", b'{"text": 7}', 422, "user"),
        ("POST", "/api/campaigns/a/turns", b'{"text": "wait", "mode": "sing"}', 422, "user"),
        ("POST", "/api/campaigns/a/turns", b'{"text": "   "}', 400, "user"),
        ("POST", "/api/campaigns/a/branch", b'{"turn_no": false}', 422, "user"),
        ("POST", "/api/campaigns/a/turns", b'{"text": "wait", "extra": 1}', 422, "user"),
        ("POST", "/api/campaigns/nobodys/turns", b'{"text": "wait"}', 404, "not_found"),
        ("GET", "/api/campaigns/nobodys/table", b"", 404, "not_found"),
        ("GET", "/api/campaigns/..%2f..%2fetc/table", b"", 404, "not_found"),
        ("POST", "/api/campaigns", b'{"scenario": "no_such"}', 404, "not_found"),
        ("POST", "/api/campaigns", b'{"scenario": "cellar", "campaign": "a"}', 409, "conflict"),
        ("POST", "/api/campaigns", b'{"scenario": "cellar", "campaign": "../x"}', 400, "user"),
        ("POST", "/api/campaigns/a/undo", b'{"turns": 1}', 400, "user"),
        ("POST", "/api/campaigns/a/switch", b'{"branch": "nowhere"}', 404, "not_found"),
        ("POST", "/api/roll", b'{"expr": "9999999d6"}', 400, "user"),
        ("POST", "/api/model", b'{"model": "nonsense"}', 400, "user"),
        ("GET", "/api/packs/no_such", b"", 404, "not_found"),
        ("GET", "/api/nothing", b"", 404, "not_found"),
        ("GET", "/api/campaigns/a/story?limit=many", b"", 422, "user"),
    ],
)
async def test_bad_input_gets_the_right_status_and_one_plain_sentence(
    served: Served, method: str, path: str, content: bytes, status: int, kind: str
) -> None:
    headers = {"content-type": "application/json"} if content else {}
    answer = await served.http.request(method, path, content=content, headers=headers)
    told = answer.json()
    assert (answer.status_code, told["kind"]) == (status, kind), told
    assert told["error"] and "\n" not in told["error"] and "Traceback" not in told["error"]
    assert (await served.get("/healthz"))["ok"]


def zip_of(**files: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as zip:
        for name, content in files.items():
            zip.writestr(name, content)
    return out.getvalue()


def damaged_card() -> bytes:
    chunk = b"tEXt" + b"chara\0e30="
    whole = struct.pack(">I", len(chunk) - 4) + chunk + struct.pack(">I", zlib.crc32(chunk) ^ 1)
    return b"\x89PNG\r\n\x1a\n" + whole


@pytest.mark.parametrize(
    ("name", "content", "status", "says"),
    [
        ("card.png", damaged_card(), 400, "damaged"),
        ("card.png", b"\x89PNG\r\n\x1a\n\0\0", 400, "middle of a chunk"),
        ("p.zip", zip_of(**{"../../evil.md": b"# Evil"}), 400, "leads out of its folder"),
        ("p.zip", zip_of(**{"C:\\evil.md": b"# Evil"}), 400, "leads out of its folder"),
        ("bomb.zip", zip_of(**{"big.md": b"0" * 30_000_000}), 413, "unpacks to more"),
        ("p.zip", b"PK\x05\x06" + b"\0" * 18, 400, "no Markdown"),
        ("w.json", b'{"some": "other program"}', 400, "neither"),
        ("w.json", json.dumps({"entries": []}).encode(), 400, "neither"),
        ("x.bin", b"\x00\x01\x02", 400, "nothing we read"),
    ],
)
async def test_a_bad_file_is_refused_whole(
    served: Served, name: str, content: bytes, status: int, says: str
) -> None:
    before = await served.get("/api/packs")
    answer = await served.http.post("/api/import", files={"file": (name, content)})
    assert (answer.status_code, says in answer.json()["error"]) == (status, True), answer.json()
    assert await served.get("/api/packs") == before
    assert not list(served.room.settings.home.parent.rglob("evil.md"))


async def test_an_upload_that_is_too_large_is_refused_before_it_is_read(tmp_path: Path) -> None:
    async with serving(tmp_path / "home", serve_upload_mb=1) as served:
        claimed = await served.http.post("/api/import", files={"file": ("a.zip", b"0" * 1_100_000)})
        assert (claimed.status_code, claimed.json()["kind"]) == (413, "too_large")
        assert (
            "at most 1 MB" in claimed.json()["error"]
            and "serve_upload_mb" in claimed.json()["error"]
        )

        async def pieces():  # type: ignore[no-untyped-def]
            yield b'--x\r\ncontent-disposition: form-data; name="file"; filename="a.zip"\r\n\r\n'
            for _ in range(12):
                yield b"0" * 100_000

        headers = {"content-type": "multipart/form-data; boundary=x"}
        silent = await served.http.post("/api/import", content=pieces(), headers=headers)
        assert (silent.status_code, silent.json()) == (413, claimed.json())
        assert (await served.get("/healthz"))["ok"]


async def test_wherever_a_file_may_come_in_it_may_be_as_large_as_an_upload(served: Served) -> None:
    paths = (await served.get("/api/openapi.json"))["paths"]
    takes = {
        path
        for path, verbs in paths.items()
        if "multipart/form-data" in str(verbs.get("post", {}).get("requestBody"))
    }
    assert takes == UPLOADS


async def test_a_page_elsewhere_cannot_change_anything(served: Served) -> None:
    body = {"text": "wait"}
    for headers in (
        {"origin": "http://evil.example"},
        {"origin": "null"},
        {"sec-fetch-site": "cross-site"},
        {"host": "evil.example"},
    ):
        answer = await served.http.post("/api/campaigns/a/turns", json=body, headers=headers)
        assert (answer.status_code, answer.json()["kind"]) == (403, "forbidden"), headers
    assert (
        await served.http.get("/api/campaigns", headers={"host": "evil.example"})
    ).status_code == 403
    own = await served.http.post(
        "/api/campaigns/a/turns", json=body, headers={"origin": served.url}
    )
    assert own.status_code == 202
    await served.quiet()
    assert len(await served.story()) == 1


async def test_every_answer_carries_the_headers_of_a_careful_server(served: Served) -> None:
    for path in ("/", "/api/campaigns", "/api/nothing", "/healthz"):
        headers = (await served.http.get(path)).headers
        policy = dict(
            part.strip().split(" ", 1) for part in headers["content-security-policy"].split(";")
        )
        assert (
            policy["script-src"] == policy["style-src"] == "'self'"
            and policy["object-src"] == "'none'"
        )
        assert (
            headers["x-content-type-options"] == "nosniff" and headers["x-frame-options"] == "DENY"
        )


async def test_without_the_built_app_one_plain_page_says_how_to_build_it(
    served: Served, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pages, "STATIC", tmp_path / "not built")
    page = (await served.http.get("/")).text
    assert "<script" not in page and "make serve" in page


def test_any_host_but_loopback_needs_a_key_that_is_one() -> None:
    check_host("127.0.0.1", Settings())
    for host, key in (
        ("0.0.0.0", ""),
        ("192.168.1.5", ""),
        ("0.0.0.0", "short"),
        ("127.0.0.1", "with space in it"),
    ):
        with pytest.raises(BadSettings):
            check_host(host, Settings.model_validate({"serve_key": key}))
    check_host("0.0.0.0", Settings.model_validate({"serve_key": KEY}))


async def test_with_a_key_nobody_comes_in_without_it(tmp_path: Path) -> None:
    async with serving(tmp_path / "home", serve_key=KEY) as served:
        for path in (
            "/api/campaigns",
            "/",
            "/v1/models",
            "/mcp",
            "/api/openapi.json",
            "/metrics",
            "/api/events",
        ):
            answer = await served.http.get(path)
            assert answer.status_code == 401 and KEY not in answer.text, path
        for path in ("/healthz", "/login", "/login.css"):
            assert (await served.http.get(path)).status_code == 200
        person = await served.http.get("/", headers={"accept": "text/html,*/*"})
        assert (person.status_code, person.headers["location"]) == (303, "/login")
        right = {"authorization": f"Bearer {KEY}"}
        assert (await served.http.get("/api/campaigns", headers=right)).status_code == 200
        async with httpx.AsyncClient(base_url=served.url) as browser:
            wrong = await browser.post("/login", data={"key": "guess"})
            assert wrong.status_code == 401 and not browser.cookies
            there = await browser.post("/login", data={"key": KEY})
            cookie = there.headers["set-cookie"].lower()
            assert there.status_code == 303 and "samesite=strict" in cookie and "httponly" in cookie
            assert KEY not in cookie
            assert (await browser.get("/api/campaigns")).status_code == 200


async def test_guessing_keys_is_slow(tmp_path: Path) -> None:
    async with serving(tmp_path / "home", serve_key=KEY) as served:
        guesses = [
            (
                await served.http.get("/api/campaigns", headers={"authorization": f"Bearer {n}"})
            ).status_code
            for n in range(14)
        ]
        assert guesses[:10] == [401] * 10 and guesses[-1] == 429


async def test_a_client_that_asks_too_often_is_told_to_wait(tmp_path: Path) -> None:
    async with serving(tmp_path / "home", serve_per_minute=30) as served:
        answers = [await served.http.get("/healthz") for _ in range(60)]
        assert answers[0].status_code == 200 and answers[-1].status_code == 429
        assert int(answers[-1].headers["retry-after"]) > 0


async def test_requests_are_counted_for_each_key_and_before_that_for_each_address(
    tmp_path: Path,
) -> None:
    right = {"authorization": f"Bearer {KEY}"}
    there = httpx.AsyncHTTPTransport(local_address="127.0.0.2")
    async with (
        serving(tmp_path / "home", serve_per_minute=10, serve_key=KEY) as served,
        httpx.AsyncClient(base_url=served.url, transport=there) as elsewhere,
    ):

        async def asked(by: httpx.AsyncClient, headers: dict[str, str]) -> int:
            return (await by.get("/api/campaigns", headers=headers)).status_code

        assert [await asked(served.http, {}) for _ in range(14)][-1] == 429
        assert await asked(served.http, right) == 200, (
            "a stranger at the same address does not shut the door"
        )
        assert [await asked(served.http, right) for _ in range(14)][-1] == 429
        assert await asked(elsewhere, right) == 429, "the same key at another address"
        assert await asked(elsewhere, {}) == 401, "that address has asked but once"


async def test_the_bar_tells_where_the_model_is(served: Served) -> None:
    for model, stays in (
        ("offline", True),
        ("url:http://127.0.0.1:9/v1#m", True),
        ("url:http://localhost@evil.example/v1#m", False),
        ("url:http://127.0.0.1.evil.example/v1#m", False),
        ("ollama:gpt-oss:120b-cloud", False),
    ):
        chosen = await served.post("/api/model", {"model": model})
        assert chosen["stays_here"] is stays
        assert (await served.get("/api/status"))["stays_here"] is stays


async def test_a_request_keeps_its_id_from_the_door_to_the_tape(served: Served) -> None:
    await served.post("/api/campaigns/a/turns", {"text": "look"}, **{"X-Request-Id": "req_mine"})
    await served.quiet()
    tapes = await served.room.table.tapes.of_turn("a", 1)
    assert {tape.request for tape in tapes} == {"req_mine"}


async def test_every_answer_says_its_request_and_a_strange_id_is_not_taken(served: Served) -> None:
    for wish, taken in (("req_mine", True), ("a b", False), ("x" * 100, False), ("", False)):
        answer = await served.http.get("/healthz", headers={"X-Request-Id": wish})
        assert (answer.headers["x-request-id"] == wish) is taken
        assert answer.headers["x-request-id"]


async def test_a_refused_request_leaves_a_line(
    served: Served, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level("INFO", "freeform"):
        await served.http.post(
            "/api/roll/swordfish", json={}, headers={"Origin": "https://evil.example"}
        )
    (line,) = [record for record in caplog.records if record.name == "freeform.web"]
    assert line.event == "request_refused"  # type: ignore[attr-defined]
    assert line.fields == {"status": 403, "path": "/api"}  # type: ignore[attr-defined]
