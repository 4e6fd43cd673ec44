"""Every setting there is, with its description. `sources.py` says where values come from."""

from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

from pydantic import Field, SecretStr, field_validator

from freeform.core.address import is_this_machine
from freeform.settings.house import NO_KEY, default_home
from freeform.settings.limits import LimitSettings

PREFIX = "FREEFORM_"
FILE = "freeform.toml"
__all__ = ["FILE", "NO_KEY", "PREFIX", "USUAL", "Settings", "default_home"]
USUAL = {
    "anthropic_api_key": "ANTHROPIC_API_KEY",
    "openai_api_key": "OPENAI_API_KEY",
    "openrouter_api_key": "OPENROUTER_API_KEY",
    "ollama_url": "OLLAMA_HOST",
    "lore_gateway_url": "MCP_GATEWAY_URL",
    "lore_rabbitmq_url": "RABBITMQ_URL",
    "lore_requests_per_minute": "RATE_LIMIT_REQUESTS_PER_MINUTE",
}


class Settings(LimitSettings):
    """What a person can set. The description of each field is its documentation."""

    index: Literal["sqlite", "chroma"] = Field(
        "sqlite",
        description="Where the vectors of passages lie: `sqlite`, or `chroma` (needs the "
        "extra `chroma`).",
    )
    embedding_url: str = Field(
        "",
        description="The address of an OpenAI-compatible server that turns texts into vectors, "
        "up to `/embeddings`, as `http://127.0.0.1:11434/v1`; '' is the small model on this "
        "machine, if it was fetched.",
    )
    embedding_model: str = Field(
        "", description="The model that turns texts into vectors at `embedding_url`."
    )
    embedding_key: SecretStr = Field(NO_KEY, description="Key for `embedding_url`.")
    pdf_reader: Literal["pdf_oxide", "pdfium", "pymupdf"] = Field(
        "pdf_oxide",
        description="What reads PDFs: `pdf_oxide` or `pdfium` (extra `ingest`), or "
        "`pymupdf` (AGPL; extra `pymupdf`).",
    )
    ingest_tokens: int = Field(
        700_000,
        ge=0,
        description="Most tokens that showing a book to a model may take; 0 is no limit.",
    )
    ingest_parallel: int = Field(
        4, ge=1, le=32, description="Questions about a book that are put to a model at once."
    )
    seed: int | None = Field(None, description="Seed of the dice of new campaigns; none draws one.")
    time_limit_s: float = Field(
        120.0, gt=0, description="Seconds to wait for one answer of a model."
    )
    retries: int = Field(
        3, ge=0, le=20, description="Further tries when a model cannot be reached."
    )
    local_window: int = Field(
        16_384,
        ge=2048,
        le=1_000_000,
        description="Tokens that a model on this machine (`ollama:`, `gguf:`) sees at "
        "once. More takes more memory.",
    )
    passes: Literal["auto", "two", "three"] = Field(
        "auto",
        description="Calls to a model a turn: `two` (a referee, then the teller), `three` "
        "(interpreter, planner, narrator); `auto` is two with a language model.",
    )
    context_tokens: int = Field(
        0,
        ge=0,
        le=200_000,
        description="Tokens of the world that a model is told a turn; 0: by its window.",
    )
    repairs: int = Field(
        2, ge=0, le=10, description="Further tries when a model's answer does not fit."
    )
    session_turns: int = Field(
        0, ge=0, description="A game night ends by itself after so many turns; 0: only when told."
    )
    ask_tool_confidence: float = Field(
        0.7,
        ge=0,
        le=1,
        description="`ask` looks in a source when it is at least so sure that it is needed.",
    )
    ask_entity_confidence: float = Field(
        0.6,
        ge=0,
        le=1,
        description="`ask` looks a name up when it is at least so sure that it is one.",
    )
    ask_tokens: int = Field(
        3000,
        ge=200,
        le=200_000,
        description="Most tokens of source text that `ask` gives to its answer.",
    )
    players_channel_hours: float = Field(
        24.0,
        ge=0,
        description="Hours a message of a party stays in its channel; 0 keeps it. Rounds "
        "are kept anyway.",
    )
    players_redis: str = Field(
        "", description="Address of a Redis server, as `redis://127.0.0.1:6379/0`; '' does without."
    )
    players_channels: Literal["sqlite", "redis"] = Field(
        "sqlite",
        description="Where a party's messages lie: `sqlite`, or `redis` (Redis Lists at "
        "`players_redis`).",
    )
    players_workers: Literal["here", "redis"] = Field(
        "here",
        description="Who puts the players' questions: this process, or `worker` "
        "processes over `players_redis`.",
    )
    memory_url: SecretStr = Field(
        NO_KEY,
        description="Where players' memories are kept: '' is a SQLite file beside the "
        "party, or the address of a graph, "
        "`bolt://USER:PASSWORD@HOST:7687` (Neo4j) or `falkordb://HOST:6379`; needs the "
        "extra `graphiti`.",
    )
    players_checkpoints: str = Field(
        "",
        description="Where rounds are checkpointed: '' is a SQLite file, or a "
        "`postgresql://…` address.",
    )
    spans: str = Field(
        "",
        description="OpenTelemetry spans of AI players' rounds (extra `otel`): '' is "
        "none, `on` gives them to the tracer "
        "this process was started with, anything else is a file for one JSON document a line.",
    )
    players_model_s: float = Field(
        20.0, gt=0, description="Seconds to wait for one answer to an AI player's question."
    )
    players_job_s: float = Field(
        30.0, gt=0, description="Seconds one AI player's question may take in all."
    )
    lore_search_url: str = Field(
        "",
        description="The search engine of the lore researcher; empty: the own search of "
        "the wikis in `lore_sources`.",
    )
    lore_search_kind: Literal["searxng", "brave"] = Field(
        "searxng", description="How that search engine is asked."
    )
    lore_search_key: SecretStr = Field(
        NO_KEY, description="Key for that search engine, where it wants one."
    )
    lore_sources: Path | None = Field(
        None,
        description="The file sources.yml: which sites are how good, their licences, "
        "their api.php.",
    )
    lore_allow_private: bool = Field(
        False, description="Whether the crawler may read private and loopback addresses."
    )
    lore_requests_per_minute: int = Field(
        60,
        ge=0,
        description="Most searches and page reads of the lore researcher in a minute; 0 "
        "is no limit.",
    )
    lore_host_pause_s: float = Field(
        1.0, ge=0, description="Seconds between two requests to the same site."
    )
    lore_page_seconds: float = Field(
        30.0, gt=0, description="Seconds to wait for one page of the web."
    )
    lore_per_cycle_token_budget: int = Field(
        50_000, ge=0, description="Most tokens of the lore researcher for one zone; 0 is no limit."
    )
    lore_daily_token_budget: int = Field(
        500_000,
        ge=0,
        description="Most tokens of the lore researcher in a day; then it sleeps; 0 is no limit.",
    )
    lore_pass_tokens: int = Field(2_500, ge=200, description="Most tokens of a page in a question.")
    lore_pages_per_search: int = Field(8, ge=1, description="Most pages of a site that are opened.")
    lore_links_per_step: int = Field(24, ge=0, description="Most links followed in one step.")
    lore_passes_per_step: int = Field(300, ge=1, description="Most questions to a model in a step.")
    lore_max_research_validate_iterations: int = Field(
        3, ge=1, le=20, description="Attempts at a zone before the validator's no is final."
    )
    lore_research_cycle_delay_minutes: float = Field(
        0.0, ge=0, description="Minutes between two research cycles."
    )
    lore_ask_at_forks: bool = Field(
        True,
        description="Whether a person chooses where several ways lead on; else all are "
        "taken in order.",
    )
    lore_decision_hours: float = Field(
        0.0, ge=0, description="Hours after which an open fork takes its default; 0 waits for ever."
    )
    lore_least_coverage: float = Field(
        0.5, ge=0, le=1, description="Share of what a zone's pages name that must have been read."
    )
    serve_key: SecretStr = Field(
        NO_KEY, description="What one must say to use `serve` from another machine."
    )
    serve_upload_mb: int = Field(
        64, ge=1, le=4096, description="Largest file that `serve` takes, in megabytes."
    )
    serve_per_minute: int = Field(
        12_000,
        ge=0,
        description="Most requests to `serve` in a minute with one key, or from one "
        "address without; 0 is no limit.",
    )
    serve_drain_s: float = Field(
        20.0,
        ge=0,
        le=3600,
        description="Seconds that `serve`, told to stop, lets turns on their way be finished.",
    )
    research_at_once: int = Field(
        6, ge=1, le=64, description="How many things research looks up side by side."
    )
    research_redis: str = Field(
        "",
        description="Address of a Redis server to keep research in, as "
        "`redis://127.0.0.1:6379/0`; '' is a file.",
    )
    research_mcp: str = Field(
        "",
        description="Addresses of MCP servers whose tools research may use, with spaces between.",
    )
    research_tool_seconds: float = Field(
        60.0,
        gt=0,
        description="Seconds to wait for one look of research into a book, a note or the web.",
    )
    lore_store: str = Field(
        "",
        description="Where lore is kept: nothing is a SQLite file under the home, "
        "`surreal` SurrealDB inside one process "
        "(needs the extra `lore`), or the address of a SurrealDB server such as "
        "`ws://127.0.0.1:8000`.",
    )
    lore_surreal_user: str = Field("", description="Who signs in to a SurrealDB server.")
    lore_surreal_password: SecretStr = Field(
        NO_KEY, description="The password for `lore_surreal_user`."
    )
    lore_gateway_url: str = Field(
        "",
        description="An MCP gateway that has the tools of all three lore servers; "
        "nothing: they run in process.",
    )
    lore_storage_url: str = Field(
        "", description="The Storage server's MCP address; wins over the gateway."
    )
    lore_search_mcp_url: str = Field(
        "", description="The Web Search server's MCP address; wins over the gateway."
    )
    lore_crawler_mcp_url: str = Field(
        "", description="The Web Crawler server's MCP address; wins over the gateway."
    )
    lore_mcp_key: SecretStr = Field(
        NO_KEY, description="What one must say to use the lore servers from elsewhere."
    )
    lore_rabbitmq_url: str = Field(
        "",
        description="A RabbitMQ server for the agents' messages; nothing: they pass "
        "through the store.",
    )
    lore_page_mb: float = Field(5.0, gt=0, description="Largest page that is read, in megabytes.")
    discord_token: SecretStr = Field(
        NO_KEY, description="The token of the Discord bot, for `discord`."
    )
    discord_public_key: str = Field(
        "", description="The application's public key, for `/discord/interactions`."
    )
    discord_application: str = Field(
        "", description="The application's id, for `/discord/interactions`."
    )
    discord_api: str = Field(
        "https://discord.com/api/v10", description="Where Discord's REST API is."
    )
    discord_per_minute: int = Field(
        10, ge=0, description="Most commands of one Discord user in a minute; 0 is no limit."
    )
    discord_gamemasters: str = Field(
        "",
        description="Ids of the Discord users who may see what is for the game master "
        "alone, with spaces between.",
    )
    log_level: Literal["debug", "info", "warn", "error"] = Field(
        "info",
        description="From which level on the log is written; standard error has warnings "
        "and errors.",
    )
    log_format: Literal["text", "json"] = Field(
        "text", description="The log as lines for people, or as one JSON object a line."
    )
    log_file: Path | None = Field(
        None, description="The log's file; nothing is `logs/freeform.log` in the home."
    )
    color: Literal["auto", "always", "never"] = Field(
        "auto", description="Colours in the terminal; `auto` also heeds NO_COLOR and pipes."
    )

    @property
    def vectors_sent_to(self) -> str:
        """The host that texts are sent to for their vectors; '' when they stay on this machine."""
        if not self.embedding_url or is_this_machine(self.embedding_url):
            return ""
        try:
            return urlsplit(self.embedding_url).hostname or self.embedding_url
        except ValueError:
            return self.embedding_url

    @field_validator("home", "data", "lore_sources", "log_file", "image_workflow", mode="after")
    @classmethod
    def _home_of_the_person(cls, path: Path | None) -> Path | None:
        return path.expanduser().absolute() if path else None

    @field_validator("ollama_url", mode="after")
    @classmethod
    def _whole_address(cls, url: str) -> str:
        # Ollama's own variable often holds only a host, or a host and a port.
        return url if "://" in url else f"http://{url}" if ":" in url else f"http://{url}:11434"
