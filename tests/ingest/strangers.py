"""Small books unlike those the induction was written on, with what stands in them known by construction."""

from pathlib import Path

from tests.ingest.sheet import BOLD, ICONS, ITALIC, ROMAN, Sheet, Stranger

# ---------------------------------------------------------------- cards, one to a page, with icons
_CARD_LABELS = ("Grit", "Hide", "Pace", "Bane")
_CARDS = [
    ("Gutter Wyrmling", "Vermin, sewers", (4, 11, 6, 1), "Spits a thread of glue at whoever carries the light."),
    ("Lamp Eater", "Spirit, streets", (7, 13, 5, 2), "Every flame within ten paces dies when it breathes in."),
    ("Brass Widow", "Construct, workshops", (12, 16, 4, 3), "She dances with one partner until his heart stops."),
    ("Tallow Child", "Undead, cellars", (3, 9, 7, 1), "It softens in warmth and remembers its mother in the cold."),
    ("Roof Hound", "Beast, rooftops", (6, 12, 9, 2), "It herds runaways toward the edge and waits below."),
    ("The Toll Clerk", "Devil, bridges", (15, 17, 5, 5), "Asks for a name, and takes the name with it."),
    ("Drain Lily", "Plant, sewers", (8, 10, 1, 2), "Its scent makes a thief count his coins aloud."),
    ("Chimney Crone", "Witch, rooftops", (9, 12, 6, 3), "She trades soot for secrets and never pays twice."),
    ("Paper Soldier", "Construct, archives", (2, 10, 8, 1), "Folds itself flat to pass below any door."),
    ("Fog Mule", "Beast, docks", (10, 11, 5, 2), "Carries what smugglers lose, and will not give it back."),
    ("Glass Jackal", "Beast, ruins", (5, 15, 8, 3), "It shatters when struck hard and mends by moonlight."),
    ("Ink Leech", "Vermin, archives", (3, 8, 3, 1), "Whoever it bites forgets the last page they read."),
]  # fmt: skip


def write_cards(path: Path) -> Stranger:
    """A bestiary of cards: the number large over its small label, an icon above, one creature to a page."""
    sheet = Sheet((300, 420))
    sheet.text("Beasts Below the City", BOLD, 20, after=20)
    sheet.text("A deck of twelve creatures for games of lamps and gutters.")
    sheet.turn()
    sheet.text("How a Card Is Read", BOLD, 16, after=8)
    sheet.text(
        "To hurt a creature roll two ten-sided dice, add your skill, and beat its Hide. Harm is taken "
        "from its Grit; at zero it is done for. Pace is how many strides it covers before you act. "
        "Bane is what it is worth when a city pays for its head."
    )
    for name, family, numbers, text in _CARDS:
        sheet.turn()
        sheet.text(name, BOLD, 16, after=2)
        sheet.text(family, ITALIC, 9, after=14)
        top = sheet.y
        for at, (label, number) in enumerate(zip(_CARD_LABELS, numbers, strict=True)):
            x = sheet.margin + 56 * at
            sheet.page.insert_text((x + 4, top + 10), "HIJK"[at], fontname=ICONS, fontsize=12)
            sheet.page.insert_text((x + 4, top + 34), str(number), fontname=BOLD, fontsize=18)
            sheet.page.insert_text((x, top + 46), label.upper(), fontname=ROMAN, fontsize=7)
        sheet.y = top + 60
        sheet.text(text)
    things = [
        {"name": name, "kind": "creature", "fields": dict(zip(_CARD_LABELS, numbers, strict=True))}
        for name, _, numbers, _ in _CARDS
    ]
    return Stranger(sheet.save(path), things)


# ---------------------------------------------------------------- a zine of run-in lines
_FOLK = [
    ("Old Mother Tallow", "keep the pump running", "who drowned the priest", "a bent key"),
    ("Dorrit Vane", "leave before the thaw", "the way through the reeds", "two good knives"),
    ("Brother Ansel", "be forgiven", "what the bell is cast from", "a box of wax ears"),
    ("The Ferryman's Boy", "see the sea", "every rope on the river", "a whistle of bone"),
    ("Captain Roe", "hold the weir", "how few shots are left", "a cracked spyglass"),
    ("Widow Pell", "marry once more", "who owes whom", "a purse of buttons"),
]
_STUFF = [
    ("Eel lantern", 1, "4 bits", "lights a room, draws eels"),
    ("Coil of rope", 2, "3 bits", "forty feet, holds two"),
    ("Reed stilts", 2, "6 bits", "cross mud without a roll"),
    ("Salt pouch", 0, "1 bit", "the drowned will not cross it"),
    ("Boat hook", 2, "5 bits", "a long weapon and a long arm"),
    ("Waxed coat", 1, "9 bits", "stay dry, stay warm"),
    ("Bone dice", 0, "2 bits", "cheats notice cheats"),
    ("Pump grease", 1, "1 bit", "what is stuck comes loose"),
]
_SPOTS = [
    ("The Pump House", 2, "rust and hot oil", "weir, cellar"),
    ("The Drowned Chapel", 4, "old candles", "reeds, crypt"),
    ("Roe's Weir", 3, "powder", "pump house, far bank"),
    ("The Eel Market", 1, "smoke", "pump house, ferry"),
    ("The Far Bank", 5, "nothing at all", "weir"),
]


