"""Mistakes that authors make, each as a change to a bundled scenario's data, and what must be said of it."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

Data = dict[str, Any]


@dataclass(frozen=True)
class Mistake:
    """One mistake: what it is, how it is made, and words of the finding that names it."""

    name: str
    plant: Callable[[Data], None]
    says: str
    played: bool = False
    """Whether it shows only in play."""


def row(data: Data, table: str, id: str) -> Any:
    """A row of a table by its id."""
    return next(each for each in data[table] if each["id"] == id)


def told(data: Data, who: str, id: str) -> Any:
    """Something a person has to tell."""
    person = data["people"][who]
    return next(
        e for e in (*person.get("knows", []), *person.get("withholds", [])) if e["id"] == id
    )


def misspelt_reveal(data: Data) -> None:
    told(data, "neo_seattle:sabine", "s_jin")["reveals"][0] = "f_sabine_hid_jim"


def misspelt_known(data: Data) -> None:
    row(data, "moves", "m_sabine_light")["when"].append({"unknown": "f_jin_rout"})


def misspelt_item(data: Data) -> None:
    row(data, "affordances", "a_send")["when"].append({"lacks": "dead_drop:bolt_cuters"})


def unknown_owner(data: Data) -> None:
    row(data, "affordances", "a_send")["outcomes"]["success"]["effects"].append(
        {"hand": {"item": "dead_drop:umbrella", "source": "player", "to": "neo_seattle:victor"}}
    )


def unknown_clock(data: Data) -> None:
    row(data, "affordances", "a_send")["outcomes"]["success"]["effects"].append(
        {"clock": {"id": "heet", "delta": 1}}
    )


def clock_beyond_its_end(data: Data) -> None:
    row(data, "moves", "m_phone")["when"].append({"clock": {"id": "harm", "at_least": 9}})


def trigger_beyond_the_end(data: Data) -> None:
    clock = row(data, "clocks", "harm")
    clock["triggers"]["7"] = {"text": "You fall."}


def unknown_thread(data: Data) -> None:
    row(data, "affordances", "a_send")["outcomes"]["success"]["effects"].append(
        {"thread": ["the_sleeper", "resolved"]}
    )


def unknown_status(data: Data) -> None:
    row(data, "affordances", "a_send")["outcomes"]["success"]["effects"].append(
        {"thread": ["the_package", "solved"]}
    )


def unknown_action(data: Data) -> None:
    row(data, "affordances", "a_peek_log")["action"] = "peek"


def unknown_stat(data: Data) -> None:
    row(data, "affordances", "a_kick_hoist")["stat"] = "brawn"


def unknown_hero_stat(data: Data) -> None:
    data["heroes"][0]["stats"]["finese"] = 2


def stat_out_of_range(data: Data) -> None:
    data["heroes"][1]["stats"]["wits"] = 12


def unknown_type(data: Data) -> None:
    row(data, "entities", "neo_seattle:ota")["type"] = "person"


def way_to_nowhere(data: Data) -> None:
    data["places"]["neo_seattle:kettle_row"]["exits"].append({"to": "neo_seattle:night_markt"})


def two_facts_of_one_id(data: Data) -> None:
    fact = dict(row(data, "facts", "f_hoist"))
    data["facts"].append({**fact, "predicate": "goes_down_to"})


def value_never_set(data: Data) -> None:
    row(data, "endings", "e_paid")["when"] = [{"fact": ["dead_drop:ledger", "fate", "sould"]}]


def person_at_no_place(data: Data) -> None:
    row(data, "facts", "f_at_bell")["object"]["value"] = "neo_seattle:left_lugage"


def unknown_key(data: Data) -> None:
    data["places"]["neo_seattle:stack_nine"]["atmosfere"] = ["It hums."]


def unknown_outcome(data: Data) -> None:
    row(data, "affordances", "a_look_terminal")["outcomes"]["sucess"] = {"text": ["You read it."]}


def trust_of_a_place(data: Data) -> None:
    row(data, "moves", "m_song")["when"].append(
        {"trust": {"who": "neo_seattle:neon_dragon", "at_least": 1}}
    )


def find_at_no_place(data: Data) -> None:
    data["discoverables"][0]["at"] = "neo_seattle:neon_dragons"


def nothing_to_say(data: Data) -> None:
    told(data, "neo_seattle:mira", "mi_warned")["says"] = []


def unknown_pack(data: Data) -> None:
    data["packs"].append("neo_tacoma")


def secret_in_the_opening(data: Data) -> None:
    fact = row(data, "facts", "f_lusk_killed")
    data["opening"] = f"{data['opening']}\n\n{fact['object']['text']}"


def clue_of_no_fact(data: Data) -> None:
    data["clues"][0]["facts"].append("f_viktor_dept")


def minute_of_no_day(data: Data) -> None:
    data["start"]["minute"] = 2130


FORM = [
    Mistake("a misspelt fact in `reveals`", misspelt_reveal, "did you mean 'f_sabine_hid_jin'"),
    Mistake("a misspelt fact in a condition", misspelt_known, "did you mean 'f_jin_route'"),
    Mistake("a misspelt item", misspelt_item, "did you mean 'dead_drop:bolt_cutters'"),
    Mistake("handed to nobody", unknown_owner, "did you mean 'neo_seattle:viktor'"),
    Mistake("an unknown clock", unknown_clock, "did you mean 'heat'"),
    Mistake("a clock beyond its end", clock_beyond_its_end, "it never stands at 9"),
    Mistake("a trigger beyond the end", trigger_beyond_the_end, "a trigger at '7' never fires"),
    Mistake("an unknown thread", unknown_thread, "did you mean 'the_sleepers'"),
    Mistake("an unknown status", unknown_status, "no thread status 'solved'"),
    Mistake("an unknown action", unknown_action, "no action 'peek'"),
    Mistake("an unknown stat", unknown_stat, "no stat 'brawn'"),
    Mistake("a hero's unknown stat", unknown_hero_stat, "did you mean 'finesse'"),
    Mistake("a stat out of range", stat_out_of_range, "wits 12 is out of range"),
    Mistake("an unknown type", unknown_type, "is of type `person`"),
    Mistake("a way to nowhere", way_to_nowhere, "did you mean 'neo_seattle:night_market'"),
    Mistake("two facts of one id", two_facts_of_one_id, "the id 'f_hoist' stands twice"),
    Mistake("a value that is never set", value_never_set, "did you mean 'sold'"),
    Mistake("someone at no place", person_at_no_place, "did you mean 'neo_seattle:left_luggage'"),
    Mistake("an unknown key", unknown_key, "did you mean 'atmosphere'"),
    Mistake("an unknown outcome", unknown_outcome, "did you mean 'success'"),
    Mistake(
        "trust of a place", trust_of_a_place, "'neo_seattle:neon_dragon' is of type `location`"
    ),
    Mistake("a find at no place", find_at_no_place, "did you mean 'neo_seattle:neon_dragon'"),
    Mistake("nothing to say", nothing_to_say, "`says` is empty"),
    Mistake("an unknown pack", unknown_pack, "no pack 'neo_tacoma'"),
    Mistake("a secret in the opening", secret_in_the_opening, "tells the secret 'f_lusk_killed'"),
    Mistake("a clue of no fact", clue_of_no_fact, "did you mean 'f_viktor_debt'"),
    Mistake("a minute of no day", minute_of_no_day, "minute 2130 is of no day"),
]
"""Planted in Dead Drop."""


def walled_off(data: Data) -> None:
    for place in data["places"].values():
        place["exits"] = [way for way in place["exits"] if way["to"] != "saltmarch:scriptorium"]


def nowhere(data: Data) -> None:
    data["facts"] = [
        fact
        for fact in data["facts"]
        if not (fact["predicate"] == "at" and fact["subject_id"] == "saltmarch:wick")
    ]
    row(data, "entities", "saltmarch:wick")["attrs"].pop("location", None)


def ending_that_denies_itself(data: Data) -> None:
    ending = row(data, "endings", "sold")
    ending["when"].append({"not_fact": ["saltmarch:bell", "fate", "sold"]})


def no_way_out(data: Data) -> None:
    data["places"]["saltmarch:infirmary"]["exits"] = []


def secret_behind_a_wall(data: Data) -> None:
    """Whatever reveals it asks for it to be known."""
    for entry in _revealing(data, "f_girl_is_tamsin"):
        entry.setdefault("when", []).append({"known": "f_girl_is_tamsin"})


def _revealing(data: Data, fact: str) -> Iterator[Any]:
    for person in data["people"].values():
        for entry in (*person.get("knows", []), *person.get("withholds", [])):
            if fact in entry.get("reveals", []):
                yield entry


PLAYED = [
    Mistake("a place walled off", walled_off, "no way leads to the place 'saltmarch:scriptorium'"),
    Mistake("someone who is nowhere", nowhere, "nobody ever meets 'saltmarch:wick'"),
    Mistake("an ending that denies itself", ending_that_denies_itself, "the ending 'sold'"),
    Mistake("a dead end", no_way_out, "a dead end: from 'saltmarch:infirmary'"),
    Mistake("a secret behind a wall", secret_behind_a_wall, "the secret 'f_girl_is_tamsin'"),
]
"""Planted in The Drowned Bell; they show only in play."""
