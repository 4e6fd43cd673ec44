"""Small books in the layouts of other houses: old-school lines, playbooks, percentile sheets, a German one."""

from pathlib import Path

from tests.ingest.sheet import BOLD, ITALIC, ROMAN, Sheet, Stranger, Thing

# ---------------------------------------------------------------- old-school lines
_WARDENS = [
    ("Ditch Wolf", "7 [12]", "2+2 (11hp)", "1 × bite (1d6)", "17 [+2]", "180' (60')", 8, "Neutral", 25,
     "Runs along sunken roads and will not leave them."),
    ("Lantern Ghoul", "6 [13]", "3 (13hp)", "2 × claw (1d4), 1 × bite (1d6)", "17 [+2]", "90' (30')", 9, "Chaotic", 65,
     "Carries a light taken from its first victim."),
    ("Barrow Steward", "4 [15]", "5* (22hp)", "1 × rod (1d8 + fear)", "15 [+4]", "60' (20')", 10, "Lawful", 300,
     "Counts the grave goods nightly. One missing coin wakes it."),
    ("Moss Ogre", "5 [14]", "4+1 (19hp)", "1 × club (1d10)", "15 [+4]", "90' (30')", 10, "Chaotic", 125,
     "Asleep it is a hill; villages have been built on one."),
    ("Pale Heron", "8 [11]", "1 (4hp)", "1 × beak (1d4)", "19 [0]", "60' (20') / 150' (50') flying", 6, "Neutral", 10,
     "Stands by the water where somebody will drown."),
    ("Tallow Knight", "3 [16]", "6 (27hp)", "1 × blade (1d8)", "14 [+5]", "60' (20')", 12, "Lawful", 320,
     "Melts in summer and swears the same oath each winter."),
]  # fmt: skip
_ROAD_SPELLS = [
    ("Cold Ember", 1, "1 turn", "30'", "A spark that burns without heat and is seen only by the caster."),
    ("Know the Grave", 1, "Instant", "Touch", "The name of whoever lies here, and one thing they regret."),
    ("Sunken Road", 2, "1 hour", "120'", "Earth opens into a lane as deep as a man and closes behind the last."),
    ("Heron's Patience", 2, "6 turns", "Self", "The caster cannot be surprised while standing on one leg."),
    ("Wake the Steward", 3, "1 round per level", "60'", "Whatever guards this place looks the other way, once."),
]  # fmt: skip
_PACKS = [
    ("Barrow candle", "2 sp", "Burns six turns."),
    ("Chalked line", "1 gp", "Fifty feet, knotted every yard."),
    ("Grave mattock", "3 gp", "Opens a cairn in a turn."),
    ("Iron ward", "25 gp", "Nailed to a door, it keeps one thing out."),
    ("Wolf liver", "8 sp", "Dogs follow whoever carries it."),
]


def write_old_school(path: Path) -> Stranger:
    """A stat line with brackets and abbreviations under each name, spells, gear with the price behind the name."""
    sheet = Sheet((420, 595))
    sheet.text("Barrow Roads", BOLD, 24, after=20)
    sheet.text("Rules in Short", BOLD, 16, after=6)
    sheet.text(
        "To hit, roll 1d20 and add your attack bonus: if the total is equal to or higher than the armour class in "
        "brackets, the attack lands. For anything else roll 1d20 under the ability."
    )
    sheet.text("Monsters", BOLD, 16, after=6)
    for name, ac, hd, att, thac0, mv, ml, al, xp, text in _WARDENS:
        sheet.text(name, BOLD, 12, after=1)
        sheet.text(text, ITALIC, after=2)
        sheet.text(
            f"*AC* {ac}, *HD* {hd}, *Att* {att}, *THAC0* {thac0}, *MV* {mv}, *SV* D12 W13 P14 B15 S16 (2), "
            f"*ML* {ml}, *AL* {al}, *XP* {xp}",
            after=6,
        )
    sheet.text("Magic-User Spells", BOLD, 16, after=6)
    for name, level, lasts, reach, text in _ROAD_SPELLS:
        sheet.text(name, BOLD, 12, after=1)
        sheet.text(f"Level {level}", ITALIC, after=1)
        sheet.text(f"*Duration* {lasts}", after=1)
        sheet.text(f"*Range* {reach}", after=1)
        sheet.text(text, after=6)
    sheet.text("Equipment", BOLD, 16, after=6)
    for name, cost, text in _PACKS:
        sheet.text(f"*{name}* ({cost}): {text}")
    beasts: list[Thing] = [
        {"name": n, "kind": "creature", "fields": {
            "AC": ac, "HD": hd, "Att": att, "THAC0": th, "MV": mv, "ML": ml, "AL": al, "XP": xp}}
        for n, ac, hd, att, th, mv, ml, al, xp, _ in _WARDENS
    ]  # fmt: skip
    spells = [
        {"name": n, "kind": "spell", "fields": {"Level": level, "Duration": d, "Range": r}}
        for n, level, d, r, _ in _ROAD_SPELLS
    ]
    gear: list[Thing] = [{"name": n, "kind": "item", "fields": {}} for n, _, _ in _PACKS]
    return Stranger(sheet.save(path), [*beasts, *spells, *gear])


