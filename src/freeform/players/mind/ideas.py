"""What anyone would think of here without being told: search what was looked at, try the lock, use
the key, help whoever is in need. From what the engine shows people, and from what everyone knows of
things."""

import re
from collections.abc import Collection, Iterator
from functools import lru_cache

from freeform.engine.authored.conditions import check
from freeform.engine.authored.scenario import Exit
from freeform.engine.rules.known import inside, with_article
from freeform.engine.table import Rules
from freeform.engine.world.state import PLAYER, GameState
from freeform.language.inflection import singular
from freeform.language.words import telling_words, word_class
from freeform.language.words import words as words_of
from freeform.players.mind.places import things_at
from freeform.players.mind.topics import weighty
from freeform.players.model import Option, Peril, TableView

OPENERS = frozenset("key keys keycard card pass badge token lockpick pick crowbar chisel".split())
"""What things are for that open others, as everybody knows."""
READ = frozenset(
    "book ledger letter note log map register sign notice plaque inscription diary card poster "
    "board paper papers page leaf scroll roll contract agreement record list file photograph photo "
    "tape recording shard will deed".split()
)
"""What one reads or plays, as everybody knows."""
_HANDLING = {
    noun: verb
    for verb, nouns in {
        "Open": "door gate locker box chest cupboard drawer hatch window trapdoor cabinet safe crate coffer casket case",
        "Turn": "wheel handle crank valve tap winch capstan windlass",
        "Pull": "lever chain rope cord bellrope",
        "Read": "book ledger letter note log map register sign notice plaque inscription diary card poster board",
        "Climb": "ladder stair scaffold",
        "Press": "button switch",
        "Ring": "bell gong",
        "Use": "terminal telephone phone console machine",
    }.items()
    for noun in nouns.split()
}
"""What one does with things, as everybody knows."""


def handling(name: str) -> str:
    """What one does with a thing of that name; '' where nothing comes to mind."""
    noun = name.split(" of ")[0].split()[-1].lower()
    return _HANDLING.get(singular(noun), "")


_MOST_SHOWN = 6
_NEAR_TURNS = 6.0


def searches(state: GameState, rules: Rules) -> list[Option]:
    """Details and things in sight, gone through with one's hands."""
    return [
        Option(text=f"Search {with_article(name)}", kind="look", who=f"in {name}")
        for name in seen_here(state, rules)
    ]


def seen_here(state: GameState, rules: Rules) -> list[str]:
    """Names of what is in plain sight and is no person."""
    return things_at(state.scene.location_id, state, rules)


def locks(state: GameState, rules: Rules, opened: Collection[str] = ()) -> list[Option]:
    """Ways to where nobody was that cannot be taken: the lock is picked, the key tried, somebody
    knocks or slips through; what is no door is climbed. A lock among the deeds that worked, behind
    which the way is still no way, is not what bars it."""
    found = []
    for way in rules.exits(state.scene.location_id, state):
        if check(way.when, state).holds or state.value(way.to, "visited"):
            continue
        door, to = door_of(way, state), state.name(way.to)
        found.append(Option(text=f"Sneak through {door}", kind="use", who=to, topic="sneak"))
        if any(door in deed for deed in opened):
            continue
        found += [
            Option(text=f"Unlock {door} with {inside(key)}", kind="use", who=to, topic="key")
            for key in openers(state)
            if key_fits(key, f"{door} {to}") is not False
        ]
        found += [
            Option(text=f"Pick the lock of {door}", kind="use", who=to, topic="lock"),
            Option(
                text=f"Knock at {door} and call to be let in", kind="use", who=to, topic="knock"
            ),
            Option(text=f"Break open {door}", kind="use", who=to, topic="force"),
        ]
        if not SHUTS & {singular(word) for word in door.lower().split()}:
            found.append(Option(text=f"Climb {door}", kind="use", who=to, topic="climb"))
    return found


