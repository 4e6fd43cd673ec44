"""A page tells of anything, in labels nobody listed and clauses of any order; times and denials stay apart."""

import pytest

from freeform.language.meaning.natures import noun_kind
from freeform.lore.ports import Infobox, InfoboxRow, PageHeading, PageLink, WebPage
from freeform.lore.read.claims import digest
from freeform.lore.read.eras import page_era, sentence_era
from freeform.lore.read.meaning import learn
from freeform.lore.read.page_reader import read_page
from freeform.lore.read.values import Names
from freeform.lore.read.vocabulary import predicate
from freeform.offline.lore.passes import _read


def page(title: str, rows: dict[str, list[str]], **more: object) -> WebPage:
    text, made = "", []
    for label, values in rows.items():
        start = len(text)
        text += f"{label}: {', '.join(values)}\n"
        links = [
            PageLink(title=v, url=f"https://w.example/{v}", text=v, start=start) for v in values
        ]
        made.append(
            InfoboxRow(
                label=label, value=", ".join(values), start=start + len(label) + 2, end=len(text) - 1,
                row_start=start, links=links, parts=values if len(values) > 1 else [],
            )
        )  # fmt: skip
    held = {"infobox": Infobox(rows=made), "domain": "w.example", **more}
    return WebPage(
        url=f"https://w.example/{title}", title=title, text=text, sha256=digest(text), **held
    )  # type: ignore[arg-type]


def test_a_label_means_what_stands_under_it_on_that_wiki() -> None:
    fen = page("Fen", {"Portage": ["Mere", "Tarn"], "Eel wives": ["Nell"], "Motto": ["Dry feet"]})
    kinds = {"mere": "zone", "tarn": "zone", "nell": "npc"}
    meaning = learn([(fen, "zone")], kinds, Names())  # type: ignore[arg-type]
    said = {(c.predicate, c.value) for c in read_page(fen, Names(), "zone", meaning)}
    assert {("connects_to", "Mere"), ("connects_to", "Tarn"), ("npc", "Nell")} <= said
    assert ("motto", "Dry feet") in said


def test_a_label_means_what_a_known_one_near_it_means_and_stays_so_for_the_wiki() -> None:
    fen = page("Fen", {"Chief towns": ["Mere"], "Allied folk": ["Otter Clan"], "Hamlets": ["Tarn"]})
    oda = page("Oda", {"Styled": ["Warden of the Fens"], "Motto": ["Dry feet, warm heart"]})
    near = {"chief towns": "settlements"}

    def nearness(text: str, among: tuple[str, ...]) -> list[float]:
        return [0.9 if near.get(text) == each else 0.1 for each in among]

    kinds = {"mere": "zone", "tarn": "zone"}
    first = learn([(fen, "zone"), (oda, "npc")], kinds, Names(), {}, nearness)  # type: ignore[arg-type]
    said = {(c.predicate, c.value) for c in read_page(fen, Names(), "zone", first)}
    # Known as a zone: by its kind alone Mere would be a way from here.
    assert ("place", "Mere") in said and ("place", "Tarn") in said
    assert ("role", "Warden of the Fens") in {
        (c.predicate, c.value) for c in read_page(oda, Names(), "npc", first)
    }
    assert first.use_of("w.example|zone|chief towns").because == "a label like it"
    # The next zone of that wiki knows it without asking, and without a thing it knows.
    mere = page("Mere", {"Chief towns": ["Osk"]})
    later = learn([(mere, "zone")], {}, Names(), before=first)
    assert ("place", "Osk") in {
        (c.predicate, c.value) for c in read_page(mere, Names(), "zone", later)
    }


@pytest.mark.parametrize(
    ("noun", "kind"),
    [
        ("cove", "place"), ("hamlets", "place"), ("granary", "place"), ("isthmus", "place"), ("foundry", "place"),
        ("blacksmith", "person"), ("under-steward", "person"), ("bailiffs", "person"),
        ("militia", "faction"), ("hammer", ""), ("silence", ""), ("side", ""), ("zorb", ""),
    ],
)  # fmt: skip
def test_a_noun_says_what_it_names_where_the_vocabulary_has_it_not(noun: str, kind: str) -> None:
    assert noun_kind(noun) == kind


def test_who_made_a_game_is_nobody_of_its_world_and_who_stands_under_a_known_name_is() -> None:
    made = ["Voice actors", "Developers", "Composers", "Publishers", "Playtesters"]
    fen = page("Fen", {**{label: ["Jane Doe", "Al Poe"] for label in made}, "Eelers": ["Nell"]})
    nell = page("Nell", {label: ["Jane Doe", "Al Poe"] for label in [*made, "Posts"]})
    fens = [(fen, "zone"), (nell, "npc")]
    meaning = learn(fens, {"nell": "npc"}, Names())  # type: ignore[arg-type]
    said = [c for p, kind in fens for c in read_page(p, Names(), kind, meaning)]  # type: ignore[arg-type]
    named = [(c.predicate, c.value) for c in said if predicate(c.subject_kind, c.predicate).names]
    assert named == [("npc", "Nell")]


