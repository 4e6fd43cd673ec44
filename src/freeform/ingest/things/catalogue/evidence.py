"""What speaks for each kind of a catalogue: headings, column heads, names, labels, values. Pure.

Lists of words are priors: they make features, and weights learnt over books (naming.py) say what a
feature is worth. No list decides alone.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache

from freeform.ingest.things.catalogue.pairs import VALUE, key_of
from freeform.ingest.things.catalogue.schemas import SUBTITLE, MemberGroup
from freeform.ingest.things.kinds import BY_INTENT, Kind, announced, kind_word
from freeform.ingest.things.things import text_of

NAMED: tuple[Kind, ...] = (
    "creature",
    "spell",
    "item",
    "condition",
    "class",
    "people",
    "deity",
    "place",
    "faction",
    "feature",
)
"""Kinds a catalogue can be named; the rest stays unnamed."""

LABELS: dict[Kind, str] = {
    "creature": "hit_point hp health wound vitality armor_class ac armor armour defense defence "
    "attack speed movement move morale hit_dice hd challenge threat cr xp sense "
    "perception instinct tactic motive behavior habitat soak dodge parry toughness "
    "stamina strength agility dexterity body mind will might str dex con int wis cha size "
    "number_appearing saving_throw initiative stress damage life endurance language",
    "spell": "casting_time range duration component school target area mana resisted saving_throw "
    "circle level effect concentration recharge incantation element rank cost mp "
    "power_point",
    "item": "cost price value weight wgt rarity bulk encumbrance charge slot property quality "
    "ammo rounds magazine capacity hand burden tech_level tl availability range damage "
    "crew cargo passenger hull handling uses coin load maneuverability dmg durability "
    "legality",
    "condition": "effect interval cure recovery onset symptom stage incubation",
    "class": "hit_die hit_dice proficiency starting_equipment equipment key_attribute "
    "class_feature skill prime_requisite qualification promotion advancement survival "
    "rank look bond move feature playbook starting_hit_point hit_point saving_throw armor "
    "weapon tool feat talent starting_gear advanced_move class_item",
    "people": "age size speed lifespan language homeland ability_score "
    "ability_score_increase trait "
    "physical_description name appearance height",
    "deity": "domain alignment symbol portfolio worshipper holy_day province",
    "place": "exit population ruler government inhabitant entrance terrain climate trade district "
    "law resident feature",
    "faction": "goal resource leader member asset headquarters agenda ally enemy method influence",
    "feature": "prerequisite cost trigger benefit requirement frequency action effect rank",
}
_OF: dict[str, tuple[Kind, ...]] = {}
for _kind, _words in LABELS.items():
    for _word in _words.split():
        _label = key_of(_word.replace("_", " "))
        _OF[_label] = (*_OF.get(_label, ()), _kind)
_MONEY = re.compile(r"[$€£¥]|\d\s?(?:gp|sp|cp|cr|credits?|coins?|p)\b|\bcr\s?\d", re.I)
_DICE = re.compile(r"\d*[dD]\d+|\d+[dD]\b")
_YOU = re.compile(r"\b(?:you|your)\b", re.I)
TIED = ("near", "above", "chapter", "head", "names", "labels", "many")
SHAPES = ("numbers", "dice", "money", "you", "section", "row", "fields")


def tied_features(catalogue: MemberGroup, kind: Kind) -> tuple[float, ...]:
    """What speaks for one kind, in the order of TIED."""
    members = catalogue.members
    near = _share(_said(m.path[-1]) == kind for m in members if m.path)
    above = _share(kind in map(_said, m.path[-4:-1]) for m in members)
    chapter = _share(BY_INTENT.get(m.section.intent) == kind for m in members)
    head = _share(_said(m.subtitle) == kind for m in members if m.subtitle)
    names = _share(_last_kind(m.name) == kind for m in members)
    weights = [_label_weight(label, kind) for label in catalogue.core if label != SUBTITLE]
    labels = sum(weights) / len(weights) if weights else 0.0
    return (near, above, chapter, head, names, labels, min(sum(weights), 4.0) / 4.0)


def shape_features(catalogue: MemberGroup) -> tuple[float, ...]:
    """How the catalogue looks, whatever it is of, in the order of SHAPES."""
    values = [value for told in catalogue.fields.values() for value in told.values()]
    texts = [_text(catalogue, member.id) for member in catalogue.members[:60]]
    words = sum(len(text.split()) for text in texts) or 1
    spoken = sum(len(_YOU.findall(text)) for text in texts)
    first = catalogue.members[0]
    return (
        _share(bool(VALUE.match(value.strip())) for value in values),
        _share(bool(_DICE.match(value.strip())) for value in values),
        _share(bool(_MONEY.search(value)) for value in values),
        min(1.0, 20.0 * spoken / words),
        float(not first.inline),
        float("|" in first.id),
        min(1.0, len(catalogue.core) / 8.0),
    )


def _text(catalogue: MemberGroup, id: str) -> str:
    member = next(m for m in catalogue.members if m.id == id)
    return " ".join(member.lines) if member.inline else text_of(member.section)


def _share(answers: Iterable[bool]) -> float:
    counted = Counter(answers)
    return counted[True] / max(1, counted.total())


@lru_cache(maxsize=4096)
def _said(title: str) -> Kind | None:
    """What a heading announces; `Foes by Tier` are foes here, since what stands below them is known
    to be a catalogue."""
    return announced(re.split(r"\bby\b", title, flags=re.I)[0])


@lru_cache(maxsize=8192)
def _last_kind(name: str) -> Kind | None:
    words = re.findall(r"[a-z]+", name.lower())
    return next((kind for word in reversed(words) if (kind := kind_word(word))), None)


def _label_weight(label: str, kind: Kind) -> float:
    """What a label says for a kind: less when it says it for others too; a part counts half."""
    kinds = _OF.get(label)
    if kinds:
        return 1.0 / len(kinds) if kind in kinds else 0.0
    parts: Sequence[str] = label.split()
    if len(parts) < 2:
        return 0.0
    return 0.5 * max(_label_weight(parts[0], kind), _label_weight(parts[-1], kind))