# ---------------------------------------------------------------- playbooks with boxes to tick
_PLAYBOOKS = [
    ("The Hollow", ("+1", "-1", "+2", "0"), 6, "a coat that was hers", [
        ("Empty Rooms", "When you wait alone for somebody, roll+Still. On a hit they come; on a 7-9 so does another."),
        ("Nothing to Lose", "When you give away the last thing you own, hold 2."),
        ("Cold Hands", "When you touch the dying, ask the MC one question. They answer it as the dying would."),
    ]),
    ("The Dynamo", ("-1", "+2", "+1", "0"), 8, "a wrench named after a saint", [
        ("Overcharge", "When you push a machine past its limit, roll+Spark. On a 10+ it holds; on a 7-9 it holds once."),
        ("Jury Rig", "When you build something from scrap, say what it does and what it will cost."),
        ("Live Wire", "You do not take harm from fire, lightning or steam."),
    ]),
    ("The Magpie", ("0", "+1", "-1", "+2"), 5, "a ring of other people's keys", [
        ("Finders", "When you search a crowded place, roll+Quick. On a hit you have it; on a 7-9 somebody saw."),
        ("Sweet Talker", "When you lie to somebody who likes you, they believe it until dawn."),
        ("Feather Light", "You always have a way out, and never take anybody with you."),
    ]),
    ("The Bailiff", ("+2", "0", "+1", "-1"), 9, "a warrant with no name on it", [
        ("By What Right", "When you name the law to somebody armed, roll+Hard. On a 10+ they put it down."),
        ("Debt Collector", "At the start of each session somebody owes you. Say who."),
        ("Long Arm", "When you hunt a person who has wronged you, you always learn the town they are in."),
    ]),
]  # fmt: skip
_STATS_OF_BOOKS = ("Hard", "Spark", "Still", "Quick")
_THREATS = [
    ("The Weir Gang", "to own what flows", "Cut the water; Take a hostage; Show up smiling", 3),
    ("Mother Cinder", "to keep her children", "Burn a bridge; Call one home; Forgive too soon", 5),
    ("The Sump", "to rise", "Flood a cellar; Sicken a child; Swallow a street", 6),
    ("Colonel Hask", "to be obeyed", "Post a curfew; Hang a thief; Offer a commission", 4),
]


def write_playbooks(path: Path) -> Stranger:
    """A page to a playbook: a line of stats, boxes to tick, moves named in bold; threats with an impulse."""
    sheet = Sheet((595, 420), columns=2)
    sheet.text("Weirtown", BOLD, 24, after=20)
    sheet.text("The Basic Move", BOLD, 16, after=6)
    sheet.text(
        "When you act under pressure, roll 2d6 and add the stat that fits. On a 10 or more you do it. On a 7 to 9 you "
        "do it and the MC names a price. On a 6 or less be ready for the worst."
    )
    for name, stats, harm, carries, moves in _PLAYBOOKS:
        sheet.turn()
        sheet.text(name.upper(), BOLD, 18, after=4)
        pairs = zip(_STATS_OF_BOOKS, stats, strict=True)
        sheet.text("  ".join(f"*{label}* {value}" for label, value in pairs), after=4)
        sheet.text(f"*Harm Clock* {harm}", after=2)
        sheet.text(f"*Heirloom* {carries}", after=6)
        sheet.text("Moves", BOLD, 12, after=2)
        sheet.text("You get the first, and choose one more:", ITALIC, after=2)
        for move, text in moves:
            sheet.room(30)
            sheet.page.insert_text((sheet.left, sheet.y + 12), "o", fontname="zadb", fontsize=9)
            sheet.margin += 14
            sheet.text(f"*{move}:* {text}")
            sheet.margin -= 14
    sheet.turn()
    sheet.text("Threats", BOLD, 18, after=6)
    for name, impulse, moves, clock in _THREATS:
        sheet.text(name, BOLD, 12, after=2)
        sheet.text(f"Impulse: {impulse}", after=1)
        sheet.text(f"Moves: {moves}", after=1)
        sheet.text(f"Clock: {clock}", after=6)
    classes: list[Thing] = [
        {"name": n, "kind": "class", "fields": {
            **dict(zip(_STATS_OF_BOOKS, stats, strict=True)), "Harm Clock": harm, "Heirloom": c}}
        for n, stats, harm, c, _ in _PLAYBOOKS
    ]  # fmt: skip
    moves_told: list[Thing] = [
        {"name": move, "kind": "move", "fields": {}} for each in _PLAYBOOKS for move, _ in each[4]
    ]
    threats: list[Thing] = [
        {"name": n, "kind": "person", "fields": {"Impulse": i, "Moves": m, "Clock": c}}
        for n, i, m, c in _THREATS
    ]
    return Stranger(sheet.save(path), [*classes, *moves_told, *threats])


