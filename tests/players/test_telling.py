"""Words and memory: what people state becomes facts, beliefs can be said in a player's own words, vectors are made once."""

import struct
from collections.abc import Sequence
from pathlib import Path

import pytest

from freeform.core.errors import Unavailable
from freeform.players.memory.model import CAMPAIGN, Belief, Episode, MemoryFact
from freeform.players.memory.ports import When
from freeform.players.memory.recall import recall
from freeform.players.memory.search import AskedBefore
from freeform.players.memory.testimony import (
    RewordInput,
    RewordReply,
    TalkFact,
    TalkFacts,
    TalkInput,
    facts_of_talk,
    reworded,
)
from freeform.players.model import RoundRecord, TableView, Waiting
from freeform.players.round.minds import Minds, mind_of
from freeform.players.round.play_round import answer, play_round
from freeform.players.round.stated_facts import in_own_words
from freeform.wiring.players import PartyRoom
from tests.players.conftest import a_parlour, a_party

SAID = {
    "dm_narration": "Rain. Mother Ash lives in the cellar. He is not alone.",
    "dm_adjudication": "Viktor owes Agent Chen 300 cred. Nobody moves.",
}


async def ruled_by_a_person(room: PartyRoom) -> RoundRecord:
    who = await a_party(room, "2")
    async with room.game(who, "human") as game:
        while isinstance(came := await play_round(game), Waiting):
            await answer(game, SAID.get(came.phase, ""))
        return came


async def talk_of(room: PartyRoom, party: str) -> list[MemoryFact]:
    held = await room.minds(party).store.as_of([CAMPAIGN], When(known_at=100.0), most=500)
    return [fact for fact in held if fact.source == "talk"]


async def test_what_a_human_game_master_tells_is_remembered_by_all(tmp_path: Path) -> None:
    async with a_parlour(tmp_path) as room:
        came = await ruled_by_a_person(room)
        fact, news = sorted(
            await talk_of(room, "dead_drop_party"), key=lambda fact: fact.subject != "viktor"
        )
        assert news.text == "Mother Ash lives in the cellar.", (
            "a name nobody has heard before counts too; `he` is nobody"
        )
        assert (fact.text, fact.subject, fact.predicate) == (
            "Viktor owes Agent Chen 300 cred.",
            "viktor",
            "owes",
        )
        assert {slot.kind for slot in fact.slots} >= {"name", "number", "gist"}, (
            "it can be forgotten detail by detail"
        )
        assert came.stored["facts"] == 2


async def test_talk_of_what_to_do_and_questions_leave_no_facts(tmp_path: Path) -> None:
    async with a_parlour(tmp_path) as room:
        who = await a_party(room, "4")
        async with room.game(who) as game:
            for _ in range(3):
                await play_round(game)
        assert await talk_of(room, who.id) == []


async def test_a_belief_in_ones_own_words_keeps_every_detail_or_the_words_are_thrown_away(
    tmp_path: Path,
) -> None:
    def mends(input: RewordInput, chance: object) -> RewordReply:
        return RewordReply(text="It was Viktor who owed 300 cred, to Agent Chen and to 12 others.")

    async with a_parlour(tmp_path) as room:
        who = await a_party(room, "2")
        facts = [MemoryFact(id="f", group=CAMPAIGN, subject="v", predicate="owes", value="300", valid_at=1, created_at=1,
                      text="Viktor owes Agent Chen 300 cred.")]  # fmt: skip
        beliefs = [recall(mind_of(who, who.seats[0]), fact, 2) for fact in facts]
        told = await in_own_words(who, who.seats[0], beliefs, room.crew)
        assert "Viktor owes Agent Chen 300 cred." in told["f"]
    async with a_parlour(tmp_path, reword=mends) as room:
        assert await in_own_words(who, who.seats[0], beliefs, room.crew) == {
            "f": "Viktor owes Agent Chen 300 cred."
        }
    async with a_parlour(
        tmp_path, reword=lambda input, chance: (_ for _ in ()).throw(Unavailable("gone"))
    ) as room:
        with pytest.raises(Unavailable, match="nobody could put it in other words"):
            await in_own_words(who, who.seats[0], beliefs, room.crew)


