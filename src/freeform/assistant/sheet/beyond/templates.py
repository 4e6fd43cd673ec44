"""The templates in D&D Beyond's texts, `{{savedc:wis}}`, `{{(modifier:dex+classlevel)#signed}}`, as
what they come to for this character."""

import re
from dataclasses import dataclass, field
from typing import Any

from freeform.assistant.sheet.beyond.ids import LONG
from freeform.assistant.sheet.foundry.formula import reckon
from freeform.assistant.sheet.given import identity, mapping, rows, text, whole
from freeform.assistant.sheet.numbers.tables import proficiency

_TEMPLATE = re.compile(r"\{\{([^{}]*)\}\}")
_TERM = re.compile(r"(?:modifier|savedc|spellattack|abilityscore):[a-z]+|[a-z]+", re.I)
_ROUNDING = re.compile(r"@(?:roundup|rounddown|min:[^,#]*|max:[^,#]*|,)*", re.I)


@dataclass(frozen=True)
class TemplateValues:
    """What the templates of one text may name."""

    level: int
    class_level: int = 0
    mods: dict[str, int] = field(default_factory=dict)
    uses: int = 0
    scale: str = ""

    def of(self, term: str) -> str | None:
        """The value of one word of a template; None where it is not known."""
        name, _, about = term.lower().partition(":")
        short = LONG.get(about, about)[:3]
        bonus = proficiency(self.level)
        known = {
            "classlevel": self.class_level,
            "characterlevel": self.level,
            "proficiency": bonus,
            "limiteduse": self.uses,
        }
        if name in known:
            return str(known[name]) if known[name] else None
        if name == "scalevalue":
            return self.scale or None
        if short not in self.mods:
            return None
        mod = self.mods[short]
        found = {"modifier": mod, "savedc": 8 + bonus + mod, "spellattack": bonus + mod}.get(name)
        return None if found is None else str(found)


def fill_in(said: str, values: TemplateValues) -> str:
    """The text with each template as its value. One that cannot be counted is left out."""
    return _TEMPLATE.sub(lambda hit: _value(hit[1], values), said)


def _value(template: str, values: TemplateValues) -> str:
    formula, _, form = template.partition("#")
    formula = _ROUNDING.sub("", formula).strip()
    if formula.lower() == "scalevalue":
        return values.scale
    unknown = [term for term in _TERM.findall(formula) if values.of(term) is None]
    if unknown:
        return ""
    counted = reckon(_TERM.sub(lambda hit: values.of(hit[0]) or "0", formula), {})
    if counted is None:
        return ""
    return f"{counted:+d}" if form.strip() == "signed" else str(counted)


def scales(data: dict[str, Any]) -> dict[int, tuple[int, str]]:
    """By class feature: the levels in its class, and what it comes to at that level."""
    found: dict[int, tuple[int, str]] = {}
    for cls in rows(data.get("classes")):
        for row in rows(cls.get("classFeatures")):
            scale = mapping(row, "levelScale")
            said = text(mapping(scale, "dice").get("diceString")) or text(scale.get("fixedValue"))
            id = identity(mapping(row, "definition").get("id"))
            found[id] = (whole(cls.get("level")), said)
    return found