# ---------------------------------------------------------------- percentile sheets, numbers in columns
_GRID = ("STR", "CON", "SIZ", "DEX", "INT", "POW")
_INVESTIGATED = [
    ("Silas Crane", "harbour master", (65, 70, 60, 45, 55, 50), 13, 8, ("Brawl", "55%"), ("Dodge", "25%")),
    ("Ada Winterbourne", "spiritualist", (40, 45, 50, 60, 80, 75), 9, 9, ("Dodge", "30%"), ("Psychology", "65%")),
    ("The Net Mender", "cultist", (55, 60, 55, 65, 45, 70), 11, 8, ("Brawl", "45%"), ("Stealth", "60%")),
    ("Doctor Amory Pike", "surgeon", (50, 55, 65, 70, 85, 60), 12, 7, ("Medicine", "80%"), ("Psychology", "50%")),
    ("Deep Chorister", "horror of the tide", (110, 95, 120, 50, 65, 85), 21, 7, ("Brawl", "70%"), ("Stealth", "40%")),
    ("Bell Ringer's Ghost", "apparition", (5, 5, 5, 80, 60, 90), 1, 10, ("Dodge", "75%"), ("Stealth", "90%")),
]  # fmt: skip
_RITES = [
    ("Chant of the Ninth Wave", "6 magic points; 1D6 sanity", "10 minutes", "The tide comes in at once, wherever it was."),
    ("Draught of Brine", "3 magic points", "1 hour", "Whoever drinks breathes water until the moon sets."),
    ("Eyes of the Gull", "4 magic points; 1 sanity", "1 round", "The caster sees what any seabird within a mile sees."),
    ("Name in the Net", "8 magic points; 1D4 sanity", "1 day", "One person cannot leave the harbour while the net holds."),
    ("Unringing", "10 magic points; 1D10 sanity", "3 rounds", "A sound that was made was never made."),
]  # fmt: skip


def write_percentile(path: Path) -> Stranger:
    """Statistics in a grid of columns under the name, skills with their share, rites with a cost and a time."""
    sheet = Sheet((595, 842))
    sheet.text("The Tide Bell", BOLD, 26, after=20)
    sheet.text("The Rules", BOLD, 18, after=6)
    sheet.text(
        "To use a skill roll percentile dice. If the roll is equal to or under your skill you succeed; equal to or "
        "under half of it is a hard success. A roll of 100 is a fumble."
    )
    sheet.text("Characters and Creatures", BOLD, 18, after=6)
    for name, trade, grid, hit, move, first, second in _INVESTIGATED:
        sheet.room(120)
        sheet.text(f"{name}, {trade}", BOLD, 12, after=2)
        tabs = (0, 90, 180)
        cells = [f"{label}  {value}" for label, value in zip(_GRID, grid, strict=True)]
        sheet.row(cells[:3], tabs)
        sheet.row(cells[3:], tabs)
        sheet.row((f"Hit Points: {hit}", f"Move: {move}"), (0, 90))
        sheet.y += 3
        sheet.text(f"*Skills:* {first[0]} {first[1]}, {second[0]} {second[1]}", after=8)
    sheet.text("Rites", BOLD, 18, after=6)
    for name, cost, time, text in _RITES:
        sheet.text(name, BOLD, 12, after=2)
        sheet.text(f"• Cost: {cost}", after=1)
        sheet.text(f"• Casting time: {time}", after=2)
        sheet.text(text, after=8)
    people: list[Thing] = [
        {"name": n, "kind": "creature", "fields": {
            **dict(zip(_GRID, grid, strict=True)), "Hit Points": hit, "Move": move,
            "Skills": [" ".join(a), " ".join(b)]}}
        for n, _, grid, hit, move, a, b in _INVESTIGATED
    ]  # fmt: skip
    rites: list[Thing] = [
        {"name": n, "kind": "spell", "fields": {"Cost": c, "Casting time": t}}
        for n, c, t, _ in _RITES
    ]
    return Stranger(sheet.save(path), [*people, *rites])


