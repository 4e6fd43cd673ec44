"""How a party finds its way: who does what, whose advice is heeded, what stands in the way, what is
given to whom, and which memories given as reasons can be put right."""

from freeform.core.chance import Chance
from freeform.engine.authored.library import load_system
from freeform.offline.players.talk import respond_directive, respond_talk
from freeform.players.mind.advice import advice_in, advised_verbs, in_need
from freeform.players.mind.dealings import asks_for
from freeform.players.mind.losses import _tells_of_death
from freeform.players.mind.model import Leaning, MindState
from freeform.players.mind.places import _one_name_each
from freeform.players.mind.plans import hopes_of
from freeform.players.mind.skills import dice_of, doer_of, fittest, sheet_of, stat_for
from freeform.players.mind.think import think
from freeform.players.model import (
    Action,
    BasePersona,
    Character,
    Consensus,
    Memory,
    Option,
    Peril,
    Proposal,
    RoundRecord,
    Ruling,
    SeenPlace,
    TableView,
)
from freeform.players.passes import PersonaInput
from freeform.players.round.steps_act import _keeps_here
from freeform.players.round.thoughts import _stuck, _with_pace, dry_rounds, rounds_here

D20 = load_system("d20")
SHEETS = {"pia": sheet_of({"agility": 1}, D20), "lou": sheet_of({"agility": 4}, D20)}
PIA = BasePersona(id="pia", name="Pia", character=Character(name="Rook"))


def told(text: str, id: str = "m1") -> Memory:
    return Memory(fact_id=id, believed=text, importance=0.8)


def played(
    text: str, intent: str = "I wait.", place: str = "the yard", **more: object
) -> RoundRecord:
    ruling = Ruling.model_validate({"text": text} | more)
    return RoundRecord(
        round=1,
        phases=[],
        consensus=Consensus(),
        order=["pia"],
        actions={"pia": Action(intent=intent)},
        rulings={"pia": ruling},
        place=place,
    )


def hoped(table: TableView, *memories: Memory) -> dict[str, float]:
    return {hope.option.text: hope.worth for hope in hopes_of(table, memories)}


def test_whoever_is_best_at_it_does_it_and_where_no_dice_fall_whoever_proposed_it() -> None:
    dice = dice_of(D20)
    assert stat_for("Pick the lock of the gate", dice) == "finesse"
    assert fittest("Pick the lock of the gate", dice, SHEETS, "pia") == "lou"
    assert fittest("Look at the gate", dice, SHEETS, "pia") == "pia"
    table = TableView(dice=dice, sheets=SHEETS)
    picked = Proposal(by="pia", option="Pick the lock of the gate")
    assert doer_of(picked, table) == "lou"
    asked = PersonaInput(persona=PIA, character_name="Rook", table=table, proposal=picked)
    lou = PIA.model_copy(update={"id": "lou", "name": "Lou"})
    assert respond_directive(asked, Chance(1)).option == ""
    other = asked.model_copy(update={"persona": lou})
    assert respond_directive(other, Chance(1)).option == picked.option


def test_advice_is_an_order_about_something_at_hand_and_nothing_that_is_denied_or_asked() -> None:
    table = TableView(place="the yard", people=["Obed Crake"], things=["the sounding pole"])
    verbs = advised_verbs(D20)
    said = 'Obed coughs. "Use the pole," he says. "Don\'t take the pole! Use your head. Ask me about the pole."'
    found = [option.text for option in advice_in([played(said)], table, verbs)]
    assert found == ["Use the pole", "Ask Obed Crake about the pole"]
    elsewhere = advice_in([played(said, place="the hall")], table, verbs)
    assert elsewhere == []


def test_what_is_amiss_with_somebody_one_knows_calls_for_a_deed() -> None:
    table = TableView(place="the yard", names=["Jin Park"])
    found = [option.text for option in in_need([played("Under the lid Jin lies asleep.")], table)]
    assert found == ["Wake Jin Park"]
    assert in_need([played("Under the lid somebody lies asleep.")], table) == []


