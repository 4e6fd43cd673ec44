"""One question from end to end, with the offline model and small sources."""

import asyncio
import re

import pytest

from freeform.assistant.ask import AskPorts, ask
from freeform.assistant.model import Asking, EntityMention
from freeform.assistant.passes import ANSWER, EXTRACTOR, SELECTOR, Extraction, ToolSelection
from freeform.core.clock import SystemClock
from freeform.core.errors import Unavailable, UserError
from freeform.core.llm.gateway import Call, ModelSaid, Usage
from freeform.offline.model import OfflineModel
from tests.assistant.conftest import gateway
from tests.assistant.shelf import ListSource


class Recording:
    """The offline model as a foreign one: what it is asked is kept as the words that would be sent."""

    name = "recording"

    def __init__(self, failing: str = "", wait: float = 0.0) -> None:
        self.texts: list[str] = []
        self.began: list[str] = []
        self.ended: list[str] = []
        self.failing, self.wait, self.inner = failing, wait, OfflineModel()

    async def reply(self, question, listen=None):  # type: ignore[no-untyped-def]
        self.texts.append(f"{question.prompt.system}\n{question.text}")
        self.began.append(question.pass_.id)
        if question.pass_.id == self.failing:
            raise Unavailable("the provider is away", passing=False)
        await asyncio.sleep(self.wait)
        self.ended.append(question.pass_.id)
        return await self.inner.reply(question, listen)


async def test_the_named_sword_is_answered_from_the_sheet_with_the_section_where_it_stands(
    ports, sources
) -> None:
    answer = await ask(
        "What combat abilities do I have tied to Eldaryth of Regret?", sources, ports
    )
    assert [(need.tool, need.intention) for need in answer.tools_needed] == [
        ("character_data", "combat_info")
    ]
    assert [entity.name for entity in answer.entities] == ["Eldaryth of Regret"]
    (place,) = answer.resolution["Eldaryth of Regret"]
    assert (place.found_in_sections, place.match_confidence, place.match_strategy) == (
        ["inventory"],
        1.0,
        "exact",
    )
    (query,) = answer.queries
    assert (query.entities, query.auto_include) == (["Eldaryth of Regret"], ["inventory"])
    assert "it will not be left behind" in answer.answer and "frighten the target" in answer.answer


async def test_two_halves_of_a_question_go_to_two_tools(ports, sources) -> None:
    answer = await ask(
        "Remind me who Elara is and what persuasion abilities I have", sources, ports
    )
    assert {(need.tool, need.intention) for need in answer.tools_needed} == {
        ("session_notes", "npc_history"),
        ("character_data", "abilities_info"),
    }
    assert answer.resolution["Elara"][0].found_in_sections == ["session_notes.npc"]
    assert answer.resolution["persuasion"][0].found_in_sections == ["proficiencies"]
    assert {query.tool: query.entities for query in answer.queries} == {
        "session_notes": ["Elara"],
        "character_data": ["persuasion"],
    }


async def test_grappling_is_told_for_both_editions_with_the_real_bonus_and_its_parts(
    ports, sources
) -> None:
    answer = await ask("How does grappling work and what's my athletics bonus?", sources, ports)
    assert {
        section for place in answer.resolution["grappling"] for section in place.found_in_sections
    } == {
        "rulebook.combat.grappling",
        "proficiencies",
    }
    assert "**Grappling** (5.1)" in answer.answer and "**Grappling** (5.2)" in answer.answer
    assert "**Athletics 7** = STR 4, proficiency +3" in answer.answer
    assert [(n.label, n.value, [p.value for p in n.parts]) for n in answer.numbers] == [
        ("Athletics", 7, [4, 3])
    ]


async def test_only_the_asked_edition_is_told(ports, sources) -> None:
    answer = await ask("How does grappling work?", sources, ports, Asking(edition="5.2"))
    assert {source.edition for source in answer.sources} == {"5.2"}


async def test_every_source_is_numbered_in_order_and_its_quote_is_literal(ports, sources) -> None:
    answer = await ask("How does grappling work and what's my athletics bonus?", sources, ports)
    assert [source.n for source in answer.sources] == list(range(1, len(answer.sources) + 1))
    texts = {piece.id: piece.text for source in sources for piece in source.pieces}
    assert all(source.quote in texts[source.piece] for source in answer.sources)
    cited = {int(n) for n in re.findall(r"\[(\d+)\]", answer.answer)}
    assert cited == {source.n for source in answer.sources}


