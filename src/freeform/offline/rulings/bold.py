"""Bold deeds: fire, water, noise, breaking, the dark. What the ear reads of the outcome says which
it is; it becomes so of the place, those here take it as people do, and it lasts for a while.

What it is done to need not have been told of: wherever there are people there are curtains.
"""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

import yaml

from freeform.core.chance import Chance
from freeform.engine.passes import InterpreterInput
from freeform.engine.world.acts import FREE
from freeform.engine.world.model import ProposedAction
from freeform.forge.premise.kinds import known_kind
from freeform.language.forms import is_plural
from freeform.language.meaning.outcome import OutcomeEar
from freeform.offline.grammar import turned
from freeform.offline.interpreter.build import RulesListener
from freeform.offline.rulings.deed_words import DeedWords

_PLAIN, _OUT = 0.42, 0.35
"""What share of all that is said to become so must be of one kind. On 45 deeds in other words than
the reader's own, all 19 that are of a kind have .42 and more of it, `I light a candle` .09."""
_HELPED = 0.1
"""What of the kind itself there must be for states that are only often a part of it to count."""
_CHANGE = 0.5
_BOLD = frozenset({"improvise", "use", "break", "open", "close", "express", "attack", "take"})
"""Acts that may be one, done to nothing the scene knows: what is has rules and authors already."""
_MOST_PEOPLE, _AWHILE, _LONGEST = 2, 3, 320
_PUT_OUT = frozenset({"put out", "out", "blown out", "wet", "cold", "low", "dark", "soaked"})
_BURNING = "burning"
_OPEN_SKY = frozenset({"wild", "water", "settlement", "road"})
_WITHIN = frozenset({"room", "building", "holy", "under", "wild"})
"""Sorts of places: where there is no door to shut, and in which one is."""


@cache
def bold_kinds() -> dict[str, dict[str, Any]]:
    """The kinds, as `bold.yaml` has them."""
    text = (files("freeform.offline.rulings") / "bold.yaml").read_text(encoding="utf-8")
    read: dict[str, dict[str, Any]] = yaml.load(text, Loader=yaml.CSafeLoader)
    return read


def emboldened(
    acts: list[ProposedAction], input: InterpreterInput, ear: OutcomeEar, chance: Chance
) -> list[ProposedAction]:
    """The acts; a bold one with what it makes of the place. Several free acts are one deed."""
    free = [act for act in acts if _may_be_bold(act)]
    if not free or "?" in input.player_input:
        return acts
    is_whole = len(free) == len(acts)
    text = input.player_input if is_whole else free[-1].details
    if not text.strip():
        return acts
    given = BoldDeed(text, input, ear, chance).ruling()
    if given is None:
        return acts
    changed = {"action": "improvise", "family": "use", "details": text, "ruling": given}
    bold = ProposedAction.model_validate({**free[-1].model_dump(), "target_id": "", **changed})
    return [bold] if is_whole else [bold if act is free[-1] else act for act in acts]


def _may_be_bold(act: ProposedAction) -> bool:
    is_only_meant = act.family in FREE and act.family != "express"
    return act.action in _BOLD and not (act.deed or act.target_id or is_only_meant)


