"""`consensus`: how well the offline reading of group talk tells whether a group agreed, on DeliData
(500 real chats).

The groups solve a card puzzle in chat; afterwards everyone hands in an answer by themselves. Gold:
all answers the same (unanimous), more than half (majority), or neither (conflicted). What is read
is the chat alone. Half of the chats (by the digest of their id) was used to choose the rules' three
numbers and their cue words; the figures are of the other half.
"""

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from freeform.core.errors import BadFile, NotFound
from freeform.evals.report import SuiteReport
from freeform.players.model import ConsensusState
from freeform.players.words.positions import agreement, follow

FILES = ("utterances.jsonl", "speakers.json")
_CARD = re.compile(
    r"(?<![A-Za-z0-9'])([A-Za-z]|\d)(?![A-Za-z0-9'])|(?<![A-Za-z0-9])([A-Za-z]\d|\d[A-Za-z])(?![A-Za-z0-9])"
)
_AFTER_A = re.compile(r"\s*(?:and|&|,|\+|or|\d|$)")
_PARTS = re.compile(r"(?<=[.!?;])\s+|\bbut\b|\bbecause\b|\bsince\b|\bso\b(?= )")
_DECIDED = re.compile(
    r"\b(?:go(?:ing|nna)? (?:with|for)|goin with|submit\w*|final\w*|pick(?:ing|ed)?|select\w*|choos\w+|chose|vote|lock\w*"
    r"|stick\w*|good with|flip(?:ping)?|turn(?:ing)?|answer|put(?:ting)?|only|just|agree\w*|settle|need)\b",
    re.I,
)
_DENIED = re.compile(
    r"\bnot\b|n'?t\b|\bno need\b|\bleave\b|\bwithout\b|\binstead of\b|\bwrong\b|\bignore\b|\bnever\b|\bexcept\b|\bdont\b"
    r"|\bdoesnt\b|irrelevant|unnecessary|inconsequential",
    re.I,
)
_REASONING = re.compile(
    r"\b(?:if|would|could|has a|have a|other side|under|behind|vowel|even|odd|consonant|means?|prove|disprove)\b|->|=",
    re.I,
)
_PAST = re.compile(
    r"\b(?:why|first|originally|initially|did|had|was|thought|before|earlier)\b", re.I
)


def run_consensus(data: Path | None) -> SuiteReport:
    """Reads the chats and reports on the half that was held out."""
    chats, answers = load_chats(data)
    held = [id for id in chats if not is_tuning(id)]
    cases, pairs = [], []
    for id in held:
        gold = gold_of({who: answers[who] for who, _ in chats[id]})
        read = read_chat(chats[id])
        pairs.append((gold, read))
        cases.append({"id": id, "ok": gold is read, "gold": gold.value, "read": read.value})
    tuned = [
        (
            gold_of({who: answers[who] for who, _ in chat}),
            read_chat(chat),
        )
        for id, chat in chats.items()
        if is_tuning(id)
    ]
    most = Counter(gold for gold, _ in pairs).most_common(1)[0]
    metrics = {
        "accuracy": accuracy(pairs),
        "macro_f1": macro_f1(pairs),
        "baseline_accuracy": round(most[1] / len(pairs), 4),
        "baseline_macro_f1": macro_f1([(gold, most[0]) for gold, _ in pairs]),
        "tuned_on_accuracy": accuracy(tuned),
        "tuned_on_macro_f1": macro_f1(tuned),
        "tuned_on": float(len(tuned)),
    }
    return SuiteReport(suite="consensus", n=len(held), metrics=metrics, cases=cases)


def read_chat(chat: Sequence[tuple[str, str]]) -> ConsensusState:
    """How a chat ended, followed as talk is followed in play; only the cards are read here."""
    held = follow(chat, CardReader(text for _, text in chat))
    return agreement({who: one.choice for who, one in held.items()})


def is_tuning(id: str) -> bool:
    """Which half a chat belongs to."""
    return int(hashlib.sha256(id.encode()).hexdigest(), 16) % 2 == 0


