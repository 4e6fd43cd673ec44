"""A small town made from a seed: places round a square, people with something to say, things to
lend and to lose."""

from dataclasses import dataclass

from freeform.core.chance import Chance
from freeform.engine.authored.scenario import (
    Affordance,
    Exit,
    Hero,
    Knowledge,
    Outcome,
    Person,
    Place,
    Scenario,
    Start,
)
from freeform.engine.authored.script import (
    Condition,
    Effect,
    Hand,
    SetFact,
    Shift,
)
from freeform.engine.world.state import PLAYER, Entity, Holding

PLACES = ("Mill", "Chapel", "Harbour", "Smithy", "Tavern", "Orchard")
VAULTS = (("Cellar", "hatch"), ("Crypt", "portcullis"), ("Granary", "shutter"))
PEOPLE = (
    "Marta",
    "Bran",
    "Oswin",
    "Hedda",
    "Colm",
    "Sunniva",
    "Tobias",
    "Ysolde",
    "Wilfred",
    "Greta",
    "Anselm",
    "Runa",
)
LENT = ("lantern", "flute", "whetstone", "locket", "almanac", "compass")
LOOSE = ("apple", "pebble", "ribbon", "candle", "spoon", "feather")
TOPICS = ("the weather", "the harvest", "the old bridge", "the tax", "the fair", "the wolves")
SQUARE = "square"
OWED = (5, 12, 20, 40)


@dataclass(frozen=True)
class Town:
    """The scenario, and where everyone is."""

    scenario: Scenario
    home: dict[str, str]
    """Person -> place."""
    vault: dict[str, tuple[str, str]]
    """Vault -> the place it opens from, and the thing that shuts it."""
    topics: dict[str, list[str]]
    owed: dict[str, int]


def build_town(seed: int) -> Town:
    """The same seed, the same town."""
    chance = Chance(seed, "town")
    people = chance.at("people").shuffled(PEOPLE)[:8]
    places = [place.lower() for place in PLACES]
    home = {who.lower(): places[number % len(places)] for number, who in enumerate(people)}
    vault = {
        name.lower(): (place, door)
        for (name, door), place in zip(VAULTS, chance.at("vaults").shuffled(places), strict=False)
    }
    topics = {who: chance.at("topics", who).shuffled(TOPICS)[:2] for who in home}
    owed = {who: chance.at("debt", who).choose(OWED) for who in home}
    loose = {item: chance.at("loose", item).choose(places) for item in LOOSE}
    names = {who.lower(): who for who in people}
    scenario = Scenario(
        id="town",
        name="The Town",
        genre="village",
        description="A market town and its people.",
        system="pbta",
        opening="You come into the square with a pack on your back.",
        start=Start(location=SQUARE),
        heroes=[Hero(id="pedlar", name="Robin", concept="a pedlar", items=list(LENT))],
        entities=[
            Entity(id=SQUARE, type="location", name="the Square", attrs={"known": True}),
            *(
                Entity(id=p, type="location", name=f"the {p.title()}", attrs={"known": True})
                for p in (*places, *vault)
            ),
            *(
                Entity(id=w, type="npc", name=names[w], attrs={"location": home[w], "known": True})
                for w in home
            ),
            *(Entity(id=i, type="item", name=i) for i in (*LENT, *LOOSE, "coins")),
            *(
                Entity(id=d, type="object", name=d, attrs={"location": place})
                for place, d in vault.values()
            ),
        ],
        inventory=[Holding(owner_id=place, item_id=item) for item, place in loose.items()],
        places={
            SQUARE: Place(
                description="A well, a bench, six ways out.",
                exits=[Exit(to=place) for place in places],
            ),
            **{place: _place(place, vault) for place in places},
            **{
                name: Place(description=f"The {name} is dry and dark.", exits=[Exit(to=v[0])])
                for name, v in vault.items()
            },
        },
        people={who: _person(names[who], topics[who]) for who in home},
        affordances=[
            *(a for who in home for a in _deeds(who, owed[who])),
            *(_shut(d) for _, d in vault.values()),
        ],
    )
    return Town(scenario, home, vault, topics, owed)


def _place(place: str, vault: dict[str, tuple[str, str]]) -> Place:
    down = [
        Exit(
            to=name,
            when=[Condition(not_fact=(door, "state", "closed"))],
            blocked=f"The {door} is shut.",
        )
        for name, (at, door) in vault.items()
        if at == place
    ]
    return Place(description=f"The {place}, busy as always.", exits=[Exit(to=SQUARE), *down])


def _person(name: str, topics: list[str]) -> Person:
    return Person(
        greeting=[f'"Good day to you," {name} says.'],
        shrugs=[f'"I could not say," {name} says.'],
        knows=[
            Knowledge(
                id=topic,
                topics=[topic.removeprefix("the ")],
                says=[f'"{topic.capitalize()}? As ever."'],
            )
            for topic in topics
        ],
    )


def _deeds(who: str, owed: int) -> list[Affordance]:
    """What one can promise, borrow, say and do to someone."""
    promises = [
        _deed(
            f"promise:{who}:{item}", "talk", who, [f"promise {item}"],
            SetFact(subject=who, predicate=f"promised_{item}", value="open", text=f"You promised {who} the {item}."),
        )
        for item in LENT
    ]  # fmt: skip
    debt = SetFact(
        subject=who, predicate="lent_you", value=owed, text=f"You owe {who} {owed} coins."
    )
    insult = SetFact(subject=who, predicate="grudge", value="insulted", text=f"You insulted {who}.")
    death = SetFact(subject=who, predicate="status", value="dead", text=f"{who.title()} is dead.")
    return [
        *promises,
        _deed(
            f"borrow:{who}",
            "ask",
            who,
            ["loan"],
            debt,
            Effect(hand=Hand(item="coins", to=PLAYER, qty=owed)),
        ),
        _deed(
            f"insult:{who}",
            "improvise",
            who,
            ["insult"],
            insult,
            Effect(trust=Shift(who=who, delta=-3)),
        ),
        _deed(f"kill:{who}", "attack", who, [], death),
    ]


def _deed(
    id: str, action: str, who: str, words: list[str], fact: SetFact, *more: Effect
) -> Affordance:
    return Affordance(
        id=id,
        action=action,
        target=who,
        words=words,
        once=True,
        when=[Condition(present=who)],
        outcomes={"success": Outcome(effects=[Effect(set=fact), *more])},
    )


def _shut(door: str) -> Affordance:
    closed = SetFact(subject=door, predicate="state", value="closed", text=f"The {door} is closed.")
    return Affordance(
        id=f"shut:{door}",
        action="close",
        target=door,
        once=True,
        outcomes={"success": Outcome(effects=[Effect(set=closed)])},
    )
