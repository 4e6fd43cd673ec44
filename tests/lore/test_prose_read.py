"""Prose read without a model: whom a word stands for, clause by clause; what is denied, wished,
repeated or over is not told, and long sentences take no time."""

from collections.abc import Sequence
from time import process_time

import pytest

from freeform.language.meaning.names import NAME_KINDS, NameKinds, no_name_kinds
from freeform.lore.judge.rows import merged
from freeform.lore.judge.turning import without_passing
from freeform.lore.model import Claim, Kind, NodeRow
from freeform.lore.read.eras import page_era, sentence_era
from freeform.offline.lore.clauses import is_past, simple_clauses
from freeform.offline.lore.kinds_told import strange_words
from freeform.offline.lore.passes import _read
from freeform.wiring.ear import name_kinds
from tests.lore.test_any_world import page

KNOWN = (
    "Fen (zone), Mere (zone), Tarn (zone), Andee, Shickhaw, Triap, Orra, Salt League (faction), Reed Folk (faction), "
    "Nell Orrin (person), Oda Brack (person), Eel Crown (thing), Heron Mill (place)"
)


def told(
    text: str, title: str = "Fen", kinds: NameKinds = no_name_kinds
) -> set[tuple[str, str, str, str]]:
    read = _read(title, KNOWN, text, kinds)
    return {(kind, f.subject, f.predicate, f.value) for kind, f in read}


@pytest.mark.parametrize(
    ("slotted", "clauses"),
    [
        ("[0n], who keeps the [1p], sells eels and lives in [2z].",
         ["[0n] keeps the [1p]", "[0n] sells eels", "[0n] lives in [2z]"]),
        ("[0n], midwife of [1z], is the sister of [2n].", ["[0n] being midwife of [1z]", "[0n] is the sister of [2n]"]),
        ("A path leads to [0z], where [1n] still winds the clock.",
         ["[1n] still winds the clock in [0z]", "[1n] still winds in [0z]", "A path leads to [0z]"]),
        ("The reeve of [0z], [1n], drinks; [2n] does not.",
         ["[1n] is The reeve of [0z]", "[1n] drinks", "[2n] does not"]),
        ("[0f] holds [1z], and [2n] rules [3z].", ["[0f] holds [1z]", "[2n] rules [3z]"]),
    ],
)  # fmt: skip
def test_a_sentence_is_cut_into_clauses_with_their_subjects(
    slotted: str, clauses: list[str]
) -> None:
    assert simple_clauses(slotted) == clauses


def test_what_is_over_is_told_by_the_verb() -> None:
    over = ["[0n] was the reeve", "[0n] sold eels in [1z]", "their cousin [0n] died at [1z]"]
    now = ["[0n] is the reeve", "[0n] still keeps the mill", "The [0f] are at war with [1f]"]
    assert [is_past(clause) for clause in over + now] == [True] * 3 + [False] * 3


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("Nell Orrin sells eels. She lives in the Mere.", ("npc", "Nell Orrin", "zone", "Mere")),
        ("The Reed Folk fish. They are at war with the Salt League.", ("faction", "Reed Folk", "hostile", "Salt League")),
        ("The Reed Folk run it now.", ("zone", "Fen", "factions", "Reed Folk")),
        ("Its reeve is Oda Brack.", ("npc", "Oda Brack", "role", "reeve")),
        ("Oda Brack has a brother, Tam, who never leaves the house.", ("npc", "Oda Brack", "relation", "brother: Tam Brack")),
        ("The mill is old. In the mill you will find Nell.", ("npc", "Nell Orrin", "zone", "Heron Mill")),
        ("Their ferryman Wat Ober counts his coins.", ("npc", "Wat Ober", "zone", "Fen")),
        ("The largest of the woods is the Alderhold.", ("lore", "Alderhold", "zone", "Fen")),
        ("Nobody walks twice in the Crooked Woods.", ("lore", "Crooked Woods", "zone", "Fen")),
        ("Nell, the smith at the Mere, is level 4, not 2.", ("npc", "Nell Orrin", "level", "4")),
    ],
)  # fmt: skip
def test_words_stand_for_the_names_they_mean(text: str, fact: tuple[str, ...]) -> None:
    assert fact in told(text)


@pytest.mark.parametrize(
    "text",
    [
        "A letter of Nell Orrin names Oda Brack, and she lives in the Mere.",
        "Nell Orrin died in the Mere.",
        "Nell Orrin wants to live in the Mere.",
        "According to the ferrymen Nell Orrin lives in the Mere.",
        "Nell Orrin is buried at the Mere.",
        "Does Nell Orrin live in the Mere?",
    ],
)
def test_two_who_would_do_and_what_is_not_so_now_are_left_alone(text: str) -> None:
    assert not {fact for fact in told(text) if fact[3] == "Mere"}


