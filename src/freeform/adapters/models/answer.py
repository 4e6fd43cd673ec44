"""What a model wrote, read as the record it was asked for: thoughts, fences, words around it and
wrappers are taken off, and what is nearly right is mended without asking again."""

import re
from collections.abc import Iterator
from typing import Any

from pydantic import BaseModel, ValidationError

from freeform.adapters.models.loose_json import LooseValue, read_loosely
from freeform.adapters.models.record_shape import known_keys, lacking, shaped
from freeform.core.llm.gateway import Out, Pass
from freeform.language.sentences import SENTENCE_END

_OPENING = re.compile(r"\s*<([a-zA-Z][\w-]*)>")
_ORPHAN = re.compile(r"</[a-zA-Z][\w-]*>")
_FENCE = re.compile(r"```[\w-]*\n?|```")
_PREAMBLE = re.compile(r"\A[^\n]{0,160}:[ \t]*\n+")
_SPOKEN = re.compile(r"[\"“][^\"”]*[\"”]|(?<!\w)['‘][^'’\n]*['’](?!\w)")
_SENTENCE = re.compile(r"\w\W+\w.*[.!?…]", re.S)
_SPEAKS_OF_ITSELF = re.compile(r"\b(?:I|I['’]m|I['’]ve|my|me|we|our)\b", re.I)
_MOST_OBJECTS = 24
_DEEPEST_WRAPPER = 3


class Unread(Exception):
    """An answer that cannot be used. The message is said to the model; `short` to a person."""

    def __init__(self, wrong: str, short: str = "") -> None:
        self.short = short or wrong
        super().__init__(wrong)


def read_answer(text: str, pass_: Pass[Any, Out]) -> Out:
    """The record; Unread says in a sentence what is wrong with the answer."""
    said = without_thoughts(text)
    if not said.strip():
        raise Unread("the answer was empty")
    after = _after_tags(said)
    tried = (_best_object(each, pass_) for each in dict.fromkeys((after, said, text)))
    found = next((each for each in tried if each), None)
    if found is None:
        prose = _as_prose(after) if pass_.streams else ""
        if not prose:
            raise Unread("the answer holds no JSON object of the schema")
        found = LooseValue({pass_.streams: prose}, len(said), True)
    row = shaped(pass_.gives, found.value)
    if not found.whole:
        row = _ended(row, pass_)
    missing = lacking(pass_.gives, row)
    if missing:
        raise Unread("`" + "`, `".join(missing) + "` is required and missing")
    output = _validated(pass_.gives, row)
    if pass_.is_empty(output):
        raise Unread("nothing is in it; fill `" + "` or `".join(pass_.needs) + "`")
    return output


def without_thoughts(text: str, whole: bool = True) -> str:
    """The text after a model's thoughts, which stand in a tag before the answer; '' while they are
    not over. In a whole text, a tag around the whole answer is taken off."""
    opening = _OPENING.match(text)
    while opening:
        closing = text.find(f"</{opening[1]}>", opening.end())
        if closing < 0:
            return ""
        after = text[closing + len(opening[1]) + 3 :]
        around = whole and not after.strip()
        text = text[opening.end() : closing] if around else after
        opening = _OPENING.match(text)
    return text


def _after_tags(text: str) -> str:
    """What follows the last tag that only ends: thoughts whose beginning stood in the prompt."""
    tags = list(_ORPHAN.finditer(text))
    after = text[tags[-1].end() :] if tags else ""
    return after if _FENCE.sub("", after).strip() else text


def streamed_so_far(text: str, field: str) -> str:
    """How far one string field has come in an answer that is still being written."""
    said = without_thoughts(text, whole=False)
    start = said.find("{")
    if start < 0:
        return ""
    try:
        value = read_loosely(said, start).value
    except ValueError:
        return ""
    for _ in range(_DEEPEST_WRAPPER):
        if not isinstance(value, dict):
            return ""
        held = value.get(field)
        if isinstance(held, str):
            return held
        inner = [each for each in value.values() if isinstance(each, dict)]
        value = inner[0] if len(inner) == 1 else None
    return ""


