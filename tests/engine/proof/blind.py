"""A second set of mistakes, thought up as an author and written after the checker: run once, then kept.

The first run found 15 of 22 (2026-11-16); `docs/scoreboard.md` has that figure.
"""

from tests.engine.proof.planted import Data, Mistake, row, told


def fact_in_another_order(data: Data) -> None:
    row(data, "endings", "e_paid")["when"] = [{"fact": ["fate", "dead_drop:ledger", "sold"]}]


def name_for_an_id(data: Data) -> None:
    row(data, "moves", "m_song")["when"].append({"present": "Viktor"})


def yes_as_a_word(data: Data) -> None:
    row(data, "affordances", "a_peek_log")["when"].append(
        {"fact": ["dead_drop:lockers", "opened", "yes"]}
    )


def pressure_of_no_kind(data: Data) -> None:
    told(data, "neo_seattle:sabine", "s_jin")["yields_to"] = ["persuasion"]


def described_under_another_name(data: Data) -> None:
    data["people"]["neo_seattle:dutch_the_docker"] = data["people"].pop("neo_seattle:dutch")


def stats_as_a_list(data: Data) -> None:
    data["heroes"][0]["stats"] = ["wits 2", "charm 1"]


def tie_to_nobody(data: Data) -> None:
    data["relationships"].append(
        {"a_id": "neo_seattle:vik", "b_id": "player", "rel_type": "trust", "intensity": 1}
    )


def two_heroes_of_one_id(data: Data) -> None:
    data["heroes"][1]["id"] = data["heroes"][0]["id"]


def beginning_in_a_person(data: Data) -> None:
    data["start"]["location"] = "neo_seattle:viktor"


def no_description(data: Data) -> None:
    del data["places"]["neo_seattle:stack_nine"]["description"]


def unhidden_where_it_is_not(data: Data) -> None:
    row(data, "affordances", "a_send")["outcomes"]["success"]["effects"].append(
        {"unhide": ["neo_seattle:zenith_tower", "dead_drop:umbrella"]}
    )


def handed_by_one_who_never_has_it(data: Data) -> None:
    row(data, "affordances", "a_send")["outcomes"]["success"]["effects"].append(
        {"hand": {"item": "dead_drop:pry_bar", "source": "neo_seattle:moth", "to": "player"}}
    )


def too_much_trust(data: Data) -> None:
    row(data, "moves", "m_song")["when"].append(
        {"trust": {"who": "neo_seattle:dutch", "at_least": 10}}
    )


def cost_of_no_kind(data: Data) -> None:
    data["cost_clocks"]["stress"] = "harm"


def ending_at_once(data: Data) -> None:
    row(data, "endings", "e_closed")["when"] = [{"known": "f_job"}]


def wrong_temper(data: Data) -> None:
    data["people"]["neo_seattle:lusk"]["escalation"] = "angry"


def two_keys_in_one_condition(data: Data) -> None:
    row(data, "moves", "m_song")["when"] = [
        {"at": "neo_seattle:neon_dragon", "has": "dead_drop:deck"}
    ]


def revealing_what_is_known(data: Data) -> None:
    told(data, "neo_seattle:mira", "mi_warned")["reveals"].append("f_job")


FORM = [
    Mistake("a fact in another order", fact_in_another_order, "no subject 'fate'"),
    Mistake("a name for an id", name_for_an_id, "did you mean 'neo_seattle:viktor'"),
    Mistake("yes as a word", yes_as_a_word, "is never 'yes'"),
    Mistake("a pressure of no kind", pressure_of_no_kind, "no action 'persuasion'"),
    Mistake("described under another name", described_under_another_name, "dutch_the_docker"),
    Mistake("stats as a list", stats_as_a_list, "must be a mapping"),
    Mistake("a tie to nobody", tie_to_nobody, "no entity 'neo_seattle:vik'"),
    Mistake("two heroes of one id", two_heroes_of_one_id, "stands twice in `heroes`"),
    Mistake("beginning in a person", beginning_in_a_person, "this must be a place"),
    Mistake("no description", no_description, "`description` is missing"),
    Mistake("unhidden where it is not", unhidden_where_it_is_not, "dead_drop:umbrella"),
    Mistake("handed by one without it", handed_by_one_who_never_has_it, "dead_drop:pry_bar"),
    Mistake("too much trust", too_much_trust, "trust goes from -5 to 5"),
    Mistake("a cost of no kind", cost_of_no_kind, "no cost 'stress'"),
    Mistake("an ending at once", ending_at_once, "e_closed"),
    Mistake("a temper of no kind", wrong_temper, "no escalation profile 'angry'"),
    Mistake("two keys in one condition", two_keys_in_one_condition, "give exactly one"),
    Mistake("revealing what is known", revealing_what_is_known, "f_job"),
]
"""In Dead Drop, each alone."""


def each_key_behind_the_other(data: Data) -> None:
    """The tower opens from the undercroft, the undercroft from the tower."""
    for deed in data["affordances"]:
        if deed["id"].startswith("a_tower_") and deed.get("at") == "saltmarch:cloister":
            deed["at"] = "saltmarch:undercroft"
        if deed["id"].startswith("a_black_"):
            deed["at"] = "saltmarch:bell_tower"


def key_that_lies_nowhere(data: Data) -> None:
    data["inventory"] = [h for h in data["inventory"] if h["item_id"] != "drowned_bell:fathers_cap"]


def target_elsewhere(data: Data) -> None:
    row(data, "affordances", "a_fork_staff")["target"] = "drowned_bell:pilgrim_gate"


def topics_of_small_words(data: Data) -> None:
    for person in data["people"].values():
        if person.get("knows"):
            person["knows"][0]["topics"] = ["what", "the", "you"]
            return


PLAYED = [
    Mistake("each key behind the other", each_key_behind_the_other, "no way leads to the place"),
    Mistake("a key that lies nowhere", key_that_lies_nowhere, "drowned_bell:fathers_cap"),
    Mistake("a target that is elsewhere", target_elsewhere, "a_fork_staff"),
    Mistake("topics of small words", topics_of_small_words, "no question can mean"),
]
"""In The Drowned Bell, each alone."""