def test_one_clause_that_denies_does_not_silence_the_others() -> None:
    said = told("Nell Orrin lives in the Mere, and Oda Brack does not sell eels in the Tarn.")
    assert ("npc", "Nell Orrin", "zone", "Mere") in said
    assert not {fact for fact in said if fact[3] == "Tarn"}


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("Here lodge the Ober couple, Tam and Isa.", ("npc", "Isa Ober", "zone", "Fen")),
        ("Here lodge the Ober couple, Tam and Isa.", ("npc", "Tam Ober", "relation", "couple: Isa Ober")),
        ("Few people live here. The Obers are three: Tam rows, Isa sings, and their son Wat sleeps.", ("npc", "Tam Ober", "relation", "son: Wat Ober")),
        ("The Fen belongs to the marsh elves, who came long ago.", ("zone", "Fen", "faction", "marsh elves")),
        ("The reeds belong to the mudfolk. Their reeve Oda Brack counts eels.", ("npc", "Oda Brack", "faction", "mudfolk")),
        ("A society of herons and owls lives in these reeds.", ("zone", "Fen", "factions", "herons")),
    ],
)  # fmt: skip
def test_families_and_peoples_are_called_by_what_the_text_says(
    text: str, fact: tuple[str, ...]
) -> None:
    assert fact in told(text)


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("## People\n\n- Nell Orrin: a smith who drinks.\n- Eels – cheap", ("npc", "Nell Orrin", "role", "smith")),
        ("## People\n\nOda Brack – lives in the Mere, under a boat.", ("npc", "Oda Brack", "zone", "Mere")),
        ("Far out roam the Reed Folk, who broke with the Salt League and now quarrel with the Mere Men.",
         ("zone", "Fen", "factions", "Reed Folk")),
        ("The Reed Folk left the hills and now quarrel with the Salt League.", ("faction", "Reed Folk", "hostile", "Salt League")),
        ("In the storm the arch-mage Wat Ober carried the king out.", ("npc", "Wat Ober", "role", "arch-mage")),
    ],
)  # fmt: skip
def test_lines_titles_and_second_deeds_are_read(text: str, fact: tuple[str, ...]) -> None:
    assert fact in told(text)


def test_what_a_line_says_is_quoted_as_it_stands() -> None:
    line = "Nell Orrin: a smith who drinks."
    quotes = {fact.quote for _, fact in _read("Fen", KNOWN, f"## People\n\n- {line}")}
    assert quotes == {line}


def test_what_belongs_to_one_thing_names_no_people() -> None:
    assert not {fact for fact in told("The Fen belongs to the crown.") if fact[0] == "zone"}


def test_names_without_a_sign_are_known_by_how_a_sentence_uses_them() -> None:
    text = "The four in the kitchen are Mara Teel, Jonas Voss, Ada Brill and Peter Lund."
    people = {fact[1] for fact in told(text, kinds=name_kinds()) if fact[2] == "zone"}
    assert people == {"Mara Teel", "Jonas Voss", "Ada Brill", "Peter Lund"}
    assert told(text) == set()


@pytest.mark.parametrize(
    ("text", "member"),
    [
        ("Among the Salt League's smugglers Oda Brack is feared.", ("Oda Brack", "Salt League")),
        ("Members of the Salt League include Nell Orrin and Oda Brack.", ("Nell Orrin", "Salt League")),
        ("Oda Brack leads the Salt League's boats.", ("Oda Brack", "Salt League")),
        ("Nell Orrin of the Salt League sells rope.", ("Nell Orrin", "Salt League")),
        ("The Salt League counts Nell Orrin among its weavers.", ("Nell Orrin", "Salt League")),
        ("Oda Brack quarrels with the Salt League.", None),
        ("The Salt League fears Oda Brack.", None),
        ("Oda Brack is not one of the Salt League's captains.", None),
    ],
)  # fmt: skip
def test_who_belongs_to_whom(text: str, member: tuple[str, str] | None) -> None:
    found = {(who, whose) for kind, who, what, whose in told(text) if what == "faction"}
    assert (member in found) if member else not found


def test_one_of_a_people_is_its_member_and_has_no_trade_by_that() -> None:
    found = told("The Drakes keep the ford. Nell Orrin is a drake with one wing.", title="Fen")
    known = _read("Fen", f"{KNOWN}, Drakes (faction)", "Nell Orrin is a drake with one wing.")
    assert {(f.predicate, f.value) for _, f in known} >= {("faction", "Drakes")}
    assert not any(f.predicate == "role" for _, f in known)
    assert ("npc", "Nell Orrin", "role", "drake") in found  # Nobody has called them a people.


@pytest.mark.parametrize(
    "text",
    [
        "The brook that leaves the Heron Mill is Orlo.",
        "Two hamlets, Orlo and Besk, are all that is left.",
        "The herders have a citadel, Orlo, that nobody has seen.",
        "Whoever goes on comes into Orlo, whose herders are rich.",
        "East of these lies Orlo.",
    ],
)
def test_a_place_is_known_by_nouns_nobody_listed(text: str) -> None:
    assert ("lore", "Orlo", "zone", "Fen") in told(text)