def write_zine(path: Path) -> Stranger:
    """A one-column zine: a bold name, a stop, then `Label: value; Label: value` in the same paragraph."""
    sheet = Sheet((396, 612))
    sheet.text("MUD SEASON", BOLD, 26, after=20)
    sheet.text("A little game of floods, favours and eels.", ITALIC)
    sheet.turn()
    sheet.text("Playing", BOLD, 15, after=6)
    sheet.text(
        "When the mud might win, gather a handful of six-sided dice: one, and one more for each thing "
        "that helps. Roll them all. Each five or six is a success. One success and you do it at a cost; "
        "two and you do it clean. With none the mud takes something of yours."
    )
    sheet.text("Folk", BOLD, 15, after=6)
    for name, want, knows, carries in _FOLK:
        sheet.text(f"*{name}.* Wants: {want}; Knows: {knows}; Carries: {carries}.")
    sheet.text("Stuff", BOLD, 15, after=6)
    for name, bulk, cost, use in _STUFF:
        sheet.text(f"*{name}.* Bulk: {bulk}; Cost: {cost}; Use: {use}.")
    sheet.text("Spots", BOLD, 15, after=6)
    for name, danger, smell, exits in _SPOTS:
        sheet.text(f"*{name}.* Danger: {danger}; Smell: {smell}; Exits: {exits}.")
        sheet.text("Here the water comes a little higher every night and nobody says so aloud.")
    folk = [
        {"name": n, "kind": "person", "fields": {"Wants": w, "Knows": k, "Carries": c}}
        for n, w, k, c in _FOLK
    ]
    stuff = [
        {"name": n, "kind": "item", "fields": {"Bulk": b, "Cost": c, "Use": u}}
        for n, b, c, u in _STUFF
    ]
    spots = [
        {"name": n, "kind": "place", "fields": {"Danger": d, "Smell": s, "Exits": e.split(", ")}}
        for n, d, s, e in _SPOTS
    ]
    return Stranger(sheet.save(path), [*folk, *stuff, *spots])


# ---------------------------------------------------------------- two columns, tables of gear, vocations
_ARMS = [
    ("Boarding axe", "1d8", "2", "14 s"),
    ("Cane sword", "1d6", "1", "30 s"),
    ("Harpoon", "1d10", "3", "18 s"),
    ("Knuckle bar", "1d3", "0", "2 s"),
    ("Long rifle", "2d8", "3", "90 s"),
    ("Pepper pistol", "1d8+1", "1", "55 s"),
    ("Sap", "1d4", "0", "1 s"),
]
_GEAR = [
    ("Chronometer", "1", "120 s"),
    ("Diving hood", "4", "75 s"),
    ("Oilskin", "2", "8 s"),
    ("Sextant", "1", "60 s"),
    ("Signal rockets", "2", "12 s"),
    ("Tinned beef", "1", "1 s"),
]
_VOCATIONS = [
    ("Harpooner", 62, 14, "You stood in the bow while others rowed. Nobody aboard eats before you do, and nobody asks "
     "what you saw in the eye of the last one."),
    ("Ship's Doctor", 45, 10, "You keep a saw, a bottle and a ledger of limbs. The crew lies to the captain and tells "
     "you everything, mostly while screaming."),
    ("Navigator", 50, 9, "Stars are honest and charts are not. You have drawn three islands that were never there, "
     "and been paid for all of them."),
    ("Stowaway", 55, 8, "Your name is on no list. You know every hollow of the hull, and which rats can be trusted "
     "with a secret."),
    ("Chaplain", 40, 11, "You bless the nets and bury the dead in canvas. The sea has answered you once, and you have "
     "not slept well since."),
]  # fmt: skip
_CHARMS = [
    ("Calm the Swell", 3, "A league", "An hour", "Waves lie flat about the ship while the singer holds one note."),
    ("Call the Drowned", 7, "The deck", "Until dawn", "Those lost from this ship climb aboard and do the next watch."),
    ("Knot of Winds", 4, "Touch", "One knot", "A wind is tied in a rope, and is loosed by whoever unties it."),
    ("Lead to Gold", 9, "Touch", "A minute", "A bullet turns to gold in the barrel, and flies where it is wanted."),
    ("See as Gulls", 2, "A mile", "A scene", "The singer sees from above, and can be seen doing it."),
    ("Still a Heart", 8, "Ten paces", "At once", "The heart of one person skips; a failed Nerve roll and it stops."),
]  # fmt: skip


