"""What a person says about a world: corrections, refusals, merged names, labels. Each is a step of
the ledger with the person as its agent, and a correction is a claim that quotes the person."""

from collections.abc import Iterable
from typing import Literal

from freeform.core.record import Record
from freeform.lore.judge.comparing import OWN_WORDS, PERSON_SITE
from freeform.lore.model import Claim, Kind
from freeform.lore.ports import StepCommit, WebPage
from freeform.lore.read.claims import digest, make_claim

PERSON = "person"
EXTRACTOR = "person@1"
NOTHING = "nothing"
"""What a label means that means nothing to us."""
ActKind = Literal["correct", "reject", "merge", "label", "withdraw"]


class PersonAct(Record):
    """One word of a person. Which fields count depends on `what`."""

    act_id: str
    what: ActKind
    kind: Kind = "zone"
    subject_id: str = ""
    subject: str = ""
    predicate: str = ""
    value: str = ""
    value_id: str = ""
    instead: str = ""
    """The form of the value that this one replaces, or that is refused."""
    into_id: str = ""
    into: str = ""
    """The thing that the subject is one with."""
    label: str = ""
    """`site|kind|label`; `value` is the predicate it means."""
    undoes: str = ""
    note: str = ""
    by: str = ""
    at: str = ""

    @property
    def matter(self) -> tuple[str, ...]:
        """What it decides: of two words on one matter the later counts."""
        match self.what:
            case "correct" | "reject":
                return ("fact", self.kind, self.subject_id, self.predicate)
            case "label":
                return ("label", self.label)
            case "merge":
                return ("merge", self.kind, self.subject_id)
            case "withdraw":
                return ("withdraw", self.undoes)

    def says_the_same(self, other: "PersonAct") -> bool:
        """Whether it is the same word, whoever says it, when and why."""
        aside = {"act_id", "note", "by", "at"}
        return self.model_dump(exclude=aside) == other.model_dump(exclude=aside)

    @property
    def told(self) -> str:
        """The act as a sentence; a correction's claim quotes it."""
        because = f" ({self.note})" if self.note else ""
        match self.what:
            case "correct":
                return f"{self.subject}, {self.predicate}: {self.value}{because}"
            case "reject":
                return f"{self.subject}, {self.predicate}: not {self.value}{because}"
            case "merge":
                return f"{self.subject} is {self.into}{because}"
            case "label":
                return f"{self.label} means {self.value}{because}"
            case "withdraw":
                return f"{self.undoes} is taken back{because}"


def acts_in(steps: Iterable[StepCommit]) -> list[PersonAct]:
    """What a person has said and not taken back, in order."""
    said = [PersonAct.model_validate(step.result) for step in steps if step.agent == PERSON]
    undone = {act.undoes for act in said if act.what == "withdraw"}
    return [act for act in said if act.what != "withdraw" and act.act_id not in undone]


def page_of(act: PersonAct) -> WebPage:
    """The page that a correction quotes: the person's own words."""
    return WebPage(
        url=f"desk://{PERSON_SITE}/{act.act_id}",
        title=act.subject,
        text=act.told,
        sha256=digest(act.told),
        domain=PERSON_SITE,
        tier=0,
        licence=OWN_WORDS,
        fetched_at=act.at,
    )


def claim_of(act: PersonAct) -> Claim | None:
    """A correction as a claim."""
    return make_claim(
        page_of(act),
        kind=act.kind,
        subject=act.subject,
        subject_id=act.subject_id,
        predicate=act.predicate,
        value=act.value,
        value_id=act.value_id,
        span=(0, len(act.told)),
        extractor=EXTRACTOR,
    )


def by_person(claim: Claim) -> bool:
    """Whether a claim is a person's word and no page's."""
    return claim.extractor == EXTRACTOR


def labels_told(acts: Iterable[PersonAct]) -> dict[str, str]:
    """What a person says that labels mean: `site|kind|label` to a predicate."""
    return {act.label: act.value for act in acts if act.what == "label"}
