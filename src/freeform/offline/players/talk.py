"""Players without a model: put forward what the mind leans to, answer what was said, give in or
not, and direct a character."""

from dataclasses import dataclass

from freeform.core.chance import Chance
from freeform.core.text import plain_form
from freeform.offline.players.persuasion import told_by, weighed
from freeform.offline.players.reasons import reason, told_in
from freeform.offline.players.recollection import adopted, answered, disputed, recollection
from freeform.offline.players.voice import (
    begin,
    called,
    done_form,
    own_line,
    register_of,
    registers,
    say,
    small,
    subject,
)
from freeform.players.mind.model import Leaning
from freeform.players.mind.skills import doer_of, fittest
from freeform.players.model import Option
from freeform.players.passes import DirectiveReply, PersonaInput, TalkReply
from freeform.players.round.options import as_option, kind_of

WORTH_A_TURN, EXPECTED_THERE = 0.17, 0.3
"""Below this expected progress one rather holds still: a turn costs time; and what is expected of
what was left to do in another place."""
_QUARREL = {"go": 0.05, "use": 0.08}
_PRESSING = 0.5
_PATIENCE = 0.08
"""How much better something else must look before one speaks against a proposal."""


@dataclass(frozen=True)
class TalkTurn:
    """What a player weighs as it speaks: its leanings after what was said."""

    input: PersonaInput
    ranked: list[Leaning]
    chance: Chance

    def best(self, but: str = "") -> Leaning | None:
        """What it would rather have, if not that."""
        taken = set(self.input.taken.values())
        return next(
            (
                one
                for one in self.ranked
                if one.option.text != but
                and one.option.text not in taken
                and one.option.kind != "wait"
            ),
            None,
        )


def respond_talk(input: PersonaInput, chance: Chance) -> TalkReply:
    """What the player says: a proposal with a reason, or where it stands to the one there is."""
    turn = TalkTurn(input, weighed(input), chance)
    if input.over:
        return TalkReply(
            content=_phrase(turn, "over", ending=f"“{input.over}”") or f"{input.over}."
        )
    if not input.proposal.option:
        known = answered(input, chance)
        return TalkReply(content=known) if known else _mourning(_propose(turn), turn)
    if input.proposal.by == input.persona.id:
        return _insist(turn)
    return _mourning(_answer(turn), turn)


def _mourning(reply: TalkReply, turn: TalkTurn) -> TalkReply:
    """Who died is spoken of before anything else."""
    lost = turn.input.table.lost
    if not lost or turn.input.talk_round > 1:
        return reply
    words = _phrase(turn, "mourn", who=lost[0])
    if words:
        return reply.model_copy(update={"content": f"{reply.content} {words}"})
    return reply


def _propose(turn: TalkTurn) -> TalkReply:
    best = next(iter(turn.ranked), None)
    if best is None:
        return TalkReply(content=_phrase(turn, "ask", about="all this", name="you") or "Hm.")
    option = best.option
    told, memory = recollection(turn.input, option, turn.chance)
    why = reason(best, turn.input, turn.chance.at("propose"))
    words = _phrase(turn, "propose", deed=small(option.text), why=why)
    words = words or f"I say we {small(option.text)}."
    content = " ".join(part for part in (told, words, _handed_on(option, turn)) if part)
    memory = memory or told_in(why, best, turn.input)
    return TalkReply(content=content, proposes=option.text, mine=option.text, said_memory=memory)


def _handed_on(option: Option, turn: TalkTurn) -> str:
    """Whose part it is, where another's character has the better hand for it."""
    table, me = turn.input.table, turn.input.persona.id
    doer = fittest(option.text, table.dice, table.sheets, me)
    if _is_mine(turn, option):
        return ""
    return _phrase(turn, "hand_on", name=begin(doer), about=subject(option))


def _insist(turn: TalkTurn) -> TalkReply:
    """Its own proposal once more with another reason; or another's, if that looks better by now."""
    input, option = turn.input, _proposed(turn.input)
    mine = _leaning(turn, option)
    best = turn.best(option.text)
    said = told_by(input)
    better = best and best.score > mine.score + 0.5 * _PATIENCE and input.talk_round > 1
    if best and said and better and _was_named(best, input):
        words = _phrase(
            turn, "yield", name=said[-1], about=subject(best.option), other=small(option.text)
        )
        return TalkReply(
            content=words or f"Yes, {small(best.option.text)}.",
            proposes=best.option.text,
            mine=best.option.text,
        )
    why = reason(mine, input, turn.chance.at("insist", input.talk_round))
    words = _phrase(turn, "insist", deed=small(option.text), why=why, about=subject(option))
    words = words or f"I still say we {small(option.text)}."
    return TalkReply(
        content=_joined(adopted(input, turn.chance), words),
        proposes=option.text,
        mine=option.text,
    )