def write_two_columns(path: Path) -> Stranger:
    """Two columns: vocations in prose with a line of numbers, tables of gear, songs with dots between facts."""
    sheet = Sheet((595, 842), columns=2)
    sheet.text("Salt and Song", BOLD, 24, after=20)
    sheet.text("Rules", BOLD, 17, after=8)
    sheet.text(
        "To do something dangerous roll percentile dice. If the result is equal to or lower than your "
        "skill, you succeed. A roll of doubles below the skill is a triumph, above it a calamity. The "
        "captain may make a roll harder by taking 20 from the skill. Nerve, Sinew, Wit and Voice are the "
        "four skills everybody has; each begins at 30."
    )
    sheet.text("Vocations", BOLD, 17, after=8)
    for name, skill, health, text in _VOCATIONS:
        sheet.text(name, BOLD, 12, after=4)
        sheet.text(text)
        sheet.text(f"*Trade* {skill}%")
        sheet.text(f"*Health* {health}")
        sheet.text(
            "You begin with the clothes of your trade, a blade, and somebody who misses you ashore."
        )
    sheet.text("Outfitting", BOLD, 17, after=8)
    sheet.text("Prices are in shillings and hold in any honest port. In other ports double them.")
    sheet.text("Arms", BOLD, 12, after=4)
    sheet.row(("Weapon", "Harm", "Weight", "Price"), (0, 100, 150, 200), BOLD)
    for arm in _ARMS:
        sheet.row(arm, (0, 100, 150, 200))
    sheet.y += 10
    sheet.text("Ship's Stores", BOLD, 12, after=4)
    sheet.row(("Article", "Weight", "Price"), (0, 130, 190), BOLD)
    for article in _GEAR:
        sheet.row(article, (0, 130, 190))
    sheet.y += 10
    sheet.text("Songs", BOLD, 17, after=8)
    sheet.text(
        "A song costs breath. Who has no breath left sings with blood instead, a point for a point."
    )
    for name, breath, reach, lasts, text in _CHARMS:
        sheet.text(name, BOLD, 12, after=2)
        sheet.text(f"Breath {breath} · Reach: {reach} · Lasts: {lasts}", ITALIC)
        sheet.text(text)
    arms = [
        {"name": n, "kind": "item", "fields": {"Harm": h, "Weight": int(w), "Price": p}}
        for n, h, w, p in _ARMS
    ]
    gear = [
        {"name": n, "kind": "item", "fields": {"Weight": int(w), "Price": p}} for n, w, p in _GEAR
    ]
    trades = [
        {"name": n, "kind": "class", "fields": {"Trade": f"{t}%", "Health": h}}
        for n, t, h, _ in _VOCATIONS
    ]
    songs = [
        {"name": n, "kind": "spell", "fields": {"Breath": b, "Reach": r, "Lasts": last}}
        for n, b, r, last, _ in _CHARMS
    ]
    return Stranger(sheet.save(path), [*trades, *arms, *gear, *songs])


# ---------------------------------------------------------------- hexes, lines in brackets, labels before dashes
_HEXES = [
    ("0101", "Cinder Ford", "charred willows", "a toll of teeth"),
    ("0102", "Old Kiln", "brick dust", "a clay regiment"),
    ("0103", "Heron Stair", "wet stone", "a blind surveyor"),
    ("0201", "Maiden Pit", "honey", "a choir below"),
    ("0202", "Tern Rock", "gull lime", "a wrecked bell"),
    ("0203", "Ashgate", "cold smoke", "a sleeping tax"),
]
_BEASTS = [
    ("Kiln Soldier", 3, "clay fist (d6)", 4, 9),
    ("Toll Pike", 2, "bite (d8)", 7, 5),
    ("Honey Ghoul", 4, "embrace (d10)", 3, 6),
    ("Bell Crab", 5, "pinch (d6)", 2, 10),
    ("Willow Shade", 1, "whisper (d4)", 8, 11),
    ("Ember Fox", 2, "nip (d4)", 9, 7),
]
_RELICS = [
    ("Lantern of the Drowned", 2, "whoever it shines on cannot lie", "Tern Rock"),
    ("Clay Tongue", 1, "speaks for the dead once a day", "Old Kiln"),
    ("Surveyor's Chain", 3, "measures any distance truly", "Heron Stair"),
    ("Pit Honey", 1, "heals all and is missed forever", "Maiden Pit"),
]
_OATHS = [
    ("Ash", "never refuse fire", "+1", "a coal"),
    ("Brine", "drown no one", "+2", "a shell"),
    ("Clay", "break no vessel", "+1", "a shard"),
    ("Reed", "bend before lords", "+3", "a pipe"),
    ("Stone", "keep to the road", "+2", "a pebble"),
]