class BoldDeed(DeedWords):
    """One deed that may change the place for everybody."""

    def __init__(self, text: str, input: InterpreterInput, ear: OutcomeEar, chance: Chance) -> None:
        super().__init__(RulesListener(input).begun(text), ear, chance)
        self._packet = input.context_packet

    def ruling(self) -> dict[str, Any] | None:
        """What becomes of the place; None for any other deed."""
        burns = _BURNING in (self._packet.scene.get("conditions") or [])
        if burns and _share(self._heard.states, _PUT_OUT) >= _OUT and not self._is_of("fire"):
            effects = [{"cease": [self._deed.sight.here, _BURNING]}, *self._thanks()]
            return self._ruled("quench", effects, "")
        kind = next((one for one in bold_kinds() if one != "quench" and self._is_of(one)), "")
        if not kind or (bold_kinds()[kind].get("inside") and self._sort in _OPEN_SKY):
            return None
        return self._made(kind)

    @property
    def _sort(self) -> str:
        """What sort of place it is, by the word its name ends with; '' where that is not known."""
        name = str(self._packet.scene.get("name") or "").lower()
        _, sort = known_kind((name.split() or [""])[-1]) or ("", "")
        return sort

    def _is_of(self, kind: str) -> bool:
        own, states = bold_kinds()[kind], self._heard.states
        share = _share(states, frozenset(own["states"]))
        if share >= _HELPED:
            share += _share(states, frozenset(own.get("with", ())))
        likely = self._heard.kinds
        changes = sum(likely.get(one, 0.0) for one in ("change", "put", "signal", "distract"))
        return share >= _PLAIN and changes >= _CHANGE

    def _made(self, kind: str) -> dict[str, Any] | None:
        own, sight = bold_kinds()[kind], self._deed.sight
        spans = [span for span in self._heard.all_of("on") if self.named_by(span)]
        if any(sight.person(self._run(span)) for span in spans):
            return None  # what is done to somebody is another matter
        name = next(iter(sorted(map(self._called, spans), key=len, reverse=True)), "it")
        people = sight.people()[:_MOST_PEOPLE]
        new: dict[str, Any] = {"subject": sight.here, "condition": own["condition"]}
        new["text"] = self._filled(str(own["fact"]), name)
        if int(own["turns"]):
            new["turns"] = int(own["turns"])
        effects: list[dict[str, Any]] = [{"become": new}]
        for who in people if own["feels"] else []:
            text = f"{who.name} is {own['feels']}."
            felt = {"subject": who.id, "condition": own["feels"], "text": text, "turns": _AWHILE}
            effects.append({"become": felt})
        return {**self._ruled(kind, effects, name), "costs": own.get("costs", {})}

    def _ruled(self, kind: str, effects: list[dict[str, Any]], name: str) -> dict[str, Any]:
        own, people = bold_kinds()[kind], self._deed.sight.people()
        told = [self._deed.told_back(), self._filled(self._chosen(own["so"], "so"), name)]
        if people:
            said = self._chosen(own["seen"], "seen").replace("{who}", people[0].name)
            told.append(said.replace("{Who}", people[0].name))
        while len(" ".join(told)) > _LONGEST:
            told.pop()
        success = {"effects": effects, "line": " ".join(part for part in told if part)}
        return {"reading": self.text, "on": {"success": success}}

    def _thanks(self) -> list[dict[str, Any]]:
        people = self._deed.sight.people()[:1]
        return [{"trust": {"who": who.id, "delta": 1}} for who in people]

    def _called(self, span: Any) -> str:
        """What it is done to, in the player's words."""
        said = turned(self.named_by(span))
        return said if said.startswith(("your ", "the ")) else f"the {said}"

    def _chosen(self, lines: list[str], group: str) -> str:
        return self._chance.at("bold", group).choose(lines)

    def _filled(self, line: str, name: str) -> str:
        many = is_plural(name)
        place = str(self._packet.scene.get("name") or "here")
        inside = f"{place[:1].lower()}{place[1:]}" if place.startswith("The ") else place
        verbs = {"is": "are", "has": "have", "goes": "go", "does": "do", "catches": "catch"}
        words = {one: (more if many else one) for one, more in verbs.items()}
        where = f"{'in' if self._sort in _WITHIN else 'at'} {inside}"
        words |= {"it": name, "It": f"{name[:1].upper()}{name[1:]}", "place": where}
        for word, said in words.items():
            line = line.replace(f"{{{word}}}", said)
        return line


def _share(states: Mapping[str, float], wanted: frozenset[str]) -> float:
    return sum(share for state, share in states.items() if state in wanted)
