"""Settings of which models are asked, and what draws."""

from pathlib import Path
from typing import Literal

from pydantic import Field, SecretStr

from freeform.settings.house import NO_KEY, HouseSettings


class ModelSettings(HouseSettings):
    """Models that are asked, their keys, and what draws pictures."""

    model: str = Field(
        "auto",
        description="The language model: `auto` (whichever is found, else offline), `offline`, "
        "`anthropic:NAME`, `openai:NAME`, `openrouter:NAME`, `ollama:NAME` or `gguf:PATH`.",
    )
    models_interpreter: str = Field(
        "", description="Another model for understanding what players type."
    )
    models_planner: str = Field("", description="Another model for planning where a scene goes.")
    models_narrator: str = Field("", description="Another model for telling what happens.")
    models_cheap: str = Field("", description="Another model for small questions.")
    models_players: str = Field(
        "", description="Another model for AI players and their characters."
    )
    base_url: str = Field(
        "", description="The address of an OpenAI-compatible server, for `openai:NAME`."
    )
    ollama_url: str = Field("http://127.0.0.1:11434", description="Where Ollama listens.")
    anthropic_api_key: SecretStr = Field(NO_KEY, description="Key for `anthropic:` models.")
    openai_api_key: SecretStr = Field(
        NO_KEY, description="Key for `openai:` models and for `base_url`."
    )
    openrouter_api_key: SecretStr = Field(NO_KEY, description="Key for `openrouter:` models.")
    url_api_key: SecretStr = Field(
        NO_KEY, description="Key for `url:` models; where it is not set, `openai_api_key` is sent."
    )
    image_door: Literal["", "openai", "automatic1111", "comfyui"] = Field(
        "",
        description="What draws pictures when somebody asks for one: '' nothing, `openai` (any "
        "server with OpenAI's images API), `automatic1111` or `comfyui`.",
    )
    image_url: str = Field(
        "",
        description="The address of what draws; '' is the usual one: OpenAI's, "
        "`http://127.0.0.1:7860` or `http://127.0.0.1:8188`.",
    )
    image_model: str = Field(
        "", description="The model that draws, by name; '' is the one that the server has."
    )
    image_key: SecretStr = Field(
        NO_KEY,
        description="Key for `image_door` (for `automatic1111`: `NAME:PASSWORD`); at OpenAI's own "
        "address, `openai_api_key` where it is not set.",
    )
    image_style: str = Field(
        "ink and watercolour illustration, muted colours",
        description="How pictures are to look, in words.",
    )
    image_size: str = Field(
        "1024x768",
        pattern=r"^[1-9]\d{2,3}x[1-9]\d{2,3}$",
        description="Width and height of pictures that are asked for, as `1024x768`.",
    )
    image_workflow: Path | None = Field(
        None,
        description="A workflow of your own for `comfyui`, saved in API format, with `{prompt}` "
        "where the words go (and `{leave_out}`, `{seed}`, `{width}`, `{height}`, `{model}`).",
    )
    image_seconds: float = Field(
        300.0, gt=0, le=3600, description="Seconds to wait for one picture."
    )
