"""The streamed field of an answer while its JSON is still being written: only what is new is passed
on."""

from pydantic_core import from_json

from freeform.adapters.models.answer import streamed_so_far
from freeform.core.llm.gateway import Listen


class Growing:
    """Takes JSON in pieces and tells the listener how one string field grows."""

    def __init__(self, field: str, listen: Listen) -> None:
        self._field, self._listen = field, listen
        self._json = self._sent = ""

    def add(self, piece: str) -> None:
        """The next piece of JSON. What does not parse yet is waited for."""
        self._json += piece
        try:
            record = from_json(self._json, allow_partial="trailing-strings")
        except ValueError:
            record = None
        text = record.get(self._field) if isinstance(record, dict) else None
        if text is None:  # fences, thoughts, a wrapper, raw line breaks
            text = streamed_so_far(self._json, self._field)
        if isinstance(text, str) and text.startswith(self._sent):
            self._say(text)

    def again(self) -> None:
        """A new answer begins; the old one is void."""
        self._json = ""
        if self._sent:
            self._sent = ""
            self._listen.again()

    def end(self, text: str) -> None:
        """The field's final text: the listener has heard exactly this when it returns."""
        if not text.startswith(self._sent):
            self.again()
        self._say(text)

    def _say(self, text: str) -> None:
        if grown := text[len(self._sent) :]:
            self._sent = text
            self._listen(grown)
