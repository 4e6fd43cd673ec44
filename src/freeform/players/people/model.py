"""The records of a table that several people share."""

from typing import Literal

from pydantic import Field

from freeform.core.errors import Forbidden, NotFound
from freeform.core.record import Record
from freeform.engine.campaign.apart import TableHero
from freeform.engine.campaign.spotlight import Actor
from freeform.engine.hand.draft import TurnDraft
from freeform.engine.rules.fight.foes import OrderRow
from freeform.players.model import BasePersona

Role = Literal["gm", "player", "spectator"]
TurnMode = Literal["free", "rounds", "together", "called", "initiative"]
"""Anyone as they come; each once a round; all write, then all is played; whom the host calls; in
the order that was rolled."""


class Companion(Record):
    """What makes someone at the table an AI player: who they are, and what they have agreed to."""

    persona: BasePersona
    means: str = ""
    """What they said they would do next, in the words of an option."""
    means_to: list[str] = Field(default_factory=list)
    """Whom they whispered that to, who alone know of it; for everyone without."""
    since: int = 0
    """They answer no line up to this one: it is from before they came, or was let be."""

    def meaning_known_to(self, hearers: list[str]) -> str:
        """What they mean to do, if those may know of it; without any, everyone at the table."""
        known = not self.means_to or (hearers and set(hearers) <= set(self.means_to))
        return self.means if known else ""


class TablePerson(Record):
    """Someone at the table. What they keep out of play is theirs alone to read."""

    id: str
    name: str
    role: Role
    owner: bool = False
    """Sits at the machine that serves the table, and needs no token."""
    tokens: list[str] = Field(default_factory=list)
    """The hashes of what their devices hold."""
    lines: list[str] = Field(default_factory=list)
    veils: list[str] = Field(default_factory=list)
    joined_at: str = ""
    gone: str = ""
    """`left` or `sent away`; '' while they are at the table."""
    companion: Companion | None = None
    """Set for an AI player: nobody else sits there."""
    stand_in: str = ""
    """The persona that may play their hero while they are away; '' lets it wait."""
    account: str = ""
    """The account that this person is; '' for a guest, who has tokens and nothing else."""


class TableSeat(Record):
    """A character, and the person who plays it; '' while nobody does."""

    id: str
    actor: Actor
    person: str = ""
    owed: int = 0
    """Turns that people have taken since this seat acted."""


def _hero(seat: TableSeat, *, by_ai: bool) -> TableHero:
    actor = seat.actor
    return TableHero(id=seat.id, name=actor.name, by_ai=by_ai, stats=actor.stats)


class Invite(Record):
    """A way in: for so many people, until then. For one person it is a way back."""

    id: str
    secret: str
    """The hash of what the link holds."""
    passphrase: str = ""
    """Salted and stretched; '' when none is asked for."""
    role: Role = "player"
    seat: str = ""
    person: str = ""
    uses: int = 1
    until: str


class Submission(Record):
    """What someone wants to do, kept until it is played: a crash loses and doubles none."""

    turn_id: str
    seat: str
    person: str
    text: str
    goes_on: bool = False
    """Whether nothing is done: the game master goes on."""
    by_ai: bool = False
    """Whether an AI player chose it: a companion, or who stands in for someone away."""


