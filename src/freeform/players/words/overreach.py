"""Intent or outcome? Finds where a player's words tell what comes of an attempt, and cuts that out,
keeping the attempt.

`I strike at the goblin` is an attempt. `I strike the goblin down` and `the goblin falls` are for
the game master to say. What is said aloud (in quotes) is never an outcome: people may boast. Nor is
what someone hopes, fears or waits for.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from freeform.core.record import Record
from freeform.language.forms import is_adverb
from freeform.language.sentences import sentences
from freeform.players.words.overreach_cues import overreach_cues

_QUOTED = re.compile(r"[\"“][^\"”]*(?:[\"”]|$)")
_VERB = re.compile(r"^[a-z]+(?:s|ed)$")


WAITS = "I wait and watch."


class OverreachFound(Record):
    """Where words overreach: the offending stretch, and which rule it breaks."""

    rule: str
    words: str


@dataclass(frozen=True)
class _Clause:
    """A stretch between connectors. `held`: it hangs on a hope, a wait or a condition."""

    lead: str
    text: str
    held: bool


def find_overreach(text: str, own: str = "", others: Sequence[str] = ()) -> list[OverreachFound]:
    """Everything in the words that tells an outcome, or acts for someone else. `own` may be named
    as `I`."""
    found: list[OverreachFound] = []
    for sentence in _told(text, own):
        for clause in _clauses(sentence):
            if why := _judge(clause, others):
                found.append(OverreachFound(rule=why, words=clause.text.strip()))
    return found


def repair(text: str, own: str = "", others: Sequence[str] = (), instead: str = WAITS) -> str:
    """The attempt without its outcome: result clauses are cut, won attempts become tries. Always
    passes the check. `instead` is what is attempted where nothing is left."""
    kept = []
    for sentence in _told(text, own):
        good: list[str] = []
        for clause in _clauses(sentence):
            why = _judge(clause, others)
            words = clause.text.strip()
            if why:
                words = _as_attempt(words)
                again = _Clause(
                    clause.lead, words, clause.held or bool(overreach_cues().frames.search(words))
                )
                if not words or _judge(again, others):
                    if not good:
                        continue
                    break
            if not good and clause.lead and not (words := _with_self(words)):
                continue
            good.append(f"{clause.lead if good else ''}{words}")
        if good and any(char.isalpha() for char in "".join(good)):
            kept.append(_closed("".join(good)))
    attempt = " ".join(kept)
    said = " ".join(quote.strip() for quote in _QUOTED.findall(text))
    whole = " ".join(part for part in (attempt or instead, said) if part)
    return whole if not find_overreach(whole, own, others) else WAITS


def _told(text: str, own: str) -> list[str]:
    """The sentences outside of quotes, with the character's own name as `I`."""
    plain = _QUOTED.sub(" ", text)
    for name in sorted(filter(None, {own, own.split()[0] if own else ""}), key=len, reverse=True):
        plain = re.sub(rf"\b{re.escape(name)}\b(?!['’]s)", "I", plain)
    return [s for s in sentences(" ".join(plain.split())) if s.strip()]


def _clauses(sentence: str) -> list[_Clause]:
    parts = overreach_cues().cut.split(sentence)
    made: list[_Clause] = []
    held = False
    for at in range(0, len(parts), 2):
        lead, text = (parts[at - 1] if at else ""), parts[at]
        word = lead.strip(" ,;").lower()
        new_subject = bool(re.match(r"\s*(?:I|we|he|she|it|they|the|my|[A-Z]\w+)\b", text))
        if (
            word in overreach_cues().openers
            or word in ("until", "in case")
            or (not at and text.split(" ")[0].lower() in overreach_cues().openers)
        ):
            held = word != "until" or bool(
                overreach_cues().frames.search("".join(p.text for p in made))
            )
        elif held and word in ("and", "", "or") and at and not new_subject:
            pass  # it goes on hoping
        elif word in ("so that", "so") and not re.match(
            r"\s*(?:I|we)?\s*(?:will|can|could|might|may)?\b.*\b(?:can|could|might|may|will)\b",
            text,
        ):
            held = False
        elif word in ("so that", "so"):
            held = True
        else:
            held = False
        made.append(_Clause(lead, text, held or bool(overreach_cues().frames.search(text.strip()))))
        held = held or bool(overreach_cues().hopes.search(text))
    return made


def _judge(clause: _Clause, others: Sequence[str]) -> str:
    """Which rule a clause breaks; '' when it is an attempt."""
    text, lead = clause.text.strip(), clause.lead.strip(" ,;").lower()
    if not text:
        return ""
    if overreach_cues().dice.search(text):
        return "dice and damage are the game master's"
    if (
        overreach_cues().manage.search(text)
        and not re.search(r"\b(?:if|hope|whether)\b", text, re.I)
        and not clause.held
    ):
        return "says that it succeeds"
    if clause.held:
        return ""
    if overreach_cues().sure.search(text):
        return "says that it succeeds"
    if lead in overreach_cues().results_in:
        return "tells what comes of it"
    if lead in ("making", "causing") and not re.match(
        r"(?:a|my|sure|the|noise|for|as)\b", text, re.I
    ):
        return "tells what comes of it"
    if others and (name := _another(text, others)):
        return f"acts for {name}"
    words = re.findall(r"[\w'’]+", text)
    first = [w.lower() for w in words[:6]]
    if _wins(first, text):
        return "says that it succeeds"
    if (
        overreach_cues().blows.search(" ".join(words[:4]))
        and overreach_cues().result.search(text)
        and not overreach_cues().safe_objects.search(text)
    ):
        if not re.search(r"\b(?:at|towards?|for)\b", text, re.I):
            return "tells what comes of it"
    if not re.match(r"(?:I|we|my)\b", text, re.I) and (
        overreach_cues().their_deed.match(text)
        or (_starts_other(text) and overreach_cues().others_deed.match(text))
    ):
        return "tells what comes of it"
    if overreach_cues().own_means_deed.match(text):
        return "tells what comes of it"
    return ""


