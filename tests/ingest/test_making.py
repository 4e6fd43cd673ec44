"""Classify, things, registry, guidance: what a section is, told by shape and not by any game's words."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from freeform.core.chance import Chance
from freeform.ingest.model import Block, BookSection, ChapterIntent, ContentType, Route, Segment
from freeform.ingest.pack.guidance import find_advice, is_universal
from freeform.ingest.systems.config import GuidanceConfig, MechanicalIndicator
from freeform.ingest.things.classify import classify_segment, doubtful, second_look
from freeform.ingest.things.enrich import EntitiesInput, TextPiece
from freeform.ingest.things.found import EntityEntry
from freeform.ingest.things.indicators import INDICATORS, mechanical_score, shapes_in
from freeform.ingest.things.kinds import announced, announces_many
from freeform.ingest.things.names import Mentions, names_in
from freeform.ingest.things.register import aliases_of, deduplicate, items_in_tables
from freeform.ingest.things.things import find_things
from freeform.offline.ingest import lore as ingest_lore


def section(
    title: str,
    *texts: str,
    path: tuple[str, ...] = (),
    level: int = 3,
    page: int = 1,
    **more: object,
) -> BookSection:
    """A section with these paragraphs; a text that begins with a pipe is a table."""
    blocks = tuple(
        Block(
            kind="table" if text.startswith("|") else "paragraph",
            text=text,
            page_start=page,
            page_end=page,
        )
        for text in texts
    )
    told = {
        "id": f"s-{title}",
        "chapter_id": path[0] if path else "c",
        "intent": ChapterIntent.REFERENCE,
    } | more
    return BookSection(
        title=title,
        level=level,
        heading_path=(*path, title),
        page_start=page,
        page_end=page,
        blocks=blocks,
        **told,
    )


def segment(text: str, *path: str, intent: ChapterIntent = ChapterIntent.REFERENCE) -> Segment:
    return Segment(
        id="seg_1", title=path[-1], heading_path=path, page_start=1, page_end=1, word_count=len(text.split()),
        chapter_id="c", chapter_title=path[0], intent=intent, text=text,
    )  # fmt: skip


def test_there_are_twenty_two_indicators_and_no_game_is_named_in_them() -> None:
    assert len(INDICATORS) == 22
    words = " ".join(INDICATORS.values()).lower()
    for term in (
        "strength",
        "dexterity",
        "bruised",
        "sphere",
        "armor class",
        "vampire",
        "paladin",
        "sanity",
    ):
        assert term not in words, term


@pytest.mark.parametrize(
    ("text", "shape"),
    [
        ("It deals 2d6+3 to all.", "dice_bonus"),
        ("Make a DC 15 check.", "target_number"),
        ("Hit Points 33 (6d8 + 6)", "hit_total"),
        ("Melee ●●●○○", "rating_dots"),
        ("On a 10+, you do it; 6 or less and it costs you.", "threshold"),
        ("Hurt: -1", "penalty_ladder"),
        ("| 1 | 20 | 35 |", "number_table"),
        ("Start a 6-segment clock.", "clock"),
        ("You can use this twice per day.", "frequency"),
    ],
)
def test_each_shape_is_seen(text: str, shape: str) -> None:
    assert shape in shapes_in(text)


@settings(deadline=None)
@given(st.text(max_size=400))
def test_a_score_of_rules_is_always_between_nothing_and_one(text: str) -> None:
    assert 0.0 <= mechanical_score(text, len(text.split())) <= 1.0


@settings(deadline=None, max_examples=60)
@given(st.text(max_size=300), st.sampled_from(list(ChapterIntent)))
def test_every_segment_gets_a_type_a_route_and_a_confidence(
    text: str, intent: ChapterIntent
) -> None:
    told = classify_segment(segment(text, "A", "B", intent=intent), {})
    assert (
        told.content_type in ContentType and told.route in Route and 0.0 <= told.confidence <= 1.0
    )


@pytest.mark.parametrize(
    ("text", "path", "content", "route"),
    [
        ("The town lies north of the river, and its streets and walls are old. Inhabitants of the district gather at "
         "the harbour road, east of the mountains.", ("The Coast", "Locations", "Harrow Quay"), ContentType.LOCATION, Route.LORE),
        ("Members of the guild swear to its leaders. The organization recruits agents and has rivals; its ranks and "
         "headquarters are secret, and the order has an agenda.", ("Powers", "Factions", "The Lamps"), ContentType.FACTION, Route.LORE),
        ("Make a check and add the modifier. If you roll 15 or higher you gain a +2 bonus on your turn; on a failure "
         "you take 2d6 damage. The target must make a DC 12 saving throw each round.", ("Rules", "Combat"), ContentType.RULES, Route.SYSTEMS),
        ("Two centuries ago the kingdom fell in the war. In 1204 the city was founded; the ancient reign had been long, "
         "and the age that followed was dark.", ("The World", "History"), ContentType.HISTORY, Route.LORE),
        ("| Roll | Result |\n| --- | --- |\n| 1 | Rain falls hard |\n| 2 | Fog |\n| 3 | A fair wind |\n| 4 | Hail |",
         ("Weather", "Weather Results"), ContentType.TABLE, Route.SYSTEMS),
    ],
)  # fmt: skip
def test_plain_cases_are_told_apart(
    text: str, path: tuple[str, ...], content: ContentType, route: Route
) -> None:
    told = classify_segment(segment(text, *path), {})
    assert (told.content_type, told.route) == (content, route)


def test_what_the_rules_doubt_is_asked_in_tens() -> None:
    unsure = [
        segment("Words.", "A", "B").model_copy(update={"id": f"s{n}", "confidence": 0.5})
        for n in range(23)
    ]
    sure = segment("Words.", "A", "B").model_copy(update={"id": "sure", "confidence": 0.9})
    batches = doubtful([*unsure, sure])
    assert [len(batch) for batch in batches] == [10, 10, 3]
    assert {second_look(doubt).id for batch in batches for doubt in batch} == {s.id for s in unsure}


def test_headings_announce_what_stands_below_them() -> None:
    assert (
        announces_many("Magic Items A-Z") == "item"
        and announces_many("Appendix A: Conditions") == "condition"
    )
    assert announces_many("Spell Descriptions") == "spell" and announces_many("Spell Lists") is None
    assert (
        announces_many("The City Guard") is None and announced("Guilds of the Coast") == "faction"
    )


def test_a_catalogue_is_known_by_repeated_labels_whatever_they_are_called() -> None:
    names = ("Ash", "Birch", "Cedar", "Dogwood", "Elder")
    rows = [
        section(
            name,
            "**Reach:** far",
            "**Price:** two breaths",
            "It does a thing.",
            path=("Powers of Wood",),
        )
        for name in names
    ]
    rows.append(section("How to Learn Them", "Ask a tree.", path=("Powers of Wood",)))
    kinds = {look.title: look.kind for look in find_things(rows, {})}
    assert all(kinds[name] for name in names) and kinds["How to Learn Them"] is None


def test_a_line_in_italics_under_each_name_makes_a_catalogue_too() -> None:
    rows = [
        section(name, "*Wondrous item, rare*", "It glows.", path=("Treasures",)) for name in "ABCDE"
    ]
    assert {look.kind for look in find_things(rows, {})} == {"item"}


def test_a_stat_block_is_a_creature_wherever_it_stands() -> None:
    rows = [section("Grub", "It crawls.", path=("Adventure",))]
    assert find_things(rows, {"s-Grub": {}})[0].kind == "creature"


def test_price_lists_become_items_with_what_their_row_says() -> None:
    table = "| Ware | Cost | Weight |\n| --- | --- | --- |\n| Rope, hemp | 1 gp | 10 lb. |\n| Lamp | 5 sp | 1 lb. |\n| Nails | 2 cp | — |"
    items = items_in_tables(section("Wares", table, page=7))
    assert [(item.name, item.numbers["Cost"], item.page) for item in items] == [
        ("Rope, hemp", "1 gp", 7), ("Lamp", "5 sp", 7), ("Nails", "2 cp", 7),
    ]  # fmt: skip
    assert (
        items_in_tables(
            section("Weather", "| Roll | Result |\n| --- | --- |\n| 1 | Rain |\n| 2 | Fog |")
        )
        == []
    )


def test_a_thing_is_found_by_its_other_names() -> None:
    assert "Drow" in aliases_of("Elf, Drow") and "Drow Elf" in aliases_of("Elf, Drow")
    assert {"Armor, +1", "Armor, +2", "Armor, +3"} <= set(aliases_of("Armor, +1, +2, or +3"))
    assert aliases_of("Deep Gnome (Svirfneblin)") == ["Deep Gnome"]
    assert aliases_of("Chain (10 feet)") == ["Chain"]


_entities = st.lists(
    st.builds(
        EntityEntry,
        id=st.sampled_from(["a", "b", "ash"]),
        name=st.sampled_from(["Ash", "ash", "The Ash", "Birch", "Cedar"]),
        kind=st.sampled_from(["place", "person", "spell"]),
        type=st.just("location"),
        tags=st.sampled_from([[], ["named"]]),
        mentions=st.integers(0, 9),
    ),
    max_size=12,
)


@settings(deadline=None)
@given(_entities)
def test_the_registry_holds_each_name_and_kind_once_under_its_own_id(
    entities: list[EntityEntry],
) -> None:
    registry = deduplicate(entities)
    assert len({e.id for e in registry.entities}) == len(registry.entities)
    keys = [(e.name.lower().removeprefix("the "), e.kind) for e in registry.entities]
    assert len(set(keys)) == len(keys)
    assert deduplicate(registry.entities) == registry, "doing it again changes nothing"


def test_names_in_prose_are_told_by_their_neighbours() -> None:
    text = ("In the city of Harrow Quay lives Captain Ilse Varr. The captain is old. People fear Captain Ilse Varr. "
            "They pay the Guild of Lamps, and in Harrow Quay nobody crosses the Guild of Lamps.")  # fmt: skip
    kinds = {spoken.name: spoken.kind for spoken in names_in([(3, text)])}
    assert kinds == {
        "Captain Ilse Varr": "person",
        "Guild of Lamps": "faction",
        "Harrow Quay": "place",
    }


def test_offline_entities_leave_out_what_is_known() -> None:
    piece = TextPiece(
        id="1",
        title="x",
        page=4,
        text="They met Lord Ash. Then Lord Ash rode on, and Lord Ash fell.",
    )
    found = ingest_lore.entities(EntitiesInput(segments=[piece]), Chance(1)).entities
    assert [(e.name, e.kind, e.page) for e in found] == [("Lord Ash", "person", 4)]
    assert (
        ingest_lore.entities(
            EntitiesInput(segments=[piece], known=["Lord Ash"]), Chance(1)
        ).entities
        == []
    )


def test_the_longest_name_at_a_place_is_the_one_that_is_meant() -> None:
    finder = Mentions(["red dragon", "dragon", "young red dragon"])
    assert dict(finder.find("A Young Red Dragon met a dragon.")) == {
        "young red dragon": 1,
        "dragon": 1,
    }


def test_advice_is_universal_unless_it_needs_this_game() -> None:
    assert is_universal(
        "Pace", "The game master should keep things moving and ask what the players do."
    )[0]
    assert not is_universal(
        "Dragons", "Have the dragon use its breath (DC 15, 6d6) when players rest at DC 12."
    )[0]
    assert not is_universal(
        "The Baron", "Let Baron Orlo speak slowly. Baron Orlo never begs, says Baron Orlo."
    )[0]


def test_advice_is_found_by_who_is_spoken_to() -> None:
    config = GuidanceConfig(
        chapter_indicators=["Running the Game"],
        content_patterns=[MechanicalIndicator(pattern=r"\bGM should\b", confidence=0.9)],
        categories={"pacing": ["pace", "slow"], "tone": ["mood"]},
    )
    advice = section("Pace", "The GM should mind the pace. Avoid slow scenes; try to end early. The GM should always "
                     "leave a choice, and let your players take it in their own time.", path=("Running the Game",))  # fmt: skip
    story = section("The Old Mill", "The mill stands by the river and nobody has ground corn there for thirty years, "
                    "since the miller walked into the water one evening.", path=("Places",))  # fmt: skip
    found = find_advice([advice, story], config)
    assert [(piece.title, piece.category) for _, piece, _ in found] == [("Pace", "pacing")]


def test_a_verdict_reads_back_as_json() -> None:
    told = classify_segment(segment("Roll 2d6.", "A", "B"), {})
    assert json.loads(told.model_dump_json())["content_type"] == told.content_type