class SharedTable(Record):
    """Everything about a table but its story and its talk."""

    campaign: str
    host: str
    """The id of the person who invites and sends away."""
    people: list[TablePerson] = Field(default_factory=list)
    seats: list[TableSeat] = Field(default_factory=list)
    invites: list[Invite] = Field(default_factory=list)
    mode: TurnMode = "free"
    round: int = 1
    acted: list[str] = Field(default_factory=list)
    """Seats that were played in this round."""
    called: str = ""
    """The seat that the host called on."""
    order: list[OrderRow] = Field(default_factory=list)
    """The order that was rolled, as the story's log has it."""
    next: str = ""
    """Whose turn it is in that order: a seat's id."""
    mode_before: TurnMode = "free"
    """How turns went before it was rolled, and go again after."""
    by_hand: bool = False
    """The game master tells every turn, while there is one: what is handed in waits for them."""
    draft: TurnDraft | None = None
    """What the game master was last proposed."""
    told_under: dict[str, list[str]] = Field(default_factory=dict)
    """The last keys that something was told under, with the turns that it answers."""
    telling: bool = False
    """What all have written together is being told; nothing is added meanwhile."""
    waiting: list[Submission] = Field(default_factory=list)
    played: list[str] = Field(default_factory=list)
    """The last turn ids that were played, so that one sent again is known."""
    last_person: str = ""
    """Who acted last."""
    limits: list[str] = Field(default_factory=list)
    """The keys of lines and veils that hold because someone here set them."""
    learnt: str = ""
    """The last turn that the AI players have taken in."""

    def here(self) -> list[TablePerson]:
        """Those who are at the table."""
        return [person for person in self.people if not person.gone]

    def owner(self) -> TablePerson:
        """Whoever sits at the machine that serves the table."""
        return next(each for each in self.people if each.owner)

    def person(self, id: str) -> TablePerson:
        """Someone at the table. NotFound names those who are."""
        found = next((each for each in self.here() if id in (each.id, each.name)), None)
        if found is None:
            names = ", ".join(each.name for each in self.here())
            raise NotFound(f"nobody '{id[:60]}' is at this table; there are: {names}")
        return found

    def seat(self, id: str) -> TableSeat:
        """A seat by its id or its character's name. NotFound names those there are."""
        found = next((each for each in self.seats if id in (each.id, each.actor.name)), None)
        if found is None:
            names = ", ".join(each.id for each in self.seats)
            raise NotFound(f"no seat '{id[:60]}' at this table; there are: {names}")
        return found

    def person_of(self, account: str) -> TablePerson | None:
        """Who at the table is that account."""
        return next((each for each in self.here() if account and each.account == account), None)

    def tellers(self) -> list[TablePerson]:
        """The game masters who tell every turn; none where the engine does."""
        here = self.here() if self.by_hand else []
        return [person for person in here if person.role == "gm"]

    def check_tells(self, person: TablePerson) -> None:
        """Forbidden unless that is a game master, or whoever owns the machine."""
        if person.role != "gm" and not person.owner:
            raise Forbidden("only the game master tells; ask the host for that role")

    def companions(self) -> list[TablePerson]:
        """The AI players at the table."""
        return [person for person in self.here() if person.companion]

    def people_seats(self) -> list[TableSeat]:
        """The seats that people play, in their order."""
        ai = {each.id for each in self.companions()}
        return [each for each in self.taken_seats() if each.person not in ai]

    def seat_of(self, person: str) -> TableSeat | None:
        """Where someone sits."""
        return next((each for each in self.seats if each.person == person), None)

    def taken_seats(self) -> list[TableSeat]:
        """The seats that somebody plays, in their order."""
        return [each for each in self.seats if each.person]

    def heroes(self) -> list[TableHero]:
        """Everyone who is played."""
        ai = {each.id for each in self.companions()}
        return [_hero(each, by_ai=each.person in ai) for each in self.taken_seats()]

    def with_person(self, changed: TablePerson) -> "SharedTable":
        """The same table with one person changed, or added at the end."""
        others = [changed if each.id == changed.id else each for each in self.people]
        if changed.id not in {each.id for each in self.people}:
            others.append(changed)
        return self.model_copy(update={"people": others})

    def with_seat(self, changed: TableSeat) -> "SharedTable":
        """The same table with one seat changed, or added at the end."""
        others = [changed if each.id == changed.id else each for each in self.seats]
        if changed.id not in {each.id for each in self.seats}:
            others.append(changed)
        return self.model_copy(update={"seats": others})

    def check_host(self, person: TablePerson) -> None:
        """Forbidden unless that is the host, or whoever owns the machine."""
        if person.id != self.host and not person.owner:
            name = self.person(self.host).name
            raise Forbidden(f"only the host may do that; ask {name}")


class DiceThrown(Record):
    """Dice that somebody threw at the table, for one character or for themselves."""

    name: str
    """Whose roll it is."""
    expr: str
    total: int
    text: str
    """As the table sees it: `2d6 (3, 5) + 1 = 9`."""


class ChatLine(Record):
    """Something said or rolled beside the story. With `to` it is a whisper, or a secret roll: for
    them and whoever it is by."""

    no: int = 0
    by: str
    to: list[str] = Field(default_factory=list)
    text: str
    at: str
    rolls: list[DiceThrown] = Field(default_factory=list)
    """Dice; then `text` says what for."""
    re: str = ""
    """What an AI player answers with it, so that it answers once."""

    def is_heard_by(self, person: str) -> bool:
        """Whether that person may read it."""
        return not self.to or person in (self.by, *self.to)