def _was_named(leaning: Leaning, input: PersonaInput) -> bool:
    """Whether somebody else has spoken of it in this talk: one gives way to what was said."""
    wanted = plain_form(leaning.option.text)
    others = (heard.said for heard in input.talk if heard.who != input.persona.name)
    return any(wanted in plain_form(said) for said in others)


def _answer(turn: TalkTurn) -> TalkReply:
    """Agrees for a reason, objects, sets a condition, asks, stands aside, or comes round."""
    input, option = turn.input, _proposed(turn.input)
    stands = _leaning(turn, option)
    best = turn.best(option.text)
    gap = best.score - stands.score if best else -1.0
    limit = _QUARREL.get(option.kind, _PATIENCE)
    act = _chosen_act(turn, gap, limit) if input.asked is None else _as_asked(turn, stands)
    correction, fact = disputed(input, turn.chance)
    correction = correction or adopted(input, turn.chance)
    words = {"about": subject(option), "name": input.proposed_by}
    if best:
        words |= {"other": small(best.option.text), "also": done_form(best.option.text)}
    ground = best if act == "object" and best else stands
    words["why"] = reason(ground, input, turn.chance.at(act))
    in_passing = told_in(words["why"], ground, input)
    said = own_line(input.persona, _OWN.get(act, act), input.said_before, turn.chance.at(act))
    said = _phrase(turn, act, **words) or said or _bare(act, words)
    if act == "object" and best:
        return TalkReply(
            content=_joined(said, correction),
            proposes=best.option.text,
            mine=best.option.text if _is_mine(turn, best.option) else "",
            said_memory=in_passing,
            disputes=fact,
        )
    if act == "condition" and best:
        mine = best.option.text if _is_mine(turn, best.option) else ""
        return TalkReply(content=_joined(said, correction), mine=mine, disputes=fact)
    told, memory = ("", "") if correction else recollection(input, option, turn.chance)
    mine, announced = _own_part(turn, option)
    shown = announced if act in ("agree", "yield") else ""
    return TalkReply(
        content=_joined(said, correction, told, shown),
        mine=mine if shown else "",
        said_memory=memory or in_passing,
        disputes=fact,
    )


_OWN = {"object": "disagree", "aside": "unsure", "ask": "unsure"}


def _chosen_act(turn: TalkTurn, gap: float, limit: float) -> str:
    input, chance = turn.input, turn.chance.at("act", turn.input.talk_round)
    traits = input.persona.traits
    late = input.talk_round - 1
    firm = traits.stubborn + 0.3 * (traits.confidence - 0.5) - 0.15 * late
    if gap > limit * (1.0 + 0.8 * chance.fraction()):
        if late and chance.fraction() > firm + 0.35:
            return "yield" if chance.at("how").fraction() < 0.5 else "aside"
        return "object" if late < 3 or firm > 0.1 else "aside"
    if gap > 0.5 * limit and not late:
        roll = chance.at("middle").fraction()
        if roll < 0.2 + 0.3 * traits.caution:
            return "condition"
        return "aside" if roll < 0.95 - 0.4 * traits.confidence else "agree"
    return "agree"


def _as_asked(turn: TalkTurn, stands: Leaning) -> str:
    """People lead at their table: what one of them asks for is done, if it is not too dangerous
    for one of this temper."""
    return "object" if stands.risk > _TOO_MUCH - turn.input.persona.traits.caution / 2 else "agree"


_TOO_MUCH = 0.8
"""How much risk nobody takes on, asked or not."""


def _own_part(turn: TalkTurn, option: Option) -> tuple[str, str]:
    """What its character will do meanwhile, and how that is said: a hand lent, or a deed."""
    input = turn.input
    name = called(input.character_name)
    lend = turn.chance.at("lend").fraction()
    # Whoever proposed it has taken it; a second one already lends a hand.
    helped = list(input.taken.values()).count(option.text) > 1
    if input.asked or doer_of(input.proposal, input.table) == input.persona.id:
        words = _phrase(turn, "take_on", pc=name, about=subject(option), name=input.proposed_by)
        return (option.text, words) if words else ("", "")
    urgency = max((danger.urgency for danger in input.mind.dangers), default=0.0)
    worth_it = option.topic == "help" or urgency < _PRESSING  # a second failure costs as much again
    if option.kind == "use" and lend < 0.5 and not helped and worth_it:
        words = _phrase(turn, "help", pc=name, about=subject(option), name=input.proposed_by)
        return (option.text, words) if words else ("", "")
    own = _free(turn, option.text)
    if own is None:
        return "", ""
    said = _phrase(turn, "mine", pc=name, mine=small(own.option.text))
    return (own.option.text, said) if said else ("", "")