def test_who_stands_in_the_way_is_dealt_with_and_the_deed_waits_until_he_is_gone() -> None:
    stuck = {"Open the black door": "Brother Cade stands between you and the door."}
    deed = Option(text="Open the black door", kind="use")
    here = TableView(people=["Brother Cade"], names=["Brother Cade"], stuck=stuck, options=[deed])
    thought = {one.option.text for one in think(PIA, here, [], Chance(1)).leanings}
    assert {"Distract Brother Cade", "Persuade Brother Cade to let us pass"} <= thought
    assert deed.text not in thought
    gone = here.model_copy(update={"people": []})
    assert think(PIA, gone, [], Chance(1)).leanings[0].option.text == deed.text


def test_what_everybody_wants_is_given_only_to_those_who_asked_for_it_or_were_moved_by_it() -> None:
    table = TableView(
        people=["Mr Lusk"], carried=["the shard"], stakes=["the shard"], found=["the shard"]
    )
    idle = told('Mr Lusk said: "The shard? Sad story."')
    wants = told('Mr Lusk said: "You hand me the shard, I hand you a chip."')
    assert "Give Mr Lusk the shard" not in hoped(table, idle)
    assert "Give Mr Lusk the shard" in hoped(table, wants)
    moved = table.model_copy(update={"moved": ["Mr Lusk: the shard"]})
    assert "Give Mr Lusk the shard" in hoped(moved, idle)
    assert not asks_for('Ada said: "Mr Lusk gave me the shard."', "Mr Lusk", frozenset({"shard"}))


def test_what_is_gone_is_not_given_again() -> None:
    refused = {"Give Moth the shard": "You have no shard; you carry a lamp and a comm unit."}
    memory = told("Ines got the comm unit and the lamp from the bar.")
    assert hoped(TableView(refused=refused, carried=["the comm unit"]), memory) == {}


def test_one_thing_has_one_name_and_two_things_keep_theirs() -> None:
    assert _one_name_each(["the Guild board", "board", "the tea urn"]) == [
        "the Guild board",
        "the tea urn",
    ]
    assert _one_name_each(["tower", "the tower door"]) == ["the tower door"]
    assert _one_name_each(["the red door", "the black door"]) == ["the red door", "the black door"]


def test_one_does_not_go_straight_back_and_is_drawn_to_what_was_left_undone() -> None:
    def pull(**more: object) -> float:
        seen = SeenPlace.model_validate({"place": "the hall"} | more)
        go = Option(text="Go to the hall", kind="go", who="the hall", tried=1)
        table = TableView(place="the yard", options=[go], elsewhere=[seen], trail=trail)
        return think(PIA, table, [], Chance(1)).leanings[0].progress

    trail: list[str] = []
    empty, full = pull(), pull(untouched=["the desk", "the stove"])
    trail = ["the hall"]
    assert full > empty > pull()


def test_rounds_without_anything_new_and_rounds_in_one_place_are_counted() -> None:
    new = played("", events=[{"type": "fact_learned"}])
    dull = played("")
    assert dry_rounds([new, dull, dull]) == 2 and dry_rounds([dull, new]) == 0
    assert rounds_here([played("", place="the hall"), dull, dull], "the yard") == 2


def test_a_memory_given_as_a_reason_counts_as_told_so_that_it_can_be_disputed() -> None:
    memory = told("The key lies under the third stone.")
    option = Option(text="Search the third stone", kind="look", who="the third stone")
    leaning = Leaning(option=option, score=1.0, progress=1.0, clue="m1")
    asked = PersonaInput(
        persona=PIA,
        character_name="Rook",
        table=TableView(options=[option]),
        memories=[memory],
        mind=MindState(leanings=[leaning]),
    )
    replies = [respond_talk(asked, Chance(n)) for n in range(8)]
    telling = [
        reply for reply in replies if "third stone" in reply.content.replace(option.text, "")
    ]
    assert any(reply.said_memory == "m1" for reply in telling)


def test_only_who_died_is_mourned() -> None:
    assert _tells_of_death("Obed Crake", {"text": "Obed Crake has drowned off the road."})
    assert _tells_of_death("Obed Crake", {"value": "dead"})
    assert not _tells_of_death("Jin", {"value": "dead_drop:office"})
    assert not _tells_of_death("Jin", {"text": "The dead man is not Jin. He has soft hands."})
    assert not _tells_of_death("Jin", {"text": "The man whom they killed wore the coat of Jin."})


