"""Settings of what calls to models may come to: how often, how much, for whom."""

from pydantic import Field, field_validator

from freeform.settings.models import ModelSettings


class LimitSettings(ModelSettings):
    """Limits hold for all processes on one home, or at one Postgres or Redis."""

    @field_validator("limits_redis", mode="after")
    @classmethod
    def _known_counter(cls, url: str) -> str:
        if url and not url.startswith(("redis://", "rediss://", "unix://")):
            raise ValueError("it begins with redis://, or is '' to do without")
        return url

    rate_per_minute: int = Field(
        0, ge=0, description="Most calls to a model in a minute; 0 is no limit."
    )
    rate_table_per_minute: int = Field(
        0, ge=0, description="Most calls to a model in a minute for one table; 0 is no limit."
    )
    rate_person_per_minute: int = Field(
        0,
        ge=0,
        description="Most calls to a model in a minute for the turns of one person at a shared "
        "table; 0 is no limit. Whoever is over it waits, and sees their place in line.",
    )
    limits_redis: str = Field(
        "",
        description="Address of a Redis that counts calls for all processes; '' counts in the "
        "Postgres of `store_url`, else in the home.",
    )
    budget_turn_tokens: int = Field(
        60_000, ge=0, description="Most tokens a turn may use; 0 is no limit."
    )
    budget_turn_cost_usd: float = Field(
        0.5, ge=0, description="Most dollars a turn may cost; 0 is no limit."
    )
    budget_day_tokens: int = Field(
        2_000_000, ge=0, description="Most tokens a day may use; 0 is no limit."
    )
    budget_day_cost_usd: float = Field(
        5.0, ge=0, description="Most dollars a day may cost; 0 is no limit."
    )
    budget_table_day_tokens: int = Field(
        0, ge=0, description="Most tokens one table may use in a day; 0 is no limit."
    )
    budget_person_day_tokens: int = Field(
        0,
        ge=0,
        description="Most tokens the turns of one person at a shared table may use in a day; "
        "0 is no limit.",
    )