def _best_object(text: str, pass_: Pass[Any, Any]) -> LooseValue | None:
    """Of the objects in a text, the one with most of the record's fields; the first of several."""
    best, most = None, 0
    for found in _objects(text):
        value = _unwrapped(found.value, pass_.gives)
        known = known_keys(pass_.gives, value)
        if value and not known:
            value = _under_another_name(value, pass_.gives)
            known = len(value)
        if known > most:
            best, most = LooseValue(value, found.end, found.whole), known
        elif best is None and not found.value:
            best = found  # it says nothing, but it is an answer
    return best


def _objects(text: str) -> Iterator[LooseValue]:
    """Every object that stands in a text, outermost ones only."""
    at, left = 0, _MOST_OBJECTS
    while left:
        start = text.find("{", at)
        if start < 0:
            return
        left -= 1
        at = start + 1
        try:
            found = read_loosely(text, start)
        except ValueError:
            continue
        if isinstance(found.value, dict):
            at = max(at, found.end)
            yield found


def _unwrapped(value: dict[str, Any], record: type[BaseModel]) -> dict[str, Any]:
    """What lies inside an object that only names its content, as in `{"NarratorOutput": {…}}`."""
    for _ in range(_DEEPEST_WRAPPER):
        if known_keys(record, value):
            break
        inner = [each for each in map(_opened, value.values()) if each]
        inner.sort(key=lambda each: known_keys(record, each), reverse=True)
        if not inner:
            break
        value = inner[0]
    return value


def _opened(value: Any) -> dict[str, Any]:
    """An object as it is, in a list of its own, or written as a string; {} for all else."""
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    if isinstance(value, str) and value.lstrip().startswith("{"):
        try:
            value = read_loosely(value).value
        except ValueError:
            return {}
    return value if isinstance(value, dict) else {}


def _under_another_name(value: dict[str, Any], record: type[BaseModel]) -> dict[str, Any]:
    """Where one string is required and one string was given, that is it, whatever it is called."""
    wanted = [name for name in lacking(record, {}) if record.model_fields[name].annotation is str]
    given = [each for each in value.values() if isinstance(each, str) and each.strip()]
    return {wanted[0]: given[0]} if len(wanted) == len(given) == 1 else {}


def _ended(row: dict[str, Any], pass_: Pass[Any, Any]) -> dict[str, Any]:
    """An answer that broke off: prose ends at its last whole sentence; all else is asked anew."""
    prose = row.get(pass_.streams) if pass_.streams else None
    if not isinstance(prose, str):
        raise Unread("the answer breaks off in the middle; answer shorter")
    if list(row)[-1] == pass_.streams:  # it broke off inside the prose
        ends = [match.end() for match in SENTENCE_END.finditer(f"{prose.rstrip()} ")]
        prose = prose[: ends[-1]].rstrip() if ends else ""
    if not prose:
        raise Unread("the answer breaks off in the middle; answer shorter")
    return {**row, pass_.streams: prose}


def _as_prose(text: str) -> str:
    """Plain prose that a narrator wrote instead of JSON, without fences and announcement; '' for
    what is no narration: broken JSON, or a model that speaks of itself."""
    plain = _FENCE.sub("", text).strip()
    plain = _PREAMBLE.sub("", plain).strip()
    if plain.startswith(("{", "[")) or not _SENTENCE.search(plain):
        return ""
    return "" if _SPEAKS_OF_ITSELF.search(_SPOKEN.sub(" ", plain)) else plain


def _validated(record: type[Out], row: dict[str, Any]) -> Out:
    try:
        return record.model_validate(row)
    except ValidationError as failed:
        errors = failed.errors()[:3]
        places = [".".join(map(str, error["loc"])) or "the whole" for error in errors]
        said = zip(places, errors, strict=True)
        wrong = "; ".join(f"`{place}`: {error['msg']}" for place, error in said)
        raise Unread(wrong, "`" + "`, `".join(places) + "` did not fit") from failed