def test_a_key_goes_to_what_it_is_called_after_here_or_elsewhere_and_to_nothing_else() -> None:
    table = TableView(carried=["the locker key"], found=["the locker key"], things=["the lockers"])
    assert "Open the lockers with the locker key" in hoped(table)
    away = SeenPlace(place="the station", things=["the lockers"])
    assert "Go to the station" in hoped(TableView(carried=["the locker key"], elsewhere=[away]))
    shoes = table.model_copy(update={"things": ["the shoes"]})
    assert hoped(shoes, told("The key lay under the shoes.")) == {}


def test_who_sleeps_in_a_berth_is_woken_where_the_berth_is() -> None:
    asleep = told("Jory is asleep in berth nine of the hospice.")
    ward = TableView(place="the ward", names=["Jory"], things=["the lid of berth nine"])
    assert "Wake Jory" in hoped(ward, asleep)
    assert hoped(ward.model_copy(update={"things": ["the desk"]}), asleep) == {}
    away = SeenPlace(place="the ward", things=["the lid of berth nine"])
    assert "Go to the ward" in hoped(TableView(names=["Jory"], elsewhere=[away]), asleep)


def test_what_the_game_master_hints_at_is_thought_of_until_one_goes_away() -> None:
    hint = {"type": "hinted", "text": "search behind the grille"}
    table = TableView(place="the yard")
    rounds = [played("There is more.", events=[hint])]
    assert [o.text for o in advice_in(rounds, table, ())] == ["Search behind the grille"]
    moved = [played("There is more.", events=[hint, {"type": "moved"}], place="the hall")]
    assert advice_in(moved, table, ()) == []


def test_nobody_walks_away_from_what_was_just_learnt_of_something_in_sight() -> None:
    def learnt(text: str) -> list[Ruling]:
        return [Ruling(text="", events=[{"type": "fact_learned", "text": text}])]

    here = {"things": ["the lid of berth nine"]}
    assert _keeps_here(learnt("Jory sleeps in berth nine."), here)
    assert not _keeps_here(learnt("Ada owes the baker."), here)
    settled = {"type": "thread_changed", "status": "resolved"}
    assert _keeps_here([Ruling(text="", events=[settled])], {})


def test_a_way_that_led_nowhere_is_not_tried_from_there_again() -> None:
    stuck = _stuck([played("You look about.", intent="I go to the mill.")], "the yard")
    go = Option(text="Go to the mill", kind="go", who="the mill", new=True)
    table = TableView(place="the yard", options=[go], stuck=stuck)
    assert think(PIA, table, [], Chance(1)).leaning("Go to the mill") is None


def test_a_clock_that_moves_though_nobody_paid_creeps() -> None:
    tide = {"type": "clock_advanced", "name": "The tide"}
    heat = {"type": "clock_advanced", "name": "Heat"}
    rounds = [played("", events=[tide]), played("", events=[heat, {"type": "consequence"}])]
    perils = [Peril(text="The tide: it rises.", near=0.5), Peril(text="Heat: eyes on you.")]
    assert [one.creeps for one in _with_pace(perils, rounds)] == [True, False]


def test_who_has_nothing_to_do_here_acts_at_the_end_of_the_way() -> None:
    go = Option(text="Go to the mill", kind="go", who="the mill")
    way = Leaning(option=go, score=0.5, aim="Ask Ada about Jory", also=["Search the well"])
    proposal = Proposal(by="lou", option="Go to the mill", kind="go")

    def told_to(**taken: str) -> str:
        asked = PersonaInput(
            persona=PIA,
            character_name="Rook",
            table=TableView(place="the yard"),
            mind=MindState(leanings=[way]),
            proposal=proposal,
            taken={"Lou": "Go to the mill", **taken},
        )
        return respond_directive(asked, Chance(1)).option

    assert told_to() == "Ask Ada about Jory"
    assert told_to(Kim="Ask Ada about Jory") == "Search the well"
