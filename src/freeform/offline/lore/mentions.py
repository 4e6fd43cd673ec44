"""Who and what a sentence names: known names by any of their forms, other names by their capitals,
each put into a slot that says its kind, so that patterns see `[0z] borders [1z]`."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from freeform.language.forms import is_plural
from freeform.language.words import stop_words, word_class
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
    strange: frozenset[str] = frozenset()
    """Words that begin sentences and are no words of the language: names."""

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

    def own(self, title: str) -> NamedThing:
        """What a page of that title is about."""
        return self.forms.get(_ARTICLE.sub("", title)) or NamedThing(title)

    def learn(self, seen: Mapping[NamedThing, NamedThing]) -> None:
        """With the kinds of names that the text itself has told."""
        for before, now in seen.items():
            for form in [form for form, known in self.forms.items() if known == before]:
                self.forms[form] = now
            self.forms.setdefault(before.name, now)

    def slotted(self, sentence: str) -> tuple[str, list[NamedThing]]:
        """The sentence with a slot for every name, and the names in order."""
        found: list[NamedThing] = []
        pieces: list[str] = []
        pattern, position, looked = self._pattern(), 0, 0
        while match := pattern.search(sentence, looked):
            mention = self._known(match[0]) or self._unknown(match[0], match, sentence)
            if mention is None:
                # "The Ember Crown": the name may begin behind the first word.
                looked = match.start() + len(match[0].split()[0])
                continue
            pieces += [sentence[position : match.start()], f"[{len(found)}{mention.kind}]"]
            found.append(mention)
            position = looked = match.end()
        return "".join([*pieces, sentence[position:]]), found

    def _known(self, text: str) -> NamedThing | None:
        """A known name, of several words also where it is written small."""
        if text in self.forms:
            return self.forms[text]
        small = text.lower()
        alike = [form for form in self.forms if form.lower() == small]
        return self.forms[alike[0]] if alike else None

    def _pattern(self) -> re.Pattern[str]:
        longest = sorted(self.forms, key=len, reverse=True)
        known = [self._written(form) for form in longest]
        listed = rf"\b(?:{'|'.join(known)})(?!\w)|" if known else ""
        return re.compile(listed + r"\b[A-Z][\w'’-]*(?:\s+(?:of\s+(?:the\s+)?)?[A-Z][\w'’-]*)*")

    def _written(self, form: str) -> str:
        """A form as it may be written: names of several words, and of peoples, also small."""
        people = self.forms[form].kind == "f" and is_plural(form)
        return rf"(?i:{re.escape(form)})" if " " in form or people else re.escape(form)

    def _unknown(self, text: str, match: re.Match[str], sentence: str) -> NamedThing | None:
        words = text.split()
        first = words[0].lower()
        if first in stop_words() or first in word_class("sentence_openers"):
            return None
        whose = re.split(r"\s+of\s+(?:the\s+)?", text)[-1]
        if match.start() == 0 and whose != text and whose in self.forms:
            return None  # "Members of the Reed Guild": a word with a name behind it.
        alone = match.start() == 0 and len(words) == 1 and text not in self.strange
        if alone and not _is_called(sentence[match.end() :]):
            return None
        return NamedThing(text.strip(), _by_noun(text))


def _is_called(behind: str) -> bool:
    """Whether what follows a sentence's first word makes that a name: `Yora, the enchanter`."""
    return bool(re.match(r",\s+(?:the|an?|who|whose|his|her)\s", behind))


def _by_noun(name: str) -> str:
    """The kind that a name says of itself: the Brown Hills are a place, the Reed Clan a faction."""
    kind = kind_of_words(name)
    several = kind == "npc" and " " in name and is_plural(name.split()[-1])
    if kind == "faction" or several:  # The Free Miners are a body of people.
        return "f"
    return "p" if kind == "lore" and is_place(name) else "u"


def _known(text: str) -> NamedThing:
    found = _NAMED.match(text.strip())
    if found is None:
        by_noun = _by_noun(text) if " " in text.strip() else "u"
        return NamedThing(text.strip(), "k" if by_noun == "u" else by_noun)
    return NamedThing(found["name"], KIND_OF[found["kind"]])


def _short(mention: NamedThing) -> Iterable[str]:
    """A person goes by each of their names, a place by the noun of its name."""
    whole, _, part = mention.name.partition(": ")
    if part:
        return [part, f"{part} of {whole}", f"{whole} {part}"]  # "St. Maria: Crypt"
    words = _ARTICLE.sub("", mention.name).split()
    if len(words) < 2 or not all(word[:1].isupper() for word in words if len(word) > 3):
        return []
    if mention.kind == "n":
        return [word for word in (words[0], words[-1]) if word[:1].isupper() and len(word) > 2]
    return [words[-1]] if mention.kind in "zpf" and words[-1][:1].isupper() else []
