"""A book of running text as entries: spells, creatures, things and rules told apart by how they are
set."""

import re
from collections.abc import Iterable
from typing import Any

from freeform.assistant.rulebook.blocks import BookBlock, joined
from freeform.assistant.rulebook.model import RuleEntry
from freeform.assistant.rulebook.tables import priced_things
from freeform.assistant.rulebook.words import (
    ACTIONS,
    CLASSES,
    CONDITIONS,
    ITEM,
    MONSTER,
    MONSTER_PARTS,
    RACES,
    SPELL,
    challenge,
    damage_in,
    first_number,
    kept,
    labels_in,
    lead,
    mended,
)
from freeform.core.text import slug

_CLASS_PARTS = frozenset(
    {"class features", "hit points", "proficiencies", "equipment", "starting equipment"}
)
_SUBCLASS = re.compile(
    r"^(Path|College|Circle|Oath|Way|School|Warrior) of\b|\bDomain$|^(Champion|Hunter|Thief|The Fiend|Fiend Patron"
    r"|Draconic (Bloodline|Sorcery)|Life Domain|Evoker)$"
)


class _Reader:
    """Walks the blocks with the headings above each."""

    def __init__(self) -> None:
        self.entries: list[RuleEntry] = []
        self.above: list[tuple[int, str]] = []
        self.monster: RuleEntry | None = None
        self.cls: RuleEntry | None = None
        self.race: RuleEntry | None = None
        self.lists: dict[str, list[str]] = {}

    def path(self, heading: str) -> str:
        return " > ".join([*(name for _, name in self.above), heading])

    def under(self, *names: str) -> bool:
        heads = " ".join(name.lower() for _, name in self.above)
        return any(name in heads for name in names)

    def take(self, block: BookBlock) -> None:
        """One block, by what it is."""
        while self.above and self.above[-1][0] >= block.level:
            self.above.pop()
        heading, low = block.heading, block.heading.lower()
        if self.monster and low in MONSTER_PARTS:
            self.monster.body += f"\n\n## {heading}\n\n{block.text}"
            self.monster.data["damage"] = damage_in(self.monster.body)
            if low.startswith("legendary"):
                self.monster.data["legendary"] = True
            return
        if self._is_class(block, low) or self._is_race(block):
            return
        first, rest = lead(block.paragraphs)
        made = (
            self._spell(block, first)
            or self._monster(block, first)
            or self._item(block, first, rest)
        )
        self.monster = made if made and made.kind == "monster" else None
        if made is None and self._spell_list(block):
            made = None
        elif made is None:
            made = self._rule(block)
        if made:
            made.path = self.path(heading)
            self.entries.append(made)
        self.above.append((block.level, heading))

    def _is_class(self, block: BookBlock, low: str) -> bool:
        """The head of a class, and the parts that belong to the class itself."""
        if block.heading in CLASSES and block.level <= 2:
            self.cls = RuleEntry(
                "class", block.heading, block.text, aliases=[f"{block.heading}s"], tags=["class"]
            )
            self.cls.path = self.path(block.heading)
            self.entries.append(self.cls)
            self.above.append((block.level, block.heading))
            return True
        inside = self.cls is not None and any(name == self.cls.name for _, name in self.above)
        if not inside:
            self.cls = None
            return False
        assert self.cls is not None
        if low in _CLASS_PARTS or low == f"the {self.cls.name.lower()}" or low == "quick build":
            self.cls.body += f"\n\n## {block.heading}\n\n{block.text}"
            self._levels(block)
            labels = labels_in(block.paragraphs)
            if "hit dice" in labels or "hit point die" in labels:
                die = re.search(r"d(\d+)", labels.get("hit dice") or labels["hit point die"])
                self.cls.data["hit_die"] = int(die[1]) if die else None
            return True
        return False

    def _is_race(self, block: BookBlock) -> bool:
        """A race is told under headings of its own: `Dwarf`, then `Dwarf Traits`, then `Hill
        Dwarf`."""
        name = block.heading
        if name in RACES and self.under("races", "species"):
            self.race = RuleEntry("race", name, block.text, tags=["race"], path=self.path(name))
            self.entries.append(self.race)
        elif self.race and name == f"{self.race.name} Traits":
            self.race.body = f"{self.race.body}\n\n{block.text}".strip()
        else:
            return False
        self.above.append((block.level, name))
        return True

    def _levels(self, block: BookBlock) -> None:
        """The table of a class, and a section for each row of it."""
        assert self.cls is not None
        for paragraph in block.paragraphs:
            rows = [
                [cell.strip(" *") for cell in line.strip("|").split("|")]
                for line in paragraph.split("\n")
            ]
            heads = [cell.lower() for cell in rows[0]]
            if "level" not in heads or "features" not in " ".join(heads):
                continue
            at = next(
                i for i, head in enumerate(heads) if head.startswith(("features", "class features"))
            )
            for row in rows[1:]:
                level = first_number(row[heads.index("level")]) if len(row) == len(heads) else None
                if level is None:
                    continue
                told = "; ".join(
                    f"{rows[0][i]} {cell}"
                    for i, cell in enumerate(row)
                    if i != heads.index("level") and cell
                )
                self.cls.body += f"\n\n## Level {level}\n\n{self.cls.name} level {level}: {told}."
                names = [name.strip() for name in row[at].split(",") if name.strip(" —-")]
                self.cls.data.setdefault("levels", {})[str(level)] = names

    def _spell(self, block: BookBlock, first: str) -> RuleEntry | None:
        match = SPELL.match(first)
        labels = labels_in(block.paragraphs)
        if not match or "casting time" not in labels:
            return None
        level = int(match["level"] or match["newer"] or 0)
        school = (match["school"] or match["cantrip"] or match["newschool"] or "").lower()
        rest = match["rest"].lower()
        classes = [name.lower() for name in CLASSES if name.lower() in rest]
        duration = labels.get("duration", "")
        concentrates = duration.lower().startswith("concentration")
        text = _spread(block)
        return RuleEntry(
            "spell",
            block.heading,
            text,
            tags=["spell", f"level_{level}", school, *classes],
            data=kept(
                level=level,
                school=school,
                classes=classes,
                ritual="ritual" in rest or "ritual" in labels["casting time"].lower(),
                concentration=concentrates,
                casting_time=labels["casting time"],
                range=labels.get("range"),
                components=labels.get("components"),
                duration=duration[:60],
                damage=damage_in(text),
            ),
        )

    def _monster(self, block: BookBlock, first: str) -> RuleEntry | None:
        match = MONSTER.match(first)
        labels = labels_in(block.paragraphs)
        ac = labels.get("armor class") or labels.get("ac")
        if not match or not ac:
            return None
        cr = challenge(labels.get("challenge") or labels.get("cr") or "")
        return RuleEntry(
            "monster",
            block.heading,
            block.text,
            tags=["monster", match["type"].lower(), match["size"].lower()],
            data=kept(
                size=match["size"].lower(),
                type=match["type"].lower(),
                subtype=match["sub"],
                alignment=match["align"],
                ac=first_number(ac),
                hp=first_number(labels.get("hit points") or labels.get("hp") or ""),
                cr=cr,
                damage=damage_in(block.text),
            ),
        )

    def _item(self, block: BookBlock, first: str, rest: list[str]) -> RuleEntry | None:
        match = ITEM.match(first)
        if not match or not rest:
            return None
        rarity = match["rarity"].lower()
        plain = next(
            (
                r
                for r in ("very rare", "uncommon", "common", "rare", "legendary", "artifact")
                if r in rarity
            ),
            "",
        )
        return RuleEntry(
            "magic_item",
            block.heading,
            "\n\n".join([f"*{first}*", *rest]),
            tags=["magic_item", plain.replace(" ", "_")],
            data=kept(
                rarity=plain,
                category=match["what"].lower(),
                attunement="attunement" in first.lower(),
            ),
        )

    def _spell_list(self, block: BookBlock) -> bool:
        """Lists of spells by class: kept aside, and written to the spells afterwards."""
        owner = next(
            (name for _, name in reversed(self.above) if name.removesuffix(" Spells") in CLASSES),
            "",
        )
        if (
            owner
            and re.match(r"(cantrips|\d\w\w level)", block.heading.lower())
            and self.under("spell lists")
        ):
            self.lists.setdefault(owner.removesuffix(" Spells").lower(), []).extend(
                block.text.split("\n")
            )
            return True
        return False

    def _rule(self, block: BookBlock) -> RuleEntry | None:
        heading = block.heading
        if not block.paragraphs or heading.lower().startswith("legal information"):
            return None
        for thing in priced_things(block):
            thing.path = self.path(f"{heading} > {thing.name}")
            self.entries.append(thing)
        kind, data, aliases = self._kind(heading)
        return RuleEntry(kind, heading, block.text, aliases=aliases, tags=[kind], data=data)

    def _kind(self, heading: str) -> tuple[str, dict[str, Any], list[str]]:
        if heading in CONDITIONS and (self.under("condition") or self.under("glossary")):
            return "condition", {}, []
        if self.race and any(name == self.race.name for _, name in self.above):
            return (
                "race",
                {},
                [f"{heading} {self.race.name}"] if self.race.name not in heading else [],
            )
        if self.under("feats") and not self.under("class"):
            return "feat", {}, []
        if self.under("backgrounds") and len(self.above) > 1:
            return "background", {}, []
        if self.under("planes of existence"):
            return "plane", {}, []
        if self.cls is not None:
            owner = self.cls.name
            if _SUBCLASS.search(heading):
                return "subclass", {"class": owner.lower()}, [f"{owner} {heading}"]
            sub = next((name for _, name in self.above if _SUBCLASS.search(name)), "")
            data = kept(**{"class": owner.lower(), "subclass": sub.lower()})
            return "feature", data, [f"{owner} {heading}"]
        return ("action" if slug(heading) in ACTIONS else "rule"), {}, []


