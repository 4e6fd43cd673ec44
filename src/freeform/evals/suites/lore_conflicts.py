"""The suite `lore-conflicts`: three publications of one bestiary, which nobody here wrote, put to
the conflict finder.

Two are of one edition: where they differ, one is wrong. The third is of a later one: where it
differs, times have changed. Each creature becomes a page of each publication, read like any page;
the gold is a plain comparison of the numbers.
"""

import json
from collections.abc import Iterable
from fractions import Fraction
from pathlib import Path
from typing import Any

from freeform.core.errors import NotFound
from freeform.core.text import slug
from freeform.evals.report import SuiteReport
from freeform.lore.judge.conflicts import weigh
from freeform.lore.model import Claim
from freeform.lore.ports import Infobox, InfoboxRow, WebPage
from freeform.lore.read.claims import digest, wrong_with
from freeform.lore.read.page_reader import read_page
from freeform.lore.read.values import Names

FIELDS = (
    "Armor class", "Hit points", "Challenge rating", "Strength", "Dexterity", "Constitution", "Intelligence",
    "Wisdom", "Charisma",
)  # fmt: skip
Beasts = dict[str, dict[str, str]]


def run_lore_conflicts(data: Path | None) -> SuiteReport:
    """Errors inside one edition, and differences between editions."""
    if data is None:
        raise NotFound(
            "no data folder: give --data DIR, or set FREEFORM_DATA; it holds DIR/conflicts and DIR/srd/json"
        )
    first = _open5e(data / "conflicts" / "open5e-srd-2014-creatures.json")
    later = _open5e(data / "conflicts" / "open5e-srd-2024-creatures.json")
    other = _api(data / "srd" / "json" / "5e-SRD-Monsters.json")
    same = compare(("2014", 1, "one.example", first), ("2014", 1, "other.example", other))
    changed = compare(("2014", 1, "one.example", first), ("2024", 1, "later.example", later))
    wrong = {key for key, kind in same["found"] if kind == "error"}
    eras = {key for key, kind in changed["found"] if kind == "era"}
    metrics = {
        "shared_one_edition": same["shared"],
        "disagreements": len(same["gold"]),
        "conflict_recall": _share(len(wrong & same["gold"]), len(same["gold"])),
        "conflict_precision": _share(len(wrong & same["gold"]), len(wrong)),
        "false_errors": len({key for key, _ in same["found"]} - same["gold"]),
        "shared_two_editions": changed["shared"],
        "changed_hit_points": sum(key[1] == "hit_points" for key in changed["gold"]),
        "changed_armor_class": sum(key[1] == "armor_class" for key in changed["gold"]),
        "era_recall": _share(len(eras & changed["gold"]), len(changed["gold"])),
        "era_precision": _share(len(eras & changed["gold"]), len(eras)),
        "era_called_error": sum(kind == "error" for _, kind in changed["found"]),
        "quote_verified": same["verified"],
    }
    cases = [{"creature": name, "field": field} for name, field in sorted(wrong)]
    return SuiteReport(
        suite="lore-conflicts", n=same["shared"] + changed["shared"], metrics=metrics, cases=cases
    )


Publication = tuple[str, int, str, Beasts]


def compare(one: Publication, other: Publication) -> dict[str, Any]:
    """What the finder finds between two publications, and what a plain comparison says."""
    shared = sorted(set(one[3]) & set(other[3]))
    pages = [
        page_of(name, era, tier, site, beasts[name])
        for era, tier, site, beasts in (one, other)
        for name in shared
    ]
    names = Names()
    by_url = {page.url: page for page in pages}
    claims = [claim for page in pages for claim in read_page(page, names, "lore")]
    found = [((c.subject_id, c.predicate), c.kind) for c in weigh(claims).conflicts]
    gold = {
        (slug(name), slug(field))
        for name in shared
        for field in FIELDS
        if Fraction(one[3][name][field]) != Fraction(other[3][name][field])
    }
    return {
        "shared": len(shared),
        "found": found,
        "gold": gold,
        "verified": _verified(claims, by_url),
    }


def page_of(name: str, era: str, tier: int, site: str, facts: dict[str, str]) -> WebPage:
    """A creature's page: a box of facts."""
    rows, text = [], ""
    for label, value in [("Edition", era), *facts.items()]:
        row_start = len(text)
        text += f"{label}: {value}"
        start = row_start + len(label) + 2
        rows.append(
            InfoboxRow(label=label, value=value, start=start, end=len(text), row_start=row_start)
        )
        text += "\n"
    return WebPage(
        url=f"https://{site}/{slug(name)}", title=name, text=text, infobox=Infobox(kind="creature", rows=rows),
        sha256=digest(text), domain=site, tier=tier,
    )  # fmt: skip


def _open5e(file: Path) -> Beasts:
    found: Beasts = {}
    for row in _read(file):
        fields = row["fields"]
        values = [fields["armor_class"], fields["hit_points"], fields["challenge_rating"]]
        values += [fields[f"ability_score_{name.lower()}"] for name in FIELDS[3:]]
        found[fields["name"]] = _facts(values)
    return found


def _api(file: Path) -> Beasts:
    found: Beasts = {}
    for row in _read(file):
        values = [row["armor_class"][0]["value"], row["hit_points"], row["challenge_rating"]]
        found[row["name"]] = _facts([*values, *(row[name.lower()] for name in FIELDS[3:])])
    return found


def _facts(values: Iterable[Any]) -> dict[str, str]:
    return {field: str(value) for field, value in zip(FIELDS, values, strict=True)}


def _read(file: Path) -> list[dict[str, Any]]:
    if not file.is_file():
        raise NotFound(f"no {file.name} in {file.parent}; put it there, or give another --data DIR")
    rows: list[dict[str, Any]] = json.loads(file.read_text(encoding="utf-8"))
    return rows


def _verified(claims: list[Claim], pages: dict[str, WebPage]) -> float:
    return _share(sum(not wrong_with(claim, pages[claim.url]) for claim in claims), len(claims))


def _share(part: int, whole: int) -> float:
    return round(part / whole, 4) if whole else 1.0
