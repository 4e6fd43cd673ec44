"""A small sourcebook made for the tests: rules, spells, creatures, wares, states, places, a guild, advice."""

from pathlib import Path

import pymupdf

Line = tuple[str, str]
H1, H2, H3, BODY, SLANT, ROW, BOLD = "h1", "h2", "h3", "p", "i", "row", "b"
_STYLE = {
    H1: ("hebo", 24),
    H2: ("hebo", 16),
    H3: ("hebo", 12.5),
    BODY: ("tiro", 10),
    SLANT: ("tiit", 10),
}

_RULES: list[Line] = [
    (H1, "Playing the Game"),
    (BODY, "When the outcome of a deed is in doubt, roll a d20 and add the modifier of one ability. If the total "
     "equals or exceeds the difficulty class, the deed succeeds. On a success you do what you meant to do. On a failure "
     "the guide says what happens instead. A Brawn check lifts, breaks and wrestles; a Grace check sneaks and "
     "balances; a Lore check remembers; a Heart check persuades."),
    (H2, "Difficulty"),
    (BODY, "The guide sets the DC. A DC 10 task is easy, a DC 15 task is hard, and a DC 20 task is nearly beyond "
     "anyone. A natural 20 is a triumph, and a roll that is a 1 is a disaster."),
    (H2, "Wrestling"),
    (BODY, "To seize a foe, make a Brawn check against the foe's Brawn check. On a success the foe is Held until it "
     "breaks free with another Brawn check on its turn, and while it is Held its speed is 0."),
    (H2, "Harm"),
    (BODY, "When a creature is reduced to 0 hit points it falls. It takes 2d6 fire damage from burning and 1d4 cold "
     "damage from icy water at the start of each turn. Three failures on Heart saves and it dies."),
]  # fmt: skip


def _spell(name: str, rank: str, reach: str, text: str) -> list[Line]:
    return [(H3, name), (SLANT, rank), (BOLD, "Casting Time:|1 action"), (BOLD, f"Range:|{reach}"),
            (BOLD, "Duration:|1 minute"), (BODY, text)]  # fmt: skip


_SPELLS: list[Line] = [
    (H1, "Spells"),
    (H2, "Spell Descriptions"),
    *_spell(
        "Ash Veil",
        "1st-level illusion",
        "30 feet",
        "A curtain of grey ash hides you until you speak or strike.",
    ),
    *_spell(
        "Bell of Warning",
        "2nd-level ward",
        "60 feet",
        "A bell that only you hear rings when someone enters.",
    ),
    *_spell(
        "Cold Lantern",
        "1st-level conjuring",
        "Touch",
        "A stone gives light without heat, and no wind puts it out.",
    ),
    *_spell(
        "Door of Salt",
        "3rd-level ward",
        "10 feet",
        "A line of salt cannot be crossed by the dead for an hour.",
    ),
    *_spell(
        "Ember Dart",
        "1st-level evocation",
        "90 feet",
        "A dart of fire does 2d6 fire damage to one creature.",
    ),
]


def _creature(name: str, kind: str, ac: int, hp: str, scores: str, text: str) -> list[Line]:
    return [(H3, name), (SLANT, kind), (BOLD, f"Armor Class|{ac}"), (BOLD, f"Hit Points|{hp}"), (BOLD, "Speed|30 ft."),
            (ROW, "STR|DEX|CON|INT|WIS|CHA"), (ROW, scores), (BOLD, "Challenge|1 (200 XP)"), (BODY, text)]  # fmt: skip


_BEASTS: list[Line] = [
    (H1, "Creatures"),
    *_creature("Marsh Hound", "Medium beast, unaligned", 13, "22 (4d8 + 4)",
               "12 (+1)|14 (+2)|12 (+1)|4 (-3)|12 (+1)|6 (-2)", "The hound follows a trail through water."),
    *_creature("Reed Knight", "Medium undead, lawful evil", 16, "45 (6d8 + 18)",
               "16 (+3)|10 (+0)|16 (+3)|8 (-1)|10 (+0)|12 (+1)", "A knight who drowned in harness and forgot it."),
    *_creature("Tide Wisp", "Small elemental, neutral", 14, "13 (3d6 + 3)",
               "6 (-2)|18 (+4)|12 (+1)|6 (-2)|12 (+1)|14 (+2)", "A wisp leads travellers off the causeway at dusk."),
]  # fmt: skip