def _spread(block: BookBlock) -> str:
    """A spell's text; where a conversion ran the first sentence on behind the duration, they part
    again."""
    text = block.text
    match = re.search(r"(\*\*Duration:?\*\*:?\s*)(.+)", text)
    if match and len(match[2]) > 90:
        line = match[2]
        ends = re.match(r"(Concentration, up to [\w ]+?|Instantaneous|Until dispelled(?: or triggered)?|[\w ]+?(?:rounds?"
                        r"|minutes?|hours?|days?)|Special|Permanent)\s+(?=[A-Z])", line)  # fmt: skip
        if ends:
            text = text.replace(line, f"{ends[1]}\n\n{line[ends.end() :]}", 1)
    return text


def entries_of(blocks: Iterable[BookBlock]) -> list[RuleEntry]:
    """All entries, in the order of the book."""
    reader = _Reader()
    for block in joined(list(blocks)):
        block.paragraphs = mended(block.paragraphs)
        reader.take(block)
    owners = _owners(
        reader.lists, [entry.name for entry in reader.entries if entry.kind == "spell"]
    )
    for entry in reader.entries:
        if entry.kind == "spell" and (mine := owners.get(slug(entry.name))):
            entry.data["classes"] = sorted({*entry.data.get("classes", []), *mine})
            entry.tags = list(dict.fromkeys([*entry.tags, *mine]))
        if entry.kind == "spell" and entry.data.get("classes"):
            told = ", ".join(c.title() for c in entry.data["classes"])
            entry.body += f"\n\n**Classes:** {told}" if "**Classes:**" not in entry.body else ""
    return [entry for entry in reader.entries if entry.body.strip()]


def _owners(lists: dict[str, list[str]], spells: list[str]) -> dict[str, list[str]]:
    """Which classes list a spell. Conversions glue names together, so the longest names are looked
    for first."""

    def bare(text: str) -> str:
        return slug(text).replace("_", "")

    known = sorted(((bare(name), slug(name)) for name in spells), key=lambda pair: -len(pair[0]))
    owners: dict[str, list[str]] = {}
    for cls, lines in lists.items():
        text = "|".join(bare(line) for line in lines)
        for name, key in known:
            if name and name in text:
                text = text.replace(name, "|")
                owners.setdefault(key, []).append(cls)
    return owners