# ---------------------------------------------------------------- a German book
_WESEN = [
    ("Moorhund", 18, 2, "9", "Biss 1W6+2 (12)", "Er jagt nur, was davonläuft."),
    (
        "Kohlenweib",
        25,
        1,
        "6",
        "Schürhaken 1W6+4 (11)",
        "Sie kauft Namen und verbrennt sie im Winter.",
    ),
    ("Nebelross", 40, 0, "14", "Tritt 2W6 (10)", "Wer es reitet, kommt zu spät nach Hause."),
    (
        "Grubengeist",
        12,
        4,
        "5",
        "Kälte 1W3 (14)",
        "Im Stollen löscht er zuerst das hinterste Licht.",
    ),
    ("Wurzelfürst", 60, 6, "2", "Ranke 2W6+3 (13)", "Der Wald zahlt ihm Zins in Vögeln."),
]
_ZAUBER = [
    ("Erdzunge", 4, "Berührung", "eine Stunde", "Der Boden sagt, wer zuletzt über ihn ging."),
    (
        "Rabenblick",
        6,
        "eine Meile",
        "bis zum Abend",
        "Der Zauberer sieht durch die Augen eines Raben.",
    ),
    ("Stiller Schritt", 3, "selbst", "zehn Minuten", "Keine Diele knarrt, kein Zweig bricht."),
    (
        "Winterhauch",
        8,
        "zwanzig Schritt",
        "sofort",
        "Wasser gefriert, Feuer erlischt, Atem wird sichtbar.",
    ),
]
_WAREN = [
    ("Bergseil", "12 Heller", "2"),
    ("Grubenlampe", "30 Heller", "1"),
    ("Hanfsack", "3 Heller", "1"),
    ("Kletterhaken", "8 Heller", "1"),
    ("Wachsmantel", "55 Heller", "4"),
]


def write_german(path: Path) -> Stranger:
    """Creatures with a line of abbreviations and bars, spells with bold labels, goods in a table; all in German."""
    sheet = Sheet((420, 595))
    sheet.text("Das Grubental", BOLD, 24, after=20)
    sheet.text("Die Probe", BOLD, 16, after=6)
    sheet.text(
        "Für eine Probe wirfst du 1W20. Liegt das Ergebnis gleich oder unter dem Wert deiner Eigenschaft, gelingt die "
        "Probe. Bei einer 20 misslingt sie immer."
    )
    sheet.text("Wesen", BOLD, 16, after=6)
    for name, leben, schutz, tempo, angriff, text in _WESEN:
        sheet.text(name, BOLD, 12, after=1)
        sheet.text(f"LP {leben} | RS {schutz} | GS {tempo} | Angriff: {angriff}", after=2)
        sheet.text(text, after=6)
    sheet.text("Zauber", BOLD, 16, after=6)
    for name, kosten, reich, dauer, text in _ZAUBER:
        sheet.text(name, BOLD, 12, after=1)
        sheet.text(f"*Kosten:* {kosten}", after=1)
        sheet.text(f"*Reichweite:* {reich}", after=1)
        sheet.text(f"*Dauer:* {dauer}", after=2)
        sheet.text(text, after=6)
    sheet.text("Ausrüstung", BOLD, 16, after=6)
    sheet.row(("Ware", "Preis", "Gewicht"), (0, 120, 200), BOLD)
    for ware in _WAREN:
        sheet.row(ware, (0, 120, 200), ROMAN)
    beasts: list[Thing] = [
        {"name": n, "kind": "creature", "fields": {"LP": lp, "RS": rs, "GS": gs, "Angriff": a}}
        for n, lp, rs, gs, a, _ in _WESEN
    ]
    spells: list[Thing] = [
        {"name": n, "kind": "spell", "fields": {"Kosten": k, "Reichweite": r, "Dauer": d}}
        for n, k, r, d, _ in _ZAUBER
    ]
    goods: list[Thing] = [
        {"name": n, "kind": "item", "fields": {"Preis": p, "Gewicht": g}} for n, p, g in _WAREN
    ]
    return Stranger(sheet.save(path), [*beasts, *spells, *goods])


ABROAD = {
    "german": write_german,
    "old_school": write_old_school,
    "percentile": write_percentile,
    "playbooks": write_playbooks,
}