async def test_both_passes_run_side_by_side(sources) -> None:
    model = Recording(wait=0.05)
    await ask("Who is Elara?", sources, AskPorts(gateway(model), SystemClock()))
    assert set(model.began[:2]) == {SELECTOR.id, EXTRACTOR.id}
    assert len(model.began) == 3 and model.began[2] == ANSWER.id


@pytest.mark.parametrize("failing", [SELECTOR.id, EXTRACTOR.id])
async def test_when_one_pass_fails_the_other_is_stopped_and_nothing_is_answered(
    failing: str, sources
) -> None:
    model = Recording(failing=failing, wait=5)
    with pytest.raises(Unavailable, match="the provider is away"):
        await ask(
            "Who is Elara?",
            sources,
            AskPorts(gateway(model), SystemClock()),
            Asking(call=Call(may_degrade=False)),
        )
    assert model.ended == [] and ANSWER.id not in model.began


async def test_nothing_of_the_gm_reaches_a_players_prompts(sources) -> None:
    model = Recording()
    ports = AskPorts(gateway(model), SystemClock())
    for question in (
        "Who is Vexa?",
        "What is the lich's true name?",
        "Tell me about the abbot's daughter",
        "Who is Elara?",
    ):
        answer = await ask(question, sources, ports)
        assert "Szarvoth" not in answer.answer and "nobody at the table" not in answer.answer
    sent = "\n".join(model.texts)
    assert "Szarvoth" not in sent and "nobody at the table knows" not in sent
    known = "\n".join(
        text.partition("Names in the question")[2].partition("Intentions")[0]
        for text in model.texts
    )
    assert "Vexa" not in known and "True Name" not in known


async def test_the_gm_sees_what_is_the_gms(ports, sources) -> None:
    answer = await ask("Who is Vexa?", sources, ports, Asking(viewer="gm"))
    assert "abbot's daughter" in answer.answer


async def test_a_source_that_leaks_is_stopped_before_the_prompt(sources) -> None:
    class Leaking(ListSource):
        async def fetch(self, wanted):  # type: ignore[no-untyped-def]
            return self.pieces

    model = Recording()
    leaking = [Leaking("session_notes", sources[1].pieces), *sources[::2]]
    await ask("Who is Elara?", leaking, AskPorts(gateway(model), SystemClock()))
    assert "nobody at the table knows" not in "\n".join(model.texts)


async def test_sheet_and_notes_that_disagree_are_both_told(ports, sources) -> None:
    answer = await ask("What bonus does my Eldaryth of Regret give?", sources, ports)
    (difference,) = [each for each in answer.disagreements if each.what == "bonus"]
    assert [re.sub(r" \[\d+\]", "", side) for side in difference.sides] == ["sheet: 1", "notes: 2"]
    tools = {source.n: source.tool for source in answer.sources}
    numbers = [int(re.findall(r"\[(\d+)\]", side)[0]) for side in difference.sides]
    assert [tools[n] for n in numbers] == ["character_data", "session_notes"]
    assert "disagree" in answer.answer


async def test_a_name_that_stands_only_in_another_source_is_found_there_and_said(
    ports, sources
) -> None:
    answer = await ask("Who is Captain Odile?", sources, ports)
    (place,) = answer.resolution["Captain Odile"]
    assert (place.tool, place.found_in_sections, place.match_strategy) == (
        "character_data",
        ["backstory"],
        "text",
    )
    assert "died at the ford" in answer.answer
    assert any("Captain Odile" in note and "the sheet" in note for note in answer.notes)


async def test_a_name_in_another_tools_table_reroutes_and_says_so(sources) -> None:
    class Mistaken:
        name = "mistaken"

        async def reply(self, question, listen=None):  # type: ignore[no-untyped-def]
            if question.pass_ is SELECTOR:
                rows = [{"tool": "session_notes", "intention": "npc_history", "confidence": 0.9}]
                return ModelSaid(ToolSelection.model_validate({"tools_needed": rows}), Usage())
            return await OfflineModel().reply(question, listen)

    answer = await ask("Who is Fire Bolt?", sources, AskPorts(gateway(Mistaken()), SystemClock()))
    assert [need.tool for need in answer.tools_needed] == ["session_notes", "rulebook"]
    assert answer.resolution["Fire Bolt"][0].tool == "rulebook"
    assert (
        "nothing called 'Fire Bolt' in the notes" in answer.answer
        and "mote of fire" in answer.answer
    )


async def test_a_name_nobody_knows_is_an_answer(ports, sources) -> None:
    answer = await ask("Who is Bartholomew Quux?", sources, ports)
    assert answer.resolution["Bartholomew Quux"] == []
    assert any("Bartholomew Quux" in line for line in answer.searched_and_empty)
    assert answer.sources == []