def gold_of(answers: Mapping[str, str]) -> ConsensusState:
    """What a group's own answers say."""
    counts = Counter(map(answer_key, answers.values()))
    most = counts.most_common(1)[0][1]
    if most == len(answers):
        return ConsensusState.UNANIMOUS
    return ConsensusState.MAJORITY if most > len(answers) / 2 else ConsensusState.CONFLICTED


def answer_key(text: str) -> str:
    """An answer as the set of its cards: `7 and A` is `7A`."""
    return "".join(sorted(set(re.sub(r"[^A-Z0-9]", "", text.upper()))))


class CardReader:
    """Reads which cards a message puts forward. The deck is found from the chat: two letters and
    two digits."""

    def __init__(self, texts: Iterable[str]) -> None:
        counts = Counter(
            char
            for text in texts
            for match in _CARD.finditer(text)
            for char in match[0]
            if char != "a"
        )
        found = [char for char, _ in counts.most_common() if char.isdigit() or char.isupper()]
        letters = [char for char in found if char.isalpha() and char != "I"][:2]
        self._deck = frozenset([*letters, *[char for char in found if char.isdigit()][:2]])

    def __call__(self, text: str) -> tuple[str, int]:
        best = ("", -9)
        for part in _PARTS.split(text):
            if cards := self._cards(part):
                score = self._decided(part, cards)
                best = (cards, score) if score >= best[1] else best
        return best

    def _cards(self, text: str) -> str:
        found = set()
        for match in _CARD.finditer(text):
            if match[0] != "a" or _AFTER_A.match(text[match.end() :]):
                found |= {char for char in match[0].upper() if char in self._deck}
        return "".join(sorted(found))

    def _decided(self, part: str, cards: str) -> int:
        """Short and decided counts, denying and reasoning counts against; one card alone is seldom
        an answer."""
        words = len(part.split())
        score = 2 if words <= 4 else 1 if words <= 9 else 0 if words <= 16 else -1
        score += (len(cards) in (2, 3)) + bool(_DECIDED.search(part)) - (len(cards) == 1)
        return (
            score
            - 2 * bool(_DENIED.search(part))
            - 2 * bool(_REASONING.search(part))
            - bool(_PAST.search(part))
        )


def accuracy(pairs: list[tuple[ConsensusState, ConsensusState]]) -> float:
    """The share read as it was."""
    return round(sum(gold is read for gold, read in pairs) / len(pairs), 4)


def macro_f1(pairs: list[tuple[ConsensusState, ConsensusState]]) -> float:
    """The mean over the three outcomes, each counting the same."""
    scores = []
    for state in (ConsensusState.UNANIMOUS, ConsensusState.MAJORITY, ConsensusState.CONFLICTED):
        hit = sum(gold is state and read is state for gold, read in pairs)
        both = sum(gold is state for gold, _ in pairs) + sum(read is state for _, read in pairs)
        scores.append(2 * hit / both if both else 0.0)
    return round(sum(scores) / len(scores), 4)


def load_chats(data: Path | None) -> tuple[dict[str, list[tuple[str, str]]], dict[str, str]]:
    """The messages of each chat in order, and what each speaker handed in."""
    folder = data / "delidata" if data and (data / "delidata").is_dir() else data
    if folder is None or not all((folder / name).is_file() for name in FILES):
        raise NotFound(
            f"no DeliData here: put {' and '.join(FILES)} into DIR/delidata and give --data DIR"
        )
    chats: dict[str, list[tuple[str, str]]] = {}
    try:
        for line in (folder / FILES[0]).read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            chats.setdefault(row["conversation_id"], []).append((row["speaker"], str(row["text"])))
        speakers = json.loads((folder / FILES[1]).read_text(encoding="utf-8"))
        answers = {who: str(row["meta"]["finalanswer"] or "") for who, row in speakers.items()}
    except (ValueError, KeyError, TypeError) as wrong:
        raise BadFile(str(folder), f"is not DeliData as it was published ({wrong})") from wrong
    return chats, answers
