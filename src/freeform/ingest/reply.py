"""What the passes of ingest answer with: a reply in which null says nothing."""

from typing import Any

from pydantic import model_validator

from freeform.core.record import Reply


class IngestReply(Reply):
    """A reply whose empty fields may be null: a model that is told to leave empty what a book does
    not say writes so."""

    @model_validator(mode="before")
    @classmethod
    def _without_nulls(cls, data: Any) -> Any:
        if not isinstance(data, dict):
            return data
        needed = {name for name, field in cls.model_fields.items() if field.is_required()}
        return {key: value for key, value in data.items() if value is not None or key in needed}
