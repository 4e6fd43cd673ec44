"""What every number stands on: the abilities, the proficiency bonus, the effects; and sums that
keep their parts."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from freeform.assistant.model import Number, Part
from freeform.assistant.sheet.model import Sheet, SheetEffect
from freeform.assistant.sheet.numbers.tables import ABILITY_NAMES


@dataclass
class NumberTally:
    """A sum in the making."""

    label: str
    section: str = ""
    parts: list[Part] = field(default_factory=list)

    def add(
        self, label: str, value: int, source: str = "", *, even_nothing: bool = False
    ) -> "NumberTally":
        """One more part; nothing is left out unless it tells something."""
        if value or even_nothing:
            self.parts.append(Part(label=label, value=value, source=source))
        return self

    def remark(self, label: str, text: str, source: str = "") -> "NumberTally":
        """Something that is told and not counted."""
        self.parts.append(Part(label=label, value=text, source=source))
        return self

    @property
    def total(self) -> int:
        return sum(int(part.value) for part in self.parts if isinstance(part.value, int | float))

    def number(self) -> Number:
        """The sum with its parts."""
        return Number(label=self.label, value=self.total, parts=self.parts, section=self.section)


@dataclass
class Ground:
    """A sheet with what was computed of it so far."""

    sheet: Sheet
    mods: dict[str, int] = field(default_factory=dict)
    prof: int = 2
    level: int = 0
    numbers: dict[str, Number] = field(default_factory=dict)

    def effects(self, *targets: str, kind: str = "bonus") -> Iterator[SheetEffect]:
        """The effects of a kind on any of these."""
        return (e for e in self.sheet.effects if e.target in targets and e.kind == kind)

    def worth(self, effect: SheetEffect) -> int:
        """What an effect adds now."""
        value = effect.value + (self.mods.get(effect.ability, 0) if effect.ability else 0)
        return value * self.levels_in(effect.level_of) if effect.level_of else value

    def levels_in(self, cls: str) -> int:
        """Levels in a class; of the whole character for `*`."""
        if cls == "*":
            return self.level
        named = (
            c.level for c in self.sheet.character_basics.classes if c.name.lower() == cls.lower()
        )
        return next(named, 0)

    def apply(self, tally: NumberTally, *targets: str) -> NumberTally:
        """Adds every bonus on these targets; what holds only sometimes is told, not counted."""
        for effect in self.effects(*targets):
            if effect.when:
                value = effect.dice or f"{self.worth(effect):+d}"
                tally.remark(f"{value} {effect.when}", "not counted", effect.source)
            elif effect.dice:
                tally.remark(f"and {effect.dice}", "rolled", effect.source)
            else:
                tally.add(effect.source or "bonus", self.worth(effect), effect.source)
        return tally

    def ability_part(self, tally: NumberTally, ability: str) -> NumberTally:
        """Adds an ability's modifier, even when it is nothing: it tells which one counts."""
        score = self.sheet.character_basics.abilities.get(ability)
        source = f"{ABILITY_NAMES[ability]} {score.score}" if score else ABILITY_NAMES[ability]
        return tally.add(
            f"{ability.upper()} modifier", self.mods.get(ability, 0), source, even_nothing=True
        )

    def keep(self, key: str, tally: NumberTally) -> int:
        """Writes a number down and gives its value."""
        self.numbers[key] = tally.number()
        return tally.total

    def best_set(self, *targets: str) -> SheetEffect | None:
        """The highest value something is set to."""
        found = [e for e in self.effects(*targets, kind="set") if not e.when]
        return max(found, key=self.worth, default=None)