class Letters:
    """An embedder: how often each of eight letters stands in a text. Counts what it is asked."""

    name = "letters"

    def __init__(self) -> None:
        self.asked: list[str] = []

    async def embed(self, texts: Sequence[str]) -> list[bytes]:
        self.asked += texts
        rows = [[float(text.lower().count(letter)) for letter in "aeioukvz"] for text in texts]
        return [
            struct.pack("<8f", *(n / (sum(x * x for x in row) ** 0.5 or 1) for n in row))
            for row in rows
        ]


async def test_in_play_every_fact_is_embedded_once_and_a_question_once_for_all(
    tmp_path: Path,
) -> None:
    letters = Letters()
    async with a_parlour(tmp_path) as room:
        room.embedder = AskedBefore(letters)
        who = await a_party(room, "4")
        async with room.game(who) as game:
            for _ in range(3):
                await play_round(game)
        assert letters.asked and len(letters.asked) == len(set(letters.asked)), (
            "nothing is embedded twice"
        )
        store = room.minds(who.id).store
        (group, found) = ([CAMPAIGN], await store.as_of([CAMPAIGN], When(known_at=100.0), most=500))
        again = Minds(store, letters)
        await again.recall(who, who.seats[0], "Viktor", TableView(day=2.0), 1)
        assert not await store.without_vector(letters.name, group, 10), (
            "facts of the last round catch up"
        )
        (vector,) = await letters.embed([found[0].text])
        near = await store.near(vector, letters.name, group, most=3)
        assert found[0].id in [hit.id for hit in near], "rows that came later are in the matrix too"


@pytest.mark.parametrize(("row", "kept"), [
    (("Dutch", "owes", "Viktor forty cred", "Dutch owes Viktor forty cred."), True),
    (("Dutch", "Owes", "Viktor forty cred", "Dutch owes Viktor forty cred"), True),
    (("Zenith", "owes", "Viktor forty cred", "Dutch owes Viktor forty cred."), False),
    (("Orla", "lives_in", "the clinic", "Orla lives in the clinic."), False),
    (("Orla", "lives_in", "not the clinic", "Orla does not live in the clinic."), True),
    (("Dutch", "owes", "Viktor sixty cred", "Dutch owes Viktor sixty cred."), False),
    (("he", "owes", "Viktor forty cred", "He owes Viktor forty cred."), False),
])  # fmt: skip
def test_a_row_about_somebody_nobody_named_or_that_states_what_was_denied_is_dropped(
    row: tuple[str, str, str, str], kept: bool
) -> None:
    said = TalkInput(
        speaker="Tug",
        text="No. Orla does not live in the clinic, but Dutch owes Viktor forty cred.",
        names=["Dutch"],
    )
    reply = TalkFacts(facts=[TalkFact(subject=row[0], predicate=row[1], value=row[2], text=row[3])])
    assert bool(facts_of_talk(reply, said, id="x", day=1, episode=Episode(session=1))) is kept


@pytest.mark.parametrize(("text", "kept"), [
    ("I could swear Dutch never opened the gate.", True), ("I'm not sure, but I think Dutch never opened the gate.", True),
    ("I could swear Dutch opened the gate.", False), ("Dutch never opened the gate, three of us saw.", False),
])  # fmt: skip
def test_words_of_ones_own_keep_a_denial_and_count_nothing_new(text: str, kept: bool) -> None:
    believed = "Dutch never opened the gate."
    belief = Belief(
        fact_id="f", agent="a", day=1, truth=believed, believed=believed, confidence=0.8
    )
    assert (reworded(belief, RewordReply(text=text)) == text) is kept
