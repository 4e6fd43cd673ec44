"""Dead Drop as it is played: the ways through it that an author promises, on the real rules."""

from dataclasses import dataclass, field

import pytest

from freeform.core.chance import Chance
from freeform.engine.authored.library import load_scenario, load_system
from freeform.engine.authored.scenario import Scenario
from freeform.engine.campaign.begin import Answers, choose_hero, first_state
from freeform.engine.log import Begun
from freeform.engine.rules.change import apply
from freeform.engine.rules.resolve import resolve
from freeform.engine.rules.validate import validate
from freeform.engine.table import Rules
from freeform.engine.world.model import InterpreterOutput, PlannerOutput, ProposedAction
from freeform.engine.world.state import GameState

NEO, OWN = "neo_seattle:", "dead_drop:"


@dataclass
class Evening:
    """One evening at the table, deed by deed, without any words in between."""

    rules: Rules
    state: GameState
    events: list[str] = field(default_factory=list)

    def do(self, action: str, target: str = "", details: str = "") -> None:
        """Tries it once; a refusal is a mistake of the author's."""
        heard = InterpreterOutput(
            proposed_actions=[ProposedAction(action=action, target_id=target, details=details)]
        )
        judged = validate(heard, self.state, self.rules)
        assert not judged.blocked_actions, (action, target, judged.blocked_actions[0].reason)
        turn = self.state.at_turn(self.state.turn_no + 1)
        done = resolve(turn, judged, PlannerOutput(), self.rules, Chance(turn.turn_no))
        self.state = apply(turn, done.state_diff)
        self.events += [str(e.details.get("id", e.type)) for e in done.engine_events]

    def insist(self, action: str, target: str, until: tuple[str, str, object]) -> None:
        """Tries until the dice allow it."""
        for _ in range(12):
            if self.state.value(until[0], until[1]) == until[2]:
                return
            self.do(action, target)
        raise AssertionError(f"{action} {target} never came to {until}")

    def knows(self, fact: str) -> bool:
        """Whether the player has learnt it."""
        return self.state.facts[fact].visibility == "known"

    def has(self, item: str) -> bool:
        """Whether the player carries it."""
        return ("player", item) in self.state.inventory


@pytest.fixture(scope="module")
def authored() -> Scenario:
    return load_scenario("dead_drop")


@pytest.fixture
def evening(authored: Scenario) -> Evening:
    system = load_system(authored.system)
    diff = first_state(authored, choose_hero(authored, Answers(), system))
    begun = Begun(
        scenario=authored, name=authored.name, seed=1, system=system, calibration=authored.calibration,
        opening=authored.opening, state_diff=diff,
    )  # fmt: skip
    return Evening(Rules.of(begun), apply(GameState(campaign_id="c"), diff))


def test_the_opening_is_short_and_ends_on_a_choice(authored: Scenario) -> None:
    assert len(authored.opening.split()) <= 180
    assert authored.opening.strip().endswith("?")
    assert len(authored.opening_suggestions) == 4


def test_jins_comm_lies_behind_the_bar(evening: Evening) -> None:
    evening.do("search", details="behind the bar")
    assert evening.has(OWN + "backup_comm")
    evening.do("use", OWN + "backup_comm")
    assert evening.knows("f_note") and not evening.knows("f_call")


def test_a_drink_makes_dutch_remember(evening: Evening) -> None:
    evening.do("ask", NEO + "dutch", "what he saw")
    assert not evening.knows("f_two_left")
    evening.do("ask", NEO + "dutch", "a drink")
    evening.do("ask", NEO + "dutch", "what he saw")
    assert evening.knows("f_two_left") and evening.has(OWN + "umbrella")


def test_the_body_is_not_jins(evening: Evening) -> None:
    _into_the_laundry(evening)
    evening.do("open", OWN + "machine_six")
    evening.do("look", OWN + "body")
    assert evening.knows("f_body_found") and evening.knows("f_body_not_jin")
    assert not evening.knows("f_jin_alive")


