"""Who and what a sentence names: known names by any of their forms, other names by their capitals,
each put into a slot that says its kind, so that patterns see `[0z] borders [1z]`."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from freeform.language.words import stop_words
from freeform.lore.read.vocabulary import is_place, kind_of_words

KIND_OF = {"zone": "z", "place": "p", "person": "n", "faction": "f", "thing": "i"}
_NAMED = re.compile(r"^(?P<name>.+?) \((?P<kind>zone|place|person|faction|thing)\)$")
_ARTICLE = re.compile(r"^(?:the|an?)\s+", re.I)


@dataclass(frozen=True)
class NamedThing:
    """A name as it is known, and the letter of its kind: `k` for a known name of unknown kind, `u`
    where nothing is known but its capitals."""

    name: str
    kind: str = "u"


@dataclass
class NameForms:
    """Known names by every form they may be written in."""

    forms: dict[str, NamedThing] = field(default_factory=dict)

    @classmethod
    def of(cls, known_names: str) -> "NameForms":
        """From names as a prompt lists them: `Florin (person), Perdition Harbor (zone)`."""
        made, short = cls(), dict[str, set[str]]()
        known = [_known(text) for text in known_names.split(", ") if text.strip()]
        for mention in known:
            made.forms.setdefault(_ARTICLE.sub("", mention.name), mention)
        for mention in known:
            for form in _short(mention):
                short.setdefault(form, set()).add(mention.name)
        by_name = {mention.name: mention for mention in known}
        for form, names in short.items():
            if len(names) == 1 and form not in made.forms:
                made.forms[form] = by_name[names.pop()]
        return made

    def slotted(self, sentence: str) -> tuple[str, list[NamedThing]]:
        """The sentence with a slot for every name, and the names in order."""
        found: list[NamedThing] = []
        pieces: list[str] = []
        pattern, position, looked = self._pattern(), 0, 0
        while match := pattern.search(sentence, looked):
            mention = self.forms.get(match[0]) or self._unknown(match[0], match.start())
            if mention is None:
                # "The Ember Crown": the name may begin behind the first word.
                looked = match.start() + len(match[0].split()[0])
                continue
            pieces += [sentence[position : match.start()], f"[{len(found)}{mention.kind}]"]
            found.append(mention)
            position = looked = match.end()
        return "".join([*pieces, sentence[position:]]), found

    def _pattern(self) -> re.Pattern[str]:
        known = sorted(map(re.escape, self.forms), key=len, reverse=True)
        listed = rf"\b(?:{'|'.join(known)})(?!\w)|" if known else ""
        return re.compile(listed + r"\b[A-Z][\w'’-]*(?:\s+(?:of\s+(?:the\s+)?)?[A-Z][\w'’-]*)*")

    @staticmethod
    def _unknown(text: str, start: int) -> NamedThing | None:
        words = text.split()
        if words[0].lower() in stop_words() or (start == 0 and len(words) == 1):
            return None
        return NamedThing(text.strip(), _by_noun(text))


def _by_noun(name: str) -> str:
    """The kind that a name says of itself: the Brown Hills are a place, the Reed Clan a faction."""
    kind = kind_of_words(name)
    if kind == "faction":
        return "f"
    return "p" if kind == "lore" and is_place(name) else "u"


def _known(text: str) -> NamedThing:
    found = _NAMED.match(text.strip())
    if found is None:
        return NamedThing(text.strip(), "k")
    return NamedThing(found["name"], KIND_OF[found["kind"]])


def _short(mention: NamedThing) -> Iterable[str]:
    """A person goes by each of their names, a place by the noun of its name."""
    words = _ARTICLE.sub("", mention.name).split()
    if len(words) < 2 or not all(word[:1].isupper() for word in words if len(word) > 3):
        return []
    if mention.kind == "n":
        return [word for word in (words[0], words[-1]) if word[:1].isupper() and len(word) > 2]
    return [words[-1]] if mention.kind in "zpf" and words[-1][:1].isupper() else []
