"""What went wrong, as a status and one sentence."""

import logging
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel
from starlette.exceptions import HTTPException

from freeform.apps.web.responses import HttpProblem
from freeform.core.errors import (
    BadReply,
    BudgetSpent,
    Conflict,
    Forbidden,
    FreeformError,
    NotFound,
    TooLarge,
    Unavailable,
    UserError,
)
from freeform.core.log import kind_of, place_of, tell

_LOG = logging.getLogger("freeform.web")
MISTAKE = (
    "this is a mistake in the program; your campaigns are as they were, "
    "the server's log has the details"
)
STATUSES = {
    400: "It cannot be done as asked; the sentence says how it can.",
    401: "A key is needed.",
    403: "The request comes from another page.",
    404: "Nothing goes by that name.",
    409: "Something else happened first.",
    413: "It is too large.",
    422: "The request does not read.",
    429: "Too many requests.",
    503: "Something outside is unavailable.",
}
_KINDS = {
    401: "forbidden",
    403: "forbidden",
    404: "not_found",
    413: "too_large",
    429: "unavailable",
}


def declared(shape: type[BaseModel]) -> dict[int | str, dict[str, Any]]:
    """How every route may answer when it cannot do as asked.

    Given as a model, the shape would be built anew for each status of each route, nearly a thousand
    times. So it is given once, which puts it into the document, and named after that.
    """
    named = {"application/json": {"schema": {"$ref": f"#/components/schemas/{shape.__name__}"}}}
    told: dict[int | str, dict[str, Any]] = {
        status: {"description": text, "content": named} for status, text in STATUSES.items()
    }
    return {**told, 400: {"description": STATUSES[400], "model": shape}}


DECLARED = declared(HttpProblem)


def status_of(wrong: FreeformError) -> tuple[int, str]:
    """The status and kind of an error of ours."""
    match wrong:
        case TooLarge():
            return 413, "too_large"
        case NotFound():
            return 404, "not_found"
        case Forbidden():
            return 403, "forbidden"
        case UserError():
            return 400, "user"
        case Conflict():
            return 409, "conflict"
        case BudgetSpent():
            return 429, "budget"
        case Unavailable() | BadReply():
            return 503, "unavailable"
        case _:
            return 500, "mistake"


def add_to(app: FastAPI) -> None:
    """Every error leaves as the same small document."""

    @app.exception_handler(FreeformError)
    async def ours(request: Request, wrong: FreeformError) -> JSONResponse:
        status, kind = status_of(wrong)
        return problem(status, str(wrong), kind, later(wrong))

    @app.exception_handler(RequestValidationError)
    async def does_not_read(request: Request, wrong: RequestValidationError) -> JSONResponse:
        told = unread(wrong.errors())
        return (
            for_openai(422, told, "user")
            if request.url.path.startswith("/v1/")
            else problem(422, told, "user")
        )

    @app.exception_handler(HTTPException)
    async def framework(request: Request, wrong: HTTPException) -> JSONResponse:
        told = "there is nothing here" if wrong.status_code == 404 else str(wrong.detail)
        told = told if wrong.status_code == 413 else told.lower()
        return problem(
            wrong.status_code, told, _KINDS.get(wrong.status_code, "user"), wrong.headers
        )

    @app.exception_handler(Exception)
    async def mistake(request: Request, wrong: Exception) -> JSONResponse:
        tell(_LOG, logging.ERROR, "mistake", kind=kind_of(wrong), where=place_of(wrong))
        return problem(500, MISTAKE, "mistake")


def later(wrong: FreeformError) -> dict[str, str] | None:
    """The header that says when to try again, where that is known."""
    if isinstance(wrong, Unavailable) and wrong.retry_after is not None:
        return {"retry-after": str(max(1, round(wrong.retry_after)))}
    return None


def for_openai(status: int, told: str, kind: str, headers: Any = None) -> JSONResponse:
    """The same as the OpenAI protocol has it."""
    type = "invalid_request_error" if status < 500 else "server_error"
    return JSONResponse({"error": {"message": told, "type": type, "code": kind}}, status, headers)


def unread(errors: Any) -> str:
    """The first thing that does not read. What was sent is left out: it may be a secret."""
    first = errors[0] if errors else {"loc": (), "msg": "it does not read"}
    if first.get("type") == "json_invalid":
        return "the request does not read as JSON; check its commas and quotes"
    where = ".".join(str(part) for part in first["loc"][1:]) or str(
        first["loc"][0] if first["loc"] else "request"
    )
    return f"`{where}` does not fit: {str(first['msg']).lower()}"


def problem(status: int, told: str, kind: str, headers: Any = None) -> JSONResponse:
    """The document."""
    return JSONResponse({"error": told, "kind": kind}, status, headers=headers)