def test_only_what_is_named_changes_hands(evening: Evening) -> None:
    _with_the_ledger(evening)
    evening.do("move", NEO + "night_market")
    evening.do("give", NEO + "moth", "the photo")
    assert evening.has(OWN + "ledger") and evening.has(OWN + "cred_chip")
    assert not evening.has(OWN + "photo")


def test_jin_can_be_woken_and_the_list_read_aloud(evening: Evening) -> None:
    _with_the_ledger(evening)
    evening.do("move", NEO + "night_market")
    evening.do("show", NEO + "moth", "the photo")
    evening.do("ask", NEO + "moth", "cold tea")
    evening.do("move", NEO + "datahaven")
    evening.do("give", NEO + "mira", "the shard")
    _wake_jin(evening)
    evening.do("ask", NEO + "jin", "Viktor")
    assert evening.knows("f_viktor_sold")
    evening.do("move", NEO + "datahaven")
    assert NEO + "jin" in evening.state.scene.present_entity_ids, "he keeps up"
    evening.do("ask", NEO + "mira", "send it")
    assert "e_the_list" in evening.events
    assert evening.state.threads["main_case"].status == "resolved"


def test_chen_can_be_won_over(evening: Evening) -> None:
    _with_the_ledger(evening)
    _wake_jin(evening)
    evening.do("move", NEO + "kettle_row")
    evening.do("show", NEO + "agent_chen", "the shard")
    assert evening.knows("f_chen_doubts") and evening.has(OWN + "ledger")
    evening.do("give", NEO + "agent_chen", "the shard")
    assert "e_internal" in evening.events


def test_chen_does_her_job_when_nobody_gives_her_a_reason_not_to(evening: Evening) -> None:
    _with_the_ledger(evening)
    evening.do("move", NEO + "kettle_row")
    evening.do("give", NEO + "agent_chen", "the shard")
    assert "e_closed" in evening.events


def test_everything_has_a_price(evening: Evening) -> None:
    _with_the_ledger(evening)
    evening.do("move", NEO + "kettle_row")
    evening.do("move", NEO + "lullaby_house")
    evening.do("give", NEO + "lusk", "the shard")
    assert "e_paid" in evening.events and not evening.has(OWN + "ledger")


def _into_the_laundry(evening: Evening) -> None:
    evening.do("search", OWN + "jukebox")
    evening.insist("unlock", OWN + "laundry_door", (OWN + "laundry_door", "locked", False))
    evening.do("move", NEO + "golden_bubble")


def _with_the_ledger(evening: Evening) -> None:
    """By the shortest way: the photo and the key from Jin's pod, and the locker they lead to."""
    _into_the_laundry(evening)
    for place in ("sabines_clinic", "kettle_row", "night_market", "stack_nine"):
        evening.do("move", NEO + place)
    evening.do("search", details="pod 114 mattress")
    evening.do("search", details="vent grille")
    assert evening.has(OWN + "photo") and evening.has(OWN + "locker_key")
    evening.do("move", NEO + "night_market")
    evening.do("move", NEO + "left_luggage")
    evening.do("open", OWN + "lockers", "locker 17")
    assert evening.has(OWN + "ledger")


def _wake_jin(evening: Evening) -> None:
    evening.do("move", NEO + "sabines_clinic")
    evening.do("ask", NEO + "sabine", "Jin")
    assert evening.has(OWN + "waker")
    evening.do("move", NEO + "golden_bubble")
    evening.do("drop", OWN + "fuse", "in the hoist")
    evening.do("use", OWN + "hoist")
    evening.do("heal", OWN + "berth_17")
    assert evening.state.value(NEO + "jin", "state") == "awake"
    evening.do("use", OWN + "hoist")
    assert evening.state.scene.location_id == NEO + "golden_bubble"