def test_a_thing_of_another_kind_goes_where_it_belongs() -> None:
    fen = page("Fen", {"Inhabitants": ["Reed Folk", "Nell"]})
    kinds = {"reed_folk": "faction", "nell": "npc"}
    folk = page("Reed Folk", {})
    meaning = learn([(fen, "zone"), (folk, "faction")], kinds, Names())  # type: ignore[arg-type]
    said = {(c.predicate, c.value) for c in read_page(fen, Names(), "zone", meaning)}
    assert said == {("factions", "Reed Folk"), ("npc", "Nell")}


@pytest.mark.parametrize(
    ("title", "notices", "categories", "era"),
    [
        ("Fen", ["This article is up to date for version 2.4 of the game."], [], ""),
        ("Fen", ["A read-only mirror of the wiki as it stood for the game 0.9."], [], "0.9"),
        ("Fen", ["It was last present in version 1.2."], [], "1.2"),
        ("Fen", ["About the realm after the war. For earlier reigns see Fen (reign of Oda)."], [], ""),
        ("Fen (reign of Oda)", [], [], "reign of Oda"),
        ("Fen (zone)", [], ["Zones"], ""),
        ("Fen", [], ["Zones", "Obsolete"], "Obsolete"),
    ],
)  # fmt: skip
def test_the_time_of_a_page(
    title: str, notices: list[str], categories: list[str], era: str
) -> None:
    assert page_era(page(title, {}, notices=notices, categories=categories)) == era


def test_a_former_row_and_an_old_sentence_speak_of_another_time() -> None:
    [claim] = read_page(page("Fen", {"Former inhabitants": ["Nell"]}), Names(), "zone")
    assert (claim.predicate, claim.era) == ("npc", "former")
    assert sentence_era("In older versions a door led on.") and not sentence_era("A door leads on.")


KNOWN = "Fen (zone), Mere (zone), Tarn (zone), Salt League (faction), Reed Folk (faction), Nell Orrin (person)"


def told(text: str) -> set[tuple[str, str, str, str]]:
    return {(kind, f.subject, f.predicate, f.value) for kind, f in _read("Fen", KNOWN, text)}


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("A plank road leads to the reeds of Mere.", ("zone", "Fen", "connects_to", "Mere")),
        ("Fen borders Mere and the Tarn.", ("zone", "Fen", "connects_to", "Tarn")),
        ("It is held by the Salt League.", ("zone", "Fen", "faction", "Salt League")),
        ("Nell, the ferrywoman, knows the way.", ("npc", "Nell Orrin", "role", "ferrywoman")),
        ("Nell lives on an island in the Mere.", ("npc", "Nell Orrin", "zone", "Mere")),
        ("The Reed Folk are at war with the Salt League.", ("faction", "Reed Folk", "hostile", "Salt League")),
        ("Nell and her brother Tam Orrin fish.", ("npc", "Nell Orrin", "relation", "brother: Tam Orrin")),
        ("Herons nest in the Crooked Woods.", ("lore", "Crooked Woods", "zone", "Fen")),
    ],
)  # fmt: skip
def test_clauses_tell_of_whatever_they_name(text: str, fact: tuple[str, ...]) -> None:
    assert fact in told(text)


@pytest.mark.parametrize(
    "text",
    [
        "No road leads to Mere.", "A road to Mere was proposed and never made.", "Some think that Nell lives in Mere.",
        "Had the bridge not fallen, it would lead to Mere.", "## Rumours\n\nNell lives in Mere.",
    ],
)  # fmt: skip
def test_denials_guesses_and_hearsay_are_left_to_a_model(text: str) -> None:
    assert told(text) == set()


def test_names_by_article_initials_and_redirect_are_one() -> None:
    names = Names()
    assert names.know("New Fen Church Community") == names.id("NFCC") == "new_fen_church_community"
    assert names.id("The new church (NFCC)") == "new_fen_church_community"
    lair = page("Lair", {}, redirects=["Lair of Eels"])
    names.learn([lair, page("The Lair of Eels", {})])
    assert names.id("The Lair of Eels") == names.id("The Lair") == "lair"


def test_a_heading_is_a_label_too() -> None:
    text = "## Towns\n\n- Weir\n- Lock\n"
    fen = WebPage(
        url="https://w.example/Fen", title="Fen", text=text, sha256=digest(text),
        headings=[PageHeading(title="Towns", level=2, start=10, end=len(text))],
    )  # fmt: skip
    assert [(c.predicate, c.value) for c in read_page(fen, Names(), "zone")] == [
        ("place", "Weir"),
        ("place", "Lock"),
    ]