def door_of(way: Exit, state: GameState) -> str:
    """What one calls the way itself."""
    name = way.name or f"the door to {inside(state.name(way.to))}"
    return with_article(name)


def openers(state: GameState) -> list[str]:
    """What we carry that opens things."""
    names = [state.name(h.item_id) for h in state.held(PLAYER)]
    return [name for name in names if is_opener(name)]


def with_keys(state: GameState, rules: Rules) -> list[Option]:
    """A key tried on whatever here is shut or shuts."""
    found = []
    for key in openers(state):
        for name in seen_here(state, rules):
            if is_shut(name) and key_fits(key, name) is not False:
                thing = with_article(name)
                found.append(
                    Option(
                        text=f"Open {thing} with {inside(key)}", kind="use", who=name, topic="key"
                    )
                )
    return found


SHUTS = frozenset(
    "door gate locker lockers box chest cupboard drawer hatch trapdoor cabinet safe crate coffer "
    "casket case desk".split()
)


def is_shut(name: str) -> bool:
    """Whether such a thing shuts."""
    return singular(name.split()[-1].lower()) in SHUTS


def is_opener(name: str) -> bool:
    """Whether such a thing opens others."""
    return not OPENERS.isdisjoint(telling_words(name, "talk"))


def key_fits(key: str, thing: str) -> bool | None:
    """Whether a key is called after the thing: `the locker key`; False where it is called after
    something else that shuts, None where its name does not tell."""
    named = weighty(key) - OPENERS
    if named & weighty(thing):
        return True
    return False if named & SHUTS else None


def belongings(state: GameState, brought: Collection[str]) -> list[Option]:
    """What we came by, looked at and put to use; what one brought one knows."""
    found = []
    for held in state.held(PLAYER):
        if held.item_id in brought:
            continue
        name = inside(with_article(state.name(held.item_id)))
        found += [
            Option(text=f"Look at {name}", kind="look", who=name, topic="carried"),
            Option(text=f"Use {name}", kind="use", who=name, topic="carried"),
        ]
    return found


def gifts(state: GameState, people: list[str]) -> list[Option]:
    """What we carry, shown or handed to those who are here; what a question is about first."""
    about = at_stake(state)
    held = [h.item_id for h in state.held(PLAYER)]
    held.sort(key=lambda id: (id not in about, "evidence" not in state.entities[id].tags))
    found = []
    for who in people:
        for item in held:
            name, thing = inside(state.name(who)), inside(with_article(state.name(item)))
            found += [
                Option(text=f"Show {name} {thing}", kind="show", who=name, topic=state.name(item)),
                Option(text=f"Give {name} {thing}", kind="show", who=name, topic=state.name(item)),
            ]
    return found[: 2 * _MOST_SHOWN]


def at_stake(state: GameState) -> set[str]:
    """What open questions are about."""
    found = set[str]()
    for thread in state.threads.values():
        if thread.status == "active":
            found |= set(thread.related_entity_ids)
    return found


def helping(state: GameState, rules: Rules, people: list[str]) -> list[Option]:
    """Whoever a task or a threat names, and who stands here, may need help. What is only asked
    about somebody is no need of theirs."""
    titles = [t.title for t in state.threads.values() if t.status == "active"]
    asking = word_class("question_words")
    worries = [title for title in titles if title.split(" ")[0].lower() not in asking]
    worries += [peril.text for peril in _threats(state)]
    found = []
    for who in people:
        words = set(telling_words(state.name(who), "talk"))
        if any(words & set(telling_words(worry, "talk")) for worry in worries):
            name = inside(state.name(who))
            found += [
                Option(text=f"Help {name}", kind="use", who=name, topic="help"),
                Option(text=f"Calm {name}", kind="use", who=name, topic="help"),
                Option(text=f"Free {name}", kind="use", who=name, topic="help"),
            ]
    return found


