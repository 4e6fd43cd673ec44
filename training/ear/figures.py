"""How often what was heard is right, and whether probabilities match."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from corpus import Act, Example

from freeform.language.ear import FAMILIES, FLAGS, HeardAct, HeardText

TENTHS = 10


@dataclass
class Sureness:
    """Probabilities that were given, and whether it was so."""

    given: list[float] = field(default_factory=list)
    right: list[bool] = field(default_factory=list)

    def add(self, chance: float, right: bool) -> None:
        """One more."""
        self.given.append(chance)
        self.right.append(right)

    def table(self) -> list[tuple[str, int, float, float]]:
        """By tenths of probability: how many, the mean that was given, the share that was right."""
        given, right = np.array(self.given), np.array(self.right)
        tenth = np.minimum((given * TENTHS).astype(int), TENTHS - 1)
        rows = []
        for n in range(TENTHS):
            held = tenth == n
            if held.any():
                mean, share = float(given[held].mean()), float(right[held].mean())
                rows.append((f".{n}", int(held.sum()), round(mean, 3), round(share, 3)))
        return rows

    def error(self) -> float:
        """Expected calibration error: the mean distance of the two, by how many there are."""
        total = sum(count for _, count, _, _ in self.table())
        return sum(count * abs(mean - share) for _, count, mean, share in self.table()) / total


@dataclass
class Shares:
    """Both, heard and there: for F1."""

    both: int = 0
    heard: int = 0
    there: int = 0

    def f1(self) -> float:
        """Of what was heard and what was there, as one number."""
        return 2 * self.both / max(1, self.heard + self.there)


@dataclass
class Score:
    """Counts over held-back inputs."""

    inputs: int = 0
    first: int = 0
    first_of_three: int = 0
    all_acts: int = 0
    main: int = 0
    count: int = 0
    acts: Shares = field(default_factory=Shares)
    spans: Shares = field(default_factory=Shares)
    targets: Shares = field(default_factory=Shares)
    flags: dict[str, Shares] = field(default_factory=lambda: {flag: Shares() for flag in FLAGS})
    act_family: Sureness = field(default_factory=Sureness)
    text_family: Sureness = field(default_factory=Sureness)
    any_family: Sureness = field(default_factory=Sureness)
    any_flag: Sureness = field(default_factory=Sureness)
    span: Sureness = field(default_factory=Sureness)

    def add(self, example: Example, heard: HeardText) -> None:
        """One more input."""
        families = [act.family for act in example.acts]
        named = [best(act) for act in heard.acts]
        main = max(heard.families, key=lambda name: heard.families[name])
        self.inputs += 1
        self.first += named[:1] == families[:1]
        self.first_of_three += families[0] in three_best(heard.acts[0])
        self.all_acts += named == families
        self.count += len(named) == len(families)
        self.main += main in families
        self.text_family.add(heard.families[main], main in families)
        for name in FAMILIES:
            self.any_family.add(heard.families[name], name in families)
        self._add_acts(example, heard)
        self._add_flags(example, heard)

    def _add_acts(self, example: Example, heard: HeardText) -> None:
        """Acts by the family and most of the place; spans by role and exact place."""
        self.acts.heard += len(heard.acts)
        self.acts.there += len(example.acts)
        for act in heard.acts:
            there = nearest(act, example.acts)
            if there is not None:
                self.act_family.add(act.families[best(act)], best(act) == there.family)
                self.acts.both += best(act) == there.family
        spans = {(s.role, s.start, s.end) for act in example.acts for s in act.spans}
        found = [span for act in heard.acts for span in act.spans]
        for span in found:
            self.span.add(span.sure, (span.role, span.start, span.end) in spans)
        heard_spans = {(span.role, span.start, span.end) for span in found}
        for shares, role in ((self.spans, ""), (self.targets, "target")):
            shares.both += sum(role in ("", s[0]) for s in spans & heard_spans)
            shares.heard += sum(role in ("", s[0]) for s in heard_spans)
            shares.there += sum(role in ("", s[0]) for s in spans)

    def _add_flags(self, example: Example, heard: HeardText) -> None:
        for flag in FLAGS:
            there = any(flag in act.flags for act in example.acts)
            chance = heard.flags[flag]
            self.any_flag.add(chance, there)
            self.flags[flag].both += there and chance > 0.5
            self.flags[flag].heard += chance > 0.5
            self.flags[flag].there += there

    def figures(self) -> dict[str, object]:
        """Shares, F1 and calibration errors."""
        shares = {
            "first": self.first,
            "first_of_three": self.first_of_three,
            "all": self.all_acts,
            "main": self.main,
            "count": self.count,
        }
        made: dict[str, object] = {"inputs": self.inputs}
        made |= {name: round(count / self.inputs, 4) for name, count in shares.items()}
        made["acts_f1"] = round(self.acts.f1(), 4)
        made["spans_f1"], made["targets_f1"] = (
            round(self.spans.f1(), 4),
            round(self.targets.f1(), 4),
        )
        made["flags_f1"] = {flag: round(shares.f1(), 3) for flag, shares in self.flags.items()}
        for name in ("act_family", "text_family", "any_family", "any_flag", "span"):
            made[f"{name}_ece"] = round(getattr(self, name).error(), 4)
        return made


def best(act: HeardAct) -> str:
    """Its likeliest family."""
    return max(act.families, key=lambda name: act.families[name])


def three_best(act: HeardAct) -> list[str]:
    """Its three likeliest families."""
    return sorted(act.families, key=lambda name: -act.families[name])[:3]


def nearest(act: HeardAct, there: Sequence[Act]) -> Act | None:
    """The labelled act that it shares most of its place with, if any."""
    shared = [(min(act.end, t.end) - max(act.start, t.start), t) for t in there]
    shared = [pair for pair in shared if pair[0] > 0]
    return max(shared, key=lambda pair: pair[0])[1] if shared else None