def test_where_people_are_is_not_what_they_are() -> None:
    assert told("The four in the pantry are Mara Teel, Jonas Voss and Ada Brill.") == set()


def test_a_part_of_a_sentence_about_here_counts_though_another_speaks_of_elsewhere() -> None:
    text = "Heron Mill is the last barn; past it begins Mere."
    assert ("lore", "Heron Mill", "zone", "Fen") in told(text)
    assert ("lore", "Heron Mill", "zone", "Fen") not in told("Past Heron Mill begins Mere.")


class SaidKinds:
    """Chances by name."""

    def __init__(self, people: dict[str, float]) -> None:
        self.people = people

    def kinds(self, names: Sequence[str], sentences: Sequence[str]) -> dict[str, dict[str, float]]:
        none = dict.fromkeys(NAME_KINDS, 0.0)
        return {name: none | {"person": self.people.get(name, 0.0)} for name in names}

    def knows(self, word: str) -> bool:
        return True


def test_names_of_one_list_are_of_one_kind_or_of_none() -> None:
    text = "Ways lead from Fen to Andee, Shickhaw, Triap and Orra."
    ways = {fact[3] for fact in told(text) if fact[2] == "connects_to"}
    assert ways == {"Andee", "Shickhaw", "Triap", "Orra"}
    assert told(text, kinds=SaidKinds({"Andee": 0.95})) == told(text)
    alone = "Here Andee keeps a boat."
    sure, unsure = SaidKinds({"Andee": 0.8}), SaidKinds({"Andee": 0.79})
    assert ("npc", "Andee", "zone", "Fen") in told(alone, kinds=sure)
    assert told(alone, kinds=unsure) == set()


def test_a_word_that_is_no_word_is_a_name_where_a_sentence_begins_with_it() -> None:
    kinds = name_kinds()
    said = ["Vashnil leads their archers.", "Water runs here.", "Gorrens sing."]
    assert strange_words(said, " ".join(said), kinds) == {"Vashnil"}
    assert ("npc", "Vashnil", "zone", "Fen") in told(said[0], kinds=kinds)
    assert strange_words(said, "the vashnil", kinds) == frozenset()
    assert strange_words(said, "", no_name_kinds) == frozenset()


def test_what_is_said_by_the_way_tells_no_time() -> None:
    aside = "The Fen belongs to the elves, who came here long ago."
    assert sentence_era(aside, ("Fen", "elves")) == ""
    assert sentence_era(aside) == "long ago"
    held = "Nell, who formerly ruled the Fen, sells eels."
    assert sentence_era(held, ("Nell", "Fen")) == "formerly"


def test_a_long_sentence_takes_no_time() -> None:
    names = ", ".join(f"the old keeper of the Long Hall {n}, Wat Ober" for n in range(60))
    begun = process_time()
    told(f"In the years of the {'very ' * 200}long rain {names}, who was there, and who sang.")
    assert process_time() - begun < 5


def test_a_tale_is_no_notice_of_a_time() -> None:
    tale = "He went into the reeds after whatever had bitten the cows."
    assert page_era(page("Fen", {}, notices=[tale])) == ""
    assert page_era(page("Fen", {}, notices=["This page tells of Fen before the Flood."]))


def test_the_surer_row_keeps_its_words() -> None:
    def row(role: str, confidence: float) -> NodeRow:
        data = {"role": role, "quests": [role]}
        return NodeRow(
            kind="npc", id="nell", name="Nell", game="g", confidence=confidence, data=data
        )

    passing = merged(row("ferrywoman", 0.8), row("baker", 0.4))
    assert (passing.data["role"], passing.data["quests"]) == ("ferrywoman", ["ferrywoman", "baker"])
    assert merged(row("ferrywoman", 0.4), row("baker", 0.8)).data["role"] == "baker"


def claim(subject: str, predicate: str, value: str, extractor: str, kind: Kind = "zone") -> Claim:
    return Claim(
        subject_id=subject, subject_kind=kind, subject=subject, predicate=predicate, value=value, value_id=value,
        quote="q", start=0, end=1, url="u", sha256="s", extractor=extractor,
    )  # fmt: skip


def test_a_link_in_passing_yields_to_a_word_on_where_somebody_is() -> None:
    passing = claim("fen", "npc", "nell", "prose@1")
    listed = claim("fen", "npc", "nell", "list@1")
    said = claim("nell", "zone", "mere", "lore/extract_npc", "npc")
    assert without_passing([passing, said]) == [said]
    assert without_passing([passing]) == [passing]
    assert without_passing([listed, said]) == [listed, said]


def test_the_word_of_a_relation_is_no_part_of_the_name() -> None:
    kin = claim("nell", "relation", "brother: Tam Orrin", "lore/extract_npc", "npc")
    assert kin.value_name == "Tam Orrin"
    assert claim("fen", "connects_to", "St. Oda: Crypt", "list@1").value_name == "St. Oda: Crypt"