def perils(state: GameState) -> list[Peril]:
    """What threatens, as it was told: threats by the turns they have left, clocks that have been
    heard of by how full they are."""
    return [*_threats(state), *_clocks(state)]


def _threats(state: GameState) -> Iterator[Peril]:
    for fact in state.facts_of("campaign"):
        value = fact.object.get("value")
        if "threat" in fact.tags and isinstance(value, dict):
            left = max(0.0, float(value.get("due", 0)) - state.played)
            near = max(0.3, 1 - left / _NEAR_TURNS)
            text = str(fact.object.get("text", ""))
            yield Peril(text=text, near=round(near, 3), creeps=True)


def _clocks(state: GameState) -> Iterator[Peril]:
    for clock in state.clocks.values():
        reached = [int(at) for at in clock.triggers if int(at) <= clock.value]
        if clock.value and reached:
            told = str(clock.triggers[str(max(reached))].get("text", "")).strip()
            yield Peril(text=f"{clock.name}: {told}", near=round(clock.value / clock.max, 3))


OFFERED = "offered"
"""The topic of a deed that the story itself offers here and now."""
OPENED = "opened"
"""The topic of a way that was shut and that the party has had its hands on."""
TOLD = "told"
"""The topic of an option that a game master's words have put on the table."""
_THING = re.compile(r"\b(?:the|an?|your|his|her|their) ((?:[a-z]+ )?[a-z]{3,})\b")
_SOMEONE = re.compile(r"(?<=[a-z,;] )[A-Z][a-z]+(?: [A-Z][a-z]+)?")
_MOST_TOLD = 8


def named_in(words: str) -> list[Option]:
    """What a game master's words name, newest first: things to look at, people to talk to. The
    engine's own list knows nothing of a world that a person tells."""
    things = [_thing(found[1]) for found in _THING.finditer(words)]
    people = [found[0] for found in _SOMEONE.finditer(words)]
    found = [
        Option(text=f"Look at the {name}", kind="look", who=name, topic=TOLD)
        for name in reversed(things)
    ]
    found += [
        Option(text=f"Talk to {name}", kind="talk", who=name, topic=TOLD)
        for name in reversed(people)
    ]
    return list({option.text: option for option in found}.values())[:_MOST_TOLD]


def _thing(phrase: str) -> str:
    """`old mill` is a thing; of `library burns` the library is."""
    first, _, second = phrase.partition(" ")
    return first if second and singular(second) != second else phrase


def is_readable(name: str, table: TableView) -> bool:
    """Whether a thing we carry is something to read, by any of its names."""
    names = [name, *table.called.get(name, ())]
    names += [n for held, others in table.called.items() if inside(held) == name for n in others]
    return any(_names_reading(text) for text in names)


@lru_cache(maxsize=1_024)
def _names_reading(text: str) -> bool:
    return not READ.isdisjoint(words_of(text))


def words_for(item: str, table: TableView) -> frozenset[str]:
    """The words by which one may speak of a thing we carry: its name, and other names of it."""
    names = [words for words in table.called.get(item, ()) if len(words.split()) <= _NAME_WORDS]
    return kinds_of(item).union(*(kinds_of(name) for name in names))


_NAME_WORDS = 3  # what is longer is no other name but a description


_OWNER = re.compile(r"^.*['’]s? ")
_PROPER = re.compile(r"(?<=\s)[A-Z]\w+")
_WHERE = re.compile(r" (?:of|in|on|at|under|over|behind|to|with) .*$")


@lru_cache(maxsize=4_096)
def kinds_of(name: str) -> frozenset[str]:
    """What sort of thing a name names, without whose it is and where: `Saint Orrin's staff` is a
    staff, `the people in the water` are people, `the Zenith badge` is a badge."""
    bare = _WHERE.sub("", _OWNER.sub("", name))
    return weighty(_PROPER.sub("", bare)) or weighty(bare)