def _wins(first: list[str], text: str) -> bool:
    """`I find the key`, `we killed it`, `I picked the lock`: won, where `I look for it` is
    tried."""
    known = overreach_cues()
    at = 1 if first and first[0] in ("i", "we", "i've", "we've", "i'll", "we'll") else 0
    at += sum(
        1
        for word in first[at : at + 2]
        if is_adverb(word) or word in ("have", "just", "then", "now")
    )
    word = first[at] if at < len(first) else ""
    if known.past.get(word, word) != word:
        return bool(at) or word in ("killed", "found")
    if at and word in known.done:
        return word != "cut" or first[at - 1] == "have"
    if word in ("find", "finds") and re.search(
        r"\bfind (?:a (?:place|seat|spot|way|quiet|table|corner|chair)|my|somewhere|cover|out)\b",
        text,
        re.I,
    ):
        return False
    if word in known.present and word not in known.weak:
        return True
    if word in known.weak and known.result.search(text):
        return word in ("knock", "hit", "break", "stun", "get")
    return word in ("hit", "stun", "catch", "win") and bool(known.landed.search(text))


def _another(text: str, others: Sequence[str]) -> str:
    """Whoever else's deed a clause tells, by name."""
    for name in others:
        for known in {name, name.split()[0], name.split()[-1]} - {
            "The",
            "the",
            "Mr",
            "Doc",
            "Old",
            "Agent",
            "Nurse",
        }:
            if len(known) > 2 and (
                rest := re.match(rf"(?:the\s+)?{re.escape(known)}\s+(?:\w+ly\s+)?([\w'’]+)", text)
            ):
                verb = rest[1].lower()
                if verb not in overreach_cues().states and (
                    _VERB.match(verb) or verb in ("falls", "fell", "says", "said", "told")
                ):
                    return name
    return ""


def _starts_other(text: str) -> bool:
    """Whether someone or something else is the subject."""
    return bool(
        re.match(
            r"(?:the|a|an|his|her|their|its|every|both|all|another|that|this|[A-Z]\w+)\b", text
        )
    )


def _as_attempt(words: str) -> str:
    """`I manage to open it` and `I killed it` as tries; '' when nothing of it is the character's
    own doing."""
    tried = overreach_cues().sure.sub("", words)
    tried = re.sub(r"\b(?:for|and) \d+ (?:points? of )?damage\b", "", tried, flags=re.I)
    tried = re.sub(
        r"^(?:I|we) roll(?:s|ed)? (?:a|an) \d+$",
        "",
        overreach_cues().dice.sub("", tried) if "roll" not in tried else tried,
    )
    tried = re.sub(
        r"\b(?:manage[sd]?|am able|was able|were able)\s+to\s+", "try to ", tried, flags=re.I
    )
    tried = re.sub(r"\bsucceed(?:s|ed)?\s+(?:in|at)\s+(\w+?)ing\b", r"try \1ing", tried, flags=re.I)
    tried = " ".join(tried.split()).strip(" ,")
    if not re.match(r"(?:I|we)\b", tried, re.I):
        return tried if tried != words and tried and _starts_with_verb(tried) else ""
    match = re.match(
        r"(I|we)(?:'ve|'ll)?\s+((?:have|just|then|now|\w+ly)\s+)*([\w'’]+)(.*)", tried, re.I | re.S
    )
    if not match or match[3].lower() in ("try", "attempt"):
        return tried
    word, known = match[3].lower(), overreach_cues()
    base = known.past.get(word, known.done.get(word, word))
    if tried != words and not find_overreach(tried):
        return tried
    return f"{match[1]} try to {base}{match[4]}"


def _with_self(words: str) -> str:
    """A clause that has lost the one before it gets its subject back; '' when its subject is
    someone else."""
    if re.match(r"(?:I|we)\b", words, re.I):
        return words
    return f"I {words}" if _starts_with_verb(words) else ""


def _starts_with_verb(text: str) -> bool:
    return not re.match(r"(?:the|a|an|his|her|their|its|he|she|it|they|everyone|[A-Z]\w+)\b", text)


def _closed(sentence: str) -> str:
    """A whole sentence again: no dangling connector, one full stop."""
    clean = re.sub(r"\s+([.,!?])", r"\1", " ".join(sentence.split())).strip(" ,;–—")
    clean = re.sub(r"[\s,]+(?:and|then|so|but|as|with|until|which)$", "", clean, flags=re.I).strip(
        " ,;"
    )
    return clean if clean.endswith((".", "!", "?")) else f"{clean}."