def write_hexes(path: Path) -> Stranger:
    """Hexes with keys of four digits, beasts whose numbers stand in brackets, relics with a dash behind each
    label, and a table of oaths, which nothing names: it stays a table, and its rows are not among the things."""
    sheet = Sheet((396, 612))
    sheet.text("The Kiln Marches", BOLD, 24, after=20)
    sheet.text("Moves", BOLD, 16, after=6)
    sheet.text(
        "When you risk something, roll 2d8 and add a trait. On 13 or higher it goes as you wish; on 9 to 12 it goes, "
        "but something breaks; on 8 or lower the marches have their way."
    )
    sheet.text("Hexes", BOLD, 16, after=6)
    for key, name, scent, waiting in _HEXES:
        sheet.text(f"{key} {name}", BOLD, 12, after=2)
        sheet.text(f"*Scent:* {scent}. *Waiting:* {waiting}.")
        sheet.text("The path here is older than the marches and remembers who walked it last.")
    sheet.text("Beasts", BOLD, 16, after=6)
    for name, hd, attack, speed, morale in _BEASTS:
        sheet.text(f"*{name}* (HD {hd}, {attack}, Speed {speed}, Morale {morale})")
        sheet.text("It comes when the fires burn low and leaves before the herons wake.")
    sheet.text("Relics", BOLD, 16, after=6)
    for name, burden, power, found in _RELICS:
        sheet.text(name, BOLD, 10, after=1)
        sheet.text(f"Burden - {burden}", after=1)
        sheet.text(f"Power - {power}", after=1)
        sheet.text(f"Found - {found}", after=5)
    sheet.text("Oaths", BOLD, 16, after=6)
    sheet.row(("Oath", "Sworn Word", "Trait Bonus", "Token"), (0, 60, 170, 250), BOLD)
    for oath in _OATHS:
        sheet.row(oath, (0, 60, 170, 250))
    places = [
        {"name": n, "kind": "place", "fields": {"Scent": s, "Waiting": w}} for _, n, s, w in _HEXES
    ]
    beasts = [
        {"name": n, "kind": "creature", "fields": {"HD": hd, "Speed": speed, "Morale": morale}}
        for n, hd, _, speed, morale in _BEASTS
    ]
    relics = [
        {"name": n, "kind": "item", "fields": {"Burden": b, "Power": p, "Found": f}}
        for n, b, p, f in _RELICS
    ]
    return Stranger(sheet.save(path), [*places, *beasts, *relics])


WRITERS = {
    "cards": write_cards,
    "hexes": write_hexes,
    "two_columns": write_two_columns,
    "zine": write_zine,
}


_DISHES = [
    ("Leek Tart", "4", "40 minutes", "Roll the dough out thin, dice the leeks, and let both rest in the cold."),
    ("Plum Dumplings", "6", "1 hour", "On a floured board roll each plum in dough; those that burst must be eaten first."),
    ("Bread Soup", "2", "25 minutes", "Old bread takes the broth best. Tear it by hand and be patient."),
    ("Smoked Eel", "3", "2 hours", "The eel hangs in beech smoke until its skin is gold and its fat runs."),
    ("Quince Paste", "8", "3 hours", "Quinces are hard at first. Boil them whole, or the knife will slip."),
]  # fmt: skip


def write_cookbook(path: Path) -> Stranger:
    """No game at all."""
    sheet = Sheet((396, 612))
    sheet.text("The River Kitchen", BOLD, 24, after=20)
    sheet.text("Dishes", BOLD, 17, after=8)
    for name, people, time, text in _DISHES:
        sheet.text(name, BOLD, 13, after=3)
        sheet.text(f"*Serves:* {people}")
        sheet.text(f"*Time:* {time}")
        sheet.text(
            f"{text} {text} Serve it warm to whoever comes in from the rain, and keep some for the morning."
        )
    things = [
        {"name": name, "kind": "thing", "fields": {"Serves": int(people), "Time": time}}
        for name, people, time, _ in _DISHES
    ]
    return Stranger(sheet.save(path), things)