async def test_absent_sources_are_named_in_the_answer(ports, sources) -> None:
    answer = await ask("How does grappling work and what's my athletics bonus?", sources[2:], ports)
    assert [query.tool for query in answer.queries] == ["rulebook"]
    assert "no character sheet was given" in answer.answer


async def test_a_source_that_fails_is_named_and_the_others_answer(ports, sources) -> None:
    broken = ListSource("character_data", sources[0].pieces, broken="the disk is away")
    answer = await ask(
        "How does grappling work and what's my athletics bonus?", [broken, *sources[1:]], ports
    )
    assert "**Grappling**" in answer.answer
    assert any("the disk is away" in note for note in answer.notes)


async def test_near_namesakes_stay_apart(ports, sources) -> None:
    answer = await ask("Who is Mirna?", sources, ports)
    assert [place.matched_text for place in answer.resolution["Mirna"]] == ["Mirna"]
    assert "keeps the inn" not in answer.answer


@pytest.mark.parametrize("empty", ["", "   ", "\n\t", "\u200b"])
async def test_an_empty_question_is_asked_for(empty: str, ports, sources) -> None:
    with pytest.raises(UserError, match="no question"):
        await ask(empty, sources, ports)


async def test_a_question_of_fifty_kilobytes_is_read_as_far_as_it_goes(ports, sources) -> None:
    answer = await ask("How does grappling work? " + "very " * 10_000, sources, ports)
    assert "Grappling" in answer.answer
    assert any("first 4000 letters" in note for note in answer.notes)


@pytest.mark.parametrize(
    "question",
    [
        "Wie funktioniert Grappling?",
        "¿Cómo funciona Eldritch Blast?",
        "エルドリッチ・ブラスト？",
        "Кто такая Elara?",
    ],
)
async def test_a_question_in_another_language_is_answered_by_its_names_or_says_that_nothing_was_found(
    question: str, ports, sources
) -> None:
    answer = await ask(question, sources, ports)
    assert answer.answer
    for name in ("Grappling", "Eldritch Blast", "Elara"):
        assert (name in question) <= (name in answer.answer)


async def test_thresholds_are_settings(sources) -> None:
    class Unsure:
        name = "unsure"

        async def reply(self, question, listen=None):  # type: ignore[no-untyped-def]
            if question.pass_ is SELECTOR:
                needs = [
                    ("rulebook", "rule_mechanics", 0.65),
                    ("session_notes", "npc_history", 0.75),
                ]
                rows = [
                    {"tool": tool, "intention": wanted, "confidence": sure}
                    for tool, wanted, sure in needs
                ]
                return ModelSaid(ToolSelection.model_validate({"tools_needed": rows}), Usage())
            if question.pass_ is EXTRACTOR:
                named = [
                    EntityMention(name="Elara", confidence=0.55),
                    EntityMention(name="Grappling", confidence=0.9),
                ]
                return ModelSaid(Extraction(entities=named), Usage())
            return await OfflineModel().reply(question, listen)

    ports = AskPorts(gateway(Unsure()), SystemClock())
    usual = await ask("Elara? Grappling?", sources, ports)
    assert [need.tool for need in usual.tools_needed][:1] == ["session_notes"]
    assert [entity.name for entity in usual.entities] == ["Grappling"]
    lower = await ask(
        "Elara? Grappling?", sources, ports, Asking(tool_confidence=0.6, entity_confidence=0.5)
    )
    assert [need.tool for need in lower.tools_needed] == ["rulebook", "session_notes"]
    assert [entity.name for entity in lower.entities] == ["Elara", "Grappling"]


async def test_a_citation_that_means_nothing_is_cut(sources) -> None:
    class Inventing:
        name = "inventing"

        async def reply(self, question, listen=None):  # type: ignore[no-untyped-def]
            if question.pass_ is ANSWER:
                return ModelSaid(ANSWER.gives(answer="It is so [99]. And this [2, 77]."), Usage())
            return await OfflineModel().reply(question, listen)

    answer = await ask(
        "How does grappling work?", sources, AskPorts(gateway(Inventing()), SystemClock())
    )
    assert answer.answer == "It is so. And this [1]."
    assert [source.n for source in answer.sources] == [1]


async def test_comparing_puts_the_entries_side_by_side(ports, sources) -> None:
    answer = await ask("Compare Eldritch Blast and Fire Bolt", sources, ports)
    assert [(need.tool, need.intention) for need in answer.tools_needed] == [
        ("rulebook", "compare_entities")
    ]
    assert "| range | 120 feet | 120 feet |" in answer.answer