def _free(turn: TalkTurn, but: str) -> Leaning | None:
    """The best deed for itself that is worth a turn and that nobody else does."""
    taken = {*turn.input.taken.values(), but}
    worth = _worth_a_turn(turn)
    for one in turn.ranked:
        if one.option.kind in ("go", "wait") or one.option.text in taken:
            continue
        if not _is_mine(turn, one.option):
            continue  # somebody else has the better hand for it
        return one if one.progress - 0.5 * one.risk >= worth else None
    return None


def _on_arrival(turn: TalkTurn) -> str:
    """What it would do at the end of the agreed way, that nobody else does; '' where nothing is
    worth a turn."""
    way = turn.input.mind.leaning(turn.input.proposal.option)
    if way is None or way.option.kind != "go":
        return ""
    wanted = [way.aim] if way.aim else []
    wanted += way.also if _worth_a_turn(turn) <= EXPECTED_THERE else []
    taken = set(turn.input.taken.values())
    for deed in wanted:
        if deed not in taken and _is_mine(turn, as_option(deed)):
            return deed
    return ""


def _worth_a_turn(turn: TalkTurn) -> float:
    """What a deed must promise: with little time left nobody dawdles."""
    creeping = [danger.urgency for danger in turn.input.mind.dangers if danger.creeps]
    return WORTH_A_TURN * (1 + 2 * max(creeping, default=0.0))


def _is_mine(turn: TalkTurn, option: Option) -> bool:
    """Whether nobody else has a better hand for it."""
    table, me = turn.input.table, turn.input.persona.id
    return fittest(option.text, table.dice, table.sheets, me) == me


def respond_directive(input: PersonaInput, chance: Chance) -> DirectiveReply:
    """What its character is to attempt: what it proposed or said it would do; else the best that
    nobody else does, if it is worth a turn."""
    turn = TalkTurn(input, weighed(input), chance)
    proposal, others = input.proposal, set(input.taken.values())
    if proposal.option and doer_of(proposal, input.table) == input.persona.id:
        return _directive(proposal.option, turn)
    lends = input.mine == proposal.option != "" and as_joint(proposal.option)
    lends = lends and proposal.by != input.persona.id
    announced = input.mine if input.mine != proposal.option or lends else ""
    if announced and (lends or (input.mine not in others and kind_of(input.mine) != "go")):
        return _directive(input.mine, turn)
    own = _free(turn, proposal.option)
    if own is None and not proposal.option:
        own = turn.best()
    if own:
        return _directive(own.option.text, turn)
    if there := _on_arrival(turn):
        return _directive(there, turn)
    hold = input.persona.lines.get("hold") or ["Hold back and watch."]
    return DirectiveReply(directive=chance.choose(hold), option="")


def as_joint(option: str) -> bool:
    """Whether another may lend a hand to it: what dice decide, and what takes strength."""
    return kind_of(option) == "use"


def _directive(option: str, turn: TalkTurn) -> DirectiveReply:
    persona = turn.input.persona
    social = kind_of(option) in ("ask", "talk", "show")
    lines = (persona.lines.get("direct_ask") if social else None) or persona.lines.get("direct")
    line = turn.chance.at("direct").choose(lines or ["{Option}."])
    return DirectiveReply(directive=line.format(Option=option, option=small(option)), option=option)


def _proposed(input: PersonaInput) -> Option:
    known = input.mind.leaning(input.proposal.option)
    return known.option if known else as_option(input.proposal.option)


def _leaning(turn: TalkTurn, option: Option) -> Leaning:
    """How it sees an option; one it never thought of is taken on trust, half as good as its own."""
    known = next((one for one in turn.ranked if one.option.text == option.text), None)
    if known:
        return known
    trust = 0.6 * turn.ranked[0].score if turn.ranked else 0.0
    return Leaning(option=option, score=round(trust, 4))


def _phrase(turn: TalkTurn, occasion: str, **words: str) -> str:
    traits, input = turn.input.persona.traits, turn.input
    lines = registers()[register_of(traits)].get(occasion, ())
    filled = {"pc": called(input.character_name), **words}
    heard = [*input.said_before, *(h.said for h in input.talk)]
    return say(lines, filled, heard, turn.chance.at(occasion, input.talk_round))


def _bare(act: str, words: dict[str, str]) -> str:
    """When every line was said lately: the least one can say."""
    name, about = words.get("name") or "then", words.get("about") or "it"
    return {
        "object": f"No, {name}, I'd rather {words.get('other', 'not')}.",
        "condition": f"Yes, {name}, as long as somebody has {words.get('also', 'looked')} first.",
        "aside": f"Either way, {name}; {about} is up to you.",
        "ask": f"I'm not sure about {about}, {name}.",
    }.get(act, f"Yes, {name}, {about}.")


def _joined(*parts: str) -> str:
    return " ".join(begin(part) for part in parts if part)