_STATES: list[Line] = [
    (H1, "Conditions"),
    (H2, "Drenched"),
    (
        BODY,
        "A drenched creature takes 1d4 cold damage at dusk, and its torches do not light until it is dry again.",
    ),
    (H2, "Held"),
    (
        BODY,
        "A held creature has a speed of 0 and cannot use a reaction while the hold lasts. See the Wrestling section.",
    ),
    (H2, "Moonstruck"),
    (
        BODY,
        "A moonstruck creature rolls twice on every Lore check and takes the worse result until the moon sets.",
    ),
]

_PLACES: list[Line] = [
    (H1, "The Drowned Coast"),
    (BODY, "The coast lies north of the hills, where the old road runs into the sea and comes out again at low water. "
     "People here count in tides, and no house has its door to the west."),
    (H2, "Locations"),
    (H3, "Saint Orrin's Gate"),
    (BODY, "A tower stands at the end of the causeway with a gate under it. The city of Harrow Quay built it against "
     "the sea. The gatekeeper, Captain Ilse Varr, lives above the arch and rings the bell at every turn of the tide."),
    (H3, "Harrow Quay"),
    (BODY, "Harrow Quay is a town of ropewalks and narrow streets on the north bank of the river. Its harbour silts up "
     "a little more each year, and the Guild of Lamps pays the dredgers. Captain Ilse Varr was born here."),
    (H3, "The Salt Stair"),
    (BODY, "A stair cut in the cliff east of Harrow Quay leads down to caves where salt was mined. The Guild of Lamps "
     "keeps the upper door locked, and what knocks below is not spoken of."),
    (H2, "Factions"),
    (H3, "The Guild of Lamps"),
    (BODY, "Members of the guild keep the lights of the coast and the secrets of the Salt Stair. Its leaders meet in "
     "Harrow Quay. Recruits swear on a lit wick, and the guild's agents know every boat by its lantern."),
]  # fmt: skip

_ADVICE: list[Line] = [
    (H1, "Running the Game"),
    (H2, "Keep the Tide Moving"),
    (BODY, "The game master should keep the pace up. When your players hesitate, let the tide come in: say what changes, "
     "and ask what they do. You should always give a choice, and never a wall. Try to end a scene while your players "
     "still want more of it, and let the slow scenes be short."),
    (H2, "When Dice Fail"),
    (BODY, "The game master should say yes where nothing is at stake. Consider what failure would bring before your "
     "players roll, and avoid rolls that bring nothing. Remember that a failed roll should move the story."),
]  # fmt: skip


_MISPRINT = _creature("Mire Ox", "Large beast, unaligned", 12, "99 (4d10 + 8)",
                      "18 (+4)|8 (-1)|14 (+2)|2 (-4)|10 (+0)|5 (-3)", "Its hit points are not what its dice say.")  # fmt: skip


def make_book(path: Path, *, dropped: str = "", misprint: bool = False) -> Path:
    """Writes the book; `dropped` leaves a chapter out, so that the file is another one; `misprint` adds doubt."""
    chapters = [
        _RULES,
        _SPELLS,
        _BEASTS + (_MISPRINT if misprint else []),
        _STATES,
        _PLACES,
        _ADVICE,
    ]
    document = pymupdf.open()
    document.set_metadata({"title": "The Drowned Coast Guide"})
    for chapter in chapters:
        if chapter[0][1] != dropped:
            _write(document, chapter)
    document.save(str(path))
    document.close()
    return path


def _write(document: pymupdf.Document, chapter: list[Line]) -> None:
    page, y = document.new_page(width=420, height=595), 60.0
    for style, text in chapter:
        if y > 470:
            page, y = document.new_page(width=420, height=595), 60.0
        y = _put(page, style, text, y)
    for number in range(document.page_count):
        sheet = document[number]
        if not sheet.get_text("text", clip=(0, 560, 420, 595)).strip():
            sheet.insert_text(
                (180, 575), f"The Drowned Coast Guide {number + 1}", fontname="tiro", fontsize=8
            )


def _put(page: pymupdf.Page, style: str, text: str, y: float) -> float:
    if style == ROW:
        for place, cell in enumerate(text.split("|")):
            page.insert_text((50 + 55 * place, y + 9), cell, fontname="tiro", fontsize=9)
        return y + 14
    if style == BOLD:
        label, _, rest = text.partition("|")
        page.insert_text((50, y + 10), label, fontname="tibo", fontsize=10)
        width = pymupdf.get_text_length(f"{label} ", fontname="tibo", fontsize=10)
        page.insert_text((50 + width, y + 10), rest, fontname="tiro", fontsize=10)
        return y + 14
    font, size = _STYLE[style]
    box = pymupdf.Rect(50, y, 370, 560)
    left = page.insert_textbox(box, text, fontname=font, fontsize=size)
    return y + (box.height - left) + (10 if style in (H1, H2, H3) else 8)
