"""READ THIS FIRST. What a player means: two readings of each act are weighed, and one is taken.

    text ─> ear: acts, each with families and flags ─┐
    act  ─> rules: actions with targets             ─┴─> take the rules' action, or build the ear's
                                                         or ask, where neither is sure enough

What is out of character, asked of the game master, planned, negated or supposed costs nothing.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from freeform.core.chance import Chance
from freeform.core.text import plain_form
from freeform.engine.knowledge.remark import is_marked, is_of_the_table
from freeform.engine.passes import InterpreterInput
from freeform.engine.world.model import InterpreterOutput, ProposedAction
from freeform.language.ear import FAMILIES, Ear, HeardAct, KnowsWord
from freeform.language.meaning.sense import RememberedSense, Sense
from freeform.language.sentences import sentences
from freeform.language.words import telling_words
from freeform.offline.interpreter.build import RulesListener, interpret
from freeform.offline.interpreter.deeds.calling import FarCall, far_call
from freeform.offline.interpreter.hearing import Hearing
from freeform.offline.interpreter.offers import as_offered
from freeform.offline.interpreter.questions import asks_who
from freeform.offline.interpreter.speech import OPENERS
from freeform.offline.interpreter.tidying import no_action
from freeform.offline.interpreter.words import read
from freeform.offline.referee.addressee import is_spoken_to, is_to_oneself, turns_elsewhere
from freeform.offline.referee.asides import aside_of, denied, for_master, mused
from freeform.offline.referee.build import build
from freeform.offline.referee.clarification import ask, chosen, joined_speech, not_followed
from freeform.offline.referee.families import (
    SPEECH,
    best,
    is_own_verb,
    likely,
    needed,
    spoken_surely,
)
from freeform.offline.referee.going import Whereabouts
from freeform.offline.referee.hear import HELD_BACK, Hear, heard_whole, kinds
from freeform.offline.referee.mend import cheaper, mended
from freeform.offline.referee.retell import in_first_person
from freeform.offline.referee.rules_heard import (
    FAIR,
    agreed,
    as_both_hear,
    is_claimed,
    is_unheard_of,
    of_either,
    together,
)
from freeform.offline.referee.taking_back import corrected, repeated, takes_back
from freeform.offline.referee.tidy import heard_there, once_each, without_lingering, without_poses

_SURE = 0.5
_SECOND = 0.15
"""A second thing heard by the rules inside one act must be at least so likely."""
_SAID_SHORTLY = 8
"""Words among which one may be a command: `Attack! That's what I do.`"""
_REMEMBERED = 512
_ASKING = frozenset({"ask", "talk"})
_LOOSE_END = re.compile(r"(?:[\s,;:]+|\b(?:and|then|but|the|an?))+$")
"""What hangs over from one act to the next."""


@dataclass(frozen=True)
class WeighedAct:
    """One act as it will be taken, how sure that is, and the next best reading."""

    action: ProposedAction
    other: ProposedAction | None = None

    @property
    def readings(self) -> list[ProposedAction]:
        """What it may mean, the likeliest first."""
        return [self.action, self.other] if self.other else [self.action]

    @property
    def unsure(self) -> bool:
        """Whether it costs too much to be done on a guess; so does a way to nowhere known."""
        nowhere = self.action.action == "move" and not self.action.target_id
        wanted = max(needed(self.action.action), _SURE if nowhere else 0.0)
        return self.action.confidence < wanted


class Referee:
    """Hears with the rules alone, or with the rules and a learned ear."""

    def __init__(self, ear: Ear | None = None) -> None:
        """Suggestions are tried turn after turn: the same words are heard once."""
        self._hear = lru_cache(maxsize=_REMEMBERED)(ear.hear) if ear else None
        self._knows = ear.knows if ear else None
        self._sense = RememberedSense(ear) if isinstance(ear, Sense) else None

    def respond(self, input: InterpreterInput, chance: Chance) -> InterpreterOutput:
        """The offline answer to `engine/interpreter`. Nothing here is left to chance."""
        if self._hear is None:
            return interpret(input)
        case = _Case(input, self._hear, self._knows)
        if not case.heard.acts:
            return interpret(input)
        if takes_back(input, case.text, case.heard):
            return InterpreterOutput(intent=case.text, takes_back=True)
        if picked := case.picked():
            return case.output([picked])
        return for_master(self._called(input, case, chance) or case.settled(), input, self._sense)

    def _called(
        self, input: InterpreterInput, case: "_Case", chance: Chance
    ) -> InterpreterOutput | None:
        """Words to somebody who is elsewhere, with what is done before and after; None for none."""
        call = case.call()
        if call is None:
            return None
        made = list[ProposedAction]()
        for text in (call.before, "", call.after):
            if text:
                part = input.model_copy(update={"player_input": text})
                made += self.respond(part, chance).proposed_actions
            elif call.action not in made:
                made.append(call.action)
        return case.output(made)

    def meant(self, input: InterpreterInput) -> InterpreterInput:
        """The input with other words, where it takes some of its own back or repeats the last."""
        if self._hear is None:
            return input
        input = self._spelled(input)
        case = _Case(input, self._hear, self._knows)
        if not case.heard.acts or takes_back(input, case.text, case.heard):
            return input
        meant = repeated(input, case.text, case.heard) or case.corrected()
        if meant == case.text:
            return input
        return input.model_copy(update={"player_input": meant})

    def _spelled(self, input: InterpreterInput) -> InterpreterInput:
        """The input with its misspelt verbs put right: `chek the tape`."""
        if self._knows is None:
            return input
        begun = RulesListener(input, self._knows).begun(input.player_input)
        names = {name for named in begun.cast.named for name in plain_form(named.name).split()}
        spelled = begun.verbs.respelled(begun.typed, self._knows, names)
        if spelled == begun.typed.text:
            return input
        return input.model_copy(update={"player_input": spelled})


class _Case:
    """One input before the referee."""

    def __init__(self, input: InterpreterInput, hear: Hear, knows: KnowsWord | None) -> None:
        self._listener = RulesListener(input, knows)
        self._readings = input.readings
        typed = read(input.player_input).text
        whole = self._listener.begun(typed)
        self.text = in_first_person(whole)
        if self.text != typed:
            whole = self._listener.begun(self.text)
        self._whole = whole
        self._elsewhere = False
        self._names_someone = False
        self._names = {named.id: named.name for named in whole.cast.named if named.id}
        self._people = {named.id for named in whole.cast.named if named.kind == "person"}
        heard = hear(self.text, tuple(kinds(whole)))
        self.heard = heard_whole(self.text, heard, self._listener, hear)
        self._where = Whereabouts(whole, self.heard.acts)

    def corrected(self) -> str:
        """The words without what they take back themselves."""
        return corrected(self.text, self.heard, self._listener)

    def call(self) -> FarCall | None:
        """The call these words make to somebody who is elsewhere, if they are done at all."""
        held = ("negated", "conditional", "hypothetical")
        flags = [act.flags[flag] for act in self.heard.acts for flag in held]
        aside = is_marked(self.text) or max(flags, default=0.0) >= HELD_BACK
        spoken = max(map(spoken_surely, self.heard.acts), default=0.0)
        return None if aside else far_call(self._whole, spoken)

    def picked(self) -> ProposedAction | None:
        """The answer that these words pick, where the last turn offered some."""
        return chosen(self.text, self._readings)

    def output(self, actions: list[ProposedAction]) -> InterpreterOutput:
        """The record of these actions."""
        return self._listener.output(actions)

    def settled(self) -> InterpreterOutput:
        """The acts, or the one question; never two questions in a row."""
        answer = as_offered(self.text, self._whole.offers, self._is_one_act())
        if answer:
            return self._listener.output([answer])
        if is_marked(self.text):
            return self._listener.output(
                [ProposedAction(action="ooc", family="ooc", details=self.text)]
            )
        surest = max(max(act.families.values()) for act in self.heard.acts)
        if surest < _SURE and not self._whole.is_followed:
            return not_followed(self._listener.output([]))
        weighed = list[WeighedAct]()
        for act in self.heard.acts:
            heard = [self._going_on(one, act) for one in self._weigh(act)]
            weighed += self._in_mind([self._asking_that(one, act) for one in heard])
        if not weighed:
            return self._nothing_done()
        taken = [cheaper(one.action, one.other) if one.unsure else one.action for one in weighed]
        stuck = [one for one, action in zip(weighed, taken, strict=True) if action is None]
        if len(stuck) == len(weighed) and not self._readings:
            output = self._listener.output([one.action for one in weighed])
            return ask(output, stuck[0].readings, self._names)
        settled = [
            action or _nothing_at_stake(one) for one, action in zip(weighed, taken, strict=True)
        ]
        kept = self._where.settled(once_each(joined_speech(self._to_one(settled))))
        return self._listener.output(heard_there(without_lingering(without_poses(kept))))

    def _nothing_done(self) -> InterpreterOutput:
        """A longer telling in which nobody does anything is heard, and nothing comes of it."""
        if len(self.text.split()) <= _SAID_SHORTLY:
            return not_followed(self._listener.output([]))
        musing = ProposedAction(action="plan", family="none", details=self.text)
        return self._listener.output([musing])

    def _is_one_act(self) -> bool:
        """Whether one thing is done, with nothing taken back and nothing it hangs on."""
        flags = ("negated", "conditional", "hypothetical", "correction")
        first, *others = self.heard.acts
        return not others and max(first.flags[flag] for flag in flags) < HELD_BACK

    def _to_one(self, actions: list[ProposedAction]) -> list[ProposedAction]:
        """Where one of those spoken to is named, all that is quoted is said to them: `"Nothing?" I
        repeat. "Maud, out with it."`"""
        named = {mention.best("person").id for mention in self._whole.mentions} & self._people
        spoken_to = {one.target_id for one in actions if one.action in SPEECH} & named
        is_quoted = any(token.kind == "quote" for token in self._whole.typed.tokens)
        if len(spoken_to) != 1 or not is_quoted:
            return actions
        (whom,) = spoken_to
        made = []
        for action in actions:
            elsewhere = action.action in SPEECH and action.target_id in self._people - named
            update = {"target_id": whom} if elsewhere else {}
            made.append(action.model_copy(update=update))
        return made

    def _going_on(self, one: WeighedAct, act: HeardAct) -> WeighedAct:
        """Who only calls somebody says to them what follows and is no act: `ok Maud` | `spill. who
        isnt surprised`."""
        called = set(plain_form(one.action.details).split()) <= OPENERS
        if one.action.action not in SPEECH or not called or not one.action.target_id:
            return one
        later = [other.start for other in self.heard.acts if other.start >= act.end]
        said = self.text[act.end : min(later, default=len(self.text))].strip(" ,.;:")
        if not telling_words(said, "talk"):
            return one
        return replace(one, action=one.action.model_copy(update={"details": said}))

    def _asking_that(self, one: WeighedAct, act: HeardAct) -> WeighedAct:
        """What is asked of someone and not said stands before it: `Which way did he turn? Ask the
        cook.`"""
        if one.action.action not in _ASKING or telling_words(one.action.details, "talk"):
            return one
        before = sentences(self.text[: act.end])[:-1]
        asked = before[-1] if before else ""
        done = any(asked and asked in self.text[each.start : each.end] for each in self.heard.acts)
        if not telling_words(asked, "talk") or (done and not asked.endswith("?")):
            return one
        return replace(one, action=one.action.model_copy(update={"details": asked}))

    def _in_mind(self, weighed: list[WeighedAct]) -> list[WeighedAct]:
        """What an act is done to is what the next words speak of."""
        targets = {one.action.target_id for one in weighed}
        spoken_to = {one.action.target_id for one in weighed if one.action.action in SPEECH}
        self._names_someone |= bool(spoken_to & self._people)
        for named in self._whole.cast.named:
            if named.id and named.id in targets:
                self._whole.say(named)
        return weighed

    def _weigh(self, act: HeardAct) -> list[WeighedAct]:
        words = _LOOSE_END.sub("", self.text[act.start : act.end])
        if len(words.split()) < 2 and self._is_told_around(act):
            return []
        self._pass_over(act)
        claims = self._whole.assumptions
        before = len(claims)
        told_of = [named for named in self._whole.said if named.kind == "person"]
        hearing, ruled = self._listener.hear(words)
        hearing.told_of = told_of[-1] if told_of else None
        claims[before:] = [one for one in claims[before:] if is_claimed(one, act, self.text)]
        if not hearing.typed.tokens:
            return []
        named = (mention.best("person") for mention in hearing.mentions)
        self._names_someone |= any(one.kind == "person" for one in named)
        hearing.names_someone = self._names_someone
        hearing.elsewhere = self._elsewhere
        self._elsewhere = turns_elsewhere(act, hearing)
        asked = _bare_request(hearing)
        if asked:
            return [WeighedAct(asked)]
        if ruled and all(is_own_verb(one.action) for one in ruled):
            return [WeighedAct(one) for one in ruled]
        own = self._families(act)
        if not hearing.authored:
            ruled = [
                one for one in ruled if not is_unheard_of(mended(one, act, hearing), own, hearing)
            ]
        families = together(own, ruled, words)
        family, sure = best(families)
        aside = "ooc" if is_marked(words) or is_of_the_table(words) else aside_of(act, families)
        if aside == "gm_question" and _is_asked_of_someone(ruled, hearing):
            aside = ""
        aside = aside or denied(family, ruled, hearing) or mused(act, own, self.text)
        if aside:
            return [WeighedAct(build(aside, act, hearing, max(sure, families[aside])))]
        built = mended(build(family, act, hearing, sure), act, hearing)
        if family == "express" or is_to_oneself(hearing):
            return [WeighedAct(_as_pose(built))]
        families = of_either(families, own, ruled)
        kept = [one for one in ruled if likely(one.action, families) >= _SECOND or hearing.authored]
        kept = [one for one in kept if not self._is_beside_speech(one, own, hearing)]
        chosen_ones = [as_both_hear(mended(one, act, hearing), families, hearing) for one in kept]
        chosen_ones = agreed(chosen_ones, own)
        if not chosen_ones or max(one.confidence for one in chosen_ones) < min(sure, FAIR):
            other = next(iter(chosen_ones), None) or _runner_up(families, act, hearing)
            return [WeighedAct(built, other)]
        chosen_ones = [self._where.to_the_one_named(one, hearing) for one in chosen_ones]
        return [
            WeighedAct(one, built if built.action != one.action else None) for one in chosen_ones
        ]

    def _is_told_around(self, act: HeardAct) -> bool:
        """Whether one word of a longer telling is all of an act: `Outside` of `Outside the window
        the planet burned`."""
        return len(self.heard.acts) > 1 or len(self.text.split()) > _SAID_SHORTLY

    def _pass_over(self, act: HeardAct) -> None:
        """What stands before the first act and is none itself is in mind all the same: `Marcus had
        not said a word. I sat down and asked him`."""
        if act is not self.heard.acts[0]:
            return
        before = self._listener.begun(self.text[: act.start])
        for ref in before.references(0, len(before.typed.tokens)):
            if ref.named is not None and before.names_one(ref):
                self._whole.say(ref.named)
                self._names_someone |= ref.named.kind == "person" and ref.named.near

    def _is_beside_speech(
        self, action: ProposedAction, own: Mapping[str, float], hearing: Hearing
    ) -> bool:
        """Whether the rules take for words said what stands beside quoted ones: `I cross to where
        Piers is sitting. "You said a name."`"""
        quoted_here = any(token.kind == "quote" for token in hearing.typed.tokens)
        quoted = any(token.kind == "quote" for token in self._whole.typed.tokens)
        if action.action not in SPEECH or quoted_here or not quoted or hearing.authored:
            return False
        return sum(own[family] for family in SPEECH) < _SURE

    def _families(self, act: HeardAct) -> dict[str, float]:
        """How likely each family is: for the only act of an input, both heads are asked."""
        if len(self.heard.acts) > 1:
            return act.families
        whole = self.heard.families
        total = sum(whole.values()) or 1.0
        return {name: (act.families[name] + whole[name] / total) / 2 for name in FAMILIES}


def _is_asked_of_someone(ruled: list[ProposedAction], hearing: Hearing) -> bool:
    """`May I ask the referee what happens?`: leave to ask someone here is asking them."""
    asked = {one.target_id for one in ruled if one.action in SPEECH}
    near = {named.id for named in hearing.cast.named if named.near and named.kind == "person"}
    return any(
        mention.best("person").id in asked & near and is_spoken_to(mention, hearing)
        for mention in hearing.mentions
    )


def _bare_request(hearing: Hearing) -> ProposedAction | None:
    """`inventory` and the like, which are no sentences; who somebody is."""
    action = no_action(hearing)
    return action if action.details == "inventory" else asks_who(hearing)


def _runner_up(families: Mapping[str, float], act: HeardAct, hearing: Hearing) -> ProposedAction:
    second = sorted(families, key=lambda name: -families[name])[1]
    return build(second, act, hearing, families[second])


def _nothing_at_stake(one: WeighedAct) -> ProposedAction:
    return _as_pose(one.action)


def _as_pose(action: ProposedAction) -> ProposedAction:
    return action.model_copy(update={"action": "express", "family": "express"})
